"""The calls that change a Hive Metastore, beside those that read: of its stores alone.

A call that changes something is sent once, to one address: if its answer is lost, nobody knows
whether it was done, and the store looks. Hive 4's bindings are used with every server: the older
ones have no place for what an owner is.
"""

from collections.abc import Mapping
from typing import Any, Final

from thrift.Thrift import TType

from connectors.clients.metastore import Metastore
from connectors.clients.thrift.login import MetastoreLogin
from discovery.errors import (
    BelvedereError,
    CollisionError,
    MovedError,
    NamespaceError,
    ReadError,
    StoreError,
)

WRITES: Final = frozenset(
    {
        "alter_database",
        "alter_table_with_environment_context",
        "create_database",
        "create_function",
        "create_table",
        "drop_database",
        "drop_function",
        "drop_table",
    }
)
"""Every call that may be sent to change something: none touches a file or what is in a table."""

_EXPECTED_KEY: Final = "expected_parameter_key"  # HIVE-26882: Hive 2.3.10, 4.0 and later
_EXPECTED_VALUE: Final = "expected_parameter_value"
_CHANGED: Final = "has been modified"  # `HiveAlterHandler`, in a MetaException
_BINDINGS: Final = "hive"  # of a catalog, which are Hive 4's


class MetastoreWriter(Metastore):
    """A connection that may change databases, functions and the entries of views.

    Args:
        login: Where it is, and who we are there.
    """

    def __init__(self, login: MetastoreLogin) -> None:
        super().__init__(login, bindings=_BINDINGS)

    def create_entry(self, payload: Mapping[str, object]) -> None:
        """Make the entry of a view.

        Raises:
            CollisionError: There is an object of this name.
            NamespaceError: The database is not there.
            BelvedereError: It was refused, or there was no answer.
        """
        self._change("create_table", self._table(payload))

    def alter_entry(
        self, database: str, name: str, payload: Mapping[str, object], expected: tuple[str, str]
    ) -> None:
        """Put an entry in the place of another one, under the same name or a new one.

        Args:
            database: Where it is.
            name: What it is called now.
            payload: The whole entry as it shall be.
            expected: A parameter that the entry has now, and its value, both not empty: a server
                that knows how to compares them in the transaction that writes.

        Raises:
            MovedError: The entry has another value by now.
            BelvedereError: It was refused, or there was no answer.
        """
        key, value = expected
        context = self._types.EnvironmentContext({_EXPECTED_KEY: key, _EXPECTED_VALUE: value})
        table = self._table(payload)
        call = "alter_table_with_environment_context"
        self._change(call, self._scoped(database), name, table, context)

    def drop_entry(self, database: str, name: str) -> None:
        """Drop an entry; no file is touched.

        Raises:
            BelvedereError: It was refused, or there was no answer.
        """
        self._change("drop_table", self._scoped(database), name, False)

    def create_database(self, payload: Mapping[str, object]) -> bool:
        """Make a database; whether this call has made it.

        Raises:
            BelvedereError: It was refused, or there was no answer.
        """
        stated = {**payload, "catalogName": self._catalog}
        try:
            self._change("create_database", struct(self._types.Database, stated))
        except CollisionError:
            return False
        return True

    def alter_database(self, name: str, payload: Mapping[str, object]) -> None:
        """Replace what a metastore says of a database; Hive 2.3 takes parameters and owner only.

        Raises:
            BelvedereError: It was refused, or there was no answer.
        """
        stated = {**payload, "catalogName": self._catalog}
        self._change("alter_database", self._scoped(name), struct(self._types.Database, stated))

    def drop_database(self, name: str) -> bool:
        """Drop a database that holds nothing; its folder stays. Whether it is gone.

        Raises:
            BelvedereError: There was no answer.
        """
        if self.database(name) is None:
            return True
        try:
            self._change("drop_database", self._scoped(name), False, False)
        except (NamespaceError, StoreError):
            return self.database(name) is None
        return True

    def create_function(self, payload: Mapping[str, object]) -> None:
        """Make a function.

        Raises:
            CollisionError: There is a function of this name.
            NamespaceError: The database is not there.
            BelvedereError: It was refused, or there was no answer.
        """
        stated = {**payload, "catName": self._catalog}
        self._change("create_function", struct(self._types.Function, stated))

    def drop_function(self, database: str, name: str) -> bool:
        """Drop a function; whether there was one. No file is touched.

        Raises:
            BelvedereError: It was refused, or there was no answer.
        """
        try:
            self._change("drop_function", self._scoped(database), name)
        except NamespaceError:
            return False
        return True

    def _table(self, payload: Mapping[str, object]) -> Any:  # noqa: ANN401 - Thrift is untyped
        return struct(self._types.Table, {**payload, "catName": self._catalog})

    def _change(self, method: str, *arguments: object) -> None:
        """Send a call that changes something, once.

        Raises:
            BelvedereError: In place of the metastore's and Thrift's errors.
        """
        if method not in WRITES:
            raise PermissionError(f"{method} is not on the list of calls that write")
        if self._client is None:
            self.open()
        try:
            self._ask(method, *arguments)
        except ReadError as error:
            raise _write_error(error) from error


def _write_error(error: ReadError) -> BelvedereError:
    """What the metastore's refusal means for who writes."""
    match type(error.__cause__).__name__:
        case "AlreadyExistsException":
            return CollisionError(error.message)
        case "NoSuchObjectException" | "UnknownDBException":
            return NamespaceError(error.message)
        case "MetaException" if _CHANGED in error.message:
            return MovedError(error.message)
        case _:
            return StoreError(error.message, hint=error.hint)


def struct(kind: type[Any], data: Mapping[str, Any]) -> Any:  # noqa: ANN401 - Thrift is untyped
    """A struct of Thrift from its fields by the IDL's names; null ones and others are left out."""
    fields = {spec[2]: spec for spec in kind.thrift_spec if spec}
    values = {
        name: _value(fields[name][1], fields[name][3], value)
        for name, value in data.items()
        if name in fields and value is not None
    }
    return kind(**values)


def _value(kind: int, spec: Any, value: Any) -> Any:  # noqa: ANN401 - Thrift is untyped
    if kind == TType.STRUCT:
        return struct(spec[0], value)
    if kind == TType.LIST:
        return [_value(spec[0], spec[1], item) for item in value]
    return value
