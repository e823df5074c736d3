"""What every judge must do: the engine's own answer, in order, whatever the statement."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from connectors import registry
from connectors.clients.java import java, java_version
from connectors.judges import jars
from connectors.judges.flink_analyzer import FlinkAnalyzer
from connectors.judges.host import NEWER_JAVA, ParserHost
from connectors.judges.jars import Jar
from connectors.judges.trino import Trino
from discovery.errors import JudgeUnavailableError
from discovery.judging.reasons import reason_of
from discovery.ports import SqlJudge, Statement
from jobs.assessing.jars import _load_resolver, provide
from tests.conftest import judge_of
from tests.statements import CORPUS, HOSTILE, REFERENCES

PARSERS = sorted(registry.JUDGES.keys() - registry.OPINIONS)
REJECTED = "SELECT a,\n  b FRO t WHERE"


def own(engine: str) -> list[dict[str, Any]]:
    return [view for view in CORPUS["views"] if view["engine"] == engine]


@pytest.fixture(scope="module", params=PARSERS)
def judge(request: pytest.FixtureRequest, spark: SparkSession) -> Iterator[SqlJudge]:
    with judge_of(request.param, spark) as made:
        yield made


def test_the_corpus_has_views_for_every_judge_of_the_registry() -> None:
    assert {view["engine"] for view in CORPUS["views"]} == registry.JUDGES.keys()


def test_a_judge_names_engine_and_version(judge: SqlJudge) -> None:
    assert judge.engine in registry.JUDGES
    assert judge.version[0].isdigit()
    assert judge.grade == "PARSE"


def test_a_parser_answers_as_recorded(judge: SqlJudge) -> None:
    verdicts = judge.judge([Statement(view["sql"]) for view in CORPUS["views"]])
    for view, verdict in zip(CORPUS["views"], verdicts, strict=True):
        recorded = judge.engine in view["accepted_by"]
        # PIVOT and OVERLAPS came after 435
        newer = judge.engine == "trino" and view["id"] in {"s05", "p08"}
        assert verdict.accepted is (None if newer else recorded), (view["id"], verdict.message)


def test_what_a_statement_reads_is_in_the_parsers_tree(judge: SqlJudge) -> None:
    views = [view for view in CORPUS["views"] if judge.engine in view["accepted_by"]]
    verdicts = judge.judge([Statement(view["sql"], reads=True) for view in views])
    for view, verdict in zip(views, verdicts, strict=True):
        assert sorted(map(".".join, verdict.tables)) == sorted(view["tables"]), view["id"]


def test_a_with_clause_hides_tables_where_it_is_in_scope_only(judge: SqlJudge) -> None:
    sql = (
        "WITH a AS (SELECT x FROM b), b AS (SELECT x FROM a) "
        "SELECT max(x) FROM (SELECT x FROM a) q WHERE x IN (SELECT x FROM b) "
        "UNION ALL SELECT x FROM d.a"
    )
    (verdict,) = judge.judge([Statement(sql, reads=True)])
    own = {("b",)} if judge.engine != "hive" else set()  # where each reads the other: refused
    assert set(verdict.tables) == own | {("d", "a")}
    assert [name[0].lower() for name in verdict.functions] == ["max"]


def test_names_and_calls_are_those_of_the_engines_own_resolution(judge: SqlJudge) -> None:
    texts = [reference for reference in REFERENCES if reference["engine"] == judge.engine]
    assert len(texts) >= 20
    verdicts = judge.judge([Statement(one["sql"], reads=True) for one in texts])
    for text, verdict in zip(texts, verdicts, strict=True):
        assert verdict.accepted, (text["id"], verdict.message)
        assert sorted(map(list, verdict.tables)) == sorted(text["tables"]), text["id"]
        called = sorted({".".join(name).lower() for name in verdict.functions})
        assert called == text.get("calls", called), text["id"]


def test_a_name_that_spark_has_to_compute_is_not_passed_over(spark: SparkSession) -> None:
    texts = ("IDENTIFIER(concat('s.', 't'))", "IDENTIFIER('s.' || 't')", "s.t")
    with judge_of("spark", spark) as judge:
        asked = [Statement(f"SELECT a FROM {text} x, s.u", reads=True) for text in texts]
        computed, *verdicts = judge.judge(asked)
    assert (computed.accepted, computed.tells_tables) == (True, False)
    assert all(verdict.tells_tables for verdict in verdicts)
    assert {verdict.tables for verdict in verdicts} == {(("s", "t"), ("s", "u"))}


def test_what_spark_fills_in_is_not_passed_over(spark: SparkSession) -> None:
    texts = ("SELECT ${x} FROM t", "SELECT a FROM `${db}`.t", "SELECT '${x}' FROM s.t")
    with judge_of("spark", spark) as judge:
        verdicts = list(judge.judge([Statement(text, reads=True) for text in texts]))
    assert [verdict.tells_tables for verdict in verdicts] == [False, True, True]
    assert [verdict.tables for verdict in verdicts] == [(), (("${db}", "t"),), (("s", "t"),)]


def test_spark_tells_names_of_a_with_clause_apart_where_the_view_says_so(
    spark: SparkSession,
) -> None:
    sql = "WITH A AS (SELECT x FROM s.t) SELECT A.x FROM a, A"
    exactly = (("spark.sql.caseSensitive", "true"),)
    with judge_of("spark", spark) as judge:
        asked = [Statement(sql, reads=True, settings=said) for said in ((), exactly, ())]
        told = [verdict.tables for verdict in judge.judge(asked)]
    assert told == [(("s", "t"),), (("s", "t"), ("a",)), (("s", "t"),)]


def test_a_text_gets_nothing_of_the_environment(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_TOKEN", "hunter2")
    texts = ("SELECT '${env:A_TOKEN}' FRM t WHERE", "SELECT a FROM s.t${env:A_TOKEN}")
    with judge_of("spark", spark) as judge:
        refused, accepted = judge.judge([Statement(text, reads=True) for text in texts])
    assert refused.accepted is False
    assert "hunter2" not in f"{refused}{accepted}"


def test_answers_come_in_order_with_message_and_position(judge: SqlJudge) -> None:
    good, bad, again = judge.judge(
        [*map(Statement, (own(judge.engine)[0]["sql"], REJECTED, "SELECT 1"))]
    )
    assert (good.accepted, bad.accepted, again.accepted) == (True, False, True)
    assert bad.message
    assert (bad.line, good.line) == (2, None)
    assert bad.column is not None


def test_hostile_statements_get_an_answer_and_harm_no_other(
    judge: SqlJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ParserHost, "answer_within", 5.0)
    statements = [*HOSTILE.values(), "SELECT 1"]
    verdicts = list(judge.judge([Statement(sql, reads=True) for sql in statements]))
    assert len(verdicts) == len(statements)
    assert verdicts[-1].accepted is True
    assert verdicts[1].accepted is False


QUOTED = {
    "flink": "SELECT `Order Id`, `a.b` FROM `my db`.`t`",
    "hive": "SELECT `Order Id`, `a.b` FROM `my db`.`t`",
    "postgresql": 'SELECT "Order Id", "a.b" FROM "my db"."t"',
    "spark": "SELECT `Order Id`, `a.b` FROM `my db`.`t`",
    "trino": 'SELECT "Order Id", "a.b" FROM "my db"."t"',
}


def test_quoted_names_are_names_whatever_is_in_them(judge: SqlJudge) -> None:
    (verdict,) = judge.judge([Statement(QUOTED[judge.engine], reads=True)])
    assert verdict.accepted, verdict.message
    assert verdict.tables == (("my db", "t"),)


def test_hive_parts_the_name_of_a_table_at_dots_in_quotes_too(spark: SparkSession) -> None:
    with judge_of("hive", spark) as made:
        (verdict,) = made.judge([Statement("SELECT id FROM `my db.t`", reads=True)])
    assert verdict.tables == (("my db", "t"),)


def test_trino_takes_no_text_of_a_view_that_is_no_query(spark: SparkSession) -> None:
    texts = (
        "SHOW TABLES",
        "INSERT INTO t SELECT 1",
        "TABLE t",
        "(VALUES 1)",
        "WITH q AS (SELECT 1 AS a) SELECT a FROM q",
    )
    with judge_of("trino", spark) as made:
        verdicts = list(made.judge(list(map(Statement, texts))))
    assert [verdict.accepted for verdict in verdicts] == [False, False, True, True, True]
    assert [reason_of(verdict.message).code for verdict in verdicts[:2]] == ["SYNTAX_AT_TOKEN"] * 2


NEWER = (
    "SELECT 1 a UNION ALL CORRESPONDING SELECT 2 a",
    "SELECT listagg(a, ',') WITHIN GROUP (ORDER BY a) OVER (PARTITION BY b) c FROM t",
    "SELECT ROW(a AS x) r FROM t",
    "SELECT f(x => a) c FROM t",
    "WITH SESSION a = 1 SELECT 1 x",
    "SELECT json::parse(a) c FROM t",
    "SELECT ts AT LOCAL x FROM t",
    "SELECT CASE a WHEN > 1 THEN 3 WHEN NOT IN (4, 5) THEN 6 END x FROM t",
)
"""Trino 476 or 484 reads them, as they were asked."""


def test_what_is_told_of_the_tables_counts_for_a_batch() -> None:
    def asked(table: str) -> Statement:
        return Statement("SELECT 1", settings=(("table", table),))

    with ParserHost() as host:
        assert len(host._next_batch([asked("x" * (1 << 20))] * 300)) == 200, (
            "one table is told once"
        )
        wide = [asked(f"{number}{'x' * (1 << 20)}") for number in range(9)]
        assert len(host._next_batch(wide)) == 1
        assert host._next_batch([]) == []


def test_what_later_releases_have_words_for_an_old_trino_does_not_refuse(
    spark: SparkSession,
) -> None:
    wrong = (
        "SELECT 1 a UNION SELECT FROM",
        "SELECT 'ROW(' x FROM t WHERE",
        "SELECT 1 x -- ROW(\nFROM FROM t",
        'SELECT 1 "row(" FROM FROM t',
        "SELECT ROW(a) x FROM t WHERE",
        f"SELECT '{'ROW(' * 50_000}' x FROM t WHERE",
    )
    texts = (*NEWER, *wrong, "SELECT 1 AS corresponding")
    with judge_of("trino", spark) as made:
        assert made.version == "435"
        verdicts = list(made.judge(list(map(Statement, texts))))
    refused = [None] * len(NEWER) + [False] * len(wrong)
    assert [verdict.accepted for verdict in verdicts] == [*refused, True]
    assert "newer releases of Trino have more words: line 1:22: mismatched" in verdicts[0].message


def test_spark_parses_under_the_settings_that_a_view_was_written_under(
    spark: SparkSession,
) -> None:
    ansi = ("spark.sql.ansi.enabled", "true")
    quoted = (ansi, ("spark.sql.ansi.doubleQuotedIdentifiers", "true"))
    reserved = (ansi, ("spark.sql.ansi.enforceReservedKeywords", "true"))
    statements = [
        Statement('SELECT "a" FROM "t"'),
        Statement('SELECT "a" FROM "t"', True, quoted),
        Statement('SELECT "a" FROM "t"'),
        Statement("SELECT 1 AS select", settings=reserved),
        Statement("SELECT 1 AS select", settings=reserved[1:]),
    ]
    with judge_of("spark", spark) as made:
        verdicts = list(made.judge(statements))
    accepted = [verdict.accepted for verdict in verdicts]
    assert accepted == [False, True, False, False, True], "without a word of it, ANSI was off"
    assert verdicts[1].tables == (("t",),)


def test_nothing_is_judged_for_nothing(judge: SqlJudge) -> None:
    assert list(judge.judge([])) == []


def test_a_parser_that_hangs_is_stopped_and_the_others_are_judged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = registry.JUDGES["spark"].connector()()
    assert isinstance(made, ParserHost)
    with made:
        list(made.judge([Statement("SELECT 1")]))
        assert made._process is not None
        made._process.send_signal(signal.SIGSTOP)  # as silent as an endless loop
        os.waitpid(made._process.pid, os.WUNTRACED)  # until its last thread stands still
        monkeypatch.setattr(type(made), "answer_within", 3.0)
        lost, good = made.judge([Statement("SELECT 1"), Statement("SELECT 2")])
    assert (lost.accepted, good.accepted) == (None, True)
    assert "in time" in lost.message


def test_a_parser_that_has_ended_since_the_last_task_is_started_again() -> None:
    made = registry.JUDGES["spark"].connector()()
    assert isinstance(made, ParserHost)
    with made:
        list(made.judge([Statement("SELECT 1")]))
        assert made._process is not None
        made._process.kill()
        made._process.wait()
        assert [verdict.accepted for verdict in made.judge([Statement("SELECT 1")])] == [True]


def test_a_parser_whose_worker_was_killed_ends_and_leaves_no_folder() -> None:
    made = registry.JUDGES["spark"].connector()()
    assert isinstance(made, ParserHost)
    with made:
        list(made.judge([Statement("SELECT 1")]))
        assert made._process is not None
        assert made._process.stdin is not None
        assert made._sources is not None
        folder = Path(made._sources.name)
        assert folder.is_dir()
        made._process.stdin.close()  # as the end of the worker does
        made._process.stdin = None
        assert made._process.wait(60) == 0
        assert not folder.exists()


def test_a_worker_keeps_a_parser_for_its_next_task(spark: SparkSession) -> None:
    (provided, same) = provide(spark, ["hive", "hive"], None)
    with provided.lent() as first:
        list(first.judge([Statement("SELECT 1")]))
    with same.lent() as second, same.lent() as beside:
        assert second is first
        assert second is not beside
        assert isinstance(second, ParserHost)
        assert second.is_running


def test_a_judge_without_its_jars_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    made = registry.JUDGES["hive"].connector()()
    monkeypatch.setattr("connectors.judges.host.find_spec", lambda _: None)
    monkeypatch.delenv("SPARK_HOME", raising=False)
    with made, pytest.raises(JudgeUnavailableError, match="no jar of the hive parser"):
        list(made.judge([Statement("SELECT 1")]))


def test_a_jar_that_is_missing_or_another_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    jar = Jar("g:a:1", "ab" * 32)
    with pytest.raises(JudgeUnavailableError, match="no g:a:1"):
        jars.find_pinned_jars(tmp_path, [jar])
    (tmp_path / "a-1.jar").write_bytes(b"not it")
    with pytest.raises(JudgeUnavailableError, match="not the g:a:1"):
        jars.find_pinned_jars(tmp_path, [jar])
    provided = provide(spark, ["trino", "hive"], str(tmp_path))
    assert "no io.trino:trino-parser:435; put trino-parser-435.jar there" in provided[0].missing
    assert provided[1].missing == "", "its parser is among Spark's jars"


@pytest.fixture
def newer_java(monkeypatch: pytest.MonkeyPatch) -> str:
    """The home of a Java 25 or later, named in the environment."""
    places = [os.environ.get(NEWER_JAVA, ""), *map(str, Path("/usr/lib/jvm").glob("*"))]
    homes = [home for home in filter(None, places) if java_version(home) >= 25]
    if not homes:  # elsewhere, too: no system's packages have it everywhere
        pytest.skip(f"no Java 25: name one in {NEWER_JAVA}")
    monkeypatch.setenv(NEWER_JAVA, homes[0])
    return homes[0]


def test_a_newer_trino_judges_where_a_newer_java_is(newer_java: str, spark: SparkSession) -> None:
    with judge_of("trino", spark) as judge:
        assert judge.version == "484"
        views = CORPUS["views"]
        verdicts = list(judge.judge([Statement(view["sql"], reads=True) for view in views]))
        hostile = list(judge.judge([*map(Statement, HOSTILE.values()), Statement("SELECT 1")]))
        of_newer = judge.judge(list(map(Statement, NEWER)))
        assert all(verdict.accepted for verdict in of_newer)
        (broken,) = judge.judge([Statement("SELECT 1 a UNION CORRESPONDING CORRESPONDING")])
        assert broken.accepted is False, "it knows the word"
    accepted = {
        view["id"]: verdict
        for view, verdict in zip(views, verdicts, strict=True)
        if verdict.accepted
    }
    recorded = {view["id"] for view in views if "trino" in view["accepted_by"]}
    assert accepted.keys() == {*recorded, "s05"}, "PIVOT came after 435"
    for view in views:
        if view["id"] in accepted:
            read = sorted(map(".".join, accepted[view["id"]].tables))
            assert read == sorted(view["tables"]), view["id"]
    assert hostile[-1].accepted


def test_the_newer_java_is_for_the_newer_parser_alone(newer_java: str, spark: SparkSession) -> None:
    assert Trino([Trino.jars[0].file], newer_java)._java() == java()
    (provided,) = provide(spark, ["hive"], None)
    made = provided.judge()
    assert isinstance(made, ParserHost)
    assert made._java() == java()


def test_a_newer_parser_without_its_java_says_which_it_needs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(NEWER_JAVA, raising=False)
    assert Trino.newer is not None
    assert java_version("/nowhere") == 0
    made = Trino([jar.file for jar in Trino.newer.jars], "/nowhere")
    with made, pytest.raises(JudgeUnavailableError, match="trino 484 did not start") as raised:
        list(made.judge([Statement("SELECT 1")]))
    assert "is /nowhere/bin/java a Java 25 or later" in raised.value.hint


def test_a_library_of_scala_can_be_fetched(spark: SparkSession, tmp_path: Path) -> None:
    (scala,) = [jar for jar in FlinkAnalyzer.jars if ":scala-library:" in jar.coordinate]
    fetched = Path(_load_resolver(spark, tmp_path)(scala))
    fetched.rename(tmp_path / scala.file)
    assert jars.find_pinned_jars(tmp_path, [scala]) == (tmp_path / scala.file,)
    nobody = Jar("org.example.nobody:nothing:1", "")
    with pytest.raises(JudgeUnavailableError, match=r"nothing:1 cannot be fetched: .*not found"):
        _load_resolver(spark, tmp_path)(nobody)
