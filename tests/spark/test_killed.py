from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.killing import VIEWS, Killed


@pytest.mark.timeout(1800)
def test_apply_and_undo_that_are_killed_end_as_unbroken_ones(
    spark: SparkSession, postgresql: EmbeddedPostgreSQL, tmp_path: Path
) -> None:
    killed = Killed(spark, postgresql, tmp_path)
    killed.plan()
    wanted = killed.unbroken()
    assert len(wanted) == VIEWS
    for seed in range(3):
        assert killed.broken(seed) == wanted
    assert killed.killed > 0, "nothing was killed while it ran"
