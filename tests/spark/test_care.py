"""A crawl that spares its sources, and that no restart of them disturbs."""

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from discovery.errors import ConfigurationError, WindowClosedError
from jobs import crawl as command
from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate, estimate_crawl
from jobs.crawling import opening
from jobs.crawling.resuming import LATEST, TASKS, find_run_to_resume
from jobs.embedded.metastore import EmbeddedMetastore, embedded_metastore
from jobs.embedded.thrift_writer import Writer, writer
from jobs.recrawl import recrawl
from jobs.warehouse.warehouse import Warehouse
from tests.conftest import estate_in, outcome_rows
from tests.loopback import listening
from tests.waiting import until

VIEWS = 60
ENTRY = {
    "dbName": "care",
    "tableType": "VIRTUAL_VIEW",
    "parameters": {},
    "viewOriginalText": "select 1 as x",
    "viewExpandedText": "select 1 as `x`",
    "sd": {"cols": [{"name": "x", "type": "int"}], "serdeInfo": {"parameters": {}}},
}


@pytest.fixture(scope="module")
def lake(metastore: EmbeddedMetastore) -> dict[str, Any]:
    """A source of sixty views in tasks of five."""
    with writer(metastore.uri) as hms:
        fill(hms, metastore.warehouse)
    source = {"kind": "hms", "uri": metastore.uri, "include": ["care"]}
    return {**source, "batch": 5, "connections": 2}


def fill(hms: Writer, warehouse: Path) -> None:
    hms.create_database("care", f"{warehouse.as_uri()}/care.db")
    for number in range(VIEWS):
        hms.create_table(ENTRY | {"tableName": f"v{number:02d}"})


def in_progress(config: RunConfig, number: int) -> bool:
    """Whether so many tasks of a crawl are finished."""
    folder = Path(config.warehouse, TASKS)
    return sum(1 for _ in folder.rglob("*.arrow")) >= number


def test_a_crawl_stops_when_its_window_closes_and_the_next_night_ends_it(
    spark: SparkSession, lake: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "_EVERY", 0.05)
    terms = {"rate": {"lake": 20}, "between": "22:00-05:00"}
    config = estate_in(tmp_path)({"lake": lake}, crawl=terms)
    clock = {"now": datetime(2026, 11, 22, 23, 0)}  # noqa: DTZ001 - as on the wall
    monkeypatch.setattr(opening, "local_time", lambda: clock["now"])

    def close() -> None:
        until(lambda: in_progress(config, 2))
        clock["now"] = datetime(2026, 11, 23, 5, 0)  # noqa: DTZ001 - the same

    closing = threading.Thread(target=close)
    closing.start()
    with pytest.raises(WindowClosedError, match="the window 22:00-05:00 has closed"):
        crawl_estate(spark, config, "night")
    closing.join()
    assert not Warehouse(config.warehouse).runs()
    clock["now"] = datetime(2026, 11, 23, 22, 0)  # noqa: DTZ001 - the same
    assert find_run_to_resume(config, LATEST, spark) == "night"
    again = replace(config, care={})
    assert crawl_estate(spark, again, "night").exit_code == 0
    crawled = crawl_estate(spark, again, "whole")
    assert outcome_rows(config, "night") == outcome_rows(config, "whole")
    assert crawled.counts["sources"]["lake"]["views"] == VIEWS
    assert find_run_to_resume(config, LATEST, spark) is None, "nothing is interrupted any more"


def test_outside_of_its_window_a_crawl_does_not_begin_but_by_force(
    spark: SparkSession,
    lake: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    estate_in(tmp_path)({"lake": lake}, crawl={"between": "22:00-05:00"})
    noon = datetime(2026, 11, 22, 12, 0)  # noqa: DTZ001 - as on the wall
    monkeypatch.setattr(opening, "local_time", lambda: noon)
    config = ["--config", str(tmp_path / "estate.yaml")]
    assert command.main(config) == 2
    assert "sources are crawled between 22:00-05:00 only" in capsys.readouterr().err
    assert command.main([*config, "--now"]) == 0


def test_failures_are_asked_again_within_the_window_only(
    spark: SparkSession,
    metastore: EmbeddedMetastore,
    hms: Writer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(opening, "_EVERY", 0.05)
    clock = {"now": datetime(2026, 11, 22, 23, 0)}  # noqa: DTZ001 - as on the wall
    monkeypatch.setattr(opening, "local_time", lambda: clock["now"])
    hms.create_database("unkempt", f"{metastore.warehouse.as_uri()}/unkempt.db")
    broken = ENTRY | {"dbName": "unkempt", "viewExpandedText": None, "viewOriginalText": None}
    for number in range(20):
        hms.create_table(broken | {"tableName": f"v{number:02d}"})
    source = {"kind": "hms", "uri": metastore.uri, "include": ["unkempt"], "batch": 1}
    limits = {"undecoded": "100%", "unread": "100%"}
    terms = {"between": "22:00-05:00", "rate": {"lake": 4}}
    config = estate_in(tmp_path)({"lake": source}, crawl=terms, fail_on=limits)
    crawl_estate(spark, config, "first")
    failed = [row["key"] for row in outcome_rows(config, "first") if row["outcome"] == "failure"]
    assert len(failed) == 20
    for number in range(20):
        hms.drop_table("unkempt", f"v{number:02d}")
        hms.create_table(ENTRY | {"dbName": "unkempt", "tableName": f"v{number:02d}"})

    clock["now"] = datetime(2026, 11, 23, 4, 59)  # noqa: DTZ001 - as on the wall
    closing = threading.Timer(2, lambda: clock.update(now=datetime(2026, 11, 23, 5, 0)))  # noqa: DTZ001 - the same
    closing.start()
    with pytest.raises(WindowClosedError, match="has closed") as stopped:
        recrawl(spark, config, "first", "again")
    assert stopped.value.hint == "go on when it is open again: belvedere recrawl --failures first"
    assert find_run_to_resume(config, LATEST, spark) is None, "a crawl has nothing to go on with"
    with pytest.raises(ConfigurationError, match="between 22:00-05:00 only"):
        recrawl(spark, config, "first", "again")
    assert [run.run_id for run in Warehouse(config.warehouse).runs()] == ["first"]
    clock["now"] = datetime(2026, 11, 23, 22, 0)  # noqa: DTZ001 - as on the wall
    again = recrawl(spark, replace(config, care={}), "first", "again")
    assert again is not None
    assert again.counts["sources"]["lake"]["views"] == 20
    assert list(Warehouse(config.warehouse).damage("again")) == []


def test_an_estimate_lists_says_by_what_it_goes_and_leaves_the_listing_for_the_crawl(
    spark: SparkSession,
    lake: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    config = estate_in(tmp_path)({"lake": lake})
    run_id, told = estimate_crawl(spark, config)
    size = {"listed": VIEWS, "fetched": VIEWS + 1, "connections": 2, "rate": None}
    assert told["sources"] == {"lake": {**size, "tasks": 13}}
    assert told["seconds"] > 0
    assert told["rests_on"].startswith("a sample of ")
    assert not Warehouse(config.warehouse).runs(), "nothing is committed"
    assert find_run_to_resume(config, LATEST, spark) == run_id
    capsys.readouterr()
    crawl_estate(spark, config, run_id)
    said = capsys.readouterr().err
    assert "its listing is whole" in said
    first = f"lake: {VIEWS} listed; {VIEWS + 1} to fetch, namespaces included, in 13 batches over"
    assert first in said
    _, again = estimate_crawl(spark, config)
    assert again["rests_on"].startswith(f"run {run_id} fetched {VIEWS + 1} in ")


@contextmanager
def relayed(port: dict[str, int]) -> Iterator[str]:
    """The address of a balancer: it takes connections even while nothing stands behind it."""

    def pump(source: socket.socket, sink: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass
        finally:
            for end in (
                source,
                sink,
            ):  # at once, though others read from them
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def talk(client: socket.socket) -> None:
        with socket.create_connection(("127.0.0.1", port["is"]), timeout=30) as server:
            back = threading.Thread(target=pump, args=(server, client), daemon=True)
            back.start()
            pump(client, server)
            back.join()

    with listening(talk) as own:
        yield f"thrift://127.0.0.1:{own}"


def test_a_metastore_that_is_started_again_in_mid_crawl_changes_nothing(
    spark: SparkSession, tmp_path: Path
) -> None:
    port = {"is": 1}
    with ExitStack() as stack:
        uri = stack.enter_context(relayed(port))
        first = stack.enter_context(ExitStack())
        served = first.enter_context(embedded_metastore(tmp_path, in_memory=False))
        with writer(served.uri) as hms:
            fill(hms, served.warehouse)
        port["is"] = int(served.uri.rpartition(":")[2])
        source = {"kind": "hms", "uri": uri, "batch": 5, "connections": 2, "timeout": 20}
        config = estate_in(tmp_path)({"lake": source}, crawl={"rate": {"lake": 20}})

        def restart() -> None:
            until(lambda: in_progress(config, 2))
            first.close()
            later = stack.enter_context(embedded_metastore(tmp_path, in_memory=False))
            port["is"] = int(later.uri.rpartition(":")[2])

        restarting = threading.Thread(target=restart)
        restarting.start()
        crawled = crawl_estate(spark, config, "broken")
        restarting.join()
        unread = {row["message"] for row in outcome_rows(config, "broken") if row["code"]}
        assert (unread, crawled.exit_code) == (set(), 0)
        crawl_estate(spark, replace(config, care={}), "unbroken")
    assert outcome_rows(config, "broken") == outcome_rows(config, "unbroken")
    assert len([row for row in outcome_rows(config, "broken") if row["outcome"] == "view"]) == VIEWS
