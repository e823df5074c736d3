"""Chars: of columns, and of lists, maps and rows, which engines fill up with blanks otherwise.

HiveServer2 2.3.10, Spark 4.3.0, Trino 476 (by Coral) and Flink 1.20.5 were asked on 2026-11-29,
of tables of text and of Parquet with a `char(6)` in each place.
"""

import pytest

from discovery.lineage.translation import translated
from discovery.model import (
    FLINK,
    HIVE,
    MYSQL,
    POSTGRESQL,
    SPARK,
    TRINO,
    Column,
    Field,
    ListOf,
    MapOf,
    Primitive,
    Struct,
)
from tests.read_elsewhere import meant_otherwise

CHAR, TEXT = Primitive("char(6)"), Primitive("string")
PARTS = ["st.c", "l[0]", "m['k']"]
PLACES = ["c", *PARTS]


def columns(kind: Primitive) -> list[Column]:
    """One of a type, and a row, a list and a map of it, beside others."""
    return [
        Column("id", Primitive("integer")),
        Column("s", TEXT),
        Column("c", kind),
        Column("st", Struct((Field("s", TEXT), Field("c", kind)))),
        Column("l", ListOf(kind)),
        Column("m", MapOf(TEXT, kind)),
    ]


def told(expression: str, home: str, kind: Primitive = CHAR) -> dict[str, str]:
    """Who reads it otherwise, and what it is to each."""
    found = meant_otherwise(f"SELECT {expression} AS r FROM t", home, {("t",): columns(kind)})
    return {meaning.engine: meaning.what for meaning in found}


def draft(expression: str, home: str, into: str, kind: Primitive = CHAR) -> str:
    """An expression of a draft; empty: there is none."""
    sql, name = f"SELECT {expression} AS r FROM t", ("t",)
    made = translated(sql, home, into, {name: name}, {name: columns(kind)}).sql
    return made.removeprefix("SELECT ").removesuffix(" AS r FROM t")


@pytest.mark.parametrize(
    ("expression", "column", "part"),
    [
        ("{0} = 'ab'", {TRINO, FLINK}, {SPARK, TRINO, FLINK}),
        ("{0} <> 'ab'", {TRINO, FLINK}, {SPARK, TRINO, FLINK}),
        ("CASE {0} WHEN 'ab' THEN 1 ELSE 2 END", {TRINO, FLINK}, {SPARK, TRINO, FLINK}),
        ("{0} IN ('ab', 'x')", {FLINK}, {SPARK, FLINK}),
        ("{0} NOT IN ('ab', 'x')", {FLINK}, {SPARK, FLINK}),
        ("{0} BETWEEN 'ab' AND 'ab'", {SPARK, FLINK}, {SPARK, FLINK}),
        ("{0} IN ('ab    ', 'abc ')", {SPARK, TRINO, FLINK}, {SPARK, TRINO, FLINK}),
        ("{0} = s", {SPARK, TRINO, FLINK}, {SPARK, TRINO, FLINK}),
        ("{0} LIKE 'ab'", {SPARK, TRINO, FLINK}, {SPARK, TRINO, FLINK}),
        ("coalesce({0}, s)", {SPARK, TRINO, FLINK}, {SPARK, TRINO, FLINK}),
        ("CASE WHEN id > 1 THEN {0} ELSE 'none' END", {SPARK, TRINO, FLINK}, {SPARK, TRINO, FLINK}),
        ("upper({0}) = 'AB'", {SPARK, TRINO, FLINK}, {SPARK, TRINO, FLINK}),
        ("reverse({0})", {SPARK, TRINO, FLINK}, {SPARK, TRINO, FLINK}),
        ("substr({0}, 2)", {SPARK, TRINO, FLINK}, {SPARK, TRINO, FLINK}),
        ("rpad({0}, 8, '-')", {SPARK, TRINO, FLINK}, {SPARK, TRINO, FLINK}),
        ("concat_ws(',', {0}, s)", {SPARK, TRINO, FLINK}, {SPARK, TRINO, FLINK}),
        ("md5({0})", {SPARK, TRINO, FLINK}, {SPARK, TRINO, FLINK}),
        ("crc32({0})", {SPARK, TRINO, FLINK}, {SPARK, TRINO, FLINK}),
        ("instr({0}, ' ')", {SPARK, TRINO, FLINK}, {SPARK, TRINO, FLINK}),
        ("instr({0}, 'b')", set(), set()),
        ("printf('%s|', {0})", set(), set()),
        ("trim({0})", set(), set()),
        ("trim(translate({0}, 'b', 'x'))", {TRINO}, {TRINO}),
        ("{0} LIKE 'ab%'", set(), set()),
        ("{0} = c", set(), set()),
    ],
)
def test_who_reads_a_char_of_hive_otherwise(
    expression: str, column: set[str], part: set[str]
) -> None:
    by_place = {place: told(expression.format(place), HIVE) for place in PLACES}
    alone = {place: told(place, HIVE).keys() for place in PLACES}
    own = {place: by_place[place].keys() - alone[place] for place in PLACES}
    of_places = {place: part - alone[place] for place in PARTS}
    assert own == {"c": column, **of_places}


@pytest.mark.parametrize("place", PARTS)
@pytest.mark.parametrize(
    ("expression", "readers"),
    [
        ("{0} = 'ab'", {HIVE}),
        ("{0} LIKE 'ab'", {HIVE}),
        ("{0} IN ('ab', 'x')", {HIVE, TRINO}),
        ("{0} BETWEEN 'ab' AND 'ab'", {HIVE, TRINO}),
        ("reverse({0})", {HIVE}),
    ],
)
def test_who_reads_a_part_of_spark_otherwise(
    expression: str, readers: set[str], place: str
) -> None:
    own = told(expression.format(place), SPARK).keys() - told(place, SPARK).keys()
    assert own - {FLINK} == readers - told(place, SPARK).keys()


def test_what_counts_for_spark_alone_is_said_so() -> None:
    assert "count to Spark, and do not" in told("st.c IN ('ab', 'x')", SPARK)[TRINO]


@pytest.mark.parametrize(
    ("expression", "of_hive"),
    [
        ("c = 'ab'", "c = 'ab'"),
        ("c IN ('ab', 'x')", "c IN ('ab', 'x')"),
        ("c IN ('ab ')", "RTRIM(CAST(c AS STRING)) IN ('ab ')"),
        ("c BETWEEN 'a' AND 'b'", "RTRIM(CAST(c AS STRING)) BETWEEN 'a' AND 'b'"),
        ("c = s", "RTRIM(CAST(c AS STRING)) = s"),
        ("c LIKE 'ab'", "RTRIM(CAST(c AS STRING)) LIKE 'ab'"),
        ("c LIKE 'ab%'", "c LIKE 'ab%'"),
        ("coalesce(c, s)", "COALESCE(RTRIM(CAST(c AS STRING)), s)"),
        ("reverse(c)", "REVERSE(RTRIM(CAST(c AS STRING)))"),
        ("st.c = 'ab'", "RTRIM(CAST(st.c AS STRING)) = 'ab'"),
        ("l[0] = 'ab'", "RTRIM(CAST(GET(l, 0) AS STRING)) = 'ab'"),
        ("st.c = c", "st.c = c"),
        (
            "upper(if(c LIKE 'ab', c, c)) = s",
            "RTRIM(CAST(UPPER(IF(RTRIM(CAST(c AS STRING)) LIKE 'ab', c, c)) AS STRING)) = s",
        ),
    ],
)
def test_a_draft_of_hive_cuts_the_blanks_that_hive_does_not_see(
    expression: str, of_hive: str
) -> None:
    """The values of all of these are those of Hive, in Spark and, in its words, in Trino."""
    assert draft(expression, HIVE, SPARK) == of_hive


@pytest.mark.parametrize(
    ("expression", "home", "into"),
    [
        ("st.c = 'ab'", SPARK, TRINO),
        ("st.c = 'ab'", TRINO, SPARK),
        ("c BETWEEN 'a' AND 'b'", SPARK, TRINO),
        ("c IN ('ab', s)", SPARK, TRINO),
        ("coalesce(c, 'none')", SPARK, TRINO),
        ("concat(ltrim(c), '|')", SPARK, TRINO),
        ("hash(id)", HIVE, SPARK),
    ],
)
def test_what_is_another_value_elsewhere_has_no_draft(
    expression: str, home: str, into: str
) -> None:
    assert draft(expression, home, into) == ""


def test_a_column_beside_what_is_written_out_is_the_same_to_both() -> None:
    assert draft("c = 'ab'", SPARK, TRINO) == "c = 'ab'"


@pytest.mark.parametrize("home", [POSTGRESQL, MYSQL])
def test_ltrim_of_a_char_of_a_database_has_a_draft(home: str) -> None:
    """There it has no blanks at its end."""
    bare = "TRIM(TRAILING ' ' FROM CAST(c AS VARCHAR))"
    assert draft("ltrim(c)", home, TRINO) == f"TRIM(LEADING ' ' FROM {bare})"


@pytest.mark.parametrize(
    ("kind", "expression"),
    [
        ("decimal(10,2)", "CAST({0} AS STRING)"),
        ("decimal(10,2)", "concat({0}, '!')"),
        ("decimal(10,2)", "{0} / 3"),
        ("date", "{0} > '2024'"),
        ("boolean", "CAST({0} AS STRING)"),
        ("float", "{0} = 0.1"),
        ("timestamp(9)", "CAST({0} AS BIGINT)"),
        ("string", "{0} > 5"),
    ],
)
def test_a_part_is_what_a_column_of_its_type_is(kind: str, expression: str) -> None:
    """In what others read otherwise, and in drafts, where elements are written in other words."""
    primitive = Primitive(kind)
    column = told(expression.format("c"), HIVE, primitive)
    of_column = draft(expression.format("c"), HIVE, SPARK, primitive)
    for place, in_spark in (("st.c", "st.c"), ("l[0]", "GET(l, 0)")):
        alone = told(place, HIVE, primitive)
        part = told(expression.format(place), HIVE, primitive)
        assert part.keys() - alone.keys() == column.keys() - alone.keys()
        of_part = draft(expression.format(place), HIVE, SPARK, primitive)
        assert of_part.replace(in_spark, "c") == of_column
