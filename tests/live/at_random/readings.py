"""What engines answer to one text, beside what is told of it and the drafts made of it."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from typing import Final, NamedTuple

from discovery.formats.spark_mode import Mode
from discovery.lineage.meanings import native
from discovery.lineage.translation import translated
from discovery.model import (
    HIVE,
    MYSQL,
    SPARK,
    TRINO,
    Column,
    Field,
    ListOf,
    MapOf,
    Primitive,
    Struct,
)
from discovery.ports import Name
from tests.live.at_random.databases import RefusedTextError, Rows
from tests.live.at_random.engines import Ask, Engines
from tests.live.at_random.texts import COLUMNS, COLUMNS_OF_U, Text

_T: Final[Name] = ("db", "t")
_U: Final[Name] = ("db", "u")
_INT, _STRING = Primitive("integer"), Primitive("string")
_NESTED: Final = [
    Column("ai", ListOf(_INT)),
    Column("sa", ListOf(_STRING)),
    Column("m", MapOf(_STRING, _INT)),
    Column("st", Struct((Field("x", _INT), Field("y", _STRING)))),
]
TABLES: Final[dict[Name, list[Column]]] = {
    _T: [*(Column(name, Primitive(kind)) for name, kind in COLUMNS.items()), *_NESTED],
    _U: [Column(name, Primitive(kind)) for name, kind in COLUMNS_OF_U.items()],
}
_IN_MARIADB: Final = {"boolean": "byte", "string": "varchar(40)", "timestamp": "timestamp(6)"}
_MARK: Final = "m"
"""Ends the names of the tables that are as MySQL has them."""
_BY_COLLATION: Final = "by their collation"
"""What is told of each text in MySQL; the tables here have a collation that is as others."""
_TRUTHS: Final = {"1": "true", "0": "false"}
_NUMBERS: Final = frozenset({"int", "double", "decimal"})
_LEFT: Final = re.compile(r"\d\.\d+ % ")
"""What is known and is not told: Hive rounds the remainder of decimals that are written out."""
_SINGLE: Final = re.compile(r"\bf\b|FLOAT|\breal\b")
"""A text with numbers of single precision, of which seven digits are compared."""


class Outcome(StrEnum):
    """How a reading of a text stands to what was said of it."""

    SAME = "the same"
    TOLD = "otherwise, and told"
    NEEDLESS = "told, and the same of these rows"
    SILENT = "otherwise, in silence"
    REFUSED = "refused by the reader"
    NO_DRAFT = "no draft"


class Reading(NamedTuple):
    """One engine's reading of a text, or of a draft of it.

    Attributes:
        text: The text.
        reader: The engine, or for which the draft is.
        sql: What it was asked: the text, or the draft.
        outcome: What came of it.
        differing: Rows at home and here that are not the same, at most three; or its refusal.
    """

    text: Text
    reader: str
    sql: str
    outcome: Outcome
    differing: str = ""


def of_hive(engines: Engines, text: Text) -> Iterator[Reading]:
    """A text of Hive: as Spark and, by Coral, Trino read it, and its drafts for both."""
    home = _ask_home(engines.hive, _as_texts(text.sql))
    told = _told(text, HIVE, Mode())
    if home is None or told is None:
        return
    yield _reading(text, SPARK, text.sql, home, engines.spark, is_told=SPARK in told)
    with suppress(RefusedTextError):
        engines.hive("DROP VIEW IF EXISTS db.v")
        engines.hive(f"CREATE VIEW db.v AS {text.sql}")
        by_coral = "SELECT i, r FROM db.v"
        yield _reading(text, TRINO, by_coral, home, engines.trino, is_told=TRINO in told)
    yield _draft(text, HIVE, SPARK, home, engines.ansi)
    yield _draft(text, HIVE, TRINO, home, engines.trino)


def of_spark(engines: Engines, text: Text) -> Iterator[Reading]:
    """A text of Spark in ANSI mode: as Hive and Trino read it, and its draft for Trino."""
    home = _ask_home(engines.ansi, text.sql)
    told = _told(text, SPARK, Mode(ansi=True))
    if home is None or told is None:
        return
    yield _reading(text, HIVE, _as_texts(text.sql), home, engines.hive, is_told=HIVE in told)
    with suppress(RefusedTextError):
        engines.ansi(f"CREATE OR REPLACE VIEW db.sv AS {text.sql}")
        named = "SELECT i, r FROM db.sv"
        yield _reading(text, TRINO, named, home, engines.trino, is_told=TRINO in told)
    yield _draft(text, SPARK, TRINO, home, engines.trino)


def of_trino(engines: Engines, text: Text) -> Iterator[Reading]:
    """A text of Trino: its draft for Spark."""
    home = _ask_home(engines.trino, text.sql)
    if home is not None:
        yield _draft(text, TRINO, SPARK, home, engines.ansi)


def of_database(engines: Engines, text: Text, home: str) -> Iterator[Reading]:
    """A view of PostgreSQL or MariaDB, as it keeps it: its drafts for Spark and Trino."""
    database, tables = engines.databases[home], _tables_in(home)
    try:
        kept = Text(text.kind, database.kept(text.sql))
        rows = database.ask("SELECT i, r FROM db.v")
    except RefusedTextError:
        return
    for into, ask in ((SPARK, engines.ansi), (TRINO, engines.trino)):
        yield _draft(kept, home, into, rows, ask, tables)


def _tables_in(home: str) -> dict[Name, list[Column]]:
    """The tables as the crawl knows them in a database, without what it has no types for."""
    types = _IN_MARIADB if home == MYSQL else {}
    return {
        name: [Column(column, Primitive(types.get(kind, kind))) for column, kind in listed.items()]
        for name, listed in ((_T, COLUMNS), (_U, COLUMNS_OF_U))
    }


def _ask_home(ask: Ask, sql: str) -> Rows | None:
    """The rows of a text where it is at home; None: it is refused there, too."""
    try:
        return ask(sql)
    except RefusedTextError:
        return None


def _told(text: Text, home: str, mode: Mode) -> set[str] | None:
    """Who is told to read a text otherwise; None: nobody can say, or that is left."""
    meanings = native.meant_otherwise(text.sql, home, TABLES, False, mode)
    if meanings is None or _LEFT.search(text.sql):
        return None
    return {meaning.engine for meaning in meanings}


def _draft(
    text: Text,
    home: str,
    into: str,
    rows: Rows,
    ask: Ask,
    tables: Mapping[Name, Sequence[Column]] = TABLES,
) -> Reading:
    plain = text.sql.replace("`", "").replace('"', "")
    mark = _MARK if home == MYSQL else ""
    read = {name: (name[0], name[1] + mark) for name in tables if ".".join(name) in plain}
    drafted = translated(text.sql, home, into, read, tables)
    reader = f"a draft for {into}"
    if not drafted.sql:
        return Reading(text, reader, "", Outcome.NO_DRAFT, drafted.why)
    doubts = [doubt for doubt in drafted.doubts if _BY_COLLATION not in doubt]
    return _reading(text, reader, drafted.sql, rows, ask, is_told=bool(doubts))


def _reading(text: Text, reader: str, sql: str, home: Rows, ask: Ask, *, is_told: bool) -> Reading:
    try:
        here = ask(sql)
    except RefusedTextError as error:
        return Reading(text, reader, sql, Outcome.REFUSED, str(error)[:200])
    differing = _differing(home, here, text)
    if differing:
        return Reading(text, reader, sql, Outcome.TOLD if is_told else Outcome.SILENT, differing)
    return Reading(text, reader, sql, Outcome.NEEDLESS if is_told else Outcome.SAME)


def _as_texts(sql: str) -> str:
    """A query whose values Hive itself writes: its client has other words for some."""
    columns = "CAST(i AS STRING) AS i, CAST(r AS STRING) AS r"
    if sql.startswith("WITH "):
        body, _, query = sql.partition(") SELECT ")
        return f"{body}) SELECT {columns} FROM (SELECT {query}) q0"
    return f"SELECT {columns} FROM ({sql}) q0"


def _differing(home: Rows, here: Rows, text: Text) -> str:
    """The rows that one has and the other has not; empty: they have the same."""
    digits = 7 if _SINGLE.search(text.sql) else 12
    ours, theirs = (
        Counter((_plain(number, "int"), _plain(value, text.kind, digits)) for number, value in rows)
        for rows in (home, here)
    )
    if ours == theirs:
        return ""
    missing, more = (
        sorted((a - b).elements(), key=str)[:3] for a, b in ((ours, theirs), (theirs, ours))
    )
    return f"{missing} is {more} here"


def _plain(value: str | None, kind: str, digits: int = 12) -> object:
    """A value so that the words of clients for it do not tell."""
    if value is None:
        return None
    if kind in _NUMBERS:
        return _plain_number(value, digits)
    if kind == "boolean":
        return _TRUTHS.get(value, value.lower())
    if kind in {"timestamp", "date"}:
        day = re.sub(r"(\.\d*?)0+$", r"\1", value.removesuffix(" UTC")).rstrip(".")
        return day.removesuffix(" 00:00:00")
    return value


def _plain_number(value: str, digits: int) -> object:
    try:
        number = float(value)
    except ValueError:
        return value.lower()
    if math.isnan(number):
        return "nan"
    return float(f"{round(number, 9):.{digits}g}")
