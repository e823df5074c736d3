"""The same words with other values, as someone found who set out to: drafts, and views as they are.

HiveServer2 2.3.10, Spark 4.3.0, Trino 476, PostgreSQL 18.4 and MariaDB 10.11 were asked over the
same rows on 2026-11-30.
"""

import pytest

from discovery.formats.spark_mode import Mode
from discovery.lineage.translation import Translation, translated
from discovery.model import HIVE, MYSQL, POSTGRESQL, SPARK, TRINO, Column, Primitive
from discovery.ports import Name
from tests.read_elsewhere import meant_otherwise

TYPES = {
    "si": "short",
    "i": "integer",
    "l": "long",
    "d": "double",
    "f": "float",
    "p": "decimal(10,2)",
    "s": "string",
    "c": "char(5)",
    "dt": "date",
    "ts": "timestamp(6)",
    "tz": "timestamp_tz(6)",
}
NAME: Name = ("db", "t")
COLUMNS: dict[Name, list[Column]] = {
    NAME: [Column(name, Primitive(kind)) for name, kind in TYPES.items()]
}


def drafted(expression: str, home: str, into: str) -> Translation:
    return translated(f"SELECT {expression} AS r FROM db.t", home, into, {NAME: NAME}, COLUMNS)


def draft(expression: str, home: str, into: str) -> str:
    """An expression of a draft; empty: there is none."""
    sql = drafted(expression, home, into).sql
    return sql.removeprefix("SELECT ").removesuffix(" AS r FROM db.t")


def doubts(expression: str, home: str, into: str) -> str:
    """What is told beside a draft."""
    made = drafted(expression, home, into)
    assert made.sql, made.why
    return "; ".join(made.doubts)


def told(expression: str, home: str, reader: str, *, ansi: bool = True) -> str:
    """What is told of a view that another engine reads as it is."""
    sql = f"SELECT {expression} AS r FROM db.t"
    meanings = meant_otherwise(sql, home, COLUMNS, False, Mode(ansi=ansi))
    return "; ".join(meaning.what for meaning in meanings if meaning.engine == reader)


@pytest.mark.parametrize("home", [HIVE, SPARK, POSTGRESQL, MYSQL])
@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("trim(s)", "TRIM(BOTH ' ' FROM s)"),
        ("ltrim(s)", "TRIM(LEADING ' ' FROM s)"),
        ("rtrim(s)", "TRIM(TRAILING ' ' FROM s)"),
    ],
)
def test_blanks_alone_are_cut_off_a_text_in_trino_as_elsewhere(
    home: str, expression: str, expected: str
) -> None:
    assert draft(expression, home, TRINO) == expected


def test_a_char_is_cut_of_blanks_before_it_is_cut_in_trino() -> None:
    bare = "TRIM(TRAILING ' ' FROM CAST(c AS VARCHAR))"
    assert draft("ltrim(c)", POSTGRESQL, TRINO) == f"TRIM(LEADING ' ' FROM {bare})"
    assert draft("c::text", POSTGRESQL, TRINO) == bare


def test_a_decimal_of_hive_is_a_text_between_blanks_and_of_spark_between_any_white_space() -> None:
    of_hive, of_spark = (draft("CAST(s AS DECIMAL(9,2))", home, TRINO) for home in (HIVE, SPARK))
    assert of_hive == "TRY_CAST(TRIM(BOTH ' ' FROM s) AS DECIMAL(9, 2))"
    assert "CAST(TRIM(s) AS" in of_spark


def test_white_space_at_the_ends_of_texts_is_told() -> None:
    for cut in ("trim(s)", "ltrim(s)", "rtrim(s)"):
        assert "white space" in doubts(cut, TRINO, SPARK)
        assert "white space" in told(cut, TRINO, SPARK)
        assert "white space" in told(cut, HIVE, TRINO)
        assert "white space" in told(cut, SPARK, TRINO)
    for same in ("trim(BOTH ' ' FROM s)", "trim('a')"):
        assert not doubts(same, TRINO, SPARK)
        assert not told(same, SPARK, TRINO)


def test_a_floating_number_in_the_middle_is_told_where_its_digits_are_rounded() -> None:
    for home, into in ((HIVE, TRINO), (SPARK, TRINO), (TRINO, SPARK)):
        for rounded in ("round(d, 2)", "round(f, i)", "round(d * i, 2)"):
            assert "1.005" in doubts(rounded, home, into)
            assert "1.005" in told(rounded, home, into)
        for same in ("round(d)", "round(d, 0)", "round(p, 1)"):
            assert "1.005" not in doubts(same, home, into) + told(same, home, into)
    assert "1.005" not in doubts("round(d, 2)", HIVE, SPARK) + told("round(d, 2)", HIVE, SPARK)
    assert "1.005" not in doubts("round(d, 2)", MYSQL, TRINO)
