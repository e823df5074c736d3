"""Other names for the tables of a text, which stays as it is byte for byte elsewhere."""

import pytest

from discovery.lineage.respelling import respelled
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
            "doris",
            "SELECT t.id FROM a.t JOIN [broadcast] a.u ON t.id = u.id",
            "a.u",
            "b.u2",
            "SELECT t.id FROM a.t JOIN [broadcast] b.u2 ON t.id = u2.id",
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


def test_a_text_of_flink_without_other_names_is_itself_if_it_can_be_read() -> None:
    assert respelled("SELECT 1 FROM db.t", "flink", {}) == "SELECT 1 FROM db.t"
    assert respelled("SELECT '\\' FROM db.t", "flink", {}) is None


def test_names_that_differ_by_case_alone_are_not_told_apart() -> None:
    names: dict[Name, Name] = {("T",): ("a",), ("t",): ("b",)}
    assert respelled("SELECT 1 FROM T JOIN t", "spark", names) is None


@pytest.mark.parametrize(
    ("sql", "new"),
    [
        ("SELECT 1 FROM o x WHERE EXISTS (SELECT 1 FROM db.t WHERE t.a = x.a)", "db.X"),
        ("SELECT 1 FROM db.t WHERE EXISTS (SELECT 1 FROM o x WHERE t.a = x.a)", "db.x"),
        ("SELECT 1 FROM db.o WHERE EXISTS (SELECT 1 FROM db.t WHERE t.a = o.a)", "db.o"),
        ("WITH c AS (SELECT 1 AS a) SELECT 1 FROM c JOIN db.t ON c.a = t.a", "db.c"),
    ],
)
def test_a_column_never_becomes_that_of_another_table(sql: str, new: str) -> None:
    assert respelled(sql, "spark", {("db", "t"): tuple(new.split("."))}) is None


def test_a_name_that_stays_may_be_that_of_another_table() -> None:
    sql = "SELECT 1 FROM a.t WHERE EXISTS (SELECT 1 FROM b.t WHERE a.t.x = b.t.x)"
    wanted = "SELECT 1 FROM c.t WHERE EXISTS (SELECT 1 FROM b.t WHERE c.t.x = b.t.x)"
    assert respelled(sql, "spark", {("a", "t"): ("c", "t")}) == wanted


def test_tables_may_change_names_with_one_another() -> None:
    sql = "SELECT t.a, o.b FROM db.t JOIN db.o ON t.a = o.a"
    wanted = "SELECT o.a, t.b FROM db.o JOIN db.t ON o.a = t.a"
    assert respelled(sql, "spark", {("db", "t"): ("db", "o"), ("db", "o"): ("db", "t")}) == wanted


def test_a_qualifier_with_a_schema_that_from_does_not_spell_is_not_left_behind() -> None:
    new: dict[Name, Name] = {("t",): ("c", "t")}
    assert respelled("SELECT db.t.a FROM t", "spark", new) is None
    assert respelled("SELECT t.a FROM t", "spark", new) == "SELECT t.a FROM c.t"
    assert respelled("SELECT o.t.a FROM t, o", "spark", new) == "SELECT o.t.a FROM c.t, o", (
        "a field"
    )


@pytest.mark.parametrize("dialect", ["spark", "hive", "trino", "mysql"])
def test_a_with_clause_is_found_in_any_case(dialect: str) -> None:
    sql = "WITH Orders AS (SELECT * FROM orders WHERE a = 0) SELECT ORDERS.a FROM orders"
    assert respelled(sql, dialect, {("orders",): ("x", "orders")}) == (
        "WITH Orders AS (SELECT * FROM x.orders WHERE a = 0) SELECT ORDERS.a FROM orders"
    )


def test_a_with_clause_in_quotes_is_found_to_the_letter_where_its_engine_does() -> None:
    sql = 'WITH "Orders" AS (SELECT 1 AS a) SELECT a FROM orders'
    spelled: dict[Name, Name] = {("orders",): ("x", "orders")}
    assert respelled(sql, "postgresql", spelled) == (
        'WITH "Orders" AS (SELECT 1 AS a) SELECT a FROM x.orders'
    )


@pytest.mark.parametrize("dialect", ["postgresql", "mysql"])
def test_of_two_tables_that_differ_by_case_one_is_not_moved_alone(dialect: str) -> None:
    quote = '"' if dialect == "postgresql" else "`"
    sql = f"SELECT o.a FROM s.{quote}T{quote} o JOIN s.t p ON o.a = p.a"
    assert respelled(sql, dialect, {("s", "T"): ("x", "T")}) is None
    both: dict[Name, Name] = {("s", "T"): ("x", "T"), ("s", "t"): ("x", "t")}
    assert respelled(sql, dialect, both) == sql.replace(" s.", " x.")


def test_one_table_in_two_cases_gets_another_catalog() -> None:
    sql = "SELECT a FROM hive.s.Orders UNION ALL SELECT a FROM hive.s.orders"
    spelled: dict[Name, Name] = {
        ("hive", "s", name): ("lake", "s", name) for name in ("Orders", "orders")
    }
    assert respelled(sql, "trino", spelled) == sql.replace("hive.", "lake.")


def test_two_tables_of_one_name_move_together_and_apart() -> None:
    sql = "SELECT s1.t.a, s2.t.a FROM s1.t JOIN s2.t ON s1.t.a = s2.t.a"
    assert respelled(sql, "spark", {("s1", "t"): ("b1", "t"), ("s2", "t"): ("b2", "t")}) == (
        sql.replace("s1.", "b1.").replace("s2.", "b2.")
    )
    assert respelled(sql, "spark", {("s1", "t"): ("b1", "t")}) == sql.replace("s1.", "b1.")
    bare = "SELECT t.a FROM s1.t JOIN s2.u ON t.a = u.a"
    assert respelled(bare, "spark", {("s1", "t"): ("s1", "u")}) is None, "both would be u"
