/* the table of all views */

const PER_PAGE = 100;
let shown = [];      // row numbers that pass the filters, in order
let first = 0;       // the first of them that is on the page
let order = null;    // row numbers in the order that was asked for; null: as they are
let texts = null;    // what is searched, by row

const SORTED = {
  view: (row) => full(row).toLowerCase(), source: (row) => row[SOURCE], format: (row) => row[FORMAT], standing: (row) => row[STANDING],
  reason: (row) => row[REASON], wave: (row) => (row[WAVE] === null ? Infinity : row[WAVE]), owner: (row) => row[OWNER], change: (row) => row[CHANGE],
  uses: (row) => -(row[USES] ?? -1),  // the most used first
};

// For each filter, from what was chosen to whether a row passes.
const PASSES = {
  search: (value) => {
    const words = value.toLowerCase().split(/\s+/);
    texts ||= rows.map((row) => [full(row), ...[SOURCE, FORMAT, DIALECTS, REASON, CODES, OWNER, CHANGE, WHY].map((one) => row[one])].join(" ").toLowerCase());
    return (row, place) => words.every((one) => texts[place].includes(one));
  },
  standing: (value) => { const wanted = SHAPE.standings.indexOf(value); return (row) => row[STANDING] === wanted; },
  duty: (value) => {
    const wanted = value === "act" ? SHAPE.acting : [SHAPE.duties.indexOf(value)];
    return (row) => wanted.includes(row[DUTY]);
  },
  owner: (value) => { const wanted = value === NOBODY ? "" : value; return (row) => row[OWNER] === wanted; },
  space: (value) => { const wanted = value === NOWHERE ? "" : value; return (row) => row[SPACE] === wanted; },
  source: (value) => (row) => row[SOURCE] === value,
  format: (value) => (row) => row[FORMAT] === value,
  code: (value) => (row) => row[REASON] === value || ` ${row[CODES]} `.includes(` ${value} `),
  engine: (value) => {
    const cut = value.lastIndexOf(":"), place = SHAPE.engines.indexOf(value.slice(0, cut)), status = value.slice(cut + 1);
    const reads = (row) => SHAPE.reads.includes(Number(row[MARKS][place] ?? -1));
    if (status === "reads") return reads;
    if (status === "does not read") return (row) => !reads(row);
    return (row) => row[MARKS][place] === String(SHAPE.statuses.indexOf(status));
  },
  target: (value) => (row) => planned(row).some(([target]) => target === value),
  action: (value, all) => (row) => planned(row).some(([target, action]) => action === value && (!all.target || target === all.target)),
  wave: (value) => (row) => row[WAVE] === Number(value),
  change: (value) => (row) => row[CHANGE].split("; ").some((one) => one === value || one.startsWith(`${value}: `)),
};

function chosen(wanted) {
  const tests = Object.entries(wanted).map(([name, value]) => PASSES[name](value, wanted));
  return (order || rows.map((_, place) => place)).filter((place) => tests.every((one) => one(rows[place], place)));
}

function filter(page = 1) {
  shown = chosen(filters());
  first = Math.min(Math.max(page - 1, 0), Math.max(0, Math.ceil(shown.length / PER_PAGE) - 1)) * PER_PAGE;
  draw();
}

// A change of a filter by hand: what was open is not what is looked at any more.
function refilter(step) {
  state = state.sort ? { sort: state.sort } : {};
  filter();
  remember(step);
}

// `reason` is up, `-reason` is down; also shown at the heads.
function sorted(by) {
  const down = by.startsWith("-"), name = down ? by.slice(1) : by;
  for (const one of document.querySelectorAll("[data-sort]")) {
    one.closest("th").setAttribute("aria-sort", one.dataset.sort !== name ? "none" : down ? "descending" : "ascending");
  }
  if (!Object.hasOwn(SORTED, name)) return null;
  const keys = rows.map(SORTED[name]), way = down ? -1 : 1;
  return rows.map((_, place) => place).sort((a, b) => (keys[a] < keys[b] ? -way : keys[a] > keys[b] ? way : a - b));
}

function sort(name, turns = true) {
  state = { sort: turns && state.sort === name ? `-${name}` : name };
  order = sorted(state.sort);
  filter();
  remember(true);
}

function turn(pages) {
  const page = first / PER_PAGE + 1 + pages;
  state = { ...(state.sort && { sort: state.sort }), page: String(page) };
  filter(page);
  remember(true);
}

function draw() {
  const some = shown.slice(first, first + PER_PAGE);
  document.querySelector("#views tbody").replaceChildren(...some.map(line));
  byId("status").textContent = some.length
    ? `Showing ${number(first + 1)} to ${number(first + some.length)} of ${plural(shown.length, "view", "views")}`
    : "No view is like that";
  if (!whole) byId("status").append("; the others are being read");
  byId("sheet").disabled = !some.length;
  byId("earlier").disabled = first === 0;
  byId("later").disabled = first + PER_PAGE >= shown.length;
}

function line(place) {
  const row = rows[place];
  const standing = SHAPE.standings[row[STANDING]];
  const button = el("button", { type: "button", class: "plain view", "aria-expanded": "false", onclick: () => toggle(place, button, true) }, full(row));
  const marks = [...row[MARKS]].map((one, at) => dot(SHAPE.statuses[one], `${SHAPE.engines[at]}: ${SHAPE.statuses[one]}`));
  const said = marks.map((one) => one.title).join(", ");
  const cell = (label, properties, ...children) => el("td", { role: "cell", "data-label": label, ...properties }, ...children);
  return el("tr", { role: "row", "data-row": place },
    cell(null, { class: "name" }, button), cell("Source", { class: "less" }, row[SOURCE]), cell("Format", { class: "less" }, row[FORMAT]),
    cell("Standing", {}, el("span", {}, el("i", { class: `dot ${word(standing)}` }), standing)),
    cell("Reason", { class: row[REASON] ? null : "less" }, row[REASON] && el("span", { class: "code" }, row[REASON])),
    cell("Engines", { class: marks.length ? null : "less" }, el("span", { class: "engines", role: "img", "aria-label": said || "not assessed" }, marks)),
    cell("Wave", { class: "number" }, row[WAVE] === null ? "–" : String(row[WAVE])),
    SHAPE.used && cell("Uses", { class: "number", title: row[USE] }, row[USES] === null ? "–" : row[USES] ? number(row[USES]) : row[USE]),
    cell("Owner", { class: row[OWNER] ? null : "less" }, row[OWNER]), cell("Change", { class: row[CHANGE] ? "small" : "less" }, row[CHANGE]));
}

async function toggle(place, button, step) {
  const opened = button.getAttribute("aria-expanded") === "true";
  const after = button.closest("tr").nextElementSibling;
  button.setAttribute("aria-expanded", String(!opened));
  if (!opened) state.view = addressOf(rows[place]);
  else if (state.view === addressOf(rows[place])) delete state.view;
  if (step) remember(true);
  if (opened) { after.remove(); return; }
  const cell = el("td", { class: "detail", role: "cell", colspan: SHAPE.used ? "10" : "9" }, "Reading …");
  const id = `detail-${place}`;
  button.setAttribute("aria-controls", id);
  button.closest("tr").after(el("tr", { id, role: "row" }, cell));
  try {
    const some = await part(Math.floor(place / SHAPE.part));
    cell.replaceChildren(...detail(place, some[place % SHAPE.part]));
  } catch (error) {
    cell.replaceChildren(el("p", { class: "bad" }, `The details cannot be read: ${error.message}`));
  }
}

// Opens a view; where the filters hide it, they give way.
function reveal(place) {
  let at = shown.indexOf(place);
  if (at < 0) {
    byId("controls").reset();
    order = null;
    shown = chosen({});
    at = place;
  }
  first = Math.floor(at / PER_PAGE) * PER_PAGE;
  draw();
  const button = document.querySelector(`#views tr[data-row="${place}"] button`);
  toggle(place, button, false);
  button.focus({ preventScroll: true });
  button.scrollIntoView({ block: "center" });
}

const find = (place) => go({ view: addressOf(rows[place]) });

/* a sheet to sign off */

const FORMULA = /^[=+\-@\t\r]/;
const SHEET = ["source", "namespace", "name", "owner", "standing", "reason", "why", "what to do", "wave", "uses", "plan", "decision", "signed by", "date"];

// As views.csv has it: a sheet takes no text for a formula.
function field(value) {
  const text = FORMULA.test(value) ? `'${visible(value)}` : visible(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function sheet(some) {
  const lines = some.map((place) => {
    const row = rows[place], codes = new Set([row[REASON], ...row[CODES].split(" ")].filter(Boolean));
    const advised = [...codes].filter((one) => overview.advice[one]).map((one) => `${one}: ${overview.advice[one]}`);
    const plan = planned(row).map((one) => one.join(": ")).join("; ");
    return [row[SOURCE], row[SPACE], row[NAME], row[OWNER], SHAPE.standings[row[STANDING]], row[REASON], row[WHY], advised.join(" "),
      String(row[WAVE] ?? ""), String(row[USES] ?? ""), plan, "", "", ""];
  });
  return [SHEET, ...lines].map((one) => `${one.map(field).join(",")}\r\n`).join("");
}

// Saves the sheet of some rows; `some` is asked for them when all are read.
async function download(some, name) {
  await reading;
  const url = URL.createObjectURL(new Blob([sheet(some())], { type: "text/csv;charset=utf-8" }));
  el("a", { href: url, download: `${name.replace(/[^\p{L}\p{N} ._@-]/gu, "_")}.csv` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
