/* begin */

// Takes packed data out of the page.
function taken(name) {
  const place = byId(name);
  place.remove();
  return unpack(place.textContent);
}

async function readOthers() {
  const blocks = [rows];
  while (byId(`index-${blocks.length}`)) blocks.push(await taken(`index-${blocks.length}`));
  rows = blocks.flat();
  texts = numbers = readers = null;
  whole = true;
}

// Shows all views in place of the first; who is about to filter them is left where they are.
function extend() {
  if (document.activeElement.closest("#controls")) list();
  else apply();
}

async function begin() {
  [rows, overview] = await Promise.all(["index-0", "overview"].map(taken));
  reading = readOthers();
  const typed = byId("search");
  typed.addEventListener("input", () => refilter(false));
  // leaving the search field is a change, too: drawing anew then would take the row from under a click
  byId("controls").addEventListener("change", (event) => {
    if (event.target === byId("order")) sort(event.target.value, false);
    else if (event.target !== typed) refilter(true);
  });
  byId("controls").addEventListener("submit", (event) => event.preventDefault());
  byId("clear").addEventListener("click", () => go({}));
  byId("sheet").addEventListener("click", () => download(() => shown, `belvedere ${byId("by-owner").value || "views"}`));
  byId("earlier").addEventListener("click", () => turn(-1));
  byId("later").addEventListener("click", () => turn(1));
  document.querySelectorAll("table.stack").forEach(stacked);
  document.querySelectorAll(".framed, .waves, .picture").forEach(scrolled);
  for (const one of document.querySelectorAll("[data-sort]")) one.addEventListener("click", () => sort(one.dataset.sort));
  for (const one of document.querySelectorAll("[data-section]")) one.addEventListener("click", toSection);
  for (const one of document.querySelectorAll("[data-graph]")) one.addEventListener("click", async () => { await reading; go({ graph: known(one.dataset.graph) }); });
  fill();
  apply();
  window.addEventListener("hashchange", () => { if ((location.hash || "#") !== addressed) apply(); });
  performance.mark("ready");
  if (!whole) {
    await reading;
    extend();
  }
  performance.mark("whole");
  document.documentElement.dataset.ready = "yes";
  const first = byId("graph")?.dataset.first;
  if (first && !state.graph) drawGraph(/^\d+$/.test(first) ? Number(first) : first);
}

// The address of a row's number; a name of what is missing is its own.
const known = (text) => (/^\d+$/.test(text) ? addressOf(rows[Number(text)]) : text);

begin();
