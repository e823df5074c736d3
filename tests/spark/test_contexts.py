"""A view of Spark means the same in a hive catalog of Gravitino: Spark reads both for comparison.

No Gravitino runs here. Its catalog's part is played by our stand-in, and by the entry that is then
written into a real metastore: in the shape that `HiveViewCatalogOperations` and `HiveView` of
Gravitino 1.3.0 give it, by their source.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from pyspark.sql import SparkSession

from connectors.gravitino.rest.store import GravitinoRest, Options
from connectors.hms import HiveMetastore
from connectors.hms import Options as HmsOptions
from discovery import wire
from discovery.crawl import normalize
from discovery.migration.diff import differences
from discovery.model import Identifier, View
from discovery.outcomes import Listed, RawObject
from discovery.ports import Action, Change, CrawlTask
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.embedded.thrift_writer import Writer
from tests.gravitino_double import gravitino

DATABASES = ("meant", "meant_other", "meant_moved")


@pytest.fixture
def databases(spark: SparkSession) -> Iterator[None]:
    """Tables of one name in three databases; only that in `meant` holds what is right."""
    for database in DATABASES:
        spark.sql(f"CREATE DATABASE {database}")
    for database in ("default", *DATABASES):
        told = "right" if database == "meant" else "WRONG"
        spark.sql(f"CREATE TABLE {database}.base_of_meant USING parquet AS SELECT '{told}' AS told")
    yield
    spark.sql("USE default")
    spark.sql("DROP TABLE default.base_of_meant")
    for database in DATABASES:
        spark.sql(f"DROP DATABASE {database} CASCADE")


@pytest.mark.usefixtures("databases")
def test_spark_reads_the_same_rows_from_a_view_and_from_what_became_of_it(
    spark: SparkSession, metastore: EmbeddedMetastore, hms: Writer
) -> None:
    spark.sql("USE meant")
    for database in ("meant", "meant_other"):
        text = "SELECT *, upper(told) AS Loud FROM base_of_meant"
        spark.sql(f"CREATE VIEW {database}.top (told COMMENT 'why', Loud) AS {text}")
    spark.sql("USE default")
    for database in ("meant", "meant_other"):
        view = decoded(metastore, database)
        hms.create_table(migrated(view, Identifier(("meant_moved",), f"from_{database}")))
        for current in ("default", "meant_other"):
            spark.sql(f"USE {current}")
            there = spark.table(f"meant_moved.from_{database}")
            assert [tuple(row) for row in there.collect()] == [("right", "RIGHT")]
            assert there.collect() == spark.table(f"{database}.top").collect()
        again = decoded(metastore, "meant_moved", f"from_{database}")
        assert again.representations == view.representations


@pytest.mark.usefixtures("databases")
def test_without_its_context_such_a_view_would_answer_otherwise(
    spark: SparkSession, metastore: EmbeddedMetastore, hms: Writer
) -> None:
    spark.sql("USE meant")
    spark.sql("CREATE VIEW meant.top AS SELECT * FROM base_of_meant")
    spark.sql("USE default")
    entry = migrated(decoded(metastore, "meant"), Identifier(("meant_moved",), "bare"))
    kept = {
        key: parameter
        for key, parameter in entry["parameters"].items()
        if "AndNamespace" not in key
    }
    hms.create_table({**entry, "parameters": kept})
    assert spark.table("meant_moved.bare").first() == ("WRONG",)


def decoded(metastore: EmbeddedMetastore, database: str, name: str = "top") -> View:
    """A view as belvedere reads it."""
    with HiveMetastore(HmsOptions(uri=metastore.uri)) as source:
        (raw,) = source.load(CrawlTask("s", (Listed((database,), name),)))
    assert isinstance(raw, RawObject)
    view = normalize(raw).result
    assert isinstance(view, View), view
    return view


def migrated(view: View, place: Identifier) -> dict[str, Any]:
    """The entry that a hive catalog makes of what the store sends it."""
    with gravitino("hive") as double:
        (schema,) = place.namespace
        double.schema(schema)
        options = Options(uri=double.uri, metalake="m", catalog="c", provider="hive", timeout=20)
        with GravitinoRest(options) as store:
            held = store.hold(replace(view, identifier=place))
            assert not any("default" in loss for loss in held.losses)
            change = Change(Action.CREATE, held.view, wire.view_text(held.view)[1])
            (done,) = store.apply([change])
            assert done.failure is None
            (there,) = store.present([place])
            assert differences(held.view, there) == ()
        return entry_of(double.view(schema, place.name), place)


def entry_of(body: dict[str, Any], place: Identifier) -> dict[str, Any]:
    """A view of a hive catalog as it stands in the metastore: one text, twice, and no context."""
    (text,) = body["representations"]
    columns = [
        {"name": column["name"], "type": column["type"], "comment": column["comment"]}
        for column in body["columns"]
    ]
    own = {"gravitino.identifier": "gravitino.v1.uid11", "EXTERNAL": "FALSE"}
    return {
        "dbName": place.namespace[0],
        "tableName": place.name,
        "tableType": "VIRTUAL_VIEW",
        "owner": "anonymous",
        "parameters": {**body["properties"], **own},
        "partitionKeys": [],
        "viewOriginalText": text["sql"],
        "viewExpandedText": text["sql"],
        "sd": {"cols": columns, "serdeInfo": {"parameters": {}}},
    }
