"""`catalog: "*"` of a metastore's own database: each catalog a source, in one crawl."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.embedded.thrift_writer import writer
from tests.backing import Backed
from tests.conftest import outcome_rows
from tests.spark.test_metastore_database import view

CATALOGS = ("hive", "lake")


@pytest.fixture
def with_catalogs(backed: Backed) -> Iterator[Backed]:
    """Tables of 3.0 with a database `sales` in each catalog, and in each a view `v` and another.

    What makes them so is what Hive's `upgrade-2.3.0-to-3.0.0.postgres.sql` does for HIVE-18755.
    """
    with writer(backed.metastore.uri) as writing:
        for catalog in CATALOGS:
            place = f"{backed.metastore.warehouse.as_uri()}/of_{catalog}.db"
            writing.create_database(f"of_{catalog}", place, f"in {catalog}")
            for name in ("v", f"v_{catalog}"):
                entry: dict[str, Any] = {**view(name), "dbName": f"of_{catalog}"}
                writing.create_table({**entry, "viewExpandedText": f"select '{catalog}' as x"})
    named = """UPDATE "DBS" SET "NAME" = '{}', "CTLG_NAME" = '{}' WHERE "DESC" = 'in {}'"""
    backed.execute(
        'CREATE TABLE "CTLGS" ("CTLG_ID" BIGINT PRIMARY KEY, "NAME" VARCHAR(256) UNIQUE,'
        ' "DESC" VARCHAR(4000), "LOCATION_URI" VARCHAR(4000) NOT NULL)',
        *(
            f"INSERT INTO \"CTLGS\" VALUES ({n}, '{one}', '', 'x')"
            for n, one in enumerate(CATALOGS)
        ),
        """ALTER TABLE "DBS" ADD COLUMN "CTLG_NAME" VARCHAR(256) NOT NULL DEFAULT 'hive'""",
        'DROP INDEX "UNIQUE_DATABASE"',
        *(named.format("sales", one, one) for one in CATALOGS),
        """UPDATE "VERSION" SET "SCHEMA_VERSION" = '3.0.0'""",
    )
    yield backed
    backed.execute(
        *(named.format(f"of_{one}", "hive", one) for one in CATALOGS),
        'CREATE UNIQUE INDEX "UNIQUE_DATABASE" ON "DBS" ("NAME")',
        'ALTER TABLE "DBS" DROP COLUMN "CTLG_NAME"',
        'DROP TABLE "CTLGS"',
        """UPDATE "VERSION" SET "SCHEMA_VERSION" = '2.3.0'""",
    )
    with writer(backed.metastore.uri) as writing:
        for catalog in CATALOGS:
            for name in ("v", f"v_{catalog}"):
                writing.drop_table(f"of_{catalog}", name)


def test_each_catalog_is_a_source_with_its_own_views(
    with_catalogs: Backed, spark: SparkSession, estate: Callable[..., RunConfig]
) -> None:
    options = with_catalogs.options
    every = {"kind": "hms-database", "url": options.url, "user": "postgres", "catalog": "*"}
    config = estate({"lake": {**every, "include": ["sales"]}})
    crawled = crawl_estate(spark, config, "every")
    assert crawled.exit_code == 0
    counts = crawled.counts["sources"]
    assert {name: (count["listed"], count["views"]) for name, count in counts.items()} == {
        "lake.hive": (2, 2),
        "lake.lake": (2, 2),
    }
    texts = {
        (row["source"], row["name"]): json.loads(row["model"])["representations"][0]["sql"]
        for row in outcome_rows(config, "every")
        if row["outcome"] == "view" and row["entity"] == "object"
    }
    assert texts == {
        (f"lake.{catalog}", name): f"select '{catalog}' as x"
        for catalog in CATALOGS
        for name in ("v", f"v_{catalog}")
    }


def test_a_catalog_that_is_not_there_is_a_failure_that_names_those_that_are(
    with_catalogs: Backed, spark: SparkSession, estate: Callable[..., RunConfig]
) -> None:
    options = with_catalogs.options
    other = {"kind": "hms-database", "url": options.url, "user": "postgres", "catalog": "other"}
    config = estate({"lake": other})
    assert crawl_estate(spark, config, "other").exit_code == 4
    (row,) = outcome_rows(config, "other")
    assert (row["source"], row["code"]) == ("lake", "LISTING_FAILED")
    assert "no catalog 'other'" in row["message"]
    assert row["hint"] == "set catalog to one of hive, lake, or leave it out for hive"
