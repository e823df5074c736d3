"""Spark 4.3.0 makes tables and views in a Hive Metastore 2.3.10; both come with PySpark.

`make golden` runs it: an embedded metastore, and a session whose own catalog that is.
"""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from connectors.hms import HiveMetastore, Options
from discovery.model import Identifier
from discovery.outcomes import RawObject
from jobs.console.session import spark_session
from jobs.embedded.metastore import embedded_metastore
from tests.golden.recipes.rebuilt import Described, Rebuilt

_WIDE: Final = ", ".join(
    f"id AS a_rather_long_column_name_number_{number:04d}" for number in range(150)
)
_TABLES: Final = (
    "CREATE DATABASE spark43",
    "USE spark43",
    (
        "CREATE TABLE orders (id BIGINT COMMENT 'the id', name STRING, price DECIMAL(10,2), d DATE,"
        " ts TIMESTAMP) USING parquet"
    ),
    "CREATE TABLE orders_hive (id INT, name STRING) STORED AS PARQUET",
    (
        "CREATE TABLE alltypes (b BOOLEAN, ti TINYINT, si SMALLINT, i INT, bi BIGINT, f FLOAT,"
        " dbl DOUBLE, dec DECIMAL(38,18), s STRING, c CHAR(7), v VARCHAR(12), bin BINARY, d DATE,"
        " ts TIMESTAMP, ntz TIMESTAMP_NTZ, st STRUCT<a: INT COMMENT 'inner', `B c`: STRING>,"
        " ar ARRAY<STRUCT<x: INT>>, mp MAP<STRING, ARRAY<DECIMAL(5,1)>>) USING parquet"
    ),
)
_VIEWS: Final = (
    "CREATE VIEW v_simple AS SELECT id, name FROM orders",
    (
        "CREATE VIEW v_alias (order_id COMMENT 'renamed id', label) COMMENT 'a view comment'"
        " TBLPROPERTIES ('team'='x', 'k.with.dots'='y') AS SELECT id, name FROM orders"
    ),
    "CREATE VIEW v_star AS SELECT * FROM orders",
    "CREATE VIEW v_alltypes AS SELECT * FROM alltypes",
    (
        "CREATE VIEW v_interval AS SELECT INTERVAL '1' DAY AS di, INTERVAL '2' YEAR AS ym,"
        " ts - ts AS diff FROM orders"
    ),
    "CREATE VIEW v_nested AS SELECT v.id, v.name, o.price FROM v_simple v JOIN orders o USING (id)",
    (
        "CREATE VIEW v_cte AS WITH a AS (SELECT id FROM orders) /* comment */"
        " SELECT * FROM a -- tail\n"
    ),
    "CREATE VIEW v_hive_src AS SELECT * FROM orders_hive",
    (
        "CREATE VIEW v_date AS SELECT date_trunc('month', ts) m, count(*) c, sum(price) AS s"
        " FROM orders WHERE d > DATE'2020-01-01' GROUP BY 1"
    ),
    f"CREATE VIEW v_wide AS SELECT {_WIDE} FROM orders",
    "SET spark.sql.ansi.enabled=false",
    "SET spark.sql.session.timeZone=Asia/Tokyo",
    "SET spark.sql.caseSensitive=true",
    "CREATE VIEW v_conf AS SELECT CAST(name AS INT) AS x, ts FROM orders",
    "RESET spark.sql.ansi.enabled",
    "RESET spark.sql.session.timeZone",
    "RESET spark.sql.caseSensitive",
    "CREATE VIEW v_schema_binding WITH SCHEMA BINDING AS SELECT id, name FROM orders",
    "CREATE VIEW v_schema_compensation WITH SCHEMA COMPENSATION AS SELECT id, name FROM orders",
    "CREATE VIEW v_schema_type_evolution WITH SCHEMA TYPE EVOLUTION AS SELECT id, name FROM orders",
    (
        "CREATE VIEW v_metric (region COMMENT 'dim', total COMMENT 'm') WITH METRICS LANGUAGE YAML"
        " COMMENT 'a metric view' AS\n$$\nversion: \"0.1\"\nsource: SELECT id, name, price FROM"
        " spark43.orders\nfilter: id > 0\ndimensions:\n  - name: region\n    expr: name\n"
        "measures:\n"
        "  - name: total\n    expr: SUM(price)\n$$"
    ),
    "CREATE OR REPLACE FUNCTION plus1(x INT) RETURNS INT RETURN x + 1",
    "CREATE VIEW v_udf AS SELECT plus1(CAST(id AS INT)) AS y FROM orders",
    "CREATE VIEW v_altered AS SELECT id FROM orders",
    "ALTER VIEW v_altered AS SELECT id, name, price FROM orders",
    "ALTER VIEW v_altered SET TBLPROPERTIES ('owner_team'='qa')",
    "CREATE TABLE gone (x INT) USING parquet",
    "CREATE VIEW v_broken AS SELECT x FROM gone",
    "DROP TABLE gone",
)
_IN_DEFAULT: Final = (
    "USE default",
    "SET spark.sql.timestampNanosTypes.enabled=true",
    (
        "CREATE TABLE t (c char(5) collate UTF8_LCASE comment 'code', v varchar(7)"
        " collate UNICODE_CI, p char(2), a array<varchar(3)>) USING parquet"
    ),
    "CREATE VIEW v_collated_sizes AS select c, v, p, a from t",
    (
        "CREATE VIEW v_empty_struct AS select struct() s, array(struct()) t, map('a', struct()) m,"
        " named_struct('in', struct()) n"
    ),
    (
        "CREATE VIEW v_nanos AS select cast('2020-01-01' as timestamp_ntz(9)) a,"
        " cast('2020-01-01' as timestamp(7)) b,"
        " cast('2020-01-01' as timestamp_ltz) c, time'10:00:00' t"
    ),
)
_IN_SP: Final = (
    "CREATE DATABASE sp",
    "USE sp",
    (
        "CREATE TABLE sp.t (id bigint comment 'pk', name string, amt decimal(10,2),"
        " tags array<string>, m map<string,int>, s struct<a:int,b:string>, ts timestamp, dt date)"
        " USING parquet"
    ),
    (
        "create or replace view sp.v_simple comment 'a spark view' tblproperties('k'='v') as"
        " select id, name from t where amt > 1"
    ),
    (
        "create or replace view sp.v_cols (a comment 'col a', B_Upper, tags) as"
        " select id, name, tags from sp.t"
    ),
)


def rebuild(folder: Path) -> Iterator[Rebuilt]:
    """Every table and view of the recipe as the metastore has it, and what Spark says of it."""
    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL)  # a view is broken
    with embedded_metastore(folder) as metastore:
        settings = {
            "spark.master": "local[1]",
            "spark.hadoop.hive.metastore.uris": metastore.uri,
            "spark.sql.catalogImplementation": "hive",
            "spark.sql.session.timeZone": "Etc/UTC",
            "spark.sql.warehouse.dir": metastore.warehouse.as_uri(),
        }
        session = spark_session("golden", settings)
        try:
            for statement in (*_TABLES, *_VIEWS, *_IN_SP, *_IN_DEFAULT):
                session.sql(statement).collect()
            yield from _made(session, metastore.uri)
        finally:
            session.stop()


def _made(session: SparkSession, uri: str) -> Iterator[Rebuilt]:
    names = [
        Identifier((database,), row.tableName)
        for database in ("spark43", "sp", "default")
        for row in session.sql(f"SHOW TABLES IN {database}").collect()
    ]
    source = HiveMetastore(Options(uri=uri))
    try:
        for answer in source.load_tables(names):
            if isinstance(answer, RawObject):
                payload = dict(answer.payload)
                place = (str(payload["dbName"]), str(payload["tableName"]))
                yield Rebuilt(place, payload, _described(session, ".".join(place)))
    finally:
        source.close()


def _described(session: SparkSession, name: str) -> tuple[Described, ...]:
    """What DESCRIBE says, and whether the query gives NULLs; a broken view's cannot be asked."""
    try:
        fields = session.table(name).schema.fields
        nullable = {field.name: field.nullable for field in fields}
    except PySparkException:
        nullable = {}
    rows = session.sql(f"DESCRIBE TABLE {name}").collect()
    return tuple(
        Described(row.col_name, row.data_type, row.comment, nullable.get(row.col_name))
        for row in rows
    )
