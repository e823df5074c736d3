"""What signals and a record of changes take over of a listing, and when that is not believed."""

from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from jobs.crawling.following import Followed
from jobs.crawling.increments import find_changed, find_missed

PLACE = (
    "source string, entity string, namespace array<string>, name string, key string, kind string"
)


def listing(spark: SparkSession, *names: str, kind: str = "view") -> DataFrame:
    """The rows of `objects`: some views in `s` of two sources, and their namespace."""
    rows: list[tuple[Any, ...]] = []
    for source in ("lake", "other"):
        rows.append((source, "namespace", ["s"], "", "s", "namespace"))
        rows.extend((source, "object", ["s"], name, f"s.{name}", kind) for name in names)
    return spark.createDataFrame(rows, PLACE)


def read(listed: DataFrame, *failed: str) -> DataFrame:
    """The rows of `outcomes` of a listing, and which of them a run has read."""
    return listed.withColumn("seen", ~f.col("name").isin(list(failed)))


def signalled(listed: DataFrame, source: str, *names: str) -> DataFrame:
    """The places of a listing that have the signal which they had."""
    same = listed.where(f.col("source") == source).where(f.col("name").isin(list(names)))
    return same.select("source", "namespace", "name", "kind")


def events(spark: SparkSession, *names: str) -> Followed:
    """What the record of `lake` names."""
    rows = [("lake", f"s.{name}") for name in names]
    return Followed(spark.createDataFrame(rows, "source string, key string"), ("lake",))


def places(changed: DataFrame) -> list[str]:
    """What is read, by source and name; a namespace has none."""
    return sorted(f"{row['source']}:{row['name']}" for row in changed.collect())


ALL_OF_OTHER = ["other:", "other:a", "other:b", "other:c"]


@pytest.mark.parametrize(
    ("followed", "failed", "same", "wanted"),
    [
        (("b", "gone"), (), (), ["lake:", "lake:b", *ALL_OF_OTHER]),
        ((), ("c",), (), ["lake:", "lake:c", *ALL_OF_OTHER]),
        ((), (), ("a", "b"), ["lake:", "other:", "other:c"]),
        ((), ("a",), ("a", "b"), ["lake:", "lake:a", "other:", "other:a", "other:c"]),
        (None, (), ("c",), ["lake:", "lake:a", "lake:b", "lake:c", *ALL_OF_OTHER[:3]]),
    ],
    ids=["events", "failed", "signals", "failed, of one signal", "signals alone"],
)
def test_what_is_known_to_be_as_it_was_read_is_taken_over_and_no_namespace(
    spark: SparkSession,
    followed: tuple[str, ...] | None,
    failed: tuple[str, ...],
    same: tuple[str, ...],
    wanted: list[str],
) -> None:
    objects = listing(spark, "a", "b", "c")
    record = Followed() if followed is None else events(spark, *followed)
    told = signalled(objects, "other", *same)
    assert places(find_changed(objects, read(objects, *failed), told, record)) == wanted


def test_what_is_new_is_read_and_what_is_gone_is_not_taken_over(spark: SparkSession) -> None:
    before, now = listing(spark, "a", "b"), listing(spark, "a", "c")
    told = signalled(now, "other", "a")
    changed = find_changed(now, read(before), told, events(spark, "b", "c"))
    assert places(changed) == ["lake:", "lake:b", "lake:c", "other:", "other:b", "other:c"]


@pytest.mark.parametrize(
    ("now", "kind", "told", "wanted"),
    [
        (("a", "b"), "view", (), None),
        (("a", "b", "c"), "view", ("c",), None),
        (("a",), "view", ("b",), None),
        (("a", "b", "c"), "view", (), ("1 object", "s.c")),
        (("a",), "view", (), ("1 object", "s.b")),
        (("a", "b"), "table", ("a",), ("2 objects", "s.b")),
    ],
    ids=["same", "new", "gone", "new, untold", "gone, untold", "another kind, untold"],
)
def test_a_listing_shows_that_a_record_has_missed_something(
    spark: SparkSession,
    now: tuple[str, ...],
    kind: str,
    told: tuple[str, ...],
    wanted: tuple[str, str] | None,
) -> None:
    before, after = listing(spark, "a", "b"), listing(spark, *now, kind=kind)
    record, same = events(spark, *told), signalled(after, "other")
    missed = find_missed(find_changed(after, read(before), same, record))
    said = "{} came or went without an event, such as {}"
    assert missed == ({"lake": said.format(*wanted)} if wanted else {}), "other is not followed"
    changed = find_changed(after, read(before), same, record.without(missed))
    if missed:
        assert {f"lake:{name}" for name in now} <= set(places(changed)), "nothing is taken over"
    assert find_missed(changed) == {}
