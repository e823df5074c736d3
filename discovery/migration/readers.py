"""Who reads what a store writes, and how that is known: what people are told of each target.

The dated tables "met" of the stores' pages in docs/connectors say what each reader made of the
views; this is their sum. That a program is said to read a format is no proof: it is named as met
only if it has read what was written here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from discovery.migration.providers import PROVIDERS, Tier


@dataclass(frozen=True, slots=True)
class Readership:
    """Who reads what a store writes.

    Attributes:
        who: In words.
        met: Which product and version has; empty: none was met.
    """

    who: str
    met: str = ""

    def __str__(self) -> str:
        return f"{self.who} ({f'met: {self.met}' if self.met else 'none met'})"


_ICEBERG: Final = "engines with Iceberg's views"
READERS: Final[Mapping[str, Readership | None]] = {
    "archive": Readership("belvedere alone, as a source", "the same version"),
    "gravitino-rest": None,  # a server, as its provider says
    "gravitino-store": None,  # nobody
    "hms": Readership("the engine of each view's dialect", "Spark 4.3, Flink 1.20"),
    "iceberg-hive": Readership(_ICEBERG, "Spark 4.1, Iceberg 1.12"),
    "iceberg-jdbc": Readership(_ICEBERG, "Spark 4.1, Trino 476, Iceberg 1.12"),
    "iceberg-rest": Readership(_ICEBERG, "Trino 476"),
    "paimon": Readership("engines with Paimon's views", "Paimon's own client 1.4.2"),
}
"""Kind of a store to who reads what is behind it, without Gravitino."""
_MET: Final = {
    ("hive", "gravitino-rest"): "1.3.0",
    ("hive", "hms"): "1.3.0",
    ("lakehouse-iceberg", "gravitino-rest"): "1.3.0",
    ("lakehouse-iceberg", "iceberg-jdbc"): "1.3.0",
}
"""Provider and store to the releases of Gravitino that have shown views written so."""


def describe_readers(store: str, provider: str = "", *, served: bool = True) -> str:
    """Who reads what is written into a target, and how that is known.

    Args:
        store: Kind of its store; empty: nothing is written.
        provider: Of the catalog, if the target is one of Gravitino.
        served: Whether a server of the declared version shows it.
    """
    if not store:
        return ""
    entry = PROVIDERS.get(provider)
    readerships = [READERS.get(store)]
    if served and entry is not None and entry.tier is Tier.DELEGATED:
        met = _MET.get((provider, store), "")
        readerships.append(Readership(f"Gravitino's catalogs of {provider}", met))
    read = " and ".join(str(readership) for readership in readerships if readership is not None)
    return f"read by {read}" if read else "read by nobody: no Gravitino server shows such rows"
