"""Trying a target on a scratch namespace: makes it, writes into it, and removes it again."""

import json
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from discovery.errors import BelvedereError, ConfigurationError
from discovery.exercises import (
    TAKEN,
    Agreement,
    Exercise,
    ExerciseAnswer,
    altered,
    in_dialect,
    in_dialects,
    judged,
)
from discovery.migration.candidates import with_query
from discovery.migration.changes import fingerprint
from discovery.migration.diff import differences
from discovery.model import Identifier, Schema, View
from discovery.ports import Action, Change, ViewStore


def exercise(store: ViewStore, namespace: str) -> Generator[ExerciseAnswer]:
    """Try everything, one thing after the other; nothing of it stays.

    Raises:
        ConfigurationError: The namespace is there already: nothing has been written.
        BelvedereError: The target does not answer.
    """
    if not store.lacking([(namespace,)]):
        hint = "name one that is not there with --scratch: it is made, and removed in the end"
        raise ConfigurationError(f"the namespace {namespace} is there already", hint=hint)
    with _Scratch.made(store, namespace) as scratch:
        taken = []
        for one in in_dialects(namespace):
            yield (answer := scratch.tried(one))
            if (answer.believed, answer.found) == (TAKEN, Agreement.AS_BELIEVED):
                taken.append(one.view)
        if taken:
            for one in in_dialect(namespace, taken[0].representations[0].dialect):
                yield scratch.tried(one)
            yield from scratch.moved_about(scratch.held(taken[0]))


def keep(file: Path, target: str, server: str, answers: Sequence[ExerciseAnswer]) -> Path:
    """Write what a target answered beside the configuration, with what others have; the file.

    Args:
        file: The configuration's.
        target: Its name there.
        server: Its product and version, in its own words.
        answers: What it answered.

    Raises:
        ConfigurationError: The file cannot be read or written.
    """
    place = file.with_name(f"{file.stem}.exercised.json")
    try:
        others = json.loads(place.read_text(encoding="utf-8")) if place.exists() else {}
        told = [one.to_json() for one in answers]
        date = datetime.now(UTC).isoformat(timespec="seconds")
        whole = {**others, target: {"server": server, "date": date, "answers": told}}
        written = place.with_suffix(".part")
        written.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        written.replace(place)
    except (OSError, ValueError, TypeError) as error:
        hint = "move it away, or make its folder writable"
        raise ConfigurationError(f"{place}: {error}", hint=hint) from error
    return place


@dataclass(slots=True)
class _Scratch:
    """A namespace that is ours.

    Attributes:
        store: The target.
        namespace: The namespace.
        places: Of all views that may be in it.
    """

    store: ViewStore
    namespace: str
    places: set[Identifier] = field(default_factory=set)

    @classmethod
    @contextmanager
    def made(cls, store: ViewStore, namespace: str) -> Iterator[Self]:
        """Make it; it is removed in the end, with all that is still in it."""
        store.prepare([Schema(levels=(namespace,))])
        found = cls(store, namespace)
        try:
            yield found
        finally:
            for view in store.present([*found.places]):
                found.refusal(_dropping(view))
            store.remove([(namespace,)])

    def held(self, view: View) -> View:
        """As the target is believed to hold it; where it wants a `query`, that is its first text.

        Raises:
            NotHeldError: It is believed not to.
        """
        return with_query(self.store.hold, view.representations[0].dialect)(view).view

    def tried(self, one: Exercise) -> ExerciseAnswer:
        """Write a view, read it back, and drop it."""
        believed, wanted = TAKEN, one.view
        try:
            wanted = self.held(one.view)
        except BelvedereError as error:
            believed = error.code
        refused = self.refusal(Change(Action.CREATE, wanted, _mark(wanted)))
        if refused:
            return ExerciseAnswer(one.what, believed, *judged(believed, refused))
        there, unlike = self.read_back(wanted)
        if there is not None:
            self.refusal(_dropping(there))
        return ExerciseAnswer(one.what, believed, *judged(believed, "", unlike))

    def moved_about(self, view: View) -> Iterator[ExerciseAnswer]:
        """Make a view, change it, rename it, and drop it."""
        other = altered(view)
        renamed = replace(other, identifier=Identifier(view.identifier.namespace, "renamed"))
        self.places.add(renamed.identifier)
        mark = _mark(other)
        steps = (
            ("create a view", Change(Action.CREATE, view, _mark(view)), view),
            ("change its text", Change(Action.REPLACE, other, mark, _mark(view)), other),
            ("rename it", Change(Action.RENAME, other, mark, mark, new_name="renamed"), renamed),
        )
        for what, change, wanted in steps:
            refused = self.refusal(change)
            unlike = () if refused else self.read_back(wanted)[1]
            yield ExerciseAnswer(what, TAKEN, *judged(TAKEN, refused, unlike))
        last = next(iter(self.store.present([renamed.identifier, other.identifier])), None)
        if last is not None:
            refused = self.refusal(_dropping(last))
            stays = () if refused or self.read_back(last)[0] is None else ("it stays",)
            yield ExerciseAnswer("drop it", TAKEN, *judged(TAKEN, refused, stays))

    def refusal(self, change: Change) -> str:
        """Make a change; in which words it was refused, empty: it was not."""
        self.places.add(change.view.identifier)
        try:
            (applied,) = self.store.apply([change])
        except BelvedereError as error:
            return f"{error.code}: {error}"
        if applied.failure is None:
            return ""
        code, told, _ = applied.failure
        return f"{code}: {told}"

    def read_back(self, wanted: View) -> tuple[View | None, tuple[str, ...]]:
        """The view as it is there, and what of it is otherwise than wanted."""
        try:
            there = next(iter(self.store.present([wanted.identifier])), None)
        except BelvedereError as error:
            return None, (f"not read back: {error}",)
        return there, differences(wanted, there)


def _dropping(view: View) -> Change:
    return Change(Action.DROP, view, _mark(view), _mark(view))


def _mark(view: View) -> str:
    return fingerprint(view) or ""
