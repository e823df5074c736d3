"""What they are told of a view who look names up in the metastore by themselves: Hive and Coral."""

import json
from collections.abc import Callable, Sequence
from typing import Final

from discovery.errors import InvalidTypeError
from discovery.judging.entries import Base, Entry, KnownBase, StoredText
from discovery.judging.stored_types import PLACEHOLDER, columns_in_entry
from discovery.model import Column

PARTS: Final = 2
"""The most that a name has in Hive's grammar."""
PLACEHOLDER_AS_JSON: Final = json.dumps(PLACEHOLDER)
"""What `Entry.columns` is where Spark has left its placeholder."""


def entry_over(
    stored: StoredText,
    reads: Sequence[KnownBase],
    base_of: Callable[[KnownBase, str], Base | None],
) -> Entry | None:
    """The entry of a view with what it reads; None: they cannot be told what they would find.

    Args:
        stored: The view and its text, in a metastore.
        reads: Everything that the text reads.
        base_of: What is told of one of these, by the source of the view; None: nothing can be.
    """
    place = stored.view.identifier
    if len(place.namespace) != 1:
        return None
    bases: list[Base] = []
    for read in reads:
        if len(read.written) > PARTS:  # a text that does not parse, whatever is there
            continue
        base = None if read.has_namesake else base_of(read, stored.source)
        if base is None:
            return None
        bases.append(base)
    columns = columns_as_json(stored.view.columns, stored.form)
    return None if columns is None else Entry(place=place, columns=columns, bases=tuple(bases))


def columns_as_json(columns: tuple[Column, ...], form: str | None) -> str | None:
    """Names and Hive's types, as `sd.cols` has them; None where they are not of a metastore."""
    try:
        return json.dumps(columns_in_entry(columns, form))
    except InvalidTypeError:
        return None
