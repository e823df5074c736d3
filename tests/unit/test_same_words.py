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


ZONED = "AT_TIMEZONE(tz, CURRENT_TIMEZONE())"


@pytest.mark.parametrize(
    ("home", "expression", "expected"),
    [
        (SPARK, "hour(tz)", "HOUR({})"),
        (SPARK, "CAST(tz AS DATE)", "TRY_CAST({} AS DATE)"),
        (SPARK, "to_date(tz)", "CAST(CAST({} AS TIMESTAMP(6)) AS DATE)"),
        (SPARK, "date_trunc('DAY', tz)", "DATE_TRUNC('DAY', {})"),
        (
            SPARK,
            "date_format(tz, 'yyyy-MM-dd')",
            "DATE_FORMAT(DATE_TRUNC('second', {}), '%Y-%m-%d')",
        ),
        (POSTGRESQL, "extract(hour from tz)", "EXTRACT(HOUR FROM {})"),
        (POSTGRESQL, "extract(dow from tz)", "(DAY_OF_WEEK({}) % 7)"),
        (POSTGRESQL, "tz::date", "CAST({} AS DATE)"),
        (POSTGRESQL, "to_char(tz, 'YYYY')", "DATE_FORMAT(DATE_TRUNC('second', {}), '%Y')"),
        (POSTGRESQL, "tz + interval '1 month'", "{} + INTERVAL '1' MONTH"),
        (MYSQL, "hour(tz)", "HOUR({})"),
    ],
)
def test_a_clock_shows_the_zone_of_the_session_in_a_draft_for_trino(
    home: str, expression: str, expected: str
) -> None:
    assert draft(expression, home, TRINO) == expected.format(ZONED)


@pytest.mark.parametrize(
    "expression", ["tz > DATE '2024-01-01'", "hour(ts)", "hour(current_timestamp)", "max(tz)"]
)
def test_what_has_no_zone_of_its_own_or_no_clock_stays(expression: str) -> None:
    assert "AT_TIMEZONE" not in draft(expression, SPARK, TRINO)
    assert "zone" not in doubts(expression, TRINO, SPARK) + told(expression, TRINO, SPARK)


def test_the_zone_of_a_value_of_trino_is_told() -> None:
    for clock in ("hour(tz)", "CAST(tz AS date)", "date_trunc('day', tz)"):
        assert "zone of each value to Trino" in doubts(clock, TRINO, SPARK)
        assert "zone of each value to Trino" in told(clock, TRINO, SPARK)
    assert "that of each value" in told("hour(tz)", SPARK, TRINO)


def test_days_added_to_an_instant_are_told() -> None:
    later = "tz + interval '1' day"
    for home, into in ((POSTGRESQL, TRINO), (SPARK, TRINO), (TRINO, SPARK)):
        assert "23 or 25 hours" in doubts(later, home, into)
        assert "23 or 25 hours" not in doubts("ts + interval '1' day", home, into)
    assert "23 or 25 hours" not in doubts(later, POSTGRESQL, SPARK)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("i * 1000", "CAST(i AS BIGINT) * 1000"),
        ("1000 * i", "1000 * CAST(i AS BIGINT)"),
        ("si * si", "CAST(si AS BIGINT) * si"),
        ("i + 1 + 2", "CAST(i AS BIGINT) + 1 + 2"),
        ("(i - 1) * i", "(CAST(i AS BIGINT) - 1) * i"),
        ("l + 1", "l + 1"),
        ("char_length(s) * 3", "CAST(LENGTH(s) AS BIGINT) * 3"),
        ("p + 1", "p + 1"),
        ("d * i", "d * i"),
    ],
)
def test_whole_numbers_of_mysql_are_calculated_with_as_long_ones(
    expression: str, expected: str
) -> None:
    assert draft(expression, MYSQL, TRINO) == draft(expression, MYSQL, SPARK) == expected
    if "CAST" in expected and "char" not in expression:
        assert draft(expression, POSTGRESQL, TRINO) == expression


@pytest.mark.parametrize(
    ("expression", "is_told"),
    [
        ("s < 'B'", True),
        ("s BETWEEN 'a' AND 'c'", True),
        ("max(s)", True),
        ("greatest(s, 'x')", True),
        ("row_number() OVER (ORDER BY s)", True),
        ("string_agg(s, ',' ORDER BY s)", True),
        ("(SELECT s FROM db.t ORDER BY s LIMIT 1)", True),
        ("(SELECT DISTINCT ON (i) l FROM db.t ORDER BY i, s)", True),
        ("s = 'B'", False),
        ("s IN ('a', 'B')", False),
        ("count(DISTINCT s)", False),
        ("i < 5", False),
        ("dt < '2024-01-01'", False),
        ("max(dt)", False),
    ],
)
def test_the_order_of_texts_of_postgresql_is_told(expression: str, is_told: bool) -> None:
    for into in (TRINO, SPARK):
        assert ("PostgreSQL orders texts" in doubts(expression, POSTGRESQL, into)) is is_told
        assert not is_told or "orders texts" not in doubts("s < 'B'", SPARK, TRINO)


def test_rows_that_only_come_in_an_order_are_the_same() -> None:
    for end, is_told in (("", False), (" LIMIT 3", True)):
        sql = f"SELECT s FROM db.t ORDER BY s{end}"
        made = translated(sql, POSTGRESQL, TRINO, {NAME: NAME}, COLUMNS)
        assert ("PostgreSQL orders texts" in "; ".join(made.doubts)) is is_told


def test_try_cast_of_spark_takes_no_fraction_for_a_whole_number() -> None:
    assert draft("try_cast(s AS INT)", SPARK, TRINO) == "TRY_CAST(TRIM(s) AS INTEGER)"
    assert "([.][0-9]*)?" in draft("CAST(s AS INT)", SPARK, TRINO)
    assert draft("try_cast(i AS SMALLINT)", SPARK, TRINO) == "TRY_CAST(i AS SMALLINT)"


@pytest.mark.parametrize("of", ["s", "ts", "'2024-02-30'", "'2024-02-29'", "substr(s, 1, 10)"])
def test_a_date_of_hive_is_a_cast(of: str) -> None:
    for into in (SPARK, TRINO):
        assert drafted(f"date({of})", HIVE, into) == drafted(f"CAST({of} AS DATE)", HIVE, into)
        assert told(f"date({of})", HIVE, into) == told(f"CAST({of} AS DATE)", HIVE, into)
    assert draft("date(s)", HIVE, SPARK) == "TRY_CAST(s AS DATE)"
    assert "NULL to Hive, an error" in told("date(s)", HIVE, TRINO)


def test_the_least_of_rows_is_told_of_hive_and_beside_trino() -> None:
    for least in ("min(named_struct('a', i, 'b', l)).b", "max(named_struct('a', s, 'b', i)).b"):
        for home, into in ((HIVE, SPARK), (HIVE, TRINO), (SPARK, TRINO)):
            assert "of rows with a NULL" in doubts(least, home, into)
        for home, reader in ((HIVE, SPARK), (HIVE, TRINO), (SPARK, HIVE)):
            assert "of rows with a NULL" in told(least, home, reader)
    assert "of rows" not in doubts("max(i)", HIVE, SPARK) + told("max(i)", HIVE, SPARK)


@pytest.mark.parametrize("pattern", ["[[:alpha:]]", "[^[:space:]]", r"a\\h", r"\\R"])
def test_a_pattern_that_trino_reads_otherwise_has_no_draft(pattern: str) -> None:
    for home in (SPARK, HIVE):
        for of in ("s RLIKE '{}'", "regexp_replace(s, '{}', 'x')", "split(s, '{}')"):
            assert draft(of.format(pattern), home, TRINO) == ""
            is_parted = of.startswith("split")  # by the letters of the pattern to Trino
            assert is_parted or "take other letters" in told(of.format(pattern), home, TRINO)
            assert draft(of.format(pattern), HIVE, SPARK)
    of_trino = pattern.replace("\\\\", "\\")
    assert draft(f"regexp_like(s, '{of_trino}')", TRINO, SPARK) == ""
    assert "take other letters" in told(f"regexp_like(s, '{of_trino}')", TRINO, SPARK)


@pytest.mark.parametrize("pattern", [r"\\p{Lower}", r"\\P{Alpha}+", "(?i)é", "(?si)É"])
def test_a_pattern_that_takes_other_letters_beyond_ascii_is_told(pattern: str) -> None:
    for home in (SPARK, HIVE):
        assert "beyond ASCII" in doubts(f"s RLIKE '{pattern}'", home, TRINO)
        assert "beyond ASCII" in told(f"s RLIKE '{pattern}'", home, TRINO)
    of_trino = "regexp_like(s, '{}')".format(pattern.replace("\\\\", "\\"))
    assert "beyond ASCII" in doubts(of_trino, TRINO, SPARK)
    assert "beyond ASCII" in told(of_trino, TRINO, SPARK)


@pytest.mark.parametrize("pattern", ["(?i)e", "é", "[a-z]+", r"\\p{L}", r"\\\\h", "[[a]]", "a$"])
def test_a_pattern_that_is_the_same_to_both_is_not_told(pattern: str) -> None:
    assert not doubts(f"s RLIKE '{pattern}'", SPARK, TRINO)
    assert "letters" not in told(f"s RLIKE '{pattern}'", SPARK, TRINO)


@pytest.mark.parametrize("row", ["(i, l + 1)", "ROW(i, l + 1)"])
def test_a_row_of_postgresql_is_null_field_by_field(row: str) -> None:
    for into in (TRINO, SPARK):
        assert draft(f"{row} IS NULL", POSTGRESQL, into) == "(i IS NULL AND (l + 1) IS NULL)"
        none = draft(f"{row} IS NOT NULL", POSTGRESQL, into)
        assert none == "(i IS NOT NULL AND (l + 1) IS NOT NULL)"
        assert draft("i IS NULL", POSTGRESQL, into) == "i IS NULL"


@pytest.mark.parametrize(
    ("expression", "to_trino", "of_trino"),
    [
        (
            "f IN (0.1, 1)",
            "CAST(f AS DOUBLE) IN (0.1, 1)",
            "f IN (CAST(0.1 AS FLOAT), CAST(1 AS FLOAT))",
        ),
        (
            "f BETWEEN 0 AND 0.1",
            "CAST(f AS DOUBLE) BETWEEN 0 AND 0.1",
            "f BETWEEN CAST(0 AS FLOAT) AND CAST(0.1 AS FLOAT)",
        ),
        (
            "CASE f WHEN 0.1 THEN 1 END",
            "CASE CAST(f AS DOUBLE) WHEN 0.1 THEN 1 END",
            "CASE f WHEN CAST(0.1 AS FLOAT) THEN 1 END",
        ),
        (
            "nullif(f, 0.1)",
            "CAST(NULLIF(CAST(f AS DOUBLE), 0.1) AS REAL)",
            "NULLIF(f, CAST(0.1 AS FLOAT))",
        ),
        ("sum(f)", "SUM(CAST(f AS DOUBLE))", "CAST(SUM(f) AS FLOAT)"),
        (
            "sum(f) OVER (PARTITION BY i)",
            "SUM(CAST(f AS DOUBLE)) OVER (PARTITION BY i)",
            "CAST(SUM(f) OVER (PARTITION BY i) AS FLOAT)",
        ),
        ("d IN (0.1)", "d IN (0.1)", "d IN (0.1)"),
        ("f IN (d)", "CAST(f AS DOUBLE) IN (d)", "f IN (d)"),
        ("f IN (f)", "f IN (f)", "f IN (f)"),
        (
            "CASE WHEN f > d THEN 1 END",
            "CASE WHEN CAST(f AS DOUBLE) > d THEN 1 END",
            "CASE WHEN f > d THEN 1 END",
        ),
    ],
)
def test_a_number_of_four_bytes_is_as_long_beside_others_as_at_home(
    expression: str, to_trino: str, of_trino: str
) -> None:
    assert draft(expression, SPARK, TRINO) == to_trino
    assert draft(expression, TRINO, SPARK) == of_trino


def test_a_number_of_four_bytes_beside_a_decimal_of_hive_has_no_draft() -> None:
    for beside in ("f IN (0.1)", "nullif(f, 0.1)", "CASE f WHEN 0.1 THEN 1 END"):
        assert draft(beside, HIVE, SPARK) == draft(beside, HIVE, TRINO) == ""
    assert draft("sum(f)", HIVE, SPARK) == "SUM(f)"
    assert draft("sum(f)", POSTGRESQL, TRINO) == "SUM(f)"


@pytest.mark.parametrize(
    ("expression", "is_told"),
    [
        ("cast(s as signed)", True),
        ("cast(s as decimal(10,2))", True),
        ("cast(c as date)", True),
        ("cast(s as datetime)", True),
        ("date(s)", True),
        ("str_to_date(s, '%Y-%m-%d')", True),
        ("s = 1", True),
        ("s BETWEEN 1 AND 2", True),
        ("dt > s", True),
        ("s + 1", True),
        ("sum(s)", True),
        ("cast(s as char)", False),
        ("cast(i as signed)", False),
        ("cast('2024-01-01' as date)", False),
        ("s = '1'", False),
        ("i = '1'", False),
        ("date(ts)", False),
        ("sum(i)", False),
    ],
)
def test_texts_that_mysql_takes_for_numbers_and_days_are_told(
    expression: str, is_told: bool
) -> None:
    for into in (TRINO, SPARK):
        assert ("that it begins with" in doubts(expression, MYSQL, into)) is is_told
    assert "begins with" not in doubts("CAST(s AS INT)", SPARK, TRINO)


def test_bits_that_two_numbers_of_mysql_share_have_no_sign() -> None:
    for into, masked in ((SPARK, "i & 1"), (TRINO, "BITWISE_AND(i, 1)")):
        assert draft("i & si", MYSQL, into) == draft("i & -2", MYSQL, into) == ""
        assert draft("i & 1", MYSQL, into) == masked
    assert draft("i & si", POSTGRESQL, SPARK) == "i & si"


def test_cardinality_of_spark_is_its_size() -> None:
    of_list = "cardinality(filter(array(i), x -> x > 1))"
    assert draft(of_list, SPARK, TRINO) == draft(
        of_list.replace("cardinality", "size"), SPARK, TRINO
    )
    assert "-1 to Spark out of ANSI mode" in doubts(of_list, SPARK, TRINO)
    assert "of NULL it is -1 to Spark" in told(of_list, SPARK, TRINO, ansi=False)
    assert "-1" not in told(of_list, SPARK, TRINO)


def test_what_is_cut_to_a_week_is_null_to_hive() -> None:
    assert draft("trunc(dt, 'WEEK')", HIVE, TRINO) == draft("trunc(dt, 'WEEK')", HIVE, SPARK) == ""
    assert draft("trunc(dt, 'MM')", HIVE, TRINO)


def test_a_seed_of_mysql_draws_other_numbers() -> None:
    assert draft("rand(3)", MYSQL, SPARK) == draft("rand(3)", MYSQL, TRINO) == ""
    assert draft("rand()", MYSQL, SPARK) == "RAND()"


def test_a_time_before_1970_by_its_seconds_is_told_of_mysql() -> None:
    for into in (SPARK, TRINO):
        assert "NULL to MySQL" in doubts("from_unixtime(i)", MYSQL, into)
        assert not doubts("from_unixtime(86400)", MYSQL, into)


def test_distinct_texts_that_are_put_together_may_stand_in_another_order() -> None:
    assert "another order" in doubts("string_agg(DISTINCT s, ',')", POSTGRESQL, SPARK)
    ordered = "string_agg(DISTINCT s, ',' ORDER BY s)"
    assert "another order" not in doubts(ordered, POSTGRESQL, SPARK)
