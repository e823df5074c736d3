"""What is done with the row of a view in Gravitino's store, where a catalog serves the view.

A server of 1.3.0 (`ViewOperationDispatcher`, `EntityCombinedView`) asks the catalog for a view and
joins its row: by the id in the property `gravitino.identifier` if the view has one, else by name.
Of the row only the audit data are shown; what the catalog says is the view. A view without a row is
imported when it is first loaded: with the catalog's audit data, which Iceberg has none of. A row
without a view is not shown.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Final

from discovery.model import Audit, View
from discovery.ports import Action, Change

AUDIT: Final = "audit"
"""What differs, where it is who made a view and when."""


class RowStep(StrEnum):
    """What is done with a row."""

    LEAVE = "leave"
    WRITE = "write"  # where it is missing, or says something else
    RENAME = "rename"
    REMOVE = "remove"
    REFUSE = "refuse"  # it says what neither we, the plan nor the server have said


def same_maker(audit: Audit, other: Audit) -> bool:
    """Whether two audit data name the same creator and time; who changed it last is aside."""
    return (audit.creator, audit.create_time) == (other.creator, other.create_time)


def is_blank(audit: Audit) -> bool:
    """Whether nobody is named, as in a row that the server has imported from Iceberg."""
    return same_maker(audit, Audit())


def is_other_maker(wanted: View, present: View | None) -> bool:
    """Whether a view is there, and was made by another one, or at another time, than it shall be.

    Where nobody knows who made it, anybody will do.
    """
    if present is None or is_blank(wanted.audit):
        return False
    return not same_maker(wanted.audit, present.audit)


def row_step(
    change: Change, audit: Audit | None, writer: Callable[[Change], str | None]
) -> RowStep:
    """What is done with the row of a changed view.

    Args:
        change: Of the view.
        audit: What the row says; None: there is none.
        writer: Whom the route itself names as the creator of what we write.
    """
    wanted, seen = change.view.audit, change.seen
    if audit is None:
        is_needed = change.action in _LEAVING_A_VIEW and not is_blank(wanted)
        return RowStep.WRITE if is_needed else RowStep.LEAVE
    if change.action is Action.RENAME:
        return RowStep.RENAME
    if change.action is not Action.DROP:
        was_ours = seen is not None and same_maker(audit, seen)
        if same_maker(audit, wanted) or (is_blank(wanted) and not was_ours):
            return RowStep.LEAVE
    known = [other for other in (wanted, seen, Audit()) if other is not None]
    if any(same_maker(audit, other) for other in known) or audit.creator in {None, writer(change)}:
        return RowStep.REMOVE if change.action is Action.DROP else RowStep.WRITE
    return RowStep.REFUSE


_LEAVING_A_VIEW: Final = frozenset({Action.CREATE, Action.REPLACE, Action.ADD_DIALECT})
