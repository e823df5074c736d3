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
    reasons = {why.value: why for why in Why}
    aside = {
        set_aside.name: Aside(reasons[set_aside.why], set_aside.because)
        for set_aside in views.aside
    }
    rows = {**views.unread, **{set_aside.name: set_aside.row for set_aside in views.aside}}
    return tuple(
        Blocker(weight.root, rows.get(weight.root), weight.why, weight.direct, weight.views)
        for weight in weighed(aside, among=_WEIGHED, first=_SHOWN)
    )


def _bases(views: ViewTally) -> tuple[Blocker, ...]:
    """The views that most others read."""
    blockers = [Blocker(base.name, base.row, "", -base.order, -base.order) for base in views.bases]
    return tuple(sorted(blockers, key=lambda blocker: (-blocker.direct, blocker.name)))
