"""Files of Iceberg views in a metastore whose entries still name the place where they were."""

import json

import boto3
import pytest
from botocore.client import BaseClient

from connectors.hms import HiveMetastore, Options
from connectors.registry import Connector
from discovery.crawl import crawl
from discovery.model import View
from discovery.outcomes import Failure, Listed
from discovery.ports import CrawlTask
from jobs.embedded.iceberg import EmbeddedCatalog, NewView
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.embedded.thrift_writer import Writer
from jobs.examining.workers import reach
from tests.contract.sources import payload

OLD, NEW = "hdfs://old-nn:8020/warehouse", "s3a://lake/moved"
COLUMN = {"id": 1, "name": "x", "required": False, "type": "int"}


@pytest.fixture
def options(
    metastore: EmbeddedMetastore, hms: Writer, iceberg: EmbeddedCatalog, glue: BaseClient
) -> Options:
    """Of a metastore with the views `there`, whose file is in a bucket now, and `lost`."""
    endpoint: str = glue.meta.endpoint_url
    keys = {"aws_access_key_id": "x", "aws_secret_access_key": "x", "region_name": "us-east-1"}
    bucket = boto3.Session().client("s3", endpoint_url=endpoint, **keys)
    bucket.create_bucket(Bucket="lake")
    file = iceberg.create_view(("db",), "there", NewView([COLUMN], {"spark": "SELECT 1 AS x"}))
    bucket.put_object(Bucket="lake", Key="moved/db/there.json", Body=file.read_bytes())
    hms.create_database("moved", f"{metastore.warehouse.as_uri()}/moved.db")
    for name in ("there", "lost"):
        pointer = {"table_type": "ICEBERG-VIEW", "metadata_location": f"{OLD}/db/{name}.json"}
        hms.drop_table("moved", name, missing_ok=True)
        hms.create_table(payload(name) | {"dbName": "moved", "parameters": pointer})
    io = {"s3.endpoint": endpoint, "s3.access-key-id": "x", "s3.secret-access-key": "x"}
    io |= {"s3.region": "us-east-1"}
    return Options(
        uri=metastore.uri, include=("moved",), locations=(NEW,), io=io, rewrite={OLD: NEW}
    )


def test_a_view_is_read_where_its_file_is_and_keeps_what_its_entry_says(options: Options) -> None:
    objects = tuple(Listed(("moved",), name) for name in ("there", "lost"))
    with HiveMetastore(options) as source:
        outcomes = {one.listed.name: one for one in crawl(CrawlTask("lake", objects), source)}
    lost, outcome = outcomes["lost"], outcomes["there"]  # a metastore answers in its own order
    assert isinstance(outcome.result, View)
    assert [representation.sql for representation in outcome.result.representations] == [
        "SELECT 1 AS x"
    ]
    raw = json.loads(outcome.raw)
    assert raw["payload"]["parameters"]["metadata_location"] == f"{OLD}/db/there.json"
    assert list(raw["files"]) == [f"{OLD}/db/there.json"]
    assert NEW not in outcome.raw
    assert isinstance(lost.result, Failure)
    assert lost.result.code == "FILE_UNREADABLE"
    assert f"{OLD}/db/lost.json: read at {NEW}/db/lost.json: " in lost.result.message


def test_the_doctor_shows_the_rules(options: Options) -> None:
    reached = reach("source lake", Connector("hms", options))
    assert reached.told.endswith(f"; files below {OLD} are read below {NEW}")
    assert not reached.failed
