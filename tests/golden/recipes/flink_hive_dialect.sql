-- Flink 1.20.5 in Hive's dialect: a table and a view that are Hive's in the metastore, too.
-- Needs: as flink_views.sql, with the planner that the Hive dialect asks for.
-- Run: sql-client.sh embedded -f flink_hive_dialect.sql; the entries are then read over Thrift.

CREATE CATALOG hc WITH ('type'='hive','hive-conf-dir'='${HIVE_CONF}','hive-version'='2.3.10');
LOAD MODULE hive WITH ('hive-version'='2.3.9');
USE CATALOG hc;
SET table.sql-dialect=hive;
CREATE DATABASE IF NOT EXISTS flh;
USE flh;
CREATE TABLE IF NOT EXISTS ht (id BIGINT, name STRING);
CREATE VIEW v_hd COMMENT 'flink hive dialect' TBLPROPERTIES('k'='v') AS SELECT id, name FROM ht WHERE id > 1;
