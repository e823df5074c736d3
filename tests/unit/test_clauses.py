"""What a clause says that an engine has no such clause for is said otherwise.

PostgreSQL 18, MariaDB 10.11, Hive 2.3.10, Spark 4.1.4 and Trino 476 were asked on 2026-11-26.
"""

import pytest

from discovery.lineage.translation import translated
from discovery.model import HIVE, MYSQL, POSTGRESQL, SPARK, TRINO, Column, Primitive
from discovery.ports import Name

NAMES: dict[Name, Name] = {("p", name): ("c", "p", name) for name in "tuv"}
KINDS = {"a": "integer", "l": "long", "n": "decimal(10,2)", "s": "string"}
COLUMNS = tuple(Column(name, Primitive(kind)) for name, kind in KINDS.items())
KNOWN: dict[Name, tuple[Column, ...]] = dict.fromkeys(NAMES, COLUMNS)


def draft(text: str, dialect: str, into: str) -> str:
    """A draft of a query; what is said where there is none."""
    plain = text.replace("`", "")
    names = {name: there for name, there in NAMES.items() if ".".join(name) in plain}
    made = translated(text, dialect, into, names, KNOWN)
    return made.sql or made.why


@pytest.mark.parametrize(
    ("dialect", "into", "expression", "wanted"),
    [
        (
            POSTGRESQL,
            TRINO,
            "sum(a) FILTER (WHERE l > 1) OVER (ORDER BY a)",
            "SUM(CASE WHEN l > 1 THEN a END) OVER (ORDER BY a)",
        ),
        (
            SPARK,
            TRINO,
            "count(*) FILTER (WHERE l > 1) OVER ()",
            "COUNT(CASE WHEN l > 1 THEN 1 END) OVER ()",
        ),
        (POSTGRESQL, TRINO, "sum(a) FILTER (WHERE l > 1)", "SUM(a) FILTER(WHERE l > 1)"),
        (MYSQL, SPARK, "sum(a > 3)", "SUM(CAST(a > 3 AS INT))"),
        (
            MYSQL,
            TRINO,
            "avg(a > 3)",
            "CAST(AVG(CAST(CAST(a > 3 AS INTEGER) AS DECIMAL(38, 4))) AS DECIMAL(14, 4))",
        ),
        (HIVE, TRINO, "pmod(a, 3)", "(a % 3 + 3) % 3"),
        (SPARK, TRINO, "pmod(a, l)", "PMOD(a, l) would mean something else in Trino"),
        (SPARK, TRINO, "a = '3'", "a = 3"),
        (SPARK, TRINO, "a IN ('3', '4')", "a IN (3, 4)"),
        (SPARK, TRINO, "a = '3.5'", "a = '3.5'"),
        (SPARK, TRINO, "s = '3'", "s = '3'"),
        (SPARK, TRINO, "n = '3'", "n = '3'"),
    ],
)
def test_an_expression_is_said_otherwise(
    dialect: str, into: str, expression: str, wanted: str
) -> None:
    made = draft(f"SELECT {expression} AS r FROM p.t", dialect, into)
    assert made.removeprefix("SELECT ").removesuffix(" AS r FROM c.p.t") == wanted


@pytest.mark.parametrize(
    ("dialect", "text", "wanted"),
    [
        (
            POSTGRESQL,
            "SELECT t.a, u.n FROM (p.t t JOIN p.u u USING (a, s))",
            'FROM (c.p.t AS t JOIN c.p.u AS u ON "t"."a" = "u"."a" AND "t"."s" = "u"."s")',
        ),
        (
            SPARK,
            "SELECT t.a, u.a AS b FROM p.t t LEFT JOIN p.u u USING (a)",
            'FROM c.p.t AS t LEFT JOIN c.p.u AS u ON "t"."a" = "u"."a"',
        ),
        (
            POSTGRESQL,
            "SELECT t.a, u.n FROM ((p.t t JOIN p.u u USING (a)) JOIN p.v v ON v.a = t.a)",
            'FROM ((c.p.t AS t JOIN c.p.u AS u ON "t"."a" = "u"."a") JOIN c.p.v AS v',
        ),
        (
            POSTGRESQL,
            "SELECT t.a, u.n FROM ((p.t t JOIN p.u u ON u.a = t.a) JOIN p.v v USING (a))",
            "JOIN c.p.v AS v USING (a)",
        ),
        (
            POSTGRESQL,
            "SELECT a, u.n FROM (p.t t FULL JOIN p.u u USING (a))",
            "FULL JOIN c.p.u AS u USING (a)",
        ),
        (SPARK, "SELECT * FROM p.t t JOIN p.u u USING (a)", "JOIN c.p.u AS u USING (a)"),
    ],
)
def test_columns_of_using_that_have_a_table_before_them_are_compared(
    dialect: str, text: str, wanted: str
) -> None:
    assert wanted in draft(text, dialect, TRINO)


def test_an_alias_in_having_is_what_it_stands_for() -> None:
    text = (
        "SELECT `p`.`t`.`a` AS `a`, sum(`p`.`t`.`l`) AS `k` FROM `p`.`t` GROUP BY `p`.`t`.`a` "
        "HAVING `k` > 10"
    )
    assert draft(text, MYSQL, TRINO).endswith('HAVING (SUM("c"."p"."t"."l")) > 10')
    assert draft(text, MYSQL, SPARK).endswith("HAVING `k` > 10")
