"""What operands mean to an engine that reads a text of Hive or Spark as it is.

HiveServer2 2.3.10, Spark 4.3.0 and Trino 476 read views of these expressions over the same rows on
2026-11-27.
"""

import pytest

from discovery.model import FLINK, HIVE, SPARK, TRINO, Column, Primitive
from tests.read_elsewhere import meant_otherwise

TYPES = {
    "a": "integer",
    "x": "double",
    "n": "decimal(10,2)",
    "s": "string",
    "c": "char(6)",
    "d": "date",
    "ts": "timestamp(9)",
}
COLUMNS = [Column(name, Primitive(kind)) for name, kind in TYPES.items()]


def told(expression: str, home: str) -> set[str]:
    """Who reads it otherwise, where the types of the columns are known; Flink aside."""
    found = meant_otherwise(f"SELECT {expression} AS r FROM t", home, {("t",): COLUMNS})
    return {meaning.engine for meaning in found} - {FLINK}


@pytest.mark.parametrize(
    ("expression", "of_hive", "of_spark"),
    [
        ("a IN (1, 2, NULL)", {TRINO}, {TRINO}),
        ("a IN (-7, -6, NULL)", {TRINO}, {TRINO}),
        ("n IN (2.49, 2.50, NULL)", {TRINO}, {TRINO}),
        ("d IN (DATE '2024-02-29', DATE '2024-03-01', NULL)", {TRINO}, {TRINO}),
        ("a IN (1, 3, NULL)", set(), set()),
        ("a IN (1, 2)", set(), set()),
        ("a IN (1, NULL)", set(), set()),
        ("a IN (1, 2.5, NULL)", set(), set()),
        ("s IN ('a', 'b', NULL)", set(), set()),
        ("lpad(s, 4, '')", {SPARK, TRINO}, {HIVE, TRINO}),
        ("lpad(s, 4, ' ')", set(), set()),
        ("regexp_extract(s, '(a)(b)?', 2)", {SPARK, TRINO}, {HIVE, TRINO}),
        ("regexp_extract(s, '(a)|b')", {SPARK, TRINO}, {HIVE, TRINO}),
        ("regexp_extract(s, '(a)(b)?', 0)", {TRINO}, {TRINO}),
        ("regexp_extract(s, '(a)', 1)", {TRINO}, {TRINO}),
        ("CAST('2024-01-05 10:11' AS TIMESTAMP)", {SPARK, TRINO}, {HIVE}),
        ("CAST('2024-01-05 25:00:00' AS TIMESTAMP)", {SPARK, TRINO}, {HIVE}),
        ("CAST('2024-01-05 10:11:12.5' AS TIMESTAMP)", set(), set()),
        ("hash(a)", {SPARK}, {HIVE}),
        ("conv(s, 10, 2)", {SPARK}, {HIVE}),
        ("conv('ff', 16, 10)", set(), set()),
        ("unix_timestamp(s, 'yyyy')", {SPARK}, {HIVE}),
        ("unix_timestamp(ts)", set(), set()),
        ("d > '2024'", {SPARK, TRINO}, {HIVE, TRINO}),
        ("d > '2024-01-01'", set(), set()),
        ("substr(s, -2)", {SPARK}, {HIVE, TRINO}),
        ("s = 7", {SPARK, TRINO}, set()),
        ("a = '7'", set(), set()),
        ("n = '2.50'", {TRINO}, {TRINO}),
        ("CAST('Inf' AS DOUBLE)", {SPARK, TRINO}, {HIVE, TRINO}),
        ("n IN (10, '2.5')", {SPARK}, set()),
        ("n IN (10, 2.5)", set(), set()),
        ("s LIKE 'a%b'", {SPARK, TRINO}, {HIVE}),
        ("s LIKE '%a_b%'", {SPARK, TRINO}, {HIVE}),
        ("s LIKE '_'", {SPARK, TRINO}, {HIVE}),
        ("s LIKE '%a%'", set(), set()),
        ("s LIKE 'a%'", set(), set()),
        ("x IN ('2.5', 3)", set(), set()),
        ("concat(s, chr(10))", set(), set()),
        ("a IN (10, '7')", set(), set()),
        ("TIMESTAMP '2024-01-01 22:45:10'", set(), set()),
        ("CAST('2024-01-05 24:00:00' AS TIMESTAMP)", {SPARK, TRINO}, {HIVE}),
        ("CAST('2024-01-05 10:60:00' AS TIMESTAMP)", {SPARK, TRINO}, {HIVE}),
        ("size(map('a', 1))", set(), set()),
        ("c LIKE 'ab%'", set(), set()),
        ("c LIKE 'ab %'", {SPARK, TRINO}, {HIVE}),
        ("x = '2.5'", set(), set()),
        ("a = '7.5'", {SPARK, TRINO}, set()),
        ("a % n", {TRINO}, set()),
        ("a % 3", set(), set()),
        ("split(s, ',')[-1]", {TRINO}, set()),
        ("split(s, ',')[a - 1]", {TRINO}, set()),
        ("split(s, ',')[1]", set(), set()),
        ("CAST(s AS DOUBLE)", {TRINO}, set()),
        ("CAST('20240105' AS DATE)", {TRINO}, set()),
        ("CAST('2024-1-5' AS DATE)", set(), set()),
        ("CAST('2024-02-30' AS DATE)", {SPARK, TRINO}, {HIVE}),
        ("CAST('1.5' AS DECIMAL(3, 1))", set(), set()),
        ("CAST(x AS DECIMAL(5, 1))", set(), set()),
        ("CAST(n AS INT)", {TRINO}, {TRINO}),
        ("CAST(n AS SMALLINT)", {SPARK, TRINO}, {HIVE, TRINO}),
        ("CAST(n AS STRING)", {SPARK, TRINO}, {HIVE}),
        ("CAST(a > 1 AS STRING)", {SPARK, TRINO}, {HIVE}),
        ("sort_array(map_keys(str_to_map(s)))", {SPARK, TRINO}, {HIVE}),
        ("sum(n) OVER (ORDER BY a)", {TRINO}, {TRINO}),
        ("sum(n * a) OVER ()", {TRINO}, {TRINO}),
        ("sum(q) OVER ()", {TRINO}, {TRINO}),
        ("sum(a) OVER (ORDER BY n)", set(), set()),
        ("sum(x) OVER ()", set(), set()),
        ("max(n) OVER ()", set(), set()),
        ("avg(a) OVER (PARTITION BY s)", {TRINO}, {TRINO}),
        ("avg(x) OVER (PARTITION BY s)", set(), set()),
        ("avg(a)", set(), set()),
        ("sum(n)", set(), set()),
        ("sum(CAST(a AS FLOAT))", {TRINO}, {TRINO}),
        ("lag(a, -1) OVER (ORDER BY a)", {TRINO}, {TRINO}),
        ("lead(a, 1) OVER (ORDER BY a)", set(), set()),
        ("rpad(s, -1, 'x')", set(), {TRINO}),
        ("CAST('nan' AS DOUBLE)", {SPARK, TRINO}, {HIVE, TRINO}),
        ("CAST('-inf' AS FLOAT)", {SPARK, TRINO}, {HIVE, TRINO}),
        ("CAST('NaN' AS DOUBLE)", set(), set()),
        ("CAST('-Infinity' AS DOUBLE)", set(), set()),
        ("greatest(a, 1)", {SPARK}, {HIVE, TRINO}),
        ("greatest(coalesce(a, 0), 1)", set(), set()),
        ("least(1, 2)", set(), set()),
    ],
)
def test_operands_that_engines_read_otherwise_are_told(
    expression: str, of_hive: set[str], of_spark: set[str]
) -> None:
    assert told(expression, HIVE) == of_hive
    assert told(expression, SPARK) == of_spark


@pytest.mark.parametrize(
    ("expression", "engines"),
    [
        ("DATE '2024-01-01'", set()),
        ("CAST('2024-13-01' AS DATE)", {TRINO}),
        ("100L", set()),
        ("CAST(300 AS TINYINT)", {TRINO}),
        ("concat(reverse(s), a > 1)", set()),
        ("size(array(1))", set()),
        ("size(collect_set(trim(s)))", {TRINO}),
        ("sort_array(collect_set(trim(s)))", {TRINO}),
        ("concat_ws(',', reverse(s), 'x')", set()),
        ("concat_ws(',', collect_list(trim(s)))", {TRINO}),
        ("map_values(m)[0]", set()),
    ],
)
def test_what_is_the_same_of_these_values_is_not_told(expression: str, engines: set[str]) -> None:
    found = meant_otherwise(f"SELECT {expression} AS r FROM db.t")
    assert {meaning.engine for meaning in found} - {FLINK} == engines


@pytest.mark.parametrize(
    ("expression", "engines"),
    [
        ("trunc(d, 'YYYY')", set()),
        ("date_format(trunc(d, 'MM'), 'YYYY')", {SPARK, TRINO}),
        ("get_json_object(s, '$.ok') = 'true'", set()),
        ("s <> 'false'", set()),
        ("(a = 1) = 'true'", {SPARK, TRINO, FLINK}),
        ("CAST(NULL AS INT)", set()),
        ("CAST(NULL AS DOUBLE)", set()),
        ("CAST(NULL AS STRING)", set()),
        ("CAST(NULL AS TIMESTAMP)", set()),
        ("str_to_map(s, '&', '=')['k']", set()),
        ("str_to_map(s, '&', '=')", {SPARK, FLINK}),
        ("upper(s) = 'PAID'", set()),
        ("'PAID' = (upper(s))", set()),
        ("upper(s) IN ('PAID', 'OPEN')", set()),
        ("upper(s) IN ('PAID', 'PASSED')", {TRINO}),
        ("upper(s) = s", {TRINO}),
        ("upper(s) > 'PAID'", {TRINO}),
        ("upper(s) = 'ÄH'", {TRINO}),
        ("lower(s) = 'done'", set()),
        ("lower(s) = 'paid'", {TRINO}),
        ("size(split(coalesce(s, ''), '&'))", set()),
        ("size(split('a&b', '&'))", set()),
        ("size(split(s, '&'))", {TRINO}),
        ("if(array_contains(split(s, '&'), 'x'), 1, 0)", set()),
        ("CASE WHEN array_contains(split(s, '&'), 'x') THEN 1 END", set()),
        ("if(a = 1, array_contains(split(s, '&'), 'x'), b)", {SPARK, TRINO, FLINK}),
    ],
)
def test_what_hive_has_no_other_values_of_is_not_told(expression: str, engines: set[str]) -> None:
    """HiveServer2 2.3.10, Spark 4.3.0, Trino 476 and Flink 1.20.5, asked on 2026-11-28."""
    found = meant_otherwise(f"SELECT {expression} AS r FROM t", HIVE, {("t",): COLUMNS})
    assert {meaning.engine for meaning in found} == engines


def test_a_condition_takes_no_array_as_one_without_the_element() -> None:
    within = "SELECT a FROM db.t WHERE (b > 1 AND array_contains(l, 2))"
    assert not [one for one in meant_otherwise(within) if one.engine != FLINK]
    assert {one.engine for one in meant_otherwise(within.replace("(b > 1 AND", "NOT ("))} == {
        SPARK,
        TRINO,
        FLINK,
    }


@pytest.mark.parametrize(
    ("expression", "engines"),
    [
        ("CAST(1700000000 AS TIMESTAMP)", {HIVE}),
        ("CAST('2024-01-01T00:00:00' AS TIMESTAMP)", {HIVE}),
        ("soundex(s)", {HIVE, TRINO}),
        ("concat_ws(',', l)", {HIVE, TRINO}),
    ],
)
def test_what_is_otherwise_of_sparks_texts_is_told(expression: str, engines: set[str]) -> None:
    found = meant_otherwise(f"SELECT {expression} AS r FROM db.t", SPARK)
    assert {meaning.engine for meaning in found} - {FLINK} == engines


@pytest.mark.parametrize(
    ("expression", "homes"),
    [
        ("lead(a, 2, -1) OVER (ORDER BY a)", {HIVE, SPARK}),
        ("lag(a) OVER (ORDER BY a)", set()),
        ("last_value(a) OVER (ORDER BY a)", {HIVE, SPARK}),
        ("last_value(a, true) OVER (ORDER BY a)", set()),
        ("regexp_replace(s, '(b)', '<$1>')", {HIVE, SPARK}),
        ("regexp_replace(s, 'b', 'c')", set()),
        ("CAST(s AS BINARY)", {HIVE, SPARK}),
        ("x / a", {HIVE, SPARK}),
        ("x / 2.5", set()),
        ("c = 'ab'", {HIVE, SPARK}),
        ("s = 'ab'", set()),
        ("lpad(s, 4, '')", {SPARK}),
        ("array_sort(split(s, ','))", {SPARK}),
        ("sort_array(split(s, ','))", set()),
        ("d > '2024'", {HIVE}),
        ("d > '2024-01-01'", set()),
        ("to_date(s)", {HIVE}),
        ("to_date(ts)", set()),
        ("unix_timestamp(s, 'yyyy')", {HIVE}),
        ("date_format(s, 'yyyy')", {HIVE}),
        ("date_format(ts, 'yyyy')", set()),
        ("CAST(s AS BOOLEAN)", {HIVE}),
        ("DATE '2024-01-01'", set()),
        ("TIMESTAMP '2024-01-01 10:00:00'", set()),
        ("CAST('20240101' AS DATE)", {HIVE}),
        ("ts + INTERVAL '2' HOUR", set()),
        ("s LIKE 'a%b'", {HIVE}),
        ("s LIKE 'a_b%'", {SPARK}),
        ("s LIKE '%ab%'", set()),
        ("a % a", {HIVE}),
        ("a % 3", set()),
        ("s > 5", {HIVE}),
        ("s BETWEEN 1 AND 9", {HIVE}),
        ("s > '5'", set()),
        ("CAST(c AS STRING)", {HIVE}),
        ("concat(c, s)", {HIVE}),
        ("concat(s, s)", set()),
        ("extract(SECOND FROM ts)", {SPARK}),
        ("extract(MINUTE FROM ts)", set()),
        ("substr(s, -5, 3)", {SPARK}),
        ("substr(s, 5, 3)", set()),
        ("rpad(s, -1, 'x')", {SPARK}),
        ("rpad(s, 1, 'x')", set()),
        ("ltrim('a', s)", {SPARK}),
        ("ltrim(s)", set()),
        ("trim(LEADING 'a' FROM s)", set()),
        ("sha2(s, 0)", {SPARK}),
        ("sha2(s, 256)", set()),
        ("typeof(a)", {SPARK}),
        ("overlay(s PLACING 'Z' FROM 2 FOR 1)", {SPARK}),
        ("a IN (SELECT b FROM u)", {SPARK}),
        ("timestampdiff(MONTH, ts, d)", {SPARK}),
        ("timestampdiff(DAY, ts, d)", set()),
    ],
)
def test_what_flink_makes_of_operands_is_told(expression: str, homes: set[str]) -> None:
    """Flink 1.20.5 read the same views on that day."""
    sql = f"SELECT {expression} AS r FROM t"
    assert homes == {
        home
        for home in (HIVE, SPARK)
        if any(meaning.engine == FLINK for meaning in meant_otherwise(sql, home, {("t",): COLUMNS}))
    }
