"""An entry of the AWS Glue Data Catalog (API structure Table), read as one of a Hive Metastore.

Glue has the metastore's fields in other spelling, so its views are those of `hive_table` and every
format serves both. What only Glue has stays under its own name in the payload. In messages, fields
have the metastore's names.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Final

from discovery.errors import DecodeError
from discovery.formats import fields, hive_table
from discovery.formats.hive_table import VIRTUAL_VIEW, HiveTable
from discovery.formats.not_views import NOT_VIEWS, NotAView, is_table
from discovery.model import View, dotted
from discovery.outcomes import (
    FEDERATED,
    MATERIALIZED_VIEW,
    NOT_CREATED,
    RESOURCE_LINK,
    TABLE,
    Decoded,
    RawObject,
)

Decode = Callable[[HiveTable], Decoded]

_COLUMN: Final = {"Name": "name", "Type": "type", "Comment": "comment"}
_TABLE: Final = {
    "DatabaseName": "dbName",
    "Name": "tableName",
    "Owner": "owner",
    "Parameters": "parameters",
    "TableType": "tableType",
    "ViewExpandedText": "viewExpandedText",
    "ViewOriginalText": "viewOriginalText",
}
STORED: Final = ("iceberg", "delta", "hudi", "parquet", "hive")
"""How tables are stored; `hive` is every other one."""

_STORAGE_MARKS: Final = (
    "table-format",
    "table_type",
    "spark.sql.sources.provider",
    "classification",  # what Glue's crawlers write
)


def read(raw: RawObject) -> HiveTable:
    """Check the fields of an entry.

    Raises:
        DecodeError: One is missing or of another type; says which.
    """
    payload = raw.payload
    descriptor = payload.get("StorageDescriptor")
    sd: object = descriptor
    if isinstance(descriptor, dict):
        sd = {
            "cols": _columns(descriptor.get("Columns")),
            "inputFormat": descriptor.get("InputFormat"),
        }
    created = time(payload, "CreateTime")
    translated = {
        **_renamed(payload, _TABLE),
        "createTime": int(created.timestamp()) if created else None,
        "partitionKeys": _columns(payload.get("PartitionKeys")),
        "sd": sd,
    }
    return hive_table.read(replace(raw, payload=translated))


def completed(decode: Decode) -> Decode:
    """A format's reading, and what Glue says beside it: `Description`, `CreatedBy`, both times."""

    def decode_entry(table: HiveTable) -> Decoded:
        decoded = decode(table)
        view = decoded.result
        if not isinstance(view, View):
            return decoded
        payload, audit = table.payload, view.audit
        created, updated = time(payload, "CreateTime"), time(payload, "UpdateTime")
        if updated is not None:
            changed = None if created is not None and updated <= created else updated
            audit = replace(audit, last_modified_time=changed)
        audit = replace(
            audit,
            creator=audit.creator or fields.text(payload, "CreatedBy") or None,
            create_time=created,
        )
        comment = view.comment or fields.text(payload, "Description") or None
        return replace(decoded, result=replace(view, comment=comment, audit=audit))

    return decode_entry


def time(payload: Mapping[str, object], key: str) -> datetime | None:
    """A point in time; None if it is missing or null.

    Raises:
        DecodeError: It is no time with its distance from UTC.
    """
    text = fields.text(payload, key)
    if text is None:
        return None
    try:
        stated = datetime.fromisoformat(text)
        if stated.tzinfo is not None:
            return stated.astimezone(UTC)
    except (OverflowError, ValueError) as error:
        raise DecodeError(f"{text!r:.80} is no time", field=key) from error
    raise DecodeError(f"{text!r:.80} does not say its distance from UTC", field=key)


def storage(table: HiveTable) -> str:
    """How a table is stored: one of `STORED`.

    Gravitino 1.3 asks the parameter `table-format`, then `table_type`; the design also knows
    Spark's provider, and Parquet by its input format.
    """
    parameters = table.parameters
    marks = [parameters.get(key, "").lower() for key in _STORAGE_MARKS]
    named = next((mark for mark in marks if mark in STORED), "")
    if named:
        return named
    descriptor = table.payload.get("sd")
    stored = descriptor.get("inputFormat") if isinstance(descriptor, dict) else None
    return "parquet" if "parquet" in f"{stored}".lower() else "hive"


def is_multi_dialect(table: HiveTable) -> bool:
    """With a `ViewDefinition` that has representations."""
    definition = table.payload.get("ViewDefinition")
    return isinstance(definition, dict) and bool(definition.get("Representations"))


def target(payload: Mapping[str, object], key: str) -> str:
    """Where a resource link leads; empty for what is none."""
    link = payload.get(key)
    if not isinstance(link, dict):
        return ""
    place = dotted([str(link[member]) for member in ("DatabaseName", "Name") if link.get(member)])
    return f"A resource link to {place} of the catalog {link.get('CatalogId')}"


def _is_link(table: HiveTable) -> bool:
    return bool(table.payload.get("TargetTable"))


def _link(table: HiveTable) -> str:
    return target(table.payload, "TargetTable")


def _is_federated(table: HiveTable) -> bool:
    return bool(table.payload.get("FederatedTable"))


def _is_materialized(table: HiveTable) -> bool:
    return table.payload.get("IsMaterializedView") is True


def _status(table: HiveTable) -> Mapping[str, object]:
    status = table.payload.get("Status")
    return status if isinstance(status, dict) else {}


def _is_not_created(table: HiveTable) -> bool:
    """Whether the entry is the empty one that Glue puts in a view's place until it is validated.

    It stays where that fails (Lake Formation's developer guide, "Asynchronous states and
    operations", "View creation failure scenarios during asynchronous operations").
    """
    status = _status(table)
    is_open = status.get("Action") == "CREATE" and status.get("State") != "SUCCESS"
    return is_open and table.type in {None, VIRTUAL_VIEW} and not is_multi_dialect(table)


def _state(table: HiveTable) -> str:
    return f"Glue has not created the view: its creation is {_status(table).get('State')}"


def _is_stored_as(stored: str, table: HiveTable) -> bool:
    return not is_multi_dialect(table) and is_table(table) and storage(table) == stored


GLUE_NOT_VIEWS: Final[tuple[NotAView[HiveTable], ...]] = (
    NotAView("glue", _is_link, RESOURCE_LINK, _link),
    NotAView("glue", _is_federated, FEDERATED),
    NotAView("glue", _is_materialized, MATERIALIZED_VIEW),
    NotAView("glue", _is_not_created, NOT_CREATED, _state),
    *NOT_VIEWS[:-1],  # all but tables, which are told apart here
    *(NotAView(stored, partial(_is_stored_as, stored), TABLE) for stored in STORED),
)


def _renamed(struct: Mapping[str, object], names: Mapping[str, str]) -> dict[str, object]:
    return {names.get(key, key): value for key, value in struct.items()}


def _columns(columns: object) -> object:
    """A list of columns in the metastore's spelling; anything else as it is, to be refused."""
    if not isinstance(columns, list):
        return columns
    return [_renamed(column, _COLUMN) if isinstance(column, dict) else column for column in columns]
