"""The cell of the matrix: each rule is reached and needed, and one of them always holds."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.judging.matrix import (
    NOBODY,
    RULES,
    UNTRIED,
    Answer,
    Below,
    Cell,
    Evidence,
    Reading,
    cell,
    said_by_itself,
)
from discovery.judging.paths import Reach
from discovery.judging.ways import ANY, Path, Way


def way(way: Way, *dialects: str, reason: str = "", judge: str = "") -> Path:
    return Path(
        engine="spark",
        formats=("f",),
        way=way,
        dialects=dialects,
        reason=reason,
        judge=judge,
        source="a test",
    )


PARSES: Final = way(Way.PARSES, "spark", ANY)
OWN: Final = way(Way.PARSES, "spark")
REFUSES: Final = way(Way.REFUSES, reason="ENTRY_REFUSED")
FAR: Final = way(Way.UNREACHABLE, reason="OUT_OF_REACH")
TABLE: Final = way(Way.AS_TABLE, reason="ONLY_AS_TABLE")
DECLARED: Final = way(Way.AS_TABLE, ANY, judge="mysql")
TRANSLATES: Final = way(Way.TRANSLATES, reason="translated, not judged")
UNKNOWN: Final = way(Way.UNKNOWN)
PATHS: Final = (PARSES, OWN, REFUSES, FAR, TABLE, DECLARED, TRANSLATES, UNKNOWN)

NATIVE: Final = Answer("spark", "Spark", "PARSE", "accepted")
FOREIGN: Final = Answer("spark", "trino", "PARSE", "accepted")
OTHERS: Final = Answer("trino", "Spark", "PARSE", "accepted")
REFUSED: Final = Answer("spark", "Spark", "PARSE", "rejected", "Syntax error at or near 'x'")
REFUSED_FOREIGN: Final = Answer("spark", "trino", "PARSE", "rejected", "backquoted identifiers")
SILENT: Final = Answer("spark", "Spark", "PARSE", "not judged", "no judge: no jars")
OPINION: Final = Answer("spark", "Spark", "OPINION", "accepted", None, "sqlglot 30")


def known(
    path: Path,
    *answers: Answer,
    dialects: tuple[str, ...] = ("Spark",),
    errors: tuple[str, ...] = (),
    below: str | None = None,
    unproven: str | None = None,
) -> Evidence:
    return Evidence.of(path, dialects, answers, errors, Below(below, unproven))


ANALYZED: Final = Answer("spark", "Spark", "ANALYZE", "accepted")
ANALYZED_REFUSED: Final = Answer("spark", "Spark", "ANALYZE", "rejected", "[UNRESOLVED_COLUMN] a")
ANALYZED_SILENT: Final = Answer("spark", "Spark", "ANALYZE", "not judged", "a function of ours")
LIVE: Final = Answer("spark", "Spark", "LIVE", "accepted")
LIVE_FOREIGN: Final = Answer("spark", "trino", "LIVE", "accepted")
LIVE_REFUSED: Final = Answer("spark", "Spark", "LIVE", "rejected", "[UNRESOLVED_COLUMN] a")
LIVE_SILENT: Final = Answer("spark", "Spark", "LIVE", "not judged", "UNREACHABLE: gone")

EXAMPLES: Final[Mapping[str, tuple[Evidence, Cell]]] = {
    "refused live": (
        known(PARSES, NATIVE, ANALYZED, LIVE_REFUSED, below="lake/db.v"),
        Cell("spark", "rejected", "UNKNOWN_COLUMN", "LIVE"),
    ),
    "misread live": (
        known(PARSES, NATIVE, LIVE, errors=("B", "A")),
        Cell("spark", "rejected", "A, B"),
    ),
    "own, live": (
        known(FAR, REFUSED, LIVE, below="RING"),
        Cell("spark", "native", None, "LIVE"),
    ),
    "foreign, live": (
        known(REFUSES, REFUSED_FOREIGN, LIVE_FOREIGN, dialects=("trino",), below="RING"),
        Cell("spark", "portable", None, "LIVE"),
    ),
    "out of reach": (
        known(FAR, NATIVE, errors=("A",), below="RING"),
        Cell("spark", "unreachable", "OUT_OF_REACH"),
    ),
    "faulty entry": (
        known(REFUSES, NATIVE, errors=("B", "A", "B"), below="lake/db.v"),
        Cell("spark", "rejected", "A, B"),
    ),
    "refused entry": (
        known(REFUSES, NATIVE, below="RING"),
        Cell("spark", "rejected", "ENTRY_REFUSED"),
    ),
    "no text for it": (
        known(OWN, FOREIGN, dialects=("trino",), below="RING"),
        Cell("spark", "rejected", "NO_TEXT_FOR_ENGINE"),
    ),
    "refused text": (
        known(PARSES, REFUSED, below="lake/db.v"),
        Cell("spark", "rejected", "SYNTAX_AT_TOKEN", "PARSE"),
    ),
    "faulty base": (known(PARSES, NATIVE, below="RING"), Cell("spark", "blocked", "RING")),
    "own text": (known(PARSES, OTHERS, NATIVE), Cell("spark", "native", None, "PARSE")),
    "foreign text": (
        known(PARSES, FOREIGN, dialects=("trino",)),
        Cell("spark", "portable", None, "PARSE"),
    ),
    "no verdict": (known(PARSES, SILENT), Cell("spark", "not judged", "no judge: no jars")),
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


def test_only_the_text_that_the_engine_takes_is_judged() -> None:
    both = ("trino", "Spark")
    found = cell(known(PARSES, NATIVE, REFUSED_FOREIGN, dialects=both))
    assert found == Cell("spark", "native", None, "PARSE")
    found = cell(known(PARSES, REFUSED, FOREIGN, dialects=both))
    assert found == Cell("spark", "rejected", "SYNTAX_AT_TOKEN", "PARSE")


def test_what_the_running_engine_did_not_judge_is_left_to_the_others() -> None:
    assert cell(known(PARSES, NATIVE, LIVE_SILENT)) == Cell("spark", "native", None, "PARSE")
    assert cell(known(FAR, LIVE_SILENT)).status == "unreachable"
    others = LIVE_REFUSED._replace(engine="trino")
    assert cell(known(PARSES, NATIVE, others)).grade == "PARSE"


def test_why_a_running_engine_refuses_says_what_is_known_of_the_entry() -> None:
    assert cell(known(REFUSES, LIVE_REFUSED)) == Cell("spark", "rejected", "ENTRY_REFUSED", "LIVE")
    told = cell(known(PARSES, LIVE_REFUSED, errors=("A",)))
    assert told == Cell("spark", "rejected", "A", "LIVE")


def test_what_hangs_on_a_setting_is_shown_with_it() -> None:
    path = replace(PARSES, setting=("a", "b"), under="with a.is=b")
    assert cell(known(path, NATIVE)) == Cell("spark", "native", "with a.is=b", "PARSE")
    found = cell(known(path, FOREIGN, dialects=("trino",)))
    assert found == Cell("spark", "portable", "with a.is=b", "PARSE")
    assert cell(known(path, REFUSED)).reason == "SYNTAX_AT_TOKEN", "a code is a code"
    nobody = replace(path, judge="nobody", reason="it is not judged")
    found = cell(known(nobody, NATIVE))
    assert found == Cell("spark", "not judged", "with a.is=b: it is not judged")


def test_a_database_that_the_engine_has_as_a_catalog_answers_with_its_own_parser() -> None:
    answer = Answer("mysql", "mysql", "PARSE", "accepted")
    wrong = Answer("spark", "mysql", "PARSE", "rejected", "backquoted identifiers")
    found = cell(known(DECLARED, wrong, answer, dialects=("mysql",)))
    assert found == Cell("spark", "portable", None, "PARSE")
    assert cell(known(TABLE, answer, dialects=("mysql",))) == Cell(
        "spark", "unreachable", "ONLY_AS_TABLE"
    )


def test_what_is_translated_or_untried_is_not_judged_and_says_so() -> None:
    assert cell(known(TRANSLATES, FOREIGN, REFUSED)) == Cell(
        "spark", "not judged", "translated, not judged"
    )
    assert cell(known(UNKNOWN, NATIVE)) == Cell("spark", "not judged", UNTRIED)


def test_what_coral_translates_is_as_coral_and_the_parser_behind_it_say() -> None:
    path = way(Way.TRANSLATES, ANY, judge="coral", reason="not told all")
    said = Answer("coral", "Spark", "PARSE", "accepted")
    assert cell(known(path, said, NATIVE)) == Cell("spark", "native", None, "PARSE")
    refused = said._replace(verdict="rejected", message="Unknown function name: f")
    assert cell(known(path, refused)) == Cell("spark", "rejected", "UNKNOWN_FUNCTION", "PARSE")
    assert cell(known(path, NATIVE)) == Cell("spark", "not judged", "not told all")
    silent = said._replace(verdict="not judged", message="no analyzer: no jars")
    assert cell(known(path, silent)) == Cell("spark", "not judged", "no analyzer: no jars")


def test_an_opinion_proves_nothing() -> None:
    told = "an opinion, no verdict: sqlglot 30 says accepted"
    assert cell(known(PARSES, OPINION)) == Cell("spark", "not judged", told)


def test_where_nobody_was_asked_that_is_said() -> None:
    assert cell(known(PARSES)) == Cell("spark", "not judged", NOBODY)


ANSWERS: Final = (NATIVE, FOREIGN, OTHERS, REFUSED, REFUSED_FOREIGN, SILENT, OPINION)


@given(
    st.sampled_from(PATHS),
    st.permutations(["Spark", "trino"]).flatmap(lambda two: st.sampled_from([two, two[:1]])),
    st.lists(st.sampled_from(ANSWERS), max_size=4),
    st.sets(st.sampled_from(["A", "B"])),
    st.none() | st.just("lake/db.v"),
)
def test_any_evidence_has_one_cell(
    path: Path, dialects: list[str], answers: list[Answer], errors: set[str], below: str | None
) -> None:
    found = cell(known(path, *answers, dialects=(*dialects,), errors=(*errors,), below=below))
    assert found.status in list(Reading)
    good = found.status in {Reading.NATIVE, Reading.PORTABLE}
    assert (found.reason is None) == good
    assert not good or (below is None and not errors and found.grade == "PARSE")
    assert found.status != Reading.NATIVE or NATIVE in answers
    assert found.status != Reading.BLOCKED or found.reason == below
    assert (found.status == Reading.UNREACHABLE) == (path in {FAR, TABLE})


def test_an_estate_without_a_word_of_its_engines_has_the_usual_paths() -> None:
    reach = Reach(("trino",), kinds={"lake": "hms"})
    assert reach.path("trino", "lake", "trino", ("trino",)).way is Way.PARSES


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ((ANALYZED, NATIVE), Cell("spark", "native", None, "ANALYZE")),
        ((NATIVE, ANALYZED), Cell("spark", "native", None, "ANALYZE")),
        ((ANALYZED_REFUSED, NATIVE), Cell("spark", "rejected", "UNKNOWN_COLUMN", "ANALYZE")),
        ((ANALYZED_SILENT, NATIVE), Cell("spark", "native", None, "PARSE")),
        ((ANALYZED_SILENT, REFUSED), Cell("spark", "rejected", "SYNTAX_AT_TOKEN", "PARSE")),
        ((ANALYZED_SILENT,), Cell("spark", "not judged", NOBODY)),
    ],
)
def test_an_analyzer_proves_more_than_a_parser(answers: tuple[Answer, ...], expected: Cell) -> None:
    assert cell(known(PARSES, *answers)) == expected


NO_ANALYZER: Final = Answer("spark", "Spark", "PARSE", "not judged", "no analyzer: none of 3.5")


@pytest.mark.parametrize(("parser", "status"), [(NATIVE, "native"), (REFUSED, "rejected")])
def test_where_there_is_no_analyzer_the_parser_is_heard(parser: Answer, status: str) -> None:
    for answers in ((parser, NO_ANALYZER), (NO_ANALYZER, parser)):
        assert cell(known(OWN, *answers)).status == status
    assert cell(known(OWN, NO_ANALYZER)).status == "not judged"


SURE: Final = Cell("spark", "native", None, "ANALYZE")
UNSURE: Final = Cell("spark", "native", "no surer than lake/db.v", "PARSE")


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ((NATIVE, ANALYZED), UNSURE),
        ((ANALYZED,), UNSURE),
        ((NATIVE,), Cell("spark", "native", None, "PARSE")),
        ((NATIVE, ANALYZED, LIVE), Cell("spark", "native", None, "LIVE")),
        ((ANALYZED_REFUSED, NATIVE), Cell("spark", "rejected", "UNKNOWN_COLUMN", "ANALYZE")),
        ((ANALYZED_SILENT,), Cell("spark", "not judged", NOBODY)),
    ],
)
def test_what_an_analyzer_accepts_is_no_surer_than_what_the_view_stands_on(
    answers: tuple[Answer, ...], expected: Cell
) -> None:
    assert cell(known(PARSES, *answers, unproven="lake/db.v")) == expected
    assert cell(known(PARSES, ANALYZED)) == SURE


def test_a_foreign_text_is_no_surer_either_and_what_blocks_comes_first() -> None:
    foreign = FOREIGN._replace(grade="ANALYZE")
    path = replace(PARSES, setting=("a", "b"), under="with a.is=b")
    told = "with a.is=b; no surer than lake/db.v"
    found = cell(known(path, foreign, dialects=("trino",), unproven="lake/db.v"))
    assert found == Cell("spark", "portable", told, "PARSE")
    blocked = cell(known(PARSES, ANALYZED, below="RING", unproven="lake/db.v"))
    assert blocked == Cell("spark", "blocked", "RING")


@pytest.mark.parametrize("status", Reading)
@pytest.mark.parametrize("grade", [None, "PARSE", "ANALYZE", "LIVE"])
def test_only_what_an_analyzer_or_the_engine_accepts_is_proved(
    status: Reading, grade: str | None
) -> None:
    reads = status in {Reading.NATIVE, Reading.PORTABLE}
    wanted = (
        {"ANALYZE": None, "LIVE": "heard"}.get(grade or "", "unproven") if reads else "unproven"
    )
    assert said_by_itself(status, grade) == ("rejected" if status is Reading.REJECTED else wanted)
