"""Source `postgresql`: the views of a PostgreSQL database (15 to 18).

Columns come from the answer to `SELECT * FROM <view> WHERE 1=0`, as the design demands, comments
and the view's text from the catalog. Every session is read-only and has a statement timeout.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from connectors.clients import lines, sql
from discovery.errors import BelvedereError, UnreachableError
from discovery.outcomes import Failure, Kind, Listed, RawObject, Stage
from discovery.patterns import Patterns
from discovery.ports import CrawlTask, Probe, ViewSource

_KINDS: Final = {"v": Kind.VIEW, "m": Kind.MATERIALIZED_VIEW}  # the rest are sorts of tables
_LISTING: Final = text("""
    SELECT n.nspname, c.relname, c.relkind
    FROM pg_namespace n LEFT JOIN pg_class c
      ON c.relnamespace = n.oid AND c.relkind IN ('v', 'm', 'r', 'p', 'f')
    WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    ORDER BY 1, 2
""")
_SCHEMAS: Final = text("""
    SELECT n.nspname AS name, pg_get_userbyid(n.nspowner) AS owner,
      obj_description(n.oid, 'pg_namespace') AS comment
    FROM pg_namespace n WHERE n.nspname = ANY(:schemas)
""")
_VIEWS: Final = text("""
    SELECT n.nspname AS schema, c.relname AS name, current_database() AS database,
      pg_get_viewdef(c.oid) AS definition, pg_get_userbyid(c.relowner) AS owner,
      obj_description(c.oid, 'pg_class') AS comment, c.reloptions AS options,
      (SELECT json_object_agg(a.attnum, col_description(c.oid, a.attnum))
       FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0) AS comments
    FROM unnest(CAST(:schemas AS text[]), CAST(:names AS text[])) AS wanted(nspname, relname)
    JOIN pg_namespace n USING (nspname)
    JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = wanted.relname
    WHERE c.relkind = 'v'
""")
_TYPES: Final = text("""
    SELECT oid, modifier, format_type(oid, modifier)
    FROM unnest(CAST(:oids AS oid[]), CAST(:modifiers AS int[])) AS wanted(oid, modifier)
""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(sql.Login):
    """How to reach and crawl a PostgreSQL database.

    Attributes:
        include: Globs over `schema` and `schema.name`; empty means everything.
        exclude: Globs of what is left out; wins over `include`.
        connections: How many at a time, over all executors.
        batch: How many views make a task.
        timeout: Seconds for connecting and for each statement.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    connections: int = 2
    batch: int = 500
    timeout: float = 30.0


class PostgreSQL(ViewSource):
    """A PostgreSQL database as a source of views."""

    def __init__(self, options: Options) -> None:
        self.connections, self.batch = options.connections, options.batch
        self._patterns = Patterns(options.include, options.exclude)
        settings = {
            "default_transaction_read_only": "on",
            "statement_timeout": round(options.timeout * 1000),
            "search_path": "",  # so pg_get_viewdef qualifies every name
        }
        self._engine = sql.postgresql(
            options.complete_url("postgresql+psycopg"),
            options=" ".join(f"-c {key}={value}" for key, value in settings.items()),
            timeout=options.timeout,
        )
        self._connection: Connection | None = None
        self._types: dict[tuple[int, int], str] = {}

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def fold(self, name: str) -> str:
        """PostgreSQL keeps names as they were quoted: two may differ only by case."""
        return name

    def probe(self) -> Probe:
        """Connect and ask for the version."""
        row = self._rows(text("SELECT version()"), {})[0]
        return Probe(str(row["version"]).partition(" on ")[0])

    def listing(self) -> Iterator[Listed | Failure]:
        """Schemas and what they hold, from the catalog; system schemas are left out."""
        last = None
        for row in self._rows(_LISTING, {}):
            schema, name = row["nspname"], row["relname"]
            if not self._patterns.allows_namespace((schema,)):
                continue
            if schema != last:
                yield Listed((schema,), "", Kind.NAMESPACE)
            last = schema
            if name is not None and self._patterns.allows((schema,), name):
                yield Listed((schema,), name, _KINDS.get(row["relkind"], Kind.TABLE))

    def load(self, task: CrawlTask) -> Iterator[RawObject | Failure]:
        """Catalog rows of all objects at once, then the empty query of each view."""
        wanted = {(*one.namespace, one.name): one for one in task.objects}
        schemas = [one for one in task.objects if one.kind is Kind.NAMESPACE]
        for row in self._rows(_SCHEMAS, {"schemas": [one.namespace[0] for one in schemas]}):
            yield lines.raw_object(wanted[row["name"], ""], "postgresql_schema", dict(row))
        views = [one for one in task.objects if one.kind is not Kind.NAMESPACE]
        places = {
            "schemas": [one.namespace[0] for one in views],
            "names": [one.name for one in views],
        }
        for row in self._rows(_VIEWS, places):
            listed = wanted[row["schema"], row["name"]]
            try:
                yield lines.raw_object(listed, "postgresql_view", self._payload(row))
            except UnreachableError:
                raise
            except BelvedereError as error:
                yield Failure.of(listed, Stage.READ, error)

    def _payload(self, row: Mapping[str, Any]) -> dict[str, object]:
        comments = row["comments"] or {}
        columns = [
            {"name": name, "type": kind, "comment": comments.get(str(number))}
            for number, (name, kind) in enumerate(self._columns(row["schema"], row["name"]), 1)
        ]
        options = dict(one.split("=", 1) for one in row["options"] or ())
        stated = {key: row[key] for key in ("schema", "name", "database", "owner", "comment")}
        return {**stated, "definition": row["definition"], "options": options, "columns": columns}

    def _columns(self, schema: str, name: str) -> list[tuple[str, str]]:
        """Names and types of the empty query's answer."""
        quote = self._engine.dialect.identifier_preparer.quote_identifier
        statement = f"SELECT * FROM {quote(schema)}.{quote(name)} WHERE 1=0"  # noqa: S608 - quoted
        result = self._execute(statement, {})
        described = result.cursor.description or ()
        answer = result.cursor.pgresult
        pairs = [(answer.ftype(index), answer.fmod(index)) for index in range(len(described))]
        result.close()
        self._learn(set(pairs) - self._types.keys())
        return [
            (column.name, self._types[pair]) for column, pair in zip(described, pairs, strict=True)
        ]

    def _learn(self, pairs: set[tuple[int, int]]) -> None:
        """Ask the server how it spells types that were not met before."""
        if pairs:
            oids, modifiers = zip(*pairs, strict=True)
            wanted = {"oids": list(oids), "modifiers": list(modifiers)}
            for row in self._rows(_TYPES, wanted):
                self._types[row["oid"], row["modifier"]] = row["format_type"]

    def _rows(self, statement: Any, values: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:  # noqa: ANN401
        rows: Sequence[Mapping[str, Any]] = self._execute(statement, values).mappings().all()
        return rows

    def _execute(self, statement: Any, values: Mapping[str, Any]) -> Any:  # noqa: ANN401 - SQLAlchemy
        try:
            if self._connection is None:
                level = {"isolation_level": "AUTOCOMMIT"}
                self._connection = self._engine.connect().execution_options(**level)
            if isinstance(statement, str):  # to the letter
                return self._connection.exec_driver_sql(statement)
            return self._connection.execute(statement, values)
        except DBAPIError as error:
            if error.connection_invalidated:
                self._connection = None
            raise sql.meant(error) from None
