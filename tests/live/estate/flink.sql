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
