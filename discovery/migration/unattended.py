"""What is not written though a plan wants it, as nobody looks at that plan: what others have made.

What an undo has put back is ours if it was when it was written over. But the very change that a
person has taken back is not made again unseen.
"""

from collections.abc import Sequence

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
    if writes and writes[-1].undoes and writes[-1].before == after:
        done = "dropped" if after is None else "written"
        return Blocked.UNDONE, f"it was {done}, and an undo has taken just that back"
    return None


def _last_fingerprint(writes: Sequence[Wrote]) -> str | None:
    """The fingerprint of what belvedere has left; None: nothing, or what stood there before it."""
    left: str | None = None
    were_ours: set[str] = set()
    for write in writes:
        if not write.undoes:
            if write.before is not None and write.before == left:
                were_ours.add(write.before)
            left = write.after
        else:
            left = write.after if write.after in were_ours else None
    return left
