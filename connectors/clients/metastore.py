"""A read-only connection to a Hive Metastore over Thrift: 2.3 to 4.x, plain or TLS.

hmsclient's bindings (before Hive 3) by default; the Hive 4 bindings that come with pyiceberg where
a catalog is named, which the former cannot say. Both take our own transport: a timeout, a buffer,
and the accelerated protocol, which costs a ninth of the pure one.
"""

import logging
import ssl
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from thrift.protocol import TBinaryProtocol
from thrift.Thrift import TApplicationException, TException
from thrift.transport import TSocket, TSSLSocket, TTransport

from discovery.errors import (
    BelvedereError,
    ConfigurationError,
    DeniedError,
    ReadError,
    UnreachableError,
)

log = logging.getLogger(__name__)

READ_ONLY: Final = frozenset(
    {
        "getVersion",
        "get_all_databases",
        "get_all_functions",
        "get_all_tables",
        "get_database",
        "get_databases",
        "get_function",
        "get_functions",
        "get_table_meta",
        "get_table_objects_by_name",
        "get_table_objects_by_name_req",
        "get_tables_by_type",
    }
)
"""Every call that may be sent: none changes anything or asks for the metastore's keys."""

_PORT: Final = 9083
_PATIENCE: Final = (0.0, 0.3, 1.0)  # seconds before each attempt to connect
_BUFFER: Final = 1 << 16
_DENIED: Final = ("permission denied", "accesscontrolexception", "not allowed", "not authorized")
_INSERT_ONLY: Final = 2  # ClientCapability.INSERT_ONLY_TABLES: without it the server refuses those


class Metastore:
    """A connection, opened by the first call and again after it broke.

    Args:
        uris: `thrift://host:port`, tried in order.
        timeout: Seconds for connecting and for each answer.
        catalog: Catalog of a metastore since Hive 3; None for its default one.
        tls: Whether to speak TLS.
        ca_file: PEM file of the authority that signed the server's certificate; None means those
            that the machine trusts.
    """

    def __init__(
        self,
        uris: Sequence[str],
        *,
        timeout: float,
        catalog: str | None = None,
        tls: bool = False,
        ca_file: str | None = None,
    ) -> None:
        self._addresses = [address(uri) for uri in uris]
        self._timeout, self._catalog, self._tls, self._ca = timeout, catalog, tls, ca_file
        self._service, self._types = _bindings(catalog)
        self._transport: Any = None
        self._client: Any = None
        self._was_down = False
        self._unknown: set[str] = set()

    def close(self) -> None:
        """Drop the connection; the next call opens another."""
        if self._transport is not None:
            self._transport.close()
        self._transport = self._client = None

    def open(self) -> None:
        """Connect to the first address that answers.

        Raises:
            UnreachableError: None does.
        """
        why = ""
        for pause in _PATIENCE[: 1 if self._was_down else None]:
            time.sleep(pause)
            for host, port in self._addresses:
                try:
                    self._connect(host, port)
                except (TException, OSError) as error:
                    why = str(error) or type(error).__name__
                    log.info("metastore %s:%s did not answer: %s", host, port, why)
                else:
                    self._was_down = False
                    return
        self._was_down = True
        where = ", ".join(f"{host}:{port}" for host, port in self._addresses)
        raise UnreachableError(f"metastore {where}: {why}")

    def version(self) -> str:
        """What the server says of itself; servers before 3 say 3.0 of their protocol."""
        return str(self._call("getVersion"))

    def databases(self) -> list[str]:
        """The names of all databases, sorted."""
        if self._catalog is None:
            return sorted(self._call("get_all_databases"))
        return sorted(self._call("get_databases", self._scoped("*")))

    def database(self, name: str) -> dict[str, Any] | None:
        """A database by the field names of the Thrift IDL; None if it is gone."""
        try:
            found: dict[str, Any] = _plain(self._call("get_database", self._scoped(name)))
        except _NoSuchObjectError:
            return None
        return found

    def table_types(
        self, databases: Sequence[str], types: Sequence[str] = ()
    ) -> Iterator[tuple[str, str, str]]:
        """Database, name and type of every object, of some types only if they are given.

        A server that holds an object whose type is NULL drops the connection instead of answering.
        """
        pattern = self._scoped("|".join(databases))
        for meta in self._call("get_table_meta", pattern, "*", list(types)):
            yield meta.dbName, meta.tableName, meta.tableType

    def table_names(self, database: str) -> list[str]:
        """The names of all objects of a database."""
        return list(self._call("get_all_tables", self._scoped(database)))

    def tables(self, database: str, names: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Entries by the field names of the Thrift IDL; the server drops names that are gone."""
        try:
            found = self._tables(database, list(names))
        except _NoSuchObjectError:  # the whole database is
            return
        for table in found:
            yield _plain(table)

    def functions(self) -> Iterator[dict[str, Any]]:
        """Every function by the field names of the Thrift IDL.

        The call for all of them knows the default catalog only; in another, each is asked for.
        """
        if self._catalog is None:
            yield from map(_plain, self._call("get_all_functions").functions or ())
            return
        for database in self.databases():
            for name in self._call("get_functions", self._scoped(database), "*"):
                try:
                    found = self._call("get_function", self._scoped(database), name)
                except _NoSuchObjectError:
                    continue
                yield _plain(found)

    def _tables(self, database: str, names: list[str]) -> list[Any]:
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
            except _UnknownMethodError:
                self._unknown.add(call)
        return list(self._call("get_table_objects_by_name", database, names))

    def _scoped(self, name: str) -> str:
        """The name as servers since Hive 3 take it for a catalog other than their default."""
        return name if self._catalog is None else f"@{self._catalog}#{name}"

    def _connect(self, host: str, port: int) -> None:
        if self._tls:
            context = ssl.create_default_context(cafile=self._ca)
            socket = TSSLSocket.TSSLSocket(host, port, ssl_context=context)
        else:
            socket = TSocket.TSocket(host, port)
        socket.setTimeout(self._timeout * 1000)
        transport = TTransport.TBufferedTransport(socket, _BUFFER)
        transport.open()
        protocol = TBinaryProtocol.TBinaryProtocolAccelerated(transport, fallback=False)
        self._transport, self._client = transport, self._service.Client(protocol)

    def _call(self, method: str, *arguments: object) -> Any:  # noqa: ANN401 - Thrift is untyped
        if method not in READ_ONLY:
            raise PermissionError(f"{method} is not on the list of read-only calls")
        if self._client is None:
            self.open()
        try:
            return getattr(self._client, method)(*arguments)
        except (TTransport.TTransportException, OSError) as error:
            self.close()
            raise UnreachableError(f"{method}: {error}") from error
        except TException as error:
            raise _meant(method, error) from error


class _UnknownMethodError(ReadError):
    """The server is older or newer than the call."""


class _NoSuchObjectError(ReadError):
    """The server has no such database or function."""


def _meant(method: str, error: TException) -> BelvedereError:
    """Our error for one of Thrift or of the metastore."""
    message = str(getattr(error, "message", None) or error)
    unknown = TApplicationException.UNKNOWN_METHOD
    if isinstance(error, TApplicationException) and error.type == unknown:
        return _UnknownMethodError(f"{method}: {message}")
    if type(error).__name__ in {"NoSuchObjectException", "UnknownDBException"}:
        return _NoSuchObjectError(f"{method}: {message}")
    if any(mark in message.lower() for mark in _DENIED):
        return DeniedError(f"{method}: {message}")
    return ReadError(f"{method}: {message}")


def address(uri: str) -> tuple[str, int]:
    """Host and port of a metastore.

    Raises:
        ConfigurationError: The URI is not of the form `thrift://host:port`.
    """
    parts = urlsplit(uri.strip())
    try:
        port = parts.port or _PORT
    except ValueError:
        port = 0
    if parts.scheme != "thrift" or not parts.hostname or not port:
        raise ConfigurationError(f"{uri!r} is not of the form thrift://host:port")
    return parts.hostname, port


def _bindings(catalog: str | None) -> tuple[Any, Any]:
    # the Hive 4 bindings have 267 calls and cost 20 MB, so only one of the two is imported
    if catalog is None:
        from hmsclient.genthrift.hive_metastore import (  # noqa: PLC0415 - as said above
            ThriftHiveMetastore,
            ttypes,
        )
    else:
        from hive_metastore import ThriftHiveMetastore, ttypes  # noqa: PLC0415 - as said above
    return ThriftHiveMetastore, ttypes


def _plain(value: Any) -> Any:  # noqa: ANN401 - Thrift is untyped
    """A Thrift struct as JSON-able data, without the fields that are not set."""
    kind = type(value)
    if kind is str or kind is int or kind is bool or kind is float:
        return value
    if kind is list or kind is tuple or kind is set:
        return [_plain(one) for one in value]
    if isinstance(value, Mapping):
        return {str(key): one if type(one) is str else _plain(one) for key, one in value.items()}
    if kind is bytes:
        return value.hex()
    return {key: _plain(one) for key, one in vars(value).items() if one is not None}
