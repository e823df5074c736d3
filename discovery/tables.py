"""The columns of the tables that views read, out of the entries that sources return for them."""

from collections.abc import Callable, Mapping
from typing import Final

from discovery.formats import hive_table, spark
from discovery.model import Column
from discovery.outcomes import RawObject


def _hive_table(raw: RawObject) -> tuple[Column, ...]:
    """As Spark reads it where Spark made it: `sd.cols` can be a placeholder then."""
    return spark.columns(hive_table.read(raw))


READERS: Final[Mapping[str, Callable[[RawObject], tuple[Column, ...]]]] = {
    "hive_table": _hive_table,
}


def columns(raw: RawObject) -> tuple[Column, ...] | None:
    """The columns of a table, in order; None for a kind of entry that says nothing of tables.

    Raises:
        DecodeError: The entry is malformed; says which field.
    """
    reader = READERS.get(raw.kind)
    return None if reader is None else reader(raw)
