"""Which drafts stand on views that their engine does not read, over chains and in rings."""

from collections.abc import Mapping

import pytest

from discovery.judging.draft_bases import explain_aside, over_unreadable
from discovery.lineage.order import Aside, Why


def blamed(reads: Mapping[str, str], lacking: str = "") -> dict[str, str]:
    """Each draft that leads nowhere with the views that are to blame; each name is a letter."""
    found = over_unreadable({view: set(below) for view, below in reads.items()}, set(lacking))
    return {view: "".join(aside.because) for view, aside in found.items()}


@pytest.mark.parametrize(
    ("reads", "lacking", "expected"),
    [
        ({}, "", {}),
        ({"a": ""}, "", {}),
        ({"a": "t"}, "", {}),  # a table, or a view that has the dialect
        ({"a": "b", "b": "c", "c": "t"}, "", {}),  # drafts all the way down
        ({"a": "b"}, "b", {"a": "b"}),
        ({"a": "bc", "c": ""}, "b", {"a": "b"}),
        ({"a": "cb"}, "bc", {"a": "bc"}),
        ({"a": "b", "b": "c", "c": "d"}, "d", {"a": "d", "b": "d", "c": "d"}),
        ({"a": "b", "b": "t"}, "z", {}),  # of which nobody reads
        ({"a": "a"}, "", {"a": "a"}),
        ({"a": "b", "b": "a"}, "", {"a": "ab", "b": "ab"}),
        ({"a": "b", "b": "c", "c": "b"}, "", {"a": "bc", "b": "bc", "c": "bc"}),
        ({"a": "b", "b": "ca", "c": "t"}, "", {"a": "ab", "b": "ab"}),
        ({"a": "bx", "b": "y"}, "xy", {"a": "x", "b": "y"}),  # its own fault first
    ],
)
def test_a_draft_is_offered_if_all_below_it_can_be_read(
    reads: dict[str, str], lacking: str, expected: dict[str, str]
) -> None:
    assert blamed(reads, lacking) == expected


def test_a_long_chain_names_the_view_at_its_foot() -> None:
    chain = {number: {number + 1} for number in range(50_000)}
    found = over_unreadable(chain, {50_000})
    assert len(found) == 50_000
    assert {aside.because for aside in found.values()} == {(50_000,)}


def test_the_reason_says_which_view() -> None:
    lacks = Aside(Why.MISSING_BASE, (("lake", "a.v"), ("shop", "b.v")))
    text = (
        "it stands on lake/a.v, shop/b.v, without a text in spark or a draft of one that is shown"
    )
    assert explain_aside(lacks, "spark") == text
    ring = Aside(Why.RING, (("lake", "a.v"), ("lake", "a.w")))
    assert (
        explain_aside(ring, "spark")
        == "it stands on views that read each other: lake/a.v, lake/a.w"
    )
