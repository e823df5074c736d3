plain: SELECT id, status FROM made.orders WHERE amount > 10
short: SELECT id FROM orders
full: SELECT id FROM hc.made.orders
renamed(order_id, label): SELECT id, status FROM made.orders
star: SELECT * FROM made.customers
unnamed(a, b): SELECT id + 1, UPPER(status) FROM made.orders
bare: SELECT id + 1, UPPER(status) FROM made.orders
literals: SELECT 1 AS a, 'x' AS b, 1.5 AS c, TRUE AS d, DATE '2026-01-01' AS e, CAST(NULL AS INT) AS f, X'1F' AS g
values: SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS t(x, y)
aggregates: SELECT status, COUNT(*) AS n, SUM(amount) AS s, AVG(price) AS a, MIN(shipped) AS f, MAX(ordered) AS l FROM made.orders GROUP BY status
decimals: SELECT amount * amount AS a, amount / 3 AS b, SUM(amount * qty) AS c FROM made.orders GROUP BY amount
having: SELECT status, COUNT(*) AS n FROM made.orders GROUP BY status HAVING COUNT(*) > 1
cube: SELECT city, country, COUNT(*) AS n FROM made.customers GROUP BY CUBE (city, country)
sets: SELECT city, country, COUNT(*) AS n FROM made.customers GROUP BY GROUPING SETS ((city, country), (city), ())
distinct_of: SELECT DISTINCT status, kind FROM made.orders
filter: SELECT COUNT(*) FILTER (WHERE qty > 1) AS n, COUNT(DISTINCT status) AS d FROM made.orders
window: SELECT id, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY ordered DESC) AS rn FROM made.orders
topn: SELECT id, rn FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY amount DESC) AS rn FROM made.orders) WHERE rn <= 3
over: SELECT id, SUM(qty) OVER (PARTITION BY customer_id ORDER BY ordered ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS s FROM made.orders
join: SELECT o.id, c.name FROM made.orders o LEFT JOIN made.customers c ON o.customer_id = c.customer_id
cross: SELECT o.id, c.name FROM made.orders o CROSS JOIN made.customers c
comma: SELECT o.id, c.name FROM made.orders o, made.customers c WHERE o.customer_id = c.customer_id
using: SELECT customer_id, o.id FROM made.orders o JOIN made.customers c USING (customer_id)
natural: SELECT name FROM made.orders NATURAL JOIN made.customers
exists_in: SELECT id FROM made.orders o WHERE EXISTS (SELECT 1 FROM made.customers c WHERE c.customer_id = o.customer_id) AND o.customer_id IN (SELECT customer_id FROM made.customers)
scalar: SELECT id, (SELECT MAX(amount) FROM made.by_day) AS top FROM made.orders
union: SELECT id FROM made.orders UNION SELECT customer_id FROM made.customers
intersect: SELECT id FROM made.orders INTERSECT SELECT id FROM made.by_day
cte: WITH q AS (SELECT id FROM made.orders), r AS (SELECT id FROM q) SELECT id FROM r
unnest: SELECT id, tag FROM made.orders CROSS JOIN UNNEST(tags) AS t(tag)
unnest_map: SELECT id, k, v FROM made.orders CROSS JOIN UNNEST(props) AS t(k, v)
unnest_left: SELECT id, tag FROM made.orders LEFT JOIN UNNEST(tags) AS t(tag) ON TRUE
structs: SELECT o.place.geo.lat AS lat, o.items[1].sku AS sku, o.props['a'] AS a, ROW(id, status) AS r, ARRAY[1, 2] AS b, MAP['a', 1] AS m FROM made.orders AS o
dates: SELECT YEAR(shipped) AS a, EXTRACT(DAY FROM shipped) AS b, TIMESTAMPADD(DAY, 1, shipped) AS c, DATE_FORMAT(ordered, 'yyyy') AS d, TO_DATE(payload) AS e, shipped + INTERVAL '1' DAY AS f FROM made.orders
casts: SELECT CAST(payload AS INT) AS a, TRY_CAST(payload AS DOUBLE) AS b, CAST(id AS STRING) AS c, CAST(price AS DECIMAL(12, 4)) AS d FROM made.orders
strings: SELECT CONCAT_WS('-', status, code) AS a, REGEXP_EXTRACT(status, '(a)', 1) AS c, status || code AS d, SPLIT_INDEX(status, ',', 0) AS e FROM made.orders
json: SELECT JSON_VALUE(payload, '$.a') AS a, JSON_EXISTS(payload, '$.b') AS b, JSON_QUERY(payload, '$.c') AS c FROM made.orders
case: SELECT CASE WHEN qty > 1 THEN 'many' ELSE 'one' END AS size, IF(flag, 1, 0) AS f, COALESCE(code, kind) AS k, NULLIF(status, 'x') AS n FROM made.orders
now: SELECT CURRENT_TIMESTAMP AS a, CURRENT_DATE AS b, LOCALTIMESTAMP AS c, PROCTIME() AS d FROM made.orders
ordered: SELECT id FROM made.orders ORDER BY id LIMIT 3
fetch: SELECT id FROM made.orders ORDER BY id OFFSET 1 ROWS FETCH NEXT 3 ROWS ONLY
quoted: SELECT id AS `Order Id`, status AS `größe` FROM made.orders
reserved: SELECT `orders`.`id` AS `at`, `orders`.`status` AS `day` FROM `made`.`orders`
on_view: SELECT id FROM made.fl_plain
on_renamed: SELECT order_id FROM made.fl_renamed
on_drift: SELECT gone FROM made.fl_d_named_dropped
on_star: SELECT name FROM fl_star
maths: SELECT ROUND(price, 2) AS a, FLOOR(price) AS b, MOD(qty, 3) AS c, GREATEST(qty, 1) AS d, POWER(price, 2) AS e FROM made.orders
collect: SELECT status, COLLECT(code) AS s, LISTAGG(code) AS l FROM made.orders GROUP BY status
types: SELECT CAST(qty AS TINYINT) AS a, CAST(qty AS SMALLINT) AS b, CAST(price AS FLOAT) AS c, CAST(status AS BYTES) AS d, CAST(ordered AS TIMESTAMP(3)) AS e, CAST(ordered AS TIMESTAMP_LTZ(3)) AS f FROM made.orders
not_null: SELECT COUNT(*) AS n, CAST(1 AS BIGINT) AS o FROM made.orders
n_using: SELECT k, x FROM made.lefty JOIN made.righty USING (k)
n_not_in: SELECT k FROM made.lefty WHERE k NOT IN (SELECT y FROM made.fewer)
x_union_types: SELECT id, CAST(amount AS DOUBLE) AS v FROM made.orders UNION ALL SELECT id, price FROM made.orders
x_union_mixed: SELECT amount AS v FROM made.orders UNION ALL SELECT price FROM made.orders
x_intersect_all: SELECT id FROM made.orders INTERSECT ALL SELECT customer_id FROM made.customers
x_except_all: SELECT id FROM made.orders EXCEPT ALL SELECT customer_id FROM made.customers
x_minus: SELECT id FROM made.orders EXCEPT SELECT customer_id FROM made.customers
x_dec_avg: SELECT AVG(d38) AS a, SUM(d38) AS b, AVG(d5) AS c FROM made.kinds
x_small_math: SELECT t + s AS a, t * t AS b, s / t AS c, f + d AS d, b % 7 AS g FROM made.kinds
x_nested: SELECT deep[1][1].p.q AS a, deep[1] AS b, MAP_KEYS(deep) AS c FROM made.kinds
x_arrays: SELECT CARDINALITY(tags) AS n, ARRAY_CONTAINS(tags, 'a') AS c, ARRAY_DISTINCT(tags) AS s, tags[1] AS f FROM made.orders
x_unnest_rows: SELECT id, sku, q FROM made.orders CROSS JOIN UNNEST(items) AS t(sku, q)
x_frames: SELECT id, SUM(qty) OVER (PARTITION BY status ORDER BY ordered ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS a FROM made.orders
x_range_frame: SELECT id, SUM(qty) OVER (PARTITION BY status ORDER BY ordered RANGE BETWEEN INTERVAL '1' DAY PRECEDING AND CURRENT ROW) AS a FROM made.orders
x_named_window: SELECT id, SUM(qty) OVER w AS s FROM made.orders WINDOW w AS (PARTITION BY status ORDER BY ordered)
x_lag: SELECT id, LAG(qty, 1) OVER (PARTITION BY status ORDER BY ordered) AS a, FIRST_VALUE(qty) OVER (PARTITION BY status ORDER BY ordered) AS b FROM made.orders
x_following: SELECT id, SUM(qty) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING) AS a FROM made.orders
x_corr_scalar: SELECT o.id, (SELECT COUNT(*) FROM made.customers c WHERE c.customer_id = o.customer_id) AS n FROM made.orders o
x_not_exists: SELECT id FROM made.orders o WHERE NOT EXISTS (SELECT 1 FROM made.by_day d WHERE d.id = o.id AND d.dt > '2026')
x_group_ordinal: SELECT status, COUNT(*) AS n FROM made.orders GROUP BY status ORDER BY 2 DESC
x_having_alone: SELECT COUNT(*) AS n FROM made.orders HAVING COUNT(*) > 1
x_sets: SELECT status, kind, GROUPING(status) AS g, COUNT(*) AS n FROM made.orders GROUP BY ROLLUP (status, kind)
x_intervals: SELECT shipped + INTERVAL '1-2' YEAR TO MONTH AS a, ordered - INTERVAL '1' HOUR AS b FROM made.orders
x_interval_col: SELECT INTERVAL '1' DAY AS a FROM made.orders
x_date_text: SELECT id FROM made.orders WHERE shipped = '2026-01-01' AND ordered > TIMESTAMP '2026-01-01 10:00:00'
x_text_number: SELECT id FROM made.orders WHERE CAST(status AS INT) = 5
x_reserved: SELECT `select`, `from`, `order`, `timestamp` FROM made.reserved
x_star_alias: SELECT o.*, c.name FROM made.orders o JOIN made.customers c ON o.id = c.customer_id
x_cte_cols: WITH a(x, y) AS (SELECT id, qty FROM made.orders) SELECT x, y FROM a
x_binary: SELECT bin AS a, X'1F' AS c, TO_BASE64(status) AS e, CHAR_LENGTH(status) AS f, MD5(status) AS g FROM made.kinds, made.orders
x_chars: SELECT c5 AS a, v20 AS b, CONCAT(c5, v20) AS c, RPAD(v20, 3, ' ') AS d, c5 || 'x' AS e FROM made.kinds
x_char_cast: SELECT CAST(id AS VARCHAR(5)) AS a, CAST(status AS CHAR(2)) AS b FROM made.orders WHERE kind = 'ab'
x_comment: SELECT /* a comment */ id FROM made.orders -- and the rest
x_hint: SELECT /*+ BROADCAST(c) */ o.id FROM made.orders o JOIN made.customers c ON o.id = c.customer_id
x_options: SELECT id FROM made.orders /*+ OPTIONS('streaming-source.enable'='false') */
x_long_in: SELECT id FROM made.orders WHERE id IN (1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30)
x_like: SELECT id FROM made.orders WHERE status LIKE 'a!_%' ESCAPE '!' AND status SIMILAR TO 'a%'
x_case_simple: SELECT CASE kind WHEN 'a' THEN 1 WHEN 'b' THEN 2.5 END AS c FROM made.orders
x_aggs: SELECT STDDEV_POP(price) AS c, VAR_SAMP(price) AS d, MAX(qty) AS e, FIRST_VALUE(id) AS f, LAST_VALUE(id) AS l, COUNT(DISTINCT status) AS n FROM made.orders
x_seq: SELECT ARRAY[1, 2] AS a, ARRAY_CONCAT(tags, tags) AS b, ARRAY_SLICE(tags, 1, 2) AS c, ARRAY_JOIN(tags, ',') AS d, MAP_FROM_ARRAYS(tags, tags) AS e FROM made.orders
x_dates2: SELECT EXTRACT(YEAR FROM shipped) AS d, DATE_FORMAT(ordered, 'yyyy') AS e, UNIX_TIMESTAMP() AS f, DAYOFWEEK(shipped) AS g, TO_TIMESTAMP(status) AS h, FLOOR(ordered TO DAY) AS i, TIMESTAMPDIFF(DAY, ordered, ordered) AS j, CEIL(ordered TO HOUR) AS k, TO_TIMESTAMP_LTZ(id, 3) AS l, CONVERT_TZ(status, 'UTC', 'CET') AS m FROM made.orders
x_time: SELECT TIME '10:00:00' AS t FROM made.orders
x_full_join: SELECT o.id, c.name FROM made.orders o FULL OUTER JOIN made.customers c ON o.id = c.customer_id
x_non_equi: SELECT o.id FROM made.orders o JOIN made.customers c ON o.id > c.customer_id
x_lateral: SELECT o.id, l.name FROM made.orders o, LATERAL (SELECT name FROM made.customers c WHERE c.customer_id = o.customer_id) l
x_semi: SELECT id FROM made.orders WHERE customer_id IN (SELECT customer_id FROM made.customers WHERE country = 'DE')
x_order_hidden: SELECT id FROM made.orders ORDER BY qty, UPPER(status) LIMIT 10
x_names(`a b`, `Mixed`, c): SELECT id, qty, status FROM made.orders
x_negative: SELECT -qty AS a, +qty AS b, NOT flag AS c, qty = 1 AS d, qty <> 2 AS g, flag IS TRUE AS h FROM made.orders
x_distinct_from: SELECT id FROM made.orders WHERE status IS DISTINCT FROM code AND qty NOT BETWEEN 1 AND 3
x_tuple_in: SELECT id FROM made.orders WHERE (id, customer_id) IN (SELECT customer_id, customer_id FROM made.customers)
x_json3: SELECT payload IS JSON AS c FROM made.orders
x_strings2: SELECT SUBSTRING(status, 1, 2) AS c, LPAD(status, 3, 'x') AS d, TRIM(LEADING 'x' FROM status) AS e, REVERSE(status) AS f, POSITION('a' IN status) AS h, OVERLAY(status PLACING 'x' FROM 1) AS i, INITCAP(status) AS j, REGEXP(status, 'a') AS k, PARSE_URL(status, 'HOST') AS l, SPLIT_INDEX(status, ',', 1) AS m, STR_TO_MAP(status) AS n FROM made.orders
x_math2: SELECT ABS(qty) AS a, CEIL(price) AS b, LN(price) AS d, LOG2(price) AS e, TRUNCATE(price, 1) AS f, SIGN(price) AS g, LEAST(1, qty) AS o, PI() AS p, RAND() AS q, UUID() AS r, BIN(id) AS s, HEX(id) AS t FROM made.orders
x_group_expr: SELECT UPPER(status) AS st, COUNT(*) AS n FROM made.orders GROUP BY UPPER(status)
x_double_cast: SELECT CAST(CAST(price AS FLOAT) AS DOUBLE) AS a, CAST(amount AS BIGINT) AS b, CAST(flag AS INT) AS c, CAST(ordered AS DATE) AS d, CAST(shipped AS TIMESTAMP(3)) AS e FROM made.orders
x_tumble: SELECT window_start, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE made.orders, DESCRIPTOR(ordered), INTERVAL '1' HOUR)) GROUP BY window_start, window_end
x_tumble_old: SELECT TUMBLE_START(ordered, INTERVAL '1' HOUR) AS s, COUNT(*) AS n FROM made.orders GROUP BY TUMBLE(ordered, INTERVAL '1' HOUR)
x_rows: SELECT ROW(1, 'x') AS r, CAST(ROW(1, 'x') AS ROW<a INT, b STRING>) AS s FROM made.orders
x_part: SELECT COUNT(*) AS n FROM made.by_day WHERE dt > '2026-01-01'
x_nested_view: SELECT a.id FROM (SELECT b.id FROM (SELECT id FROM made.orders) b) a
x_listagg: SELECT LISTAGG(DISTINCT status) AS l FROM made.orders
x_null_cast: SELECT CAST(NULL AS STRING) AS a, CAST(NULL AS DECIMAL(10, 2)) AS b FROM made.orders
x_values_only: SELECT * FROM (VALUES (1, 'a'), (2, 'bcd')) AS t(a, b)
x_if: SELECT IF(qty > 1, 'a', 'bb') AS a, IFNULL(qty, 0) AS b, COALESCE(qty, 0) AS c, CASE WHEN flag THEN 1 END AS d FROM made.orders
x_is_alpha: SELECT IS_ALPHA(status) AS a, IS_DECIMAL(status) AS b FROM made.orders
x_typeof: SELECT TYPEOF(qty) AS a, CURRENT_DATABASE() AS b FROM made.orders
