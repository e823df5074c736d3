"""The documented line, on a real standalone cluster: a master and two workers of PySpark's jars."""

import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from jobs import demo
from jobs.assessing.tables import VERDICTS
from jobs.crawling import tables as rows
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.embedded.postgres import EmbeddedPostgreSQL
from jobs.warehouse.warehouse import Warehouse
from tests.live.submitting import (
    COMMAND,
    REPOSITORY,
    SPARK_HOME,
    daemon,
    documented,
    object_of,
    submitted,
    told,
)

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(1800)]

PROBE = """
import json, sys
import pyarrow as pa
from pyspark.sql import SparkSession

def look(batches):
    import importlib, os, psycopg, sys, time
    modules = ["discovery", "orjson.orjson", "psycopg_binary.pq", "pyarrow.lib"]
    modules.append("thrift.protocol.fastbinary")
    for batch in batches:
        time.sleep(2)  # long enough for the other executor to take the other partition
        places = {name: importlib.import_module(name).__file__ for name in modules}
        places["python"], places["folder"] = sys.executable, os.getcwd()
        yield pa.RecordBatch.from_pydict({"told": [json.dumps(places)]})

spark = SparkSession.builder.getOrCreate()
rows = spark.range(4, numPartitions=4).mapInArrow(look, "told string").collect()
print(json.dumps({"rows": [json.loads(row["told"]) for row in rows]}))
sys.exit(3)
"""


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a master with two workers of one core each, all on loopback."""
    place = tmp_path_factory.mktemp("cluster")
    here = ("--host", "127.0.0.1", "--webui-port", "0")
    spark, package = str(SPARK_HOME / "bin" / "spark-class"), "org.apache.spark.deploy"
    with ExitStack() as stack:
        log = place / "master.log"
        stack.enter_context(daemon(log, [spark, f"{package}.master.Master", *here, "--port", "0"]))
        url = told(log, r"Starting Spark master at (spark://\S+)")
        for number in (1, 2):
            log = place / f"worker{number}.log"
            size = ("--cores", "1", "--memory", "1g", "--work-dir", str(place / f"work{number}"))
            stack.enter_context(daemon(log, [spark, f"{package}.worker.Worker", *here, *size, url]))
            assert told(log, r"(Successfully registered) with master")
        yield url


@pytest.fixture(scope="module")
def folder(estate_folder: Path) -> Path:
    """Where one submits, with a script that looks around."""
    (estate_folder / "probe.py").write_text(PROBE, encoding="utf-8")
    return estate_folder


def run(folder: Path, master: str, command: str = COMMAND) -> subprocess.CompletedProcess[str]:
    """The line of the page, on this cluster, with another command if one is given."""
    line = documented("The line")
    assert COMMAND in line
    assert "spark://master:7077" in line
    return submitted(folder, line.replace("spark://master:7077", master).replace(COMMAND, command))


def test_the_documented_line_crawls_the_demo_estate(
    folder: Path, master: str, metastore: EmbeddedMetastore, postgresql: EmbeddedPostgreSQL
) -> None:
    done = run(folder, master)
    assert done.returncode == 4, done.stderr
    counts: dict[str, Any] = json.loads(object_of(done.stdout))
    lake, shop = counts["sources"]["lake"], counts["sources"]["shop"]
    assert counts["exit_code"] == 4, "of the objects that are planted as unreadable"
    assert lake["reconciled"]
    assert shop["reconciled"]
    ((there,),) = metastore.query("SELECT COUNT(*) FROM APP.TBLS")
    assert lake["listed"] == int(there or 0) == lake["views"] + lake["failures"] + lake["skipped"]
    assert {*lake["formats"]} == {"flink", "hive", "iceberg", "spark", "trino"}
    warehouse = Warehouse(str(folder / "warehouse"))
    assert warehouse.run(None).run_id == counts["run_id"], "the run is committed"
    assert demo._code_counts(warehouse, counts["run_id"]) == demo._PLANTED
    views = warehouse.table(rows.OUTCOMES, counts["run_id"], where={"outcome": ["view"]})
    assert (
        sum(1 for _ in views) == sum(source["views"] for source in counts["sources"].values()) > 100
    )


def test_all_stages_run_on_the_cluster_and_judges_start_beside_its_executors(
    folder: Path, master: str
) -> None:
    golden = REPOSITORY / "tests" / "golden" / "hms" / "hive401-v_simple.json"
    raw = json.dumps(json.loads(golden.read_text(encoding="utf-8"))["raw"])
    (folder / "one.json").write_text(raw, encoding="utf-8")
    small = "warehouse: small\nsources: {old: {kind: archive, path: one.json}}\n"
    small += "engines: [hive, spark, trino]\n"
    (folder / "small.yaml").write_text(small, encoding="utf-8")
    done = run(folder, master, "jobs/run.py --config small.yaml --run-id one")
    assert done.returncode == 0, done.stdout + done.stderr
    verdicts = list(Warehouse(str(folder / "small")).table(VERDICTS, "one"))
    assert {row["engine"]: row["verdict"] for row in verdicts} == {
        "hive": "accepted",
        "spark": "accepted",
        "trino": "rejected",  # the jars were shipped: it has an opinion on backticks
    }
    assert (folder / "report" / "belvedere.html").is_file()


def test_executors_use_the_archive_and_the_exit_code_comes_through(
    folder: Path, master: str
) -> None:
    done = run(folder, master, "probe.py")
    assert done.returncode == 3, done.stderr
    rows = json.loads(object_of(done.stdout))["rows"]
    assert len({row["folder"] for row in rows}) == 2, "both workers had a part"
    for row in rows:
        home = row.pop("folder")
        assert row.pop("python").startswith(f"{home}/")
        assert row.pop("discovery").endswith("/belvedere.zip/discovery/__init__.py")
        for name, place in row.items():
            assert place.startswith(f"{home}/environment/lib/python3."), name
            assert place.endswith(".so"), f"{name} is compiled"


def test_the_doctor_finds_the_cluster_fit(folder: Path, master: str) -> None:
    done = run(folder, master, "jobs/doctor.py --config estate.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"ok +own modules +in \S+/belvedere\.zip", done.stdout)
    assert f"on {master}, Python workers answer" in done.stdout


def test_a_mistake_in_the_configuration_ends_with_2(folder: Path, master: str) -> None:
    (folder / "bad.yaml").write_text("warehouse: w\nsources: {a: {kind: hm}}\n", encoding="utf-8")
    done = run(folder, master, "jobs/crawl.py --config bad.yaml")
    assert done.returncode == 2, done.stderr
    assert "bad.yaml:2:15: kind 'hm' is unknown" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
