"""Benches of the report: a run of made-up views of some 2 KB of SQL each, written as a page."""

import json
import random
import shutil
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from jobs.assessing import tables as assessed
from jobs.crawling import tables as rows
from jobs.migrating import tables as planned
from jobs.migrating.stages import EXECUTING, PLANNING
from jobs.report import ReportScope, write_report
from jobs.warehouse.rows import to_batches
from jobs.warehouse.runs import Run
from jobs.warehouse.warehouse import Warehouse
from tests.benchmarks.crawling import session
from tests.benchmarks.measure import alone, median_of, note, python_peak, say, seconds

VIEWS: Final = 100_000
FEW: Final = 20_000  # above the bound of the page that is one file
ENGINES: Final = ("flink", "hive", "spark", "trino")
_WORDS: Final = (
    *("orders", "customer", "ledger", "daily", "region", "amount", "status", "shipped", "price"),
    *("invoice", "event", "session", "account", "balance", "quarter", "margin", "stock", "click"),
)
_SQL: Final = 2_000  # characters, and some more
_DATASETS: Final = {
    dataset.name: dataset
    for dataset in (
        rows.OUTCOMES,
        *(assessed.MATRIX, assessed.VERDICTS, assessed.FINDINGS),
        *(assessed.REFERENCES, assessed.WAVES, planned.CHANGES, planned.EVENTS),
    )
}


def render() -> None:
    """The page of 100,000 views, their details included, and the memory that it takes."""
    with session() as spark, tempfile.TemporaryDirectory(prefix="belvedere-bench-") as place:
        warehouse = made_up(spark, Path(place), VIEWS)
        folder = Path(place) / "report"

        def once() -> float:
            taken = seconds(
                lambda: write_report(lambda: spark, warehouse, None, folder, ReportScope())
            )
            note(f"render: {taken:.0f} s")
            return taken

        once()
        say("render", VIEWS, median_of(once), "s", 60, "<= 60 s")
        size = (folder / "belvedere.html").stat().st_size / 1e6
        say("render-index", VIEWS, size, "MB", 15, "< 15 MB")
    few, many = _memory_of(FEW), _memory_of(VIEWS)
    say("render-memory", VIEWS, many, "MB", few, "<= 1.15")


def memory_of_a_report(count: int) -> None:
    """What a process of its own does for `render`; prints the peak of its Python, in megabytes."""
    with session() as spark, tempfile.TemporaryDirectory(prefix="belvedere-bench-") as place:
        warehouse = made_up(spark, Path(place), count)
        write_report(lambda: spark, warehouse, None, Path(place) / "report", ReportScope())
    print(python_peak())


def made_up(spark: SparkSession, place: Path, count: int) -> Warehouse:
    """A warehouse with one committed run of that many views, assessed, planned and applied."""
    shutil.rmtree(place / "warehouse", ignore_errors=True)
    return one_more(spark, Warehouse(str(place / "warehouse")), "bench", count)


def one_more(spark: SparkSession, warehouse: Warehouse, run: str, count: int) -> Warehouse:
    """The warehouse with such a run of that name."""
    for name, dataset in _DATASETS.items():
        frame = spark.range(count, numPartitions=8).mapInArrow(
            partial(_written, name), from_arrow_schema(dataset.schema)
        )
        warehouse.write(dataset, run, frame)
    for stage in (rows.STAGE, assessed.STAGE, PLANNING, EXECUTING):
        warehouse.put_together(stage, run)
    counts = {"listed": count, "views": count, "failures": 0, "skipped": 0, "namespaces": 100}
    told = {"seconds": 1.0, "sources": {"lake": {**counts, "reconciled": True}}}
    begun = datetime(2026, 11, 21, tzinfo=UTC)
    targets = {"there": {"store": "archive", "route": "", "served": True}}
    warehouse.note(planned.PLANS, run, (run, run, begun, None, json.dumps(targets), "", None))
    warehouse.note(planned.APPLIES, run, (run, run, "anna", begun))
    warehouse.commit(Run(run, begun, begun, "0.1.0", 0, json.dumps(told)))
    return warehouse


def _written(name: str, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Rows of a dataset for a range of numbers; what `mapInArrow` runs."""
    make = _ROWS[name]
    for batch in batches:
        numbers = batch.column(0).to_pylist()
        table = (row for number in numbers for row in make(number))
        yield from to_batches(table, _DATASETS[name].schema)


def _place(number: int) -> tuple[Any, ...]:
    database, name = f"db_{number % 100:03d}", f"{_WORDS[number % len(_WORDS)]}_{number:06d}"
    return "lake", [database], name, f"{database}.{name}"


def _outcomes(number: int) -> Iterator[tuple[Any, ...]]:
    source, namespace, name, key = _place(number)
    chance = random.Random(number)  # noqa: S311 - data, not a secret
    lines, columns, length = [], [], 0
    while length < _SQL:
        words = "_".join(chance.choices(_WORDS, k=3))
        lines.append(
            f"  CAST(coalesce(t.{words}, {chance.random():.6f}) AS decimal(18, 4)) AS {words}"
        )
        columns.append({"name": words, "type": "decimal(18,4)", "nullable": True})
        length += len(lines[-1])
    sql = "SELECT\n" + ",\n".join(lines) + f"\nFROM {namespace[0]}.base_{number} t"
    texts = [{"type": "sql", "dialect": "spark", "sql": sql}]
    model = {"name": name, "columns": columns, "representations": texts, "properties": {}}
    described: tuple[Any, ...] = (
        ["spark"],
        len(columns),
        None,
        f"team-{number % 40}",
        [],
        f"1:{number:064d}",
    )
    lost = (None, None, None, None)
    text = json.dumps(model, separators=(",", ":"))
    place = (source, "object", namespace, name, key, "view")
    yield (*place, "view", "spark", *lost, *described, text, "", None)


def _matrix(number: int) -> Iterator[tuple[Any, ...]]:
    for at, engine in enumerate(ENGINES):
        status = "native" if engine == "spark" else ("portable", "rejected")[(number + at) % 2]
        reason = "PARSE" if status == "rejected" else None
        yield (*_place(number), engine, status, "PARSE", reason)


def _verdicts(number: int) -> Iterator[tuple[Any, ...]]:
    for at, engine in enumerate(ENGINES):
        said: tuple[Any, ...] = ("accepted", None, None, None)
        if engine != "spark" and (number + at) % 2:
            said = ("rejected", f"mismatched input at {number}", 2 + number % 9, 5)
        live = (None, None, None)
        yield (*_place(number), "spark", engine, "1.0", "PARSE", *said, *live)


def _findings(number: int) -> Iterator[tuple[Any, ...]]:
    if number % 3 == 0:
        told = (f"new: c_{number}", "name the columns in the view's query")
        yield (*_place(number), "spark", "STALE_COLUMNS", "warning", None, *told)


def _references(number: int) -> Iterator[tuple[Any, ...]]:
    table = ["lake", _place(number)[1], f"base_{number}", f"db.base_{number}"]
    found = [(table, "table")]
    if number % 4:
        below = _place(number // 4)
        found.append(([*below], "view"))
    for (source, namespace, name, key), kind in found:
        base = (source, namespace, name, key, "spark 4.3.0", kind)
        yield (*_place(number), "spark", [*namespace, name], None, *base)


def _waves(number: int) -> Iterator[tuple[Any, ...]]:
    wave = len(f"{number:b}") // 2 + 1
    yield (*_place(number), wave, None, None)


def _changes(number: int) -> Iterator[tuple[Any, ...]]:
    source, namespace, name, key = _place(number)
    row: dict[str, Any] = dict.fromkeys(planned.CHANGES.names)
    row |= {"target": "there", "namespace": namespace, "name": name, "key": key}
    row |= {"action": "create", "origins": [{"source": source, "key": key}]}
    yield tuple(row.values())


def _events(number: int) -> Iterator[tuple[Any, ...]]:
    _, namespace, name, key = _place(number)
    row: dict[str, Any] = dict.fromkeys(planned.EVENTS.names)
    row |= {"target": "there", "namespace": namespace, "name": name, "key": key}
    row |= {"time": datetime(2026, 11, 21, 1, tzinfo=UTC), "principal": "anna", "run": "bench"}
    row |= {"action": "create", "result": "done"}
    yield tuple(row.values())


_ROWS: Final = {
    "outcomes": _outcomes,
    "matrix": _matrix,
    "verdicts": _verdicts,
    "findings": _findings,
    "references": _references,
    "waves": _waves,
    "changes": _changes,
    "events": _events,
}


def _memory_of(count: int) -> float:
    found = float(alone("rendering", f"memory_of_a_report({count})"))
    note(f"render: {count} views {found:.0f} MB")
    return found
