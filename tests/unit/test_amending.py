"""Changes of namespaces that are killed at any moment, gone on with, or taken back."""

import json
from dataclasses import dataclass, field, replace
from itertools import count, product
from typing import Any

import pytest

from connectors.memory import MemoryStore
from discovery.errors import UnreachableError
from discovery.migration.execution import Prepared, made_by
from discovery.migration.namespaces import FieldEdit, NamespaceEdit, edit_of_json
from discovery.model import Schema
from jobs.migrating.amending import amend

BEFORE = Schema(levels=("s",), comment="old", properties=(("own", "1"),))
EDIT = NamespaceEdit("t", ("s",), (FieldEdit(None, "old", "new"), FieldEdit("k", None, "v")))
OTHER = NamespaceEdit("t", ("o",), (FieldEdit("k", "x", "y"),))
MOMENTS = range(8)  # more than there are steps


class Killed(BaseException):
    """The process is no more."""


@dataclass
class Notes:
    """A journal whose attempt may be killed before any note or write, and at once after it.

    Attributes:
        store: Where namespaces are.
        noted: By execution.
        moments: How many moments are left until it is killed; None: it is not.
    """

    store: MemoryStore
    noted: dict[str, list[Prepared]] = field(default_factory=dict)
    moments: int | None = None
    run: str = "apply"
    attempts: Any = field(default_factory=count)
    attempt: str = ""

    def step(self) -> None:
        if self.moments is not None:
            if self.moments == 0:
                raise Killed
            self.moments -= 1

    def amends(self, edits: list[NamespaceEdit], *, made: bool | None = None) -> None:
        self.step()
        self.noted.setdefault(self.run, []).extend(
            Prepared(self.attempt, edit.target, edit.levels, made, json.dumps(edit.to_json()))
            for edit in edits
        )
        self.step()

    def amended(self, run: str) -> list[NamespaceEdit]:
        found = made_by(self.noted.get(run, ()))
        return [edit_of_json(json.loads(edit)) for _, _, edit in sorted(found)]

    def carry_out(self, run: str, edits: list[NamespaceEdit], moments: int | None) -> None:
        """An attempt at an execution; a killed one leaves what it has done."""
        self.run, self.moments, self.attempt = run, moments, str(next(self.attempts))
        try:
            amend(self, Connector(self), edits)  # type: ignore[arg-type]  # a journal without Spark
        except Killed:
            return


@dataclass
class Connector:
    """Of the store, where each write is a moment, too."""

    notes: Notes
    secrets: tuple[str, ...] = ()

    def store(self) -> MemoryStore:
        return Stepping(self.notes.store.views, self.notes.store.schemas, notes=self.notes)


@dataclass
class Stepping(MemoryStore):
    notes: Notes | None = None

    def amend(self, edit: NamespaceEdit) -> bool:
        assert self.notes is not None
        self.notes.step()
        found = super().amend(edit)
        self.notes.step()
        return found


@pytest.fixture
def notes() -> Notes:
    other = Schema(levels=("o",), properties=(("k", "x"),))
    return Notes(MemoryStore(schemas={("s",): BEFORE, ("o",): other}))


@pytest.mark.parametrize(("killed", "undo_killed"), list(product(MOMENTS, MOMENTS)))
def test_gone_on_with_and_undone_it_is_as_before(
    notes: Notes, killed: int, undo_killed: int
) -> None:
    there = dict(notes.store.schemas)
    notes.carry_out("apply", [EDIT, OTHER], killed)
    notes.carry_out("apply", [EDIT, OTHER], None)
    assert notes.store.schemas[("s",)] == EDIT.amended(BEFORE)
    assert set(notes.amended("apply")) == {EDIT, OTHER}
    back = [namespace_edit.inverse for namespace_edit in notes.amended("apply")]
    notes.carry_out("undo", back, undo_killed)
    notes.carry_out("undo", back, None)
    assert notes.store.schemas == there


@pytest.mark.parametrize("killed", MOMENTS)
def test_undone_at_once_it_is_as_before(notes: Notes, killed: int) -> None:
    there = dict(notes.store.schemas)
    notes.carry_out("apply", [EDIT, OTHER], killed)
    notes.carry_out(
        "undo", [namespace_edit.inverse for namespace_edit in notes.amended("apply")], None
    )
    assert notes.store.schemas == there


def test_what_was_so_already_is_not_taken_back(notes: Notes) -> None:
    notes.store.schemas[("s",)] = EDIT.amended(BEFORE)
    notes.carry_out("apply", [EDIT, OTHER], None)
    assert notes.amended("apply") == [OTHER]


def test_what_has_moved_or_cannot_be_asked_is_named_and_costs_no_other(
    notes: Notes, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    notes.store.schemas[("s",)] = replace(BEFORE, comment="theirs")
    namespace_edits = amend(notes, Connector(notes), [EDIT, OTHER])  # type: ignore[arg-type]  # a journal without Spark
    assert namespace_edits == {EDIT}
    assert notes.amended("apply") == [OTHER]
    assert "t: the namespace s stays as it is: " in capsys.readouterr().err

    def gone(*_: object) -> None:
        raise UnreachableError("the server is gone")

    monkeypatch.setattr(MemoryStore, "namespaces", gone)
    assert amend(notes, Connector(notes), [EDIT]) == {EDIT}  # type: ignore[arg-type]  # the same
    assert "the server is gone" in capsys.readouterr().err
