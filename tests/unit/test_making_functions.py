"""Functions that are made and dropped by executions which are killed at any moment."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

import pytest

from connectors.memory import MemoryStore
from discovery.errors import BelvedereError, StoreError, UnreachableError
from discovery.functions import Function, FunctionStore
from discovery.migration.execution import Prepared, made_by
from discovery.migration.functions import FunctionChange, function_change_of_json
from discovery.model import Identifier
from discovery.ports import Action
from jobs.migrating.amending import make_functions

MOMENTS = range(7)  # more than there are steps
F = Function(("s",), "f", language="JAVA", implementation="example.F")
MAKE = FunctionChange("t", Action.CREATE, F, (("lake", "s.f"),))


class KilledError(BaseException):
    """The process is no more."""


@dataclass
class Kept(FunctionStore):
    """Functions in memory, of which each write is a moment."""

    step: Callable[[], None]
    there: dict[Identifier, Function] = field(default_factory=dict)
    error: BelvedereError | None = None

    def hold(self, function: Function) -> Function:
        return function

    def present(self, places: Sequence[Identifier]) -> Iterator[Function]:
        return (self.there[place] for place in places if place in self.there)

    def make(self, function: Function) -> bool:
        self.step()
        if not isinstance(self.error, StoreError):
            self.there[function.place] = function
        if self.error is not None:
            raise self.error
        self.step()
        return True

    def drop(self, function: Function) -> bool:
        self.step()
        del self.there[function.place]
        self.step()
        return True


@dataclass
class FunctionNotes:
    """A journal, and the connector whose store it is about."""

    secrets: tuple[str, ...] = ()
    noted: dict[str, list[Prepared]] = field(default_factory=dict)
    moments: int | None = None
    run: str = ""
    attempt: int = 0

    def __post_init__(self) -> None:
        self.kept = Kept(self.step)

    def step(self) -> None:
        if self.moments is not None:
            if self.moments == 0:
                raise KilledError
            self.moments -= 1

    def store(self) -> MemoryStore:
        memory_store = MemoryStore()
        memory_store.functions = self.kept
        return memory_store

    def makes(self, changes: Iterable[FunctionChange], *, made: bool | None = None) -> None:
        self.step()
        rows = self.noted.setdefault(self.run, [])
        for change in changes:
            text = json.dumps(change.to_json())
            rows.append(Prepared(str(self.attempt), change.target, ("s",), made, text))
        self.step()

    def made(self, run: str) -> list[FunctionChange]:
        found = made_by(self.noted.get(run, ()))
        return [function_change_of_json(json.loads(one)) for _, _, one in sorted(found)]

    def carry_out(
        self, run: str, changes: list[FunctionChange], moments: int | None = None
    ) -> set[FunctionChange]:
        self.run, self.moments, self.attempt = run, moments, self.attempt + 1
        try:
            return make_functions(self, self, changes)  # type: ignore[arg-type]  # doubles of both
        except KilledError:
            return set()


@pytest.mark.parametrize(("killed", "undo_killed"), list(product(MOMENTS, MOMENTS)))
def test_gone_on_with_and_undone_nothing_is_left(killed: int, undo_killed: int) -> None:
    notes = FunctionNotes()
    notes.carry_out("apply", [MAKE], killed)
    notes.carry_out("apply", [MAKE])
    assert notes.kept.there == {F.place: F}
    assert notes.made("apply") == [MAKE]
    back = [function_change.inverse for function_change in notes.made("apply")]
    notes.carry_out("undo", back, undo_killed)
    notes.carry_out("undo", back)
    assert notes.kept.there == {}


@pytest.mark.parametrize("killed", MOMENTS)
def test_undone_at_once_nothing_is_left(killed: int) -> None:
    notes = FunctionNotes()
    notes.carry_out("apply", [MAKE], killed)
    notes.carry_out("undo", [function_change.inverse for function_change in notes.made("apply")])
    assert notes.kept.there == {}


def test_what_somebody_else_has_made_is_not_taken_back() -> None:
    notes = FunctionNotes()
    notes.kept.there[F.place] = F
    assert notes.carry_out("apply", [MAKE]) == set()
    assert notes.made("apply") == []


def test_another_function_is_neither_replaced_nor_dropped(
    capsys: pytest.CaptureFixture[str],
) -> None:
    notes = FunctionNotes()
    other = replace(F, implementation="other.F")
    notes.kept.there[F.place] = other
    assert notes.carry_out("apply", [MAKE]) == {MAKE}
    assert notes.carry_out("undo", [MAKE.inverse]) == {MAKE.inverse}
    assert notes.kept.there == {F.place: other}
    assert "t: the function s.f stays as it is: the target has another" in capsys.readouterr().err


@pytest.mark.parametrize("error", [UnreachableError("cut"), StoreError("refused")])
def test_an_answer_that_was_lost_is_looked_for_and_taken_back(error: BelvedereError) -> None:
    notes = FunctionNotes()
    notes.kept.error = error
    assert notes.carry_out("apply", [MAKE]) == {MAKE}
    notes.carry_out("undo", [function_change.inverse for function_change in notes.made("apply")])
    assert notes.kept.there == {}


def test_a_store_that_keeps_none_is_told() -> None:
    notes = FunctionNotes()
    notes.store = MemoryStore  # type: ignore[method-assign]  # one without functions
    assert notes.carry_out("apply", [MAKE]) == {MAKE}
