"""What has changed of a view between two runs."""

from itertools import product

import pytest

from discovery.judging.drift import (
    APPEARED,
    BAD,
    BROKEN,
    COMPATIBLE,
    GONE,
    OUTCOMES,
    SORTS,
    UNKNOWN,
    change_detail,
    outcome_change,
    reading_change,
)
from discovery.judging.matrix import READS, Reading


@pytest.mark.parametrize(
    ("was", "now", "sort"),
    [
        ("view", "failure", BROKEN),
        ("failure", "view", COMPATIBLE),
        ("view", "skipped", GONE),
        ("skipped", "view", APPEARED),
        ("view", None, GONE),
        (None, "view", APPEARED),
        ("view", "view", None),
        ("failure", "skipped", None),
        ("failure", None, None),
        (None, "skipped", None),
    ],
)
def test_what_a_run_has_of_an_object_tells_the_sort(
    was: str | None, now: str | None, sort: str | None
) -> None:
    assert outcome_change(was, now, is_known=True) == sort


def test_only_a_view_whose_place_was_not_listed_is_unknown() -> None:
    unknown = {
        (was, now)
        for was, now in product(OUTCOMES, repeat=2)
        if outcome_change(was, now, is_known=False) == UNKNOWN
    }
    assert unknown == {("view", None), (None, "view")}
    assert change_detail(UNKNOWN, "view", None) == ("not listed this time",)
    assert change_detail(UNKNOWN, None, None) == ("not listed then",)
    assert change_detail(BROKEN, "view", "INVALID_ENTRY") == ("INVALID_ENTRY",)
    assert change_detail(GONE, "view", None) == ()


def test_every_change_has_a_sort_that_a_report_shows() -> None:
    sorts = {
        outcome_change(was, now, is_known=is_known)
        for was, now, is_known in product(OUTCOMES, OUTCOMES, (True, False))
    }
    assert sorts - {None} < set(SORTS)


def test_only_from_read_to_not_read_and_back_is_a_change_for_an_engine() -> None:
    moves = {
        (was, now): sort
        for was, now in product(Reading, repeat=2)
        if (sort := reading_change(was, now))
    }
    assert moves == {
        **dict.fromkeys(product(READS, BAD), BROKEN),
        **dict.fromkeys(product(BAD, READS), COMPATIBLE),
    }
