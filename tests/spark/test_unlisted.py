"""A namespace that cannot be listed, through the whole crawl; the source is a fake of our port."""

import dataclasses
import sys
from collections.abc import Callable
from typing import Any

import pytest
from pyspark import cloudpickle
from pyspark.sql import SparkSession

from connectors.clients.lines import raw_object
from connectors.memory import MemorySource
from connectors.registry import Connector
from discovery.crawl_record import CrawlRecord
from discovery.errors import BelvedereError, DeniedError, UnreachableError
from discovery.outcomes import Failure, Kind, Listed, Stage
from discovery.ports import ViewSource
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.crawl import crawl_estate
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.tables import TABLES
from jobs.warehouse.warehouse import Warehouse
from tests.conftest import outcome_rows

cloudpickle.register_pickle_by_value(  # type: ignore[no-untyped-call]  # executors lack tests
    sys.modules[__name__]
)

ENTRY = {
    "dbName": "open",
    "tableName": "v",
    "tableType": "VIRTUAL_VIEW",
    "viewExpandedText": "SELECT 1 AS x",
    "sd": {"cols": [{"name": "x", "type": "int"}]},
}


class InMemory(Connector):
    """A namespace `open` with a view `v`, beside what could not be listed."""

    def source(self) -> ViewSource:
        space, view = Listed(("open",), "", Kind.NAMESPACE), Listed(("open",), "v")
        objects = {
            space: raw_object(space, "hive_database", {"name": "open"}),
            view: raw_object(view, "hive_table", ENTRY),
        }
        return MemorySource(objects, failures=self.options)


@pytest.mark.parametrize("error", [DeniedError("no USAGE"), UnreachableError("too slow")])
def test_a_namespace_that_cannot_be_listed_is_a_row_and_the_rest_is_crawled(
    spark: SparkSession,
    estate: Callable[..., RunConfig],
    error: BelvedereError,
    capsys: pytest.CaptureFixture[str],
) -> None:
    locked = Failure.of(Listed(("locked",), "", Kind.NAMESPACE), Stage.LIST, error)
    plain = estate({"s": {"kind": "archive", "path": "never read"}})
    config = dataclasses.replace(plain, sources={"s": InMemory("memory", (locked,))})
    crawled = crawl_estate(spark, config)
    (reason,) = crawled.reasons
    assert crawled.exit_code == reason.code == command.end(crawled.reasons) == 4
    assert "1 of 2 namespaces could not be listed (1 " in reason.sentence
    assert f"one is locked: {error}" in reason.sentence
    assert f"next: {reason.then}" in capsys.readouterr().err
    assert f"--run-id {crawled.run_id} --source s" in reason.then
    counts: dict[str, Any] = crawled.counts["sources"]["s"]
    assert (counts["listed"], counts["views"], counts["namespaces"]) == (1, 1, 2)
    assert (counts["unread"], counts["reconciled"]) == (1, True)
    rows = Warehouse(config.warehouse).table(TABLES["outcomes"], crawled.run_id)
    told = {(*row["namespace"], row["name"]): row for row in rows}
    assert told["open", "v"]["outcome"] == "view"
    row = told["locked", ""]
    assert (row["entity"], row["outcome"], row["stage"]) == ("namespace", "failure", "list")
    assert (row["code"], row["message"], row["hint"]) == (error.code, str(error), error.hint)


def test_what_a_threshold_allows_ends_with_0_and_is_no_proof_that_anything_is_gone(
    spark: SparkSession, estate: Callable[..., RunConfig]
) -> None:
    away = UnreachableError("too slow")
    locked = Failure.of(Listed(("locked",), "", Kind.NAMESPACE), Stage.LIST, away)
    codes = {"codes": {"UNREACHABLE": 5}}
    plain = estate({"s": {"kind": "archive", "path": "never read"}}, fail_on=codes)
    config = dataclasses.replace(plain, sources={"s": InMemory("memory", (locked,))})
    crawled = crawl_estate(spark, config)
    assert (crawled.exit_code, crawled.reasons) == (0, [])
    assert crawled.counts["sources"]["s"]["unread"] == 1
    (counts,) = CrawlRecord.of(crawled.counts).sources.values()
    assert not counts.complete


def test_a_metastore_that_knows_no_catalogs_is_a_failure_of_the_source_of_every_one(
    metastore: EmbeddedMetastore, spark: SparkSession, estate: Callable[..., RunConfig]
) -> None:
    config = estate({"lake": {"kind": "hms", "uri": metastore.uri, "catalog": "*"}})
    crawled = crawl_estate(spark, config, "old")
    assert crawled.exit_code == 4
    (row,) = outcome_rows(config, "old")
    assert (row["source"], row["code"]) == ("lake", "LISTING_FAILED")
    assert "before Hive 3 knows none" in row["message"]
