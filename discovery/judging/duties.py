"""What is asked of the owner of a view, by what stands at it."""

from enum import StrEnum

from discovery.judging.standing import Standing
from discovery.lineage.order import Why


class Duty(StrEnum):
    """What the owner of a view has to do, most urgent first."""

    MEND = "mend"
    """The view is broken, or cannot be written: nobody but its owner can change that."""
    LOOK = "look"
    """It can move, and may surprise: its owner says whether that is right."""
    WAIT = "wait"
    """What it stands on is broken; the owner of that has to act first."""
    ASK = "ask"
    """Nothing is known of it: who runs belvedere has to have it judged."""
    NONE = "none"
    """It is ready."""


ACTING = (Duty.MEND, Duty.LOOK)
"""The duties in which nothing happens until the owner acts."""


def duty(standing: Standing, reason: str | None) -> Duty:
    """What is asked of the owner of a view.

    Args:
        standing: Of the view.
        reason: The code behind it.
    """
    match standing:
        case Standing.READY:
            return Duty.NONE
        case Standing.REVIEW:
            return Duty.LOOK
        case Standing.NOT_JUDGED:
            return Duty.ASK
        case Standing.BLOCKED:
            return Duty.WAIT if reason == Why.BROKEN_BASE else Duty.MEND
