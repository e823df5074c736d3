"""What blocks most views: from row numbers and names, on the driver."""

from typing import Final

from discovery.lineage.blockers import weighed
from discovery.lineage.order import Aside, Why
from reports.head import Blocker, Waves
from reports.tallies import ViewTally

_SHOWN: Final = 20
_WEIGHED: Final = 200  # of those with most direct readers, the views over others are counted, too


def waves(views: ViewTally) -> Waves:
    """The sizes of the waves, what is set aside, and what blocks or carries most views."""
    return Waves(
        tuple(views.by("waves").values()), views.by("aside"), _blockers(views), _bases(views)
    )


def _blockers(views: ViewTally) -> tuple[Blocker, ...]:
    """The roots of what is set aside: missing bases, unread or faulty views, rings."""
    reasons = {one.value: one for one in Why}
    aside = {one.name: Aside(reasons[one.why], one.because) for one in views.aside}
    rows = {**views.unread, **{one.name: one.row for one in views.aside}}
    return tuple(
        Blocker(one.root, rows.get(one.root), one.why, one.direct, one.views)
        for one in weighed(aside, among=_WEIGHED, first=_SHOWN)
    )


def _bases(views: ViewTally) -> tuple[Blocker, ...]:
    """The views that most others read."""
    found = [Blocker(one.name, one.row, "", -one.order, -one.order) for one in views.bases]
    return tuple(sorted(found, key=lambda one: (-one.direct, one.name)))
