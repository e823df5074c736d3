"""What the catalogs of our stand-in for Gravitino do to views: what they take and give back.

Written from the facts of release 1.3.0, per provider; the stand-in is in `gravitino_double`. What
`lakehouse-iceberg` answers is compared with what real servers did (tests/recorded).
"""

import re
from typing import Any, Final

Json = dict[str, Any]

_NO_HIVE_TYPE: Final = re.compile(r"timestamp_tz|time(\(|$)|uuid|fixed|null$")
_NO_ICEBERG_TYPE: Final = re.compile(
    r"byte|short|varchar|char|interval|null$|.* unsigned|time(stamp(_tz)?)?\((?!6\))"
)
_FORMAT_3: Final = re.compile(r"timestamp(_tz)?\(9\)|null")
_UNSUPPORTED: Final = re.compile("varchar|char|interval")


class Refused(Exception):  # noqa: N818 - an answer, not a mistake
    def __init__(self, code: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.code, self.kind = code, kind


def illegal(message: str) -> Refused:
    return Refused(1001, "IllegalArgumentException", message)


def failed(message: str) -> Refused:
    return Refused(1002, "RuntimeException", message)


def unsupported(message: str) -> Refused:
    return Refused(1006, "UnsupportedOperationException", message)


def missing(kind: str, name: str) -> Refused:
    return Refused(1003, f"NoSuch{kind}Exception", f"{kind} {name} does not exist")


def in_hive(body: Json, schema: str, version: str) -> Json:
    if len(body["representations"]) != 1:
        raise illegal("Hive views support exactly one SQL representation")
    (representation,), properties = body["representations"], body.get("properties") or {}
    dialect, context = (
        representation["dialect"].lower(),
        (body["defaultCatalog"], body["defaultSchema"]),
    )
    if dialect == "trino" and version.startswith("2"):
        if not body["columns"] or (context[1] and not context[0]):
            raise illegal("a Trino view needs columns, and a catalog with its schema")
        return {**body, "columns": [{**column, "nullable": True} for column in body["columns"]]}
    if dialect not in {"hive", "spark", "flink"}:
        raise Refused(1006, "UnsupportedOperationException", f"Unsupported dialect {dialect}")
    if dialect == "spark" and "spark.sql.create.version" not in properties:
        raise illegal("Spark views need the property spark.sql.create.version")
    if dialect == "flink" and not any(key.startswith("flink.") for key in properties):
        raise illegal("Flink views need a property with the prefix flink.")
    if dialect != "spark" and context != (None, None):
        raise illegal("default catalog and schema must be null")
    columns = [
        {
            **column,
            "name": column["name"].lower(),
            "type": _hive_type(column["type"]),
            "nullable": True,
        }
        for column in body["columns"] or ()
    ]
    return {**body, "columns": columns, "defaultCatalog": None, "defaultSchema": None}


def _hive_type(kind: Any) -> Any:
    if isinstance(kind, str):
        if _NO_HIVE_TYPE.match(kind):
            raise illegal(f"Unsupported conversion to Hive type: {kind}")
        return re.sub(r"^timestamp\(\d+\)$", "timestamp", kind.removesuffix(" unsigned"))
    if kind["type"] == "external":
        raise failed("Failed to create Hive view")
    if kind["type"] == "struct":
        if any(field.get("comment") for field in kind["fields"]):
            raise illegal("Hive does not support comments of struct fields")
        fields = [
            {"name": field["name"], "type": _hive_type(field["type"]), "nullable": True}
            for field in kind["fields"]
        ]
        return {"type": "struct", "fields": fields}
    return {**kind, **{name: True for name in kind if name.endswith("ontainsNull")}}


def in_iceberg(body: Json, schema: str, version: str) -> Json:
    if not body["columns"]:
        raise illegal("Cannot create a view with an empty schema")
    columns = [
        {**column, "type": _iceberg_type(column["type"], version)} for column in body["columns"]
    ]
    own = schema.replace(":", ".")
    return {**body, "columns": columns, "defaultSchema": body["defaultSchema"] or own}


def check_dialects(current: Json, body: Json) -> None:
    """Refuse what a Gravitino 1.3.0 server refuses."""
    before, after = ({o["dialect"] for o in view["representations"]} for view in (current, body))
    if before - after and body["properties"].get("replace.drop-dialect.allowed") != "true":
        why = "Cannot replace view due to loss of view dialects"
        raise failed(f"{why} (replace.drop-dialect.allowed=false)")


def _iceberg_type(kind: Any, version: str) -> Any:
    if isinstance(kind, str):
        if version.startswith("2") and _FORMAT_3.fullmatch(kind):
            return kind
        if _UNSUPPORTED.match(kind):
            raise unsupported(f"Not a supported type: {kind}")
        if _NO_ICEBERG_TYPE.match(kind):
            raise illegal(f"Type is not supported by Iceberg: {kind}")
        return f"{kind}(6)" if kind in {"time", "timestamp", "timestamp_tz"} else kind
    match kind["type"]:
        case "struct":
            return {
                **kind,
                "fields": [
                    {**field, "type": _iceberg_type(field["type"], version)}
                    for field in kind["fields"]
                ],
            }
        case "list":
            return {**kind, "elementType": _iceberg_type(kind["elementType"], version)}
        case "map":
            parts = {
                member: _iceberg_type(kind[member], version) for member in ("keyType", "valueType")
            }
            return {**kind, **parts}
    raise illegal(f"Type is not supported by Iceberg: {kind}")


def in_paimon(body: Json, schema: str, version: str) -> Json:
    texts = [
        {**representation, "dialect": representation["dialect"].lower()}
        for representation in body["representations"]
    ]
    dialects = [text["dialect"] for text in texts]
    if dialects.count("query") != 1 or len(set(dialects)) < len(dialects):
        raise illegal("Paimon views need exactly one representation with dialect query")
    return {**body, "representations": texts}


KEEPERS: Final = {
    "hive": in_hive,
    "lakehouse-iceberg": in_iceberg,
    "lakehouse-paimon": in_paimon,
}


def insist_on_object(kind: str, place: str, entities: dict[Any, Json]) -> None:
    """Refuse what is about an object that is not there."""
    names = tuple(place.split("."))
    key = ("m", *names) if kind != "VIEW" else ("m", *names[:2], "views", *names[2:])
    if key not in entities:
        why = f"Metadata object {place} type {kind} doesn't exist"
        raise Refused(1003, "NoSuchMetadataObjectException", why)
