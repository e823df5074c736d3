-- Two tables with edges of every type, in Spark's words: Hive takes no rows of lists and maps.
-- `tm` and `um` are as MySQL has them, where what is true is 1.
CREATE TABLE db.t (
  id INT, i INT, b BIGINT, si SMALLINT, d DOUBLE, f FLOAT, p DECIMAL(10,2),
  s STRING, v VARCHAR(8), n STRING, ds STRING, bo BOOLEAN, dt DATE, ts TIMESTAMP,
  ai ARRAY<INT>, sa ARRAY<STRING>, m MAP<STRING,INT>, st STRUCT<x: INT, y: STRING>
) STORED AS PARQUET;
INSERT INTO db.t SELECT
  1, 7, 2, 3, 2.5D, CAST(0.1 AS FLOAT), 10.00,
  'a_b c', 'abc', '12', '2024-03-03', true, DATE'2024-03-03', TIMESTAMP'2024-03-03 23:30:15.5',
  array(1, 2, 3), array('x', 'y'), map('a', 1, 'b', 2), named_struct('x', 1, 'y', 'q');
INSERT INTO db.t SELECT
  2, -7, -2, -3, -2.5D, CAST(-2.5 AS FLOAT), -3.33,
  'A b', 'ABC', '-1.50', '2024-12-30 10:11:12', false, DATE'2024-12-30', TIMESTAMP'2024-12-30 00:00:00',
  array(3), array('y', NULL), map('a', -1), named_struct('x', -2, 'y', '');
INSERT INTO db.t SELECT
  3, 3, NULL, 0, 3.5D, CAST(3.5 AS FLOAT), 0.05,
  '', '', ' 5 ', '2023-01-01', NULL, DATE'2023-01-01', TIMESTAMP'2023-01-01 12:00:00',
  array(), array(), map(), named_struct('x', NULL, 'y', 'é');
INSERT INTO db.t SELECT
  4, NULL, 3, NULL, NULL, NULL, NULL,
  NULL, NULL, NULL, NULL, true, NULL, NULL,
  NULL, NULL, NULL, NULL;
INSERT INTO db.t SELECT
  5, 0, 5, 1, -0.5D, CAST(-0.5 AS FLOAT), 2.50,
  'é12,5;7', 'é', 'x', 'x', false, DATE'2024-02-29', TIMESTAMP'2024-02-29 06:15:00.25',
  array(NULL, 2), array('a'), map('b', NULL), named_struct('x', 5, 'y', 'a_b c');
INSERT INTO db.t SELECT
  6, 10, 4, 7, 1.0E10D, CAST(1.5 AS FLOAT), 1234.56,
  'abc  ', ' abc', '1e3', '2021-01-03', true, DATE'2021-01-03', TIMESTAMP'2021-01-03 23:59:59.999',
  array(7, 7), array('abc'), map('a', 0), named_struct('x', 6, 'y', 'abc');
INSERT INTO db.t SELECT
  7, 2147483647, 4294967297, 32767, 0.1D, CAST(0.1 AS FLOAT), 99999999.99,
  '12', '12.0', '0', '2020-12-31', false, DATE'2020-12-31', TIMESTAMP'2020-12-31 01:02:03',
  array(10), array('12', '1'), map('a', 5), named_struct('x', 7, 'y', '12');
INSERT INTO db.t SELECT
  8, -1, 0, -1, 0.0D, CAST(0 AS FLOAT), 0.00,
  'ABC', 'true', 'true', '1999-07-04', true, DATE'1999-07-04', TIMESTAMP'1999-07-04 13:00:00',
  array(0, -1), array('ABC', 'abc'), map('c', 9), named_struct('x', 0, 'y', 'ABC');
CREATE TABLE db.tm STORED AS PARQUET AS SELECT
  id, i, b, si, d, f, p, s, v, n, ds, CAST(bo AS TINYINT) AS bo, dt, ts FROM db.t;
CREATE TABLE db.u (
  uk INT, ui BIGINT, us STRING, ud DOUBLE, up DECIMAL(8,1), ut DATE, ub BOOLEAN, uts TIMESTAMP
) STORED AS PARQUET;
INSERT INTO db.u SELECT
  1, 7, '7', 2.5D, 10.0, DATE'2024-03-03', true, TIMESTAMP'2024-03-03 23:30:15.5';
INSERT INTO db.u SELECT
  2, -7, '2024-03-03', 0.1D, 2.5, DATE'2021-01-03', false, TIMESTAMP'2021-01-03 00:00:00';
INSERT INTO db.u SELECT
  3, 3, ' 3', 3D, 0.1, DATE'2020-02-29', NULL, TIMESTAMP'2020-02-29 01:00:00';
INSERT INTO db.u SELECT
  3, NULL, 'abc', NULL, NULL, NULL, true, NULL;
INSERT INTO db.u SELECT
  9, 10, '1e1', 10D, 7.0, DATE'1999-07-04', false, TIMESTAMP'1999-07-04 13:00:00';
INSERT INTO db.u SELECT
  10, 0, NULL, 0D, 0.0, DATE'2024-12-30', true, TIMESTAMP'2024-12-30 10:11:12';
CREATE TABLE db.um STORED AS PARQUET AS SELECT
  uk, ui, us, ud, up, ut, CAST(ub AS TINYINT) AS ub, uts FROM db.u;
