"""Views and databases of a Paimon REST catalog (Paimon 1.4), and what Paimon leaves in Hive's.

A view has a `query`, its default, and any number of dialects beside it; the default is kept as the
dialect `query`, as Gravitino names it. Paimon keeps no context for short names; what Gravitino puts
into the options for that is read as such.

In a Hive Metastore, Paimon's catalog leaves an entry like Hive's own with one text, its options
among the parameters (`HiveCatalog.createView`, Paimon 1.0 to 1.4). Its dialects are lost there, and
nothing says whose it is but the skeleton that Hive's library gives to an entry that no Hive has
filled in, and Gravitino's options.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Final

from discovery.datatypes import paimon
from discovery.errors import DecodeError, InvalidTypeError
from discovery.formats import fields, loss_notes
from discovery.formats.hive_table import HiveTable
from discovery.model import Audit, Column, Identifier, Representation, Schema, View
from discovery.outcomes import MAYBE_PAIMON, Decoded, Note, RawObject

QUERY: Final = "query"
CATALOG: Final = "gravitino.view.default-catalog"
SCHEMA: Final = "gravitino.view.default-schema"
_MEMBERS: Final = frozenset({"query", "dialects", "fields", "comment", "options"})
_FIELD_MEMBERS: Final = frozenset({"id", "name", "type", "description"})
_SERDE: Final = "org.apache.hadoop.hive.serde2.MetadataTypedColumnsetSerDe"


def decode_view(raw: RawObject) -> Decoded:
    """The default query, every dialect, and columns with their nullability.

    Raises:
        DecodeError: A field is missing or of another type; says which.
    """
    payload = raw.payload
    schema = _struct(payload, "schema")
    options = dict(fields.strings(schema, "options", "schema"))
    catalog, default = options.pop(CATALOG, None), options.pop(SCHEMA, None)
    texts = {QUERY: fields.required(schema, "query", "schema")}
    dialects = fields.strings(schema, "dialects", "schema")
    for dialect, sql in sorted(dialects.items()):  # a map of Java's has no order
        if not dialect or not sql:
            raise DecodeError("is empty", field=f"schema.dialects.{dialect}")
        if dialect.casefold() == QUERY:
            raise DecodeError("stands beside the default query", field=f"schema.dialects.{dialect}")
        texts[dialect] = sql
    columns = _columns(schema)
    view = View(
        identifier=Identifier(
            (fields.required(payload, "database"),), fields.required(payload, "name")
        ),
        columns=columns,
        representations=tuple(
            Representation(
                dialect=dialect, sql=sql, default_catalog=catalog, default_schema=default
            )
            for dialect, sql in texts.items()
        ),
        comment=fields.text(schema, "comment", "schema"),
        properties=tuple(sorted(options.items())),
        audit=_audit(payload),
    )
    notes = *loss_notes.narrowed(_narrowed(schema)), *loss_notes.not_in_model(_unread(schema))
    return Decoded(view, notes)


def _unread(schema: Mapping[str, object]) -> Iterator[str]:
    """What a schema says and the model has no place for; empty members say nothing."""
    for key, value in schema.items():
        if key not in _MEMBERS and value:
            yield f"schema.{key}"
    for field in schema["fields"]:  # type: ignore[attr-defined]  # a list of structs: `_columns` read it
        for key, value in field.items():
            if key not in _FIELD_MEMBERS and value:
                yield f"schema.fields.{field['name']}.{key}"


def decode_database(raw: RawObject) -> Decoded:
    """A database as a schema; its options are the properties, without the comment among them.

    Raises:
        DecodeError: A field is missing or of another type; says which.
    """
    payload = raw.payload
    options = dict(fields.strings(payload, "options"))
    schema = Schema(
        levels=(fields.required(payload, "name"),),
        comment=options.pop("comment", None),
        properties=tuple(sorted(options.items())),
        location=fields.text(payload, "location") or None,
        owner=fields.text(payload, "owner") or None,
        audit=_audit(payload),
    )
    return Decoded(schema)


def notes_in_hive(table: HiveTable) -> tuple[Note, ...]:
    """A note where an entry of Hive's format looks as Paimon 1.4 leaves it (measured: no owner).

    Spark before 2.2 and Flink have the same skeleton; they state an owner or marks of their own.
    """
    descriptor = table.payload.get("sd")
    serde = descriptor.get("serdeInfo") if isinstance(descriptor, dict) else None
    library = serde.get("serializationLib") if isinstance(serde, dict) else None
    if library != _SERDE or table.owner is not None or table.original != table.expanded:
        return ()
    return (
        MAYBE_PAIMON.note(
            "looks like a view of Paimon's: then its other dialects are not in the metastore, and "
            "names and types are reduced to Hive's",
        ),
    )


def _columns(schema: Mapping[str, object]) -> tuple[Column, ...]:
    listed = schema.get("fields")
    if not isinstance(listed, list):
        raise DecodeError("must be a list", field="schema.fields")
    return tuple(_column(field, f"schema.fields[{index}]") for index, field in enumerate(listed))


def _narrowed(schema: Mapping[str, object]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for field in schema["fields"]:  # type: ignore[attr-defined]  # a list of structs: `_columns` read it
        yield field["name"], paimon.narrowed(field["type"])


def _column(field: object, place: str) -> Column:
    if not isinstance(field, dict):
        raise DecodeError("must be a struct", field=place)
    try:
        kind, nullable = paimon.parse(field.get("type"))
    except InvalidTypeError as error:
        raise DecodeError(str(error), field=f"{place}.type") from error
    name = fields.required(field, "name", place)
    return Column(name, kind, fields.text(field, "description", place), nullable)


def _struct(payload: Mapping[str, object], key: str) -> Mapping[str, object]:
    value = payload.get(key)
    if not isinstance(value, dict):
        raise DecodeError("must be a struct", field=key)
    return value


def _audit(payload: Mapping[str, object]) -> Audit:
    """Who and when; a change that is no later than the creation is the creation."""
    created, updated = _time(payload, "createdAt"), _time(payload, "updatedAt")
    changed = updated is not None and (created is None or updated > created)
    return Audit(
        creator=fields.text(payload, "createdBy") or fields.text(payload, "owner") or None,
        create_time=created,
        last_modifier=fields.text(payload, "updatedBy") if changed else None,
        last_modified_time=updated if changed else None,
    )


def _time(payload: Mapping[str, object], key: str) -> datetime | None:
    """Milliseconds since the epoch; None if there are none."""
    value = payload.get(key)
    if value is None or value == 0:
        return None
    if not isinstance(value, int) or not 0 < value < 1 << 46:
        raise DecodeError(f"{value!r} is no time in milliseconds", field=key)
    return datetime.fromtimestamp(value / 1000, UTC)
