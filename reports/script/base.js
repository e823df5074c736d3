// What all parts of the page share. SHAPE comes before this text; the data stands in the page, packed.
const SOURCE = 0, SPACE = 1, NAME = 2, FORMAT = 3, DIALECTS = 4, STANDING = 5, REASON = 6, MARKS = 7, CODES = 8,
  WAVE = 9, OWNER = 10, CHANGE = 11, READS = 12, WHY = 13, PLAN = 14, DUTY = 15, USES = 16, USE = 17, KEY = 18;
// PLAN has a line for each target: its name, a tabulator, the action.
const NOBODY = "(nobody)", NOWHERE = "(none)";  // as an owner and a namespace without a name are shown and addressed
const byId = (id) => document.getElementById(id);
const word = (text) => text.replace(/ /g, "-");
const number = (value) => value.toLocaleString("en");
const plural = (value, one, more) => `${number(value)} ${value === 1 ? one : more}`;

let rows = [];       // the index: an array for each view; the first block of them until all are read
let reading = null;  // a promise of all of them
let whole = false;   // whether they are there
let overview = {};   // the whole run: reports/overview.py says what is in it
let readers = null;  // for each row or missing name, the rows that read it
let numbers = null;  // of the rows, by their addresses
const parts = new Map();  // number of a part -> promise of its details
const awaited = new Map();

// What is not seen, as an escape: a name may not turn the direction of a line, or hide in it.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const visible = (text) => text.replace(UNSEEN, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

// Elements are made, never parsed: no text of a source is ever taken for markup.
function el(tag, properties, ...children) {
  return filled(document.createElement(tag), properties, children);
}

function svg(tag, properties, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);
}

function filled(made, properties, children) {
  for (const [name, value] of Object.entries(properties || {})) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  const there = children.flat().filter((one) => one !== null && one !== undefined && one !== false && one !== "");
  made.append(...there.map((one) => typeof one === "string" ? visible(one) : one));
  return made;
}

// What has to be scrolled sideways can be, by keyboard, too.
const scrollers = new ResizeObserver((some) => {
  for (const { target } of some) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});

function scrolled(place) {
  if (!place.role && place.tagName !== "UL") {
    place.role = "group";
    place.ariaLabel = place.closest("section")?.querySelector("h2")?.textContent || "Table";
  }
  scrollers.observe(place);
  return place;
}

// On a narrow screen a table's rows are cards: each cell says what it is, and stays a cell for those who listen.
function stacked(table) {
  const heads = [...table.querySelectorAll("thead th")].map((one) => one.textContent.trim());
  table.setAttribute("role", "table");
  for (const one of table.querySelectorAll("thead, tbody")) one.setAttribute("role", "rowgroup");
  for (const row of table.querySelectorAll("tr")) {
    row.setAttribute("role", "row");
    [...row.cells].forEach((cell, place) => {
      const head = cell.tagName === "TH";
      cell.setAttribute("role", head ? (cell.scope === "row" ? "rowheader" : "columnheader") : "cell");
      if (!head && heads[place] && !cell.dataset.label) cell.dataset.label = heads[place];
    });
  }
}

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(plain).text());
}

function part(number) {
  if (!parts.has(number)) parts.set(number, SHAPE.single ? unpack(byId(`part-${number}`).textContent) : load(number));
  return parts.get(number);
}

// A page that was opened from a file may not fetch; a script may be loaded from beside it.
function load(number) {
  return new Promise((resolve, reject) => {
    const file = `${SHAPE.folder}/${number}.js`;
    awaited.set(number, { resolve, reject });
    document.head.append(el("script", { src: file, onerror: () => {
      refuse(number, `${file} is not beside this page`);
    } }));
  });
}
// Who has the page open while the next report is written beside it finds another run's details there.
window.belvedere = (number, packed, run) => {
  if (run === SHAPE.run) awaited.get(number).resolve(unpack(packed));
  else refuse(number, `they are of run ${run} now, and this page is of run ${SHAPE.run}: load it again`);
};

function refuse(number, why) {
  parts.delete(number);
  awaited.get(number).reject(new Error(why));
}

const planned = (row) => (row[PLAN] ? row[PLAN].split("\n").map((one) => one.split("\t")) : []);
const full = (row) => (row[SPACE] ? `${row[SPACE]}.${row[NAME]}` : row[NAME]);
const dot = (kind, title) => el("i", { class: word(kind), title });

// How a view is addressed: by names, so that the address is the same in the next report. KEY is there where names
// do not tell it from others, as a dot or a slash within a level looks like one between two.
const namesOf = (row) => `${row[SOURCE]}/${row[SPACE]}/${row[NAME]}`;
const addressOf = (row) => (row[KEY] ? `${row[SOURCE]}//${row[KEY]}` : namesOf(row));

function rowOf(address) {
  if (!numbers) {
    numbers = new Map();
    for (const called of [addressOf, namesOf]) {
      rows.forEach((row, place) => { if (!numbers.has(called(row))) numbers.set(called(row), place); });
    }
  }
  return numbers.has(address) ? numbers.get(address) : null;
}
