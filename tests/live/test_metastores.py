"""Metastores of Hive 3 and 4, from Maven's central repository: their calls, and their catalogs."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hive_metastore import ThriftHiveMetastore, ttypes
from pyspark.sql import SparkSession
from thrift.protocol import TBinaryProtocol
from thrift.transport import TSocket, TTransport

from connectors.hms import HiveMetastore, Options
from discovery.crawl import normalize
from discovery.model import Schema, View
from discovery.outcomes import Kind, Listed, RawObject
from discovery.ports import CrawlTask
from jobs.assess import assess_run
from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate, estimate_crawl
from jobs.doctor import examine
from jobs.plan import Paper, plan_run
from jobs.tables import TABLES
from jobs.warehouse.warehouse import Warehouse
from tests.conftest import outcome_rows
from tests.live.metastores import JARS, fetched, running

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture(params=sorted(JARS))
def uri(
    request: pytest.FixtureRequest, tmp_path: Path, missing: Callable[[str], NoReturn]
) -> Iterator[str]:
    """A running metastore on Derby."""
    with running(fetched(request.param, tmp_path, missing), tmp_path) as port:
        yield f"thrift://127.0.0.1:{port}"


def fill(uri: str, place: Path) -> None:
    """The database `sales` in two catalogs, each with a view `v` and one of the catalog's name."""
    transport = TTransport.TBufferedTransport(TSocket.TSocket(*uri[len("thrift://") :].split(":")))
    transport.open()
    client = ThriftHiveMetastore.Client(TBinaryProtocol.TBinaryProtocol(transport))
    lake = ttypes.Catalog(name="lake", locationUri=f"{place.as_uri()}/lake")
    client.create_catalog(ttypes.CreateCatalogRequest(lake))
    for catalog in ("hive", "lake"):
        location = f"{place.as_uri()}/{catalog}/sales.db"
        client.create_database(
            ttypes.Database(name="sales", catalogName=catalog, locationUri=location)
        )
        for name in ("v", f"v_{catalog}"):
            client.create_table(_entry(catalog, name))
    transport.close()


def _entry(catalog: str, name: str) -> Any:
    columns = [ttypes.FieldSchema("x", "int", f"in {catalog}")]
    serde = ttypes.SerDeInfo(name=name, parameters={})
    return ttypes.Table(
        catName=catalog,
        dbName="sales",
        tableName=name,
        tableType="VIRTUAL_VIEW",
        owner="o",
        parameters={},
        partitionKeys=[],
        viewOriginalText="select 1 as x",
        viewExpandedText="select 1 as `x`",
        sd=ttypes.StorageDescriptor(
            cols=columns, serdeInfo=serde, parameters={}, bucketCols=[], sortCols=[]
        ),
    )


def test_views_of_each_catalog_are_crawled(uri: str, tmp_path: Path) -> None:
    fill(uri, tmp_path)
    for catalog, within in ((None, "hive"), ("hive", "hive"), ("lake", "lake")):
        with HiveMetastore(Options(uri=uri, catalog=catalog, include=("sales",))) as source:
            assert source.probe().version
            listed = [item for item in source.listing() if isinstance(item, Listed)]
            assert [(one.name, one.kind) for one in listed] == [
                ("", Kind.NAMESPACE),
                ("v", Kind.VIEW),
                (f"v_{within}", Kind.VIEW),
            ]
            gone = Listed(("sales",), "gone")
            answers = list(source.load(CrawlTask("s", (*listed, gone))))
            assert source._client._unknown == set(), "the calls with a request object served"
        results = [normalize(answer).result for answer in answers if isinstance(answer, RawObject)]
        assert sum(isinstance(result, Schema) for result in results) == 1
        views = {str(result.identifier): result for result in results if isinstance(result, View)}
        assert sorted(views) == ["sales.v", f"sales.v_{within}"]
        assert [column.comment for column in views["sales.v"].columns] == [f"in {within}"]


def test_every_catalog_is_crawled_as_a_source_of_its_own(
    uri: str, tmp_path: Path, spark: SparkSession, estate: Callable[..., RunConfig]
) -> None:
    fill(uri, tmp_path)
    every = {"kind": "hms", "uri": uri, "catalog": "*", "include": ["sales"]}
    ends = {name: {"kind": "archive", "path": str(tmp_path / name)} for name in ("one", "two")}
    goals = {"lake.hive": "one", "lake.lake": "two"}
    mapping = [{"source": source, "target": target} for source, target in goals.items()]
    config = estate({"lake": every}, targets=ends, mapping=mapping, archive=True, engines=[])
    assert [(diagnosis.what, diagnosis.code) for diagnosis in examine(config, quick=True)][
        -4:-2
    ] == [
        ("source lake.hive", 0),
        ("source lake.lake", 0),
    ]
    _, told = estimate_crawl(spark, config, "estimated")
    assert {name: one["fetched"] for name, one in told["sources"].items()} == {
        "lake.hive": 3,
        "lake.lake": 3,
    }
    crawled = crawl_estate(spark, config, "all")
    assert crawled.exit_code == 0
    found = outcome_rows(config, "all")
    comments = {
        (row["source"], row["name"]): json.loads(row["model"])["columns"][0]["comment"]
        for row in found
        if row["outcome"] == "view" and row["entity"] == "object"
    }
    assert comments == {
        ("lake.hive", "v"): "in hive",
        ("lake.hive", "v_hive"): "in hive",
        ("lake.lake", "v"): "in lake",
        ("lake.lake", "v_lake"): "in lake",
    }
    archive = f"{config.warehouse}/archive/run_id=all"
    for source in goals:
        replayed = estate({"lake": {"kind": "archive", "path": archive, "source": source}})
        crawl_estate(spark, replayed, f"again-{source}")
        assert [row["key"] for row in outcome_rows(replayed, f"again-{source}")] == [
            row["key"] for row in found if row["source"] == source
        ]
    assess_run(spark, config, "all")
    head = plan_run(spark, config, "all", Paper(tmp_path / "plan", tmp_path / "estate.yaml"))
    changes = Warehouse(config.warehouse).table(TABLES["changes"], head.plan)
    assert sorted((row["target"], row["name"]) for row in changes if row["name"]) == [
        *(("one", "v"), ("one", "v_hive")),
        *(("two", "v"), ("two", "v_lake")),
    ]
