"""A metastore as a source: how its entries are listed and fetched, whoever answers for it."""

from collections import defaultdict
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import groupby
from typing import Any, Final, Generic, Protocol, TypeVar

from connectors.clients import lines
from connectors.clients.metastore_files import FileOptions, MetadataFiles, StatedPlaces
from connectors.clients.metastore_functions import function_of
from connectors.clients.table_types import KINDS, TypedNames, list_typed_names
from connectors.clients.thrift.causes import LoginError
from discovery.asked import contradiction, of_other_catalog
from discovery.chunks import chunks
from discovery.errors import BelvedereError, ReadError, UnreachableError
from discovery.formats import iceberg
from discovery.functions import Function
from discovery.model import Identifier
from discovery.namespaces import Levels
from discovery.outcomes import Failure, Kind, Listed, RawObject, Skipped, Stage
from discovery.patterns import Patterns
from discovery.ports import CrawlTask, ViewSource
from discovery.rewriting import Rewriting
from discovery.rights.model import RightsModel

_GROWTH: Final = 10  # times the databases of the chunk before; the first has one
_LARGEST_CHUNK: Final = 500  # databases
_ROWS_A_CALL: Final = 20_000
_HUNG: Final = 3
_MANY: Final = 50  # objects in a database: a question for each type costs less than theirs

_NamesByType = Callable[[str], list[tuple[str, str]] | None]
"""Name and type of every object of a database, by names alone; None: not all are told so."""


class EntryClient(TypedNames, StatedPlaces, Protocol):
    """What answers for a metastore, by the field names of the Thrift IDL.

    A LoginError is of the whole metastore: asking for less would meet it again.
    """

    def close(self) -> None:
        """Drop the connection; the next call opens another."""

    def open(self) -> None:
        """Connect, patiently where it has been there.

        Raises:
            BelvedereError: It does not answer, or does not let us in.
        """

    def task(self) -> AbstractContextManager[None]:
        """Bound the waiting of all calls within."""

    def databases(self) -> list[str | None]:
        """The names of all databases, sorted; None at the end where one has none."""

    def tables(self, database: str, names: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Entries of a database; names that are gone are left out.

        Raises:
            BelvedereError: One of them cannot be told.
        """

    def functions(self) -> Iterator[dict[str, Any]]:
        """Every function."""


Client = TypeVar("Client", bound=EntryClient)


class EntryOptions(FileOptions, Protocol):
    """What the options of every metastore say of its crawl."""

    @property
    def catalog(self) -> str | None:
        """Of the metastore; None: its default one."""

    @property
    def connections(self) -> int:
        """How many at a time, over all executors."""

    @property
    def batch(self) -> int:
        """How many entries are fetched by one call."""

    @property
    def rewrite(self) -> Mapping[str, str]:
        """Folders that files have moved from, and to."""

    @property
    def include(self) -> tuple[str, ...]:
        """Globs over `database` and `database.name`."""

    @property
    def exclude(self) -> tuple[str, ...]:
        """Globs of what is left out."""


class EntrySource(ViewSource, Generic[Client]):
    """A metastore as a source of views; it can also say what its tables are.

    Args:
        options: How it is crawled.
        client: What answers; its first call connects.
    """

    rights_model = RightsModel.HIVE

    def __init__(self, options: EntryOptions, client: Client) -> None:
        self.connections, self.batch = options.connections, options.batch
        self._catalog = options.catalog
        self._patterns = Patterns(options.include, options.exclude)
        self._hung = 0  # databases in a row
        self._client = client
        self._names_by_type: _NamesByType | None = None
        self._files = MetadataFiles(options, client, Rewriting.of(options.rewrite))

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def fold(self, name: str) -> str:
        """A metastore keeps names in lower case."""
        return name.lower()

    def listing(self) -> Iterator[Listed | Failure]:
        """Names and types by chunks of databases; one that fails is asked by database.

        An answer tells how many databases make the next chunk: enough for few calls, few enough
        that an answer fits in memory. Where databases have many objects, names are asked for
        by type, if that costs the server less.
        """
        names, size = self._client.databases(), 1
        databases = [name for name in names if name and self._patterns.allows_namespace((name,))]
        while databases:
            chunk, databases = databases[:size], databases[size:]
            objects = defaultdict(list)
            try:
                for database, *named in self._client.table_types(chunk):
                    objects[database].append(named)
            except LoginError:
                raise
            except BelvedereError:
                yield from self._list_one_by_one(chunk)
                continue
            for database in chunk:
                yield from self._listed(database, objects[database])
            count = sum(map(len, objects.values()))
            if count >= _MANY * len(chunk):
                databases = yield from self._list_by_type(databases)
            as_full = len(chunk) * _ROWS_A_CALL // (count + 1)
            size = max(1, min(_LARGEST_CHUNK, len(chunk) * _GROWTH, as_full))
        if None in names:
            why = "a database has no name (NULL): nobody can ask for it, or for what it holds"
            yield Failure.of(Listed((), "", Kind.SOURCE), Stage.LIST, ReadError(why))

    def load(self, task: CrawlTask) -> Iterator[RawObject | Failure | Skipped]:
        """Fetch in batches; one that fails is halved until what causes it stands alone."""
        with self._client.task():
            yield from self._load_task(task)

    def _load_task(self, task: CrawlTask) -> Iterator[RawObject | Failure | Skipped]:
        objects = sorted(task.objects, key=self._order)
        for (database,), group in groupby(objects, lambda listed: listed.namespace):
            wanted: dict[str, Listed] = {}
            for listed in group:
                if listed.kind is Kind.NAMESPACE:
                    yield from self._read_database(listed, database)
                elif (other := wanted.setdefault(self.fold(listed.name), listed)) is not listed:
                    why = f"it is listed beside {other.name!r}, and both are asked for alike"
                    yield Failure.of(listed, Stage.READ, ReadError(why))
            for names in chunks(wanted, self.batch):
                yield from self._fetch(database, {name: wanted[name] for name in names})

    def _order(self, listed: Listed) -> tuple[Levels, bool]:
        """By database; of names that are asked for alike, the one as it is kept comes first."""
        return listed.namespace, listed.name != self.fold(listed.name)

    def load_tables(self, names: Sequence[Identifier]) -> Iterator[RawObject | Failure | Skipped]:
        """The entries of named tables; there is none but in a database."""
        alike = {
            (identifier.namespace, self.fold(identifier.name)): identifier
            for identifier in sorted(names, key=str)
            if len(identifier.namespace) == 1
        }
        listed = (Listed(place.namespace, place.name, Kind.TABLE) for place in alike.values())
        return self.load(CrawlTask("", tuple(listed)))

    def fold_function(self, name: str) -> str:
        """Hive compares names in lower case."""
        return name.lower()

    def functions(self) -> Iterator[Function | Failure]:
        """Those of all databases: classes of Java, and Trino's own."""
        for function in self._client.functions():
            yield function_of(function)

    def _skipped(self, listed: Listed, *, is_iceberg: bool) -> Skipped | None:  # noqa: ARG002 - all are
        """Why an entry is not read here; None if it is."""
        return None

    def _listed(
        self, database: str, objects: Collection[Sequence[str | None]]
    ) -> Iterator[Listed | Failure]:
        """The database and what it holds; a failure of it where something there has no name.

        A name that is listed twice is one object: nobody can ask for the other.
        """
        kinds = {name: kind or "" for name, kind in objects if name is not None}
        if nameless := sum(name is None for name, _ in objects):
            why = f"{nameless} of its objects without a name (NULL): nobody can ask for such a one"
            yield _unlisted(database, ReadError(why))
        else:
            yield Listed((database,), "", Kind.NAMESPACE)
        for name, kind in sorted(kinds.items()):
            if self._patterns.allows((database,), name):
                yield Listed((database,), name, KINDS.get(kind, Kind.UNDECIDED))

    def _list_by_type(self, databases: list[str]) -> Generator[Listed | Failure, None, list[str]]:
        """Databases by names alone, up to the first that is not told so; that, and what is left."""
        for at, database in enumerate(databases):
            objects = self._names_by_type and self._names_by_type(database)
            if objects is None:
                self._names_by_type = None
                return databases[at:]
            yield from self._listed(database, objects)
        return []

    def _list_one_by_one(self, databases: Iterable[str]) -> Iterator[Listed | Failure]:
        """Each database by itself, until several in a row are left without an answer.

        Raises:
            UnreachableError: They are: the server hangs, and those that follow would, too.
        """
        for database in databases:
            for answer in self._list_alone(database):
                hung = isinstance(answer, Failure) and answer.code == UnreachableError.code
                self._hung = self._hung + 1 if hung else 0
                yield answer
            if self._hung >= _HUNG:
                why = f"listing given up: {_HUNG} databases in a row were left without an answer"
                raise UnreachableError(why, hint="see its log; a longer timeout, if it is slow")

    def _list_alone(self, database: str) -> Iterator[Listed | Failure]:
        try:
            objects = list_typed_names(self._client, database)
        except LoginError:
            raise
        except BelvedereError as error:
            yield _unlisted(database, error)
        else:
            yield from self._listed(database, objects)

    def _read_database(
        self, listed: Listed, name: str, *, again: bool = True
    ) -> Iterator[RawObject | Failure | Skipped]:
        try:
            entry = self._client.database(name)
        except LoginError:
            raise
        except BelvedereError as error:
            dropped = isinstance(error, UnreachableError)
            if dropped:
                self._client.open()  # as below
            if dropped and again:
                yield from self._read_database(listed, name, again=False)
            else:
                yield Failure.of(listed, Stage.READ, error)
        else:
            if entry is None:
                return
            if (mistake := self._misled(entry, "catalogName")) is not None:
                yield Failure.of(listed, Stage.READ, mistake)
            else:
                yield lines.raw_object(listed, "hive_database", entry)

    def _fetch(
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
                yield from self._fetch(database, part, again=False)
            if not parts:
                yield from (Failure.of(listed, Stage.READ, error) for listed in wanted.values())
        else:
            yield from self._add_files(database, tables, wanted)
            returned = {self.fold(str(table.get("tableName"))) for table in tables}
            if missing := [listed for name, listed in wanted.items() if name not in returned]:
                yield from self._find_unreturned(database, missing)

    def _find_unreturned(self, database: str, missing: Iterable[Listed]) -> Iterator[Failure]:
        """Those that are still there, under names that the server trims or folds when asked."""
        names = set(self._client.table_names(database))
        for listed in missing:
            if listed.name in names:
                why = f"it is listed, but {listed.name!r} is not returned"
                yield Failure.of(listed, Stage.READ, ReadError(why))

    def _misled(self, entry: Mapping[str, Any], field: str) -> ReadError | None:
        """Why an entry is not of the catalog that was asked for; None: it is."""
        return of_other_catalog(entry.get(field), self._catalog)

    def _add_files(
        self, database: str, tables: Sequence[dict[str, Any]], wanted: Mapping[str, Listed]
    ) -> Iterator[RawObject | Failure | Skipped]:
        pairs, entries = [], defaultdict(list)
        for table in tables:
            entries[self.fold(str(table.get("tableName")))].append(table)
        for name, (table, *others) in entries.items():
            if (listed := wanted.get(name)) is None:
                continue
            skipped = self._skipped(listed, is_iceberg=_is_iceberg(table))
            mistake = contradiction([table, *others]) or self._misled(table, "catName")
            if mistake is not None:
                yield Failure.of(listed, Stage.READ, mistake)
            elif skipped is None:
                pairs.append((listed, table))
            else:
                yield skipped
        uris = list(filter(None, (_metadata_location(table) for _, table in pairs)))
        contents = self._files.read(dict.fromkeys(uris, database))
        for listed, table in pairs:
            uri = _metadata_location(table)
            content = contents.get(uri or "")
            yield lines.with_view_metadata(listed, "hive_table", table, uri, content)


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
