"""A store in memory that is killed between two moments: each write has one before and one after."""

from collections.abc import Callable
from dataclasses import dataclass

from discovery.errors import BelvedereError


class GoneError(BaseException):
    """The process is no more."""


@dataclass(kw_only=True)
class Moments:
    """What is left of a process.

    Attributes:
        moments: How many; None: it goes on for ever.
        error: What every write ends with, though it is done.
    """

    moments: int | None = None
    error: BelvedereError | None = None

    def step(self) -> None:
        if self.moments is not None:
            if self.moments == 0:
                raise GoneError
            self.moments -= 1

    def written(self, write: Callable[[], None]) -> None:
        self.step()
        write()
        self.step()
        if self.error is not None:
            raise self.error
