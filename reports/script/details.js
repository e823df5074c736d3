/* what opens below a view */

const LISTED = 12;

function detail(place, one) {
  const row = rows[place];
  const view = one.view, above = readersOf(place);
  const left = view ? view.representations.flatMap((text) => representation(text, one.verdicts || [])) : failure(one.failure);
  const right = [
    ...listed("Findings", one.findings, (each) => [el("span", { class: "code" }, each.code), ` ${each.severity}`,
      each.engine ? ` (${each.engine})` : "", `: ${each.message}`, el("br"), el("span", { class: "dim" }, `→ ${each.hint}`)]),
    ...listed("Drafts", one.drafts, (each) => draft(each)),
    ...listed("Set aside because of", one.because, (each) => [each]),
    ...listed("What a reader must know", one.notes, (each) => [el("span", { class: "code" }, each.code), `: ${each.message}`]),
    ...listed("Reads", one.references, (each) => reference(row, each)),
    ...listed("Read back otherwise", one.differences, (each) => [each]),
    ...listed("Plan", one.plan, (each) => [`${each.target}: ${each.action}`, SHAPE.unserved.includes(each.target) ? ", stored but not served" : "", el("span", { class: "dim" }, `: ${[each.code, each.reason].filter(Boolean).join(": ")}`)]),
    ...listed("History", one.history, (each) => [el("span", { class: "dim" }, each.time.slice(0, 16).replace("T", " ")), ` ${each.what}`,
      each.why && `: ${each.why}`, el("span", { class: "dim" }, ` (${each.name})`)]),
    ...listed(above.length > LISTED ? `Read by ${number(above.length)} views, such as` : "Read by", above.slice(0, LISTED), (each) => [chooser(each)]),
  ];
  const graph = byId("graph") && el("p", {}, el("button", { type: "button", onclick: () => go({ graph: addressOf(row) }) }, "Draw its graph"));
  return [el("div", { class: "two" }, el("div", {}, left),
    el("div", {}, graph, right, one.codes.length ? acceptance(row, one) : "", view ? facts(row, view, one.lineage || []) : ""))];
}

function failure([stage, code, message, hint]) {
  return [el("h3", {}, `It could not be read (${stage})`), el("p", {}, el("span", { class: "code" }, code), `: ${message}`), el("p", { class: "dim" }, `→ ${hint}`)];
}

function listed(title, some, shape) {
  return some && some.length ? [el("h3", {}, title), el("ul", { class: "plainlist" }, some.map((one) => el("li", {}, shape(one))))] : [];
}

function draft({ dialect, translator, state, grade, code, message, sql }) {
  const says = [el("b", {}, dialect), ` by ${translator}, ${state}: `, el("span", { class: "code" }, grade || code), el("span", { class: "dim" }, `: ${message}`)];
  return sql ? [...says, el("pre", { tabindex: "0", role: "region", "aria-label": `Draft in ${dialect}` }, el("code", {}, sql))] : says;
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
  return [el("h3", {}, `SQL (${text.dialect})`, place ? el("span", { class: "dim" }, ` in ${place}`) : ""),
    el("pre", { tabindex: "0", role: "region", "aria-label": `SQL of ${text.dialect}` }, code), el("ul", { class: "plainlist small" }, list)];
}

// The word at the position that a parser named; lines and columns count from 1, a column is a character, not half of one.
function marked(sql, verdict) {
  if (!verdict) return [sql];
  const lines = sql.split("\n");
  if (verdict.line > lines.length) return [sql];
  const before = lines.slice(0, verdict.line - 1).reduce((sum, one) => sum + one.length + 1, 0) + [...lines[verdict.line - 1]].slice(0, Math.max(0, (verdict.column || 1) - 1)).join("").length;
  const found = /^(\w+|[^]?)/u.exec(sql.slice(before))[0] || " ";
  return [sql.slice(0, before), el("mark", { title: verdict.message }, found), sql.slice(before + found.length)];
}

// Of what a view reads, the row that is called so; names may differ by case alone.
function baseOf(row, source, name) {
  const called = row[READS].filter((one) => rows[one]?.[SOURCE] === source && full(rows[one]).toLowerCase() === name.toLowerCase());
  return called.find((one) => full(rows[one]) === name) ?? called[0] ?? -1;
}

function reference(row, one) {
  const written = one.written.join(".");
  const name = one.base_source ? [...(one.base_namespace || []), one.base_name].join(".") : written;
  const target = one.base_kind === "view" ? baseOf(row, one.base_source, name) : -1;
  const kind = el("span", { class: one.base_kind === "missing" || one.base_kind === "unread" ? "bad" : "dim" }, ` ${one.base_kind}`);
  return [target >= 0 ? chooser(target) : name, kind, one.base_source && one.base_source !== row[SOURCE] ? ` in ${one.base_source}` : ""];
}

const link = (wanted, ...children) => el("a", { href: hash(wanted) }, ...children);
const chooser = (place) => link({ view: addressOf(rows[place]) }, full(rows[place]));

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

function facts(row, view, lineage) {
  const from = (name) => [...new Set(lineage.filter((one) => one[0] === name).map(([, source, key, column]) => `${source && source !== row[SOURCE] ? `${source}/` : ""}${key}.${column}`))].join(", ");
  const heads = ["Column", "Type", ...(lineage.length ? ["Comes from"] : []), "Comment"];
  const columns = view.columns.map((one) => el("tr", {}, el("td", { class: "name" }, one.name), el("td", { class: "name" }, kind(one.type), one.nullable ? "" : " NOT NULL"),
    lineage.length ? el("td", { class: "name" }, from(one.name)) : "", el("td", {}, one.comment || "")));
  const more = [["Comment", view.comment], ["Owner", row[OWNER]], ["Security", view.securityConfig && view.securityConfig.securityMode],
    ...Object.entries(view.properties || {})].filter((one) => one[1]);
  return [
    el("details", { open: columns.length <= 12 }, el("summary", {}, plural(columns.length, "column", "columns")),
      scrolled(el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, heads.map((one) => el("th", { scope: "col" }, one)))), el("tbody", {}, columns))))),
    more.length ? el("details", {}, el("summary", {}, "Properties"), el("ul", { class: "plainlist small" }, more.map(([name, value]) => el("li", {}, el("b", {}, name), `: ${value}`)))) : "",
  ];
}

/* a line for the baseline: what `belvedere accept` would write */

function acceptance(row, one) {
  const code = el("select", {}, one.codes.map((each) => el("option", {}, each)));
  const reason = el("input", { type: "text", autocomplete: "off" });
  const owner = el("input", { type: "text", autocomplete: "off", value: visible(row[OWNER]) });
  const until = el("input", { type: "date" });
  const made = el("textarea", { readonly: true, rows: "3", "aria-label": "Line for the file of what is accepted" });
  const copy = el("button", { type: "button" }, "Copy");
  const said = el("span", { role: "status", class: "small dim" });
  const write = () => {
    const missing = [["why", reason], ["who", owner], ["until when", until]].filter((each) => !each[1].value.trim()).map((each) => each[0]);
    copy.disabled = missing.length > 0;
    made.value = missing.length ? "" : accepted([["source", row[SOURCE]], ["object", one.key], ["code", code.value],
      ["reason", reason.value.trim()], ["owner", owner.value.trim()], ["until", until.value]]);
    said.textContent = missing.length ? `Say ${missing.join(", ")}.` : "One line more in the file that `accepted` names.";
  };
  copy.addEventListener("click", async () => {
    made.select();
    try {
      await navigator.clipboard.writeText(made.value);
      said.textContent = "Copied.";
    } catch {
      said.textContent = "It is selected: copy it by hand.";
    }
  });
  write();
  const labelled = (text, place) => el("label", {}, text, place);
  return el("details", { class: "accept" }, el("summary", {}, "Accept what is known of it"),
    el("div", { class: "controls", oninput: write }, labelled("Code ", code), labelled("Why ", reason), labelled("Who answers for it ", owner), labelled("Until ", until)),
    made, el("p", { class: "controls" }, copy, said));
}

// JSON as the file has it: the same blanks, and what is not seen as an escape.
function accepted(members) {
  return visible(`{${members.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(", ")}}`);
}
