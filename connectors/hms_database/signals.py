"""Digests of entries, which a metastore's own database makes: another whenever an entry is another.

A digest is of every value that an entry is made of, and none runs into the next: PostgreSQL hashes
a row, or writes it with quotes where one is needed, elsewhere each value is hashed for itself.
Nothing of an entry but 64 characters at most leaves the database. Rows of lists are taken with
their places in them, in any order.
"""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple, Protocol

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Numeric,
    Select,
    Text,
    cast,
    func,
    literal,
    literal_column,
    null,
    or_,
    select,
    text,
)
from sqlalchemy.dialects.postgresql import aggregate_order_by

from connectors.clients.table_types import KINDS
from connectors.hms_database import tables
from connectors.hms_database.tables import CDS, DBS, SDS, SERDES, TBLS
from discovery.outcomes import READ_KINDS

_UNREAD: Final = [kind for kind, is_one in KINDS.items() if is_one not in READ_KINDS]
_NOTHING: Final = "-"  # no digest: so NULL is another than a text without characters
_HALVES: Final = ((1, 15), (16, 15))  # of a digest: places and digits of numbers below 2 ** 60
_LISTS: Final = (
    (tables.TABLE_PARAMS, "TBL_ID", TBLS.c.TBL_ID),
    (tables.PARTITION_KEYS, "TBL_ID", TBLS.c.TBL_ID),
    (tables.COLUMNS_V2, "CD_ID", SDS.c.CD_ID),
    (tables.SD_PARAMS, "SD_ID", SDS.c.SD_ID),
    (tables.BUCKETING_COLS, "SD_ID", SDS.c.SD_ID),
    (tables.SORT_COLS, "SD_ID", SDS.c.SD_ID),
    (tables.SKEWED_COL_NAMES, "SD_ID", SDS.c.SD_ID),
    (tables.SERDE_PARAMS, "SERDE_ID", SDS.c.SERDE_ID),
)
"""Tables of lists and maps, and to what in an entry's rows their rows belong."""

_BYTE: Final[ColumnElement[Any]] = literal_column("8")  # as a parameter it would be a bigint
_SCATTERING: Final = 40_503  # the golden section of 2 ** 16: multiplicative hashing, as Knuth's
_HASHES_RECORDS: Final = (14,)  # of PostgreSQL: `hash_record_extended`
_EQUAL_OF_UNEQUAL_BYTES: Final = text(  # texts, by their collation, and hashed so
    "SELECT EXISTS (SELECT FROM pg_attribute a JOIN pg_collation c ON c.oid = a.attcollation"
    " WHERE NOT c.collisdeterministic)"
)

Column = ColumnElement[Any]


def signals_of(rows: Iterable[Any], version: str) -> dict[str, str]:
    """The signals of what `digests` returns: other tables make other entries of the same values."""
    return {name: f"{version} {digest}" for name, digest in rows if name and digest}


class Share(NamedTuple):
    """Which of a database's entries are asked for: those whose scattered id leaves `rest`.

    Attributes:
        rest: From 0, below `number`.
        number: How many shares there are.
    """

    rest: int
    number: int


WHOLE: Final = Share(0, 1)


class Digests(Protocol):
    """How a server makes digests."""

    def row(self, values: Iterable[Column]) -> Column:
        """Of several values, which may be NULL."""

    def rows(self, query: Select[Any]) -> Column:
        """Of the digests that a query of a part returns, in whatever order."""


def digests_of(connection: Connection) -> Digests:
    """How a server makes them with the least work. Does I/O."""
    dialect = connection.dialect
    if dialect.name != "postgresql":
        return Sha2()
    version = dialect.server_version_info or ()
    if version < _HASHES_RECORDS or connection.scalar(_EQUAL_OF_UNEQUAL_BYTES):
        return Md5()
    return RecordHashes()


def trial(make: Digests) -> Select[Any]:
    """The query for a digest of a text: where MD5 is no longer approved, PostgreSQL makes none."""
    return select(make.row([cast(literal("x"), Text)]))


def digests(
    database: str, columns: frozenset[str], make: Digests, share: Share = WHOLE
) -> Select[Any]:
    """The query for names and digests of the entries of a database that are read.

    Args:
        database: Its name.
        columns: Those that TBLS and DBS have, as `table.column`.
        make: How the server makes them.
        share: Of which of the entries.
    """
    own = [
        column if str(column) in columns else cast(null(), Text)
        for column in TBLS.c
        if column.name != "DB_ID"
    ]
    parts = [make.row([*own, *SDS.c, CDS.c.CD_ID, *SERDES.c])]
    parts += [
        make.rows(select(make.row(table.c)).where(table.c[key] == of)) for table, key, of in _LISTS
    ]
    parts.append(make.rows(_skewed(make)))
    query = (
        select(TBLS.c.TBL_NAME, make.row(parts))
        .join_from(TBLS, DBS, DBS.c.DB_ID == TBLS.c.DB_ID)
        .outerjoin(SDS, SDS.c.SD_ID == TBLS.c.SD_ID)
        .outerjoin(CDS, CDS.c.CD_ID == SDS.c.CD_ID)
        .outerjoin(SERDES, SERDES.c.SERDE_ID == SDS.c.SERDE_ID)
        .where(DBS.c.NAME.in_([database]))
        .where(or_(TBLS.c.TBL_TYPE.is_(None), TBLS.c.TBL_TYPE.not_in(_UNREAD)))
    )
    if share.number > 1:
        # ids of one database may all be odd, or leave the same rest by whatever else
        scattered = (cast(TBLS.c.TBL_ID, BigInteger) * _SCATTERING).bitwise_rshift(_BYTE)
        query = query.where(func.mod(scattered, share.number) == share.rest)
    return query


def _skewed(make: Digests) -> Select[Any]:
    """The rows of an entry's skewed values, each with its lists'."""
    values, lists = tables.SKEWED_VALUES, tables.SKEWED_STRING_LIST_VALUES
    return (
        select(make.row([*values.c, *lists.c]))
        .join_from(values, lists, lists.c.STRING_LIST_ID == values.c.STRING_LIST_ID_EID)
        .where(values.c.SD_ID_OID == SDS.c.SD_ID)
    )


class RecordHashes:
    """Of PostgreSQL since 14: hashes of 64 bits, for half the work of MD5, also where that is off.

    A row's hash is hashed once more: it is a sum over the values, so two values that change places
    between rows would leave the sum over the rows as it was.
    """

    def row(self, values: Iterable[Column]) -> Column:
        """See `Digests`."""
        return func.hashint8extended(func.hash_record_extended(func.row(*values), 0), 1)

    def rows(self, query: Select[Any]) -> Column:
        """See `Digests`."""
        sums = func.count(), func.sum(query.selected_columns[0])
        return _aggregate_over(query, self.row(sums))


class Md5:
    """Of PostgreSQL: the text of a row has nothing for NULL, and quotes for no characters."""

    def row(self, values: Iterable[Column]) -> Column:
        """See `Digests`."""
        return func.md5(cast(func.row(*values), Text))

    def rows(self, query: Select[Any]) -> Column:
        """See `Digests`; NULL where none are."""
        digest = query.selected_columns[0]
        return _aggregate_over(
            query, func.string_agg(digest, aggregate_order_by(literal(""), digest))
        )


class Sha2:
    """Of MySQL and MariaDB: MySQL 9 has no `md5`."""

    def row(self, values: Iterable[Column]) -> Column:
        """See `Digests`."""
        hashed = (func.coalesce(func.sha2(value, 256), _NOTHING) for value in values)
        return func.sha2(func.concat(*hashed), 256)

    def rows(self, query: Select[Any]) -> Column:
        """See `Digests`; GROUP_CONCAT cuts off what is longer than a setting says, sums do not."""
        digest = query.selected_columns[0]
        sums = (func.sum(_number(digest, *half)) for half in _HALVES)
        return _aggregate_over(query, func.concat_ws(" ", func.count(), *sums))


def _aggregate_over(query: Select[Any], aggregate: Column) -> Column:
    """An aggregate over what a query of a part returns."""
    return query.with_only_columns(aggregate, maintain_column_froms=True).scalar_subquery()


def _number(digest: Column, place: int, digits: int) -> Column:
    """A part of a digest as a number."""
    return cast(func.conv(func.substr(digest, place, digits), 16, 10), Numeric(20, 0))
