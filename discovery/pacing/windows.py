"""The part of each day in which a source may be crawled."""

import re
from dataclasses import dataclass
from datetime import datetime, time
from typing import Final

PATTERN: Final = r"^(?:[01][0-9]|2[0-3]):[0-5][0-9]-(?:[01][0-9]|2[0-3]):[0-5][0-9]$"


@dataclass(frozen=True, slots=True)
class Window:
    """From one time of the day to another, which may be of the next day.

    Attributes:
        opens: The first moment in it.
        closes: The first moment behind it; the same as `opens`: it is always open.
    """

    opens: time
    closes: time

    @classmethod
    def of(cls, text: str) -> "Window":
        """A window such as 22:00-05:00.

        Raises:
            ValueError: It is none.
        """
        if not re.fullmatch(PATTERN, text, re.ASCII):
            raise ValueError(f"{text!r} is no part of a day such as 22:00-05:00")
        return cls(*map(time.fromisoformat, text.split("-")))

    def is_open(self, now: datetime) -> bool:
        """Whether a moment is in it, by the clock on the wall: `now` is local time."""
        at = now.time()
        if self.opens < self.closes:
            return self.opens <= at < self.closes
        return at >= self.opens or at < self.closes

    def __str__(self) -> str:
        return f"{self.opens:%H:%M}-{self.closes:%H:%M}"
