"""Views as Paimon's REST catalog takes them (Paimon 1.4): a schema to create, changes to alter.

`ViewChange` has changes of dialects, options and the comment, and none of the `query` or the
columns: a view that gets others has to be made anew.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Any, Final

from discovery.datatypes import paimon as datatypes
from discovery.errors import (
    BelvedereError,
    DecodeError,
    InternalError,
    InvalidTypeError,
    NotHeldError,
    QueryUnnamedError,
)
from discovery.formats.paimon import CATALOG, QUERY, SCHEMA, decode_view
from discovery.migration.providers import IDENTIFIER, IDENTIFIER_LOST
from discovery.model import Audit, Column, Identifier, Representation, View, dotted
from discovery.namespaces import Levels
from discovery.outcomes import Listed, RawObject
from discovery.ports import Held
from discovery.wire import type_text

Json = dict[str, Any]
_RESERVED: Final = frozenset({CATALOG, SCHEMA})
_LEFT_OUT: Final = _RESERVED | {IDENTIFIER}
_HIDDEN: Final = re.compile(r"[$./\\\x00-\x1f\x7f\ud800-\udfff]")
_RENAME: Final = "rename"
_OF_PAIMON: Final = frozenset({"sys", "unknown"})


def with_query(view: View) -> View:
    """A view of which one dialect is `query`; dialects in lower case, as engines look for them.

    Spark asks for `spark`, Flink for `flink` (`View.query(dialect)` of Paimon 1.4).

    Raises:
        QueryUnnamedError: None is.
    """
    texts = tuple(
        replace(representation, dialect=representation.dialect.lower())
        for representation in view.representations
    )
    if QUERY not in {text.dialect for text in texts}:
        dialects = ", ".join(representation.dialect for representation in view.representations)
        hint = "name one of them in its rule of `mapping`, such as query: " + texts[0].dialect
        why = f"a view of Paimon has the dialect {QUERY}; this one has {dialects}"
        raise QueryUnnamedError(why, hint=hint, view=str(view.identifier))
    return replace(view, representations=texts)


def hold(view: View) -> Held:
    """The view as it reads back once it is written, and what is lost on the way.

    Raises:
        NotHeldError: Paimon cannot hold it.
    """
    place = view.identifier
    check_names(place)
    if blank := [
        representation.dialect
        for representation in view.representations
        if not representation.sql.strip()
    ]:
        raise NotHeldError(f"there is no SQL text in {', '.join(blank)}", view=str(place))
    kept = tuple(property_ for property_ in view.properties if property_[0] not in _LEFT_OUT)
    wanted = with_query(replace(view, properties=kept))
    try:
        read = view_of(place, {"name": place.name, "schema": schema(wanted)})
    except InvalidTypeError as error:
        hint = "cast it in the view"
        raise NotHeldError(error.message, hint=hint, view=str(place)) from error
    except DecodeError as error:
        raise NotHeldError(str(error), view=str(place)) from error
    return Held(read, tuple(_losses(view, wanted, read)))


def check_names(place: Identifier) -> None:
    """Refuse a place that a catalog cannot have, or that its protocol reads as another one.

    Raises:
        NotHeldError: It is one.
    """
    check_database(place.namespace)
    if not place.name.strip() or _HIDDEN.search(place.name):
        why = "a view of Paimon has a name without $ . / \\ and control characters"
        raise NotHeldError(why, hint="map it to another name", view=str(place))
    if place.name == _RENAME:  # Paimon's own test server takes a DELETE of it for the database's
        why = f"{_RENAME} is a word of Paimon's protocol"
        raise NotHeldError(why, hint="map it to another name", view=str(place))


def check_database(levels: Levels) -> None:
    """Refuse a database that a catalog cannot have.

    Raises:
        NotHeldError: It is one.
    """
    hint, where = "map it to another schema, of one level", {"schema": dotted(levels)}
    if len(levels) != 1:
        raise NotHeldError("databases of Paimon do not nest", hint=hint, **where)
    if not levels[0].strip() or _HIDDEN.search(levels[0]):
        why = "a database of Paimon has a name without $ . / \\ and control characters"
        raise NotHeldError(why, hint=hint, **where)
    if levels[0] in _OF_PAIMON:
        raise NotHeldError(f"the database {levels[0]} is Paimon's own", hint=hint, **where)


def schema(view: View) -> Json:
    """The schema of a view.

    Raises:
        QueryUnnamedError: The view has no `query`.
        InvalidTypeError: Paimon has no type for a column.
        DecodeError: Two columns, or fields of a struct, have one name.
    """
    texts = {
        representation.dialect: representation.sql
        for representation in with_query(view).representations
    }
    ids = count()
    columns = [datatypes.spell_field(column, ids) for column in view.columns]
    _check_fields("columns", columns)
    context = view.context
    stated = {CATALOG: context.default_catalog, SCHEMA: context.default_schema}
    options = dict(view.properties) | {key: text for key, text in stated.items() if text}
    document = {"fields": columns, "query": texts.pop(QUERY), "dialects": texts, "options": options}
    return document if view.comment is None else {**document, "comment": view.comment}


def view_of(place: Identifier, payload: Mapping[str, object]) -> View:
    """The view that a server's answer is.

    Raises:
        DecodeError: It cannot be read.
    """
    entry = {"database": place.namespace[0], **payload}
    view = decode_view(RawObject(Listed(place.namespace, place.name), "paimon_view", entry)).result
    if not isinstance(view, View):
        raise InternalError("a view is read as something else")
    return view


def altered(before: View, after: View) -> list[Json] | None:
    """What makes one view of another where it stands; None: nothing does.

    In one request: Paimon's test server makes all changes of one, or none.
    """
    try:
        old, new = schema(before), schema(after)
    except BelvedereError:  # a type that Paimon got later, which only it can write
        return None
    if any(old[key] != new[key] for key in ("fields", "query")):
        return None
    changes = [*_dialects(old["dialects"], new["dialects"])]
    changes += _options(old["options"], new["options"])
    if old.get("comment") != new.get("comment"):
        changes.append({"action": "updateComment", "comment": new.get("comment")})
    return changes


def _dialects(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Json]:
    for name in sorted(old.keys() - new.keys()):
        yield {"action": "dropDialect", "dialect": name}
    for name, sql in new.items():
        if old.get(name) != sql:
            action = "updateDialect" if name in old else "addDialect"
            yield {"action": action, "dialect": name, "query": sql}


def _options(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Json]:
    for key in sorted(old.keys() - new.keys()):
        yield {"action": "removeOption", "key": key}
    for key, value in new.items():
        if old.get(key) != value:
            yield {"action": "setOption", "key": key, "value": value}


def _check_fields(where: str, fields: list[Json]) -> None:
    """Refuse what Paimon's `RowType` refuses: names that are blank, or twice in one row."""
    names = [str(field["name"]) for field in fields]
    if any(not name.strip() for name in names) or len(set(names)) < len(names):
        raise DecodeError("each has a name, and none has that of another", field=where)
    for field in fields:
        _check_parts(f"{where}.{field['name']}", field["type"])


def _check_parts(where: str, kind: object) -> None:
    if isinstance(kind, dict):
        _check_fields(where, kind.get("fields", []))
        for part in ("element", "key", "value"):
            _check_parts(where, kind.get(part))


def _losses(view: View, wanted: View, read: View) -> Iterator[str]:
    """What comes back otherwise."""
    if lost := [key for key, _ in view.properties if key in _RESERVED]:
        yield f"properties are left out, as the context stands there: {', '.join(lost)}"
    if IDENTIFIER in dict(view.properties):
        yield IDENTIFIER_LOST
    if view.out_of_context:
        yield f"all texts have one default catalog and schema: {_context(read.context)}"
    pairs = zip(wanted.columns, read.columns, strict=True)
    if others := [_column(column, stored) for column, stored in pairs if column != stored]:
        yield f"columns come back otherwise: {', '.join(others)}"
    if view.security is not None:
        yield "no security is kept: Paimon knows none"
    if view.audit != Audit():
        yield "who made and changed it, and when, will be what the server says"


def _column(column: Column, stored: Column) -> str:
    return f"{column.name} {type_text(column.type)} as {type_text(stored.type)}"


def _context(text: Representation) -> str:
    return dotted([part for part in (text.default_catalog, text.default_schema) if part]) or "none"
