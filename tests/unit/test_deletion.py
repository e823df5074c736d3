"""When a crawl proves that a view is gone."""

import pytest

from discovery.migration.deletion import SeenRun, SourceCounts, why_not

WHOLE = SourceCounts(listed=100, views=80)


def run(run_id: str = "now", **sources: SourceCounts) -> SeenRun:
    return SeenRun(run_id, sources)


def test_a_run_like_the_one_before_proves_it() -> None:
    assert why_not(run(a=WHOLE), [run("old", a=WHOLE)]) == ""
    assert why_not(run(a=WHOLE), []) == "", "nothing to compare with"
    assert why_not(run(a=WHOLE, b=WHOLE), [run("old", a=WHOLE)]) == "", "a new source"
    assert why_not(run(a=SourceCounts(75, 60)), [run("old", a=WHOLE)]) == "", "at the bound"


@pytest.mark.parametrize(
    ("now", "why"),
    [
        (SourceCounts(100, 80, unread=1), "a: 1 objects or namespaces could not be listed or read"),
        (SourceCounts(100, 80, reconciled=False), "a: what was listed and what came of it do not"),
    ],
)
def test_an_incomplete_listing_never_does(now: SourceCounts, why: str) -> None:
    assert why_not(run(a=now), []).startswith(why)
    assert why_not(run(a=now), [], shrunk=True).startswith(why), "no flag helps"


@pytest.mark.parametrize(
    ("now", "why"),
    [
        (
            run(a=SourceCounts(74, 80)),
            "a has 74 objects, and had 100 in run old: less than 75%; if",
        ),
        (run(a=SourceCounts(100, 59)), "a has 59 views, and had 80 in run old: less than 75%; if"),
        (run(a=SourceCounts(0, 0)), "a has 0 objects, and had 100 in run old"),
        (run(b=WHOLE), "a was not crawled, and was in run old; if that is so, say --allow-shrink"),
    ],
)
def test_a_source_that_shrank_needs_a_word(now: SeenRun, why: str) -> None:
    before = [run("old", a=WHOLE)]
    assert why_not(now, before).startswith(why)
    assert why_not(now, before, shrunk=True) == ""


def test_a_night_that_saw_less_is_no_measure() -> None:
    dark = run("dark", a=SourceCounts(1, 1, unread=1))
    assert "had 100 in run old" in why_not(run(a=SourceCounts(1, 1)), [run("old", a=WHOLE), dark])


def test_counts_are_read_as_runs_have_them() -> None:
    said = {"listed": 3, "views": 2, "unread": 0, "reconciled": True, "formats": {}}
    assert SourceCounts.of(said) == SourceCounts(3, 2)
    assert SourceCounts.of({"listed": 3}).complete
