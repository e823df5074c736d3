"""The load end to end: a real store, one that is down, and two sources that want one name."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.crawl import crawl_estate
from jobs.embedded.postgres import EmbeddedPostgreSQL
from jobs.load import exit_code, load_run
from jobs.runtime import command
from jobs.runtime.config import RunConfig
from jobs.runtime.warehouse import Warehouse

Estate = Callable[..., RunConfig]


@pytest.fixture
def sources(tmp_path: Path) -> dict[str, dict[str, str]]:
    """`a` with `db.one` and `db.two`, `b` with `db.two` only."""

    def archive(source: str, *names: str) -> dict[str, str]:
        path = tmp_path / f"{source}.jsonl"
        texts = {"viewOriginalText": "select 1 as x", "viewExpandedText": "select 1 as `x`"}
        columns = {"cols": [{"name": "x", "type": "int"}]}
        entries = [
            {"dbName": "db", "tableName": name, "tableType": "VIRTUAL_VIEW", "sd": columns, **texts}
            for name in names
        ]
        lines = [json.dumps({"kind": "hive_table", "payload": one}) for one in entries]
        path.write_text("\n".join(lines), encoding="utf-8")
        return {"kind": "archive", "path": str(path)}

    return {"a": archive("a", "one", "two"), "b": archive("b", "two")}


def target(url: str) -> dict[str, Any]:
    more = {"metalake": "m", "catalog": "c", "provider": "hive", "timeout": 2}
    return {"kind": "gravitino-store", "url": url, "user": "postgres", **more}


def test_a_target_that_is_down_costs_its_own_views_only(
    spark: SparkSession,
    estate: Estate,
    postgresql: EmbeddedPostgreSQL,
    sources: dict[str, dict[str, str]],
) -> None:
    postgresql.execute(("DROP DATABASE IF EXISTS load_one", "CREATE DATABASE load_one"))
    config = estate(
        sources,
        targets={
            "up": target(postgresql.url("load_one")),
            "down": target("postgresql://127.0.0.1:1/x"),
        },
        mapping=[{"source": "a", "target": "up"}, {"source": "b", "target": "down"}],
    )
    run_id = crawl_estate(spark, config).run_id
    loaded = load_run(spark, config, run_id)
    assert loaded.actions == {("up", "create"): 2, ("down", "failed"): 1}
    assert loaded.different == 0
    assert exit_code(loaded) == command.FINDINGS
    rows = list(Warehouse(config.warehouse).table("loads", run_id))
    assert [row["code"] for row in rows if row["target"] == "down"] == ["UNREACHABLE"]
    again = load_run(spark, config, run_id)
    assert again.actions == {("up", "keep"): 2, ("down", "failed"): 1}


def test_two_sources_that_want_one_name_are_told_and_neither_is_loaded(
    spark: SparkSession,
    estate: Estate,
    postgresql: EmbeddedPostgreSQL,
    sources: dict[str, dict[str, str]],
) -> None:
    postgresql.execute(("DROP DATABASE IF EXISTS load_two", "CREATE DATABASE load_two"))
    config = estate(sources, targets={"only": target(postgresql.url("load_two"))})
    run_id = crawl_estate(spark, config).run_id
    loaded = load_run(spark, config, run_id)
    assert loaded.actions == {("only", "create"): 1, ("only", "failed"): 2}
    rows = Warehouse(config.warehouse).table("loads", run_id)
    assert Counter(row["code"] for row in rows) == {None: 1, "COLLISION": 2}
