"""What `belvedere engine-config` prints, as it is, used by the real Trino 476 and Spark 4.1.4.

Both then show the views that belvedere crawls: Trino those of a metastore and of an Iceberg catalog
by REST and by JDBC, Spark those of the Iceberg catalog (tests/spark has Spark on a metastore).
Fetches, once: Trino (820 MB) and Iceberg's REST test server from Maven, and PySpark into an
environment of its own. Trino wants Java 24 or later.
"""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from discovery import wire
from discovery.datatypes import trino as trino_types
from jobs import engine_config
from jobs.configuration import loader
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.embedded.thrift_writer import Writer
from tests.conftest import hive_entry
from tests.live import trino_server
from tests.live.conftest import Server, TrinoHome
from tests.live.crawled import crawled
from tests.live.iceberg.pyiceberg_views import make_contract
from tests.live.trino_server import Trino

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(1_800)]
RUNTIME = "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0"
SPARK = """
import json, sys
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
found = {}
for (space,) in spark.sql(f"show namespaces in {sys.argv[1]}").collect():
    for row in spark.sql(f"show views in {sys.argv[1]}.{space}").collect():
        found[f"{space}.{row.viewName}"] = row.isTemporary
for view in ("contract.v_one", "contract.v_two"):
    found[view] = [list(one) for one in spark.table(f"{sys.argv[1]}.{view}").collect()]
print(json.dumps(found))
"""
BY_TRINO = """
SELECT 42 AS x, 'it''s' AS "N n", CAST(1.5 AS decimal(5, 2)) d, ARRAY[1] a,
    CAST(ROW(1, 'x') AS row(a integer, b varchar)) r, CAST(NULL AS timestamp(6)) ts
"""


class Estate:
    """A metastore, and one Iceberg catalog by REST and by JDBC, as sources."""

    def __init__(self, folder: Path, uri: str, server: Server) -> None:
        io = {"warehouse": (server.folder / "warehouse").as_uri()}
        jdbc = {"kind": "iceberg-jdbc", "url": server.database, "catalog": "prod", "io": io}
        sources = {
            "lake": {"kind": "hms", "uri": uri, "include": ["engines"]},
            "by_rest": {"kind": "iceberg-rest", "uri": server.uri},
            "by_jdbc": jdbc,
        }
        self.path = folder / "estate.yaml"
        self.path.write_text(json.dumps({"warehouse": "w", "sources": sources}), encoding="utf-8")

    def crawled(self, source: str) -> dict[str, dict[str, Any]]:
        """The views of a source, by dotted name."""
        return crawled(loader.load(self.path).sources[source].source())

    def printed(self, source: str, engine: str, capsys: pytest.CaptureFixture[str]) -> str:
        """What the command prints for an engine."""
        place = ["--config", str(self.path), "--source", source]
        assert engine_config.main([*place, "--engine", engine]) == 0
        return capsys.readouterr().out


@pytest.fixture(scope="module")
def estate(
    tmp_path_factory: pytest.TempPathFactory,
    metastore: EmbeddedMetastore,
    hms: Writer,
    server: Server,
) -> Estate:
    """Views by pyiceberg and by hand; Trino adds its own."""
    folder = tmp_path_factory.mktemp("engines")
    make_contract(server.uri)
    hms.create_database("engines", (folder / "db").as_uri())
    hms.create_table(hive_entry("h", "select 7 as `id`", "engines"))
    return Estate(folder, metastore.uri, server)


@pytest.fixture
def trino(
    estate: Estate, tmp_path: Path, trino_home: TrinoHome, capsys: pytest.CaptureFixture[str]
) -> Iterator[Trino]:
    """Trino with a catalog for each source, as the command prints it."""
    names = ("lake", "by_rest", "by_jdbc")
    catalogs = {name: estate.printed(name, "trino", capsys) for name in names}
    with trino_server.trino(trino_home.home, trino_home.java, tmp_path, catalogs) as running:
        yield running


def shown(trino: Trino, catalog: str) -> set[str]:
    """What Trino lists, without its own schemas."""
    spaces = [one for (one,) in trino.rows(f"SHOW SCHEMAS FROM {catalog}")]
    return {
        f"{space}.{name}"
        for space in spaces
        if space in {"engines", "contract"}
        for (name,) in trino.rows(f"SHOW TABLES FROM {catalog}.{space}")
    }


def test_trino_lists_and_reads_what_is_crawled_and_its_own_views_arrive_as_it_tells_them(
    trino: Trino, estate: Estate
) -> None:
    for catalog in ("by_rest", "by_jdbc", "lake"):
        space = "engines" if catalog == "lake" else "contract"
        own = f"{space}.{catalog}"
        trino.rows(f"CREATE VIEW {catalog}.{own} COMMENT 'ours' SECURITY INVOKER AS {BY_TRINO}")
        views = estate.crawled(catalog)
        assert shown(trino, catalog) - {"contract.t"} == views.keys()
        (row,) = trino.rows(f'SELECT x, "N n", a FROM {catalog}.{own}')
        assert row == [42, "it's", [1]]
        told = trino.rows(f"DESCRIBE {catalog}.{own}")
        columns = [(one[0], json.loads(wire.type_text(trino_types.parse(one[1])))) for one in told]
        assert [
            (column["name"].lower(), column["type"]) for column in views[own]["columns"]
        ] == columns
        ((text,),) = trino.rows(f"SHOW CREATE VIEW {catalog}.{own}")
        (representation,) = views[own]["representations"]
        assert text.endswith(f" AS\n{representation['sql'].rstrip()}"), text
        assert (representation["dialect"], views[own]["comment"]) == ("trino", "ours")
    assert trino.rows("SELECT id FROM lake.engines.h") == [[7]], "Hive's own view"


@pytest.mark.parametrize(("source", "catalog"), [("by_rest", "by_rest"), ("by_jdbc", "prod")])
def test_spark_lists_and_reads_what_is_crawled_from_an_iceberg_catalog(
    estate: Estate,
    source: str,
    catalog: str,
    pyspark_bin: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    properties, script = tmp_path / "spark.conf", tmp_path / "read.py"
    properties.write_text(estate.printed(source, "spark", capsys), encoding="utf-8")
    script.write_text(SPARK, encoding="utf-8")
    packages = f"{RUNTIME},org.xerial:sqlite-jdbc:3.49.1.0"
    command = ["--properties-file", str(properties), "--packages", packages, str(script), catalog]
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("SPARK", "PYSPARK"))}
    path = f"{pyspark_bin}:{os.environ['PATH']}"
    done = subprocess.run(
        [str(pyspark_bin / "spark-submit"), *command],
        capture_output=True,
        text=True,
        check=False,
        env=clean | {"SPARK_LOCAL_IP": "127.0.0.1", "PATH": path},
        cwd=tmp_path,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found.keys() == estate.crawled(source).keys() >= {"contract.v_one", "contract.v_two"}
    assert found["contract.v_one"] == found["contract.v_two"] == [[1]]
