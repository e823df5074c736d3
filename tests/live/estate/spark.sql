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
