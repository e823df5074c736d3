"""An Iceberg view that we wrote into a metastore, read by the newest Spark that Iceberg knows."""

import os
import subprocess
from pathlib import Path
from typing import Final

import pytest
from pyspark.sql import SparkSession

from connectors.hms import IcebergHive
from connectors.hms import Options as SourceOptions
from connectors.hms_stores.iceberg import HiveCatalogStore, Options
from discovery.crawl import crawl
from discovery.model import Column, Identifier, Primitive, Representation, Schema, View
from discovery.outcomes import Listed
from discovery.ports import CrawlTask
from jobs.assessing import jars
from jobs.embedded.metastore import EmbeddedMetastore
from tests.contract.stores import apply, create
from tests.spark.test_iceberg_java import JARS

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(1_800)]
SPACE: Final = "ice_spark"
SCRIPT: Final = """
import sys
from pyspark.sql import SparkSession
jar, uri = sys.argv[1:]
builder = SparkSession.builder.master("local[1]")
for key, value in {
    "spark.jars": jar,
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.catalog.ice": "org.apache.iceberg.spark.SparkCatalog",
    "spark.sql.catalog.ice.type": "hive",
    "spark.sql.catalog.ice.uri": uri,
    "spark.hadoop.iceberg.engine.hive.lock-enabled": "false",
    "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
}.items():
    builder = builder.config(key, value)
spark = builder.getOrCreate()
spark.sql("CREATE TABLE ice.ice_spark.t (id BIGINT) USING iceberg")
spark.sql("INSERT INTO ice.ice_spark.t VALUES (1), (2)")
found = spark.sql("SELECT * FROM ice.ice_spark.v ORDER BY 1")
print(found.columns, [row[0] for row in found.collect()])
spark.sql("CREATE VIEW ice.ice_spark.made AS SELECT Id AS n FROM ice.ice_spark.v")
print([row.n for row in spark.sql("SELECT * FROM ice.ice_spark.made ORDER BY n").collect()])
"""


def test_spark_selects_from_a_view_that_we_wrote_and_we_read_what_it_made(
    spark: SparkSession, metastore: EmbeddedMetastore, pyspark_bin: Path
) -> None:
    locations = (metastore.warehouse.as_uri(),)
    text = Representation(
        dialect="spark",
        sql="SELECT id * 10 FROM t",
        default_catalog="ice",
        default_schema=SPACE,
    )
    view = View(
        identifier=Identifier((SPACE,), "v"),
        columns=(Column("Id", Primitive("long")),),
        representations=(text,),
    )
    with HiveCatalogStore(Options(uri=metastore.uri, locations=locations)) as store:
        store.prepare([Schema(levels=(SPACE,))])
        assert apply(store, *create(store.hold(view).view)) == ["create"]
    jar, _ = jars._find_jars(spark, JARS, os.environ.get("BELVEDERE_JARS_DIR"))
    told = [str(pyspark_bin / "python"), "-c", SCRIPT, str(jar), metastore.uri]
    ran = subprocess.run(told, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[:3000]
    assert ran.stdout.splitlines() == ["['Id'] [10, 20]", "[10, 20]"]
    with IcebergHive(SourceOptions(uri=metastore.uri, locations=locations)) as source:
        (outcome,) = crawl(CrawlTask("s", (Listed((SPACE,), "made"),)), source)
    assert isinstance(outcome.result, View)
    assert outcome.result.representations[0].sql.startswith("SELECT Id AS n")
