"""The rules of a view's standing: each is reached, each is needed, and one of them always holds."""

from collections.abc import Mapping
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.judging import standing
from discovery.judging.matrix import Cell, Reading
from discovery.judging.standing import RULES, Code, Facts, Standing, stands


def cells(**statuses: str) -> tuple[Cell, ...]:
    """Cells of engines; a status may be followed by a colon and the reason."""
    parts = {engine: said.partition(":") for engine, said in statuses.items()}
    return tuple(Cell(engine, word, why or None) for engine, (word, _, why) in parts.items())


READY: Final = cells(spark="native", trino="rejected:PARSE")
EXAMPLES: Final[Mapping[str, tuple[Facts, Standing, str | None]]] = {
    "unread": (Facts(failure="INVALID_ENTRY"), Standing.BLOCKED, "INVALID_ENTRY"),
    "set aside": (
        Facts(aside="RING", dialects=("spark",), cells=READY),
        Standing.BLOCKED,
        "RING",
    ),
    "faulty": (
        Facts(
            dialects=("spark",),
            cells=READY,
            findings=(Code("NAME_MEETS", "error"), Code("BROKEN_COLUMN", "error")),
        ),
        Standing.BLOCKED,
        "BROKEN_COLUMN",
    ),
    "not written": (
        Facts(unplanned="CONFLICT", dialects=("spark",), cells=READY),
        Standing.BLOCKED,
        "CONFLICT",
    ),
    "not assessed": (
        Facts(dialects=("spark",), different=True),
        Standing.NOT_JUDGED,
        "NOT_ASSESSED",
    ),
    "on a faulty base": (
        Facts(dialects=("Spark",), cells=cells(spark="blocked:lake/db.v", trino="portable")),
        Standing.BLOCKED,
        "BROKEN_BASE",
    ),
    "rejected": (
        Facts(
            dialects=("spark",),
            cells=cells(spark="rejected:A, B", trino="portable"),
            different=True,
        ),
        Standing.BLOCKED,
        "A",
    ),
    "different": (
        Facts(dialects=("spark",), cells=READY, different=True, findings=(Code("X", "warning"),)),
        Standing.REVIEW,
        "READ_BACK_DIFFERS",
    ),
    "warned of": (
        Facts(
            dialects=("spark",),
            cells=READY,
            findings=(
                Code("B", "warning"),
                Code("A", "warning", "trino"),
                Code("C", "error", "spark"),
            ),
        ),
        Standing.REVIEW,
        "B",
    ),
    "rejected in part": (
        Facts(dialects=("spark", "trino"), cells=READY),
        Standing.REVIEW,
        "PARSE",
    ),
    "blocked in part": (
        Facts(dialects=("spark", "trino"), cells=cells(spark="blocked:lake/db.v", trino="native")),
        Standing.REVIEW,
        "BROKEN_BASE",
    ),
    "accepted": (Facts(dialects=("spark",), cells=READY), Standing.READY, None),
    "accepted elsewhere": (
        Facts(dialects=("mysql",), cells=cells(spark="portable", trino="rejected:PARSE")),
        Standing.REVIEW,
        "OWN_ENGINE_NOT_ASKED",
    ),
    "without a verdict": (
        Facts(dialects=("mysql",), cells=cells(spark="rejected:PARSE", mysql="not judged:why")),
        Standing.NOT_JUDGED,
        "NO_VERDICT",
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_has_the_standing_of_its_rule_and_needs_the_rule(name: str) -> None:
    facts, word, code = EXAMPLES[name]
    assert stands(facts) == (word, code)
    assert next(rule.name for rule in RULES if rule.holds(facts)) == name
    others = [rule for rule in RULES if rule.name != name and rule.holds(facts)]
    assert not others or stands(facts, others) != (word, code), "the rule changes nothing"


def test_every_rule_is_reached_by_an_example() -> None:
    assert [rule.name for rule in RULES] == list(EXAMPLES)


@pytest.mark.parametrize(
    ("engine", "wanted"),
    [("spark", (Standing.REVIEW, "A")), ("trino", (Standing.READY, None))],
)
def test_a_finding_about_an_engine_counts_where_the_view_is_its_own(
    engine: str, wanted: tuple[Standing, str | None]
) -> None:
    facts = Facts(dialects=("Spark",), cells=READY, findings=(Code("A", "error", engine),))
    assert stands(facts) == wanted


def test_a_rejection_without_a_reason_blocks_nevertheless() -> None:
    facts = Facts(dialects=("spark",), cells=cells(spark="rejected"))
    assert stands(facts) == (Standing.BLOCKED, "")


def test_a_finding_about_another_engine_keeps_no_view_from_moving() -> None:
    findings = (Code("TRINO_ENTRY", "error", "flink"),)
    assert stands(Facts(dialects=("spark",), cells=READY, findings=findings)) == (
        Standing.READY,
        None,
    )


def test_a_view_that_is_rejected_by_others_alone_is_ready() -> None:
    facts = Facts(dialects=("spark",), cells=cells(spark="native", hive="rejected:PARSE"))
    assert stands(facts) == (Standing.READY, None)


CODES: Final = st.none() | st.sampled_from(["A", "B"])
ENGINES: Final = st.sampled_from(["spark", "trino", "hive"])
SAID: Final = st.builds(
    Code, st.sampled_from(["A", "B"]), st.sampled_from(["error", "warning"]), CODES | ENGINES
)
FACTS: Final = st.builds(
    Facts,
    failure=CODES,
    aside=CODES,
    unplanned=CODES,
    different=st.booleans(),
    dialects=st.lists(ENGINES, max_size=2).map(tuple),
    cells=st.none()
    | st.lists(st.builds(Cell, ENGINES, st.sampled_from(Reading), CODES), max_size=4),
    findings=st.lists(SAID, max_size=3),
)


@given(FACTS)
def test_any_facts_have_one_standing_and_only_what_is_ready_has_no_code(facts: Facts) -> None:
    word, code = stands(facts)
    assert word in Standing
    assert word is not Standing.READY or code is None
    if facts.failure or facts.aside or facts.unplanned:
        assert word is Standing.BLOCKED
    if word is Standing.READY:
        assert facts.cells is not None
        assert any(cell.status == Reading.NATIVE for cell in facts.cells)
        assert not facts.different


def test_the_codes_of_the_rules_have_a_page() -> None:
    told = {reason.code for reason in standing.REASONS}
    assert {rule.why for rule in RULES if isinstance(rule.why, str)} == told | {"BROKEN_BASE"}
