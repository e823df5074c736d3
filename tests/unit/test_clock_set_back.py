"""A run that began at a time which is still to come: the clock was set back since."""

from datetime import UTC, datetime, timedelta

from jobs.warehouse.runs import Run, still_to_come

NOW = datetime(2026, 11, 25, 14, tzinfo=UTC)


def run(run_id: str, started: datetime) -> Run:
    return Run(run_id, started, started + timedelta(seconds=5), "0.1.0", 0, "{}")


def test_a_run_that_stays_the_latest_is_named() -> None:
    before, ahead = run("before", NOW - timedelta(days=1)), run("ahead", NOW + timedelta(hours=1))
    told = still_to_come([before, ahead], NOW)
    assert told.startswith("run ahead began at 2026-11-25T15:00:00+00:00, which is still to come")
    assert not still_to_come([before], NOW)
    assert not still_to_come([], NOW)
