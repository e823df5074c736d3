"""Views written as the metadata of the Iceberg view spec (format version 1).

As Iceberg's own `ViewMetadata.Builder` (1.11) does it: a new version is appended and becomes the
current one, unless there is an equal one already, which then does; versions beyond those that
`version.history.num-entries` keeps expire, and the log loses what came before a gap. What has no
place in the metadata is kept in properties; see `iceberg_kept`.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final, NamedTuple
from uuid import UUID

from discovery import __version__
from discovery.datatypes import iceberg as datatypes
from discovery.errors import InvalidTypeError, NotHeldError
from discovery.formats import iceberg, iceberg_kept, iceberg_metadata, iceberg_refused
from discovery.formats.iceberg_files import METADATA_FOLDER
from discovery.formats.iceberg_metadata import FORMAT_VERSION, ViewMetadata
from discovery.migration.providers import IDENTIFIER, IDENTIFIER_LOST
from discovery.model import SecurityMode, View
from discovery.ports import Held

HISTORY: Final = "version.history.num-entries"
MAY_LOSE: Final = "replace.drop-dialect.allowed"
"""Iceberg's property of a view: whether a replacement may leave out a dialect."""
_KEPT_VERSIONS: Final = 10
_FIRST_VERSION: Final = 1
_OF_HISTORY: Final = ("schemas", "current-version-id", "versions", "version-log")
_RESERVED: Final = (iceberg.COMMENT, *iceberg_kept.KEYS)
_LEFT_OUT: Final = {*_RESERVED, IDENTIFIER}
_NOBODY: Final = UUID(int=0)

Document = dict[str, Any]


class Following(NamedTuple):
    """What a change sets in the metadata of a view.

    Attributes:
        schema: Of the version; one that is there, or a new one.
        version: The current one from then on; one that is there, or a new one.
        properties: All of them.
    """

    schema: Document
    version: Document
    properties: dict[str, str]


def hold(view: View) -> Held:
    """The view as it reads back once it is written, and what is lost on the way.

    Raises:
        NotHeldError: Iceberg cannot hold it, or the engines of its texts would refuse it there.
    """
    place = str(view.identifier)
    if not view.identifier.namespace or not all((*view.identifier.namespace, view.identifier.name)):
        raise NotHeldError("an Iceberg view has a name, in a namespace", view=place)
    if not all(
        representation.sql and representation.dialect for representation in view.representations
    ):
        raise NotHeldError("a representation has no text or no dialect", view=place)
    document = created(view, _NOBODY, "file:///", 1)
    refused = iceberg_refused.check(view)
    read = iceberg.view_of(iceberg_metadata.parsed(document), view.identifier, view.audit)
    return Held(read, (*refused, *_losses(view)))


def hold_elsewhere(view: View) -> Held:
    """The same where a server says which folder files go to.

    Its engines would write them into the folder that the view names, which is its source's.

    Raises:
        NotHeldError: As of `hold`.
    """
    kept = tuple(property_ for property_ in view.properties if property_[0] != METADATA_FOLDER)
    held = hold(replace(view, properties=kept))
    if len(kept) == len(view.properties):
        return held
    lost = f"{METADATA_FOLDER} is left out: it says where the source's files are"
    return Held(held.view, (*held.losses, lost))


def created(
    view: View, uuid: UUID, location: str, now: int, past: ViewMetadata | None = None
) -> Document:
    """The metadata of a new view.

    Args:
        view: To be written.
        uuid: Of the view.
        location: Where its metadata files go.
        now: In milliseconds since the epoch.
        past: The metadata of the view that it is made of: its versions and its log go before. If
            the current one of them says the same, it stays that, with the engine that made it.

    Raises:
        NotHeldError: Iceberg cannot hold it.
    """
    head = {"view-uuid": str(uuid), "format-version": FORMAT_VERSION, "location": location}
    if past is not None:
        kept = {key: past.document[key] for key in _OF_HISTORY}
        return replaced(replace(past, document={**head, **kept}), view, now)
    added = first(view, now)
    return {
        **head,
        "schemas": [added.schema],
        "current-version-id": _FIRST_VERSION,
        "versions": [added.version],
        "version-log": [{"timestamp-ms": now, "version-id": _FIRST_VERSION}],
        "properties": added.properties,
    }


def replaced(base: ViewMetadata, view: View, now: int) -> Document:
    """The metadata of a view after it was replaced: fields that the spec does not know stay.

    Args:
        base: The metadata before.
        view: As it shall be.
        now: In milliseconds since the epoch.

    Raises:
        NotHeldError: Iceberg cannot hold it.
    """
    document, added = dict(base.document), following(base, view, now)
    number, when = added.version["version-id"], added.version["timestamp-ms"]
    schemas, log = _documents(document, "schemas"), _documents(document, "version-log")
    versions = _documents(document, "versions")
    if added.schema not in schemas:
        schemas = [*schemas, added.schema]
    if added.version not in versions:
        versions = [*versions, added.version]
    if number != base.current.id:
        log = [*log, {"timestamp-ms": max(now, when), "version-id": number}]
    kept = _latest(versions, number, _entries(added.properties))
    return document | {
        "schemas": schemas,
        "current-version-id": number,
        "versions": kept,
        "version-log": log if len(kept) == len(versions) else _since_gap(log, kept),
        "properties": added.properties,
    }


def first(view: View, now: int) -> Following:
    """The first version of a view.

    Args:
        view: To be written.
        now: In milliseconds since the epoch.

    Raises:
        NotHeldError: Iceberg cannot hold it.
    """
    with _raise_not_held(view):
        schema, properties = datatypes.schema(view.columns, 0), _properties(view)
    return Following(schema, _version(view, (_FIRST_VERSION, 0), now, "create"), properties)


def following(base: ViewMetadata, view: View, now: int) -> Following:
    """The version of a view that follows those which are there; what is equal is used again.

    Args:
        base: The metadata before.
        view: As it shall be.
        now: In milliseconds since the epoch.

    Raises:
        NotHeldError: Iceberg cannot hold it.
    """
    with _raise_not_held(view):
        schema = _schema(_documents(base.document, "schemas"), view)
        own = {key: text for key, text in base.properties.items() if key == IDENTIFIER}
        properties = _properties(view) | own
    when = max([now, *(log_entry.timestamp_ms for log_entry in base.log)])
    numbers = [version.id for version in base.versions] + [
        log_entry.version_id for log_entry in base.log
    ]
    ids = max(numbers) + 1, schema["schema-id"]
    new = _version(view, ids, when, "replace")
    return Following(schema, _find_equal(base, new) or new, properties)


def _find_equal(base: ViewMetadata, new: Document) -> Document | None:
    """A version that says the same: the current one, whoever made it, or another one of ours."""
    for version in _documents(base.document, "versions"):
        is_current = version["version-id"] == base.current.id
        passed_over = ("version-id", "timestamp-ms", *(["summary"] if is_current else ()))
        if _content(version, passed_over) == _content(new, passed_over):
            return version
    return None


def _content(version: Document, passed_over: Sequence[str]) -> Document:
    return {
        key: value for key, value in version.items() if key not in passed_over and value is not None
    }


@contextmanager
def _raise_not_held(view: View) -> Iterator[None]:
    """What a view cannot be written for becomes our error, with its place."""
    try:
        yield
    except (InvalidTypeError, ValueError) as error:
        raise NotHeldError(str(error), view=str(view.identifier)) from error


def _schema(schemas: Sequence[Document], view: View) -> Document:
    """The schema among those that are there which has the view's columns, or a new one."""
    new = datatypes.schema(view.columns, max(schema["schema-id"] for schema in schemas) + 1)
    wanted = datatypes.columns(new)
    for schema in reversed(schemas):
        try:
            if datatypes.columns(schema) == wanted:
                return schema
        except InvalidTypeError:  # of a version that is not the current one: nobody reads it
            continue
    return new


def _version(view: View, ids: tuple[int, int], now: int, operation: str) -> Document:
    """A version; its default catalog and namespace are those that stand for all texts.

    Args:
        view: What it holds.
        ids: Its own and that of its schema.
        now: In milliseconds since the epoch.
        operation: For the summary.
    """
    context = view.context
    catalog = {"default-catalog": context.default_catalog} if context.default_catalog else {}
    return {
        "version-id": ids[0],
        "timestamp-ms": now,
        "schema-id": ids[1],
        "summary": {
            "operation": operation,
            "engine-name": iceberg_kept.ENGINE,
            "engine-version": __version__,
        },
        **catalog,
        "default-namespace": list(context.default_levels) if context.default_schema else [],
        "representations": [
            {"type": "sql", "sql": representation.sql, "dialect": representation.dialect}
            for representation in view.representations
        ],
    }


def _properties(view: View) -> dict[str, str]:
    properties = {key: text for key, text in view.properties if key not in _LEFT_OUT}
    if view.comment is not None:
        properties[iceberg.COMMENT] = view.comment
    _entries(properties)
    return properties | iceberg_kept.properties(view)


def _entries(properties: Mapping[str, str]) -> int:
    """How many versions the view wants to keep.

    Raises:
        ValueError: It is no number above 0: Iceberg would refuse every later change of the view.
    """
    text = properties.get(HISTORY, str(_KEPT_VERSIONS))
    if not text.isdecimal() or int(text) < 1:
        raise ValueError(f"{HISTORY} must be a number above 0, and is {text!r}")
    return int(text)


def _latest(versions: Sequence[Document], current: int, entries: int) -> list[Document]:
    """The current version and those with the highest ids, in their order."""
    others = sorted(
        version["version-id"] for version in versions if version["version-id"] != current
    )
    ids = {current, *others[max(0, len(others) - entries + 1) :]}
    return [version for version in versions if version["version-id"] in ids]


def _since_gap(log: Sequence[Document], versions: Sequence[Document]) -> list[Document]:
    """The entries of the log that follow the last one whose version has expired."""
    ids = {version["version-id"] for version in versions}
    expired = [index for index, entry in enumerate(log) if entry["version-id"] not in ids]
    return list(log[expired[-1] + 1 :] if expired else log)


def _documents(document: Mapping[str, object], key: str) -> list[Document]:
    listed = document[key]
    return listed if isinstance(listed, list) else []


def _losses(view: View) -> Iterator[str]:
    for column in iceberg_kept.widened(view):
        yield (
            f"the type of the column {column.name} is no type of Iceberg: engines see a wider one;"
            f" {iceberg_kept.TYPES} keeps it"
        )
    if iceberg_kept.run_by_trino(view):
        yield "Trino alone runs the view with the rights of its definer, other engines do not"
    elif view.security is not None and view.security.mode is SecurityMode.DEFINER:
        yield (
            f"no engine runs an Iceberg view with the rights of its definer;"
            f" {iceberg_kept.SECURITY_MODE} keeps the mode"
        )
    for key in sorted(dict(view.properties).keys() & set(_RESERVED)):
        yield f"the property {key} has another meaning in Iceberg: it is left out"
    if IDENTIFIER in dict(view.properties):
        yield IDENTIFIER_LOST
    if not view.columns:
        yield "it states no columns: Trino and Gravitino refuse such an Iceberg view"
