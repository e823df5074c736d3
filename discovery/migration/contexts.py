"""Where the context of a text does not arrive at a target, for the engine that reads it there.

A context is the catalog and the schema that complete short names. Where a target drops it, the
session that reads completes them, and a text that has short names would answer differently in
silence.
"""

from typing import Final

from discovery.engines import ENGINES, Completion
from discovery.model import FLINK

_REST: Final = "gravitino-rest"
_HIVE: Final = "hive"
"""A provider whose catalogs keep contexts only where an engine's own format has them.

`HiveViewCatalogOperations` of Gravitino 1.3.0 refuses a context with the texts of engines whose
entries have none, and writes one text as both of the entry's, which Flink and Hive complete from
the session that reads (`Completion.OWN_PLACE`; HiveServer2 2.3.10, Hive 4.0.1 and Flink 1.20.5 were
asked). With Spark's the context is dropped, too; but properties arrive, and Spark looks there
(`discovery.formats.spark`). From 2.0 on it takes Trino's, with their JSON.
"""
_PAIMON: Final = frozenset({("paimon", ""), (_REST, "lakehouse-paimon")})
"""Stores, with providers, that keep contexts in options which none of Paimon's engines look at.

Spark 4.0.1 with Paimon 1.4.2 and Flink 1.20.5 with Paimon 1.3.1 complete from the session, names of
two parts, too. Any text may become `query`, which both run.
"""
_ICEBERG: Final = frozenset({"iceberg-rest", "iceberg-jdbc", "iceberg-hive"})
"""Stores, beside Gravitino's, of Iceberg catalogs: their contexts arrive, but for Flink.

Flink's own connector reads no views there. Gravitino's does, as `CatalogView.of(.., sql, sql, ..)`,
which knows no default schema (`BaseCatalog.toFlinkView` of 1.3.0).
"""


def forgets(store: str, provider: str) -> bool:
    """Whether Spark reads its texts there without the settings of the session that made a view.

    It keeps them in a metastore's entry and applies them to the text (`View.effectiveSQLConf`). A
    text of Iceberg (4.1.4 with 1.12.0 was asked) or of Paimon (4.0.1 with 1.4.2) it runs under
    those of the session that reads.

    Args:
        store: Kind of the store that writes into a target.
        provider: Of the target's catalog; empty: it has none.
    """
    return (store, provider) in _PAIMON or _is_iceberg(store, provider)


def dropped_dialects(store: str, provider: str) -> frozenset[str]:
    """The dialects whose contexts do not arrive.

    Args:
        store: Kind of the store that writes into a target.
        provider: Of the target's catalog; empty: it has none.
    """
    if (store, provider) in _PAIMON:
        return frozenset(ENGINES)
    if _is_iceberg(store, provider):
        return frozenset({FLINK})
    if (store, provider) != (_REST, _HIVE):
        return frozenset()
    own = Completion.OWN_PLACE
    return frozenset(engine.name for engine in ENGINES.values() if engine.completes is own)


def _is_iceberg(store: str, provider: str) -> bool:
    return store in _ICEBERG or (store, provider) == (_REST, "lakehouse-iceberg")
