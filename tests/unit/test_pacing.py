"""How sources are spared: a rate, a slower pace, a part of the day; and how long a crawl takes."""

import os
import threading
import time as clock
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from discovery.crawl import Assigned
from discovery.errors import ConfigurationError, UnreachableError, WindowClosedError
from discovery.outcomes import Failure, Kind, Listed, RawObject, Skipped
from discovery.pacing.care import Care, Pace
from discovery.pacing.estimate import (
    Estimate,
    Experience,
    Extent,
    duration_text,
    estimate,
    sentences,
)
from discovery.pacing.windows import Window
from discovery.ports import CrawlTask, Probe, ViewSource
from jobs.configuration import loader
from jobs.console.progress import share
from jobs.crawling import opening, workers
from jobs.crawling.workers import PacedSource, crawl_objects
from tests.waiting import waits_of


def learned(pace: Pace, *latencies: float) -> Pace:
    for latency in latencies:
        pace.learn(latency)
    return pace


def test_a_rate_is_shared_by_the_connections_and_counts_what_the_task_took() -> None:
    pace = Pace(Care(rate=100, slow_down=0), connections=4)
    assert pace.rest(fetched=250, seconds=1) == 9  # 250 at 25 a second are 10 s
    assert pace.rest(fetched=10, seconds=1) == 0


@given(
    st.floats(1, 10_000),
    st.integers(1, 64),
    st.lists(st.tuples(st.integers(1, 500), st.floats(0, 100)), min_size=1),
)
def test_no_rate_is_exceeded_whatever_the_tasks_take(
    rate: float, connections: int, tasks: list[tuple[int, float]]
) -> None:
    pace = Pace(Care(rate, slow_down=0), connections)
    seconds = sum(took + pace.rest(fetched, took) for fetched, took in tasks)
    fetched = sum(number for number, _ in tasks)
    assert fetched * connections / seconds <= rate * (1 + 1e-9)


def test_it_rests_more_with_each_slow_answer_and_half_as_much_once_they_are_quick() -> None:
    pace = learned(Pace(Care(slow_down=3), 1), 0.01)
    shares = []
    for _ in range(8):
        learned(pace, *[0.2] * 3)
        rest = pace.rest(100, 1)
        shares.append(round(rest / (1 + rest), 3))
    assert shares == [0.2, 0.4, 0.6, 0.8, 0.8, 0.8, 0.8, 0.8], "it never stands still"
    learned(pace, *[0.01] * 5)
    rests = [pace.rest(100, 1) for _ in range(6)]
    assert rests == sorted(rests, reverse=True)
    assert rests[-1] == 0


@pytest.mark.parametrize(
    ("slow_down", "latencies", "slow"),
    [
        (3.0, [0.010, 0.2, 0.2, 0.2], True),
        (3.0, [0.010, 0.028, 0.028, 0.028], False),  # not three times as long
        (3.0, [0.001, 0.009, 0.009, 0.009], False),  # milliseconds are noise
        (3.0, [0.010, 0.010, 0.010, 5.0], False),  # one slow answer is no slow server
        (0.0, [0.010, 9.0, 9.0, 9.0], False),  # it is not to be looked at
        (3.0, [], False),
    ],
)
def test_slow_is_what_takes_longer_than_at_rest(
    slow_down: float, latencies: list[float], *, slow: bool
) -> None:
    assert learned(Pace(Care(slow_down=slow_down), 1), *latencies).is_slow is slow


def test_a_task_of_an_hour_is_not_followed_by_a_rest_of_hours() -> None:
    pace = learned(Pace(Care(), 1), 0.01, *[9.0] * 5)
    assert [pace.rest(1, 3600) for _ in range(4)] == [60] * 4


class Slow(ViewSource):
    """A source without objects, whose answers to a pulse take as long as it is told."""

    connections, batch = 1, 10

    def __init__(self, *, deaf: bool = False) -> None:
        self.pulses, self._deaf = 0, deaf

    def close(self) -> None: ...

    def fold(self, name: str) -> str:
        return name

    def probe(self) -> Probe:
        return Probe("")

    def listing(self) -> Iterator[Listed | Failure]:
        return iter(())

    def load(self, task: CrawlTask) -> Iterator[RawObject | Failure | Skipped]:
        return iter(())

    def pulse(self) -> None:
        self.pulses += 1
        if self._deaf:
            raise UnreachableError("gone")


TASK = [Assigned(Listed(("d",), f"v{number}", Kind.VIEW), 0, 0) for number in range(3)]


def test_a_source_is_asked_how_it_is_between_tasks_and_given_a_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rests = waits_of(workers, monkeypatch)
    source = Slow()
    paced = PacedSource(source, Care(rate=1, slow_down=3))
    for _ in range(2):
        assert len(list(paced.outcomes("s", TASK))) == len(TASK)
    assert source.pulses == 4 + 2
    assert rests[0] == 0
    assert rests[1] == pytest.approx(3, abs=0.5), "before the next task, not behind the last"


@pytest.mark.parametrize(("care", "pulses"), [(Care(), 1), (Care(slow_down=0), 0), (None, 0)])
def test_what_does_not_answer_is_not_asked_again(care: Care | None, pulses: int) -> None:
    source = Slow(deaf=True)
    paced = PacedSource(source, care)
    for _ in range(2):
        list(paced.outcomes("s", TASK))
    assert source.pulses == pulses


@pytest.mark.parametrize(
    ("care", "nice", "set_to"),
    [
        ({"s": Care()}, 0, [10]),
        ({"s": Care(slow_down=0), "t": Care()}, 0, [10]),
        ({"s": Care()}, 15, []),
        ({"s": Care(slow_down=0)}, 0, []),
        (None, 0, []),
    ],
)
def test_a_worker_that_spares_sources_gives_way_to_them(
    monkeypatch: pytest.MonkeyPatch, care: dict[str, Care] | None, nice: int, set_to: list[int]
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(os, "getpriority", lambda *_: nice)
    monkeypatch.setattr(os, "setpriority", lambda *call: asked.append(call[2]))
    assert list(crawl_objects({}, None, care)(())) == []
    assert asked == set_to


def test_what_could_not_be_listed_is_a_row_and_costs_the_source_nothing() -> None:
    source = Slow()
    failure = Failure(TASK[0].answer, "list", "READ", "no")  # type: ignore[arg-type]
    (outcome,) = PacedSource(source, Care()).outcomes("s", [Assigned(failure, 0, 0)])
    assert outcome.result == failure
    assert source.pulses == 0


@pytest.mark.parametrize(
    ("text", "at", "open_"),
    [
        ("22:00-05:00", "21:59", False),
        ("22:00-05:00", "22:00", True),
        ("22:00-05:00", "00:00", True),
        ("22:00-05:00", "04:59", True),
        ("22:00-05:00", "05:00", False),
        ("01:30-02:30", "01:29", False),
        ("01:30-02:30", "02:00", True),
        ("01:30-02:30", "02:30", False),
        ("00:00-00:00", "12:00", True),
    ],
)
def test_a_window_is_open_from_its_first_minute_to_its_last(
    text: str, at: str, *, open_: bool
) -> None:
    window = Window.of(text)
    assert window.is_open(datetime.fromisoformat(f"2026-11-22T{at}")) is open_
    assert str(window) == text


@pytest.mark.parametrize(
    "text", ["", "22-05", "24:00-05:00", "22:00-05:60", "22:00 - 05:00", "\u0662\u0662:00-05:00"]
)
def test_what_is_no_window_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no part of a day"):
        Window.of(text)


def settings(tmp_path: Path, crawl: str) -> loader.RunConfig:
    file = tmp_path / "estate.yaml"
    file.write_text(f"warehouse: w\nsources: {{lake: {{kind: archive, path: a}}}}\ncrawl: {crawl}")
    return loader.load(file)


def test_the_configuration_says_how_sources_are_spared(tmp_path: Path) -> None:
    config = settings(tmp_path, "{rate: {lake: 20}, slow_down: 5, between: '22:00-05:00'}")
    assert config.care == {"lake": Care(20, 5)}
    assert str(config.window) == "22:00-05:00"
    plain = settings(tmp_path, "{}")
    assert plain.care == {"lake": Care()}, "a server that slows down is spared by default"
    assert plain.window is None


@pytest.mark.parametrize(
    ("crawl", "why"),
    [
        ("{rate: {laek: 20}}", "'laek' is no source; did you mean 'lake'"),
        ("{rate: {lake: 0}}", "crawl.rate.lake"),
        ("{slow_down: -1}", "crawl.slow_down"),
        ("{between: evening}", "crawl.between: must be a part of the day such as 22:00-05:00"),
    ],
)
def test_what_is_wrong_with_it_is_told_at_its_place(tmp_path: Path, crawl: str, why: str) -> None:
    with pytest.raises(ConfigurationError, match=why):
        settings(tmp_path, crawl)


@contextmanager
def watched(window: Window | None) -> Iterator[list[str]]:
    """A window over a session whose jobs end when they are cancelled."""
    cancelled: list[str] = []
    context = SimpleNamespace(cancelAllJobs=lambda: cancelled.append("all"))
    spark = cast("SparkSession", SimpleNamespace(sparkContext=context))
    with opening.stop_in_time(spark, window):
        yield cancelled


def at(monkeypatch: pytest.MonkeyPatch, time: str) -> None:
    now = datetime.fromisoformat(f"2026-11-22T{time}")
    monkeypatch.setattr(opening, "local_time", lambda: now)


def test_a_crawl_begins_inside_of_its_window_only(monkeypatch: pytest.MonkeyPatch) -> None:
    at(monkeypatch, "13:05")
    with pytest.raises(ConfigurationError, match=r"it is 13:05, .* between 22:00-05:00 only"):
        opening.insist_on_open(Window.of("22:00-05:00"))
    opening.insist_on_open(Window.of("13:00-14:00"))
    opening.insist_on_open(None)


def test_what_runs_when_the_window_closes_is_cancelled_and_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(opening, "_EVERY", 0.01)
    at(monkeypatch, "04:59")

    def crawl() -> None:
        with watched(Window.of("22:00-05:00")) as cancelled:
            at(monkeypatch, "05:00")
            end = clock.monotonic() + 60
            while len(cancelled) < 2:  # a job that begins just then is cancelled, too
                assert clock.monotonic() < end
                clock.sleep(0.01)
            raise RuntimeError("cancelled")

    with pytest.raises(WindowClosedError, match="the window 22:00-05:00 has closed"):
        crawl()
    assert "_watch" not in {thread.name for thread in threading.enumerate()}


@pytest.mark.parametrize("window", [None, Window.of("00:00-00:00")])
def test_what_fails_in_an_open_window_fails_for_its_own_reason(window: Window | None) -> None:
    with pytest.raises(RuntimeError, match="mine"), watched(window):
        raise RuntimeError("mine")


def extent(fetched: int, **more: Any) -> Extent:
    return Extent(fetched + 10, fetched, -(-fetched // 250), 4, **more)


def test_an_estimate_goes_by_the_latest_crawl_of_the_same_sources() -> None:
    before = Experience.of_run("r1", {"a": 900, "b": 100}, 10)
    other = Experience.of_run("r2", {"a": 900, "b": 0}, 1)
    sources = {"a": extent(1000), "b": extent(1000), "c": extent(0)}
    assert estimate(sources, [before, other]) == Estimate(20, "run r1 fetched 1,000 in 10 s")
    assert estimate({"a": extent(1800)}, [before, other]).seconds == pytest.approx(2)


def test_a_rate_makes_it_longer_and_no_experience_makes_it_unknown() -> None:
    known = [Experience.of_run("r1", {"a": 1000}, 1)]
    assert estimate({"a": extent(1000, rate=10.0)}, known).seconds == 100
    told = estimate({"a": extent(1000, rate=10.0)}, [])
    assert told.seconds is None
    assert told.rests_on.endswith("at their rates not less than 2 min")
    assert estimate({"a": extent(0)}, []) == Estimate(0.0, "nothing is to be fetched")
    assert not any(
        "known" in sentence for sentence in sentences({"a": extent(1)}, told, asked=False)
    )
    first, last = sentences({"a": extent(1000, rate=10.0)}, told)
    assert first == (
        "a: 1,010 listed; 1,000 to fetch, namespaces included, in 4 batches over 4 connections, "
        "at most 10 a second"
    )
    assert last == f"how long that takes is not known: {told.rests_on}"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "1 s"), (99, "99 s"), (100, "2 min"), (3600, "1 h"), (7500, "2 h 5 min")],
)
def test_times_are_told_as_people_say_them(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


def test_progress_says_how_long_the_rest_takes() -> None:
    assert share(0, 0, 40, 3, "batches") == "0 of 40 batches"
    assert share(10, 20, 40, 30, "batches") == "20 of 40 batches, 20 a minute, about 60 s left"
    assert share(0, 41, 40, 30, "views") == "40 of 40 views, 1/s"
    assert share(0, 3_000, 0, 30, "views") == "3,000 views, 100/s", "nobody knows of how many"
