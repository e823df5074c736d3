"""The rows of a report gathered in memory, without Spark: for runs of few objects on this machine.

What it gathers is what `OnSpark` does, row by row and in the same order.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, Final, Self

from pyspark.sql import SparkSession

from discovery.chunks import chunks
from discovery.judging.standing import Standing
from discovery.ports import ASIDE
from jobs.migrating import tables as migrating
from jobs.reporting import lines, workers
from jobs.reporting.differing import differing, engines_differing
from jobs.reporting.gathering import WrittenCounts
from jobs.reporting.lines import KEYS
from jobs.reporting.past import PastRuns
from jobs.reporting.run_tables import RunTables
from jobs.tables import DATASETS
from jobs.warehouse.runs import Run
from reports.head import Counts
from reports.lines import Row
from reports.tallies import Place, tally_losses

FEW: Final = 10_000
"""Objects of a run up to which memory is the faster way."""
_AT_ONCE: Final = 1_000  # rows of a tally
_SHOWN: Final = {"entity": ["object"], "outcome": ["view", "failure"]}
_CHANGE: Final = ("target", "key", "action")
_EVENTS: Final = ("target", "key", "result")


def is_small(run: Run) -> bool:
    """Whether memory is the faster way for a run."""
    return sum(counts.outcomes for counts in run.record.sources.values()) <= FEW


class InMemory:
    """The rows of a run's report.

    Args:
        run: The run.
        tables: Of the run.
        against: The run to compare with, and its tables; None: there is none.
    """

    def __init__(self, run: Run, tables: RunTables, against: tuple[Run, RunTables] | None) -> None:
        self._run, self._tables, self._against = run, tables, against
        self._rendered: list[Row] = []
        self.session: SparkSession | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._rendered.clear()

    def changes(self) -> Iterator[Row]:
        """See `Gathering`."""
        yield from self._changes

    def standings_before(self) -> Counts | None:
        """See `Gathering`."""
        if self._against is None or not self._against[1].is_written("matrix"):
            return None
        rows = read_judged(self._against[1])
        counted = Counter(str(workers.decided(row)["standing"]) for row in rows)
        return {word: counted[word] for word in Standing}

    def render(self, rendering: workers.Rendering, past: PastRuns) -> int:
        """See `Gathering`."""
        self._rendered = list(rendering.parts(self._join_rows(past)))
        return len(self._rendered)

    def counts(self) -> Iterator[str]:
        """See `Gathering`."""
        yield from (str(part["counts"]) for part in self._rendered)

    def parts(self) -> Iterator[Row]:
        """See `Gathering`."""
        yield from self._rendered

    def losses(self, accepted: frozenset[Place]) -> Iterator[str]:
        """See `Gathering`."""
        where = {"outcome": ["failure", "skipped"]}
        for chunk in chunks(_read_rows(self._tables, "outcomes", lines.LOST, where), _AT_ONCE):
            yield tally_losses(chunk, accepted)

    def count_written(self, planned: Sequence[RunTables]) -> WrittenCounts:
        """See `Gathering`."""
        return {
            run_tables.plan: written_counts(run_tables)
            for run_tables in planned
            if run_tables.plan is not None
        }

    @cached_property
    def _changes(self) -> list[Row]:
        if self._against is None:
            return []
        before = self._against[0]
        differences = chain(
            differing(self._tables.warehouse, before, self._run),
            engines_differing(self._tables.warehouse, before, self._run),
        )
        rows = [
            {
                name: getattr(difference, name)
                for name in ("source", "namespace", "name", "key", "sort")
            }
            | {"detail": list(difference.detail)}
            for difference in differences
        ]
        return sorted(rows, key=_difference_key)

    def _join_rows(self, past: PastRuns) -> Sequence[Row]:
        rows = sorted(read_judged(self._tables), key=lambda row: (*_place(row), row["name"]))
        parts: dict[str, Mapping[Place, list[Row]]] = {
            name: _gathered(_read_rows(self._tables, name, (*KEYS, *columns)), columns)
            for name, columns in lines.DETAILS.items()
        }
        parts |= self._read_histories(past)
        parts["changes"] = _gathered(self._changes, ("sort", "detail"))
        models = {
            _place(row): row["model"]
            for row in _read_rows(self._tables, "outcomes", (*KEYS, "model"), {"outcome": ["view"]})
        }
        reads, readers = self._read_edges(rows)
        return [
            {
                **row,
                **{name: part.get(_place(row)) for name, part in parts.items()},
                "row": number,
                "model": models.get(_place(row)),
                "reads": reads.get(number),
                "readers": readers.get(number),
            }
            for number, row in enumerate(rows)
        ]

    def _read_edges(self, rows: Sequence[Row]) -> tuple[Mapping[int, list[int]], Mapping[int, int]]:
        """What each row reads, and how many read it."""
        numbers = {_place(row): number for number, row in enumerate(rows)}
        reads: defaultdict[int, set[int]] = defaultdict(set)
        for row in _read_rows(self._tables, "references", (*KEYS, "base_source", "base_key")):
            reader, base = _place(row), (row["base_source"], row["base_key"])
            if reader in numbers and base in numbers:
                reads[numbers[reader]].add(numbers[base])
        readers = Counter(base for bases in reads.values() for base in bases)
        return {reader: sorted(bases) for reader, bases in reads.items()}, readers

    def _read_histories(self, past: PastRuns) -> dict[str, Mapping[Place, list[Row]]]:
        """What histories are made of: `sightings`, `planned` and `done`."""
        seen = [
            {**row, "number": number}
            for number, run in enumerate(past.runs)
            for row in _read_rows(
                RunTables(self._tables.warehouse, run.run_id),
                "outcomes",
                (*KEYS, "code", "fingerprint"),
                _SHOWN,
            )
        ]
        planned = [row for plan in past.plans for row in self._read_planned(plan.name)]
        at = defaultdict[tuple[str, str, str], list[Place]](list)
        for row in planned:
            at[row["plan"], row["target"], row["there"]].append(_place(row))
        done = [
            {**event, "source": source, "key": key}
            for run, plan in past.applies.items()
            for event in self._tables.warehouse.table(migrating.EVENTS, run)
            for source, key in dict.fromkeys(at.get((plan, event["target"], event["key"]), ()))
        ]
        return {
            "sightings": _gathered(seen, lines.SIGHTINGS),
            "planned": _gathered(planned, lines.HISTORY),
            "done": _gathered(done, lines.DONE),
        }

    def _read_planned(self, plan: str) -> Iterator[Row]:
        """The changes of a plan, for each view behind them; what stays as it is has no entry."""
        for row in _read_changes(self._tables, plan):
            if row["action"] != "keep":
                for origin in row["origins"] or ():
                    yield {**row, "plan": plan, "there": row["key"], **origin}


def read_judged(tables: RunTables) -> Iterator[Row]:
    """The rows of the report with what standings are made of, and no text of a view."""
    cells, findings = (
        _gathered(_read_rows(tables, name, (*KEYS, *columns)), columns)
        for name, columns in (("matrix", lines.ENGINES), ("findings", lines.FINDINGS))
    )
    waves, usages = (
        {_place(row): row for row in _read_rows(tables, name, (*KEYS, *columns))}
        for name, columns in (("waves", lines.WAVES), ("view_usage", lines.USED))
    )
    planned, waiting, differences = _read_plan(tables)
    nothing = dict.fromkeys((*lines.WAVES, *lines.USED))
    for row in _read_rows(tables, "outcomes", lines.KEPT, _SHOWN):
        place = _place(row)
        wave, use = waves.get(place, nothing), usages.get(place, nothing)
        yield {
            **row,
            "engines": cells.get(place),
            "findings": findings.get(place),
            **{name: wave[name] for name in lines.WAVES},
            **{name: use[name] for name in lines.USED},
            "plan": planned.get(place),
            "unplanned": waiting.get(place),
            "differences": differences.get(place),
        }


_OfPlan = tuple[Mapping[Place, list[Row]], Mapping[Place, str | None], Mapping[Place, list[str]]]


def _read_plan(tables: RunTables) -> _OfPlan:
    """What the latest plan says of each view, why it waits, and what read back otherwise."""
    if tables.plan is None:
        return {}, {}, {}
    written = _read_written(tables)
    planned, waiting = [], defaultdict[Place, list[Row]](list)
    origins: dict[Place, list[Place]] = {}
    for row in _read_changes(tables, tables.plan):
        at = row["target"], row["key"]
        origins[at] = [_place(origin) for origin in row["origins"] or ()]
        planned += [{**row, "source": source, "key": key} for source, key in origins[at]]
        if row["action"] in ASIDE and at not in written:
            for place in origins[at]:
                waiting[place].append(row)
    differences: defaultdict[Place, set[str]] = defaultdict(set)
    columns = ("target", "key", "differences")
    for row in tables.warehouse.table(migrating.VERIFIED, tables.plan, columns=columns):
        for place in origins.get((row["target"], row["key"]), ()):
            differences[place].update(row["differences"] or ())
    return (
        _gathered(planned, lines.PLANNED),
        {place: min(rows, key=_waiting_key)["code"] for place, rows in waiting.items()},
        {place: sorted(fields) for place, fields in differences.items()},
    )


def _waiting_key(row: Row) -> tuple[str, str, str]:
    return row["target"], row["action"], row["code"] or ""


def _read_written(tables: RunTables) -> set[Place]:
    """The places (target and key) that the latest plan has written, and still holds."""
    return {
        (row["target"], row["key"])
        for run in tables.executions
        for row in tables.warehouse.table(migrating.EVENTS, run, columns=_EVENTS)
        if row["result"] in migrating.WRITING
    }


def written_counts(tables: RunTables) -> Mapping[str, Counts]:
    """Number of changes of the latest plan that were applied, by target and the plan's action."""
    written = _read_written(tables)
    if tables.plan is None or not written:
        return {}
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in tables.warehouse.table(migrating.CHANGES, tables.plan, columns=_CHANGE):
        if (row["target"], row["key"]) in written:
            counts[row["target"]][row["action"]] += 1
    return counts


def _read_changes(tables: RunTables, plan: str) -> Iterator[Row]:
    columns = ("key", *lines.PLANNED, "origins")
    for row in tables.warehouse.table(migrating.CHANGES, plan, columns=columns):
        if row["target"]:
            yield row


def _read_rows(
    tables: RunTables,
    name: str,
    columns: Sequence[str],
    where: Mapping[str, Sequence[str]] | None = None,
) -> Iterator[Row]:
    """Some columns of a dataset of a run."""
    dataset = DATASETS[name]
    return tables.warehouse.table(
        dataset, tables.run_id, where=dict(where or {}), columns=tuple(columns)
    )


def _gathered(rows: Iterable[Row], columns: Sequence[str]) -> dict[Place, list[Row]]:
    """The rows of a table by view, each list sorted by the columns, null first."""
    by_place: defaultdict[Place, list[Row]] = defaultdict(list)
    for row in rows:
        by_place[_place(row)].append({name: row[name] for name in columns})
    for group in by_place.values():
        if len(group) > 1:
            group.sort(key=_null_first_key)
    return dict(by_place)


def _null_first_key(row: Row) -> list[tuple[bool, Any]]:
    return [(value is not None, value) for value in row.values()]


def _place(row: Row) -> Place:
    return row["source"], row["key"]


def _difference_key(row: Row) -> tuple[str, ...]:
    return row["source"], row["key"], row["sort"], ",".join(row["detail"])
