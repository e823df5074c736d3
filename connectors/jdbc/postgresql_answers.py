"""What PostgreSQL's answers about a view come to: its columns, and its text."""

from collections.abc import Sequence
from typing import NamedTuple

from psycopg.pq.abc import PGresult

from connectors.jdbc import pipeline
from discovery.errors import BelvedereError, UnreachableError


class Columns(NamedTuple):
    """Columns of an answer or of the catalog: names, and the oid and modifier of each type."""

    names: list[str]
    oids: list[int]
    modifiers: list[int]

    def types(self) -> list[tuple[int, int]]:
        """What the server is asked to spell."""
        return list(zip(self.oids, self.modifiers, strict=True))


Text = tuple[str, bool | None] | BelvedereError
"""The text of a view and whether it is updatable, which may not be known; or why there is none."""


class Heard(NamedTuple):
    """What the first round says of a view.

    Attributes:
        answer: The columns that the empty query returns; None where it was not asked or refused.
        refused: Why it was refused.
        definition: The text; None where it is to be asked for by itself, or the view is gone.
    """

    answer: Columns | None
    refused: BelvedereError | None
    definition: Text | None


def heard_in(group: Sequence[PGresult]) -> Heard:
    """What a group of statements about a view came to."""
    *described, text_ = group
    for result in described:  # of Parse and of Describe
        if pipeline.is_refused(result):
            return Heard(None, pipeline.error_of(result), None)
    if not described:
        return Heard(None, None, definition_in(text_))
    header = described[1]
    every = range(header.nfields)
    names = [(header.fname(index) or b"").decode() for index in every]
    columns = Columns(names, [*map(header.ftype, every)], [*map(header.fmod, every)])
    return Heard(columns, None, definition_in(text_))


def definition_in(result: PGresult, *, last: bool = False) -> Text | None:
    """The view's text and whether it is updatable.

    Args:
        result: Of `DEFINITION` or `TEXT`.
        last: Whether nothing else is asked where this is refused.

    Returns:
        None where the view is gone, or another question may be answered: whether a view is
        updatable is asked of the wrapper below a foreign table, whose library may be gone
        (PostgreSQL 18.4, 2026-11-28: 55000, "has no handler", and the text is there). One that
        was waited for in vain is not asked again.

    Raises:
        UnreachableError: The connection is of no use any more.
    """
    if pipeline.is_refused(result):
        error = pipeline.error_of(result)
        if isinstance(error, UnreachableError):
            raise error
        return error if last or pipeline.was_awaited(result) else None
    text_ = result.get_value(0, 0) if result.ntuples else None
    if text_ is None:
        return None
    updatable = result.get_value(0, 1)
    return text_.decode(), None if updatable is None else updatable == b"t"
