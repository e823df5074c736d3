"""The changes of a plan that an execution is to make: those that a person has left in it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from discovery.errors import ConfigurationError
from discovery.ports import WRITING
from jobs.console import command
from jobs.migrating.adopting import take_drafts
from jobs.migrating.plan_folder import CHANGES as CHANGES_FILE
from jobs.migrating.tables import CHANGES, SELECTED
from jobs.warehouse.frames import frame_of
from jobs.warehouse.warehouse import Warehouse


@dataclass(frozen=True, slots=True)
class SelectedChanges:
    """The changes that are to be made.

    Attributes:
        changes: Rows of `changes`, drafts in place where a person adopted them.
        counts: How many of them by target, action and wave.
    """

    changes: DataFrame
    counts: Mapping[tuple[str, str, int | None], int]

    @property
    def waves(self) -> list[int | None]:
        """In the order of writing; what has no wave is last."""
        waves = {wave for _, _, wave in self.counts}
        return sorted(waves, key=lambda wave: (wave is None, wave or 0))

    def due(self, wave: int | None) -> Counter[str]:
        """How many of a wave are due, by target."""
        due: Counter[str] = Counter()
        for (target, _, of_wave), number in self.counts.items():
            due[target] += number if of_wave == wave else 0
        return +due

    @property
    def drops(self) -> int:
        """How many views are dropped."""
        return sum(number for (_, action, _), number in self.counts.items() if action == "drop")

    @property
    def targets(self) -> set[str]:
        """Where something is written."""
        return {target for target, _, _ in self.counts}


def select_all(changes: DataFrame) -> SelectedChanges:
    """All of these changes, counted."""
    counted = changes.groupBy("target", "action", "wave").count().collect()
    counts = {(row["target"], row["action"], row["wave"]): row["count"] for row in counted}
    return SelectedChanges(changes, counts)


def select_changes(
    spark: SparkSession, warehouse: Warehouse, plan: str, wanted: Iterable[tuple[str, bool]]
) -> SelectedChanges:
    """The changes of a plan that a person has left in it.

    Raises:
        ConfigurationError: The warehouse does not know the plan, or not all of the changes.
    """
    names = set(wanted)
    frame = frame_of(spark, SELECTED, names)
    if not warehouse.is_written(CHANGES, plan):
        hint = "plan again: this warehouse does not have it"
        raise ConfigurationError(f"no plan {plan}", hint=hint)
    planned = warehouse.frame(spark, CHANGES, plan)
    selected = planned.where(planned["change"].isNotNull()).join(frame, "change")
    selected_changes = select_all(take_drafts(selected, f.col("adopt")).drop("adopt"))
    if sum(selected_changes.counts.values()) != len(names):
        why = f"plan {plan} does not have all of the changes of {CHANGES_FILE}"
        raise ConfigurationError(why, hint="plan again")
    chosen = {change for change, _ in names}
    writing = warehouse.table(CHANGES, plan, where={"action": WRITING}, columns=("change",))
    if left_out := sum(row["change"] not in chosen for row in writing if row["change"]):
        command.say(
            f"{left_out:,} changes of the plan are not in {CHANGES_FILE}: they are left out"
        )
    counts = {
        place: number for place, number in selected_changes.counts.items() if place[1] in WRITING
    }
    return SelectedChanges(
        selected_changes.changes.where(f.col("action").isin(list(WRITING))), counts
    )
