plain: select id, status from made.orders where amount > 10
short: select id from orders
renamed(order_id, label): select id, status from made.orders
star: select * from made.customers
unnamed: select id + 1, upper(status) from made.orders
literals: select 1 as a, 'x' as b, 1.5 as c, true as d, 100L as e, cast('2026-01-01' as date) as f from made.customers
aggregates: select status, count(*) as n, sum(amount) as s, avg(price) as a, min(shipped) as f, max(ordered) as l from made.orders group by status
decimals: select amount * amount as a, amount / 3 as b from made.orders
having: select status, count(*) as n from made.orders group by status having count(*) > 1
sets: select city, country, count(*) as n from made.customers group by city, country grouping sets ((city, country), city)
rollup: select city, count(*) as n from made.customers group by city with rollup
window: select id, row_number() over (partition by customer_id order by ordered desc) as rn from made.orders
join: select o.id, c.name from made.orders o left outer join made.customers c on o.customer_id = c.customer_id
semi: select c.name from made.customers c left semi join made.orders o on c.customer_id = o.customer_id
exists_in: select o.id from made.orders o where o.customer_id in (select customer_id from made.customers)
union: select id from made.orders union all select customer_id as id from made.customers
cte: with q as (select id from made.orders) select q.id from q
lateral_view: select id, t.tag from made.orders lateral view explode(tags) t as tag
outer_lateral: select id, k, v from made.orders lateral view outer explode(props) m as k, v
inline: select id, sku from made.orders lateral view inline(items) t as sku, n
posexplode: select id, p, tag from made.orders lateral view posexplode(tags) t as p, tag
structs: select place.geo.lat as lat, items[0].sku as sku, props['a'] as a from made.orders
dates: select date_add(shipped, 1) as b, datediff(shipped, ordered) as c, to_date(payload) as d, year(shipped) as e, date_format(ordered, 'yyyy') as f from made.orders
casts: select cast(payload as int) as a, cast(id as string) as b, cast(price as decimal(12,4)) as c from made.orders
strings: select concat_ws('-', status, code) as a, split(status, ',') as b, regexp_extract(status, '(a)', 1) as c from made.orders
json: select get_json_object(payload, '$.a') as a from made.orders
collect: select status, collect_set(code) as s, collect_list(id) as l from made.orders group by status
named: select named_struct('a', id, 'b', status) as s, map('a', 1) as m, array(1, 2) as a from made.orders
case: select case when qty > 1 then 'many' else 'one' end as size, if(flag, 1, 0) as f, nvl(status, 'x') as n from made.orders
mixed: select id from made.orders where status = 5 or id = '5'
sorted: select id from made.orders order by id limit 3
quoted: select id as `Order Id` from made.orders
upper: SELECT ID, STATUS FROM MADE.ORDERS
two: select o.id, c.name, d.dt from made.orders o join made.customers c on o.customer_id = c.customer_id join made.by_day d on o.id = d.id
on_view: select id from made.hv_plain
on_renamed: select order_id from made.hv_renamed
on_drift: select gone from made.hv_d_named_dropped
maths: select round(price, 2) as a, floor(price) as b, pmod(qty, 3) as c, greatest(qty, 1) as d from made.orders
virtual: select INPUT__FILE__NAME as f, id from made.orders
stack: select id, k, v from made.orders lateral view stack(2, 'a', 1, 'b', 2) s as k, v
