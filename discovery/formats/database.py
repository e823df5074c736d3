"""What the views and schemas of all databases have in common, as the connectors read them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from discovery.errors import DecodeError
from discovery.formats import fields
from discovery.model import (
    Audit,
    DataType,
    Identifier,
    Representation,
    Schema,
    Security,
    View,
)
from discovery.outcomes import (
    COLUMNS_DIFFER,
    COLUMNS_FROM_CATALOG,
    COLUMNS_UNKNOWN,
    Decoded,
    Note,
    RawObject,
)


@dataclass(frozen=True, slots=True)
class DatabaseFacts:
    """What a database's own fields come to.

    Attributes:
        catalog: Of names in the text that have none; None where the database knows no catalogs.
        security: With whose rights the view runs, where the database says so.
        properties: What the model has no place for.
    """

    catalog: str | None
    security: Security | None
    properties: Mapping[str, str]


def decode_view(
    raw: RawObject, dialect: str, parse: Callable[[str], DataType], stated: DatabaseFacts
) -> Decoded:
    """A view; the default schema is its own.

    Raises:
        DecodeError: A field is missing or of another type; says which.
    """
    payload = raw.payload
    schema = fields.required(payload, "schema")
    view = View(
        identifier=Identifier((schema,), fields.required(payload, "name")),
        columns=tuple(fields.columns(payload, "columns", "", parse)),
        representations=(
            Representation(
                dialect=dialect,
                sql=fields.required(payload, "definition"),
                default_catalog=stated.catalog,
                default_schema=schema,
                default_levels=(schema,),
            ),
        ),
        comment=fields.text(payload, "comment"),
        security=stated.security,
        properties=tuple(sorted(stated.properties.items())),
        audit=Audit(creator=fields.text(payload, "owner")),
    )
    return Decoded(view, tuple(_notes(payload)))


def decode_schema(raw: RawObject) -> Decoded:
    """A schema.

    Raises:
        DecodeError: A field is missing or of another type; says which.
    """
    owner = fields.text(raw.payload, "owner")
    schema = Schema(
        levels=(fields.required(raw.payload, "name"),),
        comment=fields.text(raw.payload, "comment"),
        properties=tuple(sorted(fields.strings(raw.payload, "properties").items())),
        owner=owner,
        audit=Audit(creator=owner),
    )
    return Decoded(schema)


def _notes(payload: Mapping[str, object]) -> Iterator[Note]:
    """How the columns were obtained, where that was not the empty query alone."""
    source, why = fields.text(payload, "columns_from"), fields.text(payload, "refused")
    if source == "nothing":
        yield Note(COLUMNS_UNKNOWN.code, why or "the database gives no reason")
    if source == "catalog":
        message = "the configuration says introspection: catalog" if why is None else why
        yield COLUMNS_FROM_CATALOG.note(message)
    differences = payload.get("differences") or []
    if not isinstance(differences, list):
        raise DecodeError("must be a list", field="differences")
    if differences:
        yield COLUMNS_DIFFER.note("; ".join(map(str, differences)))
