"""Waves. The first four tests are failures of a well-known tool (facts: UCX 0.60.1, measured)."""

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from discovery.lineage.order import Aside, Order, Why, above, below, order, readers

Graph = Mapping[str, frozenset[str]]


def graph(**reads: str) -> dict[str, frozenset[str]]:
    return {view: frozenset(bases.split()) for view, bases in reads.items()}


def test_four_thousand_chained_views_are_ordered_and_not_only_by_luck() -> None:
    """The tool needs 181 s for them, and grows with the square; here recursion would give up."""
    chain = {f"v{n}": frozenset({f"v{n - 1}"} if n else {"t"}) for n in range(4_000)}
    found = order(dict(reversed(chain.items())))
    assert found.waves == tuple((f"v{n}",) for n in range(4_000))


def test_a_view_behind_a_ring_ends_the_search_of_nobody() -> None:
    found = order(graph(a="b", b="a", behind="a", far_behind="behind", well="t"))
    assert found.waves == (("well",),)
    assert found.aside == {
        "a": Aside(Why.RING, ("a", "b")),
        "b": Aside(Why.RING, ("a", "b")),
        "behind": Aside(Why.BROKEN_BASE, ("a",)),
        "far_behind": Aside(Why.BROKEN_BASE, ("behind",)),
    }


def test_a_view_that_reads_itself_takes_no_healthy_view_with_it() -> None:
    found = order(graph(narcissus="narcissus t", one="t", two="one"))
    assert found.waves == (("one",), ("two",))
    assert found.aside == {"narcissus": Aside(Why.SELF_REFERENCE, ("narcissus",))}


def test_a_text_that_nobody_can_read_stops_nothing() -> None:
    found = order(graph(garbled="", on_it="garbled", well="t"), unresolved={"garbled"})
    assert found.waves == (("well",),)
    assert found.aside["garbled"] == Aside(Why.UNRESOLVED)
    assert found.aside["on_it"] == Aside(Why.BROKEN_BASE, ("garbled",))


def test_a_missing_base_is_named() -> None:
    found = order(graph(v="t gone", on_it="v t"), missing={"gone"})
    assert found.waves == ()
    assert found.aside["v"] == Aside(Why.MISSING_BASE, ("gone",))


def test_a_view_stands_one_wave_above_the_highest_of_its_bases() -> None:
    found = order(graph(top="low high", high="low", low="t", alone=""))
    assert found.waves == (("low", "alone"), ("high",), ("top",))


def test_two_rings_that_touch_are_told_apart() -> None:
    found = order(graph(a="b", b="a", c="d b", d="c", e="c"))
    assert found.aside["a"].because == ("a", "b")
    assert found.aside["c"].because == ("c", "d")
    assert found.aside["e"].why is Why.BROKEN_BASE


NAMES = st.sampled_from([*"abcdefgh", "t", "gone"])


@given(
    st.dictionaries(st.sampled_from([*"abcdefgh"]), st.frozensets(NAMES, max_size=3)),
    st.frozensets(st.sampled_from([*"abcdefgh"]), max_size=1),
)
def test_every_view_has_one_place_and_stands_on_earlier_ones(
    reads: Graph, unresolved: frozenset[str]
) -> None:
    found: Order[str] = order(reads, missing={"gone"}, unresolved=unresolved)
    wave = {view: number for number, views in enumerate(found.waves) for view in views}
    assert wave.keys() | found.aside.keys() == reads.keys()
    assert not wave.keys() & found.aside.keys()
    for view, number in wave.items():
        below = reads[view] & reads.keys()
        assert number == max((wave[base] for base in below), default=-1) + 1
        assert "gone" not in reads[view]
    for view, aside in found.aside.items():
        if aside.why is Why.RING:
            assert all(reads[one] & set(aside.because) for one in aside.because)
        if aside.why is Why.BROKEN_BASE:
            assert set(aside.because) == reads[view] & found.aside.keys()


def test_what_stands_on_something_is_met_once_nearest_first() -> None:
    found = above(readers(graph(c="a", b="a", top="b c", far="top", other="t")), ["a"])
    assert list(found) == [("b", "a"), ("c", "a"), ("top", "b"), ("far", "top")]


def test_the_walk_upwards_ends_in_rings_and_leaves_out_where_it_starts() -> None:
    higher = readers(graph(a="b", b="a", behind="a", narcissus="narcissus"))
    assert list(above(higher, ["a"])) == [("b", "a"), ("behind", "a")]
    assert list(above(higher, ["a", "b"])) == [("behind", "a")]
    assert list(above(higher, ["narcissus"])) == []
    assert list(above(higher, [])) == []


def test_four_thousand_views_above_one_are_walked_without_recursion() -> None:
    chain = {n: frozenset({n - 1}) for n in range(1, 4_001)}
    assert sum(1 for _ in above(readers(chain), [0])) == 4_000


@given(
    st.dictionaries(st.sampled_from([*"abcdefgh"]), st.frozensets(NAMES, max_size=3)),
    st.frozensets(NAMES, max_size=2),
)
def test_exactly_what_reads_over_others_stands_on_it(reads: Graph, start: frozenset[str]) -> None:
    found = dict(above(readers(reads), start))
    wanted = set(start)
    while more := {view for view in reads if reads[view] & wanted} - wanted:
        wanted |= more
    assert found.keys() == wanted - start
    assert all(base in reads[view] for view, base in found.items())


def test_nodes_of_any_kind_are_named_in_the_order_of_their_texts() -> None:
    reads = {9: {10}, 10: {9}, 8: {9, 10}, 7: {11, 30, 4}}
    found = order(reads, missing={30, 4})
    assert found.aside == {
        9: Aside(Why.RING, (10, 9)),
        10: Aside(Why.RING, (10, 9)),
        8: Aside(Why.BROKEN_BASE, (10, 9)),
        7: Aside(Why.MISSING_BASE, (30, 4)),
    }
    higher = readers({9: {1}, 10: {1}, 8: {2}})
    assert higher == {1: [10, 9], 2: [8]}
    assert list(above({2: [5], 10: [6]}, [2, 10])) == [(6, 10), (5, 2)]


def test_every_node_is_in_a_wave_or_set_aside() -> None:
    found = order(graph(one="t", two="one", narcissus="narcissus"))
    wrong = Aside(Why.SELF_REFERENCE, ("narcissus",))
    assert list(found.places()) == [("one", 1), ("two", 2), ("narcissus", wrong)]


def test_what_a_view_stands_on_is_all_below_it() -> None:
    found = set(below(graph(top="mid low", mid="low", low="", alone=""), most=2))
    assert found == {("top", "mid"), ("top", "low"), ("mid", "low")}


def test_what_stands_on_a_ring_has_no_end() -> None:
    reads = graph(a="b", b="a", over="a low", top="over", itself="itself", low="")
    found = set(below(reads, most=9))
    assert found == {(one, one) for one in ("a", "b", "over", "top", "itself")}


def test_what_stands_on_more_than_are_wanted_is_told_as_if_they_had_no_end() -> None:
    found = set(below(graph(top="mid low", mid="low", low="", over="top"), most=1))
    assert found == {("top", "top"), ("mid", "low"), ("over", "over")}
