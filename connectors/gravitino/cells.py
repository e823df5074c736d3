"""The cells of Gravitino's relational store (release 1.3.0): how they are written and read back.

What the store has no place for is kept where its readers pass over it: the default catalog and
schema of each representation as extra keys of it, the security mode and definer as two properties.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from discovery import wire
from discovery.model import Audit, Identifier, Security, SecurityMode, View

SECURITY_MODE: Final = "belvedere.security-mode"
DEFINER: Final = "belvedere.definer"


def identity(kind: str, *names: str) -> int:
    """A deterministic id: 62 bits of a hash of the full name; Gravitino's own ids are random."""
    digest = hashlib.sha256("\x00".join((kind, *names)).encode()).digest()
    return int.from_bytes(digest[:8]) >> 2


def audit_cell(audit: Audit) -> str:
    """Exactly the four keys that Gravitino knows: an unknown one fails there."""
    stated = json.loads(wire.audit_text(audit))
    keys = ("creator", "createTime", "lastModifier", "lastModifiedTime")
    return _json({key: stated.get(key) for key in keys})


def properties_cell(properties: Iterable[tuple[str, str]]) -> str:
    """Properties of a metalake, catalog or schema: `{}` if there are none; NULL breaks readers."""
    return _json(dict(properties))


def version_cells(view: View) -> dict[str, str | None]:
    """The cells of `view_version_info` that hold the view's content."""
    first, columns = view.representations[0], json.loads(wire.columns_text(view.columns))
    return {
        "view_comment": view.comment,
        "columns": _json([{"comment": None, **one, "autoIncrement": False} for one in columns]),
        "properties": _json(_properties(view)) if _properties(view) else None,
        "default_catalog": first.default_catalog,
        "default_schema": first.default_schema,
        "representations": f"[{','.join(map(wire.representation_text, view.representations))}]",
    }


def view_of(row: Mapping[str, Any], namespace: tuple[str, ...]) -> View:
    """A view as its rows hold it: name and audit data of `view_meta`, the rest of its version."""
    properties = json.loads(row["properties"] or "{}")
    mode, definer = properties.pop(SECURITY_MODE, None), properties.pop(DEFINER, None)
    return View(
        identifier=Identifier(namespace, row["view_name"]),
        columns=wire.columns_from_json(json.loads(row["columns"])),
        representations=tuple(
            wire.representation_from_json(one) for one in json.loads(row["representations"])
        ),
        comment=row["view_comment"],
        security=Security(SecurityMode(mode), definer) if mode else None,
        properties=tuple(sorted(properties.items())),
        audit=wire.audit_from_json(json.loads(row["audit_info"])),
    )


def _properties(view: View) -> dict[str, str]:
    properties = dict(view.properties)
    if view.security is not None:
        properties[SECURITY_MODE] = view.security.mode.value
        if view.security.definer is not None:
            properties[DEFINER] = view.security.definer
    return properties


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
