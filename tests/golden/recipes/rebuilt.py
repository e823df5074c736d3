"""What a recipe gives: an entry as the engine wrote it, and what it says of the columns."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Described:
    """A column as the engine itself describes it.

    Attributes:
        name: Of the column.
        type: In the engine's own words.
        comment: None or empty: it has none.
        nullable: None: the engine could not say.
    """

    name: str
    type: str
    comment: str | None
    nullable: bool | None


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """An entry that was made anew.

    Attributes:
        place: Database and name.
        payload: As the source answers it.
        columns: As the engine describes them; empty: it was not asked.
    """

    place: tuple[str, str]
    payload: dict[str, Any]
    columns: tuple[Described, ...] = ()
