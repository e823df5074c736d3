"""How far a migration has come, from what its runs have counted."""

import re
from dataclasses import replace

import pytest

from discovery.crawl_record import SourceCounts
from reports import page
from reports.course import of_crawl, with_plan
from reports.head import CoursePoint
from tests.made_up import HEAD, HOSTILE

CRAWLED = CoursePoint("run-1", "2026-11-21T05:00:00+00:00", 7, 2)


def test_a_crawl_counts_over_all_sources() -> None:
    sources = {"a": SourceCounts(views=3, failures=2, listed=9), "b": SourceCounts(views=4)}
    assert of_crawl("run-1", "2026-11-21T05:00:00+00:00", sources) == CRAWLED


@pytest.mark.parametrize(
    ("written", "there", "left", "aside"),
    [
        ({}, 1, 6, 5),  # planned, nothing applied
        ({"create": 3, "replace": 1}, 5, 2, 5),
        ({"create": 3, "replace": 2, "add-dialect": 1}, 7, 0, 5),
        ({"create": 2, "blocked": 2}, 5, 4, 3),  # drafts were adopted that it had set aside
    ],
)
def test_what_was_written_is_there_and_not_left(
    written: dict[str, int], there: int, left: int, aside: int
) -> None:
    actions = {"keep": 1, "create": 3, "replace": 2, "add-dialect": 1, "blocked": 2, "conflict": 3}
    point = with_plan(CRAWLED, {"t": actions}, {"t": written})
    assert (point.there, point.left, point.aside) == (there, left, aside)
    assert (point.run_id, point.views, point.failures) == ("run-1", 7, 2)


def test_what_was_adopted_at_a_target_is_not_taken_off_what_is_left_at_another() -> None:
    actions = {"a": {"create": 6}, "b": {"blocked": 4}}
    point = with_plan(CRAWLED, actions, {"b": {"blocked": 4}})
    assert (point.there, point.left, point.aside) == (4, 6, 0)


def test_what_was_dropped_is_not_there() -> None:
    point = with_plan(CRAWLED, {"t": {"create": 1, "drop": 2}}, {"t": {"create": 1, "drop": 2}})
    assert (point.there, point.left, point.aside) == (1, 0, 0)


def shown(**more: object) -> str:
    """The page without its markup."""
    before, _ = page.frame(replace(HEAD, **more), single=True, parts=1, part=64)  # type: ignore[arg-type]
    return " ".join(re.sub("<[^>]*>", " ", before.partition("<main>")[2]).split())


def test_the_page_has_a_line_for_each_run_and_none_where_nothing_was_planned() -> None:
    told = shown()
    assert f"{HOSTILE.replace('<', '&lt;').replace('>', '&gt;')} 2026-11-20 not planned" in told
    assert "run-1 2026-11-21 3 1 1 5 1 There:" in told
    assert "How far it has come" not in shown(course=())


def test_the_page_compares_two_runs_by_standing() -> None:
    told = shown()
    assert "ready 2 1 -1 needs review 0 1 +1 blocked 3 3 +0" in told
    assert HEAD.drift
    assert "side by side" not in shown(drift=replace(HEAD.drift, standing=None))
