"""What is not written where nobody looks at the plan."""

import pytest

from discovery.migration.changes import Blocked
from discovery.migration.execution import Wrote
from discovery.migration.unattended import doubt
from discovery.ports import Action

STRANGE, UNDONE = Blocked.TARGET_CHANGED, Blocked.UNDONE
MADE, REPLACED, DROPPED = Wrote(None, "a"), Wrote("a", "b"), Wrote("a", None)
GONE = Wrote("b", None)
TAKEN_OVER = Wrote("x", "b")  # a person has replaced somebody's


def back(one: Wrote) -> Wrote:
    return Wrote(one.after, one.before, undoes=True)


@pytest.mark.parametrize(
    ("writes", "action", "there", "wanted", "code"),
    [
        ([], Action.CREATE, None, "a", None),
        ([], Action.REPLACE, "x", "a", STRANGE),
        ([MADE], Action.REPLACE, "a", "b", None),
        ([MADE], Action.REPLACE, "x", "b", STRANGE),
        ([MADE], Action.DROP, "a", "a", None),
        ([MADE], Action.DROP, "x", "x", STRANGE),
        ([TAKEN_OVER], Action.REPLACE, "b", "c", None),
        # a view was made, and that was taken back
        ([MADE, back(MADE)], Action.CREATE, None, "a", UNDONE),
        ([MADE, back(MADE)], Action.CREATE, None, "b", None),
        ([MADE, back(MADE)], Action.REPLACE, "x", "a", STRANGE),
        # it was replaced, and that was taken back
        ([MADE, REPLACED, back(REPLACED)], Action.REPLACE, "a", "b", UNDONE),
        ([MADE, REPLACED, back(REPLACED)], Action.REPLACE, "a", "c", None),
        ([MADE, REPLACED, back(REPLACED)], Action.ADD_DIALECT, "a", "c", None),
        ([MADE, REPLACED, back(REPLACED)], Action.DROP, "a", "a", None),
        ([MADE, REPLACED, back(REPLACED)], Action.REPLACE, "b", "c", STRANGE),
        ([TAKEN_OVER, back(TAKEN_OVER)], Action.REPLACE, "x", "c", STRANGE),
        ([MADE, TAKEN_OVER, back(TAKEN_OVER)], Action.REPLACE, "x", "c", STRANGE),
        # it was dropped, and that was taken back
        ([MADE, DROPPED, back(DROPPED)], Action.DROP, "a", "a", UNDONE),
        ([MADE, DROPPED, back(DROPPED)], Action.REPLACE, "a", "c", None),
        # what was taken back has been done again, or something else, or was taken back twice
        ([MADE, REPLACED, back(REPLACED), REPLACED], Action.REPLACE, "b", "c", None),
        ([MADE, REPLACED, back(REPLACED), back(MADE)], Action.CREATE, None, "a", UNDONE),
        ([MADE, REPLACED, back(REPLACED), back(MADE)], Action.CREATE, None, "b", UNDONE),
        ([MADE, REPLACED, back(REPLACED), back(MADE)], Action.CREATE, None, "c", None),
        ([MADE, REPLACED, GONE, back(GONE), back(REPLACED)], Action.DROP, "a", "a", UNDONE),
        # that it was taken back was taken back
        ([MADE, back(MADE), back(back(MADE))], Action.REPLACE, "a", "b", None),
        ([MADE, back(MADE), back(back(MADE))], Action.REPLACE, "x", "b", STRANGE),
        ([TAKEN_OVER, back(TAKEN_OVER)] * 2, Action.REPLACE, "x", "c", STRANGE),
    ],
)
def test_what_others_have_made_stays_and_so_does_what_was_taken_back(
    writes: list[Wrote], action: Action, there: str | None, wanted: str, code: Blocked | None
) -> None:
    found = doubt(action, there, wanted, writes)
    assert (found and found[0]) == code


def test_the_reason_says_whose_it_is_or_what_was_taken_back() -> None:
    others = doubt(Action.REPLACE, "x", "b", [])
    assert others == (STRANGE, "somebody else has made what stands there")
    changed = doubt(Action.REPLACE, "x", "b", [MADE])
    assert changed == (STRANGE, "somebody else has changed it since belvedere wrote it")
    made = doubt(Action.CREATE, None, "a", [MADE, back(MADE)])
    assert made == (UNDONE, "it was written, and an undo has taken just that back")
    dropped = doubt(Action.DROP, "a", "a", [MADE, DROPPED, back(DROPPED)])
    assert dropped == (UNDONE, "it was dropped, and an undo has taken just that back")
