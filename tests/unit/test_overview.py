"""What the page's pictures of a run are made of: who must act, who reads what, who reads whom."""

import json
import random
from typing import Any

import pytest

from discovery.acceptance import Baseline
from discovery.judging.duties import Duty, duty
from discovery.judging.standing import Standing
from discovery.lineage.layers import layers
from reports import overview
from reports.lines import codes_of
from reports.overview import HeatCell, Overview, Overviewed, OwnerDuties, PictureLink, level
from tests.made_up import HOSTILE, row, rows

PART = 3


def looked_at(views: list[dict[str, Any]], *engines: str) -> Overview:
    """The overview of some views, tallied in parts."""
    overviewed = Overviewed(engines)
    for start in range(0, len(views), PART):
        overviewed.add(overview.tally(views[start : start + PART]))
    return overviewed.overview()


def cells(**statuses: str) -> list[dict[str, Any]]:
    return [{"engine": name, "status": status} for name, status in statuses.items()]


@pytest.mark.parametrize(
    ("standing", "reason", "asked"),
    [
        (Standing.READY, None, Duty.NONE),
        (Standing.REVIEW, "STALE_COLUMNS", Duty.LOOK),
        (Standing.BLOCKED, "PARSE", Duty.MEND),
        (Standing.BLOCKED, "MISSING_BASE", Duty.MEND),
        (Standing.BLOCKED, "BROKEN_BASE", Duty.WAIT),
        (Standing.NOT_JUDGED, "NO_VERDICT", Duty.ASK),
    ],
)
def test_an_owner_mends_what_is_its_own_and_waits_for_what_is_not(
    standing: Standing, reason: str | None, asked: Duty
) -> None:
    assert duty(standing, reason) == asked


def test_owners_who_have_most_to_do_come_first_and_all_views_are_counted() -> None:
    waits = row(6, "above", owner="bo", standing=Standing.BLOCKED, reason="BROKEN_BASE")
    found = looked_at([*rows(), waits], "spark")
    assert found.duties == (
        OwnerDuties("anna", 4, 3, (2, 1, 0, 0, 1)),
        OwnerDuties("Zoë/../x", 1, 1, (1, 0, 0, 0, 0)),
        OwnerDuties("bo", 1, 0, (0, 0, 1, 0, 0)),
        OwnerDuties("", 1, 0, (0, 0, 0, 1, 0)),
    )
    assert sum(owner_duties.views for owner_duties in found.duties) == 7


@pytest.mark.parametrize(
    ("reads", "judged", "views", "colour"),
    [
        (0, 0, 10, None),
        (0, 10, 10, 0),
        (4, 10, 10, 1),
        (5, 10, 10, 2),
        (9, 10, 10, 3),
        (10, 10, 10, 4),
        (9, 9, 10, 3),  # one that nobody judged is not read
    ],
)
def test_a_cell_has_its_colour_by_the_share_of_all_views(
    reads: int, judged: int, views: int, colour: int | None
) -> None:
    assert level(reads, judged, views) == colour


def test_the_heat_map_counts_each_namespace_over_all_parts() -> None:
    views = [
        *(row(at, f"v{at}", engines=cells(spark="native", trino="rejected")) for at in range(4)),
        row(4, "v4", engines=cells(spark="portable", trino="not judged")),
        row(5, "lost", engines=None),
        row(6, "v6", namespace=["b", "c"], engines=cells(spark="blocked", trino="native")),
    ]
    found = looked_at(views, "spark", "trino")
    assert [(heat_row.source, heat_row.name, heat_row.views) for heat_row in found.heat] == [
        ("lake", "db", 6),
        ("lake", "b.c", 1),
    ]
    assert found.heat[0].cells == (HeatCell(5, 5, 2), HeatCell(0, 4, 0))
    assert found.heat[1].cells == (HeatCell(0, 1, 0), HeatCell(1, 1, 4))
    assert looked_at([row(0, "v", engines=None)], "spark").heat[0].cells == (HeatCell(0, 0, None),)


def test_namespaces_beyond_the_bound_are_counted_not_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(overview, "SPACES", 2)
    monkeypatch.setattr(overview, "OWNERS", 2)
    views = [row(at, "v", namespace=[f"n{at // 2}"], owner=f"o{at}") for at in range(7)]
    found = looked_at(views, "spark")
    assert [heat_row.name for heat_row in found.heat] == ["n0", "n1"]
    assert (found.spaces, len(found.duties), found.owners) == (4, 2, 7)


def test_waves_are_counted_by_standing() -> None:
    views = [
        row(0, "a", wave=1),
        row(1, "b", wave=3, standing=Standing.REVIEW, reason="STALE_COLUMNS"),
        row(2, "c", wave=None, standing=Standing.BLOCKED, reason="RING"),
    ]
    assert looked_at(views, "spark").waves == ((1, 0, 0, 0), (0, 0, 0, 0), (0, 1, 0, 0))


def test_the_lineage_is_collapsed_to_namespaces_with_bases_to_the_left() -> None:
    views = [
        row(0, "a", namespace=["raw"]),
        row(1, "b", namespace=["raw"], reads=[0]),
        row(2, "c", namespace=["mart"], reads=[0, 1, 3]),
        row(3, "d", namespace=["core"], reads=[1]),
        row(4, "e", namespace=["alone"]),
    ]
    picture = looked_at(views).picture
    assert picture.spaces == (("lake", "core", 1), ("lake", "mart", 1), ("lake", "raw", 2))
    assert picture.layers == ((2,), (0,), (1,))
    assert picture.links == (PictureLink(0, 2, 1), PictureLink(1, 0, 1), PictureLink(1, 2, 2))
    assert (picture.apart, picture.left_out) == (1, 0)


def test_of_very_many_namespaces_those_with_most_links_are_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(overview, "PICTURED", 2)
    views = [row(0, "base", namespace=["hub"])]
    views += [row(at, f"v{at}", namespace=[f"n{at % 3}"], reads=[0]) for at in range(1, 9)]
    picture = looked_at(views).picture
    assert picture.spaces == (("lake", "hub", 1), ("lake", "n1", 3))
    assert (picture.links, picture.left_out) == ((PictureLink(1, 0, 3),), 2)


def test_of_very_many_links_the_thickest_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overview, "LINKED", 1)
    views = [row(0, "base", namespace=["hub"]), row(1, "v", namespace=["one"], reads=[0])]
    views += [row(at, f"v{at}", namespace=["two"], reads=[0]) for at in (2, 3)]
    picture = looked_at(views).picture
    assert (picture.links, picture.thin) == ((PictureLink(2, 0, 2),), 1)
    assert picture.layers == ((0,), (1, 2)), "what is not drawn still has its place"


def test_layers_stand_right_of_what_they_read_and_rings_stand_together() -> None:
    reads = {"a": set[str](), "b": {"a", "gone"}, "c": {"b", "d"}, "d": {"c"}, "e": {"d", "a"}}
    assert layers(reads) == (("a",), ("b",), ("c", "d"), ("e",))
    assert layers(dict[str, set[str]]()) == ()


def test_layers_do_not_depend_on_the_order_in_which_the_graph_is_told() -> None:
    chance = random.Random(7)  # noqa: S311 - data, not a secret
    reads = {at: {chance.randrange(at) for _ in range(2)} if at else set() for at in range(60)}
    told = list(reads.items())
    chance.shuffle(told)
    found = layers(reads)
    assert layers(dict(told)) == found
    depth = {one: place for place, layer in enumerate(found) for one in layer}
    assert sorted(depth) == sorted(reads)
    assert all(depth[base] < depth[one] for one, bases in reads.items() for base in bases)


def test_layers_are_ordered_so_that_fewer_links_cross() -> None:
    reads: dict[str, set[str]] = {"a": set(), "b": set(), "x": {"b"}, "y": {"a"}}
    left, right = layers(reads)
    assert [{"a": "y", "b": "x"}[one] for one in left] == list(right)


def test_what_is_to_be_done_is_told_for_the_codes_that_there_are() -> None:
    found = looked_at(rows(), "spark").advice
    assert {"MISSING_BASE", "STALE_COLUMNS", "INVALID_ENTRY", "NO_VERDICT"} <= found.keys()
    assert found["MISSING_BASE"] == "restore what is missing, or drop the view at its source"
    assert "RING" not in found


def test_the_codes_of_a_view_are_those_that_can_be_accepted() -> None:
    every = {one["name"]: list(codes_of(one)) for one in rows()}
    assert every["rejected"] == ["NAME", "PARSE"]
    assert every["aside"] == ["MISSING_BASE"]
    assert every[HOSTILE] == ["STALE_COLUMNS"]
    assert every["=cmd()"] == []
    line = {"source": "lake", "object": "db.aside", "code": every["aside"][0]}
    line |= {"reason": "known", "owner": "anna", "until": "2027-01-31"}
    assert Baseline.parse("accepted.jsonl", json.dumps(line)).acceptances
