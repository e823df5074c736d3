"""Source `iceberg-jdbc`: the views of an Iceberg JDBC catalog, which keeps its pointers in SQL.

Its tables are `iceberg_tables` and `iceberg_namespace_properties` (Iceberg's JdbcCatalog, schema V0
and V1). Levels of a namespace are joined by dots there, so a level that contains a dot cannot be
told from two. Whatever a view is stands in its metadata file.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from sqlalchemy import make_url, select

from connectors.clients import lines, sql
from connectors.clients.credentials import Secret
from connectors.clients.files import FileAccess, stated_warehouse
from connectors.iceberg.pointers import (
    DRIVERS,
    OBJECTS,
    PROPERTIES,
    VIEW,
    Pointers,
    at,
    check_url,
)
from discovery.errors import BelvedereError, DecodeError, FileUnreadableError, ListingError
from discovery.formats import iceberg_metadata, iceberg_table
from discovery.locations import Bounds
from discovery.model import Identifier, dotted
from discovery.outcomes import Failure, Kind, Listed, RawObject, Stage
from discovery.patterns import Patterns
from discovery.ports import CrawlTask, Probe, ViewSource
from discovery.rewriting import Rewriting


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(sql.DatabaseLogin):
    """How to reach and crawl an Iceberg JDBC catalog.

    Attributes:
        url: `postgresql://host:port/database`, `mysql://…`, `mariadb://…` or
            `sqlite:////absolute/path`, without user and password.
        catalog: Its name in the tables (`catalog_name`); left out, the only one that is there.
        include: Globs over `namespace` and `namespace.name`; empty means everything.
        exclude: Globs of what is left out; wins over `include`.
        connections: How many at a time, over all executors.
        batch: How many views make a task; their files are read side by side.
        timeout: Seconds for connecting and for each statement.
        io: Properties of pyiceberg's FileIO, for the metadata files.
        locations: Below which these files may lie; left out, `warehouse` in `io`, the folder of a
            SQLite database, and the location that the catalog states of a namespace, which opens no
            files of this machine.
        rewrite: Folders from which files have moved, each with the folder below which to read them
            now: the longest that an entry's location lies below counts.
    """

    schemes: ClassVar[tuple[str, ...]] = tuple(DRIVERS)

    catalog: str | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    connections: int = 2
    batch: int = 250
    timeout: float = 30.0
    io: Mapping[str, str | Secret] = field(default_factory=dict)
    locations: tuple[str, ...] = ()
    rewrite: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        sql.DatabaseLogin.__post_init__(self)
        check_url(self.url)
        self.bounds()
        Rewriting.of(self.rewrite)

    def address(self) -> None:
        """Not told: where the catalog's tables stand is no place of what they hold.

        OpenLineage's clients name such tables by their files alone.
        """

    def bounds(self) -> Bounds:
        """Where metadata files may lie, as far as the configuration says.

        Raises:
            ConfigurationError: A location is none.
        """
        place = make_url(self.url)
        is_file = place.get_backend_name() == "sqlite" and place.database
        beside = str(Path(str(place.database)).parent) if is_file else None
        return Bounds.of(self.locations, stated_warehouse(self.io), beside)


class JdbcCatalog(ViewSource):
    """An Iceberg JDBC catalog as a source of views."""

    def __init__(self, options: Options) -> None:
        self.connections, self.batch = options.connections, options.batch
        self._patterns = Patterns(options.include, options.exclude)
        self._files = FileAccess(options.io, Rewriting.of(options.rewrite))
        self._bounds = options.bounds()
        self._pointers = Pointers(options, options.timeout)
        self._wanted_catalog = options.catalog
        self._found_catalog: str | None = None

    def close(self) -> None:
        """Close the connection."""
        self._pointers.close()

    def fold(self, name: str) -> str:
        """Iceberg keeps names as they were given: two may differ only by case."""
        return name

    def probe(self) -> Probe:
        """Connect, look for the tables and the catalog in them."""
        self._pointers.impatient()
        has_views, catalog = self._pointers.has_views(), self._find_catalog()
        version = f"{self._pointers.database}, catalog {catalog!r}, schema V{int(has_views)}"
        old = "schema V0 has no views: Iceberg adds them with jdbc.schema-version=V1"
        return Probe(version, () if has_views else (old,))

    def listing(self) -> Iterator[Listed | Failure]:
        """Namespaces with those above them, and what they hold."""
        yield from self._pointers.listing(self._find_catalog(), self._patterns)

    def load(self, task: CrawlTask) -> Iterator[RawObject | Failure]:
        """Properties of the namespaces, pointers of the views at once, then their files."""
        spaces = [object_ for object_ in task.objects if object_.kind is Kind.NAMESPACE]
        if spaces:
            yield from self._read_namespaces(spaces)
        views = {
            (dotted(object_.namespace), object_.name): object_
            for object_ in task.objects
            if object_.kind is not Kind.NAMESPACE
        }
        if views and self._pointers.has_views():
            for listed, kind, payload, content in self._read_pointed(views, has_views=True):
                if kind == VIEW:
                    yield _view(listed, payload, content)

    def load_tables(self, names: Sequence[Identifier]) -> Iterator[RawObject | Failure]:
        """The current schemas of named tables; of a view its metadata."""
        wanted = {
            (dotted(identifier.namespace), identifier.name): Listed(
                identifier.namespace, identifier.name, Kind.TABLE
            )
            for identifier in sorted(names, key=str)
        }
        has_views = self._pointers.has_views()
        for listed, kind, payload, content in self._read_pointed(wanted, has_views=has_views):
            if kind == VIEW:
                yield _view(listed, payload, content)
            else:
                yield _table(listed, payload, content)

    def _read_namespaces(self, wanted: Sequence[Listed]) -> Iterator[RawObject]:
        by_name = {dotted(listed.namespace): listed for listed in wanted}
        properties: dict[str, dict[str, str]] = {name: {} for name in by_name}
        if self._pointers.has(PROPERTIES):
            columns = PROPERTIES.c["namespace", "property_key", "property_value"]
            query = select(*columns).where(PROPERTIES.c.catalog_name == self._find_catalog())
            for name, key, value in self._pointers.rows(
                query.where(PROPERTIES.c.namespace.in_(by_name))
            ):
                if name in properties:  # a collation may ignore case
                    properties[name][key] = value
        for name, listed in by_name.items():
            payload = {
                "catalog": self._find_catalog(),
                "namespace": list(listed.namespace),
                "properties": properties[name],
            }
            yield lines.raw_object(listed, "iceberg_namespace", payload)

    def _read_pointed(
        self, wanted: Mapping[tuple[str, str], Listed], *, has_views: bool
    ) -> Iterator[tuple[Listed, str | None, dict[str, object], bytes | BelvedereError]]:
        """Of everything that is there: its type, where its metadata is, and the file."""
        columns = [*OBJECTS.c["table_namespace", "table_name", "metadata_location"]]
        if has_views:
            columns.append(OBJECTS.c.iceberg_type)
        query = select(*columns).where(at(self._find_catalog(), wanted))
        rows = self._pointers.rows(query) if wanted else ()
        places = self._look_up_places({row[0] for row in rows})
        stated = {row[2]: places.get(row[0], ()) for row in rows if row[2]}
        contents = self._files.read_below(stated, self._bounds)
        for space, name, uri, *kind in rows:
            listed = wanted.get((space, name))
            if listed is not None:  # as above
                payload: dict[str, object] = {
                    "catalog": self._find_catalog(),
                    "namespace": list(listed.namespace),
                    "name": listed.name,
                    "metadata-location": uri,
                }
                none = FileUnreadableError("there is no metadata location")
                yield listed, kind[0] if kind else None, payload, contents.get(uri or "", none)

    def _look_up_places(self, spaces: Collection[str]) -> dict[str, tuple[str]]:
        """Where the catalog says that views of namespaces lie; nothing if that is configured."""
        if self._bounds.closed or not spaces or not self._pointers.has(PROPERTIES):
            return {}
        query = select(*PROPERTIES.c["namespace", "property_value"]).where(
            PROPERTIES.c.catalog_name == self._find_catalog(),
            PROPERTIES.c.property_key == "location",
            PROPERTIES.c.namespace.in_(spaces),
        )
        return {name: (place,) for name, place in self._pointers.rows(query) if place}

    def _find_catalog(self) -> str:
        """The name of the catalog in the tables."""
        if self._found_catalog is None:
            names = {
                name
                for table in (OBJECTS, PROPERTIES)
                if self._pointers.has(table)
                for (name,) in self._pointers.rows(select(table.c.catalog_name).distinct())
            }
            self._found_catalog = self._chosen(sorted(names))
        return self._found_catalog

    def _chosen(self, catalogs: Sequence[str]) -> str:
        wanted = self._wanted_catalog
        if wanted is not None and (wanted in catalogs or not catalogs):
            return wanted
        if wanted is None and len(catalogs) <= 1:
            return catalogs[0] if catalogs else ""
        has_many = wanted is None
        why = f"has {len(catalogs)} catalogs" if has_many else f"has no catalog {wanted!r}"
        hint = f"set catalog to one of {', '.join(catalogs)}"
        raise ListingError(f"iceberg_tables {why}", hint=hint)


def _view(listed: Listed, payload: Mapping[str, Any], content: bytes | BelvedereError) -> RawObject:
    uri = payload["metadata-location"]
    return lines.with_view_metadata(listed, "iceberg_view", payload, uri, content)


def _table(
    listed: Listed, payload: Mapping[str, Any], content: bytes | BelvedereError
) -> RawObject | Failure:
    if not isinstance(content, bytes):
        return Failure.of(listed, Stage.READ, content)
    try:
        schema = iceberg_table.schema(iceberg_metadata.opened(content))
    except DecodeError as error:
        return Failure.of(listed, Stage.DECODE, error)
    return lines.raw_object(listed, "iceberg_table", {**payload, "schema": schema})
