"""Source `mysql`: the views of MySQL (5.7.22 to 9) and MariaDB (10.5 and later).

Columns come from `SELECT * FROM <view> WHERE 1=0`, which is prepared and never executed, many at
once; exact types, text and rights from `information_schema`. MySQL runs nothing of a view for that.
MariaDB runs deterministic functions in some places of a view whenever it opens it, for its own
catalog too: so each batch is a read-only transaction, behind which the session is made anew.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any, ClassVar, Final, TypeVar

import orjson
import pymysql
from sqlalchemy import text

from connectors.clients import lines, sql
from connectors.jdbc import base, mysql_absence, mysql_grants, mysql_session
from connectors.jdbc import mysql_catalog as catalog
from connectors.jdbc.mysql_header import ask_statements, prepare_statements, spelled
from discovery.chunks import chunks
from discovery.datatypes import mysql
from discovery.engines import ENGINES
from discovery.errors import BelvedereError, DeniedError, ReadError, UnreachableError
from discovery.formats.mysql_statement import full_text, may_lack
from discovery.functions import Function
from discovery.model import MYSQL, DataType
from discovery.outcomes import Failure, Kind, Listed, Stage
from discovery.ports import Probe
from discovery.rights.model import Grant, Membership, RightsModel

_Answer = TypeVar("_Answer")
_IN_FLIGHT: Final = 32  # statements; what their names may take fits the buffers of any socket
_NO_COLUMNS: Final = "the catalog states no columns: broken, or not ours to see"
_RAW: Final = "SET character_set_results = NULL"  # what is shown is converted into nothing
_READ: Final = "SET character_set_results = utf8mb4"
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


class MySQL(mysql_session.SessionOfMySQL):
    """A MySQL or MariaDB server as a source of views; its databases are the schemas."""

    kind: ClassVar[str] = "mysql"  # of the raw objects
    parse: "ClassVar[staticmethod[[str], DataType]]" = staticmethod(mysql.parse)
    unprepared: ClassVar[str | None] = None  # why the empty query cannot be prepared
    aggregates_json: ClassVar[bool] = True  # so PyMySQL reads a row for each view, not for 22
    has_comments: ClassVar[bool] = False  # of views: MySQL says VIEW for each
    rights_model = RightsModel.MYSQL
    catalog: ClassVar[str | None] = None  # of names in a view's text
    system_schemas = ENGINES[MYSQL].provides.schemas

    def __init__(self, options: base.Options) -> None:
        super().__init__(options)
        self._in_flight = _IN_FLIGHT

    def probe(self) -> Probe:
        """Connect; say the version, and how many views keep their text from us."""
        self.impatient()
        row = self._retry(lambda: self.rows(text("SELECT version() AS version")))[0]
        number = self._retry(lambda: self.rows(catalog.HIDDEN))[0]["number"]
        problems = (f"views without SHOW VIEW, which will fail: {number}",) if number else ()
        return Probe(str(row["version"]), problems)

    def pulse(self) -> None:
        """The smallest question. A task follows it."""
        self._start_task()
        self._retry(lambda: self.rows(text("SELECT 1 AS one")))

    def schemas(self) -> Sequence[str]:
        """All that the user may see."""
        return [row["name"] for row in self.rows(catalog.SCHEMATA)]

    def objects(self, schema: str) -> Sequence[tuple[str, Kind]]:
        """Views and tables of every sort."""
        rows = self.rows(catalog.OBJECTS, {"schema": schema})
        return [(row["name"], self.kind_of(str(row["kind"]))) for row in rows]

    def kind_of(self, table_type: str) -> Kind:
        """The kind of an object by its table type."""
        return Kind.VIEW if table_type == "VIEW" else Kind.TABLE

    def read_schemas(self, wanted: Sequence[Listed]) -> base.Answers:
        """Character set, collation and, where the server keeps it, the comment of each."""
        places = {listed.namespace[0]: listed for listed in wanted}
        answers: base.Answers = []
        for row in map(_lower, self.rows(catalog.SCHEMAS, {"schemas": list(places)})):
            if (listed := places.pop(row["schema_name"], None)) is None:
                continue  # another name that the collation thinks equal
            stated = {key: row.get(key) for key in _OF_SCHEMAS}
            payload = {
                "name": row["schema_name"],
                "comment": row.get("schema_comment") or None,
                "properties": {key: value for key, value in stated.items() if value},
            }
            answers.append(lines.raw_object(listed, f"{self.kind}_schema", payload))
        return answers + self._find_withheld([*places.values()])

    def read_views(self, wanted: Sequence[Listed]) -> base.Answers:
        """The catalog's rows schema by schema, and the empty query of each view."""
        answers: base.Answers = []
        ordered = sorted(wanted, key=lambda listed: listed.namespace)
        for (schema,), group in groupby(ordered, lambda listed: listed.namespace):
            answers += self._read(schema, {listed.name: listed for listed in group})
        return answers

    def read_tables(self, wanted: Sequence[Listed]) -> base.Answers:
        """The catalog's rows schema by schema; what is in none of them is asked for by itself."""
        answers: base.Answers = []
        ordered = sorted(wanted, key=lambda listed: listed.namespace)
        for (schema,), group in groupby(ordered, lambda listed: listed.namespace):
            places = {listed.name: listed for listed in group}
            stated = self._read_columns({"schema": schema, "names": list(places)})
            for name, listed in places.items():
                try:
                    columns = stated.get(name) or self._show_columns(schema, name)
                except UnreachableError:
                    raise
                except BelvedereError as error:
                    answers.append(Failure.of(listed, Stage.READ, error))
                    continue
                if columns:
                    described = [_column(row["name"], "", row) for row in columns]
                    payload = {"schema": schema, "name": name, "columns": described}
                    answers.append(lines.raw_object(listed, f"{self.kind}_table", payload))
        return answers

    def _show_columns(self, schema: str, name: str) -> list[dict[str, Any]]:
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
        names = ("Field", "name"), ("Type", "type"), ("Comment", "comment")
        return [{key: row[stated] for stated, key in names} for row in rows]

    def fold_function(self, name: str) -> str:
        """Names of functions are compared ignoring case, whatever those of tables are."""
        return name.lower()

    def functions(self) -> Iterator[Function | Failure]:
        """Stored functions, none of the system's; there is one of each name."""
        for row in self._retry(lambda: self.rows(catalog.FUNCTIONS)):
            schema = row.pop("namespace")
            if schema.casefold() not in self.system_schemas:
                yield Function((schema,), **row)

    def grants(self) -> Iterator[Grant | Membership | Failure]:
        """What the grant tables say, if all of them may be read: SELECT on `mysql`."""
        (row,) = self._retry(lambda: self.rows(text("SELECT version() AS version")))
        schemas = self._retry(self.schemas)
        version = str(row["version"])
        return mysql_grants.read_grants(
            lambda statement: self._retry(lambda: self.rows(statement)), version, schemas
        )

    def _read(self, schema: str, wanted: Mapping[str, Listed]) -> base.Answers:
        place = {"schema": schema, "names": list(wanted)}
        views = self._read_views(place, wanted)
        names = [name for name in wanted if name in views]
        stated = self._read_columns(place)
        comments = {}
        if self.has_comments:
            comments = {row["name"]: row["comment"] for row in self.rows(catalog.COMMENTS, place)}
        queried = self._options.introspection != "catalog" and self.unprepared is None
        outcomes = self._prepare_queries(schema, names) if queried else {}
        if self.unprepared is None:
            self._restore(schema, {name: views[name] for name in names})
        answers = self._find_withheld([wanted[name] for name in wanted if name not in views])
        for name in names:
            try:
                payload = self._payload(views[name], stated.get(name, []), outcomes.get(name))
            except UnreachableError:
                raise
            except BelvedereError as error:
                answers.append(Failure.of(wanted[name], Stage.READ, error))
                continue
            payload["comment"] = comments.get(name) or None
            answers.append(lines.raw_object(wanted[name], f"{self.kind}_view", payload))
        return answers

    def _read_views(
        self, place: Mapping[str, object], wanted: Iterable[str]
    ) -> dict[str, dict[str, Any]]:
        """The catalog's row of each view that is there, by name."""
        views: dict[str, dict[str, Any]] = {}
        for statement in (catalog.VIEWS, catalog.UNOPENED):
            for row in map(_lower, self.rows(statement, place)):
                views.setdefault(str(row["table_name"]), row)
            if views.keys() >= set(wanted):
                break
        return views

    def _find_withheld(self, absent: Sequence[Listed]) -> base.Answers:
        """Failures for what the catalog shows no longer and is not known to be gone."""
        if self.unprepared is not None:
            return []
        ask = partial(self._send, ask_statements)
        return [*mysql_absence.find_withheld(absent, self._in_flight, self.quoted, ask)]

    def _restore(self, schema: str, views: Mapping[str, dict[str, Any]]) -> None:
        """Give texts back what the catalog has lost of them, where SHOW CREATE VIEW is allowed."""
        texts = {name: _text(row["view_definition"]) for name, row in views.items()}
        version = mysql_session.driver_of(self.open_session()).get_server_info()
        lacking = (name for name, definition in texts.items() if may_lack(definition, version))
        for chunk in chunks(lacking, self._in_flight):
            shows = [f"SHOW CREATE VIEW {self.quoted(schema, name)}" for name in chunk]
            answers = self._send(ask_statements, [_RAW, *shows, _READ])[1:-1]
            for name, rows in zip(chunk, answers, strict=True):
                if not isinstance(rows, pymysql.MySQLError) and rows:
                    statement, charset = rows[0][1:3]
                    text_ = full_text(texts[name], statement, charset.decode())
                    views[name]["view_definition"] = text_

    def _send(
        self, ask: Callable[[Any, Sequence[str]], list[_Answer]], statements: Sequence[str]
    ) -> list[_Answer]:
        """What the server answers to statements that are sent at once.

        Raises:
            UnreachableError: The connection is lost.
        """
        try:
            return ask(mysql_session.driver_of(self.open_session()), statements)
        except pymysql.MySQLError as error:
            self._in_flight = 1  # what stands between may not pass on several at a time
            raise UnreachableError(sql.driver_error(error).message) from None

    def _read_columns(self, place: Mapping[str, object]) -> dict[str, list[dict[str, Any]]]:
        """The catalog's columns of each view, in their order."""
        by_view: dict[str, list[dict[str, Any]]] = {}
        is_complete = False
        if self.aggregates_json:
            rows = self.rows(catalog.COLUMNS_AS_JSON, place)
            by_view = {row["view_name"]: _parse_columns(row) for row in rows}
            is_complete = all(by_view.values())
        if not is_complete:
            by_view = {}
            for row in self.rows(catalog.COLUMNS, place):
                by_view.setdefault(row["view_name"], []).append(row)
        for columns in by_view.values():
            columns.sort(key=lambda row: int(row["place"]))
        return by_view

    def _prepare_queries(
        self, schema: str, names: Sequence[str]
    ) -> dict[str, Columns | BelvedereError]:
        """What preparing the empty query of each view says, or why it was refused."""
        outcomes: dict[str, Columns | BelvedereError] = {}
        for chunk in chunks(names, self._in_flight):
            statements = [self.empty_query(schema, name) for name in chunk]
            answers = self._send(prepare_statements, statements)
            for name, answer in zip(chunk, answers, strict=True):
                if isinstance(answer, list):
                    outcomes[name] = [(field.name, spelled(field)) for field in answer]
                    continue
                why = sql.driver_error(answer)
                if isinstance(why, UnreachableError):
                    raise why
                outcomes[name] = why
        return outcomes

    def _payload(
        self,
        view: Mapping[str, Any],
        stated: Sequence[Mapping[str, Any]],
        answer: Columns | BelvedereError | None,
    ) -> dict[str, object]:
        """What is kept of a view; one that the server calls invalid has a text and no columns.

        Raises:
            BelvedereError: Its text is hidden, or its columns are.
        """
        schema, name = str(view["table_schema"]), str(view["table_name"])
        if not view["view_definition"]:
            raise self._explain_hidden(schema, name)
        payload: dict[str, object] = {
            "schema": schema,
            "name": name,
            "definition": _text(view["view_definition"]),
            **{key: view[key] for key in _KEPT if view.get(key) is not None},
        }
        if self.catalog is not None:
            payload["catalog"] = self.catalog
        if isinstance(answer, list):
            by_name = {row["name"]: row for row in stated}
            payload["columns"] = [_column(name, kind, by_name.get(name)) for name, kind in answer]
            payload["columns_from"] = "query"
            if self._options.introspection == "both":
                payload["differences"] = self._differences(answer, stated)
            return payload
        refused = None if answer is None else answer.message
        if not stated:
            stated, refused = self._find_columns(schema, name, answer)
        elif answer is None and self._options.introspection != "catalog":
            refused = self.unprepared
        payload["columns"] = [_column(row["name"], "", row) for row in stated]
        payload["columns_from"] = "catalog" if stated else "nothing"
        if refused is not None:
            payload["refused"] = refused
        return payload

    def _find_columns(
        self, schema: str, name: str, answer: BelvedereError | None
    ) -> tuple[Sequence[Mapping[str, Any]], str | None]:
        """Columns of a view of which query and catalog have none, or why there are none.

        Raises:
            BelvedereError: A right is missing.
        """
        if answer is None:
            try:
                stated = self._show_columns(schema, name)
            except ReadError as error:
                return (), error.message
            return stated, self.unprepared if stated else _NO_COLUMNS
        if isinstance(answer, DeniedError):
            raise answer
        return (), answer.message

    def _explain_hidden(self, schema: str, name: str) -> BelvedereError:
        """Why a view has no text: the server says so where it is asked for the statement."""
        try:
            self.rows(text(f"SHOW CREATE VIEW {self.quoted(schema, name)}".replace(":", r"\:")))
        except BelvedereError as error:
            return error
        return ReadError("the server gives an empty text")

    def _differences(self, answer: Columns, stated: Iterable[Mapping[str, Any]]) -> list[str]:
        """What the two say differently; spellings of one type are no difference."""
        parse = self.parse
        heard = [(name, kind, parse(kind)) for name, kind in answer]
        other = [(row["name"], row["type"], parse(_text(row["type"]))) for row in stated]
        return base.differences(
            [f"{name} {kind}" for name, kind, _ in heard],
            [
                f"{name} "
                f"{heard[at][1] if at < len(heard) and (name, parsed) == heard[at][::2] else kind}"
                for at, (name, kind, parsed) in enumerate(other)
            ],
        )


_OF_SCHEMAS: Final = ("default_character_set_name", "default_collation_name")


def _column(name: str, kind: str, stated: Mapping[str, Any] | None) -> dict[str, str | None]:
    """A column; the catalog's spelling of its type is exact, the header's is not."""
    if stated is None:
        return {"name": name, "type": kind, "comment": None}
    return {"name": name, "type": _text(stated["type"]), "comment": stated["comment"] or None}


def _parse_columns(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The columns that are one JSON document; none where the server has cut it off."""
    try:
        stated: list[dict[str, Any]] = orjson.loads(row["stated"])
    except orjson.JSONDecodeError:
        return []
    return stated if len(stated) == row["number"] else []


def _lower(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with its names in lower case: MySQL 8 has them in upper case."""
    return {key.lower(): value for key, value in row.items()}


def _text(value: object) -> str:
    """MySQL 8 sends some texts of its catalog as bytes."""
    return value.decode() if isinstance(value, bytes) else str(value)
