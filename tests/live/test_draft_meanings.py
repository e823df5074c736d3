"""Expressions in four real engines beside what sqlglot makes of them in Spark and Trino.

`estate/expressions.json` has some 960 expressions over one table; one that begins with `@` is of a
group. Each is run where it is written and, as a draft, where that is for: the values are the same,
or there is no draft, or the engine refuses it.
"""

import datetime as dt
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, NamedTuple

import psycopg
import pymysql
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from discovery.lineage.translation import translated
from discovery.model import MYSQL, POSTGRESQL, SPARK, TRINO, Column, Primitive
from discovery.ports import Name
from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.live.conftest import TrinoHome
from tests.live.trino_server import Trino, trino
from tests.servers import MariaDB

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(1_800)]

EXPRESSIONS: Final[dict[str, list[str]]] = json.loads(
    (Path(__file__).parent / "estate" / "expressions.json").read_text(encoding="utf-8")
)
KINDS: Final = {
    "id": "integer",
    "a": "integer",
    "b": "integer",
    "x": "double",
    "n": "decimal(10,2)",
    "s": "varchar(20)",
    "d": "date",
    "ts": "timestamp(6)",
}
ROWS: Final = (
    (1, 7, 2, "2.5", "10.00", "a_b c", "2024-03-03", "2024-03-03 23:30:15.500000"),
    (2, -7, 2, "-2.5", "-3.33", "A\\_b", "2024-12-30", "2024-12-30 00:00:00.000000"),
    (3, 3, None, "3.5", "0.05", "%x", "2023-01-01", "2023-01-01 12:00:00.000000"),
    (4, None, 3, "0.5", None, "", "2024-02-29", "2024-02-29 06:15:00.250000"),
    (5, 0, 5, "-0.5", "2.50", "aXbXaX", None, None),
    (6, 10, 4, None, "1234.56", None, "2021-01-03", "2021-01-03 23:59:59.999999"),
    (7, 1, 1, "1.5", "1.50", "é12,5;7", "2020-12-31", "2020-12-31 01:02:03.000000"),
    (8, 5, 3, "2.4", "2.49", "42.7", "1999-07-04", "1999-07-04 13:00:00.000000"),
)
KNOWN: Final = {
    # another type, which the comparison of columns sees
    (SPARK, TRINO, "d - date'2024-01-01'"),
    # in no order
    (POSTGRESQL, TRINO, "@array_agg(distinct b)"),
    # shown otherwise: MariaDB's text of a double, and bytes
    *((MYSQL, into, "pi()") for into in (SPARK, TRINO)),
    *(
        (MYSQL, into, f"@{name}(a)")
        for into in (SPARK, TRINO)
        for name in ("std", "stddev", "stddev_samp", "variance", "var_samp")
    ),
    (TRINO, SPARK, "md5(to_utf8(s))"),
}
"""Differences that are none of meaning, or that are too small to refuse a text for."""
Rows = list[list[Any]]
Run = Callable[[str], Rows]


class EngineError(Exception):
    """An engine refuses a statement."""


def literal(value: object, kind: str, dialect: str) -> str:
    """A value of a row in a dialect."""
    text = "NULL" if value is None else f"'{value}'"
    if dialect in {MYSQL, SPARK}:
        text = text.replace("\\", "\\\\")
    return f"CAST({text} AS {kind})" if dialect in {SPARK, TRINO} else text


def filling(dialect: str, types: Sequence[str]) -> str:
    """All rows as a dialect writes them."""
    rows = ([literal(v, k, dialect) for v, k in zip(row, types, strict=True)] for row in ROWS)
    return ", ".join(f"({', '.join(row)})" for row in rows)


@pytest.fixture(scope="module")
def postgresql_run(postgresql: EmbeddedPostgreSQL) -> Run:
    types = ("int", "int", "int", "float8", "numeric(10,2)", "varchar(20)", "date", "timestamp")
    columns = ", ".join(map(" ".join, zip(KINDS, types, strict=True)))
    postgresql.execute(["DROP SCHEMA IF EXISTS p CASCADE", "CREATE SCHEMA p"])
    made = [f"CREATE TABLE p.t ({columns})", f"INSERT INTO p.t VALUES {filling('', types)}"]
    postgresql.execute(made)

    def run(sql: str) -> Rows:
        try:
            return [list(row) for row in postgresql.query(sql)]
        except psycopg.Error as error:
            raise EngineError(str(error)) from error

    return run


@pytest.fixture(scope="module")
def mysql_run(maria: MariaDB) -> Run:
    types = ("int", "int", "int", "double", "decimal(10,2)", "varchar(20)", "date", "datetime(6)")
    columns = ", ".join(map(" ".join, zip(KINDS, types, strict=True)))
    maria.execute(
        "DROP DATABASE IF EXISTS p",
        "CREATE DATABASE p",
        f"CREATE TABLE p.t ({columns}) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
        f"INSERT INTO p.t VALUES {filling(MYSQL, types)}",
    )

    def run(sql: str) -> Rows:
        try:
            return [list(row) for row in maria.execute(sql)]
        except pymysql.Error as error:
            raise EngineError(str(error)) from error

    return run


@pytest.fixture(scope="module")
def trino_run(trino_home: TrinoHome, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    types = ("integer", "integer", "integer", *list(KINDS.values())[3:])
    folder = tmp_path_factory.mktemp("meanings")
    catalogs = {"memory": "connector.name=memory\n"}
    exact = {"X-Trino-Client-Capabilities": "PARAMETRIC_DATETIME", "X-Trino-Time-Zone": "UTC"}
    with trino(trino_home.home, trino_home.java, folder, catalogs) as server:
        server.rows("CREATE SCHEMA memory.p")
        filled = f"(VALUES {filling(TRINO, types)}) AS t({', '.join(KINDS)})"
        server.rows(f"CREATE TABLE memory.p.t AS SELECT * FROM {filled}")
        yield lambda sql: asked(server, sql.replace(" p.t", " memory.p.t"), exact)


def asked(server: Trino, sql: str, head: dict[str, str]) -> Rows:
    rows, refusal = server.asked(sql, head)
    if refusal:
        raise EngineError(refusal)
    return rows


@pytest.fixture(scope="module")
def spark_run(spark: SparkSession) -> Run:
    types = [kind.replace("timestamp(6)", "timestamp_ntz") for kind in KINDS.values()]
    spark.sql("DROP DATABASE IF EXISTS p CASCADE")
    spark.sql("CREATE DATABASE p")
    filled = f"(VALUES {filling(SPARK, types)}) AS t({', '.join(KINDS)})"
    spark.sql(f"CREATE TABLE p.t USING parquet AS SELECT * FROM {filled}")

    def run(sql: str) -> Rows:
        try:
            return [list(row) for row in spark.sql(sql).collect()]
        except PySparkException as error:
            raise EngineError(str(error)) from error

    return run


class Beside(NamedTuple):
    """An expression and what became of it."""

    outcome: str
    told: str = ""


def beside(text: str, dialect: str, into: str, source: Run, target: Run) -> Beside:
    """The values of an expression and of its draft."""
    sql = f"SELECT {'1' if text[0] == '@' else 'id'} AS i, {text.lstrip('@')} AS r FROM p.t"
    named: dict[Name, Name] = {("p", "t"): ("k", "p", "t")}
    columns = tuple(Column(name, Primitive(kind)) for name, kind in KINDS.items())
    try:
        wanted = readable(source(sql))
    except EngineError as error:
        return Beside("not run", str(error))
    made = translated(sql, dialect, into, named, {("p", "t"): columns})
    if not made.sql:
        return Beside("no draft", made.why)
    try:
        found = readable(target(made.sql.replace("k.p.t", "p.t")))
    except EngineError as error:
        return Beside("refused", str(error))
    differ = [pair for pair in zip(wanted, found, strict=True) if pair[0] != pair[1]]
    if not differ:
        return Beside("same")
    return Beside("told" if made.doubts else "differs", f"{made.sql}: {differ[:2]}")


def readable(rows: Rows) -> Rows:
    """Rows by the number of each, with values as all engines can show them."""
    return sorted(([shown(value) for value in row] for row in rows), key=lambda row: str(row[0]))


def shown(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if isinstance(value, list | tuple):
        return [shown(one) for one in value]
    if isinstance(value, dt.date | dt.time):
        value = str(value)
    if isinstance(value, str):
        if moment := re.fullmatch(
            r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\.?(\d*)( UTC|\+00:00)?", value
        ):
            return f"{moment[1]}.{moment[2].ljust(6, '0')}"
        with suppress(ValueError):
            return round(float(value), 8) + 0.0
        return value
    return round(float(value), 8) + 0.0 if isinstance(value, int | float | Decimal) else value


@pytest.mark.parametrize(
    ("dialect", "into"),
    [
        (POSTGRESQL, SPARK),
        (POSTGRESQL, TRINO),
        (MYSQL, SPARK),
        (MYSQL, TRINO),
        (TRINO, SPARK),
        (SPARK, TRINO),
    ],
)
def test_a_draft_has_the_values_of_its_text(
    dialect: str, into: str, request: pytest.FixtureRequest
) -> None:
    source, target = (request.getfixturevalue(f"{one}_run") for one in (dialect, into))
    found = {text: beside(text, dialect, into, source, target) for text in EXPRESSIONS[dialect]}
    differ = {text: one.told for text, one in found.items() if one.outcome == "differs"}
    wanted = {text for one, other, text in KNOWN if (one, other) == (dialect, into)}
    assert {text: told for text, told in differ.items() if text not in wanted} == {}
    told = {text for text, one in found.items() if one.outcome == "told"}
    assert wanted <= differ.keys() | told, "known, and no difference any more"
    assert Counter(one.outcome for one in found.values())["same"] > len(found) / 2
