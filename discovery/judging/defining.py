"""What PostgreSQL is told of a view of its own, and what its answer is worth.

A server without data makes the view (`CREATE VIEW`: it analyzes the text and neither plans nor runs
it) over tables with the columns of what it reads. It has PostgreSQL's own functions, types and
collations. What else the database has, and keys of tables, it does not know: what it refuses for
want of these is left to the parser's verdict. Its answers begin with their SQLSTATE (PostgreSQL
18, Appendix A), as `psql` shows them with VERBOSITY verbose.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from discovery.checks.subject import Returned
from discovery.datatypes import postgresql
from discovery.errors import InvalidTypeError
from discovery.judging.analysis import Functions, returned_as, unjudged, without_function
from discovery.judging.calling import KnownFunction
from discovery.judging.entries import Base, Entry, KnownBase, StoredText
from discovery.model import POSTGRESQL, Column
from discovery.ports import Verdict

_WHOLE: Final = 3  # parts of a name with the database
_OF_SERVERS: Final = re.compile(r"pg_|information_schema$")
_FUNCTION: Final = re.compile(r"42883: function (?P<name>[^(\"]+)\(")
_UNKNOWN: Final = (
    (
        re.compile(r"42704|3F000|42883: (function \"|operator does not exist: .{0,200}\w\.\W)"),
        "it names what the database may have beside tables and functions",
    ),
    (re.compile(r'42P01: relation "'), "it names what the database may have beside its tables"),
    (
        re.compile(r"42803: .{0,200}(must appear in the GROUP BY|ungrouped column)"),
        "it may stand on a key, and keys are not known",
    ),
    (
        re.compile(r"42601: (.{0,200}at (or near|end of input)|unterminated)"),
        "other releases have another grammar",
    ),
    (
        re.compile(r"08|25|28|42501|42P0[467]|5[378]|54001|XX|P0"),
        "the server has not got to the end of it",
    ),
)
"""Refusals that say nothing of the view, by their SQLSTATE, and why."""
_OF_NAMES: Final = re.compile(r"4270[23]:")
"""A column that is not there, or in two tables: whatever types there are."""
_MADE: Final = re.compile(
    r"""(?P<schema>{0})\.(?P<name>{0})(?:\([^()]*\))?(?P<arrays>(?:\[\])*)""".format(
        r"""(?:[a-z_][a-z0-9_$]*|"(?:[^"]|"")+")"""
    )
)
"""A type with its schema, as `format_type` spells those that are not PostgreSQL's own."""


class MadeType(NamedTuple):
    """A type that the database has made or an extension brings: enums, domains, `vector`.

    A domain of texts stands for it: it takes each literal and compares. More than the type takes it
    may take, which is no matter to a view that the database has taken.

    Attributes:
        schema: It is in this one.
        name: Its own.
        arrays: `[]` for each dimension of an array of it.
    """

    schema: str
    name: str
    arrays: str


def made_type(spelled: str) -> MadeType | None:
    """A type that is not PostgreSQL's own; None: nothing can stand for it.

    Args:
        spelled: As the database spells it, with its schema.
    """
    parts = _MADE.fullmatch(spelled)
    if parts is None:
        return None
    schema, name = (_unquoted(parts[part]) for part in ("schema", "name"))
    return None if _OF_SERVERS.match(schema) else MadeType(schema, name, parts["arrays"])


def _unquoted(name: str) -> str:
    return name[1:-1].replace('""', '"') if name.startswith('"') else name


def over_made_types(verdict: Verdict, types: Sequence[MadeType]) -> Verdict:
    """The server's answer where domains stood for types: these take other things than it has said.

    What is refused for a type the database may take. Which columns it returns is not known either:
    of a domain functions return what is below it.
    """
    if not types or verdict.accepted is None or _OF_NAMES.match(verdict.message):
        return verdict
    if verdict.accepted:
        return replace(verdict, returns=None)
    names = ", ".join(sorted({f"{made.schema}.{made.name}" for made in types}))
    return unjudged(verdict, f"what it reads is of types that the database has made: {names}")


def postgresql_entry(
    stored: StoredText, reads: Sequence[KnownBase], _: Mapping[str, str]
) -> Entry | None:
    """What PostgreSQL is told of a view; None: it cannot be told what the database would see.

    Args:
        stored: The view and its text, in a database of PostgreSQL.
        reads: Everything that the text reads.
    """
    view, text = stored.view, stored.text
    place, database = view.identifier, text.default_catalog
    if stored.form != POSTGRESQL or len(place.namespace) != 1 or len(text.default_levels) > 1:
        return None
    if database is None and any(len(read.written) == _WHOLE for read in reads):
        return None
    bases = [_base(read, stored.source) for read in reads]
    known_bases = [base for base in bases if base is not None]
    columns = _columns(view.columns)
    if columns is None or len(known_bases) < len(bases):
        return None
    return Entry(
        place=place,
        columns=columns,
        by_position=True,
        context=(database or "", (text.default_levels or place.namespace)[0]),
        bases=tuple(dict.fromkeys(known_bases)),
        functions=tuple(call for call in stored.calls if _can_be_told(call, stored.source)),
    )


def _can_be_told(function: KnownFunction, source: str) -> bool:
    """Whether a function with its parameters and nothing behind them can stand for it."""
    return (
        function.source == source
        and len(function.namespace) == 1
        and function.signature is not None
    )


def _base(read: KnownBase, source: str) -> Base | None:
    """What the database has there; None: it is not known, or the server's own."""
    place = read.identifier
    if read.source != source or read.columns is None or len(place.namespace) != 1:
        return None
    if _OF_SERVERS.match(place.namespace[0]):
        return None
    columns = _columns(read.columns)
    return None if columns is None else Base((place.namespace[0], place.name), columns)


@lru_cache(maxsize=4_096)
def _columns(columns: tuple[Column, ...]) -> str | None:
    """Names and PostgreSQL's types; None where it has none."""
    try:
        return json.dumps([(column.name, postgresql.spell(column.type)) for column in columns])
    except InvalidTypeError:
        return None


def defined(verdict: Verdict, entry: Entry, functions: Functions, _: bool) -> Verdict:
    """The server's answer, as far as it is one about the view."""
    if verdict.accepted is not False:
        return verdict
    if called := _FUNCTION.match(verdict.message):
        if called["name"].startswith("pg_"):
            return unjudged(verdict, "releases differ in the functions that administrators call")
        return without_function(verdict, functions)
    for pattern, why in _UNKNOWN:
        if pattern.match(verdict.message):
            return unjudged(verdict, why)
    if not entry.context[0] and "cross-database references" in verdict.message:
        return unjudged(verdict, "which database it is in is not known")
    return verdict


def returned_by_postgresql(verdict: Verdict, entry: Entry, dialect: str) -> Returned | None:
    """The columns of the view as the server makes it, beside those that it declares."""
    return returned_as(POSTGRESQL, dialect, verdict, entry, _parse_columns)


def _parse_columns(returns: str) -> tuple[Column, ...]:
    return tuple(Column(name, postgresql.parse(kind)) for name, kind in json.loads(returns))
