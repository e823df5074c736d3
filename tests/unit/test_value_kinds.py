"""Of what kind a value in a statement is, by what its columns are of."""

import pytest
import sqlglot
from sqlglot import exp

from discovery.lineage.meanings.kinds import ValueKinds
from discovery.lineage.meanings.sorts import Sort
from discovery.model import TRINO, Column, Primitive
from discovery.ports import Name

KNOWN: dict[Name, tuple[Column, ...]] = {
    ("t",): (Column("n", Primitive("integer")), Column("s", Primitive("string"))),
    ("u",): (Column("k", Primitive("integer")), Column("d", Primitive("double"))),
}


def sort_of_last(sql: str) -> Sort | None:
    """The sort of the column that is written last."""
    columns = list(sqlglot.parse_one(sql, read=TRINO).find_all(exp.Column, bfs=False))
    kind = ValueKinds(TRINO, KNOWN).of(columns[-1])
    return kind and kind.sort


@pytest.mark.parametrize(
    ("sql", "sort"),
    {
        "SELECT 1 FROM t WHERE n": Sort.WHOLE,
        "SELECT 1 FROM (SELECT s AS x FROM t) a WHERE x": Sort.TEXT,
        "SELECT 1 FROM t WHERE EXISTS (SELECT 1 FROM u WHERE s)": Sort.TEXT,
        "SELECT 1 FROM t WHERE EXISTS (SELECT 1 FROM u WHERE t.s)": Sort.TEXT,
        "SELECT 1 FROM t, LATERAL (SELECT 1 FROM u WHERE s) a": Sort.TEXT,
        # what is not known may have a column of that name, and it would be nearer
        "SELECT 1 FROM t WHERE EXISTS (SELECT 1 FROM elsewhere WHERE s)": None,
        "SELECT 1 FROM t WHERE EXISTS (SELECT 1 FROM u AS v(s, z) WHERE s)": None,
        "SELECT 1 FROM t WHERE EXISTS (SELECT 1 FROM (SELECT * FROM elsewhere) e WHERE s)": None,
        # neither a FROM nor a WITH sees what is around it
        "SELECT 1 FROM t, (SELECT 1 FROM u WHERE s) a": None,
        "SELECT 1 FROM t JOIN (SELECT 1 FROM u WHERE s) a ON TRUE": None,
        "WITH w AS (SELECT 1 FROM u WHERE t.s) SELECT 1 FROM t": None,
    }.items(),
)
def test_a_column_is_of_what_it_sees(sql: str, sort: Sort | None) -> None:
    assert sort_of_last(sql) == sort


def test_a_column_that_nobody_knows_is_not_looked_for_for_ever() -> None:
    sql = "SELECT x FROM elsewhere"
    for level in range(20):
        sql = f"SELECT a{level}.x, a{level}.x / 2 AS y FROM ({sql}) a{level}"
    assert sort_of_last(f"SELECT 1 FROM ({sql}) a WHERE a.x") is None


def test_what_is_written_twice_at_each_level_is_looked_for_once() -> None:
    sql = "SELECT n AS x FROM t"
    for level in range(9):
        sql = f"SELECT a{level}.x + a{level}.x + a{level}.x AS x FROM ({sql}) a{level}"
    assert sort_of_last(f"SELECT 1 FROM ({sql}) a WHERE a.x") == Sort.WHOLE
