"""What becomes of changes whose drafts a person has adopted: they are written, with the drafts."""

from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from discovery.migration.plan import WAITING
from discovery.ports import Action

_DRAFTED: Final = {"model": "draft", "fingerprint": "draft_fingerprint"}


def take_drafts(changes: DataFrame, adopted: Column) -> DataFrame:
    """Changes as they are written; what waited for its draft to be adopted becomes a write.

    Args:
        changes: Rows of `changes`, as a plan has them.
        adopted: Whether the drafts of a row are adopted.
    """
    waits = adopted & f.col("action").isin(sorted(WAITING))
    writes = f.when(f.col("expected").isNull(), Action.CREATE.value).otherwise(Action.REPLACE.value)
    taken = {
        name: f.when(adopted, f.col(draft)).otherwise(f.col(name))
        for name, draft in _DRAFTED.items()
    }
    taken["action"] = f.when(waits, writes).otherwise(f.col("action"))
    return changes.withColumns(taken)
