"""Views in Glue's Data Catalog, as moto 5 answers for it: of Athena, of Hive, of several dialects.

`make golden` runs it: moto's server is a thread of this process, and needs no account.
"""

import base64
import json
import logging
from collections.abc import Iterator
from typing import Any, Final

import boto3
from botocore.config import Config
from moto.server import ThreadedMotoServer

from tests.golden.recipes.rebuilt import Rebuilt

_DATABASE: Final = "analytics"
_TEXT: Final = "select id from orders"
_BLOB: Final = {
    "originalSql": "SELECT id, amt FROM orders",
    "catalog": "awsdatacatalog",
    "schema": _DATABASE,
    "columns": [{"name": "id", "type": "bigint"}, {"name": "amt", "type": "decimal(10,2)"}],
}
_ID: Final = {"Columns": [{"Name": "id", "Type": "bigint"}]}
_TABLES: Final[tuple[dict[str, Any], ...]] = (
    {
        "Name": "v_athena",
        "TableType": "VIRTUAL_VIEW",
        "Description": "by athena",
        "Parameters": {"presto_view": "true", "comment": "Presto View"},
        "ViewOriginalText": "/* Presto View: "
        + base64.b64encode(json.dumps(_BLOB).encode()).decode()
        + " */",
        "ViewExpandedText": "/* Presto View */",
        "PartitionKeys": [],
        "StorageDescriptor": {
            "Columns": [{"Name": "id", "Type": "bigint"}, {"Name": "amt", "Type": "decimal(10,2)"}],
            "SerdeInfo": {},
            "Compressed": False,
            "NumberOfBuckets": 0,
            "Location": "",
        },
    },
    {
        "Name": "v_hive",
        "TableType": "VIRTUAL_VIEW",
        "Parameters": {"comment": "c"},
        "ViewOriginalText": _TEXT,
        "ViewExpandedText": "select `orders`.`id` from `analytics`.`orders`",
        "StorageDescriptor": _ID,
    },
    {
        "Name": "v_multi",
        "TableType": "VIRTUAL_VIEW",
        "ViewDefinition": {
            "IsProtected": True,
            "Definer": "arn:aws:iam::123456789012:role/r",
            "SubObjects": ["arn:aws:glue:us-east-1:123456789012:table/analytics/orders"],
            "Representations": [
                {
                    "Dialect": dialect,
                    "DialectVersion": version,
                    "ViewOriginalText": _TEXT,
                    "ViewExpandedText": expanded,
                }
                for dialect, version, expanded in (
                    ("ATHENA", "3", "select id from analytics.orders"),
                    ("SPARK", "3.5", _TEXT),
                    ("REDSHIFT", "1.0", _TEXT),
                )
            ],
        },
        "StorageDescriptor": _ID,
    },
)


def rebuild() -> Iterator[Rebuilt]:
    """Every view of the recipe, as moto gives it back."""
    logging.getLogger("werkzeug").setLevel(logging.WARNING)  # a line for each request
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        keys = {"aws_access_key_id": "x", "aws_secret_access_key": "x", "region_name": "us-east-1"}
        # a slow machine answers late: a second attempt would meet what the first has made
        patient = Config(read_timeout=600, retries={"total_max_attempts": 1})
        url = f"http://{host}:{port}"
        glue = boto3.Session().client("glue", endpoint_url=url, config=patient, **keys)
        glue.create_database(DatabaseInput={"Name": _DATABASE, "Description": "d"})
        for table in _TABLES:
            glue.create_table(DatabaseName=_DATABASE, TableInput=table)
            answer = glue.get_table(DatabaseName=_DATABASE, Name=table["Name"])["Table"]
            payload = json.loads(json.dumps(answer, default=str))
            yield Rebuilt((_DATABASE, table["Name"]), payload)
    finally:
        server.stop()
