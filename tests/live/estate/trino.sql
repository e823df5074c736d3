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
