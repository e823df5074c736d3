"""What sqlglot says of texts that no parser at hand can judge: labelled, bounded, no verdict."""

from collections.abc import Iterator

import pytest

from connectors import registry
from connectors.judges import bounded
from connectors.judges.bounded import Bounded
from discovery.lineage import scopes
from discovery.ports import OPINION, SqlJudge, Statement
from tests.statements import CORPUS, ENDLESS, HOSTILE


@pytest.fixture(params=sorted(registry.OPINIONS))
def judge(request: pytest.FixtureRequest) -> Iterator[SqlJudge]:
    with registry.JUDGES[request.param].connector()() as made:
        yield made


def test_an_opinion_says_whose_it_is(judge: SqlJudge) -> None:
    assert judge.engine in registry.OPINIONS
    assert judge.version == scopes.VERSION
    assert judge.grade == OPINION


def test_views_of_the_corpus_are_liked_as_recorded(judge: SqlJudge) -> None:
    views = [view for view in CORPUS["views"] if view["engine"] == judge.engine]
    assert views
    said = judge.judge([Statement(view["sql"]) for view in views])
    refused = [
        view["id"] for view, verdict in zip(views, said, strict=True) if not verdict.accepted
    ]
    assert refused == (["m06"] if judge.engine == "mysql" else []), "JSON_TABLE"


def test_a_refusal_has_message_and_position(judge: SqlJudge) -> None:
    bad, two, good = judge.judge(
        [*map(Statement, ("SELECT a,\n  b FROM t WHERE (", "SELECT 1; SELECT 2", "SELECT 1"))]
    )
    assert (bad.accepted, bad.line, bool(bad.message)) == (False, 2, True)
    assert (two.accepted, two.message) == (False, "2 statements instead of one")
    assert good.accepted


def test_what_sqlglot_passes_over_is_no_opinion(judge: SqlJudge) -> None:
    (verdict,) = judge.judge([Statement("OPTIMIZE TABLE t")])
    assert verdict.accepted is None


def test_hostile_statements_get_an_answer_and_harm_no_other(
    judge: SqlJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded, "WITHIN", 3.0)
    statements = {"minutes": ENDLESS, **HOSTILE, "good": "SELECT 1"}
    said = judge.judge([*map(Statement, statements.values())])
    verdicts = dict(zip(statements, said, strict=True))
    assert verdicts["good"].accepted is True
    assert "in time" in verdicts["minutes"].message
    assert "gave up" in verdicts["two thousand calls in each other"].message
    assert "longer than" in verdicts["ten megabytes"].message
    assert verdicts["an open quote"].accepted is False


def test_names_are_read_within_the_same_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "WITHIN", 3.0)
    with Bounded() as sqlglot:
        assert sqlglot.ask("names", ENDLESS, "spark") is None
        assert sqlglot.ask("names", "SELECT a FROM b.c", "spark") == ((("b", "c"),), ())


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT {'replace(' * 200}a{', 1, 2)' * 200} FROM b.c",
        f"SELECT {'(' * 300}a{')' * 300} FROM b.c",
        f"SELECT a FROM b.c WHERE {' OR '.join(f'a = {n}' for n in range(2_000))}",
        " UNION ALL ".join(["SELECT a FROM b.c"] * 1_000),
    ],
    ids=["functions", "parentheses", "conditions", "queries"],
)
def test_texts_that_programs_have_written_are_read_however_deep(sql: str) -> None:
    with Bounded() as sqlglot:
        assert sqlglot.ask("names", sql, "spark")[0] == (("b", "c"),)


def test_a_process_that_does_not_start_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    with Bounded() as sqlglot:
        assert sqlglot.ask("names", "SELECT 1", "spark") is None
        monkeypatch.undo()
        assert sqlglot.ask("names", "SELECT 1", "spark") is None


def test_an_estate_has_opinions_on_what_its_sources_are() -> None:
    assert registry.judging(None, ["hms"]) == ("flink", "hive", "postgresql", "spark", "trino")
    assert "mysql" in registry.judging(None, ["mysql", "hms"])
    assert registry.judging((), ["mysql"]) == ()
