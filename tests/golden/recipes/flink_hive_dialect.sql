-- Flink 1.20.5 in Hive's dialect: tables and views that are Hive's in the metastore, too.
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
CREATE TABLE IF NOT EXISTS `order` (`date` STRING, `user` STRING);
CREATE VIEW v_whole AS SELECT * FROM flh.`order`;
CREATE VIEW v_named(a, b) AS SELECT id, name FROM flh.ht;
CREATE VIEW v_cte AS WITH c AS (SELECT id FROM flh.ht) SELECT id FROM c;
CREATE VIEW v_lv AS SELECT id, x FROM flh.ht LATERAL VIEW explode(split(name, ',')) t AS x;
