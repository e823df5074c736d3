"""What Hive's semantic analyzer is told of a view in a metastore, and what its answer is worth.

Hive 2.3 takes the expanded text of any VIRTUAL_VIEW, compiles it as a subquery, and shows the
columns that it returns; what the entry declares it does not look at. Short names are those of the
session's database, which begins in `default`: Hive itself expands them when it stores a view, Spark
does not. Names have two parts at most. Flink (1.20.5) expands names as Hive does where its session
speaks Hive's dialect; in its own they have three parts, and the check FLINK_ENTRY says that.

Texts of Hive's and Spark's views below are told, too: Hive compiles them where they stand, so their
columns have the names and types that they return over what is there now.

What the cost-based optimizer does not compile, which is on by default (`hive.cbo.enable`), Hive
compiles without it, and says what came of that: a NullPointerException at INTERSECT and EXCEPT,
"Invalid function" of a name in USING.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from discovery.checks.subject import Returned
from discovery.datatypes import hive
from discovery.errors import InvalidTypeError
from discovery.judging.analysis import Functions, unjudged, without_function
from discovery.judging.entries import OF_METASTORES, Base, Entry, KnownBase, StoredText
from discovery.judging.metastore_entries import PLACEHOLDER_AS_JSON, columns_as_json, entry_over
from discovery.model import HIVE, Column
from discovery.ports import Verdict

_FUNCTION: Final = re.compile(r"Invalid function")
_CLASS: Final = re.compile(r"^(?:[\w.$]+Exception: )+")


def hive_entry(
    stored: StoredText, reads: Sequence[KnownBase], _: Mapping[str, str]
) -> Entry | None:
    """What Hive's analyzer is told of a view; None: it cannot be told what Hive would see.

    Args:
        stored: The view and its text.
        reads: Everything that the text reads.
    """
    if stored.form not in OF_METASTORES:
        return None
    return entry_over(stored, (*reads, *stored.under), _base)


def _base(read: KnownBase, source: str) -> Base | None:
    """What the metastore has there; None: it is not known, or not what Hive takes it for."""
    identifier = read.identifier
    readable = read.columns is not None and (read.form is None or read.form in OF_METASTORES)
    if not readable or read.source != source or len(identifier.namespace) != 1:
        return None
    columns = columns_as_json(read.columns or (), read.form)
    return (
        None
        if columns is None
        else Base((identifier.namespace[0], identifier.name), columns, read.text)
    )


def compiled(verdict: Verdict, entry: Entry, functions: Functions, _: bool) -> Verdict:
    """The analyzer's answer, as far as it is one about the view."""
    if verdict.accepted is not False:
        return verdict
    verdict = replace(verdict, message=_CLASS.sub("", verdict.message))
    if not _FUNCTION.search(verdict.message):
        return verdict
    if any(base.text for base in entry.bases):
        return unjudged(verdict, "which functions views below call is not known")
    return without_function(verdict, functions)


def returned_by_hive(verdict: Verdict, entry: Entry, dialect: str) -> Returned | None:
    """The columns that Hive shows beside those that the entry declares, which it does not look at.

    None where Spark has left its placeholder for these.
    """
    if verdict.accepted is not True or verdict.returns is None:
        return None
    if entry.columns == PLACEHOLDER_AS_JSON:
        return None
    try:
        declared = _columns(json.loads(entry.columns))
        returned = _columns(json.loads(verdict.returns))
    except InvalidTypeError:
        return None
    return Returned(HIVE, dialect, declared, returned, tuple(column.name for column in declared))


def _columns(columns: Sequence[tuple[str, str]]) -> tuple[Column, ...]:
    return tuple(Column(name, hive.parse(kind)) for name, kind in columns)
