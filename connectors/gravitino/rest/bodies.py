"""What Gravitino's REST API (1.3) is sent and answers: the bodies of views and of their parents.

Members that are not stated are sent as null, as the official client does. A view has one default
catalog and schema for all its dialects: what is sent is that of the view, and `providers` sees to
it that they are alike.
"""

import json
from collections.abc import Mapping
from typing import Any

from connectors.gravitino import cells
from discovery import wire
from discovery.errors import DecodeError, ReadError
from discovery.formats import fields
from discovery.formats.iceberg_writing import MAY_LOSE
from discovery.migration.diff import differences
from discovery.migration.namespaces import NamespaceEdit
from discovery.migration.providers import without_identifier
from discovery.model import Schema, View

Body = dict[str, Any]


def creation(view: View) -> Body:
    """What creates a view."""
    return {
        "name": view.identifier.name,
        **_content(view),
        "properties": cells.stated_properties(view),
    }


def updates(view: View, stored: View) -> Body:
    """What makes a view of the one that is there: all that differs, in one request.

    Properties are set before the content is replaced and removed after it: in a Hive catalog some
    are the marks of dialects, which the new content needs and the old one needed.
    """
    wanted, present = cells.stated_properties(view), cells.stated_properties(stored)
    return _updates(view, stored, wanted, present)


def updates_that_lose(view: View, stored: View) -> tuple[Body, Body] | None:
    """The same in two requests, where a view of Iceberg loses a dialect; None: it loses none.

    Iceberg refuses that ("Cannot replace view due to loss of view dialects") unless a property of
    the view allows it: asked of a Gravitino 1.3.0 server on 2026-11-21, which took one request that
    sets the property and replaces the view. The second gives the property back.
    """
    left = view.by_dialect.keys()
    if all(representation.dialect.casefold() in left for representation in stored.representations):
        return None
    wanted, present = cells.stated_properties(view), cells.stated_properties(stored)
    allowed = {**wanted, MAY_LOSE: "true"}
    back = {"updates": [*_property_settings(wanted, allowed), *_property_removals(wanted, allowed)]}
    return _updates(view, stored, allowed, present), back


def _updates(
    view: View, stored: View, wanted: Mapping[str, str], present: Mapping[str, str]
) -> Body:
    """What makes a view, and properties, of those that are there."""
    changes = _property_settings(wanted, present)
    if set(differences(view, stored)) - {"properties", "security"}:
        changes.append({"@type": "replaceView", **_content(view)})
    return {"updates": [*changes, *_property_removals(wanted, present)]}


def _property_settings(wanted: Mapping[str, str], present: Mapping[str, str]) -> list[Body]:
    return [
        {"@type": "setProperty", "property": key, "value": value}
        for key, value in wanted.items()
        if present.get(key) != value
    ]


def _property_removals(wanted: Mapping[str, str], present: Mapping[str, str]) -> list[Body]:
    removed = sorted(present.keys() - wanted.keys())
    return [{"@type": "removeProperty", "property": key} for key in removed]


def renaming(name: str) -> Body:
    """What gives a view another name in its schema."""
    return {"updates": [{"@type": "rename", "newName": name}]}


def nothing() -> Body:
    """What alters a view and changes nothing of it."""
    return {"updates": [{"@type": "removeProperty", "property": "belvedere.none"}]}


def metalake(name: str) -> Body:
    """What creates a metalake."""
    return {"name": name, "comment": None, "properties": {}}


def catalog(name: str, provider: str, properties: Mapping[str, str]) -> Body:
    """What creates a catalog."""
    stated = {"name": name, "type": "relational", "provider": provider, "comment": ""}
    return {**stated, "properties": dict(properties)}


def schema(name: str, wanted: Schema) -> Body:
    """What creates a schema. Its location is not sent: it is that of the source."""
    properties = dict(without_identifier(wanted).properties)
    return {"name": name, "comment": wanted.comment or "", "properties": properties}


def schema_of(answer: Mapping[str, Any], levels: tuple[str, ...]) -> Schema:
    """The schema of an answer to a request that reads one.

    Raises:
        DecodeError: It is none.
    """
    stated = answer.get("schema")
    if not isinstance(stated, dict):
        raise DecodeError("must be an object", field="schema")
    return Schema(
        levels=levels,
        comment=fields.text(stated, "comment") or None,
        properties=tuple(sorted(fields.strings(stated, "properties").items())),
    )


def property_updates(edit: NamespaceEdit) -> list[Body]:
    """What alters the properties of a schema: all that the API lets one alter of it (1.3)."""
    return [
        {"@type": "removeProperty", "property": field.key}
        if field.after is None
        else {"@type": "setProperty", "property": field.key, "value": field.after}
        for field in edit.fields
    ]


def names_of(answer: Mapping[str, Any], what: str) -> list[str]:
    """The names that an answer lists.

    Args:
        answer: To a request that lists something.
        what: It lists.

    Raises:
        ReadError: They make no sense; none is an empty list.
    """
    names = answer.get("names")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ReadError(f"the server's answer about {what} makes no sense: it has no names")
    return names


def view_of(answer: Mapping[str, Any], namespace: tuple[str, ...], hidden: frozenset[str]) -> View:
    """The view of an answer; a type that Gravitino could not parse is an external one.

    Args:
        answer: To a request that reads, creates or alters a view.
        namespace: Of the view.
        hidden: Properties that the catalog keeps for itself.

    Raises:
        ReadError: The answer holds none that makes sense.
    """
    try:
        stated = {key: value for key, value in answer["view"].items() if value is not None}
        context = {key: stated.get(key) for key in ("defaultCatalog", "defaultSchema")}
        properties = stated.get("properties", {})
        stated["properties"] = {key: properties[key] for key in properties.keys() - hidden}
        stated["representations"] = [
            {**representation, **context} for representation in stated["representations"]
        ]
        view = cells.secured(wire.view_from_json(stated, namespace))
        wire.view_text(view)  # a number in place of a text is seen here, not by who compares
    except (AttributeError, KeyError, TypeError, ValueError, DecodeError) as error:
        why = f"{type(error).__name__}: {error}"
        raise ReadError(f"the server's answer is no view: {why}") from error
    return view


def _content(view: View) -> Body:
    """The part of a view that is replaced as a whole."""
    context = view.context
    texts = [{"type": "sql", "dialect": o.dialect, "sql": o.sql} for o in view.representations]
    return {
        "columns": json.loads(cells.columns_cell(view.columns)),
        "representations": texts,
        "comment": view.comment,
        "defaultCatalog": context.default_catalog,
        "defaultSchema": context.default_schema,
    }
