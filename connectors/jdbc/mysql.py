"""Source `mysql`: the views of MySQL (5.7.22 to 9) and MariaDB (10.5 and later).

Columns come from `SELECT * FROM <view> WHERE 1=0`, many statements to a packet, under a statement
time limit: these servers can run deterministic stored functions for it. Exact types, text and
rights come from `information_schema`, which runs nothing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, ClassVar, Final

import orjson
import pymysql
from pymysql.constants import CLIENT
from sqlalchemy import Connection, Engine, bindparam, text

from connectors.clients import lines, sql
from connectors.jdbc import base
from connectors.jdbc.mysql_header import headers, spelled
from discovery.chunks import chunks
from discovery.datatypes import mysql
from discovery.engines import ENGINES
from discovery.errors import BelvedereError, ReadError, UnreachableError
from discovery.model import MYSQL, DataType
from discovery.outcomes import Failure, Kind, Listed, Stage
from discovery.ports import Function, Probe
from discovery.systems import systems

_LONGEST_LOCK: Final = 5  # seconds to wait for a table that somebody alters
_LONGEST_JSON: Final = 1 << 26  # bytes of the columns of a view, which the server would cut off
_HIDDEN: Final = text("""
    SELECT count(*) AS number FROM information_schema.views WHERE view_definition = ''
""")
_SCHEMATA: Final = text("SELECT schema_name AS name FROM information_schema.schemata ORDER BY 1")
_OBJECTS: Final = text("""
    SELECT table_name AS name, table_type AS kind FROM information_schema.tables
    WHERE table_schema = :schema ORDER BY 1
""")
_SCHEMAS: Final = text("""
    SELECT * FROM information_schema.schemata WHERE schema_name IN :schemas
""").bindparams(bindparam("schemas", expanding=True))
_VIEWS: Final = text("""
    SELECT * FROM information_schema.views WHERE table_schema = :schema AND table_name IN :names
""").bindparams(bindparam("names", expanding=True))
_COMMENTS: Final = text("""
    SELECT table_name AS name, table_comment AS comment FROM information_schema.tables
    WHERE table_schema = :schema AND table_name IN :names
""").bindparams(bindparam("names", expanding=True))
_COLUMNS: Final = text("""
    SELECT table_name AS view_name, column_name AS name, column_type AS type,
      column_comment AS comment, ordinal_position AS place
    FROM information_schema.columns WHERE table_schema = :schema AND table_name IN :names
""").bindparams(bindparam("names", expanding=True))
_COLUMNS_AS_JSON: Final = text("""
    SELECT min(table_name) AS view_name, json_arrayagg(json_object('name', column_name,
      'type', column_type, 'comment', column_comment, 'place', ordinal_position)) AS stated
    FROM information_schema.columns WHERE table_schema = :schema AND table_name IN :names
    GROUP BY CAST(table_name AS BINARY)
""").bindparams(bindparam("names", expanding=True))  # names that the collation thinks equal differ
_FUNCTIONS: Final = text("""
    SELECT routine_schema AS namespace, routine_name AS name,
      coalesce(external_language, routine_body) AS language, definer AS owner
    FROM information_schema.routines
    WHERE routine_type = 'FUNCTION' ORDER BY 1, 2
""")
_NO_SUCH: Final = ("1049:", "1146:")  # database, table
_KEPT: Final = (  # of information_schema.views, under these names
    "check_option",
    "is_updatable",
    "definer",
    "security_type",
    "character_set_client",
    "collation_connection",
    "algorithm",
)

Columns = list[tuple[str, str]]  # names and types, as the header tells them


class Options(base.Options):
    """How to reach and crawl a server of MySQL's family.

    Attributes:
        url: `mysql://host:port/`, without user and password.
    """

    schemes: ClassVar[tuple[str, ...]] = ENGINES[MYSQL].schemes


class MySQL(base.Database):
    """A MySQL or MariaDB server as a source of views; its databases are the schemas."""

    kind: ClassVar[str] = "mysql"  # of the raw objects
    parse: "ClassVar[staticmethod[[str], DataType]]" = staticmethod(mysql.parse)
    packet: ClassVar[int] = 100  # statements sent together
    aggregates_json: ClassVar[bool] = True  # so PyMySQL reads a row for each view, not for 22
    has_comments: ClassVar[bool] = False  # of views: MySQL says VIEW for each
    catalog: ClassVar[str | None] = None  # of names in a view's text
    system_schemas = systems(MYSQL).schemas

    def engine(self, options: base.Options) -> Engine:
        """Sessions with a name, several statements to a packet, and TLS where it is asked for."""
        flag = CLIENT.MULTI_STATEMENTS
        return sql.mysql(options, timeout=options.timeout, client_flag=flag)

    def opened(self, connection: Connection) -> None:
        """Make the session read-only and bounded."""
        version = _driver(connection).get_server_info()
        for statement in self.session(version, self._options.timeout):
            connection.exec_driver_sql(statement)

    def session(self, version: str, timeout: float) -> Sequence[str]:
        """What a new session is told; the SQL mode is the one in which texts have backticks."""
        limit = f"max_execution_time = {round(timeout * 1000)}"
        if "mariadb" in version.lower():
            limit = f"max_statement_time = {timeout:g}"
        wait = f"lock_wait_timeout = {max(1, min(_LONGEST_LOCK, round(timeout / 2)))}"
        return (
            f"SET SESSION {limit}, SESSION {wait}, SESSION sql_mode = ''",
            f"SET SESSION group_concat_max_len = {_LONGEST_JSON}",
            "SET SESSION TRANSACTION READ ONLY",
        )

    def probe(self) -> Probe:
        """Connect; say the version, and how many views keep their text from us."""
        self.impatient()
        row = self.rows(text("SELECT version() AS version"))[0]
        number = self.rows(_HIDDEN)[0]["number"]
        problems = (f"no SHOW VIEW on {number} views: they will fail",) if number else ()
        return Probe(str(row["version"]), problems)

    def schemas(self) -> Sequence[str]:
        """All that the user may see."""
        return [row["name"] for row in self.rows(_SCHEMATA)]

    def objects(self, schema: str) -> Sequence[tuple[str, Kind]]:
        """Views and tables of every sort."""
        found = self.rows(_OBJECTS, {"schema": schema})
        return [(row["name"], self.kind_of(str(row["kind"]))) for row in found]

    def kind_of(self, told: str) -> Kind:
        """The kind of an object by its table type."""
        return Kind.VIEW if told == "VIEW" else Kind.TABLE

    def read_schemas(self, wanted: Sequence[Listed]) -> base.Answers:
        """Character set, collation and, where the server keeps it, the comment of each."""
        places = {one.namespace[0]: one for one in wanted}
        answers: base.Answers = []
        for row in map(_lower, self.rows(_SCHEMAS, {"schemas": list(places)})):
            stated = {key: row.get(key) for key in _OF_SCHEMAS}
            payload = {
                "name": row["schema_name"],
                "comment": row.get("schema_comment") or None,
                "properties": {key: value for key, value in stated.items() if value},
            }
            listed = places[row["schema_name"]]
            answers.append(lines.raw_object(listed, f"{self.kind}_schema", payload))
        return answers

    def read_views(self, wanted: Sequence[Listed]) -> base.Answers:
        """The catalog's rows schema by schema, and the empty query of each view."""
        answers: base.Answers = []
        ordered = sorted(wanted, key=lambda one: one.namespace)
        for (schema,), group in groupby(ordered, lambda one: one.namespace):
            answers += self._read(schema, {one.name: one for one in group})
        return answers

    def read_tables(self, wanted: Sequence[Listed]) -> base.Answers:
        """The catalog's rows schema by schema; what is in none of them is asked for by itself."""
        answers: base.Answers = []
        ordered = sorted(wanted, key=lambda one: one.namespace)
        for (schema,), group in groupby(ordered, lambda one: one.namespace):
            places = {one.name: one for one in group}
            catalog = self._catalog({"schema": schema, "names": list(places)})
            for name, listed in places.items():
                try:
                    columns = catalog.get(name) or self._shown(schema, name)
                except UnreachableError:
                    raise
                except BelvedereError as error:
                    answers.append(Failure.of(listed, Stage.READ, error))
                    continue
                if columns:
                    found = [_column(row["name"], "", row) for row in columns]
                    payload = {"schema": schema, "name": name, "columns": found}
                    answers.append(lines.raw_object(listed, f"{self.kind}_table", payload))
        return answers

    def _shown(self, schema: str, name: str) -> list[dict[str, Any]]:
        """The columns of a table that the catalog does not show; none if there is no such table.

        Raises:
            BelvedereError: The user may not know whether there is one.
        """
        place = self.quoted(schema, name).replace(":", r"\:")
        try:
            rows = self.rows(text(f"SHOW FULL COLUMNS FROM {place}"))
        except ReadError as error:
            if error.message.startswith(_NO_SUCH):
                return []
            raise
        known = ("Field", "name"), ("Type", "type"), ("Comment", "comment")
        return [{key: row[stated] for stated, key in known} for row in rows]

    def fold_function(self, name: str) -> str:
        """Names of functions are compared ignoring case, whatever those of tables are."""
        return name.lower()

    def functions(self) -> Iterator[Function | Failure]:
        """Stored functions, none of the system's; there is one of each name."""
        for row in self.rows(_FUNCTIONS):
            schema = row.pop("namespace")
            if schema.casefold() not in self.system_schemas:
                yield Function((schema,), **row)

    def _read(self, schema: str, wanted: Mapping[str, Listed]) -> base.Answers:
        place = {"schema": schema, "names": list(wanted)}
        views = {str(row["table_name"]): row for row in map(_lower, self.rows(_VIEWS, place))}
        there = [name for name in wanted if name in views]
        catalog = self._catalog(place)
        comments = {}
        if self.has_comments:
            comments = {row["name"]: row["comment"] for row in self.rows(_COMMENTS, place)}
        queried = self._options.introspection != "catalog"
        said = self._queried(schema, there) if queried else {}
        answers: base.Answers = []
        for name in there:
            try:
                payload = self._payload(views[name], catalog.get(name, []), said.get(name))
            except UnreachableError:
                raise
            except BelvedereError as error:
                answers.append(Failure.of(wanted[name], Stage.READ, error))
                continue
            payload["comment"] = comments.get(name) or None
            answers.append(lines.raw_object(wanted[name], f"{self.kind}_view", payload))
        return answers

    def _catalog(self, place: Mapping[str, object]) -> dict[str, list[dict[str, Any]]]:
        """The catalog's columns of each view, in their order."""
        found: dict[str, list[dict[str, Any]]] = {}
        if self.aggregates_json:
            rows = self.rows(_COLUMNS_AS_JSON, place)
            found = {row["view_name"]: orjson.loads(row["stated"]) for row in rows}
        else:
            for row in self.rows(_COLUMNS, place):
                found.setdefault(row["view_name"], []).append(row)
        for columns in found.values():
            columns.sort(key=lambda row: int(row["place"]))
        return found

    def _queried(self, schema: str, names: Sequence[str]) -> dict[str, Columns | BelvedereError]:
        """The answer to the empty query of each view, or why it was refused."""
        found: dict[str, Columns | BelvedereError] = {}
        for some in chunks(names, self.packet):
            left = some
            while left:  # what stands behind an error was not run: it is sent again
                answers = self._packet([self.empty_query(schema, name) for name in left])
                found |= zip(left, answers, strict=False)
                left = left[len(answers) :]
        return found

    def _packet(self, statements: Sequence[str]) -> list[Columns | BelvedereError]:
        """Answers up to the first error, which is the last of them."""
        found: list[Columns | BelvedereError] = []
        driver = _driver(self.connected())
        try:
            for header in headers(driver, "; ".join(statements)):
                columns = [(field.name, spelled(field)) for field in header]
                found.append(columns)
        except pymysql.InterfaceError as error:
            raise UnreachableError(str(error)) from None
        except pymysql.MySQLError as error:
            why = sql.refused(error)
            if isinstance(why, UnreachableError):
                raise why from None
            found.append(why)
        return found

    def _payload(
        self,
        view: Mapping[str, Any],
        catalog: Sequence[Mapping[str, Any]],
        said: Columns | BelvedereError | None,
    ) -> dict[str, object]:
        """What is kept of a view.

        Raises:
            BelvedereError: Its text is hidden, or nothing knows its columns.
        """
        schema, name = str(view["table_schema"]), str(view["table_name"])
        if not view["view_definition"]:
            raise self._hidden(schema, name)
        payload: dict[str, object] = {
            "schema": schema,
            "name": name,
            "definition": _text(view["view_definition"]),
            **{key: view[key] for key in _KEPT if view.get(key) is not None},
        }
        if self.catalog is not None:
            payload["catalog"] = self.catalog
        if isinstance(said, list):
            stated = {row["name"]: row for row in catalog}
            payload["columns"] = [_column(name, kind, stated.get(name)) for name, kind in said]
            payload["columns_from"] = "query"
            if self._options.introspection == "both":
                payload["differences"] = self._differences(said, catalog)
            return payload
        if not catalog:
            raise said or ReadError("the catalog states no columns: broken, or not ours to see")
        payload["columns"] = [_column(row["name"], "", row) for row in catalog]
        payload["columns_from"] = "catalog"
        if said is not None:
            payload["refused"] = said.message
        return payload

    def _hidden(self, schema: str, name: str) -> BelvedereError:
        """Why a view has no text: the server says so where it is asked for the statement."""
        try:
            self.rows(text(f"SHOW CREATE VIEW {self.quoted(schema, name)}".replace(":", r"\:")))
        except BelvedereError as error:
            return error
        return ReadError("the server gives an empty text")

    def _differences(self, said: Columns, catalog: Iterable[Mapping[str, Any]]) -> list[str]:
        """What the two say differently; spellings of one type are no difference."""
        parse = self.parse
        one = [(name, kind, parse(kind)) for name, kind in said]
        other = [(row["name"], row["type"], parse(_text(row["type"]))) for row in catalog]
        return base.differences(
            [f"{name} {kind}" for name, kind, _ in one],
            [
                f"{name} {one[at][1] if at < len(one) and (name, parsed) == one[at][::2] else kind}"
                for at, (name, kind, parsed) in enumerate(other)
            ],
        )


_OF_SCHEMAS: Final = ("default_character_set_name", "default_collation_name")


def _driver(connection: Connection) -> Any:  # noqa: ANN401 - PyMySQL has no types
    """PyMySQL's connection below SQLAlchemy's."""
    return connection.connection.driver_connection


def _column(name: str, kind: str, stated: Mapping[str, Any] | None) -> dict[str, str | None]:
    """A column; the catalog's spelling of its type is exact, the header's is not."""
    if stated is None:
        return {"name": name, "type": kind, "comment": None}
    return {"name": name, "type": _text(stated["type"]), "comment": stated["comment"] or None}


def _lower(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with its names in lower case: MySQL 8 has them in upper case."""
    return {key.lower(): value for key, value in row.items()}


def _text(value: object) -> str:
    """MySQL 8 sends some texts of its catalog as bytes."""
    return value.decode() if isinstance(value, bytes) else str(value)
