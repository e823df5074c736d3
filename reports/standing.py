"""Whether a view can move: the four words of a report, and the codes of what is not a finding."""

from typing import Final

from discovery.outcomes import Reason

READY: Final = "ready"
REVIEW: Final = "needs review"
BLOCKED: Final = "blocked"
NOT_JUDGED: Final = "not judged"
WORDS: Final = (READY, REVIEW, BLOCKED, NOT_JUDGED)
"""In the order in which a report shows them."""

STATUSES: Final = ("native", "portable", "rejected", BLOCKED, NOT_JUDGED)
"""What an engine can do with a view, as in the table `matrix`, in that order, too."""

REJECTED: Final = Reason(
    "PARSE",
    "The parser of the view's own engine rejects its SQL, so that engine cannot run it as it is "
    "stored. Look at the position that is marked; recreate or drop the view at its source.",
)
NOT_ASKED: Final = Reason(
    "OWN_ENGINE_NOT_ASKED",
    "No judge knows the dialect of the view; the parser of another engine accepts its text. Try "
    "the view in its own engine, or name a judge of its dialect under `engines`.",
)
DIFFERENT: Final = Reason(
    "READ_BACK_DIFFERS",
    "The view was loaded, and read back otherwise than it was written. The fields that differ are "
    "named; compare them at the target.",
)
UNASSESSED: Final = Reason(
    "NOT_ASSESSED",
    "`belvedere assess` has not been run on this run: nobody was asked whether the view can be "
    "read.",
)
NO_JUDGE: Final = Reason(
    "NO_VERDICT",
    "No judge knows the dialect of the view, or the one that does was not available, and no other "
    "parser accepts its text. Nothing is known against the view.",
)
REASONS: Final = (REJECTED, NOT_ASKED, DIFFERENT, UNASSESSED, NO_JUDGE)
