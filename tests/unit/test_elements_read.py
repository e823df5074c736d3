"""The kinds of what statements take out of lists and maps."""

import pytest
import sqlglot
from sqlglot import exp

from discovery.lineage.meanings.kinds import ValueKinds
from discovery.lineage.meanings.sorts import Sort
from discovery.model import HIVE, POSTGRESQL, SPARK, TRINO, Column, ListOf, MapOf, Primitive

_SQLGLOT = {POSTGRESQL: "postgres"}
_TEXT, _NUMBER = Primitive("string"), Primitive("double")
_COLUMNS = [
    Column("words", ListOf(_TEXT)),
    Column("nested", ListOf(ListOf(_TEXT))),
    Column("prices", MapOf(_TEXT, _NUMBER)),
    Column("s", _TEXT),
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
    ],
)
def test_an_element_has_the_kind_of_its_list_or_map(
    dialect: str, value: str, rows: str, sort: Sort | None
) -> None:
    sql = f"SELECT {value} FROM db.t {rows}"
    tree = sqlglot.parse_one(sql, read=_SQLGLOT.get(dialect, dialect))
    assert isinstance(tree, exp.Select)
    kind = ValueKinds(dialect, {("db", "t"): _COLUMNS}).of(tree.selects[0])
    assert (kind and kind.sort) == sort
