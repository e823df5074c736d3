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
ODD_DAY = "is no plain day or time"
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


def test_a_pattern_in_a_column_is_not_known() -> None:
    assert drafted("split(s, s)", SPARK, TRINO).sql
    assert not may_match_nothing(exp.column("s"))


@pytest.mark.parametrize("sign", ["+", "-"])
def test_units_of_an_interval_are_added_at_once(sign: str) -> None:
    made = drafted(f"ts {sign} interval 1 year 2 months", SPARK, TRINO)
    assert shown(made) == f"ts {sign} (INTERVAL '1' YEAR + INTERVAL '2' MONTH)"


def test_one_unit_after_the_other_stays() -> None:
    made = drafted("ts - interval 1 day + interval 2 hours", SPARK, TRINO)
    assert shown(made) == "ts - INTERVAL '1' DAY + INTERVAL '2' HOUR"


def test_a_time_that_is_cut_by_trunc_is_a_day() -> None:
    cut = drafted("cast(trunc(ts, 'MM') AS string)", SPARK, TRINO)
    assert "CAST(DATE_TRUNC('MONTH', ts) AS DATE)" in cut.sql
    assert shown(drafted("date_trunc('month', ts)", SPARK, TRINO)) == "DATE_TRUNC('MONTH', ts)"


def test_the_day_of_the_year_has_three_digits_to_postgresql() -> None:
    assert not drafted("to_char(ts, 'YYYYDDD')", POSTGRESQL, SPARK).sql
    assert "'%Y%j'" in drafted("to_char(ts, 'YYYYDDD')", POSTGRESQL, TRINO).sql


def test_a_variable_of_spark_is_no_text() -> None:
    assert not drafted("concat('${x}', s)", SPARK, TRINO).sql
