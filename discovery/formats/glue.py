"""Views of several dialects in the AWS Glue Data Catalog (API structure ViewDefinition).

Athena, Redshift, EMR and Glue each keep their own SQL of the view; each runs `ViewExpandedText`.
The dialect is Glue's word in lower case: `athena`, `redshift`, `spark`. Views of this sort run with
the rights of their definer. The objects that Glue says the view stands on are kept, as their ARNs,
in the property `glue.sub-objects`.
"""

import json
from collections.abc import Mapping
from typing import Final

from discovery.errors import DecodeError
from discovery.formats import fields, glue_table, hive_table
from discovery.formats.hive_table import HiveTable
from discovery.model import Representation, Security, SecurityMode, View
from discovery.outcomes import STALE_REPRESENTATION, Decoded, Note

_PLACE: Final = "ViewDefinition"

matches = glue_table.is_multi_dialect


def decode(table: HiveTable) -> Decoded:
    """Every dialect's SQL, the definer, and the entry's own columns.

    Raises:
        DecodeError: A representation lacks its dialect or text, or a field is of another type; says
            which.
    """
    definition = table.payload[_PLACE]
    listed = definition.get("Representations") if isinstance(definition, dict) else None
    if not isinstance(definition, dict) or not isinstance(listed, list):
        raise DecodeError("must be a list", field=f"{_PLACE}.Representations")
    found = [_representation(one, index) for index, one in enumerate(listed)]
    definer = fields.text(definition, "Definer", _PLACE)
    stated = {**table.parameters, **_properties(definition)}
    for one, version, stale in found:
        if version:
            stated[f"glue.dialect-version.{one.dialect}"] = version
        if stale:
            stated[f"glue.stale.{one.dialect}"] = "true"
    view = View(
        identifier=table.identifier,
        columns=hive_table.columns(table),
        representations=tuple(one for one, _, _ in found),
        comment=table.parameters.get("comment"),
        security=Security(SecurityMode.DEFINER, definer) if definer else None,
        properties=hive_table.properties(stated, ("comment",)),
        audit=hive_table.audit(table),
    )
    return Decoded(view, tuple(_note(one.dialect) for one, _, stale in found if stale))


def _representation(one: object, index: int) -> tuple[Representation, str | None, bool]:
    """The SQL of a dialect, its version, and whether Glue calls it stale."""
    place = f"{_PLACE}.Representations[{index}]"
    if not isinstance(one, dict):
        raise DecodeError("must be a struct", field=place)
    dialect = fields.required(one, "Dialect", place).lower()
    sql = fields.text(one, "ViewExpandedText", place) or fields.required(
        one, "ViewOriginalText", place
    )
    version = fields.text(one, "DialectVersion", place)
    return Representation(dialect=dialect, sql=sql), version, one.get("IsStale") is True


def _properties(definition: Mapping[str, object]) -> Mapping[str, str]:
    """What the standard model has no place for."""
    found = {}
    if definition.get("IsProtected") is True:
        found["glue.is-protected"] = "true"
    if objects := definition.get("SubObjects"):
        found["glue.sub-objects"] = json.dumps(objects, separators=(",", ":"), ensure_ascii=False)
    return found


def _note(dialect: str) -> Note:
    message = (
        f"Glue calls the SQL of {dialect} stale: its engine refuses the view until it is updated"
    )
    return Note(STALE_REPRESENTATION.code, message)
