"""What carries the context of a text at a target, for the engine that reads it there.

A context is the catalog and the schema that complete short names. Where a target drops it, names
are completed otherwise, and a text that has short names would answer differently in silence.
"""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Final

from discovery.model import FLINK, HIVE, Representation


class Carrier(StrEnum):
    """What completes the short names of a text that a target holds."""

    TEXT = "its own context, which the target keeps where the engine looks for it"
    PLACE = "the place of the view: the target drops the context, and the engine takes that"
    SESSION = "what is current in the session that reads: the target drops the context"


_DROPPED: Final[Mapping[tuple[str, str], Mapping[str, Carrier]]] = {
    ("gravitino-rest", "hive"): {FLINK: Carrier.PLACE, HIVE: Carrier.SESSION}
}
"""Store and provider of a catalog to the dialects whose contexts do not arrive.

`HiveViewCatalogOperations` of Gravitino 1.3.0 refuses a context with Hive's and Flink's texts, and
writes one text as both of the entry's. Flink completes that with catalog and database of the view
(`DatabaseCalciteSchema`'s tables: `SqlCatalogViewTable.viewPath` is `names.subList(0, 2)`); Hive,
which relies on an expanded text, with the current database of the session. With Spark's the context
is dropped, too; but properties arrive, and Spark looks there (`discovery.formats.spark`). Trino's,
from 2.0 on, have it in their JSON.
"""


def dropped(store: str, provider: str) -> Mapping[str, Carrier]:
    """The dialects whose contexts do not arrive, and what completes their short names instead.

    Args:
        store: Kind of the store that writes into a target.
        provider: Of the target's catalog; empty: it has none.
    """
    return _DROPPED.get((store, provider), {})


def arrived(text: Representation, carrier: Carrier) -> Representation:
    """A text with the context that it has at the target."""
    if carrier is Carrier.TEXT:
        return text
    return replace(text, default_catalog=None, default_schema=None)
