"""An archive as a recording: sources stay apart, names are compared as the crawl compared them."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from connectors.clients.lines import CrawlOrigin
from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.tables import TABLES
from jobs.warehouse.warehouse import Warehouse
from tests.conftest import hive_entry

OBJECT = '{"kind":"hive_table","payload":%s}'


def line(origin: CrawlOrigin, name: str) -> str:
    return origin.head() + (OBJECT % json.dumps(hive_entry(name, "SELECT 1 AS id")))[1:]


def rows(config: RunConfig, run_id: str) -> dict[tuple[str, str], dict[str, Any]]:
    """The outcomes and the raw objects, by source and key."""
    warehouse = Warehouse(config.warehouse)
    told = {(one["source"], one["key"]): one for one in warehouse.table(TABLES["outcomes"], run_id)}
    for one in warehouse.table(TABLES["raw"], run_id):
        told[one["source"], one["key"]]["raw"] = one["raw"]
    return told


def test_a_replay_of_a_replay_is_the_same(
    spark: SparkSession,
    estate: Callable[..., RunConfig],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lake, shop = (
        CrawlOrigin("lake", "hms", "lower"),
        CrawlOrigin('s"hop', "postgresql", "none", "eu-west-1"),
    )
    text = [line(lake, "V"), line(lake, "W"), line(shop, "V"), line(shop, "v"), "{broken"]
    (tmp_path / "a.jsonl").write_text("\n".join(text), encoding="utf-8")
    place = {"kind": "archive", "path": str(tmp_path / "a.jsonl"), "connections": 1}
    sources = {"lake": {**place, "source": "lake"}, 's"hop': {**place, "source": 's"hop'}}
    config = estate(sources, archive=True)
    first = crawl_estate(spark, config)
    told = rows(config, first.run_id)
    views = {key for key, one in told.items() if one["outcome"] == "view"}
    assert views == {
        ("lake", "rel.v"),
        ("lake", "rel.w"),
        ('s"hop', "rel.V"),
        ('s"hop', "rel.v"),
    }
    assert first.exit_code == 4, "the broken line is of either"
    folder = f"{config.warehouse}/archive/run_id={first.run_id}"
    written = [
        json.loads(one)
        for path in Path(folder).glob("*.gz")
        for one in gzip.decompress(path.read_bytes()).splitlines()
    ]
    heads = {(one["source"], one["source_kind"], one["fold"], one["region"]) for one in written}
    assert heads == {
        ("lake", "archive", "lower", None),
        ('s"hop', "archive", "none", "eu-west-1"),
    }
    again = estate({name: {**source, "path": folder} for name, source in sources.items()})
    second = crawl_estate(spark, again)
    assert second.exit_code == 0
    replayed = rows(again, second.run_id)
    assert replayed.keys() == views
    for key in views:
        for column in ("model", "fingerprint", "raw", "format", "notes"):
            assert replayed[key][column] == told[key][column]
    assert "does not say which source" not in capsys.readouterr().err
    melted = crawl_estate(spark, estate({"all": {"kind": "archive", "path": folder}}))
    assert melted.exit_code == 4
    (why,) = [row for row in rows(again, melted.run_id).values() if row["entity"] == "source"]
    assert why["hint"] == 'set source to one of lake, s"hop'


def test_an_old_archive_says_what_it_lacks(
    spark: SparkSession,
    estate: Callable[..., RunConfig],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    old = OBJECT % json.dumps(hive_entry("V", "SELECT 1 AS id"))
    (tmp_path / "old.jsonl").write_text(old, encoding="utf-8")
    config = estate({"old": {"kind": "archive", "path": str(tmp_path / "old.jsonl")}})
    crawled = crawl_estate(spark, config)
    assert crawled.exit_code == 0
    assert rows(config, crawled.run_id).keys() == {("old", "rel.V")}
    assert "old: the archive does not say which source" in capsys.readouterr().err
