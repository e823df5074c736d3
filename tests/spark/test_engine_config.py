"""What `belvedere engine-config` prints for Spark, used by a Spark that knows nothing else."""

import os
import subprocess
import sys
from pathlib import Path

import pyspark

from jobs.embedded.metastore import EmbeddedMetastore
from jobs.embedded.thrift_writer import Writer

REPOSITORY = Path(__file__).parents[2]
READ = """
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
print("VIEW", spark.table("seen_by_spark.v").first().x)
"""


def test_spark_sees_the_metastore_with_the_properties_as_printed(
    metastore: EmbeddedMetastore, hms: Writer, tmp_path: Path
) -> None:
    hms.create_database("seen_by_spark", (tmp_path / "db").as_uri())
    view = {
        "dbName": "seen_by_spark",
        "tableName": "v",
        "tableType": "VIRTUAL_VIEW",
        "viewOriginalText": "select 42 as x",
        "viewExpandedText": "select 42 as `x`",
        "sd": {"cols": [{"name": "x", "type": "int"}], "serdeInfo": {"parameters": {}}},
    }
    hms.create_table(view)
    estate, properties, script = (
        tmp_path / name for name in ("estate.yaml", "spark.conf", "read.py")
    )
    estate.write_text(
        f"warehouse: w\nsources: {{lake: {{kind: hms, uri: '{metastore.uri}'}}}}", encoding="utf-8"
    )
    script.write_text(READ, encoding="utf-8")
    command = ["-m", "jobs.cli", "engine-config", "--config", str(estate), "--source", "lake"]
    printed = subprocess.run(
        [sys.executable, *command, "--engine", "spark"],
        capture_output=True,
        text=True,
        check=True,
        cwd=REPOSITORY,
    )
    properties.write_text(printed.stdout, encoding="utf-8")
    submit = Path(sys.executable).parent / "spark-submit"
    done = subprocess.run(
        [submit, "--properties-file", properties, script],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_HOME": pyspark.__path__[0]},
        timeout=240,
    )
    assert "VIEW 42" in done.stdout, done.stderr[-2000:]
    assert "ENGINE_BLIND" in printed.stderr
