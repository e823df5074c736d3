"""What an engine's analyzer is told of a view: its entry, and what its text reads.

How Spark comes to a view (4.3, by format):

- Entries of a metastore (Spark's, Hive's, Flink's) are tables of its own catalog
  (`HiveExternalCatalog.restoreTableMetadata`): properties and columns as they are there. It looks
  for the columns by the names of `view.query.out`, else by those of the view, and by position where
  Hive has named one `_c0` (`SessionCatalog.fromCatalogTable`). Hive's text is qualified with its
  database, Flink's with Flink's own catalog, too.
- Views of Iceberg's catalogs: columns by position (`ResolveViews.createViewRelation`), short names
  in the default catalog and namespace of the version, in the mode of the session. Where there is
  no text for Spark it runs the first (`View.sqlFor`; 4.1.4 of 18 views that Trino 476 had made).
  Entries of a metastore have a mode of their own: what `view.sqlConfig` says, and else it is not
  ANSI's (`View.effectiveSQLConf`; a live Spark 4.3.0 gave 1,512 entries the same columns in both).

Of Paimon's and Glue's own formats it is not known how Spark completes their names.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from discovery.datatypes import hive, spark_writing
from discovery.datatypes import spark as spark_types
from discovery.engines import engine
from discovery.errors import InvalidTypeError
from discovery.formats import spark
from discovery.judging.calling import KnownFunction
from discovery.judging.stored_types import refused_type
from discovery.model import FLINK, HIVE, SPARK, Column, Identifier, Representation, View

SESSION: Final = engine(SPARK).session_catalog
"""What Spark calls its own catalog, which a metastore's entries are in."""
DEFAULT: Final = "default"
"""The database in which sessions of Hive and Spark begin."""
_VERSION: Final = "spark.sql.create.version"
_ANSI: Final = "view.sqlConfig.spark.sql.ansi.enabled"
ANSI: Final = "ansi"
"""The setting of Spark: whether its sessions are in ANSI mode."""
OF_METASTORES: Final = frozenset({FLINK, HIVE, SPARK})
"""Formats of entries that engines with a metastore read as their own."""
_BY_POSITION: Final = "iceberg"
_ANALYZED: Final = OF_METASTORES | {_BY_POSITION, "canonical"}
_ANY_TEXT: Final = OF_METASTORES | {_BY_POSITION}
"""Formats of which Spark runs a text in another dialect as if it were its own."""
_WHOLE: Final = 3  # parts of a name with catalog and database
_NO_COLUMNS: Final = '{"type":"struct","fields":[]}'
_UNREAD: Final = re.compile(
    r"\buniontype<|\b(interval_(day_time|year_month)|timestamp with local time zone)\b(?!:)"
)
"""Hive's types that Spark 4.3 does not parse, in a view or in a table (`HiveClientImpl`)."""


class Base(NamedTuple):
    """A table or view that a text reads.

    Attributes:
        name: As the engine completes it: catalog, levels of the namespace, name.
        columns: In the engine's language.
        text: Of a view that is more than its columns there; empty: a table, or as good as one.
    """

    name: tuple[str, ...]
    columns: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What an engine finds where a view is stored, beside its text, and what the text reads.

    Attributes:
        place: Of the view.
        columns: That the entry declares, in the engine's language.
        properties: That the engine looks at, with their values.
        by_position: Whether its columns are those of the query by their numbers, not by names.
        catalogs: Names of the catalogs that there are, beside the engine's own; of Trino those of
            the catalog of the view.
        context: Catalog and schema of Trino's and Flink's short names, each empty where the view
            keeps none.
        path: Catalogs and schemas in which Trino looks for functions by short names.
        bases: What the text reads.
        functions: Those of the estate that the text calls, as far as the engine can be told them.
        refused: What the engine says of the entry, or of one below, before it looks at the text;
            empty: nothing.
    """

    place: Identifier
    columns: str
    properties: tuple[tuple[str, str], ...] = ()
    by_position: bool = False
    catalogs: tuple[str, ...] = ()
    context: tuple[str, str] = ("", "")
    path: tuple[tuple[str, str], ...] = ()
    bases: tuple[Base, ...] = ()
    functions: tuple[KnownFunction, ...] = ()
    refused: str = ""


class KnownBase(NamedTuple):
    """What a text reads, as the crawl knows it.

    Attributes:
        written: The name, as the text has it, in parts.
        catalog: That the name means, as the engine of the text calls it; None: it has no word.
        source: That has the object.
        identifier: Of the object.
        columns: That it has; None: they are not known.
        form: How the entry of a view is stored; None: it is a table, or nobody knows.
        in_default: Whether the database `default` of the source has something of the name that is
            written, too.
        key: Of the object in its source.
        beside_spark: The columns that engines but Spark see; None: the same.
        text: Of a view, for who takes it into that of a view above; empty: it is as good as a table
            of its columns.
        flink_times: Of a table whose columns Flink alone finds (its form is Flink's): those that
            are time attributes, and of which kind; None: it is no such table.
        acid: Whether it is a table of Hive with transactions.
    """

    written: tuple[str, ...]
    catalog: str | None
    source: str
    identifier: Identifier
    columns: tuple[Column, ...] | None
    form: str | None = None
    in_default: bool = False
    key: str = ""
    beside_spark: tuple[Column, ...] | None = None
    text: str = ""
    flink_times: tuple[tuple[str, str], ...] | None = None
    acid: bool = False

    def seen_by(self, engine: str) -> "KnownBase":
        """As an engine finds it: Spark and Flink alone look where they hide columns of theirs."""
        if self.flink_times is not None and engine != FLINK:
            return self._replace(columns=(), form=None, flink_times=None)
        if engine == SPARK or self.beside_spark is None:
            return self
        return self._replace(columns=self.beside_spark, beside_spark=None)

    @property
    def has_namesake(self) -> bool:
        """Whether who looks short names up in `default` finds something else by the name."""
        is_there = self.identifier.namespace == (DEFAULT,)
        return self.in_default and len(self.written) == 1 and not is_there


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredText:
    """A text of a view where it is stored.

    Attributes:
        view: The view.
        text: The text that Spark takes.
        form: How the entry is stored.
        source: That the view is in.
        calls: Functions of the estate that its texts call.
        settings: Of the engine, as the configuration has them.
        under: What the views below read, down to tables, where their texts are taken into this one.
    """

    view: View
    text: Representation
    form: str
    source: str
    calls: tuple[KnownFunction, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    under: tuple[KnownBase, ...] = ()

    @property
    def is_own(self) -> bool:
        """Whether it is written in Spark's dialect."""
        return self.text.dialect.casefold() == SPARK


@lru_cache(maxsize=4_096)
def _schema(columns: tuple[Column, ...], form: str | None) -> str:
    return spark_writing.schema(columns_in_spark(columns, form))


def columns_in_spark(columns: Sequence[Column], form: str | None) -> tuple[Column, ...]:
    """Columns as Spark reads them: it takes Hive's types for its own, of which one is an instant.

    Raises:
        InvalidTypeError: Hive has no such type.
    """
    if form != HIVE:
        return tuple(columns)
    return tuple(
        column._replace(type=spark_types.parse(hive.spell(column.type))) for column in columns
    )


def unread_by_spark(entries: Iterable[tuple[Sequence[Column], str | None]]) -> str:
    """What Spark says of entries of Hive in a metastore whose types it refuses; empty: nothing.

    Args:
        entries: The columns of each, and how it is stored.
    """
    unread = refused_type(entries, _UNREAD)
    return f"[UNSUPPORTED_HIVE_TYPE] Cannot read the Hive type {unread}" if unread else ""


def spark_entry(
    stored: StoredText, reads: Sequence[KnownBase], catalogs: Mapping[str, str]
) -> Entry | None:
    """What Spark's analyzer is told of a view; None: it cannot be told what Spark would see.

    Args:
        stored: The view and its text.
        reads: Everything that the text reads.
        catalogs: Spark's names of catalogs to their sources, as the configuration has them.
    """
    view, text = stored.view, stored.text
    if stored.form not in _ANALYZED or not (stored.is_own or stored.form in _ANY_TEXT):
        return None
    if unread := unread_by_spark(_entries(stored, reads)):
        return Entry(place=view.identifier, columns=_NO_COLUMNS, refused=unread)
    home = _home(stored, catalogs)
    bases = _bases(stored, reads, home, catalogs)
    if bases is None:
        return None
    try:
        columns = _schema(() if stored.form == FLINK else view.columns, stored.form)
    except InvalidTypeError:
        return None
    catalog_names = {*catalogs, home, *(base.name[0] for base in bases)} - {SESSION}
    return Entry(
        place=view.identifier,
        columns=columns,
        properties=_properties(stored, home, text),
        by_position=stored.form == _BY_POSITION,
        catalogs=tuple(sorted(catalog_names)),
        bases=tuple(bases),
        functions=tuple(call for call in stored.calls if _is_callable(call, stored, catalogs)),
    )


def _is_callable(function: KnownFunction, stored: StoredText, catalogs: Mapping[str, str]) -> bool:
    """Whether Spark finds a function by the name in the text, and we know what it takes.

    They are in its own catalog. Entries of Hive and Flink say nothing of where short names are.
    """
    default = stored.source if stored.form in OF_METASTORES else None
    usable = (
        function.of == SPARK and function.signature is not None and len(function.namespace) == 1
    )
    return (
        usable
        and stored.form not in {FLINK, HIVE}
        and catalogs.get(SESSION, default) == function.source
    )


def _bases(
    stored: StoredText, reads: Sequence[KnownBase], home: str, catalogs: Mapping[str, str]
) -> list[Base] | None:
    """What Spark finds of what the text reads; None: it is not all known."""
    bases: list[Base] = []
    for read in reads:
        names = _catalogs_of(read, stored, home, catalogs)
        if not names or read.columns is None or not _is_told(read, stored):
            return None
        if stored.form == HIVE and read.has_namesake:
            return None
        levels = (*read.identifier.namespace, read.identifier.name)
        if stored.form == _BY_POSITION and not (stored.is_own or _is_spelled_so(read, levels)):
            continue
        try:
            bases += [Base((name, *levels), _schema(read.columns, read.form)) for name in names]
        except InvalidTypeError:
            return None
    return bases


def _is_spelled_so(read: KnownBase, levels: tuple[str, ...]) -> bool:
    """Whether a text has the case of the name: Spark 4.1.4 finds Iceberg's tables by no other."""
    spelled = read.written[-len(levels) :]
    return spelled == levels[-len(spelled) :]


def _entries(
    stored: StoredText, reads: Sequence[KnownBase]
) -> Iterator[tuple[Sequence[Column], str | None]]:
    """The entries that are Hive's own: of the view, and of what is below in its metastore."""
    if stored.form == HIVE:
        yield stored.view.columns, HIVE
    for known_base in reads:
        same_metastore = stored.form in OF_METASTORES and known_base.source == stored.source
        if same_metastore and known_base.form in {None, HIVE}:
            yield known_base.columns or (), known_base.form


def _home(stored: StoredText, catalogs: Mapping[str, str]) -> str:
    """What Spark calls the catalog that the view's short names are in."""
    if stored.form in {FLINK, HIVE}:
        return SESSION
    if stored.text.default_catalog is not None:
        return stored.text.default_catalog
    if stored.form != _BY_POSITION:
        return SESSION
    named = sorted(name for name, source in catalogs.items() if source == stored.source)
    return named[0] if named else stored.source


def _is_told(read: KnownBase, stored: StoredText) -> bool:
    """Whether the name is one that leads to the whole object, in whatever Spark is set up with.

    A branch or a tag is a part more (`t.branch_main`); Flink's short names are completed in the
    entry, with a catalog that we do not know.
    """
    if read.written[-1].casefold() != read.identifier.name.casefold():
        return False
    complete = len(read.written) >= _WHOLE or stored.text.default_catalog is not None
    return stored.form != FLINK or complete


def _catalogs_of(
    read: KnownBase, stored: StoredText, home: str, catalogs: Mapping[str, str]
) -> tuple[str, ...]:
    """What Spark calls the catalog of what is read."""
    if stored.is_own:
        return (read.catalog or home,)
    if read.source == stored.source:
        return (home,)
    return tuple(sorted(name for name, source in catalogs.items() if source == read.source))


def _session(settings: Mapping[str, str]) -> dict[str, str]:
    """The mode of the session, as a view would keep it; what nobody says is as Spark has it."""
    return {_ANSI: settings[ANSI]} if ANSI in settings else {}


def _properties(stored: StoredText, home: str, text: Representation) -> tuple[tuple[str, str], ...]:
    """What Spark looks at: its own marks, and the context of short names."""
    kept = {
        key: value
        for key, value in stored.view.properties
        if (key == _VERSION or key.startswith("view.")) and not spark.loads_classes(key)
    }
    if stored.form == HIVE:
        context: Mapping[str, str] = {}
    elif stored.form == _BY_POSITION:
        levels = text.default_levels or stored.view.identifier.namespace
        named = Representation(dialect=SPARK, sql="", default_catalog=home).within(levels)
        kept, context = _session(stored.settings), spark.context_properties(named)
    else:
        context = spark.context_properties(text)
    return tuple(sorted({**kept, **context}.items()))
