from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.killing import Killed


@pytest.mark.live
@pytest.mark.timeout(8 * 3600)
def test_apply_and_undo_that_are_killed_three_hundred_times_end_as_unbroken_ones(
    spark: SparkSession, postgresql: EmbeddedPostgreSQL, tmp_path: Path
) -> None:
    killed = Killed(spark, postgresql, tmp_path)
    killed.plan()
    wanted = killed.unbroken()
    for seed in range(300):  # a hundred each: apply and apply, apply and undo, undo and either
        assert killed.broken(seed) == wanted
    print(f"killed {killed.killed}, in the middle {killed.partly}, recovered {killed.recovered}")
    assert killed.partly > 100, "hardly any was killed in the middle"
    assert killed.recovered > 0
