"""What expressions made at random have shown: numbers as texts, the order of operators, remainders.

Some 1,500 over columns of every type, each read by HiveServer2 2.3.10, Spark 4.3.0 and Trino 476
(by Coral) over the same rows on 2026-11-29, beside what is told of them and the drafts made of
them.
"""

import pytest

from discovery.formats.spark_mode import Mode
from discovery.lineage.translation import Translation, translated
from discovery.model import HIVE, MYSQL, POSTGRESQL, SPARK, TRINO, Column, Primitive
from discovery.ports import Name
from tests.read_elsewhere import meant_otherwise

TYPES = {
    "i": "integer",
    "d": "double",
    "f": "float",
    "p": "decimal(10,2)",
    "w": "decimal(10,0)",
    "s": "string",
    "b": "boolean",
    "ts": "timestamp",
    "dt": "date",
}
NAME: Name = ("t",)
COLUMNS: dict[Name, list[Column]] = {
    NAME: [Column(name, Primitive(kind)) for name, kind in TYPES.items()]
}


def told(expression: str, home: str = HIVE) -> set[str]:
    """Who reads it otherwise."""
    meanings = meant_otherwise(f"SELECT {expression} AS r FROM t", home, COLUMNS, False)
    return {meaning.engine for meaning in meanings}


def drafted(expression: str, home: str, into: str) -> Translation:
    return translated(f"SELECT {expression} AS r FROM t", home, into, {NAME: NAME}, COLUMNS)


def draft(expression: str, into: str, home: str = HIVE) -> str:
    """An expression of a draft; empty: there is none."""
    sql = drafted(expression, home, into).sql
    return sql.removeprefix("SELECT ").removesuffix(" AS r FROM t")


@pytest.mark.parametrize(
    "expression",
    [
        "upper({})",
        "lower({})",
        "substr({}, 1, 4)",
        "lpad({}, 6, '0')",
        "reverse({})",
        "repeat({}, 2)",
        "regexp_replace({}, '0', 'x')",
        "regexp_extract({}, '0$', 0)",
        "replace({}, '0', 'x')",
        "split({}, '0')[1]",
        "instr({}, '0')",
        "elt(1, {}, s)",
        "find_in_set('10', {})",
        "printf('%s', {})",
        "{} LIKE '%0'",
        "hex({})",
    ],
)
def test_a_decimal_in_a_function_of_texts_has_no_zeros_at_its_end_to_hive(expression: str) -> None:
    of_column = expression.format("p")
    assert SPARK in told(of_column)
    assert HIVE in told(of_column, SPARK)
    assert not draft(of_column, SPARK)
    assert not draft(of_column, TRINO)
    for same in ("w", "1.5", "i"):
        assert SPARK not in told(expression.format(same)), "the same text to both"


@pytest.mark.parametrize(
    ("expression", "is_told"),
    [
        ("concat(w, '%')", False),
        ("CAST(w AS STRING)", False),
        ("concat(1.5, '%')", False),
        ("CAST(1.50 AS STRING)", True),
        ("concat(p, '%')", True),
        ("CASE WHEN b THEN s ELSE w END", False),
        ("CASE WHEN b THEN s ELSE p END", True),
    ],
)
def test_a_number_without_digits_behind_its_point_is_one_text(
    expression: str, is_told: bool
) -> None:
    assert (SPARK in told(expression)) is is_told


@pytest.mark.parametrize("of", ["{}", "CAST({} AS STRING)", "concat({}, '%')", "upper({})"])
@pytest.mark.parametrize(
    ("rounded", "as_spark", "as_trino"),
    [
        ("ROUND(p, 1)", "CAST({} AS DECIMAL(10, 1))", "CAST({} AS DECIMAL(11, 2))"),
        ("ROUND(p, -1)", "CAST({} AS DECIMAL(9, 0))", "CAST({} AS DECIMAL(11, 2))"),
        ("ROUND(p, 0)", "CAST({} AS DECIMAL(9, 0))", "CAST({} AS DECIMAL(11, 2))"),
        ("ROUND(p, 4)", "{}", "{}"),
        ("ROUND(p)", "{}", "{}"),
        ("ROUND(w, -1)", "{}", "{}"),
    ],
)
def test_a_rounded_decimal_has_the_digits_that_its_engine_gives_it(
    of: str, rounded: str, as_spark: str, as_trino: str
) -> None:
    is_otherwise = as_spark != "{}"
    if of != "upper({})":  # of odd letters, that is told of whatever it has
        assert (TRINO in told(of.format(rounded), SPARK)) is (is_otherwise and of != "{}")
    within = f"WITH c AS (SELECT {rounded} AS x FROM t) SELECT {of.format('x')} AS r FROM c"
    asked = translated(within, SPARK, TRINO, {NAME: NAME}, COLUMNS)
    assert f"SELECT {as_spark.format(rounded)} AS x FROM t" in asked.sql
    assert draft(rounded, SPARK, TRINO) == as_trino.format(rounded)


@pytest.mark.parametrize("of", ["CAST({} AS STRING)", "concat({}, '%')", "reverse({})"])
@pytest.mark.parametrize(
    ("value", "is_told"),
    [
        ("ln(d)", True),
        ("log2(i)", True),
        ("2 * exp(d) - 1", True),
        ("pow(d, 1.5)", True),
        ("round(exp(d), 3)", False),
        ("cbrt(d)", False),
        ("sin(d)", False),
        ("d * 2", False),
    ],
)
def test_the_last_digits_of_logarithms_and_powers_are_seen_in_texts(
    of: str, value: str, is_told: bool
) -> None:
    """Hive calculates them by Java's `Math`, Spark by `StrictMath`."""
    within = f"WITH c AS (SELECT {value} AS x FROM t) SELECT {of.format('x')} AS r FROM c"
    for home, reader in ((HIVE, SPARK), (SPARK, HIVE)):
        assert (reader in told(of.format(value), home)) is is_told
        meanings = meant_otherwise(within, home, COLUMNS, False)
        assert (reader in {meaning.engine for meaning in meanings}) is is_told
        assert reader not in told(value, home), "as a number it is as good as the same"
    asked = translated(within, HIVE, SPARK, {NAME: NAME}, COLUMNS)
    assert ("last digits" in " ".join(asked.doubts)) is is_told


@pytest.mark.parametrize(
    ("value", "home", "into", "expected"),
    [
        ("sign(i)", TRINO, SPARK, "CAST(SIGN(i) AS INT)"),
        ("sign(p)", TRINO, SPARK, "CAST(SIGN(p) AS DECIMAL(1, 0))"),
        ("sign(d)", TRINO, SPARK, "SIGN(d)"),
        ("sign(i)", SPARK, TRINO, "SIGN(CAST(i AS DOUBLE))"),
        ("sign(p)", SPARK, TRINO, "SIGN(CAST(p AS DOUBLE))"),
        ("sign(p)", HIVE, TRINO, "CAST(SIGN(p) AS INTEGER)"),
        ("sign(p)", HIVE, SPARK, "CAST(SIGN(p) AS INT)"),
        ("sign(i)", HIVE, SPARK, "SIGN(i)"),
        ("sign(i) / 2", TRINO, SPARK, "CAST(CAST(SIGN(i) AS INT) DIV 2 AS INT)"),
        ("sign(i)", MYSQL, SPARK, "CAST(SIGN(i) AS BIGINT)"),
    ],
)
def test_a_sign_has_the_type_that_its_engine_gives_it(
    value: str, home: str, into: str, expected: str
) -> None:
    """Half of it is 0.5 of a double, 0 of a whole number."""
    assert draft(value, into, home) == expected


@pytest.mark.parametrize(
    ("value", "reader_of_hive", "reader_of_spark"),
    [("sign(p)", {SPARK}, {HIVE, TRINO}), ("sign(i)", {TRINO}, {TRINO})],
)
def test_a_sign_is_another_text_where_it_is_no_double(
    value: str, reader_of_hive: set[str], reader_of_spark: set[str]
) -> None:
    assert told(f"concat({value}, '%')") == reader_of_hive
    assert told(f"concat({value}, '%')", SPARK) == reader_of_spark
    assert not told(value)


@pytest.mark.parametrize("value", ["percent_rank()", "cume_dist()"])
@pytest.mark.parametrize("home", [HIVE, SPARK])
def test_a_share_of_a_window_is_a_double(value: str, home: str) -> None:
    assert told(f"concat({value} OVER (ORDER BY i), '%')", home) == {TRINO}


@pytest.mark.parametrize(
    ("value", "home", "expected"),
    [
        ("floor(log10(i + 1))", HIVE, "FLOOR(LOG10(i + 1))"),
        ("log(10, i)", HIVE, "LOG(10, i)"),
        ("log2(i)", HIVE, "LOG(2, i)"),
        ("log10(1000)", TRINO, "LOG10(1000)"),
        ("log10(n)", MYSQL, "LOG10(n)"),
    ],
)
def test_a_logarithm_keeps_its_function(value: str, home: str, expected: str) -> None:
    """`log10(1000)` is 3 to all, and the next whole number below `log(10, 1000)` is 2."""
    assert draft(value, SPARK, home) == expected


@pytest.mark.parametrize(
    ("quotient", "home", "digits"),
    [
        ("p / -3", HIVE, "DECIMAL(14, 6)"),
        ("p / -3", SPARK, "DECIMAL(14, 6)"),
        ("p / (-3)", SPARK, "DECIMAL(14, 6)"),
        ("p / -(3)", SPARK, "DECIMAL(21, 13)"),
        ("p / i", SPARK, "DECIMAL(21, 13)"),
    ],
)
def test_a_number_below_0_has_as_many_digits_in_a_quotient_as_one_above(
    quotient: str, home: str, digits: str
) -> None:
    assert draft(quotient, TRINO, home).endswith(f"AS {digits})")


@pytest.mark.parametrize(
    ("value", "is_drafted"),
    [
        ("p::text", True),
        ("(p * 2)::text", True),
        ("(p + 1.5)::text", True),
        ("sum(p)::text", True),
        ("round(n, 2)::text", True),
        ("(p / i)::text", False),
        ("avg(p)::text", False),
        ("n::text", False),
        ("concat(n, '%')", False),
        ("(n + 1)::text", False),
        ("max(n)::text", False),
        ("greatest(p, 1::numeric)::text", False),
        ("CASE WHEN b THEN 1.50 ELSE i::numeric END::text", False),
        ("coalesce(p, 0.00)::text", True),
    ],
)
def test_a_number_of_postgresql_is_a_text_elsewhere_if_all_have_as_many_digits(
    value: str, is_drafted: bool
) -> None:
    """Each has its own there: `greatest(p, 1)` is 1 beside 1.25."""
    columns = {NAME: [*COLUMNS[NAME], Column("n", Primitive("decimal(38,18)"))]}
    for of in ("SELECT {} AS r FROM t", "WITH c AS (SELECT {} AS x FROM t) SELECT x AS r FROM c"):
        for into in (SPARK, TRINO):
            asked = translated(of.format(value), POSTGRESQL, into, {NAME: NAME}, columns)
            assert bool(asked.sql) is is_drafted


@pytest.mark.parametrize(
    ("compared", "home", "expected"),
    [
        ("(i, s) = (7, 'a')", TRINO, "(i = 7 AND s = 'a')"),
        ("(i, s) <> (7, 'a')", TRINO, "(i <> 7 OR s <> 'a')"),
        ("(i, s) = (7, 'a')", MYSQL, "CAST((i = 7 AND s = 'a') AS INT)"),
        ("(i, s) = (7, 'a')", SPARK, "(i, s) = (7, 'a')"),
    ],
)
def test_rows_with_a_null_are_compared_value_by_value(
    compared: str, home: str, expected: str
) -> None:
    assert draft(compared, TRINO if home == SPARK else SPARK, home) == expected


@pytest.mark.parametrize(
    ("value", "of_hive", "of_spark"),
    [
        ("hour(s)", {SPARK}, {HIVE}),
        ("minute('2024-03-03')", {SPARK}, {HIVE}),
        ("second('2024-03-03 10:00:00')", set(), set()),
        ("hour(ts)", set(), set()),
        ("base64(CAST(s AS BINARY))", {SPARK}, {HIVE}),
        ("base64(CAST('abc' AS BINARY))", set(), set()),
        ("to_unix_timestamp(s, 'yyyy-MM-dd')", {SPARK}, {HIVE}),
        ("to_unix_timestamp(ts, 'yyyy-MM-dd')", set(), set()),
        ("unix_timestamp('2024-13-01', 'yyyy-MM-dd')", {SPARK}, {HIVE}),
        ("unix_timestamp('2024-12-01', 'yyyy-MM-dd')", set(), set()),
        ("date_format(ts, 'S')", {SPARK}, {HIVE}),
        ("date_format(ts, 'ss.SSSSSS')", {SPARK}, {HIVE}),
        ("date_format(ts, 'ss.SSS')", set(), set()),
        ("date_format(ts, 'F')", {SPARK}, {HIVE}),
        ("date_format(ts, 'EEEE')", set(), set()),
        ("replace(s, '', 'x')", {SPARK}, {HIVE, TRINO}),
        ("1e0 / 3", {TRINO}, {TRINO}),
        ("nvl(i, s)", set(), {HIVE}),
        ("CASE WHEN b THEN s ELSE i END", set(), {HIVE}),
        ("nvl(dt, ts)", set(), set()),
    ],
)
def test_what_lies_at_the_ends_of_functions_is_told(
    value: str, of_hive: set[str], of_spark: set[str]
) -> None:
    is_format = value.startswith("date_format")  # which Trino reads otherwise, whatever it is
    assert told(value) - ({TRINO} if is_format else set()) == of_hive
    assert told(value, SPARK) - ({TRINO} if is_format else set()) == of_spark


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("nvl(d, s)", "COALESCE(CAST(d AS STRING), s)"),
        ("if(b, s, i)", "IF(b, s, CAST(i AS STRING))"),
        (
            "CASE WHEN b THEN s WHEN i = 1 THEN dt ELSE i END",
            "CASE WHEN b THEN s WHEN i = 1 THEN CAST(dt AS STRING) ELSE CAST(i AS STRING) END",
        ),
        ("nvl(s, 'x')", "COALESCE(s, 'x')"),
        ("nvl(i, 0)", "COALESCE(i, 0)"),
        ("nvl(p, s)", ""),
        ("f - p", ""),
        ("f * d", "f * d"),
    ],
)
def test_what_is_chosen_from_texts_and_others_is_a_text_of_hive(value: str, expected: str) -> None:
    """Spark in ANSI mode makes numbers of the texts beside numbers."""
    assert draft(value, SPARK) == expected


def test_a_small_number_of_postgresql_that_is_shifted_has_no_more_room() -> None:
    columns = {NAME: [*COLUMNS[NAME], Column("si", Primitive("short"))]}
    for value, expected in (("si << 2", ""), ("i << 2", "SHIFTLEFT(i, 2)")):
        sql = f"SELECT {value} AS r FROM t"
        asked = translated(sql, POSTGRESQL, SPARK, {NAME: NAME}, columns)
        assert asked.sql == (expected and f"SELECT {expected} AS r FROM t")


def test_beside_an_empty_text_spark_makes_a_number_of_a_number() -> None:
    """`COALESCE(1.50, '')` is 1.5 there, in ANSI mode."""
    expected = "CONCAT(COALESCE(CAST(p AS STRING), ''), COALESCE(s, ''), '%')"
    assert draft("concat(p, s, '%')", SPARK, POSTGRESQL) == expected


@pytest.mark.parametrize(
    ("value", "home", "expected"),
    [
        ("i div 10", HIVE, "CAST(i / 10 AS BIGINT)"),
        ("i div 10", SPARK, "CAST(i / 10 AS BIGINT)"),
        ("i div w", HIVE, "CAST((i - i % NULLIF(w, 0)) / NULLIF(w, 0) AS BIGINT)"),
        ("p div 2", MYSQL, "CAST((p - p % 2) / 2 AS BIGINT)"),
        ("i div i", MYSQL, "CAST(i / NULLIF(i, 0) AS BIGINT)"),
        ("div(p, 2)", POSTGRESQL, "CAST(CAST((p - p % 2) / 2 AS BIGINT) AS DECIMAL(19, 0))"),
    ],
)
def test_a_quotient_without_fraction_is_no_double(value: str, home: str, expected: str) -> None:
    """In a double, 9007199254740993 DIV 1 is one less."""
    assert draft(value, TRINO, home) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT i FROM t WHERE i", "SELECT i FROM t WHERE i <> 0"),
        ("SELECT i FROM t WHERE NOT i", "SELECT i FROM t WHERE NOT (i <> 0)"),
        ("SELECT if(i, 1, 2) AS r FROM t", "SELECT IF(i <> 0, 1, 2) AS r FROM t"),
        (
            "SELECT CASE WHEN i AND p > 1 THEN s END AS r FROM t",
            "SELECT CASE WHEN i <> 0 AND p > 1 THEN s END AS r FROM t",
        ),
        (
            "SELECT CASE i WHEN 3 THEN s END AS r FROM t",
            "SELECT CASE i WHEN 3 THEN s END AS r FROM t",
        ),
        ("SELECT i > 3 AS r FROM t", "SELECT CAST(i > 3 AS INT) AS r FROM t"),
        ("SELECT (i > 3) + 1 AS r FROM t", "SELECT CAST((i > 3) AS INT) + 1 AS r FROM t"),
        ("SELECT i FROM t WHERE i = true", "SELECT i FROM t WHERE i = 1"),
        ("SELECT i FROM t WHERE i IS TRUE", "SELECT i FROM t WHERE (i <> 0) IS TRUE"),
        ("SELECT i FROM t WHERE (i > 3) = (p > 3)", "SELECT i FROM t WHERE (i > 3) = (p > 3)"),
        ("SELECT i FROM t WHERE i XOR p > 3", "SELECT i FROM t WHERE ((i <> 0) <> (p > 3))"),
        (
            "SELECT coalesce(i > 3, 0) AS r FROM t",
            "SELECT COALESCE(CAST(i > 3 AS INT), 0) AS r FROM t",
        ),
        (
            "SELECT q.x FROM (SELECT i > 3 AS x FROM t) q WHERE q.x",
            "SELECT CAST(q.x AS INT) FROM (SELECT i > 3 AS x FROM t) AS q WHERE q.x",
        ),
        ("SELECT i FROM t WHERE s", ""),
    ],
)
def test_a_truth_of_mysql_is_a_number(query: str, expected: str) -> None:
    assert translated(query, MYSQL, SPARK, {NAME: NAME}, COLUMNS).sql == expected


@pytest.mark.parametrize(
    ("value", "is_drafted", "is_doubted"),
    [
        ("rpad(s, 5, 'x')", True, False),
        ("rpad(s, i, 'x')", True, True),
        ("lpad(s, -1, 'x')", False, False),
        ("pi()", True, True),
    ],
)
def test_what_mariadb_shows_otherwise_is_told_with_the_draft(
    value: str, is_drafted: bool, is_doubted: bool
) -> None:
    asked = drafted(value, MYSQL, SPARK)
    assert (bool(asked.sql), bool(asked.doubts)) == (is_drafted, is_doubted)


@pytest.mark.parametrize(
    ("value", "home", "digits"),
    [
        ("(p / 3) / 7", HIVE, "DECIMAL(16, 8)"),
        ("(p / 3) / 7", SPARK, "DECIMAL(16, 8)"),
        ("(1.50 / p) / 7", SPARK, "DECIMAL(18, 15)"),
        ("(1.50 / p) / 7", HIVE, "DECIMAL(17, 14)"),
        ("(p / (p / 3)) / 2", SPARK, "DECIMAL(33, 19)"),
    ],
)
def test_a_quotient_of_a_quotient_has_the_digits_of_both(
    value: str, home: str, digits: str
) -> None:
    assert draft(value, TRINO, home).endswith(f" AS {digits})")


@pytest.mark.parametrize("value", ["p / 3", "1.50 / p"])
def test_a_quotient_is_a_text_of_the_digits_that_its_engine_gives_it(value: str) -> None:
    within = f"WITH c AS (SELECT {value} AS x FROM t) SELECT concat(x, '|') AS r FROM c"
    assert not translated(within, HIVE, TRINO, {NAME: NAME}, COLUMNS).sql
    assert translated(within, SPARK, TRINO, {NAME: NAME}, COLUMNS).sql


@pytest.mark.parametrize(
    ("expression", "is_told"),
    [
        ("substr(d, 1, 4)", True),
        ("reverse(f)", True),
        ("regexp_replace(ts, '0', 'x')", True),
        ("d LIKE '%0'", True),
        ("substr(ts, 1, 10)", False),
        ("substr(ts, 1, 19)", False),
        ("substr(ts, 1, 23)", True),
        ("substr(ts, 12)", True),
        ("ts LIKE '2024-01%'", False),
        ("ts LIKE '%00'", True),
        ("split(ts, ' ')[0]", False),
        ("split(ts, ':')[2]", True),
        ("split(d, '-')[0]", True),
        ("substr(i, 1, 4)", False),
    ],
)
def test_what_coral_makes_a_text_of_is_another_one_where_it_has_a_fraction(
    expression: str, is_told: bool
) -> None:
    assert (TRINO in told(expression)) is is_told


@pytest.mark.parametrize(
    ("expression", "is_told", "spark", "trino"),
    [
        ("2 * 3 ^ 1", True, "", ""),
        ("7 & 3 ^ 1", True, "", ""),
        ("7 ^ 3 & 1", True, "", ""),
        ("1 | 2 & 3", False, "", ""),
        ("1 & 2 & 3", False, "1 & 2 & 3", "BITWISE_AND(BITWISE_AND(1, 2), 3)"),
        ("(i ^ 1) & 3", False, "(i ^ 1) & 3", "BITWISE_AND((BITWISE_XOR(i, 1)), 3)"),
        ("i & 1 = 1", False, "i & 1 = 1", "BITWISE_AND(i, 1) = 1"),
        ("s LIKE 'a%' = b", True, "(s LIKE 'a%') = b", "(s LIKE 'a%') = b"),
        ("b = s RLIKE 'a'", True, "b = (s RLIKE 'a')", "b = (REGEXP_LIKE(s, 'a'))"),
        ("i BETWEEN 1 AND 5 = b", True, "(i BETWEEN 1 AND 5) = b", "(i BETWEEN 1 AND 5) = b"),
        ("(s LIKE 'a%') = b", False, "(s LIKE 'a%') = b", "(s LIKE 'a%') = b"),
    ],
)
def test_operators_beside_each_other_are_taken_in_the_order_of_their_dialect(
    expression: str, is_told: bool, spark: str, trino: str
) -> None:
    assert (SPARK in told(expression)) is is_told
    assert (HIVE in told(expression, SPARK)) is is_told
    assert (draft(expression, SPARK), draft(expression, TRINO)) == (spark, trino)


def test_sqlglot_reads_operators_on_bits_as_postgresql_does() -> None:
    assert draft("i | 2 & 3", SPARK, POSTGRESQL) == "(i | 2) & 3"
    assert draft("i | 2 & 3", TRINO, POSTGRESQL) == "BITWISE_AND(BITWISE_OR(i, 2), 3)"
    assert not draft("i | 2 & 3", TRINO, SPARK)
    assert not draft("s LIKE 'a%' = b", TRINO, SPARK), "it is `s LIKE ('a%' = b)` to Spark"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("bitwise_and(i, 1) + 3", "(i & 1) + 3"),
        ("bitwise_and(bitwise_or(i, 1), 3)", "(i | 1) & 3"),
        ("-bitwise_and(i, 1)", "-(i & 1)"),
        ("bitwise_not(bitwise_xor(i, 1))", "~(i ^ 1)"),
        ("bitwise_not(i + 1)", "~(i + 1)"),
        ("bitwise_and(i + 1, 3)", "i + 1 & 3"),
        ("bitwise_and(i, 1)", "i & 1"),
        ("abs(bitwise_and(i, 1))", "ABS(i & 1)"),
    ],
)
def test_functions_on_bits_of_trino_stand_apart_as_operators(
    expression: str, expected: str
) -> None:
    assert draft(expression, SPARK, TRINO) == expected


@pytest.mark.parametrize(
    "expression",
    [
        "p / 123456789012345678901234567890123456.50",
        "p / 0.00000000000000000000000000000000000000000001",
        "p / CAST('12345678901234567890123456789.5' AS DECIMAL(38,2))",
        "p / CAST(1 AS DECIMAL(5, 999999999))",
        "i = '9999999999999999999999999999999999999999.5'",
        "i = '1e999999999'",
        "i < '.'",
        "p / 0.0",
        "substr(s, 99999999999999999999999999)",
    ],
)
def test_numbers_of_any_length_are_judged(expression: str) -> None:
    told(expression)
    assert drafted(expression, HIVE, SPARK).why or draft(expression, SPARK)


@pytest.mark.parametrize("expression", ["s = b", "b <> s", "b < s", "b <=> s", "b = 'true'"])
def test_a_boolean_beside_a_text_is_a_number_to_hive(expression: str) -> None:
    assert {SPARK, TRINO} <= told(expression)


@pytest.mark.parametrize("expression", ["b = '1'", "b <> '0'", "b = true", "s = 'true'"])
def test_a_boolean_is_the_same_beside_what_all_take_for_one(expression: str) -> None:
    assert SPARK not in told(expression)


def test_by_zero_nothing_is_left_as_in_hive() -> None:
    assert draft("d % p", SPARK) == draft("d % p", TRINO) == "d % NULLIF(p, 0)"
    assert draft("i % 2", TRINO) == "i % 2"
    assert draft("d % p", TRINO, SPARK) == "d % NULLIF(p, 0)"
    assert TRINO in told("d % p")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("CAST(s AS DECIMAL(10,2))", "TRY_CAST(TRIM(BOTH ' ' FROM s) AS DECIMAL(10, 2))"),
        ("CAST('1.5' AS DECIMAL(10,2))", "TRY_CAST('1.5' AS DECIMAL(10, 2))"),
        ("CAST('2024-01-05' AS DATE)", "TRY_CAST('2024-01-05' AS DATE)"),
    ],
)
def test_a_text_becomes_the_number_that_hive_makes_of_it(expression: str, expected: str) -> None:
    assert draft(expression, TRINO) == expected


def test_a_day_is_taken_out_of_a_text_with_a_time_behind_it() -> None:
    """`2024-12-30 10:11:12` is no date to Trino, and a `T` makes it none to Hive."""
    of_text = drafted("CAST(s AS DATE)", HIVE, TRINO)
    assert r"'^\s*([0-9]{4}-[0-9]{1,2}-[0-9]{1,2})(\s+[0-9:.]+)?\s*$', 1) AS DATE)" in of_text.sql
    assert of_text.doubts == ("CAST(s AS DATE): 2024-02-30 is 2024-03-01 to Hive, NULL",)


@pytest.mark.parametrize(
    ("expression", "is_told"),
    [
        ("CAST('2024-01-05T10:00:00' AS DATE)", True),
        ("CAST('2024-01-05T10:00:00' AS TIMESTAMP)", True),
        ("CAST(s AS TIMESTAMP)", True),
        ("CAST('2024-01-05 10:00:00' AS TIMESTAMP)", False),
        ("CAST(ts AS TIMESTAMP)", False),
    ],
)
def test_a_time_behind_a_t_is_none_to_hive(expression: str, is_told: bool) -> None:
    assert (SPARK in told(expression)) is is_told


@pytest.mark.parametrize(
    ("expression", "is_told"),
    [
        ("s = 7", True),
        ("s > i", True),
        ("i <> s", True),
        ("s BETWEEN -1 AND 5", True),
        ("CASE s WHEN 1 THEN 2 END", True),
        ("s = 7.0", False),
        ("s = d", False),
        ("s IN (1, 2)", False),
        ("date_format(ts, 'yyyy') = 2024", False),
        ("CAST(i AS STRING) = 7", False),
        ("i = '7'", False),
        ("i = '7.0'", False),
        ("i = '+7'", False),
        ("i = '7.5'", True),
        ("i > '1e0'", True),
        ("i < '2147483648'", True),
        ("i < '2147483647'", False),
        ("d = '1e10'", False),
        ("i = ' 7 '", True),
        ("i < ' 7 '", False),
        ("d = ' 7 '", False),
        ("i = 'abc'", True),
        ("d <=> 'abc'", True),
        ("i <> 'abc'", False),
        ("p = 'abc'", False),
        ("CASE WHEN i = 'abc' THEN 1 END", False),
    ],
)
def test_beside_a_whole_number_a_text_is_one_to_spark_out_of_ansi_mode(
    expression: str, is_told: bool
) -> None:
    """Hive makes a number with a fraction of it, and knows of what is written that it is none."""
    assert (SPARK in told(expression)) is is_told
    sql = f"SELECT {expression} AS r FROM t"
    for mode in (Mode(ansi=False), Mode()):
        meanings = meant_otherwise(sql, SPARK, COLUMNS, False, mode)
        is_told_to_hive = HIVE in {meaning.engine for meaning in meanings}
        fails = mode.ansi and not expression.endswith("= ' 7 '")
        assert is_told_to_hive is (is_told and not fails), "ANSI mode fails at others"


@pytest.mark.parametrize(
    "expression",
    [
        "concat({}, '|')",
        "CAST({} AS STRING)",
        "CASE WHEN b THEN s ELSE {} END",
    ],
)
@pytest.mark.parametrize(
    "value",
    [
        "hour(ts)",
        "size(split(s, ','))",
        "weekofyear(ts)",
        "ascii('a')",
        "floor(d)",
        "ceil(p)",
        "i & 1",
        "levenshtein(s, s)",
        "find_in_set('a', 'b')",
        "crc32('a')",
        "reverse(s)",
        "hex('a')",
        "base64(CAST('a' AS BINARY))",
        "elt(1, s, s)",
        "format_number(i, 0)",
        "date_add('2024-01-01', 1)",
        "last_day('2024-01-01')",
        "trunc('2024-01-01', 'MM')",
        "str_to_map('a:b')['a']",
        "sort_array(array(s))[0]",
        "sin(d)",
        "ts + INTERVAL '1' DAY",
        "CAST(ts AS TIMESTAMP)",
        "from_utc_timestamp(ts, 'UTC')",
    ],
)
def test_what_functions_give_is_known_and_no_decimal(expression: str, value: str) -> None:
    """As `DESCRIBE` of HiveServer2 and of Spark has it: none of these is shown otherwise."""
    assert SPARK not in told(expression.format(value))


@pytest.mark.parametrize(
    ("expression", "is_told", "spark"),
    [
        ("p / 100.50", True, "p / 100.5"),
        ("p / 7000.00", True, "p / CAST(7000 AS DECIMAL(4, 0))"),
        ("p / CAST(3 AS DECIMAL(8,2))", True, "p / CAST(3 AS DECIMAL(1, 0))"),
        ("p / CAST('1.505' AS DECIMAL(8,2))", True, "p / 1.51"),
        ("7.00 / p", True, "CAST(7 AS DECIMAL(1, 0)) / p"),
        ("p / -100.50", True, "p / -100.5"),
        ("p / 7.0", False, "p / CAST(7 AS DECIMAL(1, 0))"),
        ("i / 3.0", False, "i / CAST(3 AS DECIMAL(1, 0))"),
        ("p / 1.5", False, "p / 1.5"),
        ("p / 3", False, "p / 3"),
        ("i / 3", False, "i / 3"),
        ("d / 100.50", False, "d / 100.5"),
        ("p / w", False, "p / w"),
        ("1.50 / 7", False, "1.5 / 7"),
    ],
)
def test_a_quotient_has_the_digits_of_what_hive_calculates_with(
    expression: str, is_told: bool, spark: str
) -> None:
    assert (SPARK in told(expression)) is is_told
    assert draft(expression, SPARK) == spark
    assert not drafted(expression, HIVE, SPARK).doubts


def test_a_draft_for_trino_divides_by_as_many_digits_as_hive() -> None:
    expected = "CAST(CAST(p AS DECIMAL(38, 7)) / NULLIF(100.5, 0) AS DECIMAL(16, 7))"
    assert draft("p / 100.50", TRINO) == expected


@pytest.mark.parametrize(
    ("expression", "is_told"),
    [
        ("printf('%s', CAST(s AS DATE))", True),
        ("printf('%s-%s', i, ts)", True),
        ("printf('%s', last_day(s))", True),
        ("printf('%s', i)", False),
        ("last_day(s) > '2024-2-01'", True),
        ("last_day(s) > '2024-02-01'", False),
        ("'2024-2-01' = trunc(ts, 'MM')", True),
        ("add_months(s, 1) BETWEEN '2024-1-1' AND '2024-01-31'", True),
    ],
)
def test_days_that_are_texts_to_hive_alone_are_told(expression: str, is_told: bool) -> None:
    assert (SPARK in told(expression)) is is_told
    assert (HIVE in told(expression, SPARK)) is is_told


@pytest.mark.parametrize(
    ("expression", "home", "into", "expected"),
    [
        ("substr(s, i)", HIVE, TRINO, "SUBSTR(s, CASE WHEN i = 0 THEN 1 ELSE i END)"),
        ("substr(s, i, 2)", SPARK, TRINO, "SUBSTR(s, CASE WHEN i = 0 THEN 1 ELSE i END, 2)"),
        ("substr(s, instr(s, 'b') + 1)", HIVE, TRINO, "SUBSTR(s, STRPOS(s, 'b') + 1)"),
        ("substr(s, 1 + length(s))", HIVE, TRINO, "SUBSTR(s, 1 + LENGTH(s))"),
        ("substr(s, 0, 2)", HIVE, TRINO, "SUBSTR(s, 1, 2)"),
        ("substr(s, 2)", HIVE, TRINO, "SUBSTR(s, 2)"),
        ("substr(s, i)", HIVE, SPARK, "SUBSTRING(s, i)"),
        ("substr(s, i)", TRINO, SPARK, "CASE WHEN i = 0 THEN '' ELSE SUBSTRING(s, i) END"),
        ("substr(s, i)", MYSQL, SPARK, "CASE WHEN i = 0 THEN '' ELSE SUBSTRING(s, i) END"),
        ("substr(s, i)", MYSQL, TRINO, "SUBSTR(s, i)"),
        ("substr(s, 0)", TRINO, SPARK, ""),
        ("substr(s, i)", POSTGRESQL, SPARK, "SUBSTRING(s, CASE WHEN i < 1 THEN 1 ELSE i END)"),
        ("substr(s, i)", POSTGRESQL, TRINO, "SUBSTR(s, CASE WHEN i < 1 THEN 1 ELSE i END)"),
        ("substr(s, i, 2)", POSTGRESQL, TRINO, ""),
        ("substr(s, strpos(s, 'b') + 1, 2)", POSTGRESQL, TRINO, "SUBSTR(s, STRPOS(s, 'b') + 1, 2)"),
    ],
)
def test_a_part_from_place_0_is_what_its_dialect_makes_of_it(
    expression: str, home: str, into: str, expected: str
) -> None:
    """Where `instr` finds nothing: all to Hive and Spark, nothing to Trino and MariaDB."""
    assert draft(expression, into, home) == expected


@pytest.mark.parametrize(
    ("expression", "home", "reader", "is_told"),
    [
        ("substr(s, instr(s, 'b'))", HIVE, TRINO, True),
        ("substr(s, instr(s, 'b'))", SPARK, TRINO, True),
        ("substr(s, instr(s, 'b') + 1)", HIVE, TRINO, False),
        ("substr(s, 0)", HIVE, TRINO, False),
        ("substr(s, instr(s, 'b'))", HIVE, SPARK, False),
        ("substr(s, length(s) - 3)", HIVE, SPARK, True),
        ("substr(s, length(s) - 3)", SPARK, HIVE, True),
        ("substr(s, i)", SPARK, HIVE, True),
        ("substr(s, i)", HIVE, SPARK, True),
        ("substr(s, length(s) + instr(s, 'b'))", SPARK, HIVE, False),
        ("substr(s, i + 1)", SPARK, HIVE, True),
        ("substr(s, strpos(s, 'b'))", TRINO, SPARK, True),
        ("substr(s, strpos(s, 'b') + 1)", TRINO, SPARK, False),
        ("try_cast(s AS date)", TRINO, SPARK, True),
        ("try_cast(s AS integer)", TRINO, SPARK, False),
        ("pmod(i, -3)", SPARK, TRINO, True),
        ("pmod(i, -3)", HIVE, TRINO, False),
        ("pmod(i, 3)", SPARK, TRINO, False),
    ],
)
def test_places_and_remainders_are_told_where_they_are_read_otherwise(
    expression: str, home: str, reader: str, is_told: bool
) -> None:
    assert (reader in told(expression, home)) is is_told


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("CAST(s AS DECIMAL(10,2))", "TRY_CAST(TRIM(s) AS DECIMAL(10, 2))"),
        ("d % i", "d % NULLIF(i, 0)"),
        ("soundex(s)", ""),
    ],
)
def test_texts_of_spark_have_drafts_as_it_reads_them_out_of_ansi_mode(
    expression: str, expected: str
) -> None:
    assert draft(expression, TRINO, SPARK) == expected


def test_a_draft_tells_of_places_that_are_counted_from_the_end() -> None:
    for home, into in ((SPARK, TRINO), (TRINO, SPARK), (HIVE, SPARK)):
        assert drafted("substr(s, length(s) - 3)", home, into).doubts
        assert not drafted("substr(s, length(s) + 3)", home, into).doubts
    assert not drafted("substr(s, length(s) - 3)", HIVE, TRINO).doubts


def test_a_draft_tells_of_what_trino_tries() -> None:
    for tried in ("date", "timestamp", "decimal(10,2)"):
        assert drafted(f"try_cast(s AS {tried})", TRINO, SPARK).doubts
    assert not drafted("try_cast(d AS date)", TRINO, SPARK).doubts
    assert drafted("greatest(pi(), log2(d))", TRINO, SPARK).doubts, "NaN"


def test_a_cast_of_spark_takes_what_it_can_of_a_text() -> None:
    whole, day = draft("CAST(s AS INT)", TRINO, SPARK), draft("CAST(s AS DATE)", TRINO, SPARK)
    assert whole.startswith("TRY_CAST(REGEXP_EXTRACT(TRIM(s), ")
    assert "([ T].*)?$', 1) AS DATE)" in day


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("d::text", ""),
        ("s || d", ""),
        ("concat(s, f)", ""),
        ("concat(s, i > 1)", ""),
        ("s || (i > 1)", "s || (i > 1)"),
        ("i::text", "CAST(i AS STRING)"),
        ("7 / nullif(octet_length(s), 0)", "CAST(7 DIV NULLIF(OCTET_LENGTH(s), 0) AS INT)"),
        ("(i & 3) / 2", "CAST((i & 3) DIV 2 AS INT)"),
        ("~i / 2", "CAST(~i DIV 2 AS INT)"),
        ("ascii(s) / 2", "CAST(ASCII(s) DIV 2 AS INT)"),
        ("round(CASE WHEN b THEN d ELSE i END)", "RINT(CASE WHEN b THEN d ELSE i END)"),
        ("round(CASE WHEN b THEN i ELSE 2 END)", "ROUND(CASE WHEN b THEN i ELSE 2 END)"),
    ],
)
def test_texts_of_postgresql_are_divided_and_shown_as_it_does(
    expression: str, expected: str
) -> None:
    """1e10 is `10000000000` to PostgreSQL, `1.0E10` to Spark."""
    assert draft(expression, SPARK, POSTGRESQL) == expected


def test_a_time_that_mysql_writes_out_has_no_zone() -> None:
    written = "TIMESTAMP '2024-01-31 10:00:00'"
    assert draft(written, TRINO, MYSQL) == "CAST('2024-01-31 10:00:00' AS TIMESTAMP(6))"
    assert "ZONE" in draft(written, TRINO, SPARK), "Spark's has that of the session"
    for lost in (
        "soundex(s)",
        "i >> 1",
        "concat(s, i > 1)",
        "cast(i > 1 as char)",
        "cast(ts as char)",
    ):
        assert not draft(lost, SPARK, MYSQL)


@pytest.mark.parametrize(
    ("expression", "spark", "trino"),
    [
        ("dt + interval i day", "DATE_ADD(dt, i)", "DATE_ADD('DAY', CAST(i AS BIGINT), dt)"),
        (
            "dt - interval i year",
            "ADD_MONTHS(dt, -i * 12)",
            "DATE_ADD('YEAR', CAST(-i AS BIGINT), dt)",
        ),
        (
            "ts + interval i minute",
            "DATE_ADD(MINUTE, i, ts)",
            "DATE_ADD('MINUTE', CAST(i AS BIGINT), ts)",
        ),
        (
            "dt + interval 1 hour",
            "CAST(dt AS TIMESTAMP_NTZ) + INTERVAL '1' HOUR",
            "CAST(dt AS TIMESTAMP(6)) + INTERVAL '1' HOUR",
        ),
        ("dt + interval 1 month", "dt + INTERVAL '1' MONTH", "dt + INTERVAL '1' MONTH"),
        ("dt + interval p day", "", ""),
        ("s + interval i day", "", ""),
        ("cast(i as char charset utf8mb4)", "CAST(i AS STRING)", "CAST(i AS VARCHAR)"),
        (
            "cast(s as char(2) charset utf8mb4)",
            "SUBSTRING(CAST(s AS STRING), 1, 2)",
            "SUBSTR(CAST(s AS VARCHAR), 1, 2)",
        ),
    ],
)
def test_what_mysql_stores_of_texts_and_spans_has_drafts(
    expression: str, spark: str, trino: str
) -> None:
    """`date_add(d, interval i day)` is stored so, and a charset that nobody has named."""
    assert draft(expression, SPARK, MYSQL) == spark
    assert draft(expression, TRINO, MYSQL) == trino
