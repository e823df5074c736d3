"""What the stages of a migration commit as one."""

from typing import Final

from jobs.migrating.tables import (
    CHANGES,
    DECIDED,
    EVENTS,
    INTENDED,
    PREPARED,
    PRESENT,
    VERIFIED,
    VERIFIED_LIVE,
)
from jobs.warehouse.datasets import StageTables

PLANNING: Final = StageTables(
    "plan",
    (PRESENT, DECIDED, CHANGES),
    "plan again; what was applied needs it to be taken back: restore it from a copy of the "
    "warehouse",
)
VERIFYING: Final = StageTables("verify", (VERIFIED, VERIFIED_LIVE), "run `belvedere verify` again")
INVERTING: Final = StageTables("undo", (CHANGES,), "undo that run again: the plan is made anew")
EXECUTING: Final = StageTables(
    "execute",
    (INTENDED, PREPARED, EVENTS),
    "restore it from a copy of the warehouse",
    is_journal=True,
)
"""What executions append, sealed when one has ended: see ADR 0007."""
