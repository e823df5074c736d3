"""What `undo` is asked to take back, and what is left of that."""

from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import pytest
from pyspark.sql import SparkSession

from discovery.errors import ConfigurationError, EvidenceError, LockedError
from jobs.migrating import journal
from jobs.migrating.journal import history, join
from jobs.migrating.noted_executions import note_again
from jobs.migrating.stages import EXECUTING
from jobs.migrating.tables import APPLIED, APPLIES, EVENTS, INTENDED
from jobs.migrating.taking_back import plan_of
from jobs.warehouse.warehouse import Warehouse


def test_a_run_whose_row_is_lost_is_not_called_unknown(tmp_path: Path) -> None:
    warehouse = Warehouse(str(tmp_path))
    warehouse.note(EVENTS, "killed")
    with pytest.raises(EvidenceError, match="applies of killed: its row is missing") as raised:
        plan_of(warehouse, "killed")
    assert "restore it" in raised.value.hint
    with pytest.raises(ConfigurationError, match="no run other of apply"):
        plan_of(warehouse, "other")


def test_an_execution_whose_row_is_lost_is_known_by_its_journal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    warehouse, began = Warehouse(str(tmp_path)), datetime(2026, 11, 26, tzinfo=UTC)
    warehouse.note(INTENDED, "killed", ("killed", "t", "v", "f", "p0", "anna", began))
    warehouse.note(EVENTS, "unknown")
    assert plan_of(warehouse, "killed") == "p0"
    continued = history(warehouse).to_continue("p0")
    assert continued is not None
    assert (continued.run, continued.started) == ("killed", began)
    assert join(warehouse, "killed").principal == "anna"
    note_again(warehouse)
    told = capsys.readouterr().err
    assert "applies of killed: its row was lost, and is noted as its journal has it" in told
    assert "applies of unknown: its row is lost, and its journal does not name its plan" in told
    (row,) = Warehouse(str(tmp_path)).table(APPLIES, "*")
    assert row == {"run": "killed", "plan": "p0", "principal": "anna", "started": began}


def test_an_end_whose_row_is_lost_is_known_by_the_seal_and_noted_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    warehouse, began = Warehouse(str(tmp_path)), datetime(2026, 11, 26, tzinfo=UTC)
    for run in ("ended", "killed"):
        warehouse.note(APPLIES, run, (run, "p0", "anna", began))
        warehouse.note(INTENDED, run, (run, "t", "v", "f", "p0", "anna", began))
    warehouse.seal(EXECUTING, "ended")
    note_again(warehouse)
    assert "applied of ended: its row was lost" in capsys.readouterr().err
    (row,) = Warehouse(str(tmp_path)).table(APPLIED, "*")
    assert row == {"run": "ended", "finished": began, "exit_code": None}
    note_again(Warehouse(str(tmp_path)))
    assert capsys.readouterr().err == "", "it is noted once"


def test_a_journal_of_before_names_no_plan(tmp_path: Path) -> None:
    warehouse = Warehouse(str(tmp_path))
    warehouse.note(INTENDED, "killed", ("killed", "t", "v", "f", None, None, None))
    assert history(warehouse).executions == ()


def test_two_plans_do_not_write_one_target_at_once(tmp_path: Path) -> None:
    def alone(plan: str, *targets: str) -> AbstractContextManager[None]:
        no_spark = cast("SparkSession", None)  # the warehouse is on this machine
        return journal.alone(no_spark, str(tmp_path), plan, "undo", targets)

    with alone("p1", "a", "b"):
        with pytest.raises(LockedError, match="target b"), alone("p2", "b", "c"):
            pass
        with alone("p3", "c"), alone("p4"):
            assert len(list(tmp_path.rglob("*.lock"))) == 6, "what p2 had taken it has let go of"
    assert not list(tmp_path.rglob("*.lock"))
