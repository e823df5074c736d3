from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.killing import Killed


@pytest.mark.live
@pytest.mark.timeout(4 * 3600)
def test_an_apply_that_is_killed_a_hundred_times_ends_as_an_unbroken_one(
    spark: SparkSession, postgresql: EmbeddedPostgreSQL, tmp_path: Path
) -> None:
    killed = Killed(spark, postgresql, tmp_path)
    killed.plan()
    wanted = killed.unbroken()
    for seed in range(100):
        assert killed.broken(seed) == wanted
    assert killed.partly > 10, "hardly any attempt was killed in the middle"
    assert killed.recovered > 0
