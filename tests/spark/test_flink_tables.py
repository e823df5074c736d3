"""Views over tables that Flink has made for itself, as Flink 1.20.5 answered of such tables."""

import json
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.assess import assess_run
from jobs.crawl import crawl_estate
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.embedded.thrift_writer import writer
from jobs.tables import TABLES
from jobs.warehouse.warehouse import Warehouse
from tests.conftest import estate_in

pytestmark = pytest.mark.timeout(600)  # judges start
HMS = Path(__file__).parents[1] / "golden" / "hms"
DATABASE = "of_flink"
VIEWS = {
    "reads": ("SELECT id, name FROM {}", "native", None),
    "lost": ("SELECT id, gone AS name FROM {}", "rejected", "UNKNOWN_COLUMN"),
    "hours": (
        "SELECT id, name FROM TABLE(TUMBLE(TABLE {}, DESCRIPTOR(ts), INTERVAL '1' HOUR))",
        "native",
        None,
    ),
}


def entry(name: str, **changed: object) -> dict[str, Any]:
    golden: dict[str, Any] = json.loads((HMS / f"flink120-{name}.json").read_text(encoding="utf-8"))
    kept = {key: value for key, value in golden["raw"]["payload"].items() if key != "ownerType"}
    kept["sd"] = {key: value for key, value in kept["sd"].items() if key != "location"}
    return {**kept, "dbName": DATABASE, **changed}


def test_their_columns_and_times_are_known(
    spark: SparkSession, metastore: EmbeddedMetastore, tmp_path: Path
) -> None:
    with writer(metastore.uri) as connection:
        connection.create_database(DATABASE, (tmp_path / "db").as_uri())
        connection.create_table(entry("src"))
        for name, (sql, _, _) in VIEWS.items():
            texts = {
                "viewOriginalText": sql.format("src"),
                "viewExpandedText": sql.format(f"`hc`.`{DATABASE}`.`src`"),
            }
            connection.create_table(entry("v_plain", tableName=name, **texts))
    sources = {"lake": {"kind": "hms", "uri": metastore.uri, "include": [DATABASE]}}
    flink = {"version": "1.20", "analyze": True}
    config = estate_in(tmp_path)(sources, engines={"flink": flink})
    run_id = crawl_estate(spark, config).run_id
    assess_run(spark, config, run_id)
    warehouse = Warehouse(config.warehouse)
    cells = {
        row["key"].partition(".")[2]: (row["status"], row["grade"], row["reason"])
        for row in warehouse.table(TABLES["matrix"], run_id)
    }
    assert cells == {name: (told, "ANALYZE", why) for name, (_, told, why) in VIEWS.items()}
    (base,) = warehouse.table(TABLES["bases"], run_id)
    assert base["flink_times"] == [{"name": "ts", "kind": "ROWTIME"}]
