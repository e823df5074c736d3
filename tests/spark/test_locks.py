"""Locks of a warehouse that only Spark's driver reaches."""

from dataclasses import replace
from pathlib import Path

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

from discovery.errors import ConfigurationError, LockedError
from jobs.console.ending import ending
from jobs.warehouse.locks import Holder, hold_lock


@pytest.fixture
def place(spark: SparkSession, tmp_path: Path) -> str:
    """A folder of this machine that we do not take for one: Hadoop's names know no case."""
    conf = spark._jsc.hadoopConfiguration()
    conf.set("fs.FILE.impl", "org.apache.hadoop.fs.LocalFileSystem")
    return f"FILE://{tmp_path}"


def test_spark_makes_one_lock_of_two_and_deletes_it(
    spark: SparkSession, place: str, tmp_path: Path
) -> None:
    with hold_lock(place, "plan p", "apply", spark):
        assert (tmp_path / "locks" / "plan_p.lock").exists()
        with (
            pytest.raises(LockedError, match=r"`belvedere apply` \(process .*FILE:///"),
            hold_lock(place, "plan p", "undo", spark),
        ):
            pytest.fail("two have it")
    assert not list((tmp_path / "locks").glob("*.lock"))


def test_spark_takes_over_from_the_dead(spark: SparkSession, place: str, tmp_path: Path) -> None:
    (tmp_path / "locks").mkdir()
    dead = replace(Holder.me("apply"), born="another boot:1")
    (tmp_path / "locks" / "plan_p.lock").write_text(dead.to_json(), encoding="utf-8")
    with hold_lock(place, "plan p", "undo", spark) as holder:
        assert holder == dead
    assert not list((tmp_path / "locks").glob("*.lock"))


def test_a_place_that_spark_cannot_reach_is_said_so(spark: SparkSession) -> None:
    with (
        pytest.raises(ConfigurationError, match=r"nowhere://x/locks/plan_p\.lock: No FileSystem"),
        hold_lock("nowhere://x", "plan p", "apply", spark),
    ):
        pytest.fail("there is no such file system")


def test_where_nobody_answers_the_disk_has_failed_and_not_who_names_it(spark: SparkSession) -> None:
    spark._jsc.hadoopConfiguration().set("ipc.client.connect.max.retries", "0")
    with (
        pytest.raises(Py4JJavaError) as raised,
        hold_lock("hdfs://127.0.0.1:9/w", "plan p", "apply", spark),
    ):
        pytest.fail("nobody is there")
    assert ending(raised.value).sentence.endswith(":9: nobody answers there")
