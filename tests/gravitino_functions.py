"""What our stand-in for Gravitino answers of functions, as a real 1.3.0 did.

The real answers are in tests/recorded/gravitino_dialogues.json; the stand-in is in
`gravitino_double`.
"""

import re
from typing import Any, Final

from tests.gravitino_catalogs import Json, Refused, illegal, missing

Key = tuple[str, ...]

RUNTIMES: Final = ("SPARK", "TRINO")
_NAME: Final = re.compile(r"(?a)\w[\w/=-]{0,63}")


def answered(entities: dict[Key, Json], method: str, names: Key, body: Any, user: str) -> Json:
    """The answer to a request below `functions` of a schema.

    Args:
        entities: What the stand-in has.
        method: Of the request.
        names: Metalake, catalog, schema, and a function where one is named.
        body: Of the request.
        user: Who asks.
    """
    schema, where = names[:3], (*names[:3], "functions")
    if len(names) == 3 and schema not in entities:
        raise missing("Schema", schema[-1])
    if method == "POST":
        return {"function": _registered(entities, where, body, user)}
    if len(names) == 3:
        functions = sorted(key[-1] for key in entities if key[:-1] == where)
        return {"identifiers": [{"namespace": list(schema), "name": name} for name in functions]}
    key = (*where, names[3])
    if method == "DELETE":
        return {"dropped": entities.pop(key, None) is not None}
    if key not in entities:
        raise missing("Function", names[3])
    return {"function": entities[key]}


def _registered(entities: dict[Key, Json], where: Key, body: Json, user: str) -> Json:
    if not _NAME.fullmatch(body["name"]):
        raise illegal(f"The FUNCTION name '{body['name']}' is illegal")
    for definition in body["definitions"]:
        if definition.get("returnType") is None and body["functionType"] != "TABLE":
            raise illegal('"returnType" is required in each definition')
        if any(impl["runtime"] not in RUNTIMES for impl in definition["impls"]):
            raise illegal("No enum constant FunctionImpl.RuntimeType")
    key = (*where, body["name"])
    if key in entities:
        raise Refused(1004, "FunctionAlreadyExistsException", f"{key[-1]} already exists")
    function = {
        "name": body["name"],
        "functionType": body["functionType"].lower(),
        "deterministic": body["deterministic"],
        "comment": body.get("comment"),
        "definitions": [_definition(definition) for definition in body["definitions"]],
        "audit": {"creator": user, "createTime": "2026-11-23T08:19:46.655793254Z"},
    }
    entities[key] = {name: value for name, value in function.items() if value is not None}
    return entities[key]


def _definition(stated: Json) -> Json:
    nothing: Json = {"jars": [], "files": [], "archives": []}
    impls = [{"resources": nothing, "properties": {}, **impl} for impl in stated["impls"]]
    return {**stated, "impls": impls}
