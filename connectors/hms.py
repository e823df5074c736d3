"""Sources `hms` and `iceberg-hive`: a Hive Metastore as Hive, and as an Iceberg catalog.

`hms` reads every view, in whichever engine's format it is stored. `iceberg-hive` reads those that
Iceberg's HiveCatalog shows. Where a configuration has both for one metastore, what the second reads
is left to it, so each view counts once.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, Final

from connectors.clients import lines
from connectors.clients.metastore import Metastore
from connectors.clients.metastore_events import MetastoreEvents
from connectors.clients.metastore_files import MetadataFileOptions, MetadataFiles
from connectors.clients.metastore_functions import function_of
from connectors.clients.metastore_options import probed
from connectors.clients.table_types import KINDS, typed_names
from connectors.clients.thrift.causes import LoginError
from connectors.clients.thrift.login import DEFAULT_CATALOG
from discovery.chunks import chunks
from discovery.errors import BelvedereError, UnreachableError
from discovery.event_log import LoggedEvent
from discovery.formats import iceberg
from discovery.functions import Function
from discovery.model import Identifier
from discovery.outcomes import (
    NOT_ICEBERG,
    READ_AS_ICEBERG,
    Failure,
    Kind,
    Listed,
    RawObject,
    Skipped,
    Stage,
)
from discovery.patterns import Patterns
from discovery.ports import CrawlTask, Probe, ViewSource
from discovery.rights import hive
from discovery.rights.model import Grant, Membership, RightsModel

_FIRST_CHUNK: Final = 10  # databases
_LARGEST_CHUNK: Final = 500
_ROWS_A_CALL: Final = 20_000
_HUNG: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(MetadataFileOptions):
    """How to reach and crawl a Hive Metastore.

    Attributes:
        include: Globs over `database` and `database.name`; empty means everything.
        exclude: Globs of what is left out; wins over `include`.
        batch: How many entries are fetched by one call.
        as_iceberg: What other sources read of this metastore as Iceberg, by name; not configured.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    batch: int = 250
    as_iceberg: Mapping[str, Patterns] = field(default_factory=dict, metadata={"configured": False})

    def place(self) -> tuple[set[tuple[str, int]], str]:
        """Addresses and catalog: two sources that share both read the same metastore."""
        addresses = {(one.host, one.port) for one in self.endpoints()}
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


class HiveMetastore(ViewSource):
    """A Hive Metastore as a source of views; it can also say what its tables are."""

    rights_model = RightsModel.HIVE

    def __init__(self, options: Options) -> None:
        self.connections, self.batch = options.connections, options.batch
        self._patterns = Patterns(options.include, options.exclude)
        self._as_iceberg = options.as_iceberg
        self._hung = 0  # databases in a row
        self._options, self._client = options, Metastore(options)
        self._files = MetadataFiles(options, self._client)

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def fold(self, name: str) -> str:
        """A metastore keeps names in lower case."""
        return name.lower()

    def probe(self) -> Probe:
        """Connect, log in, ask for the version and the databases."""
        return probed(self._client, self._options)

    def pulse(self) -> None:
        """A database by its name: it costs the server a look into its own database."""
        self._client.database("default")

    def mark(self) -> LoggedEvent:
        """The last event that the metastore has recorded."""
        with closing(MetastoreEvents(self._options)) as events:
            return events.last()

    def changed(self, since: LoggedEvent) -> Iterator[Identifier]:
        """What its events since then are about."""
        with closing(MetastoreEvents(self._options)) as events:
            for database, name in events.changed(since):
                yield Identifier((database,), name)

    def listing(self) -> Iterator[Listed | Failure]:
        """Names and types by chunks of databases; one that fails is asked by database.

        The first answer tells how many databases make the next chunk: enough for few calls, few
        enough that an answer fits in memory.
        """
        databases, size = self._databases(), _FIRST_CHUNK
        while databases:
            chunk, databases = databases[:size], databases[size:]
            try:
                found = sorted(self._client.table_types(chunk))
            except LoginError:
                raise
            except BelvedereError:
                yield from self._listed_one_by_one(chunk)
                continue
            objects = {name: list(rows) for name, rows in groupby(found, lambda row: row[0])}
            for database in chunk:
                yield from self._listed(database, objects.get(database, ()))
            size = max(1, min(_LARGEST_CHUNK, len(chunk) * _ROWS_A_CALL // (len(found) + 1)))

    def load(self, task: CrawlTask) -> Iterator[RawObject | Failure | Skipped]:
        """Fetch in batches; one that fails is halved until what causes it stands alone."""
        with self._client.task():
            yield from self._loaded(task)

    def _loaded(self, task: CrawlTask) -> Iterator[RawObject | Failure | Skipped]:
        objects = sorted(task.objects, key=lambda listed: listed.namespace)
        for (database,), group in groupby(objects, lambda listed: listed.namespace):
            wanted: dict[str, Listed] = {}
            for listed in group:
                if listed.kind is Kind.NAMESPACE:
                    yield from self._database(listed, database)
                else:
                    wanted[self.fold(listed.name)] = listed
            for names in chunks(wanted, self.batch):
                yield from self._fetched(database, {name: wanted[name] for name in names})

    def load_tables(self, names: Sequence[Identifier]) -> Iterator[RawObject | Failure | Skipped]:
        """The entries of named tables."""
        listed = tuple(
            Listed(one.namespace, one.name, Kind.TABLE) for one in sorted(names, key=str)
        )
        return self.load(CrawlTask("", listed))

    def fold_function(self, name: str) -> str:
        """Hive compares names in lower case."""
        return name.lower()

    def functions(self) -> Iterator[Function | Failure]:
        """Those of all databases: classes of Java, and Trino's own."""
        for found in self._client.functions():
            yield function_of(found)

    def grants(self) -> Iterator[Grant | Membership | Failure]:
        """All that the metastore keeps, in one answer, and the members of each role.

        Whether an engine heeds them, or asks Ranger or files instead, is not known to it.
        """
        # the bindings of Hive 4 have the catalog of a grant, of which a newer server has many
        with closing(Metastore(self._options, bindings=DEFAULT_CATALOG)) as client:
            for stated in client.privileges():
                if (found := hive.grant(stated)) is not None and self._is_here(stated):
                    yield found
            for role in client.roles():
                yield from map(hive.membership, client.members(role))

    def _is_here(self, privilege: Mapping[str, Any]) -> bool:
        """Whether a grant is on something of the catalog that is crawled."""
        named = privilege["hiveObject"].get("catName") or DEFAULT_CATALOG
        return bool(named.lower() == (self._options.catalog or DEFAULT_CATALOG).lower())

    def _skipped(self, listed: Listed, *, is_iceberg: bool) -> Skipped | None:
        """Why an entry is not read here; None if it is."""
        if is_iceberg:
            for source, patterns in self._as_iceberg.items():
                within = patterns.allows_namespace(listed.namespace)
                if within and patterns.allows(listed.namespace, listed.name):
                    return Skipped(listed, READ_AS_ICEBERG, f"by the source {source}")
        return None

    def _databases(self) -> list[str]:
        names = self._client.databases()
        return [name for name in names if self._patterns.allows_namespace((name,))]

    def _listed(
        self, database: str, found: Iterable[tuple[str, str, str | None]]
    ) -> Iterator[Listed]:
        yield Listed((database,), "", Kind.NAMESPACE)
        for _, name, kind in found:
            if self._patterns.allows((database,), name):
                yield Listed((database,), name, KINDS.get(kind or "", Kind.UNDECIDED))

    def _listed_one_by_one(self, databases: Iterable[str]) -> Iterator[Listed | Failure]:
        """Each database by itself, until several in a row are left without an answer.

        Raises:
            UnreachableError: They are: the server hangs, and those that follow would, too.
        """
        for database in databases:
            for answer in self._listed_alone(database):
                hung = isinstance(answer, Failure) and answer.code == UnreachableError.code
                self._hung = self._hung + 1 if hung else 0
                yield answer
            if self._hung >= _HUNG:
                why = f"listing given up: {_HUNG} databases in a row were left without an answer"
                raise UnreachableError(why, hint="see its log; a longer timeout, if it is slow")

    def _listed_alone(self, database: str) -> Iterator[Listed | Failure]:
        try:
            found = typed_names(self._client, database)
        except LoginError:
            raise
        except BelvedereError as error:
            yield _unlisted(database, error)
        else:
            yield from self._listed(database, [(database, *one) for one in found])

    def _database(self, listed: Listed, name: str) -> Iterator[RawObject | Failure | Skipped]:
        try:
            found = self._client.database(name)
        except (LoginError, UnreachableError):
            raise
        except BelvedereError as error:
            yield Failure.of(listed, Stage.READ, error)
        else:
            if found is not None:
                yield lines.raw_object(listed, "hive_database", found)

    def _fetched(
        self, database: str, wanted: Mapping[str, Listed], *, again: bool = True
    ) -> Iterator[RawObject | Failure | Skipped]:
        try:
            tables = list(self._client.tables(database, list(wanted)))
        except LoginError:  # asking for less would try the same login again
            raise
        except BelvedereError as error:
            dropped = isinstance(error, UnreachableError)
            if dropped:
                self._client.open()  # if it is down for good, the whole task ends here
            parts = [wanted] if dropped and again else _halves(wanted)
            for part in parts:
                yield from self._fetched(database, part, again=False)
            if not parts:
                yield from (Failure.of(one, Stage.READ, error) for one in wanted.values())
        else:
            yield from self._with_files(database, tables, wanted)

    def _with_files(
        self, database: str, tables: Sequence[dict[str, Any]], wanted: Mapping[str, Listed]
    ) -> Iterator[RawObject | Skipped]:
        there = []
        for table in tables:
            listed = wanted.get(self.fold(str(table.get("tableName"))))
            if listed is None:
                continue
            skipped = self._skipped(listed, is_iceberg=_is_iceberg(table))
            if skipped is None:
                there.append((listed, table))
            else:
                yield skipped
        uris = list(filter(None, (_metadata_location(table) for _, table in there)))
        contents = self._files.read(dict.fromkeys(uris, database))
        for listed, table in there:
            uri = _metadata_location(table)
            content = contents.get(uri or "")
            yield lines.with_view_metadata(listed, "hive_table", table, uri, content)


class IcebergHive(HiveMetastore):
    """A Hive Metastore as Iceberg's HiveCatalog shows it: the other views are not its own."""

    def functions(self) -> Iterator[Function | Failure]:
        """None: Iceberg has no functions."""
        return iter(())

    def _skipped(self, listed: Listed, *, is_iceberg: bool) -> Skipped | None:
        return None if is_iceberg else Skipped(listed, NOT_ICEBERG)


def _halves(wanted: Mapping[str, Listed]) -> list[dict[str, Listed]]:
    """Two halves of what was asked for together; none of a single name."""
    names, middle = list(wanted), len(wanted) // 2
    halves = [names[:middle], names[middle:]] if middle else []
    return [{name: wanted[name] for name in half} for half in halves]


def _is_iceberg(table: Mapping[str, Any]) -> bool:
    """Whether the entry is an Iceberg view."""
    return iceberg.is_view(table.get("parameters") or {}, table.get("tableType"))


def _metadata_location(table: Mapping[str, Any]) -> str | None:
    """Where the metadata of an Iceberg view lies; None for every other entry."""
    location: str | None = (table.get("parameters") or {}).get("metadata_location")
    return location if _is_iceberg(table) else None


def _unlisted(database: str, error: BelvedereError) -> Failure:
    return Failure.of(Listed((database,), "", Kind.NAMESPACE), Stage.LIST, error)
