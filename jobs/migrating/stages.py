"""What `plan` and `verify` commit as one."""

from typing import Final

from jobs.migrating.tables import CHANGES, DECIDED, PRESENT, VERIFIED
from jobs.warehouse.datasets import StageTables

PLANNING: Final = StageTables("plan", (PRESENT, DECIDED, CHANGES), "plan again")
VERIFYING: Final = StageTables("verify", (VERIFIED,), "run `belvedere verify` again")
