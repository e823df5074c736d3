"""The bench of PostgreSQL's analyzer: the worker of `assess` against a bare loop."""

import json
from collections.abc import Iterator, Sequence
from typing import Final

import psutil
import psycopg
import pyarrow as pa

from connectors.judges.postgresql import PostgreSQLParser
from connectors.judges.postgresql_analyzer import PostgreSQLAnalyzer
from connectors.judges.postgresql_server import SUPERUSER, PrivatePostgreSQL
from discovery.datatypes import postgresql
from discovery.judging.entries import Base, Entry
from discovery.model import POSTGRESQL, Column, Identifier, Primitive, Representation
from discovery.ports import Statement
from jobs.assessing.workers.views import Provided
from jobs.crawling.tables import OF_VIEWS
from tests.benchmarks.analyzing import MORE, row_of, worker
from tests.benchmarks.judging import cpu
from tests.benchmarks.measure import medians_of, note, say
from tests.postgresql_views import TABLES, TEXTS

_VIEWS: Final = 2_000
_BATCH: Final = 500
_ONE: Final = Column("one", Primitive("integer"))
_QUERY: Final = "SELECT 1 AS one FROM (\n{}\n) AS q"
_OF_ITS_OWN: Final = {
    name: tuple(Column(column, postgresql.parse(kind)) for column, kind in columns)
    for name, columns in TABLES.items()
    if "judged." not in str(columns)
}
_Made = tuple[str, Sequence[str]]
"""A text, and the tables that it reads."""


def analyze_postgresql() -> None:
    """2,000 views, one warm worker: views a CPU second of Python and server, and of a bare loop.

    The bare loop puts what a view reads in place each time, too: it makes that and the view by
    psycopg, asks for its columns, and rolls back.
    """
    made = list(_analyzable())
    note(f"analyze-postgresql: {len(made)} texts, each with a comment of its own")
    bare = PrivatePostgreSQL()
    with bare.connect(SUPERUSER) as session:
        backend = psutil.Process(session.info.backend_pid)
        theirs, mine = medians_of(
            lambda: cpu([psutil.Process(), backend], lambda: _loop(session, made)),
            lambda: worker(Provided(POSTGRESQL, analyzes=True), list(_batches(made))),
        )
    bare.close()
    say("analyze-postgresql", _VIEWS, _VIEWS / mine, "views/CPU-s", _VIEWS / theirs, ">= 0.5")


def _loop(session: "psycopg.Connection[tuple[object, ...]]", made: Sequence[_Made]) -> None:
    tables = {base.name[1]: _table(base) for base in _bases()}
    for number in range(_VIEWS):
        sql, read = made[number % len(made)]
        stage = ["BEGIN", "CREATE SCHEMA sales", *(tables[name] for name in read)]
        session.execute("; ".join(stage).encode())
        session.execute(f"CREATE VIEW sales.v AS {sql}\n-- {number}".encode())
        described = session.execute("SELECT * FROM sales.v WHERE false").description
        assert described is not None
        session.execute("ROLLBACK")


def _table(base: Base) -> str:
    columns = ", ".join(f'"{name}" {kind}' for name, kind in json.loads(base.columns))
    return f'CREATE TABLE sales."{base.name[1]}" ({columns})'


def _bases() -> tuple[Base, ...]:
    return tuple(
        Base(
            ("sales", name),
            json.dumps([(column.name, postgresql.spell(column.type)) for column in columns]),
        )
        for name, columns in _OF_ITS_OWN.items()
    )


def _analyzable() -> Iterator[_Made]:
    """The texts that PostgreSQL accepts over tables alone."""
    place = Identifier(("sales",), "v")
    entry = Entry(place=place, columns="[]", context=("", "sales"), bases=_bases())
    parser = PostgreSQLParser()
    with PostgreSQLAnalyzer() as judge:
        for one in TEXTS:
            text = _QUERY.format(one.replace("judged.", "sales.").rstrip(";"))
            (verdict,) = judge.judge([Statement(text, entry=entry)])
            if verdict.accepted:
                (said,) = parser.judge([Statement(text, reads=True)])
                read = {name[-1] for name in said.tables}
                if read <= _OF_ITS_OWN.keys():
                    yield text, sorted(read)


def _batches(made: Sequence[_Made]) -> Iterator[pa.RecordBatch]:
    """Rows as `comparing` hands them to a worker."""
    schema = pa.schema([*OF_VIEWS, *MORE])
    for start in range(0, _VIEWS, _BATCH):
        rows = []
        for number in range(start, start + _BATCH):
            sql, read = made[number % len(made)]
            text = Representation(
                dialect=POSTGRESQL, sql=f"{sql}\n-- {number}", default_schema="sales"
            )
            tables = {name: _OF_ITS_OWN[name] for name in read}
            rows.append(row_of(number, text, (_ONE,), tables))
        yield pa.RecordBatch.from_pylist(rows, schema=schema)
