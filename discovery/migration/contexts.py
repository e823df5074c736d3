"""What carries the context of a text at a target, for the engine that reads it there.

A context is the catalog and the schema that complete short names. Where a target drops it, names
are completed otherwise, and a text that has short names would answer differently in silence.
"""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Final

from discovery.engines import ENGINES, Completion
from discovery.model import FLINK, Representation


class Carrier(StrEnum):
    """What completes the short names of a text that a target holds."""

    TEXT = "its own context, which the target keeps where the engine looks for it"
    PLACE = "the place of the view: the target drops the context, and the engine takes that"
    SESSION = "what is current in the session that reads: the target drops the context"


_DROPPING: Final = frozenset({("gravitino-rest", "hive")})
"""Store and provider of catalogs that keep contexts only where an engine's own format has them.

`HiveViewCatalogOperations` of Gravitino 1.3.0 refuses a context with the texts of engines whose
entries have none, and writes one text as both of the entry's. Flink completes that with catalog and
database of the view (`SqlCatalogViewTable`: its `viewPath` is `names.subList(0, 2)`); Hive relies
on the expanded text, and completes with the current database of the session. With Spark's the
context is dropped, too; but properties arrive, and Spark looks there (`discovery.formats.spark`).
From 2.0 on it takes Trino's, with their JSON.
"""
_PAIMON: Final = "paimon"
"""A store that keeps contexts in options which none of Paimon's engines look at.

Flink completes with catalog and database of the view, as above: Paimon's `FlinkCatalog.getView`
makes a `CatalogView`. Spark's `PaimonViewResolver` puts the parsed text in the place of the name as
it is, so that the session completes it. Any text may become `query`, which both run.
"""


def dropped(store: str, provider: str) -> Mapping[str, Carrier]:
    """The dialects whose contexts do not arrive, and what completes their short names instead.

    Args:
        store: Kind of the store that writes into a target.
        provider: Of the target's catalog; empty: it has none.
    """
    if store == _PAIMON:
        session = dict.fromkeys(ENGINES, Carrier.SESSION)
        return {**session, FLINK: Carrier.PLACE}
    if (store, provider) not in _DROPPING:
        return {}
    return {
        one.name: Carrier.SESSION if one.session_completes else Carrier.PLACE
        for one in ENGINES.values()
        if one.completes is Completion.OWN_PLACE
    }


def arrived(text: Representation, carrier: Carrier) -> Representation:
    """A text with the context that it has at the target."""
    if carrier is Carrier.TEXT:
        return text
    return replace(text, default_catalog=None, default_schema=None)
