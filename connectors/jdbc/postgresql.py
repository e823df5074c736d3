"""Source `postgresql`: the views of a PostgreSQL database (13 to 18).

Columns come from `SELECT * FROM <view> WHERE 1=0`, which is parsed and described, never planned or
executed: Bind is what plans, and the planner runs immutable functions. The text and everything else
are the catalog's. A batch of views is one round trip.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson
import psycopg
from psycopg.pq.abc import PGconn, PGresult

from connectors.clients import lines, sql
from connectors.jdbc import base, pipeline, postgresql_grants
from connectors.jdbc import postgresql_catalog as catalog
from connectors.jdbc.postgresql_answers import Columns, Heard, Text, definition_in, heard_in
from discovery.errors import BelvedereError, DeniedError, ReadError
from discovery.functions import Function
from discovery.outcomes import Failure, Kind, Listed, Stage
from discovery.ports import Probe
from discovery.rights.model import Grant, Membership, RightsModel

_KINDS: Final = {"v": Kind.VIEW, "m": Kind.MATERIALIZED_VIEW}  # the rest are sorts of tables
_NO_UNICODE: Final = "what the server says is no UTF-8: {}"

_LONGEST_LOCK: Final = 5.0  # seconds to wait for a table that somebody alters
Options = base.Options


class _Type(NamedTuple):
    """A type as the server spells it."""

    text: str
    is_domain: bool


class _Answers(NamedTuple):
    """What the server said of a view.

    Attributes:
        stated: Its row of the catalog.
        catalog: Its columns there.
        comments: Of columns, by their number, counted from 1.
        answer: The columns that the empty query returns; None where it was not asked or refused.
        refused: Why it was refused.
        definition: The text and whether it is updatable; or the error.
    """

    stated: dict[str, Any]
    catalog: Columns
    comments: Mapping[str, str]
    answer: Columns | None
    refused: BelvedereError | None
    definition: Text


class PostgreSQL(base.Database):
    """A PostgreSQL database as a source of views."""

    rights_model = RightsModel.POSTGRESQL

    def __init__(self, options: base.Options) -> None:
        super().__init__(options)
        self._types: dict[tuple[int, int], _Type] = {}
        self._introspection = options.introspection
        self._before: tuple[bytes, ...] = ()  # what each transaction begins with

    def connect(self) -> sql.LibpqConnection:
        """A session that is read-only and spells texts in one way, whatever the database has set.

        The statement that is sent once a view is prepared in it.
        """
        timeout = self._options.timeout
        settings = {
            "default_transaction_read_only": "on",
            "statement_timeout": f"{timeout * 1000:.0f}",
            "lock_timeout": f"{min(_LONGEST_LOCK, timeout / 2) * 1000:.0f}",
            **catalog.SPELLING,
        }
        options = " ".join(f"-c {key}={value}" for key, value in settings.items())
        try:
            session = sql.libpq_connection(self._options, options=options, timeout=timeout)
        except psycopg.Error as error:
            raise sql.connecting(error) from None
        held = self._first_reply(session, lambda pg: pg.send_query_params(catalog.HOLDS, []))
        self._before = ()
        if held.get_value(0, 0) != settings["search_path"].encode():  # a pool skipped them
            self._before = (catalog.settings_sql(settings),)
        else:
            self._first_reply(
                session, lambda pg: pg.send_prepare(b"definition", catalog.DEFINITION)
            )
        return session

    def _first_reply(self, session: sql.LibpqConnection, send: pipeline.Send) -> PGresult:
        ((reply,),) = pipeline.exchange(session.pgconn, [send], self._patience())
        if pipeline.is_refused(reply):
            raise pipeline.error_of(reply)
        return reply

    def disconnect(self, connection: sql.LibpqConnection) -> None:
        """Close; libpq waits for no answer."""
        connection.close()

    def quoted(self, *names: str) -> str:
        """In double quotes, which are doubled inside."""
        return ".".join('"' + name.replace('"', '""') + '"' for name in names)

    def probe(self) -> Probe:
        """Connect; say the version, and how many views may not be read."""
        self.impatient()
        row = self._retry(lambda: self._query_rows(catalog.VERSION))[0]
        if not row["denied"]:
            return Probe(str(row["version"]))
        lacking = f"no SELECT on {row['denied']} of {row['views']} views: the catalog stands in"
        return Probe(str(row["version"]), (lacking,))

    def pulse(self) -> None:
        """One row of the catalog. A task follows it."""
        self._start_task()
        self._retry(lambda: self._query_rows(catalog.PULSE))

    def schemas(self) -> Sequence[str]:
        """All but the system's."""
        return [row["nspname"] for row in self._query_rows(catalog.NAMESPACES)]

    def objects(self, schema: str) -> Sequence[tuple[str, Kind]]:
        """Views, materialized views and tables of every sort."""
        rows = self._query_rows(catalog.OBJECTS, schema)
        return [(row["relname"], _KINDS.get(row["relkind"], Kind.TABLE)) for row in rows]

    def read_schemas(self, wanted: Sequence[Listed]) -> base.Answers:
        """Owner and comment of each."""
        places = {listed.namespace[0]: listed for listed in wanted}
        rows = self._query_rows(catalog.SCHEMAS, _json(list(places)))
        return [lines.raw_object(places[row["name"]], "postgresql_schema", row) for row in rows]

    def read_views(self, wanted: Sequence[Listed]) -> base.Answers:
        """Catalog rows of all, and of each the empty query and its text, in one round trip."""
        try:
            views = self._ask(wanted)
        except ValueError as error:  # bytes of a database without an encoding, or cut-off JSON
            self.close()  # on the way lies what was not read
            raise ReadError(_NO_UNICODE.format(error)) from None
        met: set[tuple[int, int]] = set()
        for view in views.values():
            met.update(view.catalog.types())
            if view.answer is not None and view.answer != view.catalog:
                met.update(view.answer.types())
        self._learn(met)
        answers: base.Answers = []
        for listed, view in views.items():
            if isinstance(view.definition, BelvedereError):
                answers.append(Failure.of(listed, Stage.READ, view.definition))
            else:
                answers.append(lines.raw_object(listed, "postgresql_view", self._payload(view)))
        return answers

    def read_tables(self, wanted: Sequence[Listed]) -> base.Answers:
        """One statement for all: the catalog is open to everybody."""
        places = {(listed.namespace[0], listed.name): listed for listed in wanted}
        named = [{"schema": schema, "name": name} for schema, name in places]
        rows = self._query_rows(catalog.TABLES, _json(named))
        return [
            lines.raw_object(places[row["schema"], row["name"]], "postgresql_table", row)
            for row in rows
        ]

    def fold_function(self, name: str) -> str:
        """Names are kept as they were quoted."""
        return name

    def functions(self) -> Iterator[Function | Failure]:
        """Functions of every sort, no procedures; those of one name have other arguments."""
        for row in self._retry(lambda: self._query_rows(catalog.FUNCTIONS)):
            namespace, stated = (row.pop("schema"),), row.pop("signature")
            yield Function(
                namespace, **row, signature=catalog.signature_of(*stated) if stated else None
            )

    def grants(self) -> Iterator[Grant | Membership | Failure]:
        """Rights on schemas, views and their columns, and the roles; the catalog is open."""
        every = self._retry(self.schemas)
        schemas = [schema for schema in every if self._patterns.allows_namespace((schema,))]
        return postgresql_grants.read_grants(
            lambda *asked: self._retry(lambda: self._query_rows(*asked)), schemas
        )

    def _ask(self, wanted: Sequence[Listed]) -> dict[Listed, _Answers]:
        places = [(listed.namespace[0], listed.name) for listed in wanted]
        stated, heard = self._ask_first(places)
        definitions = {place: heard[place].definition for place in stated}
        for statement in (catalog.DEFINITION, catalog.TEXT):
            if lost := [place for place, definition in definitions.items() if definition is None]:
                definitions |= self._ask_late(lost, statement)
        views = {}
        for listed, place in zip(wanted, places, strict=True):
            answer, refused, _ = heard[place]
            if (definition := definitions.get(place)) is not None:  # else it is gone
                row, attributes, comments, granted = stated[place]
                columns = Columns(*(attribute or [] for attribute in attributes))
                if answer is not None and (why := _denied(listed.name, granted)):
                    answer, refused = None, why
                views[listed] = _Answers(row, columns, comments or {}, answer, refused, definition)
        return views

    def _ask_first(
        self, places: Sequence[tuple[str, str]]
    ) -> tuple[dict[tuple[str, str], list[Any]], dict[tuple[str, str], Heard]]:
        """Rows of the catalog, and what was heard of each view, by place."""
        named = _json([{"schema": schema, "name": name} for schema, name in places]).encode()
        queried = self._introspection != "catalog"
        groups = self._exchange(
            [
                lambda pg: pg.send_query_params(catalog.VIEWS, [named]),
                *(
                    self._view_queries(*place, self.empty_query(*place) if queried else "")
                    for place in places
                ),
            ]
        )
        (raw,) = next(groups)
        heard = {place: heard_in(group) for place, group in zip(places, groups, strict=True)}
        if pipeline.is_refused(raw):
            raise pipeline.error_of(raw)
        return {(row["schema"], row["name"]): [row, *rest] for row, *rest in _json_rows(raw)}, heard

    def _ask_late(
        self, lost: Sequence[tuple[str, str]], statement: bytes
    ) -> dict[tuple[str, str], Text | None]:
        """The texts that a refused statement before them has kept back, or their errors."""
        last = statement is catalog.TEXT
        groups = self._exchange([self._view_queries(*place, statement=statement) for place in lost])
        return {
            place: definition_in(result, last=last)
            for place, (result,) in zip(lost, groups, strict=True)
        }

    def _view_queries(
        self, schema: str, name: str, empty_query: str = "", statement: bytes = catalog.DEFINITION
    ) -> pipeline.Send:
        """What asks a view: the empty query, if it is, and the text."""
        place = [schema.encode(), name.encode()]

        def send(connection: PGconn) -> None:
            if empty_query:
                connection.send_prepare(b"", empty_query.encode())
                connection.send_describe_prepared(b"")
            # a pool has another session for each transaction
            if self._before or statement is not catalog.DEFINITION:
                connection.send_query_params(statement, place)
            else:
                connection.send_query_prepared(b"definition", place)

        return send

    def _exchange(self, sends: Sequence[pipeline.Send]) -> Iterator[list[PGresult]]:
        return pipeline.exchange(self.open_session().pgconn, sends, self._patience(), self._before)

    def _patience(self) -> pipeline.Patience:
        return pipeline.Patience(self._options.timeout * 2, self._end)

    def _query_rows(self, statement: bytes, *values: str) -> list[dict[str, Any]]:
        """All rows of a statement of the catalog.

        Raises:
            BelvedereError: The database's own, in our words.
        """
        query = b"SELECT pg_catalog.to_json(r) FROM (" + statement + b") AS r"
        parameters = [value.encode() for value in values]
        ((result,),) = self._exchange([lambda pg: pg.send_query_params(query, parameters)])
        if pipeline.is_refused(result):
            raise pipeline.error_of(result)
        try:
            return [row for (row,) in _json_rows(result)]
        except ValueError as error:
            raise ReadError(_NO_UNICODE.format(error)) from None

    def _learn(self, met: set[tuple[int, int]]) -> None:
        """Ask the server how it spells types that were not met before."""
        if new := met - self._types.keys():
            wanted = [{"oid": oid, "modifier": modifier} for oid, modifier in new]
            for row in self._query_rows(catalog.TYPES, _json(wanted)):
                self._types[row["oid"], row["modifier"]] = _Type(row["spelled"], row["is_domain"])

    def _payload(self, view: _Answers) -> dict[str, object]:
        definition, updatable = view.definition  # type: ignore[misc]  # the caller looked
        payload = {**view.stated, "definition": definition, "is_updatable": updatable}
        payload["options"] = dict(option.split("=", 1) for option in view.stated["options"] or ())
        payload["columns"] = list(self._columns(view))
        payload["columns_from"] = "catalog" if view.answer is None else "query"
        if view.refused is not None:
            payload["refused"] = view.refused.message
        if (
            self._introspection == "both"
            and view.answer is not None
            and view.answer != view.catalog
        ):
            payload["differences"] = self._differences(view.answer, view.catalog)
        return payload

    def _columns(self, view: _Answers) -> Iterator[dict[str, str | None]]:
        """The answer's columns; a domain, which it states as its base type, from the catalog.

        The hot path: 22 columns in some 10 microseconds.
        """
        spelled, comments = self._types, view.comments
        columns = view.catalog if view.answer is None else view.answer
        types = columns.types()
        if columns != view.catalog and columns.names == view.catalog.names:
            stated = view.catalog.types()
            types = [b if spelled[b].is_domain else a for a, b in zip(types, stated, strict=True)]
        for number, (name, kind) in enumerate(zip(columns.names, types, strict=True), 1):
            comment = comments.get(str(number)) if comments else None
            yield {"name": name, "type": spelled[kind].text, "comment": comment}

    def _differences(self, answer: Columns, catalog: Columns) -> list[str]:
        """What the two say differently, column by column."""
        said, stated = (
            [
                f"{name} {self._types[kind].text}"
                for name, kind in zip(columns.names, columns.types(), strict=True)
            ]
            for columns in (answer, catalog)
        )
        return base.differences(said, stated)


def _json(value: object) -> str:
    return orjson.dumps(value).decode()


def _denied(name: str, granted: list[int] | None) -> BelvedereError | None:
    """Why the empty query would be refused, in the server's words; it is not run to hear them.

    Args:
        name: Of the view.
        granted: Of how many columns SELECT is granted, and how many there are; None where it is
            granted on the view. The query needs it on each column.
    """
    if granted is None or (granted[0] == granted[1] > 0):
        return None
    extent = f": SELECT is granted on {granted[0]} of {granted[1]} columns" if granted[0] else ""
    return DeniedError(f"permission denied for view {name}{extent}")


def _json_rows(result: PGresult) -> Iterator[list[Any]]:
    """Rows whose every cell is JSON."""
    for row in range(result.ntuples):
        cells = (result.get_value(row, column) for column in range(result.nfields))
        yield [orjson.loads(cell) if cell is not None else None for cell in cells]
