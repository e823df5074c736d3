twice: (x bigint) RETURNS bigint RETURN x * 2
label: (id bigint, word varchar) RETURNS varchar RETURN word || CAST(id AS varchar)
short: (a varchar(3)) RETURNS varchar(5) RETURN a
money: (a decimal(10,2)) RETURNS decimal(12,4) RETURN a / 3
nothing: () RETURNS date RETURN DATE '2026-01-01'
at: (d date) RETURNS timestamp(6) RETURN CAST(d AS timestamp(6))
shape: (a integer) RETURNS row(a integer, b varchar) RETURN ROW(a, 'x')
keyed: (tags array(varchar)) RETURNS map(varchar, integer) RETURN map(tags, ARRAY[1])
odd: ("Order" integer, b row(x integer, y varchar)) RETURNS integer RETURN 1
upper: (a varchar) RETURNS integer RETURN 1
over: (a integer) RETURNS integer RETURN a
over: (a varchar) RETURNS varchar RETURN a
over: (a bigint, b bigint) RETURNS double RETURN a
tr_only: (a integer) RETURNS integer RETURN a
loud: (a varchar) RETURNS varchar LANGUAGE SQL DETERMINISTIC RETURNS NULL ON NULL INPUT SECURITY INVOKER COMMENT 'upper' RETURN upper(a)
counted: (n bigint) RETURNS bigint BEGIN DECLARE i bigint DEFAULT 0; WHILE i < n DO SET i = i + 1; END WHILE; RETURN i; END
zoned: (a timestamp(3) with time zone, b interval day to second) RETURNS time(3) RETURN CAST(a + b AS time(3))
wider: (a integer) RETURNS integer RETURN a
narrower: (a bigint) RETURNS bigint RETURN a
retold: (a varchar) RETURNS varchar RETURN a
gone: (a integer) RETURNS integer RETURN a
