"""The cells of Gravitino's relational store (release 1.3.0): how they are written and read back.

What the store has no place for is kept where its readers pass over it: the default catalog and
schema of each representation as extra keys of it, the security mode and definer as two properties.
A type that Gravitino would read as *unparsed*, or could not read, is written as an external one.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from json.encoder import encode_basestring as _quote
from typing import Any, Final

import orjson

from discovery import wire
from discovery.errors import NotHeldError
from discovery.formats.iceberg_kept import DEFINER, SECURITY_MODE
from discovery.migration import providers
from discovery.model import (
    Audit,
    Column,
    DataType,
    External,
    Identifier,
    Primitive,
    Security,
    SecurityMode,
    Struct,
    View,
    with_parts,
)

IDENTIFIER: Final = providers.IDENTIFIER
_IDENTIFIER: Final = re.compile(r"gravitino\.v1\.uid([0-9]{1,19})")
_KEPT: Final = frozenset({SECURITY_MODE, DEFINER})

_PLAIN: Final = re.compile(
    r"boolean|(byte|short|integer|long)( unsigned)?|float|double|string|binary|date|uuid|null"
    r"|interval_(year|day)|(varchar|char|fixed)\( *\d+ *\)|time(stamp(_tz)?)?(\((\d|1[0-2])\))?",
    re.IGNORECASE,
)
_DECIMAL: Final = re.compile(r"decimal\( *(\d+) *, *(\d+) *\)", re.IGNORECASE)
_WIDEST_DECIMAL: Final = 38
CONTENT: Final = (  # the columns of `view_version_info` that hold a view's content
    "view_comment",
    "columns",
    "properties",
    "default_catalog",
    "default_schema",
    "representations",
)


def identity(kind: str, *names: str) -> int:
    """A deterministic id: 62 bits of a hash of the full name; Gravitino's own ids are random."""
    digest = hashlib.sha256("\x00".join((kind, *names)).encode()).digest()
    return int.from_bytes(digest[:8]) >> 2


def identifier(number: int) -> dict[str, str]:
    """The property by which the server's entities name their ids."""
    return {IDENTIFIER: f"gravitino.v1.uid{number}"}


def parse_id(view: View) -> int | None:
    """The id that a view's properties name: a server finds the view's row by it.

    Raises:
        NotHeldError: The property is there and names no id.
    """
    stated = next((value for key, value in view.properties if key == IDENTIFIER), None)
    if stated is None:
        return None
    match = _IDENTIFIER.fullmatch(stated)
    if match is None or int(match[1]) >= 1 << 63:
        why = f"its property {IDENTIFIER} is {stated!r}, which names no id"
        hint = "the form is gravitino.v1.uid<number>"
        raise NotHeldError(why, hint=hint, view=str(view.identifier))
    return int(match[1])


def audit_cell(audit: Audit) -> str:
    """Exactly the four keys that Gravitino knows: an unknown one fails there."""
    return (
        f'{{"creator":{_text(audit.creator)},"createTime":{_time(audit.create_time)},'
        f'"lastModifier":{_text(audit.last_modifier)},'
        f'"lastModifiedTime":{_time(audit.last_modified_time)}}}'
    )


def json_cell(data: Mapping[str, object] | Sequence[object]) -> str:
    """JSON, `{}` for no object: NULL breaks the readers of metalakes, catalogs, schemas."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def version_cells(view: View) -> tuple[str | None, ...]:
    """The cells of `CONTENT`. The hot path: 22 columns in some 30 microseconds."""
    context, properties = view.context, stated_properties(view)
    return (
        view.comment,
        columns_cell(view.columns),
        json_cell(properties) if properties else None,
        context.default_catalog,
        context.default_schema,
        f"[{','.join(map(wire.representation_text, view.representations))}]",
    )


def columns_cell(columns: Iterable[Column]) -> str:
    """An array of columns."""
    return f"[{','.join(map(_column_text, columns))}]"


def view_of(row: Mapping[str, Any], place: Identifier) -> View:
    """A view as its rows hold it: name and audit data of `view_meta`, the rest of its version."""
    return secured(
        View(
            identifier=place,
            columns=wire.columns_from_json(orjson.loads(row["columns"])),
            representations=tuple(
                map(wire.representation_from_json, orjson.loads(row["representations"]))
            ),
            comment=row["view_comment"],
            properties=tuple(sorted(orjson.loads(row["properties"] or "{}").items())),
            audit=wire.audit_from_json(orjson.loads(row["audit_info"])),
        )
    )


def hold_view(view: View) -> View:
    """The view as it reads back."""
    typed = view
    if any(hold_type(column.type) != column.type for column in view.columns):
        columns = tuple(column._replace(type=hold_type(column.type)) for column in view.columns)
        typed = replace(view, columns=columns)
    if not _KEPT & dict(view.properties).keys():
        return typed
    return secured(
        replace(typed, security=None, properties=tuple(stated_properties(typed).items()))
    )


@lru_cache(maxsize=16_384)
def hold_type(kind: DataType) -> DataType:
    """The type as Gravitino 1.3 reads it: what is none of its own becomes an external one."""
    match kind:
        case Primitive(text):
            return kind if _is_known(text) else External(text)
        case Struct(()):
            return External("struct<>")
    return with_parts(kind, hold_type)


def _is_known(text: str) -> bool:
    if number := _DECIMAL.fullmatch(text):
        precision, scale = map(int, number.groups())
        return scale <= precision and 1 <= precision <= _WIDEST_DECIMAL
    return _PLAIN.fullmatch(text) is not None


@lru_cache(maxsize=16_384)
def _type_text(kind: DataType) -> str:
    return wire.type_text(hold_type(kind))


def _column_text(column: Column) -> str:
    """A column with exactly the keys that Gravitino knows: another one fails there."""
    name, kind, comment, nullable = column
    comment_text = "null" if comment is None else _quote(comment)
    return (
        f'{{"name":{_quote(name)},"type":{_type_text(kind)},"comment":{comment_text},'
        f'"nullable":{"true" if nullable else "false"},"autoIncrement":false}}'
    )


def _text(text: str | None) -> str:
    return "null" if text is None else _quote(text)


def _time(time: datetime | None) -> str:
    return "null" if time is None else f'"{time.astimezone(UTC).isoformat()[:-6]}Z"'


def stated_properties(view: View) -> dict[str, str]:
    """The properties of a view, and those that keep its security."""
    if view.security is None:
        return dict(view.properties)
    properties = {key: value for key, value in view.properties if key not in _KEPT}
    properties[SECURITY_MODE] = view.security.mode.value
    if view.security.definer is not None:
        properties[DEFINER] = view.security.definer
    return properties


def secured(view: View) -> View:
    """The view with the security that its properties keep, if they do."""
    properties = dict(view.properties)
    mode = properties.pop(SECURITY_MODE, None)
    if mode is None or mode not in list(SecurityMode):
        return view
    security = Security(SecurityMode(mode), properties.pop(DEFINER, None))
    return replace(view, security=security, properties=tuple(sorted(properties.items())))


def unlike(wanted: Iterable[Column], held_columns: Iterable[Column]) -> list[str]:
    """Names of the columns whose types Gravitino would not read as they are."""
    pairs = zip(wanted, held_columns, strict=True)
    return [column.name for column, held_column in pairs if column.type != held_column.type]
