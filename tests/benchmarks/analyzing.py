"""The bench of the analyzer: the worker of `assess` against a bare loop over Spark's analyzer."""

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import psutil
import pyarrow as pa

from connectors.judges.spark_analyzer import SparkAnalyzer
from discovery import wire
from discovery.datatypes import spark, spark_writing
from discovery.judging.entries import Base, Entry
from discovery.judging.paths import Reach
from discovery.model import SPARK, Column, Identifier, Representation, View
from discovery.ports import Statement
from jobs.assessing import tables as assessed
from jobs.assessing.workers import columns
from jobs.assessing.workers.columns import Surroundings
from jobs.assessing.workers.known import CALLED
from jobs.assessing.workers.views import Provided
from jobs.crawling.tables import OF_VIEWS
from tests.benchmarks.judging import CORPUS, bare_loop, bare_round, cpu
from tests.benchmarks.measure import medians_of, note, say

VIEWS: Final = 10_000
_WARM: Final = 2  # batches
_BATCH: Final = 1_000
_NO_COLUMNS: Final = spark_writing.schema(())
_CONTEXT: Final = (
    ("view.catalogAndNamespace.numParts", "2"),
    ("view.catalogAndNamespace.part.0", "spark_catalog"),
    ("view.catalogAndNamespace.part.1", "sales"),
)
_EVOLVES: Final = ("view.schemaMode", "EVOLUTION")
_Tables = Mapping[str, tuple[Column, ...]]
_Made = tuple[str, tuple[Column, ...], Sequence[str]]
"""A text, the columns that it returns, the tables that it reads."""


def analyze_spark() -> None:
    """10,000 views, one warm worker: views a CPU second of Python and JVM, and of a bare loop.

    The bare loop has the tables in place and analyzes the same texts without what the views
    declare: what a session would do to describe a query.
    """
    corpus = json.loads(CORPUS.read_text(encoding="utf-8"))
    tables = {
        name: tuple(Column(column, spark.parse(kind)) for column, kind in schema.items())
        for name, schema in corpus["schema"]["sales"].items()
    }
    with SparkAnalyzer() as judge, tempfile.TemporaryDirectory() as place:
        made = list(_analyzable(judge, corpus["views"], tables))
        note(f"analyze-spark: {len(made)} texts of the corpus, each with a comment of its own")
        texts = [f"{made[n % len(made)][0]}\n-- {n}" for n in range(VIEWS)]
        bare = bare_loop(judge, Path(place), texts, judge.before(_statement("", tables)))
        assert bare_round(bare) == VIEWS
        theirs, mine = medians_of(
            lambda: cpu([psutil.Process(bare.pid)], lambda: bare_round(bare)),
            lambda: worker(Provided(SPARK, analyzes=True), list(_batches(made, tables))),
        )
        bare.kill()
        bare.communicate()
    say("analyze-spark", VIEWS, VIEWS / mine, "views/CPU-s", VIEWS / theirs, ">= 0.5, >= 200/s")


def _statement(sql: str, tables: _Tables) -> Statement:
    bases = tuple(
        Base(("spark_catalog", "sales", name), spark_writing.schema(table))
        for name, table in tables.items()
    )
    entry = Entry(
        place=Identifier(("sales",), "v"),
        columns=_NO_COLUMNS,
        properties=(*_CONTEXT, _EVOLVES),
        bases=bases,
    )
    return Statement(sql, entry=entry)


def _analyzable(
    judge: SparkAnalyzer, views: Sequence[Mapping[str, Any]], tables: _Tables
) -> Iterator[_Made]:
    """The texts of the corpus that Spark's analyzer accepts."""
    said = judge.judge([_statement(view["sql"], tables) for view in views])
    for view, verdict in zip(views, said, strict=True):
        if verdict.accepted and verdict.returns:
            read = [name.rpartition(".")[2] for name in view["tables"]]
            yield view["sql"], spark.columns(json.loads(verdict.returns)), read


def worker(provided: Provided, batches: Sequence[pa.RecordBatch]) -> float:
    """CPU seconds of a worker and its analyzer for the batches, once it is warm."""
    spent: list[float] = []

    def fed() -> Iterator[pa.RecordBatch]:
        yield from batches[:_WARM]
        spent.append(_spent())
        yield from batches
        spent.append(_spent())

    reach = Reach((provided.engine,), kinds={"lake": "hms"})
    run = columns.compare_columns(Surroundings((provided,), reach))
    accepted = sum(
        verdict["verdict"] == "accepted"
        for batch in run(fed())
        for verdicts in batch.column("verdicts").to_pylist()
        for verdict in verdicts
    )
    assert accepted == sum(batch.num_rows for batch in (*batches[:_WARM], *batches))
    return spent[1] - spent[0]


def _spent() -> float:
    """CPU seconds of this process and of those that it has started, the bare loop's apart."""
    me = psutil.Process()
    running = [me, *me.children(recursive=True)]
    return sum(sum(process.cpu_times()[:2]) for process in running)


def _batches(made: Sequence[_Made], tables: _Tables) -> Iterator[pa.RecordBatch]:
    """Rows as `comparing` hands them to a worker."""
    schema = pa.schema([*OF_VIEWS, *MORE])
    for start in range(0, VIEWS, _BATCH):
        rows = [_row(n, made[n % len(made)], tables) for n in range(start, start + _BATCH)]
        yield pa.RecordBatch.from_pylist(rows, schema=schema)


_BASE: Final = pa.struct(
    [
        ("dialect", pa.string()),
        ("written", pa.list_(pa.string())),
        ("catalog", pa.string()),
        ("base_source", pa.string()),
        ("base_key", pa.string()),
        ("base_namespace", pa.list_(pa.string())),
        ("base_name", pa.string()),
        ("columns", assessed.BASES.schema.field("columns").type),
        ("declared", pa.string()),
        ("form", pa.string()),
        ("in_default", pa.bool_()),
        ("beside_spark", assessed.BASES.schema.field("beside_spark").type),
        ("text", pa.string()),
        ("flink_times", assessed.BASES.schema.field("flink_times").type),
        ("acid", pa.bool_()),
    ]
)
_CALLED: Final = pa.struct([assessed.LISTED_FUNCTIONS.field(name) for name in CALLED])
MORE: Final = [
    pa.field("format", pa.string()),
    pa.field("model", pa.string()),
    pa.field("question", pa.string()),
    pa.field("known", pa.list_(_BASE)),
    pa.field("under", pa.list_(_BASE)),
    pa.field("whole", pa.bool_()),
    pa.field("called", pa.list_(_CALLED)),
    pa.field("resolved", pa.bool_()),
]


def _row(number: int, made: _Made, tables: _Tables) -> dict[str, Any]:
    sql, declared, read = made
    text = Representation(
        dialect=SPARK,
        sql=f"{sql}\n-- {number}",
        default_catalog="spark_catalog",
        default_schema="sales",
    )
    return row_of(number, text, declared, {one: tables[one] for one in read})


def row_of(
    number: int, text: Representation, declared: tuple[Column, ...], reads: _Tables
) -> dict[str, Any]:
    """A view of one text and what that reads, as `comparing` hands it to a worker."""
    name = f"v_{number}"
    view = View(identifier=Identifier(("sales",), name), columns=declared, representations=(text,))
    return {
        "source": "lake",
        "namespace": ["sales"],
        "name": name,
        "key": f"sales.{name}",
        "format": text.dialect,
        "model": wire.view_text(view)[0],
        "known": [_known(one, columns, text) for one, columns in reads.items()],
        "whole": False,
        "called": None,
        "resolved": True,
    }


def _known(name: str, of_table: tuple[Column, ...], text: Representation) -> dict[str, Any]:
    listed = [
        {"name": column.name, "type": wire.type_text(column.type), "nullable": column.nullable}
        for column in of_table
    ]
    place = {"base_source": "lake", "base_key": f"sales.{name}", "base_name": name}
    return {
        **place,
        "dialect": text.dialect,
        "written": ["sales", name],
        "catalog": text.default_catalog,
        "base_namespace": ["sales"],
        "columns": listed,
    }
