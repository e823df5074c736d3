"""What is taken over of a listing by a record of changes, and when it is not believed."""

from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from jobs.crawling.following import Followed, unchanged, untold

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


def events(spark: SparkSession, *names: str) -> DataFrame:
    """What the record of `lake` names."""
    return spark.createDataFrame(
        [("lake", f"s.{name}") for name in names], "source string, key string"
    )


def test_only_what_no_event_is_about_is_taken_over(spark: SparkSession) -> None:
    objects = listing(spark, "a", "b", "c")
    followed = Followed(events(spark, "b", "gone"), ("lake",))
    found = sorted((row["source"], row["key"]) for row in unchanged(objects, followed).collect())
    assert found == [("lake", "s.a"), ("lake", "s.c")], "no namespace, and nothing of the other"
    assert unchanged(objects, Followed(events(spark), ())).count() == 0
    assert unchanged(objects, Followed()).count() == 0


@pytest.mark.parametrize(
    ("now", "kind", "told", "wanted"),
    [
        (("a", "b"), "view", (), []),
        (("a", "b", "c"), "view", ("c",), []),
        (("a",), "view", ("b",), []),
        (("a", "b", "c"), "view", (), [(1, "s.c")]),
        (("a",), "view", (), [(1, "s.b")]),
        (("a", "b"), "table", ("a",), [(2, "s.b")]),
    ],
    ids=["same", "new", "gone", "new, untold", "gone, untold", "another kind, untold"],
)
def test_a_listing_shows_that_a_record_has_missed_something(
    spark: SparkSession,
    now: tuple[str, ...],
    kind: str,
    told: tuple[str, ...],
    wanted: list[tuple[int, str]],
) -> None:
    before, after = listing(spark, "a", "b"), listing(spark, *now, kind=kind)
    found = untold(before, after, events(spark, *told), ["lake"]).collect()
    assert [(row["number"], row["example"]) for row in found] == wanted
    assert {row["source"] for row in found} <= {"lake"}, "the other is not followed"
