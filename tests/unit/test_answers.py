"""Twenty questions about a run and their answers; what is asked and answered over the protocol."""

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, TextContent

from discovery.display import visible
from discovery.errors import ConfigurationError
from discovery.judging.matrix import Reading
from jobs import mcp
from jobs.answering.answers import MOST, RunAnswers
from jobs.answering.conditions import Conditions
from jobs.answering.server import TOOLS, server
from jobs.migrating import tables as migrating
from jobs.reporting.run_tables import RunTables
from jobs.warehouse.warehouse import Warehouse
from tests.answered import SECRET, STEERING, crawl, made, note, seen


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    return made(tmp_path_factory.mktemp("answered"))


@pytest.fixture(scope="module")
def answers(warehouse: Warehouse) -> RunAnswers:
    return RunAnswers(warehouse)


def names(answer: Any) -> list[str]:
    return [one["name"] for one in answer]


QUESTIONS: list[tuple[str, str, dict[str, Any], str, Any]] = [
    (
        "Can the estate move?",
        "headline",
        {},
        "standing",
        {"ready": 3, "needs review": 2, "blocked": 4, "not judged": 0},
    ),
    ("How many could not be read?", "headline", {}, "unread", 1),
    (
        "Why did the crawl not end with 0?",
        "headline",
        {},
        "reasons_of_exit_code",
        ["1 of 9 objects could not be decoded"],
    ),
    ("What reads Trino?", "headline", {}, "engines.trino", {"native": 1, "rejected": 7}),
    (
        "What does the plan do at the target?",
        "headline",
        {},
        "plan.targets.lakehouse.actions",
        {"blocked": 2, "create": 6},
    ),
    ("Which runs are there?", "runs", {}, "runs.*.run", ["before", "now"]),
    (
        "Which views are Bob's?",
        "find_views",
        {"where": {"owner": "bob"}},
        "views.*.name",
        ["lake/sales.broken", "lake/sales.top"],
    ),
    (
        "Which are blocked, and why?",
        "find_views",
        {"where": {"standing": "blocked"}},
        "views.*.reason",
        ["SYNTAX_AT_TOKEN", "MISSING_BASE", "BROKEN_BASE", "INVALID_ENTRY"],
    ),
    (
        "Which does Spark reject?",
        "find_views",
        {"where": {"engine": "spark", "status": "rejected"}},
        "views.*.name",
        ["lake/sales.broken"],
    ),
    (
        "Where is a secret?",
        "find_views",
        {"where": {"code": "SECRET_IN_VIEW"}},
        "views.*.name",
        ["shop/sales.customers"],
    ),
    ("Is there a view of orders?", "find_views", {"name": "ORDERS"}, "total", 1),
    (
        "What is wrong with broken?",
        "view",
        {"name": "sales.broken"},
        "verdicts.0.message",
        "mismatched input 'FRM'",
    ),
    (
        "What does daily read?",
        "view",
        {"name": "lake/sales.daily"},
        "reads",
        [{"name": "lake/sales.orders_v", "kind": "view", "source": "lake"}],
    ),
    (
        "Where does daily's amount come from?",
        "view",
        {"name": "daily"},
        "lineage.0.base_key",
        "sales.orders_v",
    ),
    (
        "Who is hit if the table orders goes?",
        "who_reads",
        {"name": "sales.orders"},
        "owners",
        {"anna": 2, "bob": 2},
    ),
    ("Who reads orders directly?", "who_reads", {"name": "lake/sales.orders"}, "directly", 2),
    (
        "What keeps most views back?",
        "what_blocks",
        {},
        "roots.0",
        {"name": "lake/sales.gone", "why": "MISSING_BASE", "read_by": 1, "views": 2},
    ),
    ("In which order do they move?", "waves", {}, "waves", {"1": 4, "2": 1, "3": 1}),
    ("What is in the last wave?", "waves", {"wave": 3}, "views.*.name", ["lake/sales.top"]),
    ("What is new since the run before?", "diff", {"before": "before"}, "counts", {"appeared": 6}),
    ("What is a missing base?", "explain", {"code": "missing-base"}, "views", 1),
]


def at(answer: Any, path: str) -> Any:
    """A part of an answer: names and numbers of items by dots, `*` for each item."""
    first, _, rest = path.partition(".")
    if first == "*":
        return [at(one, rest) for one in answer]
    part = answer[int(first)] if isinstance(answer, list) else answer[first]
    return at(part, rest) if rest else part


def strings(value: Any) -> Iterator[str]:
    """Every text in JSON."""
    if isinstance(value, dict | list):
        for item in value.items() if isinstance(value, dict) else value:
            yield from strings(list(item) if isinstance(item, tuple) else item)
    elif isinstance(value, str):
        yield value


def ask(answers: RunAnswers, tool: str, arguments: dict[str, Any]) -> CallToolResult:
    async def asked() -> CallToolResult:
        async with Client(server(answers)) as client:
            return await client.call_tool(tool, arguments)

    return asyncio.run(asked())


@pytest.mark.parametrize(
    ("question", "tool", "arguments", "path", "expected"), QUESTIONS, ids=lambda one: str(one)[:40]
)
def test_a_question_has_its_answer(
    answers: RunAnswers,
    question: str,
    tool: str,
    arguments: dict[str, Any],
    path: str,
    expected: Any,
) -> None:
    told = ask(answers, tool, arguments)
    assert not told.is_error, question
    assert at(told.structured_content, path) == expected


def test_there_are_twenty_questions_and_every_tool_is_asked() -> None:
    assert len(QUESTIONS) >= 20
    assert {tool for _, tool, *_ in QUESTIONS} == set(TOOLS)


def test_every_tool_says_what_it_answers_and_that_it_only_reads(answers: RunAnswers) -> None:
    async def listed() -> Any:
        async with Client(server(answers)) as client:
            return (await client.list_tools()).tools

    tools = asyncio.run(listed())
    assert [one.name for one in tools] == list(TOOLS)
    for tool in tools:
        assert tool.annotations.read_only_hint
        assert len(tool.description) > 40
        assert tool.input_schema["additionalProperties"] is False
        for name in tool.input_schema["properties"]:
            assert f"{name}: " in tool.description, f"{tool.name} does not say what {name} is"


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("find_views", {"standng": "blocked"}, "standng"),
        ("find_views", {"where": {"ownr": "bob"}}, "ownr"),
        ("find_views", {"where": {"standing": "broken"}}, "standing"),
        ("view", {"name": "nothing"}, "no view is called nothing (find_views lists names)"),
        ("find_views", {"where": {"engine": "trini"}}, "it has: hive, postgresql, spark, trino"),
        ("find_views", {"where": {"dialect": "flink"}}, "the run has no dialect flink"),
        ("find_views", {"where": {"source": "lak"}}, "it has: lake, shop"),
        ("find_views", {"where": {"code": "NO_SUCH"}}, "there is no code NO_SUCH"),
        ("explain", {"code": "NO_SUCH"}, "there is no code NO_SUCH"),
        ("diff", {"before": "yesterday"}, "no committed run yesterday"),
        ("diff", {"before": "now"}, "cannot be compared with itself"),
        ("apply", {}, "apply"),
    ],
)
def test_what_cannot_be_answered_is_refused_with_its_reason(
    answers: RunAnswers, tool: str, arguments: dict[str, Any], told: str
) -> None:
    refused = ask(answers, tool, arguments)
    assert refused.is_error
    (content,) = refused.content
    assert isinstance(content, TextContent)
    assert told in content.text


def test_no_answer_steers_a_terminal_or_gives_a_secret_away(answers: RunAnswers) -> None:
    told = ask(answers, "view", {"name": "customers"})
    assert "***" in json.dumps(told.structured_content)
    everything = [ask(answers, "find_views", {}), told, ask(answers, "view", {"name": STEERING})]
    refused = ask(answers, "explain", {"code": STEERING})
    for tool_result in (*everything, refused):
        texts = [part.text for part in tool_result.content if isinstance(part, TextContent)]
        for text in (*texts, *strings(tool_result.structured_content)):
            assert SECRET not in text
            assert visible(text) == text
    found = ask(answers, "find_views", {"name": "evil"}).structured_content
    assert names(at(found, "views")) == ["lake/sales.evil\\u001b[31m\\u202e"]


def test_a_list_is_bounded_and_says_what_is_left(answers: RunAnswers) -> None:
    first = answers.find_views(limit=2)
    assert (first["total"], len(first["views"]), first["left"]) == (9, 2, 7)
    rest = answers.find_views(limit=MOST + 1, offset=2)
    assert (len(rest["views"]), rest["left"]) == (7, 0)
    assert answers.find_views(offset=99)["views"] == []
    assert answers.find_views(where=Conditions(wave=2))["total"] == 1


def test_the_latest_run_is_asked_and_what_no_stage_wrote_is_no_zero(tmp_path: Path) -> None:
    warehouse = made(tmp_path)
    twin = {**seen("orders_v"), "source": "shop"}
    crawl(warehouse, "later", ["orders_v", "customers"], 6, twin)
    asked = RunAnswers(Warehouse(str(tmp_path)))
    assert asked.headline()["run"] == "later"
    assert asked.headline()["engines"] is None, "not assessed is no zero"
    assert asked.headline()["standing"]["not judged"] == 3
    assert asked.headline()["plan"] is None
    with pytest.raises(ConfigurationError, match="no view is called"):
        asked.view("lost")
    with pytest.raises(ConfigurationError, match="2 views are called orders_v") as several:
        asked.view("orders_v")
    assert several.value.hint == "say which: lake/sales.orders_v, shop/sales.orders_v"
    assert asked.view("shop/sales.orders_v")["owner"] == "anna"
    for where in (
        Conditions(engine="spark"),
        Conditions(status=Reading.REJECTED),
        Conditions(wave=1),
    ):
        with pytest.raises(ConfigurationError, match="was not assessed"):
            asked.find_views(where=where)


def test_a_table_is_found_by_its_name_alone(answers: RunAnswers) -> None:
    assert answers.who_reads("orders") == answers.who_reads("lake/sales.orders")
    assert answers.who_reads("orders")["directly"] == 2


def test_the_headline_says_what_has_been_written(
    answers: RunAnswers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert answers.headline()["plan"]["targets"]["lakehouse"]["written"] == {}
    warehouse = made(tmp_path)
    done = {"target": "lakehouse", "key": "sales.top", "action": "create", "result": "done"}
    note(warehouse, migrating.EVENTS, "e", [done])
    monkeypatch.setattr(RunTables, "executions", ["e"])
    targets = RunAnswers(Warehouse(str(tmp_path))).headline()["plan"]["targets"]
    assert targets["lakehouse"]["written"] == {"create": 1}


def test_an_engine_and_a_dialect_are_the_same_in_any_case(answers: RunAnswers) -> None:
    low, high = (
        [
            answers.find_views(where=Conditions(engine=name, status=Reading.REJECTED)),
            answers.find_views(where=Conditions(dialect=name)),
        ]
        for name in ("trino", "Trino")
    )
    assert low == high
    assert all(answer["total"] for answer in low)


def test_names_that_differ_by_case_or_by_dots_are_each_asked_about(tmp_path: Path) -> None:
    warehouse = made(tmp_path)
    lower, upper = (
        seen("orders_v"),
        {**seen("orders_v"), "name": "Orders_V", "key": "sales.Orders_V"},
    )
    whole = {**seen("top"), "namespace": ["a.b"], "key": "a%2Eb.top"}
    parted = {**seen("top"), "namespace": ["a", "b"], "key": "a.b.top", "owner": "eve"}
    note = {"code": "TYPE_NARROWED", "message": "a length"}
    crawl(warehouse, "later", [], 6, {**lower, "notes": [note]}, upper, whole, parted)
    asked = RunAnswers(Warehouse(str(tmp_path)))
    for name in ("lake/sales.orders_v", "lake/sales.Orders_V", "Orders_V"):
        assert asked.view(name)["name"].endswith(name)
        assert asked.who_reads(name)["of"].endswith(name)
    assert asked.view("lake/a.b.top")["owner"] == "eve"
    assert asked.view("lake/a%2Eb.top")["owner"] == "bob"
    with pytest.raises(ConfigurationError, match="2 views are called ORDERS_V") as several:
        asked.view("ORDERS_V")
    assert several.value.hint == "say which: lake/sales.Orders_V, lake/sales.orders_v"
    assert asked.view("orders_v")["notes"] == [note]
    assert asked.explain("TYPE_NARROWED")["views"] == 1
    assert asked.find_views(where=Conditions(code="TYPE_NARROWED"))["total"] == 1


@pytest.mark.slow
def test_the_command_speaks_the_protocol_and_ends_when_nobody_asks(tmp_path: Path) -> None:
    made(tmp_path)
    command = ["-m", "belvedere", "mcp", "--warehouse", str(tmp_path), "--run-id", "now"]
    started = StdioServerParameters(
        command=sys.executable, args=command, cwd=Path(__file__).parents[2]
    )

    async def asked() -> Any:
        async with Client(started, read_timeout_seconds=120) as client:
            return (await client.call_tool("headline", {})).structured_content

    assert asyncio.run(asked())["run"] == "now"


def test_without_the_package_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made(tmp_path)
    monkeypatch.delitem(sys.modules, "jobs.answering.server")
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    assert mcp.main(["--warehouse", str(tmp_path)]) == 2
    told = capsys.readouterr()
    assert "pip install 'belvedere[mcp]'" in told.err
    assert told.out == "", "what is on stdout is the protocol's"
