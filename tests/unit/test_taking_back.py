"""What `undo` is asked to take back, and what is left of that."""

from pathlib import Path

import pytest

from discovery.errors import ConfigurationError, EvidenceError
from jobs.migrating.tables import EVENTS
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
