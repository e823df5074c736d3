"""Drafts of what people write: patterns that match nothing, intervals of several units, odd texts.

Hive 2.3.10, Spark 4.3.0, PostgreSQL 18, Trino 476 were asked on 2026-11-30, the text where it is at
home and the draft where that is for: what is refused or told here had other rows, without a word.
"""

import pytest
from sqlglot import exp

from discovery.lineage.meanings.patterns import may_match_nothing
from discovery.lineage.translation import Translation, translated
from discovery.model import HIVE, POSTGRESQL, SPARK, TRINO, Column, Primitive
from discovery.ports import Name

KINDS = {"i": "integer", "x": "double", "s": "string", "d": "date", "ts": "timestamp"}
KNOWN: dict[Name, tuple[Column, ...]] = {
    ("p", "t"): tuple(Column(name, Primitive(kind)) for name, kind in KINDS.items())
}
ODD_DAY = ("is no plain day or time", "is a part of a day")  # to Hive, to Spark
NO_NUMBER = "are numbers to Spark alone"


def drafted(expression: str, dialect: str, into: str) -> Translation:
    sql = f"SELECT {expression} AS r FROM p.t"
    return translated(sql, dialect, into, {("p", "t"): ("c", "p", "t")}, KNOWN)


def shown(made: Translation) -> str:
    return made.sql.removeprefix("SELECT ").removesuffix(" AS r FROM c.p.t")


@pytest.mark.parametrize(
    "pattern", ["|", "x*", "(?=-)", r"\b", "^", "$", "a|", "(?<=[a-z])(?=[A-Z])", "["]
)
def test_a_text_parted_where_nothing_stands_is_no_draft(pattern: str) -> None:
    written = pattern.replace("\\", "\\\\")
    assert not drafted(f"split(s, '{written}')", SPARK, TRINO).sql
    assert not drafted(f"split(s, '{written}')", HIVE, TRINO).sql
    assert not drafted(f"regexp_split(s, '{pattern}')", TRINO, SPARK).sql
    assert drafted(f"split(s, '{pattern}')", TRINO, SPARK).sql, "of a sign, not of a pattern"


@pytest.mark.parametrize(
    "pattern", ["-", r"\|", "[|]", "[-.,]", r"\s*,\s*", r"\p{L}+", r"\pL", "[[a]", "[a--b]", "."]
)
def test_a_text_parted_at_signs_is_drafted(pattern: str, recwarn: pytest.WarningsRecorder) -> None:
    written = pattern.replace("\\", "\\\\")
    assert drafted(f"split(s, '{written}')", SPARK, TRINO).sql
    assert not recwarn.list, "what Python says of patterns is for nobody"


@pytest.mark.parametrize(
    "pattern",
    ["([A-Z]|[a-z]|[0-9])+@", "(x+x+)+y" + "x" * 50, "(" + "|".join(["[a]"] * 50) + ")+@"],
)
def test_how_little_a_pattern_takes_is_known_without_a_try(pattern: str) -> None:
    assert not may_match_nothing(exp.Literal.string(pattern))
    assert may_match_nothing(exp.Literal.string(f"({pattern})*"))


def test_a_pattern_in_a_column_is_not_known() -> None:
    assert drafted("split(s, s)", SPARK, TRINO).sql
    assert not may_match_nothing(exp.column("s"))


@pytest.mark.parametrize("sign", ["+", "-"])
def test_units_of_an_interval_are_added_at_once(sign: str) -> None:
    made = drafted(f"ts {sign} interval 1 year 2 months", SPARK, TRINO)
    assert shown(made) == f"ts {sign} (INTERVAL '1' YEAR + INTERVAL '2' MONTH)"


def test_months_and_times_of_an_interval_are_each_taken_away() -> None:
    """No engine adds the two sorts, which older Sparks take in one interval."""
    made = drafted("ts - interval 1 month 2 days 3 hours", SPARK, TRINO)
    times = "(INTERVAL '2' DAY + INTERVAL '3' HOUR)"
    assert shown(made) == f"ts - INTERVAL '1' MONTH - {times}"


def test_one_unit_after_the_other_stays() -> None:
    made = drafted("ts - interval 1 day + interval 2 hours", SPARK, TRINO)
    assert shown(made) == "ts - INTERVAL '1' DAY + INTERVAL '2' HOUR"


def test_a_time_that_is_cut_by_trunc_is_a_day() -> None:
    cut = drafted("cast(trunc(ts, 'MM') AS string)", SPARK, TRINO)
    assert "CAST(DATE_TRUNC('MONTH', ts) AS DATE)" in cut.sql
    assert shown(drafted("date_trunc('month', ts)", SPARK, TRINO)) == "DATE_TRUNC('MONTH', ts)"


def test_a_time_with_a_t_is_one_in_trino() -> None:
    literal = drafted("cast('2024-01-01T10:00:00' AS timestamp_ntz)", SPARK, TRINO)
    assert "'2024-01-01 10:00:00'" in literal.sql
    assert not literal.doubts, "the draft has a blank for it"
    column = drafted("cast(s AS timestamp)", SPARK, TRINO)
    assert "REGEXP_REPLACE(s, " in column.sql


@pytest.mark.parametrize(
    ("text", "dialect", "into"),
    [
        ("to_date(s)", HIVE, TRINO),
        ("year(s)", HIVE, SPARK),
        ("date_format(s, 'yyyyMM')", HIVE, TRINO),
        ("date_add(s, 1)", HIVE, SPARK),
        ("last_day(s)", HIVE, TRINO),
        ("cast(s AS timestamp)", HIVE, TRINO),
        ("cast(s AS timestamp)", SPARK, TRINO),
        ("try_cast(s AS date)", SPARK, TRINO),
        ("to_timestamp(s)", SPARK, TRINO),
        ("datediff(s, d)", SPARK, TRINO),
    ],
)
def test_a_text_that_may_be_no_plain_day_is_told(text: str, dialect: str, into: str) -> None:
    made = drafted(text, dialect, into)
    assert made.sql
    assert any(words in doubt for doubt in made.doubts for words in ODD_DAY)


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("year(d)", HIVE),
        ("datediff(d, '2024-01-01')", HIVE),
        ("year(from_unixtime(i))", HIVE),
        ("cast('2024-01-01' AS timestamp)", HIVE),
        ("cast(d AS timestamp)", SPARK),
        ("cast('2024-01-01' AS date)", SPARK),
        ("date_format(ts, 'yyyy')", SPARK),
    ],
)
def test_what_is_a_day_is_told_of_nothing(text: str, dialect: str) -> None:
    made = drafted(text, dialect, TRINO)
    assert made.sql
    assert made.doubts == ()


def test_a_text_with_its_format_is_told_by_that_alone() -> None:
    (doubt,) = drafted("to_date('05/01/2024', 'dd/MM/yyyy')", SPARK, TRINO).doubts
    assert "as its format says" in doubt


def test_numbers_that_spark_alone_reads_are_told() -> None:
    for text, dialect, into in (
        ("cast(s AS double)", SPARK, TRINO),
        ("cast(s AS double)", HIVE, SPARK),
        ("try_cast(s AS double)", TRINO, SPARK),
    ):
        assert any(NO_NUMBER in doubt for doubt in drafted(text, dialect, into).doubts)
    for text, dialect, into in (
        ("cast(s AS double)", HIVE, TRINO),
        ("cast(s AS double)", TRINO, SPARK),
        ("cast(i AS double)", SPARK, TRINO),
        ("cast('1.5' AS double)", SPARK, TRINO),
    ):
        made = drafted(text, dialect, into)
        assert made.sql
        assert not any(NO_NUMBER in doubt for doubt in made.doubts)


def test_nan_of_numeric_is_told() -> None:
    (doubt,) = drafted("round(x::numeric, 2)", POSTGRESQL, SPARK).doubts
    assert doubt.endswith("it is NULL in the draft")
    assert drafted("round(i::numeric, 2)", POSTGRESQL, SPARK).doubts == ()


def test_what_is_sought_may_be_empty() -> None:
    told = "where an empty text is sought it may be another text"
    assert any(told in doubt for doubt in drafted("replace(s, s, 'x')", SPARK, TRINO).doubts)
    assert drafted("replace(s, 'a', 'x')", SPARK, TRINO).doubts == ()


def test_the_day_of_the_year_has_three_digits_to_postgresql() -> None:
    assert not drafted("to_char(ts, 'YYYYDDD')", POSTGRESQL, SPARK).sql
    assert "'%Y%j'" in drafted("to_char(ts, 'YYYYDDD')", POSTGRESQL, TRINO).sql


def test_a_variable_of_spark_is_no_text() -> None:
    assert not drafted("concat('${x}', s)", SPARK, TRINO).sql


def test_a_group_that_is_no_part_of_a_match_is_null_to_hive() -> None:
    made = drafted("regexp_extract(s, '(a)(b)?', 2)", HIVE, TRINO)
    assert shown(made) == (
        "CASE WHEN NOT REGEXP_LIKE(s, '(a)(b)?') THEN '' ELSE REGEXP_EXTRACT(s, '(a)(b)?', 2) END"
    )
    assert "COALESCE" in drafted("regexp_extract(s, '(a)(b)', 2)", HIVE, TRINO).sql


def test_a_wildcard_within_a_pattern_of_hive_is_told() -> None:
    assert "line's end" in drafted("s LIKE 'a%b'", HIVE, TRINO).doubts[0]
    assert drafted("s LIKE 'a%'", HIVE, TRINO).doubts == ()
    assert drafted("s LIKE 'a%b'", SPARK, TRINO).doubts == ()
