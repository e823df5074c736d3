"""The kinds of what statements take out of lists, maps and rows."""

import pytest
import sqlglot
from sqlglot import exp

from discovery.lineage.meanings.kinds import ValueKinds
from discovery.lineage.meanings.sorts import Sort
from discovery.model import (
    HIVE,
    POSTGRESQL,
    SPARK,
    TRINO,
    Column,
    Field,
    ListOf,
    MapOf,
    Primitive,
    Struct,
)

_SQLGLOT = {POSTGRESQL: "postgres"}
_TEXT, _NUMBER = Primitive("string"), Primitive("double")
_ROW = Struct((Field("f", _TEXT), Field("Within", Struct((Field("g", _NUMBER),)))))
_COLUMNS = [
    Column("words", ListOf(_TEXT)),
    Column("nested", ListOf(ListOf(_TEXT))),
    Column("prices", MapOf(_TEXT, _NUMBER)),
    Column("s", _TEXT),
    Column("row", _ROW),
    Column("rows", ListOf(_ROW)),
]


@pytest.mark.parametrize(
    ("dialect", "value", "rows", "sort"),
    [
        (SPARK, "words[0]", "", Sort.TEXT),
        (SPARK, "element_at(words, 1)", "", Sort.TEXT),
        (SPARK, "nested[0]", "", Sort.LIST),
        (SPARK, "nested[0][1]", "", Sort.TEXT),
        (TRINO, "prices['k']", "", Sort.FLOAT),
        (TRINO, "element_at(prices, 'k')", "", Sort.FLOAT),
        (POSTGRESQL, "words[1:2]", "", Sort.LIST),
        (POSTGRESQL, "s[1]", "", None),
        (SPARK, "explode(words)", "", Sort.TEXT),
        (SPARK, "explode(prices)", "", None),
        (SPARK, "posexplode(words)", "", None),
        (SPARK, "col", "LATERAL VIEW posexplode(words) e", Sort.TEXT),
        (HIVE, "val", "LATERAL VIEW posexplode(words) e", Sort.TEXT),
        (HIVE, "col", "LATERAL VIEW posexplode(words) e", None),
        (HIVE, "pos", "LATERAL VIEW posexplode(words) e", Sort.WHOLE),
        (HIVE, "e.value", "LATERAL VIEW explode(prices) e", Sort.FLOAT),
        (TRINO, "e.v", "CROSS JOIN UNNEST(prices, words) AS e(k, v, w)", Sort.FLOAT),
        (TRINO, "w", "CROSS JOIN UNNEST(prices, words) AS e(k, v, w)", Sort.TEXT),
        (TRINO, "w", "CROSS JOIN UNNEST(nobody, words) AS e(k, v, w)", None),
        (TRINO, "n", "CROSS JOIN UNNEST(words) WITH ORDINALITY AS e(w, n)", Sort.WHOLE),
        (POSTGRESQL, "w", "CROSS JOIN unnest(words) AS w", Sort.TEXT),
        (SPARK, "row.f", "", Sort.TEXT),
        (SPARK, "t.row.F", "", Sort.TEXT),
        (SPARK, "db.t.row.f", "", Sort.TEXT),
        (SPARK, "row.within.g", "", Sort.FLOAT),
        (SPARK, "row.nobody", "", None),
        (SPARK, "row", "", None),
        (SPARK, "row.within", "", None),
        (SPARK, "rows[0].f", "", Sort.TEXT),
        (POSTGRESQL, "(row).f", "", Sort.TEXT),
        (POSTGRESQL, "(t.row).within.g", "", Sort.FLOAT),
        (SPARK, "x.f", "JOIN (SELECT row AS x FROM db.t) q", Sort.TEXT),
        (SPARK, "s.f", "JOIN db.u AS s", None),
        (SPARK, "row.f", "JOIN db.u AS row", None),
        (SPARK, "e.col.f", "LATERAL VIEW explode(rows) e", Sort.TEXT),
        (SPARK, "e.a", "LATERAL VIEW inline(rows) e AS a, b", Sort.TEXT),
        (SPARK, "f", "LATERAL VIEW inline(rows) e", Sort.TEXT),
        (SPARK, "within.g", "LATERAL VIEW inline(rows) e", Sort.FLOAT),
        (TRINO, "e.a", "CROSS JOIN UNNEST(rows) AS e(a, b)", Sort.TEXT),
        (TRINO, "e.b.g", "CROSS JOIN UNNEST(rows) AS e(a, b)", Sort.FLOAT),
    ],
)
def test_elements_and_fields_have_the_kinds_that_the_columns_give_them(
    dialect: str, value: str, rows: str, sort: Sort | None
) -> None:
    sql = f"SELECT {value} FROM db.t {rows}"
    tree = sqlglot.parse_one(sql, read=_SQLGLOT.get(dialect, dialect))
    assert isinstance(tree, exp.Select)
    kind = ValueKinds(dialect, {("db", "t"): _COLUMNS}).of(tree.selects[0])
    assert (kind and kind.sort) == sort
