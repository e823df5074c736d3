plain: SELECT fun.twice(qty) AS c FROM made.orders
whole: SELECT spark_catalog.fun.twice(qty) AS c FROM made.orders
case: SELECT FUN.TWICE(qty) AS c FROM made.orders
nested: SELECT fun.twice(fun.twice(qty)) + 1 AS c FROM made.orders
aggregated: SELECT sum(fun.twice(qty)) AS c FROM made.orders
of_aggregate: SELECT fun.twice(CAST(max(qty) AS INT)) AS c FROM made.orders GROUP BY status
filtered: SELECT id FROM made.orders WHERE fun.twice(qty) > 3
filtered_text: SELECT id FROM made.orders WHERE fun.label(id)
grouped: SELECT fun.twice(qty) AS c, count(*) AS n FROM made.orders GROUP BY fun.twice(qty)
joined: SELECT o.id FROM made.orders o JOIN made.customers c ON fun.twice(o.qty) = c.customer_id
unnamed: SELECT fun.twice(qty) FROM made.orders
of_long: SELECT fun.twice(id) AS c FROM made.orders
of_text: SELECT fun.twice(status) AS c FROM made.orders
of_literal: SELECT fun.twice('7') AS c FROM made.orders
of_flag: SELECT fun.twice(flag) AS c FROM made.orders
of_date: SELECT fun.twice(shipped) AS c FROM made.orders
of_list: SELECT fun.twice(tags) AS c FROM made.orders
of_null: SELECT fun.twice(NULL) AS c FROM made.orders
none_given: SELECT fun.twice() AS c FROM made.orders
two_given: SELECT fun.twice(qty, qty) AS c FROM made.orders
named: SELECT fun.twice(x => qty) AS c FROM made.orders
misnamed: SELECT fun.twice(y => qty) AS c FROM made.orders
default_left_out: SELECT fun.label(id) AS c FROM made.orders
default_given: SELECT fun.label(id, status) AS c FROM made.orders
default_named: SELECT fun.label(word => status, id => id) AS c FROM made.orders
default_named_alone: SELECT fun.label(word => status) AS c FROM made.orders
decimals: SELECT fun.money(amount) AS c FROM made.orders
decimals_of_double: SELECT fun.money(price) AS c FROM made.orders
decimals_of_map: SELECT fun.money(props) AS c FROM made.orders
nothing: SELECT fun.nothing() AS c FROM made.orders
nothing_given: SELECT fun.nothing(1) AS c FROM made.orders
at: SELECT fun.at(shipped) AS c FROM made.orders
at_time: SELECT fun.at(ordered) AS c FROM made.orders
at_number: SELECT fun.at(id) AS c FROM made.orders
shape: SELECT fun.shape(qty).b AS c, fun.shape(qty) AS d FROM made.orders
shape_no_field: SELECT fun.shape(qty).z AS c FROM made.orders
keyed: SELECT fun.keyed(tags)['a'] AS c, fun.keyed(tags) AS d FROM made.orders
keyed_of_text: SELECT fun.keyed(status) AS c FROM made.orders
odd: SELECT fun.odd(qty, named_struct('x', 1, 'y z', 'a')) AS c FROM made.orders
odd_of_place: SELECT fun.odd(qty, place) AS c FROM made.orders
own_wins: SELECT upper(status) AS c FROM made.orders
theirs: SELECT fun.upper(status) AS c FROM made.orders
reads_a_table: SELECT fun.biggest(qty) AS c FROM made.orders
zoned: SELECT fun.zoned(CAST(ordered AS TIMESTAMP_NTZ), INTERVAL '1' HOUR) AS c FROM made.orders
zoned_of_time: SELECT fun.zoned(ordered, INTERVAL '1' DAY) AS c FROM made.orders
zoned_of_year: SELECT fun.zoned(ordered, INTERVAL '1' YEAR) AS c FROM made.orders
flagged: SELECT fun.flagged(qty, shipped) AS c FROM made.orders
flagged_of_flag: SELECT fun.flagged(flag, flag) AS c FROM made.orders
infers: SELECT fun.infers(qty) AS c FROM made.orders
of_java: SELECT fun.of_java(status) AS c FROM made.orders
of_java_and_nothing: SELECT fun.of_java(nope) AS c FROM made.orders
lenient: SELECT fun.lenient(qty) AS c FROM made.orders
lenient_of_date: SELECT fun.lenient(shipped) AS c FROM made.orders
rows: SELECT x FROM fun.rows(1)
lateral_rows: SELECT o.id, r.y FROM made.orders o, LATERAL fun.rows(o.qty) r
short: SELECT twice(qty) AS c FROM made.orders
here: SELECT here(qty) AS c FROM made.orders
here_whole: SELECT made.here(qty) AS c FROM made.orders
nowhere: SELECT fun.nowhere(qty) AS c FROM made.orders
no_database: SELECT nodb.twice(qty) AS c FROM made.orders
of_trino: SELECT fun.tr_only(qty) AS c FROM made.orders
no_column: SELECT fun.twice(nope) AS c FROM made.orders
wider: SELECT fun.wider(qty) AS c FROM made.orders
narrower: SELECT fun.narrower(id) AS c FROM made.orders
retold: SELECT fun.retold(status) AS c FROM made.orders
fewer: SELECT fun.fewer(qty, qty) AS c FROM made.orders
more: SELECT fun.more(qty) AS c FROM made.orders
gone: SELECT fun.gone(qty) AS c FROM made.orders
over: SELECT c + 1 AS d FROM made.sp_plain
