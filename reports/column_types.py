"""The columns of a view as other tools take them: a name, a type in a word, a comment."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple


class ColumnType(NamedTuple):
    """A column.

    Attributes:
        name: Its name.
        kind: Its type: a word, or as JSON what is none.
        comment: What is said of it; empty: nothing.
    """

    name: str
    kind: str
    comment: str


def column_types(columns: Sequence[Mapping[str, Any]]) -> Iterator[ColumnType]:
    """The columns of a view's model."""
    for column in columns:
        kind = column["type"] if isinstance(column["type"], str) else json.dumps(column["type"])
        yield ColumnType(column["name"], kind, column.get("comment") or "")
