"""Sources of every catalog of a metastore (`catalog: "*"`): each catalog is a source of its own.

`lake` becomes `lake.hive`, `lake.prod` and so on, in runs, in rules and wherever else a source is
named: docs/adr/0012-each-catalog-of-a-metastore-is-a-source.md says why.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

from connectors import registry
from connectors.registry import Connector
from discovery.errors import BelvedereError
from jobs.configuration.loader import RunConfig
from jobs.configuration.names import EVERY, catalog_of, source_of


@runtime_checkable
class CatalogSource(Protocol):
    """A source of one catalog of a system that may have several."""

    def catalogs(self) -> list[str]:
        """The names of all, sorted. Does I/O.

        Raises:
            BelvedereError: It has none, or does not tell.
        """


def spread(config: RunConfig) -> RunConfig:
    """The configuration with a source for each catalog that there is. Does I/O.

    A metastore that does not tell its catalogs stays one source: who lists it meets the same error.
    """
    return _parted(
        config,
        {name: _list_catalogs(connector) for name, connector in _catalog_wide_sources(config)},
    )


def as_crawled(config: RunConfig, sources: Iterable[str]) -> RunConfig:
    """The configuration with the sources of a run, without asking.

    Args:
        config: As the file has it, or spread already.
        sources: Names of those of the run.
    """
    run_sources = tuple(sources)
    catalogs = {
        name: [catalog for source in run_sources if (catalog := catalog_of(source, name))]
        for name, _ in _catalog_wide_sources(config)
    }
    return _parted(config, catalogs)


def _catalog_wide_sources(config: RunConfig) -> Iterator[tuple[str, Connector]]:
    """The sources that crawl every catalog."""
    for name, source in config.sources.items():
        if getattr(source.options, "catalog", None) == EVERY:
            yield name, source


def _list_catalogs(connector: Connector) -> Sequence[str]:
    with connector.source() as source:
        try:
            return source.catalogs() if isinstance(source, CatalogSource) else ()
        except BelvedereError:
            return ()


def _parted(config: RunConfig, catalogs: Mapping[str, Sequence[str]]) -> RunConfig:
    """Each source in the place of which others come shares connections and rate out to them."""
    sources, care = dict[str, Connector](), dict(config.care)
    for name, source in config.sources.items():
        parts = catalogs.get(name, ())
        if not parts:
            sources[name] = source
        for catalog in parts:
            sources[source_of(name, catalog)] = _of_catalog(source, catalog, len(parts))
        if parts and (spared := care.pop(name, None)):
            rate = spared.rate and spared.rate / len(parts)
            care.update((source_of(name, part), replace(spared, rate=rate)) for part in parts)
    return replace(config, sources=registry.counted_once(sources), care=care)


def _of_catalog(connector: Connector, catalog: str, parts: int) -> Connector:
    shared = max(1, connector.options.connections // parts)
    options: Any = replace(connector.options, catalog=catalog, connections=shared)
    return replace(connector, options=options, stated={**connector.stated, "catalog": catalog})
