-- Flink 1.20.5 makes a table and views in its Hive catalog, on a Hive Metastore 2.3.10.
-- Needs: Flink with flink-sql-connector-hive, a hive-site.xml; `${HIVE_CONF}` is its folder.
-- Run: sql-client.sh embedded -f flink_views.sql; the entries are then read over Thrift.

CREATE CATALOG hc WITH ('type'='hive','hive-conf-dir'='${HIVE_CONF}');
USE CATALOG hc;
CREATE DATABASE IF NOT EXISTS fl;
USE fl;
CREATE TABLE IF NOT EXISTS src (id BIGINT NOT NULL, name STRING, amt DECIMAL(10,2), ts TIMESTAMP(3), ltz TIMESTAMP_LTZ(6), tags ARRAY<STRING>, m MAP<STRING,INT>, r ROW<a INT, b STRING>, WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector'='datagen');
CREATE VIEW v_plain COMMENT 'a flink view' AS SELECT id, name FROM src WHERE amt > 1;
CREATE VIEW v_cols (a, `B Upper`) COMMENT 'cols' AS SELECT id, name FROM hc.fl.src;
