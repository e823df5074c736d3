"""Rights given and taken back: killed at any request, nothing stays that was not there."""

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

from connectors.memory import MemoryStore
from discovery.errors import CollisionError, StoreError
from discovery.migration.execution import Prepared, made_by
from discovery.model import Identifier
from discovery.ports import Action
from discovery.rights.changes import RightsChange, rights_change_of_json
from discovery.rights.granting import GivenRights, WantedRights, give_rights
from discovery.rights.model import Grantee, GranteeKind
from discovery.rights.roles import KeptRights, KeptRole, Right, RightsStore
from jobs.migrating import giving
from jobs.migrating.plan_folder import Destination, PlanHead
from tests.moments import GoneError, Moments

ANN, OWNER = (Grantee(name, GranteeKind.USER) for name in ("ann", "owner"))
V = Identifier(("s",), "v")
NEEDED = (
    Right("CATALOG", "c", "USE_CATALOG"),
    Right("SCHEMA", "c.s", "USE_SCHEMA"),
    Right("VIEW", "c.s.v", "SELECT_VIEW"),
)
WANTED = WantedRights({V: ("r",)}, {"r": (ANN,)}, {V: ANN}, {V: NEEDED})
MOMENTS = range(0, 18, 2)  # some before and some after a request; more than there are


@dataclass
class MemoryRights(Moments, RightsStore):
    """Rights in memory, of which each write is two moments."""

    shared: str = "m"
    remark: str = ""
    kept: KeptRights = field(default_factory=lambda: KeptRights({}, {ANN: frozenset()}))
    owner: Grantee | None = OWNER

    def rights_to_read(self, view: Identifier) -> tuple[Right, ...]:
        return NEEDED

    def present(self) -> KeptRights:
        return self.kept

    def owners(self, views: Sequence[Identifier]) -> dict[Identifier, Grantee | None]:
        return dict.fromkeys(views, self.owner)

    def put(self, role: str, one: KeptRole | None) -> None:
        roles = {name: kept for name, kept in self.kept.roles.items() if name != role}
        self.kept = replace(self.kept, roles=roles if one is None else {**roles, role: one})

    def create_role(self, role: str) -> None:
        if role in self.kept.roles:
            raise CollisionError("there is one")
        self.written(lambda: self.put(role, KeptRole()))

    def drop_role(self, role: str) -> None:
        self.written(lambda: self.put(role, None))

    def change_right(self, role: str, right: Right, *, given: bool) -> None:
        allowed = self.kept.roles[role].allowed
        kept_role = KeptRole(allowed | {right} if given else allowed - {right})
        self.written(lambda: self.put(role, kept_role))

    def change_member(self, role: str, member: Grantee, *, given: bool) -> None:
        held = self.kept.members[member]
        now = {**self.kept.members, member: held | {role} if given else held - {role}}
        self.written(lambda: setattr(self, "kept", replace(self.kept, members=now)))

    def set_owner(self, view: Identifier, owner: Grantee) -> None:
        self.written(lambda: setattr(self, "owner", owner))


@dataclass
class RightsNotes:
    """A journal of runs, beside the configuration of the one target that they are about."""

    rights: MemoryRights = field(default_factory=MemoryRights)
    noted: dict[str, list[Prepared]] = field(default_factory=dict)
    run: str = ""
    attempt: int = 0

    @property
    def configured(self) -> Any:
        def store() -> MemoryStore:
            memory_store = MemoryStore()
            memory_store.rights = self.rights
            return memory_store

        return SimpleNamespace(targets={"t": SimpleNamespace(store=store, secrets=())})

    def gives(self, changes: Iterable[RightsChange], *, made: bool | None = None) -> None:
        self.rights.step()
        rows = self.noted.setdefault(self.run, [])
        for change in changes:
            rows.append(Prepared(str(self.attempt), "t", (), made, json.dumps(change.to_json())))
        self.rights.step()

    def given(self, run: str) -> list[RightsChange]:
        found = made_by(self.noted.get(run, ()))
        made = [rights_change_of_json(json.loads(one)) for _, _, one in found]
        return sorted(made, key=lambda rights_change: rights_change.step)

    def planned(self) -> GivenRights:
        owners = {V: self.rights.owner} if self.rights.owner else {}
        return give_rights("t", WANTED, self.rights.kept, owners, WANTED.aims)

    def carry_out(
        self, run: str, given: GivenRights, moments: int | None = None
    ) -> set[RightsChange]:
        """Give or take back; what could not be."""
        self.run, self.rights.moments, self.attempt = run, moments, self.attempt + 1
        head = PlanHead("p", "c", "", "", "", "", {"t": Destination("", "", True, rights=given)})
        with suppress(GoneError):
            back = giving.take_back(self, self.configured, head)  # type: ignore[arg-type]
            return back | giving.give(self, self.configured, head, {})  # type: ignore[arg-type]
        return set()

    def undo(self, moments: int | None = None) -> set[RightsChange]:
        back = GivenRights(tuple(rights_change.inverse for rights_change in self.given("apply")))
        return self.carry_out("undo", back, moments)


@pytest.mark.parametrize(("killed", "undo_killed"), list(product(MOMENTS, MOMENTS)))
def test_killed_and_undone_nothing_is_left(killed: int, undo_killed: int) -> None:
    notes = RightsNotes()
    before, plan = (notes.rights.kept, notes.rights.owner), notes.planned()
    notes.carry_out("apply", plan, killed)
    if killed % 4:
        notes.carry_out("apply", plan)
        assert notes.rights.kept.roles == {"r": KeptRole(frozenset(NEEDED))}
        assert (notes.rights.kept.members[ANN], notes.rights.owner) == (frozenset({"r"}), ANN)
        assert len(notes.given("apply")) == 6
    notes.undo(undo_killed)
    assert notes.undo() == set()
    assert (notes.rights.kept, notes.rights.owner) == before


def test_what_was_there_is_not_taken_back() -> None:
    notes = RightsNotes()
    kept_rights = KeptRights({"r": KeptRole(frozenset(NEEDED[:1]))}, {ANN: frozenset({"r"})})
    notes.rights.kept = kept_rights
    notes.carry_out("apply", notes.planned())
    assert len(notes.given("apply")) == 3, "two privileges and the owner"
    notes.undo()
    assert (notes.rights.kept, notes.rights.owner) == (kept_rights, OWNER)


def test_what_got_no_answer_is_taken_back() -> None:
    notes = RightsNotes()
    before, plan = notes.rights.kept, notes.planned()
    notes.rights.error = StoreError("cut")
    failed = notes.carry_out("apply", plan)
    assert {rights_change.step for rights_change in failed} == {0, 1, 2, 3}
    notes.rights.error = None
    assert notes.undo() == set()
    assert notes.rights.kept == before


def test_to_a_role_that_somebody_else_makes_meanwhile_nothing_is_given(
    capsys: pytest.CaptureFixture[str],
) -> None:
    notes = RightsNotes()
    plan = notes.planned()
    present = notes.rights.present()
    theirs = KeptRights({"r": KeptRole(frozenset({Right("TABLE", "c.s.t", "SELECT_TABLE")}))}, {})
    notes.rights.kept = replace(theirs, members=present.members)
    notes.rights.present = lambda: present  # type: ignore[method-assign]  # as it was
    failed = notes.carry_out("apply", plan)
    assert len(failed) == 5, "all but the owner"
    assert notes.rights.kept.roles == theirs.roles
    told = capsys.readouterr().err
    assert "somebody else has made it by now" in told
    assert "its role could not be made" in told


def test_on_a_view_that_is_not_as_planned_nothing_is_given() -> None:
    notes = RightsNotes()
    head = PlanHead(
        "p", "c", "", "", "", "", {"t": Destination("", "", True, rights=notes.planned())}
    )
    notes.run = "apply"
    failed = giving.give(notes, notes.configured, head, {"t": {V}})  # type: ignore[arg-type]
    assert sorted(rights_change.step for rights_change in failed) == [1, 3]
    assert notes.rights.kept.roles == {"r": KeptRole(frozenset(NEEDED[:2]))}
    assert notes.rights.owner == OWNER


def test_of_many_that_fail_some_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    notes = RightsNotes()
    lines = [RightsChange("t", Action.CREATE, f"r{number}") for number in range(12)]
    notes.rights.error = StoreError("full")
    assert len(notes.carry_out("apply", GivenRights(tuple(lines)))) == 12
    told = capsys.readouterr().err.splitlines()
    assert (len(told), told[-1]) == (11, "and 2 more")
