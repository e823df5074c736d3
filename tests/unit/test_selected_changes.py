"""How many of the changes that an execution is to make are due where and when."""

from typing import Any

from jobs.migrating.selecting import SelectedChanges


def test_what_is_due_in_a_wave_is_counted_by_target_and_nothing_else_is_named() -> None:
    frame: Any = None
    counts = {
        ("t", "create", 1): 2,
        ("t", "drop", 1): 1,
        ("u", "create", 2): 4,
        ("u", "drop", None): 1,
    }
    selected = SelectedChanges(frame, counts)
    assert selected.waves == [1, 2, None]
    assert [selected.due(wave) for wave in selected.waves] == [{"t": 3}, {"u": 4}, {"u": 1}]
    assert (selected.drops, selected.targets) == (2, {"t", "u"})
