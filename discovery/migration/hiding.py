"""Targets that may have views which they do not show to everybody.

From 1.3.1 on, Gravitino lists what a user owns or may select. What such a list lacks is not known
to be absent: a plan that takes it for absent would create what is there.
"""

from typing import Protocol, runtime_checkable


@runtime_checkable
class HidingStore(Protocol):
    """A store that may show less than it has."""

    def hides(self) -> str:
        """Why it may have views that it does not show us; empty: it shows all. Does I/O.

        Raises:
            BelvedereError: It does not answer.
        """
