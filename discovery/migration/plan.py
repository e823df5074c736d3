"""What is to be done at each address of a target, decided from what is wanted and what is there.

Each decision is a function of values: what is wanted there (`Wanted`), what stands there
(`Occupant`), and how the store would hold it. Who reads them, and where, is not known here.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final

from discovery.errors import BelvedereError, CollisionError
from discovery.migration.candidates import Hold
from discovery.migration.changes import NOT_THERE, THERE, Blocked, decide, outdated_dialects
from discovery.migration.execution import Intent
from discovery.migration.pairing import is_other_maker
from discovery.migration.wanted import Address, Barred, Canonical, Code, Draft, Wanted
from discovery.model import View
from discovery.outcomes import Kind
from discovery.ports import WRITING, Action

GONE: Final = "no longer exists at its source"
"""Why a view is dropped."""
OTHER_MAKER: Final = "differs in who made it and when"
"""Why the row of a view is written that is there already."""
DRAFT_THERE: Final = "its draft is there already"
"""Why a view is kept that is there as its draft has it."""

_COLLISION: Final = Code(CollisionError.code)


WAITING: Final = frozenset({Action.BLOCKED, Action.KEEP})
"""What writes nothing, and offers a draft that a person may adopt, if it has one."""


@dataclass(frozen=True, slots=True)
class Occupant:
    """What stands at an address of a target.

    Attributes:
        kinds: What the target lists there: nothing, one object, or a table beside a view.
        view: The view that it holds there, as it holds it.
        unread: Why nobody can tell; empty: it was listed and read.
        audited: Whether the target keeps who made a view, and when.
        left: Fingerprint of the view as belvedere, which has written all of it, left it; None: it
            has not.
        seen_whole: Whether what the run did not see of the sources is gone.
    """

    kinds: frozenset[Kind] = frozenset()
    view: View | None = None
    unread: str = ""
    audited: bool = False
    left: str | None = None
    seen_whole: bool = False

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
        return self.action in WRITING

    @property
    def adoptable(self) -> bool:
        """Whether nothing is written until a person adopts its draft."""
        return self.action in WAITING and self.wanted.draft is not None

    @property
    def reason_text(self) -> str:
        """Why, for people."""
        return self.wanted.barred.reason if self.wanted.barred is not None else self.reason

    @classmethod
    def aside(cls, wanted: Wanted, barred: Barred, present: Canonical | None = None) -> "Planned":
        """A view that is set aside: views that meet are a conflict, all else is blocked."""
        action = Action.CONFLICT if barred.code == _COLLISION else Action.BLOCKED
        bare = replace(wanted, barred=barred, unsafe=None, draft=None)
        return cls(action, bare, present=present)


@dataclass(frozen=True, slots=True)
class Written:
    """A view that an earlier plan wrote and no view of the run is mapped to.

    Attributes:
        address: Where.
        left: Its fingerprint as we left it; None: not all of it was written by us.
        is_taken_back: Whether an undo has put back what stood there before us.
    """

    address: Address
    left: str | None
    is_taken_back: bool = False


def is_asked(wanted: Wanted, kinds: AbstractSet[Kind]) -> bool:
    """Whether the view at an address has to be read before it can be said what is done there."""
    return wanted.barred is None and not wanted.stays and kinds == {Kind.VIEW}


def plan_change(wanted: Wanted, occupant: Occupant, hold: Hold) -> Planned:
    """What is to be done at one address.

    Args:
        wanted: What is wanted there.
        occupant: What stands there.
        hold: How the target holds a view.
    """
    if wanted.barred is not None or wanted.stays:
        return leave_in_place(wanted)
    if wanted.unsafe is not None:
        return _kept_safe(wanted, occupant, hold)
    return _with_draft(_compared(wanted, occupant, hold), wanted.draft, occupant, hold)


def _with_draft(planned: Planned, draft: Draft | None, occupant: Occupant, hold: Hold) -> Planned:
    """A change that is made as it is, and offers what a person may adopt beside.

    A draft that is there already was adopted before: it is offered no more, and what is there is
    kept. One that could not be written is not offered.
    """
    if draft is None or not (planned.writes or planned.action is Action.KEEP):
        return planned
    with_it = _compared(replace(planned.wanted, model=draft.model), occupant, hold)
    if with_it.action is Action.KEEP:
        wanted = replace(with_it.wanted, draft=None)
        return Planned(Action.KEEP, wanted, DRAFT_THERE, with_it.present)
    offered = replace(draft, model=with_it.wanted.model) if with_it.writes else None
    return replace(planned, wanted=replace(planned.wanted, draft=offered))


def _kept_safe(wanted: Wanted, occupant: Occupant, hold: Hold) -> Planned:
    """What is done with a view that must not be written as it is: its draft waits for a person.

    A draft that is there already was adopted before, and is kept.
    """
    unsafe = wanted.unsafe
    assert unsafe is not None  # noqa: S101 - the caller has looked
    if wanted.draft is None:
        return Planned.aside(wanted, unsafe)
    planned = _compared(replace(wanted, model=wanted.draft.model, unsafe=None), occupant, hold)
    if planned.action is Action.KEEP:
        return Planned(
            Action.KEEP, replace(planned.wanted, draft=None), DRAFT_THERE, planned.present
        )
    if not planned.writes:
        return planned
    draft = replace(wanted.draft, model=planned.wanted.model)
    waiting = replace(wanted, unsafe=None, barred=unsafe, draft=draft)
    return Planned(Action.BLOCKED, waiting, "", planned.present)


def _compared(wanted: Wanted, occupant: Occupant, hold: Hold) -> Planned:
    """What a comparison with what stands there comes to."""
    if occupant.unread:
        return Planned.aside(wanted, Barred.as_coded(Blocked.TARGET_UNREAD, occupant.unread))
    if occupant.stranger is not None:
        why = f"the target has a {occupant.stranger.value} of this name"
        return Planned.aside(wanted, Barred(_COLLISION, why))
    if occupant.view is None and occupant.kinds:
        why = "the target lists a view of this name that it does not read as one of its own"
        return Planned.aside(wanted, Barred(_COLLISION, why))
    if occupant.view is None:
        return Planned(Action.CREATE, wanted, NOT_THERE)
    present = Canonical.of(occupant.view)
    if present.fingerprint == wanted.model.fingerprint:  # most of a later plan: nothing is parsed
        if occupant.audited and is_other_maker(wanted.view(), occupant.view):
            return Planned(Action.REPLACE, wanted, OTHER_MAKER, present)
        return Planned(Action.KEEP, wanted, THERE, present)
    return _beside(wanted, occupant, present, hold)


def leave_in_place(wanted: Wanted) -> Planned:
    """What becomes of a view that nothing is written for, whatever stands there."""
    if wanted.barred is not None:
        return Planned.aside(wanted, wanted.barred)
    return Planned(Action.KEEP, wanted, wanted.stays)


def plan_drop(written: Written, live: View | None, unread: str = "") -> Planned | None:
    """The removal of a view that nobody wants; None where there is nothing of ours.

    What somebody else has changed is his, and so is a text beside which ours was written: neither
    is dropped, and both are told.

    Args:
        written: What we know of it.
        live: What stands there.
        unread: Why nobody can tell; empty: it was read.
    """
    wanted = Wanted(address=written.address, origins=(), model=Canonical("", ""))
    if written.is_taken_back:
        return None
    if unread:
        return Planned.aside(wanted, Barred.as_coded(Blocked.TARGET_UNREAD, unread))
    if live is None:
        return None
    present = Canonical.of(live)
    wanted = replace(wanted, model=present)
    if present.fingerprint == written.left:
        return Planned(Action.DROP, wanted, GONE, present)
    by = "made what stands there" if written.left is None else "changed it since belvedere wrote it"
    why = f"{GONE}, but somebody else has {by}: it is not dropped"
    return Planned.aside(wanted, Barred.as_coded(Blocked.TARGET_CHANGED, why), present)


def set_aside(planned: Planned, barred: Barred) -> Planned:
    """A change that something outside of it speaks against; what writes nothing stays as it is."""
    if planned.action is Action.KEEP and planned.adoptable:
        return replace(planned, wanted=replace(planned.wanted, draft=None))
    if not (planned.writes or planned.adoptable):
        return planned
    return Planned.aside(planned.wanted, barred, planned.present)


def take_back(planned: Planned, run: str) -> Planned:
    """The change that takes another one back, which a run has written: what was there is to return.

    Args:
        planned: What was written.
        run: Name of the run.
    """
    present = planned.present
    intent = Intent.of(
        planned.action, planned.wanted.model.fingerprint, present.fingerprint if present else None
    )
    wanted = replace(
        planned.wanted,
        model=present or planned.wanted.model,
        wave=None if planned.wanted.wave is None else -planned.wanted.wave,
        barred=None,
        losses=(),
        draft=None,
    )
    written = None if intent.wanted is None else planned.wanted.model
    return Planned(intent.inverse().action, wanted, f"undoes run {run}", written)


def lose(planned: Planned, losses: Sequence[str]) -> Planned:
    """A change that loses more than its store says; what writes nothing stays as it is."""
    if not (planned.writes or planned.adoptable):
        return planned
    wanted = replace(planned.wanted, losses=(*planned.wanted.losses, *losses))
    return replace(planned, wanted=wanted)


def _beside(wanted: Wanted, occupant: Occupant, present: Canonical, hold: Hold) -> Planned:
    """What is done with a view that differs from the one that is there."""
    view, live = wanted.view(), occupant.view
    assert live is not None  # noqa: S101 - the caller has looked
    ours = occupant.left == present.fingerprint
    if ours and not occupant.seen_whole and (old := outdated_dialects(view, live)):
        why = f"it is there in {', '.join(old)}, too, and not all that it was made of was seen"
        return Planned.aside(wanted, Barred.as_coded(Blocked.MAY_BE_OLD, why), present)
    decision = decide(view, live, ours=ours)
    if decision.action is Action.CONFLICT:
        return Planned.aside(wanted, Barred(_COLLISION, decision.reason), present)
    if decision.view != view:  # it has the target's other dialects, too
        try:
            held = hold(decision.view).view
        except BelvedereError as error:
            return Planned.aside(wanted, Barred.by(error), present)
        if len(held.representations) < len(decision.view.representations):
            names = ", ".join(representation.dialect for representation in live.representations)
            why = f"it is there in {names}, and the target holds one dialect"
            return Planned.aside(wanted, Barred(_COLLISION, why), present)
        wanted = replace(wanted, model=Canonical.of(held))
    return Planned(decision.action, wanted, decision.reason, present)
