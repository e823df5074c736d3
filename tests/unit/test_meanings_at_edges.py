"""What engines make otherwise of edge values is written so that it is the same, or is no draft.

PostgreSQL 18, MariaDB 10.11, Hive 2.3.10, Trino 476 and Spark 4.1.4 were asked on 2026-11-26 over
rows with blanks at the end, fractions of seconds, chars, floating numbers of four bytes and wide
decimals: each draft here gave the rows of its text, and what is refused gave others.
"""

import pytest

from discovery.checks.subject import Returned
from discovery.judging.drafting import Proposal, decide
from discovery.judging.same_rows import Alike, RowsAnswer
from discovery.lineage.translation import translated
from discovery.model import (
    HIVE,
    MYSQL,
    POSTGRESQL,
    SPARK,
    TRINO,
    Column,
    ListOf,
    Primitive,
    Representation,
)
from discovery.ports import ANALYZE, Name, Verdict
from tests.read_elsewhere import meant_otherwise

KINDS = {
    "a": "integer",
    "l": "long",
    "n": "decimal(10,2)",
    "w": "decimal(30,10)",
    "x": "double",
    "f": "float",
    "s": "string",
    "c": "char(5)",
    "d": "date",
    "ts": "timestamp(6)",
    "at": "timestamp_tz(6)",
}
COLUMNS = (
    *(Column(name, Primitive(kind)) for name, kind in KINDS.items()),
    Column("arr", ListOf(Primitive("integer"))),
    Column("words", ListOf(Primitive("string"))),
)
KNOWN: dict[Name, tuple[Column, ...]] = {("p", "t"): COLUMNS}
NAMES: dict[Name, Name] = {("p", "t"): ("c", "p", "t")}


def put(expression: str, dialect: str, into: str) -> str:
    """An expression in a draft; what is said where there is none."""
    made = translated(f"SELECT {expression} AS r FROM p.t", dialect, into, NAMES, KNOWN)
    return made.sql.removeprefix("SELECT ").removesuffix(" AS r FROM c.p.t") or made.why


@pytest.mark.parametrize(
    ("dialect", "into", "text", "draft"),
    [
        (POSTGRESQL, SPARK, "to_timestamp(x)", "TIMESTAMP_SECONDS(x)"),
        (POSTGRESQL, SPARK, "to_timestamp(l)", "CAST(FROM_UNIXTIME(l) AS TIMESTAMP)"),
        (POSTGRESQL, SPARK, "c || '|'", "RTRIM(CAST(c AS STRING)) || '|'"),
        (MYSQL, SPARK, "concat(c, '|')", "CONCAT(RTRIM(CAST(c AS STRING)), '|')"),
        (MYSQL, SPARK, "char_length(c)", "LENGTH(RTRIM(CAST(c AS STRING)))"),
        (MYSQL, TRINO, "octet_length(s)", "LENGTH(TO_UTF8(s))"),
        (HIVE, SPARK, "length(c)", "LENGTH(RTRIM(CAST(c AS STRING)))"),
        (POSTGRESQL, SPARK, "s ~ '[[:digit:]]+'", "s RLIKE '[0-9]+'"),
        (
            POSTGRESQL,
            TRINO,
            r"s ~ '^\w+[\w -]$'",
            r"REGEXP_LIKE(s, '^[\p{L}\p{N}_]+[\p{L}\p{N}_ -]\z')",
        ),
        (
            MYSQL,
            TRINO,
            r"regexp_replace(s, '\\W', '')",
            r"REGEXP_REPLACE(s, '[^\p{L}\p{N}_]', '')",
        ),
        (POSTGRESQL, TRINO, r"s ~ '[]a]\d\.'", r"REGEXP_LIKE(s, '[]a]\d\.')"),
        (POSTGRESQL, SPARK, "s ~* 'a'", "s RLIKE '(?i)a'"),
        (POSTGRESQL, TRINO, "s !~* 'a'", "NOT REGEXP_LIKE(s, '(?i)a')"),
        (POSTGRESQL, SPARK, "n * 1.5", "n * 1.5"),
        (POSTGRESQL, SPARK, "arr[1]", "TRY_ELEMENT_AT(arr, 1)"),
        (POSTGRESQL, TRINO, "ts::timestamptz", "CAST(ts AS TIMESTAMP(6) WITH TIME ZONE)"),
        (TRINO, SPARK, "CAST(ts AS timestamp(6))", "CAST(ts AS TIMESTAMP_NTZ)"),
        (TRINO, SPARK, "CAST(d AS timestamp)", "CAST(d AS TIMESTAMP_NTZ)"),
        (
            TRINO,
            SPARK,
            "timestamp '2024-01-01 00:00:00.123'",
            "CAST('2024-01-01 00:00:00.123' AS TIMESTAMP_NTZ)",
        ),
        (POSTGRESQL, TRINO, "f * 2", "CAST(f AS DOUBLE) * 2"),
        (POSTGRESQL, TRINO, "f = 0.1", "CAST(f AS DOUBLE) = 0.1"),
        (POSTGRESQL, TRINO, "f / 3", "CAST(f AS DOUBLE) / 3"),
        (POSTGRESQL, TRINO, "avg(f)", "AVG(CAST(f AS DOUBLE))"),
        (TRINO, SPARK, "f = 0.1", "f = CAST(0.1 AS FLOAT)"),
        (TRINO, SPARK, "f * x", "f * x"),
        (
            MYSQL,
            SPARK,
            "date_add(d, INTERVAL 1 hour)",
            "(CAST(d AS TIMESTAMP_NTZ) + INTERVAL '1' HOUR)",
        ),
        (MYSQL, SPARK, "date_add(d, INTERVAL 1 day)", "DATE_ADD(d, 1)"),
        (MYSQL, SPARK, "timestampadd(MONTH, 1, d)", "ADD_MONTHS(d, 1)"),
        (MYSQL, TRINO, "timestampadd(MONTH, 1, d)", "DATE_ADD('MONTH', 1, d)"),
        (
            MYSQL,
            SPARK,
            "timestampadd(HOUR, 5, d)",
            "(CAST(d AS TIMESTAMP_NTZ) + INTERVAL '5' HOUR)",
        ),
        (TRINO, SPARK, "arbitrary(a)", "ANY_VALUE(a, TRUE)"),
        (TRINO, SPARK, "repeat(s, 3)", "ARRAY_REPEAT(s, 3)"),
        (TRINO, SPARK, "to_hex(sha256(to_utf8(s)))", "HEX(UNHEX(SHA2(ENCODE(s, 'utf-8'), 256)))"),
        (TRINO, SPARK, "sha1(to_utf8(s))", "UNHEX(SHA(ENCODE(s, 'utf-8')))"),
        (
            TRINO,
            SPARK,
            "concat_ws('-', words)",
            "CASE WHEN words IS NULL THEN NULL ELSE CONCAT_WS('-', words) END",
        ),
        (TRINO, SPARK, "concat_ws('-', s, c)", "CONCAT_WS('-', s, c)"),
        (SPARK, TRINO, "trunc(d, 'QUARTER')", "DATE_TRUNC('QUARTER', d)"),
        (
            SPARK,
            TRINO,
            "date_format(at, 'yyyy')",
            "DATE_FORMAT(DATE_TRUNC('second', AT_TIMEZONE(at, CURRENT_TIMEZONE())), '%Y')",
        ),
        (HIVE, SPARK, "cast(s AS varchar(2))", "SUBSTRING(TRY_CAST(s AS STRING), 1, 2)"),
        (
            HIVE,
            SPARK,
            "cast(lower(cast(a AS varchar(3))) AS varchar(2))",
            "SUBSTRING(TRY_CAST(LOWER(SUBSTRING(CAST(a AS STRING), 1, 3)) AS STRING), 1, 2)",
        ),
        (HIVE, SPARK, "cast(c AS string)", "RTRIM(CAST(c AS STRING))"),
        (HIVE, TRINO, "cast(-128 AS tinyint)", "TRY_CAST(-128 AS TINYINT)"),
        (HIVE, SPARK, "cast('2024-02-29' AS date)", "TRY_CAST('2024-02-29' AS DATE)"),
        (HIVE, SPARK, "pmod(a, 3)", "PMOD(a, 3)"),
        (HIVE, SPARK, "extract(second FROM ts)", "SECOND(ts)"),
        (HIVE, SPARK, "trunc(d, 'MM')", "CAST(CAST(DATE_TRUNC('MONTH', d) AS DATE) AS STRING)"),
        (HIVE, TRINO, "corr(a, l)", "CORR(CAST(a AS DOUBLE), CAST(l AS DOUBLE))"),
        (
            SPARK,
            TRINO,
            "last(s) OVER (ORDER BY a)",
            "LAST_VALUE(s) OVER (ORDER BY a NULLS FIRST)",
        ),
    ],
)
def test_edge_values_are_kept(dialect: str, into: str, text: str, draft: str) -> None:
    assert put(text, dialect, into) == draft


@pytest.mark.parametrize(
    ("dialect", "into", "text"),
    [
        (POSTGRESQL, SPARK, "CAST(ts AS TIME)"),
        (TRINO, SPARK, "FROM_UNIXTIME(x)"),
        (MYSQL, SPARK, "FROM_UNIXTIME(l, '%Y')"),
        (POSTGRESQL, SPARK, "s ~ '[[:alpha:]]'"),
        (POSTGRESQL, TRINO, "s ~ '\\ma'"),
        (POSTGRESQL, TRINO, r"s ~ '\Bb'"),
        (POSTGRESQL, TRINO, r"s ~ '[\W]'"),
        (POSTGRESQL, SPARK, "w * n"),
        (SPARK, TRINO, "w * n"),
        (POSTGRESQL, SPARK, "n / w"),
        (POSTGRESQL, SPARK, "CAST(f AS DECIMAL(38, 18))"),
        (POSTGRESQL, SPARK, "arr[0]"),
        (POSTGRESQL, TRINO, "arr[-1]"),
        (POSTGRESQL, TRINO, "SPLIT_PART(s, '', 1)"),
        (TRINO, SPARK, "CAST(ts AS TIMESTAMP)"),
        (TRINO, SPARK, "AVG(f)"),
        (MYSQL, SPARK, "EXTRACT(WEEK FROM d)"),
        (MYSQL, SPARK, "LPAD(s, 6, '')"),
        (MYSQL, TRINO, "CONVERT_TZ(ts, '+00:00', '+02:00')"),
        (MYSQL, TRINO, "JSON_OBJECT('a', a)"),
        (TRINO, SPARK, "'${x}'"),
        (TRINO, SPARK, "JSON_QUERY(s, 'lax $.a')"),
        (SPARK, TRINO, "LAST(s)"),
        (TRINO, SPARK, "CORR(a, l)"),
        (HIVE, TRINO, "CAST(300 AS TINYINT)"),
        (HIVE, SPARK, "CAST(-129 AS TINYINT)"),
        (HIVE, SPARK, "CAST('2024-02-30' AS DATE)"),
        (HIVE, TRINO, "CAST('2024-02-29 10:00:00' AS DATE)"),
        (HIVE, SPARK, "CAST(l AS TIMESTAMP)"),
        (HIVE, SPARK, "CAST('2024-01-01T00:00:00' AS TIMESTAMP)"),
        (HIVE, SPARK, "PMOD(a, -3)"),
        (HIVE, SPARK, "MAP_VALUES(arr)"),
        (HIVE, SPARK, "f = 0.1"),
        (HIVE, SPARK, "REPLACE(s, '', '-')"),
        (HIVE, SPARK, "s RLIKE ''"),
        (HIVE, SPARK, "s LIKE 'A\\\\\\\\%'"),
        (HIVE, SPARK, "SPLIT(s, '')"),
        (SPARK, TRINO, "CAST('NaN' AS DOUBLE)"),
        (TRINO, SPARK, "DATE_FORMAT(d, '%y%j')"),
        (SPARK, TRINO, "CONCAT_WS('-', s, words)"),
        (SPARK, TRINO, "CONCAT_WS('-', words)"),
        (TRINO, SPARK, "XXHASH64(TO_UTF8(s))"),
        (TRINO, SPARK, "SKEWNESS(x)"),
        (MYSQL, SPARK, "CONCAT(d, ' ', ts)"),
        (MYSQL, SPARK, "QUOTE(s)"),
        (TRINO, SPARK, "CAST('ab' AS CHAR(4))"),
        (TRINO, SPARK, "RAND(6)"),
        (SPARK, TRINO, "RAND(6)"),
    ],
)
def test_edge_values_that_would_be_others_are_no_draft(dialect: str, into: str, text: str) -> None:
    assert put(text, dialect, into).startswith(f"{text} would mean something else in ")


@pytest.mark.parametrize("dialect", [POSTGRESQL, TRINO])
def test_rows_that_tie_with_the_last_are_not_left_out_by_a_draft(dialect: str) -> None:
    text = "SELECT a FROM p.t ORDER BY a FETCH FIRST 2 ROWS"
    made = translated(f"{text} WITH TIES", dialect, SPARK, NAMES, KNOWN)
    assert made.why == "FETCH FIRST 2 ROWS WITH TIES would mean something else in Spark"
    assert "LIMIT 2" in translated(f"{text} ONLY", dialect, SPARK, NAMES, KNOWN).sql
    if dialect == POSTGRESQL:
        assert "WITH TIES" in translated(f"{text} WITH TIES", dialect, TRINO, NAMES, KNOWN).sql


_LISTED = "a IN (SELECT l FROM p.t)"


@pytest.mark.parametrize(
    ("query", "is_told"),
    [
        (f"SELECT {_LISTED} AS r FROM p.t", True),
        (f"SELECT NOT ({_LISTED}) OR a > 1 AS r FROM p.t", True),
        (f"SELECT a FROM p.t WHERE ({_LISTED}) IS NULL", True),
        (f"SELECT CASE WHEN a > 1 THEN {_LISTED} END AS r FROM p.t", True),
        (f"SELECT CASE WHEN NOT {_LISTED} THEN 1 ELSE 0 END AS r FROM p.t", False),
        (f"SELECT a FROM p.t WHERE NOT ({_LISTED} AND a > 1)", False),
        (f"SELECT a FROM p.t WHERE ({_LISTED}) OR a > 1", False),
        ("SELECT a IN (1, 3) AS r FROM p.t", False),
    ],
)
def test_what_is_false_to_spark_where_a_null_leaves_it_open_is_told(
    query: str, is_told: bool
) -> None:
    for dialect, into in ((TRINO, SPARK), (SPARK, TRINO)):
        told = doubts(query, dialect, into)
        assert any("where a NULL leaves it open" in doubt for doubt in told) is is_told
    assert any("where a NULL" in it.what for it in meant_otherwise(query, TRINO, KNOWN)) is is_told
    to_trino = [it for it in meant_otherwise(query, SPARK, KNOWN) if it.engine == TRINO]
    assert any("where a NULL" in meaning.what for meaning in to_trino) is is_told


@pytest.mark.parametrize(
    ("query", "is_told"),
    [
        ("SELECT (a, l) IN ((7, 2), (10, 4)) AS r FROM p.t", True),
        ("SELECT a FROM p.t WHERE NOT (a, l) IN ((7, 2), (10, 4))", True),
        ("SELECT a FROM p.t WHERE (a, l) IN ((7, 2), (10, 4)) AND a > 1", False),
        ("SELECT a IN (7, 10) AS r FROM p.t", False),
    ],
)
def test_a_row_with_a_null_among_others_is_told_where_trino_is_alone(
    query: str, is_told: bool
) -> None:
    for dialect in (POSTGRESQL, MYSQL):
        told = doubts(query, dialect, TRINO)
        assert any("of a row with a NULL" in doubt for doubt in told) is is_told
        assert not any("of a row" in doubt for doubt in doubts(query, dialect, SPARK))


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("a / x", "by 0 it is infinite"),
        ("x / 2", ""),
        ("a / l", ""),
        ("ROW(a, s) = ROW(7, 'abc')", "of a row with a NULL"),
        ("CASE WHEN ROW(a, s) = ROW(7, 'abc') THEN 1 END", ""),
        ("random()", ""),
        ("map_concat(map(ARRAY[s], ARRAY[a]), map(ARRAY[s], ARRAY[a]))", "mapKeyDedupPolicy"),
    ],
)
def test_what_fails_or_is_null_in_one_of_trino_and_spark_is_told(
    expression: str, told: str
) -> None:
    assert told in "".join(doubts(f"SELECT {expression} AS r FROM p.t", TRINO, SPARK))
    assert bool(doubts(f"SELECT {expression} AS r FROM p.t", TRINO, SPARK)) is bool(told)


@pytest.mark.parametrize("text", ["trunc(d, 'Q')", "date_trunc('D', ts)"])
def test_a_unit_that_spark_does_not_have_is_none_of_sqlglots(text: str) -> None:
    assert put(text, SPARK, TRINO).endswith("is no unit to Spark: what is cut to it is NULL")


def test_the_order_of_a_set_is_hives_alone() -> None:
    lost = "COLLECT_SET(s) would mean something else in Spark"
    assert put("collect_set(s)[0]", HIVE, SPARK) == lost
    joined = "concat_ws(',', collect_set(s))"
    assert any("order" in doubt for doubt in doubts(f"SELECT {joined} AS r FROM p.t", HIVE, SPARK))
    assert put("sort_array(collect_set(s))", HIVE, SPARK) == "SORT_ARRAY(COLLECT_SET(s))"


def test_a_limit_within_exists_limits_nothing() -> None:
    inner = "SELECT 1 FROM p.t AS u WHERE u.a = p.t.l"
    made = put(f"EXISTS({inner} LIMIT 1)", MYSQL, SPARK)
    assert "EXISTS(SELECT 1 FROM c.p.t AS u WHERE u.a = " in made
    assert "LIMIT" not in made
    assert "LIMIT 0" in put(f"EXISTS({inner} LIMIT 0)", MYSQL, SPARK)


def test_a_cast_to_char_of_hive_has_no_draft() -> None:
    why = "its cast to CHAR fills up with blanks, as no other engine does"
    assert put("cast(s AS char(3))", HIVE, TRINO) == why


def test_what_a_cast_makes_of_too_large_a_number_is_in_doubt() -> None:
    doubt = "of a number that is out of range it is another one, and NULL in the draft"
    for text, dialect in (("cast(l AS int)", HIVE), ("cast(x AS int)", SPARK)):
        (told,) = doubts(f"SELECT {text} AS r FROM p.t", dialect, TRINO)
        assert told.endswith(doubt)
    assert doubts("SELECT cast(a AS bigint) AS r FROM p.t", HIVE, TRINO) == ()
    assert doubts("SELECT cast(l AS int) AS r FROM p.t", HIVE, SPARK) == ()


@pytest.mark.parametrize("value", ["ts", "at", "*", "t.*", "year(ts)"])
def test_times_of_hives_tables_that_trino_rounds_are_told(value: str) -> None:
    text = f"SELECT {value} FROM p.t"
    (told,) = doubts(text, HIVE, TRINO)
    assert "hive.timestamp-precision" in told
    assert doubts(text, HIVE, SPARK) == doubts(text, SPARK, TRINO) == ()


def test_no_time_is_told_of_what_reads_none() -> None:
    assert doubts("SELECT a, d, count(*) AS n FROM p.t GROUP BY a, d", HIVE, TRINO) == ()


@pytest.mark.parametrize(
    ("text", "dialect", "into"),
    [
        ("SELECT timestampdiff(HOUR, ts, ts) AS r FROM p.t", SPARK, TRINO),
        ("SELECT date_diff('hour', ts, ts) AS r FROM p.t", TRINO, SPARK),
    ],
)
def test_hours_between_times_are_told_where_trino_counts_them(
    text: str, dialect: str, into: str
) -> None:
    (told,) = doubts(text, dialect, into)
    assert told.endswith("Trino has thousandths of seconds of it")


def test_the_first_of_any_row_is_told_where_a_window_names_none() -> None:
    (told,) = doubts("SELECT first(a) AS r FROM p.t", SPARK, TRINO)
    assert "of any row" in told
    assert doubts("SELECT first(a) OVER (ORDER BY b) AS r FROM p.t", SPARK, TRINO) == ()


def test_trino_rounds_a_time_before_it_formats_and_a_draft_does_too() -> None:
    made = put("date_format(ts, '%Y-%m')", TRINO, SPARK)
    assert made == "DATE_FORMAT(ts + INTERVAL '0.0005' SECOND, 'yyyy-MM')"
    assert put("date_format(d, '%Y-%m')", TRINO, SPARK) == "DATE_FORMAT(d, 'yyyy-MM')"


def doubts(text: str, dialect: str, into: str) -> tuple[str, ...]:
    return translated(text, dialect, into, NAMES, KNOWN).doubts


@pytest.mark.parametrize(
    "text",
    [
        "SELECT a FROM p.t WHERE s = 'x'",
        "SELECT a FROM p.t WHERE s LIKE 'x%'",
        "SELECT a FROM p.t WHERE s IN ('x', 'y')",
        "SELECT CASE s WHEN 'x' THEN 1 END AS r FROM p.t",
        "SELECT s, count(*) AS r FROM p.t GROUP BY s",
        "SELECT count(DISTINCT s) AS r FROM p.t",
        "SELECT a FROM p.t ORDER BY s LIMIT 1",
        "SELECT max(s) AS r FROM p.t",
        "SELECT s FROM p.t UNION SELECT s FROM p.t",
    ],
)
def test_what_a_collation_of_mysql_decides_is_told(text: str) -> None:
    (doubt,) = doubts(text, MYSQL, TRINO)
    assert "MySQL compares texts by their collation" in doubt
    assert "MySQL" not in "; ".join(doubts(text, POSTGRESQL, TRINO))


def test_what_no_collation_decides_is_in_no_doubt() -> None:
    assert doubts("SELECT a FROM p.t WHERE a = 1 AND d > '2024-01-01'", MYSQL, SPARK) == ()


def test_nan_is_told_where_one_of_both_is_trino() -> None:
    text = "SELECT a FROM p.t WHERE x > 1"
    assert doubts(text, SPARK, TRINO) == ("x > 1: of NaN it may be another value",)
    assert doubts(text, POSTGRESQL, SPARK) == ()
    assert doubts(text, MYSQL, TRINO) == ()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (None, "its rows were not compared; in doubt"),
        (RowsAnswer(Alike.SAME, 7), "7 made-up rows are the same; in doubt"),
    ],
)
def test_a_doubt_stands_beside_a_draft_that_is_shown(rows: RowsAnswer | None, message: str) -> None:
    text = Representation(dialect=TRINO, sql="SELECT 1")
    proposal = Proposal(dialect=TRINO, translator="sqlglot", text=text, doubts=("in doubt",))
    verdict = Verdict(accepted=True, grade=ANALYZE)
    returned = Returned(engine=TRINO, dialect=TRINO, declared=(), returned=())
    assert decide(proposal, verdict, returned, rows).message == message


@pytest.mark.parametrize(
    ("dialect", "into", "text", "draft"),
    [
        (SPARK, TRINO, "date_trunc('month', d)", "DATE_TRUNC('MONTH', CAST(d AS TIMESTAMP(6)))"),
        (HIVE, SPARK, "d + interval '7' day", "CAST(d AS TIMESTAMP) + INTERVAL '7' DAY"),
        (HIVE, TRINO, "d + interval '1' month", "d + INTERVAL '1' MONTH"),
        (POSTGRESQL, TRINO, "ts::time", "CAST(ts AS TIME(6))"),
        (HIVE, TRINO, "ceil(x)", "CAST(CEIL(x) AS BIGINT)"),
        (
            POSTGRESQL,
            SPARK,
            "floor(x)",
            "CASE WHEN ABS(x) < 9E18 THEN CAST(FLOOR(x) AS DOUBLE) ELSE x END",
        ),
        (TRINO, SPARK, "ceil(n)", "CEIL(n)"),
        (SPARK, TRINO, "dateadd(MONTH, 1, d)", "DATE_ADD('MONTH', 1, CAST(d AS TIMESTAMP(6)))"),
        (MYSQL, TRINO, "cast(ts AS time(6))", "CAST(ts AS TIME(6))"),
        (
            MYSQL,
            TRINO,
            "cast(ts AS time)",
            "CAST(ts AS TIME) would mean something else in Trino",
        ),
    ],
)
def test_times_of_days_and_whole_numbers_stay_what_they_are(
    dialect: str, into: str, text: str, draft: str
) -> None:
    assert put(text, dialect, into) == draft


def test_what_mysql_calculates_from_quotients_has_the_digits_it_shows() -> None:
    quotient = "(CAST(a AS DECIMAL(38, 18)) / NULLIF(l, 0))"
    chosen = "CASE WHEN l > 2 THEN {} ELSE 0 END"
    made = put(chosen.format("a / l"), MYSQL, SPARK)
    assert made == f"CAST({chosen.format(quotient)} AS DECIMAL(38, 4))"
    assert put("round(a / l * 100, 1)", MYSQL, SPARK) == f"ROUND({quotient} * 100, 1)"
    assert put("a / l > 1", MYSQL, SPARK) == f"CAST({quotient} > 1 AS INT)"
    average = put("avg(n / l)", MYSQL, TRINO)
    assert average.endswith("AS DECIMAL(38, 10))) AS DECIMAL(38, 10))"), "of the digits it had"


@pytest.mark.parametrize(
    ("dialect", "into", "text", "doubt"),
    [
        (POSTGRESQL, SPARK, "upper(s)", "a few letters change otherwise"),
        (HIVE, TRINO, "lower(s)", "a few letters change otherwise"),
        (POSTGRESQL, TRINO, "at - lag(at) OVER (ORDER BY a)", "Trino has thousandths"),
        (MYSQL, SPARK, "std(a)", "MariaDB shows fewer digits"),
        (MYSQL, SPARK, "percent_rank() OVER (ORDER BY a)", "MariaDB shows fewer digits"),
        (POSTGRESQL, TRINO, "ts - d::timestamp", "Trino has thousandths"),
        (POSTGRESQL, TRINO, "w / 3", "PostgreSQL has 16 digits or more"),
        (MYSQL, SPARK, "avg(a / l)", "MySQL may round the quotients first"),
    ],
)
def test_what_depends_on_a_value_is_told(dialect: str, into: str, text: str, doubt: str) -> None:
    (told,) = doubts(f"SELECT {text} AS r FROM p.t", dialect, into)
    assert doubt in told


@pytest.mark.parametrize(
    ("dialect", "into", "text"),
    [
        (HIVE, SPARK, "upper(s)"),
        (POSTGRESQL, TRINO, "upper(s)"),
        (POSTGRESQL, SPARK, "upper('abc')"),
        (POSTGRESQL, SPARK, "at - lag(at) OVER (ORDER BY a)"),
        (POSTGRESQL, TRINO, "a - l"),
        (POSTGRESQL, SPARK, "avg(a / l)"),
        (POSTGRESQL, SPARK, "round(n / 3, 2)"),
        (POSTGRESQL, SPARK, "(n / 3)::numeric(12, 2)"),
    ],
)
def test_what_depends_on_no_value_is_not_told(dialect: str, into: str, text: str) -> None:
    assert doubts(f"SELECT {text} AS r FROM p.t", dialect, into) == ()


@pytest.mark.parametrize(
    ("dialect", "into", "text", "draft"),
    [
        (POSTGRESQL, SPARK, "a::numeric * n", "CAST(a AS DECIMAL(10, 0)) * n"),
        (POSTGRESQL, SPARK, "n::numeric", "CAST(n AS DECIMAL(10, 2))"),
        (POSTGRESQL, SPARK, "x::numeric", "CAST(x AS DECIMAL(38, 18))"),
        (POSTGRESQL, TRINO, "d + 30", "DATE_ADD('DAY', 30, d)"),
        (POSTGRESQL, TRINO, "d + interval '7 days'", "CAST(d AS TIMESTAMP(6)) + INTERVAL '7' DAY"),
        (
            POSTGRESQL,
            TRINO,
            "extract(quarter FROM d)::int",
            "CAST(EXTRACT(QUARTER FROM d) AS INTEGER)",
        ),
        (POSTGRESQL, SPARK, "to_char(ts, 'YYYY-MM'::text)", "DATE_FORMAT(ts, 'yyyy-MM')"),
        (SPARK, TRINO, "n / 3", "CAST(CAST(n AS DECIMAL(38, 6)) / 3 AS DECIMAL(14, 6))"),
        (SPARK, TRINO, "n / a", "CAST(CAST(n AS DECIMAL(38, 13)) / a AS DECIMAL(21, 13))"),
        (
            HIVE,
            TRINO,
            "n / l",
            "CAST(CAST(n AS DECIMAL(38, 22)) / NULLIF(l, 0) AS DECIMAL(30, 22))",
        ),
        (SPARK, TRINO, "add_months(d, 1)", "DATE_ADD('MONTH', 1, CAST(d AS DATE))"),
        (SPARK, TRINO, "unix_timestamp(at)", "CAST(FLOOR(TO_UNIXTIME(at)) AS BIGINT)"),
        (SPARK, TRINO, "weekday(d)", "(DAY_OF_WEEK(d) - 1)"),
        (
            HIVE,
            TRINO,
            "to_date(ts) < '2024-12-31'",
            "CAST(CAST(ts AS TIMESTAMP(6)) AS DATE) < CAST('2024-12-31' AS DATE)",
        ),
        (SPARK, TRINO, "array_max(arr)", "ARRAY_MAX(FILTER(arr, v -> NOT v IS NULL))"),
        (SPARK, TRINO, "exists(arr, e -> e = 5)", "ANY_MATCH(arr, e -> e = 5)"),
        (TRINO, SPARK, "any_match(arr, e -> e = 5)", "EXISTS(arr, e -> e = 5)"),
        (
            SPARK,
            TRINO,
            "aggregate(arr, 0, (q, e) -> q + e)",
            "REDUCE(arr, 0, (q, e) -> q + e, v -> v)",
        ),
        (
            SPARK,
            TRINO,
            "sort_array(arr)",
            "CONCAT(FILTER(arr, v -> v IS NULL), ARRAY_SORT(FILTER(arr, v -> NOT v IS NULL)))",
        ),
        (
            HIVE,
            TRINO,
            "concat_ws(',', sort_array(collect_set(s)))",
            (
                "ARRAY_JOIN(ARRAY_SORT(COALESCE(ARRAY_AGG(DISTINCT s) "
                "FILTER(WHERE NOT s IS NULL), ARRAY[])), ',')"
            ),
        ),
    ],
)
def test_more_of_what_people_write_has_a_draft(
    dialect: str, into: str, text: str, draft: str
) -> None:
    assert put(text, dialect, into) == draft


@pytest.mark.parametrize(
    ("dialect", "text", "draft"),
    [
        (
            POSTGRESQL,
            "SELECT a, x.v FROM (p.t LEFT JOIN LATERAL unnest(arr) AS x(v) ON (true))",
            "SELECT a, x.v FROM (c.p.t LEFT JOIN LATERAL (SELECT EXPLODE(arr)) AS x(v) ON (TRUE))",
        ),
        (
            TRINO,
            "SELECT a, v, o FROM p.t CROSS JOIN UNNEST(arr) WITH ORDINALITY AS x(v, o)",
            (
                "SELECT a, v, o FROM c.p.t CROSS JOIN LATERAL (SELECT INLINE(TRANSFORM(arr, "
                "(v, i) -> STRUCT(v, CAST(i + 1 AS BIGINT))))) AS x(v, o)"
            ),
        ),
        (
            POSTGRESQL,
            "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x) AS r FROM p.t",
            "SELECT PERCENTILE(x, 0.5) AS r FROM c.p.t",
        ),
    ],
)
def test_rows_of_arrays_and_percentiles_have_drafts_for_spark(
    dialect: str, text: str, draft: str
) -> None:
    assert translated(text, dialect, SPARK, NAMES, KNOWN).sql == draft


def test_what_spark_has_no_rows_for_has_no_draft() -> None:
    joined = "SELECT a, v FROM p.t LEFT JOIN UNNEST(arr) AS x(v) ON v > a"
    assert "something else" in translated(joined, TRINO, SPARK, NAMES, KNOWN).why
    assert "something else" in put("array_max(arr)", TRINO, SPARK)
    text = "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x DESC) AS r FROM p.t"
    assert "something else" in translated(text, POSTGRESQL, SPARK, NAMES, KNOWN).why


def test_a_view_of_an_array_with_outer_is_a_left_join_for_trino() -> None:
    view = "SELECT a, v FROM p.t LATERAL VIEW OUTER explode(arr) x AS v"
    made = translated(view, SPARK, TRINO, NAMES, KNOWN).sql
    assert made == "SELECT a, v FROM c.p.t LEFT JOIN UNNEST(arr) AS x(v) ON TRUE"
    two = translated(f"{view} LATERAL VIEW explode(arr) y AS w", SPARK, TRINO, NAMES, KNOWN)
    assert "something else" in two.why


def test_json_of_spark_is_written_for_trino_as_java_has_it() -> None:
    made = put("get_json_object(s, '$.a.b')", SPARK, TRINO)
    found = "JSON_FORMAT(CAST(JSON_EXTRACT(s, '$.a.b') AS JSON))"
    one = f"CASE WHEN {found} LIKE '\"%' THEN JSON_EXTRACT_SCALAR(s, '$.a.b')"
    assert made == f"{one} ELSE NULLIF({found}, 'null') END"
    assert put("json_extract_scalar(s, '$.a')", TRINO, SPARK) == "GET_JSON_OBJECT(s, '$.a')"
    scalar = "SELECT json_extract_scalar(s, '$.a') AS r FROM p.t"
    assert any("no text in JSON" in doubt for doubt in doubts(scalar, TRINO, SPARK))


def test_the_size_of_no_array_and_the_order_of_a_list_are_told() -> None:
    (size,) = doubts("SELECT size(arr) AS r FROM p.t", SPARK, TRINO)
    assert "out of ANSI mode" in size
    (order,) = doubts("SELECT collect_list(a) AS r FROM p.t", SPARK, TRINO)
    assert "another order" in order
    assert doubts("SELECT sort_array(collect_list(a)) AS r FROM p.t", SPARK, TRINO) == ()


IN_UTC = "TIMESTAMPADD(MICROSECOND, UNIX_MICROS(at), CAST('1970-01-01 00:00:00' AS TIMESTAMP_NTZ))"


@pytest.mark.parametrize(
    ("dialect", "into", "text", "draft"),
    [
        (POSTGRESQL, TRINO, "s ~ 'a.b'", "REGEXP_LIKE(s, 'a(?s:.)b')"),
        (POSTGRESQL, TRINO, r"s ~ 'a\.[$.]'", r"REGEXP_LIKE(s, 'a\.[$.]')"),
        (MYSQL, TRINO, "s REGEXP 'a.b$'", "CAST(REGEXP_LIKE(s, 'a.b$') AS INTEGER)"),
        (POSTGRESQL, TRINO, "substring(s FROM 'a(b)')", "REGEXP_EXTRACT(s, 'a(b)', 1)"),
        (
            POSTGRESQL,
            SPARK,
            "substring(s FROM 'ab')",
            "CASE WHEN s RLIKE 'ab' THEN REGEXP_EXTRACT(s, 'ab', 0) END",
        ),
        (POSTGRESQL, TRINO, "(regexp_match(s, 'a(b)(c)'))[2]", "REGEXP_EXTRACT(s, 'a(b)(c)', 2)"),
        (POSTGRESQL, TRINO, "s::jsonb ->> 'a'", "JSON_EXTRACT_SCALAR(s, '$.a')"),
        (POSTGRESQL, SPARK, "s::jsonb -> 'a' -> 0 ->> 'b'", "GET_JSON_OBJECT(s, '$.a[0].b')"),
        (MYSQL, SPARK, "json_unquote(json_extract(s, '$.a'))", "GET_JSON_OBJECT(s, '$.a')"),
        (MYSQL, TRINO, "json_value(s, '$.a[0]')", "JSON_EXTRACT_SCALAR(s, '$.a[0]')"),
        (
            POSTGRESQL,
            SPARK,
            "at AT TIME ZONE 'Europe/Berlin'",
            f"CONVERT_TIMEZONE('UTC', 'Europe/Berlin', {IN_UTC})",
        ),
    ],
)
def test_parts_of_texts_and_documents_and_clocks_of_zones_are_kept(
    dialect: str, into: str, text: str, draft: str
) -> None:
    assert put(text, dialect, into) == draft


@pytest.mark.parametrize(
    ("dialect", "into", "text"),
    [
        (POSTGRESQL, TRINO, "substring(s FROM 'a|ab')"),
        (POSTGRESQL, TRINO, "substring(s FROM 'a+?')"),
        (POSTGRESQL, TRINO, "(regexp_match(s, 'a(b)'))[2]"),
        (POSTGRESQL, TRINO, "(regexp_match(s, 'a(b)?'))[1]"),
        (POSTGRESQL, TRINO, "(regexp_match(s, l))[1]"),
        (POSTGRESQL, SPARK, "s::jsonb ->> 'a.b'"),
        (POSTGRESQL, SPARK, "s::jsonb ->> -1"),
        (POSTGRESQL, SPARK, "s::jsonb -> 'a'"),
        (POSTGRESQL, SPARK, "s::jsonb #>> '{a,0}'"),
        (MYSQL, SPARK, "json_extract(s, '$.a')"),
        (MYSQL, SPARK, "json_value(s, '$.*')"),
        (POSTGRESQL, TRINO, "at AT TIME ZONE '+02:00'"),
        (POSTGRESQL, TRINO, "at AT TIME ZONE 'CET'"),
        (POSTGRESQL, SPARK, "ts AT TIME ZONE 'Europe/Berlin'"),
    ],
)
def test_other_parts_of_texts_and_documents_have_no_draft(
    dialect: str, into: str, text: str
) -> None:
    assert "something else" in put(text, dialect, into)


def test_what_json_is_written_like_and_hours_that_are_twice_are_told() -> None:
    (told,) = doubts("SELECT s::jsonb ->> 'a' AS r FROM p.t", POSTGRESQL, SPARK)
    assert "no text in JSON" in told
    (told,) = doubts("SELECT ts AT TIME ZONE 'Europe/Berlin' AS r FROM p.t", POSTGRESQL, TRINO)
    assert "the zone has twice" in told
    assert doubts("SELECT at AT TIME ZONE 'UTC' AS r FROM p.t", POSTGRESQL, TRINO) == ()


@pytest.mark.parametrize(
    ("pattern", "is_told"),
    [
        ("a|ab", True),
        ("^ +| +$", True),
        ("a.*?b.*", True),
        ("a.*?b", False),
        ("foo|bar", False),
        ("[a|ab]+", False),
        (r"a\|ab", False),
    ],
)
def test_what_postgresql_replaces_more_of_is_told(pattern: str, *, is_told: bool) -> None:
    text = f"SELECT regexp_replace(s, '{pattern}', '#', 'g') AS r FROM p.t"
    found = doubts(text, POSTGRESQL, TRINO)
    assert ["the longest" in doubt for doubt in found] == [True] * is_told
    assert bool(doubts(text, POSTGRESQL, SPARK)) is is_told


def test_letters_beyond_ascii_are_found_in_any_case() -> None:
    assert put("s ~* 'É'", POSTGRESQL, SPARK) == "s RLIKE '(?iu)É'"
    assert put("s ~* 'É'", POSTGRESQL, TRINO) == "REGEXP_LIKE(s, '(?i)É')"
    assert put("s ~* 'e'", POSTGRESQL, SPARK) == "s RLIKE '(?i)e'"
    made = put("regexp_replace(s, 'É', '', 'gi')", POSTGRESQL, SPARK)
    assert made == "REGEXP_REPLACE(s, '(?iu)É', '')"


@pytest.mark.parametrize(
    ("text", "dialect", "into"),
    [
        ("timestampdiff(MONTH, d, d)", MYSQL, TRINO),
        ("timestampdiff(QUARTER, d, d)", SPARK, TRINO),
        ("datediff(YEAR, d, d)", SPARK, TRINO),
        ("date_diff('month', d, d)", TRINO, SPARK),
    ],
)
def test_months_up_to_a_months_last_day_are_told_beside_trino(
    text: str, dialect: str, into: str
) -> None:
    (told,) = doubts(f"SELECT {text} AS r FROM p.t", dialect, into)
    assert "from 01-31 to 02-29" in told


def test_days_between_dates_and_months_of_spark_and_mysql_are_in_no_doubt() -> None:
    assert doubts("SELECT date_diff('day', d, d) AS r FROM p.t", TRINO, SPARK) == ()
    assert doubts("SELECT timestampdiff(MONTH, d, d) AS r FROM p.t", MYSQL, SPARK) == ()


def test_arrays_of_postgresql_that_are_put_together_are_empty_where_there_is_none() -> None:
    for text in ("arr || ARRAY[1]", "array_cat(arr, ARRAY[1])"):
        made = put(text, POSTGRESQL, SPARK)
        assert made == "CONCAT(COALESCE(arr, ARRAY()), ARRAY(1))"
        made = put(text, POSTGRESQL, TRINO)
        assert made == "CONCAT(COALESCE(arr, ARRAY[]), ARRAY[1])"
    assert "something else" in put("arr || arr", POSTGRESQL, TRINO)
    assert "something else" in put("arr || 1", POSTGRESQL, TRINO)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("SELECT sum(s) AS r FROM p.t", "none is a number"),
        ("SELECT a FROM p.t WHERE arr IS NULL", "arrays or maps"),
        ("SELECT a FROM p.t WHERE a NOT IN (SELECT l FROM p.t) OR a > 2", "NOT IN beside OR"),
        ("SELECT d > '2024' AS r FROM p.t", "no whole day"),
        ("SELECT d > '2024-01-01' AS r FROM p.t", ""),
        ("SELECT s AS r FROM p.t UNION ALL SELECT c FROM p.t", "blanks at the end of a char"),
        ("SELECT s AS r FROM p.t UNION ALL SELECT s FROM p.t", ""),
        ("SELECT to_utc_timestamp(ts, 'Europe/Berlin') AS r FROM p.t", "twice"),
        ("SELECT conv(s, 10, 2) AS r FROM p.t", "no number"),
        ("SELECT s LIKE 'a%b' AS r FROM p.t", "no line's end"),
    ],
)
def test_what_hive_alone_has_otherwise_is_told_beside_a_draft(text: str, told: str) -> None:
    found = doubts(text, HIVE, SPARK)
    assert told in "".join(found)
    assert bool(found) is bool(told)
    assert not any("number" in doubt or "twice" in doubt for doubt in doubts(text, SPARK, TRINO))
