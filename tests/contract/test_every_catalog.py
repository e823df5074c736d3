"""`catalog: "*"` over Thrift, against what metastores of Hive 3 and 4 have answered."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from pyspark.sql import SparkSession

from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from tests.conftest import outcome_rows
from tests.recorded.thrift_dialogue import ThriftDialogue, talking

RECORDED: Final = Path(__file__).parents[1] / "recorded"
SOURCE: Final[dict[str, Any]] = {"kind": "hms", "catalog": "*", "include": ["sales"]}


@pytest.fixture(params=["3.1.3", "4.0.1"])
def uri(request: pytest.FixtureRequest) -> Iterator[str]:
    """A metastore with the catalogs `hive` and `lake`, each with a view `v` and one of its own."""
    with talking(ThriftDialogue.of(RECORDED / f"metastore_{request.param}.json")) as port:
        yield f"thrift://127.0.0.1:{port}"


def test_each_catalog_is_a_source_of_its_own(
    uri: str, spark: SparkSession, estate: Callable[..., RunConfig]
) -> None:
    config = estate({"lake": {**SOURCE, "uri": uri}})
    crawled = crawl_estate(spark, config, "all")
    assert crawled.exit_code == 0
    counts = crawled.counts["sources"]
    assert {name: (count["listed"], count["views"]) for name, count in counts.items()} == {
        "lake.hive": (2, 2),
        "lake.lake": (2, 2),
    }
    comments = {
        (row["source"], row["name"]): json.loads(row["model"])["columns"][0]["comment"]
        for row in outcome_rows(config, "all")
        if row["outcome"] == "view" and row["entity"] == "object"
    }
    assert comments == {
        ("lake.hive", "v"): "in hive",
        ("lake.hive", "v_hive"): "in hive",
        ("lake.lake", "v"): "in lake",
        ("lake.lake", "v_lake"): "in lake",
    }


def test_a_catalog_that_is_not_there_is_a_failure_that_names_those_that_are(
    uri: str, spark: SparkSession, estate: Callable[..., RunConfig]
) -> None:
    config = estate({"lake": {**SOURCE, "uri": uri, "catalog": "other"}})
    assert crawl_estate(spark, config, "other").exit_code == 4
    (row,) = outcome_rows(config, "other")
    assert (row["source"], row["code"]) == ("lake", "LISTING_FAILED")
    assert "no catalog 'other'" in row["message"]
    assert "hive, lake" in row["hint"]
