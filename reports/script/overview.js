/* tables and pictures of the whole run, from what reports/overview.py has decided */

const FEW = 15;
const LEVELS = ["none", "less than half", "less than nine of ten", "not all", "all"];

// A table of which the first rows are shown, and the others when they are asked for.
function filling(table, some, row) {
  const body = table.querySelector("tbody");
  const fill = (many) => { body.replaceChildren(...some.slice(0, many).map(row)); stacked(table); };
  fill(FEW);
  if (some.length <= FEW) return;
  const button = el("button", { type: "button", onclick: () => { fill(some.length); button.remove(); body.rows[FEW].querySelector("a, button")?.focus(); } }, `Show all ${number(some.length)}`);
  table.parentElement.after(el("p", {}, button));
}

function count(value, wanted) {
  return el("td", { class: value ? "number" : "number less" }, value ? link(wanted, number(value)) : "–");
}

function fillOwners() {
  const { duties, owners } = overview;
  const busy = duties.filter((one) => one.views > one.duties.at(-1));
  byId("act-told").textContent = busy.length
    ? `${plural(busy.filter((one) => one.acts).length, "owner has", "owners have")} to act${owners > duties.length ? `; of ${number(owners)} owners, ${number(duties.length)} are looked at` : ""}. A number leads to the views; the sheet has what to do, and room for who decides.`
    : "Nobody: every view is ready.";
  byId("act-table").hidden = !busy.length;
  filling(byId("owners"), busy, (one) => {
    const owner = one.owner || NOBODY;
    const act = () => download(() => chosen(one.acts ? { owner, duty: "act" } : { owner }), `belvedere ${owner}`);
    return el("tr", {}, el("th", { scope: "row", class: "name" }, one.owner || el("span", { class: "dim" }, "nobody is known")),
      count(one.acts, { owner, duty: "act" }), ...SHAPE.duties.map((duty, place) => (duty === "none" ? "" : count(one.duties[place], { owner, duty }))), count(one.views, { owner }),
      el("td", {}, el("button", { type: "button", class: "small", "aria-label": visible(`CSV for ${owner}`), onclick: act }, "CSV")));
  });
}

function fillHeat() {
  const { engines, heat, spaces } = overview;
  if (!byId("heat")) return;
  byId("heat-told").textContent = `The share of its views that an engine reads, for ${heat.length < spaces ? `the ${number(heat.length)} largest of ${number(spaces)}` : plural(spaces, "namespace", "namespaces")}. What nobody could read or judge counts as not read.`;
  filling(byId("heat"), heat, ({ source, name, views, cells }) => {
    const space = name || NOWHERE;
    return el("tr", {}, el("th", { scope: "row", class: "name" }, link({ source, space }, spaceName([source, name]))), el("td", { class: "number" }, number(views)),
      cells.map(({ reads, judged, level }, place) => {
        const told = level === null ? "no verdict" : `reads ${number(reads)} of ${number(views)}, ${LEVELS[level]}${judged < views ? `; ${number(views - judged)} without a verdict` : ""}`;
        const text = level === null ? "–" : level === 4 ? "all" : level === 0 ? "none" : `${Math.min(99, Math.max(1, Math.round(100 * reads / views)))} %`;
        return el("td", { class: `heat l${level ?? ""}` }, level === null ? el("span", { title: told }, text)
          : el("a", { href: hash({ source, space, engine: `${engines[place]}:${level === 4 ? "reads" : "does not read"}` }), title: told, "aria-label": visible(`${text}: ${space}, ${engines[place]} ${told}`) }, text));
      }));
  });
}

function fillWaves() {
  const place = byId("waves");
  if (!place) return;
  const sizes = overview.waves.map((one) => one.reduce((sum, each) => sum + each, 0)), most = Math.max(1, ...sizes);
  place.replaceChildren(...overview.waves.map((standings, wave) => {
    const told = standings.map((each, at) => each && `${number(each)} ${SHAPE.standings[at]}`).filter(Boolean).join(", ");
    const bars = standings.map((each, at) => each && el("i", { class: word(SHAPE.standings[at]), style: null, "data-height": each / most })).filter(Boolean);
    for (const bar of bars) bar.style.height = `${(bar.dataset.height * 3.6).toFixed(2)}rem`;
    return el("li", {}, el("a", { href: hash({ wave: wave + 1 }), title: told }, el("span", {}, number(sizes[wave])), el("span", { class: "hidden" }, ` ${sizes[wave] === 1 ? "view" : "views"}, wave `), bars.reverse(), el("span", {}, String(wave + 1)), el("span", { class: "hidden" }, `: ${told}`)));
  }));
}

function offer(id, names) {
  byId(id).replaceChildren(...names.map((one) => el("option", { value: one })));
}

function fill() {
  overview.sources = new Set(overview.heat.map((one) => one.source)).size;
  offer("owners-known", overview.duties.map((one) => one.owner || NOBODY));
  offer("spaces-known", [...new Set(overview.heat.map((one) => one.name || NOWHERE))]);
  fillOwners();
  fillHeat();
  fillWaves();
  tellLineage();
}
