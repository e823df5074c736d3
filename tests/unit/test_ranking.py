"""Counts are told in an order of their own."""

from collections import Counter

from discovery.ranking import ranked


def test_the_largest_comes_first_and_equal_ones_go_by_name() -> None:
    first, second = Counter("bbaac"), Counter("caabb")
    assert ranked(first) == ranked(second) == [("a", 2), ("b", 2), ("c", 1)]
    assert ranked(first, 1) == [("a", 2)]
    assert ranked({}) == []
