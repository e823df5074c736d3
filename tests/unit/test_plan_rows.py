"""The edge of the planning workers: values to rows and back, nothing lost, nothing exchanged."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from discovery.migration.changes import Blocked
from discovery.migration.deletion import Unseen
from discovery.migration.lines import line_of
from discovery.migration.mapping import Collisions
from discovery.migration.plan import Planned
from discovery.migration.wanted import (
    Address,
    Barred,
    Candidate,
    Canonical,
    Code,
    Draft,
    Origin,
    Wanted,
)
from discovery.model import Identifier
from discovery.outcomes import Kind
from discovery.ports import Action
from jobs.migrating import rows
from jobs.migrating.tables import CHANGES

words = st.text("ab.%é ", min_size=1, max_size=4)
canonicals = st.builds(Canonical, words, words)
listed = st.lists(words, max_size=2).map(tuple)
fates = st.one_of(
    st.tuples(st.builds(Barred, words.map(Code), words), st.just("")),
    st.tuples(st.none(), st.one_of(st.just(""), words)),
)
drafts = st.one_of(
    st.none(), st.builds(Draft, st.lists(words, min_size=1, max_size=2).map(tuple), canonicals)
)

unsafes = st.one_of(st.none(), words.map(lambda why: Barred.as_coded(Blocked.MEANING_CHANGES, why)))


@st.composite
def wanteds(draw: st.DrawFn) -> Wanted:
    barred, stays = draw(fates)
    return Wanted(
        address=Address(draw(words), Identifier(draw(listed), draw(words))),
        origins=draw(st.lists(st.builds(Origin, words, words, words), max_size=2).map(tuple)),
        model=draw(canonicals),
        wave=draw(st.one_of(st.none(), st.integers(0, 9))),
        barred=barred,
        stays=stays,
        losses=draw(listed),
        unsafe=draw(unsafes),
        draft=draw(drafts),
    )


@given(st.lists(wanteds(), max_size=3), st.integers(0, 9), st.sampled_from(Collisions))
def test_wanted_views_and_candidates_survive_arrow(
    some: list[Wanted], rank: int, collisions: Collisions
) -> None:
    assert [rows.wanted(row) for row in rows.rows(rows.WANTED_CELLS.batches(some))] == some
    candidates = [Candidate(wanted, rank, collisions) for wanted in some]
    batches = rows.CANDIDATE_CELLS.batches(candidates)
    assert [rows.candidate(row) for row in rows.rows(batches)] == candidates


@given(wanteds(), st.sampled_from(Action), words, st.one_of(st.none(), canonicals))
def test_planned_changes_survive_arrow_and_their_lines_are_the_same(
    wanted: Wanted, action: Action, reason: str, present: Canonical | None
) -> None:
    planned = Planned(action, replace(wanted, stays="", unsafe=None), reason, present)
    if planned.wanted.barred is not None:
        planned = replace(planned, reason="")
    (row,) = rows.rows(rows.CHANGE_CELLS.batches([planned]))
    assert rows.planned(row) == planned
    assert rows.line(row) == line_of(planned)
    assert (row["change"] is not None) == (planned.writes or planned.adoptable)
    assert row["change"] in {None, line_of(planned).to_json()["change"]}
    assert row["key"] == wanted.address.key
    assert list(row) == CHANGES.names


def test_a_name_with_half_of_a_surrogate_pair_is_shown_escaped() -> None:
    address = Address("t", Identifier(("db",), "v\ud800"))
    wanted = Wanted(address=address, origins=(), model=Canonical("{}", "1:x"))
    (row,) = rows.rows(rows.WANTED_CELLS.batches([wanted]))
    assert row["name"] == "v\\ud800"


def test_what_a_target_lists_becomes_kinds() -> None:
    row = {"target": "t", "namespace": ["db"], "name": "v", "kinds": ["view", "table"]}
    assert rows.kinds(row) == {Kind.VIEW, Kind.TABLE}
    assert rows.kinds({**row, "kinds": None}) == frozenset()
    unseen = Unseen(is_gone=True, drops=False, asked={})
    listed = {**row, "unlisted": None, "writes": None}
    occupant = rows.occupant(listed, {}, "the target cannot be read", unseen=unseen)
    assert (occupant.stranger, occupant.unread) == (Kind.TABLE, "the target cannot be read")


def test_what_we_left_is_ours_only_if_we_have_written_all_of_it() -> None:
    place = {"target": "t", "namespace": ["db"], "name": "v"}
    ours = [{"before": None, "after": "a"}, {"before": "a", "after": "b"}]
    beside = [{"before": "theirs", "after": "both"}]
    assert rows.written({**place, "writes": ours}).left == "b"
    assert rows.written({**place, "writes": beside}).left is None
    assert rows.written({**place, "writes": [*ours, *beside]}).left is None
