"""Views written as entries of a Hive Metastore, each in the format of the engine that reads it.

An entry has one text. It is that of the first dialect that a metastore has a format for; a rule of
`mapping` may name another (`dialects`), and the others are a loss. What is held is what our own
reader makes of the entry: nothing is promised that does not come back.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from discovery.errors import BelvedereError, InvalidTypeError, NotHeldError
from discovery.formats import HIVE_METASTORE, Format, spark
from discovery.formats.hive_table import BOOKKEEPING, HiveTable, ViewEntry
from discovery.formats.not_views import NOT_VIEWS
from discovery.migration.providers import IDENTIFIER
from discovery.model import SPARK, Audit, Column, Representation, View
from discovery.wire import type_text

ENCODERS: Final[Mapping[str, Callable[[View, Representation], ViewEntry]]] = {
    form.name: form.encode for form in HIVE_METASTORE if form.encode is not None
}
"""Dialect to what makes an entry of its engine's format."""
_OF_ONE_ENTRY: Final = BOOKKEEPING | {IDENTIFIER}
_LONGEST_DATABASE: Final = 128
_LONGEST_TABLE: Final = 256
_LONGEST_COLUMN: Final = 767
_LONGEST_PARAMETER: Final = 256
_LONGEST_COMMENT: Final = 4000
_ROOM_OF_SOME: Final = 256
_DATABASE: Final = re.compile(rf"[a-z0-9_]{{1,{_LONGEST_DATABASE}}}")
_TABLE: Final = re.compile(rf"[a-z0-9_/]{{1,{_LONGEST_TABLE}}}")
_SHOWN: Final = 60  # characters of a name


class Lost(StrEnum):
    """What of a view an entry cannot hold."""

    DIALECTS = "dialects"
    TEXT = "text"
    CONTEXT = "context"
    COLUMNS = "columns"
    COMMENT = "comment"
    SECURITY = "security"
    PROPERTIES = "properties"
    AUDIT = "audit"


@dataclass(frozen=True, slots=True)
class Loss:
    """Something of a view that does not come back as it was.

    Attributes:
        what: Of the view.
        sentence: For people, in a sentence.
    """

    what: Lost
    sentence: str


@dataclass(frozen=True, slots=True)
class Encoded:
    """A view as an entry.

    Attributes:
        entry: To be written.
        view: What reads back.
        losses: What of the wanted view does not.
    """

    entry: ViewEntry
    view: View
    losses: tuple[Loss, ...] = ()


def encode(view: View) -> Encoded:
    """A view as an entry of a metastore, and what reads back.

    Raises:
        NotHeldError: No entry can hold it, or its engine would refuse it.
    """
    check_place(view)
    _check_properties(view)
    text = _choose_text(view)
    dialect = text.dialect.casefold()
    text = replace(text, dialect=dialect)
    wanted = replace(view, representations=(text,))
    try:
        wanted = spark.bound(wanted) if dialect == SPARK else wanted
        entry, unmarked = _entry(_without_identity(wanted), text)
        read = _read_back(entry, dialect)
    except NotHeldError:
        raise
    except BelvedereError as error:
        raise NotHeldError(error.message, hint=_hint(error), view=str(view.identifier)) from error
    _check_comments(entry)
    if read is None:
        why = f"its text would not be read as one of {dialect}"
        raise NotHeldError(why, view=str(view.identifier))
    losses = (*_losses_before(view, text, unmarked), *_losses(wanted, read))
    return Encoded(entry, read, losses)


def check_place(view: View) -> None:
    """Refuse a name that a metastore cannot hold.

    A Hive Metastore 2.3.10 takes ASCII letters, digits and `_` (`MetaStoreUtils.validateName`), in
    names of tables also `/`, and as many as its columns have room for (`hive-schema-2.3.0`).

    Raises:
        NotHeldError: It is one.
    """
    place = view.identifier
    if len(place.namespace) != 1 or not all((*place.namespace, place.name)):
        hint = "map it to a schema of one level"
        why = "a Hive Metastore has views in databases, which do not nest"
        raise NotHeldError(why, hint=hint, view=str(place))
    if str(place) != str(place).lower():
        why, hint = "a Hive Metastore keeps names in lower case", f"map it to {str(place).lower()}"
        raise NotHeldError(why, hint=hint, view=str(place))
    for name, taken, limit in (
        (place.namespace[0], _DATABASE, f"{_LONGEST_DATABASE} letters, digits and _"),
        (place.name, _TABLE, f"{_LONGEST_TABLE} letters, digits, _ and /"),
    ):
        if not taken.fullmatch(name):
            why = f"a Hive Metastore takes no name such as {name[:_SHOWN]!r}"
            hint = f"map it to a name of at most {limit}, of ASCII"
            raise NotHeldError(why, hint=hint, view=str(place))
    if any(len(column.name) > _LONGEST_COLUMN for column in view.columns):
        why = f"a Hive Metastore has room for {_LONGEST_COLUMN} characters of a column's name"
        raise NotHeldError(why, view=str(place))


def _check_properties(view: View) -> None:
    """Refuse a name of a property that has no room in `TABLE_PARAMS` (`hive-schema-2.3.0`)."""
    if any(len(name) > _LONGEST_PARAMETER for name, _ in view.properties):
        why = f"a Hive Metastore has room for {_LONGEST_PARAMETER} characters of a property's name"
        raise NotHeldError(why, view=str(view.identifier))


def _check_comments(entry: ViewEntry) -> None:
    """Refuse a comment of a column that has no room in `COLUMNS_V2`, whatever database it is in.

    As entries have it: Trino's views keep theirs in the text.
    """
    for name, _, comment in entry.columns:
        if len(comment or "") > _LONGEST_COMMENT:
            why = f"a Hive Metastore has room for {_LONGEST_COMMENT} characters of a column's"
            hint = f"shorten the comment of {name:.{_SHOWN}} at the source"
            raise NotHeldError(f"{why} comment", hint=hint, view=str(entry.identifier))


def find_doubtful_comments(payload: Mapping[str, Any]) -> list[str]:
    """The columns of an entry whose comments not every metastore has room for.

    `COLUMNS_V2` has 4,000 characters for one on PostgreSQL and Derby, and 256 on MySQL and SQL
    Server (`hive-schema-2.3.0` to 4.0.0); nothing that a metastore answers says which it is on.
    """
    columns = (payload.get("sd") or {}).get("cols") or ()
    return [
        column["name"] for column in columns if len(column.get("comment") or "") > _ROOM_OF_SOME
    ]


def _choose_text(view: View) -> Representation:
    """The text that is written: the first that a metastore has a format for."""
    for representation in view.representations:
        if representation.dialect.casefold() in ENCODERS:
            if not representation.sql.strip():
                why = f"there is no SQL text in {representation.dialect}"
                raise NotHeldError(why, view=str(view.identifier))
            return representation
    dialects = ", ".join(text.dialect for text in view.representations)
    hint = f"a Hive Metastore has formats of {', '.join(ENCODERS)}"
    raise NotHeldError(f"there is no format for {dialects}", hint=hint, view=str(view.identifier))


def _without_identity(view: View) -> View:
    """The view without the properties of one entry: whose entity it is in Gravitino, its times."""
    kept = tuple([property_ for property_ in view.properties if property_[0] not in _OF_ONE_ENTRY])
    return view if len(kept) == len(view.properties) else replace(view, properties=kept)


def _hint(error: BelvedereError) -> str:
    return "cast it in the view" if isinstance(error, InvalidTypeError) else error.hint


def _entry(view: View, text: Representation) -> tuple[ViewEntry, tuple[str, ...]]:
    """The entry, and the properties that are left out: with them it would be another engine's."""
    make = ENCODERS[text.dialect]
    entry = make(view, text)
    if _reads_as(text.dialect, entry):
        return entry, ()
    kept: list[tuple[str, str]] = []
    left = []
    for property_ in view.properties:
        if _reads_as(text.dialect, make(replace(view, properties=(*kept, property_)), text)):
            kept.append(property_)
        else:
            left.append(property_[0])
    return make(replace(view, properties=tuple(kept)), text), tuple(left)


def _reads_as(dialect: str, entry: ViewEntry) -> bool:
    """Whether the entry would be read as one of its engine."""
    format_ = _find_format(entry.table())
    return format_ is not None and format_.name == dialect


def _read_back(entry: ViewEntry, dialect: str) -> View | None:
    """The view as it reads back; None where it would not be one of its engine."""
    table = entry.table()
    format_ = _find_format(table)
    if format_ is None or format_.name != dialect:
        return None
    view = format_.decode(table).result
    return view if isinstance(view, View) else None


def _find_format(table: HiveTable) -> Format[HiveTable] | None:
    """The format that would read the entry; None where it is no view."""
    if any(sort.matches(table) for sort in NOT_VIEWS):
        return None
    return next(form for form in HIVE_METASTORE if form.matches(table))


def _losses_before(view: View, text: Representation, unmarked: tuple[str, ...]) -> Iterator[Loss]:
    """What is left out before anything is written."""
    others = [
        representation
        for representation in view.representations
        if representation.dialect.casefold() != text.dialect
    ]
    if others:
        names = ", ".join(representation.dialect for representation in others)
        yield Loss(
            Lost.DIALECTS,
            f"an entry of a Hive Metastore has one text, here that of {text.dialect}: {names} left"
            " out",
        )
    if unmarked:
        yield Loss(
            Lost.PROPERTIES,
            "properties are left out, as engines would take the view for another one's:"
            f" {', '.join(unmarked)}",
        )


def _losses(wanted: View, read: View) -> Iterator[Loss]:
    """What comes back otherwise."""
    yield from _texts(wanted.representations[0], read.representations[0])
    yield from _columns(wanted.columns, read.columns)
    if wanted.comment != read.comment:
        yield Loss(Lost.COMMENT, f"the comment comes back as {read.comment!r:.80}")
    if wanted.security != read.security:
        yield Loss(Lost.SECURITY, _security(wanted, read))
    read_properties = dict(read.properties)
    others = sorted(key for key, value in wanted.properties if read_properties.get(key) != value)
    if others:
        yield Loss(Lost.PROPERTIES, f"properties are not kept as they are: {', '.join(others)}")
    if wanted.audit not in {Audit(), read.audit}:
        message = "when it was made, and who changed it last, will be what the metastore says"
        if wanted.audit.creator != read.audit.creator:
            message += f"; its owner will be {read.audit.creator or 'nobody'}, who is its definer"
        yield Loss(Lost.AUDIT, message)


def _texts(wanted: Representation, read: Representation) -> Iterator[Loss]:
    if wanted.sql != read.sql:
        yield Loss(
            Lost.TEXT,
            f"the text of {read.dialect} is written with the short names of its tables written"
            f" out, as {read.dialect} keeps no default schema",
        )
    elif replace(wanted, sql=read.sql) != read:
        yield Loss(
            Lost.CONTEXT,
            f"its default catalog and schema are not kept: no name needs them, or {read.dialect}"
            " has the same ones for it",
        )


def _columns(wanted: tuple[Column, ...], read: tuple[Column, ...]) -> Iterator[Loss]:
    pairs = zip(wanted, read, strict=True)
    others = [
        f"{_column_text(column)} as {_column_text(stored)}"
        for column, stored in pairs
        if column != stored
    ]
    if others:
        yield Loss(Lost.COLUMNS, f"columns come back otherwise: {_short(others)}")


def _column_text(column: Column) -> str:
    """A column in few words, with what differs most often."""
    null = "" if column.nullable else " not null"
    return f"{column.name} {type_text(column.type):.80}{null}"


def _security(wanted: View, read: View) -> str:
    if read.security is None:
        return f"no security is kept: {read.representations[0].dialect} knows none"
    mode = read.security.mode
    if wanted.security is None:
        return f"it states no security and will be run by the rights of its {mode.lower()}"
    return f"its security comes back as {mode} {read.security.definer or ''}".rstrip()


def _short(every: list[str]) -> str:
    rest = f"; and {len(every) - _MOST} more" if len(every) > _MOST else ""
    return "; ".join(every[:_MOST]) + rest


_MOST: Final = 10  # of a view with hundreds of columns: enough to see what it is about
