"""What is said of a baseline: which of its lines count again, and which are about nothing."""

from collections.abc import Iterable
from datetime import date
from typing import Final

from discovery.acceptance import Baseline, Fault
from jobs.console import command

_SHOWN: Final = 10  # of a sort; `belvedere accept --check` prints all


def say_of(baseline: Baseline, today: date, met: Iterable[Fault] | None = None) -> None:
    """Say which lines of a baseline do not hold.

    Args:
        baseline: The baseline.
        today: The day.
        met: The faults that a run has; None: that is not known.
    """
    lines = list(expired(baseline, today))
    lines += stale(baseline, today, met) if met is not None else ()
    for line in lines[:_SHOWN]:
        command.say(line)
    if len(lines) > _SHOWN:
        command.say(f"and {len(lines) - _SHOWN:,} more: see `belvedere accept --check`")


def expired(baseline: Baseline, today: date) -> Iterable[str]:
    """The lines whose day has passed, a sentence for each."""
    for line in baseline.expired(today):
        counted = f"{line.fault} was accepted until {line.until} by {line.owner}, and counts again"
        yield f"{baseline.at(line)}: {counted}"


def stale(baseline: Baseline, today: date, met: Iterable[Fault]) -> Iterable[str]:
    """The lines whose fault is gone, a sentence for each."""
    for acceptance in baseline.stale(today, met):
        yield f"{baseline.at(acceptance)}: {acceptance.fault} is accepted, and is not in this run"
