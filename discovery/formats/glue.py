"""Views of several dialects in the AWS Glue Data Catalog (API structure ViewDefinition).

Athena, Redshift, EMR and Glue each keep their own SQL of the view; each runs `ViewExpandedText`.
The dialect is Glue's word in lower case: `athena`, `redshift`, `spark`. Views of this sort run with
the rights of their definer. The tables that Glue says the view stands on are kept, as their ARNs,
in the property `glue.sub-objects`, and beside them, in `glue.catalog-id`, the catalog of the view.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from discovery.errors import DecodeError
from discovery.formats import fields, glue_table, hive_table
from discovery.formats.hive_table import HiveTable
from discovery.model import Identifier, Representation, Security, SecurityMode, View
from discovery.outcomes import STALE_REPRESENTATION, Decoded, Note

NAME: Final = "glue"
_PLACE: Final = "ViewDefinition"
_CATALOG_ID: Final = "glue.catalog-id"
_STALE: Final = "glue.stale."
_SUB_OBJECTS: Final = "glue.sub-objects"
_TABLE_ARN: Final = re.compile(
    r"(arn:[^:]*:glue:([^:]*):([^:]*)):table/(?:(.+)/)?([^/]+)/([^/]+)", re.DOTALL
)

matches = glue_table.is_multi_dialect


class SubObject(NamedTuple):
    """What Glue says a view stands on.

    Attributes:
        arn: As Glue has it.
        catalog: ARN of its catalog; None if the ARN is not that of a table.
        region: AWS region of that catalog.
        catalog_id: Its id: the account; of a catalog inside one `<account>:<catalog>/<catalog>`.
        identifier: Database and name.
    """

    arn: str
    catalog: str | None = None
    region: str = ""
    catalog_id: str = ""
    identifier: Identifier | None = None


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
    representations = [_representation(entry, index) for index, entry in enumerate(listed)]
    definer = fields.text(definition, "Definer", _PLACE)
    stated = {**table.parameters, **_properties(definition, table.payload)}
    for text, version, stale in representations:
        if version:
            stated[f"glue.dialect-version.{text.dialect}"] = version
        if stale:
            stated[f"{_STALE}{text.dialect}"] = "true"
    view = View(
        identifier=table.identifier,
        columns=hive_table.columns(table),
        representations=tuple(text for text, _, _ in representations),
        comment=table.parameters.get("comment"),
        security=Security(SecurityMode.DEFINER, definer) if definer else None,
        properties=hive_table.properties(stated, ("comment",)),
        audit=hive_table.audit(table),
    )
    return Decoded(view, tuple(_note(text.dialect) for text, _, stale in representations if stale))


def _representation(entry: object, index: int) -> tuple[Representation, str | None, bool]:
    """The SQL of a dialect, its version, and whether Glue calls it stale."""
    place = f"{_PLACE}.Representations[{index}]"
    if not isinstance(entry, dict):
        raise DecodeError("must be a struct", field=place)
    dialect = fields.required(entry, "Dialect", place).lower()
    sql = fields.text(entry, "ViewExpandedText", place) or fields.required(
        entry, "ViewOriginalText", place
    )
    version = fields.text(entry, "DialectVersion", place)
    return Representation(dialect=dialect, sql=sql), version, entry.get("IsStale") is True


def _properties(
    definition: Mapping[str, object], payload: Mapping[str, object]
) -> Mapping[str, str]:
    """What the standard model has no place for."""
    properties = {}
    if definition.get("IsProtected") is True:
        properties["glue.is-protected"] = "true"
    objects = definition.get("SubObjects") or []
    if not isinstance(objects, list) or not all(isinstance(object_, str) for object_ in objects):
        raise DecodeError("must be a list of texts", field=f"{_PLACE}.SubObjects")
    if objects:
        properties[_SUB_OBJECTS] = json.dumps(objects, separators=(",", ":"), ensure_ascii=False)
        if catalog_id := fields.text(payload, "CatalogId"):
            properties[_CATALOG_ID] = catalog_id
    return properties


def catalog_id(view: View) -> str | None:
    """The catalog that a view of this format is in, as Glue's answer has it."""
    return dict(view.properties).get(_CATALOG_ID)


def stale_dialects(view: View) -> tuple[str, ...]:
    """The dialects of a view of this format that Glue calls stale."""
    marks = dict(view.properties)
    dialects = dict.fromkeys(text.dialect for text in view.representations)
    return tuple(dialect for dialect in dialects if marks.get(f"{_STALE}{dialect}") == "true")


def sub_objects(view: View) -> Iterator[SubObject]:
    """The tables that Glue says a view of this format stands on.

    ARNs as AWS documents them ("Specifying AWS Glue resource ARNs"): `table/<database>/<name>`, and
    in a catalog inside the account's own `table/<catalog>/…/<database>/<name>`.
    """
    try:
        arns = json.loads(dict(view.properties).get(_SUB_OBJECTS, "[]"))
    except ValueError:  # somebody's own parameter of this name
        arns = []
    for arn in dict.fromkeys(map(str, arns)) if isinstance(arns, list) else ():
        yield _sub_object(arn)


def _sub_object(arn: str) -> SubObject:
    match = _TABLE_ARN.fullmatch(arn)
    if match is None:
        return SubObject(arn)
    root, region, account, inner, database, name = match.groups()
    below = f"/{inner}" if inner else ""
    return SubObject(
        arn,
        f"{root}:catalog{below}",
        region,
        f"{account}:{inner}" if inner else account,
        Identifier((database,), name),
    )


def _note(dialect: str) -> Note:
    message = (
        f"Glue calls the SQL of {dialect} stale: its engine refuses the view until it is updated"
    )
    return STALE_REPRESENTATION.note(message)
