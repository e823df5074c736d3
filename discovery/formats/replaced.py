"""Views of Spark and Flink that Hive has replaced: its texts and columns beside stale parameters.

`CREATE OR REPLACE VIEW` and `ALTER VIEW … AS` of Hive 2 to 4 set both texts and `sd.cols`, and add
to the parameters without taking any away (`CreateViewOperation`, before Hive 4 `DDLTask`). So Spark
and Flink still find the parameters by which they know the view, with the columns of the old text.
Both read `viewExpandedText`, which Hive has qualified, and their own old columns; where the new
text cannot give them these, they refuse the view, and Hive is the only one that reads it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from discovery.formats import hive, hive_table
from discovery.formats.hive_table import HiveTable
from discovery.model import Column
from discovery.outcomes import STALE_PARAMETERS, Decoded, Note

_SHOWN = 10  # columns named in a note


def names(table: HiveTable) -> tuple[str, ...]:
    """What `sd.cols` and `partitionKeys` call the columns; empty where one has no name."""
    descriptor = table.payload.get("sd")
    stated = descriptor.get("cols") if isinstance(descriptor, dict) else None
    listed = (stated or [], table.payload.get("partitionKeys") or [])
    every = [field for part in listed if isinstance(part, list) for field in part]
    values = [field.get("name") for field in every if isinstance(field, dict)]
    return tuple([name for name in values if isinstance(name, str)])


def is_placeholder(table: HiveTable) -> bool:
    """Whether `sd.cols` holds what Spark writes where a type is not Hive's."""
    descriptor = table.payload.get("sd")
    stated = descriptor.get("cols") if isinstance(descriptor, dict) else None
    return isinstance(stated, list) and [_parts(field) for field in stated] == [PLACEHOLDER]


def note(engine: str, columns: Sequence[Column], others: Sequence[str]) -> Note:
    """That the view is read as its engine reads it, and how Hive does.

    Args:
        engine: The engine whose parameters are stale, and are followed.
        columns: Those of the parameters.
        others: The names of Hive's.
    """
    return STALE_PARAMETERS.note(
        f"the entry contradicts {engine}'s parameters in it: Hive has replaced the view. Read as "
        f"{engine} reads it: viewExpandedText with the columns "
        f"{_short([column.name for column in columns])} of the parameters. Hive reads the same "
        f"text with the columns {_short(others)} of sd.cols"
    )


def by_hive(
    table: HiveTable, engine: str, columns: Sequence[Column], stale: Callable[[str], bool]
) -> Decoded:
    """The reading of Hive, the only one: the engine that made the view refuses it now.

    Args:
        table: The entry.
        engine: The engine whose parameters are stale.
        columns: Those of the parameters.
        stale: Whether a key is one of the engine's, and means nothing any more.

    Raises:
        DecodeError: A column cannot be read.
    """
    kept = {key: value for key, value in table.parameters.items() if not stale(key)}
    decoded = hive.decode(replace(table, parameters=kept))
    stale_note = STALE_PARAMETERS.note(
        f"the entry contradicts {engine}'s parameters in it: Hive has replaced the view. Read as "
        f"Hive reads it: viewExpandedText with the columns {_short(names(table))} of sd.cols. "
        f"{engine} refuses the view: its parameters have the columns "
        f"{_short([column.name for column in columns])}, and the text does not return what they "
        "demand"
    )
    return replace(decoded, notes=(stale_note,))


def _parts(column: object) -> tuple[object, object, object] | None:
    if not isinstance(column, dict):
        return None
    return column.get("name"), column.get("type"), column.get("comment")


def _short(every: Sequence[str]) -> str:
    rest = f" and {len(every) - _SHOWN} more" if len(every) > _SHOWN else ""
    return ", ".join(every[:_SHOWN]) + rest


PLACEHOLDER = (hive_table.PLACEHOLDER.name, "array<string>", hive_table.PLACEHOLDER.comment)
"""What Spark writes into `sd.cols` where a type is not Hive's: name, type and comment."""
