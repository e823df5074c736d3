"""What Coral is told of a view that Trino has it translate, and what its answer says of columns.

With `hive.hive-views.enabled` Trino's Hive connector gives each VIRTUAL_VIEW without the parameter
`presto_view` to Coral (`ViewReaderUtil`, 476), with its own metastore for Coral to look tables up
in: by database and name, and by name alone in the database `default`. What entries declare of
columns it takes from `sd.cols`. Coral's columns are those that Trino shows, whatever the entry
declares; of a Trino view it finds the comment that stands for a text, and fails.

The texts of Hive's and Spark's views below Coral takes into the one above, and leaves out what that
does not use: so it is no matter there what Trino says of these views themselves. A live 476 reads
views over those that it refuses (for a column of NULL, a function that it does not have, columns
that are not as Coral says), and refuses some over a view that it reads, with UNION ALL or GROUP BY.

What Coral makes is the text of a view to Trino, in the view's own catalog and schema, and Coral's
columns are those that this view stores: so Trino analyzes the one and compares it with the other as
for its own views (`resolving`).
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from discovery.checks.subject import Returned
from discovery.datatypes import hive, trino
from discovery.errors import InvalidTypeError
from discovery.judging import trino_functions
from discovery.judging.analysis import Functions
from discovery.judging.entries import OF_METASTORES, Base, Entry, KnownBase, StoredText
from discovery.judging.metastore_entries import PLACEHOLDER_AS_JSON, columns_as_json, entry_over
from discovery.judging.paths import Reach, path
from discovery.judging.resolving import resolved
from discovery.judging.ways import CORAL
from discovery.model import (
    FLINK,
    HIVE,
    TRINO,
    Column,
    DataType,
    Field,
    Primitive,
    Struct,
    UnionOf,
    with_parts,
)
from discovery.ports import PARSE, Name, Verdict

TRANSLATED: Final = OF_METASTORES - {FLINK}
"""The formats, and dialects, that Coral reads."""
_NO_TEXT: Final = "/* Presto View */"
_FLAG: Final = "presto_view"  # with any value: no view of Hive's to Trino
_WHOLE: Final = 3  # parts of a name with a catalog, which Hive's grammar does not have
_NO_COLUMNS: Final = "[]"
_UNTOLD: Final = frozenset({_NO_COLUMNS, PLACEHOLDER_AS_JSON})
_UNNAMED: Final = "EXPR$"  # as Calcite calls a column that has no name; Coral's text names it not
_UNKNOWN: Final = re.compile(r"\b(null|any|symbol|multiset|other|interval_\w+)\b(?![\" ])")
_WHOLE_NUMBERS: Final = frozenset({"tinyint", "smallint", "integer", "bigint"})
_VALUES: Final = {
    "avg": "double",
    "date": "date",
    "date_add": "date",  # of a date, as Coral writes it
    "json_extract": "json",
    "length": "bigint",
    "strpos": "bigint",
}
_BECOMES: Final = {
    "bigint": frozenset({"bigint", "real", "double"}),
    "date": frozenset({"date", "timestamp"}),
    "decimal(38)": frozenset({"real", "double"}),
    "double": frozenset({"double"}),
    "json": frozenset({"json"}),
}
"""Trino's `TypeCoercion`: what a value of the type becomes without a cast."""


def translators(reach: Reach) -> tuple[str, ...]:
    """The engines that take the texts of views below into the one that they translate."""
    settings = {engine: reach.settings.get(engine, {}) for engine in reach.engines}
    return tuple(
        setting for setting in settings if path(setting, HIVE, "", settings[setting]).judge == CORAL
    )


def coral_entry(
    stored: StoredText, reads: Sequence[KnownBase], _: Mapping[str, str]
) -> Entry | None:
    """What Coral is told of a view; None: it cannot be told what it would find in the metastore.

    Args:
        stored: The view and its text.
        reads: Everything that the text reads.
    """
    if stored.form not in TRANSLATED or any(key == _FLAG for key, _ in stored.view.properties):
        return None
    entry = entry_over(stored, (*reads, *stored.under), _base)
    return None if entry is None else replace(entry, columns=_folded(entry.columns))


def _base(read: KnownBase, source: str) -> Base | None:
    """What the metastore has there; None: it is not known."""
    identifier = read.identifier
    if read.columns is None or read.source != source or len(identifier.namespace) != 1:
        return None
    name = (identifier.namespace[0], identifier.name)
    if read.form == TRINO:
        return Base(name, _NO_COLUMNS, _NO_TEXT)
    readable = read.form is None or read.form in TRANSLATED
    columns = columns_as_json(read.columns, read.form) if readable else None
    return None if columns is None else Base(name, _folded(columns), read.text)


@lru_cache(maxsize=4_096)
def _folded(columns: str) -> str:
    """Names, and types in lower case, as Trino hands both on (`ThriftMetastoreUtil`, 476)."""
    return json.dumps([(name, kind.lower()) for name, kind in json.loads(columns)])


def shown_by_trino(bases: Sequence[Base]) -> tuple[Base, ...] | None:
    """What Coral's text reads, as Trino's Hive connector shows it; None: Trino has not all types.

    A view with a text is not read: Coral has taken that in.

    Args:
        bases: What Coral is told of.
    """
    try:
        return tuple(Base(base.name, _in_trino(base.columns)) for base in bases if not base.text)
    except InvalidTypeError:
        return None


@lru_cache(maxsize=4_096)
def _in_trino(columns: str) -> str:
    """Names and Trino's types of what has Hive's.

    Raises:
        InvalidTypeError: Trino has none.
    """
    pairs = [(name, trino.spell(_readable(hive.parse(kind)))) for name, kind in json.loads(columns)]
    return json.dumps(pairs)


def _readable(kind: DataType) -> DataType:
    """A type with rows for unions, as the connector reads them (`HiveTypeTranslator`)."""
    match kind:
        case UnionOf(members):
            rest = (Field(f"field{n}", _readable(member)) for n, member in enumerate(members))
            return Struct((Field("tag", Primitive("byte")), *rest))
        case _:
            return with_parts(kind, _readable)


def analyzed_by_trino(verdict: Verdict, entry: Entry, _: Functions, declares: bool) -> Verdict:
    """What Coral and then Trino's analyzer say; the parser's where that has no say.

    Trino reads the types of Coral's columns before the text. Coral knows its own list of functions
    alone, so the estate's get no further. Where the analyzer refuses for want of what newer
    releases have, or gives up, Coral's text is only parsed.
    """
    if verdict.accepted is True or verdict.returns is None:
        return verdict
    if why := next(_without_type(json.loads(verdict.returns)), None):
        return replace(verdict, accepted=False, message=why)
    alone = Functions()
    analyzed = resolved(verdict, entry, alone, declares)
    if analyzed.accepted is False:
        return analyzed
    parsed = replace(verdict, accepted=True, message="", grade=PARSE)
    return weighed_by_trino(parsed, entry, alone, declares)


def weighed_by_trino(verdict: Verdict, _: Entry, __: Functions, ___: bool) -> Verdict:
    """What Coral translates, less what Trino 476 refuses of it at sight, in Trino's words.

    Trino takes the columns that Coral tells for those of the view, analyzes Coral's text, and wants
    each column of it to have a name and a type that becomes the view's by itself. Of that is looked
    at here: types that Trino has no word for, columns without a name, functions that it does not
    have, and the functions whose type Coral gets wrong, where a column is one's value.
    """
    if verdict.accepted is not True or verdict.returns is None:
        return verdict
    why = next(_refusals(verdict.functions, json.loads(verdict.returns)), None)
    return verdict if why is None else replace(verdict, accepted=False, message=why)


def _refusals(functions: Sequence[Name], columns: Sequence[Sequence[str]]) -> Iterator[str]:
    for called in functions:
        if not trino_functions.is_own(called[-1]):
            yield f"Function '{called[-1]}' not registered"
    yield from _without_type(columns)
    for number, (name, kind, call) in enumerate(columns):
        shown = f"column [{name}] of type"
        if name.startswith(_UNNAMED):
            yield f"{shown} {kind} projected from query view at position {number} has no name"
        value_type = _made_by(call, kind)
        if value_type is not None:
            yield (
                f"{shown} {value_type} projected from query view "
                f"cannot be coerced to {shown} {kind}"
            )


def _without_type(columns: Sequence[Sequence[str]]) -> Iterator[str]:
    for _, kind, _ in columns:
        if unknown := _UNKNOWN.search(kind):
            yield f"Unknown type: {unknown[0]}"


def _made_by(call: str, kind: str) -> str | None:
    """The type of a function's value in Trino, where it does not become the one that Coral says."""
    value_type = _VALUES.get(call)
    if call == "avg" and kind not in _WHOLE_NUMBERS:
        return None
    if call == "sum":
        value_type = "decimal(38)" if kind.startswith("decimal(") and "(38," not in kind else None
    return None if value_type is None or kind in _BECOMES[value_type] else value_type


def translated(verdict: Verdict, entry: Entry, dialect: str) -> Returned | None:
    """The columns that Trino shows beside those that the entry declares."""
    if verdict.accepted is not True or verdict.returns is None or entry.columns in _UNTOLD:
        return None
    try:
        declared = [(name, hive.parse(kind)) for name, kind in json.loads(entry.columns)]
        returned = [(name, trino.parse(kind)) for name, kind, _ in json.loads(verdict.returns)]
    except InvalidTypeError:
        return None
    names = tuple(name for name, _ in declared)
    return Returned(TRINO, dialect, _plain_columns(declared), _plain_columns(returned), names)


def _plain_columns(columns: Sequence[tuple[str, DataType]]) -> tuple[Column, ...]:
    return tuple(Column(name, _plain(kind)) for name, kind in columns)


def _plain(kind: DataType) -> DataType:
    """A type without the lengths and digits that Coral does not keep, as Trino spells it then."""
    match kind:
        case Primitive(text) if text.startswith("varchar("):
            return Primitive("string")
        case Primitive(text) if text.startswith("timestamp("):
            return Primitive("timestamp")
        case UnionOf():
            return kind
        case _:
            return with_parts(kind, _plain)
