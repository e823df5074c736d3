-- Hive 4.0.1 makes tables, views and a materialized view in a Hive Metastore 4.0.1.
-- Needs: Hive 4.0.1 and Hadoop, or their jars. Run: hive -f hive_views.sql (or beeline).
-- The entries are then read over Thrift.

CREATE DATABASE IF NOT EXISTS hivedb;
USE hivedb;
CREATE TABLE orders (id BIGINT COMMENT 'the id', name STRING, price DECIMAL(10,2), c CHAR(7), v VARCHAR(12), ts TIMESTAMP, st STRUCT<a:INT,`B`:STRING>, ar ARRAY<STRUCT<x:INT>>, mp MAP<STRING,ARRAY<DECIMAL(5,1)>>, u UNIONTYPE<INT,STRING>, bin BINARY, d DATE) PARTITIONED BY (dt STRING) STORED AS ORC;
CREATE VIEW v_simple AS SELECT id, name FROM orders WHERE price > 1;
CREATE VIEW v_alias (order_id COMMENT 'renamed id', label) COMMENT 'a view comment' TBLPROPERTIES ('team'='x') AS SELECT id, upper(name) FROM orders o;
CREATE VIEW v_star AS SELECT * FROM orders;
CREATE VIEW v_part PARTITIONED ON (dt) AS SELECT id, dt FROM orders;
CREATE VIEW v_nested AS SELECT s.id FROM v_simple s;
CREATE VIEW v_alter AS SELECT id FROM orders;
ALTER VIEW v_alter AS SELECT id, name FROM orders;
ALTER VIEW v_alter SET TBLPROPERTIES ('k'='v');
CREATE TABLE small (id INT, name STRING) STORED AS ORC;
CREATE MATERIALIZED VIEW mv_norewrite DISABLE REWRITE COMMENT 'an mv' STORED AS ORC AS SELECT id, name FROM small WHERE id > 1;
