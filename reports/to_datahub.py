"""The views as metadata change proposals of DataHub, a JSON list that its source `file` ingests.

Names of platforms and datasets are those of DataHub's own sources (docs.datahub.com, "Ingestion"),
so that a view is the one that they have found. A source whose place is not known is a platform of
its own name. Aspects as of DataHub 1.x.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final
from urllib.parse import quote

from discovery.addresses import SourceAddress
from reports.column_types import ColumnType, column_types
from reports.dataset_names import is_named, path_above
from reports.head import ReportHead
from reports.lines import Row

_RESERVED: Final = ",()\u241f"  # in a part of a URN: `UrnEncoder.RESERVED_CHARS`
_TYPES: Final = {
    "BooleanType": ("boolean",),
    "NumberType": ("byte", "short", "integer", "long", "float", "double", "decimal"),
    "StringType": ("string", "varchar", "char", "fixedchar", "uuid"),
    "BytesType": ("binary", "fixed"),
    "DateType": ("date",),
    "TimeType": ("time", "timestamp", "interval"),
    "ArrayType": ('{"type": "list"',),
    "MapType": ('{"type": "map"',),
    "RecordType": ('{"type": "struct"',),
}


def begin(_: ReportHead) -> str:
    """The opening of the list."""
    return "[\n"


def texts(row: Row) -> Iterator[str]:
    """A proposal for each aspect of the view; nothing for an object that could not be read."""
    if row["outcome"] != "view":
        return
    urn = _urn(row["addresses"], row["source"], (*row["namespace"], row["name"]))
    for name, aspect in _aspects(row, urn):
        proposal = {
            "entityType": "dataset",
            "entityUrn": urn,
            "changeType": "UPSERT",
            "aspectName": name,
            "aspect": {"json": aspect},
        }
        yield json.dumps(proposal)


def end(_: ReportHead) -> str:
    """The closing."""
    return "\n]\n"


def _aspects(row: Row, urn: str) -> Iterator[tuple[str, dict[str, Any]]]:
    view = json.loads(row["model"])
    texts = view["representations"]
    yield "subTypes", {"typeNames": ["View"]}
    yield "datasetProperties", _properties(row, view)
    if texts:
        logic = {"viewLogic": texts[0]["sql"], "viewLanguage": texts[0]["dialect"]}
        yield "viewProperties", {"materialized": False, **logic}
    if view["columns"]:
        yield "schemaMetadata", _schema(row, view["columns"])
    if row["owner"]:
        yield "ownership", _ownership(row["owner"])
    if upstreams := _upstreams(row):
        yield (
            "upstreamLineage",
            {"upstreams": upstreams, "fineGrainedLineages": _fine_grained_lineages(row, urn)},
        )


def _properties(row: Row, view: Mapping[str, Any]) -> dict[str, Any]:
    properties = {
        "belvedere.standing": row["standing"],
        "belvedere.reason": row["reason"],
        "belvedere.wave": row["wave"],
        "belvedere.dialects": ", ".join(row["dialects"] or ()),
    }
    custom = {name: str(value) for name, value in properties.items() if value is not None}
    aspect: dict[str, Any] = {"name": row["name"], "customProperties": custom}
    if view.get("comment"):
        aspect["description"] = view["comment"]
    return aspect


def _schema(row: Row, columns: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "schemaName": ".".join((*row["namespace"], row["name"])),
        "platform": _platform(row["addresses"], row["source"]),
        "version": 0,
        "hash": "",
        "platformSchema": {"com.linkedin.schema.OtherSchema": {"rawSchema": ""}},
        "fields": [_field(column_type) for column_type in column_types(columns)],
    }


def _field(column: ColumnType) -> dict[str, Any]:
    kinds = (kind for kind, names in _TYPES.items() if column.kind.startswith(names))
    kind: dict[str, Any] = {f"com.linkedin.schema.{next(kinds, 'NullType')}": {}}
    field: dict[str, Any] = {
        "fieldPath": column.name,
        "nullable": True,
        "type": {"type": kind},
        "nativeDataType": column.kind,
    }
    if column.comment:
        field["description"] = column.comment
    return field


def _ownership(owner: str) -> dict[str, Any]:
    """The owner; a role or a group, which stand behind their sort, is a group."""
    sort, parted, name = owner.partition(":")
    is_group = bool(parted) and sort in {"role", "group"}
    urn = f"urn:li:corpGroup:{_part(name)}" if is_group else f"urn:li:corpuser:{_part(owner)}"
    return {"owners": [{"owner": urn, "type": "TECHNICAL_OWNER"}]}


def _upstreams(row: Row) -> list[dict[str, Any]]:
    """What it reads in the estate, each once."""
    urns = {
        _urn(row["addresses"], reference["base_source"], _levels(reference))
        for reference in row["references"] or ()
        if reference["base_source"]
    }
    millis = int(datetime.fromisoformat(row["seen"]).timestamp() * 1000)
    stamp = {"time": millis, "actor": "urn:li:corpuser:belvedere"}
    return [{"auditStamp": stamp, "dataset": urn, "type": "VIEW"} for urn in sorted(urns)]


def _fine_grained_lineages(row: Row, urn: str) -> list[dict[str, Any]]:
    """By column, where that is known."""
    bases = {
        (reference["base_source"], reference["base_key"]): _urn(
            row["addresses"], reference["base_source"], _levels(reference)
        )
        for reference in row["references"] or ()
        if reference["base_source"]
    }
    upstreams: dict[str, set[str]] = {}
    for origin in row["lineage"] or ():
        if base := bases.get((origin["base_source"], origin["base_key"])):
            column = f"urn:li:schemaField:({base},{_part(origin['base_column'])})"
            upstreams.setdefault(origin["column"], set()).add(column)
    return [
        {
            "upstreamType": "FIELD_SET",
            "upstreams": sorted(columns),
            "downstreamType": "FIELD",
            "downstreams": [f"urn:li:schemaField:({urn},{_part(name)})"],
        }
        for name, columns in upstreams.items()
    ]


def _levels(reference: Mapping[str, Any]) -> tuple[str, ...]:
    return (*(reference["base_namespace"] or ()), reference["base_name"] or "")


def _urn(addresses: Mapping[str, SourceAddress], source: str, levels: tuple[str, ...]) -> str:
    place = addresses.get(source)
    above = path_above(place) if place is not None else ""
    name = ".".join(filter(None, (above, *levels)))
    return f"urn:li:dataset:({_platform(addresses, source)},{_part(name)},PROD)"


def _platform(addresses: Mapping[str, SourceAddress], source: str) -> str:
    place = addresses.get(source)
    has_platform = place is not None and (is_named(place) or place.system == "glue")
    name = place.catalog or place.system if place is not None and has_platform else source
    return f"urn:li:dataPlatform:{_part(name)}"


def _part(text: str) -> str:
    """A part of a URN: what parts it is percent-encoded, as DataHub's own client does."""
    return "".join(quote(letter, safe="") if letter in _RESERVED else letter for letter in text)
