"""Ages as people write them: a number and its unit."""

import re
from datetime import timedelta
from typing import Final

PATTERN: Final = r"^[0-9]{1,5}[hdw]$"
_HOURS: Final = {"h": 1, "d": 24, "w": 7 * 24}


def age(text: str) -> timedelta:
    """An age such as 36h, 90d or 12w.

    Raises:
        ValueError: It is none.
    """
    if not re.fullmatch(PATTERN, text, re.ASCII):
        raise ValueError(f"{text}: is no age such as 36h, 90d or 12w")
    return timedelta(hours=int(text[:-1]) * _HOURS[text[-1]])
