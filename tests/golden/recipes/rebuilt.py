"""What a recipe gives: an entry as the engine wrote it, and what it says of the columns."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """An entry that was made anew.

    Attributes:
        place: Database and name.
        payload: As the source answers it.
        columns: As the engine itself describes them, in its own JSON; None: it was not asked, or
            could not say.
    """

    place: tuple[str, str]
    payload: dict[str, Any]
    columns: list[dict[str, Any]] | None = None
