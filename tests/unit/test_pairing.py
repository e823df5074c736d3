"""What is done with a row, of every pair of what it says and what is wanted."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from discovery.migration.pairing import RowStep, is_other_maker, row_step
from discovery.model import Audit, Identifier, Representation, View
from discovery.ports import Action, Change

NOBODY = Audit()
ALICE = Audit(creator="alice", create_time=datetime(2026, 3, 4, tzinfo=UTC))
BOB = Audit(creator="bob", create_time=datetime(2025, 1, 1, tzinfo=UTC))
LOADER = Audit(creator="loader", create_time=datetime(2026, 11, 1, tzinfo=UTC))
EVE = Audit(creator="eve", create_time=datetime(2024, 1, 1, tzinfo=UTC))
CHANGED = replace(ALICE, last_modifier="loader", last_modified_time=LOADER.create_time)


def view(audit: Audit) -> View:
    return View(
        identifier=Identifier(("s",), "v"),
        columns=(),
        representations=(Representation(dialect="spark", sql="SELECT 1"),),
        audit=audit,
    )


def step(action: Action, wanted: Audit, seen: Audit | None, there: Audit | None) -> RowStep:
    change = Change(action, view(wanted), "f", None if seen is None else "e", seen=seen)
    return row_step(change, there, lambda _: "loader")


@pytest.mark.parametrize(
    ("action", "wanted", "seen", "there", "done"),
    [
        ("create", ALICE, None, None, "write"),
        ("create", NOBODY, None, None, "leave"),  # the server imports such a row itself
        ("create", ALICE, None, LOADER, "write"),  # the server has made it for our request
        ("create", ALICE, None, NOBODY, "write"),
        ("create", ALICE, None, ALICE, "leave"),
        ("create", ALICE, None, CHANGED, "leave"),  # who changed it last is no matter
        ("create", ALICE, None, EVE, "refuse"),
        ("create", NOBODY, None, EVE, "leave"),
        ("replace", ALICE, BOB, BOB, "write"),
        ("replace", ALICE, BOB, None, "write"),
        ("replace", ALICE, BOB, EVE, "refuse"),
        ("replace", ALICE, NOBODY, EVE, "refuse"),
        ("replace", NOBODY, ALICE, ALICE, "write"),  # an undo: nobody was named before
        ("replace", NOBODY, ALICE, EVE, "leave"),
        ("add-dialect", ALICE, ALICE, ALICE, "leave"),
        ("drop", ALICE, ALICE, ALICE, "remove"),
        ("drop", ALICE, ALICE, None, "leave"),
        ("drop", ALICE, ALICE, NOBODY, "remove"),
        ("drop", ALICE, ALICE, EVE, "refuse"),
        ("rename", ALICE, ALICE, EVE, "rename"),
        ("rename", ALICE, ALICE, None, "leave"),
    ],
)
def test_a_row_is_written_where_somebody_we_know_has_written_it(
    action: str, wanted: Audit, seen: Audit | None, there: Audit | None, done: str
) -> None:
    assert step(Action(action), wanted, seen, there) == done


def test_where_nobody_knows_who_made_a_view_anybody_will_do() -> None:
    assert is_other_maker(view(ALICE), view(BOB))
    assert is_other_maker(view(ALICE), view(NOBODY))
    assert not is_other_maker(view(ALICE), view(CHANGED))
    assert not is_other_maker(view(NOBODY), view(BOB))
    assert not is_other_maker(view(ALICE), None)
