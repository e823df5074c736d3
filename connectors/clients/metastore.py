"""A read-only connection to a Hive Metastore over Thrift: 2.3 to 4.x, by whichever login.

hmsclient's bindings (before Hive 3) by default; the Hive 4 bindings that come with pyiceberg where
a catalog is named, which the former cannot say. Both take our own transport, whose answers end, and
the accelerated protocol, which costs a ninth of the pure one.

Every call only reads, so one that an address leaves without an answer is put to the next address;
the one that failed is asked last from then on.
"""

import logging
import random
import struct
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from thrift.protocol.TProtocol import TProtocolException
from thrift.Thrift import TException
from thrift.transport.TTransport import TTransportException

from connectors.clients.bounds import RESTART, Deadline
from connectors.clients.metastore_bindings import bindings_of, plain
from connectors.clients.metastore_calls import READ_ONLY
from connectors.clients.metastore_errors import (
    NoSuchObjectError,
    OverError,
    UnknownMethodError,
    our_error,
    over_null,
    unreachable,
)
from connectors.clients.thrift.causes import LoginError
from connectors.clients.thrift.entries import entry_protocol
from connectors.clients.thrift.login import Endpoint, MetastoreLogin, transport_to
from connectors.clients.thrift.questions import QuestionTransport
from discovery.errors import (
    BelvedereError,
    ConfigurationError,
    DeniedError,
    ListingError,
    ReadError,
    UnreachableError,
)

log = logging.getLogger(__name__)

_PATIENCE: Final = (0.0, 0.3, 1.0)  # seconds before each attempt to connect
_RESTART: Final = (0.0, *RESTART)  # the same, where a server has been there
_LONGEST_TEXT: Final = 64 * 1024 * 1024  # bytes
_LONGEST_LIST: Final = 5_000_000  # its room is taken before the first element has come
_TASK: Final = 10  # answers that a task may wait for, in timeouts
_GIVEN_UP: Final = 3  # tasks in a row that ended without an answer
_WAREHOUSES: Final = ("hive.metastore.warehouse.dir", "hive.metastore.warehouse.external.dir")
_INSERT_ONLY: Final = 2  # ClientCapability.INSERT_ONLY_TABLES: without it the server refuses those


class Metastore:
    """A connection, opened by the first call and again after it broke.

    Args:
        login: Where it is, and who we are there.
        bindings: Of the catalog, or of a newer server; None: those of the login's catalog.
    """

    def __init__(self, login: MetastoreLogin, *, bindings: str | None = None) -> None:
        self._addresses = deque(login.endpoints())
        self._login, self._timeout, self._catalog = login, login.timeout, login.catalog
        self._service, self._types = bindings_of(bindings or login.catalog)
        self._transport: QuestionTransport | None = None
        self._client: Any = None
        self._address: Endpoint | None = None  # of the last connection
        self._task: Deadline | None = None
        self._expired = 0  # tasks in a row
        self._has_catalog = login.catalog is None
        self._was_down = self._was_lost = self._has_answered = False
        self._unknown: set[str] = set()

    def close(self) -> None:
        """Drop the connection; the next call opens another."""
        if self._transport is not None:
            self._transport.close()
        self._transport = self._client = None

    def open(self) -> None:
        """Connect to the first address that answers, and log in.

        A server that has been there, as it has answered or has been listed, is given the time of a
        restart; others are a mistake in the configuration more often than not.

        Raises:
            LoginError: One does not let us in: no other is tried, as that may lock an account.
            ConfigurationError: What we log in with is not there.
            UnreachableError: None answers.
        """
        why: BelvedereError | None = None
        pauses = _RESTART if self._task or self._has_answered else _PATIENCE
        for pause in pauses[: 1 if self._was_down else None]:
            self._sleep(pause)
            for address in tuple(self._addresses):
                try:
                    self._connect(address)
                    if self._was_lost:  # what stands before a server may let us in for it
                        self._ask("getVersion")
                except (OverError, LoginError, ConfigurationError):
                    raise
                except (BelvedereError, OSError) as error:
                    why = unreachable(str(error) or type(error).__name__, error)
                    log.info(
                        "metastore %s:%s did not answer: %s",
                        address.host,
                        address.port,
                        why.message,
                    )
                else:
                    self._was_down = self._was_lost = False
                    return
        self._was_down = True
        where = ", ".join(f"{endpoint.host}:{endpoint.port}" for endpoint in self._addresses)
        raise unreachable(f"metastore {where}: {why.message if why else ''}", why)

    @contextmanager
    def task(self) -> Iterator[None]:
        """Bound the waiting of all calls within: ten timeouts; after three such tasks, none.

        Raises:
            UnreachableError: The time is over.
        """
        self._task = Deadline(self._timeout * _TASK if not self._expired else self._timeout)
        try:
            if self._expired >= _GIVEN_UP:
                raise OverError(f"given up: {_GIVEN_UP} tasks in a row ended without an answer")
            yield
        except OverError:
            self._expired += 1
            raise
        else:
            self._expired = 0
        finally:
            self._task = None

    def version(self) -> str:
        """What the server says of itself; servers before 3 say 3.0 of their protocol."""
        return str(self._call("getVersion"))

    @property
    def login(self) -> str:
        """How we are logged in, for people; empty: there is no connection."""
        return self._transport.login if self._transport is not None else ""

    @property
    def principal(self) -> str:
        """Who we are to the server, as far as the login says; empty: there is no connection."""
        return self._transport.principal if self._transport is not None else ""

    def databases(self) -> list[str | None]:
        """The names of all databases, sorted; None at the end where one has none."""
        ask: tuple[str, ...] = ("get_all_databases",)
        if self._catalog is not None:
            self._check_catalog(self._catalog)
            ask = ("get_databases", self._scoped("*"))
        return self._list_names(ask, ("get_databases", self._scoped("*|")))

    def catalogs(self) -> list[str]:
        """The names of all catalogs, sorted; a ListingError where the server knows none."""
        try:
            return sorted(self._call("get_catalogs").names)
        except UnknownMethodError as error:
            why = f"there is no catalog {self._catalog!r}: a metastore before Hive 3 knows none"
            raise ListingError(why, hint="leave out catalog") from error

    def _check_catalog(self, name: str) -> None:
        """Look whether there is such a catalog: a server lists of one that is not there nothing."""
        if self._has_catalog:
            return
        catalogs = self.catalogs()
        if name.lower() not in map(str.lower, catalogs):
            hint = f"set catalog to one of {', '.join(catalogs)}, or leave it out for hive"
            raise ListingError(f"the metastore has no catalog {name!r}", hint=hint)
        self._has_catalog = True

    def database(self, name: str) -> dict[str, Any] | None:
        """A database by the field names of the Thrift IDL; None if it is gone.

        Raises:
            ReadError: The server says that it is gone, and lists it.
        """
        try:
            return dict(plain(self._call("get_database", self._scoped(name))))
        except NoSuchObjectError as error:  # also said of an owner of an unknown type
            if name in self.databases():
                raise ReadError(f"it is listed, but not returned: {error.message}") from error
            return None

    def table_types(self, databases: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """Database, name and type of every object."""
        pattern = self._scoped("|".join(databases))
        for meta in self._call("get_table_meta", pattern, "*", []):
            yield meta.dbName, meta.tableName, meta.tableType

    def table_names(self, database: str, kind: str | None = None) -> list[str | None]:
        """The names of all objects of a database, or of one type; None where one has none."""
        scoped = self._scoped(database)
        if kind is not None:
            return list(self._call("get_tables_by_type", scoped, "*", kind))
        return self._list_names(("get_all_tables", scoped), ("get_tables", scoped, "*"))

    def names_of_type(self, database: str, kind: str) -> list[str]:
        """The names of all objects of one type.

        Raises:
            BelvedereError: One has no name: without a pattern, a server does not leave it out.
        """
        return list(self._call("get_tables_by_type", self._scoped(database), None, kind))

    def _list_names(self, ask: Sequence[str], by_pattern: Sequence[str]) -> list[str | None]:
        """Names, sorted; None at the end where the server stumbles over one that is NULL.

        Args:
            ask: The call for all.
            by_pattern: That for all that match something, which NULL does not.
        """
        try:
            return sorted(self._call(*ask))
        except BelvedereError as error:
            if not over_null(error):
                raise
        named = sorted(self._call(*by_pattern))
        try:
            return sorted(self._call(*ask))
        except BelvedereError:
            return [*named, None]

    def tables(self, database: str, names: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Entries by the field names of the Thrift IDL; the server drops names that are gone."""
        try:
            yield from self._fetch_tables(database, list(names))
        except NoSuchObjectError:  # the whole database is
            return

    def warehouse(self) -> tuple[str, ...]:
        """The folders in which the server puts databases, as far as it tells."""
        folders = []
        for key in _WAREHOUSES:
            try:
                folders.append(str(self._call("get_config_value", key, "") or ""))
            except (DeniedError, ReadError):  # the server keeps its configuration to itself
                continue
        return tuple(filter(None, folders))

    def functions(self) -> Iterator[dict[str, Any]]:
        """Every function by the field names of the Thrift IDL.

        The call for all of them knows the default catalog only; in another, each is asked for.
        """
        if self._catalog is None:
            yield from map(plain, self._call("get_all_functions").functions or ())
            return
        for database in filter(None, self.databases()):
            for name in self._call("get_functions", self._scoped(database), "*"):
                if (function := self.function(database, name)) is not None:
                    yield function

    def function(self, database: str, name: str) -> dict[str, Any] | None:
        """A function by the field names of the Thrift IDL; None: there is none."""
        try:
            return dict(plain(self._call("get_function", self._scoped(database), name)))
        except NoSuchObjectError:
            return None

    def privileges(self) -> Iterator[dict[str, Any]]:
        """Every grant by the field names of the Thrift IDL, in one answer.

        Without a principal, and for an object of no type, the server gives all that it keeps.
        """
        every = self._types.HiveObjectRef()
        if self._catalog is not None:
            every.catName = self._catalog
        return map(plain, self._call("list_privileges", None, None, every) or ())

    def roles(self) -> list[str]:
        """The names of all roles, sorted."""
        return sorted(self._call("get_role_names"))

    def members(self, role: str) -> Iterator[dict[str, Any]]:
        """Who has been granted a role, by the field names of the Thrift IDL."""
        request = self._types.GetPrincipalsInRoleRequest(roleName=role)
        return map(plain, self._call("get_principals_in_role", request).principalGrants or ())

    def _fetch_tables(self, database: str, names: list[str]) -> list[dict[str, Any]]:
        call = "get_table_objects_by_name_req"
        if call not in self._unknown:
            request = self._types.GetTablesRequest(
                dbName=database,
                tblNames=names,
                capabilities=self._types.ClientCapabilities([_INSERT_ONLY]),
            )
            if self._catalog is not None:
                request.catName = self._catalog
            try:
                return list(self._call(call, request).tables)
            except UnknownMethodError:
                self._unknown.add(call)
        return list(self._call("get_table_objects_by_name", database, names))

    def _scoped(self, name: str) -> str:
        """The name as servers since Hive 3 take it for a catalog other than their default."""
        return name if self._catalog is None else f"@{self._catalog}#{name}"

    def _connect(self, place: Endpoint) -> None:
        self._transport = transport_to(place, self._login, self._seconds())
        self._address = place
        protocol = entry_protocol(
            self._transport, longest_text=_LONGEST_TEXT, longest_list=_LONGEST_LIST
        )
        self._client = self._service.Client(protocol)

    def _sleep(self, seconds: float) -> None:
        """Wait about as long, so that not all connections come back at once."""
        if seconds:
            about = seconds * random.uniform(0.7, 1.3)  # noqa: S311 - nobody is to be kept out
            time.sleep(min(about, self._seconds()))

    def _seconds(self) -> float:
        """How long to wait now: for an answer, or for what is left of the task."""
        try:
            return min(self._timeout, self._task.seconds_left()) if self._task else self._timeout
        except TimeoutError:
            why = "the time for a task is over: ten times the timeout"
            raise OverError(why, hint="a smaller batch, or a longer timeout") from None

    def _call(self, method: str, *arguments: object) -> Any:  # noqa: ANN401 - Thrift is untyped
        """The answer of one address; of the next, where there is none.

        Raises:
            BelvedereError: In place of the metastore's and Thrift's errors.
        """
        if method not in READ_ONLY:
            raise PermissionError(f"{method} is not on the list of read-only calls")
        for last in [False] * (len(self._addresses) - 1) + [True]:
            if self._client is None:
                self.open()
            try:
                return self._ask(method, *arguments)
            except UnreachableError as error:
                if last or isinstance(error, OverError):
                    raise
                log.info("%s; asking the next address", error.message)
        raise AssertionError("there is an address")

    def _ask(self, method: str, *arguments: object) -> Any:  # noqa: ANN401 - Thrift is untyped
        """The answer of the address that is connected to; a broken connection is given up."""
        transport = self._transport
        try:
            if transport is not None:
                transport.timeout = self._seconds()
            answer = getattr(self._client, method)(*arguments)
        except (TTransportException, OSError, EOFError) as error:
            self._fall_back()
            raise unreachable(f"{method}: {error}", error) from error
        except BelvedereError as error:
            self._fall_back()
            raise type(error)(f"{method}: {error.message}", hint=error.hint) from error
        except (TProtocolException, OverflowError, ValueError, struct.error) as error:
            self.close()  # where the next answer begins is unknown
            raise ReadError(f"{method}: the answer cannot be read: {error}") from error
        except TException as error:
            self._has_answered = True
            raise our_error(method, error) from error
        self._has_answered = True
        return answer

    def _fall_back(self) -> None:
        """Close the connection, and ask its address last."""
        self.close()
        self._was_lost = True
        if self._address is not None:
            self._addresses.remove(self._address)
            self._addresses.append(self._address)
