"""A synthetic estate for the benches: views of four engines, each text distinct, of some 4.5 KB."""

import base64
import csv
import hashlib
import json
import os
import random
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from jobs.embedded.metastore import EmbeddedMetastore

DATABASES = 100
ENGINES = ("spark", "spark", "hive", "trino", "flink")
TYPES = {  # Hive's name: Spark's JSON, Trino's and Flink's name
    "bigint": ("long", "bigint", "BIGINT NOT NULL"),
    "string": ("string", "varchar", "VARCHAR(2147483647)"),
    "decimal(18,4)": ("decimal(18,4)", "decimal(18,4)", "DECIMAL(18, 4)"),
    "timestamp": ("timestamp", "timestamp(3)", "TIMESTAMP(3)"),
    "date": ("date", "date", "DATE"),
    "double": ("double", "double", "DOUBLE"),
    "array<string>": (
        {"type": "array", "elementType": "string", "containsNull": True},
        "array(varchar)",
        "ARRAY<VARCHAR(2147483647)>",
    ),
    "struct<a:int,b:string>": (
        {
            "type": "struct",
            "fields": [
                {"name": "a", "type": "integer", "nullable": True, "metadata": {}},
                {"name": "b", "type": "string", "nullable": True, "metadata": {}},
            ],
        },
        'row("a" integer,"b" varchar)',
        "ROW<`a` INT, `b` VARCHAR(2147483647)>",
    ),
}
PART = 4_000  # Spark cuts longer properties


def view(number: int) -> dict[str, Any]:
    """The entry of a view: the same number, the same entry."""
    chance = random.Random(number)  # noqa: S311 - data, not a secret
    database, engine = f"db_{number % DATABASES:03d}", ENGINES[number % len(ENGINES)]
    columns = [
        (f"column_{index}_{chance.randint(0, 99)}", chance.choice(list(TYPES)))
        for index in range(chance.randint(4, 40))
    ]
    selected = ",\n  ".join(f"t.{name} AS {name}" for name, _ in columns)
    first = columns[0][0]
    sql = (
        f"SELECT {selected}\nFROM base_{number} t JOIN other_{number} o ON t.{first} = o.id\n"
        f"WHERE t.{columns[1][0]} IS NOT NULL -- view {number}"
    )
    parameters, original, expanded, shown = _written_by(engine, columns, sql, database)
    return {
        "tableName": f"v_{engine}_{number:06d}",
        "dbName": database,
        "owner": "bench",
        "createTime": 1_795_210_279,
        "sd": {
            "cols": [{"name": name, "type": kind} for name, kind in shown],
            "inputFormat": "org.apache.hadoop.mapred.SequenceFileInputFormat",
            "outputFormat": "org.apache.hadoop.hive.ql.io.HiveSequenceFileOutputFormat",
            "compressed": False,
            "numBuckets": -1,
            "serdeInfo": {"parameters": {"serialization.format": "1"}},
        },
        "partitionKeys": [],
        "parameters": {"transient_lastDdlTime": "1795210279", **parameters},
        "viewOriginalText": original,
        "viewExpandedText": expanded,
        "tableType": "VIRTUAL_VIEW",
    }


def _written_by(
    engine: str, columns: list[tuple[str, str]], sql: str, database: str
) -> tuple[dict[str, str], str, str, list[tuple[str, str]]]:
    """Parameters, both texts and the entry's own columns, as the engine would write them."""
    if engine == "spark":
        return _spark(columns, database), sql, sql, columns
    if engine == "trino":
        listed = [{"name": name, "type": TYPES[kind][1]} for name, kind in columns]
        blob = {
            "originalSql": sql,
            "catalog": "hive",
            "schema": database,
            "columns": listed,
            "owner": "bench",
            "runAsInvoker": False,
            "path": [],
        }
        text = base64.b64encode(json.dumps(blob).encode()).decode()
        parameters = {"presto_view": "true", "comment": "Presto View", "trino_version": "476"}
        return parameters, f"/* Presto View: {text} */", "/* Presto View */", [("dummy", "string")]
    if engine == "flink":
        parameters = {"is_generic": "true"}
        for index, (name, kind) in enumerate(columns):
            parameters[f"flink.schema.{index}.name"] = name
            parameters[f"flink.schema.{index}.data-type"] = TYPES[kind][2]
        return parameters, sql, sql, []
    return {"comment": "a view"}, sql, sql, columns


def _spark(columns: list[tuple[str, str]], database: str) -> dict[str, str]:
    fields = [
        {"name": name, "type": TYPES[kind][0], "nullable": True, "metadata": {}}
        for name, kind in columns
    ]
    schema = json.dumps({"type": "struct", "fields": fields}, separators=(",", ":"))
    parameters = {
        "spark.sql.create.version": "4.3.0",
        "view.catalogAndNamespace.numParts": "2",
        "view.catalogAndNamespace.part.0": "spark_catalog",
        "view.catalogAndNamespace.part.1": database,
        "view.query.out.numCols": str(len(columns)),
        "view.schemaMode": "COMPENSATION",
        "view.sqlConfig.spark.sql.ansi.enabled": "true",
    }
    parameters |= {f"view.query.out.col.{index}": name for index, (name, _) in enumerate(columns)}
    if len(schema) <= PART:
        return parameters | {"spark.sql.sources.schema": schema}
    parts = [schema[start : start + PART] for start in range(0, len(schema), PART)]
    parameters["spark.sql.sources.schema.numParts"] = str(len(parts))
    return parameters | {f"spark.sql.sources.schema.part.{n}": part for n, part in enumerate(parts)}


def cache(name: str) -> Path:
    """A folder that later benches find again; its name changes with this file."""
    version = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:12]
    place = os.environ.get("BELVEDERE_BENCH_CACHE") or f"{tempfile.gettempdir()}/belvedere-bench"
    folder = Path(place) / f"{name}-{version}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def fill(metastore: EmbeddedMetastore, count: int, scratch: Path) -> None:
    """Put views into the metastore's own tables by SQL: bulk import of files."""
    files = {
        name: (scratch / f"{name}.csv").open("w", newline="", encoding="utf-8") for name in _ROWS
    }
    for database in range(DATABASES):
        name = f"db_{database:03d}"
        csv.writer(files["DBS"]).writerow(
            (1_000 + database, "", f"file:/{name}", name, "o", "USER")
        )
    for number in range(count):
        for table, rows in _rows(number + 1_000_000, view(number)):
            csv.writer(files[table]).writerows(rows)
    for name, file in files.items():
        file.close()
        place = f"'APP', '{name}', '{file.name}', ',', '\"', 'UTF-8', 0"
        metastore.update(f"CALL SYSCS_UTIL.SYSCS_IMPORT_TABLE({place})")


def rows(count: int) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of views, by the tables of a metastore, in the order of their columns."""
    found: dict[str, list[tuple[Any, ...]]] = {name: [] for name in _ROWS}
    found["DBS"] = [
        (1_000 + number, "", f"file:/db_{number:03d}", f"db_{number:03d}", "o", "USER")
        for number in range(DATABASES)
    ]
    for number in range(count):
        for table, some in _rows(number + 1_000_000, view(number)):
            found[table] += some
    return found


_ROWS = ("DBS", "CDS", "SERDES", "SERDE_PARAMS", "SDS", "COLUMNS_V2", "TBLS", "TABLE_PARAMS")


def _rows(key: int, entry: dict[str, Any]) -> Iterator[tuple[str, Iterable[tuple[Any, ...]]]]:
    descriptor = entry["sd"]
    yield "CDS", [(key,)]
    yield "SERDES", [(key, "", "")]
    yield "SERDE_PARAMS", [(key, "serialization.format", "1")]
    formats = (descriptor["inputFormat"], "N", "N", "", -1, descriptor["outputFormat"])
    yield "SDS", [(key, key, *formats, key)]
    yield (
        "COLUMNS_V2",
        (
            (key, "", column["name"], column["type"], n)
            for n, column in enumerate(descriptor["cols"])
        ),
    )
    database = 1_000 + int(entry["dbName"][3:])
    texts = entry["viewExpandedText"], entry["viewOriginalText"]
    created = entry["createTime"], database, 0, entry["owner"], 0, "N", key
    yield "TBLS", [(key, *created, entry["tableName"], entry["tableType"], *texts)]
    yield "TABLE_PARAMS", ((key, name, value) for name, value in entry["parameters"].items())
