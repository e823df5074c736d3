"""Columns of Iceberg views that engines refuse, whatever the text of the view is.

An engine takes the types of a view from its schema, and what the text returns has to fit. Asked on
2026-11-26, of views that we wrote, as no engine writes them itself (`Engine.unread_of_iceberg`).
One with a text of Trino and a type that Trino does not know costs more than itself:
`information_schema.columns` of the whole catalog is refused to everybody.
"""

import re
from collections.abc import Iterator
from typing import Final

from discovery.datatypes import iceberg
from discovery.engines import ENGINES
from discovery.errors import NotHeldError
from discovery.model import TRINO, DataType, External, Primitive, View, parts

_CHAR: Final = re.compile(r"char\(\d+\)")
"""What Trino does not take for a `varchar`, which is what it makes of Iceberg's `string`."""
_HINT: Final = "cast it in the view, or have its rule of `mapping` take other dialects"


def check(view: View) -> tuple[str, ...]:
    """What engines refuse of a view, a sentence each.

    Args:
        view: With the columns that are wanted, not those that Iceberg makes of them.

    Raises:
        NotHeldError: Trino would refuse its only text, or more than the view.
        InvalidTypeError: Iceberg has no type for a column.
    """
    dialects = view.by_dialect.keys()
    unread = {dialect: reason for dialect in sorted(dialects) if (reason := _unread(view, dialect))}
    if TRINO in unread:
        raise NotHeldError(unread[TRINO], hint=_HINT, view=str(view.identifier))
    refused = _of_char(view) if TRINO in dialects else ""
    if refused and len(dialects) == 1:
        raise NotHeldError(refused, hint=_HINT, view=str(view.identifier))
    return tuple(error for error in (*unread.values(), refused) if error)


def _unread(view: View, dialect: str) -> str:
    """Which column an engine does not know the type of; empty: none."""
    types = ENGINES[dialect].unread_of_iceberg if dialect in ENGINES else ""
    for column in view.columns if types else ():
        for leaf in _leaves(iceberg.stored_type(column.type)):
            if re.fullmatch(types, leaf, re.IGNORECASE):
                return f"{dialect} cannot read the column {column.name}: Iceberg has it as {leaf}"
    return ""


def _of_char(view: View) -> str:
    """Which column Trino does not take for what Iceberg has; empty: none."""
    for column in view.columns:
        for leaf in _leaves(column.type):
            if _CHAR.fullmatch(leaf):
                return (
                    f"{TRINO} refuses the column {column.name}: Iceberg has {leaf} as string, for"
                    " which it takes no char"
                )
    return ""


def _leaves(kind: DataType) -> Iterator[str]:
    """The types without parts that a type is made of."""
    if isinstance(kind, Primitive | External):
        yield kind.text
    for part in parts(kind):
        yield from _leaves(part)
