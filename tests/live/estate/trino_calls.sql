plain: SELECT hive.fun.twice(id) AS c FROM made.orders
two_parts: SELECT fun.twice(id) AS c FROM made.orders
case: SELECT HIVE.FUN.TWICE(id) AS c FROM made.orders
quoted: SELECT "hive"."fun"."twice"(id) AS c FROM made.orders
nested: SELECT fun.twice(fun.twice(id)) + 1 AS c FROM made.orders
aggregated: SELECT sum(fun.twice(id)) AS c FROM made.orders
filtered: SELECT id FROM made.orders WHERE fun.twice(id) > 3
filtered_number: SELECT id FROM made.orders WHERE fun.twice(id)
grouped: SELECT fun.twice(id) AS c, count(*) AS n FROM made.orders GROUP BY fun.twice(id)
joined: SELECT o.id FROM made.orders o JOIN made.customers c ON fun.twice(o.id) = c.customer_id
lambda: SELECT transform(tags, t -> fun.loud(t)) AS c FROM made.orders
of_int: SELECT fun.twice(qty) AS c FROM made.orders
of_decimal: SELECT fun.twice(amount) AS c FROM made.orders
of_text: SELECT fun.twice(status) AS c FROM made.orders
of_literal: SELECT fun.twice('7') AS c FROM made.orders
of_flag: SELECT fun.twice(flag) AS c FROM made.orders
of_null: SELECT fun.twice(NULL) AS c FROM made.orders
none_given: SELECT fun.twice() AS c FROM made.orders
two_given: SELECT fun.twice(id, id) AS c FROM made.orders
named: SELECT fun.twice(x => id) AS c FROM made.orders
distinct: SELECT fun.twice(DISTINCT id) AS c FROM made.orders
windowed: SELECT fun.twice(id) OVER () AS c FROM made.orders
label: SELECT fun.label(id, status) AS c FROM made.orders
label_of_char: SELECT fun.label(id, kind) AS c FROM made.orders
short: SELECT fun.short(code) AS c FROM made.orders
short_of_literal: SELECT fun.short('abc') AS c FROM made.orders
short_of_longer: SELECT fun.short('abcd') AS c FROM made.orders
decimals: SELECT fun.money(amount) AS c FROM made.orders
decimals_of_int: SELECT fun.money(qty) AS c FROM made.orders
decimals_of_double: SELECT fun.money(price) AS c FROM made.orders
nothing: SELECT fun.nothing() AS c FROM made.orders
at: SELECT fun.at(shipped) AS c FROM made.orders
at_time: SELECT fun.at(ordered) AS c FROM made.orders
shape: SELECT fun.shape(qty).b AS c, fun.shape(qty) AS d FROM made.orders
shape_no_field: SELECT fun.shape(qty).z AS c FROM made.orders
keyed: SELECT fun.keyed(tags)['a'] AS c, fun.keyed(tags) AS d FROM made.orders
keyed_of_text: SELECT fun.keyed(status) AS c FROM made.orders
odd: SELECT fun.odd(qty, ROW(1, 'a')) AS c FROM made.orders
odd_of_place: SELECT fun.odd(qty, place) AS c FROM made.orders
own_wins: SELECT upper(status) AS c FROM made.orders
theirs: SELECT fun.upper(status) AS c FROM made.orders
over_int: SELECT fun.over(qty) AS c FROM made.orders
over_text: SELECT fun.over(status) AS c FROM made.orders
over_two: SELECT fun.over(id, qty) AS c FROM made.orders
over_none: SELECT fun.over(flag) AS c FROM made.orders
over_null: SELECT fun.over(NULL) AS c FROM made.orders
counted: SELECT fun.counted(qty) AS c FROM made.orders
zoned: SELECT fun.zoned(current_timestamp, INTERVAL '1' HOUR) AS c FROM made.orders
zoned_of_year: SELECT fun.zoned(current_timestamp, INTERVAL '1' YEAR) AS c FROM made.orders
short_name: SELECT twice(id) AS c FROM made.orders
by_path: SELECT twice(id) AS c FROM made.orders
by_path_own_wins: SELECT upper(status) AS c FROM made.orders
by_path_of_text: SELECT twice(status) AS c FROM made.orders
nowhere: SELECT hive.fun.nowhere(id) AS c FROM made.orders
no_schema: SELECT hive.noschema.twice(id) AS c FROM made.orders
no_catalog: SELECT nocatalog.fun.twice(id) AS c FROM made.orders
of_spark: SELECT fun.sp_only(qty) AS c FROM made.orders
of_java: SELECT fun.of_java(status) AS c FROM made.orders
no_column: SELECT fun.twice(nope) AS c FROM made.orders
wider: SELECT fun.wider(qty) AS c FROM made.orders
narrower: SELECT fun.narrower(id) AS c FROM made.orders
retold: SELECT fun.retold(status) AS c FROM made.orders
gone: SELECT fun.gone(qty) AS c FROM made.orders
above: SELECT c + 1 AS d FROM made.tr_plain
