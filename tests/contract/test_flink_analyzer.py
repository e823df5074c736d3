"""Flink's planner: what it says of views over what is known of tables."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from pyspark.sql import SparkSession

from connectors.judges.flink_analyzer import FlinkAnalyzer
from discovery.judging.entries import Base, Entry
from discovery.judging.reasons import reason_of
from discovery.model import FLINK, Identifier
from discovery.ports import Statement, Verdict
from jobs.assessing.jars import provide

ORDERS = [
    ("id", "BIGINT"),
    ("amount", "DECIMAL(10, 2)"),
    ("tags", "ARRAY<STRING>"),
    ("part", "ROW<a INT, b STRING>"),
    ("ts", "TIMESTAMP(9)"),
    ("Day", "DATE"),
]
BASES = (Base(("hc", "sales", "orders"), json.dumps(ORDERS)),)
ID = ("id", "BIGINT")


def entry(*columns: tuple[str, str]) -> Entry:
    place = Identifier(("hc", "sales"), "v")
    return Entry(place=place, columns=json.dumps(columns), by_position=True, bases=BASES)


@pytest.fixture(scope="module")
def analyzer(spark: SparkSession) -> Iterator[FlinkAnalyzer]:
    (provided,) = provide(spark, [FLINK], None, analyzers=True)
    with provided.judge() as made:
        assert isinstance(made, FlinkAnalyzer), provided.missing
        yield made


def ask(analyzer: FlinkAnalyzer, sql: str, *columns: tuple[str, str]) -> Verdict:
    (verdict,) = analyzer.judge([Statement(sql, entry=entry(*columns))])
    return verdict


def test_it_says_what_the_text_returns(analyzer: FlinkAnalyzer) -> None:
    assert (analyzer.engine, analyzer.grade) == ("flink", "ANALYZE")
    sql = "SELECT id AS i, sum(amount) FROM `hc`.`sales`.`orders` GROUP BY id"
    verdict = ask(analyzer, sql, ID, ("total", "DECIMAL(38, 2)"))
    assert verdict.accepted is True, verdict.message
    assert verdict.returns is not None
    assert json.loads(verdict.returns) == [["i", "BIGINT"], ["EXPR$1", "DECIMAL(38, 2)"]]


ACCEPTED = (
    "SELECT id FROM ORDERS",
    "SELECT cardinality(tags) FROM orders",
    "SELECT part.a FROM Sales.orders WHERE ts > CURRENT_TIMESTAMP",
    "SELECT t.id FROM orders AS t CROSS JOIN UNNEST(t.tags) AS u(tag)",
    "WITH q AS (SELECT id FROM orders) SELECT count(*) FROM q",
    "SELECT CAST(NULL AS BIGINT)",
    "SELECT id FROM orders WHERE id > '5' AND `Day` = '2026-01-01'",  # as Flink 1.20.5 takes it
)


@pytest.mark.parametrize("sql", ACCEPTED)
def test_tables_are_found_in_any_case_and_short_names_in_the_view_s_place(
    analyzer: FlinkAnalyzer, sql: str
) -> None:
    verdict = ask(analyzer, sql, ID)
    assert verdict.accepted is True, verdict.message


REFUSED = {
    "SELECT ID FROM orders": "UNKNOWN_COLUMN",
    "SELECT `day` FROM orders": "UNKNOWN_COLUMN",
    "SELECT nope FROM orders": "UNKNOWN_COLUMN",
    "SELECT id FROM gone": "UNKNOWN_TABLE",
    "SELECT id FROM x.sales.orders": "UNKNOWN_TABLE",
    "SELECT id FROM orders, orders AS o": "AMBIGUOUS_NAME",
    "SELECT nofn(id) FROM orders": "UNKNOWN_FUNCTION",
    "SELECT substr(part.b) FROM orders": "TYPE_MISMATCH",
    "SELECT tags + 1 FROM orders": "TYPE_MISMATCH",
    "SELECT NULL": "TYPE_MISMATCH",
    "SELECT id FROM orders WHERE part.b = 5": "TYPE_MISMATCH",
    "SELECT id FROM orders WHERE '5' <> id": "TYPE_MISMATCH",
    "SELECT o.id FROM orders o JOIN orders p ON o.id = p.part.b": "TYPE_MISMATCH",
    "SELECT CAST(tags[0] AS BIGINT) FROM orders": "TYPE_MISMATCH",
    "SELECT id, amount FROM orders": "COLUMNS_REFUSED",
    "SELECT id, sum(amount) FROM orders": "UNSUPPORTED_SYNTAX",
    "SELECT id FRO orders WHERE": "SYNTAX_AT_TOKEN",
}


@pytest.mark.parametrize(("sql", "code"), REFUSED.items())
def test_what_flink_refuses_is_rejected_with_the_class_of_its_message(
    analyzer: FlinkAnalyzer, sql: str, code: str
) -> None:
    verdict = ask(analyzer, sql, ID)
    assert verdict.accepted is False
    assert reason_of(verdict.message).code == code, verdict.message


EVENTS = [
    ("id", "BIGINT NOT NULL"),
    ("T s", "TIMESTAMP(3) *ROWTIME*"),
    ("p", "TIMESTAMP(3) WITH LOCAL TIME ZONE NOT NULL *PROCTIME*"),
    ("other", "TIMESTAMP(3)"),
]
_MATCH = "SELECT x FROM ev MATCH_RECOGNIZE (ORDER BY `T s` MEASURES A.id AS x"
OF_TIME = {
    "SELECT CURRENT_WATERMARK(`T s`) FROM ev": True,
    "SELECT CURRENT_WATERMARK(other) FROM ev": False,
    "SELECT 1 FROM TABLE(SESSION(TABLE ev PARTITION BY id, DESCRIPTOR(p), INTERVAL '1' DAY))": True,
    "SELECT p FROM TABLE(TUMBLE(TABLE ev, DESCRIPTOR(p), INTERVAL '1' HOUR))": True,
    f"{_MATCH} PATTERN (A B+ C) DEFINE B AS B.id > 1)": True,
    f"{_MATCH} PATTERN (A B+) DEFINE B AS B.id > 1)": False,
    f"{_MATCH} PATTERN (A | B) DEFINE B AS B.id > 1)": False,
}
"""As Flink 1.20.5 takes them."""


@pytest.mark.parametrize(("sql", "accepts"), OF_TIME.items())
def test_time_attributes_are_those_of_the_table(
    analyzer: FlinkAnalyzer, sql: str, *, accepts: bool
) -> None:
    (verdict,) = analyzer.judge([of_events(sql)])
    assert verdict.accepted is accepts, verdict.message


def of_events(sql: str) -> Statement:
    place = Identifier(("hc", "sales"), "v")
    bases = (Base(("hc", "sales", "ev"), json.dumps(EVENTS)),)
    there = Entry(place=place, columns=json.dumps([ID]), by_position=True, bases=bases)
    return Statement(f"SELECT COUNT(*) FROM ({sql})", entry=there)


def test_a_lost_key_of_a_table_function_is_refused_by_1_20(spark: SparkSession) -> None:
    sql = "SELECT 1 FROM TABLE(SESSION(TABLE ev PARTITION BY n, DESCRIPTOR(p), INTERVAL '1' DAY))"
    (provided,) = provide(spark, [FLINK], None, analyzers=True, versions={FLINK: "1.20"})
    with provided.judge() as made:
        (verdict,) = made.judge([of_events(sql)])
    assert verdict.accepted is False
    assert "Column 'n' not found in any table" in verdict.message


def test_a_view_that_was_there_before_is_not_there_for_the_next(analyzer: FlinkAnalyzer) -> None:
    bare = Entry(place=Identifier(("hc", "sales"), "v"), columns=json.dumps([ID]))
    (verdict,) = analyzer.judge([Statement("SELECT id FROM orders", entry=bare)])
    assert verdict.accepted is False


OF_ITS_VERSION = ("SELECT CURRENT_DATE()", "SELECT PARSE_JSON('{}')")
"""What Flink 1.20.5 refused live in views of Spark."""


@pytest.mark.parametrize(("version", "accepts"), [("2.3", True), ("1.20", False)])
def test_each_version_judges_as_itself(spark: SparkSession, version: str, *, accepts: bool) -> None:
    (provided,) = provide(spark, [FLINK], None, analyzers=True, versions={FLINK: version})
    with provided.judge() as made:
        assert made.version.startswith(f"{version}.")
        place = Identifier(("hc", "sales"), "v")
        bare = Entry(place=place, columns=json.dumps([("c", "DATE")]))
        verdicts = list(made.judge([Statement(sql, entry=bare) for sql in OF_ITS_VERSION]))
    assert [verdict.accepted for verdict in verdicts] == [accepts, accepts], verdicts
    assert accepts or all("No match found for function" in verdict.message for verdict in verdicts)


LOST = {
    "SELECT amount % 3 FROM orders": ("BIGINT", "TYPE_MISMATCH"),
    "SELECT `Day` FROM orders UNION ALL SELECT CARDINALITY(tags) FROM orders": (
        "DATE",
        "TYPE_MISMATCH",
    ),
    "SELECT (SELECT count(*) FROM orders p WHERE p.id = o.id) FROM orders o": (
        "BIGINT",
        "UNSUPPORTED_SYNTAX",
    ),
    "SELECT CASE WHEN id > 1 THEN `Day` ELSE 1 END FROM orders": ("DATE", "TYPE_MISMATCH"),
    "SELECT CAST(ts AS BIGINT) FROM orders": ("BIGINT", "TYPE_MISMATCH"),
    "SELECT id FROM orders ORDER BY MAP[id, part.b]": ("BIGINT", "TYPE_MISMATCH"),
    "SELECT max(MAP[id, part.b]) FROM orders": ("MAP<BIGINT, STRING>", "TYPE_MISMATCH"),
    "SELECT count(DISTINCT id, amount) FROM orders": ("BIGINT", "TYPE_MISMATCH"),
    "SELECT o.id FROM orders o JOIN orders p ON o.id = p.id AND o.`Day` = p.part.b": (
        "BIGINT",
        "TYPE_MISMATCH",
    ),
    "SELECT o.id FROM orders o, orders p WHERE o.ts = p.part.b": ("BIGINT", "TYPE_MISMATCH"),
    "SELECT id FROM orders WHERE `Day` IN (SELECT part.b FROM orders)": ("BIGINT", "TYPE_MISMATCH"),
    "SELECT id FROM orders WHERE (id, id) IN (SELECT id, part.b FROM orders)": (
        "BIGINT",
        "TYPE_MISMATCH",
    ),
    "SELECT id FROM orders WHERE id NOT IN (SELECT part.b FROM orders)": (
        "BIGINT",
        "TYPE_MISMATCH",
    ),
    "SELECT o.id FROM orders o WHERE EXISTS (SELECT 1 FROM orders p WHERE p.part.b = o.`Day`)": (
        "BIGINT",
        "TYPE_MISMATCH",
    ),
    "SELECT id FROM orders ORDER BY id OFFSET 2 ROWS": ("BIGINT", "UNSUPPORTED_SYNTAX"),
    "SELECT o.id FROM orders o, LATERAL (SELECT id FROM orders p WHERE p.id = o.id LIMIT 1) p": (
        "BIGINT",
        "UNSUPPORTED_SYNTAX",
    ),
    "SELECT n FROM orders CROSS JOIN UNNEST(tags) WITH ORDINALITY AS u(t, n)": (
        "INT",
        "UNSUPPORTED_SYNTAX",
    ),
    "SELECT id FROM orders TABLESAMPLE BERNOULLI (10)": ("BIGINT", "UNSUPPORTED_SYNTAX"),
    "SELECT /*+ BROADCAST(x) */ o.id FROM orders o JOIN orders p ON o.id = p.id": (
        "BIGINT",
        "UNSUPPORTED_SYNTAX",
    ),
    "SELECT max(tags) FROM orders": ("ARRAY<STRING>", "TYPE_MISMATCH"),
    "SELECT count(DISTINCT id) OVER (PARTITION BY amount) FROM orders": (
        "BIGINT",
        "UNSUPPORTED_SYNTAX",
    ),
    "SELECT CAST(id AS TIMESTAMP(3)) FROM orders": ("TIMESTAMP(3)", "TYPE_MISMATCH"),
    "SELECT id FROM orders WHERE id > 1 / 0": ("BIGINT", "PARSE"),
}
"""What Flink 1.20.5 refused live, in both modes, although its validator takes it."""


KEPT = (
    "SELECT count(*) FROM orders GROUP BY MAP[id, part.b]",  # in streaming mode alone
    "SELECT id FROM orders ORDER BY amount",  # in batch mode alone
    "SELECT sum(id) OVER (PARTITION BY amount ORDER BY ts) FROM orders",
    "SELECT /*+ BROADCAST(p) */ o.id FROM orders o JOIN orders p ON o.id = p.id",
    "SELECT id FROM orders WHERE `Day` = part.b",
    "SELECT o.id FROM orders o JOIN orders p ON o.id = p.id AND o.`Day` > p.part.b",
    "SELECT o.id FROM orders o JOIN orders p ON o.id = p.id AND (o.`Day` = p.part.b OR p.id = 1)",
    "SELECT id FROM orders WHERE `Day` NOT IN (SELECT part.b FROM orders)",
    "SELECT id FROM orders OFFSET 2 ROWS",
    "SELECT id FROM (SELECT id FROM orders ORDER BY id OFFSET 2 ROWS) ORDER BY id LIMIT 1",
)
"""What Flink 1.20.5 planned live, though it is like what it refused."""


def test_what_flink_loses_its_way_in_is_refused(spark: SparkSession) -> None:
    statements = [Statement(sql, entry=entry(("c", kind))) for sql, (kind, _) in LOST.items()]
    (provided,) = provide(spark, [FLINK], None, analyzers=True, versions={FLINK: "1.20"})
    with provided.judge() as made:
        verdicts = list(made.judge(statements))
        kept = list(made.judge([Statement(sql, entry=entry(("c", "BIGINT"))) for sql in KEPT]))
    assert [verdict.accepted for verdict in kept] == [True] * len(KEPT), kept
    assert [verdict.accepted for verdict in verdicts] == [False] * len(LOST), verdicts
    assert [reason_of(verdict.message).code for verdict in verdicts] == [
        code for _, code in LOST.values()
    ]


def test_a_short_name_is_read_from_another_database_and_cast(spark: SparkSession) -> None:
    own = entry(("c", "STRING"))
    others = replace(own, by_position=False)
    sql = "SELECT '' AS c FROM orders"  # Flink 1.20.5 fails to make that nullable
    (provided,) = provide(spark, [FLINK], None, analyzers=True, versions={FLINK: "1.20"})
    with provided.judge() as made:
        kept, cast = made.judge([Statement(sql, entry=own), Statement(sql, entry=others)])
    assert kept.accepted is True, kept.message
    assert cast.accepted is False
    assert "failed to preserve datatypes" in cast.message
