"""Where the context of a text does not arrive at a target, for the engine that reads it there.

A context is the catalog and the schema that complete short names. Where a target drops it, the
session that reads completes them, and a text that has short names would answer differently in
silence.
"""

from typing import Final

from discovery.engines import ENGINES, Completion

_DROPPING: Final = frozenset({("gravitino-rest", "hive")})
"""Store and provider of catalogs that keep contexts only where an engine's own format has them.

`HiveViewCatalogOperations` of Gravitino 1.3.0 refuses a context with the texts of engines whose
entries have none, and writes one text as both of the entry's, which Flink and Hive complete from
the session that reads (`Completion.OWN_PLACE`). With Spark's the context is dropped, too; but
properties arrive, and Spark looks there (`discovery.formats.spark`). From 2.0 on it takes Trino's,
with their JSON.
"""
_PAIMON: Final = "paimon"
"""A store that keeps contexts in options which none of Paimon's engines look at.

Flink 1.20.5 with Paimon 1.3.1 completes as it does elsewhere. Spark's `PaimonViewResolver` puts the
parsed text in the place of the name as it is, so that the session completes it. Any text may become
`query`, which both run.
"""


def dropped(store: str, provider: str) -> frozenset[str]:
    """The dialects whose contexts do not arrive.

    Args:
        store: Kind of the store that writes into a target.
        provider: Of the target's catalog; empty: it has none.
    """
    if store == _PAIMON:
        return frozenset(ENGINES)
    if (store, provider) not in _DROPPING:
        return frozenset()
    own = Completion.OWN_PLACE
    return frozenset(one.name for one in ENGINES.values() if one.completes is own)
