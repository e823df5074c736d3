"""Columns as entries in a metastore have them, and types that engines refuse there."""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Final

from discovery.datatypes import hive, spark_writing
from discovery.errors import InvalidTypeError
from discovery.model import SPARK, Column, DataType, Primitive

PLACEHOLDER: Final = (("col", "array<string>"),)
"""What Spark leaves for columns where Hive has no type for one (`HiveExternalCatalog`)."""
_VOID: Final = Primitive("null")


def in_entry(kind: DataType) -> str:
    """A type as Spark or Hive has written it into the entry.

    Raises:
        InvalidTypeError: Hive has none; Spark leaves a placeholder for the columns.
    """
    try:
        spelled = spark_writing.in_hive(kind)
    except InvalidTypeError:
        spelled = None
    return spelled or hive.spell(kind)


@lru_cache(maxsize=4_096)
def columns_in_entry(columns: tuple[Column, ...], form: str | None) -> Sequence[tuple[str, str]]:
    """Names and Hive's types, as `sd.cols` has them; Spark's may be a placeholder.

    Args:
        columns: As they are crawled.
        form: How the entry is stored; None: it is a table's.

    Raises:
        InvalidTypeError: Hive has no such type, and it is not Spark that has written it.
    """
    if form != SPARK:
        return tuple((column.name.lower(), in_entry(column.type)) for column in columns)
    spelled = [(column.name.lower(), _by_spark(column.type)) for column in columns]
    storable = tuple((name, kind) for name, kind in spelled if kind is not None)
    return storable if len(storable) == len(spelled) else PLACEHOLDER


def _by_spark(kind: DataType) -> str | None:
    return "void" if kind == _VOID else spark_writing.in_hive(kind)


def refused_type(
    entries: Iterable[tuple[Sequence[Column], str | None]], refused: re.Pattern[str]
) -> str | None:
    """The first type in entries that a client of the metastore refuses; None: it reads them all.

    Args:
        entries: The columns of each entry, and how that is stored.
        refused: What is found in a type, as Hive spells it, that is refused.
    """
    for columns, form in entries:
        with suppress(InvalidTypeError):
            for _, kind in columns_in_entry(tuple(columns), form):
                if refused.search(kind):
                    return kind
    return None
