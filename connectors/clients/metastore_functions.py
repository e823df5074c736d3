"""Functions of a Hive Metastore: the Thrift IDL's `Function` as ours, and back.

The IDL knows one type of function, a class of Java, and three of resources. Trino and Spark keep
their own functions as classes that are none, whose files are pieces of a JSON (`as_kept`).
"""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import pyarrow as pa

from discovery.errors import DecodeError
from discovery.formats import spark_functions, trino_functions
from discovery.functions import JAVA, TRINO_SQL, Function, FunctionFile

KINDS: Final = {1: "jar", 2: "file", 3: "archive"}
"""`ResourceType` of the IDL."""
_NUMBERS: Final = {kind: number for number, kind in KINDS.items()}
_USER: Final = 1  # `PrincipalType`
_CLASS: Final = 1  # `FunctionType`
_LARGEST: Final = 4 << 20  # bytes of Trino's JSON: a text of it is a million characters at most


def function_of(payload: Mapping[str, Any]) -> Function:
    """What a metastore says of a function, by the field names of the IDL."""
    files = payload.get("resourceUris") or ()
    return as_kept(
        Function(
            (payload["dbName"],),
            payload["functionName"],
            language=JAVA,
            implementation=payload.get("className"),
            owner=payload.get("ownerName"),
            files=tuple(
                FunctionFile(KINDS.get(file.get("resourceType"), "unknown"), file.get("uri") or "")
                for file in files
            ),
        )
    )


def as_kept(entry: Function) -> Function:
    """A function of Trino's for an entry in which Trino keeps one; any other as it is.

    Without its text, if that cannot be read. What Spark keeps stays a class with files: so it can
    be written into another metastore.
    """
    if entry.implementation == spark_functions.CLASS:
        files = (file.uri for file in entry.files)
        return replace(entry, signature=spark_functions.signature(files))
    name = trino_functions.name_of(entry.name)
    if name is None or entry.implementation != trino_functions.CLASS:
        return entry
    function = replace(entry, name=name, language=TRINO_SQL, implementation=None, files=())
    try:
        kept = trino_functions.decode(_unpacked(entry.files))
    except DecodeError:
        return function
    signature = trino_functions.signature(kept.sql)
    return replace(
        function, arguments=kept.arguments, sql=kept.sql, path=kept.path, signature=signature
    )


def _unpacked(files: tuple[FunctionFile, ...]) -> bytes:
    """What the pieces are compressed of (`ThriftMetastoreUtil.fromResourceUris`).

    Raises:
        DecodeError: They are no such pieces.
    """
    try:
        packed = b"".join(base64.b64decode(file.uri, b"-_", validate=True) for file in files)
        with pa.CompressedInputStream(pa.BufferReader(packed), "zstd") as stream:
            unpacked: bytes = stream.read(_LARGEST + 1)
    except (ValueError, binascii.Error, OSError) as error:
        raise DecodeError("cannot be unpacked") from error
    if len(unpacked) > _LARGEST:
        raise DecodeError(f"has more than {_LARGEST} bytes")
    return unpacked


def payload_of(function: Function) -> dict[str, Any]:
    """The function as `create_function` takes it; the server says when it was made."""
    files = [{"resourceType": _NUMBERS[file.kind], "uri": file.uri} for file in function.files]
    return {
        "functionName": function.name,
        "dbName": function.namespace[0],
        "className": function.implementation,
        "ownerName": function.owner,
        "ownerType": _USER,
        "functionType": _CLASS,
        "resourceUris": files,
    }
