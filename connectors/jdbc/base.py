"""What all databases have in common: how they are listed, asked in batches, and asked again.

A database is one file: what differs is stated as constants and as the few methods that ask it.
"""

import math
import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, ClassVar, Literal, Never, TypeVar

from connectors.clients import sql
from connectors.clients.bounds import RESTART
from discovery.chunks import chunks
from discovery.errors import BelvedereError, ReadOnlyCatalogError, UnreachableError
from discovery.model import Identifier
from discovery.outcomes import Failure, Kind, Listed, RawObject, Stage
from discovery.patterns import Patterns
from discovery.ports import Change, CrawlTask, ViewSource

Introspection = Literal["query", "catalog", "both"]
Answers = list[RawObject | Failure]
Asked = TypeVar("Asked")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(sql.DatabaseLogin):
    """How to reach and crawl a database.

    Attributes:
        include: Globs over `schema` and `schema.name`; empty means everything.
        exclude: Globs of what is left out; wins over `include`.
        introspection: Where columns come from: `query` has the empty query described, not run, and
            lets the catalog stand in, `catalog` sends no query, `both` compares the two.
        connections: How many at a time, over all executors.
        batch: How many views make a task.
        timeout: Seconds for connecting and for each statement; a server that sends no byte for
            twice as long counts as lost.
        task_timeout: Seconds for all that a task asks, whatever comes meanwhile; views without an
            answer by then are failures.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    introspection: Introspection = "query"
    connections: int = 2
    batch: int = 500
    timeout: float = 30.0
    task_timeout: float = 1800.0


class Database(ViewSource):
    """A database as a source of views. It is read-only: no view is ever written to it."""

    read_only = True  # the design of logical views: JDBC catalogs are
    system_schemas: ClassVar[frozenset[str]] = frozenset()  # left out of the listing

    def __init__(self, options: Options) -> None:
        self.connections, self.batch = options.connections, options.batch
        self._options = options
        self._patterns = Patterns(options.include, options.exclude)
        self._connection: Any = None  # of the driver, or SQLAlchemy's
        self._waits: tuple[float, ...] = sql.WAITS
        self._end = math.inf  # of the time for what is asked now; of time.monotonic()

    @abstractmethod
    def connect(self) -> Any:  # noqa: ANN401 - each has connections of its own
        """A new connection: read-only, with a statement timeout and a name. Does I/O.

        Raises:
            BelvedereError: The database's own, in our words.
        """

    @abstractmethod
    def disconnect(self, connection: Any) -> None:  # noqa: ANN401 - the same
        """Close a connection, which may be lost, without waiting for the server."""

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

    def boundary(self) -> AbstractContextManager[None]:
        """Around each batch: nothing in it can write, and nothing of it stays in the session."""
        return nullcontext()

    def close(self) -> None:
        """Close the connection, which may be lost."""
        connection, self._connection = self._connection, None
        if connection is not None:
            self.disconnect(connection)

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
        for schema in self._retry(self.schemas):
            if schema.casefold() in self.system_schemas:
                continue
            if not self._patterns.allows_namespace((schema,)):
                continue
            space = Listed((schema,), "", Kind.NAMESPACE)
            try:
                objects = self._retry(lambda: self.objects(schema))  # noqa: B023 - called at once
            except UnreachableError:
                raise
            except BelvedereError as error:
                yield Failure.of(space, Stage.LIST, error)
                continue
            yield space
            for name, kind in objects:
                if self._patterns.allows((schema,), name):
                    yield Listed((schema,), name, kind)

    def load(self, task: CrawlTask) -> Iterator[RawObject | Failure]:
        """Ask in batches; one that fails is halved until what causes it stands alone."""
        self._start_task()
        spaces = [object_ for object_ in task.objects if object_.kind is Kind.NAMESPACE]
        views = (object_ for object_ in task.objects if object_.kind is not Kind.NAMESPACE)
        if spaces:
            yield from self._ask_batch(spaces, self.read_schemas)
        for chunk in chunks(views, self.batch):
            yield from self._ask_batch(chunk, self.read_views)

    def load_tables(self, names: Sequence[Identifier]) -> Iterator[RawObject | Failure]:
        """The columns of named tables, asked for as views are."""
        self._start_task()
        wanted = (
            Listed(identifier.namespace, identifier.name, Kind.TABLE)
            for identifier in sorted(names, key=str)
        )
        for chunk in chunks(
            (listed for listed in wanted if len(listed.namespace) == 1), self.batch
        ):
            yield from self._ask_batch(chunk, self.read_tables)

    def open_session(self) -> Any:  # noqa: ANN401 - each has connections of its own
        """The connection; a database that is full, starting or away is tried again for a while.

        Raises:
            BelvedereError: It refuses us, or stays away; it is then tried only once each time.
        """
        if self._connection is None:
            try:
                self._connection = sql.open_connection(self.connect, self._waits, self._end)
            except BelvedereError:
                self.impatient()
                raise
            self._waits = RESTART
        return self._connection

    @abstractmethod
    def quoted(self, *names: str) -> str:
        """A name as the database quotes it, for a statement that goes to the driver as it is."""

    def empty_query(self, *names: str) -> str:
        """The statement whose answer has the columns of a view and no row."""
        return f"SELECT * FROM {self.quoted(*names)} WHERE 1=0"  # noqa: S608 - quoted

    def impatient(self) -> None:
        """Let the next connection fail at once: for a person who waits."""
        self._waits = ()

    def _retry(self, ask: Callable[[], Sequence[Any]]) -> Sequence[Any]:
        """What is asked, once more on a new connection where the old one is lost."""
        self._start_clock()
        self.open_session()
        try:
            return self._ask_once(ask)
        except UnreachableError:
            return self._ask_once(ask)

    def _start_task(self) -> None:
        """Time runs from now on; a database of which something is known has been there."""
        self._start_clock()
        if self._waits:
            self._waits = RESTART

    def _start_clock(self) -> None:
        """Time runs from now on."""
        self._end = time.monotonic() + self._options.task_timeout

    def _seconds_left(self) -> float:
        """Seconds of the time for what is asked now; none: it is over."""
        return max(0.0, self._end - time.monotonic())

    def _ask_once(self, ask: Callable[[], Asked]) -> Asked:
        """What is asked inside the boundary; a connection that is lost on the way is closed.

        Raises:
            UnreachableError: The time of the task is over.
        """
        if not self._seconds_left():
            raise overdue()
        try:
            with self.boundary():
                return ask()
        except UnreachableError:
            self.close()
            raise

    def _ask_batch(
        self,
        wanted: Sequence[Listed],
        ask: Callable[[Sequence[Listed]], Answers],
        *,
        again: bool = True,
    ) -> Iterator[RawObject | Failure]:
        try:
            answers = self._ask_once(lambda: ask(wanted))
        except BelvedereError as error:
            lost = isinstance(error, UnreachableError)
            if not self._seconds_left():
                yield from (Failure.of(listed, Stage.READ, error) for listed in wanted)
                return
            if lost:
                self.open_session()  # where it does not come back, the task ends here
            if not (lost and again) and len(wanted) == 1:
                yield Failure.of(wanted[0], Stage.READ, error)
                return
            middle = len(wanted) // 2
            parts = (wanted,) if lost and again else (wanted[:middle], wanted[middle:])
        else:
            yield from answers
            return
        for part in parts:
            yield from self._ask_batch(part, ask, again=False)


def overdue() -> UnreachableError:
    """That the time of a task is over."""
    hint = "raise task_timeout or lower batch, or is a process of the server stopped?"
    return UnreachableError("no whole answer within the time of a task", hint=hint)


def differences(answer: Sequence[str], stated: Sequence[str]) -> list[str]:
    """What the query and the catalog say differently, column by column.

    Args:
        answer: Name and type of each column of the answer.
        stated: The same of the catalog.
    """
    pairs = zip_longest(answer, stated, fillvalue="nothing")
    return [f"the query says {a}, the catalog {b}" for a, b in pairs if a != b]
