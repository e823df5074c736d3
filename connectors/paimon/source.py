"""Source `paimon`: the views of a Paimon REST catalog, every dialect of them.

One paged call gives all views of a database whole, so the listing carries them as handles, and
loading asks for the databases only. Paimon's catalogs on a file system or a database hold no views;
those on a Hive Metastore leave entries like Hive's, which the source `hms` reads.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from connectors.clients import lines
from connectors.clients.credentials import Secret
from connectors.clients.json_texts import dumped, loaded
from connectors.clients.rest import NoSuchResourceError
from connectors.clients.restarts import RestartPatience
from connectors.clients.vanished import is_unlisted
from connectors.paimon.server import PaimonServer, address
from discovery.addresses import SourceAddress, address_of_catalog
from discovery.asked import without_contradictions
from discovery.display import quantity
from discovery.errors import BelvedereError, ConfigurationError, ReadError, UnreachableError
from discovery.outcomes import NO_VIEWS, Failure, Kind, Listed, RawObject, Skipped, Stage
from discovery.patterns import Patterns
from discovery.ports import CrawlTask, Probe, ViewSource

_REST: Final = "rest"
_WITHOUT_VIEWS: Final = ("filesystem", "jdbc")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to reach and crawl a Paimon catalog.

    Attributes:
        metastore: `rest`; `filesystem` and `jdbc` hold no views, which a run says once.
        uri: `https://host:port` of the REST server, up to the `/v1` of the protocol.
        warehouse: Which of the server's warehouses; `rest` needs it.
        token: Bearer token, by reference.
        include: Globs over `database` and `database.name`; empty means everything.
        exclude: Globs of what is left out; wins over `include`.
        connections: How many at a time, over all executors.
        batch: How many views the server gives a call, and how many make a task.
        timeout: Seconds for connecting and for each answer.
    """

    metastore: str = _REST
    uri: str | None = None
    warehouse: str | None = None
    token: Secret | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    connections: int = 2
    batch: int = 500
    timeout: float = 60.0

    def __post_init__(self) -> None:
        if self.metastore == "hive":
            hint = "write kind: hms with the metastore's uri"
            raise ConfigurationError(
                "a Paimon catalog on a Hive Metastore is read by the kind hms", hint=hint
            )
        if self.metastore not in {_REST, *_WITHOUT_VIEWS}:
            metastores = ", ".join((_REST, *_WITHOUT_VIEWS, "hive"))
            raise ConfigurationError(f"metastore: {self.metastore!r} is none of {metastores}")
        if self.metastore == _REST and not (self.uri or "").startswith(("http://", "https://")):
            hint = "write uri: https://host:port"
            raise ConfigurationError(f"uri: {self.uri!r} is no address of a server", hint=hint)
        if self.metastore == _REST and not self.warehouse:
            raise ConfigurationError("warehouse: is missing; a REST catalog is one of a server's")

    def address(self) -> SourceAddress | None:
        """The server; None: there is none, as of a warehouse in a file system."""
        return address_of_catalog(self.uri or "", "paimon")


class Paimon(ViewSource):
    """A Paimon catalog as a source of views."""

    def __init__(self, options: Options) -> None:
        self.connections, self.batch = options.connections, options.batch
        self._metastore, self._warehouse = options.metastore, options.warehouse
        self._patterns = Patterns(options.include, options.exclude)
        self._patience = RestartPatience()
        self._server = PaimonServer(
            options.uri or "",
            options.warehouse or "",
            options.token,
            options.timeout,
            patience=self._patience,
        )

    def close(self) -> None:
        """Close the connections."""
        self._server.close()

    def fold(self, name: str) -> str:
        """Names differ by case in a REST catalog."""
        return name

    def probe(self) -> Probe:
        """Ask the server for its configuration and the databases."""
        if self._metastore != _REST:
            return Probe(f"Paimon {self._metastore} catalog", (NO_VIEWS.text,))
        count = sum(1 for _ in self._server.pages("/databases", "databases", self.batch))
        return Probe(f"Paimon REST catalog, {quantity(count, 'database')}")

    def listing(self) -> Iterator[Listed | Failure]:
        """Databases, each with its views and the names of its tables."""
        if self._metastore != _REST:
            yield Listed((), "", Kind.SOURCE, self._metastore)
            return
        for database in self._server.pages("/databases", "databases", self.batch):
            if self._patterns.allows_namespace((str(database),)):
                yield from self._list_database(str(database))

    def load(self, task: CrawlTask) -> Iterator[RawObject | Failure | Skipped]:
        """What the listing saw of each view, and what the server says of each database."""
        self._patience.expect()
        for listed in task.objects:
            if listed.kind is Kind.SOURCE:
                yield Skipped(listed, NO_VIEWS)
            elif listed.kind is Kind.NAMESPACE:
                yield from self._read_database(listed)
            else:
                payload = {"database": listed.namespace[0], **loaded(listed.handle)}
                yield lines.raw_object(listed, "paimon_view", payload)

    def _list_database(self, database: str) -> Iterator[Listed | Failure]:
        """A database and what it holds; if a page fails, its failure and what came before.

        Of one that is dropped meanwhile there is nothing: nobody can have it, so nothing failed.
        """
        first: Listed | Failure = Listed((database,), "", Kind.NAMESPACE)
        views: list[Listed] = []
        objects: list[Listed] = []
        try:
            within = address("/databases/{}", database)
            details = self._server.pages(f"{within}/view-details", "viewDetails", self.batch)
            for view in details:
                name = _name_of(view)
                views.append(Listed((database,), name, Kind.VIEW, dumped(view)))
            tables = self._server.pages(f"{within}/tables", "tables", self.batch)
            objects.extend(Listed((database,), str(name), Kind.TABLE) for name in tables)
        except BelvedereError as error:
            if self._is_dropped(database, error):
                return
            first = Failure.of(Listed((database,), "", Kind.NAMESPACE), Stage.LIST, error)
        yield first
        for answer in (*without_contradictions(views, self.fold), *objects):
            listed = answer if isinstance(answer, Listed) else answer.listed
            if self._patterns.allows(listed.namespace, listed.name):
                yield answer

    def _is_dropped(self, database: str, error: BelvedereError) -> bool:
        """Whether an error means that a database is listed no more."""
        names = map(str, self._server.pages("/databases", "databases"))
        return isinstance(error, NoSuchResourceError) and is_unlisted(database, names)

    def _read_database(self, listed: Listed) -> Iterator[RawObject | Failure]:
        try:
            answer = self._server.get(address("/databases/{}", *listed.namespace))
        except NoSuchResourceError:
            return
        except UnreachableError:
            raise
        except BelvedereError as error:
            yield Failure.of(listed, Stage.READ, error)
        else:
            yield lines.raw_object(listed, "paimon_database", answer)


def _name_of(view: object) -> str:
    """The name in an entry of a listing.

    Raises:
        ReadError: It has none.
    """
    name = view.get("name") if isinstance(view, dict) else None
    if not isinstance(name, str) or not name:
        raise ReadError("an entry of the list of views has no name: nobody can ask for it")
    return name
