"""A hundred kills of each command, at moments spread over all of its writing."""

from collections import Counter
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.killing.crawls import KilledCrawls
from tests.killing.migrations import KilledMigrations
from tests.killing.targets import Tables

KILLS = 100


@pytest.mark.live
@pytest.mark.timeout(8 * 3600)
def test_a_hundred_crawls_that_are_killed_end_as_unbroken_ones(
    spark: SparkSession, tmp_path: Path
) -> None:
    killed = KilledCrawls(spark, tmp_path)
    killed.begin()
    seed = 0
    while killed.kills < KILLS:
        killed.kill(seed)
        seed += 1
    print(f"{killed.kills} kills of {seed} crawls, {killed.committed} of them after the commit")
    print(f"how far they had come: {dict(killed.stages.most_common())}")
    assert killed.different == []
    assert len(killed.stages) > 4, "hardly any was killed in the middle"


@pytest.mark.live
@pytest.mark.timeout(8 * 3600)
def test_a_hundred_applies_and_undos_that_are_killed_end_as_unbroken_ones(
    spark: SparkSession, postgresql: EmbeddedPostgreSQL, tmp_path: Path
) -> None:
    killed = KilledMigrations(spark, Tables(postgresql), tmp_path)
    killed.begin()
    seed = 0
    while min(killed.kills["apply"], killed.kills["undo"]) < KILLS:
        killed.kill(seed)
        seed += 1
    print(f"{seed} commands, kills: {dict(killed.kills)}; recovered: {killed.recovered} views")
    for what in ("apply", "undo"):
        tenths = Counter({tenth: n for (one, tenth), n in killed.seen.items() if one == what})
        print(f"{what}, tenths of the views that were there: {dict(sorted(tenths.items()))}")
    assert killed.different == []
    assert killed.recovered > 0
