"""The bench of Flink's planner: the worker of `assess` against a bare loop over it."""

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import psutil
import pyarrow as pa

from connectors.judges.flink_analyzer import FlinkAnalyzer
from discovery.datatypes import flink, hive
from discovery.judging.entries import Base, Entry
from discovery.model import FLINK, Column, Identifier, Primitive, Representation
from discovery.ports import Statement
from jobs.assessing.jars import provide
from jobs.crawling.tables import OF_VIEWS
from tests.benchmarks.analyzing import MORE, row_of, worker
from tests.benchmarks.crawling import session
from tests.benchmarks.judging import CORPUS, bare_loop, bare_round, cpu
from tests.benchmarks.measure import medians_of, note, say

VIEWS: Final = 1_000
_BATCH: Final = 500
_ONE: Final = Column("one", Primitive("integer"), nullable=False)
_Tables = Mapping[str, tuple[Column, ...]]


def analyze_flink() -> None:
    """1,000 views, one warm worker: views a CPU second of Python and JVM, and of a bare loop.

    The bare loop has the tables in place and plans the same views. Each text of the corpus that
    Flink accepts is in a query of one column, so that all views declare the same.
    """
    corpus = json.loads(CORPUS.read_text(encoding="utf-8"))
    tables = {
        name: tuple(Column(column, hive.parse(kind)) for column, kind in schema.items())
        for name, schema in corpus["schema"]["sales"].items()
    }
    with session() as spark:
        (provided,) = provide(spark, [FLINK], None, analyzers=True)
        with provided.judge() as judge, tempfile.TemporaryDirectory() as place:
            assert isinstance(judge, FlinkAnalyzer), provided.missing
            made = list(_planned(judge, corpus["views"], tables))
            note(f"analyze-flink: {len(made)} texts of the corpus, each with a comment of its own")
            texts = [f"{made[n % len(made)][0]}\n-- {n}" for n in range(VIEWS)]
            told = judge.before(_statement("", tables))
            bare = bare_loop(judge, Path(place), texts, told)
            assert bare_round(bare) == VIEWS
            theirs, mine = medians_of(
                lambda: cpu([psutil.Process(bare.pid)], lambda: bare_round(bare)),
                lambda: worker(provided, list(_batches(made, tables))),
            )
            bare.kill()
            bare.communicate()
    say("analyze-flink", VIEWS, VIEWS / mine, "views/CPU-s", VIEWS / theirs, ">= 0.5")


def _statement(sql: str, tables: _Tables) -> Statement:
    bases = tuple(
        Base(
            ("lake", "sales", name),
            json.dumps([(one.name, flink.spell(one.type)) for one in columns]),
        )
        for name, columns in tables.items()
    )
    place = Identifier(("lake", "sales"), "v")
    return Statement(sql, entry=Entry(place=place, columns='[["one", "INT"]]', bases=bases))


def _planned(
    judge: FlinkAnalyzer, views: Sequence[Mapping[str, Any]], tables: _Tables
) -> Iterator[tuple[str, Sequence[str]]]:
    """The texts that Flink accepts, with the tables that each reads."""
    texts = [f"SELECT 1 AS `one` FROM (\n{view['sql']}\n) AS `q`" for view in views]
    said = judge.judge([_statement(text, tables) for text in texts])
    for view, text, verdict in zip(views, texts, said, strict=True):
        if verdict.accepted:
            yield text, [name.rpartition(".")[2] for name in view["tables"]]


def _batches(
    made: Sequence[tuple[str, Sequence[str]]], tables: _Tables
) -> Iterator[pa.RecordBatch]:
    """Rows as `comparing` hands them to a worker."""
    schema = pa.schema([*OF_VIEWS, *MORE])
    for start in range(0, VIEWS, _BATCH):
        rows = [_row(n, *made[n % len(made)], tables) for n in range(start, start + _BATCH)]
        yield pa.RecordBatch.from_pylist(rows, schema=schema)


def _row(number: int, sql: str, read: Sequence[str], tables: _Tables) -> dict[str, Any]:
    text = Representation(dialect=FLINK, sql=f"{sql}\n-- {number}")
    return row_of(number, text, (_ONE,), {one: tables[one] for one in read})
