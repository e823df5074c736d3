"""What puts the rows of a report side by side: on Spark, or in memory."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, Self

from pyspark.sql import SparkSession

from jobs.reporting.past import PastRuns
from jobs.reporting.run_tables import RunTables
from jobs.reporting.workers import Rendering
from reports.head import Counts
from reports.lines import Row
from reports.tallies import Place

WrittenCounts = Mapping[str, Mapping[str, Counts]]
"""Number of changes by plan, target and action; of none, no plan or no target."""


class Gathering(Protocol):
    """The rows of a run's report, while it is entered.

    Changes are asked for before rows are rendered, and rows are rendered before their parts.
    """

    @property
    def session(self) -> SparkSession | None:
        """What it runs on; None: it is done in memory."""

    def __enter__(self) -> Self:
        """Begin."""

    def __exit__(self, *_: object) -> None:
        """Free what was kept."""

    def changes(self) -> Iterator[Row]:
        """What is otherwise than in the other run: rows of `drift.SCHEMA`, by source and key."""

    def standings_before(self) -> Counts | None:
        """How many views of the other run had each standing; None if it was not assessed."""

    def render(self, rendering: Rendering, past: PastRuns) -> int:
        """Make the parts; their number."""

    def counts(self) -> Iterator[str]:
        """What each part adds to the head, as `tally_views` has it."""

    def parts(self) -> Iterator[Row]:
        """What each part adds to the files, in order: rows of `workers.RENDERED`."""

    def losses(self, accepted: frozenset[Place]) -> Iterator[str]:
        """What is lost or skipped, a tally for each of its parts, as `tally_losses` has it.

        Args:
            accepted: Source and key of all at which something is accepted.
        """

    def count_written(self, planned: Sequence[RunTables]) -> WrittenCounts:
        """Number of changes that were applied, of the latest plans of some runs.

        By the plan's own action: what it had set aside was adopted since.
        """
