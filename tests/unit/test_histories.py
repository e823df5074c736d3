"""What became of a view, from numbers of runs, plans and answers to sentences."""

from datetime import UTC, datetime
from typing import Any

from reports.histories import Past, PastPlan, PastRun, entries, instant

RUNS = [PastRun(f"r{number}", f"2026-11-0{number + 1}") for number in range(5)]
PLAN = PastPlan("p", "2026-11-02T01", frozenset({"store"}))
PAST = Past(RUNS, {"p": PLAN})


def told(**row: Any) -> list[tuple[str, str, str]]:
    whole = {"sightings": None, "planned": None, "done": None, **row}
    return [(entry["what"], entry["why"], entry["name"]) for entry in entries(PAST, whole)]


def seen(number: int, fingerprint: str | None, code: str | None = None) -> dict[str, Any]:
    return {"number": number, "fingerprint": fingerprint, "code": code}


def test_a_view_is_told_where_it_is_otherwise_than_in_the_run_before() -> None:
    every = [seen(0, "1"), seen(1, "1"), seen(2, None, "BAD"), seen(3, "1"), seen(4, "2")]
    assert told(sightings=every[::-1]) == [
        ("seen", "", "r0"),
        ("could not be read", "BAD", "r2"),
        ("changed", "", "r3"),
        ("changed", "", "r4"),
    ]
    assert told(sightings=[seen(0, None, "BAD"), seen(1, None, "BAD")]) == [
        ("could not be read", "BAD", "r0")
    ]


def test_a_plan_says_why_and_whether_anybody_serves_it() -> None:
    change = {"plan": "p", "action": "create", "code": None, "reason": None}
    both = [{**change, "target": one} for one in ("there", "store")]
    assert told(planned=[*both, {**change, "target": "x", "code": "C", "reason": "why"}]) == [
        ("planned: create at store, stored but not served", "", "p"),
        ("planned: create at there", "", "p"),
        ("planned: create at x", "C: why", "p"),
    ]


def test_what_was_done_stands_after_what_was_planned() -> None:
    event = {"run": "a", "time": datetime(2026, 11, 3, tzinfo=UTC), "target": "t", "code": None}
    done = {**event, "action": "create", "result": "done", "principal": "bob", "message": None}
    change = {"plan": "p", "target": "t", "action": "create", "code": None, "reason": None}
    assert told(done=[done], planned=[change], sightings=[seen(0, "1")]) == [
        ("seen", "", "r0"),
        ("planned: create at t", "", "p"),
        ("create at t: done, by bob", "", "a"),
    ]
    assert told() == []
    assert instant(event["time"]) == "2026-11-03T00:00:00.000000+00:00"  # type: ignore[arg-type]  # a cell
