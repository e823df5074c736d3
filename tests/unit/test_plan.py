from hypothesis import given
from hypothesis import strategies as st

from discovery.chunks import chunks
from discovery.crawl import assign
from discovery.errors import ListingError
from discovery.outcomes import Failure, Kind, Listed, Stage
from discovery.patterns import Patterns

kinds = st.sampled_from(list(Kind))
listings = st.lists(st.builds(Listed, st.just(("db",)), st.text(min_size=1), kinds))


@given(listings, st.integers(1, 5), st.integers(1, 3))
def test_every_object_is_planned_once_and_no_task_is_too_large(
    listing: list[Listed], batch: int, connections: int
) -> None:
    planned = list(assign(listing, batch=batch, connections=connections))
    assert [assigned.answer for assigned in planned] == list(dict.fromkeys(listing))
    sizes: dict[int, int] = {}
    for assigned in planned:
        assert isinstance(assigned.answer, Listed)
        sizes[assigned.task] = sizes.get(assigned.task, 0) + assigned.answer.is_read
        assert assigned.slot == assigned.task % connections
    assert all(size <= batch for size in sizes.values())


def test_a_failure_of_the_listing_is_planned_too() -> None:
    failure = Failure.of(Listed(("db",), "", Kind.NAMESPACE), Stage.LIST, ListingError("no"))
    assert [assigned.answer for assigned in assign([failure], batch=2, connections=1)] == [failure]


def test_chunks() -> None:
    assert list(chunks("abcde", 2)) == [("a", "b"), ("c", "d"), ("e",)]


def test_without_patterns_everything_is_crawled() -> None:
    everything = Patterns()
    assert everything.allows_namespace(("db",))
    assert everything.allows(("db",), "v")


def test_a_pattern_without_a_dot_stands_for_a_namespace() -> None:
    some = Patterns(include=("sales*",), exclude=("sales_tmp", "*.v_secret"))
    assert some.allows_namespace(("SALES",))
    assert not some.allows_namespace(("sales_tmp",))
    assert not some.allows_namespace(("hr",))
    assert some.allows(("sales",), "v_open")
    assert not some.allows(("sales",), "v_secret")


def test_a_pattern_with_a_dot_stands_for_objects() -> None:
    some = Patterns(include=("sales.v_*",))
    assert some.allows_namespace(("sales",))
    assert not some.allows_namespace(("hr",))
    assert some.allows(("sales",), "v_open")
    assert not some.allows(("sales",), "orders")


def test_an_excluded_object_does_not_exclude_its_namespace() -> None:
    some = Patterns(exclude=("sales.v_*",))
    assert some.allows_namespace(("sales",))
    assert not some.allows(("sales",), "v_open")


def test_all_of_a_namespace_may_be_said_with_a_star() -> None:
    some = Patterns(include=("sales.*",), exclude=("hr.*",))
    assert some.allows_namespace(("sales",))
    assert some.allows(("sales",), "anything")
    assert not some.allows_namespace(("hr",))
