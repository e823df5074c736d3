"""What an analyzer must do: what the engine itself says of a view, over what is known of tables."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from connectors.judges.spark_analyzer import SparkAnalyzer
from discovery.datatypes import spark_writing
from discovery.functions import Parameter, Signature
from discovery.judging.analysis import Functions, weighed
from discovery.judging.calling import KnownFunction
from discovery.judging.entries import Base, Entry
from discovery.judging.reasons import reason_of
from discovery.model import Column, Identifier, ListOf, Primitive
from discovery.ports import Statement, Verdict
from tests.statements import ENDLESS

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
    return [(field["name"], field["type"]) for field in json.loads(verdict.returns)["fields"]]


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
    verdict = ask(analyzer, "SELECT id FROM orders", told)
    assert (verdict.accepted, reason_of(verdict.message).code) == (False, "COLUMNS_REFUSED")
    assert names(verdict) == [("id", "long")]


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


def test_it_has_the_grammar_of_a_session_and_not_that_of_catalyst_alone(
    analyzer: SparkAnalyzer,
) -> None:
    sql = "SELECT id FROM orders DISTRIBUTE BY id SORT BY id"
    assert ask(analyzer, sql, entry(ID)).accepted is True


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


def called(*takes: Parameter, returns: str = "INT", name: str = "f") -> Entry:
    """Where Spark's own catalog has a function in its SQL, too."""
    known_function = KnownFunction("lake", ("sales",), name, Signature(takes, returns), "spark")
    return replace(entry(Column("c", LONG)), functions=(known_function,))


def test_a_function_is_called_as_spark_calls_those_that_it_keeps(analyzer: SparkAnalyzer) -> None:
    there = called(
        Parameter("x", "BIGINT", may_lack=False), Parameter("b`c", "STRING", may_lack=True)
    )
    for call in ("f(id)", "sales.f(id)", "SALES.F(id, 'a')", "f(`b``c` => 'a', x => id)"):
        verdict = ask(analyzer, f"SELECT {call} AS c FROM orders", there)
        assert verdict.accepted is True, verdict.message
        assert names(verdict) == [("c", "integer")]
    for call, code in (
        ("f(tags)", "TYPE_MISMATCH"),
        ("f()", "TYPE_MISMATCH"),
        ("f(1, 'a', 2)", "TYPE_MISMATCH"),
        ("lake.f(1)", "UNKNOWN_FUNCTION"),
    ):
        refused = ask(analyzer, f"SELECT {call} AS c FROM orders", there)
        assert (refused.accepted, reason_of(refused.message).code) == (False, code), refused
    gone = ask(analyzer, "SELECT f(id) AS c FROM orders", entry(Column("c", LONG)))
    assert reason_of(gone.message).code == "UNKNOWN_FUNCTION", "it was of the statement before"


def test_a_function_that_is_called_as_one_of_spark_s_own_leaves_that_alone(
    analyzer: SparkAnalyzer,
) -> None:
    there = called(Parameter("x", "STRING", may_lack=False), name="char_length", returns="TINYINT")
    both = "SELECT sales.char_length('a') AS c, char_length('a') AS d FROM orders"
    assert names(ask(analyzer, both, there)) == [("c", "byte"), ("d", "integer")]
    after = ask(analyzer, "SELECT char_length('a') AS c FROM orders", entry(Column("c", LONG)))
    assert names(after) == [("c", "integer")]


@pytest.mark.parametrize("kind", ["INT) x", "nonsense", "INT, y INT", "'", ""])
def test_a_type_that_spark_does_not_spell_so_costs_no_other_text(
    analyzer: SparkAnalyzer, kind: str
) -> None:
    for there in (called(Parameter("x", kind, may_lack=False)), called(returns=kind)):
        verdict = ask(analyzer, "SELECT f(1) AS c FROM orders", there)
        assert weighed(verdict, there, Functions(), True).accepted is not True
    assert ask(analyzer, "SELECT id FROM orders", entry(ID)).accepted is True


def test_a_text_that_exhausts_the_analyzer_costs_no_other(
    analyzer: SparkAnalyzer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SparkAnalyzer, "answer_within", 10.0)
    texts = [ENDLESS, "SELECT id FROM orders"]
    lost, good = analyzer.judge([Statement(sql, entry=entry(ID)) for sql in texts])
    assert lost.accepted is not True
    assert good.accepted is True, good.message
