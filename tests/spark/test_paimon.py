"""Paimon end to end: every dialect in the run, and a catalog without views told once."""

import json
from collections.abc import Callable

import pytest
from pyspark.sql import SparkSession

from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.tables import TABLES
from jobs.warehouse.warehouse import Warehouse
from tests.recorded.answers import Answers


def test_a_rest_catalog_is_crawled_and_one_without_views_told_once(
    spark: SparkSession,
    estate: Callable[..., RunConfig],
    paimon_rest: Answers,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PAIMON_TOKEN", "canary-0d5e")
    config = estate(
        {
            "lake": {
                "kind": "paimon",
                "uri": paimon_rest.uri,
                "warehouse": "wh",
                "token": "${env:PAIMON_TOKEN}",
            },
            "files": {"kind": "paimon", "metastore": "filesystem", "warehouse": "/nowhere"},
        }
    )
    crawled = crawl_estate(spark, config)
    assert crawled.exit_code == 0
    lake, files = (crawled.counts["sources"][name] for name in ("lake", "files"))
    assert lake["reconciled"]
    assert files["reconciled"]
    assert (lake["listed"], lake["views"], lake["namespaces"]) == (5, 4, 2)
    assert lake["formats"] == {"paimon": 4}
    assert (files["listed"], files["codes"]) == (0, {"NO_VIEWS": 1})
    rows = Warehouse(config.warehouse).table(TABLES["outcomes"], crawled.run_id)
    models = {row["name"]: json.loads(row["model"]) for row in rows if row["outcome"] == "view"}
    dialects = [
        representation["dialect"] for representation in models["v_dialects"]["representations"]
    ]
    assert sorted(dialects) == ["flink", "query", "spark"]
