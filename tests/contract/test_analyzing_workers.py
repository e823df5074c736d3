"""What executors make of views, what they read, and the analyzers of the estate."""

from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from discovery import wire
from discovery.judging.analyzers import analyzers_for
from discovery.judging.paths import Reach
from discovery.judging.ways import CORAL
from discovery.model import (
    FLINK,
    HIVE,
    SPARK,
    TRINO,
    Column,
    Identifier,
    Primitive,
    Representation,
    View,
)
from jobs.assessing.jars import provide
from jobs.assessing.workers import columns
from jobs.assessing.workers.columns import Surroundings
from jobs.assessing.workers.views import Provided
from jobs.crawling.tables import OF_VIEWS
from tests.benchmarks.analyzing import MORE

ID = Column("id", Primitive("long"))
REACH = Reach((FLINK, TRINO), {TRINO: {"hive_views": "true"}}, {"lake": "hms"})


def row(name: str, sql: str, declared: tuple[Column, ...]) -> dict[str, Any]:
    """A view of Hive that reads `sales.orders`."""
    text = Representation(dialect=HIVE, sql=sql)
    view = View(identifier=Identifier(("sales",), name), columns=declared, representations=(text,))
    base = {
        "dialect": HIVE,
        "written": ["sales", "orders"],
        "base_source": "lake",
        "base_key": "sales.orders",
        "base_namespace": ["sales"],
        "base_name": "orders",
        "columns": [{"name": "id", "type": wire.type_text(ID.type), "nullable": True}],
    }
    return {
        "source": "lake",
        "namespace": ["sales"],
        "name": name,
        "key": f"sales.{name}",
        "format": HIVE,
        "model": wire.view_text(view)[0],
        "known": [base],
        "whole": True,
        "called": None,
        "resolved": True,
    }


def judged(
    analyzers: tuple[Provided, ...], *rows: dict[str, Any], reach: Reach = REACH
) -> list[dict[str, Any]]:
    """The rows that come out, with their lists."""
    batch = pa.RecordBatch.from_pylist(list(rows), schema=pa.schema([*OF_VIEWS, *MORE]))
    run = columns.compare_columns(Surroundings(analyzers, reach))
    return [one for found in run([batch]) for one in found.to_pylist()]


@pytest.mark.spark
def test_a_view_of_hive_is_judged_by_coral_for_trino_and_by_flink_s_planner(
    spark: SparkSession,
) -> None:
    good = row("good", "SELECT `orders`.`id` FROM `sales`.`orders`", (ID,))
    bad = row("bad", "SELECT `orders`.`ID` AS `x`, f(1) FROM `sales`.`orders`", (ID,))
    other = row("other", "SELECT `orders`.`id` AS `x` FROM `sales`.`orders`", (ID,))
    found = judged(provide(spark, [FLINK, CORAL], None, analyzers=True), good, bad, other)
    said = {
        (one["name"], it["engine"], it["grade"]): (it["verdict"], it["message"])
        for one in found
        for it in one["verdicts"]
    }
    assert said["good", "coral", "ANALYZE"] == ("accepted", "")
    assert said["good", "flink", "ANALYZE"] == ("accepted", "")
    assert said["bad", "coral", "ANALYZE"] == ("rejected", "Unknown function name: f")
    assert said["bad", "flink", "ANALYZE"][0] == "rejected"
    (drift,) = [
        it
        for one in found
        if one["name"] == "other"
        for it in one["findings"]
        if it["code"] == "COLUMNS_DRIFT"
    ]
    assert (drift["engine"], drift["dialect"]) == (TRINO, HIVE)
    assert drift["message"] == "id is declared, and not returned; x is returned, and not declared"


def test_coral_takes_the_text_below_in_where_it_is_handed_on(spark: SparkSession) -> None:
    coral = provide(spark, [CORAL], None, analyzers=True)
    view = row("top", "SELECT `low`.`id` FROM `sales`.`low`", (ID,))
    (table,) = view["known"]
    text = "SELECT lost(`orders`.`id`) AS `id` FROM `sales`.`orders`"
    low = {"written": ["sales", "low"], "base_key": "sales.low", "base_name": "low", "form": HIVE}
    alone = {**table, **low}
    (as_table,) = judged(coral, {**view, "known": [alone]})
    (taken,) = judged(coral, {**view, "known": [{**alone, "text": text}], "under": [table]})
    (unknown,) = judged(coral, {**view, "known": [{**alone, "text": text}], "under": [{**low}]})
    assert [verdict["verdict"] for verdict in as_table["verdicts"]] == ["accepted"]
    assert [verdict["message"] for verdict in taken["verdicts"]] == ["Unknown function name: lost"]
    assert unknown["verdicts"] == [], "who does not know all that is below is not asked"


def test_with_trino_s_analyzer_off_what_coral_makes_is_parsed_only(spark: SparkSession) -> None:
    view = row("good", "SELECT `orders`.`id` FROM `sales`.`orders`", (ID,))
    names = analyzers_for([TRINO], {TRINO: {"hive_views": "true", "analyze": "false"}})
    (one,) = judged(provide(spark, names, None, analyzers=True), view)
    assert [
        (verdict["engine"], verdict["grade"], verdict["verdict"]) for verdict in one["verdicts"]
    ] == [("coral", "PARSE", "accepted")]


def test_spark_reads_views_of_iceberg_in_the_mode_that_the_estate_says(spark: SparkSession) -> None:
    sql = "SELECT CAST(id = 1 AS TIMESTAMP) AS at FROM sales.orders"
    declared = (Column("at", Primitive("timestamp_tz")),)
    text = Representation(dialect=SPARK, sql=sql, default_schema="sales")
    view = View(identifier=Identifier(("sales",), "v"), columns=declared, representations=(text,))
    one = row("v", sql, declared)
    base = {**one["known"][0], "dialect": SPARK}
    one |= {"format": "iceberg", "model": wire.view_text(view)[0], "known": [base]}
    seats = provide(spark, [SPARK], None, analyzers=True)
    said = []
    for stated in ({"ansi": "false"}, {"ansi": "true"}, {}):
        reach = Reach((SPARK,), {SPARK: stated}, {"lake": "iceberg-rest"})
        (found,) = judged(seats, one, reach=reach)
        said += [verdict["verdict"] for verdict in found["verdicts"]]
    assert said == ["accepted", "rejected", "rejected"]


def test_values_that_others_read_otherwise_are_told_by_the_types_of_the_bases() -> None:
    """A mean of whole numbers is one of doubles to Trino, too; of decimals it is not."""
    view = row("mean", "SELECT avg(`orders`.`id`) AS `m` FROM `sales`.`orders`", ())
    nowhere = {**view["known"][0], "columns": None}
    absent = Provided(CORAL, missing="no jars", analyzes=True)
    unresolved = {**view, "known": [nowhere], "whole": False, "resolved": False}
    known, unknown = judged((absent,), view, unresolved)
    told = [{it["engine"] for it in found["findings"]} for found in (known, unknown)]
    assert told == [{FLINK}, {FLINK, TRINO}]
    assert known["verdicts"]
    assert unknown["verdicts"] == [], "who does not know what a view reads is not asked"


def test_what_spark_makes_of_a_text_of_trino_in_iceberg_is_told_where_the_estate_has_it() -> None:
    text = Representation(dialect=TRINO, sql="SELECT orders.id / 2 AS h FROM sales.orders")
    view = View(identifier=Identifier(("sales",), "v"), columns=(ID,), representations=(text,))
    one = row("v", text.sql, (ID,)) | {"format": "iceberg", "model": wire.view_text(view)[0]}
    told = []
    for engine in (SPARK, TRINO):
        (found,) = judged((), one, reach=Reach((engine,), {}, {"lake": "iceberg-rest"}))
        told += [(it["engine"], it["dialect"], it["code"]) for it in found["findings"]]
    assert told == [(SPARK, TRINO, "MEANS_OTHERWISE")]


def test_an_analyzer_that_is_not_there_leaves_its_reason() -> None:
    view = row("good", "SELECT `orders`.`id` FROM `sales`.`orders`", (ID,))
    absent = Provided(CORAL, missing="no jars", analyzes=True)
    (one,) = judged((absent,), view)
    (said,) = one["verdicts"]
    assert (said["engine"], said["verdict"]) == ("coral", "not judged")
    assert said["message"] == "no analyzer: no jars"


def test_lineage_of_flink_has_the_columns_of_its_tables() -> None:
    sql = "SELECT `orders`.`id` AS `x`\nFROM `hc`.`sales`.`orders`"
    text = Representation(dialect=FLINK, sql=sql)
    identifier, declared = Identifier(("sales",), "v"), (Column("x", Primitive("long")),)
    view = View(identifier=identifier, columns=declared, representations=(text,))
    of_hive = row("v", sql, declared)
    (base,) = of_hive["known"]
    known = [{**base, "dialect": FLINK, "written": ["hc", "sales", "orders"]}]
    of_flink = {"format": FLINK, "model": wire.view_text(view)[0], "known": known}
    (one,) = judged((), {**of_hive, **of_flink})
    places = [
        (origin["column"], origin["base_key"], origin["base_column"]) for origin in one["lineage"]
    ]
    assert places == [("x", "sales.orders", "id")]
