"""What drafts say otherwise, as the engine that they are for has no such function, name or type.

Each pair was asked of Spark 4.3.0, HiveServer2 2.3.10 and Trino 476 over the same rows on
2026-11-30.
"""

import pytest

from discovery.lineage.translation import Translation, translated
from discovery.model import (
    HIVE,
    MYSQL,
    POSTGRESQL,
    SPARK,
    TRINO,
    Column,
    ListOf,
    MapOf,
    Primitive,
)
from discovery.ports import Name

NAME: Name = ("t",)
AS_TEXT = "CAST(i AS VARCHAR)"
INTEGER, STRING = Primitive("integer"), Primitive("string")
COLUMNS: dict[Name, list[Column]] = {
    NAME: [
        Column("i", INTEGER),
        Column("si", Primitive("short")),
        Column("b", Primitive("long")),
        Column("d", Primitive("double")),
        Column("p", Primitive("decimal(10,2)")),
        Column("s", STRING),
        Column("bo", Primitive("boolean")),
        Column("dt", Primitive("date")),
        Column("ts", Primitive("timestamp")),
        Column("millis", Primitive("timestamp(3)")),
        Column("instant", Primitive("timestamp_tz")),
        Column("ai", ListOf(INTEGER)),
        Column("m", MapOf(STRING, INTEGER)),
    ]
}


def drafted(sql: str, home: str, into: str) -> Translation:
    return translated(sql, home, into, {NAME: NAME}, COLUMNS)


def draft(expression: str, home: str = SPARK, into: str = TRINO) -> str:
    """An expression of a draft; empty: there is none."""
    sql = drafted(f"SELECT {expression} AS r FROM t", home, into).sql
    return sql.removeprefix("SELECT ").removesuffix(" AS r FROM t")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("isnull(s)", "(s IS NULL)"),
        ("isnotnull(i + 1)", "(NOT ((i + 1) IS NULL))"),
        ("i - negative(si)", "i - (-(si))"),
        ("positive(i)", "(i)"),
        ("printf('%s-%d', s, i)", "FORMAT('%s-%d', s, i)"),
        ("format_string('%s', s)", "FORMAT('%s', s)"),
        ("hex(s)", "TO_HEX(TO_UTF8(s))"),
        ("hex(b)", "REGEXP_REPLACE(TO_HEX(TO_BIG_ENDIAN_64(b)), '^0+(?=.)', '')"),
        ("elt(i, s, 'x')", "CASE i WHEN 1 THEN s WHEN 2 THEN 'x' END"),
        ("find_in_set(s, 'a,b')", "CAST(ARRAY_POSITION(SPLIT('a,b', ','), s) AS INTEGER)"),
        (
            "make_date(i, i, 1)",
            f"CAST(CONCAT({AS_TEXT}, '-', {AS_TEXT}, '-', CAST(1 AS VARCHAR)) AS DATE)",
        ),
        ("next_day(dt, 'MO')", "DATE_ADD('day', MOD(7 - DAY_OF_WEEK(dt), 7) + 1, dt)"),
        ("next_day(dt, 'sunday')", "DATE_ADD('day', MOD(13 - DAY_OF_WEEK(dt), 7) + 1, dt)"),
        ("contains(s, 'b')", "(STRPOS(s, 'b') > 0)"),
        ("endswith(s, 'b')", "(SUBSTR(s, -LENGTH('b')) = 'b')"),
        ("zeroifnull(i)", "COALESCE(i, 0)"),
        ("nullifzero(i)", "NULLIF(i, 0)"),
        ("bit_length(s)", "(8 * LENGTH(TO_UTF8(s)))"),
        (
            "ascii(s)",
            "CASE WHEN s = '' THEN 0 ELSE CODEPOINT(CAST(SUBSTR(s, 1, 1) AS VARCHAR(1))) END",
        ),
        ("some(bo)", "BOOL_OR(bo)"),
        ("get(ai, 1)", "ELEMENT_AT(ai, 2)"),
        ("forall(ai, x -> x > 0)", "ALL_MATCH(ai, x -> x > 0)"),
        ("array_append(ai, 3)", "CONCAT(ai, ARRAY[3])"),
        ("array_prepend(ai, 3)", "CONCAT(ARRAY[3], ai)"),
        ("array_compact(ai)", "FILTER(ai, x -> NOT x IS NULL)"),
        ("array_repeat(i, 3)", "REPEAT(i, 3)"),
        ("map_contains_key(m, 'a')", "CONTAINS(MAP_KEYS(m), 'a')"),
        ("try_add(i, si)", "TRY(i + si)"),
        ("try_subtract(i, si)", "TRY(i - si)"),
        ("try_multiply(i, 2)", "TRY(i * 2)"),
        ("try_divide(i, si)", "(CAST((i) AS DOUBLE) / NULLIF(si, 0))"),
        (
            "try_divide(p, si)",
            "(CAST(CAST((p) AS DECIMAL(38, 8)) / NULLIF(si, 0) AS DECIMAL(16, 8)))",
        ),
        ("nanvl(d, 0)", "CASE WHEN IS_NAN(d) THEN 0 ELSE d END"),
        ("dayname(dt)", "DATE_FORMAT(dt, '%a')"),
        ("monthname(dt)", "DATE_FORMAT(dt, '%b')"),
        ("date_part('week', dt)", "EXTRACT(WEEK FROM dt)"),
        ("to_char(dt, 'yyyy-MM-dd')", "DATE_FORMAT(dt, '%Y-%m-%d')"),
        ("to_char(i, '999')", ""),
        ("bigint(si)", "CAST(si AS BIGINT)"),
        ("decimal(i)", "CAST(i AS DECIMAL(10, 0))"),
        ("btrim(s)", "TRIM(BOTH ' ' FROM s)"),
        ("regexp(s, 'a')", "REGEXP_LIKE(s, 'a')"),
        ("bit_count(si)", "BIT_COUNT(CAST(si AS BIGINT), 64)"),
        ("crc32(s)", "CRC32(TO_UTF8(s))"),
        ("equal_null(b, si)", "(b IS NOT DISTINCT FROM si)"),
        ("printf('%.2f', d)", "FORMAT('%.2f', d)"),
        ("dt + 1", "DATE_ADD('DAY', 1, dt)"),
        ("dt - si", "DATE_ADD('DAY', CAST(si AS BIGINT) * -1, dt)"),
        ("s LIKE ANY ('a%', '%c')", "(s LIKE 'a%' OR s LIKE '%c')"),
        ("s NOT LIKE ANY ('a%', '%c')", "(NOT s LIKE 'a%' OR NOT s LIKE '%c')"),
        ("s LIKE ALL ('a%', '%c')", "(s LIKE 'a%' AND s LIKE '%c')"),
        ("s NOT LIKE ALL ('a%', '%c')", "(NOT s LIKE 'a%' AND NOT s LIKE '%c')"),
        ("s LIKE ANY ('a%')", "(s LIKE 'a%')"),
    ],
)
def test_a_function_that_trino_does_not_have_is_said_otherwise(
    expression: str, expected: str
) -> None:
    assert draft(expression) == expected


def test_a_function_stays_as_it_is_where_a_type_would_be_another() -> None:
    assert draft("printf('%s', dt)") == "PRINTF('%s', dt)"
    assert draft("printf('%s', p)", HIVE) == "", "a decimal has no zeros at its end there"
    assert draft("next_day(s, 'MO')") == "NEXT_DAY(s, 'MO')"
    assert draft("next_day(dt, 'MO')", HIVE) == "NEXT_DAY(dt, 'MO')", "a text to Hive"
    assert draft("field(s, 'a')", HIVE) == "CASE s WHEN 'a' THEN 1 ELSE 0 END"
    assert draft("field(i, 1)", HIVE) == "FIELD(i, 1)"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("format('%s|%s', s, dt)", "FORMAT_STRING('%s|%s', s, CAST(dt AS STRING))"),
        ("format('%s', ts)", ""),
        ("none_match(ai, x -> x > 1)", "(NOT EXISTS(ai, x -> x > 1))"),
        ("year_of_week(dt)", "EXTRACT(YEAROFWEEK FROM dt)"),
        ("codepoint('a')", "ASCII('a')"),
        ("to_iso8601(dt)", "CAST(dt AS STRING)"),
        ("to_iso8601(ts)", "TO_ISO8601(ts)"),
        ("date_add('day', si, ts)", "DATE_ADD(DAY, si, ts)"),
        ("format_datetime(dt, 'EEE, d MMM yyyy')", "DATE_FORMAT(dt, 'EEE, d MMM yyyy')"),
        ("format_datetime(dt, 'D')", "FORMAT_DATETIME(dt, 'D')"),
        ("CAST(json_parse(s) AS varchar)", ""),
        ("regr_intercept(i, si)", ""),
        ("bitwise_left_shift(i, 2)", "SHIFTLEFT(i, 2)"),
        ("bitwise_right_shift(b, 2)", "SHIFTRIGHTUNSIGNED(b, 2)"),
        ("bitwise_right_shift_arithmetic(i, 2)", "SHIFTRIGHT(i, 2)"),
        ("bitwise_left_shift(si, 2)", ""),
        ("bitwise_left_shift(i, 32)", ""),
        ("ai || 3", "CONCAT(ai, ARRAY(3))"),
        ("3 || ai", "CONCAT(ARRAY(3), ai)"),
        ("ai || ai", "ai || ai"),
        ("try(CAST(s AS integer))", "TRY_CAST(s AS INT)"),
        (
            "array_agg(s)",
            "NULLIF(TRANSFORM(COLLECT_LIST(STRUCT(s AS v)), v -> v.v), ARRAY())",
        ),
        (
            "truncate(p, 1)",
            "CAST(CASE WHEN p < 0 THEN CEIL(p, 1) ELSE FLOOR(p, 1) END AS DECIMAL(10, 2))",
        ),
        ("json_extract_scalar(s, '$.a[0]')", "GET_JSON_OBJECT(s, '$.a[0]')"),
    ],
)
def test_a_function_of_trino_is_said_otherwise_to_spark(expression: str, expected: str) -> None:
    assert draft(expression, TRINO, SPARK) == expected


@pytest.mark.parametrize("home", [SPARK, HIVE])
@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("shiftleft(si, 2)", "BITWISE_LEFT_SHIFT(CAST(si AS INTEGER), 2)"),
        ("shiftleft(b, 40)", "BITWISE_LEFT_SHIFT(b, 40)"),
        ("shiftright(i, 1)", "BITWISE_RIGHT_SHIFT_ARITHMETIC(i, 1)"),
        ("shiftleft(i, 33)", ""),
        ("shiftleft(i, si)", ""),
        ("shiftleft(s, 2)", ""),
    ],
)
def test_bits_are_shifted_within_as_many(home: str, expression: str, expected: str) -> None:
    assert draft(expression, home) == expected


@pytest.mark.parametrize("home", [SPARK, HIVE, MYSQL])
@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("substr(dt, 1, 7)", "SUBSTR(CAST(dt AS VARCHAR), 1, 7)"),
        ("left(dt, 4)", "SUBSTR(CAST(dt AS VARCHAR), 1, 4)"),
        ("substr(i, 1, 4)", "SUBSTR(CAST(i AS VARCHAR), 1, 4)"),
        ("replace(dt, '-', '')", "REPLACE(CAST(dt AS VARCHAR), '-', '')"),
        ("trim(i)", "TRIM(BOTH ' ' FROM CAST(i AS VARCHAR))"),
        (
            "substr(ts, 1, 10)",
            "SUBSTR(DATE_FORMAT(DATE_TRUNC('second', ts), '%Y-%m-%d %T'), 1, 10)",
        ),
        ("left(ts, 4)", "SUBSTR(DATE_FORMAT(DATE_TRUNC('second', ts), '%Y-%m-%d %T'), 1, 4)"),
        ("upper(d)", ""),
    ],
)
def test_a_function_of_texts_takes_texts_alone(home: str, expression: str, expected: str) -> None:
    assert draft(expression, home) == expected


@pytest.mark.parametrize("home", [SPARK, HIVE, MYSQL])
def test_a_text_stays_as_it_is(home: str) -> None:
    assert draft("substr(s, 1, 7)", home) == "SUBSTR(s, 1, 7)"
    assert draft("replace(s, '-', '')", home) == "REPLACE(s, '-', '')"


def test_a_pattern_takes_texts_alone() -> None:
    assert draft("i LIKE '2%'") == "CAST(i AS VARCHAR) LIKE '2%'"
    assert draft("dt LIKE '2024%'", HIVE) == "CAST(dt AS VARCHAR) LIKE '2024%'"
    seconds = "DATE_FORMAT(DATE_TRUNC('second', ts), '%Y-%m-%d %T')"
    assert draft("ts LIKE '2024-%'") == f"{seconds} LIKE '2024-%'"
    assert draft("p LIKE '2%'", HIVE) == "", "without zeros at its end to Hive"
    assert draft("i LIKE '2%'", POSTGRESQL) == "i LIKE '2%'", "PostgreSQL refuses it"


def test_names_that_a_select_gives_are_put_out_where_trino_takes_none() -> None:
    def draft_of(sql: str, home: str = SPARK) -> str:
        return drafted(sql, home, TRINO).sql

    by_name = draft_of("SELECT upper(s) AS x, count(*) AS n FROM t GROUP BY x HAVING n > 1")
    assert (
        by_name
        == "SELECT UPPER(s) AS x, COUNT(*) AS n FROM t GROUP BY UPPER(s) HAVING (COUNT(*)) > 1"
    )
    beside = draft_of("SELECT i + 1 AS j, j * 2 AS r FROM t")
    assert beside == "SELECT i + 1 AS j, (i + 1) * 2 AS r FROM t"
    of_column = draft_of("SELECT i AS s, count(*) AS r FROM t GROUP BY s")
    assert of_column == "SELECT i AS s, COUNT(*) AS r FROM t GROUP BY s", "the column comes first"
    number = draft_of("SELECT 5 AS x, count(*) AS r FROM t GROUP BY x HAVING x > 3")
    assert number == "SELECT 5 AS x, COUNT(*) AS r FROM t GROUP BY 1 HAVING (5) > 3"
    within = draft_of("SELECT y, count(*) AS c FROM (SELECT *, 1 AS y FROM t) q GROUP BY y")
    assert within.endswith("GROUP BY y")
    rolled = draft_of("SELECT bo AS x, count(*) AS r FROM t GROUP BY x WITH ROLLUP")
    assert rolled.endswith("GROUP BY ROLLUP (bo)")
    of_unknown = (
        "SELECT f(a) AS x, count(*) AS r FROM (SELECT * FROM t CROSS JOIN unnest(z)) GROUP BY x"
    )
    assert draft_of(of_unknown).endswith("GROUP BY x")


def test_a_name_alone_stays_the_name_of_its_column() -> None:
    alone = drafted("SELECT i + 1 AS j, j FROM t", SPARK, TRINO).sql
    assert alone == "SELECT i + 1 AS j, (i + 1) AS j FROM t"


def test_a_name_beside_its_value_is_a_column_to_all_but_spark() -> None:
    beside = "SELECT i + 1 AS i, i * 2 AS r FROM t"
    for home in (SPARK, HIVE, POSTGRESQL):
        assert "i * 2 AS r" in drafted(beside, home, TRINO).sql
    assert "CAST(i AS BIGINT) * 2 AS r" in drafted(beside, MYSQL, TRINO).sql
    unknown = "SELECT i + 1 AS j, j * 2 AS r FROM t"
    assert "j * 2 AS r" in drafted(unknown, MYSQL, TRINO).sql


def test_a_name_of_what_changes_each_time_has_no_draft() -> None:
    drawn = drafted("SELECT rand() AS x, x + 1 AS r FROM t", SPARK, TRINO)
    assert (drawn.sql, drawn.why) == ("", "x would mean something else in Trino")


def test_names_that_stand_for_each_other_do_not_grow_for_ever() -> None:
    chain = ", ".join(f"x{n} + x{n} AS x{n + 1}" for n in range(40))
    grown = drafted(f"SELECT i AS x0, {chain} FROM t", SPARK, TRINO)
    assert (grown.sql, grown.why) == ("", "its names stand for too long a text")


def test_group_by_all_is_by_places() -> None:
    by_all = "SELECT si, year(dt) AS y, count(*) AS n FROM t GROUP BY ALL"
    assert drafted(by_all, SPARK, TRINO).sql.endswith("GROUP BY 1, 2")
    assert drafted("SELECT count(*) AS n FROM t GROUP BY ALL", SPARK, TRINO).sql.endswith(
        "GROUP BY ()"
    )
    of_unknown = "SELECT si, f(i) AS n FROM t GROUP BY ALL"
    assert drafted(of_unknown, SPARK, TRINO).sql.endswith("GROUP BY ALL")


def test_any_of_a_query_is_in_it() -> None:
    sql = "SELECT i FROM t WHERE i = ANY (SELECT si FROM t)"
    for home in (TRINO, POSTGRESQL):
        assert "i IN (SELECT si FROM t)" in drafted(sql, home, SPARK).sql


def test_numbers_that_postgresql_formats_have_no_draft() -> None:
    for into in (SPARK, TRINO):
        assert draft("to_char(i, '999')", POSTGRESQL, into) == ""
        assert draft("to_char(dt, 'YYYY')", POSTGRESQL, into)


@pytest.mark.parametrize(
    ("expression", "home", "expected"),
    [
        ("hex(s)", MYSQL, "TO_HEX(TO_UTF8(s))"),
        ("elt(2, s, 'x')", MYSQL, "CASE 2 WHEN 1 THEN s WHEN 2 THEN 'x' END"),
        ("crc32(s)", MYSQL, "CRC32(TO_UTF8(s))"),
        ("bit_count(i)", MYSQL, "BIT_COUNT(CAST(i AS BIGINT), 64)"),
        ("bit_length(s)", POSTGRESQL, "(8 * LENGTH(TO_UTF8(s)))"),
        ("s ~ similar_to_escape('a%'::text)", POSTGRESQL, "s LIKE 'a%'"),
        ("concat(s, NULL::unknown)", POSTGRESQL, draft("concat(s, NULL)", POSTGRESQL)),
        ("'abc'::character(5)", POSTGRESQL, ""),
    ],
)
def test_databases_have_functions_that_trino_has_not(
    expression: str, home: str, expected: str
) -> None:
    assert draft(expression, home) == expected


def test_similar_to_with_signs_of_its_own_is_no_like() -> None:
    assert "LIKE '" not in draft("s ~ similar_to_escape('(a|b)%'::text)", POSTGRESQL)


@pytest.mark.parametrize("into", [SPARK, TRINO])
def test_a_join_in_brackets_without_a_condition_is_crossed(into: str) -> None:
    """As MySQL and MariaDB keep `FROM t a, t b`; sqlglot puts a comma, which nobody else reads."""
    kept = "SELECT a.i FROM (t a JOIN t b) WHERE a.i = b.i"
    assert "FROM (t AS a CROSS JOIN t AS b) WHERE" in drafted(kept, MYSQL, into).sql
    three = "SELECT a.i FROM ((t a JOIN t b) LEFT JOIN t c ON c.i = b.i)"
    assert "((t AS a CROSS JOIN t AS b) LEFT JOIN t AS c ON" in drafted(three, MYSQL, into).sql


def test_seconds_since_1970_are_those_of_the_clock() -> None:
    since = "CAST('1970-01-01 00:00:00' AS TIMESTAMP_NTZ)"
    micros = f"TIMESTAMPDIFF(MICROSECOND, {since}, CAST(ts AS TIMESTAMP_NTZ))"
    seconds = f"CAST(CAST({micros} AS DECIMAL(20, 0)) * 0.000001 AS DECIMAL(26, 6))"
    assert draft("EXTRACT(epoch FROM ts)", POSTGRESQL, SPARK) == seconds
    assert draft("to_unixtime(ts)", TRINO, SPARK) == f"CAST({seconds} AS DOUBLE)"
    of_double = draft("date_part('epoch'::text, ts)", POSTGRESQL, SPARK)
    assert of_double == f"CAST({seconds} AS DOUBLE)"
    assert draft("EXTRACT(epoch FROM s)", POSTGRESQL, SPARK) == ""


@pytest.mark.parametrize(
    ("expression", "home", "into", "expected"),
    [
        ("floor(i) / 2", POSTGRESQL, TRINO, "CAST(i AS DOUBLE) / 2"),
        ("CAST(ceil(p) AS INT)", POSTGRESQL, TRINO, "CAST(CEIL(p) AS INTEGER)"),
        ("CAST(floor(p) AS INTEGER)", TRINO, SPARK, "CAST(ROUND(FLOOR(p)) AS INT)"),
        ("floor(i) / 2", TRINO, SPARK, "CAST(FLOOR(i) DIV 2 AS INT)"),
        ("space(2)", SPARK, TRINO, "RPAD('', 2, ' ')"),
        ("space(i)", SPARK, TRINO, ""),
        ("repeat(s, i)", SPARK, TRINO, ""),
        ("repeat(i, 2)", SPARK, TRINO, ""),
    ],
)
def test_whole_and_repeated_values_are_what_they_are_at_home(
    expression: str, home: str, into: str, expected: str
) -> None:
    assert draft(expression, home, into) == expected


@pytest.mark.parametrize("home", [SPARK, HIVE, MYSQL, POSTGRESQL])
def test_a_text_that_is_repeated_is_no_array(home: str) -> None:
    repeated = "CASE WHEN s IS NULL THEN NULL ELSE ARRAY_JOIN(REPEAT(s, 2), '') END"
    assert draft("repeat(s, 2)", home) == repeated


SHOWN = (
    r"REGEXP_REPLACE(REGEXP_REPLACE(CAST(CAST(ts AS TIMESTAMP(6)) AS VARCHAR), "
    r"'(\.[0-9]*?)0+$', '$1'), '\.$', '')"
)


@pytest.mark.parametrize(
    ("home", "expression"),
    [
        (SPARK, "CAST(ts AS STRING)"),
        (HIVE, "CAST(ts AS STRING)"),
        (POSTGRESQL, "CAST(ts AS VARCHAR)"),
    ],
)
def test_a_time_is_the_text_that_it_is_at_home(home: str, expression: str) -> None:
    """Trino shows all digits of its type, these no zeros at the end."""
    assert draft(expression, home) == SHOWN
    assert SHOWN in draft("concat(s, ts)", home)


def test_an_instant_is_the_text_that_it_is_in_the_zone_of_the_session() -> None:
    shown = SHOWN.replace("CAST(ts AS", "CAST(AT_TIMEZONE(instant, CURRENT_TIMEZONE()) AS")
    assert draft("CAST(instant AS STRING)") == shown
    assert draft("CAST(instant AS VARCHAR)", POSTGRESQL) == "", "it is shown with its zone"


def test_a_part_of_a_time_s_text_is_of_all_of_it() -> None:
    assert draft("substr(ts, 1, 23)") == f"SUBSTR({SHOWN}, 1, 23)"
    assert draft("ts LIKE '%00'") == f"{SHOWN} LIKE '%00'"


def test_a_time_of_mysql_shows_all_digits_of_its_column() -> None:
    assert draft("CAST(millis AS CHAR)", MYSQL) == "CAST(CAST(millis AS TIMESTAMP(3)) AS VARCHAR)"


@pytest.mark.parametrize("home", [SPARK, HIVE])
@pytest.mark.parametrize(
    ("expression", "instant", "is_doubted"),
    [
        ("unix_timestamp(ts)", "WITH_TIMEZONE(ts, CURRENT_TIMEZONE())", False),
        (
            "unix_timestamp(dt)",
            "WITH_TIMEZONE(CAST(dt AS TIMESTAMP(6)), CURRENT_TIMEZONE())",
            False,
        ),
        ("unix_timestamp()", "CURRENT_TIMESTAMP", False),
        (
            "unix_timestamp(s, 'yyyyMMdd')",
            "WITH_TIMEZONE(TRY(DATE_PARSE(s, '%Y%m%d')), CURRENT_TIMEZONE())",
            True,
        ),
    ],
)
def test_seconds_since_1970_have_drafts_for_trino(
    home: str, expression: str, instant: str, is_doubted: bool
) -> None:
    assert draft(expression, home) == f"CAST(FLOOR(TO_UNIXTIME({instant})) AS BIGINT)"
    doubts = drafted(f"SELECT {expression} AS r FROM t", home, TRINO).doubts
    assert any("as its format says" in doubt for doubt in doubts) is is_doubted
    assert draft("unix_timestamp(i)", home) == ""


def test_texts_are_read_by_formats_with_a_doubt() -> None:
    read = drafted("SELECT to_timestamp(s, 'yyyy-MM-dd HH:mm') AS r FROM t", SPARK, TRINO)
    assert read.sql == "SELECT DATE_PARSE(s, '%Y-%m-%d %H:%i') AS r FROM t"
    assert any("as its format says" in doubt for doubt in read.doubts)
    assert draft("to_date(s, 'dd/MM/yyyy')") == "CAST(DATE_PARSE(s, '%d/%m/%Y') AS DATE)"


def test_hive_has_its_own_months_and_arrays() -> None:
    later = "DATE_ADD('MONTH', -1, CAST(dt AS DATE))"
    last = f"LAST_DAY_OF_MONTH({later})"
    in_trino = f"CASE WHEN dt = LAST_DAY_OF_MONTH(dt) THEN {last} ELSE {later} END"
    assert draft("add_months(dt, -1)", HIVE) == f"CAST({in_trino} AS VARCHAR)"
    month = "(dt + INTERVAL '-1' MONTH)"
    in_spark = f"CASE WHEN dt = LAST_DAY(dt) THEN LAST_DAY({month}) ELSE {month} END"
    assert draft("add_months(dt, -1)", HIVE, SPARK) == f"CAST({in_spark} AS STRING)"
    assert draft("add_months(dt, i)", HIVE, SPARK) == ""
    assert draft("add_months(s, 1)", HIVE) == ""
    assert draft("add_months(dt, 1)") == "DATE_ADD('MONTH', 1, CAST(dt AS DATE))"
    assert draft("array_contains(ai, 3)", HIVE) == "COALESCE(CONTAINS(ai, 3), FALSE)"
    kept = drafted("SELECT array_contains(ai, 3) AS r FROM t", HIVE, SPARK)
    assert "COALESCE(ARRAY_CONTAINS(ai, 3), FALSE)" in kept.sql
    assert kept.doubts == ()


def test_texts_of_a_group_are_joined() -> None:
    joined = drafted("SELECT concat_ws(',', collect_list(s)) AS r FROM t", HIVE, TRINO)
    assert joined.sql.startswith("SELECT ARRAY_JOIN(COALESCE(ARRAY_AGG(s) FILTER(")
    assert any("another order" in doubt for doubt in joined.doubts)
    assert draft("concat_ws(',', ai)", HIVE) == "", "a NULL in it is `null` to Hive"


def test_grouping_sets_stand_alone() -> None:
    sql = "SELECT si, bo, count(*) AS n FROM t GROUP BY si, bo GROUPING SETS ((si), (si, bo))"
    for home in (HIVE, SPARK):
        assert drafted(sql, home, TRINO).sql.endswith("GROUP BY GROUPING SETS ((si), (si, bo))")


IN_BERLIN = "AT_TIMEZONE(WITH_TIMEZONE(CAST(ts AS TIMESTAMP(6)), 'UTC'), 'Europe/Berlin')"


@pytest.mark.parametrize(
    ("expression", "home", "expected"),
    [
        ("named_struct('a', i, 'b', s)", HIVE, "CAST(ROW(i, s) AS ROW(a INTEGER, b VARCHAR))"),
        ("struct(i, p)", SPARK, "CAST(ROW(i, p) AS ROW(i INTEGER, p DECIMAL(10, 2)))"),
        ("struct(b, d)", SPARK, "CAST(ROW(b, d) AS ROW(b BIGINT, d DOUBLE))"),
        ("struct(i, p)", HIVE, ""),  # its fields are `col1` and `col2`
        ("struct(i, ai)", SPARK, ""),
        ("from_utc_timestamp(ts, 'Europe/Berlin')", HIVE, f"CAST({IN_BERLIN} AS TIMESTAMP(6))"),
    ],
)
def test_rows_and_zones_are_typed(expression: str, home: str, expected: str) -> None:
    assert draft(expression, home) == expected


def test_the_largest_row_is_doubted() -> None:
    largest = drafted("SELECT max(struct(i, s)).s AS r FROM t", SPARK, TRINO)
    assert any("rows with a NULL" in doubt for doubt in largest.doubts)


def test_names_of_days_and_numbers_cut_of_databases_have_drafts() -> None:
    assert draft("dayname(dt)", MYSQL) == "DATE_FORMAT(dt, '%W')"
    assert draft("dayname(dt)", MYSQL, SPARK) == "DATE_FORMAT(dt, 'EEEE')"
    cut = "CASE WHEN p < 0 THEN CEIL(p, 1) ELSE FLOOR(p, 1) END"
    assert draft("truncate(p, 1)", MYSQL, SPARK) == cut
    assert draft("trunc(p, 1)", POSTGRESQL, SPARK) == cut
    assert draft("truncate(d, 1)", MYSQL, SPARK) == ""


@pytest.mark.parametrize("home", [TRINO, POSTGRESQL])
def test_the_order_of_an_array_of_a_group_is_told(home: str) -> None:
    collected = drafted("SELECT array_agg(s) AS r FROM t", home, SPARK)
    assert any("another order" in doubt for doubt in collected.doubts)
    assert drafted("SELECT array_agg(s ORDER BY i) AS r FROM t", home, SPARK).sql == ""


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("to_date(s)", "{}"),
        ("last_day(s)", "LAST_DAY_OF_MONTH({})"),
        ("quarter(s)", "QUARTER({})"),
        ("dayofyear(s)", "DAY_OF_YEAR({})"),
        ("weekofyear(s)", "WEEK_OF_YEAR({})"),
        ("date_add(s, 1)", "DATE_ADD('DAY', 1, CAST(CAST({} AS TIMESTAMP(6)) AS DATE))"),
    ],
)
def test_a_text_that_is_no_day_is_null_as_to_hive(expression: str, expected: str) -> None:
    """Trino fails at the cast of such a text, and so did the whole view."""
    day = draft("CAST(s AS DATE)", HIVE)
    assert day.startswith("TRY_CAST(REGEXP_EXTRACT(s, ")
    assert draft(expression, HIVE) == expected.format(day)


def test_a_text_that_is_no_time_is_null_as_to_hive() -> None:
    shown = "DATE_FORMAT(DATE_TRUNC('SECOND', TRY_CAST(s AS TIMESTAMP(6))), '%Y')"
    assert draft("date_format(s, 'yyyy')", HIVE) == shown


def test_a_later_month_of_hive_is_a_day_where_one_is_taken() -> None:
    assert draft("last_day(add_months(dt, 1))", HIVE).startswith("LAST_DAY_OF_MONTH(CASE WHEN")


def test_words_in_capitals_are_those_behind_blanks() -> None:
    word = "CONCAT(UPPER(SUBSTR(x, 1, 1)), SUBSTR(x, 2))"
    titled = f"ARRAY_JOIN(TRANSFORM(SPLIT(LOWER(s), ' '), x -> {word}), ' ')"
    assert draft("initcap(s)") == titled
    assert drafted("SELECT initcap(s) AS r FROM t", SPARK, TRINO).doubts
    for home in (HIVE, POSTGRESQL):
        assert draft("initcap(s)", home) == ""


def test_a_number_without_room_beside_decimals_is_doubted_for_all() -> None:
    union = "SELECT i AS r FROM t UNION ALL SELECT CAST(p AS decimal(8,1)) FROM t"
    for into in (SPARK, TRINO):
        assert any("too many digits" in doubt for doubt in drafted(union, HIVE, into).doubts)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("month(s)", "MONTH(TRY_CAST(s AS DATE))"),
        ("to_date(s)", "TRY_CAST(s AS DATE)"),
        ("date_add(s, 1)", "DATE_ADD(TRY_CAST(s AS DATE), 1)"),
        ("date_format(s, 'yyyy')", "DATE_FORMAT(TRY_CAST(s AS TIMESTAMP), 'yyyy')"),
        ("month(dt)", "MONTH(dt)"),
    ],
)
def test_a_text_that_is_no_day_is_null_in_ansi_mode_too(expression: str, expected: str) -> None:
    assert draft(expression, HIVE, SPARK) == expected


def test_a_map_of_a_text_has_a_draft_where_each_entry_is_a_pair() -> None:
    """Of `a` it has a key without a value, of nothing an empty key; Trino fails, or has no key."""
    assert draft("str_to_map('a:1,b:2')", HIVE) == "SPLIT_TO_MAP('a:1,b:2', ',', ':')"
    for other in ("str_to_map('')", "str_to_map('a')", "str_to_map(s)", "str_to_map(s, '&', '=')"):
        assert draft(other, HIVE) == ""
        assert draft(other, SPARK) == ""
