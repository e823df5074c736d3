"""Hive's semantic analyzer: what it says of views over what is known of tables."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from pyspark.sql import SparkSession

from connectors.judges.hive_analyzer import HiveAnalyzer
from discovery.judging.entries import Base, Entry
from discovery.judging.reasons import reason_of
from discovery.model import HIVE, Identifier
from discovery.ports import Statement, Verdict
from jobs.assessing.jars import provide
from tests.loopback import listening

ORDERS = [
    ("id", "bigint"),
    ("amount", "decimal(10,2)"),
    ("tags", "array<string>"),
    ("part", "struct<a:int,b:string>"),
]
ID = '[["id", "bigint"]]'
BASES = (Base(("sales", "orders"), json.dumps(ORDERS)), Base(("default", "plain"), ID))
HERE = Entry(place=Identifier(("sales",), "v"), columns=ID, bases=BASES)


@pytest.fixture(scope="module")
def analyzer(spark: SparkSession) -> Iterator[HiveAnalyzer]:
    (provided,) = provide(spark, [HIVE], None, analyzers=True)
    with provided.judge() as made:
        assert isinstance(made, HiveAnalyzer), provided.missing
        yield made


def ask(analyzer: HiveAnalyzer, sql: str) -> Verdict:
    (verdict,) = analyzer.judge([Statement(sql, entry=HERE)])
    return verdict


def test_it_says_what_the_text_returns(analyzer: HiveAnalyzer) -> None:
    assert (analyzer.engine, analyzer.grade, analyzer.version) == ("hive", "ANALYZE", "2.3.10")
    columns = "`o`.`id` `i`, max(`o`.`tags`[0]), 1 `v.x`"
    verdict = ask(analyzer, f"SELECT {columns} FROM `sales`.`orders` `o` GROUP BY `o`.`id`")
    assert verdict.accepted is True, verdict.message
    assert verdict.returns is not None
    assert json.loads(verdict.returns) == [["i", "bigint"], ["_c1", "string"], ["v.x", "int"]]


def test_a_text_reaches_no_other_machine(analyzer: HiveAnalyzer) -> None:
    reached: list[bytes] = []
    with listening(lambda client: reached.append(client.recv(1))) as port:
        document = f'<!DOCTYPE r SYSTEM "http://127.0.0.1:{port}/x.dtd"><r>a</r>'
        ask(analyzer, f"SELECT xpath_string('{document}', 'r') AS c FROM sales.orders")
    assert reached == []


ACCEPTED = (
    "SELECT ID FROM Sales.ORDERS",
    "SELECT id FROM plain",
    "SELECT t.tag FROM sales.orders LATERAL VIEW explode(tags) t AS tag",
    "SELECT part.a FROM sales.orders WHERE amount > '5'",
    "WITH q AS (SELECT id FROM sales.orders) SELECT count(*) FROM q",
)


@pytest.mark.parametrize("sql", ACCEPTED)
def test_names_are_found_in_any_case_and_short_ones_in_the_database_default(
    analyzer: HiveAnalyzer, sql: str
) -> None:
    verdict = ask(analyzer, sql)
    assert verdict.accepted is True, verdict.message


REFUSED = {
    "SELECT nope FROM sales.orders": "UNKNOWN_COLUMN",
    "SELECT id FROM orders": "UNKNOWN_TABLE",
    "SELECT id FROM sales.gone": "UNKNOWN_TABLE",
    "SELECT id FROM x.sales.orders": "SYNTAX_AT_TOKEN",
    "SELECT date_trunc('MM', id) FROM sales.orders": "UNKNOWN_FUNCTION",
    "SELECT a.id FROM sales.orders a JOIN sales.orders b ON id = 1": "AMBIGUOUS_NAME",
    "SELECT substr(id) FROM sales.orders": "TYPE_MISMATCH",
    "SELECT id FROM sales.orders UNION ALL SELECT tags FROM sales.orders": "TYPE_MISMATCH",
    "SELECT id, sum(amount) FROM sales.orders": "UNSUPPORTED_SYNTAX",
    "SELECT id FROM sales.orders WHERE id > (SELECT max(id) FROM plain)": "UNSUPPORTED_SYNTAX",
}


@pytest.mark.parametrize(("sql", "code"), REFUSED.items())
def test_what_hive_refuses_is_rejected_with_the_class_of_its_message(
    analyzer: HiveAnalyzer, sql: str, code: str
) -> None:
    verdict = ask(analyzer, sql)
    assert verdict.accepted is False
    assert reason_of(verdict.message).code == code, verdict.message


_ABOVE = "SELECT o.id FROM plain o WHERE o.id >"


@pytest.mark.parametrize(
    ("sql", "accepted"),
    [
        ("SELECT o.id, p.id AS other FROM sales.orders o JOIN plain p USING (id)", True),
        ("SELECT id FROM sales.orders o JOIN plain p USING (id)", False),
        ("SELECT id FROM plain INTERSECT SELECT id FROM sales.orders", True),
        (f"{_ABOVE} (SELECT max(i.id) FROM plain i WHERE i.id = o.id)", True),
        (
            "SELECT id FROM plain o WHERE id > (SELECT avg(id) FROM plain i WHERE i.id < o.id)",
            False,
        ),
        ("SELECT id FROM plain WHERE id = 1 OR id IN (SELECT id FROM sales.orders)", True),
        ("SELECT struct(id, id).col1 FROM plain", False),  # an AssertionError, to the client, too
        ("SELECT named_struct('a', id).a FROM plain", True),
    ],
)
def test_what_only_the_optimizer_compiles_is_judged_with_it(
    analyzer: HiveAnalyzer, sql: str, accepted: bool
) -> None:
    """As a HiveServer2 2.3.10 answers, with `hive.cbo.enable` as it is by default."""
    verdict = ask(analyzer, sql)
    assert verdict.accepted is accepted, verdict.message


@pytest.mark.parametrize("depth", [7, 8, 9, 40])
def test_a_type_is_nested_as_deep_as_a_table_of_orc_has_it(
    analyzer: HiveAnalyzer, depth: int
) -> None:
    kind = f"{'array<' * depth}uniontype<int,string,map<string,interval_day_time>>{'>' * depth}"
    bases = (Base(("sales", "deep"), json.dumps([("id", "bigint"), ("nested", kind)])),)
    entry = Entry(place=Identifier(("sales",), "v"), columns=ID, bases=bases)
    for sql in ("SELECT id FROM sales.deep", "SELECT nested FROM sales.deep"):
        (verdict,) = analyzer.judge([Statement(sql, entry=entry)])
        assert verdict.accepted is True, verdict.message


def test_what_was_there_before_is_not_there_for_the_next(analyzer: HiveAnalyzer) -> None:
    bare = Entry(place=Identifier(("sales",), "v"), columns=ID)
    (verdict,) = analyzer.judge([Statement("SELECT id FROM sales.orders", entry=bare)])
    assert verdict.accepted is False


def test_a_view_below_has_the_columns_that_its_text_returns(analyzer: HiveAnalyzer) -> None:
    below = Base(("sales", "low"), '[["n", "int"]]', "SELECT `id` AS `m`\nFROM `sales`.`orders`")
    entry = replace(HERE, bases=(*BASES, below))
    for text, accepted in (("SELECT m FROM sales.low", True), ("SELECT n FROM sales.low", False)):
        (verdict,) = analyzer.judge([Statement(text, entry=entry)])
        assert verdict.accepted is accepted, verdict
    (verdict,) = analyzer.judge([Statement("SELECT m FROM sales.low", entry=entry)])
    assert json.loads(verdict.returns or "") == [["m", "bigint"]]
