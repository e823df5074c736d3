"""Which views of an estate are used, from logs as engines wrote them."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs import report, usage, waves
from jobs.assess import assess_run
from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.embedded.postgres import EmbeddedPostgreSQL
from jobs.embedded.thrift_writer import Writer
from jobs.using import tables
from jobs.warehouse.warehouse import Warehouse
from tests.conftest import estate_in, trino_entry

RECORDED = Path(__file__).parents[1] / "recorded" / "usage"
PREFIX = "%m [%p] %q%u@%d app=%a "


@pytest.fixture(scope="module")
def lake(hms: Writer, metastore: EmbeddedMetastore) -> Iterator[dict[str, Any]]:
    """The views that the recorded queries of Trino read, and one that none reads."""
    hms.create_database("sales", f"{metastore.warehouse.as_uri()}/sales.db")
    for name, sql in (
        ("eu", "SELECT 1 AS id"),
        ("big", "SELECT * FROM memory.sales.eu"),
        ("old", "SELECT 1 AS id"),
    ):
        hms.create_table(trino_entry(name, sql, "sales", catalog="memory"))
    yield {"kind": "hms", "uri": metastore.uri, "include": ["sales"]}
    for name in ("eu", "big", "old"):
        hms.drop_table("sales", name)
    hms._client.drop_database("sales", False, False)


@pytest.fixture(scope="module")
def shop(postgresql: EmbeddedPostgreSQL) -> Iterator[dict[str, Any]]:
    """The views that the recorded queries of PostgreSQL read, and one that is read through one."""
    postgresql.execute(["DROP DATABASE IF EXISTS shop", "CREATE DATABASE shop"])
    views = ["base AS SELECT 1 AS id", "eu AS SELECT * FROM sales.base", "big AS SELECT 1 AS id"]
    made = ["CREATE SCHEMA sales", *(f"CREATE VIEW sales.{view}" for view in views)]
    postgresql.execute([*made, "CREATE VIEW public.total AS SELECT 1 AS id"], "shop")
    yield {"kind": "postgresql", "url": postgresql.url("shop"), "user": "postgres"}
    postgresql.execute(["DROP DATABASE shop"])


def configured(folder: Path, lake: dict[str, Any], shop: dict[str, Any]) -> RunConfig:
    return estate_in(folder)(
        {"lake": lake, "shop": shop},
        catalogs={"trino": {"memory": "lake"}},
        engines=["trino", "postgresql"],
        usage=[
            {"kind": "trino", "path": "logs/trino.jsonl"},
            {
                "kind": "postgresql",
                "path": "logs/shop.*",
                "zone": "Europe/Berlin",
                "prefix": "%m [%p] %q%u@%d app=%a ",
            },
        ],
    )


@pytest.fixture(scope="module")
def assessed(
    spark: SparkSession,
    lake: dict[str, Any],
    shop: dict[str, Any],
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Path, str]:
    """A warehouse with a run that is assessed, and the run."""
    config = configured(tmp_path_factory.mktemp("assessed"), lake, shop)
    run_id = crawl_estate(spark, config).run_id
    assess_run(spark, config, run_id)
    return Path(config.warehouse), run_id


@pytest.fixture
def used(
    assessed: tuple[Path, str], lake: dict[str, Any], shop: dict[str, Any], tmp_path: Path
) -> tuple[RunConfig, str]:
    """That run, in a warehouse of the test, of an estate with logs."""
    logs = tmp_path / "logs"
    shutil.copytree(RECORDED, logs)
    for form in ("log", "csv", "json"):
        (logs / f"postgresql.{form}").rename(logs / f"shop.{form}")
    with (logs / "trino.jsonl").open("ab") as file:
        file.write(b'{"password": "hunter3"\n')
    config = configured(tmp_path, lake, shop)
    warehouse, run_id = assessed
    shutil.copytree(warehouse, config.warehouse)
    return config, run_id


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = usage.main(arguments)
    said = capsys.readouterr()
    return code, said.out, said.err


def test_the_use_of_views_is_read_from_logs_and_their_lines_are_counted(
    used: tuple[RunConfig, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config, run_id = used
    file = str(tmp_path / "estate.yaml")
    code, out, err = told(capsys, "--config", file, "--until", "2026-11-23", "--json")
    assert code == 0, err
    views = [json.loads(line) for line in out.splitlines()]
    seen = {
        (view["source"], view["name"]): (view["use"], view["uses"], view["reads"]) for view in views
    }
    assert seen == {
        ("shop", "eu"): ("used", 8, 0),
        ("lake", "eu"): ("used", 6, 1),
        ("shop", "big"): ("used", 3, 0),
        ("lake", "big"): ("used", 1, 0),
        ("shop", "total"): ("used", 1, 0),
        ("shop", "base"): ("read by used views", 0, 8),
        ("lake", "old"): ("not proven", 0, 0),
    }
    assert [view["uses"] for view in views] == sorted(
        (view["uses"] for view in views), reverse=True
    )
    assert views[-1]["why"] == f"trino {tmp_path}/logs/trino.jsonl has 1 line that cannot be read"
    assert f"{tmp_path}/logs/trino.jsonl:43: is no JSON" in err
    assert "tpch" in err, "it is no source"
    assert "hunter" not in out + err
    warehouse = Warehouse(config.warehouse)
    trino, *shop = sorted(
        warehouse.table(tables.USAGE_LOGS, run_id), key=lambda one: -one["unreadable"]
    )
    forms = {one["file"].rpartition(".")[2] for one in shop}
    assert forms == {"csv", "json", "log"}, "all are read, and what all have counts once"
    for one in (trino, *shop):
        parts = ("used", "elsewhere", "unclear", "others", "unreadable")
        assert one["lines"] == sum(one[part] for part in parts)
    assert (trino["lines"], trino["used"], trino["unreadable"]) == (43, 7, 1)
    rows = [one for one in warehouse.table(tables.USAGE, run_id) if one["name"] == "total"]
    assert [(row["user"], str(row["day"]), row["uses"]) for row in rows] == [
        ("ann", "2026-11-23", 1)
    ]
    assert rows[0]["seen_at"] == f"{tmp_path}/logs/shop.csv:20"


def test_waves_and_the_report_have_the_use_of_each_view(
    used: tuple[RunConfig, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config, _ = used
    file = str(tmp_path / "estate.yaml")
    assert waves.main(["--warehouse", config.warehouse]) == 0
    assert "uses" not in capsys.readouterr().out
    assert told(capsys, "--config", file, "--until", "2026-11-23")[0] == 0
    assert waves.main(["--warehouse", config.warehouse]) == 0
    order = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(one["wave"], one["uses"]) for one in order] == [
        *((1, number) for number in (6, 3, 1, 0, 0)),
        *((2, number) for number in (8, 1)),
    ]
    out = tmp_path / "report"
    assert report.main(
        ["--config", file, "--out", str(out), "--format", "html", "--format", "json"]
    ) in {0, 3}
    found = json.loads((out / "belvedere.json").read_text(encoding="utf-8"))
    assert found["use"] == {"not proven": 1, "read by used views": 1, "used": 5}
    uses = {(view["source"], view["name"]): (view["use"], view["uses"]) for view in found["views"]}
    assert uses["shop", "eu"] == ("used", 8)
    page = (out / "belvedere.html").read_text(encoding="utf-8")
    assert "5 used" in page
    assert 'data-sort="uses"' in page


def test_reading_the_same_logs_again_counts_nothing_twice(
    used: tuple[RunConfig, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "estate.yaml")
    once = told(capsys, "--config", file, "--until", "2026-11-23", "--json")[1]
    assert told(capsys, "--config", file, "--until", "2026-11-23", "--json")[1] == once


def test_what_views_read_is_not_taken_for_unknown_where_its_manifest_is_lost(
    used: tuple[RunConfig, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config, run_id = used
    manifest = Path(config.warehouse) / "manifests" / f"run_id={run_id}" / "assess.json"
    manifest.unlink()
    code, _, err = told(capsys, "--config", str(tmp_path / "estate.yaml"))
    assert code == 1
    assert f"assessed of {run_id}: no manifest names what is there" in err
    assert "run the stage that writes it again" in err


def test_a_view_is_proposed_where_the_logs_prove_that_nobody_uses_it(
    used: tuple[RunConfig, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = f"trino={RECORDED}/trino.jsonl"
    line = ("--config", str(tmp_path / "estate.yaml"), "--log", log, "--until", "2026-11-23")
    code, out, err = told(capsys, *line, "--days", "2")
    assert code == 0, err
    assert (
        "unused, and so proposed to be left behind; it is yours to decide:\n  lake sales.old" in out
    )
    assert "4 views: no log of postgresql is read" in out
    _, out, _ = told(capsys, *line)
    assert "begins on 2026-11-23" in out
    assert "proposed" not in out


def test_wrong_logs_are_told_before_anything_is_read(
    estate: Callable[..., RunConfig], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    estate({"lake": {"kind": "hms", "uri": "thrift://localhost:1"}})
    for log, wanted in (
        ("sparc=x", "no log of 'sparc' is read; did you mean 'spark'?"),
        ("trino", "must be KIND=PATH"),
    ):
        code, _, err = told(capsys, "--config", str(tmp_path / "estate.yaml"), "--log", log)
        assert (code, wanted in err) == (2, True), err
