"""On which terms targets are loaded."""

from dataclasses import dataclass, field

from discovery.migration.routes import ChosenRoute
from discovery.tags import TagPattern


@dataclass(frozen=True, slots=True)
class TargetTerms:
    """On which terms a target is loaded.

    Attributes:
        route: The store that was chosen, and why.
        accept_unserved: Whether rows are written that no stock server shows.
        bootstrap_parents: Whether missing parents are made, whoever may make them.
        rights: Whether rights are made there.
        tags: How the tags are named that views get there; None: they get none.
    """

    route: ChosenRoute
    accept_unserved: bool = False
    bootstrap_parents: bool = False
    rights: bool = False
    tags: TagPattern | None = field(default=None, metadata={"later": True})
