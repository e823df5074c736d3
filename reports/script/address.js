/* the address: what is filtered and what is open stands behind the # of the page's address */

const FILTERS = ["search", "standing", "duty", "owner", "space", "source", "format", "code", "engine", "target", "action", "wave", "change"];
const OPENED = ["sort", "page", "view", "graph", "lineage", "at"];
let state = {};     // what is open, by the words of OPENED
let addressed = ""; // the address that is shown

const control = (name) => byId(name === "search" ? "search" : `by-${name}`);

const hash = (wanted) => {
  const there = Object.entries(wanted).filter((one) => one[1] !== "" && one[1] !== null && one[1] !== undefined);
  return `#${new URLSearchParams(there)}`;
};

function filters() {
  return Object.fromEntries(FILTERS.map((name) => [name, control(name)?.value.trim() || ""]).filter((one) => one[1]));
}

// Puts what is shown into the address: as a step that the browser can take back, or in place of the last.
function remember(step) {
  const next = hash({ ...filters(), ...state });
  if (next === addressed) return;
  if (step) history.pushState(null, "", next);
  else history.replaceState(null, "", next);
  addressed = location.hash || "#";
}

// Goes to an address as if it had been opened.
function go(wanted) {
  const next = hash(wanted);
  if (next !== addressed) history.pushState(null, "", next);
  apply();
}

// Fills the table in the order and from the page that are open.
function list() {
  order = sorted(state.sort || "");
  filter(Number(state.page) || 1);
}

// Shows what the address says. What the run does not know narrows and opens nothing, and is said.
function apply() {
  addressed = location.hash || "#";
  if (/^#[\w-]+$/.test(addressed) && byId(addressed.slice(1))) {
    list();
    enter(addressed.slice(1));
    return;
  }
  const wanted = new URLSearchParams(addressed.slice(1));
  byId("controls").reset();
  const strange = [];
  for (const name of FILTERS) {
    const place = control(name), value = wanted.get(name) || "";
    if (!place || !value) continue;
    place.value = value;
    if (place.selectedIndex === -1) {
      place.value = "";
      strange.push(`${name} “${value}”`);
    }
  }
  state = Object.fromEntries(OPENED.map((name) => [name, wanted.get(name) || ""]).filter((one) => one[1]));
  byId("order").value = (state.sort || "").replace(/^-/, "");
  list();
  if (whole) strange.push(...lost());
  if (whole) unfold();
  if (strange.length) byId("status").append(visible(`; there is no ${strange.join(", no ")}`));
}

// What the address opens and the run does not have, as a view that is gone; it is forgotten.
function lost() {
  const known = { view: (one) => rowOf(one) !== null, graph: (one) => rowOf(one) !== null || rows.some((row) => missing(row).includes(one)),
    lineage: (one) => rows.some((row) => spaceAddress(row) === one), sort: (one) => Object.hasOwn(SORTED, one.replace(/^-/, "")) };
  const unknown = Object.keys(known).filter((name) => state[name] && !known[name](state[name]));
  return unknown.map((name) => {
    const told = `${name} “${state[name]}”`;
    delete state[name];
    return told;
  });
}

// Opens what the address says beside the table: a view may be anywhere among all of them.
function unfold() {
  const view = state.view ? rowOf(state.view) : null;
  if (state.graph) drawGraph(rowOf(state.graph) ?? state.graph);
  drawInside(state.lineage || "");
  if (view !== null) reveal(view);
  else if (state.at && byId(`${state.at}-title`)) enter(`${state.at}-title`);
  else if (state.lineage) enter("lineage-title");
  else if (state.graph) enter("waves-title");
  else if (Object.keys(filters()).length) enter("views-title");
}

function enter(id) {
  byId(id).tabIndex = -1;
  byId(id).scrollIntoView();
  byId(id).focus({ preventScroll: true });
}

// A section's link keeps what is filtered.
function toSection(event) {
  event.preventDefault();
  state.at = event.currentTarget.hash.replace(/^#|-title$/g, "");
  remember(true);
  enter(`${state.at}-title`);
}
