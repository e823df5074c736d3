plain: SELECT id, status FROM made.orders WHERE amount > 10
short: SELECT id FROM orders
renamed(order_id, label): SELECT id, status FROM made.orders
star: SELECT * FROM made.customers
twice(a, b): SELECT id, id FROM made.orders
literals: SELECT 1 AS a, 'x' AS b, 1.5 AS c, true AS d, date'2026-01-01' AS e, 1e3 AS f, X'1F' AS g
null_column: SELECT NULL AS n, id FROM made.orders
no_from: SELECT current_date() AS d, current_timestamp() AS t
aggregates: SELECT status, count(*) AS n, sum(amount) AS s, avg(price) AS a, min(shipped) AS f, max(ordered) AS l FROM made.orders GROUP BY status
decimals: SELECT amount * amount AS a, amount / 3 AS b, sum(amount * qty) AS c FROM made.orders GROUP BY amount
having: SELECT status, count(*) AS n FROM made.orders GROUP BY status HAVING n > 1
by_all: SELECT city, country, count(*) AS n FROM made.customers GROUP BY ALL
cube: SELECT city, country, count(*) AS n FROM made.customers GROUP BY CUBE (city, country)
distinct_on: SELECT DISTINCT status, kind FROM made.orders
window: SELECT id, row_number() OVER (PARTITION BY customer_id ORDER BY ordered DESC) AS rn FROM made.orders
qualify_like: SELECT * FROM (SELECT id, rank() OVER (ORDER BY amount) AS r FROM made.orders) q WHERE r < 3
lag: SELECT id, lag(amount) OVER (PARTITION BY customer_id ORDER BY ordered) AS before FROM made.orders
join: SELECT o.id, c.name FROM made.orders o LEFT JOIN made.customers c ON o.customer_id = c.customer_id
using: SELECT customer_id, o.id, c.name FROM made.orders o JOIN made.customers c USING (customer_id)
semi: SELECT c.name FROM made.customers c LEFT SEMI JOIN made.orders o ON c.customer_id = o.customer_id
anti: SELECT c.name FROM made.customers c LEFT ANTI JOIN made.orders o ON c.customer_id = o.customer_id
exists_in: SELECT id FROM made.orders o WHERE EXISTS (SELECT 1 FROM made.customers c WHERE c.customer_id = o.customer_id) AND o.customer_id IN (SELECT customer_id FROM made.customers)
scalar: SELECT id, (SELECT max(amount) FROM made.by_day) AS top FROM made.orders
lateral_join: SELECT o.id, l.name FROM made.orders o, LATERAL (SELECT name FROM made.customers c WHERE c.customer_id = o.customer_id) l
union: SELECT id FROM made.orders UNION SELECT customer_id FROM made.customers
except: SELECT id FROM made.orders EXCEPT SELECT id FROM made.by_day
cte: WITH q AS (SELECT id FROM made.orders), r AS (SELECT id FROM q) SELECT id FROM r
explode: SELECT id, explode(tags) AS tag FROM made.orders
lateral_view: SELECT id, t.tag FROM made.orders LATERAL VIEW explode(tags) t AS tag
outer_lateral: SELECT id, k, v FROM made.orders LATERAL VIEW OUTER explode(props) m AS k, v
inline: SELECT id, sku FROM made.orders LATERAL VIEW inline(items) t AS sku, n
structs: SELECT place.geo.lat AS lat, items[0].sku AS sku, props['a'] AS a, struct(id, status) AS s FROM made.orders
lambdas: SELECT transform(tags, t -> upper(t)) AS a, filter(tags, t -> t > 'a') AS b, aggregate(tags, 0, (x, y) -> x + length(y)) AS c FROM made.orders
dates: SELECT date_trunc('month', ordered) AS a, date_add(shipped, 1) AS b, datediff(shipped, ordered) AS c, to_date(payload) AS d, year(shipped) AS e FROM made.orders
casts: SELECT CAST(payload AS INT) AS a, try_cast(payload AS DOUBLE) AS b, payload::bigint AS c, CAST(id AS STRING) AS d FROM made.orders
strings: SELECT concat_ws('-', status, code) AS a, split(status, ',') AS b, regexp_extract(status, '(a)', 1) AS c, status || code AS d FROM made.orders
json: SELECT get_json_object(payload, '$.a') AS a, from_json(payload, 'a INT, b STRING') AS b, to_json(place) AS c FROM made.orders
pivot: SELECT * FROM (SELECT status, qty FROM made.orders) PIVOT (sum(qty) FOR status IN ('NEW' AS n, 'PAID' AS p))
unpivot: SELECT * FROM (SELECT id, price, CAST(qty AS DOUBLE) AS q FROM made.orders) UNPIVOT (v FOR k IN (price, q))
values: SELECT * FROM VALUES (1, 'a'), (2, 'b') AS t(x, y)
range: SELECT id FROM range(10)
case: SELECT CASE WHEN qty > 1 THEN 'many' ELSE 'one' END AS size, if(flag, 1, 0) AS f, nvl(status, 'x') AS n, coalesce(code, kind) AS k FROM made.orders
ordered: SELECT id FROM made.orders ORDER BY id LIMIT 3
hint: SELECT /*+ BROADCAST(c) */ o.id FROM made.orders o JOIN made.customers c ON o.customer_id = c.customer_id
quoted: SELECT id AS `Order Id`, status AS `größe` FROM made.orders
upper: SELECT ID, STATUS FROM MADE.ORDERS
on_view: SELECT id FROM made.sp_plain
on_renamed: SELECT order_id FROM made.sp_renamed
on_null: SELECT n FROM made.sp_null_column
on_drift: SELECT gone FROM made.sp_d_named_dropped
pipe: FROM made.orders |> WHERE qty > 1 |> SELECT id, qty
interval: SELECT ordered - INTERVAL 1 DAY AS a, INTERVAL '2' HOUR AS b FROM made.orders
variant: SELECT parse_json(payload) AS v FROM made.orders
tablesample: SELECT id FROM made.orders TABLESAMPLE (10 PERCENT)
types: SELECT CAST(qty AS tinyint) AS a, CAST(qty AS smallint) AS b, CAST(price AS float) AS c, CAST(status AS binary) AS d, CAST(ordered AS timestamp_ntz) AS e FROM made.orders
n_using: SELECT k, x FROM made.lefty JOIN made.righty USING (k)
n_natural: SELECT k, x FROM made.lefty NATURAL JOIN made.righty
n_not_in: SELECT k FROM made.lefty WHERE k NOT IN (SELECT y FROM made.fewer)
x_union_types: SELECT id, amount AS v FROM made.orders UNION ALL SELECT qty, price FROM made.orders
x_union_by_name: SELECT id AS a, status AS b FROM made.orders UNION ALL SELECT name, city FROM (SELECT customer_id AS name, city FROM made.customers)
x_minus: SELECT id FROM made.orders MINUS SELECT customer_id FROM made.customers
x_intersect_all: SELECT id FROM made.orders INTERSECT ALL SELECT customer_id FROM made.customers
x_except_all: SELECT id FROM made.orders EXCEPT ALL SELECT customer_id FROM made.customers
x_dec_div: SELECT d38 / d5 AS a, d38 * d38 AS b, d5 % 3 AS c, d38 + d5 AS d, -d5 AS e FROM made.kinds
x_dec_avg: SELECT avg(d38) AS a, sum(d38) AS b, avg(d5) AS c FROM made.kinds
x_small_math: SELECT t + s AS a, t * t AS b, s / t AS c, f + d AS d, i div 2 AS e, b % 7 AS g FROM made.kinds
x_bits: SELECT i & 3 AS a, i | 4 AS b, i ^ 5 AS c, ~i AS d, shiftleft(i, 2) AS e FROM made.kinds
x_nested: SELECT deep[1][0].p.q AS a, deep[1] AS b, map_keys(deep) AS c FROM made.kinds
x_arrays: SELECT items.sku AS skus, size(tags) AS n, array_contains(tags, 'a') AS c, sort_array(tags) AS s FROM made.orders
x_map_entries: SELECT id, e.key, e.value FROM made.orders LATERAL VIEW explode(map_entries(props)) t AS e
x_two_laterals: SELECT id, a, b FROM made.orders LATERAL VIEW explode(tags) t AS a LATERAL VIEW posexplode(tags) u AS p, b
x_json_tuple: SELECT id, a, b FROM made.orders LATERAL VIEW json_tuple(payload, 'a', 'b') j AS a, b
x_stack: SELECT stack(2, 'a', qty, 'b', qty) AS (k, v) FROM made.orders
x_pivot_many: SELECT * FROM (SELECT status, kind, qty FROM made.orders) PIVOT (sum(qty) AS s, count(*) AS n FOR (status, kind) IN (('a', 'b') AS ab, ('c', 'd') AS cd))
x_frames: SELECT id, sum(qty) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING) AS a, avg(price) OVER (PARTITION BY status ORDER BY qty RANGE BETWEEN 10 PRECEDING AND CURRENT ROW) AS b FROM made.orders
x_named_window: SELECT id, sum(qty) OVER w AS s, rank() OVER w AS r FROM made.orders WINDOW w AS (PARTITION BY status ORDER BY id)
x_ntile: SELECT id, ntile(4) OVER (ORDER BY id) AS a, percent_rank() OVER (ORDER BY id) AS b, nth_value(qty, 2) OVER (ORDER BY id) AS c, first_value(qty) IGNORE NULLS OVER (ORDER BY id) AS d FROM made.orders
x_corr_scalar: SELECT o.id, (SELECT count(*) FROM made.customers c WHERE c.customer_id = o.customer_id) AS n FROM made.orders o
x_not_exists: SELECT id FROM made.orders o WHERE NOT EXISTS (SELECT 1 FROM made.by_day d WHERE d.id = o.id AND d.dt > '2026')
x_group_alias: SELECT upper(status) AS st, count(*) AS n FROM made.orders GROUP BY st
x_group_ordinal: SELECT status, kind, count(*) AS n FROM made.orders GROUP BY 1, 2 ORDER BY 3 DESC
x_having_alone: SELECT count(*) AS n FROM made.orders HAVING count(*) > 1
x_sets: SELECT status, kind, grouping(status) AS g, grouping_id() AS gi, count(*) AS n FROM made.orders GROUP BY status, kind WITH ROLLUP
x_filter: SELECT count(*) FILTER (WHERE qty > 1) AS n, count(DISTINCT status, kind) AS d, any_value(status) AS a FROM made.orders
x_tz: SELECT from_utc_timestamp(ordered, 'Europe/Berlin') AS a, to_utc_timestamp(ordered, '+02:00') AS b, ordered - ordered AS c FROM made.orders
x_intervals: SELECT shipped + INTERVAL '1-2' YEAR TO MONTH AS a, make_interval(0, 1) AS b, shipped - shipped AS c, ordered + make_dt_interval(1) AS d FROM made.orders
x_date_text: SELECT id FROM made.orders WHERE shipped = '2026-01-01' AND ordered > '2026-01-01 10:00' AND dayofweek(shipped) = 1
x_text_number: SELECT id FROM made.orders WHERE status = 5 OR code > 1
x_reserved: SELECT `select`, `from`, `order`, `timestamp` FROM made.reserved
x_unquoted: SELECT timestamp, date, user FROM made.reserved
x_mixed: SELECT id AS `MixedCase`, qty AS `lower`, status AS UPPER FROM made.orders
x_dup_inner: SELECT a.id FROM (SELECT id, qty AS id2 FROM made.orders) a
x_star_except: SELECT * EXCEPT (tags, props, payload, place, items) FROM made.orders
x_star_alias: SELECT o.*, c.name FROM made.orders o JOIN made.customers c ON o.id = c.customer_id
x_cte_shadow: WITH orders AS (SELECT 1 AS one) SELECT one FROM orders
x_cte_nested: WITH a AS (WITH b AS (SELECT id FROM made.orders) SELECT id FROM b) SELECT id FROM a
x_cte_twice: WITH a AS (SELECT id FROM made.orders), b AS (SELECT id FROM a) SELECT a.id FROM a JOIN b ON a.id = b.id
x_recursive: WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT n FROM r
x_try: SELECT try_add(qty, 1) AS a, try_divide(qty, 0) AS b, try_to_number(status, '999') AS c, try_to_timestamp(status) AS d, try_element_at(tags, 1) AS e FROM made.orders
x_named_args: SELECT mask(status, lowerChar => 'q') AS a FROM made.orders
x_collate: SELECT status COLLATE UTF8_LCASE AS s FROM made.orders
x_collated_cmp: SELECT id FROM made.orders WHERE status COLLATE UNICODE_CI = 'new'
x_variant_get: SELECT variant_get(parse_json(payload), '$.a', 'int') AS a, try_variant_get(parse_json(payload), '$.b', 'string') AS b FROM made.orders
x_binary: SELECT bin AS a, hex(bin) AS b, unhex('1F') AS c, CAST('x' AS binary) AS d, base64(bin) AS e, length(bin) AS f FROM made.kinds
x_chars: SELECT c5 AS a, v20 AS b, concat(c5, v20) AS c, rpad(v20, 3, ' ') AS d, c5 || 'x' AS e FROM made.kinds
x_char_cast: SELECT CAST(id AS varchar(5)) AS a FROM made.orders WHERE kind = 'ab'
x_bucketed: SELECT id, dt, amount FROM made.by_day WHERE dt BETWEEN '2026-01-01' AND '2026-02-01'
x_comment: SELECT /* a comment */ id FROM made.orders -- and the rest
x_unicode: SELECT 'größe €' AS `größe`, '日本' AS `名前`, '' AS `leer`, '\u0041' AS esc
x_long_in: SELECT id FROM made.orders WHERE id IN (1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50)
x_escapes: SELECT 'it''s' AS a, "double" AS b, r'\d+' AS c, 'a\tb' AS d, 'tab\\' AS e FROM made.orders
x_rlike: SELECT id FROM made.orders WHERE status RLIKE 'a.*' AND kind LIKE ANY ('a%', 'b%') AND code ILIKE 'X%'
x_case_simple: SELECT CASE kind WHEN 'a' THEN 1 WHEN 'b' THEN 2.5 END AS c, decode(kind, 'a', 1, 0) AS d, nvl2(kind, 1, 2) AS e FROM made.orders
x_aggs: SELECT percentile(qty, 0.5) AS a, approx_count_distinct(status) AS b, stddev(price) AS c, corr(price, qty) AS d, max_by(id, qty) AS e, bool_and(flag) AS f, collect_set(status) AS g, mode(status) AS h FROM made.orders
x_listagg: SELECT listagg(status, ',') WITHIN GROUP (ORDER BY status) AS l, string_agg(kind) AS s FROM made.orders
x_median: SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY qty) AS p, median(qty) AS m FROM made.orders
x_hofs: SELECT zip_with(tags, tags, (x, y) -> concat(x, y)) AS a, map_filter(props, (k, v) -> v > 'a') AS b, exists(tags, x -> x IS NULL) AS c, transform_values(props, (k, v) -> length(v)) AS d FROM made.orders
x_structs: SELECT named_struct('a', 1, 'b', array(1, 2)) AS a, struct(id, qty AS q).q AS b, inline_outer(items) FROM made.orders
x_seq: SELECT sequence(1, 5) AS a, array_distinct(tags) AS b, flatten(array(tags, tags)) AS c, arrays_zip(tags, tags) AS d, map_from_arrays(tags, tags) AS e FROM made.orders
x_dates2: SELECT add_months(shipped, 1) AS a, last_day(shipped) AS b, months_between(shipped, ordered) AS c, extract(YEAR FROM shipped) AS d, date_format(ordered, 'yyyy') AS e, unix_timestamp(ordered) AS f, make_date(2026, 1, 1) AS g, trunc(shipped, 'MM') AS h, timestampadd(DAY, 1, ordered) AS i, timestampdiff(DAY, ordered, ordered) AS j FROM made.orders
x_ntz: SELECT TIMESTAMP_NTZ'2026-01-01 00:00:00' AS a, TIMESTAMP'2026-01-01 00:00:00' AS b, CAST(ordered AS date) AS c FROM made.orders
x_time: SELECT TIME'10:00:00' AS t
x_void_in: SELECT array() AS a, map() AS m, array(NULL) AS n
x_lateral_alias: SELECT qty + 1 AS q1, q1 * 2 AS q2 FROM made.orders
x_tvf: SELECT * FROM explode(array(1, 2)) AS t(x)
x_lateral_fn: SELECT o.id, t.tag FROM made.orders o, LATERAL explode(o.tags) AS t(tag)
x_full_join: SELECT o.id, c.name FROM made.orders o FULL OUTER JOIN made.customers c ON o.id = c.customer_id
x_cross_cond: SELECT o.id FROM made.orders o JOIN made.customers c
x_non_equi: SELECT o.id FROM made.orders o JOIN made.customers c ON o.id > c.customer_id
x_sort: SELECT id FROM made.orders DISTRIBUTE BY id SORT BY id
x_order_hidden: SELECT id FROM made.orders ORDER BY qty NULLS LAST, upper(status) LIMIT 10 OFFSET 2
x_on_trino: SELECT 1 AS one FROM made.sp_x_mixed
x_on_mixed: SELECT mixedcase, `LOWER` FROM made.sp_x_mixed
x_on_dec: SELECT a + b AS c FROM made.sp_x_dec_div
x_catalog: SELECT id FROM spark_catalog.made.orders
x_trailing: SELECT id FROM made.orders WHERE true
x_ilike: SELECT id FROM made.orders WHERE equal_null(status, code) AND status <=> code AND id IS DISTINCT FROM qty
x_bool_math: SELECT count_if(flag) AS a, sum(CAST(flag AS int)) AS b, flag AND qty > 1 AS c FROM made.orders GROUP BY flag, qty
x_params: SELECT id, current_user() AS u, current_catalog() AS c, current_database() AS d, uuid() AS g, rand() AS r, monotonically_increasing_id() AS m FROM made.orders
x_from_first: FROM made.orders SELECT id WHERE qty > 1
x_pipe_agg: FROM made.orders |> AGGREGATE sum(qty) AS s GROUP BY status |> EXTEND s + 1 AS t
x_table: TABLE made.customers
x_values_only: VALUES (1, 'a'), (2, NULL)
x_names(`a b`, `Mixed`, c): SELECT id, qty, status FROM made.orders
x_typed: SELECT 1L AS a, 1S AS b, 1Y AS c, 1.0D AS d, 1.0BD AS e, 1e0 AS f, 1.5F AS g
x_negative: SELECT -qty AS a, +qty AS b, NOT flag AS c, qty = 1 AS d, qty == 1 AS e, qty != 1 AS f, qty <> 2 AS g FROM made.orders
x_is: SELECT id FROM made.orders WHERE flag IS TRUE AND status IS NOT NULL AND qty NOT BETWEEN 1 AND 3 AND kind NOT IN ('a')
x_tuple_in: SELECT id FROM made.orders WHERE (id, qty) IN (SELECT customer_id, 1 FROM made.customers)
