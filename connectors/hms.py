"""Sources `hms` and `iceberg-hive`: a Hive Metastore as Hive, and as an Iceberg catalog.

`hms` reads every view, in whichever engine's format it is stored. `iceberg-hive` reads those that
Iceberg's HiveCatalog shows. Where a configuration has both for one metastore, what the second reads
is left to it, so each view counts once.
"""

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from connectors.clients.metastore import Metastore
from connectors.clients.metastore_events import MetastoreEvents
from connectors.clients.metastore_files import MetadataFileOptions
from connectors.clients.metastore_options import probe_metastore
from connectors.clients.metastore_source import EntrySource
from connectors.clients.table_types import list_names_by_type
from connectors.clients.thrift.login import DEFAULT_CATALOG
from discovery.event_log import LoggedEvent
from discovery.functions import Function
from discovery.model import Identifier
from discovery.outcomes import NOT_ICEBERG, READ_AS_ICEBERG, Failure, Listed, Skipped
from discovery.patterns import Patterns
from discovery.ports import Probe
from discovery.rewriting import Rewriting
from discovery.rights import hive
from discovery.rights.model import Grant, Membership


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(MetadataFileOptions):
    """How to reach and crawl a Hive Metastore.

    Attributes:
        include: Globs over `database` and `database.name`; empty means everything.
        exclude: Globs of what is left out; wins over `include`.
        batch: How many entries are fetched by one call.
        rewrite: Folders from which files have moved, each with the folder below which to read them
            now: the longest that an entry's location lies below counts.
        as_iceberg: What other sources read of this metastore as Iceberg, by name; not configured.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    batch: int = 250
    rewrite: Mapping[str, str] = field(default_factory=dict)
    as_iceberg: Mapping[str, Patterns] = field(default_factory=dict, metadata={"configured": False})

    def __post_init__(self) -> None:
        MetadataFileOptions.__post_init__(self)
        Rewriting.of(self.rewrite)

    def place(self) -> tuple[set[tuple[str, int]], str]:
        """Addresses and catalog: two sources that share both read the same metastore."""
        addresses = {(endpoint.host, endpoint.port) for endpoint in self.endpoints()}
        return addresses, self.catalog or DEFAULT_CATALOG

    def beside(self, others: Mapping[str, "Options"]) -> "Options":
        """These options, knowing which of other sources read the same metastore as Iceberg."""
        addresses, catalog = self.place()
        shared = {
            name: Patterns(other.include, other.exclude)
            for name, other in others.items()
            if other.place()[1] == catalog and other.place()[0] & addresses
        }
        return replace(self, as_iceberg=shared)


class HiveMetastore(EntrySource[Metastore]):
    """A Hive Metastore as a source of views; it can also say what its tables are."""

    def __init__(self, options: Options) -> None:
        client = Metastore(options)
        super().__init__(options, client)
        self._names_by_type = partial(list_names_by_type, client)
        self._options, self._as_iceberg = options, options.as_iceberg

    def catalogs(self) -> list[str]:
        """The names of the metastore's catalogs, sorted."""
        return self._client.catalogs()

    def probe(self) -> Probe:
        """Connect, log in, ask for the version and the databases."""
        return probe_metastore(self._client, self._options)

    def pulse(self) -> None:
        """A database by its name: it costs the server a look into its own database.

        Asked as a task is, so that a server which is just started again has time to come back.
        """
        with self._client.task():
            self._client.database("default")

    def mark(self) -> LoggedEvent:
        """The last event that the metastore has recorded."""
        with closing(MetastoreEvents(self._options)) as events:
            return events.last()

    def read_changes(self, since: LoggedEvent) -> Iterator[Identifier]:
        """What its events since then are about."""
        with closing(MetastoreEvents(self._options)) as events:
            for database, name in events.read_changes(since):
                yield Identifier((database,), name)

    def grants(self) -> Iterator[Grant | Membership | Failure]:
        """All that the metastore keeps, in one answer, and the members of each role.

        Whether an engine heeds them, or asks Ranger or files instead, is not known to it.
        """
        # the bindings of Hive 4 have the catalog of a grant, of which a newer server has many
        with closing(Metastore(self._options, bindings=DEFAULT_CATALOG)) as client:
            for stated in client.privileges():
                if (grant := hive.grant(stated)) is not None and self._is_here(stated):
                    yield grant
            for role in client.roles():
                yield from map(hive.membership, client.members(role))

    def _is_here(self, privilege: Mapping[str, Any]) -> bool:
        """Whether a grant is on something of the catalog that is crawled."""
        catalog = privilege["hiveObject"].get("catName") or DEFAULT_CATALOG
        return bool(catalog.lower() == (self._options.catalog or DEFAULT_CATALOG).lower())

    def _skipped(self, listed: Listed, *, is_iceberg: bool) -> Skipped | None:
        """Why an entry is not read here; None if it is."""
        if is_iceberg:
            for source, patterns in self._as_iceberg.items():
                within = patterns.allows_namespace(listed.namespace)
                if within and patterns.allows(listed.namespace, listed.name):
                    return Skipped(listed, READ_AS_ICEBERG, f"by the source {source}")
        return None


class IcebergHive(HiveMetastore):
    """A Hive Metastore as Iceberg's HiveCatalog shows it: the other views are not its own."""

    def functions(self) -> Iterator[Function | Failure]:
        """None: Iceberg has no functions."""
        return iter(())

    def _skipped(self, listed: Listed, *, is_iceberg: bool) -> Skipped | None:
        return None if is_iceberg else Skipped(listed, NOT_ICEBERG)
