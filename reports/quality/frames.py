"""The frames that suites look at, made of the rows of a run.

Every column that an expectation is about has a value in every row: Great Expectations leaves nulls
out, and so would pass them.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

import orjson
import pandas as pd

from discovery.engines import ENGINES, Completion, engine
from discovery.judging.asking import LIVE
from discovery.ports import OPINION
from reports.quality.model import Row

PLACE: Final = ("source", "key")
PRESENT: Final = "present"
MISSING: Final = "missing"
NOT_NEEDED: Final = "not needed"
EQUAL: Final = "equal"
DIFFERENT: Final = "different"
_HEADER: Final = frozenset({"identifier", "comment", "security", "properties"})
"""Fields that `discovery.migration.diff` names and that are neither columns nor texts."""
_TEXTS: Final = "representations."
Place = tuple[str, str]
"""Source and key."""


@dataclass(slots=True)
class Outcomes:
    """What the suites need of the table `outcomes`, gathered in one pass.

    Attributes:
        required: Dialects in which every view shall have a text, casefolded.
        rows: A row for each outcome.
        views: A row for each view.
        texts: A row for each representation, without what other tables say of it.
        prints: Fingerprint of each view.
        unread: What could not be listed, read or decoded: places of objects.
        closed: The same for namespaces and whole sources, whose levels are ().
        counted: How many rows have which source, entity and key.
    """

    required: frozenset[str] = frozenset()
    rows: list[tuple[str, str, str, str]] = field(default_factory=list)
    views: list[tuple[Any, ...]] = field(default_factory=list)
    texts: list[tuple[str, str, str, bool, bool]] = field(default_factory=list)
    prints: dict[Place, str] = field(default_factory=dict)
    unread: set[Place] = field(default_factory=set)
    closed: set[tuple[str, tuple[str, ...]]] = field(default_factory=set)
    counted: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    def gather(self, outcomes: Iterable[Row]) -> "Outcomes":
        """Go through the rows."""
        for row in outcomes:
            source, entity, key = row["source"], row["entity"], row["key"]
            lost = row["stage"] if row["outcome"] == "failure" else "no"
            self.counted[source, entity, key] += 1
            self.rows.append((source, entity, key, lost or "unknown"))
            if row["outcome"] == "failure":
                self._add_lost(row)
            elif row["outcome"] == "view":
                self._add_view(row)
        return self

    def _add_lost(self, row: Row) -> None:
        if row["entity"] == "object":
            self.unread.add((row["source"], row["key"]))
        else:
            self.closed.add((row["source"], tuple(row["namespace"] or ())))

    def _add_view(self, row: Row) -> None:
        place = source, key = row["source"], row["key"]
        model = orjson.loads(row["model"])
        self.prints[place] = row["fingerprint"]
        dialects = {dialect.casefold() for dialect in row["dialects"]}
        self.views.append(
            (
                source,
                key,
                len(model["columns"]) if len(model["columns"]) == row["columns"] else -1,
                sum(map(_has_unknown_type, model["columns"])),
                _own_text(row["format"], dialects),
                MISSING if self.required - dialects else PRESENT,
            )
        )
        for representation in model["representations"]:
            states = (
                representation.get("defaultCatalog") is not None,
                representation.get("defaultSchema") is not None,
            )
            self.texts.append((source, key, representation["dialect"].casefold(), *states))

    def frame(self) -> pd.DataFrame:
        """A row for each outcome: where it was lost, `no` if it was not."""
        return pd.DataFrame(self.rows, columns=["source", "entity", "key", "lost"])

    def views_frame(self) -> pd.DataFrame:
        """A row for each view; `columns` is -1 if it has another number than its row says."""
        names = ["source", "key", "columns", "unknown_types", "own_dialect", "required_dialects"]
        return pd.DataFrame(self.views, columns=names)


def _own_text(form: str, dialects: Collection[str]) -> str:
    """Whether a view has a text in a dialect of its engine, whose name is that of the format."""
    if form not in ENGINES:
        return NOT_NEEDED
    return MISSING if {form, ENGINES[form].also_writes}.isdisjoint(dialects) else PRESENT


def _has_unknown_type(column: Mapping[str, Any]) -> bool:
    """Whether a type, or a part of it, is carried as text that only the source knows."""
    kind = column["type"]
    return not isinstance(kind, str) and any(kind_named in _UNKNOWN for kind_named in _kinds(kind))


_UNKNOWN: Final = frozenset({"external", "unparsed"})


def _kinds(kind: Any) -> Iterator[str]:  # noqa: ANN401 - JSON
    """The words that a type and its parts are called by."""
    if isinstance(kind, dict):
        if isinstance(kind.get("type"), str):
            yield kind["type"]
        for part in kind.values():
            yield from _kinds(part)
    elif isinstance(kind, list):
        for part in kind:
            yield from _kinds(part)


def objects(listed: Iterable[Row], outcomes: Outcomes) -> pd.DataFrame:
    """A row for each listed key and each key of an outcome: how many are missing, or too many.

    Objects only: the table `objects` has no namespaces.
    """
    counted = Counter((row["source"], row["entity"], row["key"]) for row in listed)
    recorded = Counter({place: n for place, n in outcomes.counted.items() if place[1] == "object"})
    rows = [
        (*place, max(counted[place] - recorded[place], 0), max(recorded[place] - counted[place], 0))
        for place in {**counted, **recorded}
    ]
    return pd.DataFrame(rows, columns=["source", "entity", "key", "missing", "beyond"])


def contexts(
    outcomes: Outcomes, references: Iterable[Row], needing: Collection[str]
) -> pd.DataFrame:
    """A row for each text: whether its short names can be completed.

    A name of one part needs a default schema. One of two parts needs a default catalog in Trino;
    elsewhere no catalog means the one that holds the view (Iceberg view spec, Spark 2).
    """
    shortest: dict[tuple[str, str, str], int] = {}
    for row in references:
        if row["dialect"] is None:
            continue  # the entry states it beside its texts
        place = row["source"], row["key"], row["dialect"].casefold()
        shortest[place] = min(shortest.get(place, 3), len(row["written"]))
    rows = []
    for source, key, dialect, catalog, schema in outcomes.texts:
        parts = shortest.get((source, key, dialect), 3) if dialect in needing else 3
        lacks = (parts < 2 and not schema) or (
            parts < 3 and not catalog and _needs_catalog(dialect)
        )
        state = MISSING if lacks else PRESENT if parts < 3 else NOT_NEEDED
        rows.append((source, key, dialect, state))
    return pd.DataFrame(rows, columns=["source", "key", "dialect", "context"])


def _needs_catalog(dialect: str) -> bool:
    """Whether names of two parts need a catalog beside the text: Trino's."""
    facts = engine(dialect)
    return facts.catalog_leads and facts.completes is Completion.CONTEXT


def judged(outcomes: Outcomes, verdicts: Iterable[Row]) -> pd.DataFrame:
    """A row for each text: whether the parser of its own engine, if there was one, has judged."""
    asked: set[str] = set()
    present: set[tuple[str, str, str]] = set()
    for row in verdicts:
        if row["grade"] != OPINION and row["version"]:  # none: there was no judge to ask
            if row["grade"] != LIVE:  # only some of the views are where the engine sees them
                asked.add(row["engine"])
            if row["engine"] == row["dialect"].casefold() and row["verdict"] != "not judged":
                present.add((row["source"], row["key"], row["engine"]))
    rows = []
    for source, key, dialect, *_ in outcomes.texts:
        state = PRESENT if (source, key, dialect) in present else MISSING
        rows.append((source, key, dialect, state if dialect in asked else NOT_NEEDED))
    return pd.DataFrame(rows, columns=["source", "key", "dialect", "verdict"])


def verified(rows: Iterable[Row]) -> pd.DataFrame:
    """A row for each view that was read back. What could not be read back is different in all."""
    records = []
    for row in rows:
        other = set(row["differences"])
        texts = {name for name in other if name.startswith(_TEXTS)}
        unread = other - texts - _HEADER
        columns, dialects = bool(unread), bool(texts or unread - {"columns"})
        states = (DIFFERENT if differs else EQUAL for differs in (columns, dialects, bool(other)))
        records.append((row["target"], row["key"], *states))
    return pd.DataFrame(records, columns=["target", "key", "columns", "dialects", "view"])


def age(run_id: str, finished: datetime, now: datetime) -> pd.DataFrame:
    """One row: hours since the run was committed."""
    hours = (now - finished).total_seconds() / 3600
    return pd.DataFrame([(run_id, hours)], columns=["run_id", "hours"])


def drift(now: Outcomes, then: Iterable[Row]) -> pd.DataFrame:
    """A row for each view of the other run: `same`, `changed`, `vanished`, or `unread`.

    What this run could not list or read has not vanished, and neither has what is in a source that
    it did not look at.
    """
    seen = {source for source, _, _ in now.counted}
    rows = []
    for row in then:
        place = row["source"], row["key"]
        fingerprint = now.prints.get(place)
        if fingerprint is not None:
            state = "same" if fingerprint == row["fingerprint"] else "changed"
        elif place[0] not in seen or place in now.unread or _is_closed(now, row):
            state = "unread"
        else:
            state = "vanished"
        rows.append((*place, state))
    return pd.DataFrame(rows, columns=["source", "key", "state"])


def _is_closed(now: Outcomes, row: Row) -> bool:
    levels = tuple(row["namespace"])
    return any((row["source"], levels[:end]) in now.closed for end in range(len(levels) + 1))


def as_frame(rows: Iterable[Row], columns: Sequence[str]) -> pd.DataFrame:
    """A table as it is, lists as text: levels and words joined by commas, the rest as JSON."""
    cells = [tuple(_cell(row[name]) for name in columns) for row in rows]
    return pd.DataFrame(cells, columns=list(columns))


def _cell(value: Any) -> Any:  # noqa: ANN401 - of any column
    if not isinstance(value, list):
        return value
    texts = all(isinstance(item, str) for item in value)
    return ", ".join(value) if texts else json.dumps(value, default=str)
