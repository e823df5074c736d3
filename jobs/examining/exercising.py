"""Trying a target on a scratch namespace: makes it, writes into it, and removes it again."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Self

from discovery.errors import BelvedereError, ConfigurationError, UnreachableError
from discovery.exercises import (
    STEPS,
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
    with _Scratch.create(store, namespace) as scratch:
        taken = []
        for trial in in_dialects(namespace):
            yield (answer := scratch.try_exercise(trial))
            if (answer.believed, answer.found) == (TAKEN, Agreement.AS_BELIEVED):
                taken.append(trial.view)
        if taken:
            for trial in in_dialect(namespace, taken[0].representations[0].dialect):
                yield scratch.try_exercise(trial)
            yield from scratch.move_about(scratch.hold(taken[0]))


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
    def create(cls, store: ViewStore, namespace: str) -> Iterator[Self]:
        """Make it; it is removed in the end, with all that is still in it.

        Raises:
            ConfigurationError: Somebody else has made it.
        """
        if (namespace,) not in store.prepare([Schema(levels=(namespace,))]):
            hint = (
                "name one that is not there with --scratch: it is made, and removed in the end; "
                "drop what an exercise that was killed has left"
            )
            raise ConfigurationError(f"the namespace {namespace} is there already", hint=hint)
        scratch = cls(store, namespace)
        try:
            yield scratch
        finally:
            for view in store.present([*scratch.places]):
                scratch.refusal(_dropping(view))
            store.remove([(namespace,)])

    def hold(self, view: View) -> View:
        """As the target is believed to hold it; where it wants a `query`, that is its first text.

        Raises:
            NotHeldError: It is believed not to.
        """
        return with_query(self.store.hold, view.representations[0].dialect)(view).view

    def try_exercise(self, trial: Exercise) -> ExerciseAnswer:
        """Write a view, read it back, and drop it."""
        believed, wanted = TAKEN, trial.view
        try:
            wanted = self.hold(trial.view)
        except BelvedereError as error:
            believed = error.code
        refused = self.refusal(Change(Action.CREATE, wanted, _mark(wanted)))
        if refused:
            return ExerciseAnswer(trial.what, believed, *judged(believed, refused))
        view, unlike = self.read_back(wanted)
        if view is not None:
            self.refusal(_dropping(view))
        return ExerciseAnswer(trial.what, believed, *judged(believed, "", unlike))

    def move_about(self, view: View) -> Iterator[ExerciseAnswer]:
        """Make a view, change it, rename it, and drop it."""
        other = altered(view)
        renamed = replace(other, identifier=Identifier(view.identifier.namespace, "renamed"))
        self.places.add(renamed.identifier)
        mark = _mark(other)
        steps = (
            (Change(Action.CREATE, view, _mark(view)), view),
            (Change(Action.REPLACE, other, mark, _mark(view)), other),
            (Change(Action.RENAME, other, mark, mark, new_name="renamed"), renamed),
        )
        for change, wanted in steps:
            refused = self.refusal(change)
            unlike = () if refused else self.read_back(wanted)[1]
            yield ExerciseAnswer(STEPS[change.action], TAKEN, *judged(TAKEN, refused, unlike))
        last = next(iter(self.store.present([renamed.identifier, other.identifier])), None)
        if last is not None:
            refused = self.refusal(_dropping(last))
            stays = () if refused or self.read_back(last)[0] is None else ("it stays",)
            yield ExerciseAnswer(STEPS[Action.DROP], TAKEN, *judged(TAKEN, refused, stays))

    def refusal(self, change: Change) -> str:
        """Make a change; in which words it was refused, empty: it was not.

        Raises:
            UnreachableError: The target does not answer, which says nothing of the change.
        """
        self.places.add(change.view.identifier)
        try:
            (applied,) = self.store.apply([change])
        except UnreachableError:
            raise
        except BelvedereError as error:
            return f"{error.code}: {error}"
        if applied.failure is None:
            return ""
        code, message, hint = applied.failure
        if code == UnreachableError.code:
            raise UnreachableError(message, hint=hint)
        return f"{code}: {message}"

    def read_back(self, wanted: View) -> tuple[View | None, tuple[str, ...]]:
        """The view as it is there, and what of it is otherwise than wanted."""
        try:
            view = next(iter(self.store.present([wanted.identifier])), None)
        except BelvedereError as error:
            return None, (f"not read back: {error}",)
        return view, differences(wanted, view)


def _dropping(view: View) -> Change:
    return Change(Action.DROP, view, _mark(view), _mark(view))


def _mark(view: View) -> str:
    return fingerprint(view) or ""
