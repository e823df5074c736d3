"""A migration into a Gravitino server: planned, applied, verified, undone, from executors."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from jobs.apply import apply_plan
from jobs.assess import assess_run
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.crawl import crawl_estate
from jobs.plan import Paper, plan_run
from jobs.undo import undo_run
from jobs.verify import verify_plan
from tests.conftest import hive_entry, spark_entry, trino_entry
from tests.gravitino_double import Fault, gravitino
from tests.migrated import BASE, TABLE, Migration

FLINK = {
    **hive_entry("stream", "SELECT `id` FROM `src`"),
    "parameters": {
        "is_generic": "true",
        "flink.schema.0.name": "id",
        "flink.schema.0.data-type": "INT",
    },
    "viewExpandedText": "SELECT `src`.`id` FROM `hc`.`other`.`src`",
    "sd": {"cols": [], "serdeInfo": {"parameters": {}}},
}
ENTRIES = (
    {**hive_entry("t", ""), "tableType": "MANAGED_TABLE"},
    hive_entry("base", "select `t`.`id` from `rel`.`t`"),
    hive_entry("taken", "select 1 as `id`"),
    spark_entry("top", "SELECT id FROM base"),
    trino_entry("far", "SELECT id FROM rel.t"),
    {**hive_entry("src", "", "other"), "tableType": "MANAGED_TABLE"},
    FLINK,
)


def test_views_go_into_a_hive_catalog_and_back_out(
    spark: SparkSession, estate: Callable[..., RunConfig], tmp_path: Path
) -> None:
    lines = [json.dumps({"kind": "hive_table", "payload": entry}) for entry in ENTRIES]
    (tmp_path / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    with gravitino("hive") as double:
        double.schema("rel")
        double.table("rel", "taken")
        target = {
            "kind": "gravitino-rest",
            "uri": double.uri,
            "user": "loader",
            "metalake": "m",
            "catalog": "c",
            "provider": "hive",
            "timeout": 5,
        }
        sources = {"a": {"kind": "archive", "path": str(tmp_path / "a.jsonl")}}
        mapping = [{"source": "a", "target": "t", "despite": ["UNRESOLVED"]}]
        config = estate(sources, targets={"t": target}, engines=[], mapping=mapping)
        run, plan = crawl_estate(spark, config).run_id, tmp_path / "plan"
        assess_run(spark, config, run)
        head = plan_run(spark, config, run, Paper(plan, tmp_path / "estate.yaml"))
        assert dict(head.targets["t"].counts) == {"create": 2, "blocked": 2, "conflict": 1}
        assert double.writes() == [], "a plan writes nothing"
        aside = {line["name"]: line for line in _lines(plan, "set-aside")}
        assert "trino is no dialect of a catalog of hive" in aside["far"]["reason"]
        why = "flink: src is hc.other.src, and would lead to nowhere"
        assert why in aside["stream"]["reason"], "it was another database than its own"
        assert "the target has a table of this name" in aside["taken"]["reason"]
        (top,) = [line for line in _lines(plan, "changes") if line["name"] == "top"]
        assert not any("are not kept" in loss for loss in top["losses"])
        session = "those of the session that reads"
        assert any("connector for Spark" in loss and session in loss for loss in top["losses"])
        double.faults.append(Fault("POST", "/views", before=False))
        execution_result = apply_plan(spark, config, plan, "bob")
        assert (execution_result.written, execution_result.failed) == (2, 0)
        assert double.views == ["base", "top"]
        assert double.view("rel", "top")["audit"] == {"creator": "loader"}
        kept = double.view("rel", "top")["properties"]
        assert kept["view.catalogAndNamespace.part.1"] == "rel", "Spark looks for the context there"
        assert verify_plan(spark, config, plan).exit_code == command.FINE
        writes = len(double.writes())
        assert (apply_plan(spark, config, plan, "bob").written, len(double.writes())) == (0, writes)
        assert undo_run(spark, config, execution_result.run, "bob").written == 2
        assert double.views == []
        assert ("m", "c", "rel", "tables", "taken") in double.things


def _lines(plan: Path, name: str) -> list[dict[str, Any]]:
    text = (plan / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_what_a_server_may_hide_is_not_taken_for_absent(
    spark: SparkSession, estate: Callable[..., RunConfig], tmp_path: Path
) -> None:
    place = {"metalake": "m", "catalog": "c", "provider": "hive", "user": "bob", "timeout": 5}
    with gravitino("hive") as double:
        double.rights.on = True
        target = {"kind": "gravitino-rest", "uri": double.uri, **place}
        migration = Migration(spark, estate, tmp_path, {"targets": {"t": target}, "engines": []})
        migration.crawl(TABLE, BASE)
        assert migration.counts(migration.plan()) == {"blocked": 1}
        (aside,) = migration.lines("set-aside")
        assert "bob owns neither its metalake nor its catalog" in aside["reason"]
        migration.more["targets"] = {"t": {**target, "trust_absent": True}}
        migration.crawl(TABLE, BASE)
        assert migration.counts(migration.plan()) == {"create": 1}


def test_a_schema_that_was_made_without_an_answer_goes_with_an_undo(
    spark: SparkSession, estate: Callable[..., RunConfig], tmp_path: Path
) -> None:
    place = {"metalake": "m", "catalog": "c", "provider": "hive", "timeout": 5}
    with gravitino("hive") as double:
        target = {"kind": "gravitino-rest", "uri": double.uri, **place}
        migration = Migration(spark, estate, tmp_path, {"targets": {"t": target}, "engines": []})
        migration.crawl(TABLE, BASE)
        migration.plan()

        def gone() -> None:
            double.faults.append(Fault("GET", times=999))

        double.faults.append(Fault("POST", "/schemas", before=False, sabotage=gone))
        execution_result = migration.apply()
        assert (execution_result.written, execution_result.failed) == (0, 1)
        double.faults.clear()
        assert ("m", "c", "rel") in double.things
        migration.undo(execution_result.run)
        assert ("m", "c", "rel") not in double.things
