"""What became of a view: in the runs before, in plans, and when they were applied."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from reports.lines import Row


@dataclass(frozen=True, slots=True)
class PastRun:
    """A run that saw views.

    Attributes:
        run_id: Its name.
        started: When its crawl began, as `instant` spells it.
    """

    run_id: str
    started: str


@dataclass(frozen=True, slots=True)
class PastPlan:
    """A plan.

    Attributes:
        name: Its name.
        created: When it was made, as `instant` spells it.
        unserved: Its targets whose views nobody serves.
    """

    name: str
    created: str
    unserved: frozenset[str]


@dataclass(frozen=True, slots=True)
class Past:
    """What the entries of views refer to.

    Attributes:
        runs: The latest committed runs, oldest first.
        plans: The latest plans of these and earlier runs, by name.
    """

    runs: Sequence[PastRun]
    plans: Mapping[str, PastPlan]


def entries(past: Past, row: Row) -> list[dict[str, str]]:
    """What happened to a view, oldest first.

    An entry is `time` (ISO 8601, UTC), `what`, `why` (empty: nothing to say) and `name`: of the
    run, the plan or the execution of `apply`.

    Args:
        past: What the numbers and names in the row refer to.
        row: With `sightings` (the number of a run, code and fingerprint), `planned` (plan, target,
            action, code, reason) and `done` (what a target answered).
    """
    events = [
        *_crawl_lines(past.runs, row["sightings"] or ()),
        *_plan_lines(past.plans, row["planned"] or ()),
        *_execution_lines(row["done"] or ()),
    ]
    return sorted(events, key=lambda history: tuple(history.values()))


def instant(time: datetime) -> str:
    """A time, as entries have it."""
    return time.astimezone(UTC).isoformat(timespec="microseconds")


def _entry(time: str, what: str, why: str, name: str) -> dict[str, str]:
    return {"time": time, "what": what, "why": why, "name": name}


def _crawl_lines(runs: Sequence[PastRun], seen: Iterable[Row]) -> Iterator[dict[str, str]]:
    """The runs in which a view was seen first, was another, or could not be read."""
    before = None
    for number in sorted(seen, key=_number):
        state, run = number["fingerprint"] or number["code"], runs[number["number"]]
        if before is None or state != before:
            what = "seen" if before is None else "changed"
            what = "could not be read" if number["code"] is not None else what
            yield _entry(run.started, what, number["code"] or "", run.run_id)
        before = state


def _number(row: Row) -> int:
    return int(row["number"])


def _plan_lines(plans: Mapping[str, PastPlan], changes: Iterable[Row]) -> Iterator[dict[str, str]]:
    """What plans would write or set aside; what stays as it is has no entry."""
    for change in changes:
        plan = plans[change["plan"]]
        shown = ", stored but not served" if change["target"] in plan.unserved else ""
        what = f"planned: {change['action']} at {change['target']}{shown}"
        yield _entry(plan.created, what, _why(change["code"], change["reason"]), plan.name)


def _execution_lines(events: Iterable[Row]) -> Iterator[dict[str, str]]:
    """What executions of plans did at the targets."""
    for event in events:
        what = f"{event['action']} at {event['target']}: {event['result']}, by {event['principal']}"
        yield _entry(
            instant(event["time"]), what, _why(event["code"], event["message"]), event["run"]
        )


def _why(*texts: Any) -> str:  # noqa: ANN401 - cells
    return ": ".join(text for text in texts if text is not None)
