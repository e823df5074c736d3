"""Functions of a Hive Metastore: the Thrift IDL's `Function` as ours, and back.

The IDL knows one type of function, a class of Java, and three of resources.
"""

from collections.abc import Mapping
from typing import Any, Final

from discovery.functions import JAVA, Function, FunctionFile

KINDS: Final = {1: "jar", 2: "file", 3: "archive"}
"""`ResourceType` of the IDL."""
_NUMBERS: Final = {kind: number for number, kind in KINDS.items()}
_USER: Final = 1  # `PrincipalType`
_CLASS: Final = 1  # `FunctionType`


def function_of(payload: Mapping[str, Any]) -> Function:
    """What a metastore says of a function, by the field names of the IDL."""
    files = payload.get("resourceUris") or ()
    return Function(
        (payload["dbName"],),
        payload["functionName"],
        language=JAVA,
        implementation=payload.get("className"),
        owner=payload.get("ownerName"),
        files=tuple(
            FunctionFile(KINDS.get(one.get("resourceType"), "unknown"), one.get("uri") or "")
            for one in files
        ),
    )


def payload_of(function: Function) -> dict[str, Any]:
    """The function as `create_function` takes it; the server says when it was made."""
    files = [{"resourceType": _NUMBERS[one.kind], "uri": one.uri} for one in function.files]
    return {
        "functionName": function.name,
        "dbName": function.namespace[0],
        "className": function.implementation,
        "ownerName": function.owner,
        "ownerType": _USER,
        "functionType": _CLASS,
        "resourceUris": files,
    }
