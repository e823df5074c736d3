"""What is not written though a plan wants it, as nobody looks at that plan: what others have made.

What an undo has put back is ours if it was when it was written over, or taken back. But the very
change that a person has taken back is not made again unseen, nor is an earlier one that was taken
back with it, as who takes back several turns begins with the last.
"""

from collections.abc import Sequence
from itertools import takewhile

from discovery.migration.changes import Blocked
from discovery.migration.execution import Wrote
from discovery.ports import Action

Doubt = tuple[Blocked, str]
"""What speaks against a change, and why, for people."""


def doubt(
    action: Action, expected: str | None, wanted: str | None, writes: Sequence[Wrote]
) -> Doubt | None:
    """What speaks against a change; None: nothing does.

    Args:
        action: What is to be done with the view.
        expected: Fingerprint of what stands at the target; None: nothing.
        wanted: Of what is to stand there.
        writes: Ours at this address, earliest first.
    """
    left = _last_fingerprint(writes)
    if expected is not None and expected != left:
        was_ours = left is not None
        by = "changed it since belvedere wrote it" if was_ours else "made what stands there"
        return Blocked.TARGET_CHANGED, f"somebody else has {by}"
    after = None if action is Action.DROP else wanted
    taken_back = takewhile(lambda write: write.undoes, reversed(writes))
    if any(write.before == after for write in taken_back):
        done = "dropped" if after is None else "written"
        return Blocked.UNDONE, f"it was {done}, and an undo has taken just that back"
    return None


def _last_fingerprint(writes: Sequence[Wrote]) -> str | None:
    """The fingerprint of what belvedere has left; None: nothing, or what stood there before it."""
    left: str | None = None
    were_ours: set[str] = set()
    for write in writes:
        if write.before is not None and write.before == left:
            were_ours.add(write.before)
        is_ours = not write.undoes or write.after in were_ours
        left = write.after if is_ours else None
    return left
