"""Benches of the analyzers of Flink, Trino and Hive: the worker of `assess` against a bare loop."""

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import psutil
import pyarrow as pa

from connectors.judges.host import ParserHost
from discovery.datatypes import flink, hive, trino
from discovery.judging.entries import Base, Entry
from discovery.model import (
    FLINK,
    HIVE,
    TRINO,
    Column,
    DataType,
    Identifier,
    Primitive,
    Representation,
)
from discovery.ports import Statement
from jobs.assessing.jars import provide
from jobs.crawling.tables import OF_VIEWS
from tests.benchmarks.analyzing import MORE, row_of, worker
from tests.benchmarks.crawling import session
from tests.benchmarks.judging import CORPUS, bare_loop, bare_round, cpu
from tests.benchmarks.measure import medians_of, note, say

_Tables = Mapping[str, tuple[Column, ...]]


class _Planned(NamedTuple):
    """What differs between the engines.

    Attributes:
        engine: The engine.
        views: How many there are.
        query: In which each text of the corpus stands: of one column, so that all declare the same.
        one: That column.
        told: The same, as the analyzer is told of it.
        spell: A type in the engine's words.
        context: Catalog and schema of short names, where a text of the engine keeps them.
        space: Of all tables, as the engine names it.
    """

    engine: str
    views: int
    query: str
    one: Column
    told: str
    spell: Callable[[DataType], str]
    context: tuple[str, str] | None = None
    space: tuple[str, ...] = ("lake", "sales")


_FLINK: Final = _Planned(
    FLINK,
    1_000,
    "SELECT 1 AS `one` FROM (\n{}\n) AS `q`",
    Column("one", Primitive("integer"), nullable=False),
    '[["one", "INT"]]',
    flink.spell,
)
_TRINO: Final = _Planned(
    TRINO,
    2_000,
    "SELECT 1 AS one FROM (\n{}\n) AS q",
    Column("one", Primitive("integer")),
    '[["one", "integer"]]',
    trino.spell,
    ("lake", "sales"),
)
_HIVE: Final = _Planned(
    HIVE,
    1_000,
    "SELECT 1 AS `one` FROM (\n{}\n) `q`",
    Column("one", Primitive("integer")),
    '[["one", "int"]]',
    hive.spell,
    space=("sales",),
)
_BATCH: Final = 500


def analyze_flink() -> None:
    """1,000 views, one warm worker: views a CPU second of Python and JVM, and of a bare loop."""
    _analyze(_FLINK)


def analyze_trino() -> None:
    """2,000 views, the same of Trino's analyzer."""
    _analyze(_TRINO)


def analyze_hive() -> None:
    """1,000 views, the same of Hive's analyzer; its loop puts all tables in place each time."""
    _analyze(_HIVE)


def _analyze(of: _Planned) -> None:
    """The bare loop has the tables in place and plans the same views, which the engine accepts."""
    corpus = json.loads(CORPUS.read_text(encoding="utf-8"))
    tables = {
        name: tuple(Column(column, hive.parse(kind)) for column, kind in schema.items())
        for name, schema in corpus["schema"]["sales"].items()
    }
    bench = f"analyze-{of.engine}"
    with session() as spark:
        (provided,) = provide(spark, [of.engine], None, analyzers=True)
        with provided.judge() as judge, tempfile.TemporaryDirectory() as place:
            assert isinstance(judge, ParserHost), provided.missing
            made = list(_planned(of, judge, corpus["views"], tables))
            note(f"{bench}: {len(made)} texts of the corpus, each with a comment of its own")
            texts = [f"{made[n % len(made)][0]}\n-- {n}" for n in range(of.views)]
            told = judge.before(_statement(of, "", tables))
            bare = bare_loop(judge, Path(place), texts, told)
            assert bare_round(bare) == of.views
            theirs, mine = medians_of(
                lambda: cpu([psutil.Process(bare.pid)], lambda: bare_round(bare)),
                lambda: worker(provided, list(_batches(of, made, tables))),
            )
            bare.kill()
            bare.communicate()
    say(bench, of.views, of.views / mine, "views/CPU-s", of.views / theirs, ">= 0.5")


def _statement(of: _Planned, sql: str, tables: _Tables) -> Statement:
    bases = tuple(
        Base(
            (*of.space, name),
            json.dumps([(column.name, of.spell(column.type)) for column in columns]),
        )
        for name, columns in tables.items()
    )
    place = Identifier(of.space, "v")
    entry = Entry(place=place, columns=of.told, context=of.context or ("", ""), bases=bases)
    return Statement(sql, entry=entry)


def _planned(
    of: _Planned, judge: ParserHost, views: Sequence[Mapping[str, Any]], tables: _Tables
) -> Iterator[tuple[str, Sequence[str]]]:
    """The texts that the engine accepts, with the tables that each reads."""
    texts = [of.query.format(view["sql"]) for view in views]
    said = judge.judge([_statement(of, text, tables) for text in texts])
    for view, text, verdict in zip(views, texts, said, strict=True):
        if verdict.accepted:
            yield text, [name.rpartition(".")[2] for name in view["tables"]]


def _batches(
    of: _Planned, made: Sequence[tuple[str, Sequence[str]]], tables: _Tables
) -> Iterator[pa.RecordBatch]:
    """Rows as `comparing` hands them to a worker."""
    schema = pa.schema([*OF_VIEWS, *MORE])
    for start in range(0, of.views, _BATCH):
        rows = [_row(of, n, *made[n % len(made)], tables) for n in range(start, start + _BATCH)]
        yield pa.RecordBatch.from_pylist(rows, schema=schema)


def _row(
    of: _Planned, number: int, sql: str, read: Sequence[str], tables: _Tables
) -> dict[str, Any]:
    catalog, schema = of.context or (None, None)
    text = Representation(
        dialect=of.engine,
        sql=f"{sql}\n-- {number}",
        default_catalog=catalog,
        default_schema=schema,
    )
    return row_of(number, text, (of.one,), {one: tables[one] for one in read})
