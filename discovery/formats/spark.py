"""Views of Spark's session catalog in a Hive Metastore (`HiveExternalCatalog`, Spark 2.4 to 4.3).

The design reads `sd.cols` first; real entries demand the schema property first: `sd.cols` has
lower-case names, and is a placeholder when a type is not Hive's or names differ only in case.
`ALTER VIEW … AS` of Spark 2.4 and 3.1 drops the version and the schema, so other marks count too
and `sd.cols` is the last resort.

Spark writes one text twice and reads `viewExpandedText` (`HiveClientImpl`, `CatalogTable.viewText`,
since 2.2). Two texts that differ, or columns of the entry that are not those of the property, tell
that Hive has replaced the view. Spark then still takes the schema of the property, without a look
at the entry's columns (`HiveExternalCatalog.restoreTableMetadata`, unlike tables), and looks for
the names of `view.query.out` in what the new text returns (`SessionCatalog.fromCatalogTable`); one
that is not there makes it refuse the view. With `view.schemaMode` EVOLUTION (Spark 4) the view has
the columns that its text returns.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from discovery.datatypes import spark, spark_writing
from discovery.engines import engine
from discovery.errors import DecodeError, InvalidTypeError, NotHeldError
from discovery.formats import hive_table, loss_notes, replaced
from discovery.formats.hive_table import HiveTable, ViewEntry
from discovery.model import SPARK, Column, Representation, View
from discovery.outcomes import Decoded

_VERSION: Final = "spark.sql.create.version"
_SCHEMA: Final = "spark.sql.sources.schema"  # whole, or in parts of 4,000 characters
_CONTEXT: Final = "view.catalogAndNamespace"  # Spark 3: in parts, the catalog first
_NO_SCHEMA: Final = "null"  # refused as every text that is no struct
_DATABASE: Final = "view.default.database"  # Spark 2
_QUERY: Final = "view.query.out"  # the names that the query returns
_OUTPUT: Final = f"{_QUERY}.numCols"
_STAR: Final = re.compile(
    r"(?:\bselect\b(?:\s+(?:distinct|all)\b)?|,)\s*(?:[\w`]+\s*\.\s*)*\*", re.IGNORECASE
)
_MODE: Final = "view.schemaMode"
OWN: Final = "view."
"""What properties that Spark keeps beside a text begin with."""
ICEBERG_OUTPUT: Final = "spark.query-column-names"
"""Iceberg's property with the names that the query returns."""
_COLLATION: Final = "collation"
_BY_BYTES: Final = "UTF8_BINARY"
_BINDING: Final = "BINDING"
_OF_CLASSES: Final = ("spark.sql.catalog.", "spark.sql.extensions")
_SETTING: Final = "view.sqlConfig."  # a setting of the session that made the view, and its value
_MARKS: Final = frozenset({_VERSION, _OUTPUT, _DATABASE, f"{_CONTEXT}.numParts"})
_CONSUMED: Final = frozenset({"comment", _SCHEMA, _DATABASE})
_WRITTEN_AS: Final = "3.5.0"  # any version since 2.3 reads the same
_LONGEST_PARAMETER: Final = 4_000  # characters of Java (`schemaStringLengthThreshold`)
_PLAIN: Final = "\uffff"  # a character beyond takes two of Java's
_CONSUMED_PARTS: Final = (f"{_SCHEMA}.", f"{_CONTEXT}.")
_SESSION_CATALOG: Final = engine(SPARK).session_catalog


def matches(table: HiveTable) -> bool:
    """Any key that only Spark writes, exactly: a user may call a property `view.looks.like`."""
    return not _MARKS.isdisjoint(table.parameters)


def decode(table: HiveTable) -> Decoded:
    """Read the schema property and the captured context; SQL settings stay properties.

    Raises:
        DecodeError: A part is missing or malformed; says which key.
    """
    parameters = table.parameters
    catalog, levels = _context(parameters)
    sql = table.expanded or table.original
    if sql is None:
        raise DecodeError("is missing", field="viewOriginalText")  # Spark writes both
    consumed = _CONSUMED.union([key for key in parameters if key.startswith(_CONSUMED_PARTS)])
    stated = _schema(parameters)
    columns = _columns(table, stated)
    if _OUTPUT in parameters:  # Spark refuses the view where one is missing
        tuple(_parts(parameters, _QUERY, "numCols", "col"))
    others = _replaced_names(table, columns)
    if others and parameters.get(_MODE) == "EVOLUTION":
        columns = hive_table.columns(table, spark.parse)
    elif others and _is_other_text(table) and not _gives(others, parameters, columns):
        return replaced.by_hive(table, "Spark", columns, _is_own)
    view = View(
        identifier=table.identifier,
        columns=columns,
        representations=(
            Representation(dialect=SPARK, sql=sql, default_catalog=catalog).within(levels),
        ),
        comment=parameters.get("comment"),
        properties=hive_table.properties(parameters, consumed),
        audit=hive_table.audit(table),
    )
    unread = () if stated is None else spark.unread(stated)
    stale = (replaced.note("Spark", columns, others),) if others else ()
    return Decoded(view, (*stale, *loss_notes.not_in_model(unread)))


def _is_own(key: str) -> bool:
    """What Spark keeps for itself; it takes no properties of users that begin so."""
    return key.startswith(("spark.sql.", "view."))


def _replaced_names(table: HiveTable, columns: tuple[Column, ...]) -> tuple[str, ...]:
    """The names of Hive's columns where they, or the texts, are not Spark's; empty otherwise."""
    others = replaced.names(table)
    if not others or replaced.is_placeholder(table):
        return ()  # without columns, or with the placeholder, the entry is Spark's or Gravitino's
    same = [column.name.lower() for column in columns] == [name.lower() for name in others]
    return others if _is_other_text(table) or not same else ()


def _is_other_text(table: HiveTable) -> bool:
    return None not in {table.original, table.expanded} and table.original != table.expanded


def _gives(others: tuple[str, ...], parameters: Mapping[str, str], shown: Sequence[Column]) -> bool:
    """Whether a text that returns such columns gives Spark those that it looks for.

    As often by each name as it expects; names are compared ignoring case, as Spark does by default.
    """
    wanted = tuple(_parts(parameters, _QUERY, "numCols", "col")) if _OUTPUT in parameters else ()
    names = Counter(name.lower() for name in wanted or [column.name for column in shown])
    returned = Counter(name.lower() for name in others)
    return all(returned[name] == count for name, count in names.items())


def settings(view: View) -> tuple[tuple[str, str], ...]:
    """The settings of Spark under which the text was written, which Spark parses it with again."""
    return tuple(
        (key.removeprefix(_SETTING), value)
        for key, value in view.properties
        if key.startswith(_SETTING)
    )


def loads_classes(key: str) -> bool:
    """Whether a property of a view is a setting that names classes: catalogs and extensions.

    Spark looks them up when it analyzes the text (4.1.1), though it notes next to none itself.
    """
    return key.removeprefix(_SETTING).startswith(_OF_CLASSES)


def told_settings(view: View) -> str:
    """The same for people; empty: none."""
    return ", ".join(f"{name}={value}" for name, value in sorted(settings(view)))


def binds_star(view: View, sql: str) -> bool:
    """Whether Spark's own entry says by which names the view takes what a `*` of its text returns.

    `View` of Spark's session catalog looks for them (`SessionCatalog.fromCatalogTable`); Iceberg
    and Paimon take columns by position (`GetColumnByOrdinal`). A literal or a comment with such a
    star counts, too.
    """
    return _OUTPUT in dict(view.properties) and bool(_STAR.search(sql))


def bound(view: View) -> View:
    """A view of Spark with the names that its query returns where Spark looks for them.

    Iceberg takes columns by position, and Spark notes the names there in one property, joined by
    commas. A view of the session catalog takes each by its name: without them, one that calls its
    columns otherwise is refused, and one that gives two the names of each other shows other rows
    (Spark 4.1.4 was asked on 2026-11-26).

    Raises:
        NotHeldError: A name has a comma, so that nobody can tell where it ends.
    """
    stated = dict(view.properties)
    joined = stated.pop(ICEBERG_OUTPUT, None)
    if joined is None:
        return view
    own = [column.name for column in view.columns]
    names = own if joined == ",".join(own) else joined.split(",")
    if len(names) != len(own):
        why = f"nobody can tell the names apart by which Spark looks for its columns: {joined:.200}"
        hint = "give the columns of its query names without commas"
        raise NotHeldError(why, hint=hint, view=str(view.identifier))
    kept = {key: value for key, value in stated.items() if not key.startswith(f"{_QUERY}.")}
    return replace(view, properties=tuple(sorted({**kept, **_output(names)}.items())))


def beside_text(view: View) -> Iterator[str]:
    """What but its settings Spark keeps beside a text, and looks for in a metastore alone.

    `collation` is that of the texts in it (`DEFAULT COLLATION`, since Spark 4.1): without it,
    `'a' = 'A'` is another row. Without `view.schemaMode` a view is as one of SCHEMA BINDING: it has
    no columns that came later, and is refused where a type of a table changes (4.1.4 was asked).
    """
    stated = dict(view.properties)
    if stated.get(_COLLATION, _BY_BYTES) != _BY_BYTES:
        yield f"{_COLLATION}={stated[_COLLATION]}, by which its texts compare: they do by bytes"
    if stated.get(_MODE, _BINDING) != _BINDING:
        yield f"SCHEMA {stated[_MODE]}: a change of its tables is not followed, or refuses the view"


def query_names(view: View) -> tuple[str, ...]:
    """What the query called its columns, where Spark has noted that; else as the view does."""
    noted = dict(view.properties)
    return tuple(
        noted.get(f"{_QUERY}.col.{number}", column.name)
        for number, column in enumerate(view.columns)
    )


def context_properties(text: Representation) -> dict[str, str]:
    """The context of a text in the properties of its view, where Spark looks for it.

    Those of Spark 3 and later name a catalog; one level without a catalog is as Spark 2 wrote it,
    which `CatalogTable.viewCatalogAndNamespace` still reads, and takes for one of Spark's own
    catalog. It has no word for several levels of the catalog that the view is in: its own is named.
    """
    catalog, levels = text.default_catalog, text.default_levels
    if catalog is None and len(levels) == 1:
        return {_DATABASE: levels[0]}
    if catalog is None and not levels:
        return {}
    parts = (catalog or _SESSION_CATALOG, *levels)
    numbered = {f"{_CONTEXT}.part.{index}": part for index, part in enumerate(parts)}
    return {f"{_CONTEXT}.numParts": str(len(parts)), **numbered}


def is_context(key: str) -> bool:
    """Whether a property is part of the context of a text."""
    return key == _DATABASE or key.startswith(f"{_CONTEXT}.")


def in_context(text: Representation, properties: Mapping[str, str]) -> Representation:
    """A text in the context that properties of its view name; as it is where they name none.

    Raises:
        DecodeError: A part is missing or malformed; says which.
    """
    if not any(map(is_context, properties)):
        return text
    catalog, levels = _context(properties)
    return replace(text, default_catalog=catalog).within(levels)


def columns(table: HiveTable) -> tuple[Column, ...]:
    """The schema property; the entry's own columns where there is none.

    Raises:
        DecodeError: A part is missing or malformed; says which.
    """
    return _columns(table, _schema(table.parameters))


def _columns(table: HiveTable, schema: object) -> tuple[Column, ...]:
    if schema is None:
        return hive_table.columns(table, spark.parse)
    try:
        return spark.columns(schema)
    except InvalidTypeError as error:
        raise DecodeError(str(error), field=f"parameters.{_SCHEMA}") from error


def _schema(parameters: Mapping[str, str]) -> object:
    """The schema property as parsed JSON; None where there is none."""
    text = parameters.get(_SCHEMA)
    if text is None and any(key.startswith(f"{_SCHEMA}.") for key in parameters):
        text = "".join(_parts(parameters, _SCHEMA))
    if text is None:
        return None
    try:
        schema: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DecodeError(str(error), field=f"parameters.{_SCHEMA}") from error
    return _NO_SCHEMA if schema is None else schema


def _context(parameters: Mapping[str, str]) -> tuple[str | None, tuple[str, ...]]:
    if f"{_CONTEXT}.numParts" not in parameters:
        database = parameters.get(_DATABASE)
        if database is None and any(key.startswith(f"{_CONTEXT}.part.") for key in parameters):
            raise DecodeError("is missing", field=f"parameters.{_CONTEXT}.numParts")
        return None, (database,) if database else ()
    parts = tuple(_parts(parameters, _CONTEXT))
    return (parts[0] if parts else None), parts[1:]


def _parts(
    parameters: Mapping[str, str], key: str, counter: str = "numParts", member: str = "part"
) -> Iterator[str]:
    count = parameters.get(f"{key}.{counter}", "")
    if not (count.isascii() and count.isdigit() and len(count) < 10):
        raise DecodeError(f"{count!r:.80} is no number", field=f"parameters.{key}.{counter}")
    for index in range(int(count)):
        part = parameters.get(f"{key}.{member}.{index}")
        if part is None:
            raise DecodeError(
                f"is missing; there should be {count} parts",
                field=f"parameters.{key}.{member}.{index}",
            )
        yield part


def encode(view: View, text: Representation) -> ViewEntry:
    """The entry as Spark 3.3 and later write it; both texts are the same, and Spark reads either.

    What the query returns is by Spark's rule (`SessionCatalog.fromCatalogTable`) looked for by the
    names of `view.query.out`: those that Spark has noted, else the view's own. If the text does not
    return them, Spark refuses the view; it takes no column for another one.

    Args:
        view: To be written.
        text: That of its representations which is taken.

    Raises:
        InvalidTypeError: Spark has no type for a column; says which.
        NotHeldError: It is in a nested schema of no catalog, which Spark cannot say.
    """
    kept = {
        key: value
        for key, value in view.properties
        if key not in _CONSUMED and not key.startswith(_CONSUMED_PARTS)
    }
    comment = {} if view.comment is None else {"comment": view.comment}
    return ViewEntry(
        identifier=view.identifier,
        original=text.sql,
        expanded=text.sql,
        parameters={
            _VERSION: _WRITTEN_AS,
            **({} if _OUTPUT in kept else _output([column.name for column in view.columns])),
            **kept,
            **comment,
            **_schema_parts(view.columns),
            **_context_parts(view, text),
        },
        columns=_entry_columns(view.columns),
        owner=view.audit.creator,
        owner_kind=view.audit.creator_kind,
    )


def has_placeholder(columns: Sequence[Column]) -> bool:
    """Whether an entry of Spark has one column instead of these, which a metastore cannot have."""
    return _entry_columns(columns) == (replaced.PLACEHOLDER,)


def _output(names: Sequence[str]) -> dict[str, str]:
    """The names that the query returns; none where the view states no columns."""
    if not names:
        return {}
    numbered = {f"{_QUERY}.col.{index}": name for index, name in enumerate(names)}
    return {_OUTPUT: str(len(names)), **numbered}


def _schema_parts(columns: Sequence[Column]) -> dict[str, str]:
    """The schema property; beyond what a parameter of a metastore may hold in parts, as Spark."""
    if not columns:
        return {}
    text = spark_writing.schema(columns)
    if len(text.encode("utf-16-le")) <= 2 * _LONGEST_PARAMETER:
        return {_SCHEMA: text}
    step = _LONGEST_PARAMETER if max(text) <= _PLAIN else _LONGEST_PARAMETER // 2
    parts = [text[start : start + step] for start in range(0, len(text), step)]
    numbered = {f"{_SCHEMA}.part.{index}": part for index, part in enumerate(parts)}
    return {f"{_SCHEMA}.numParts": str(len(parts)), **numbered}


def _context_parts(view: View, text: Representation) -> dict[str, str]:
    """Catalog and namespace; a database alone as Spark 2 has it, which is the session catalog's."""
    levels = text.default_levels
    if text.default_catalog is None:
        if len(levels) > 1:
            why = "Spark has no default schema of several levels without a catalog"
            raise NotHeldError(why, view=str(view.identifier))
        return {_DATABASE: levels[0]} if levels else {}
    parts = (text.default_catalog, *levels)
    numbered = {f"{_CONTEXT}.part.{index}": part for index, part in enumerate(parts)}
    return {f"{_CONTEXT}.numParts": str(len(parts)), **numbered}


def _entry_columns(columns: Sequence[Column]) -> tuple[tuple[str, str, str | None], ...]:
    """`sd.cols` as Spark fills it: its placeholder where a type or two names are not for Hive."""
    entry_columns = [
        (column.name.lower(), kind, column.comment)
        for column in columns
        if (kind := spark_writing.in_hive(column.type)) is not None
    ]
    if len({name for name, _, _ in entry_columns}) < len(columns):
        return (replaced.PLACEHOLDER,)
    return tuple(entry_columns)
