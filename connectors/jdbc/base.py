"""What all databases have in common: how they are listed, asked in batches, and asked again.

A database is one file: what differs is stated as constants and as the few methods that ask it.
"""

import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, ClassVar, Final, Literal, Never

from sqlalchemy import Connection, Engine, TextClause
from sqlalchemy.exc import DBAPIError

from connectors.clients import sql
from discovery.chunks import chunks
from discovery.errors import BelvedereError, ReadOnlyCatalogError, UnreachableError
from discovery.model import Identifier
from discovery.outcomes import Failure, Kind, Listed, RawObject, Stage
from discovery.patterns import Patterns
from discovery.ports import Change, CrawlTask, ViewSource

Introspection = Literal["query", "catalog", "both"]
Answers = list[RawObject | Failure]
_WAITS: Final = (0.5, 1.0, 2.0, 4.0)  # seconds, before a database that is gone is tried again


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(sql.DatabaseLogin):
    """How to reach and crawl a database.

    Attributes:
        include: Globs over `schema` and `schema.name`; empty means everything.
        exclude: Globs of what is left out; wins over `include`.
        introspection: Where columns come from: `query` asks the empty query and lets the catalog
            stand in, `catalog` sends no query, `both` compares the two.
        connections: How many at a time, over all executors.
        batch: How many views make a task.
        timeout: Seconds for connecting and for each statement.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    introspection: Introspection = "query"
    connections: int = 2
    batch: int = 500
    timeout: float = 30.0


class Database(ViewSource):
    """A database as a source of views. It is read-only: no view is ever written to it."""

    read_only = True  # the design of logical views: JDBC catalogs are
    system_schemas: ClassVar[frozenset[str]] = frozenset()  # left out of the listing

    def __init__(self, options: Options) -> None:
        self.connections, self.batch = options.connections, options.batch
        self._options = options
        self._patterns = Patterns(options.include, options.exclude)
        self._engine = self.engine(options)
        self._connection: Connection | None = None
        self._waits: tuple[float, ...] = _WAITS

    @abstractmethod
    def engine(self, options: Any) -> Engine:  # noqa: ANN401 - each has Options of its own
        """What opens connections: read-only, with a statement timeout and a name."""

    @abstractmethod
    def schemas(self) -> Sequence[str]:
        """The names of all schemas, in a stable order. Does I/O."""

    @abstractmethod
    def objects(self, schema: str) -> Sequence[tuple[str, Kind]]:
        """Names and kinds of what a schema holds, in a stable order. Does I/O."""

    @abstractmethod
    def read_schemas(self, wanted: Sequence[Listed]) -> Answers:
        """An answer for each schema that is there, in one round trip. Does I/O."""

    @abstractmethod
    def read_views(self, wanted: Sequence[Listed]) -> Answers:
        """An answer for each view that is there, in few round trips. Does I/O."""

    @abstractmethod
    def read_tables(self, wanted: Sequence[Listed]) -> Answers:
        """The columns of each table, or view, that is there, in few round trips. Does I/O."""

    def opened(self, connection: Connection) -> None:
        """What a new connection must be told."""

    def close(self) -> None:
        """Close the connection, which may be lost."""
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
        self._connection = None

    def fold(self, name: str) -> str:
        """Names are kept as they were quoted: two may differ only by case."""
        return name

    def apply(self, changes: Sequence[Change]) -> Never:
        """Refuse to create, alter or drop.

        Raises:
            ReadOnlyCatalogError: Always.
        """
        where = str(changes[0].view.identifier) if changes else ""
        raise ReadOnlyCatalogError(view=where)

    def listing(self) -> Iterator[Listed | Failure]:
        """Schemas and what they hold; a schema that cannot be listed costs no other."""
        for schema in self._again(self.schemas):
            if schema.casefold() in self.system_schemas:
                continue
            if not self._patterns.allows_namespace((schema,)):
                continue
            space = Listed((schema,), "", Kind.NAMESPACE)
            try:
                found = self._again(lambda: self.objects(schema))  # noqa: B023 - called at once
            except UnreachableError:
                raise
            except BelvedereError as error:
                yield Failure.of(space, Stage.LIST, error)
                continue
            yield space
            for name, kind in found:
                if self._patterns.allows((schema,), name):
                    yield Listed((schema,), name, kind)

    def load(self, task: CrawlTask) -> Iterator[RawObject | Failure]:
        """Ask in batches; one that fails is halved until what causes it stands alone."""
        spaces = [one for one in task.objects if one.kind is Kind.NAMESPACE]
        views = (one for one in task.objects if one.kind is not Kind.NAMESPACE)
        if spaces:
            yield from self._asked(spaces, self.read_schemas)
        for some in chunks(views, self.batch):
            yield from self._asked(some, self.read_views)

    def load_tables(self, names: Sequence[Identifier]) -> Iterator[RawObject | Failure]:
        """The columns of named tables, asked for as views are."""
        wanted = (Listed(one.namespace, one.name, Kind.TABLE) for one in sorted(names, key=str))
        for some in chunks((one for one in wanted if len(one.namespace) == 1), self.batch):
            yield from self._asked(some, self.read_tables)

    def connected(self) -> Connection:
        """The connection; a database that is full, starting or away is tried again for a while.

        Raises:
            BelvedereError: It refuses us, or stays away; it is then tried only once each time.
        """
        waits = self._waits
        while self._connection is None:
            try:
                opened = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
                self.opened(opened)
            except DBAPIError as error:
                why = sql.meant(error)
                if not waits or not why.transient:
                    self._waits = ()
                    raise why from None
                time.sleep(waits[0])
                waits = waits[1:]
            else:
                self._connection, self._waits = opened, _WAITS
        return self._connection

    def rows(
        self, statement: TextClause, values: Mapping[str, object] | None = None
    ) -> list[dict[str, Any]]:
        """All rows that a statement returns.

        Raises:
            BelvedereError: The database's own, in our words.
        """
        connection = self.connected()
        try:
            result = connection.execute(statement, values or {})
            names = tuple(result.keys())
            return [dict(zip(names, row, strict=True)) for row in result]
        except DBAPIError as error:
            raise sql.meant(error, connected=True) from None

    def quoted(self, *names: str) -> str:
        """A name as the database quotes it, for a statement that goes to the driver as it is.

        SQLAlchemy's own function doubles percent signs for drivers that format their statements.
        """
        quote = self._engine.dialect.identifier_preparer
        double = quote.escape_quote * 2
        return ".".join(
            f"{quote.initial_quote}{name.replace(quote.escape_quote, double)}{quote.final_quote}"
            for name in names
        )

    def empty_query(self, *names: str) -> str:
        """The statement whose answer has the columns of a view and no row."""
        return f"SELECT * FROM {self.quoted(*names)} WHERE 1=0"  # noqa: S608 - quoted

    def impatient(self) -> None:
        """Let the next connection fail at once: for a person who waits."""
        self._waits = ()

    def _again(self, ask: Callable[[], Sequence[Any]]) -> Sequence[Any]:
        """What is asked, once more on a new connection where the old one is lost."""
        try:
            return ask()
        except UnreachableError:
            if self._connection is None:  # there was none to lose
                raise
            self.close()
            return ask()

    def _asked(
        self,
        wanted: Sequence[Listed],
        ask: Callable[[Sequence[Listed]], Answers],
        *,
        again: bool = True,
    ) -> Iterator[RawObject | Failure]:
        try:
            answers = ask(wanted)
        except BelvedereError as error:
            lost = isinstance(error, UnreachableError)
            if lost:
                self.close()
                self.connected()  # where it does not come back, the task ends here
            if not (lost and again) and len(wanted) == 1:
                yield Failure.of(wanted[0], Stage.READ, error)
                return
            middle = len(wanted) // 2
            parts = (wanted,) if lost and again else (wanted[:middle], wanted[middle:])
        else:
            yield from answers
            return
        for part in parts:
            yield from self._asked(part, ask, again=False)


def differences(said: Sequence[str], stated: Sequence[str]) -> list[str]:
    """What the query and the catalog say differently, column by column.

    Args:
        said: Name and type of each column of the answer.
        stated: The same of the catalog.
    """
    pairs = zip_longest(said, stated, fillvalue="nothing")
    return [f"the query says {a}, the catalog {b}" for a, b in pairs if a != b]
