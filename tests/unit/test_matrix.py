"""The cell of the matrix: each rule is reached and needed, and one of them always holds."""

from collections.abc import Mapping
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.judging.matrix import NOBODY, RULES, Answer, Cell, Evidence, Reading, cell

NATIVE: Final = Answer("Spark", "PARSE", "accepted")
FOREIGN: Final = Answer("trino", "PARSE", "accepted")
REFUSED: Final = Answer("spark", "PARSE", "rejected")
SILENT: Final = Answer("spark", "PARSE", "not judged", "no judge: no jars")
OPINION: Final = Answer("spark", "OPINION", "accepted", None, "sqlglot 30")


def known(*answers: Answer, errors: tuple[str, ...] = (), below: str | None = None) -> Evidence:
    return Evidence(engine="spark", answers=answers, errors=errors, below=below)


EXAMPLES: Final[Mapping[str, tuple[Evidence, Cell]]] = {
    "faulty entry": (
        known(NATIVE, errors=("B", "A", "B"), below="lake/db.v"),
        Cell("spark", "rejected", "A, B"),
    ),
    "refused text": (
        known(REFUSED, below="lake/db.v"),
        Cell("spark", "rejected", "PARSE", "PARSE"),
    ),
    "faulty base": (known(NATIVE, below="RING"), Cell("spark", "blocked", "RING")),
    "own text": (known(NATIVE, REFUSED), Cell("spark", "native", None, "PARSE")),
    "foreign text": (known(REFUSED, FOREIGN), Cell("spark", "portable", None, "PARSE")),
    "no verdict": (known(SILENT), Cell("spark", "not judged", "no judge: no jars")),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_has_the_cell_of_its_rule_and_needs_the_rule(name: str) -> None:
    evidence, wanted = EXAMPLES[name]
    assert cell(evidence) == wanted
    assert next(rule.name for rule in RULES if rule.holds(evidence)) == name
    others = [rule for rule in RULES if rule.name != name and rule.holds(evidence)]
    assert not others or (others[0].word, others[0].reason(evidence)) != wanted[1:3]


def test_every_rule_is_reached_by_an_example() -> None:
    assert [rule.name for rule in RULES] == list(EXAMPLES)


def test_an_opinion_proves_nothing() -> None:
    told = "an opinion, no verdict: sqlglot 30 says accepted"
    assert cell(known(OPINION)) == Cell("spark", "not judged", told)


def test_where_nobody_was_asked_that_is_said() -> None:
    assert cell(known()) == Cell("spark", "not judged", NOBODY)


ANSWERS: Final = st.lists(st.sampled_from([NATIVE, FOREIGN, REFUSED, SILENT, OPINION]), max_size=4)


@given(ANSWERS, st.sets(st.sampled_from(["A", "B"])), st.none() | st.just("lake/db.v"))
def test_any_evidence_has_one_cell(
    answers: list[Answer], errors: set[str], below: str | None
) -> None:
    found = cell(Evidence(engine="spark", answers=(*answers,), errors=(*errors,), below=below))
    assert found.status in list(Reading)
    good = found.status in {Reading.NATIVE, Reading.PORTABLE}
    assert (found.reason is None) == good
    assert not good or (below is None and not errors and found.grade == "PARSE")
    assert found.status != Reading.NATIVE or NATIVE in answers
    assert found.status != Reading.BLOCKED or found.reason == below
