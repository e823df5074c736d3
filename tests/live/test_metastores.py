"""Metastores of Hive 3 and 4, from Maven's central repository: their calls, and their catalogs."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hive_metastore import ThriftHiveMetastore, ttypes
from thrift.protocol import TBinaryProtocol
from thrift.transport import TSocket, TTransport

from connectors.hms import HiveMetastore, Options
from discovery.crawl import normalize
from discovery.model import Schema, View
from discovery.outcomes import Kind, Listed, RawObject
from discovery.ports import CrawlTask
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
            listed = [one for one in source.listing() if isinstance(one, Listed)]
            assert [(one.name, one.kind) for one in listed] == [
                ("", Kind.NAMESPACE),
                ("v", Kind.VIEW),
                (f"v_{within}", Kind.VIEW),
            ]
            gone = Listed(("sales",), "gone")
            answers = list(source.load(CrawlTask("s", (*listed, gone))))
            assert source._client._unknown == set(), "the calls with a request object served"
        results = [normalize(one).result for one in answers if isinstance(one, RawObject)]
        assert sum(isinstance(one, Schema) for one in results) == 1
        views = {str(one.identifier): one for one in results if isinstance(one, View)}
        assert sorted(views) == ["sales.v", f"sales.v_{within}"]
        assert [one.comment for one in views["sales.v"].columns] == [f"in {within}"]
