"""When a crawl proves that a view is gone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.crawl_record import SourceCounts
from discovery.migration.deletion import (
    ENOUGH,
    SeenRun,
    Unseen,
    believed_runs,
    is_left_out,
    why_doubted,
    why_kept,
    why_unseen,
)
from discovery.migration.wanted import Origin
from discovery.patterns import Patterns

WHOLE = SourceCounts(listed=100, views=80)
HALF = SourceCounts(listed=50, views=40)


def run(run_id: str = "now", **sources: SourceCounts) -> SeenRun:
    return SeenRun(run_id, sources)


def test_a_run_like_the_one_before_proves_it() -> None:
    old = [run("old", a=WHOLE)]
    assert why_doubted(run(a=WHOLE), old, ()) == ""
    assert why_doubted(run(a=WHOLE), [], ()) == "", "nothing to compare with"
    assert why_doubted(run(a=WHOLE, b=WHOLE), old, ()) == "", "a new source"
    assert why_doubted(run(b=WHOLE), old, ()) == "", "nothing of a is dropped"
    assert why_doubted(run(a=SourceCounts(75, 60)), old, ()) == "", "at the bound"


@pytest.mark.parametrize(
    ("now", "why"),
    [
        (SourceCounts(100, 80, unread=1), "a: 1 object or namespace could not be listed or read"),
        (SourceCounts(100, 80, reconciled=False), "a: what was listed and what came of it do not"),
    ],
)
def test_an_incomplete_listing_never_does(now: SourceCounts, why: str) -> None:
    assert why_unseen(run(a=now)).startswith(why)
    assert why_unseen(run(a=WHOLE)) == ""


@pytest.mark.parametrize(
    ("now", "why"),
    [
        (
            run(a=SourceCounts(74, 80)),
            "a has 74 objects, and had 100 in run old: less than 75%; if",
        ),
        (run(a=SourceCounts(100, 59)), "a has 59 views, and had 80 in run old: less than 75%; if"),
        (run(a=SourceCounts(0, 0)), "a has 0 objects, and had 100 in run old"),
    ],
)
def test_a_source_that_shrank_needs_a_word(now: SeenRun, why: str) -> None:
    before = [run("old", a=WHOLE)]
    assert why_doubted(now, before, ()).startswith(why)
    assert why_doubted(now, before, {"now"}) == ""


def at(run_id: str, *places: str) -> SeenRun:
    return SeenRun(run_id, {"a": WHOLE}, systems={"a": places} if places else {})


def test_a_source_that_is_another_system_proves_nothing_until_a_person_says_so() -> None:
    nights = [at("old", "h:1", "h:2"), at("n0", "staging:1")]
    assert why_doubted(at("now", "h:1"), nights, ()) == "", "the one before was not believed"
    why = why_doubted(at("now", "staging:1"), nights, ())
    assert why.startswith("a is at another place than in run old (its `uri` or `url`,"), why
    assert why_doubted(at("now", "staging:1"), nights, {"n0"}) == ""
    assert why_doubted(at("now", "h:2", "h:3"), nights, ()) == "", "one server of it is the same"
    assert why_doubted(at("now"), nights, ()) == "", "of an earlier belvedere"
    assert why_doubted(at("now", "h:1"), [at("old")], ()) == ""


def test_a_night_that_saw_less_is_no_measure() -> None:
    dark = run("dark", a=SourceCounts(1, 1, unread=1))
    assert "had 100 in run old" in why_doubted(
        run(a=SourceCounts(1, 1)), [run("old", a=WHOLE), dark], ()
    )


def test_what_was_doubted_once_is_doubted_until_a_person_says_that_it_is_so() -> None:
    nights = [run("old", a=WHOLE), *(run(f"n{number}", a=HALF) for number in range(3))]
    assert "had 100 in run old" in why_doubted(run(a=HALF), nights, ())
    assert why_doubted(run(a=HALF), nights, {"n0"}) == "", "of any night since"
    assert why_doubted(run(a=WHOLE), nights, ()) == "", "it was away, and is there again"
    assert why_doubted(run(a=SourceCounts(30, 20)), nights, {"n1"}).startswith("a has 30 objects")


def test_a_source_may_lose_little_by_little() -> None:
    nights = [run(f"n{number}", a=SourceCounts(100 - 20 * number, 0)) for number in range(2)]
    assert believed_runs(nights, ()) == {"a": nights[-1]}
    assert believed_runs([], ()) == {}


def test_a_source_that_was_out_is_compared_with_what_it_had() -> None:
    nights = [run("old", a=WHOLE, b=WHOLE), run("without", b=WHOLE)]
    assert believed_runs(nights, ()) == {"a": nights[0], "b": nights[1]}
    assert "a has 50 objects, and had 100 in run old" in why_doubted(
        run(a=HALF, b=WHOLE), nights, ()
    )


@given(
    st.lists(st.tuples(st.integers(0, 200), st.integers(0, 1)), max_size=12),
    st.sets(st.integers(0, 11)),
)
def test_nobody_s_word_is_needed_twice_and_no_loss_goes_without_one(
    nights: list[tuple[int, int]], said: set[int]
) -> None:
    runs = [
        run(f"n{number}", a=SourceCounts(listed, 0, unread))
        for number, (listed, unread) in enumerate(nights)
    ]
    words = {f"n{number}" for number in said}
    held: int | None = None
    for number, seen_run in enumerate(runs):
        listed = seen_run.sources["a"].listed
        why = why_doubted(seen_run, runs[:number], words)
        allowed = seen_run.run_id in words or held is None or listed >= ENOUGH * held
        assert bool(why) is not allowed
        if seen_run.complete and allowed:
            held = listed


@pytest.mark.parametrize(
    ("source", "key", "is_so"),
    [
        ("lake", "sales.v", False),
        ("lake", "Sales.TMP_v", True),
        ("lake", "scratch.v", True),
        ("lake", "a%2Eb.v", True),
        ("shop", "public.v", False),
        ("shop", "other.v", True),
        ("not in the run", "other.v", True),
    ],
)
def test_what_was_not_asked_for_is_left_out(source: str, key: str, is_so: bool) -> None:
    asked = {
        "lake": Patterns(exclude=("scratch", "sales.tmp_*", "a.b.*")),
        "shop": Patterns(include=("public",)),
    }
    origin, seen = Origin(source, key, ""), Origin("shop", "public.v", "")
    assert is_left_out([seen, origin], asked) is is_so
    assert bool(why_kept([seen, origin], asked, at_source=False)) is is_so


@pytest.mark.parametrize(
    ("is_gone", "is_lost", "source", "is_so"),
    [
        (True, False, "lake", True),
        (True, False, "not in the run", False),
        (True, True, "not in the run", True),
        (False, False, "lake", False),
        (False, True, "lake", False),
    ],
)
def test_a_text_is_of_nothing_any_more_if_all_that_it_may_be_of_was_seen(
    is_gone: bool, is_lost: bool, source: str, is_so: bool
) -> None:
    unseen = Unseen(is_gone, drops=False, asked={"lake": Patterns()}, is_lost=is_lost)
    assert unseen.is_seen_whole([Origin(source, "sales.v", "")]) is is_so
    assert unseen.is_seen_whole([]) is is_gone, "an earlier belvedere wrote it"


def test_why_a_view_stays_is_told() -> None:
    asked = {"lake": Patterns()}
    origins = [Origin("lake", "sales.v", "")]
    assert why_kept(origins, asked, at_source=False) == "", "it is gone"
    assert why_kept(origins, asked, at_source=True) == "their sources have them"
    assert why_kept([], asked, at_source=False).startswith("an earlier belvedere wrote them")
    assert "were not asked for them" in why_kept(origins, {}, at_source=False)
