/* pictures of who reads whom: what a thing stands on to the left, what stands on it to the right */

const WIDTH = 190, HEIGHT = 30, GAP = 46, ROW = 40, MOST = 9, FAR = 3, INSIDE = 30;

const missing = (row) => (row[REASON] === "MISSING_BASE" || row[REASON] === "BROKEN_BASE" ? row[WHY].split(", ") : []);

function basesOf(node) {
  if (typeof node === "string") return [];
  const named = missing(rows[node]).filter((one) => rows[node][REASON] === "MISSING_BASE");
  return [...rows[node][READS].filter((one) => one !== node), ...named];
}

function readersOf(node) {
  if (!readers) {
    readers = new Map();
    rows.forEach((_, place) => basesOf(place).forEach((base) => (readers.get(base) || readers.set(base, []).get(base)).push(place)));
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

// Draws columns of boxes and the links between them.
//   columns: `nodes` from top to bottom, and how many `more` there are
//   box: what `boxed` needs to know of a node; links: pairs of base and reader, with a width
function drawn(columns, box, links) {
  const deepest = Math.max(1, ...columns.map((one) => one.nodes.length + (one.more ? 1 : 0)));
  const width = columns.length * (WIDTH + GAP) + 12, height = deepest * ROW + 24;
  const places = new Map(), boxes = [];
  columns.forEach(({ nodes, more }, column) => {
    const x = 12 + column * (WIDTH + GAP);
    const top = (height - (nodes.length + (more ? 1 : 0)) * ROW + 10) / 2;
    nodes.forEach((one, at) => {
      places.set(one, [x, top + at * ROW]);
      boxes.push(boxed(box(one), x, top + at * ROW));
    });
    if (more) boxes.push(svg("text", { x: x + 8, y: top + nodes.length * ROW + 20 }, `and ${number(more)} more`));
  });
  const lines = links.filter(([base, reader]) => places.has(base) && places.has(reader)).map(([base, reader, thick]) => {
    const [from, level] = places.get(base), [to, at] = places.get(reader);
    const ahead = to > from, start = ahead ? from + WIDTH : from, end = ahead ? to : to + WIDTH, bend = ahead ? (start + end) / 2 : Math.min(start, end) - GAP / 2;
    return svg("path", { "data-from": base, "data-to": reader, "stroke-width": thick, d: from === to
      ? `M${from + WIDTH} ${level + HEIGHT / 2}C${from + WIDTH + GAP / 2} ${level + HEIGHT / 2} ${from + WIDTH + GAP / 2} ${at + HEIGHT / 2} ${from + WIDTH} ${at + HEIGHT / 2}`
      : `M${start} ${level + HEIGHT / 2}C${bend} ${level + HEIGHT / 2} ${bend} ${at + HEIGHT / 2} ${end} ${at + HEIGHT / 2}` });
  });
  return { picture: svg("svg", { width, height, viewBox: `0 0 ${width} ${height}` }, lines, boxes), places };
}

function boxed({ text, label, kind, chosen, act }, x, y) {
  const short = text.length > 26 ? `…${text.slice(-25)}` : text;
  const made = svg("g", { role: "button", tabindex: 0, "aria-label": visible(short === text ? label : `${short}: ${label}`), class: chosen ? "chosen" : null },
    svg("title", {}, label), svg("rect", { class: "box", x, y, width: WIDTH, height: HEIGHT, rx: 5 }),
    svg("rect", { class: kind, x, y, width: 6, height: HEIGHT, rx: 2 }), svg("text", { x: x + 13, y: y + 19 }, short));
  made.addEventListener("click", act);
  made.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); act(); } });
  return made;
}

function viewBox(place, chosen, act) {
  const label = `${full(rows[place])}, ${SHAPE.standings[rows[place][STANDING]]}`;
  return { text: full(rows[place]), label, kind: `s${rows[place][STANDING]}`, chosen, act };
}

function drawGraph(node) {
  if (!byId("graph")) return;
  const columns = [...layers(node, basesOf).reverse(), { nodes: [node], more: 0 }, ...layers(node, readersOf)];
  const links = columns.flatMap((one) => one.nodes.flatMap((reader) => basesOf(reader).map((base) => [base, reader])));
  const act = (one) => () => (one === node && typeof one === "number" ? find(one) : go({ graph: typeof one === "number" ? addressOf(rows[one]) : one }));
  const { picture, places } = drawn(columns, (one) => (typeof one === "number" ? viewBox(one, one === node, act(one))
    : { text: one, label: `${one}, missing`, kind: "s2", chosen: one === node, act: act(one) }), links);
  byId("graph").replaceChildren(picture);
  byId("graph").scrollLeft = places.get(node)[0] + WIDTH / 2 - byId("graph").clientWidth / 2;
}

/* the whole lineage, a box for each namespace; one of them opens to its views */

const spaceName = ([source, name]) => (overview.sources > 1 ? `${source}/${name || NOWHERE}` : name || NOWHERE);
const spaceAddress = ([source, name]) => `${source}/${name}`;

// What there is of it is said at once; it is drawn when somebody comes to look.
function tellLineage() {
  const { spaces, layers: columns, thin, apart, left_out: rest } = overview.picture;
  const told = [
    columns.length ? `${plural(spaces.length, "namespace", "namespaces")} whose views read each other` : "No view reads a view of another namespace",
    rest && `${plural(rest, "more has", "more have")} fewer links and ${rest === 1 ? "is" : "are"} not drawn`,
    thin && `${plural(thin, "link", "links")} of fewest references ${thin === 1 ? "is" : "are"} not drawn`,
    apart && `${plural(apart, "namespace is", "namespaces are")} linked with no other`,
  ].filter(Boolean);
  byId("lineage-told").textContent = `${told.join("; ")}.`;
  byId("lineage-picture").hidden = !columns.length;
  const watch = new IntersectionObserver((seen) => { if (seen.some((one) => one.isIntersecting)) once(); }, { rootMargin: "600px" });
  const once = () => { watch.disconnect(); drawLineage(); };
  watch.observe(byId("lineage-picture"));
  window.addEventListener("beforeprint", once, { once: true });
}

function drawLineage() {
  const { spaces, layers: columns, links } = overview.picture;
  const { picture } = drawn(columns.map((nodes) => ({ nodes, more: 0 })), (one) => ({
    text: `${spaceName(spaces[one])} · ${number(spaces[one][2])}`, label: `${spaceName(spaces[one])}, ${plural(spaces[one][2], "view", "views")}`, kind: "space",
    act: () => go({ lineage: spaceAddress(spaces[one]) }) }),
  links.map(({ base, reader, number: many }) => [base, reader, (1 + Math.log10(many)).toFixed(1)]));
  for (const way of ["over", "out"]) {
    picture.addEventListener(`mouse${way}`, (event) => lit(picture, way === "over" ? event.target.closest("g") : null));
  }
  picture.addEventListener("focusin", (event) => lit(picture, event.target.closest("g")));
  inFrame(byId("lineage-picture"), picture);
  [...picture.querySelectorAll("g")].forEach((one, place) => { one.dataset.node = columns.flat()[place]; });
}

// The links of a box stand out while it is pointed at or has the focus.
function lit(picture, box) {
  for (const one of picture.querySelectorAll("path")) {
    one.classList.toggle("lit", Boolean(box) && [one.dataset.from, one.dataset.to].includes(box.dataset.node));
  }
}

// The views of a namespace by wave, between what they read elsewhere and who reads them from elsewhere.
function drawInside(address) {
  const mine = address ? rows.map((_, place) => place).filter((place) => spaceAddress(rows[place]) === address) : [];
  byId("inside").hidden = !mine.length;
  if (!mine.length) return;
  const inside = new Set(mine), outside = { bases: new Map(), readers: new Map() };
  const elsewhere = (side, place) => {
    const node = `${side} ${spaceAddress(rows[place])}`;
    outside[side].set(node, { place, number: (outside[side].get(node)?.number || 0) + 1 });
    return node;
  };
  const links = mine.flatMap((place) => [
    ...rows[place][READS].filter((one) => one !== place).map((base) => [inside.has(base) ? base : elsewhere("bases", base), place]),
    ...readersOf(place).filter((one) => !inside.has(one)).map((reader) => [place, elsewhere("readers", reader)]),
  ]);
  const waves = Map.groupBy(mine, (place) => rows[place][WAVE] ?? Infinity);
  const column = (nodes) => ({ nodes: nodes.slice(0, INSIDE), more: Math.max(0, nodes.length - INSIDE) });
  const columns = [[...outside.bases.keys()], ...[...waves.keys()].sort((a, b) => a - b).map((wave) => waves.get(wave)), [...outside.readers.keys()]].filter((one) => one.length).map(column);
  const { picture } = drawn(columns, (one) => {
    if (typeof one === "number") return viewBox(one, false, () => go({ graph: addressOf(rows[one]) }));
    const { place, number: many } = outside[one.split(" ", 1)[0]].get(one), there = spaceName(rows[place]);
    return { text: `${there} · ${number(many)}`, label: `${there}, ${plural(many, "reference", "references")}`, kind: "space", act: () => go({ lineage: spaceAddress(rows[place]) }) };
  }, links);
  const [source, name] = rows[mine[0]];
  byId("inside-told").replaceChildren(visible(`${spaceName(rows[mine[0]])}: ${plural(mine.length, "view", "views")}, by wave from left to right. `), link({ source, space: name || NOWHERE }, "Its views in the table"));
  inFrame(byId("inside-picture"), picture);
}

// A picture that is higher than its frame is shown from its middle, where most links meet.
function inFrame(frame, picture) {
  frame.replaceChildren(picture);
  frame.scrollTop = (frame.scrollHeight - frame.clientHeight) / 2;
}
