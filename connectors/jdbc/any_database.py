"""Source `sqlalchemy`: the views of any database that SQLAlchemy has a dialect for.

All comes from SQLAlchemy's inspector, view by view: for a database with a source of its own, that
one is faster and says more. `SELECT * FROM <view> WHERE 1=0` is sent only where the configuration
asks for it: no two databases agree on how to describe a statement without running it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeVar

from sqlalchemy import URL, Connection, Engine, Inspector, inspect
from sqlalchemy.exc import (
    ArgumentError,
    CompileError,
    DBAPIError,
    NoSuchTableError,
    SQLAlchemyError,
)

from connectors.clients import lines, sql, sqlite
from connectors.clients.bounds import answer_within
from connectors.jdbc import alchemy, base
from connectors.jdbc.postgresql_catalog import SPELLING
from discovery.errors import BelvedereError, ConfigurationError, ReadError, UnreachableError
from discovery.model import POSTGRESQL
from discovery.outcomes import Failure, Kind, Listed, Stage
from discovery.ports import Probe

_UNNAMED: Final = "default"  # the schema of a database that has no name for it
_UNKNOWN: Final = "unknown"  # a type
_Answered = TypeVar("_Answered")
_TO_THE_LETTER: Final = {"no_parameters": True}  # a percent sign in a name is no placeholder


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(base.Options):
    """How to reach and crawl a database through SQLAlchemy.

    Attributes:
        url: SQLAlchemy's, `dialect+driver://host:port/database`, without user and password.
        tls: Not for this source: the URL says it, as the driver names it.
        ca_file: Not for this source.
        introspection: Where columns come from: `catalog` sends no query; `query` **executes** the
            empty query, which can run functions of the view with the rights of the user, and lets
            the catalog stand in; `both` compares the two.
        timeout: Seconds; what is asked at once, as to connect or what the inspector asks of a view,
            may take ten times as long, then the connection counts as lost.
        session: Statements that each new connection runs first: those that make it read-only and
            bound its statements, in the database's own words.
    """

    schemes: ClassVar[tuple[str, ...]] = ()

    introspection: base.Introspection = "catalog"
    timeout: float = 30.0
    session: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super(Options, self).__post_init__()
        if self.tls or self.ca_file:
            hint = "write it into the URL, as the driver names it"
            raise ConfigurationError("tls is not known for any database", hint=hint)


def _read_only(url: URL) -> URL:
    """The URL of a file of SQLite, opened only to be read; any other as it is.

    Raises:
        ConfigurationError: It names no absolute path.
    """
    if url.get_backend_name() != "sqlite":
        return url
    sqlite.check_path(url.set(database=(url.database or "").removeprefix("file:")))
    return sqlite.opened(url, "ro")


def _autocommit(connection: Connection) -> bool:
    """Make each statement its own transaction; whether dialect and driver know how.

    Those of Db2, Athena, ClickHouse and DuckDB do not (2026-12), each in a way of its own.
    """
    try:
        connection.execution_options(isolation_level="AUTOCOMMIT")
    except (ArgumentError, AttributeError, NotImplementedError):
        return False
    return True


class UntoldError(ReadError):
    """The dialect does not know how to ask for that."""


@contextmanager
def _driver_errors() -> Iterator[None]:
    """What drivers raise that is no error of a database, as when a proxy answers, is read as one.

    Raises:
        UnreachableError: No server spoke.
        ReadError: One did, or a proxy. Both have the driver's message.
    """
    try:
        yield
    except (BelvedereError, NotImplementedError, SQLAlchemyError):
        raise
    except Exception as error:
        if sql.is_unanswered(error) or isinstance(sql.driver_error(error), UnreachableError):
            raise UnreachableError(str(error)) from error
        raise ReadError(f"{type(error).__name__}: {error}") from error


class AnyDatabase(alchemy.AlchemyDatabase):
    """A database behind SQLAlchemy's dialect as a source of views."""

    system_schemas = frozenset({"information_schema", "pg_catalog", "sys"})

    def __init__(self, options: Options) -> None:
        self._session = options.session
        super().__init__(options)
        self._dialect = self._engine.dialect
        self._names_default: bool | None = None  # not asked yet
        self._autocommits = True

    def engine(self, options: Options) -> Engine:
        """Connections as the URL says.

        Raises:
            ConfigurationError: There is no such dialect, or its driver is not installed.
        """
        try:
            url = options.complete_url()
            url.get_dialect()  # it is known, before anything is said of its files
            return sql.engine(_read_only(url), {})
        except (ModuleNotFoundError, SQLAlchemyError) as error:
            hint = "install SQLAlchemy's dialect and the driver of the URL"
            raise ConfigurationError(str(error), hint=hint) from error

    def connect(self) -> Connection:
        """A new connection, told what it must know."""
        return self._ask_in_time(self._connect_and_greet)

    def disconnect(self, connection: Connection) -> None:
        """Close without a word, as far as the driver has none, and without waiting for it."""
        with suppress(TimeoutError):
            answer_within(
                self._options.timeout, lambda: super(AnyDatabase, self).disconnect(connection)
            )

    def _connect_and_greet(self) -> Connection:
        connection = super().connect()
        self._greet(connection)
        return connection

    def _ask_in_time(self, ask: Callable[[], _Answered]) -> _Answered:
        """What is asked of the driver, which may not bound it: how, is each one's own.

        Raises:
            UnreachableError: No server spoke, or none by then; the connection is not used again.
            ReadError: One did, or a proxy.
        """

        def ask_driver() -> _Answered:
            with _driver_errors():
                return ask()

        seconds = min(self._options.timeout * sql.WHOLE, self._seconds_left())
        try:
            return answer_within(seconds, ask_driver)
        except TimeoutError:
            raise UnreachableError(f"no answer within {seconds:.3g} seconds") from None

    def _ask_alone(self, connection: Connection, ask: Callable[[], _Answered]) -> _Answered:
        """The same in a transaction of its own, which a refusal would spoil for others."""

        def ask_and_end() -> _Answered:
            try:
                return ask()
            finally:
                if not self._autocommits:
                    connection.rollback()

        return self._ask_in_time(ask_and_end)

    def _greet(self, connection: Connection) -> None:
        """Have a driver connect now that does so with the first statement, as Trino's does.

        Raises:
            UnreachableError: There is no server; one that refuses the statement is there.
        """
        try:
            self._dialect.do_ping(connection.connection.dbapi_connection)  # type: ignore[arg-type]  # it is open
        except Exception as error:
            if sql.is_unanswered(error):
                self.disconnect(connection)
                raise

    def set_up_session(self, connection: Connection) -> None:
        """Run the statements of the configuration; PostgreSQL spells texts in one way before.

        pg_get_viewdef leaves out the schemas of the search path, `public` for one, and a short name
        is of the view's own schema here.
        """
        self._autocommits = _autocommit(connection)
        spelling = SPELLING.items() if self._dialect.name == POSTGRESQL else ()
        settings = (f"SET {key} = {value}" for key, value in spelling)
        for statement in (*settings, *self._session):
            connection.exec_driver_sql(statement, execution_options=_TO_THE_LETTER)
        connection.commit()

    def probe(self) -> Probe:
        """Connect and say the version."""
        self.impatient()
        self.open_session()
        version = ".".join(map(str, getattr(self._dialect, "server_version_info", None) or ()))
        return Probe(f"{self._dialect.name} {version}".strip())

    def schemas(self) -> Sequence[str]:
        """All that the inspector sees."""
        return sorted(name or _UNNAMED for name in self._inspect(Inspector.get_schema_names))

    def objects(self, schema: str) -> Sequence[tuple[str, Kind]]:
        """Views; materialized views and tables where the dialect knows them."""
        kinds: dict[str, Kind] = {}
        for kind, ask in (
            (Kind.TABLE, Inspector.get_table_names),
            (Kind.VIEW, Inspector.get_view_names),
            (Kind.MATERIALIZED_VIEW, Inspector.get_materialized_view_names),
        ):
            try:
                names: Iterable[str] = self._inspect(ask, schema=schema)
            except UntoldError:
                if kind is Kind.VIEW:  # else there would seem to be none
                    raise
                continue
            kinds |= dict.fromkeys(names, kind)
        return sorted(kinds.items())

    def read_schemas(self, wanted: Sequence[Listed]) -> base.Answers:
        """Their names: the inspector says nothing else of them."""
        return [
            lines.raw_object(listed, "sqlalchemy_schema", {"name": listed.namespace[0]})
            for listed in wanted
        ]

    def read_views(self, wanted: Sequence[Listed]) -> base.Answers:
        """View by view."""
        views: dict[str, set[str]] = {}
        answers: base.Answers = []
        for listed in wanted:
            (schema,) = listed.namespace
            if schema not in views:
                views[schema] = set(self._inspect(Inspector.get_view_names, schema=schema))
            if listed.name not in views[schema]:
                continue
            try:
                payload = self._read_payload(schema, listed.name)
            except UnreachableError:
                raise
            except BelvedereError as error:
                answers.append(Failure.of(listed, Stage.READ, error))
            else:
                answers.append(lines.raw_object(listed, "sqlalchemy_view", payload))
        return answers

    def read_tables(self, wanted: Sequence[Listed]) -> base.Answers:
        """Table by table."""
        answers: base.Answers = []
        for listed in wanted:
            (schema,), name = listed.namespace, listed.name
            if self._inspect(Inspector.has_table, name, schema=schema):
                stated = self._inspect(Inspector.get_columns, name, schema=schema)
                columns = [self._column(column) for column in stated]
                payload = {
                    "schema": schema,
                    "name": name,
                    "dialect": self._dialect.name,
                    "columns": columns,
                }
                answers.append(lines.raw_object(listed, "sqlalchemy_table", payload))
        return answers

    def _read_payload(self, schema: str, name: str) -> dict[str, object]:
        """What is kept of a view.

        Raises:
            BelvedereError: It has no text, or nothing knows its columns.
        """
        place = {"schema": schema}
        payload: dict[str, object] = {"schema": schema, "name": name, "dialect": self._dialect.name}
        payload["definition"] = self._inspect(Inspector.get_view_definition, name, **place)
        payload["comment"] = self._read_comment(schema, name)
        answer: list[str] | BelvedereError | None = None
        if self._options.introspection != "catalog":
            answer = self._ask_columns(schema, name)
        try:
            stated = self._inspect(Inspector.get_columns, name, **place)
        except UnreachableError:
            raise
        except BelvedereError as error:
            raise (answer if isinstance(answer, BelvedereError) else error) from None
        columns = {column["name"]: self._column(column) for column in stated}
        payload["columns_from"] = "query" if isinstance(answer, list) else "catalog"
        if isinstance(answer, BelvedereError):
            payload["refused"] = answer.message
        if isinstance(answer, list):
            unknown = {"type": _UNKNOWN, "comment": None}
            payload["columns"] = [
                columns.get(column, {"name": column, **unknown}) for column in answer
            ]
            if self._options.introspection == "both":
                payload["differences"] = base.differences(answer, list(columns))
        else:
            payload["columns"] = list(columns.values())
        return payload

    def _ask_columns(self, schema: str, name: str) -> list[str] | BelvedereError:
        """The names of the columns that the empty query returns, or why it was refused."""
        statement = self.empty_query(*filter(None, (self._look_up_schema(schema), name)))
        connection = self.open_session()

        def ask() -> list[str]:
            result = connection.exec_driver_sql(statement, execution_options=_TO_THE_LETTER)
            names = list(result.keys())
            result.close()
            return names

        try:
            return self._ask_alone(connection, ask)
        except DBAPIError as error:
            why = sql.our_error(error, connected=True)
            if isinstance(why, UnreachableError):
                raise why from None
            return why

    def _column(self, stated: Any) -> dict[str, str | None]:  # noqa: ANN401 - SQLAlchemy's dict
        try:
            text = stated["type"].compile(dialect=self._dialect)
        except CompileError:  # of what the inspector knows no type for, or an array of that
            text = _UNKNOWN
        return {"name": stated["name"], "type": text, "comment": stated.get("comment")}

    def _read_comment(self, schema: str, name: str) -> str | None:
        try:
            comment: str | None = self._inspect(Inspector.get_table_comment, name, schema=schema)[
                "text"
            ]
        except UnreachableError:
            raise
        except BelvedereError:  # the dialect knows none, or none of views
            return None
        return comment

    def _look_up_schema(self, schema: str) -> str | None:
        """A schema as the inspector knows it: that which has no name is None.

        Hive and ClickHouse have one that is called `default`.
        """
        if schema != _UNNAMED:
            return schema
        if self._names_default is None:
            self._names_default = schema in self._inspect(Inspector.get_schema_names)
        return schema if self._names_default else None

    def _inspect(self, ask: Any, *names: str, schema: str | None = None) -> Any:  # noqa: ANN401 - the inspector's methods
        """What the inspector answers, asked anew each time: it remembers.

        Raises:
            BelvedereError: The database's own, in our words.
        """
        keywords = {} if schema is None else {"schema": self._look_up_schema(schema)}
        connection = self.open_session()
        try:
            return self._ask_alone(connection, lambda: ask(inspect(connection), *names, **keywords))
        except DBAPIError as error:
            raise sql.our_error(error, connected=True) from None
        except NoSuchTableError as error:
            raise ReadError(f"the inspector finds no {error}") from None
        except NotImplementedError:
            name = self._dialect.name
            raise UntoldError(f"the dialect {name} does not implement {ask.__name__}") from None
        except SQLAlchemyError as error:  # as of a view of MySQL whose base is gone
            raise ReadError(f"the inspector cannot read it: {error}") from None
