"""What has another value in an engine that reads a text of Hive as it is.

HiveServer2 2.3.10, Spark 4.1.4 and Trino 476 read views of these expressions over the same rows on
2026-11-26.
"""

from dataclasses import replace

import pytest

from discovery import checks
from discovery.checks import means_otherwise
from discovery.checks.subject import ReadElsewhere, example
from discovery.formats import spark_mode
from discovery.formats.spark_mode import Mode
from discovery.lineage.meanings import native
from discovery.model import (
    FLINK,
    HIVE,
    SPARK,
    TRINO,
    Column,
    DataType,
    Field,
    ListOf,
    MapOf,
    Primitive,
    Representation,
    Struct,
)
from discovery.ports import Name
from tests.read_elsewhere import meant_otherwise


@pytest.mark.parametrize(
    ("expression", "engines"),
    [
        ("greatest(a, b)", {SPARK}),
        ("stddev(a)", {SPARK, TRINO}),
        ("std(a)", {SPARK, TRINO}),
        ("variance(a)", {SPARK, TRINO}),
        ("add_months(d, 1)", {SPARK}),
        ("CAST(s AS BOOLEAN)", {SPARK, TRINO}),
        ("substr(s, -3)", {SPARK}),
        ("array_contains(l, 1)", {SPARK, TRINO}),
        ("date_format(d, 'yyyy-MM-dd')", {TRINO}),
        ("date_format(d, 'u')", {SPARK, TRINO}),
        ("date_format(d, 'YYYY')", {SPARK, TRINO}),
        ("date_format(d, 'QQQ')", {SPARK, TRINO}),
        ("date_format(d, 'yyyy xxx')", {SPARK, TRINO}),
        ("date_format(d, \"yyyy 'Q'\")", {TRINO}),
        ("hash('x')", {SPARK}),
        ("conv('ff', 16, 10)", set()),
        ("map('a', 1, 'a', 2)", {SPARK, TRINO}),
        ("map('a', 1, 'b', 1)", set()),
        ("s RLIKE '(?i)ä'", {TRINO}),
        ("regexp_replace(s, '(?i)ä', 'x')", {TRINO}),
        ("s RLIKE '(?i)a'", set()),
        ("s RLIKE 'ä'", set()),
        ("substr(s, 2) BETWEEN 1 AND 9", {SPARK, TRINO}),
        ("substr(s, 2) BETWEEN 'a' AND 'b'", set()),
        ("date_format(d, Q)", {TRINO}),
        ("length(s) NOT BETWEEN 1 AND '9x'", {TRINO}),
        ("length(s) BETWEEN 1 AND '9'", set()),
        ("a / b", {TRINO}),
        ("size(l)", {TRINO}),
        ("CAST(a AS INT)", {SPARK, TRINO}),
        ("CAST(length(s) AS INT)", set()),
        ("CAST(length(s) AS SMALLINT)", {TRINO}),
        ("CAST(a AS STRING)", {SPARK, TRINO}),
        ("CAST(length(s) AS STRING)", set()),
        ("sqrt(a)", {SPARK, TRINO}),
        ("avg(a)", {TRINO}),
        ("s LIKE '%\\\\_%'", {TRINO}),
        ("a / CAST(b AS DOUBLE)", {TRINO}),
        ("a / nullif(CAST(b AS DOUBLE), 0)", set()),
        ("CAST(a AS DOUBLE) / -2.5", set()),
        ("CAST(a AS DOUBLE) / 0.0", {TRINO}),
        ("a DIV b", set()),
        ("stddev_pop(a)", set()),
        ("substr(s, 2)", set()),
        ("s LIKE 'a%'", set()),
        ("concat(reverse(s), 'YYYY')", {SPARK}),
        ("concat(s, 'x')", {SPARK, TRINO}),
        ("concat(reverse(s), 'x')", set()),
        ("s || length(s)", {SPARK, TRINO}),
        ("concat_ws(',', tags)", {SPARK, TRINO}),
        ("a = 'true'", {SPARK, TRINO}),
        ("a = 'yes'", set()),
        ("collect_set(a)", {SPARK, TRINO}),
        ("collect_list(a)", {TRINO}),
        ("pmod(a, -3)", {SPARK}),
        ("pmod(a, 3)", set()),
        ("extract(second FROM ts)", {SPARK}),
        ("trunc(d, 'Q')", {SPARK}),
        ("trunc(d, 'week')", {SPARK}),
        ("trunc(d, 'MM')", set()),
        ("initcap(s)", {SPARK}),
        ("replace(s, '', '-')", {SPARK}),
        ("s RLIKE ''", {SPARK, TRINO}),
        ("split(s, '')", {SPARK, TRINO}),
        ("CAST('2024-02-30' AS DATE)", {SPARK, TRINO}),
        ("CAST(1000 AS TIMESTAMP)", {SPARK}),
        ("CAST('2024-01-01' AS TIMESTAMP)", set()),
        ("log10(a)", {TRINO}),
        ("map_keys(m)", {SPARK, TRINO}),
        ("map_values(m)", {SPARK, TRINO}),
        ("CAST('2024-01-01T00:00:00' AS TIMESTAMP)", {SPARK, TRINO}),
        ("split(s, '[X,]')", {TRINO}),
        ("split(s, ',')", set()),
        ("'${x}'", {SPARK}),
        ("d + INTERVAL '7' DAY", {SPARK, TRINO}),
        ("d + INTERVAL '7' MONTH", set()),
        ("if(a > 2, 'bulk', 'single')", {TRINO}),
        ("if(a > 2, 'bulk', 'mono')", set()),
        ("if(a > 2, 'bulk', s)", set()),
        ("CASE WHEN a > 2 THEN 'bulk' ELSE 'single' END", set()),
        ("parse_url(s, 'HOST')", {SPARK}),
        ("upper(s)", {TRINO}),
        ("lower(s)", {TRINO}),
        ("upper('a')", set()),
        ("lower(s) LIKE '%b%'", set()),
        ("lower(s) LIKE '%i%'", {TRINO}),
        ("lower(s) LIKE '%b_'", {SPARK, TRINO}),
        ("upper(s) LIKE '%B%'", set()),
        ("upper(s) LIKE 'S%'", {TRINO}),
        ("upper(s) LIKE '%É%'", {TRINO}),
        ("s LIKE lower('B')", set()),
        ("'b' LIKE lower(s)", {TRINO}),
        ("ascii('a')", set()),
        ("ascii('é')", {SPARK}),
        ("initcap('hello world')", set()),
        ("initcap('hello\\tworld')", {SPARK, TRINO}),
        ("soundex('Robert')", set()),
        ("soundex('Müller')", {SPARK}),
        ("parse_url('http://h/p?x=1', 'HOST')", set()),
        ("parse_url('http://a b/c', 'HOST')", {SPARK}),
        ("str_to_map('a:1,b:2')", set()),
        ("log10(100)", set()),
        ("ln(0)", {TRINO}),
        ("ln(0.0)", {TRINO}),
        ("add_months('2024-01-31', 1)", set()),
        ("add_months('2024-01-15', 1)", set()),
        ("add_months('2024-02-29', 1)", {SPARK}),
        ("add_months('2024-02-30', 1)", {SPARK}),
        ("add_months(CAST('2024-04-30' AS DATE), -1)", {SPARK}),
        ("CAST('12' AS INT)", set()),
        ("CAST('+12' AS BIGINT)", set()),
        ("CAST('12345678901' AS INT)", {TRINO}),
        ("CAST('12.7' AS INT)", {TRINO}),
        ("CAST(' 12' AS INT)", {SPARK, TRINO}),
        ("CAST('true' AS BOOLEAN)", set()),
        ("CAST('1' AS BOOLEAN)", set()),
        ("CAST('no' AS BOOLEAN)", {SPARK, TRINO}),
        ("a IN (SELECT b FROM db.u) IS NULL", {SPARK}),
        ("to_utc_timestamp(ts, 'Europe/Berlin')", {SPARK}),
        ("to_utc_timestamp(ts, tz)", {SPARK}),
        ("to_utc_timestamp(ts, 'UTC')", set()),
        ("json_tuple(s, 'a')", {TRINO}),
        ("to_date('2024-02-30')", {SPARK}),
        ("to_date('2024-02-29')", set()),
        ("to_date('2024-13-01')", set()),
        ("to_date('x')", set()),
        ("to_date(s)", set()),
        ("month('2024-13-01')", {SPARK}),
        ("month('2024-12-01')", set()),
        ("last_day('2024-02-30')", {SPARK}),
    ],
)
def test_expressions_that_engines_read_otherwise_are_told(
    expression: str, engines: set[str]
) -> None:
    found = meant_otherwise(f"SELECT {expression} AS r FROM db.t")
    assert {one.engine for one in found} - {FLINK} == engines


def test_columns_that_trino_leaves_out_of_a_union_are_told() -> None:
    first = "SELECT a AS x, b AS y FROM db.t UNION ALL "
    (told,) = meant_otherwise(f"{first}SELECT c, d AS y FROM db.u")
    assert told.engine == TRINO
    assert "left out" in told.what
    assert meant_otherwise(f"{first}SELECT c AS X, d AS y FROM db.u") == ()
    assert meant_otherwise("SELECT * FROM db.t UNION ALL SELECT c FROM db.u") == ()


@pytest.mark.parametrize(
    "sql", ["SELECT (", "SELECT 'x", "CREATE TABLE t (a int)", "SELECT a / b " + " " * 250_000]
)
def test_of_what_cannot_be_read_it_is_told_that_nobody_knows(sql: str) -> None:
    meanings = native.meant_otherwise(sql)
    assert meanings is None
    subject = ReadElsewhere(means_otherwise.EXAMPLE_GOOD.view, HIVE, meanings)
    (found,) = checks.of_meanings(subject)
    assert found[0] == "MEANING_UNKNOWN"
    assert "beside Hive" in found[1].message


def test_the_same_of_several_expressions_is_told_once_with_the_first() -> None:
    found = meant_otherwise("SELECT greatest(a, b), greatest(c, d), least(a, b) FROM db.t")
    assert [one.expression for one in found] == ["GREATEST(a, b)", "LEAST(a, b)"]


def test_it_is_a_warning_about_an_entry_of_hive() -> None:
    meanings = meant_otherwise("SELECT stddev(x) AS s FROM db.t")
    found = dict(checks.of_meanings(replace(means_otherwise.EXAMPLE_GOOD, meanings=meanings)))
    assert found[means_otherwise.CODE].severity == "warning"
    assert found[means_otherwise.CODE].dialect == HIVE


@pytest.mark.parametrize(
    "kind", [Primitive("timestamp(9)"), ListOf(Struct((Field("t", Primitive("timestamp(9)")),)))]
)
def test_a_column_of_times_is_told_once_for_trino(kind: DataType) -> None:
    subject = means_otherwise.EXAMPLE_GOOD
    columns = Column("a", Primitive("date")), Column("t", kind), Column("u", kind)
    view = replace(subject.view, columns=columns)
    ((code, found),) = checks.of_meanings(replace(subject, view=view))
    assert (code, found.engine) == (means_otherwise.CODE, TRINO)
    assert found.message.startswith("t: thousandths of seconds")
    dates = replace(subject.view, columns=columns[:1])
    assert not [*checks.of_meanings(replace(subject, view=dates))]


@pytest.mark.parametrize(
    ("expression", "engines"),
    [
        ("trunc(d, 'week')", {HIVE}),
        ("trunc(d, 'MM')", set()),
        ("stddev(a)", {HIVE}),
        ("greatest(a, b)", {HIVE, TRINO}),
        ("size(l)", {HIVE}),
        ("date_format(d, 'yyyy-MM')", {TRINO}),
        ("CAST(x AS INT)", {HIVE, TRINO}),
        ("d + INTERVAL '7' DAY", {HIVE}),
        ("avg(n)", {TRINO}),
        ("upper(s)", {TRINO}),
        ("split(s, '')", {HIVE, TRINO}),
        ("split(s, 'b')", set()),
        ("map('a', 1, 'a', 2)", {HIVE}),
        ("date_format(d, 'QQQ')", {HIVE, TRINO}),
        ("a + 1", set()),
        ("to_utc_timestamp(ts, 'Europe/Berlin')", {HIVE}),
        ("a IN (SELECT b FROM db.u) IS NULL", {HIVE, TRINO}),
    ],
)
def test_what_hive_and_trino_read_otherwise_of_spark_is_told(
    expression: str, engines: set[str]
) -> None:
    found = meant_otherwise(f"SELECT {expression} AS r FROM db.t", SPARK)
    assert {meaning.engine for meaning in found} - {FLINK} == engines


@pytest.mark.parametrize(("text", "is_told"), [("'10'", True), ("s", True), ("'0.05'", False)])
def test_a_decimal_beside_a_text_of_spark_is_told_to_fail_in_trino(
    text: str, *, is_told: bool
) -> None:
    columns = (Column("n", Primitive("decimal(10,2)")), Column("s", Primitive("string")))
    sql = f"SELECT n = {text} AS r FROM db.t"
    found = meant_otherwise(sql, SPARK, {("db", "t"): columns}, with_flink=False)
    assert any("from 1 on" in meaning.what for meaning in found) == is_told


def test_a_view_of_spark_is_told_of_with_both_engines_names() -> None:
    view = example(SPARK, SPARK, "SELECT greatest(x, 1) AS g FROM db.t", "db.t").view
    subject = ReadElsewhere(view, SPARK, meant_otherwise("SELECT greatest(x, 1)", SPARK))
    found = {finding.engine: finding for _, finding in checks.of_meanings(subject)}
    assert found[HIVE].message.endswith("it is NULL to Hive, the largest of the others in Spark")
    assert found[TRINO].message.endswith("the largest of the others to Spark, NULL in Trino")
    assert found[TRINO].dialect == SPARK


@pytest.mark.parametrize("shown", ["TRY_CAST(s AS INT)", "INITCAP(s)"])
def test_an_expression_is_shown_as_its_writer_spells_it_and_sqlglot_prints_nothing(
    shown: str, caplog: pytest.LogCaptureFixture
) -> None:
    found = meant_otherwise(f"SELECT {shown} AS r FROM db.t", SPARK)
    assert {meaning.expression for meaning in found} == {shown}
    assert not caplog.records


def test_no_message_about_a_text_of_spark_says_what_hive_makes_of_it() -> None:
    sql = "SELECT collect_list(a) AS l, upper(s) AS u FROM db.t UNION SELECT x, y FROM db.t"
    told = [meaning.what for meaning in meant_otherwise(sql, SPARK) if meaning.engine == TRINO]
    assert told[0] == "columns that its parts name otherwise are kept by Spark, left out"
    assert "NULLs are left out by Spark, and kept" in told
    assert not [what for what in told if "Hive" in what or "{" in what]
    hives = [meaning.what for meaning in meant_otherwise(sql) if meaning.engine == TRINO]
    assert "NULLs are left out by Hive, and kept" in hives


@pytest.mark.parametrize(
    ("expression", "dialects"),
    [
        ("a / 2", {HIVE, SPARK}),
        ("a / CAST(2 AS DOUBLE)", set()),
        ("avg(a)", {HIVE, SPARK}),
        ("avg(length(s) / CAST(2 AS DOUBLE))", set()),
        ("ln(a)", {HIVE, SPARK}),
        ("log10(a)", {HIVE, SPARK}),
        ("sqrt(a)", {HIVE}),
        ("l[1]", {HIVE, SPARK}),
        ("m['k']", set()),
        ("split(s, '[ ,]')", {HIVE, SPARK}),
        ("split(s, ',')", set()),
        ("regexp_extract(s, '[a-z]+', 0)", {HIVE, SPARK}),
        ("initcap(s)", {HIVE, SPARK}),
        ("map_keys(m)", {HIVE}),
        ("map_values(m)", {HIVE}),
        ("array_contains(l, 1)", {HIVE}),
        ("stddev(a)", {HIVE, SPARK}),
        ("stddev_pop(a)", {HIVE, SPARK}),
        ("d + INTERVAL '1' DAY", {HIVE}),
        ("greatest(a, b)", {SPARK}),
        ("least(a, b)", {SPARK}),
        ("'a\\tb'", {HIVE, SPARK}),
        ("CAST(s AS INT)", {HIVE}),
        ("CAST(length(s) AS INT)", set()),
        ("str_to_map(s)", {HIVE, SPARK}),
        ("str_to_map(s, ';', '=')", {HIVE}),
        ("locate('b', s, 0)", {HIVE, SPARK}),
        ("locate('b', s, 2)", set()),
        ("locate('b', s)", set()),
        ("(a > 1) = 'true'", {HIVE, SPARK}),
        ("(a > 1) = true", set()),
        ("a = 'true'", set()),
        ("CAST(a > 1 AS STRING)", {SPARK}),
        ("CAST(a AS STRING)", set()),
        ("upper(s)", set()),
        ("a + b", set()),
        ("sum(a)", set()),
    ],
)
def test_what_flink_reads_otherwise_of_hive_and_spark_is_told(
    expression: str, dialects: set[str]
) -> None:
    sql = f"SELECT {expression} AS r FROM db.t"
    told = {
        dialect: [
            meaning.what for meaning in meant_otherwise(sql, dialect) if meaning.engine == FLINK
        ]
        for dialect in (HIVE, SPARK)
    }
    assert {dialect for dialect, meanings in told.items() if meanings} == dialects
    assert not [what for meanings in told.values() for what in meanings if "{" in what]


def test_what_is_otherwise_to_flink_is_told_only_where_the_estate_has_it() -> None:
    sql = "SELECT stddev(a) AS r, 'a\\tb' AS tab FROM db.t"
    meanings = meant_otherwise(sql)
    without = meant_otherwise(sql, HIVE, with_flink=False)
    assert {one.engine for one in without} == {SPARK, TRINO}
    assert without == tuple(one for one in meanings if one.engine != FLINK) != meanings


_TYPES = {
    "f": "float",
    "d": "double",
    "n": "integer",
    "m": "long",
    "p": "decimal(10,2)",
    "s": "string",
    "c": "char(5)",
    "v": "varchar(5)",
    "ts": "timestamp(9)",
    "b": "boolean",
    "day": "date",
}


@pytest.mark.parametrize(
    ("expression", "engines"),
    [
        ("n / 2", {TRINO, FLINK}),
        ("d / 2", set()),
        ("f / 2", {TRINO}),
        ("f / d", {TRINO, FLINK}),
        ("f = 1.1", {SPARK, TRINO, FLINK}),
        ("f * p", {SPARK, TRINO}),
        ("f * d + n", set()),
        ("f > n", set()),
        ("c = s", {SPARK, TRINO, FLINK}),
        ("c = 'ab'", {TRINO, FLINK}),
        ("length(c) > 2", {SPARK, TRINO, FLINK}),
        ("length(s) > 2", set()),
        ("coalesce(c, s)", {SPARK, TRINO, FLINK}),
        ("coalesce(c, c)", set()),
        ("coalesce(p, s)", {SPARK, TRINO}),
        ("coalesce(p, n)", set()),
        ("coalesce(n, s)", set()),
        ("IF(b, p, s)", {SPARK, TRINO}),
        ("CASE WHEN b THEN p ELSE 'none' END", {SPARK, TRINO}),
        ("CASE WHEN b THEN p END", set()),
        ("CASE WHEN b THEN 2.50 ELSE s END", {SPARK, TRINO}),
        ("CASE WHEN b THEN 2.5 ELSE s END", set()),
        ("CASE WHEN b THEN d ELSE s END", {TRINO}),
        ("map('p', p, 's', s)['p']", {SPARK, TRINO}),
        ("str_to_map(s)", {SPARK, FLINK}),
        ("chr(256)", {TRINO}),
        ("chr(255)", set()),
        ("chr(n)", set()),
        ("n * 86400000", {TRINO}),
        ("n * 86400", set()),
        ("m * 86400000", set()),
        ("m + 9223372036854775807", {TRINO}),
        ("n - 2147483647", {TRINO}),
        ("1000000 * 1000000", set()),
        ("d * 86400000", set()),
        ("unhex(s)", {TRINO}),
        ("unhex('4d61')", set()),
        ("unhex('4d6')", {TRINO}),
        ("CASE WHEN n > 1 THEN c ELSE 'none' END", {SPARK, TRINO, FLINK}),
        ("c FROM db.t UNION ALL SELECT s", {SPARK, TRINO, FLINK}),
        ("c IN ('ab', 'x')", {FLINK}),
        ("c LIKE 'ab'", {SPARK, TRINO, FLINK}),
        ("concat(s, NULL)", set()),
        ("concat(s, lpad(s, 3, '0'))", set()),
        ("CAST(s AS BOOLEAN)", {SPARK, TRINO, FLINK}),
        ("CAST(n AS BOOLEAN)", set()),
        ("c = c", set()),
        ("v = s", set()),
        ("concat(s, d)", {TRINO}),
        ("s || ts", {TRINO}),
        ("avg(d)", set()),
        ("avg(f)", {TRINO}),
        ("avg(n)", {FLINK}),
        ("avg(p)", {TRINO, FLINK}),
        ("stddev_pop(d)", set()),
        ("stddev_pop(n)", {FLINK}),
        ("CAST(n AS BIGINT)", set()),
        ("CAST(m AS INT)", {TRINO}),
        ("CAST(b AS INT)", set()),
        ("CAST(p AS INT)", {TRINO}),
        ("CAST(d AS INT)", {TRINO}),
        ("CAST(s AS INT)", {SPARK, TRINO, FLINK}),
        ("CAST(n AS STRING)", set()),
        ("CAST(day AS STRING)", set()),
        ("CAST(b AS STRING)", {SPARK, TRINO}),
        ("concat(s, n)", set()),
        ("concat(s, c)", {SPARK, TRINO, FLINK}),
        ("CAST(m AS TIMESTAMP)", {SPARK}),
        ("CAST(d AS TIMESTAMP)", set()),
        ("sum(s)", {SPARK}),
        ("p = '10'", {TRINO}),
        ("p = s", {TRINO}),
        ("p = '0.05'", set()),
        ("p <= '-0.5'", set()),
        ("p > '10'", {TRINO}),
        ("CAST('true' AS BOOLEAN)", set()),
        ("CAST('no' AS BOOLEAN)", {SPARK, TRINO, FLINK}),
        ("p > 'x'", {TRINO, FLINK}),
        ("p BETWEEN '1' AND '2.5'", set()),
        ("p BETWEEN '1' AND 'x'", {TRINO, FLINK}),
        ("1 AS r FROM db.t LATERAL VIEW OUTER explode(m) e AS k, v UNION ALL SELECT 1", {TRINO}),
        ("1 AS r FROM db.t LATERAL VIEW explode(m) e AS k, v UNION ALL SELECT 1", set()),
        ("1 AS r FROM db.t LATERAL VIEW OUTER explode(m) e AS k UNION ALL SELECT 1", set()),
        ("1 AS r FROM db.t LATERAL VIEW OUTER posexplode(m) e AS k, v UNION ALL SELECT 1", set()),
        ("sum(CAST(n AS STRING))", set()),
        ("sum(d)", set()),
        ("p AS r FROM db.t UNION ALL SELECT m", {SPARK, TRINO}),
        ("p AS r FROM db.t UNION ALL SELECT CAST(b AS SMALLINT)", set()),
        ("0 AS r FROM db.t UNION ALL SELECT p", set()),
        ("p AS r FROM db.t UNION ALL SELECT p", set()),
    ],
)
def test_what_depends_on_a_type_is_told_by_the_columns_of_what_is_read(
    expression: str, engines: set[str]
) -> None:
    columns = tuple(Column(name, Primitive(kind)) for name, kind in _TYPES.items())
    found = meant_otherwise(f"SELECT {expression} AS r FROM db.t", HIVE, {("db", "t"): columns})
    assert {meaning.engine for meaning in found} == engines


@pytest.mark.parametrize(
    ("condition", "is_told"),
    [
        ("NOT (a IN (SELECT b FROM db.u)) OR a > 2", True),
        ("a NOT IN (SELECT b FROM db.u) OR a > 2", True),
        ("(a NOT IN (SELECT b FROM db.u) AND a > 2) OR b > 1", True),
        ("NOT (a IN (SELECT b FROM db.u) OR a > 2)", False),
        ("a NOT IN (SELECT b FROM db.u) AND a > 2", False),
        ("a NOT IN (SELECT b FROM db.u)", False),
        ("a NOT IN (1, 3) OR a > 2", False),
    ],
)
def test_not_in_beside_or_is_told_to_keep_rows_in_hive(condition: str, *, is_told: bool) -> None:
    sql = f"SELECT a FROM db.t WHERE {condition}"
    others = {meaning.engine for meaning in meant_otherwise(sql)}
    assert others == ({SPARK, TRINO, FLINK} if is_told else set())
    of_spark = {meaning.engine for meaning in meant_otherwise(sql, SPARK, with_flink=False)}
    assert of_spark == ({HIVE} if is_told else set())


@pytest.mark.parametrize(
    ("behind", "is_told"),
    [
        ("WHERE l IS NULL", True),
        ("WHERE m IS NOT NULL", True),
        ("WHERE n IS NULL", False),
        ("t JOIN db.u u ON t.n = u.n WHERE t.l IS NULL", True),
        ("t LEFT JOIN db.u u ON t.n = u.n WHERE t.l IS NULL", True),
        ("u LEFT JOIN db.t t ON t.n = u.n WHERE t.l IS NULL", False),
        ("t RIGHT JOIN db.u u ON t.n = u.n WHERE t.l IS NULL", False),
        ("LATERAL VIEW OUTER explode(l) e AS x WHERE l IS NULL", False),
        ("WHERE l IS NOT NULL SORT BY n", False),
    ],
)
def test_an_array_or_map_that_is_null_is_told_to_be_none_to_hive(
    behind: str, *, is_told: bool
) -> None:
    columns = (
        Column("n", Primitive("integer")),
        Column("l", ListOf(Primitive("integer"))),
        Column("m", MapOf(Primitive("string"), Primitive("integer"))),
    )
    sql = f"SELECT 1 AS r FROM db.t {behind}"
    known: dict[Name, tuple[Column, ...]] = {("db", name): columns for name in "tu"}
    found = meant_otherwise(sql, HIVE, known)
    assert {meaning.engine for meaning in found} == ({SPARK, TRINO, FLINK} if is_told else set())
    told = meant_otherwise(sql, SPARK, known, with_flink=False)
    assert {meaning.engine for meaning in told} == ({HIVE} if is_told else set())


_OF_TRINO = {
    "a / 2": "whole to Trino, a fraction",
    "n / 2": "a decimal has other digits",
    "x / 2": "",
    "x / a": "by 0",
    "f / 2": "a double in Spark",
    "avg(n)": "four more",
    "avg(a)": "",
    "avg(x)": "",
    "f = 1.1": "a float beside a decimal",
    "CAST(n AS INTEGER)": "2.7 is 3",
    "CAST(a AS BIGINT)": "",
    "CAST(s AS INTEGER)": "",
    "CAST(x AS VARCHAR(30))": "other texts",
    "CAST(a AS VARCHAR)": "",
    "CAST(s AS VARCHAR(2))": "cut to its length",
    "greatest(a, 1)": "NULL to Trino",
    "ln(x)": "NULL in Spark",
    "array_agg(a)": "left out",
    "array_max(l)": "the largest",
    "replace(s, '', '-')": "between the letters",
    "replace(s, 'b')": "",
    "substr(s, 0, 2)": "before a text's begin",
    "substr(s, -2)": "before a text's begin",
    "substr(s, 2)": "",
    "split(s, '.')": "by a pattern",
    "split(s, ',')": "",
    "regexp_extract(s, 'b')": "without a match",
    "'a\\tb'": "a backslash is itself",
    "s LIKE 'a\\_'": "a backslash is itself",
    "'don''t'": "",
    '"a"': "a column to Trino, a text in Spark",
    "extract(dow FROM d)": "Monday is 1",
    "extract(second FROM ts)": "with a fraction",
    "extract(year FROM d)": "",
    "date_trunc('month', d)": "a date to Trino, a time",
    "date_trunc('month', ts)": "",
    "ts + INTERVAL '2' HOUR": "thousandths",
    "d + INTERVAL '1' DAY": "",
    "l[1]": "counted from 1",
    "element_at(l, 1)": "",
    "ltrim(s, 'a')": "the first that",
    "rtrim(s, 'a')": "the first that",
    "trim(LEADING 'a' FROM s)": "",
    "trim(s)": "all white space, as tabs, is cut off by Trino, blanks alone",
    "concat_ws('-', l)": "an empty text",
    "concat_ws('-', s, 'b')": "",
    "skewness(x)": "of two rows",
    "m['a']": "",
    "rank() OVER (ORDER BY a)": "NULLs come last",
    "rank() OVER (ORDER BY a DESC)": "",
    "rank() OVER (ORDER BY coalesce(a, 0))": "",
    "rank() OVER (ORDER BY coalesce(a, b))": "NULLs come last",
    "rank() OVER (ORDER BY CAST(count(*) AS double))": "",
    "rank() OVER (ORDER BY TRY_CAST('x' AS integer))": "NULLs come last",
    "lag(b, 1, 0) OVER (ORDER BY (true))": "",
    "repeat(s, 2)": "an array",
    "a IN (1, 2, NULL)": "a range",
    "count(*)": "",
    "coalesce(a, b)": "",
    "lower('A')": "",
    "ln(2)": "",
    "soundex('Robert')": "",
    "random(6)": "a whole number below",
    "random()": "",
    "(a, b) IN ((7, 2), (1, 1))": "none of those",
    "a IN (7, 1)": "",
}


@pytest.mark.parametrize(("expression", "told"), _OF_TRINO.items(), ids=str)
def test_what_spark_makes_of_a_text_of_trino_is_told(expression: str, told: str) -> None:
    types = {"a": "integer", "b": "integer", "x": "double", "f": "float", "n": "decimal(10,2)"}
    types |= {"s": "string", "d": "date", "ts": "timestamp(6)"}
    columns = tuple(Column(name, Primitive(kind)) for name, kind in types.items())
    sql = f"SELECT {expression} AS r FROM db.t"
    found = meant_otherwise(sql, TRINO, {("db", "t"): columns})
    assert bool(found) == bool(told)
    assert {meaning.engine for meaning in found} <= {SPARK}
    assert told in "".join(f"{meaning.what} in Spark" for meaning in found)


@pytest.mark.parametrize(
    ("behind", "is_told"),
    [
        ("", False),
        ("LIMIT 2", True),
        ("DESC LIMIT 2", False),
    ],
)
def test_where_spark_puts_nulls_is_told_where_it_decides_which_rows_there_are(
    behind: str, is_told: bool
) -> None:
    assert bool(meant_otherwise(f"SELECT a FROM db.t ORDER BY a {behind}", TRINO)) is is_told


@pytest.mark.parametrize(
    ("behind", "is_told"),
    [
        ("GROUP BY a ORDER BY c", False),
        ("GROUP BY a ORDER BY 2", False),
        ("GROUP BY a ORDER BY 1", True),
        ("GROUP BY a ORDER BY 3", False),
        ("GROUP BY a ORDER BY count(*), k", False),
        ("GROUP BY a ORDER BY t.c", True),
        ("GROUP BY a ORDER BY other", True),
        ("GROUP BY ROLLUP (3) ORDER BY k", True),
    ],
)
def test_where_spark_puts_nulls_is_not_told_of_a_column_that_has_none(
    behind: str, is_told: bool
) -> None:
    sql = f"SELECT a, count(*) AS c, 'x' AS k FROM db.t {behind} LIMIT 2"
    assert bool(meant_otherwise(sql, TRINO)) is is_told


@pytest.mark.parametrize(
    ("expression", "engines"), [("f * p", {HIVE, TRINO}), ("f = p", {HIVE}), ("d * p", set())]
)
def test_a_float_beside_a_decimal_in_a_text_of_spark_is_told(
    expression: str, engines: set[str]
) -> None:
    columns = tuple(Column(name, Primitive(kind)) for name, kind in _TYPES.items())
    found = meant_otherwise(f"SELECT {expression} AS r FROM db.t", SPARK, {("db", "t"): columns})
    assert {meaning.engine for meaning in found} - {FLINK} == engines


@pytest.mark.parametrize(
    ("expression", "of_ansi", "of_older"),
    [
        ("'don''t'", {HIVE, TRINO}, {SPARK, FLINK, TRINO}),
        ("size(l)", {HIVE}, {TRINO}),
        ("a % b", set(), {TRINO}),
        ("CAST(trim(s) AS INT)", {HIVE, TRINO}, {HIVE, TRINO}),
        ("CAST(reverse(s) AS DATE)", {HIVE}, {HIVE, TRINO}),
        ("CAST('NaN' AS DOUBLE)", set(), set()),
        ("CAST('-1e3' AS DOUBLE)", set(), set()),
        ("CAST('1e3' AS INT)", {HIVE, TRINO}, {HIVE, TRINO}),
        ("a + b", set(), set()),
    ],
)
def test_what_an_older_spark_has_written_out_of_ansi_mode_means(
    expression: str, of_ansi: set[str], of_older: set[str]
) -> None:
    told = [
        {
            one.engine
            for one in meant_otherwise(f"SELECT {expression} AS r", SPARK, None, True, mode)
        }
        for mode in (Mode(), Mode(ansi=False, joins_quotes=True))
    ]
    assert told == [of_ansi, of_older]


@pytest.mark.parametrize(
    ("properties", "mode"),
    [
        ((), Mode(ansi=False)),
        ((("spark.sql.create.version", "3.5.6"),), Mode(ansi=False, joins_quotes=True)),
        (
            (
                ("spark.sql.create.version", "4.1.4"),
                ("view.sqlConfig.spark.sql.ansi.enabled", "true"),
            ),
            Mode(),
        ),
        ((("spark.sql.create.version", "odd"),), Mode(ansi=False)),
    ],
)
def test_the_mode_of_a_view_is_what_its_entry_says(
    properties: tuple[tuple[str, str], ...], mode: Mode
) -> None:
    view = replace(means_otherwise.EXAMPLE_GOOD.view, properties=properties)
    assert spark_mode.mode(view) == mode


@pytest.mark.parametrize(
    ("form", "dialects", "engines", "dialect"),
    [
        (HIVE, (HIVE,), (), HIVE),
        (SPARK, (SPARK,), (), SPARK),
        (HIVE, ("other",), (), None),
        (FLINK, (FLINK,), (), None),
        ("iceberg", (TRINO,), (SPARK,), TRINO),
        ("iceberg", ("Trino", HIVE), (SPARK,), "Trino"),
        ("iceberg", (TRINO,), (TRINO,), None),
        ("iceberg", (TRINO, SPARK), (SPARK,), None),
        ("iceberg", (HIVE, TRINO), (SPARK,), None),
    ],
)
def test_which_text_others_read(
    form: str, dialects: tuple[str, ...], engines: tuple[str, ...], dialect: str | None
) -> None:
    texts = tuple(Representation(dialect=name, sql="SELECT 1") for name in dialects)
    view = replace(means_otherwise.EXAMPLE_GOOD.view, representations=texts)
    text = means_otherwise.text_read_elsewhere(view, form, engines)
    assert (None if text is None else text.dialect) == dialect


@pytest.mark.parametrize(
    ("literal", "dialect", "engines"),
    [
        (r"'a\tb'", HIVE, {TRINO, FLINK}),
        (r"'\\d'", SPARK, {TRINO, FLINK}),
        (r"r'\d'", SPARK, set()),
        (r"'say \"x\"'", HIVE, set()),
        (r"'\%'", HIVE, set()),
        ("'don''t'", HIVE, {SPARK, TRINO, FLINK}),
        ("'don''t'", SPARK, {HIVE, TRINO}),
        ("'don' 't'", SPARK, set()),
        ("trim('a', 'b')", HIVE, set()),
        ("lower(CAST(reverse(s) AS VARCHAR(3)))", HIVE, {SPARK, TRINO}),
        ("CAST(trim(s) AS char (3))", SPARK, {HIVE, TRINO, FLINK}),
        ("CAST(trim(s) AS char(3))", HIVE, {SPARK, TRINO, FLINK}),
        ("CAST(reverse(s) AS varchar(3))", SPARK, {HIVE, FLINK}),
        ("reverse(s) AS char, 1", HIVE, set()),
    ],
)
def test_literals_and_lengths_that_engines_read_otherwise_are_told(
    literal: str, dialect: str, engines: set[str]
) -> None:
    found = meant_otherwise(f"SELECT {literal} AS r FROM db.t", dialect)
    assert {meaning.engine for meaning in found} == engines


_TEXT = Primitive("string")
_SHOWN = Primitive("decimal(10,2)")
_NESTED: dict[Name, list[Column]] = {
    ("db", "t"): [
        Column("s", _TEXT),
        Column("texts", ListOf(_TEXT)),
        Column("prices", ListOf(_SHOWN)),
        Column("names", MapOf(_TEXT, _TEXT)),
        Column("by_name", MapOf(_TEXT, _SHOWN)),
        Column("lists", MapOf(_TEXT, ListOf(_TEXT))),
    ]
}


@pytest.mark.parametrize(
    ("value", "views", "is_told"),
    [
        ("k", "explode(names) e AS k, v", False),
        ("v", "explode(names) e AS k, v", False),
        ("k", "OUTER explode(by_name) e AS k, v", False),
        ("v", "OUTER explode(by_name) e AS k, v", True),
        ("x", "explode(texts) e AS x", False),
        ("e.x", "explode(texts) e AS X", False),
        ("x", "explode(prices) e AS x", True),
        ("i", "posexplode(prices) e AS i, x", False),
        ("x", "posexplode(texts) e AS i, x", False),
        ("v", "posexplode(by_name) e AS i, k, v", True),
        ("x", "explode(split(s, ',')) e AS x", False),
        ("x", "explode(lists) e AS k, v LATERAL VIEW explode(v) f AS x", False),
        ("x", "explode(of_nobody) e AS x", True),
        ("x", "explode(texts) e AS x, y", True),
        ("x", "inline(texts) e AS x", True),
        ("col", "explode(texts) e", False),
        ("e.col", "explode(prices) e", True),
        ("e.key", "explode(by_name) e", False),
        ("e.value", "explode(by_name) e", True),
        ("names['a']", "explode(texts) e", False),
        ("by_name['a']", "explode(texts) e", True),
        ("texts[0]", "explode(texts) e", False),
        ("lists['a'][0]", "explode(texts) e", False),
        ("of_nobody[0]", "explode(texts) e", True),
    ],
)
@pytest.mark.parametrize(("dialect", "reader"), [(HIVE, SPARK), (SPARK, HIVE)])
def test_what_a_lateral_view_makes_of_a_column_is_of_the_type_of_its_parts(
    value: str, views: str, is_told: bool, dialect: str, reader: str
) -> None:
    sql = f"SELECT concat({value}, '!') AS c FROM db.t LATERAL VIEW {views}"
    meanings = meant_otherwise(sql, dialect, _NESTED, with_flink=False)
    assert (reader in {meaning.engine for meaning in meanings}) == is_told


@pytest.mark.parametrize(
    ("expression", "is_told"),
    [
        ("unix_timestamp('x')", True),
        ("unix_timestamp('')", True),
        ("unix_timestamp('2024-01-01')", True),
        ("unix_timestamp('x', 'yyyy-MM-dd HH:mm:ss')", True),
        ("unix_timestamp('2024-01-01 00:00:00')", False),
        ("unix_timestamp('2024-1-1 0:0:0')", False),
        ("unix_timestamp('2024-01-01', 'yyyy-MM-dd')", False),
        ("unix_timestamp('Jan', 'MMM')", False),
        ("unix_timestamp()", False),
    ],
)
@pytest.mark.parametrize("dialect", [HIVE, SPARK])
def test_a_written_text_that_is_no_time_has_seconds_to_flink_alone(
    expression: str, is_told: bool, dialect: str
) -> None:
    meanings = meant_otherwise(f"SELECT {expression} AS c FROM db.t", dialect, _NESTED)
    assert (FLINK in {meaning.engine for meaning in meanings}) == is_told
