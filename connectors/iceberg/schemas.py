"""Schemas as the namespaces of an Iceberg catalog."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from discovery.errors import InternalError
from discovery.formats import iceberg
from discovery.migration.namespaces import NamespaceEdit
from discovery.migration.providers import IDENTIFIER
from discovery.model import Schema
from discovery.namespaces import Levels, parents
from discovery.outcomes import Kind, Listed, RawObject

_COMMENT: Final = "comment"
_OF_THE_SOURCE: Final = frozenset({"location", IDENTIFIER})


def with_parents(schemas: Sequence[Schema]) -> tuple[Schema, ...]:
    """The schemas and those above them, made with the owner of the first below; outermost first."""
    by_levels = {schema.levels: schema for schema in schemas}
    for schema in schemas:
        for above in parents(schema.levels):
            by_levels.setdefault(
                above, Schema(levels=above, owner=schema.owner, audit=schema.audit)
            )
    return tuple(sorted(by_levels.values(), key=lambda schema: schema.levels))


def properties(schema: Schema) -> dict[str, str]:
    """Its properties, and what Iceberg keeps among them.

    The location is the source's: a catalog in a metastore would put all new views and tables there
    (`HiveCatalog.convertToDatabase` of Iceberg 1.11).
    """
    stated = {"comment": schema.comment, "owner": schema.owner or schema.audit.creator}
    kept = {key: text for key, text in stated.items() if text is not None}
    others = {key: text for key, text in schema.properties if key not in _OF_THE_SOURCE}
    return {**others, **kept}


def schema_of(levels: Levels, stated: Mapping[str, str]) -> Schema:
    """The schema that a namespace with these properties is read as."""
    listed = Listed(levels, "", Kind.NAMESPACE)
    payload = {"namespace": list(levels), "properties": dict(stated)}
    decoded = iceberg.decode_namespace(RawObject(listed, "iceberg_namespace", payload)).result
    if not isinstance(decoded, Schema):
        raise InternalError("a namespace is read as something else")
    return decoded


def hold_schema(schema: Schema) -> Schema:
    """A schema as a namespace gives it back: some of its properties are Iceberg's own."""
    return replace(schema_of(schema.levels, properties(schema)), audit=schema.audit)


def property_changes(edit: NamespaceEdit) -> tuple[set[str], dict[str, str]]:
    """The properties that an edit removes, and those that it sets."""
    after = {_COMMENT if field.key is None else field.key: field.after for field in edit.fields}
    sets = {key: value for key, value in after.items() if value is not None}
    return after.keys() - sets.keys(), sets
