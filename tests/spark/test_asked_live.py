"""`assess --live`, whole, on Spark: a Trino that answers as the recorded one did."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from connectors.clients.credentials import Secret
from discovery.errors import ConfigurationError
from jobs import assess
from jobs.assess import assess_run
from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.embedded.thrift_writer import Writer
from jobs.tables import TABLES
from jobs.warehouse.warehouse import Warehouse
from tests.asked_trino import (
    CATALOG,
    DATABASE,
    ENTRIES,
    SAID,
    TABLE,
    TrinoDouble,
    hang_up,
    of,
    served,
)
from tests.conftest import estate_in

pytestmark = pytest.mark.timeout(900)
CANARY = "canary-7f31"
Rows = list[dict[str, Any]]
Reader = Callable[[str], Rows]


@pytest.fixture(scope="module")
def views(metastore: EmbeddedMetastore, hms: Writer) -> str:
    """Views in a metastore; its address."""
    hms.create_database(DATABASE, f"{metastore.warehouse.as_uri()}/{DATABASE}.db")
    for entry in (TABLE, *ENTRIES):
        hms.create_table(entry)
    return metastore.uri


def crawled(
    spark: SparkSession, folder: Path, uri: str, trino: dict[str, Any], **more: Any
) -> tuple[RunConfig, str]:
    sources = {"lake": {"kind": "hms", "uri": uri, "include": [DATABASE]}}
    catalogs = {"trino": {CATALOG: "lake"}}
    config = estate_in(folder)(
        sources, engines={"trino": {"hive_views": True, **trino}}, catalogs=catalogs, **more
    )
    return config, crawl_estate(spark, config).run_id


def reader(config: RunConfig, run_id: str) -> Reader:
    return lambda name: list(Warehouse(config.warehouse).table(TABLES[name], run_id))


@pytest.fixture(scope="module")
def asked(
    spark: SparkSession, views: str, tmp_path_factory: pytest.TempPathFactory
) -> tuple[TrinoDouble, Reader]:
    """A run that Trino was asked about, one of whose views kills the server each time."""
    folder = tmp_path_factory.mktemp("live")
    with served(of('"on_broken"', hang_up), slow=0.05) as double, pytest.MonkeyPatch.context() as m:
        m.setenv("TRINO_PASSWORD", CANARY)
        stated = {"url": double.uri, "user": "me", "password": "${env:TRINO_PASSWORD}"}
        config, run_id = crawled(spark, folder, views, {**stated, "connections": 3, "rate": 500})
        assert Secret(CANARY) in config.secrets
        place = ["--config", str(folder / "estate.yaml"), "--run-id", run_id]
        assert assess.main([*place, "--live", "--json"]) == 0
    return double, reader(config, run_id)


def test_the_verdicts_carry_engine_version_time_and_query(
    asked: tuple[TrinoDouble, Reader],
) -> None:
    said = {row["name"]: row for row in asked[1]("verdicts") if row["grade"] == "LIVE"}
    assert said.keys() == SAID.keys()
    for name, (word, part) in SAID.items():
        row = said[name]
        assert (row["engine"], row["version"]) == ("trino", "476")
        assert row["asked"].startswith("20")
        assert row["seconds"] > 0
        if name == "on_broken":
            assert row["verdict"] == "not judged"
            assert row["message"].startswith("UNREACHABLE: there was no answer")
        else:
            assert row["verdict"] == word
            assert part in row["message"]
            assert row["query"].startswith("2026")


def test_the_matrix_goes_by_what_the_engine_said(asked: tuple[TrinoDouble, Reader]) -> None:
    cells = {
        row["name"]: (row["status"], row["reason"], row["grade"]) for row in asked[1]("matrix")
    }
    assert cells["good"] == ("native", None, "LIVE")
    assert cells["broken"] == ("rejected", "UNKNOWN_COLUMN", "LIVE")
    assert cells["stale"] == ("rejected", "COLUMNS_REFUSED", "LIVE")
    assert cells["elsewhere"] == ("rejected", "UNKNOWN_TABLE", "LIVE")
    assert cells["of_hive"] == ("portable", None, "LIVE")
    assert cells["untranslated"] == ("rejected", "SYNTAX_AT_TOKEN", "LIVE")  # of Coral's parser
    assert cells["on_broken"] == ("blocked", "lake/asked.broken", None)


def test_columns_that_the_engine_shows_otherwise_are_told(
    asked: tuple[TrinoDouble, Reader],
) -> None:
    told = {
        row["name"]: row["message"]
        for row in asked[1]("findings")
        if (row["code"], row["engine"]) == ("COLUMNS_DRIFT", "trino")
    }
    assert "id is declared, and not returned" in told["other_name"]
    assert "of_hive" not in told


def test_no_more_statements_are_open_than_are_allowed_and_none_is_asked_twice(
    asked: tuple[TrinoDouble, Reader],
) -> None:
    double, _ = asked
    assert 1 <= double.most <= 3
    assert set(double.statements.values()) == {1}
    assert all(
        statement.startswith(("EXPLAIN (TYPE VALIDATE) ", "DESCRIBE "))
        for statement in double.statements
    )


def test_the_password_is_nowhere(asked: tuple[TrinoDouble, Reader]) -> None:
    double, read = asked
    sent = [request for request in double.seen if request.method == "POST"]
    assert all("Basic " in request.headers["Authorization"] for request in sent)
    assert CANARY not in json.dumps([read(name) for name in ("verdicts", "findings", "matrix")])


def test_without_the_flag_nobody_is_asked(spark: SparkSession, views: str, tmp_path: Path) -> None:
    with served() as double:
        config, run_id = crawled(spark, tmp_path, views, {"url": double.uri})
        assess_run(spark, config, run_id)
        assert not double.seen
    assert {row["grade"] for row in reader(config, run_id)("verdicts")} == {"PARSE", "ANALYZE"}


def test_an_engine_that_does_not_answer_is_asked_no_more_and_judges_nothing(
    spark: SparkSession, views: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(lambda _: (401, b"who are you?")) as double:
        config, run_id = crawled(spark, tmp_path, views, {"url": double.uri})
        assess_run(spark, config, run_id, live=True)
        assert len(double.seen) == 1
    said = [row for row in reader(config, run_id)("verdicts") if row["grade"] == "LIVE"]
    assert {row["verdict"] for row in said} == {"not judged"}
    assert {row["message"] for row in said} == {
        "not asked: DENIED: it refuses us: 401 Unauthorized"
    }
    cells = {row["name"]: row["grade"] for row in reader(config, run_id)("matrix")}
    assert cells["good"] in {"PARSE", "ANALYZE"}
    assert "trino, asked of 8 views: 8 not judged" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "wanted"),
    [
        ({"engines": ["trino"]}, "no engine is configured that could be asked"),
        ({"catalogs": {}}, "no catalog of trino is said to show a source"),
    ],
)
def test_what_cannot_be_asked_is_told_before_anything_is_done(
    tmp_path: Path, more: dict[str, Any], wanted: str, spark: SparkSession
) -> None:
    engines = {"trino": {"url": "http://127.0.0.1:1"}}
    said = {"engines": engines, "catalogs": {"trino": {"a": "a"}}, **more}
    config = estate_in(tmp_path)({"a": {"kind": "archive", "path": "a"}}, **said)
    with pytest.raises(ConfigurationError, match=wanted):
        assess_run(spark, config, "none", live=True)
