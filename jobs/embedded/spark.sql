-- Views that Spark itself makes in the metastore of the demo; the last statement breaks one of them.
-- The table `orders` has the columns of that which the recorded views of Trino read: they read this one.
CREATE DATABASE IF NOT EXISTS sales COMMENT 'what was sold';
USE sales;
CREATE TABLE orders (id BIGINT COMMENT 'the id', cust STRING, amt DECIMAL(12,2),
  tags ARRAY<STRING>, attrs MAP<STRING, INT>, pos STRUCT<x: DOUBLE, y: DOUBLE>, ts TIMESTAMP, d DATE)
  USING parquet;
INSERT INTO orders VALUES
  (1, 'Ada', 0.99, array('small'), map(), NULL, TIMESTAMP '2026-03-01 09:30:00', DATE '2026-03-01'),
  (2, 'Bo', 1200.00, array('big', 'new'), map('pages', 2), named_struct('x', 1.5D, 'y', -2D),
    TIMESTAMP '2026-03-04 18:00:00', DATE '2026-03-04'),
  (3, NULL, 75.50, NULL, NULL, named_struct('x', 0D, 'y', NULL), NULL, NULL);
CREATE TABLE customers (id BIGINT, name STRING, country CHAR(2)) USING parquet;
CREATE TABLE returns (id BIGINT, reason VARCHAR(40)) USING parquet;
CREATE VIEW big_orders COMMENT 'orders over a thousand' TBLPROPERTIES ('team' = 'sales') AS
  SELECT id, cust, amt FROM orders WHERE amt > 1000;
CREATE VIEW orders_by_day (day, `number of orders`, total COMMENT 'in euro') AS
  SELECT d, count(*) AS n, sum(amt) AS t FROM orders GROUP BY d;
CREATE VIEW tagged AS SELECT id, tag FROM orders LATERAL VIEW explode(tags) t AS tag;
CREATE VIEW waiting AS SELECT id, current_timestamp() - ts AS waiting FROM orders;
CREATE VIEW qualified AS
  SELECT o.id, c.name, c.country FROM sales.orders o JOIN sales.customers c ON o.cust = c.name;
CREATE VIEW on_a_lost_table AS SELECT id, reason FROM returns;
CREATE VIEW step_01 AS SELECT * FROM orders WHERE id > 1;
CREATE VIEW step_02 AS SELECT * FROM step_01 WHERE id > 2;
CREATE VIEW step_03 AS SELECT * FROM step_02 WHERE id > 3;
CREATE VIEW step_04 AS SELECT * FROM step_03 WHERE id > 4;
CREATE VIEW step_05 AS SELECT * FROM step_04 WHERE id > 5;
CREATE VIEW step_06 AS SELECT * FROM step_05 WHERE id > 6;
CREATE VIEW step_07 AS SELECT * FROM step_06 WHERE id > 7;
CREATE VIEW step_08 AS SELECT * FROM step_07 WHERE id > 8;
DROP TABLE returns;
USE default;
