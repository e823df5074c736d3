"""What an execution of a plan knows of each change, and what follows: pure decisions.

The intents of a plan stand in the warehouse before the first of them is written; what the target
answers now is the truth, and events are the audit of what was answered before. An execution that
was killed may have written more than its events say, never less. So whoever goes on with it, or
takes it back, first asks the target for every change that has no event (`state_of`), and so makes
its audit whole; from then on, apply and undo are the same: each change goes to the store, which
reads what is there in the transaction that writes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from discovery.errors import StoreError, UnreachableError
from discovery.namespaces import Levels
from discovery.ports import Action

UNANSWERED: Final = frozenset({UnreachableError.code, StoreError.code})
"""The codes of failures behind which a write may have taken effect: whoever was asked was killed,
or what stands before it has answered that it failed."""


class EventResult(StrEnum):
    """What an event says of a change."""

    DONE = "done"
    RECOVERED = "recovered"  # an attempt had written it that was interrupted, or got no answer
    FAILED = "failed"  # the target holds what it held, as far as it said
    REFUSED = "refused"  # it had changed since the plan


class FoundState(StrEnum):
    """What a target says of a change that has no event."""

    WRITTEN = "written"  # it holds what was to be written, and did not when the plan was made
    UNWRITTEN = "unwritten"  # it holds what it held when the plan was made
    OTHER = "other"  # it holds neither: somebody else has written there


@dataclass(frozen=True, slots=True)
class Intent:
    """A change of a plan, as fingerprints.

    Attributes:
        action: What is to be done.
        wanted: What is to be there afterwards; None: nothing.
        expected: What the plan saw there; None: nothing.
    """

    action: Action
    wanted: str | None
    expected: str | None

    @classmethod
    def of(cls, action: str, fingerprint: str, expected: str | None) -> "Intent":
        """The intent of a change, whose fingerprint is of the view that a drop takes away."""
        kind = Action(action)
        return cls(kind, None if kind is Action.DROP else fingerprint, expected)

    def inverse(self) -> "Intent":
        """What takes it back: what was there before is to be there again."""
        if self.expected is None:
            action = Action.DROP
        else:
            action = Action.CREATE if self.wanted is None else Action.REPLACE
        return Intent(action, self.expected, self.wanted)

    def state_of(self, present: str | None) -> FoundState:
        """What is true of it, by the fingerprint of what is at its place now; None: nothing.

        A plan has no change that leaves all as it is. If somebody else writes exactly the wanted
        view, it counts as written: the views are equal, and who wrote them cannot be told.
        """
        if present == self.wanted:
            return FoundState.WRITTEN
        return FoundState.UNWRITTEN if present == self.expected else FoundState.OTHER


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """An execution of `apply` or `undo`, as the warehouse knows it.

    Attributes:
        run: Its name.
        plan: The plan that it carries out.
        started: When it began.
        finished: When it came to its end; None: it was killed, or is at it.
    """

    run: str
    plan: str
    started: datetime
    finished: datetime | None

    @property
    def ended(self) -> bool:
        """Whether it came to its end."""
        return self.finished is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Undoing:
    """A plan that takes back an execution: it stands from the moment that an undo has begun.

    Attributes:
        plan: Its name.
        undoes: The execution that it takes back.
    """

    plan: str
    undoes: str


@dataclass(frozen=True, slots=True)
class History:
    """What has been executed, and what of it has been taken back.

    Attributes:
        executions: All of them.
        undoings: The plans of undos that have begun.
    """

    executions: tuple[Execution, ...]
    undoings: tuple[Undoing, ...] = ()

    @property
    def undoing_runs(self) -> frozenset[str]:
        """The executions that took something back: what they wrote had stood there before."""
        plans = {undoing.plan for undoing in self.undoings}
        return frozenset(execution.run for execution in self.executions if execution.plan in plans)

    def to_continue(self, plan: str) -> Execution | None:
        """The execution that goes on if the plan is carried out now; None: a new one begins.

        It is the latest one, if it has not ended, and nobody has begun to take it back.
        """
        latest = max(self._executions_of(plan), key=_sort_key, default=None)
        if latest is None or latest.ended or self._undoing(latest.run):
            return None
        return latest

    def interrupted_executions(self) -> tuple[str, ...]:
        """Executions of `apply` that have not ended, and that nobody has begun to take back."""
        undoing = {undo.plan for undo in self.undoings}
        left = (
            execution
            for execution in self.executions
            if not execution.ended and execution.plan not in undoing
        )
        return tuple(
            execution.run
            for execution in sorted(left, key=_sort_key)
            if not self._undoing(execution.run)
        )

    def to_finish(self, plan: str) -> tuple[str, ...]:
        """Executions of a plan that are half taken back, earliest first: that has to end first."""
        unfinished: list[str] = []
        for execution in sorted(self._executions_of(plan), key=_sort_key):
            if undoing := self._undoing(execution.run):
                unfinished += self.to_finish(undoing.plan)  # an undo may be taken back, too
                if not self._is_done(undoing.plan):
                    unfinished.append(execution.run)
        return tuple(unfinished)

    def to_take_back(self) -> tuple[str, ...]:
        """Executions that are not taken back, or only half, the latest first."""
        undoing = {undo.plan for undo in self.undoings}
        plans = {execution.plan for execution in self.executions} - undoing
        runs = {run for plan in plans for run in (*self.to_finish(plan), *self.holding(plan))}
        left = (execution for execution in self.executions if execution.run in runs)
        return tuple(execution.run for execution in sorted(left, key=_sort_key, reverse=True))

    def execution(self, run: str) -> Execution:
        """One of them."""
        return next(execution for execution in self.executions if execution.run == run)

    def of(self, plan: str) -> tuple[str, ...]:
        """Those of a plan, earliest first."""
        return tuple(
            execution.run for execution in sorted(self._executions_of(plan), key=_sort_key)
        )

    def origin(self, run: str) -> str:
        """The plan that an execution goes back to: that of the changes which it makes or undoes."""
        plan = self.execution(run).plan
        undoing = next((undo for undo in self.undoings if undo.plan == plan), None)
        return plan if undoing is None else self.origin(undoing.undoes)

    def beside(self, run: str) -> tuple[str, ...]:
        """The other executions of the same plan that nobody has begun to take back."""
        return tuple(other for other in self.holding(self.execution(run).plan) if other != run)

    def holding(self, plan: str) -> tuple[str, ...]:
        """The executions of a plan that nobody has begun to take back, earliest first."""
        return tuple(run for run in self.of(plan) if not self._undoing(run))

    def standing(self) -> tuple[Execution, ...]:
        """The executions that nobody has begun to take back, earliest first."""
        left = (execution for execution in self.executions if not self._undoing(execution.run))
        return tuple(sorted(left, key=_sort_key))

    def _executions_of(self, plan: str) -> Iterable[Execution]:
        return (execution for execution in self.executions if execution.plan == plan)

    def _undoing(self, run: str) -> Undoing | None:
        return next((undoing for undoing in self.undoings if undoing.undoes == run), None)

    def _is_done(self, plan: str) -> bool:
        latest = max(self._executions_of(plan), key=_sort_key, default=None)
        return latest is not None and latest.ended


@dataclass(frozen=True, slots=True)
class Wrote:
    """A write at an address, as its event says.

    Attributes:
        before: Fingerprint of what stood there; None: nothing.
        after: Of what stood there afterwards.
        undoes: Whether it took another one back.
    """

    before: str | None
    after: str | None
    undoes: bool = False


def left_whole(writes: Iterable[Wrote]) -> str | None:
    """The fingerprint of a view of which belvedere has written all, as it left it; None: not so.

    The first write found nothing there, and each later one what the one before it had left.

    Args:
        writes: At one address, earliest first.
    """
    left: str | None = None
    for write in writes:
        is_ours = write.before is None or write.before == left
        left = write.after if is_ours else None
    return left


def is_taken_back(writes: Sequence[Wrote]) -> bool:
    """Whether an undo has put back what somebody else had made: nothing of ours stands there.

    Args:
        writes: At one address, earliest first.
    """
    return bool(writes) and writes[-1].undoes and left_whole(writes) is None


def is_made_by_others(wanted: str | None, writes: Sequence[Wrote]) -> bool:
    """Whether what an execution was to write is there because others have written just that.

    If it stood there before the first of them, the execution itself may have written it.

    Args:
        wanted: Fingerprint of what is to be there; None: nothing.
        writes: Of others at that address since the execution began, earliest first.
    """
    return bool(writes) and writes[0].before != wanted and writes[-1].after == wanted


@dataclass(frozen=True, slots=True)
class Prepared:
    """What an attempt noted of a namespace or function that was not as it was to be.

    Attributes:
        attempt: Its name.
        target: Where it was not.
        namespace: Its levels; of a function, those that it is in.
        made: Whether the attempt has made or changed it; None: it was about to.
        edit: How it was changed, as JSON; of a function, that; empty: the namespace was made.
    """

    attempt: str
    target: str
    namespace: Levels
    made: bool | None
    edit: str = ""


def made_by(notes: Iterable[Prepared]) -> set[tuple[str, Levels, str]]:
    """What an execution has made: targets, namespaces and edits, of all that its attempts noted.

    What an attempt was about to make when it was killed counts as made: a moment before it was not
    so. What was so already, or what another one made at the same moment, does not.
    """
    outcomes: dict[tuple[str, str, Levels, str], bool | None] = {}
    for note in notes:
        place = note.attempt, note.target, note.namespace, note.edit
        outcomes[place] = note.made if note.made is not None else outcomes.get(place)
    return {
        (target, levels, edit)
        for (_, target, levels, edit), made in outcomes.items()
        if made is not False
    }


def behind(moment: datetime, noted: Iterable[datetime]) -> timedelta:
    """By how much a clock is behind what was noted before; nothing: it is not.

    Which write at an address was the last is known by the times that were noted; so these go on,
    though a clock was set back.

    Args:
        moment: What the clock says.
        noted: The times that were noted.
    """
    latest = max(noted, default=None)
    if latest is None or latest < moment:
        return timedelta()
    return latest - moment + timedelta(microseconds=1)


def _sort_key(execution: Execution) -> tuple[datetime, str]:
    return execution.started, execution.run
