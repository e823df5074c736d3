from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.killing import VIEWS, Killed


@pytest.mark.timeout(1800)
def test_an_apply_that_is_killed_three_times_ends_as_an_unbroken_one(
    spark: SparkSession, postgresql: EmbeddedPostgreSQL, tmp_path: Path
) -> None:
    killed = Killed(spark, postgresql, tmp_path)
    killed.plan()
    wanted = killed.unbroken()
    assert len(wanted) == VIEWS
    for seed in range(3):
        assert killed.broken(seed) == wanted
    assert killed.killed > 0, "no attempt was killed while it ran"
