"""Views that Spark itself makes, against what Spark itself says of them."""

import json
from collections.abc import Callable
from typing import Any

from pyspark.sql import SparkSession

from connectors.hms import HiveMetastore, Options
from discovery import wire
from discovery.crawl import normalize
from discovery.model import DataType, View
from discovery.outcomes import Listed, RawObject
from discovery.ports import CrawlTask
from jobs.configuration.loader import RunConfig
from jobs.embedded.metastore import EmbeddedMetastore

Estate = Callable[..., RunConfig]

TYPES = {  # what DESCRIBE says: what the standard model should say
    "boolean": "boolean",
    "tinyint": "byte",
    "smallint": "short",
    "int": "integer",
    "bigint": "long",
    "float": "float",
    "double": "double",
    "decimal(38,18)": "decimal(38,18)",
    "string": "string",
    "char(7)": "char(7)",
    "varchar(12)": "varchar(12)",
    "binary": "binary",
    "date": "date",
    "timestamp": "timestamp_tz",
    "timestamp_ntz": "timestamp",
    "time(6)": "time(6)",
    "void": "null",
    "variant": {"type": "external", "catalogString": "variant"},
    "interval day to second": {"type": "external", "catalogString": "interval day to second"},
    "string collate UNICODE_CI": {
        "type": "external",
        "catalogString": "string collate UNICODE_CI",
    },
    "array<varchar(3)>": {"type": "list", "containsNull": True, "elementType": "varchar(3)"},
    "map<string,array<decimal(5,1)>>": {
        "type": "map",
        "valueContainsNull": True,
        "keyType": "string",
        "valueType": {"type": "list", "containsNull": True, "elementType": "decimal(5,1)"},
    },
    "struct<a:int,B c:string>": {
        "type": "struct",
        "fields": [
            {"name": "a", "type": "integer", "nullable": True, "comment": "inner"},
            {"name": "B c", "type": "string", "nullable": True},
        ],
    },
}

TABLE = """
CREATE TABLE engine.alltypes (b BOOLEAN, ti TINYINT, si SMALLINT, i INT, bi BIGINT COMMENT 'the id',
  f FLOAT, dbl DOUBLE, dec DECIMAL(38,18), s STRING, c CHAR(7), v VARCHAR(12), bin BINARY, d DATE,
  ts TIMESTAMP, ntz TIMESTAMP_NTZ, st STRUCT<a: INT COMMENT 'inner', `B c`: STRING>,
  av ARRAY<VARCHAR(3)>, mp MAP<STRING, ARRAY<DECIMAL(5,1)>>) USING parquet
"""
VIEWS = {
    "v_all": "SELECT * FROM alltypes",
    "v_made": "SELECT NULL AS n, parse_json('1') AS j, ts - ts AS diff, TIME'12:00:00' AS t,"
    " s COLLATE UNICODE_CI AS ci FROM alltypes",
    "v_names": "SELECT bi AS `Größe 🐝`, s AS `Select`, count(*) OVER () AS `N` FROM alltypes",
    "v_on_view": "WITH a AS (SELECT * FROM v_all) /* kept */ SELECT bi, ntz FROM a",
    "v_wide": "SELECT "
    + ", ".join(f"bi AS a_rather_long_column_name_{n:04d}" for n in range(150))
    + " FROM alltypes",
}


def json_of(kind: DataType) -> Any:
    return json.loads(wire.type_text(kind))


def decoded(metastore: EmbeddedMetastore, name: str) -> View:
    with HiveMetastore(Options(uri=metastore.uri)) as source:
        task = CrawlTask("s", (Listed(("engine",), name.lower()),))
        (answer,) = source.load(task)
    assert isinstance(answer, RawObject)
    outcome = normalize(answer)
    assert isinstance(outcome.result, View), outcome.result
    assert outcome.format == "spark"
    return outcome.result


def described(spark: SparkSession, name: str) -> list[tuple[str, Any, str | None]]:
    rows = spark.sql(f"DESCRIBE engine.{name}").collect()
    return [(row["col_name"], TYPES[row["data_type"]], row["comment"]) for row in rows]


def test_columns_are_what_spark_describes(
    spark: SparkSession, metastore: EmbeddedMetastore
) -> None:
    spark.sql("CREATE DATABASE IF NOT EXISTS engine")
    spark.sql("USE engine")
    spark.sql(TABLE)
    met = set()
    for name, query in VIEWS.items():
        spark.sql(f"CREATE VIEW engine.{name} AS {query}")
        view = decoded(metastore, name)
        ours = [(column.name, json_of(column.type), column.comment) for column in view.columns]
        assert ours == described(spark, name)
        if name != "v_made":  # Spark 4.3 stores TIME and does not select it
            wanted = spark.table(f"engine.{name}").schema
            assert [column.nullable for column in view.columns] == [
                struct_field.nullable for struct_field in wanted
            ]
        assert [
            (representation.dialect, representation.sql) for representation in view.representations
        ] == [("spark", query)]
        met |= {row["data_type"] for row in spark.sql(f"DESCRIBE engine.{name}").collect()}
    assert met == TYPES.keys(), "every type has been asked of Spark"


def test_context_comment_settings_and_properties(
    spark: SparkSession, metastore: EmbeddedMetastore
) -> None:
    spark.sql("CREATE DATABASE IF NOT EXISTS engine")
    spark.sql("CREATE DATABASE IF NOT EXISTS elsewhere")
    spark.sql("CREATE TABLE IF NOT EXISTS elsewhere.t (x INT) USING parquet")
    spark.sql("USE elsewhere")
    spark.conf.set("spark.sql.ansi.enabled", "false")
    spark.sql(
        "CREATE VIEW engine.v_context (y COMMENT 'why') COMMENT 'Ümläut 漢字 🐝'"
        " TBLPROPERTIES ('k.with.dots'='v') AS SELECT x FROM t"
    )
    spark.conf.unset("spark.sql.ansi.enabled")
    spark.sql("USE default")
    view = decoded(metastore, "v_context")
    (representation,) = view.representations
    assert representation.default_catalog == "spark_catalog"
    assert representation.default_schema == "elsewhere"
    assert view.comment == "Ümläut 漢字 🐝"
    assert [(column.name, column.comment) for column in view.columns] == [("y", "why")]
    properties = dict(view.properties)
    assert properties["k.with.dots"] == "v"
    assert properties["view.sqlConfig.spark.sql.ansi.enabled"] == "false"
    assert view.security is None
