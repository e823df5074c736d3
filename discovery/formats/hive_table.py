"""An entry of a Hive Metastore, and what the formats that live in one share.

The payload has the field names of the Thrift IDL (`hive_metastore.thrift`, struct Table).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from discovery.datatypes import hive
from discovery.errors import BelvedereError, DecodeError
from discovery.formats import fields
from discovery.model import Audit, Column, DataType, Identifier, ListOf, OwnerKind, Primitive
from discovery.outcomes import RawObject

VIRTUAL_VIEW: Final = "VIRTUAL_VIEW"
PLACEHOLDER: Final = Column("col", ListOf(Primitive("string")), "from deserializer")
_OF_TEXTS: Final = "org.apache.hadoop.hive.serde2.OpenCSVSerde"
MADE: Final = "belvedere.made"
"""The parameter by which belvedere knows the entries that it has made itself."""
BOOKKEEPING: Final = frozenset(
    {"transient_lastDdlTime", "last_modified_by", "last_modified_time", MADE}
)
"""Parameters that are no properties of a view: times, and who wrote the entry."""
_OWNERS: Final[Mapping[int | str, OwnerKind]] = {
    **dict(enumerate((OwnerKind.USER, OwnerKind.ROLE, OwnerKind.GROUP), 1)),
    **{kind.value: kind for kind in OwnerKind},
}
_PRINCIPALS: Final = {OwnerKind.USER: 1, OwnerKind.ROLE: 2, OwnerKind.GROUP: 3}


@dataclass(frozen=True, slots=True)
class HiveTable:
    """A Table of the metastore, its fields checked.

    Attributes:
        identifier: Its place, as the entry itself states it.
        type: `tableType` in upper case, as Hive writes it; None in entries that have none.
        parameters: Table parameters, without those whose value is null.
        original: `viewOriginalText`; None if empty.
        expanded: `viewExpandedText`; None if empty.
        owner: None if empty.
        payload: All fields.
        files: What the entry points to: URI to bytes.
        unread: What it points to and is not among them: URI to the error.
    """

    identifier: Identifier
    type: str | None
    parameters: Mapping[str, str]
    original: str | None
    expanded: str | None
    owner: str | None
    payload: Mapping[str, object]
    files: Mapping[str, bytes]
    unread: Mapping[str, BelvedereError]


def read(raw: RawObject) -> HiveTable:
    """Check the fields of an entry.

    Raises:
        DecodeError: One is missing or of another type; says which.
    """
    payload = raw.payload
    database = fields.text(payload, "dbName")
    if not database:
        raise DecodeError("is missing: the entry is in no namespace", field="dbName")
    return HiveTable(
        Identifier((database,), fields.required(payload, "tableName")),
        (fields.text(payload, "tableType") or "").upper() or None,
        fields.strings(payload, "parameters"),
        fields.text(payload, "viewOriginalText") or None,
        fields.text(payload, "viewExpandedText") or None,
        fields.text(payload, "owner") or None,
        payload,
        raw.files,
        raw.unread,
    )


def columns(table: HiveTable, parse: Callable[[str], DataType] = hive.parse) -> tuple[Column, ...]:
    """The columns of the entry itself: `sd.cols`, then `partitionKeys` of a partitioned view.

    Args:
        table: The entry.
        parse: Reads a type in the language of the engine that wrote it.

    Raises:
        DecodeError: A column lacks its name or type, its type is malformed, or Spark left its
            placeholder (the single column `col array<string>`) because its types were not Hive's.
    """
    written = _written(table, parse)
    if written == [PLACEHOLDER]:
        raise DecodeError(
            "Spark's placeholder for types that Hive lacks; the entry has no other columns",
            hint="recreate the view with Spark: ALTER VIEW dropped the schema that Spark needs",
            field="sd.cols",
        )
    return tuple(written)


def _written(table: HiveTable, parse: Callable[[str], DataType]) -> list[Column]:
    descriptor = table.payload.get("sd")
    if descriptor is None:
        descriptor = {}
    if not isinstance(descriptor, dict):
        raise DecodeError("must be a struct", field="sd")
    data_columns = fields.columns(descriptor, "cols", "sd", parse)
    return data_columns + fields.columns(table.payload, "partitionKeys", "", parse)


def beside_spark(table: HiveTable) -> tuple[Column, ...] | None:
    """What engines but Spark see where it has left its placeholder; None where it has not.

    Spark does so for tables that Hive could not read (JSON, CSV, Delta), whatever their types, and
    keeps the keys of partitions (`HiveExternalCatalog.newSparkSQLSpecificMetastoreTable`, 4.3).

    Raises:
        DecodeError: A column lacks its name or type, or its type is malformed.
    """
    written = _written(table, hive.parse)
    return tuple(written) if written[:1] == [PLACEHOLDER] else None


def of_texts(table: HiveTable) -> tuple[Column, ...] | None:
    """The columns of a table whose reader gives texts alone; None of any other.

    The types that are declared for OpenCSVSerde stay in the entry, and no engine looks at them;
    keys of partitions keep theirs (Hive 2.3.10, Spark 4.3.0 and Trino 476 asked of tables that Hive
    and Spark had made).

    Raises:
        DecodeError: A column lacks its name or type, or its type is malformed.
    """
    descriptor = table.payload.get("sd")
    serde = descriptor.get("serdeInfo") if isinstance(descriptor, dict) else None
    library = serde.get("serializationLib") if isinstance(serde, dict) else None
    if library != _OF_TEXTS:
        return None
    written = _written(table, hive.parse)
    keys = len(fields.columns(table.payload, "partitionKeys", "", hive.parse))
    texts = [column._replace(type=Primitive("string")) for column in written[: len(written) - keys]]
    return (*texts, *written[len(texts) :])


def is_acid(table: HiveTable) -> bool:
    """Whether Hive keeps its rows with transactions (`AcidUtils.isTransactionalTable`, 2.3)."""
    return table.parameters.get("transactional", "").lower() == "true"


def audit(table: HiveTable) -> Audit:
    """Owner and times of the entry; times in it are seconds since the epoch."""
    parameters = table.parameters
    created = created_at(table.payload)
    modified = _seconds(parameters.get("last_modified_time"))
    if modified is None:
        modified = _seconds(parameters.get("transient_lastDdlTime"))
        if created is not None and modified is not None and modified <= created:
            modified = None  # the DDL that created it
    return Audit(
        creator=table.owner,
        create_time=_time(created),
        creator_kind=owner_kind(table.payload) if table.owner else OwnerKind.USER,
        last_modifier=parameters.get("last_modified_by"),
        last_modified_time=_time(modified),
    )


def created_at(payload: Mapping[str, object]) -> int | None:
    """When a table or database was made, in seconds since the epoch; None if nobody says.

    Raises:
        DecodeError: It is no such number.
    """
    created = payload.get("createTime")
    if created is None:
        return None
    if type(created) is not int or created >= 1 << 36:
        raise DecodeError(f"{created!r:.80} is no time in seconds", field="createTime")
    return created if created > 0 else None


def owner_kind(payload: Mapping[str, object]) -> OwnerKind:
    """What the owner of a table or database is: `ownerType`, a `PrincipalType` of the Thrift IDL.

    Hive 2 has none for tables, Hive 3 and 4 write a user by default. An archive may have its name.
    """
    stated = payload.get("ownerType")
    return _OWNERS.get(stated, OwnerKind.USER) if isinstance(stated, int | str) else OwnerKind.USER


def properties(
    parameters: Mapping[str, str], consumed: Iterable[str]
) -> tuple[tuple[str, str], ...]:
    """The parameters that the standard model has no place for, sorted; DDL times are audit data."""
    gone = BOOKKEEPING.union(consumed)
    return tuple([(key, parameters[key]) for key in sorted(parameters) if key not in gone])


def _seconds(text: str | None) -> int | None:
    return (
        int(text)
        if text and text.isascii() and text.isdigit() and len(text) < 12 and int(text)
        else None
    )


def _time(seconds: int | None) -> datetime | None:
    return (
        datetime.fromtimestamp(seconds, UTC) if seconds is not None and seconds < 1 << 36 else None
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewEntry:
    """An entry of a metastore that is to be written: what an engine reads of its view.

    Attributes:
        identifier: Its place: one level and a name.
        original: `viewOriginalText`.
        expanded: `viewExpandedText`.
        parameters: Table parameters.
        columns: `sd.cols`: name, type and comment.
        owner: None: the entry has none.
        owner_kind: What the owner is.
    """

    identifier: Identifier
    original: str
    expanded: str
    parameters: Mapping[str, str]
    columns: tuple[tuple[str, str, str | None], ...]
    owner: str | None = None
    owner_kind: OwnerKind = OwnerKind.USER

    def payload(self) -> dict[str, object]:
        """The entry by the field names of the Thrift IDL.

        `sd.location` is not set: where it is empty, Spark cannot read the view, and the metastore
        cannot drop it. The formats are those that Hive gives a table of text files; a metastore
        refuses an entry without a serde.
        """
        columns = [
            {"name": name, "type": kind, "comment": comment} for name, kind, comment in self.columns
        ]
        entry: dict[str, object] = {
            "dbName": self.identifier.namespace[0],
            "tableName": self.identifier.name,
            "tableType": VIRTUAL_VIEW,
            "owner": self.owner,
            "ownerType": _PRINCIPALS[self.owner_kind] if self.owner else None,
            "parameters": dict(self.parameters),
            "partitionKeys": [],
            "sd": {
                "cols": columns,
                "inputFormat": "org.apache.hadoop.mapred.TextInputFormat",
                "outputFormat": "org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat",
                "compressed": False,
                "numBuckets": -1,
                "serdeInfo": {
                    "serializationLib": "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe",
                    "parameters": {"serialization.format": "1"},
                },
                "bucketCols": [],
                "sortCols": [],
                "parameters": {},
            },
            "viewOriginalText": self.original,
            "viewExpandedText": self.expanded,
        }
        return {key: value for key, value in entry.items() if value is not None}

    def table(self) -> HiveTable:
        """The entry as a metastore gives it back."""
        return HiveTable(
            self.identifier,
            VIRTUAL_VIEW,
            self.parameters,
            self.original or None,
            self.expanded or None,
            self.owner or None,
            self.payload(),
            {},
            {},
        )
