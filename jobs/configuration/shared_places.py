"""Places that a configuration has twice: what is written there, something else reads or writes."""

import operator
import os
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Final, TypeVar

from connectors.clients.sql import DatabaseLogin
from connectors.registry import Connector
from discovery.addresses import address_of_catalog
from discovery.patterns import steady
from jobs.configuration.loader import RunConfig

_ARCHIVE: Final = "archive"
_METASTORE: Final = "hms"
_FAMILIES: Final = {"iceberg-hive": _METASTORE}
"""Kinds whose views are in the same catalog as those of another kind."""
_WITHIN: Final = {
    _METASTORE: {"catalog": "hive"},
    "gravitino-store": {"metalake": "", "catalog": ""},
    "gravitino-rest": {"metalake": "", "catalog": ""},
    "iceberg-jdbc": {"catalog_name": ""},
    "iceberg-rest": {"warehouse": ""},
    "paimon": {"warehouse": ""},
}
"""Options that say which catalog of a server it is, with what they are where they say nothing."""
_Catalog = tuple[object, ...]
_Place = TypeVar("_Place")


def tell_shared_places(config: RunConfig) -> Iterator[str]:
    """A sentence for each place that is written, and written or read besides.

    Two spellings of one place are one: links are followed, this machine has one name, and a port
    that is usual may be left out. Names of other machines are not looked up.
    """
    folders = _folders(config.targets)
    yield from _tell_shared(folders, _folders(config.sources), Path.is_relative_to, "a folder")
    if "://" not in config.warehouse:
        warehouse = Path(os.path.realpath(config.warehouse))
        for target, folder in folders.items():
            if folder.is_relative_to(warehouse):
                yield (
                    f"The target {target} writes into the folder of the warehouse, which is for"
                    " runs alone."
                )
    yield from _tell_shared(
        _catalogs(config.targets), _catalogs(config.sources), operator.eq, "the catalog"
    )


def _tell_shared(
    written: Mapping[str, _Place],
    read: Mapping[str, _Place],
    lies_in: Callable[[_Place, _Place], bool],
    which: str,
) -> Iterator[str]:
    """A sentence for each place that a source reads, or a second target writes, too.

    Args:
        written: Targets, with what each writes into.
        read: Sources, with what each reads.
        lies_in: Whether what is written lies in what is read.
        which: What both are, with its article.
    """
    what = which.partition(" ")[2]
    for target, place in written.items():
        for source in (name for name, other in read.items() if lies_in(place, other)):
            yield (
                f"The target {target} writes into {which} that the source {source} reads: its"
                " next crawl finds what is written there, too."
            )
    for first, second in combinations(written, 2):
        if written[first] == written[second]:
            yield (
                f"The targets {first} and {second} write into the same {what}: each finds there"
                " what the other has written."
            )


def _folders(connectors: Mapping[str, Connector]) -> dict[str, Path]:
    """Where the archives among some sources or targets are, those of this machine."""
    return {
        name: Path(os.path.realpath(steady(connector.options.path)[0]))
        for name, connector in connectors.items()
        if connector.kind == _ARCHIVE and "://" not in connector.options.path
    }


def _catalogs(connectors: Mapping[str, Connector]) -> dict[str, _Catalog]:
    """Which catalogs some sources or targets are, those of a server that has a name."""
    places = {name: _catalog(connector) for name, connector in connectors.items()}
    return {name: place for name, place in places.items() if place is not None}


def _catalog(connector: Connector) -> _Catalog | None:
    kind = _FAMILIES.get(connector.kind, connector.kind)
    options = connector.options
    if kind not in _WITHIN:
        return None
    address = connector.address() or address_of_catalog(getattr(options, "uri", "") or "", kind)
    if address is None:
        return None
    within = [getattr(options, name, "") or usual for name, usual in _WITHIN[kind].items()]
    database = options.complete_url().database if isinstance(options, DatabaseLogin) else ""
    return (kind, address.canonical(), database, *within)
