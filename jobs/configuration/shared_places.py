"""Places that a configuration has twice: what is written there, something else reads or writes."""

import operator
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Final, TypeVar

from connectors.clients.sql import DatabaseLogin
from connectors.clients.thrift.login import MetastoreLogin
from connectors.registry import Connector
from discovery.addresses import SourceAddress, address_of_catalog
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
_Place = TypeVar("_Place")


@dataclass(frozen=True, slots=True)
class _Catalog:
    """A catalog of a server.

    Attributes:
        addresses: Where the server is, each place by one spelling.
        within: What tells it from the other catalogs there, and from those of other kinds.
    """

    addresses: frozenset[SourceAddress]
    within: tuple[object, ...]

    def is_also(self, other: "_Catalog") -> bool:
        """Whether both are one: of a metastore, each may name other servers of it beside one."""
        return self.within == other.within and not self.addresses.isdisjoint(other.addresses)


def tell_shared_places(config: RunConfig) -> Iterator[str]:
    """A sentence for each place that is written, and written or read besides.

    Two spellings of one place are one: links are followed, this machine has one name, and a port
    that is usual may be left out. Names of other machines are not looked up.
    """
    folders = _folders(config.targets)
    yield from _tell_shared(
        folders, _folders(config.sources), (Path.is_relative_to, operator.eq), "a folder"
    )
    if "://" not in config.warehouse:
        warehouse = Path(os.path.realpath(config.warehouse))
        for target, folder in folders.items():
            if folder.is_relative_to(warehouse):
                yield (
                    f"The target {target} writes into the folder of the warehouse, which is for"
                    " runs alone."
                )
    yield from _tell_shared(
        _catalogs(config.targets),
        _catalogs(config.sources),
        (_Catalog.is_also, _Catalog.is_also),
        "the catalog",
    )


def sources_written_into(config: RunConfig) -> Iterator[tuple[str, str]]:
    """Each target that writes into what a source reads, with that source."""
    folders, read = _folders(config.targets), _folders(config.sources)
    yield from _written_and_read(folders, read, Path.is_relative_to)
    catalogs, crawled = _catalogs(config.targets), _catalogs(config.sources)
    yield from _written_and_read(catalogs, crawled, _Catalog.is_also)


def _written_and_read(
    written: Mapping[str, _Place],
    read: Mapping[str, _Place],
    lies_in: Callable[[_Place, _Place], bool],
) -> Iterator[tuple[str, str]]:
    for target, place in written.items():
        yield from ((target, source) for source, other in read.items() if lies_in(place, other))


def _tell_shared(
    written: Mapping[str, _Place],
    read: Mapping[str, _Place],
    compared: tuple[Callable[[_Place, _Place], bool], Callable[[_Place, _Place], bool]],
    which: str,
) -> Iterator[str]:
    """A sentence for each place that a source reads, or a second target writes, too.

    Args:
        written: Targets, with what each writes into.
        read: Sources, with what each reads.
        compared: Whether what is written lies in what is read, and whether two places that are
            written are one.
        which: What both are, with its article.
    """
    what, (lies_in, is_one) = which.partition(" ")[2], compared
    for target, source in _written_and_read(written, read, lies_in):
        yield (
            f"The target {target} writes into {which} that the source {source} reads: its"
            " next crawl finds what is written there, too."
        )
    for first, second in combinations(written, 2):
        if is_one(written[first], written[second]):
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
    addresses = _addresses(connector, kind)
    if not addresses:
        return None
    within = [getattr(options, name, "") or usual for name, usual in _WITHIN[kind].items()]
    database = options.complete_url().database if isinstance(options, DatabaseLogin) else ""
    return _Catalog(addresses, (kind, database, *within))


def _addresses(connector: Connector, kind: str) -> frozenset[SourceAddress]:
    """The names of the server by which it is reached, each as every spelling has it."""
    options = connector.options
    if isinstance(options, MetastoreLogin):
        named = options.addresses()
    else:
        uri = getattr(options, "uri", "") or ""
        first = connector.address() or address_of_catalog(uri, kind)
        named = frozenset([first] if first else ())
    return frozenset(source_address.canonical() for source_address in named)
