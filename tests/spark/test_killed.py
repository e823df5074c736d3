"""A few kills of each command; a hundred of each are in tests/live."""

from pathlib import Path

from pyspark.sql import SparkSession

from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.killing.crawls import KilledCrawls
from tests.killing.migrations import KilledMigrations
from tests.killing.targets import Tables


def test_an_apply_that_is_killed_ends_as_an_unbroken_one(
    spark: SparkSession, postgresql: EmbeddedPostgreSQL, tmp_path: Path
) -> None:
    killed = KilledMigrations(spark, Tables(postgresql), tmp_path)
    killed.begin()
    killed.kill(seed=2, most=2)
    assert killed.different == []
    assert killed.kills["apply"] > 0, "nothing was killed while it ran"


def test_a_crawl_that_is_killed_ends_as_an_unbroken_one(
    spark: SparkSession, tmp_path: Path
) -> None:
    killed = KilledCrawls(spark, tmp_path)
    killed.begin()
    killed.kill(seed=2, most=2)
    assert killed.different == []
    assert killed.kills > 0, "nothing was killed while it ran"
