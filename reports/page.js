// The page of a report. SHAPE comes before this text; the data stands in the page, packed.
const SOURCE = 0, SPACE = 1, NAME = 2, FORMAT = 3, DIALECTS = 4, STANDING = 5, REASON = 6, MARKS = 7, CODES = 8,
  WAVE = 9, OWNER = 10, CHANGE = 11, READS = 12, WHY = 13;
const PER_PAGE = 100, LISTED = 12;
const byId = (id) => document.getElementById(id);
const word = (text) => text.replace(/ /g, "-");

let rows = [];       // the index: an array for each view
let shown = [];      // row numbers that pass the filters, in order
let first = 0;       // the first of them that is on the page
let order = null;    // row numbers in the order that was asked for; null: as they are
let texts = null;    // what is searched, by row
let readers = null;  // for each row or missing name, the rows that read it
const parts = new Map();  // number of a part -> promise of its details
const awaited = new Map();

// What is not seen, as an escape: a name may not turn the direction of a line, or hide in it.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const visible = (text) => text.replace(UNSEEN, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

// Elements are made, never parsed: no text of a source is ever taken for markup.
function el(tag, properties, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  const there = children.flat().filter((one) => one !== null && one !== undefined && one !== "");
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
  if (!place.role) {
    place.role = "group";
    place.ariaLabel = place.closest("section")?.querySelector("h2")?.textContent || "Table";
  }
  scrollers.observe(place);
  return place;
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
    awaited.set(number, resolve);
    document.head.append(el("script", { src: file, onerror: () => {
      parts.delete(number);
      reject(new Error(`${file} is not beside this page`));
    } }));
  });
}
window.belvedere = (number, packed) => awaited.get(number)(unpack(packed));

const full = (row) => (row[SPACE] ? `${row[SPACE]}.${row[NAME]}` : row[NAME]);
const dot = (kind, title) => el("i", { class: word(kind), title });

/* the table of all views */

const SORTED = [
  (row) => full(row).toLowerCase(), (row) => row[SOURCE], (row) => row[FORMAT], (row) => row[STANDING], (row) => row[REASON],
  (row) => (row[WAVE] === null ? Infinity : row[WAVE]), (row) => row[OWNER], (row) => row[CHANGE],
];

function filter() {
  const text = byId("search").value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const [standing, source, format, code, engine] =
    ["standing", "source", "format", "code", "engine"].map((one) => byId(`by-${one}`).value);
  const [place, status] = engine.split(":");
  if (text.length && !texts) {
    texts = rows.map((row) => [full(row), ...[SOURCE, FORMAT, DIALECTS, REASON, CODES, OWNER, CHANGE, WHY].map((one) => row[one])]
      .join(" ").toLowerCase());
  }
  const passes = (number) => {
    const row = rows[number];
    return (!standing || row[STANDING] === Number(standing)) && (!source || row[SOURCE] === source)
      && (!format || row[FORMAT] === format) && (!engine || row[MARKS][Number(place)] === status)
      && (!code || row[REASON] === code || ` ${row[CODES]} `.includes(` ${code} `))
      && text.every((one) => texts[number].includes(one));
  };
  shown = (order || rows.map((_, number) => number)).filter(passes);
  first = 0;
  draw();
}

function unsort() {
  order = null;
  for (const head of document.querySelectorAll("#views th[aria-sort]")) head.setAttribute("aria-sort", "none");
}

function sort(button) {
  const head = button.closest("th");
  const down = head.getAttribute("aria-sort") === "ascending";
  unsort();
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const keys = rows.map(SORTED[Number(button.dataset.sort)]);
  const way = down ? -1 : 1;
  order = rows.map((_, number) => number)
    .sort((a, b) => (keys[a] < keys[b] ? -way : keys[a] > keys[b] ? way : a - b));
  filter();
}

function draw() {
  const some = shown.slice(first, first + PER_PAGE);
  document.querySelector("#views tbody").replaceChildren(...some.map(line));
  const count = shown.length.toLocaleString("en");
  byId("status").textContent = some.length
    ? `Showing ${(first + 1).toLocaleString("en")} to ${(first + some.length).toLocaleString("en")} of ${count} views`
    : "No view is like that";
  byId("earlier").disabled = first === 0;
  byId("later").disabled = first + PER_PAGE >= shown.length;
}

function line(number) {
  const row = rows[number];
  const standing = SHAPE.standings[row[STANDING]];
  const button = el("button", { type: "button", class: "plain view", "aria-expanded": "false", onclick: () => toggle(number, button) }, full(row));
  const marks = [...row[MARKS]].map((one, place) => dot(SHAPE.statuses[one], `${SHAPE.engines[place]}: ${SHAPE.statuses[one]}`));
  const said = marks.map((one) => one.title).join(", ");
  return el("tr", { "data-row": number },
    el("td", { class: "name" }, button), el("td", {}, row[SOURCE]), el("td", {}, row[FORMAT]),
    el("td", {}, el("i", { class: `dot ${word(standing)}` }), standing),
    el("td", {}, row[REASON] && el("span", { class: "code" }, row[REASON])),
    el("td", {}, el("span", { class: "engines", role: "img", "aria-label": said || "not assessed" }, marks)),
    el("td", { class: "number" }, row[WAVE] === null ? "–" : String(row[WAVE])),
    el("td", {}, row[OWNER]), el("td", { class: "small" }, row[CHANGE]));
}

async function toggle(number, button) {
  const opened = button.getAttribute("aria-expanded") === "true";
  const after = button.closest("tr").nextElementSibling;
  button.setAttribute("aria-expanded", String(!opened));
  if (opened) { after.remove(); return; }
  const cell = el("td", { class: "detail", colspan: "9" }, "Reading …");
  const id = `detail-${number}`;
  button.setAttribute("aria-controls", id);
  button.closest("tr").after(el("tr", { id }, cell));
  try {
    const some = await part(Math.floor(number / SHAPE.part));
    cell.replaceChildren(...detail(number, some[number % SHAPE.part]));
  } catch (error) {
    cell.replaceChildren(el("p", { class: "bad" }, `The details cannot be read: ${error.message}`));
  }
}

/* what opens below a view */

function detail(number, one) {
  const row = rows[number];
  const view = one.view, above = readersOf(number);
  const left = view ? view.representations.flatMap((text) => representation(text, one.verdicts || [])) : failure(one.failure);
  const right = [
    ...listed("Findings", one.findings, (each) => [el("span", { class: "code" }, each.code), ` ${each.severity}`,
      each.engine ? ` (${each.engine})` : "", `: ${each.message}`, el("br"), el("span", { class: "dim" }, `→ ${each.hint}`)]),
    ...listed("Set aside because of", one.because, (each) => [each]),
    ...listed("What a reader must know", one.notes, (each) => [el("span", { class: "code" }, each.code), `: ${each.message}`]),
    ...listed("Reads", one.references, (each) => reference(row, each)),
    ...listed("Read back otherwise", one.differences, (each) => [each]),
    ...listed("Plan", one.plan, (each) => [`${each.target}: ${each.action}`, SHAPE.unserved.includes(each.target) ? ", stored but not served" : "", el("span", { class: "dim" }, `: ${[each.code, each.reason].filter(Boolean).join(": ")}`)]),
    ...listed("History", one.history, (each) => [el("span", { class: "dim" }, each.time.slice(0, 16).replace("T", " ")), ` ${each.what}`,
      each.why && `: ${each.why}`, el("span", { class: "dim" }, ` (${each.name})`)]),
    ...listed(above.length > LISTED ? `Read by ${above.length.toLocaleString("en")} views, such as` : "Read by", above.slice(0, LISTED), (each) => [chooser(each)]),
  ];
  const graph = byId("graph") && el("p", {}, el("button", { type: "button", onclick: () => { drawGraph(number); byId("waves-title").scrollIntoView(); } }, "Draw its graph"));
  return [el("div", { class: "two" }, el("div", {}, left), el("div", {}, graph, right, view ? facts(row, view) : ""))];
}

function failure([stage, code, message, hint]) {
  return [el("h3", {}, `It could not be read (${stage})`), el("p", {}, el("span", { class: "code" }, code), `: ${message}`), el("p", { class: "dim" }, `→ ${hint}`)];
}

function listed(title, some, shape) {
  return some && some.length ? [el("h3", {}, title), el("ul", { class: "plainlist" }, some.map((one) => el("li", {}, shape(one))))] : [];
}

function representation(text, verdicts) {
  const mine = verdicts.filter((one) => one.dialect === text.dialect);
  const own = mine.find((one) => one.engine === text.dialect.toLowerCase() && one.verdict === "rejected" && one.line);
  const place = [text.defaultCatalog, text.defaultSchema].filter(Boolean).join(".");
  const list = mine.map((one) => el("li", {}, el("i", { class: `dot ${one.verdict === "accepted" ? "native" : word(one.verdict)}` }),
    el("b", {}, one.engine), ` ${one.version || ""} ${one.verdict} `,
    one.line && one !== own ? el("button", { type: "button", class: "plain small", onclick: () => code.replaceChildren(...marked(text.sql, one)) }, `at ${one.line}:${one.column || 1}`) : one.line ? `at ${one.line}:${one.column || 1}` : "",
    one.message ? el("span", { class: "dim" }, `: ${one.message.slice(0, 300)}`) : ""));
  const code = el("code", {}, marked(text.sql, own));
  return [el("h3", {}, `SQL (${text.dialect})`, place ? el("span", { class: "dim" }, ` in ${place}`) : ""), el("pre", { tabindex: "0" }, code), el("ul", { class: "plainlist small" }, list)];
}

// The word at the position that a parser named; lines and columns count from 1.
function marked(sql, verdict) {
  if (!verdict) return [sql];
  const lines = sql.split("\n");
  if (verdict.line > lines.length) return [sql];
  const before = lines.slice(0, verdict.line - 1).reduce((sum, one) => sum + one.length + 1, 0) + Math.max(0, (verdict.column || 1) - 1);
  const found = /^(\w+|[^]?)/.exec(sql.slice(before))[0] || " ";
  return [sql.slice(0, before), el("mark", { title: verdict.message }, found), sql.slice(before + found.length)];
}

function reference(row, one) {
  const written = one.written.join(".");
  const name = one.base_source ? [...(one.base_namespace || []), one.base_name].join(".") : written;
  const target = one.base_kind === "view" ? rows.findIndex((other) => other[SOURCE] === one.base_source && full(other).toLowerCase() === name.toLowerCase()) : -1;
  const kind = el("span", { class: one.base_kind === "missing" || one.base_kind === "unread" ? "bad" : "dim" }, ` ${one.base_kind}`);
  return [target >= 0 ? chooser(target) : name, kind, one.base_source && one.base_source !== row[SOURCE] ? ` in ${one.base_source}` : ""];
}

function chooser(number) {
  return el("button", { type: "button", class: "plain", onclick: () => find(number) }, full(rows[number]));
}

function find(number) {
  byId("controls").reset();
  unsort();
  filter();
  first = Math.floor(number / PER_PAGE) * PER_PAGE;
  draw();
  const button = document.querySelector(`#views tr[data-row="${number}"] button`);
  button.focus();
  button.scrollIntoView({ block: "center" });
  if (button.getAttribute("aria-expanded") === "false") button.click();
}

// A type of Gravitino's JSON as people write it.
function kind(type) {
  if (typeof type === "string") return type;
  switch (type.type) {
    case "external": return type.catalogString;
    case "list": return `list<${kind(type.elementType)}>`;
    case "map": return `map<${kind(type.keyType)}, ${kind(type.valueType)}>`;
    case "struct": return `struct<${type.fields.map((one) => `${one.name}: ${kind(one.type)}`).join(", ")}>`;
    default: return JSON.stringify(type);
  }
}

function facts(row, view) {
  const columns = view.columns.map((one) => el("tr", {}, el("td", { class: "name" }, one.name), el("td", { class: "name" }, kind(one.type), one.nullable ? "" : " NOT NULL"), el("td", {}, one.comment || "")));
  const more = [["Comment", view.comment], ["Owner", row[OWNER]], ["Security", view.securityConfig && view.securityConfig.securityMode],
    ...Object.entries(view.properties || {})].filter((one) => one[1]);
  return [
    el("details", { open: columns.length <= 12 }, el("summary", {}, columns.length === 1 ? "1 column" : `${columns.length} columns`),
      scrolled(el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, ["Column", "Type", "Comment"].map((one) => el("th", { scope: "col" }, one)))), el("tbody", {}, columns))))),
    more.length ? el("details", {}, el("summary", {}, "Properties"), el("ul", { class: "plainlist small" }, more.map(([name, value]) => el("li", {}, el("b", {}, name), `: ${value}`)))) : "",
  ];
}

/* the graph around a view: what it stands on to the left, what stands on it to the right */

const WIDTH = 190, HEIGHT = 30, GAP = 46, MOST = 9, FAR = 3;

const missing = (row) => (row[REASON] === "MISSING_BASE" || row[REASON] === "BROKEN_BASE" ? row[WHY].split(", ") : []);

function basesOf(node) {
  if (typeof node === "string") return [];
  const named = missing(rows[node]).filter((one) => rows[node][REASON] === "MISSING_BASE");
  return [...rows[node][READS].filter((one) => one !== node), ...named];
}

function readersOf(node) {
  if (!readers) {
    readers = new Map();
    rows.forEach((_, number) => basesOf(number).forEach((base) => (readers.get(base) || readers.set(base, []).get(base)).push(number)));
  }
  return readers.get(node) || [];
}

function layers(node, next) {
  const found = [];
  const seen = new Set([node]);
  let last = [node];
  while (last.length && found.length < FAR) {
    const fresh = [...new Set(last.flatMap(next))].filter((one) => !seen.has(one));
    fresh.forEach((one) => seen.add(one));
    last = fresh.slice(0, MOST);
    if (fresh.length) found.push({ nodes: last, more: fresh.length - last.length });
  }
  return found;
}

const svg = (tag, attributes, ...children) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
};

function drawGraph(node) {
  const columns = [...layers(node, basesOf).reverse(), { nodes: [node], more: 0 }, ...layers(node, readersOf)];
  const deepest = Math.max(...columns.map((one) => one.nodes.length + (one.more ? 1 : 0)));
  const width = columns.length * (WIDTH + GAP) - GAP + 24, height = deepest * (HEIGHT + 10) + 24;
  const places = new Map();
  const boxes = [];
  columns.forEach(({ nodes, more }, column) => {
    const x = 12 + column * (WIDTH + GAP);
    const top = (height - (nodes.length + (more ? 1 : 0)) * (HEIGHT + 10) + 10) / 2;
    nodes.forEach((one, place) => {
      places.set(one, [x, top + place * (HEIGHT + 10)]);
      boxes.push(box(one, ...places.get(one), one === node));
    });
    if (more) boxes.push(svg("text", { x: x + 8, y: top + nodes.length * (HEIGHT + 10) + 20 }, `and ${more.toLocaleString("en")} more`));
  });
  const lines = [];
  for (const [one, [x, y]] of places) {
    for (const base of basesOf(one)) {
      if (!places.has(base)) continue;
      const [from, level] = places.get(base);
      const middle = (from + WIDTH + x) / 2;
      lines.push(svg("path", { d: `M${from + WIDTH} ${level + HEIGHT / 2}C${middle} ${level + HEIGHT / 2} ${middle} ${y + HEIGHT / 2} ${x} ${y + HEIGHT / 2}` }));
    }
  }
  const drawn = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}` }, ...lines, ...boxes);
  byId("graph").replaceChildren(drawn);
  const [x] = places.get(node);
  byId("graph").scrollLeft = x + WIDTH / 2 - byId("graph").clientWidth / 2;
}

function box(node, x, y, chosen) {
  const row = typeof node === "string" ? null : rows[node];
  const name = row ? full(row) : node;
  const standing = row ? row[STANDING] : 2;
  const short = name.length > 26 ? `…${name.slice(-25)}` : name;
  const label = `${name}, ${row ? SHAPE.standings[standing] : "missing"}`;
  const act = () => (chosen && row ? find(node) : drawGraph(node));
  const group = svg("g", { role: "button", tabindex: 0, "aria-label": label, class: chosen ? "chosen" : "" },
    svg("title", {}, label), svg("rect", { class: "box", x, y, width: WIDTH, height: HEIGHT, rx: 5 }),
    svg("rect", { class: `s${standing}`, x, y, width: 6, height: HEIGHT, rx: 2 }), svg("text", { x: x + 13, y: y + 19 }, short));
  group.addEventListener("click", act);
  group.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); act(); } });
  return group;
}

/* begin */

function show(change) {
  byId("controls").reset();
  change();
  filter();
  byId("views-title").scrollIntoView();
  byId("views-title").focus({ preventScroll: true });
}

const node = (text) => (/^\d+$/.test(text) ? Number(text) : text);

async function begin() {
  rows = await unpack(byId("index").textContent);
  byId("index").remove();
  byId("search").addEventListener("input", filter);
  // leaving the search field is a change, too: drawing anew then would take the row from under a click
  byId("controls").addEventListener("change", (event) => { if (event.target.id !== "search") filter(); });
  byId("controls").addEventListener("submit", (event) => event.preventDefault());
  byId("controls").addEventListener("reset", () => setTimeout(filter));
  byId("earlier").addEventListener("click", () => { first -= PER_PAGE; draw(); });
  byId("later").addEventListener("click", () => { first += PER_PAGE; draw(); });
  document.querySelectorAll(".framed, .waves").forEach(scrolled);
  for (const one of document.querySelectorAll("[data-sort]")) one.addEventListener("click", () => sort(one));
  for (const one of document.querySelectorAll("[data-code]")) one.addEventListener("click", () => show(() => { byId("by-code").value = one.dataset.code; }));
  for (const one of document.querySelectorAll("[data-standing]")) one.addEventListener("click", () => show(() => { byId("by-standing").value = one.dataset.standing; }));
  for (const one of document.querySelectorAll("[data-graph]")) one.addEventListener("click", () => drawGraph(node(one.dataset.graph)));
  filter();
  performance.mark("ready");
  document.documentElement.dataset.ready = "yes";
  if (byId("graph") && byId("graph").dataset.first) drawGraph(node(byId("graph").dataset.first));
}
begin();
