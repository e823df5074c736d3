"""Made-up rows: which values there are, and when two answers are the same."""

import pytest

from discovery.judging.made_rows import Literals, MadeTable, compare_rows, kind_of, made_tables
from discovery.judging.same_rows import Alike
from discovery.lineage.translation import literals
from discovery.model import Column, DataType, ListOf, Primitive

NONE = Literals()


def column(kind: str, name: str = "c", *, nullable: bool = True) -> Column:
    return Column(name, Primitive(kind), None, nullable)


def values(
    kind: str, said: Literals = NONE, *, tame: bool = False, nullable: bool = True
) -> list[str | None]:
    (stage,) = made_tables([("t", [column(kind, nullable=nullable)])], said, tame=tame)
    return [row[0] for row in stage.rows]


@pytest.mark.parametrize(
    ("kind", "said", "border"),
    [
        ("integer", Literals(numbers=("10",)), {"9", "10", "11", "0", "-1", None}),
        ("long", Literals(numbers=("7.5", "no")), {"6", "7", "8"}),
        (
            "decimal(10,2)",
            Literals(numbers=("10.5",)),
            {"10.49", "10.50", "10.51", "2.50", "-2.50"},
        ),
        ("decimal(3,2)", Literals(numbers=("10.5",)), {"0.50", "2.50"}),
        ("double", Literals(numbers=("1",)), {"0.99", "1.00", "1.01", "1.50"}),
        (
            "string",
            Literals(texts=("Ab_%",)),
            {"Ab_%", "AB_%", "ab_%", "Abxx", "Ab", "AbAb", "", None},
        ),
        ("varchar(2)", Literals(texts=("abc",)), {"ab", "AB", ""}),
        ("date", Literals(texts=("from 2024-03-01",)), {"2024-02-29", "2024-03-01", "2024-03-02"}),
        ("timestamp_tz(6)", Literals(texts=("2024-03-01",)), {"2024-03-01 00:00:00"}),
        ("timestamp(6)", NONE, {"2023-12-31 23:59:59.5", "2024-01-01 12:34:56.789"}),
        ("boolean", NONE, {"true", "false", None}),
    ],
)
def test_values_lie_at_the_borders_of_the_literals(
    kind: str, said: Literals, border: set[str | None]
) -> None:
    assert border <= set(values(kind, said))


@pytest.mark.parametrize(
    ("kind", "never"),
    [
        ("short", "40000"),
        ("byte", "300"),
        ("timestamp(0)", "2023-12-31 23:59:59.5"),
        ("timestamp_tz(1)", "2024-01-01 12:34:56.789"),
    ],
)
def test_a_value_is_one_that_the_type_holds(kind: str, never: str) -> None:
    found = values(kind, Literals(numbers=("300", "40000", "100")))
    assert never not in found
    assert found


def test_a_column_without_nulls_gets_none_and_a_row_stands_twice() -> None:
    found = values("integer", nullable=False)
    assert None not in found
    assert found[0] == found[-1]
    assert len(set(found)) < len(found)


def test_tame_values_make_no_text_fail() -> None:
    assert "0" not in values("integer", tame=True)
    assert all(
        value is None or value.isdecimal()
        for value in values("string", Literals((), ("x",)), tame=True)
    )


def test_tables_are_small_enough_to_be_joined_and_types_without_values_are_left_out() -> None:
    many = [column("integer", f"c{number}") for number in range(3)]
    odd = Column("list", ListOf(Primitive("string")))
    made: tuple[MadeTable, ...] = ()
    for tables in (1, 2, 3, 6):
        made = made_tables([(f"t{n}", [*many, odd]) for n in range(tables)], Literals(), tame=False)
        product = 1
        for made_table in made:
            assert [each.name for each in made_table.columns] == ["c0", "c1", "c2"]
            assert len(made_table.rows) >= 3
            product *= len(made_table.rows)
        assert product <= 10_000
    assert made[0].rows != made[1].rows
    assert made_tables([("t", [odd])], Literals(), tame=False)[0].rows[0] == ()
    backwards = made[0].backwards()
    assert backwards == MadeTable("t0", made[0].columns, made[0].rows[::-1])


@pytest.mark.parametrize(
    "kind", [Primitive("binary"), Primitive("uuid"), ListOf(Primitive("date"))]
)
def test_what_is_not_compared_has_no_kind(kind: DataType) -> None:
    assert not kind_of(kind)


@pytest.mark.parametrize(
    ("kind", "one", "other", "same"),
    [
        ("integer", "10", "10", True),
        ("decimal(10,2)", "1.50", "1.5", True),
        ("decimal(10,0)", "100", "1E+2", True),
        ("decimal(10,2)", "1.50", "1.51", False),
        ("double", "0.30000000000000004", "0.3", True),
        ("double", "10", "1.0E1", True),
        ("double", "0.3", "0.30001", False),
        ("double", "NaN", "NaN", True),
        ("float", "0.1", "0.100000001", True),
        ("timestamp_tz", "2024-01-01 00:00:00.5+00", "2024-01-01 00:00:00.500", True),
        ("timestamp", "2024-01-01 00:00:00", "2024-01-01 00:00:00.0", True),
        ("timestamp", "2024-01-01 00:00:10", "2024-01-01 00:00:01", False),
        ("char(4)", "ab  ", "ab", True),
        ("string", "ab ", "ab", False),
        ("string", "", None, False),
        ("boolean", "true", "false", False),
        ("date", None, None, True),
    ],
)
def test_a_value_is_the_same_whichever_engine_has_spelled_it(
    kind: str, one: str | None, other: str | None, same: bool
) -> None:
    rows_answer = compare_rows([column(kind)], [(one,)], [(other,)])
    assert rows_answer.alike is (Alike.SAME if same else Alike.OTHER)


def test_rows_are_compared_as_often_as_they_are_there_whatever_their_order() -> None:
    columns = [column("integer"), column("string", "s")]
    rows = [("1", "a"), ("1", "a"), (None, "it's")]
    assert compare_rows(columns, rows, rows[::-1]).alike is Alike.SAME
    fewer = compare_rows(columns, rows, rows[1:])
    assert (fewer.alike, fewer.why) == (
        Alike.OTHER,
        "1 of 3 made-up rows are the text's alone, such as ('1', 'a')",
    )
    other = compare_rows(columns, rows[2:], [(None, "x" * 1_000)])
    assert other.why is not None
    assert '(NULL, "it\'s")' in other.why
    assert "1 of 1 made-up rows are the draft's alone, such as (NULL, 'xxx" in other.why
    assert len(other.why) < 700


def test_literals_are_those_of_the_text() -> None:
    found = literals("SELECT 1.5, 'a''b' FROM t WHERE x > -3 AND y LIKE 'a%' AND z = 1.5", "trino")
    assert found == (("1.5", "3"), ("a'b", "a%"))
    assert literals("SELECT (", "trino") == ((), ())
