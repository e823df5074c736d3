"""Views that Spark and pyiceberg make now, in real catalogs: as the engine itself reports them.

One that Trino made before is registered beside them.

Fetches, once: PySpark 4.1.4 into an environment of its own (the newest with an Iceberg runtime) and
Iceberg's REST test server from Maven.
"""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from pyiceberg.catalog.rest import RestCatalog as PyicebergCatalog

from connectors.clients.credentials import Secret
from connectors.hms import HiveMetastore, IcebergHive
from connectors.hms import Options as HmsOptions
from connectors.iceberg.jdbc import JdbcCatalog
from connectors.iceberg.jdbc import Options as JdbcOptions
from connectors.iceberg.rest import Options as RestOptions
from connectors.iceberg.rest import RestCatalog
from jobs.embedded.metastore import EmbeddedMetastore
from tests.live.conftest import Server
from tests.live.crawled import crawled
from tests.live.iceberg.pyiceberg_views import SPARK, TRINO, make_views

pytestmark = [pytest.mark.live, pytest.mark.timeout(1_800)]
HERE = Path(__file__).parent / "iceberg"
GOLDEN = Path(__file__).parents[1] / "golden" / "iceberg" / "rest_trino476-tv3.json"
TRINO_VIEW = json.loads(GOLDEN.read_text(encoding="utf-8"))
TYPES = {"timestamp": "timestamp_tz(6)", "timestamp_ntz": "timestamp(6)"}


def told_by_spark(pyspark_bin: Path, kind: str, uri: str, warehouse: Path) -> dict[str, Any]:
    command = [
        str(pyspark_bin / "python"),
        str(HERE / "spark_views.py"),
        kind,
        uri,
        warehouse.as_uri(),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


@pytest.fixture(scope="module")
def told(server: Server, pyspark_bin: Path) -> dict[str, Any]:
    """What Spark says of the views that it has made in the server."""
    made = told_by_spark(pyspark_bin, "rest", server.uri, server.folder / "warehouse")
    make_views(server.uri)
    register_view_of_trino(server)
    return made


def register_view_of_trino(server: Server) -> None:
    """Give the server the metadata that Trino 476 wrote, recorded: Trino itself has 900 MB."""
    document = TRINO_VIEW["raw"]["payload"]["metadata"]
    path = server.folder / "00000-trino.metadata.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    catalog = PyicebergCatalog("r", uri=server.uri)
    catalog.create_namespace("sales")
    catalog.register_view("sales.tv3", path.as_uri())


def gravitino(kind: Any) -> Any:
    """Spark's JSON of a type as Gravitino's."""
    if isinstance(kind, str):
        return TYPES.get(kind, kind)
    match kind["type"]:
        case "array":
            element = gravitino(kind["elementType"])
            return {"type": "list", "containsNull": kind["containsNull"], "elementType": element}
        case "map":
            parts = {key: gravitino(kind[key]) for key in ("keyType", "valueType")}
            return {"type": "map", "valueContainsNull": kind["valueContainsNull"], **parts}
        case _:
            fields = [
                {
                    "name": field["name"],
                    "type": gravitino(field["type"]),
                    "nullable": field["nullable"],
                }
                for field in kind["fields"]
            ]
            return {"type": "struct", "fields": fields}


def assert_as_told(view: dict[str, Any], told: dict[str, Any]) -> None:
    for column, wanted in zip(view["columns"], told["columns"], strict=True):
        assert column["name"] == wanted["name"]
        assert column["type"] == gravitino(wanted["type"])
        assert column.get("comment") == wanted["comment"]
        assert column["nullable"] == wanted["nullable"]
    (representation,) = view["representations"]
    assert (representation["dialect"], representation["sql"]) == ("spark", told["sql"])
    assert f"prod.{representation['defaultSchema']}" == told["context"]
    assert view.get("comment", "") == (told["comment"] or "")


def test_views_of_spark_and_pyiceberg_arrive_from_a_rest_catalog(
    server: Server, told: dict[str, Any]
) -> None:
    options = RestOptions(uri=server.uri, properties={"rest-page-size": "2"})
    views = crawled(RestCatalog(options))
    for name, wanted in told.items():
        assert_as_told(views.pop(name), wanted)
    assert views.pop("sales.tv3") == TRINO_VIEW["view"]
    texts = [
        (representation["dialect"], representation["sql"])
        for representation in views["py.p_two"]["representations"]
    ]
    assert texts == [("spark", SPARK), ("trino", TRINO)]
    assert views.keys() == {"py.p_two", "py.p_cat", "py.p_ns0"}


def test_the_same_views_arrive_with_a_token_for_which_the_server_takes_a_credential(
    server: Server, told: dict[str, Any]
) -> None:
    place = {"oauth2-server-uri": f"{server.uri}/v1/oauth/tokens"}
    options = RestOptions(uri=server.uri, properties={"credential": Secret("me:hush"), **place})
    assert crawled(RestCatalog(options)) == crawled(RestCatalog(RestOptions(uri=server.uri)))
    with RestCatalog(options) as source:
        source.probe()
        assert source.server._opened is not None
        assert source.server._opened.token().reveal().startswith("client-credentials-token:sub=me")


def test_the_same_views_arrive_from_the_jdbc_catalog_behind_it(
    server: Server, told: dict[str, Any]
) -> None:
    assert "ice.eu.west.v_deep" in told
    by_rest = crawled(RestCatalog(RestOptions(uri=server.uri)))
    by_jdbc = crawled(JdbcCatalog(JdbcOptions(url=server.database)))
    assert by_jdbc == by_rest


def test_views_of_spark_arrive_from_a_metastore_as_hive_and_as_iceberg(
    metastore: EmbeddedMetastore, pyspark_bin: Path
) -> None:
    told = told_by_spark(pyspark_bin, "hive", metastore.uri, metastore.warehouse)
    options = HmsOptions(
        uri=metastore.uri, include=("ice",), locations=(metastore.warehouse.as_uri(),)
    )
    as_iceberg, as_hive = crawled(IcebergHive(options)), crawled(HiveMetastore(options))
    assert as_iceberg == as_hive
    assert as_iceberg.keys() == told.keys()
    for name, wanted in told.items():
        assert_as_told(as_iceberg[name], wanted)
