"""A statement in another dialect, as sqlglot makes it: a proposal, of which nothing is believed.

On hostile texts it can take for ever: call it where it can be stopped.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import sqlglot
from sqlglot import ErrorLevel, exp

from discovery.engines import engine
from discovery.lineage.idioms import (
    cut_to_nothing,
    has_cast_to_char,
    of_two_texts,
    put_plainly,
    written_plainly,
    year_of_week,
)
from discovery.lineage.meanings.keeping import keep_meaning
from discovery.lineage.meanings.native import meant_otherwise
from discovery.lineage.meanings.pair import OtherMeaningError
from discovery.lineage.respelling import casefolded, respelled
from discovery.lineage.scopes import GIVES_UP, LONGEST, names, readable
from discovery.model import HIVE, TRINO, Column
from discovery.ports import Name


class Translation(NamedTuple):
    """What came of it.

    Attributes:
        sql: The statement; empty: there is none.
        why: Why there is none.
        doubts: What may be otherwise for some values, in words.
    """

    sql: str = ""
    why: str = ""
    doubts: tuple[str, ...] = ()


_BARE: Final = re.compile(r"AS TIME(STAMP)?( WITH TIME ZONE)?\)")
_TIMES: Final = (
    exp.DType.TIMESTAMP,
    exp.DType.TIMESTAMPNTZ,
    exp.DType.TIMESTAMPTZ,
    exp.DType.TIME,
    exp.DType.TIMETZ,
)
_SHOWN: Final = 200  # characters of what it says


def translated(
    sql: str,
    dialect: str,
    into: str,
    spelled: Mapping[Name, Name],
    columns: Mapping[Name, Sequence[Column]],
) -> Translation:
    """A statement in another dialect, its tables by other names.

    The names are written first, in the statement as it is, byte for byte the same elsewhere; then
    it is translated, and what comes out must read these tables and no others. What sqlglot says
    that it cannot say there makes no text.

    Args:
        sql: The statement.
        dialect: Its dialect.
        into: The dialect that is wanted.
        spelled: Each table that it reads, as it spells it, to its name there.
        columns: The same to the columns of the table.
    """
    if reason := _why_untranslated(sql, dialect, into):
        return Translation(why=reason)
    named = respelled(sql, dialect, spelled)
    if named is None:
        return Translation(why="sqlglot does not find the tables in it by their names")
    columns_by_table = {name: columns[old] for old, name in spelled.items() if old in columns}
    translation = _written(readable(named, dialect), dialect, into, columns_by_table)
    if translation.why:
        return translation
    reads = names(translation.sql, into)
    if reads is None:
        return Translation(why="what sqlglot makes of it is no statement to itself")
    wanted = {casefolded(name) for name in spelled.values()}
    if {casefolded(name) for name in reads[0]} != wanted:
        return Translation(why="the translation would read other tables")
    return translation


def _why_untranslated(sql: str, dialect: str, into: str) -> str:
    """Why a text is not even begun with; empty: it is."""
    for name in (dialect, into):
        if engine(name).sqlglot is None:
            return f"sqlglot has no dialect {name}"
    return "it is too long" if len(sql) > LONGEST else ""


def _written(
    sql: str, dialect: str, into: str, columns: Mapping[Name, Sequence[Column]]
) -> Translation:
    """A statement as sqlglot writes it, or why there is none."""
    write = engine(into).sqlglot or ""
    try:
        if why := _has_another_value(sql, dialect):
            return Translation(why=why)
        trees = sqlglot.parse(written_plainly(sql, dialect), read=engine(dialect).sqlglot)
        if len(trees) != 1 or not isinstance(trees[0], exp.Query):
            return Translation(why="it is no query to sqlglot")
        plain = put_plainly(trees[0], dialect, into)
        same, doubts = keep_meaning(plain, dialect, into, columns)
        text = same.sql(write, unsupported_level=ErrorLevel.RAISE)
        if dialect == HIVE and engine(into).hive_functions:
            doubts += tuple(_left_as_they_were(sql, text, into, columns, doubts))
        return Translation(_whole_times(text, write), doubts=doubts)
    except OtherMeaningError as error:
        return Translation(why=str(error))
    except GIVES_UP as error:
        message = " ".join(str(error).split())[:_SHOWN]
        return Translation(why=f"sqlglot: {message or type(error).__name__}")


def _has_another_value(sql: str, dialect: str) -> str:
    """Why no translation of a text has its values; empty: nothing is known."""
    if literal := of_two_texts(sql, dialect):
        return f"{literal:.60} is another text in Spark 3 than in Spark 4"
    if written := year_of_week(sql, dialect):
        return f"in {written:.60}, YYYY is the year of the week"
    if has_cast_to_char(sql, dialect):
        return "its cast to CHAR fills up with blanks, as no other engine does"
    unit = cut_to_nothing(sql, dialect)
    return f"{unit!r:.60} is no unit to Spark: what is cut to it is NULL" if unit else ""


def _left_as_they_were(
    sql: str,
    draft: str,
    into: str,
    columns: Mapping[Name, Sequence[Column]],
    doubts: Sequence[str],
) -> Iterator[str]:
    """What an engine reads otherwise in a text of Hive, and still would in the draft for it."""
    meanings = [
        meaning
        for meaning in meant_otherwise(sql, HIVE, columns, with_flink=False) or ()
        if meaning.engine == into and not any(meaning.what in doubt for doubt in doubts)
    ]
    if not meanings:  # as of most: it takes as long again to look through the draft
        return
    of_draft = meant_otherwise(draft, HIVE, columns, with_flink=False) or ()
    left = {meaning.what for meaning in of_draft if meaning.engine == into}
    for meaning in meanings:
        if meaning.what in left:
            yield f"{meaning.expression}: {meaning.what}"


def _whole_times(text: str, write: str) -> str:
    """A text for Trino without casts to `TIMESTAMP` or `TIME`, which round to thousandths (476)."""
    if write != engine(TRINO).sqlglot or not _BARE.search(text):
        return text
    tree = sqlglot.parse_one(text, read=write)
    for kind in tree.find_all(exp.DataType):
        if kind.is_type(*_TIMES) and not kind.expressions:
            kind.set("expressions", [exp.DataTypeParam(this=exp.Literal.number(6))])
    return tree.sql(write, unsupported_level=ErrorLevel.RAISE)


def literals(sql: str, dialect: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The numbers and the texts that stand in a statement; none where sqlglot cannot read it."""
    try:
        tree = sqlglot.parse_one(readable(sql, dialect), read=engine(dialect).sqlglot)
        values = [(literal.is_string, str(literal.this)) for literal in tree.find_all(exp.Literal)]
    except GIVES_UP:
        return (), ()
    numbers, texts = (
        [value for is_string, value in values if is_string is is_text] for is_text in (False, True)
    )
    return tuple(dict.fromkeys(numbers)), tuple(dict.fromkeys(texts))
