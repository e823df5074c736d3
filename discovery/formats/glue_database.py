"""A database of the AWS Glue Data Catalog (API structure Database) as a schema."""

from typing import Final

from discovery.formats import fields, glue_table
from discovery.formats.not_views import NotAView
from discovery.model import Audit, Schema
from discovery.outcomes import RESOURCE_LINK, Decoded, RawObject


def decode(raw: RawObject) -> Decoded:
    """Name, description, parameters and location, as the design of Gravitino's Glue catalog maps.

    Raises:
        DecodeError: A field is missing or of another type; says which.
    """
    payload = raw.payload
    schema = Schema(
        levels=(fields.required(payload, "Name"),),
        comment=fields.text(payload, "Description"),
        properties=tuple(sorted(fields.strings(payload, "Parameters").items())),
        location=fields.text(payload, "LocationUri") or None,
        audit=Audit(create_time=glue_table.time(payload, "CreateTime")),
    )
    return Decoded(schema)


def _is_link(raw: RawObject) -> bool:
    return bool(raw.payload.get("TargetDatabase"))


def _link(raw: RawObject) -> str:
    return glue_table.target(raw.payload, "TargetDatabase")


GLUE_NOT_DATABASES: Final = (NotAView("glue", _is_link, RESOURCE_LINK, _link),)
