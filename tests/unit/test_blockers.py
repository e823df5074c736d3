"""What holds views back: roots and their weight, and what is unread for what is below it."""

from discovery.lineage.blockers import ByItself, OnBases, Weight, on_bases, weighed
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
    views = {view: aside for view, aside in ASIDE.items() if view in READS}
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


UP = {"low": frozenset({"t"}), "mid": frozenset({"low"}), "top": frozenset({"mid", "odd"})}


def test_an_engine_reads_nothing_above_what_it_rejects_and_nothing_set_aside() -> None:
    aside: dict[str, Aside[str]] = {"odd": Aside(Why.UNRESOLVED)}
    found = list(on_bases(UP, aside, {"spark": ByItself(rejected={"low"}), "trino": ByItself()}))
    assert found == [
        OnBases("odd", "spark", Why.UNRESOLVED),
        OnBases("mid", "spark", "low"),
        OnBases("top", "spark", "mid"),
        OnBases("odd", "trino", Why.UNRESOLVED),
    ]


def test_a_view_whose_text_is_taken_in_counts_for_none_that_takes_it_but_for_those_beside() -> None:
    reads = {"mid": frozenset({"low"}), "beside": frozenset({"low"}), "top": frozenset({"mid"})}
    low = frozenset({"low"})
    engines = {
        "trino": ByItself(rejected=low, taken={("mid", "low")}),
        "coral": ByItself(unproven=low, taken={("mid", "low")}),
        "spark": ByItself(rejected=low),
    }
    assert set(on_bases(reads, {}, engines)) == {
        OnBases("beside", "trino", "low"),
        OnBases("beside", "coral", unproven="low"),
        OnBases("beside", "spark", "low"),
        OnBases("mid", "spark", "low"),
        OnBases("top", "spark", "mid"),
    }


def test_nothing_is_surer_than_what_it_stands_on_over_any_number_of_others() -> None:
    assert list(on_bases(UP, {}, {"trino": ByItself(unproven={"low"})})) == [
        OnBases("mid", "trino", unproven="low"),
        OnBases("top", "trino", unproven="mid"),
    ]


def test_what_cannot_be_read_is_not_said_to_be_unsure_too() -> None:
    aside: dict[str, Aside[str]] = {"mid": Aside(Why.MISSING_BASE)}
    said = ByItself(rejected={"odd"}, unproven={"low"})
    assert list(on_bases(UP, aside, {"trino": said})) == [
        OnBases("mid", "trino", Why.MISSING_BASE),
        OnBases("top", "trino", "odd"),
    ]


def test_what_the_running_engine_reads_is_a_firm_ground() -> None:
    said = ByItself(rejected={"low"}, unproven={"odd"}, heard={"mid"})
    assert list(on_bases(UP, {}, {"trino": said})) == [OnBases("top", "trino", unproven="odd")]
