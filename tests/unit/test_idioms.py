"""What servers write into texts in their own way is put plainly before it is translated."""

import pytest

from discovery.lineage.translation import translated
from discovery.ports import Name

NAMES: dict[Name, Name] = {("p", "t"): ("shop", "p", "t")}


def put(expression: str, dialect: str, into: str = "trino") -> str:
    """An expression of a text, in a draft; what is said where there is none."""
    made = translated(f"SELECT {expression} AS r FROM p.t", dialect, into, NAMES, {})
    return made.sql.removeprefix("SELECT ").removesuffix(" AS r FROM shop.p.t") or made.why


@pytest.mark.parametrize(
    ("text", "draft"),
    [
        ("x = ANY (ARRAY[1, 2])", "x IN (1, 2)"),
        ("x <> ALL (ARRAY[1, 2])", "NOT x IN (1, 2)"),
        (
            "s::text = ANY ((ARRAY['a'::character varying, b])::text[])",
            "CAST(s AS VARCHAR) IN (CAST('a' AS VARCHAR), CAST(b AS VARCHAR))",
        ),
        ("n ~~ ANY (ARRAY['a%', 'b'])", "(n LIKE 'a%' OR n LIKE 'b')"),
        ("n !~~ ALL (ARRAY['a%', 'b'])", "NOT (n LIKE 'a%' OR n LIKE 'b')"),
        ("c = ANY (ARRAY['a'::bpchar, 'b'])", "c IN ('a', 'b')"),
        ("y = ANY (z)", "CONTAINS(z, y)"),
    ],
)
def test_a_comparison_with_a_written_array_is_a_list(text: str, draft: str) -> None:
    assert put(text, "postgresql") == draft


@pytest.mark.parametrize(
    ("shown", "draft"),
    [
        ("06:00:00", "INTERVAL '6' HOUR"),
        ("01:30:00", "INTERVAL '90' MINUTE"),
        ("00:00:01.5", "INTERVAL '1.5' SECOND"),
        ("-1 days", "(-INTERVAL '1' DAY)"),
        ("1 day -02:00:00", "(INTERVAL '1' DAY + (-INTERVAL '2' HOUR))"),
        ("1 year 2 mons", "INTERVAL '14' MONTH"),
        ("00:00:00", "INTERVAL '0' SECOND"),
        ("1 mon 2 days", "CAST('1 mon 2 days' AS INTERVAL) would mean something else in Trino"),
        ("a while", "CAST('a while' AS INTERVAL) would mean something else in Trino"),
    ],
)
def test_an_interval_as_postgresql_shows_it_has_its_unit(shown: str, draft: str) -> None:
    assert put(f"'{shown}'::interval", "postgresql") == draft


@pytest.mark.parametrize(
    ("written", "draft"),
    [
        ("INTERVAL '1 day 02:00:00'", "(INTERVAL '1' DAY + INTERVAL '2' HOUR)"),
        ("interval '1 year 2 mons'", "INTERVAL '14' MONTH"),
        ("INTERVAL '02:30:00'", "INTERVAL '150' MINUTE"),
        ("INTERVAL '1 day'", "INTERVAL '1' DAY"),
        ("INTERVAL '1' DAY", "INTERVAL '1' DAY"),
        ("INTERVAL '1 day 02:00'", "INTERVAL '1 day 02:00' would lose a part"),
        ("INTERVAL '1 hour ago 2'", "INTERVAL '1 hour ago 2' would lose a part"),
    ],
)
def test_an_interval_that_is_written_with_its_word_loses_nothing(written: str, draft: str) -> None:
    assert put(written, "postgresql") == draft


def test_an_interval_with_a_unit_beside_it_is_the_same() -> None:
    assert put("'06:00:00'::interval hour", "postgresql") == "INTERVAL '6' HOUR"


@pytest.mark.parametrize(
    "text", ["EXTRACT(epoch FROM (a - b))", "date_part('epoch'::text, (a - b))"]
)
def test_the_seconds_between_two_instants_are_counted_as_the_engine_can(text: str) -> None:
    assert put(text, "postgresql") == "(CAST(TO_MILLISECONDS((a - b)) AS DECIMAL(20, 0)) * 0.001)"
    spark = "CAST(CAST((a - b) AS INTERVAL SECOND) AS DECIMAL(20, 6))"
    assert put(text, "postgresql", "spark") == spark


def test_the_difference_of_dates_is_a_number_of_days_where_it_comes_from_postgresql() -> None:
    text = "a::date - (b)::date"
    days = "CAST(DATE_DIFF('DAY', CAST((b) AS DATE), CAST(a AS DATE)) AS INTEGER)"
    assert put(text, "postgresql") == days
    days = "CAST(DATEDIFF(DAY, CAST((b) AS DATE), CAST(a AS DATE)) AS INT)"
    assert put(text, "postgresql", "spark") == days
    interval = "TRY_CAST(a AS DATE) - TRY_CAST(b AS DATE)"
    assert put("CAST(a AS DATE) - CAST(b AS DATE)", "spark") == interval
    assert put("a - b::date", "postgresql") == "a - CAST(b AS DATE)"


def test_the_seconds_of_what_is_not_known_have_no_draft_and_other_parts_are_sqlglots() -> None:
    unknown = put("EXTRACT(epoch FROM a)", "postgresql", "spark")
    assert unknown == "EXTRACT(EPOCH FROM a) would mean something else in Spark"
    assert put("date_part('day'::text, a - b)", "postgresql") == "EXTRACT(DAY FROM a - b)"


@pytest.mark.parametrize(
    ("text", "dialect", "into", "draft"),
    [
        ("n::numeric", "postgresql", "spark", "CAST(n AS DECIMAL(38, 18))"),
        ("10.5::numeric", "postgresql", "spark", "CAST(10.5 AS DECIMAL(3, 1))"),
        ("(3600)::numeric", "postgresql", "trino", "CAST(3600 AS DECIMAL(4, 0))"),
        ("0.05::numeric", "postgresql", "trino", "CAST(0.05 AS DECIMAL(2, 2))"),
        ("1e3::numeric", "postgresql", "trino", "CAST(1e3 AS DECIMAL(38, 18))"),
        ("n::numeric(5,2)", "postgresql", "spark", "CAST(n AS DECIMAL(5, 2))"),
        ("ts::timestamp", "postgresql", "spark", "CAST(ts AS TIMESTAMP_NTZ)"),
        ("ts::timestamptz", "postgresql", "spark", "CAST(ts AS TIMESTAMP)"),
        ("CAST(n AS decimal)", "trino", "spark", "CAST(n AS DECIMAL(38, 0))"),
        ("CAST(n AS decimal)", "hive", "trino", "TRY_CAST(n AS DECIMAL(10, 0))"),
        ("cast(n as char)", "mysql", "trino", "CAST(n AS VARCHAR)"),
        ("cast(n as datetime)", "mysql", "spark", "CAST(n AS TIMESTAMP_NTZ)"),
        ("c = 'M'::bpchar", "postgresql", "spark", "c = 'M'"),
        ("NULL::bpchar", "postgresql", "trino", "CAST(NULL AS VARCHAR)"),
    ],
)
def test_a_type_means_what_it_means_where_it_comes_from(
    text: str, dialect: str, into: str, draft: str
) -> None:
    assert put(text, dialect, into) == draft


def test_a_text_of_mysql_says_the_same_without_its_character_set() -> None:
    assert put("_utf8mb4'é'", "mysql") == "'é'"
    assert put("_latin1'a'", "mysql") == "'a'"
    for other in ("_latin1'é'", "_binary'a'"):
        assert put(other, "mysql") == "what sqlglot makes of it is no statement to itself"
