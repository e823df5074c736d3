"""Tags put on and taken off: killed at any request, nothing stays that was not there."""

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

from connectors.memory import MemoryStore
from discovery.errors import NotHeldError, StoreError
from discovery.migration.execution import Prepared, made_by
from discovery.model import Identifier
from discovery.tags import (
    GivenTags,
    KeptTags,
    TagChange,
    TagPattern,
    TagStore,
    give_tags,
    tag_change_of_json,
)
from jobs.migrating import tagging
from jobs.migrating.plan_folder import Destination, PlanHead
from tests.moments import GoneError, Moments

PATTERN = TagPattern("w{wave}")
V, W, X = (Identifier(("s",), name) for name in "vwx")
BEFORE = {"w1": frozenset({V, X}), "mine": frozenset({V})}
AFTER = {"w1": frozenset({X}), "w2": frozenset({V, W}), "mine": frozenset({V})}
MOMENTS = range(36)  # some before and some after a request; more than there are


@dataclass
class MemoryTags(Moments, TagStore):
    """Tags in memory."""

    on: dict[str, frozenset[Identifier]] = field(default_factory=lambda: dict(BEFORE))

    def refuses(self) -> str:
        return ""

    def name(self, view: Identifier) -> str:
        if "." in view.name:
            raise NotHeldError("a name with a dot has no full name")
        return str(view)

    def present(self, wanted: Callable[[str], bool]) -> KeptTags:
        return KeptTags({tag: views for tag, views in self.on.items() if wanted(tag)})

    def put(self, tag: str, views: frozenset[Identifier] | None) -> None:
        left = {name: one for name, one in self.on.items() if name != tag}
        self.on = left if views is None else {**left, tag: views}

    def create(self, tag: str) -> bool:
        new = tag not in self.on
        self.written(lambda: self.put(tag, self.on.get(tag, frozenset())))
        return new

    def drop(self, tag: str) -> None:
        self.written(lambda: self.put(tag, None))

    def change(self, view: Identifier, on: Sequence[str], off: Sequence[str]) -> None:
        def write() -> None:
            for tag in on:
                self.put(tag, self.on[tag] | {view})
            for tag in {*off} - {*on}:
                self.put(tag, self.on[tag] - {view})

        self.written(write)


@dataclass
class TagNotes:
    """A journal of runs, beside the configuration of two targets that share their tags."""

    tags: MemoryTags = field(default_factory=MemoryTags)
    noted: dict[str, list[Prepared]] = field(default_factory=dict)
    run: str = ""
    attempt: int = 0
    unready: dict[str, set[Identifier]] = field(default_factory=dict)

    @property
    def configured(self) -> Any:
        def store() -> MemoryStore:
            memory_store = MemoryStore()
            memory_store.tags = self.tags
            return memory_store

        target = SimpleNamespace(store=store, secrets=())
        terms = SimpleNamespace(tags=PATTERN)
        return SimpleNamespace(targets={"t": target, "u": target}, terms={"t": terms, "u": terms})

    def note(self, changes: Iterable[TagChange], *, made: bool | None = None) -> None:
        self.tags.step()
        rows = self.noted.setdefault(self.run, [])
        for change in changes:
            rows.append(
                Prepared(str(self.attempt), change.target, (), made, json.dumps(change.to_json()))
            )
        self.tags.step()

    def done(self, run: str) -> list[TagChange]:
        found = sorted(made_by(self.noted.get(run, ())))
        return [tag_change_of_json(json.loads(one)) for _, _, one in found]

    def planned(self) -> dict[str, GivenTags]:
        kept = self.tags.present(PATTERN.fits)
        waves = {"t": {V: 2}, "u": {W: 2}}
        return {
            name: GivenTags(give_tags(name, PATTERN, wave, kept)) for name, wave in waves.items()
        }

    def head(self, given: dict[str, GivenTags]) -> PlanHead:
        targets = {
            name: Destination("", "", True, tags=given_tags) for name, given_tags in given.items()
        }
        return PlanHead("p", "c", "", "", "", "", targets)

    def carry_out(
        self, run: str, given: dict[str, GivenTags], moments: int | None = None
    ) -> set[TagChange]:
        """Do it; what could not be."""
        self.run, self.tags.moments, self.attempt = run, moments, self.attempt + 1
        journal: Any = SimpleNamespace(tags=self.note)
        with suppress(GoneError):
            return tagging.settle(journal, self.configured, self.head(given), self.unready)
        return set()

    def undo(self, moments: int | None = None) -> set[TagChange]:
        back = [tag_change.inverse for tag_change in self.done("apply")]
        given = {
            name: GivenTags(tuple(tag_change for tag_change in back if tag_change.target == name))
            for name in ("t", "u")
        }
        return self.carry_out("undo", given, moments)


@pytest.mark.parametrize(("killed", "undo_killed"), list(product(MOMENTS, MOMENTS[::5])))
def test_killed_and_undone_nothing_is_left(killed: int, undo_killed: int) -> None:
    notes = TagNotes()
    plan = notes.planned()
    notes.carry_out("apply", plan, killed)
    if killed % 3:
        assert notes.carry_out("apply", plan) == set()
        assert notes.tags.on == AFTER
        assert len(notes.done("apply")) == 3
        assert tagging.not_as_planned(notes.configured, notes.head(plan), "t") == []
    notes.undo(undo_killed)
    assert notes.undo() == set()
    assert notes.tags.on == BEFORE


def test_what_is_there_is_not_done_and_not_taken_back() -> None:
    notes = TagNotes(MemoryTags(dict(AFTER)))
    assert notes.carry_out("apply", notes.planned()) == set()
    assert (notes.done("apply"), notes.undo(), notes.tags.on) == ([], set(), AFTER)


def test_a_tag_that_somebody_else_uses_stays(capsys: pytest.CaptureFixture[str]) -> None:
    notes = TagNotes()
    notes.carry_out("apply", notes.planned())
    notes.tags.on["w2"] |= {X}
    (stays,) = notes.undo()
    assert stays.view is None
    assert "t: the tag w2 stays as it is: 1 others have it" in capsys.readouterr().err
    assert notes.tags.on == {**BEFORE, "w2": frozenset({X})}


def test_a_view_that_somebody_else_has_tagged_stays_as_it_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    notes = TagNotes()
    plan = notes.planned()
    notes.tags.on |= {"w1": frozenset({X}), "w7": frozenset({V})}
    assert [tag_change.view for tag_change in notes.carry_out("apply", plan)] == [V]
    assert "w2 as the tag of s.v stays as it is: it has w7 now" in capsys.readouterr().err
    told = tagging.not_as_planned(notes.configured, notes.head(plan), "t")
    assert told == ["w2 as the tag of s.v: there is w7"]


def test_a_view_that_is_not_as_planned_keeps_its_tag(capsys: pytest.CaptureFixture[str]) -> None:
    notes = TagNotes(unready={"t": {V}})
    assert [tag_change.view for tag_change in notes.carry_out("apply", notes.planned())] == [V]
    assert notes.tags.on["w1"] == {V, X}
    assert "its view is not as planned" in capsys.readouterr().err


def test_what_got_no_answer_is_taken_back() -> None:
    notes = TagNotes()
    notes.tags.error = StoreError("cut")
    assert len(notes.carry_out("apply", notes.planned())) == 3
    notes.tags.error = None
    assert notes.undo() == set()
    assert notes.tags.on == BEFORE
