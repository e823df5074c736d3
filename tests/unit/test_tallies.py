"""What parts of a run add up to: the same however the views are dealt to them."""

import json
from typing import Any

import pytest

from jobs.reporting.accepting import marked
from reports import page
from reports.lines import codes_of
from reports.tallies import LossTally, ViewTally, tally_losses, tally_views
from tests.made_up import row, rows

PLACES = frozenset({("lake", "db.aside")})
NUMBERED = [
    {**one, "readers": readers}
    for one, readers in zip(rows(), (None, 3, None, 1, None, 3), strict=True)
]
JUDGED = {"engine": "trino", "version": None, "grade": "ANALYZE", "verdict": "accepted"}
CELLS = [
    {"engine": "hive", "status": "rejected", "grade": None, "reason": "A, B"},
    {"engine": "spark", "status": "portable", "grade": "PARSE", "reason": None},
    {"engine": "trino", "status": "unreachable", "grade": None, "reason": "OUT_OF_REACH"},
]
NOISY = row(
    6,
    "noisy",
    engines=CELLS,
    verdicts=[JUDGED, JUDGED],
    owner="bob",
    wave=2,
    findings=[
        {"code": "X", "severity": "warning", "engine": "trino", "message": None, "hint": None},
        {"code": "X", "severity": "warning", "engine": "hive", "message": "m", "hint": "h"},
        {"code": "Y", "severity": "error", "engine": None, "message": "n", "hint": None},
    ],
    standing="needs review",
    reason="X",
)
EVERY: list[dict[str, Any]] = [*NUMBERED, NOISY]


def added(*parts: list[dict[str, Any]]) -> ViewTally:
    view_tally = ViewTally()
    for some in parts:
        view_tally.add(tally_views(some, PLACES))
    return view_tally


@pytest.mark.parametrize("first", range(len(EVERY) + 1))
def test_parts_add_up_to_the_whole(first: int) -> None:
    view_tally, parts = added(EVERY), added(EVERY[:first], EVERY[first:])
    assert parts.counts == view_tally.counts
    assert parts.causes.summed() == view_tally.causes.summed()
    assert (parts.aside, parts.unread, parts.bases) == (
        view_tally.aside,
        view_tally.unread,
        view_tally.bases,
    )
    assert parts.accepted == view_tally.accepted


def test_each_count_is_by_its_words() -> None:
    view_tally = added(EVERY)
    assert view_tally.by_two("outcomes") == {"failure": {"": 1}, "view": {"spark": 6}}
    assert view_tally.by_two("sources")["lake"] == {
        "blocked": 3,
        "needs review": 2,
        "not judged": 1,
        "ready": 1,
    }
    assert view_tally.by_two("owners")[""] == {"not judged": 1}
    assert view_tally.by("waves") == {1: 4, 2: 1}
    assert view_tally.by("aside") == {"MISSING_BASE": 1}
    assert view_tally.by_two("rejections") == {
        "hive": {"A": 1, "B": 1},
        "trino": {"OUT_OF_REACH": 1},
    }
    assert view_tally.by("parsed") == {"spark": 5}, (
        "that of the view that was not judged is not read"
    )
    assert view_tally.by("severities") == {"error": 1, "warning": 2}, "views, not findings"
    assert view_tally.each("judges") == [
        ("spark", "4.3.0", "PARSE", "rejected", 1),
        ("trino", "", "ANALYZE", "accepted", 2),
    ]


def test_a_cause_counts_views_and_keeps_the_first_of_its_examples() -> None:
    causes = {cause.code: cause for cause in added(EVERY).causes.summed()}
    noisy = causes["X"]
    assert (noisy.number, noisy.holds, noisy.engines) == (1, 1, ("hive", "trino"))
    assert (noisy.example, noisy.message, noisy.fix) == ("db.noisy", "", ""), "no page knows it"
    assert causes["Y"].holds == 0
    assert causes["MISSING_BASE"].message == "lake/db.t"
    assert causes["NO_VERDICT"].sort == "standing", "no table has it"
    assert "PARSE" in causes, "a class of what a parser says"


def test_what_is_read_most_is_first_and_what_is_unread_has_its_row() -> None:
    view_tally = added(EVERY)
    assert [(-base.order, base.row) for base in view_tally.bases] == [(3, 1), (3, 5), (1, 3)]
    assert list(view_tally.unread.values()) == [4]
    (aside,) = view_tally.aside
    assert (aside.row, aside.name, aside.because) == (3, "lake/db.aside", ("lake/db.t",))
    (mine,) = view_tally.accepted
    assert (mine["key"], mine["aside"], mine["standing"]) == ("db.aside", "MISSING_BASE", "blocked")


def lost(entity: str, outcome: str, code: str, name: str) -> dict[str, Any]:
    place = {"source": "lake", "entity": entity, "namespace": ["db"], "name": name}
    return {**place, "key": f"db.{name}", "outcome": outcome, "code": code, **SAID}


SAID = {"message": None, "hint": None}


def test_losses_are_by_sort_with_what_nobody_could_list_first() -> None:
    loss_tally = LossTally()
    some = [lost("object", "skipped", "TABLE", name) for name in ("t", "s")]
    loss_tally.add(tally_losses(some, frozenset()))
    rest = [
        lost("object", "failure", "BAD", "v"),
        lost("namespace", "failure", "LISTING_FAILED", ""),
    ]
    loss_tally.add(tally_losses(rest, frozenset({("lake", "db.v")})))
    told = [(cause.sort, cause.code, cause.number, cause.example) for cause in loss_tally.summed()]
    assert told == [
        ("unlisted", "LISTING_FAILED", 1, "lake/db."),
        ("failure", "BAD", 1, "lake/db.v"),
        ("skipped", "TABLE", 2, "lake/db.s"),
    ]
    assert [one["key"] for one in loss_tally.accepted] == ["db.v"]


def test_notes_are_counted_and_may_be_accepted() -> None:
    note = {"code": "COLUMNS_UNKNOWN", "message": "not known"}
    noted = [{**EVERY[0], "notes": [note, note]}, {**EVERY[1], "notes": [note]}, EVERY[2]]
    (cause,) = [cause for cause in added(noted).causes.summed() if cause.sort == "note"]
    assert (cause.code, cause.number, cause.message) == ("COLUMNS_UNKNOWN", 2, "not known")
    assert ("note", "COLUMNS_UNKNOWN") in marked(noted[0]).codes
    assert "COLUMNS_UNKNOWN" in codes_of(noted[0])


def test_the_page_finds_a_view_by_every_code_that_its_causes_count() -> None:
    note = {"code": "COLUMNS_UNKNOWN", "message": "not known"}
    for one in (*EVERY, {**EVERY[0], "notes": [note]}):
        entry = json.loads(page.entry(one))
        reason, codes = entry[6], entry[8].split(" ")
        counted = {cause.code for cause in added([one]).causes.summed()}
        assert counted <= {reason, *codes}
