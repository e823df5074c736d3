"""Trino's analyzer: what it says of views over what is known of tables."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from pyspark.sql import SparkSession

from connectors.judges.trino_analyzer import TrinoAnalyzer
from discovery.functions import Parameter, Signature
from discovery.judging.analysis import Functions
from discovery.judging.calling import KnownFunction
from discovery.judging.entries import Base, Entry
from discovery.judging.reasons import REJECTED, reason_of
from discovery.judging.resolving import resolved
from discovery.model import TRINO, Identifier
from discovery.ports import Statement, Verdict
from jobs.assessing.jars import provide
from tests.live.record_trino_statements import STATEMENTS

ORDERS = [
    ("id", "bigint"),
    ("amount", "decimal(10,2)"),
    ("tags", "array(varchar)"),
    ("part", 'row("a" integer,"b" varchar)'),
    ("ts", "timestamp(3)"),
]
BASES = (Base(("hive", "sales", "orders"), json.dumps(ORDERS)),)
ID = ("id", "bigint")


def entry(*columns: tuple[str, str], context: tuple[str, str] = ("hive", "sales")) -> Entry:
    place = Identifier(("hive", "sales"), "v")
    return Entry(place=place, columns=json.dumps(columns), context=context, bases=BASES)


@pytest.fixture(scope="module")
def analyzer(spark: SparkSession) -> Iterator[TrinoAnalyzer]:
    (provided,) = provide(spark, [TRINO], None, analyzers=True)
    with provided.judge() as made:
        assert isinstance(made, TrinoAnalyzer), provided.missing
        yield made


def ask(analyzer: TrinoAnalyzer, sql: str, *columns: tuple[str, str]) -> Verdict:
    (verdict,) = analyzer.judge([Statement(sql, entry=entry(*columns))])
    return verdict


def test_it_says_what_the_text_returns(analyzer: TrinoAnalyzer) -> None:
    assert (analyzer.engine, analyzer.grade, analyzer.version) == ("trino", "ANALYZE", "435")
    sql = 'SELECT id AS "I d", sum(amount) FROM hive.sales.orders GROUP BY id'
    verdict = ask(analyzer, sql)
    assert verdict.accepted is True, verdict.message
    assert verdict.returns is not None
    assert json.loads(verdict.returns) == [["I d", "bigint"], ["", "decimal(38,2)"]]


ACCEPTED = (
    "SELECT ID FROM Sales.ORDERS",
    "SELECT CAST(part.a AS smallint) id FROM orders WHERE ts > TIMESTAMP '2026-01-01 00:00:00'",
    "SELECT o.id FROM orders o CROSS JOIN UNNEST(tags) t (tag)",
    "WITH q AS (SELECT id FROM orders) SELECT count(*) id FROM q",
    "SELECT CAST(JSON_VALUE(tags[1], 'lax $.a') AS integer) id FROM orders",
    "SELECT reduce(tags, 0, (s, x) -> s + 1, s -> s) id FROM orders TABLESAMPLE BERNOULLI (10)",
    "WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT n id FROM t",
    (
        "SELECT first id FROM orders MATCH_RECOGNIZE "
        "(ORDER BY ts MEASURES A.id AS first PATTERN (A B+) DEFINE B AS id > 1)"
    ),
)


@pytest.mark.parametrize("sql", ACCEPTED)
def test_a_column_that_becomes_the_stored_one_by_itself_is_that(
    analyzer: TrinoAnalyzer, sql: str
) -> None:
    verdict = ask(analyzer, sql, ID)
    assert verdict.accepted is True, verdict.message


REFUSED = {
    "SELECT nope id FROM orders": "UNKNOWN_COLUMN",
    "SELECT o.nope id FROM orders o": "UNKNOWN_COLUMN",
    'SELECT "no pe" id FROM orders': "UNKNOWN_COLUMN",
    "SELECT id FROM gone": "UNKNOWN_TABLE",
    "SELECT id FROM x.sales.orders": "UNKNOWN_TABLE",
    "SELECT id FROM orders, orders o": "AMBIGUOUS_NAME",
    "SELECT nofn(id) id FROM orders": "UNKNOWN_FUNCTION",
    "SELECT sum(tags) id FROM orders": "TYPE_MISMATCH",
    "SELECT id FROM orders WHERE id = '5'": "TYPE_MISMATCH",
    "SELECT id FROM orders UNION ALL SELECT tags FROM orders": "TYPE_MISMATCH",
    "SELECT id FROM orders WHERE ts > DATE 'x'": "TYPE_MISMATCH",
    "SELECT CAST(id AS foo) id FROM orders": "TYPE_MISMATCH",
    "SELECT id FROM orders WHERE id": "TYPE_MISMATCH",
    "SELECT id, sum(amount) FROM orders": "UNSUPPORTED_SYNTAX",
    "SELECT id FROM orders WHERE count(*) > 1": "UNSUPPORTED_SYNTAX",
    "SELECT rank() id FROM orders": "UNSUPPORTED_SYNTAX",
    "SELECT id, amount FROM orders": "COLUMNS_REFUSED",
    "SELECT id AS other FROM orders": "COLUMNS_REFUSED",
    "SELECT id + 1 FROM orders": "COLUMNS_REFUSED",
    "SELECT amount id FROM orders": "COLUMNS_REFUSED",
}


@pytest.mark.parametrize(("sql", "code"), REFUSED.items())
def test_what_trino_refuses_is_rejected_with_the_class_of_its_message(
    analyzer: TrinoAnalyzer, sql: str, code: str
) -> None:
    verdict = ask(analyzer, sql, ID)
    assert verdict.accepted is False
    assert reason_of(verdict.message).code == code, verdict.message


SILENT = (
    "SELECT id FRO orders WHERE",
    "SELECT id FROM orders FOR VERSION AS OF 3",
    "SELECT id FROM TABLE(sequence(1, 10)) t (id)",
    "SELECT sum(id) id FROM orders GROUP BY AUTO",
    "SELECT sum(id) id FROM orders GROUP BY DISTINCT AUTO, ROLLUP (ts)",
    "SELECT count(DISTINCT id) OVER () id FROM orders",
    "SELECT id, array_agg(id ORDER BY ts) OVER w a FROM orders WINDOW w AS (PARTITION BY ts)",
)
"""The last four Trino 476 reads, as it was asked."""


@pytest.mark.parametrize("sql", SILENT)
def test_what_a_newer_grammar_or_a_real_table_may_know_is_not_judged(
    analyzer: TrinoAnalyzer, sql: str
) -> None:
    assert ask(analyzer, sql, ID).accepted is None


def test_a_refusal_has_its_place_in_the_text_of_the_view(analyzer: TrinoAnalyzer) -> None:
    verdict = ask(analyzer, "SELECT id,\n  nope FROM orders", ID)
    assert (verdict.message, verdict.line, verdict.column) == (
        "Column 'nope' cannot be resolved",
        2,
        3,
    )


def test_a_view_that_keeps_no_schema_has_no_short_names(analyzer: TrinoAnalyzer) -> None:
    kept = entry(ID, context=("", ""))
    short, verdict = analyzer.judge(
        [Statement(f"SELECT id FROM {one}", entry=kept) for one in ("orders", "hive.sales.orders")]
    )
    assert short.accepted is False
    assert short.message.startswith("Schema must be specified")
    assert verdict.accepted is True


def test_what_was_there_before_is_not_there_for_the_next(analyzer: TrinoAnalyzer) -> None:
    bare = Entry(place=Identifier(("hive", "sales"), "v"), columns="[]", context=("hive", "sales"))
    (verdict,) = analyzer.judge([Statement("SELECT id FROM orders", entry=bare)])
    assert verdict.accepted is False


def test_functions_of_the_catalog_are_called_by_their_types(analyzer: TrinoAnalyzer) -> None:
    def kept(returns: str, *takes: str) -> KnownFunction:
        parameters = tuple(Parameter("a", one, may_lack=False) for one in takes)
        return KnownFunction("lake", ("Fun",), "Twice", Signature(parameters, returns), "trino")

    there = replace(
        entry(("c", "double")),
        catalogs=("hive", "same"),
        functions=(kept("bigint", "bigint"), kept("integer", "varchar")),
    )
    for call in ("hive.fun.twice(id)", "FUN.TWICE('a')", '"same"."fun"."twice"(1)'):
        (found,) = analyzer.judge([Statement(f"SELECT {call} c FROM orders", entry=there)])
        assert found.accepted is True, found.message
    by_path = replace(there, path=(("hive", "fun"),))
    short = "SELECT twice(id) c FROM orders"
    assert [verdict.accepted for verdict in analyzer.judge([Statement(short, entry=by_path)])] == [
        True
    ]
    for call, told in (
        ("fun.twice(tags)", "Unexpected parameters (array(varchar)) for function fun.twice."),
        ("fun.twice()", "Unexpected parameters () for function fun.twice."),
        ("twice(id)", "Function 'twice' not registered"),
        ("sales.twice(id)", "Function 'sales.twice' not registered"),
    ):
        (found,) = analyzer.judge([Statement(f"SELECT {call} c FROM orders", entry=there)])
        assert found.accepted is False
        assert found.message.startswith(told)
    gone = ask(analyzer, "SELECT fun.twice(id) c FROM orders", ("c", "double"))
    assert gone.message == "Function 'fun.twice' not registered", "it was of another statement"


def test_a_type_that_it_does_not_have_is_a_fault_of_each_text_over_it(
    analyzer: TrinoAnalyzer,
) -> None:
    base = Base(("hive", "sales", "places"), '[["at", "geometry"]]')
    told = Entry(place=Identifier(("hive", "sales"), "v"), columns="[]", bases=(base,))
    for verdict in analyzer.judge([Statement("SELECT 1 one", entry=told)] * 2):
        assert verdict.accepted is False
        assert "geometry" in verdict.message


def test_it_is_of_one_mind_with_a_newer_trino_or_leaves_it_to_the_parser(
    analyzer: TrinoAnalyzer,
) -> None:
    found = json.loads(STATEMENTS.read_text(encoding="utf-8"))
    bases = tuple(
        Base(tuple(name.split(".")), json.dumps(columns))
        for name, columns in found["tables"].items()
    )
    told = Entry(place=Identifier(("tpch", "tiny"), "v"), columns="[]", bases=bases)
    answers: dict[str, str] = found["answers"]
    said = analyzer.judge([Statement(sql, entry=told) for sql in answers])
    weighed = [resolved(one, told, Functions(), True) for one in said]
    judged = {
        sql: (one, answer)
        for (sql, answer), one in zip(answers.items(), weighed, strict=True)
        if one.accepted is not None
    }
    other = {sql: pair for sql, pair in judged.items() if pair[0].accepted is bool(pair[1])}
    assert other == {}
    assert len(judged) >= 80, len(answers)
    for verdict, _ in judged.values():
        assert verdict.accepted or reason_of(verdict.message) != REJECTED, verdict.message
