"""What every judge must do: the engine's own answer, in order, whatever the statement."""

from collections.abc import Iterator

import pytest

from connectors import registry
from connectors.judges.host import ParserHost
from discovery.errors import JudgeUnavailableError
from discovery.ports import SqlJudge

ACCEPTED = {
    "hive": "SELECT id, tag FROM t LATERAL VIEW explode(tags) x AS tag",
    "spark": "SELECT * FROM t QUALIFY row_number() OVER (ORDER BY a) = 1",
}
REJECTED = "SELECT a,\n  b FRO t WHERE"
HOSTILE = {
    "control characters": "SELECT \x00 \x01 FROM t",
    "an open quote": "SELECT 'a FROM t",
    "an open comment": "SELECT 1 /* FROM t",
    "half of a surrogate pair": "SELECT '\ud800'",
    "nothing": "",
    "five thousand parentheses": "SELECT " + "(" * 5_000 + "1" + ")" * 5_000,
    "a megabyte": "SELECT '" + "x" * 1_000_000 + "'",
}


@pytest.fixture(scope="module", params=sorted(registry.JUDGES))
def judge(request: pytest.FixtureRequest) -> Iterator[SqlJudge]:
    with registry.JUDGES[request.param].connector()() as made:
        yield made


def test_every_judge_of_the_registry_has_a_case() -> None:
    assert registry.JUDGES.keys() == ACCEPTED.keys()


def test_a_judge_names_engine_and_version(judge: SqlJudge) -> None:
    assert judge.engine in registry.JUDGES
    assert judge.version[0].isdigit()


def test_answers_come_in_order_with_message_and_position(judge: SqlJudge) -> None:
    good, bad, again = judge.judge([ACCEPTED[judge.engine], REJECTED, "SELECT 1"])
    assert (good.accepted, bad.accepted, again.accepted) == (True, False, True)
    assert bad.message
    assert (bad.line, good.line) == (2, None)
    assert bad.column is not None


def test_hostile_statements_get_an_answer_and_harm_no_other(judge: SqlJudge) -> None:
    statements = [*HOSTILE.values(), "SELECT 1"]
    verdicts = list(judge.judge(statements))
    assert len(verdicts) == len(statements)
    assert verdicts[-1].accepted is True
    assert verdicts[1].accepted is False


def test_nothing_is_judged_for_nothing(judge: SqlJudge) -> None:
    assert list(judge.judge([])) == []


def test_a_parser_that_hangs_is_stopped_and_the_others_are_judged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = registry.JUDGES["spark"].connector()()
    assert isinstance(made, ParserHost)
    with made:
        list(made.judge(["SELECT 1"]))
        monkeypatch.setattr(type(made), "answer_within", 3.0)
        slow = "SELECT " + "(" * 100_000 + "1" + ")" * 100_000
        good, lost, again = made.judge(["SELECT 1", slow, "SELECT 2"])
    assert (good.accepted, lost.accepted, again.accepted) == (True, None, True)
    assert "in time" in lost.message


def test_a_judge_without_its_jars_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    made = registry.JUDGES["hive"].connector()()
    monkeypatch.setattr("connectors.judges.host.find_spec", lambda _: None)
    monkeypatch.delenv("SPARK_HOME", raising=False)
    with made, pytest.raises(JudgeUnavailableError, match="no jar of the hive parser"):
        list(made.judge(["SELECT 1"]))
