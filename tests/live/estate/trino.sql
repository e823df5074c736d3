plain: SELECT id, status FROM made.orders WHERE amount > 10
short: SELECT id FROM orders
full: SELECT id FROM hive.made.orders
star: SELECT * FROM made.customers
literals: SELECT 1 AS a, 'x' AS b, 1.5 AS c, true AS d, DATE '2026-01-01' AS e, 1e3 AS f, X'1F' AS g, CAST(NULL AS integer) AS h
values: SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS t(x, y)
aggregates: SELECT status, count(*) AS n, sum(amount) AS s, avg(price) AS a, min(shipped) AS f, max(ordered) AS l FROM made.orders GROUP BY status
decimals: SELECT amount * amount AS a, amount / 3 AS b, sum(amount * qty) AS c FROM made.orders GROUP BY amount
having: SELECT status, count(*) AS n FROM made.orders GROUP BY 1 HAVING count(*) > 1
cube: SELECT city, country, count(*) AS n FROM made.customers GROUP BY CUBE (city, country)
distinct_of: SELECT DISTINCT status, kind FROM made.orders
filter: SELECT count(*) FILTER (WHERE qty > 1) AS n, count(DISTINCT status) AS d, approx_distinct(code) AS e FROM made.orders
window: SELECT id, row_number() OVER (PARTITION BY customer_id ORDER BY ordered DESC) AS rn FROM made.orders
over: SELECT id, sum(qty) OVER (PARTITION BY customer_id ORDER BY ordered ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS s FROM made.orders
join: SELECT o.id, c.name FROM made.orders o LEFT JOIN made.customers c ON o.customer_id = c.customer_id
cross: SELECT o.id, c.name FROM made.orders o CROSS JOIN made.customers c
using: SELECT customer_id, o.id FROM made.orders o JOIN made.customers c USING (customer_id)
exists_in: SELECT id FROM made.orders o WHERE EXISTS (SELECT 1 FROM made.customers c WHERE c.customer_id = o.customer_id) AND o.customer_id IN (SELECT customer_id FROM made.customers)
scalar: SELECT id, (SELECT max(amount) FROM made.by_day) AS top FROM made.orders
union: SELECT id FROM made.orders UNION SELECT customer_id FROM made.customers
except: SELECT id FROM made.orders EXCEPT SELECT id FROM made.by_day
cte: WITH q AS (SELECT id FROM made.orders), r AS (SELECT id FROM q) SELECT id FROM r
unnest: SELECT id, tag FROM made.orders CROSS JOIN UNNEST(tags) AS t(tag)
unnest_map: SELECT id, k, v FROM made.orders CROSS JOIN UNNEST(props) AS t(k, v)
ordinality: SELECT id, tag, n FROM made.orders CROSS JOIN UNNEST(tags) WITH ORDINALITY AS t(tag, n)
structs: SELECT place.geo.lat AS lat, items[1].sku AS sku, props['a'] AS a, ROW(id, status) AS r, ARRAY[1, 2] AS b, MAP(ARRAY['a'], ARRAY[1]) AS m FROM made.orders
lambdas: SELECT transform(tags, t -> upper(t)) AS a, filter(tags, t -> t > 'a') AS b, reduce(tags, 0, (x, y) -> x + 1, x -> x) AS c FROM made.orders
dates: SELECT date_trunc('month', ordered) AS a, date_add('day', 1, shipped) AS b, date_diff('day', shipped, current_date) AS c, year(shipped) AS e, shipped + INTERVAL '1' DAY AS f FROM made.orders
casts: SELECT CAST(id AS varchar) AS a, TRY_CAST(payload AS double) AS b, CAST(price AS decimal(12, 4)) AS c, CAST(status AS varchar(3)) AS d FROM made.orders
strings: SELECT concat_ws('-', status, code) AS a, split(status, ',') AS b, regexp_extract(status, '(a)', 1) AS c, status || code AS d FROM made.orders
json: SELECT json_extract_scalar(payload, '$.a') AS a, json_parse(payload) AS b, json_value(payload, 'lax $.a') AS c FROM made.orders
case: SELECT CASE WHEN qty > 1 THEN 'many' ELSE 'one' END AS size, if(flag, 1, 0) AS f, coalesce(code, kind) AS k, nullif(status, 'x') AS n FROM made.orders
now: SELECT current_timestamp AS a, current_date AS b, localtimestamp AS c FROM made.orders
ordered: SELECT id FROM made.orders ORDER BY id LIMIT 3
fetch: SELECT id FROM made.orders ORDER BY id OFFSET 1 ROWS FETCH FIRST 3 ROWS ONLY
quoted: SELECT id AS "Order Id", status AS "größe" FROM made.orders
upper: SELECT ID, STATUS FROM MADE.ORDERS
on_view: SELECT id FROM made.tr_plain
on_star: SELECT name FROM tr_star
on_drift: SELECT gone FROM made.tr_d_named_dropped
maths: SELECT round(price, 2) AS a, floor(price) AS b, mod(qty, 3) AS c, greatest(qty, 1) AS d, power(price, 2) AS e FROM made.orders
collect: SELECT status, array_agg(code) AS s, listagg(code, ',') WITHIN GROUP (ORDER BY code) AS l, map_agg(id, code) AS m FROM made.orders GROUP BY status
types: SELECT CAST(qty AS tinyint) AS a, CAST(qty AS smallint) AS b, CAST(price AS real) AS c, CAST(status AS varbinary) AS d, CAST(ordered AS timestamp(6)) AS e, CAST(ordered AS timestamp(3) with time zone) AS f FROM made.orders
matched: SELECT * FROM made.orders MATCH_RECOGNIZE (PARTITION BY customer_id ORDER BY ordered MEASURES A.id AS first PATTERN (A B+) DEFINE B AS qty > 1)
sample: SELECT id FROM made.orders TABLESAMPLE BERNOULLI (10)
n_using: SELECT k, x FROM made.lefty JOIN made.righty USING (k)
n_not_in: SELECT k FROM made.lefty WHERE k NOT IN (SELECT y FROM made.fewer)
x_union_types: SELECT id, amount AS v FROM made.orders UNION ALL SELECT qty, price FROM made.orders
x_intersect_all: SELECT id FROM made.orders INTERSECT ALL SELECT customer_id FROM made.customers
x_except_all: SELECT id FROM made.orders EXCEPT ALL SELECT customer_id FROM made.customers
x_dec_div: SELECT d38 / d5 AS a, d38 * d5 AS b, d5 % 3 AS c, d38 + d5 AS d, -d5 AS e FROM made.kinds
x_dec_avg: SELECT avg(d38) AS a, sum(d38) AS b, avg(d5) AS c FROM made.kinds
x_small_math: SELECT t + s AS a, t * t AS b, s / t AS c, f + d AS d, b % 7 AS g FROM made.kinds
x_bits: SELECT bitwise_and(i, 3) AS a, bitwise_or(i, 4) AS b, bitwise_left_shift(i, 2) AS e FROM made.kinds
x_nested: SELECT deep[1][1].p.q AS a, deep[1] AS b, map_keys(deep) AS c FROM made.kinds
x_arrays: SELECT transform(items, x -> x.sku) AS skus, cardinality(tags) AS n, contains(tags, 'a') AS c, array_sort(tags) AS s FROM made.orders
x_map_entries: SELECT id, e.k, e.v FROM made.orders CROSS JOIN UNNEST(map_entries(props)) AS e(k, v)
x_unnest_rows: SELECT id, sku, n FROM made.orders CROSS JOIN UNNEST(items) AS t(sku, n)
x_unnest_two: SELECT id, a, b FROM made.orders CROSS JOIN UNNEST(tags, tags) AS t(a, b)
x_unnest_left: SELECT id, a FROM made.orders LEFT JOIN UNNEST(tags) AS t(a) ON TRUE
x_frames: SELECT id, sum(qty) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING) AS a, avg(price) OVER (PARTITION BY status ORDER BY qty RANGE BETWEEN 10 PRECEDING AND CURRENT ROW) AS b, count(*) OVER (ORDER BY id GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW) AS c FROM made.orders
x_named_window: SELECT id, sum(qty) OVER w AS s, rank() OVER w AS r FROM made.orders WINDOW w AS (PARTITION BY status ORDER BY id)
x_ntile: SELECT id, ntile(4) OVER (ORDER BY id) AS a, percent_rank() OVER (ORDER BY id) AS b, nth_value(qty, 2) OVER (ORDER BY id) AS c, lag(qty, 1, 0) IGNORE NULLS OVER (ORDER BY id) AS d FROM made.orders
x_corr_scalar: SELECT o.id, (SELECT count(*) FROM made.customers c WHERE c.customer_id = o.customer_id) AS n FROM made.orders o
x_not_exists: SELECT id FROM made.orders o WHERE NOT EXISTS (SELECT 1 FROM made.by_day d WHERE d.id = o.id AND d.dt > '2026')
x_group_ordinal: SELECT status, kind, count(*) AS n FROM made.orders GROUP BY 1, 2 ORDER BY 3 DESC
x_having_alone: SELECT count(*) AS n FROM made.orders HAVING count(*) > 1
x_sets: SELECT status, kind, grouping(status, kind) AS g, count(*) AS n FROM made.orders GROUP BY GROUPING SETS ((status), (kind), ())
x_rollup: SELECT status, count(*) AS n FROM made.orders GROUP BY ROLLUP (status)
x_tz: SELECT ordered AT TIME ZONE 'Europe/Berlin' AS a, with_timezone(ordered, 'UTC') AS b, current_timezone() AS c FROM made.orders
x_intervals: SELECT shipped + INTERVAL '1-2' YEAR TO MONTH AS a, ordered - INTERVAL '1' HOUR AS b FROM made.orders
x_interval_col: SELECT INTERVAL '1' DAY AS a FROM made.orders
x_date_text: SELECT id FROM made.orders WHERE shipped = DATE '2026-01-01' AND ordered > TIMESTAMP '2026-01-01 10:00:00'
x_reserved: SELECT "select", "from", "order", "timestamp" FROM made.reserved
x_mixed: SELECT id AS "MixedCase", qty AS "lower", status AS UPPER FROM made.orders
x_star_alias: SELECT o.*, c.name FROM made.orders o JOIN made.customers c ON o.id = c.customer_id
x_cte_shadow: WITH orders AS (SELECT 1 AS one) SELECT one FROM orders
x_cte_nested: WITH a AS (WITH b AS (SELECT id FROM made.orders) SELECT id FROM b) SELECT id FROM a
x_cte_cols: WITH a(x, y) AS (SELECT id, qty FROM made.orders) SELECT x, y FROM a
x_recursive: WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT n FROM r
x_try: SELECT try(qty / 0) AS a, TRY_CAST(status AS integer) AS b, element_at(tags, 1) AS e FROM made.orders
x_binary: SELECT bin AS a, to_hex(bin) AS b, X'1F' AS c, to_base64(bin) AS e, length(bin) AS f, md5(bin) AS g FROM made.kinds
x_chars: SELECT c5 AS a, v20 AS b, concat(c5, v20) AS c, rpad(v20, 3, ' ') AS d, c5 || 'x' AS e FROM made.kinds
x_char_cast: SELECT CAST(id AS varchar(5)) AS a, CAST(status AS char(2)) AS b FROM made.orders WHERE kind = 'ab'
x_comment: SELECT /* a comment */ id FROM made.orders -- and the rest
x_unicode: SELECT 'größe €' AS "größe", U&'\0041' AS u, '' AS leer
x_long_in: SELECT id FROM made.orders WHERE id IN (1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30)
x_case_simple: SELECT CASE kind WHEN 'a' THEN 1 WHEN 'b' THEN 2.5 END AS c FROM made.orders
x_aggs: SELECT approx_percentile(price, 0.5) AS a, stddev(price) AS c, corr(price, qty) AS d, max_by(id, qty) AS e, bool_and(flag) AS f, histogram(status) AS h, checksum(id) AS i, arbitrary(id) AS j, geometric_mean(price) AS k, any_value(id) AS l FROM made.orders
x_hll: SELECT approx_set(id) AS a FROM made.orders
x_hofs: SELECT zip_with(tags, tags, (x, y) -> concat(x, y)) AS a, map_filter(props, (k, v) -> v > 'a') AS b, any_match(tags, x -> x IS NULL) AS c, transform_values(props, (k, v) -> length(v)) AS d FROM made.orders
x_rows: SELECT CAST(ROW(1, 'x') AS ROW(a integer, b varchar)) AS r, ROW(1, 2)[1] AS f FROM made.orders
x_rows_field: SELECT CAST(ROW(1, 'x') AS ROW(a integer, b varchar)).a AS r FROM made.orders
x_seq: SELECT sequence(1, 5) AS a, array_distinct(tags) AS b, flatten(ARRAY[tags, tags]) AS c, zip(tags, tags) AS d, slice(tags, 1, 2) AS e FROM made.orders
x_dates2: SELECT date_add('month', 1, shipped) AS a, last_day_of_month(shipped) AS b, extract(YEAR FROM shipped) AS d, format_datetime(ordered, 'yyyy') AS e, to_unixtime(ordered) AS f, day_of_week(shipped) AS g, date_parse(status, '%Y') AS h, from_iso8601_timestamp(status) AS i FROM made.orders
x_time: SELECT TIME '10:00:00' AS t, current_time AS c FROM made.orders
x_full_join: SELECT o.id, c.name FROM made.orders o FULL JOIN made.customers c ON o.id = c.customer_id
x_non_equi: SELECT o.id FROM made.orders o JOIN made.customers c ON o.id > c.customer_id
x_lateral: SELECT o.id, l.name FROM made.orders o CROSS JOIN LATERAL (SELECT name FROM made.customers c WHERE c.customer_id = o.customer_id) l
x_order_hidden: SELECT id FROM made.orders ORDER BY qty NULLS LAST, upper(status) OFFSET 2 LIMIT 10
x_table: TABLE made.customers
x_values_only: SELECT * FROM (VALUES (1, 'a'), (2, NULL)) AS t(a, b)
x_on_mixed: SELECT mixedcase, "LOWER" FROM made.tr_x_mixed
x_on_dec: SELECT a + b AS c FROM made.tr_x_dec_div
x_negative: SELECT -qty AS a, +qty AS b, NOT flag AS c, qty = 1 AS d, qty != 1 AS f, qty <> 2 AS g FROM made.orders
x_distinct_from: SELECT id FROM made.orders WHERE status IS DISTINCT FROM code AND qty NOT BETWEEN 1 AND 3
x_quantified: SELECT id FROM made.orders WHERE qty > ALL (SELECT 1 FROM made.customers) AND id = ANY (SELECT customer_id FROM made.customers)
x_tuple_in: SELECT id FROM made.orders WHERE (id, customer_id) IN (SELECT customer_id, customer_id FROM made.customers)
x_json2: SELECT json_query(payload, 'lax $.a') AS a, json_exists(payload, 'lax $.b') AS b, json_object('a': 1) AS c, json_array(1, 2) AS d, CAST(MAP(ARRAY['a'], ARRAY[1]) AS json) AS e FROM made.orders
x_strings2: SELECT split_part(status, ',', 1) AS a, strpos(status, 'a') AS b, substring(status, 1, 2) AS c, lpad(status, 3, 'x') AS d, trim(LEADING 'x' FROM status) AS e, reverse(status) AS f, format('%s', status) AS g, levenshtein_distance(status, code) AS h, normalize(status) AS i, url_extract_host(status) AS j FROM made.orders
x_math2: SELECT abs(qty) AS a, ceil(price) AS b, ln(price) AS d, log2(price) AS e, truncate(price) AS f, sign(price) AS g, cbrt(price) AS k, least(1, qty) AS o, pi() AS p, nan() AS q, infinity() AS r, width_bucket(price, 1, 2, 3) AS s FROM made.orders
x_grouping_expr: SELECT upper(status) AS st, count(*) AS n FROM made.orders GROUP BY upper(status)
x_uuid: SELECT uuid() AS u, random() AS r, current_user AS c FROM made.orders
x_ip: SELECT CAST(status AS ipaddress) AS i FROM made.orders
x_names: SELECT id AS "a b", qty AS "Mixed" FROM made.orders
x_double_cast: SELECT CAST(CAST(price AS real) AS double) AS a, CAST(amount AS bigint) AS b, CAST(flag AS integer) AS c, CAST(ordered AS date) AS d, CAST(shipped AS timestamp(3)) AS e FROM made.orders
x_geo: SELECT ST_Point(1, 2) AS p FROM made.orders
x_part: SELECT count(*) AS n FROM made.by_day WHERE dt > '2026-01-01'
x_listagg: SELECT listagg(DISTINCT status, ',') WITHIN GROUP (ORDER BY status) AS l FROM made.orders
x_array_agg: SELECT array_agg(id ORDER BY qty DESC) FILTER (WHERE qty > 1) AS a FROM made.orders
x_subscript: SELECT items[1] AS i, props['x'] AS p, tags[1] AS t FROM made.orders
x_iff: SELECT if(flag, 1) AS a, coalesce(qty, 1) AS b, nullif(qty, 1) AS c FROM made.orders
