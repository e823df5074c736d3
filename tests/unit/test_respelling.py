"""Other names for the tables of a text, which stays as it is byte for byte elsewhere."""

import pytest

from discovery.lineage.scopes import respelled
from discovery.ports import Name


@pytest.mark.parametrize(
    ("dialect", "sql", "old", "new", "wanted"),
    [
        (
            "trino",
            "SELECT  hive.db.t.id,\n 'hive.db.t' -- hive.db.t\nFROM hive . db.T",
            "hive.db.t",
            "lake.db.t",
            "SELECT  lake.db.t.id,\n 'hive.db.t' -- hive.db.t\nFROM lake . db.T",
        ),
        (
            "hive",
            "select `base`.`id` from `rel`.`base`",
            "rel.base",
            "bronze.rel.base_v",
            "select `base_v`.`id` from `bronze`.`rel`.`base_v`",
        ),
        (
            "trino",
            "SELECT base.id FROM rel.base WHERE EXISTS (SELECT 1 FROM b base WHERE base.x = 1)",
            "rel.base",
            "rel.base_v",
            "SELECT base_v.id FROM rel.base_v WHERE EXISTS (SELECT 1 FROM b base WHERE base.x = 1)",
        ),
        (
            "spark",
            "SELECT base.* FROM base UNION ALL SELECT x.s.base FROM base x",
            "base",
            "base_v",
            "SELECT base_v.* FROM base_v UNION ALL SELECT x.s.base FROM base_v x",
        ),
        (
            "trino",
            "WITH t AS (SELECT 1 a) SELECT t.a, u.b FROM t, db.t u",
            "db.t",
            "db.t_v",
            "WITH t AS (SELECT 1 a) SELECT t.a, u.b FROM t, db.t_v u",
        ),
        ("spark", "SELECT 1 FROM t", "t", "select", "SELECT 1 FROM `select`"),
        (
            "spark",
            "SELECT 1 FROM hive.db.t",
            "hive.db.t",
            "la-ke.db.t",
            "SELECT 1 FROM `la-ke`.db.t",
        ),
        (
            "trino",
            'SELECT 1 FROM "h"."db"."t"',
            "h.db.t",
            "lake.db.t",
            'SELECT 1 FROM "lake"."db"."t"',
        ),
    ],
)
def test_only_the_spans_of_the_names_change(
    dialect: str, sql: str, old: str, new: str, wanted: str
) -> None:
    assert respelled(sql, dialect, {tuple(old.split(".")): tuple(new.split("."))}) == wanted


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("trino", "SELECT 'unterminated FROM db.t"),
        ("trino", "SELECT 1 FROM db.other"),
        ("flink", "SELECT 1 FROM db.t"),
        ("trino", "SHOW TABLES"),
    ],
)
def test_what_sqlglot_cannot_find_has_no_other_spelling(dialect: str, sql: str) -> None:
    assert respelled(sql, dialect, {("db", "t"): ("db", "t_v")}) is None


def test_names_that_differ_by_case_alone_are_not_told_apart() -> None:
    names: dict[Name, Name] = {("T",): ("a",), ("t",): ("b",)}
    assert respelled("SELECT 1 FROM T JOIN t", "spark", names) is None
