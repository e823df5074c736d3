"""A turn of `sync` behind one whose plan is damaged: it goes on, unless something was begun."""

from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from discovery.errors import ConfigurationError
from jobs import sync
from jobs.migrating import plan_folder
from jobs.migrating.tables import APPLIED, APPLIES, PLANS
from jobs.run import RunRequest
from jobs.warehouse.warehouse import Warehouse

NOW = datetime(2026, 11, 25, tzinfo=UTC)


@pytest.fixture
def turn(tmp_path: Path) -> RunRequest:
    """A turn whose plan a full disk has cut off."""
    (tmp_path / "plan").mkdir()
    (tmp_path / "plan" / plan_folder.HEAD).write_text("{", encoding="utf-8")
    return RunRequest(tmp_path / "estate.yaml", tmp_path, True, follows=True)


def ended(turn: RunRequest) -> None:
    config = SimpleNamespace(warehouse=str(turn.folder / "w"))
    sync._end_last_turn(cast("Any", None), cast("Any", config), turn)


def test_a_damaged_plan_by_which_nothing_was_begun_is_made_anew(
    turn: RunRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    warehouse = Warehouse(str(turn.folder / "w"))
    warehouse.note(APPLIES, "x", ("x", "p", "me", NOW))
    warehouse.note(APPLIED, "x", ("x", NOW, 0))
    warehouse.note(APPLIES, "y", ("y", "p", "me", NOW))  # that is taken back
    warehouse.note(PLANS, "undo-y", ("undo-y", "r", NOW, "y", "{}", None, None))
    warehouse.note(APPLIES, "z", ("z", "undo-y", "me", NOW))
    ended(turn)
    said = capsys.readouterr().err
    assert f"{turn.folder / 'plan' / plan_folder.HEAD}: is no plan" in said
    assert "nothing was begun by it: it is made anew" in said


def test_where_something_was_begun_it_says_how_that_is_taken_back(turn: RunRequest) -> None:
    Warehouse(str(turn.folder / "w")).note(APPLIES, "x", ("x", "p", "me", NOW))
    with pytest.raises(ConfigurationError, match="is no plan") as raised:
        ended(turn)
    assert raised.value.hint.endswith("take back what was begun: belvedere undo x")
