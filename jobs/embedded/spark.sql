-- Views that Spark itself makes in the metastore of the demo; the last statement breaks one of them.
CREATE DATABASE IF NOT EXISTS sales COMMENT 'what was sold';
USE sales;
CREATE TABLE orders (id BIGINT COMMENT 'the id', customer STRING, amount DECIMAL(12,2),
  placed TIMESTAMP, day DATE, tags ARRAY<STRING>) USING parquet;
CREATE TABLE customers (id BIGINT, name STRING, country CHAR(2)) USING parquet;
CREATE TABLE returns (id BIGINT, reason VARCHAR(40)) USING parquet;
CREATE VIEW big_orders COMMENT 'orders over a thousand' TBLPROPERTIES ('team' = 'sales') AS
  SELECT id, customer, amount FROM orders WHERE amount > 1000;
CREATE VIEW orders_by_day (day, `number of orders`, total COMMENT 'in euro') AS
  SELECT day, count(*) AS n, sum(amount) AS t FROM orders GROUP BY day;
CREATE VIEW tagged AS SELECT id, tag FROM orders LATERAL VIEW explode(tags) t AS tag;
CREATE VIEW waiting AS SELECT id, current_timestamp() - placed AS waiting FROM orders;
CREATE VIEW qualified AS
  SELECT o.id, c.name, c.country FROM sales.orders o JOIN sales.customers c ON o.customer = c.name;
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
