"""What a metastore would answer, read out of its own database by plain selects."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Table,
    inspect,
    null,
    select,
)

from connectors.hms_database import entries, signals, tables
from connectors.hms_database.entries import Parts
from connectors.hms_database.joining import read_joined
from connectors.hms_database.layout import NEWEST, BackingLayout, check_version
from connectors.hms_database.options import Options
from connectors.hms_database.session import BackingSession, NoTableError, columns_of
from connectors.hms_database.signals import WHOLE, Digests, Share
from connectors.hms_database.tables import CDS, DBS, SDS, SERDES, TBLS, VERSION
from discovery.chunks import chunks
from discovery.errors import BelvedereError, ListingError, UnsupportedVersionError
from discovery.event_log import RecordError

DEFAULT_CATALOG: Final = "hive"
_WITH_CATALOGS: Final = 3
_MOST: Final = 5_000  # names in a statement


class BackingDatabase:
    """A metastore's own database; the first call connects.

    Args:
        options: Where it is, and of which catalog it is asked.
    """

    def __init__(self, options: Options) -> None:
        self.session = BackingSession(options)
        self._catalog, self._schema = options.catalog, options.schema_name
        self._layout: BackingLayout | None = None
        self._digests: Digests | None = None

    def close(self) -> None:
        """Drop the connection; the next call opens another."""
        self.session.close()

    def open(self) -> None:
        """Connect."""
        self.session.open()

    def task(self) -> AbstractContextManager[None]:
        """Bound the waiting of all calls within."""
        return self.session.task()

    def version(self) -> str:
        """The version of the tables, as the metastore has written it."""
        version: str = self._read(lambda _, layout: layout.version)
        return version

    def catalogs(self) -> list[str]:
        """The names of all catalogs, sorted.

        Raises:
            ListingError: The tables are of before Hive 3, and have none.
        """
        return self.session.read(
            lambda connection: self._list_catalogs(connection, self._read_layout(connection))
        )

    def databases(self) -> list[str | None]:
        """The names of all databases, sorted; None at the end where one has none."""
        names: list[str | None] = self._read(
            lambda connection, layout: list(
                connection.scalars(self._within(select(DBS.c.NAME), layout))
            )
        )
        return sorted(names, key=lambda name: (name is None, name))

    def database(self, name: str) -> dict[str, Any] | None:
        """A database; None if it is gone."""
        entry: dict[str, Any] | None = self._read(
            lambda connection, layout: self._get_database(connection, layout, name)
        )
        return entry

    def warehouse(self) -> tuple[str, ...]:
        """Where the database `default` is: there Hive puts it, and others below."""
        place = (self.database("default") or {}).get("locationUri")
        return (place,) if place else ()

    def table_types(self, databases: Sequence[str]) -> Iterator[tuple[str, str | None, str | None]]:
        """Database, name and type of every object; None where one has none."""

        def list_types(
            connection: Connection, layout: BackingLayout
        ) -> list[tuple[str, str | None, str | None]]:
            columns: list[ColumnElement[Any]] = [DBS.c.NAME, TBLS.c.TBL_NAME, TBLS.c.TBL_TYPE]
            query = self._within(select(*columns).join_from(*_database_join()), layout)
            rows = connection.execute(query.where(DBS.c.NAME.in_(databases)))
            return [(space, name, kind) for space, name, kind in rows]

        yield from self._read(list_types)

    def table_names(self, database: str, kind: str | None = None) -> list[str | None]:
        """The names of all objects of a database, or of one type; None where one has none."""
        rows = self.table_types([database])
        return [name for _, name, stated in rows if kind in {None, stated}]

    def tables(self, database: str, names: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Entries; names that are gone are left out.

        Raises:
            ReadError: One of them refers to a row that is missing.
        """
        for chunk in chunks(names, _MOST):
            yield from self._read(
                lambda connection, layout: self._get_entries(connection, layout, database, chunk)  # noqa: B023 - called at once
            )

    def signals(self, database: str, share: Share = WHOLE) -> dict[str, str]:
        """A digest of each entry of a share of a database that is read, by its name."""

        def ask(connection: Connection, layout: BackingLayout) -> dict[str, str]:
            query = signals.digests(database, layout.columns, self._find_digests(connection), share)
            return signals.signals_of(
                connection.execute(self._within(query, layout)), layout.version
            )

        digests: dict[str, str] = self._read(ask)
        return digests

    def check_signals(self) -> None:
        """See whether digests are made: of a text, and of the entries of no database.

        Raises:
            RecordError: They are not.
        """

        def try_digests(connection: Connection, layout: BackingLayout) -> None:
            make = self._find_digests(connection)
            connection.execute(signals.trial(make))
            connection.execute(self._within(signals.digests("", layout.columns, make), layout))

        try:
            self._read(try_digests)
        except BelvedereError as error:
            raise RecordError(f"its database makes no digests: {error.message}") from error

    def _find_digests(self, connection: Connection) -> Digests:
        """How the server makes digests."""
        if self._digests is None:
            self._digests = signals.digests_of(connection)
        return self._digests

    def functions(self) -> Iterator[dict[str, Any]]:
        """Every function."""
        yield from self._read(self._get_functions, missing=())

    def privileges(self) -> Iterator[dict[str, Any]]:
        """Every grant on databases, tables and columns of the catalog, and on the metastore.

        The last are those of the default catalog only, as a server tells them.
        """
        of_catalog = (self._get_db_grants, self._get_table_grants)
        is_default = (self._catalog or DEFAULT_CATALOG).lower() == DEFAULT_CATALOG
        for ask in (*((self._get_global_grants,) if is_default else ()), *of_catalog):
            yield from self._read(ask, missing=())

    def members(self) -> Iterator[dict[str, Any]]:
        """Who has been granted which role."""
        yield from self._read(_get_members, missing=())

    def _read(
        self,
        ask: Callable[[Connection, BackingLayout], Any],
        *,
        missing: Any = None,  # noqa: ANN401 - an answer
    ) -> Any:  # noqa: ANN401 - what is asked
        """What is asked in one snapshot.

        Args:
            ask: Gets the connection and the layout.
            missing: The answer where a table is not there: a metastore that makes its tables itself
                makes some only when it needs them.
        """
        if self._layout is None:
            self._layout = self.session.read(self._look_up_layout)
        layout = self._layout
        try:
            return self.session.read(lambda connection: ask(connection, layout))
        except NoTableError:
            if missing is None:
                raise
            return missing

    def _look_up_layout(self, connection: Connection) -> BackingLayout:
        """Which version it is, and whether it has our catalog.

        Raises:
            ListingError: It has no such catalog.
        """
        layout = self._read_layout(connection)
        self._check_catalog(connection, layout)
        return layout

    def _read_layout(self, connection: Connection) -> BackingLayout:
        """Which version it is.

        Raises:
            UnsupportedVersionError: It is no metastore's, or of a version that is not known.
        """
        where = f" in the schema {self._schema!r}" if self._schema else ""
        if not inspect(connection).has_table(VERSION.name, schema=self._schema):
            hint = "is that the database of a Hive Metastore? schema_name says which of PostgreSQL"
            raise UnsupportedVersionError(f"there is no table VERSION{where}", hint=hint)
        versions = list(connection.scalars(select(VERSION.c.SCHEMA_VERSION)))
        version = check_version(versions)
        columns = columns_of(connection, DBS) | columns_of(connection, TBLS)
        return BackingLayout(
            versions[0], version[0] >= _WITH_CATALOGS, version[0] >= NEWEST, columns
        )

    def _list_catalogs(self, connection: Connection, layout: BackingLayout) -> list[str]:
        if not layout.has_catalogs:
            why = f"there is no catalog {self._catalog!r}: a metastore before Hive 3 knows none"
            raise ListingError(why, hint="leave out catalog")
        return sorted(connection.scalars(select(tables.CTLGS.c.NAME)))

    def _check_catalog(self, connection: Connection, layout: BackingLayout) -> None:
        if self._catalog is None:
            return
        catalogs = self._list_catalogs(connection, layout)
        if self._catalog.lower() not in map(str.lower, catalogs):
            hint = f"set catalog to one of {', '.join(catalogs)}, or leave it out for hive"
            raise ListingError(f"the metastore has no catalog {self._catalog!r}", hint=hint)

    def _within(self, query: Select[Any], layout: BackingLayout) -> Select[Any]:
        """The query, of our catalog only."""
        if not layout.has_catalogs:
            return query
        return query.where(DBS.c.CTLG_NAME.in_([(self._catalog or DEFAULT_CATALOG).lower()]))

    def _get_database(
        self, connection: Connection, layout: BackingLayout, name: str
    ) -> dict[str, Any] | None:
        query = select(*(column for column in DBS.c if str(column) in layout.columns))
        row = connection.execute(
            self._within(query, layout).where(DBS.c.NAME.in_([name.lower()]))
        ).first()
        if row is None:
            return None
        parameters = read_joined(connection, tables.DATABASE_PARAMS, "DB_ID", [row[0]], _PARAMETERS)
        mapping = row._mapping  # noqa: SLF001 - SQLAlchemy's own way
        entry = entries.database(mapping, parameters.get(row[0], ()))
        if self._catalog is None:
            return entry
        catalog = self._catalog.lower()
        of_catalog = entries.database_of_catalog(mapping, catalog, is_hive_4=layout.is_hive_4)
        return {**entry, **of_catalog}

    def _get_entries(
        self, connection: Connection, layout: BackingLayout, database: str, names: Sequence[str]
    ) -> list[dict[str, Any]]:
        columns: list[ColumnElement[Any]] = [
            column if str(column) in layout.columns else null().label(column.name)
            for column in TBLS.c
            if column.name != "DB_ID"
        ]
        descriptor = [column for column in SDS.c if column.name != "SD_ID"]
        query = (
            select(
                *columns,
                *descriptor,
                SDS.c.SD_ID.label("SDS_ID"),
                CDS.c.CD_ID.label("CDS_ID"),
                SERDES.c.SERDE_ID.label("SERDES_ID"),
                SERDES.c.NAME.label("SERDE_NAME"),
                SERDES.c.SLIB,
            )
            .join_from(*_database_join())
            .outerjoin(SDS, SDS.c.SD_ID == TBLS.c.SD_ID)
            .outerjoin(CDS, CDS.c.CD_ID == SDS.c.CD_ID)
            .outerjoin(SERDES, SERDES.c.SERDE_ID == SDS.c.SERDE_ID)
            .where(DBS.c.NAME.in_([database]), TBLS.c.TBL_NAME.in_(names))
        )
        rows = connection.execute(self._within(query, layout)).mappings().all()
        parts = _get_parts(connection, rows)
        return [self._entry(row, layout, entries.table(row, database, parts)) for row in rows]

    def _entry(self, row: Any, layout: BackingLayout, entry: dict[str, Any]) -> dict[str, Any]:  # noqa: ANN401 - a row
        """An entry as a server of this version and catalog has it."""
        if layout.is_hive_4:
            entry = entries.without_texts(entry)
        if self._catalog is None:
            return entry
        of_catalog = entries.table_of_catalog(
            row, self._catalog.lower(), is_hive_4=layout.is_hive_4
        )
        return {**entry, **of_catalog}

    def _get_functions(self, connection: Connection, layout: BackingLayout) -> list[dict[str, Any]]:
        funcs = tables.FUNCS
        query = select(DBS.c.NAME, *funcs.c).join_from(funcs, DBS, DBS.c.DB_ID == funcs.c.DB_ID)
        rows = connection.execute(self._within(query, layout)).mappings().all()
        numbers = [row["FUNC_ID"] for row in rows]
        wanted = ("RESOURCE_TYPE", "RESOURCE_URI")
        files = read_joined(connection, tables.FUNC_RU, "FUNC_ID", numbers, wanted)
        return [entries.function(row, row["NAME"], files.get(row["FUNC_ID"], ())) for row in rows]

    def _get_global_grants(self, connection: Connection, _: BackingLayout) -> list[dict[str, Any]]:
        query = _grants_query(tables.GLOBAL_PRIVS, "USER_PRIV")
        return [entries.object_privilege(row, 1) for row in connection.execute(query).mappings()]

    def _get_db_grants(self, connection: Connection, layout: BackingLayout) -> list[dict[str, Any]]:
        privs = tables.DB_PRIVS
        query = _grants_query(privs, "DB_PRIV", DBS.c.NAME)
        query = self._within(query.join(DBS, DBS.c.DB_ID == privs.c.DB_ID), layout)
        rows = connection.execute(query).mappings()
        return [entries.object_privilege(row, 2, dbName=row["NAME"]) for row in rows]

    def _get_table_grants(
        self, connection: Connection, layout: BackingLayout
    ) -> list[dict[str, Any]]:
        grants = []
        for kind, privs, word, column_names in (
            (3, tables.TBL_PRIVS, "TBL_PRIV", ()),
            (5, tables.TBL_COL_PRIVS, "TBL_COL_PRIV", ("COLUMN_NAME",)),
        ):
            columns = (privs.c[name] for name in column_names)
            query = _grants_query(privs, word, DBS.c.NAME, TBLS.c.TBL_NAME, *columns)
            query = query.join(TBLS, TBLS.c.TBL_ID == privs.c.TBL_ID)
            query = self._within(query.join(DBS, DBS.c.DB_ID == TBLS.c.DB_ID), layout)
            for row in connection.execute(query).mappings():
                names = {"dbName": row["NAME"], "objectName": row["TBL_NAME"]}
                if column_names:
                    names["columnName"] = row["COLUMN_NAME"]
                grants.append(entries.object_privilege(row, kind, **names))
        return grants


_PARAMETERS: Final = ("PARAM_KEY", "PARAM_VALUE")


def _database_join() -> tuple[Table, Table, ColumnElement[bool]]:
    return TBLS, DBS, DBS.c.DB_ID == TBLS.c.DB_ID


def _get_parts(connection: Connection, rows: Sequence[Any]) -> Parts:
    """What belongs to some rows of TBLS: a select for each table."""

    def of(ids: str, table: Table, key: str, *columns: str) -> entries.ById:
        numbers = sorted({row[ids] for row in rows} - {None})
        return read_joined(connection, table, key, numbers, columns)

    skewed = tables.SKEWED_VALUES
    lists = tables.SKEWED_STRING_LIST_VALUES
    names = of("SDS_ID", tables.SKEWED_COL_NAMES, "SD_ID", "SKEWED_COL_NAME")
    values: dict[int, list[Sequence[Any]]] = defaultdict(list)
    if names:
        query = (
            select(skewed.c.SD_ID_OID, skewed.c.STRING_LIST_ID_EID, lists.c.STRING_LIST_VALUE)
            .join(lists, lists.c.STRING_LIST_ID == skewed.c.STRING_LIST_ID_EID)
            .where(skewed.c.SD_ID_OID.in_(names))
            .order_by(skewed.c.SD_ID_OID, skewed.c.INTEGER_IDX, lists.c.INTEGER_IDX)
        )
        for number, *value in connection.execute(query):
            values[number].append(value)
    return Parts(
        parameters=of("TBL_ID", tables.TABLE_PARAMS, "TBL_ID", *_PARAMETERS),
        partition_keys=of(
            "TBL_ID", tables.PARTITION_KEYS, "TBL_ID", "PKEY_NAME", "PKEY_TYPE", "PKEY_COMMENT"
        ),
        columns=of("CD_ID", tables.COLUMNS_V2, "CD_ID", "COLUMN_NAME", "TYPE_NAME", "COMMENT"),
        of_descriptors=of("SDS_ID", tables.SD_PARAMS, "SD_ID", *_PARAMETERS),
        bucketed=of("SDS_ID", tables.BUCKETING_COLS, "SD_ID", "BUCKET_COL_NAME"),
        sorted_by=of("SDS_ID", tables.SORT_COLS, "SD_ID", "COLUMN_NAME", "ORDER"),
        skewed=names,
        skewed_values=values,
        of_serdes=of("SERDES_ID", tables.SERDE_PARAMS, "SERDE_ID", *_PARAMETERS),
    )


def _grants_query(table: Table, word: str, *more: ColumnElement[Any]) -> Select[Any]:
    names = ("PRINCIPAL_NAME", "PRINCIPAL_TYPE", "GRANT_OPTION", "GRANTOR")
    columns = (table.c[name] for name in names)
    return select(table.c[word].label("PRIVILEGE"), *columns, *more).select_from(table)


def _get_members(connection: Connection, _: BackingLayout) -> list[dict[str, Any]]:
    roles, role_map = tables.ROLES, tables.ROLE_MAP
    query = select(roles.c.ROLE_NAME, *role_map.c).join_from(
        role_map, roles, roles.c.ROLE_ID == role_map.c.ROLE_ID
    )
    return [entries.member(row) for row in connection.execute(query).mappings()]
