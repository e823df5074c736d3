"""A run that began at a time which is still to come: the clock was set back since."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jobs.migrating.journal import begin
from jobs.migrating.tables import APPLIED, APPLIES
from jobs.warehouse.runs import Run, still_to_come
from jobs.warehouse.warehouse import Warehouse

NOW = datetime(2026, 11, 25, 14, tzinfo=UTC)


def run(run_id: str, started: datetime) -> Run:
    return Run(run_id, started, started + timedelta(seconds=5), "0.1.0", 0, "{}")


def test_a_run_that_stays_the_latest_is_named() -> None:
    before, ahead = run("before", NOW - timedelta(days=1)), run("ahead", NOW + timedelta(hours=1))
    told = still_to_come([before, ahead], NOW)
    assert told.startswith("run ahead began at 2026-11-25T15:00:00+00:00, which is still to come")
    assert not still_to_come([before], NOW)
    assert not still_to_come([], NOW)


def test_an_execution_behind_a_clock_that_was_set_back_is_noted_as_the_later_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    warehouse, tomorrow = Warehouse(str(tmp_path)), datetime.now(UTC) + timedelta(days=1)
    warehouse.note(APPLIES, "x", ("x", "p", "me", tomorrow))
    warehouse.note(APPLIED, "x", ("x", tomorrow + timedelta(hours=1), 0))
    attempt = begin(warehouse, "p", "me")
    (mine,) = (row for row in warehouse.table(APPLIES, "*") if row["run"] == attempt.run)
    assert tomorrow + timedelta(hours=1) < mine["started"] < attempt.moment()
    assert "the clock is behind what was noted before" in capsys.readouterr().err
    warehouse.note(APPLIED, attempt.run, (attempt.run, mine["started"], 0))
    assert begin(warehouse, "p", "me").ahead > attempt.ahead - timedelta(minutes=1)


def test_an_execution_by_a_clock_that_goes_on_is_noted_as_it_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    warehouse, yesterday = Warehouse(str(tmp_path)), datetime.now(UTC) - timedelta(days=1)
    warehouse.note(APPLIES, "x", ("x", "p", "me", yesterday))
    warehouse.note(APPLIED, "x", ("x", yesterday, 0))
    assert begin(warehouse, "p", "me").ahead == timedelta()
    assert not capsys.readouterr().err
