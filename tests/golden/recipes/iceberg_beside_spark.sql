-- Spark 4.1.4 with Iceberg 1.12.0: Iceberg's and the session catalog's entries in one database.
-- Needs: the runtime jar of Iceberg for Spark, and a metastore, embedded or not; the extensions
-- of Iceberg; the catalog as org.apache.iceberg.spark.SparkCatalog of type hive. A metastore on
-- Derby has no lock tables: iceberg.engine.hive.lock-enabled=false, or commits hang.
-- Run: spark-sql -f iceberg_beside_spark.sql with the catalog `ice`. v_wide has 300 columns:
-- event_id AS a_rather_long_column_name_number_0000 and so on, as its golden file's text shows.

CREATE NAMESPACE ice.icedb;
USE ice.icedb;
CREATE TABLE events (event_id BIGINT, event_ts TIMESTAMP, tags MAP<STRING,STRING>, pos STRUCT<x: DOUBLE, y: DOUBLE>, amt DECIMAL(12,3), ntz TIMESTAMP_NTZ) USING iceberg;
CREATE VIEW v_all AS SELECT * FROM events;
USE spark_catalog.icedb;
CREATE TABLE spark_catalog.icedb.plain (x INT) USING parquet;
CREATE VIEW spark_catalog.icedb.v_session AS SELECT x FROM spark_catalog.icedb.plain;
