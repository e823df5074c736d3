"""What an analyzer must do: what the engine itself says of a view, over what is known of tables."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession
from pyspark.sql.types import StructType

from connectors.judges.spark_analyzer import SparkAnalyzer
from discovery.datatypes import spark as spark_types
from discovery.datatypes import spark_writing
from discovery.judging.entries import Base, Entry
from discovery.judging.reasons import reason_of
from discovery.model import Column, Identifier, ListOf, Primitive
from discovery.ports import Statement, Verdict
from tests.statements import CORPUS, ENDLESS

LONG, INTEGER, TEXT = Primitive("long"), Primitive("integer"), Primitive("string")
MONEY = Primitive("decimal(10,2)")
ORDERS = (Column("id", LONG), Column("Amount", MONEY), Column("tags", ListOf(TEXT)))
SALES = (
    ("view.catalogAndNamespace.numParts", "2"),
    ("view.catalogAndNamespace.part.0", "spark_catalog"),
    ("view.catalogAndNamespace.part.1", "sales"),
)
BASES = (
    Base(("spark_catalog", "sales", "orders"), spark_writing.schema(ORDERS)),
    Base(("lake", "a", "b", "orders"), spark_writing.schema(ORDERS)),
)


def entry(
    *columns: Column,
    properties: tuple[tuple[str, str], ...] = SALES,
    by_position: bool = False,
) -> Entry:
    return Entry(
        place=Identifier(("sales",), "v"),
        columns=spark_writing.schema(columns),
        properties=properties,
        by_position=by_position,
        catalogs=("lake",),
        bases=BASES,
    )


@pytest.fixture(scope="module")
def analyzer() -> Iterator[SparkAnalyzer]:
    with SparkAnalyzer() as made:
        yield made


def ask(analyzer: SparkAnalyzer, sql: str, told: Entry) -> Verdict:
    (verdict,) = analyzer.judge([Statement(sql, entry=told)])
    return verdict


def names(verdict: Verdict) -> list[tuple[str, object]]:
    assert verdict.returns is not None, verdict.message
    return [(one["name"], one["type"]) for one in json.loads(verdict.returns)["fields"]]


def test_it_says_what_the_text_returns(analyzer: SparkAnalyzer) -> None:
    assert (analyzer.engine, analyzer.grade) == ("spark", "ANALYZE")
    sql = "SELECT id, sum(amount) AS total FROM orders GROUP BY id"
    verdict = ask(analyzer, sql, entry(Column("id", LONG), Column("total", MONEY)))
    assert names(verdict) == [("id", "long"), ("total", "decimal(20,2)")]
    assert verdict.accepted is False, "Spark casts to nothing narrower"
    wide = entry(Column("id", LONG), Column("total", Primitive("decimal(22,2)")))
    assert ask(analyzer, sql, wide).accepted is True


ID = Column("id", LONG)
REFUSED = {
    "SELECT nope AS id FROM orders": "UNKNOWN_COLUMN",
    "SELECT id FROM gone": "UNKNOWN_TABLE",
    "SELECT id FROM elsewhere.orders": "UNKNOWN_TABLE",
    "SELECT id FROM hive.sales.orders": "UNKNOWN_TABLE",
    "SELECT nofn(id) AS id FROM orders": "UNKNOWN_FUNCTION",
    "SELECT a.id FROM orders a JOIN orders b ON id = 1": "AMBIGUOUS_NAME",
    "SELECT id + tags AS id FROM orders": "TYPE_MISMATCH",
    "SELECT substring(id) AS id FROM orders": "TYPE_MISMATCH",
    "SELECT id FROM orders UNION SELECT 1, 2": "TYPE_MISMATCH",
    "SELECT Amount FROM orders": "COLUMNS_REFUSED",
    "SELECT cast(id AS STRING) AS id FROM orders": "COLUMNS_REFUSED",
    "SELECT id FROM orders GROUP BY amount": "UNSUPPORTED_SYNTAX",
    "SELECT id FRO orders WHERE": "SYNTAX_AT_TOKEN",
}


@pytest.mark.parametrize(("sql", "code"), REFUSED.items())
def test_what_spark_refuses_is_rejected_with_the_class_of_its_message(
    analyzer: SparkAnalyzer, sql: str, code: str
) -> None:
    verdict = ask(analyzer, sql, entry(ID))
    assert verdict.accepted is False
    assert reason_of(verdict.message).code == code, verdict.message
    assert "\n" not in verdict.message


def test_columns_are_found_by_the_names_that_spark_has_noted(analyzer: SparkAnalyzer) -> None:
    """`CREATE VIEW v(x, y) AS SELECT id, id …`: one name, two columns, the first is the first."""
    noted = (
        ("view.query.out.numCols", "2"),
        ("view.query.out.col.0", "id"),
        ("view.query.out.col.1", "id"),
    )
    told = entry(Column("x", LONG), Column("y", LONG), properties=(*SALES, *noted))
    assert ask(analyzer, "SELECT id, ID FROM orders", told).accepted is True
    one = ask(analyzer, "SELECT id FROM orders", told)
    assert (one.accepted, reason_of(one.message).code) == (False, "COLUMNS_REFUSED")
    assert names(one) == [("id", "long")]


def test_columns_of_iceberg_are_those_of_the_query_by_position(analyzer: SparkAnalyzer) -> None:
    here = (
        ("view.catalogAndNamespace.numParts", "3"),
        ("view.catalogAndNamespace.part.0", "lake"),
        ("view.catalogAndNamespace.part.1", "a"),
        ("view.catalogAndNamespace.part.2", "b"),
    )
    told = entry(Column("x", LONG), Column("y", MONEY), properties=here, by_position=True)
    assert ask(analyzer, "SELECT id, amount FROM orders", told).accepted is True
    assert ask(analyzer, "SELECT amount, id FROM orders", told).accepted is False
    assert ask(analyzer, "SELECT id FROM orders", told).accepted is False


def test_hive_s_own_names_are_found_by_position(analyzer: SparkAnalyzer) -> None:
    told = entry(Column("_c0", LONG), properties=())
    sql = "SELECT max(`orders`.`id`) FROM `sales`.`orders`"
    assert ask(analyzer, sql, told).accepted is True
    assert ask(analyzer, sql, entry(Column("m", LONG), properties=())).accepted is False


def test_a_view_is_analyzed_under_the_settings_that_it_was_made_under(
    analyzer: SparkAnalyzer,
) -> None:
    sql = "SELECT id FROM orders WHERE cast(tags[0] AS int) = 'a' AND \"id\" > 0"
    assert ask(analyzer, sql, entry(ID)).accepted is True, "without a word of it, ANSI was off"
    strict = (
        ("view.sqlConfig.spark.sql.ansi.enabled", "true"),
        ("view.sqlConfig.spark.sql.caseSensitive", "true"),
    )
    upper = "SELECT ID AS id FROM orders"
    assert ask(analyzer, upper, entry(ID)).accepted is True
    assert ask(analyzer, upper, entry(ID, properties=(*SALES, *strict))).accepted is False


def test_a_catalog_that_is_not_there_is_a_rejection(analyzer: SparkAnalyzer) -> None:
    flink = (
        ("view.catalogAndNamespace.numParts", "2"),
        ("view.catalogAndNamespace.part.0", "hive_of_flink"),
        ("view.catalogAndNamespace.part.1", "sales"),
    )
    verdict = ask(analyzer, "SELECT id FROM orders", entry(ID, properties=flink))
    assert (verdict.accepted, reason_of(verdict.message).code) == (False, "UNKNOWN_TABLE")


def test_what_only_real_tables_tell_is_not_judged(analyzer: SparkAnalyzer) -> None:
    sql = "SELECT id FROM lake.a.b.orders VERSION AS OF 7"
    assert ask(analyzer, sql, entry(ID)).accepted is None


def test_a_text_that_exhausts_the_analyzer_costs_no_other(
    analyzer: SparkAnalyzer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SparkAnalyzer, "answer_within", 10.0)
    texts = [ENDLESS, "SELECT id FROM orders"]
    lost, good = analyzer.judge([Statement(sql, entry=entry(ID)) for sql in texts])
    assert lost.accepted is not True
    assert good.accepted is True, good.message


ANSI = (("view.sqlConfig.spark.sql.ansi.enabled", "true"),)
EVOLVES = (("view.schemaMode", "EVOLUTION"),)
SCHEMA = CORPUS["schema"]["sales"]


def typed(columns: Mapping[str, str]) -> tuple[Column, ...]:
    return tuple(Column(name, spark_types.parse(kind)) for name, kind in columns.items())


@pytest.fixture(scope="module")
def sales(spark: SparkSession) -> Iterator[SparkSession]:
    """A session of Spark with the tables of the corpus, and one whose columns change."""
    spark.sql("CREATE DATABASE IF NOT EXISTS sales")
    for name, columns in SCHEMA.items():
        listed = ", ".join(f"{column} {kind}" for column, kind in columns.items())
        spark.sql(f"CREATE TABLE sales.{name} ({listed}) USING parquet")
    yield spark
    spark.sql("DROP DATABASE sales CASCADE")


def live(spark: SparkSession, sql: str) -> tuple[str | None, StructType | None]:
    """What a session of Spark answers: the class of its refusal, or the columns."""
    try:
        return None, spark.sql(sql).schema
    except AnalysisException as error:
        return error.getCondition() or "none", None


def test_it_agrees_with_a_session_of_spark(analyzer: SparkAnalyzer, sales: SparkSession) -> None:
    """Texts of all engines, under the settings of a session: the same columns, or refusals."""
    bases = tuple(
        Base(("spark_catalog", "sales", name), spark_writing.schema(typed(columns)))
        for name, columns in SCHEMA.items()
    )
    told = Entry(
        place=Identifier(("sales",), "v"),
        columns=spark_writing.schema(()),
        properties=(*SALES, *ANSI, *EVOLVES),
        bases=bases,
    )
    texts = [view["sql"] for view in CORPUS["views"]] + MORE
    sales.sql("USE sales")
    wanted = [live(sales, sql) for sql in texts]
    sales.sql("USE default")
    said = analyzer.judge([Statement(sql, entry=told) for sql in texts])
    accepted = 0
    for sql, (refusal, columns), verdict in zip(texts, wanted, said, strict=True):
        assert verdict.accepted is (refusal is None), (sql, refusal, verdict.message)
        if columns is None:
            assert refusal in {"none", verdict.message.partition("]")[0].lstrip("[")}, sql
        else:
            accepted += 1
            assert verdict.returns is not None
            found = json.loads(verdict.returns)["fields"]
            assert [(one["name"], one["type"]) for one in found] == [
                (one["name"], one["type"]) for one in columns.jsonValue()["fields"]
            ], sql
    assert accepted >= 30


MORE = [
    *(sql for sql in REFUSED if "lake" not in sql),
    "SELECT o.*, c.name FROM orders o LEFT JOIN customers c USING (customer_id)",
    "SELECT status, count(*) FROM orders GROUP BY ALL HAVING count(*) > 1 ORDER BY 2 DESC LIMIT 3",
    "SELECT customer_id, c.name FROM orders NATURAL JOIN customers c",
    "SELECT (SELECT max(qty) FROM items i WHERE i.order_id = o.order_id) FROM orders o",
    "SELECT order_id FROM orders WHERE order_id IN (SELECT order_id, qty FROM items)",
    "SELECT explode(props) FROM orders",
    "SELECT order_id, t.tag FROM orders LATERAL VIEW OUTER explode(tags) t AS tag",
    "SELECT sum(qty) OVER (PARTITION BY sku ORDER BY price ROWS 2 PRECEDING) FROM items",
    "SELECT sum(sum(qty)) FROM items",
    "SELECT sku FROM items WHERE sum(qty) > 1",
    "SELECT address.street, address.nothing FROM customers_wide",
    "SELECT from_json(payload, 'a INT, b ARRAY<STRING>').b[0] AS b FROM orders",
    "SELECT get_json_object(payload, '$.a') + 1 AS n FROM orders",
    "SELECT * FROM (SELECT sku, qty FROM items) PIVOT (sum(qty) FOR sku IN ('a', 'b'))",
    "SELECT * FROM items UNPIVOT (v FOR n IN (qty, order_id))",
    "SELECT order_id FROM orders EXCEPT SELECT sku FROM items",
    "SELECT 1 AS a UNION ALL SELECT 'x'",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT n FROM r",
    "WITH orders AS (SELECT 1 AS one) SELECT one FROM orders",
    "SELECT one FROM (VALUES (1), ('x')) AS v(one)",
    "SELECT id FROM range(10)",
    "SELECT amount / 0, 1 / 2, date '2020-01-01' + 1 FROM orders",
    "SELECT cast(tags AS int) FROM orders",
    "SELECT order_id AS a, a + 1 AS b FROM orders",
    "SELECT * EXCEPT (payload) FROM orders",
    "SELECT count(DISTINCT order_id) FILTER (WHERE amount > 1) FROM orders",
    "SELECT IDENTIFIER('order_id') FROM IDENTIFIER('sales.orders')",
    "SELECT customer_id FROM sales.customers TABLESAMPLE (10 PERCENT)",
    "SELECT max_by(name, customer_id), percentile_approx(customer_id, 0.5) FROM customers",
]
"""Texts in Spark's own dialect, for what the corpus does not touch."""


CHANGED = {
    "none": "id INT NOT NULL, name STRING",
    "widened": "id BIGINT, name STRING",
    "narrower": "id SMALLINT, name STRING",
    "another type": "id STRING, name STRING",
    "gone": "id INT",
    "more": "extra DATE, id INT, name STRING",
    "in another order": "name STRING, id INT",
}
MADE = {
    "star": "CREATE VIEW sales.star AS SELECT * FROM base",
    "renamed": "CREATE VIEW sales.renamed (a, b) AS SELECT id, name FROM base",
    "twice": "CREATE VIEW sales.twice (a, b) AS SELECT id, id FROM base",
    "summed": "CREATE VIEW sales.summed AS SELECT sum(id) AS s, max(name) AS n FROM base",
    "bound": "CREATE VIEW sales.bound WITH SCHEMA BINDING AS SELECT * FROM base",
    "compensating": "CREATE VIEW sales.compensating WITH SCHEMA COMPENSATION AS SELECT * FROM base",
    "typed": "CREATE VIEW sales.typed WITH SCHEMA TYPE EVOLUTION AS SELECT * FROM base",
    "evolving": "CREATE VIEW sales.evolving WITH SCHEMA EVOLUTION AS SELECT * FROM base",
}


def kept(spark: SparkSession, name: str) -> tuple[str, Entry]:
    """A view as Spark keeps it: its text and its entry, without bases."""
    state = spark._jsparkSession.sessionState()
    jvm = spark._jvm
    assert jvm is not None
    place = jvm.org.apache.spark.sql.catalyst.TableIdentifier(name, jvm.scala.Option.apply("sales"))
    table = state.catalog().getTableMetadata(place)
    properties = dict(jvm.scala.jdk.javaapi.CollectionConverters.asJava(table.properties()))
    return table.viewText().get(), Entry(
        place=Identifier(("sales",), name),
        columns=table.schema().json(),
        properties=(*properties.items(), ("spark.sql.create.version", table.createVersion())),
    )


def test_it_agrees_on_views_whose_tables_have_changed(
    analyzer: SparkAnalyzer, sales: SparkSession
) -> None:
    """Spark up-casts, casts or lets the view follow, by the mode of the view, or refuses it."""
    asked: list[tuple[str, str, str | None, StructType | None, Statement]] = []
    sales.sql("USE sales")
    sales.sql(f"CREATE TABLE sales.base ({CHANGED['none']}) USING parquet")
    for made in MADE.values():
        sales.sql(made)
    entries = {name: kept(sales, name) for name in MADE}
    for change, columns in CHANGED.items():
        sales.sql("DROP TABLE sales.base")
        sales.sql(f"CREATE TABLE sales.base ({columns}) USING parquet")
        base = Base(("spark_catalog", "sales", "base"), sales.table("sales.base").schema.json())
        for name, (sql, entry) in entries.items():
            statement = Statement(sql, entry=replace(entry, bases=(base,)))
            asked.append((change, name, *live(sales, f"SELECT * FROM sales.{name}"), statement))
    sales.sql("USE default")
    refused = 0
    said = analyzer.judge([one for *_, one in asked])
    for (change, name, refusal, _, _), verdict in zip(asked, said, strict=True):
        assert verdict.accepted is (refusal is None), (change, name, refusal, verdict.message)
        if refusal is not None:
            refused += 1
            assert verdict.message.startswith(f"[{refusal}]"), (change, name)
    assert refused >= 8
    assert len(asked) - refused >= 20
