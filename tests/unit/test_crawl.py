"""Every listed object ends as exactly one outcome, whatever the source does."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.clients.lines import parse, raw_object
from connectors.memory import MemorySource
from discovery.crawl import Assigned, assign, crawl, normalize, rounds
from discovery.errors import UnreachableError
from discovery.model import View
from discovery.outcomes import (
    JSON_DUALITY_VIEW,
    MATERIALIZED_VIEW,
    TABLE,
    VANISHED,
    Failure,
    Kind,
    Listed,
    Outcome,
    RawObject,
    Skipped,
    Stage,
)
from discovery.ports import CrawlTask


def entry(name: str, **more: object) -> RawObject:
    payload: dict[str, object] = {
        "dbName": "db",
        "tableName": name,
        "tableType": "VIRTUAL_VIEW",
        "viewExpandedText": "SELECT 1",
        "sd": {"cols": [{"name": "x", "type": "int"}]},
        **more,
    }
    return RawObject(Listed(("db",), name), "hive_table", payload)


def task(*objects: Listed) -> CrawlTask:
    return CrawlTask("s", objects)


def fates(source: MemorySource, *objects: Listed) -> dict[str, str]:
    found = {}
    for outcome in crawl(task(*objects), source):
        assert outcome.listed.name not in found, "an object has two outcomes"
        match outcome.result:
            case Failure(_, _, code) | Skipped(_, code):
                found[outcome.listed.name] = str(getattr(code, "code", code))
            case _:
                found[outcome.listed.name] = "view"
    return found


def listed(text: str) -> list[Listed | Failure]:
    """A view for each small letter, a table for a capital, a failure for `!`, in its database."""
    answers: list[Listed | Failure] = []
    for number, letter in enumerate(text):
        kind = Kind.TABLE if letter.isupper() else Kind.VIEW
        one = Listed((letter.casefold(),), f"n{number}", kind)
        answers.append(Failure(one, Stage.LIST, "X", "x") if letter == "!" else one)
    return answers


@pytest.mark.parametrize(
    ("text", "batch", "tasks"),
    [
        ("", 4, ""),
        ("aaaaa", 4, "00001"),  # at most as many
        ("aaaaaaaaa", 4, "000011112"),
        ("abcd", 4, "0011"),  # with a namespace, from half of it on
        ("aabb", 4, "0011"),
        ("abbbcc", 4, "000011"),
        ("aabbb", 5, "00000"),
        ("aaabb", 5, "00011"),
        ("aAAAAaaa", 4, "00000000"),  # what is only counted fills none
        ("aaAAAAb", 4, "0000001"),
        ("BBBBaaab", 4, "00000001"),
        ("a!!a!aa", 4, "0000111"),
        ("aa!a", 4, "0011"),  # what could not be listed is of another namespace
        ("ab", 1, "01"),
    ],
)
def test_a_listing_is_cut_into_tasks(text: str, batch: int, tasks: str) -> None:
    assigned = list(assign(listed(text), batch=batch, connections=2))
    assert "".join(str(part.task) for part in assigned) == tasks
    assert [part.slot for part in assigned] == [int(task) % 2 for task in tasks]
    assert [part.answer for part in assigned] == listed(text)


@given(st.text("abAB!"), st.integers(1, 5), st.integers(1, 4))
def test_tasks_lose_nothing_and_are_dealt_round(text: str, batch: int, connections: int) -> None:
    assigned = list(assign(listed(text), batch=batch, connections=connections))
    assert [part.answer for part in assigned] == listed(text)
    tasks = [part.task for part in assigned]
    assert sorted({*tasks}) == list(range(len({*tasks})))
    assert tasks == sorted(tasks)
    assert all(part.slot == part.task % connections for part in assigned)
    for task in {*tasks}:
        assert sum(is_fetched(part) for part in assigned if part.task == task) <= batch


def is_fetched(part: Assigned) -> bool:
    return isinstance(part.answer, Listed) and part.answer.is_read


def test_what_is_there_is_read_and_what_is_gone_has_vanished() -> None:
    good, gone = entry("good"), Listed(("db",), "gone")
    source = MemorySource({good.listed: good, gone: None})
    assert fates(source, good.listed, gone) == {"good": "view", "gone": "VANISHED"}


def test_what_is_counted_is_not_fetched() -> None:
    asked: list[CrawlTask] = []

    class Asked(MemorySource):
        def load(self, task: CrawlTask) -> Iterator[RawObject | Failure]:
            asked.append(task)
            yield from ()

    table = Listed(("db",), "t", Kind.TABLE)
    stored = Listed(("db",), "m", Kind.MATERIALIZED_VIEW)
    assert list(crawl(task(table, stored), Asked())) == [
        Outcome(table, Skipped(table, TABLE)),
        Outcome(stored, Skipped(stored, MATERIALIZED_VIEW)),
    ]
    assert not asked


def test_a_source_is_asked_for_what_is_fetched_once_in_its_order() -> None:
    asked: list[CrawlTask] = []

    class Asked(MemorySource):
        def load(self, task: CrawlTask) -> Iterator[RawObject | Failure]:
            asked.append(task)
            yield Failure(second, Stage.READ, "X", "x")

    first, second = entry("first").listed, entry("second").listed
    table = Listed(("db",), "t", Kind.TABLE)
    outcomes = list(crawl(task(first, table, second, first), Asked()))
    assert asked == [CrawlTask("s", (first, second))]
    assert outcomes == [
        Outcome(table, Skipped(table, TABLE)),
        Outcome(second, Failure(second, Stage.READ, "X", "x")),
        Outcome(first, Skipped(first, VANISHED)),
    ]


def test_a_source_that_breaks_off_loses_nothing() -> None:
    class Broken(MemorySource):
        def load(self, task: CrawlTask) -> Iterator[RawObject | Failure]:
            yield entry("first")
            raise UnreachableError("gone away")

    names = [entry(name).listed for name in ("first", "second", "third")]
    found = fates(Broken(), *names)
    assert found == {"first": "view", "second": "UNREACHABLE", "third": "UNREACHABLE"}
    error = UnreachableError("gone away")
    rest = [Outcome(name, Failure.of(name, Stage.READ, error)) for name in names[1:]]
    assert list(crawl(task(*names), Broken()))[1:] == rest


def test_a_second_answer_and_an_unasked_one_are_dropped() -> None:
    class Chatty(MemorySource):
        def load(self, task: CrawlTask) -> Iterator[RawObject | Failure]:
            yield entry("asked")
            yield entry("asked")
            yield entry("unasked")

    assert fates(Chatty(), entry("asked").listed) == {"asked": "view"}


def test_an_entry_that_breaks_the_decoder_costs_no_other() -> None:
    bad, good = entry("bad", parameters={"k": 7}), entry("good")
    source = MemorySource({bad.listed: bad, good.listed: good})
    assert fates(source, bad.listed, good.listed) == {"bad": "INVALID_ENTRY", "good": "view"}


def test_a_bug_is_a_row_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discovery.wire.view_text", lambda _: 1 / 0)
    result = normalize(entry("v")).result
    assert isinstance(result, Failure)
    assert (result.stage, result.code) == (Stage.DECODE, "INTERNAL")
    assert "ZeroDivisionError" in result.message


def test_an_unknown_kind_is_named() -> None:
    raw = RawObject(Listed(("db",), "v"), "sqlite_view", {}, text="{}")
    outcome = normalize(raw)
    assert isinstance(outcome.result, Failure)
    assert outcome == Outcome(raw.listed, outcome.result, raw="{}")
    assert (outcome.result.listed, outcome.result.code) == (raw.listed, "UNKNOWN_KIND")
    assert outcome.result.message.startswith(
        "field kind: 'sqlite_view' is none of hive_table, hive_database, "
    )


LOST = {"metadata_location": "file:/lost.json", "table_type": "iceberg-view"}


@pytest.mark.parametrize(
    ("more", "written", "code", "stage"),
    [
        ({"parameters": {"k": 7}}, "", "INVALID_ENTRY", Stage.DECODE),
        ({"parameters": LOST}, "iceberg", "FILE_UNREADABLE", Stage.READ),
        ({"sd": {"cols": [{"name": "x"}]}}, "hive", "INVALID_ENTRY", Stage.DECODE),
    ],
)
def test_an_entry_that_cannot_be_read_is_kept_with_where_and_why(
    more: dict[str, object], written: str, code: str, stage: Stage
) -> None:
    raw = replace(entry("v", **more), text="kept")
    outcome = normalize(raw)
    failure = outcome.result
    assert isinstance(failure, Failure)
    assert (failure.listed, failure.code, failure.stage) == (raw.listed, code, stage)
    assert outcome == Outcome(raw.listed, failure, written, raw="kept")


def test_what_is_read_and_what_is_no_view_are_kept_as_they_came() -> None:
    raw = replace(entry("v"), text="kept")
    outcome = normalize(raw)
    assert (outcome.format, outcome.raw, outcome.notes) == ("hive", "kept", ())
    assert json.loads(outcome.text)["name"] == "v"
    assert outcome.fingerprint
    raw = replace(entry("m", tableType="MATERIALIZED_VIEW"), text="kept")
    skipped = Skipped(raw.listed, MATERIALIZED_VIEW)
    assert normalize(raw) == Outcome(raw.listed, skipped, "hive", raw="kept")


def test_a_link_says_where_it_leads() -> None:
    link = {"Name": "v", "DatabaseName": "db", "TargetTable": {"DatabaseName": "b", "Name": "w"}}
    raw = RawObject(Listed(("db",), "v"), "glue_table", link)
    result = normalize(raw).result
    assert isinstance(result, Skipped)
    assert (result.listed, result.reason.code) == (raw.listed, "RESOURCE_LINK")
    assert "b" in result.detail


@pytest.mark.parametrize(
    ("status", "kind", "code"),
    [
        ({"Action": "CREATE", "State": "QUEUED"}, "", "NOT_CREATED"),
        ({"Action": "CREATE", "State": "FAILED"}, "VIRTUAL_VIEW", "NOT_CREATED"),
        ({"Action": "CREATE", "State": "QUEUED"}, "EXTERNAL_TABLE", "TABLE"),
        ({"Action": "UPDATE", "State": "FAILED"}, "", "TABLE"),
        ({"Action": "CREATE", "State": "SUCCESS"}, "", "TABLE"),
    ],
)
def test_a_view_that_glue_has_not_created_is_told_and_not_taken_for_a_table(
    status: dict[str, str], kind: str, code: str
) -> None:
    payload = {"Name": "v", "DatabaseName": "db", "TableType": kind, "Status": status}
    result = normalize(RawObject(Listed(("db",), "v"), "glue_table", payload)).result
    assert isinstance(result, Skipped)
    assert result.reason.code == code
    assert (status["State"] in result.detail) is (code == "NOT_CREATED")


def test_the_raw_object_is_kept_as_it_can_be_replayed() -> None:
    files = {"file:/x": b"\x00\xff"}
    raw = raw_object(Listed(("db",), "v"), "hive_table", {"tableName": "é"}, files)
    assert "\n" not in raw.text
    assert parse(raw.text.encode()) == ("hive_table", {"tableName": "é"}, {"file:/x": "AP8="})
    assert normalize(raw).raw == raw.text


def test_the_namespace_of_a_view_is_the_one_that_the_entry_states() -> None:
    result = normalize(entry("v")).result
    assert isinstance(result, View)
    assert str(result.identifier) == "db.v"


@pytest.mark.parametrize(
    ("tasks", "connections", "jobs"),
    [(0, 4, 1), (39, 2, 1), (40, 2, 2), (59, 2, 2), (399, 2, 19), (400, 2, 20), (9_999, 2, 20)],
)
def test_a_crawl_is_cut_into_jobs_that_are_worth_their_start(
    tasks: int, connections: int, jobs: int
) -> None:
    assert rounds(tasks, connections) == jobs


def test_what_a_listing_has_twice_is_one_object() -> None:
    """As of two pages between which something has changed: it was two rows and one outcome."""
    space, view = Listed(("d",), "", Kind.NAMESPACE), Listed(("d",), "v")
    table = replace(view, kind=Kind.TABLE)
    failed = Failure.of(view, Stage.LIST, UnreachableError("x"))
    listing: list[Listed | Failure] = [
        space,
        view,
        table,
        view,
        space,
        failed,
        failed,
        Listed(("e",), "v"),
        view,
    ]
    answers = [assigned.answer for assigned in assign(listing, batch=9, connections=2)]
    assert answers == [space, view, table, failed, failed, Listed(("e",), "v"), view]


@pytest.mark.parametrize(
    ("kind", "definition", "skipped"),
    [
        (
            "mysql_view",
            "select json_duality_object( WITH (INSERT) '_id':`d`.`t`.`id`) AS `x`",
            True,
        ),
        ("mysql_view", "select `d`.`json_duality_object`(1) AS `x`", False),
        ("mysql_view", "select 'json_duality_object(' AS `x`", False),
        ("starrocks_view", "select json_duality_object(1) AS `x`", False),
    ],
)
def test_a_json_duality_view_of_mysql_is_no_view_to_move(
    kind: str, definition: str, skipped: bool
) -> None:
    payload = {"schema": "d", "name": "v", "definition": definition, "columns": []}
    result = normalize(RawObject(Listed(("d",), "v"), kind, payload)).result
    if skipped:
        assert result == Skipped(Listed(("d",), "v"), JSON_DUALITY_VIEW)
    else:
        assert isinstance(result, View)
