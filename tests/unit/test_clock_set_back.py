"""A run that began at a time which is still to come: the clock was set back since."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jobs.migrating import plans
from jobs.migrating.journal import begin
from jobs.migrating.plan_folder import PlanHead
from jobs.migrating.tables import APPLIED, APPLIES
from jobs.warehouse.runs import Beginning, Run
from jobs.warehouse.warehouse import Warehouse

NOW = datetime(2026, 11, 25, 14, tzinfo=UTC)


def run(run_id: str, started: datetime) -> Run:
    return Run(run_id, started, started + timedelta(seconds=5), "0.1.0", 0, "{}")


def test_a_run_behind_a_clock_that_was_set_back_is_noted_as_the_latest() -> None:
    before, ahead = run("before", NOW - timedelta(days=1)), run("ahead", NOW + timedelta(hours=1))
    beginning = Beginning.after([before, ahead], NOW)
    noted = run("new", beginning.started)
    assert max([before, ahead, noted], key=lambda run: run.age) is noted
    told = "run ahead began at 2026-11-25T15:00:00+00:00, which is still to come by this clock"
    assert beginning.remark.startswith(told)


def test_a_run_by_a_clock_that_goes_on_is_noted_as_it_says() -> None:
    before = run("before", NOW - timedelta(days=1))
    for runs in ([before], []):
        assert Beginning.after(runs, NOW) == Beginning(NOW)
    assert Beginning(NOW).started == NOW


def test_a_plan_behind_a_clock_that_was_set_back_is_the_latest_of_its_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse = Warehouse(str(tmp_path))
    for name, moment in (("first", NOW), ("second", NOW - timedelta(days=1))):
        monkeypatch.setattr(plans, "now", lambda moment=moment: moment)
        plans.note_plan(warehouse, PlanHead(name, "r", "", "0", "estate.yaml", "", {}))
    latest = plans.latest_plan(warehouse, "r")
    assert latest is not None
    assert latest.plan == "second"


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
