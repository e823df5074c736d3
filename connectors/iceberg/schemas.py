"""Schemas as the namespaces of an Iceberg catalog."""

from collections.abc import Sequence

from discovery.model import Schema
from discovery.namespaces import parents


def with_parents(schemas: Sequence[Schema]) -> tuple[Schema, ...]:
    """The schemas and those above them, made with the owner of the first below; outermost first."""
    found = {one.levels: one for one in schemas}
    for one in schemas:
        for above in parents(one.levels):
            found.setdefault(above, Schema(levels=above, owner=one.owner, audit=one.audit))
    return tuple(sorted(found.values(), key=lambda one: one.levels))


def properties(schema: Schema) -> dict[str, str]:
    """Its properties, and what Iceberg keeps among them."""
    stated = {
        "comment": schema.comment,
        "location": schema.location,
        "owner": schema.owner or schema.audit.creator,
    }
    found = {key: text for key, text in stated.items() if text is not None}
    return {**dict(schema.properties), **found}
