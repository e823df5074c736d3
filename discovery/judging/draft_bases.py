"""Drafts that stand on views which their engine does not read: they are not offered.

An engine that reads a view resolves what is below, and there is no stub for that then: a table it
finds by the name in the draft; of a view it needs a text in its own dialect, which that has, or
gets by a draft that is shown, and so on down. Whatever the analyzer said, a draft over another view
leads nowhere.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from discovery.lineage.order import Aside, Node, Why, order
from discovery.outcomes import Reason

OVER_UNREADABLE: Final = Reason(
    "DRAFT_OVER_UNREADABLE",
    "The engine accepts the translation, and will not read what it stands on: a view below has no "
    "text in the dialect, and no draft of one is shown. The message names that view; write its "
    "text first.",
)


def over_unreadable(
    reads: Mapping[Node, AbstractSet[Node]], lacking: AbstractSet[Node]
) -> dict[Node, Aside[Node]]:
    """The drafts in a dialect that lead nowhere, each with the views below that are to blame.

    Those are views without a text, or such as read each other, over however many views.

    Args:
        reads: Each view of which the engine accepts a draft, with what the draft reads.
        lacking: Views that have no text in the dialect and get none.
    """
    drafted_or_lacking = reads.keys() | lacking
    own = {view: below & drafted_or_lacking for view, below in reads.items()}
    set_aside: dict[Node, Aside[Node]] = {}
    for view, aside in order(own, missing=lacking).aside.items():  # what is below comes first
        set_aside[view] = set_aside[aside.because[0]] if aside.why is Why.BROKEN_BASE else aside
    return set_aside


def explain_aside(aside: Aside[tuple[str, str]], dialect: str) -> str:
    """Why a draft leads nowhere, in words.

    Args:
        aside: Which views are to blame: source and key.
        dialect: Of the draft.
    """
    names = ", ".join("/".join(place) for place in aside.because)
    if aside.why is Why.MISSING_BASE:
        return f"it stands on {names}, without a text in {dialect} or a draft of one that is shown"
    return f"it stands on views that read each other: {names}"
