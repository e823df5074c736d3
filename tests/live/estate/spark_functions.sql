twice: (x INT) RETURNS INT RETURN x * 2
label: (id BIGINT, word STRING DEFAULT 'order' COMMENT 'in front') RETURNS STRING COMMENT 'a label' RETURN concat(word, id)
money: (a DECIMAL(10,2)) RETURNS DECIMAL(12,4) RETURN a / 3
nothing: () RETURNS DATE RETURN DATE'2026-01-01'
at: (d DATE) RETURNS TIMESTAMP RETURN d
shape: (a INT) RETURNS STRUCT<a: INT, b: STRING> RETURN named_struct('a', a, 'b', 'x')
keyed: (tags ARRAY<STRING>) RETURNS MAP<STRING, INT> RETURN map(tags[0], 1)
odd: (`order by` INT, `b``q` STRUCT<x: INT, `y z`: STRING>) RETURNS INT RETURN `order by`
upper: (a STRING) RETURNS INT RETURN 1
biggest: (a INT) RETURNS BIGINT RETURN (SELECT max(id) FROM made.orders WHERE qty = a)
zoned: (a TIMESTAMP_NTZ, b INTERVAL DAY TO SECOND) RETURNS TIMESTAMP_NTZ RETURN a + b
flagged: (a BOOLEAN, b TIMESTAMP) RETURNS BOOLEAN RETURN a
infers: (a INT) RETURN a + 1.5
wider: (a INT) RETURNS INT RETURN a
narrower: (a BIGINT) RETURNS BIGINT RETURN a
retold: (a STRING) RETURNS STRING RETURN a
fewer: (a INT, b INT) RETURNS INT RETURN a
more: (a INT) RETURNS INT RETURN a
rows: (a INT) RETURNS TABLE(x INT, y STRING) RETURN SELECT a, 'x'
gone: (a INT) RETURNS INT RETURN a
sp_only: (a INT) RETURNS INT RETURN a
made.here: (a INT) RETURNS BIGINT RETURN a
lenient: (a INT) RETURNS INT RETURN a
of_java: AS 'org.apache.hadoop.hive.ql.udf.generic.GenericUDFUpper'
