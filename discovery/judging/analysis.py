"""What an analyzer's answer is worth: what it rejects for want of our knowledge is not judged."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from discovery.checks.subject import Returned
from discovery.datatypes import spark
from discovery.errors import InvalidTypeError
from discovery.judging.entries import Entry
from discovery.model import SPARK, Column
from discovery.ports import Verdict

_FUNCTION: Final = re.compile(r"\[UNRESOLVED_ROUTINE|\[UNRESOLVABLE_TABLE_VALUED")
_CORRUPTED: Final = re.compile(r"\[CORRUPTED_CATALOG_FUNCTION")
_METADATA: Final = re.compile(
    r"\[UNRESOLVED_COLUMN.{0,120}?name (`[^`]*`\.)*"
    r"`(_metadata|_file|_pos|_partition|_spec_id|_deleted|_row_id|_last_updated_sequence_number)`",
    re.DOTALL,
)
_BY_HIVE: Final = re.compile(r"_c[0-9]+")  # `isHiveCreatedView`
_OUTPUT: Final = "view.query.out"
_EMPTY: Final = '{"type":"struct","fields":[]}'


@dataclass(frozen=True, slots=True)
class Functions:
    """What is known of the functions that a text calls.

    Attributes:
        ours: Whether it calls one that the estate has: the analyzer knows the engine's own alone.
        listed: Whether the source of the view has told all of its functions.
    """

    ours: bool = False
    listed: bool = True


def weighed(verdict: Verdict, entry: Entry, functions: Functions, declares: bool) -> Verdict:
    """The answer of Spark's analyzer, as far as it is one about the view.

    Args:
        verdict: What it said.
        entry: What it was told.
        functions: Of the text.
        declares: Whether the view, as its own engine sees it, has columns.
    """
    if entry.refused:
        return Verdict(False, entry.refused)
    if verdict.accepted is False and _FUNCTION.search(verdict.message):
        return without_function(verdict, functions)
    if verdict.accepted is False and _CORRUPTED.search(verdict.message):
        return unjudged(verdict, "a type of a function that it calls is not as Spark spells types")
    if verdict.accepted is False and _METADATA.search(verdict.message):
        return unjudged(verdict, "it reads a metadata column, which only the real table has")
    if verdict.accepted and declares and entry.columns == _EMPTY:
        message = "the entry has no columns where the engine looks for them: it would return none"
        return replace(verdict, accepted=False, message=message)
    return verdict


def unjudged(verdict: Verdict, why: str) -> Verdict:
    """A rejection that is one for want of our knowledge."""
    return Verdict(None, f"{why}: {verdict.message}", returns=verdict.returns)


def without_function(verdict: Verdict, functions: Functions) -> Verdict:
    """A rejection for a function that the analyzer does not have."""
    if functions.ours:
        return unjudged(verdict, "it calls a function of the estate, whose types are unknown")
    if not functions.listed:
        return unjudged(verdict, "which functions its source has is not known")
    return verdict


def returned_as(
    engine: str,
    dialect: str,
    verdict: Verdict,
    entry: Entry,
    read: Callable[[str], tuple[Column, ...]],
) -> Returned | None:
    """What an engine returns for one of its own views, by position, beside what that declares.

    Args:
        engine: The engine.
        dialect: Of the text.
        verdict: What its analyzer said.
        entry: What that was told.
        read: Reads the columns of both.
    """
    if verdict.returns is None or not entry.by_position:
        return None
    try:
        return Returned(engine, dialect, read(entry.columns), read(verdict.returns))
    except InvalidTypeError:
        return None


def returned(verdict: Verdict, entry: Entry, dialect: str) -> Returned | None:
    """What the text returns beside what its entry declares; None: Spark's analyzer cannot tell."""
    if verdict.returns is None or entry.columns == _EMPTY:
        return None
    try:
        declared = spark.columns(json.loads(entry.columns))
        columns = spark.columns(json.loads(verdict.returns))
    except InvalidTypeError:
        return None
    if entry.functions:  # the stubs of which give NULL, and what they stand for need not
        columns = tuple(column._replace(nullable=False) for column in columns)
    names = tuple(column.name for column in declared)
    return Returned(SPARK, dialect, declared, columns, _sought(names, entry))


def _sought(names: tuple[str, ...], entry: Entry) -> tuple[str, ...] | None:
    """The names that Spark looks for (`SessionCatalog.fromCatalogTable`); None: by position."""
    if entry.by_position:
        return None
    noted: Mapping[str, str] = dict(entry.properties)
    if f"{_OUTPUT}.numCols" in noted:
        return tuple(
            noted.get(f"{_OUTPUT}.col.{number}", name) for number, name in enumerate(names)
        )
    return None if any(map(_BY_HIVE.fullmatch, names)) else names
