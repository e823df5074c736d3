"""Views of Flink's HiveCatalog in a Hive Metastore (Flink 1.9 to 1.20, both of its dialects).

The schema is in numbered parameters, `flink.schema.N.*` or, up to Flink 1.10,
`flink.generic.table.schema.N.*`, and `sd.cols` is empty; Flink 1.9 marks the view as generic and
keeps its columns in `sd.cols` (`HiveCatalog.instantiateHiveTable`). The design asks for
`is_generic` too, which `ALTER VIEW … RENAME` of Flink 1.18 drops: the numbered keys are enough.

Gravitino 1.3 keeps the columns of its Flink views in `sd.cols`, too. Its mark is any `flink.` key
(`HiveViewCatalogOperations`; its Flink connector sets `flink.schema.num-columns`), which counts
beside its own `gravitino.identifier` only: a user's property of a Hive view may begin so. Such a
view's comment is the parameter `comment` (`HiveTableConverter`).

Where both parameters and `sd.cols` have columns, Hive has replaced the view. Flink takes the schema
of the parameters and the expanded text (`HiveCatalog.instantiateCatalogTable`), whose columns it
renames by position; it refuses the view where there are more of them, or fewer.

The representation is `viewOriginalText`, as in the design. It is unqualified, and the database that
was current is recorded nowhere; `viewExpandedText` has each table with catalog and database, so the
two together say where short names lead (`flink_context`).

A view that was made in Flink's Hive dialect is what `viewExpandedText` says, as a view of Hive is:
the other has lost its backticks and the names of a list of columns, and keeps `*`. Without a
catalog in it that is Hive's SQL, which HiveServer2 2.3.10 reads; Flink 1.20.5 puts one before names
of one part alone, those of common table expressions among them, which nobody finds then.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from discovery.datatypes import flink
from discovery.errors import DecodeError, InvalidTypeError, NotHeldError
from discovery.formats import flink_context, hive_table, loss_notes, qualified, replaced
from discovery.formats.hive_table import HiveTable, ViewEntry
from discovery.model import FLINK, HIVE, Column, Representation, View, dotted
from discovery.outcomes import TEXT_OF_TWO, Decoded, Note

_OWN: Final = "flink."  # what Flink keeps for itself; it strips the prefix from a user's properties
_NOT_USERS: Final = frozenset({"comment", "is_generic"})
_GENERATIONS: Final = ("flink.schema.", "flink.generic.table.schema.")
_GRAVITINO: Final = "gravitino.identifier"
_LEGACY: Final = {  # `.type`, which Flink 1.10 reads where there is no `.data-type`
    "VARCHAR": "STRING",
    "TIMESTAMP": "TIMESTAMP(3)",
    "DECIMAL": "LEGACY('DECIMAL', 'DECIMAL')",
}
_PREFIX: Final = r"flink\.(?:generic\.table\.)?schema\."
_COLUMN: Final = re.compile(rf"{_PREFIX}\d+\.")
_SCHEMA: Final = re.compile(
    rf"{_PREFIX}(?:\d+\.|(?:watermark|primary-key|partition)\.|num-columns$)"
)
_NOW: Final = re.compile(r"\s*PROCTIME\s*\(\s*\)\s*", re.IGNORECASE)
_PROCTIME: Final = "PROCTIME"
_ROWTIME: Final = "ROWTIME"
_OF_COLUMN: Final = re.compile(r"(\d+)\.(?:name|data-type|type|comment)")
_READ: Final = re.compile(r"\d+\.(name|data-type|type|comment)|num-columns")


class _Read(NamedTuple):
    """A column, and what its type says in Flink and not in Gravitino."""

    column: Column
    narrowed: tuple[str, ...] = ()


def matches(table: HiveTable) -> bool:
    """Marked as generic, or with a schema; for a view of Gravitino any key of Flink's will do."""
    parameters = table.parameters
    if parameters.get("is_generic", "").lower() == "true":
        return True
    if _GRAVITINO in parameters:
        return any(key.startswith(_OWN) for key in parameters)
    return any(key.startswith(_GENERATIONS) and _COLUMN.match(key) for key in parameters)


def decode(table: HiveTable) -> Decoded:
    """Read columns from the numbered parameters, in the order of the numbers (10 is after 2).

    Raises:
        DecodeError: A number is missing, a name has no type, or there are no columns; says which
            key.
    """
    if not (table.original or table.expanded):
        raise DecodeError("is missing", field="viewOriginalText")
    columns = _columns(table)
    others = _replaced_names(table)
    if others and len(others) != len(columns):
        shown = [read.column for read in columns]
        return replaced.by_hive(table, "Flink", shown, _is_own)
    text, taken = _text(table, stale=bool(others))
    view = View(
        identifier=table.identifier,
        columns=tuple([read.column for read in columns]),
        representations=(text,),
        comment=_comment(table.parameters),
        properties=_properties(table.parameters),
        audit=hive_table.audit(table),
    )
    stale = (replaced.note("Flink", view.columns, others),) if others else ()
    notes = *stale, *taken, *_narrowed(columns), *loss_notes.not_in_model(_unread(table.parameters))
    return Decoded(view, notes)


def of_table(table: HiveTable) -> tuple[tuple[Column, ...], tuple[tuple[str, str], ...]] | None:
    """Columns and time attributes of a table that Flink has made for itself; None: it is another's.

    Such a table says its columns in the numbered parameters alone, so no other engine finds any.
    Time attributes are names of columns, each with `ROWTIME`, if it has a watermark, or `PROCTIME`,
    if it is computed so (`CatalogPropertiesUtil.serializeResolvedSchema` of Flink 1.20).

    Raises:
        DecodeError: A number is missing, or a name has no type; says which key.
    """
    parameters = table.parameters
    prefix = next(
        (generation for generation in _GENERATIONS if f"{generation}0.name" in parameters), None
    )
    if prefix is None:
        return None
    columns = tuple([read.column for read in _columns(table)])
    times = [
        (column.name, _PROCTIME)
        for number, column in enumerate(columns)
        if _NOW.fullmatch(parameters.get(f"{prefix}{number}.expr", ""))
    ]
    if marked := parameters.get(f"{prefix}watermark.0.rowtime"):
        times.append((marked, _ROWTIME))
    return columns, tuple(times)


def _text(table: HiveTable, *, stale: bool) -> tuple[Representation, tuple[Note, ...]]:
    """The text that is taken, with the context of its short names, and why.

    Args:
        table: The entry, with at least one text.
        stale: Whether Hive has replaced the view: its expanded text is what Flink reads.
    """
    original, expanded = table.original or table.expanded or "", table.expanded or ""
    if stale or original == expanded:
        return Representation(dialect=FLINK, sql=expanded or original), ()
    if expanded and flink_context.is_hives(original, expanded):
        named = flink_context.catalogs(expanded)
        taken = Representation(
            dialect=FLINK if named else HIVE,
            sql=expanded,
            default_catalog=next(iter(named)) if len(named) == 1 else None,
        )
        why = "viewExpandedText is taken: viewOriginalText of Hive's dialect has lost its backticks"
        return taken, (TEXT_OF_TWO.note(why),)
    context = flink_context.derive(original, expanded) if expanded else flink_context.Context()
    if not context.fits:
        why = (
            "viewExpandedText is taken: it does not say where short names of viewOriginalText lead"
        )
        return Representation(dialect=FLINK, sql=expanded), (TEXT_OF_TWO.note(why),)
    text = Representation(dialect=FLINK, sql=original, default_catalog=context.catalog)
    if context.catalog is None:
        return text, ()
    within = () if context.database is None else (context.database,)
    where = dotted((context.catalog, *within))
    why = f"viewOriginalText is taken: viewExpandedText has its short names in {where}"
    return text.within(within), (TEXT_OF_TWO.note(why),)


def _comment(parameters: Mapping[str, str]) -> str | None:
    """The comment; Flink writes '' where there is none."""
    by_gravitino = parameters.get("comment") if _GRAVITINO in parameters else None
    return by_gravitino or parameters.get("flink.comment") or None


def _is_own(key: str) -> bool:
    return key == "is_generic" or key.startswith(_OWN)


def _replaced_names(table: HiveTable) -> tuple[str, ...]:
    """The names of Hive's columns where Hive has replaced the view; empty where it has not.

    Flink leaves no columns in `sd.cols` where it writes them into the parameters.
    """
    if any(f"{prefix}0.name" in table.parameters for prefix in _GENERATIONS):
        return replaced.names(table)
    return ()


def _narrowed(columns: tuple[_Read, ...]) -> Iterator[Note]:
    return loss_notes.narrowed((read.column.name, read.narrowed) for read in columns)


def _unread(parameters: Mapping[str, str]) -> Iterator[str]:
    """The keys of the schema that are no part of a column: watermarks, keys, expressions."""
    return (f"parameters.{key}" for key in parameters if _is_unread(key))


@lru_cache(maxsize=16_384)
def _is_unread(key: str) -> bool:
    parts = (key.removeprefix(prefix) for prefix in _GENERATIONS if key.startswith(prefix))
    return _is_schema(key) and not any(map(_READ.fullmatch, parts))


@lru_cache(maxsize=16_384)  # the same keys in every entry
def _is_schema(key: str) -> bool:
    """Whether Flink writes such a key of a schema; a user may call a property `schema.registry`."""
    return key.startswith(_GENERATIONS) and _SCHEMA.match(key) is not None


def _columns(table: HiveTable) -> tuple[_Read, ...]:
    parameters = table.parameters
    for prefix in _GENERATIONS:
        cut = len(prefix)
        stated = {_column_number(key[cut:]) for key in parameters if key.startswith(prefix)}
        if count := len(stated - {None}):
            return tuple(_column(parameters, f"{prefix}{number}") for number in range(count))
    columns = hive_table.columns(table)
    if not columns:
        raise DecodeError(
            "is missing: the view has no columns", field=f"parameters.{_GENERATIONS[0]}0.name"
        )
    return tuple(map(_Read, columns))


@lru_cache(maxsize=16_384)
def _column_number(key: str) -> str | None:
    """The number of the column that a key of the schema is about; None: it is about something else.

    A primary key has a name, too, and watermarks a number behind their word.
    """
    match = _OF_COLUMN.fullmatch(key)
    return match[1] if match else None


def _column(parameters: Mapping[str, str], key: str) -> _Read:
    name = parameters.get(f"{key}.name")
    if name is None:
        raise DecodeError(
            "is missing though a later column is there", field=f"parameters.{key}.name"
        )
    text = parameters.get(f"{key}.data-type")
    if text is None:
        text = parameters.get(f"{key}.type")
        if text is None:
            raise DecodeError("is missing", field=f"parameters.{key}.data-type")
        text = _LEGACY.get(text, text)
    try:
        (kind, nullable), narrowed = flink.parse(text), flink.narrowed(text)
    except InvalidTypeError as error:
        raise DecodeError(str(error), field=f"parameters.{key}.data-type") from error
    return _Read(Column(name, kind, parameters.get(f"{key}.comment"), nullable), narrowed)


def _properties(parameters: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The user's properties by their own names, and whatever is not Flink's."""
    gone = {"is_generic", "flink.comment"} | ({"comment"} if _GRAVITINO in parameters else set())
    stated = {
        key: value for key, value in parameters.items() if key not in gone and not _is_schema(key)
    }
    kept = {key: value for key, value in stated.items() if not key.startswith(_OWN)}
    for key in sorted(stated.keys() - kept.keys(), key=len):  # `flink.k` before `flink.flink.k`
        own = key.removeprefix(_OWN)
        kept[own if own and own not in kept else key] = stated[key]
    return hive_table.properties(kept, ())


def encode(view: View, text: Representation) -> ViewEntry:
    """The entry as Flink 1.15 to 1.20 write it; Flink reads the expanded text.

    Short names are written out there with the catalog and database that they lead to: from 1.20 on
    what is current in the session goes before the view's own (`discovery.engines`).

    Args:
        view: To be written.
        text: That of its representations which is taken.

    Raises:
        InvalidTypeError: Flink has no type for a column; says which.
        NotHeldError: Short names lead elsewhere and cannot be written out for sure.
    """
    if not view.columns:
        raise NotHeldError("a view of Flink has at least one column", view=str(view.identifier))
    original, expanded = _texts(view, text)
    kept = {
        f"{_OWN}{key}": value
        for key, value in view.properties
        if key not in _NOT_USERS and not _is_schema(f"{_OWN}{key}")
    }
    return ViewEntry(
        identifier=view.identifier,
        original=original,
        expanded=expanded,
        parameters={
            **kept,
            "is_generic": "true",
            "flink.comment": view.comment or "",
            **dict(_schema_keys(view)),
        },
        columns=(),
        owner=view.audit.creator,
        owner_kind=view.audit.creator_kind,
    )


def _schema_keys(view: View) -> Iterator[tuple[str, str]]:
    flink.check_names([column.name for column in view.columns])
    for number, column in enumerate(view.columns):
        key = f"{_GENERATIONS[0]}{number}"
        try:
            kind = flink.spell(column.type, nullable=column.nullable)
        except InvalidTypeError as error:
            raise InvalidTypeError(f"{column.name}: {error}") from error
        yield f"{key}.name", column.name
        yield f"{key}.data-type", kind
        if column.comment is not None:
            yield f"{key}.comment", column.comment


def _texts(view: View, text: Representation) -> tuple[str, str]:
    """Original and expanded text.

    Without a catalog, an expanded text would be read without the database, too: both texts are the
    same then. The same where nothing is short.
    """
    levels = text.default_levels
    if text.default_catalog is None:
        if not levels:
            return text.sql, text.sql
        expanded = qualified.qualify(text.sql, levels) if len(levels) == 1 else None
        if expanded is not None:
            return expanded, expanded
    else:
        expanded = qualified.qualify(text.sql, (text.default_catalog, *levels))
        if expanded is not None and len(levels) == 1:
            return text.sql, expanded
        names = qualified.tables(text.sql)
        if not levels and names is not None and all(len(name) > 1 for name in names):
            short = [name for name in names if len(name) == 2]
            longer: Mapping[qualified.Parts, qualified.Parts] = {
                name: (text.default_catalog, *name) for name in short
            }
            expanded = qualified.lengthened(text.sql, longer)
            if expanded is not None:
                return text.sql, expanded
    why = (
        f"Flink keeps no default schema, here {dotted((text.default_catalog or '', *levels))}, and "
        "short names of the text cannot be written out for sure"
    )
    hint = "qualify the names in the view, or take a target that keeps the context"
    raise NotHeldError(why, hint=hint, view=str(view.identifier))
