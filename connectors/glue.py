"""Source `glue`: the AWS Glue Data Catalog, every view in whichever engine's format it is stored.

Options have the names that Gravitino gives the properties of its Glue catalog. An answer to the
listing holds entries whole, so nothing is asked twice: the listing carries them as handles, and
loading reads only the metadata files of Iceberg views.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from connectors.clients import lines
from connectors.clients.aws import EntityNotFoundError, GlueClient, GlueLogin
from connectors.clients.credentials import Secret
from connectors.clients.files import FileAccess, stated_warehouse
from connectors.clients.json_texts import dumped, loaded
from connectors.clients.metastore_functions import as_kept
from connectors.clients.vanished import is_unlisted
from discovery.addresses import SourceAddress
from discovery.asked import without_contradictions
from discovery.chunks import chunks
from discovery.display import quantity
from discovery.errors import BelvedereError, ConfigurationError, GrantsNotToldError
from discovery.formats import glue_table, iceberg
from discovery.formats.hive_table import VIRTUAL_VIEW
from discovery.formats.not_views import TABLE_TYPES
from discovery.functions import JAVA, Function, FunctionFile
from discovery.locations import Bounds
from discovery.model import Identifier
from discovery.outcomes import Failure, Kind, Listed, RawObject, Stage
from discovery.patterns import Patterns
from discovery.ports import CrawlTask, Probe, ViewSource
from discovery.rewriting import Rewriting
from discovery.rights import lake_formation
from discovery.rights.model import Grant, RightsModel

_ALL: Final = "all"
_TABLE_FORMATS: Final = ("hive", "iceberg")  # in which Gravitino can create tables


def _named(name: str) -> dict[str, str]:
    return {"key": name}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to reach and crawl a Glue Data Catalog.

    Attributes:
        aws_region: AWS region of the catalog.
        aws_access_key_id: With `aws-secret-access-key` the static credentials; without both, AWS's
            default chain: environment, files, container, instance.
        aws_secret_access_key: By reference.
        aws_glue_catalog_id: Left out, the catalog of the caller's account.
        aws_glue_endpoint: URL of a VPC endpoint or of a test server.
        table_type_filter: Formats of the tables to list, separated by commas: `hive`, `iceberg`,
            `delta`, `hudi`, `parquet`, or `all`. Views are always listed.
        table_format_filter: The same by the name that Gravitino 1.3 gives it.
        default_table_format: Of tables that Gravitino creates: checked and without effect, as
            nothing here creates tables.
        warehouse: Where engines put new tables: for `belvedere engine-config`, and a location below
            which metadata files may lie.
        include: Globs over `database` and `database.name`; empty means everything.
        exclude: Globs of what is left out; wins over `include`.
        connections: How many executors read what was listed; Glue itself is asked by one.
        batch: How many entries make a task.
        timeout: Seconds for connecting and for each answer.
        attempts: How often a call is tried when Glue is busy; the pauses adapt to its rate.
        io: Properties of pyiceberg's FileIO, for the metadata files of Iceberg views.
        locations: Below which these files may lie; left out, the `warehouse` and the locations that
            Glue states of the view's database, but no files of this machine.
        rewrite: Folders from which files have moved, each with the folder below which to read them
            now: the longest that an entry's location lies below counts.
    """

    aws_region: str = field(metadata=_named("aws-region"))
    aws_access_key_id: str | Secret | None = field(
        default=None, metadata=_named("aws-access-key-id")
    )
    aws_secret_access_key: Secret | None = field(
        default=None, metadata=_named("aws-secret-access-key")
    )
    aws_glue_catalog_id: str | None = field(default=None, metadata=_named("aws-glue-catalog-id"))
    aws_glue_endpoint: str | None = field(default=None, metadata=_named("aws-glue-endpoint"))
    table_type_filter: str | None = field(default=None, metadata=_named("table-type-filter"))
    table_format_filter: str | None = field(default=None, metadata=_named("table-format-filter"))
    default_table_format: str | None = field(default=None, metadata=_named("default-table-format"))
    warehouse: str | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    connections: int = 4
    batch: int = 500
    timeout: float = 60.0
    attempts: int = 10
    io: Mapping[str, str | Secret] = field(default_factory=dict)
    locations: tuple[str, ...] = ()
    rewrite: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.bounds()
        Rewriting.of(self.rewrite)
        if _is_set(self.aws_access_key_id) != _is_set(self.aws_secret_access_key):
            hint = "give both, or none for AWS's default chain"
            raise ConfigurationError(
                "one of aws-access-key-id and aws-secret-access-key without the other", hint=hint
            )
        endpoint = self.aws_glue_endpoint
        if endpoint is not None and not endpoint.startswith(("http://", "https://")):
            hint = "write https://host:port, or leave it out for the region's own"
            raise ConfigurationError(f"aws-glue-endpoint: {endpoint!r} is no URL", hint=hint)
        if self.default_table_format not in {None, *_TABLE_FORMATS}:
            formats = ", ".join(_TABLE_FORMATS)
            raise ConfigurationError(
                f"default-table-format: {self.default_table_format!r} is none of {formats}"
            )
        self.formats_to_list()

    def address(self) -> SourceAddress:
        """Region and account; without a catalog id in the options, entries tell the account."""
        account = (self.aws_glue_catalog_id or "").partition(":")[0]
        number = account if account.isdecimal() else ""
        return SourceAddress("glue", region=self.aws_region, account=number)

    def bounds(self) -> Bounds:
        """Where metadata files may lie, as far as the configuration says.

        Raises:
            ConfigurationError: A location is none.
        """
        return Bounds.of(self.locations, self.warehouse, stated_warehouse(self.io))

    def formats_to_list(self) -> frozenset[str]:
        """The formats of the tables to list.

        Raises:
            ConfigurationError: One is unknown, or the two filters disagree.
        """
        given = {
            frozenset(word.strip().lower() for word in text.split(","))
            for text in (self.table_type_filter, self.table_format_filter)
            if text is not None
        }
        if len(given) > 1:
            raise ConfigurationError(
                "table-type-filter and table-format-filter are one filter by two names, and differ"
            )
        wanted = next(iter(given), frozenset({_ALL}))
        if unknown := wanted - {_ALL, *glue_table.STORED}:
            formats = ", ".join((_ALL, *glue_table.STORED))
            raise ConfigurationError(f"table-type-filter: {min(unknown)!r} is none of {formats}")
        return frozenset(glue_table.STORED) if _ALL in wanted else wanted

    def login(self) -> GlueLogin:
        """How to reach Glue."""
        key, secret = self.aws_access_key_id, self.aws_secret_access_key
        if not _is_set(key):  # blank means the default chain, as in Gravitino
            key = secret = None
        return GlueLogin(
            region=self.aws_region,
            access_key_id=Secret(key) if isinstance(key, str) else key,
            secret_access_key=secret,
            endpoint=self.aws_glue_endpoint,
            catalog_id=self.aws_glue_catalog_id,
            timeout=self.timeout,
            attempts=self.attempts,
        )


class Glue(ViewSource):
    """A Glue Data Catalog as a source of views; it can also say what its tables are.

    Who may do what, Lake Formation says.

    Attributes:
        region: The AWS region that the ARNs of its tables name.
    """

    rights_model = RightsModel.LAKE_FORMATION

    def __init__(self, options: Options) -> None:
        self._catalog = options.aws_glue_catalog_id
        self.connections, self.batch = options.connections, options.batch
        self.region = options.aws_region
        self._patterns = Patterns(options.include, options.exclude)
        self._files = FileAccess(options.io, Rewriting.of(options.rewrite))
        self._bounds = options.bounds()
        self._databases: Mapping[str, Mapping[str, Any]] | None = None  # once they were asked for
        self._stored = options.formats_to_list()
        self._problems = _without_effect(options)
        self._client = GlueClient(options.login())

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def fold(self, name: str) -> str:
        """Glue keeps names in lower case."""
        return name.lower()

    def probe(self) -> Probe:
        """Ask for the databases: a right that every crawl needs."""
        count = sum(1 for _ in self._client.databases())
        return Probe(f"AWS Glue, {quantity(count, 'database')}", self._problems)

    def listing(self) -> Iterator[Listed | Failure]:
        """Databases, each with its entries; a page that fails costs what comes after it."""
        for database in self._client.databases():
            name = str(database["Name"])
            if not self._patterns.allows_namespace((name,)):
                continue
            space = Listed((name,), "", Kind.NAMESPACE, _handle(database))
            if "TargetDatabase" in database:  # it is read where it is
                yield space
            else:
                yield from self._list_database(space)

    def load(self, task: CrawlTask) -> Iterator[RawObject | Failure]:
        """What the listing saw of each object, and the files that it points to."""
        for chunk in chunks(task.objects, self.batch):
            entries = [(listed, loaded(listed.handle)) for listed in chunk]
            yield from self._add_files(entries)

    def load_tables(self, names: Sequence[Identifier]) -> Iterator[RawObject | Failure]:
        """The entries of named tables, one call each; there is none but in a database.

        AWS takes names in any case, and documents lower case alone, which others insist on.
        """
        self._client.expect()
        for identifier in sorted((name for name in names if len(name.namespace) == 1), key=str):
            listed = Listed(identifier.namespace, identifier.name, Kind.TABLE)
            try:
                place = self.fold(identifier.namespace[0]), self.fold(identifier.name)
                entry = self._client.table(*place)
                if entry is not None:
                    entry = self._as_asked(listed, entry)
            except BelvedereError as error:
                yield Failure.of(listed, Stage.READ, error)
            else:
                if entry is not None:
                    yield from self._add_files([(listed, entry)])

    def fold_function(self, name: str) -> str:
        """Glue keeps names in lower case."""
        return name.lower()

    def functions(self) -> Iterator[Function | Failure]:
        """Those of all databases, classes of Java and Trino's own, as in Hive."""
        for function in self._client.functions():
            entry = Function(
                (function["DatabaseName"],),
                function["FunctionName"],
                language=JAVA,
                implementation=function.get("ClassName"),
                owner=function.get("OwnerName"),
                files=tuple(
                    FunctionFile(str(file.get("ResourceType", "")).lower(), file.get("Uri", ""))
                    for file in function.get("ResourceUris") or ()
                ),
            )
            yield as_kept(entry)

    def grants(self) -> Iterator[Grant | Failure]:
        """All permissions of Lake Formation in the catalog, and who has made its views.

        Raises:
            GrantsNotToldError: We are not known to be shown all.
        """
        own, caller = self._client.caller()
        catalog = self._catalog or own
        account = lake_formation.account(catalog)
        settings = self._client.data_lake_settings(account)
        if not lake_formation.sees_all(caller, settings):
            why = f"{caller} is no administrator of the data lake of {account}"
            advice = "is shown only a part of its permissions: make it a read-only administrator"
            raise GrantsNotToldError(f"{why}, and {advice}")
        yield from lake_formation.administrators(settings)
        for stated in self._client.permissions(catalog):
            yield from lake_formation.grants(stated, catalog)
        for database in self._client.databases():
            name = str(database["Name"])
            if self._patterns.allows_namespace((name,)) and "TargetDatabase" not in database:
                yield from self._read_creators(name)

    def _read_creators(self, database: str) -> Iterator[Grant | Failure]:
        """Who has made the views of a database."""
        try:
            for entry in self._client.tables(database):
                grant = lake_formation.creator(entry) if _kind(entry) is not Kind.TABLE else None
                if grant is not None:
                    yield grant
        except BelvedereError as error:
            if not self._is_dropped(database, error):
                yield Failure.of(Listed((database,), "", Kind.NAMESPACE), Stage.READ, error)

    def _list_database(self, space: Listed) -> Iterator[Listed | Failure]:
        """A database and its entries; if a page fails, its failure and the entries before.

        Of one that is dropped meanwhile there is nothing: nobody can have it, so nothing failed.
        """
        objects: list[Listed] = []
        first: Listed | Failure = space
        try:
            for entry in self._client.tables(space.namespace[0]):
                name = str(entry["Name"])
                if self._patterns.allows(space.namespace, name) and self._is_wanted(entry):
                    objects.append(Listed(space.namespace, name, _kind(entry), _handle(entry)))
        except BelvedereError as error:
            if self._is_dropped(space.namespace[0], error):
                return
            first = Failure.of(space, Stage.LIST, error)
        yield first
        yield from without_contradictions(objects, self.fold)

    def _is_dropped(self, database: str, error: BelvedereError) -> bool:
        """Whether an error means that a database is listed no more."""
        names = (str(entry["Name"]) for entry in self._client.databases())
        return isinstance(error, EntityNotFoundError) and is_unlisted(database, names)

    def _is_wanted(self, entry: Mapping[str, Any]) -> bool:
        """Whether an entry passes the filter by format, which is one of tables only."""
        if len(self._stored) == len(glue_table.STORED) or _kind(entry) is not Kind.TABLE:
            return True
        table = glue_table.read(RawObject(Listed((), ""), "glue_table", entry))
        return glue_table.storage(table) in self._stored

    def _add_files(self, entries: Sequence[tuple[Listed, dict[str, Any]]]) -> Iterator[RawObject]:
        stated = {
            uri: self._look_up_locations(listed.namespace[0])
            for listed, entry in entries
            if (uri := _metadata_location(entry)) is not None
        }
        contents = self._files.read_below(stated, self._bounds)
        for listed, entry in entries:
            kind = "glue_database" if listed.kind is Kind.NAMESPACE else "glue_table"
            uri = _metadata_location(entry)
            yield lines.with_view_metadata(listed, kind, entry, uri, contents.get(uri or ""))

    def _as_asked(self, listed: Listed, entry: dict[str, Any]) -> dict[str, Any]:
        """An entry as one of the database that was asked, where that is a link to its own.

        GetTable follows such a link, and answers with the database behind it (Lake Formation's
        developer guide, "Resource link handling in AWS Glue APIs", and an answer of AWS in issue
        1749 of go-to-k/cdk-real-drift).
        """
        database, stated = self.fold(listed.namespace[0]), entry.get("DatabaseName")
        if not stated or self.fold(stated) == database:
            return entry
        link = self._look_up(database).get("TargetDatabase") or {}
        catalogs = {entry.get("CatalogId"), link.get("CatalogId")} - {None}
        is_behind = self.fold(link.get("DatabaseName", "")) == self.fold(stated)
        return {**entry, "DatabaseName": database} if is_behind and len(catalogs) < 2 else entry

    def _look_up_locations(self, database: str) -> tuple[str, ...]:
        """Where Glue says that views of a database lie; nothing if that is configured."""
        if self._bounds.closed:
            return ()
        return (str(self._look_up(database).get("LocationUri") or ""),)

    def _look_up(self, database: str) -> Mapping[str, Any]:
        """What Glue says of a database; all of them are asked for once."""
        if self._databases is None:
            databases = self._client.databases()
            self._databases = {self.fold(str(entry["Name"])): entry for entry in databases}
        return self._databases.get(self.fold(database), {})


def _is_set(key: str | Secret | None) -> bool:
    """Whether a key is there and not blank."""
    return bool((key.reveal() if isinstance(key, Secret) else key or "").strip())


def _without_effect(options: Options) -> tuple[str, ...]:
    if options.default_table_format is None:
        return ()
    return ("default-table-format has no effect: nothing here creates tables",)


def _kind(entry: Mapping[str, Any]) -> Kind:
    """What an entry seems to be; the formats decide."""
    stated = entry.get("TableType")
    if stated == VIRTUAL_VIEW:
        return Kind.VIEW
    return Kind.TABLE if stated in TABLE_TYPES else Kind.UNDECIDED


def _metadata_location(entry: Mapping[str, Any]) -> str | None:
    """Where the metadata of an Iceberg view lies; None for every other entry."""
    parameters: Mapping[str, str] = entry.get("Parameters") or {}
    is_iceberg = iceberg.is_view(parameters, entry.get("TableType"))
    return parameters.get("metadata_location") if is_iceberg else None


def _handle(entry: Mapping[str, Any]) -> str:
    return dumped(entry)
