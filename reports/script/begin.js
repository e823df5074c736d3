/* begin */

async function begin() {
  [rows, overview] = await Promise.all(["index", "overview"].map((one) => unpack(byId(one).textContent)));
  byId("index").remove();
  byId("overview").remove();
  const typed = byId("search");
  typed.addEventListener("input", () => refilter(false));
  // leaving the search field is a change, too: drawing anew then would take the row from under a click
  byId("controls").addEventListener("change", (event) => {
    if (event.target === byId("order")) sort(event.target.value, false);
    else if (event.target !== typed) refilter(true);
  });
  byId("controls").addEventListener("submit", (event) => event.preventDefault());
  byId("clear").addEventListener("click", () => go({}));
  byId("sheet").addEventListener("click", () => download(shown, `belvedere ${byId("by-owner").value || "views"}`));
  byId("earlier").addEventListener("click", () => turn(-1));
  byId("later").addEventListener("click", () => turn(1));
  document.querySelectorAll("table.stack").forEach(stacked);
  document.querySelectorAll(".framed, .waves, .picture").forEach(scrolled);
  for (const one of document.querySelectorAll("[data-sort]")) one.addEventListener("click", () => sort(one.dataset.sort));
  for (const one of document.querySelectorAll("[data-section]")) one.addEventListener("click", toSection);
  for (const one of document.querySelectorAll("[data-graph]")) one.addEventListener("click", () => go({ graph: known(one.dataset.graph) }));
  fill();
  apply();
  window.addEventListener("hashchange", () => { if ((location.hash || "#") !== addressed) apply(); });
  performance.mark("ready");
  document.documentElement.dataset.ready = "yes";
  const first = byId("graph")?.dataset.first;
  if (first && !state.graph) drawGraph(/^\d+$/.test(first) ? Number(first) : first);
}

// The address of a row's number; a name of what is missing is its own.
const known = (text) => (/^\d+$/.test(text) ? addressOf(rows[Number(text)]) : text);

begin();
