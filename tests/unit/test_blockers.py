"""What holds views back: roots and their weight, and what is unread for what is below it."""

from discovery.lineage.blockers import Weight, blocked_by, weighed
from discovery.lineage.order import Aside, Why, order

READS = {
    "lost": frozenset({"gone"}),
    "on_lost": frozenset({"lost"}),
    "top": frozenset({"on_lost", "garbled"}),
    "garbled": frozenset[str](),
    "a": frozenset({"b"}),
    "b": frozenset({"a"}),
    "on_unread": frozenset({"unread"}),
    "fine": frozenset({"t"}),
    "above_fine": frozenset({"fine"}),
}
ASIDE = order(
    {**READS, "unread": frozenset()}, missing={"gone"}, unresolved={"garbled", "unread"}
).aside


def test_the_roots_are_named_heaviest_first_and_what_stands_on_them_is_counted() -> None:
    views = {view: one for view, one in ASIDE.items() if view in READS}
    assert weighed(views, among=10, first=10) == (
        Weight("gone", "MISSING_BASE", 1, 3),
        Weight("a", "RING", 1, 1),
        Weight("b", "RING", 1, 1),
        Weight("garbled", "UNRESOLVED", 1, 1),
        Weight("unread", "UNREAD", 1, 1),
    )


def test_only_as_many_as_are_wanted_are_weighed_and_given() -> None:
    assert weighed(ASIDE, among=1, first=10) == (Weight("a", "RING", 1, 1),)
    (heaviest,) = weighed(ASIDE, among=10, first=1)
    assert heaviest.root == "gone"


def test_nothing_set_aside_has_no_roots() -> None:
    assert weighed({}, among=10, first=10) == ()


def test_an_engine_reads_nothing_above_what_it_rejects_and_nothing_set_aside() -> None:
    reads = {"low": frozenset({"t"}), "mid": frozenset({"low"}), "top": frozenset({"mid", "odd"})}
    aside: dict[str, Aside[str]] = {"odd": Aside(Why.UNRESOLVED)}
    found = list(blocked_by(reads, aside, {"spark": {"low"}, "trino": set()}, {}))
    assert found == [
        ("odd", "spark", Why.UNRESOLVED),
        ("mid", "spark", "low"),
        ("top", "spark", "mid"),
        ("odd", "trino", Why.UNRESOLVED),
    ]


def test_a_view_whose_text_is_taken_in_blocks_none_that_takes_it_but_those_beside() -> None:
    reads = {"mid": frozenset({"low"}), "beside": frozenset({"low"}), "top": frozenset({"mid"})}
    rejected = {"trino": {"low"}, "spark": {"low"}}
    found = set(blocked_by(reads, {}, rejected, {"trino": {("mid", "low")}}))
    assert found == {
        ("beside", "trino", "low"),
        ("beside", "spark", "low"),
        ("mid", "spark", "low"),
        ("top", "spark", "mid"),
    }
