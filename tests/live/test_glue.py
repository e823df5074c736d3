"""A database of Glue of the size that a company has."""

from collections.abc import Callable

import pytest
from pyspark.sql import SparkSession

from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from tests.glue_stub import GlueStub, glue_stub, many


@pytest.mark.live
@pytest.mark.timeout(900)
def test_fifty_thousand_tables_of_one_database_are_all_accounted_for(
    spark: SparkSession, estate: Callable[..., RunConfig], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GLUE_SECRET", "x")
    with glue_stub(GlueStub({"big": many(50_000)})) as stub:
        options = {
            "kind": "glue",
            "aws-region": "us-east-1",
            "aws-access-key-id": "x",
            "aws-secret-access-key": "${env:GLUE_SECRET}",
            "aws-glue-endpoint": stub.uri,
        }
        crawled = crawl_estate(spark, estate({"g": options}))
        assert len(stub.asked) == 501
    counts = crawled.counts["sources"]["g"]
    assert crawled.exit_code == 0
    assert counts["reconciled"]
    assert (counts["listed"], counts["views"]) == (50_000, 25_000)
    assert counts["codes"] == {"TABLE": 25_000}
