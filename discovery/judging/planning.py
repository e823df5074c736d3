"""What Flink's planner is told of a view in a metastore, and what its answer says of columns.

Flink reads entries of Hive and Spark as its own (`HiveCatalog`): it plans the expanded text in the
view's own catalog and database, unless the session has such names, too (`discovery.engines`),
renames the columns that it returns by position, and casts them (`SqlCatalogViewTable`); where there
are more or fewer than the entry declares, it says "Field counts are not equal". It reads no table
with transactions (`HiveTableUtil.checkAcidTable` of its connector, 1.20.5 asked). It compares names
of columns as they are spelled, and those of Hive's tables are in lower case. Databases and tables
the metastore finds in any case.

What catalogs are called is up to the session: that of the metastore is here what the text calls it,
else what the configuration does. Other catalogs are left to the parser, and so is what the tables
of Flink have beside columns: time attributes and keys.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from discovery.checks.subject import Returned
from discovery.datatypes import flink, hive
from discovery.errors import InvalidTypeError
from discovery.judging.analysis import Functions, returned_as, unjudged, without_function
from discovery.judging.entries import (
    OF_METASTORES,
    Base,
    Entry,
    KnownBase,
    StoredText,
)
from discovery.judging.stored_types import columns_in_entry, refused_type
from discovery.model import FLINK, Column, Identifier
from discovery.ports import Verdict

_WHOLE: Final = 3  # parts of a name with catalog and database
_NO_COLUMNS: Final = "[]"
_OF_OTHERS: Final = OF_METASTORES - {FLINK}
_UNREAD: Final = re.compile(r"\buniontype<|\b(void|timestamp with local time zone)\b(?!:)")
"""Hive's types that Flink 1.20 refuses, in a view or in a table (`HiveTypeUtil`)."""
_FUNCTION: Final = re.compile(r"No match found for function signature|function \S+ does not exist")
_AMBIGUOUS: Final = re.compile(r"Column '.*' is ambiguous")
"""Of a text with short names; beside it the entry has one that was written out when it was made."""
_OF_TABLES: Final = re.compile(
    r"time attribute|rowtime|proctime|watermark|primary key|temporal|metadata column", re.IGNORECASE
)
_IN_STREAMING: Final = " in streaming mode: "
"""Before what a session in streaming mode says, where one in batch mode says something else."""
_OF_COLUMNS: Final = re.compile(r"Field counts are not equal|(Column|Object|Table) '.*' not found")
"""Of names and numbers of columns, whatever these are called: `rowtime`, or marked as one."""


def flink_entry(
    stored: StoredText, reads: Sequence[KnownBase], catalogs: Mapping[str, str]
) -> Entry | None:
    """What Flink's planner is told of a view; None: it cannot be told what Flink would see.

    Args:
        stored: The view and its text.
        reads: Everything that the text reads.
        catalogs: Flink's names of catalogs to their sources, as the configuration has them.
    """
    view, text = stored.view, stored.text
    if stored.form not in OF_METASTORES or len(view.identifier.namespace) != 1:
        return None
    if unread := refused_type(_entries(stored, reads), _UNREAD):
        message = f"Flink doesn't support Hive data type {unread} yet."
        return Entry(place=view.identifier, columns=_NO_COLUMNS, refused=message)
    if acid := next((read.identifier for read in reads if read.acid), None):
        message = f"Reading or writing ACID table {acid} is not supported."
        return Entry(place=view.identifier, columns=_NO_COLUMNS, refused=message)
    if any(read.source != stored.source for read in reads):
        return None
    home = _home(stored, reads, catalogs)
    levels = text.default_levels if stored.form == FLINK else ()
    within = levels or view.identifier.namespace
    bases = [_base(read, home) for read in reads]
    columns = _columns(view.columns, stored.form)
    known_bases = [base for base in bases if base is not None]
    if columns is None or len(within) != 1 or len(known_bases) < len(bases):
        return None
    place = Identifier((home, *within), view.identifier.name)
    own = stored.form == FLINK
    return Entry(
        place=place,
        columns=columns,
        by_position=own,
        context=((own and text.default_catalog) or "", (own and text.default_schema) or ""),
        bases=tuple(known_bases),
    )


def _entries(
    stored: StoredText, reads: Sequence[KnownBase]
) -> Iterator[tuple[Sequence[Column], str | None]]:
    """The entries that are not Flink's own: of the view, and of what is below in its metastore."""
    own = KnownBase(
        (), None, stored.source, stored.view.identifier, stored.view.columns, stored.form
    )
    for known_base in (own, *reads):
        if known_base.source == stored.source and (
            known_base.form is None or known_base.form in _OF_OTHERS
        ):
            yield known_base.columns or (), known_base.form


def _home(stored: StoredText, reads: Sequence[KnownBase], catalogs: Mapping[str, str]) -> str:
    """What the session calls the catalog of the metastore, as far as anybody says."""
    if stored.form == FLINK:
        named = [read.written[0] for read in reads if len(read.written) == _WHOLE]
        if stored.text.default_catalog or named:
            return stored.text.default_catalog or named[0]
    configured = sorted(name for name, source in catalogs.items() if source == stored.source)
    return configured[0] if configured else stored.source


def _base(read: KnownBase, home: str) -> Base | None:
    """A table in the metastore's catalog; None: what Flink sees of it is not known.

    Flink's own tables have their columns elsewhere in the entry.
    """
    place = read.identifier
    own = read.form is None or read.form in OF_METASTORES
    if not own or not read.columns or len(place.namespace) != 1:
        return None
    columns = _columns(read.columns, read.form, read.flink_times or ())
    return None if columns is None else Base((home, *place.namespace, place.name), columns)


@lru_cache(maxsize=4_096)
def _columns(
    columns: tuple[Column, ...], form: str | None, times: tuple[tuple[str, str], ...] = ()
) -> str | None:
    """Names and Flink's types; None where Flink has none, or nobody knows what the entry says.

    Time attributes are marked behind their types, as Flink shows them: `TIMESTAMP(3) *ROWTIME*`.
    """
    marks = {name: f" *{kind}*" for name, kind in times}
    try:
        if form == FLINK:
            spelled = [
                (
                    column.name,
                    flink.spell(column.type, nullable=column.nullable) + marks.get(column.name, ""),
                )
                for column in columns
            ]
        else:
            kept = columns_in_entry(columns, form)
            spelled = [(name, flink.spell(hive.parse(kind))) for name, kind in kept]
    except InvalidTypeError:
        return None
    return json.dumps(spelled)


def planned(verdict: Verdict, entry: Entry, functions: Functions, _: bool) -> Verdict:
    """The planner's answer, as far as it is one about the view."""
    if entry.refused:
        return Verdict(False, entry.refused)
    if verdict.accepted is not False:
        return verdict
    if _FUNCTION.search(verdict.message):
        verdict = without_function(verdict, functions)
    if entry.context[0] and _AMBIGUOUS.search(verdict.message):
        return unjudged(verdict, "Flink runs the other text, which says whose column that is")
    in_each_mode = verdict.message.split(_IN_STREAMING)
    if verdict.accepted is False and any(map(_is_of_table, in_each_mode)):
        return unjudged(verdict, "it asks for what only the real table has beside columns")
    return verdict


def _is_of_table(message: str) -> bool:
    return bool(_OF_TABLES.search(message)) and not _OF_COLUMNS.search(message)


def returned_by_position(verdict: Verdict, entry: Entry, dialect: str) -> Returned | None:
    """The columns that Flink finds beside those that one of its own views declares."""
    return returned_as(FLINK, dialect, verdict, entry, _parse_columns)


def _parse_columns(returns: str) -> tuple[Column, ...]:
    parsed = [(name, flink.parse(kind)) for name, kind in json.loads(returns)]
    return tuple(Column(name, kind, None, nullable) for name, (kind, nullable) in parsed)
