"""Every listed object ends as exactly one outcome, whatever the source does."""

from collections.abc import Iterator

import pytest

from connectors.clients.lines import parsed, raw_object
from connectors.memory import MemorySource
from discovery.crawl import crawl, normalize
from discovery.errors import UnreachableError
from discovery.model import View
from discovery.outcomes import Failure, Kind, Listed, RawObject, Skipped, Stage
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


def test_what_is_there_is_read_and_what_is_gone_has_vanished() -> None:
    good, gone = entry("good"), Listed(("db",), "gone")
    source = MemorySource({good.listed: good, gone: None})
    assert fates(source, good.listed, gone) == {"good": "view", "gone": "VANISHED"}


def test_tables_are_counted_and_not_fetched() -> None:
    table = Listed(("db",), "t", Kind.TABLE)
    assert fates(MemorySource(), table) == {"t": "TABLE"}


def test_a_source_that_breaks_off_loses_nothing() -> None:
    class Broken(MemorySource):
        def load(self, task: CrawlTask) -> Iterator[RawObject | Failure]:
            yield entry("first")
            raise UnreachableError("gone away")

    names = [entry(name).listed for name in ("first", "second", "third")]
    found = fates(Broken(), *names)
    assert found == {"first": "view", "second": "UNREACHABLE", "third": "UNREACHABLE"}


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
    result = normalize(RawObject(Listed(("db",), "v"), "sqlite_view", {})).result
    assert isinstance(result, Failure)
    assert result.code == "UNKNOWN_KIND"
    assert "'sqlite_view' is none of hive_table" in result.message


def test_the_raw_object_is_kept_as_it_can_be_replayed() -> None:
    files = {"file:/x": b"\x00\xff"}
    raw = raw_object(Listed(("db",), "v"), "hive_table", {"tableName": "é"}, files)
    assert "\n" not in raw.text
    assert parsed(raw.text.encode()) == ("hive_table", {"tableName": "é"}, {"file:/x": "AP8="})
    assert normalize(raw).raw == raw.text


def test_the_namespace_of_a_view_is_the_one_that_the_entry_states() -> None:
    result = normalize(entry("v")).result
    assert isinstance(result, View)
    assert str(result.identifier) == "db.v"
