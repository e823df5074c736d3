"""Rows that are made up to tell two texts apart, and whether the answers are the same.

Values lie at the borders of what a text compares with: each literal of it, what is just below and
just above, in other case, cut, and with what its pattern stands for; beside them zero, negative and
odd numbers, halves, empty texts, NULLs and duplicates. What is somebody's never goes in: only the
literals that stand in the text.

Answers are compared as multisets of rows. Numbers are the same if they are equal, of `double` to 12
digits and of `float` to 6; `char` without the blanks at its end; instants in UTC.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from typing import Final, NamedTuple

from discovery.judging.same_rows import Alike, RowsAnswer
from discovery.model import Column, DataType, Primitive

Cells = tuple[str | None, ...]
"""A row: each value as a text that the engines cast to the column's type; None: NULL."""

MOST: Final = 10_000
"""Rows of an answer at most."""
_PAIRS: Final = 8_000  # rows of all tables, joined without a condition
_MOST_OF_ONE: Final = 48
_LEAST: Final = 3
_SIZED: Final = re.compile(r"(varchar|char)\((\d+)\)")
_DECIMAL: Final = re.compile(r"decimal\((\d+),\s*(\d+)\)")
_FRACTION: Final = re.compile(r"\((\d+)\)")
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_PATTERN: Final = re.compile("[%_]")
_TEXTS: Final = ("a", "", "B", "ab", "a-b c", "a,b", "é", " a ", "12", "a_b", "a%b", "a\\b", "Ab")
_NUMBERS: Final = ("0", "1", "-1", "2", "7", "-3")
_HALVES: Final = ("0", "0.5", "1.5", "2.5", "-2.5", "1", "10")
_TIMES: Final = ("00:00:00", "23:59:59.5", "12:34:56.789")
_MILLIS: Final = 3  # digits behind the point, of a type that does not say how many
_DAYS: Final = ("2024-02-29", "2023-12-31", "2024-01-01", "1999-12-26")
_SHOWN: Final = 300  # characters of a row


class Literals(NamedTuple):
    """What stands in a text as it is.

    Attributes:
        numbers: As they are written.
        texts: Between quotes, without these.
    """

    numbers: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MadeTable:
    """A table with made-up rows.

    Attributes:
        name: Of the table.
        columns: That values are made for.
        rows: Its rows.
    """

    name: str
    columns: tuple[Column, ...]
    rows: tuple[Cells, ...]

    def backwards(self) -> "MadeTable":
        """The same rows in another order."""
        return MadeTable(self.name, self.columns, self.rows[::-1])


def kind_of(kind: DataType) -> str:
    """The kind of values that a type has; empty: none are made, nor compared."""
    if not isinstance(kind, Primitive):
        return ""
    return _KINDS.get(kind.text.partition("(")[0], "")


_KINDS: Final[Mapping[str, str]] = {
    "boolean": "boolean",
    **dict.fromkeys(("byte", "short", "integer", "long"), "whole"),
    **dict.fromkeys(("float", "double"), "float"),
    "decimal": "decimal",
    **dict.fromkeys(("string", "varchar", "char"), "text"),
    "date": "date",
    **dict.fromkeys(("timestamp", "timestamp_tz"), "timestamp"),
}


def made_tables(
    tables: Sequence[tuple[str, Sequence[Column]]], literals: Literals, *, tame: bool
) -> tuple[MadeTable, ...]:
    """Tables with rows, of the columns that values can be made for.

    Args:
        tables: Names, and their columns.
        literals: Of the text.
        tame: Whether values are left out that make texts fail: zero, and texts that are no number.
    """
    each = int(_PAIRS ** (1 / max(1, len(tables))))
    most = max(_LEAST, min(_MOST_OF_ONE, each))
    filled = []
    for shift, (name, columns) in enumerate(tables):
        fillable = tuple(column for column in columns if kind_of(column.type))
        values = [_values(column, literals, tame=tame) for column in fillable]
        filled.append(MadeTable(name, fillable, tuple(_rows(fillable, values, most, shift))))
    return tuple(filled)


def _rows(
    columns: Sequence[Column], values: Sequence[Cells], most: int, shift: int
) -> Iterator[Cells]:
    """Each value once, next to others; then with other neighbours; a row of NULLs, one twice."""
    longest = max(map(len, values), default=1)
    one_by_one = [_row(values, number, 0) for number in range(longest)]
    shuffled = [_row(values, number, 3 + shift) for number in range(longest)]
    half = max(1, (most - 2) // 2)
    rows = [*one_by_one[: most - 2 - min(half, longest)], *shuffled[:half]][: most - 2]
    yield from rows
    yield tuple(rows[0][n] if not column.nullable else None for n, column in enumerate(columns))
    yield rows[0]


def _row(values: Sequence[Cells], number: int, shift: int) -> Cells:
    return tuple(cells[(number + n * shift) % len(cells)] for n, cells in enumerate(values))


def _values(column: Column, literals: Literals, *, tame: bool) -> Cells:
    kind = column.type
    texts = _MAKERS[kind_of(kind)](kind.text if isinstance(kind, Primitive) else "", literals)
    if tame:
        texts = [text for text in texts if text not in {"", "0"}]
        if kind_of(kind) == "text":
            texts = [text for text in texts if text.isdecimal()] + ["1", "2", "10"]
    every = tuple(dict.fromkeys(texts))[:_MOST_OF_ONE]
    return (*every[:3], None, *every[3:]) if column.nullable else every


def _integers(kind: str, literals: Literals) -> list[str]:
    integers = [
        int(decimal) + step for decimal in _decimals(literals.numbers) for step in (0, -1, 1)
    ]
    limit = _LIMITS.get(kind, _LARGE)
    return [*(str(number) for number in integers if abs(number) < limit), *_NUMBERS]


def _fractions(kind: str, literals: Literals) -> list[str]:
    digits = _DECIMAL.fullmatch(kind)
    precision, scale = (int(digits[1]), int(digits[2])) if digits else (18, 2)
    step = Decimal(1).scaleb(-scale)
    decimals = [decimal + by for decimal in _decimals(literals.numbers) for by in (0, -step, step)]
    decimals += [Decimal(half) for half in _HALVES]
    decimals += [decimal + Decimal("0.5") for decimal in _decimals(literals.numbers)]
    limit = Decimal(10) ** (precision - scale)
    return [str(decimal.quantize(step)) for decimal in decimals if abs(decimal) < limit]


def _texts(kind: str, literals: Literals) -> list[str]:
    texts: list[str] = []
    for text in literals.texts:
        plain = _PATTERN.sub("", text)
        texts += [text, text.upper(), text.lower(), text[:-1], f"{text}x", plain]
        texts += [_PATTERN.sub("x", text), f"x{plain}", f"{plain}{plain}"]
    sized = _SIZED.fullmatch(kind)
    length = int(sized[2]) if sized else None
    return [text[:length] for text in (*texts, *_TEXTS) if "\0" not in text]


def _days(_: str, literals: Literals) -> list[str]:
    dates = []
    for text in literals.texts:
        for day in _DAY.findall(text):
            with suppress(ValueError, OverflowError):
                parsed = date.fromisoformat(day)
                dates += [str(parsed + timedelta(days)) for days in (0, -1, 1)]
    return [*dates, *_DAYS]


def _instants(kind: str, literals: Literals) -> list[str]:
    days = _days("", literals)
    digits = _FRACTION.search(kind)
    kept = int(digits[1]) if digits else _MILLIS
    at = [time[: len("00:00:00") + (kept and kept + 1)] for time in _TIMES]
    return [f"{day} {at[n % len(at)]}" for n, day in enumerate((*days, *days[:2]))]


def _decimals(numbers: Sequence[str]) -> list[Decimal]:
    decimals = []
    for number in numbers:
        with suppress(InvalidOperation):
            value = Decimal(number)
            if abs(value) < _LARGE:
                decimals.append(value)
    return decimals


_LARGE: Final = 2_000_000_000
_LIMITS: Final = {"byte": 1 << 7, "short": 1 << 15}
_MAKERS: Final[Mapping[str, Callable[[str, Literals], list[str]]]] = {
    "boolean": lambda _, __: ["true", "false"],
    "whole": _integers,
    "decimal": _fractions,
    "float": lambda _, literals: _fractions("", literals),
    "text": _texts,
    "date": _days,
    "timestamp": _instants,
}


def compare_rows(
    columns: Sequence[Column], rows: Sequence[Cells], others: Sequence[Cells]
) -> RowsAnswer:
    """Whether two answers are the same, whatever their order.

    Args:
        columns: As the view declares them.
        rows: Of the text that the draft is made of.
        others: Of the draft.
    """
    of_text, of_draft = (
        Counter(_plain(columns, row) for row in answer) for answer in (rows, others)
    )
    if of_text == of_draft:
        return RowsAnswer(Alike.SAME, len(rows))
    lost, added = of_text - of_draft, of_draft - of_text
    differences = [
        f"{only.total():,} of {of:,} made-up rows {whose}, such as {_row_text(next(iter(only)))}"
        for only, of, whose in (
            (lost, len(rows), "are the text's alone"),
            (added, len(others), "are the draft's alone"),
        )
        if only
    ]
    return RowsAnswer(Alike.OTHER, len(rows), "; ".join(differences))


def _plain(columns: Sequence[Column], row: Cells) -> Cells:
    pairs = zip(columns, row, strict=True)
    return tuple(None if cell is None else _cell(column.type, cell) for column, cell in pairs)


def _cell(kind: DataType, cell: str) -> str:
    """A value as one text, whichever engine has spelled it."""
    match kind_of(kind):
        case "whole" | "decimal":
            return f"{Decimal(cell).normalize():f}"
        case "float":
            digits = 6 if kind == Primitive("float") else 12
            return f"{float(cell):.{digits}g}"
        case "timestamp":
            stamp = cell.removesuffix("+00")
            return stamp.rstrip("0").removesuffix(".") if "." in stamp else stamp
        case "text" if isinstance(kind, Primitive) and kind.text.startswith("char("):
            return cell.rstrip(" ")
        case _:
            return cell


def _row_text(row: Cells) -> str:
    values = ", ".join("NULL" if value is None else repr(value) for value in row)
    return f"({values[:_SHOWN]})"
