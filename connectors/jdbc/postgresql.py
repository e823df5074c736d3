"""Source `postgresql`: the views of a PostgreSQL database (13 to 18).

Columns come from `SELECT * FROM <view> WHERE 1=0`, which is parsed and described, never executed;
the text and everything else from the catalog. A batch of views is one round trip.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson
from psycopg.pq.abc import PGconn, PGresult
from sqlalchemy import Connection, Engine, text

from connectors.clients import lines, sql
from connectors.jdbc import base, pipeline
from discovery.errors import BelvedereError, ReadError, UnreachableError
from discovery.outcomes import Failure, Kind, Listed, Stage
from discovery.ports import Function, Probe

_KINDS: Final = {"v": Kind.VIEW, "m": Kind.MATERIALIZED_VIEW}  # the rest are sorts of tables
_LONGEST_LOCK: Final = 5.0  # seconds to wait for a table that somebody alters
_VERSION: Final = text("""
    SELECT split_part(version(), ' on ', 1) AS version, count(c.oid) AS views,
      count(c.oid) FILTER (WHERE NOT has_table_privilege(c.oid, 'SELECT')) AS denied
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'v' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
""")
_NAMESPACES: Final = text("""
    SELECT nspname FROM pg_namespace
    WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' ORDER BY 1
""")
_OBJECTS: Final = text("""
    SELECT c.relname, c.relkind FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = :schema AND c.relkind IN ('v', 'm', 'r', 'p', 'f') ORDER BY 1
""")
_SCHEMAS: Final = text("""
    SELECT n.nspname AS name, pg_get_userbyid(n.nspowner) AS owner,
      obj_description(n.oid, 'pg_namespace') AS comment
    FROM pg_namespace n WHERE n.nspname = ANY(:schemas)
""")
_VIEWS: Final = b"""
    SELECT json_build_object('schema', n.nspname, 'name', c.relname,
      'database', current_database(), 'owner', pg_get_userbyid(c.relowner),
      'comment', obj_description(c.oid, 'pg_class'), 'options', c.reloptions),
      (SELECT json_build_array(array_agg(a.attname ORDER BY a.attnum),
          array_agg(a.atttypid::bigint ORDER BY a.attnum),
          array_agg(a.atttypmod ORDER BY a.attnum))
       FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
      (SELECT json_object_agg(d.objsubid, d.description) FROM pg_description d
       WHERE d.objoid = c.oid AND d.classoid = 'pg_class'::regclass AND d.objsubid > 0),
      to_json(has_table_privilege(c.oid, 'SELECT'))
    FROM json_to_recordset($1) AS wanted(schema text, name text)
    JOIN pg_namespace n ON n.nspname = wanted.schema
    JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = wanted.name
    WHERE c.relkind = 'v'
"""
_TABLES: Final = text("""
    SELECT n.nspname AS schema, c.relname AS name, c.relkind, json_agg(json_build_object(
      'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum)
      FILTER (WHERE a.attnum > 0 AND NOT a.attisdropped) AS columns
    FROM json_to_recordset(CAST(:wanted AS json)) AS wanted(schema text, name text)
    JOIN pg_namespace n ON n.nspname = wanted.schema
    JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = wanted.name
    LEFT JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relkind IN ('v', 'm', 'r', 'p', 'f', 'S') GROUP BY 1, 2, 3
""")
_DEFINITION: Final = b"""
    SELECT pg_get_viewdef(c.oid), (pg_relation_is_updatable(c.oid, false) & 20) = 20
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind = 'v'
"""  # 20: UPDATE and DELETE, as information_schema.views counts
_TYPES: Final = text("""
    SELECT wanted.oid, modifier, format_type(wanted.oid, modifier) AS spelled,
      EXISTS (SELECT FROM pg_type t WHERE t.oid = wanted.oid AND t.typtype = 'd') AS is_domain
    FROM unnest(CAST(:oids AS oid[]), CAST(:modifiers AS int[])) AS wanted(oid, modifier)
""")
_FUNCTIONS: Final = text("""
    SELECT n.nspname AS schema, p.proname AS name, oidvectortypes(p.proargtypes) AS arguments,
      l.lanname AS language, pg_get_userbyid(p.proowner) AS owner
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    JOIN pg_language l ON l.oid = p.prolang
    WHERE p.prokind <> 'p' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    ORDER BY 1, 2, 3
""")

Options = base.Options


class _Type(NamedTuple):
    """A type as the server spells it."""

    text: str
    is_domain: bool


class _Columns(NamedTuple):
    """Columns of an answer or of the catalog: names, and the oid and modifier of each type."""

    names: list[str]
    oids: list[int]
    modifiers: list[int]

    def types(self) -> list[tuple[int, int]]:
        """What the server is asked to spell."""
        return list(zip(self.oids, self.modifiers, strict=True))


_Text = tuple[str, bool] | BelvedereError


class _Heard(NamedTuple):
    """What the first round says of a view.

    Attributes:
        answer: The columns that the empty query returns; None where it was not asked or refused.
        refused: Why it was refused.
        definition: The text and whether it is updatable, or the error; None where the refused query
            kept it back, or the view is gone.
    """

    answer: _Columns | None
    refused: BelvedereError | None
    definition: _Text | None


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
    catalog: _Columns
    comments: Mapping[str, str]
    answer: _Columns | None
    refused: BelvedereError | None
    definition: _Text


class PostgreSQL(base.Database):
    """A PostgreSQL database as a source of views."""

    def __init__(self, options: base.Options) -> None:
        super().__init__(options)
        self._types: dict[tuple[int, int], _Type] = {}
        self._introspection = options.introspection

    def engine(self, options: base.Options) -> Engine:
        """Sessions are read-only and have a search path on which nothing is but the catalog."""
        lock = min(_LONGEST_LOCK, options.timeout / 2)
        settings = {
            "default_transaction_read_only": "on",
            "statement_timeout": round(options.timeout * 1000),
            "lock_timeout": round(lock * 1000),
            "search_path": "",  # so pg_get_viewdef qualifies every name
        }
        told = " ".join(f"-c {key}={value}" for key, value in settings.items())
        return sql.postgresql(options, options=told, timeout=options.timeout)

    def opened(self, connection: Connection) -> None:
        """Prepare the statement that is sent once a view."""
        _driver(connection).prepare(b"definition", _DEFINITION)

    def probe(self) -> Probe:
        """Connect; say the version, and how many views may not be read."""
        self.impatient()
        row = self.rows(_VERSION)[0]
        if not row["denied"]:
            return Probe(str(row["version"]))
        lacking = f"no SELECT on {row['denied']} of {row['views']} views: the catalog stands in"
        return Probe(str(row["version"]), (lacking,))

    def schemas(self) -> Sequence[str]:
        """All but the system's."""
        return [row["nspname"] for row in self.rows(_NAMESPACES)]

    def objects(self, schema: str) -> Sequence[tuple[str, Kind]]:
        """Views, materialized views and tables of every sort."""
        found = self.rows(_OBJECTS, {"schema": schema})
        return [(row["relname"], _KINDS.get(row["relkind"], Kind.TABLE)) for row in found]

    def read_schemas(self, wanted: Sequence[Listed]) -> base.Answers:
        """Owner and comment of each."""
        places = {one.namespace[0]: one for one in wanted}
        found = self.rows(_SCHEMAS, {"schemas": list(places)})
        return [lines.raw_object(places[row["name"]], "postgresql_schema", row) for row in found]

    def read_views(self, wanted: Sequence[Listed]) -> base.Answers:
        """Catalog rows of all, and of each the empty query and its text, in one round trip."""
        try:
            asked = self._ask(wanted)
        except ValueError as error:  # bytes of a database without an encoding, or cut-off JSON
            self.close()  # on the way lies what was not read
            raise ReadError(f"what the server says is no UTF-8: {error}") from None
        met: set[tuple[int, int]] = set()
        for one in asked.values():
            met.update(one.catalog.types())
            if one.answer is not None and one.answer != one.catalog:
                met.update(one.answer.types())
        self._learn(met)
        answers: base.Answers = []
        for listed, one in asked.items():
            if isinstance(one.definition, BelvedereError):
                answers.append(Failure.of(listed, Stage.READ, one.definition))
            else:
                answers.append(lines.raw_object(listed, "postgresql_view", self._payload(one)))
        return answers

    def read_tables(self, wanted: Sequence[Listed]) -> base.Answers:
        """One statement for all: the catalog is open to everybody."""
        places = {(one.namespace[0], one.name): one for one in wanted}
        named = [{"schema": schema, "name": name} for schema, name in places]
        found = self.rows(_TABLES, {"wanted": orjson.dumps(named).decode()})
        return [
            lines.raw_object(places[row["schema"], row["name"]], "postgresql_table", row)
            for row in found
        ]

    def fold_function(self, name: str) -> str:
        """Names are kept as they were quoted."""
        return name

    def functions(self) -> Iterator[Function | Failure]:
        """Functions of every sort, no procedures; those of one name have other arguments."""
        for row in self.rows(_FUNCTIONS):
            namespace = (row.pop("schema"),)
            yield Function(namespace, **row)

    def _ask(self, wanted: Sequence[Listed]) -> dict[Listed, _Answers]:
        places = [(one.namespace[0], one.name) for one in wanted]
        catalog, heard = self._first_round(places)
        heard |= self._refused([place for place, row in catalog.items() if not row[-1]])
        lost = [place for place, said in heard.items() if said.definition is None]
        late = self._second_round(lost) if lost else {}
        found = {}
        for listed, place in zip(wanted, places, strict=True):
            answer, refused, definition = heard[place]
            definition = late.get(place) if definition is None else definition
            if place in catalog and definition is not None:  # else it is gone
                row, attributes, comments, _ = catalog[place]
                there = _Columns(*(each or [] for each in attributes))
                found[listed] = _Answers(row, there, comments or {}, answer, refused, definition)
        return found

    def _first_round(
        self, places: Sequence[tuple[str, str]]
    ) -> tuple[dict[tuple[str, str], list[Any]], dict[tuple[str, str], _Heard]]:
        """Rows of the catalog, and what was heard of each view, by place."""
        named = orjson.dumps([{"schema": schema, "name": name} for schema, name in places])
        queried = self._introspection != "catalog"
        groups = self._exchange(
            [
                lambda pg: pg.send_query_params(_VIEWS, [named]),
                *(
                    _ViewQueries(*place, self.empty_query(*place) if queried else "")
                    for place in places
                ),
            ]
        )
        (rows,) = next(groups)
        heard = {place: _heard(group) for place, group in zip(places, groups, strict=True)}
        if pipeline.failed(rows):
            raise pipeline.error_of(rows)
        return {
            (row["schema"], row["name"]): [row, *rest] for row, *rest in _json_rows(rows)
        }, heard

    def _refused(self, places: Sequence[tuple[str, str]]) -> dict[tuple[str, str], _Heard]:
        """What the server says of views that are not ours to read.

        Parse and Describe ask for no right; execution is refused before it runs anything.
        """
        if not places or self._introspection == "catalog":
            return {}
        statements = [self.empty_query(*place).encode() for place in places]
        groups = self._exchange(
            [lambda pg, one=one: pg.send_query_params(one, []) for one in statements]  # type: ignore[misc]  # a default binds it now
        )
        said = {place: result for place, (result,) in zip(places, groups, strict=True)}
        return {
            place: _Heard(None, pipeline.error_of(result), None)
            for place, result in said.items()
            if pipeline.failed(result)
        }

    def _second_round(
        self, places: Sequence[tuple[str, str]]
    ) -> dict[tuple[str, str], _Text | None]:
        """The texts that a refused query has kept back, or their errors."""
        groups = self._exchange([_ViewQueries(*place) for place in places])
        return {place: _definition(one) for place, (one,) in zip(places, groups, strict=True)}

    def _exchange(self, sends: Sequence[pipeline.Send]) -> Iterator[list[PGresult]]:
        connection = _driver(self.connected())
        return pipeline.exchange(connection, sends, self._options.timeout * 2)

    def _learn(self, met: set[tuple[int, int]]) -> None:
        """Ask the server how it spells types that were not met before."""
        if new := met - self._types.keys():
            oids, modifiers = zip(*new, strict=True)
            for row in self.rows(_TYPES, {"oids": list(oids), "modifiers": list(modifiers)}):
                self._types[row["oid"], row["modifier"]] = _Type(row["spelled"], row["is_domain"])

    def _payload(self, one: _Answers) -> dict[str, object]:
        definition, updatable = one.definition  # type: ignore[misc]  # the caller looked
        payload = {**one.stated, "definition": definition, "is_updatable": updatable}
        payload["options"] = dict(each.split("=", 1) for each in one.stated["options"] or ())
        payload["columns"] = list(self._columns(one))
        payload["columns_from"] = "catalog" if one.answer is None else "query"
        if one.refused is not None:
            payload["refused"] = one.refused.message
        if self._introspection == "both" and one.answer is not None and one.answer != one.catalog:
            payload["differences"] = self._differences(one.answer, one.catalog)
        return payload

    def _columns(self, one: _Answers) -> Iterator[dict[str, str | None]]:
        """The answer's columns; a domain, which it states as its base type, from the catalog.

        The hot path: 22 columns in some 10 microseconds.
        """
        spelled, comments = self._types, one.comments
        columns = one.catalog if one.answer is None else one.answer
        types = columns.types()
        if columns != one.catalog and columns.names == one.catalog.names:
            stated = one.catalog.types()
            types = [b if spelled[b].is_domain else a for a, b in zip(types, stated, strict=True)]
        for number, (name, kind) in enumerate(zip(columns.names, types, strict=True), 1):
            comment = comments.get(str(number)) if comments else None
            yield {"name": name, "type": spelled[kind].text, "comment": comment}

    def _differences(self, answer: _Columns, catalog: _Columns) -> list[str]:
        """What the two say differently, column by column."""
        said, stated = (
            [
                f"{name} {self._types[kind].text}"
                for name, kind in zip(columns.names, columns.types(), strict=True)
            ]
            for columns in (answer, catalog)
        )
        return base.differences(said, stated)


class _ViewQueries:
    """Queues what is asked of a view: the empty query, if it is, and the text."""

    def __init__(self, schema: str, name: str, empty_query: str = "") -> None:
        self._place = [schema.encode(), name.encode()]
        self._empty_query = empty_query.encode()

    def __call__(self, connection: PGconn) -> None:
        if self._empty_query:
            connection.send_prepare(b"", self._empty_query)
            connection.send_describe_prepared(b"")
        connection.send_query_prepared(b"definition", self._place)


def _driver(connection: Connection) -> PGconn:
    """Psycopg's connection below SQLAlchemy's."""
    pgconn: PGconn = connection.connection.driver_connection.pgconn  # type: ignore[union-attr]  # it is open
    return pgconn


def _json_rows(result: PGresult) -> Iterator[list[Any]]:
    """Rows whose every cell is JSON."""
    for row in range(result.ntuples):
        cells = (result.get_value(row, column) for column in range(result.nfields))
        yield [orjson.loads(cell) if cell is not None else None for cell in cells]


def _heard(group: Sequence[PGresult]) -> _Heard:
    """What a group of statements about a view came to."""
    *described, text_ = group
    for result in described:  # of Parse and of Describe
        if pipeline.failed(result):
            return _Heard(None, pipeline.error_of(result), None)
    if not described:
        return _Heard(None, None, _definition(text_))
    header = described[1]
    every = range(header.nfields)
    names = [(header.fname(index) or b"").decode() for index in every]
    columns = _Columns(names, [*map(header.ftype, every)], [*map(header.fmod, every)])
    return _Heard(columns, None, _definition(text_))


def _definition(result: PGresult) -> _Text | None:
    """The view's text and whether it is updatable; None if it is gone."""
    if pipeline.failed(result):
        error = pipeline.error_of(result)
        if isinstance(error, UnreachableError):
            raise error
        return error
    text_ = result.get_value(0, 0) if result.ntuples else None
    return None if text_ is None else (text_.decode(), result.get_value(0, 1) == b"t")
