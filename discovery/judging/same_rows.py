"""Whether a running engine gets the same rows of a view where it was and where it was written.

The first rows by all columns that have an order, in the types of the target: so both sides
are asked for the same ones. What differs is told by row and column, never by value: rows
are somebody's data. A source that answers otherwise when it is asked again proves nothing.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from discovery.display import quantity
from discovery.errors import BelvedereError, InvalidTypeError
from discovery.judging.asking import Dialogue, Reply, described_by, quoted, statements
from discovery.model import DataType, Identifier, ListOf, Primitive, Struct

MOST: Final = 10_000
"""Rows of a sample at most: both are held in memory."""
_NAMED: Final = 5  # columns that are named where they differ

Ask = Callable[[str], Reply]


class Alike(StrEnum):
    """What the comparison of rows came to."""

    SAME = "same"
    OTHER = "other"
    UNKNOWN = "not compared"


class ShownView(NamedTuple):
    """A view as the engine shows it: in one of its catalogs."""

    catalog: str
    view: Identifier


class RowsAnswer(NamedTuple):
    """What is known of the rows.

    Attributes:
        alike: Whether they are the same.
        rows: How many of the target were compared.
        why: What differs, what was left out, or why nothing was compared; None: nothing to say.
    """

    alike: Alike
    rows: int = 0
    why: str | None = None


class _Unanswered(Exception):  # noqa: N818 - it ends a dialogue, and is none to the caller
    """There is no answer, and why."""


def compare_rows(
    dialogue: Dialogue, source: ShownView, target: ShownView, limit: int, ask: Ask
) -> RowsAnswer:
    """Ask for the same sample on both sides; whatever goes wrong is told, and is no answer.

    Args:
        dialogue: How the engine is asked.
        source: The view where it was.
        target: The view where it was written.
        limit: Rows at most.
        ask: Sends a statement.
    """
    if not dialogue.samples:
        return RowsAnswer(Alike.UNKNOWN, why=f"{dialogue.engine} is not asked for rows")
    try:
        return _compare(dialogue, source, target, limit, ask)
    except _Unanswered as why:
        return RowsAnswer(Alike.UNKNOWN, why=str(why))
    except BelvedereError as error:
        return RowsAnswer(Alike.UNKNOWN, why=f"{error.code}: {error.message}")


def _compare(
    dialogue: Dialogue, source: ShownView, target: ShownView, limit: int, ask: Ask
) -> RowsAnswer:
    target_columns = _ask_for_columns(dialogue, "target", target, ask)
    source_columns = _ask_for_columns(dialogue, "source", source, ask)
    if len(source_columns) != len(target_columns):
        why = f"{len(source_columns)} columns at the source, {len(target_columns)} at the target"
        return RowsAnswer(Alike.OTHER, why=why)
    kept = [number for number, (_, kind) in enumerate(target_columns) if _has_order(dialogue, kind)]
    if not kept:
        raise _Unanswered("no column has an order, by which the same rows could be asked for")
    kinds = [target_columns[index][1] for index in kept]
    at_source, at_target = (
        _sample_query(dialogue, shown, [columns[index] for index in kept], kinds, limit)
        for shown, columns in ((source, source_columns), (target, target_columns))
    )
    source_rows, reply = _rows(ask(at_source)), ask(at_target)
    if reply.refusal is not None and not dialogue.beside(reply.refusal):
        return RowsAnswer(
            Alike.OTHER, why=f"rows at the source, {reply.refusal.name} at the target"
        )
    target_rows = _rows(reply, "target")
    if difference := _difference(
        source_rows, target_rows, [target_columns[index][0] for index in kept]
    ):
        if _rows(ask(at_source)) != source_rows:
            raise _Unanswered("the source itself has other rows each time that it is asked")
        return RowsAnswer(Alike.OTHER, len(target_rows), difference)
    without = [name for number, (name, _) in enumerate(target_columns) if number not in kept]
    left_out = f"without {_names_text(without)}, which have no order" if without else None
    return RowsAnswer(Alike.SAME, len(target_rows), left_out)


def _ask_for_columns(dialogue: Dialogue, side: str, shown: ShownView, ask: Ask) -> list[list[str]]:
    parts = dialogue.parts(*shown)
    if parts is None:
        raise _Unanswered(f"{side}: {dialogue.engine} has no name for {shown.view}")
    _, describes = statements(dialogue, parts)
    reply = ask(describes)
    if reply.refusal is not None:
        raise _Unanswered(f"{side}: {reply.refusal.message}")
    return described_by(reply)


def _sample_query(
    dialogue: Dialogue,
    shown: ShownView,
    columns: Sequence[Sequence[str]],
    kinds: Sequence[str],
    limit: int,
) -> str:
    """What asks for the first rows of some columns, in these types where they have others."""
    wanted = [
        f"CAST({quoted(dialogue, [name])} AS {kind})" if kind != own else quoted(dialogue, [name])
        for (name, own), kind in zip(columns, kinds, strict=True)
    ]
    parts = dialogue.parts(*shown) or ()
    order = ", ".join(str(number) for number, _ in enumerate(wanted, 1))
    where = quoted(dialogue, parts)
    select = f"SELECT {', '.join(wanted)} FROM {where}"  # noqa: S608 - names are quoted
    return f"{select} ORDER BY {order} LIMIT {limit}"


def _rows(reply: Reply, side: str = "source") -> list[list[object]]:
    """The rows; of an error only its name is told: its message may show a value."""
    if reply.refusal is not None:
        raise _Unanswered(f"{side}: {reply.refusal.name or 'an error without a name'}")
    return [list(row) for row in reply.rows]


def _difference(
    source_rows: Sequence[Sequence[object]],
    target_rows: Sequence[Sequence[object]],
    names: Sequence[str],
) -> str:
    """What is otherwise, in words and without a value; empty: nothing is."""
    if len(source_rows) != len(target_rows):
        return (
            f"{quantity(len(source_rows), 'row')} at the source, {len(target_rows):,} at the target"
        )
    pairs = [pair for pair in zip(source_rows, target_rows, strict=True) if pair[0] != pair[1]]
    if not pairs:
        return ""
    differing = [
        name
        for at, name in enumerate(names)
        if any(source_row[at] != target_row[at] for source_row, target_row in pairs)
    ]
    return (
        f"{len(pairs):,} of {len(target_rows):,} rows have other values in {_names_text(differing)}"
    )


def _names_text(names: Sequence[str]) -> str:
    rest = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + rest


def _has_order(dialogue: Dialogue, text: str) -> bool:
    try:
        return _is_ordered(dialogue.read(text))
    except InvalidTypeError:
        return False


def _is_ordered(kind: DataType) -> bool:
    """Whether the values of a type have an order: maps have none, nor has what only Trino knows."""
    match kind:
        case Primitive():
            return True
        case ListOf(element):
            return _is_ordered(element)
        case Struct(fields):
            return all(_is_ordered(field.type) for field in fields)
        case _:
            return False
