"""What is to be done at each address of a target, decided from what is wanted and what is there.

Each decision is a function of values: what is wanted there (`Wanted`), what stands there
(`Occupant`), and how the store would hold it. Who reads them, and where, is not known here.
"""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final

from discovery.errors import BelvedereError, CollisionError
from discovery.migration.candidates import Hold
from discovery.migration.changes import THERE, Blocked, decide
from discovery.migration.wanted import Address, Barred, Canonical, Code, Draft, Wanted
from discovery.model import View
from discovery.outcomes import Kind
from discovery.ports import Action

GONE: Final = "its source has it no more"
"""Why a view is dropped."""
DRAFT_THERE: Final = "its draft is there already"
"""Why a view is kept that is there as its draft has it."""

_COLLISION: Final = Code(CollisionError.code)
_WRITES: Final = frozenset({Action.CREATE, Action.REPLACE, Action.ADD_DIALECT, Action.DROP})


@dataclass(frozen=True, slots=True)
class Occupant:
    """What stands at an address of a target.

    Attributes:
        kinds: What the target lists there: nothing, one object, or a table beside a view.
        view: The view that it holds there, as it holds it.
        unread: Why nobody can tell; empty: it was listed and read.
    """

    kinds: frozenset[Kind] = frozenset()
    view: View | None = None
    unread: str = ""

    @property
    def stranger(self) -> Kind | None:
        """What stands there and is no view: it goes before a view of the same name."""
        return min(self.kinds - {Kind.VIEW}, default=None)


@dataclass(frozen=True, slots=True)
class Planned:
    """What is to be done with a view at its address.

    Attributes:
        action: What is done: a write, `keep`, or it is set aside: `conflict`, `blocked`.
        wanted: The view as it will be there; where `barred`, why it is set aside.
        reason: Why, for people; where it is set aside, `wanted` says so.
        present: The view that is there now.
    """

    action: Action
    wanted: Wanted
    reason: str = ""
    present: Canonical | None = None

    @property
    def writes(self) -> bool:
        """Whether something is written."""
        return self.action in _WRITES

    @property
    def told(self) -> str:
        """Why, for people."""
        return self.wanted.barred.reason if self.wanted.barred is not None else self.reason

    @classmethod
    def aside(cls, wanted: Wanted, barred: Barred, present: Canonical | None = None) -> "Planned":
        """A view that is set aside: views that meet are a conflict, all else is blocked."""
        action = Action.CONFLICT if barred.code == _COLLISION else Action.BLOCKED
        return cls(action, replace(wanted, barred=barred), present=present)


@dataclass(frozen=True, slots=True)
class Written:
    """A view that an earlier plan wrote and no view of the run is mapped to.

    Attributes:
        address: Where.
        after: Its fingerprint as we left it.
    """

    address: Address
    after: str


def is_asked(wanted: Wanted, kinds: AbstractSet[Kind]) -> bool:
    """Whether the view at an address has to be read before it can be said what is done there."""
    return wanted.barred is None and not wanted.stays and kinds == {Kind.VIEW}


def plan_change(wanted: Wanted, there: Occupant, hold: Hold) -> Planned:
    """What is to be done at one address.

    Args:
        wanted: What is wanted there.
        there: What stands there.
        hold: How the target holds a view.
    """
    if wanted.barred is not None or wanted.stays:
        return leave_in_place(wanted)
    if there.unread:
        return Planned.aside(wanted, Barred.as_coded(Blocked.TARGET_UNREAD, there.unread))
    if there.stranger is not None:
        why = f"the target has a {there.stranger.value} of this name"
        return Planned.aside(wanted, Barred(_COLLISION, why))
    if there.view is None:
        return _compared(wanted, None, None, hold)
    present = Canonical.of(there.view)
    if present.fingerprint == wanted.model.fingerprint:  # most of a later plan: nothing is parsed
        return Planned(Action.KEEP, wanted, THERE, present)
    return _compared(wanted, there.view, present, hold)


def leave_in_place(wanted: Wanted) -> Planned:
    """What becomes of a view that nothing is written for, whatever stands there."""
    if wanted.barred is not None:
        return Planned.aside(wanted, wanted.barred)
    return Planned(Action.KEEP, wanted, wanted.stays)


def plan_drop(written: Written, there: View | None) -> Planned | None:
    """The removal of a view that nobody wants; None where it is gone, or has been changed since.

    What somebody else has changed is his.
    """
    if there is None:
        return None
    present = Canonical.of(there)
    if present.fingerprint != written.after:
        return None
    wanted = Wanted(address=written.address, origins=(), model=present)
    return Planned(Action.DROP, wanted, GONE, present)


def set_aside(planned: Planned, barred: Barred) -> Planned:
    """A change that something outside of it speaks against; what writes nothing stays as it is."""
    if not planned.writes:
        return planned
    return Planned(Action.BLOCKED, replace(planned.wanted, barred=barred), "", planned.present)


def _compared(wanted: Wanted, there: View | None, present: Canonical | None, hold: Hold) -> Planned:
    """The action that a comparison with what is there comes to."""
    view = wanted.view()
    decision = decide(view, there)
    if decision.action is Action.CONFLICT:
        return Planned.aside(wanted, Barred(_COLLISION, decision.reason), present)
    if there is None or present is None:
        return Planned(decision.action, wanted, decision.reason)
    if decision.view != view:  # it has the target's other dialects, too
        try:
            hold(decision.view)
        except BelvedereError as error:
            return Planned.aside(wanted, Barred.by(error), present)
        wanted = replace(wanted, model=Canonical.of(decision.view))
    draft = _draft_beside(wanted, there)
    if draft is not None and draft.model.fingerprint == present.fingerprint:
        return Planned(
            Action.KEEP, replace(wanted, model=present, draft=None), DRAFT_THERE, present
        )
    return Planned(decision.action, replace(wanted, draft=draft), decision.reason, present)


def _draft_beside(wanted: Wanted, there: View) -> Draft | None:
    """The draft with the dialects that only the target has."""
    if wanted.draft is None:
        return None
    whole = decide(wanted.drafted(), there).view
    return replace(wanted.draft, model=Canonical.of(whole))
