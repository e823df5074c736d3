"""Rows of a view where it was and where it was written: what is asked, what an answer proves."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from discovery.errors import UnreachableError
from discovery.judging.asking import DIALOGUES, Reply
from discovery.judging.refusals import Refusal
from discovery.judging.same_rows import Alike, RowsAnswer, ShownView, compare_rows
from discovery.model import Identifier

TRINO = DIALOGUES["trino"]
SOURCE = ShownView("hive", Identifier(("sales",), "v"))
TARGET = ShownView("ice", Identifier(("sales", "eu"), 'w"'))
HERE, THERE = '"hive"."sales"."v"', '"ice"."sales.eu"."w"""'
CANARY = "4111-1111"
Columns = Sequence[tuple[str, str]]
Rows = Sequence[Sequence[Any]]
TWO: Columns = (("id", "integer"), ("note", "varchar"))


def refusing(name: str, kind: str = "USER_ERROR") -> Reply:
    return Reply("q", refusal=Refusal(name, kind, f"cannot cast {CANARY}"))


class Engine:
    """Answers from tables, and keeps what it was asked; an iterator has an answer for each time."""

    def __init__(self, **answers: Any) -> None:
        self.answers, self.asked = answers, list[str]()

    def __call__(self, sql: str) -> Reply:
        self.asked.append(sql)
        side = "here" if HERE in sql else "there"
        found = self.answers[f"{side}_columns" if sql.startswith("DESCRIBE") else f"{side}_rows"]
        if isinstance(found, Iterator):
            found = next(found)
        if isinstance(found, Exception):
            raise found
        return found if isinstance(found, Reply) else Reply("q", tuple(map(list, found)))


def engine(here: Rows, there: Rows, **more: Any) -> Engine:
    stated = {"here_columns": TWO, "there_columns": TWO, "here_rows": here, "there_rows": there}
    return Engine(**{**stated, **more})


def compared(asks: Callable[[str], Reply], limit: int = 5) -> RowsAnswer:
    return compare_rows(TRINO, SOURCE, TARGET, limit, asks)


def test_both_sides_are_asked_for_the_first_rows_in_the_targets_types() -> None:
    asks = engine(
        [[1, "a"], [None, "b"]],
        [[1, "a"], [None, "b"]],
        here_columns=(("id", "integer"), ('n"', "char(3)")),
        there_columns=(("id", "integer"), ("note", "varchar")),
    )
    assert compared(asks) == RowsAnswer(Alike.SAME, 2)
    assert asks.asked == [
        f"DESCRIBE {THERE}",
        f"DESCRIBE {HERE}",
        f'SELECT "id", CAST("n""" AS varchar) FROM {HERE} ORDER BY 1, 2 LIMIT 5',
        f'SELECT "id", "note" FROM {THERE} ORDER BY 1, 2 LIMIT 5',
    ]


@pytest.mark.parametrize(
    ("here", "there", "why"),
    [
        ([[1, CANARY]], [[1, "b"]], "1 of 1 rows have other values in note"),
        ([[1, "a"], [2, "b"]], [[2, "x"], [3, "y"]], "2 of 2 rows have other values in id, note"),
        ([[1, "a"]], [], "1 row at the source, 0 at the target"),
        ([[1, None]], [[1, ""]], "1 of 1 rows have other values in note"),
        ([[True, "a"]], [["true", "a"]], "1 of 1 rows have other values in id"),
    ],
)
def test_what_differs_is_told_without_a_value(here: Rows, there: Rows, why: str) -> None:
    assert compared(engine(here, there)) == RowsAnswer(Alike.OTHER, len(there), why)


def test_a_source_with_other_rows_each_time_proves_nothing() -> None:
    turns = iter([[[1, "a"]], [[2, "a"]]])
    rows_answer = compared(engine([], [[3, "a"]], here_rows=turns))
    assert (rows_answer.alike, rows_answer.rows) == (Alike.UNKNOWN, 0)
    assert "each time" in str(rows_answer.why)


def test_what_has_no_order_is_left_out_and_told() -> None:
    columns = [
        ("m", "map(varchar, integer)"),
        ("id", "bigint"),
        ("j", "json"),
        ("l", "array(row(a integer))"),
        ("deep", "array(map(integer, integer))"),
    ]
    asks = engine([[1, []]], [[1, []]], here_columns=columns, there_columns=columns)
    assert compared(asks) == RowsAnswer(Alike.SAME, 1, "without m, j, deep, which have no order")
    assert f'SELECT "id", "l" FROM {THERE} ORDER BY 1, 2 LIMIT 5' in asks.asked
    only = {side: [("m", "map(varchar, integer)")] for side in ("here_columns", "there_columns")}
    rows_answer = compared(engine([], [], **only))
    assert rows_answer.alike is Alike.UNKNOWN
    assert "no column has an order" in str(rows_answer.why)


def test_columns_that_are_fewer_are_other_rows() -> None:
    asks = engine([], [], there_columns=TWO[:1])
    assert compared(asks) == RowsAnswer(Alike.OTHER, why="2 columns at the source, 1 at the target")
    assert len(asks.asked) == 2


@pytest.mark.parametrize(
    ("answers", "wanted"),
    [
        ({"there_rows": refusing("INVALID_CAST_ARGUMENT")}, (Alike.OTHER, "INVALID_CAST_ARGUMENT")),
        ({"there_rows": refusing("EXCEEDED_TIME_LIMIT", "INSUFFICIENT_RESOURCES")},
         (Alike.UNKNOWN, "target: EXCEEDED_TIME_LIMIT")),
        ({"there_rows": refusing("PERMISSION_DENIED")}, (Alike.UNKNOWN, "PERMISSION_DENIED")),
        ({"here_rows": refusing("DIVISION_BY_ZERO")}, (Alike.UNKNOWN, "source: DIVISION_BY_ZERO")),
        ({"here_rows": refusing("")}, (Alike.UNKNOWN, "an error without a name")),
        ({"here_columns": Reply("q", refusal=Refusal("X", "USER_ERROR", "no view"))},
         (Alike.UNKNOWN, "source: no view")),
        ({"there_columns": UnreachableError("gone")}, (Alike.UNKNOWN, "UNREACHABLE: gone")),
    ],
)  # fmt: skip
def test_what_was_not_obtained_is_not_compared(
    answers: Mapping[str, Any], wanted: tuple[Alike, str]
) -> None:
    rows_answer = compared(engine([[1, "a"]], [[1, "a"]], **answers))
    assert rows_answer.alike is wanted[0]
    assert wanted[1] in str(rows_answer.why)
    assert CANARY not in str(rows_answer.why)


def test_who_cannot_name_the_view_or_is_not_asked_for_rows_is_asked_nothing() -> None:
    asks = engine([], [])
    nameless = ShownView("hive", Identifier(("sales",), "a\0"))
    assert compare_rows(TRINO, nameless, TARGET, 5, asks).alike is Alike.UNKNOWN
    assert asks.asked == [f"DESCRIBE {THERE}"]
    rows_answer = compare_rows(DIALOGUES["flink"], SOURCE, TARGET, 5, asks)
    assert rows_answer == RowsAnswer(Alike.UNKNOWN, why="flink is not asked for rows")
    assert len(asks.asked) == 1
