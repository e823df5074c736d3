"""What Iceberg has no place for, kept in properties of the view: written, and read back.

| Property | Holds |
|---|---|
| `belvedere.types` | Gravitino's JSON of the types that Iceberg does not have, by column |
| `belvedere.contexts` | default catalog and schema of the dialects that differ from the first |
| `belvedere.security-mode`, `belvedere.definer` | security, where Trino does not read it |
| `belvedere.audit` | Gravitino's JSON of the audit data |
| `belvedere.content` | a digest of the columns and representations that these are true of |

Once another engine has changed those, the digest no longer fits, and all of this is passed over: an
engine keeps the properties of a view that it replaces. (The summary of a version would be the place
for it, but Iceberg's REST server, 1.11, drops the one that comes with a new view.) Trino's own
property is written for the view that Trino reads: Iceberg views of SECURITY DEFINER have it (Trino
476).
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from discovery import wire
from discovery.datatypes import iceberg
from discovery.errors import DecodeError, InvalidTypeError
from discovery.model import (
    TRINO,
    Audit,
    Column,
    Representation,
    Security,
    SecurityMode,
    View,
    parted,
)

ENGINE: Final = "belvedere"
CONTENT: Final = "belvedere.content"
TYPES: Final = "belvedere.types"
CONTEXTS: Final = "belvedere.contexts"
SECURITY_MODE: Final = "belvedere.security-mode"
DEFINER: Final = "belvedere.definer"
AUDIT: Final = "belvedere.audit"
RUN_AS_OWNER: Final = "trino.run-as-owner"  # Trino: SECURITY DEFINER, and who that is
KEYS: Final = (CONTENT, TYPES, CONTEXTS, SECURITY_MODE, DEFINER, AUDIT, RUN_AS_OWNER)


def properties(view: View) -> dict[str, str]:
    """The properties that keep what has no other place.

    Raises:
        InvalidTypeError: Iceberg has no type that holds a column's values.
    """
    kept = dict(_security(view))
    types = {column.name: json.loads(wire.type_text(column.type)) for column in widened(view)}
    contexts = {
        representation.dialect: _context(representation) for representation in view.out_of_context
    }
    stated = {TYPES: types, CONTEXTS: contexts}
    kept |= {key: _json(value) for key, value in stated.items() if value}
    if view.audit != Audit():
        kept[AUDIT] = wire.audit_text(view.audit)
    if kept.keys() - {RUN_AS_OWNER}:
        plain = (column._replace(type=iceberg.stored_type(column.type)) for column in view.columns)
        kept[CONTENT] = _digest(replace(view, columns=tuple(plain)))
    return kept


def widened(view: View) -> tuple[Column, ...]:
    """The columns whose types Iceberg does not have.

    Raises:
        InvalidTypeError: It has none that holds a column's values.
    """
    return tuple(
        column for column in view.columns if iceberg.stored_type(column.type) != column.type
    )


def run_by_trino(view: View) -> bool:
    """Whether Trino reads who the definer is."""
    security = view.security
    definer = security is not None and security.mode is SecurityMode.DEFINER and security.definer
    return bool(definer) and any(
        representation.dialect.casefold() == TRINO for representation in view.representations
    )


def restored(view: View, properties: Mapping[str, str]) -> View:
    """The view with what its properties keep, if they are still true of it.

    Args:
        view: As Iceberg's own fields have it.
        properties: Properties of the view.

    Raises:
        DecodeError: One is not what we have written; names it.
    """
    if CONTENT not in properties or properties[CONTENT] != _digest(view):
        return view
    mode = properties.get(SECURITY_MODE)
    try:
        return replace(
            view,
            columns=_typed(view, _json_object(properties, TYPES)),
            representations=tuple(_placed(view, _json_object(properties, CONTEXTS))),
            security=Security(SecurityMode(mode), properties.get(DEFINER))
            if mode
            else view.security,
            audit=wire.audit_from_json(_json_object(properties, AUDIT))
            if AUDIT in properties
            else view.audit,
        )
    except (AttributeError, TypeError, ValueError, DecodeError) as error:
        place = f"properties.{ENGINE}.*"
        raise DecodeError(f"is not what belvedere has written: {error}", field=place) from error


def _digest(view: View) -> str:
    """Of what Iceberg's own fields say of columns and representations."""
    texts = [
        (representation.dialect, representation.sql) for representation in view.representations
    ]
    columns = [(column.name, wire.type_text(column.type)) for column in view.columns]
    content = _json([_context(view.context), texts, columns])
    return hashlib.sha256(content.encode()).hexdigest()


def _typed(view: View, types: Mapping[str, Any]) -> tuple[Column, ...]:
    """The columns with their own types, where the column is still of the type that they widen to.

    Raises:
        ValueError: A text is no type.
    """
    return tuple(
        column._replace(type=_unwidened(column, types[column.name]))
        if column.name in types
        else column
        for column in view.columns
    )


def _unwidened(column: Column, stated: object) -> Any:  # noqa: ANN401 - a union of types
    kind = wire.type_from_json(stated)
    try:
        return kind if iceberg.stored_type(kind) == column.type else column.type
    except InvalidTypeError as error:
        raise ValueError(error) from error


def _placed(view: View, contexts: Mapping[str, Mapping[str, str]]) -> Iterator[Representation]:
    for representation in view.representations:
        context = contexts.get(representation.dialect)
        if context is None:
            yield representation
        else:
            catalog, schema = context.get("defaultCatalog"), context.get("defaultSchema")
            levels = tuple(context.get("defaultLevels", ()))
            yield replace(
                representation,
                default_catalog=catalog,
                default_schema=schema,
                default_levels=levels,
            )


def _security(view: View) -> Iterator[tuple[str, str]]:
    security = view.security
    if security is None:
        return
    if run_by_trino(view):
        yield RUN_AS_OWNER, security.definer or ""
        return
    yield SECURITY_MODE, security.mode.value
    if security.definer is not None:
        yield DEFINER, security.definer


def _context(text: Representation) -> dict[str, object]:
    schema = text.default_schema
    levels = text.default_levels if schema and text.default_levels != parted(schema) else ()
    stated = {
        "defaultCatalog": text.default_catalog,
        "defaultSchema": schema,
        "defaultLevels": list(levels),
    }
    return {key: value for key, value in stated.items() if value}


def _json_object(kept: Mapping[str, str], key: str) -> Mapping[str, Any]:
    stated = json.loads(kept.get(key) or "{}")
    if not isinstance(stated, dict):
        raise TypeError(f"{key} is no object")
    return stated


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
