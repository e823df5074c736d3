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
x_union_types: select id, qty as v from made.orders union all select id, cast(price as int) as v from made.orders
x_union_mixed: select amount as v from made.orders union all select price as v from made.orders
x_union_distinct: select id from made.orders union distinct select customer_id from made.customers
x_union_three: select id from made.orders union all select id from made.by_day union all select customer_id from made.customers
x_dec_div: select d38 / d5 as a, d38 * d38 as b, d5 % 3 as c, d38 + d5 as d, -d5 as e from made.kinds
x_dec_avg: select avg(d38) as a, sum(d38) as b, avg(d5) as c from made.kinds
x_small_math: select t + s as a, t * t as b, s / t as c, f + d as d, i div 2 as e, b % 7 as g from made.kinds
x_bits: select i & 3 as a, i | 4 as b, i ^ 5 as c, ~i as d, shiftleft(i, 2) as e from made.kinds
x_nested: select deep[1][0].p.q as a, deep[1] as b, map_keys(deep) as c from made.kinds
x_arrays: select items.sku as skus, size(tags) as n, array_contains(tags, 'a') as c, sort_array(tags) as s from made.orders
x_two_laterals: select id, a, b from made.orders lateral view explode(tags) t as a lateral view posexplode(tags) u as p, b
x_json_tuple: select id, a, b from made.orders lateral view json_tuple(payload, 'a', 'b') j as a, b
x_udtf: select explode(tags) as tag from made.orders
x_udtf_two: select stack(2, 'a', 1, 'b', 2) as (k, v) from made.orders
x_frames: select id, sum(qty) over (order by id rows between 2 preceding and 1 following) as a, avg(price) over (partition by status order by qty range between 10 preceding and current row) as b from made.orders
x_named_window: select id, sum(qty) over w as s, rank() over w as r from made.orders window w as (partition by status order by id)
x_ntile: select id, ntile(4) over (order by id) as a, percent_rank() over (order by id) as b, lead(qty, 1, 0) over (order by id) as c, first_value(qty) over (order by id) as d, cume_dist() over (order by id) as e from made.orders
x_not_exists: select o.id from made.orders o where not exists (select 1 from made.by_day d where d.id = o.id and d.dt > '2026')
x_in_corr: select o.id from made.orders o where o.qty in (select 1 from made.by_day d where d.id = o.id)
x_group_expr: select upper(status) as st, count(*) as n from made.orders group by upper(status)
x_group_ordinal: select status, kind, count(*) as n from made.orders group by status, kind order by n desc
x_cube: select status, kind, grouping__id as gi, count(*) as n from made.orders group by status, kind with cube
x_distinct: select distinct status, kind from made.orders
x_count_distinct: select count(distinct status, kind) as d, count(distinct id) as e from made.orders
x_tz: select from_utc_timestamp(ordered, 'Europe/Berlin') as a, to_utc_timestamp(ordered, 'PST') as b from made.orders
x_intervals: select shipped + interval '1-2' year to month as a, ordered - interval '1' day as b, shipped + interval 1 month as c from made.orders
x_date_text: select id from made.orders where shipped = '2026-01-01' and ordered > '2026-01-01 10:00:00'
x_text_number: select id from made.orders where status = 5 or code > 1
x_reserved: select `select`, `from`, `order`, `timestamp` from made.reserved
x_mixed: select id as `MixedCase`, qty as `lower`, status as UPPER from made.orders
x_star_alias: select o.*, c.name from made.orders o join made.customers c on o.id = c.customer_id
x_cte_shadow: with orders as (select 1 as one) select one from orders
x_cte_twice: with a as (select id from made.orders), b as (select id from a) select a.id from a join b on a.id = b.id
x_binary: select bin as a, hex(bin) as b, unhex('1F') as c, cast('x' as binary) as d, base64(bin) as e from made.kinds
x_chars: select c5 as a, v20 as b, concat(c5, v20) as c, rpad(v20, 3, ' ') as d from made.kinds
x_char_cast: select cast(id as varchar(5)) as a, cast(status as char(2)) as b from made.orders where kind = 'ab'
x_partition: select id, dt, amount from made.by_day where dt between '2026-01-01' and '2026-02-01'
x_partition_two: select dt, count(*) as n from made.by_day group by dt
x_comment: select /* a comment */ id from made.orders
x_hint: select /*+ MAPJOIN(c) */ o.id from made.orders o join made.customers c on o.id = c.customer_id
x_unicode: select 'größe €' as g, '' as leer, '\u0041' as esc from made.orders
x_long_in: select id from made.orders where id in (1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30)
x_escapes: select 'it\'s' as a, "double" as b, 'a\tb' as d, 'a;b' as e from made.orders
x_rlike: select id from made.orders where status rlike 'a.*' and kind like 'a%' and code regexp 'X'
x_case_simple: select case c5 when 'a' then 1 when 'b' then 2 end as c, decode(bin, 'UTF-8') as d, nvl(c5, "x") as e from made.kinds
x_aggs: select percentile(qty, 0.5) as a, percentile_approx(price, 0.5) as b, stddev_pop(price) as c, corr(price, qty) as d, var_samp(price) as e from made.orders
x_structs: select named_struct('a', 1, 'b', array(1, 2)) as a, struct(id, qty) as b, map('a', 1, 'b', 2)['a'] as c from made.orders
x_struct_field: select struct(id, qty).col1 as a, named_struct('x', id).x as b from made.orders
x_dates2: select add_months(shipped, 1) as a, last_day(shipped) as b, months_between(shipped, ordered) as c, date_format(ordered, 'yyyy') as e, unix_timestamp(ordered) as f, trunc(shipped, 'MM') as h, from_unixtime(id) as i, next_day(shipped, 'MON') as j, weekofyear(shipped) as k, hour(ordered) as l from made.orders
x_current: select current_date as a, current_timestamp as b, current_user() as u, current_database() as d, rand() as r from made.orders
x_extract: select extract(year from shipped) as a, quarter(shipped) as b, floor(ordered to day) as c from made.orders
x_full_join: select o.id, c.name from made.orders o full outer join made.customers c on o.id = c.customer_id
x_right: select c.name from made.orders o right outer join made.customers c on o.id = c.customer_id and o.qty > 1
x_sort: select id from made.orders distribute by id sort by id
x_cluster: select id from made.orders cluster by id
x_subquery: select q.a from (select id as a, qty from made.orders where qty > 1) q where q.qty < 5
x_on_mixed: select mixedcase, `lower` from made.hv_x_mixed
x_on_dec: select a + b as c from made.hv_x_dec_div
x_typed: select 1L as a, 1S as b, 1Y as c, 1.0BD as e, 1e0 as f from made.orders
x_negative: select -qty as a, +qty as b, not flag as c, qty = 1 as d, qty == 1 as e, qty != 1 as f, qty <> 2 as g, qty <=> 3 as h from made.orders
x_is: select id from made.orders where flag and status is not null and qty not between 1 and 3 and kind not in ('a')
x_regex_fns: select regexp_replace(status, 'a', 'b') as a, parse_url(payload, 'HOST') as b, substr(status, 1, 2) as c, instr(status, 'a') as d, locate('a', status) as e, length(status) as f, reverse(status) as g, initcap(status) as h, translate(status, 'a', 'b') as i, lpad(status, 3, 'x') as j, trim(status) as k, space(2) as l, repeat(status, 2) as m, ascii(status) as n, levenshtein(status, code) as o, soundex(status) as p from made.orders
x_math_fns: select abs(qty) as a, ceil(price) as b, exp(price) as c, ln(price) as d, log(2, price) as e, sqrt(price) as f, sign(price) as g, conv('1F', 16, 10) as h, bin(id) as i, factorial(qty) as j, cbrt(price) as k, bround(price, 1) as l, e() as m, pi() as n, least(1, qty) as o from made.orders
x_hashes: select md5(status) as a, sha1(status) as b, sha2(status, 256) as c, crc32(status) as d, hash(id) as e from made.orders
x_masks: select mask(status) as a, mask_hash(status) as b from made.orders
x_assert: select assert_true(qty > 0) as a from made.orders
x_ngrams: select sentences(payload) as a, str_to_map(payload) as b, split(payload, ':')[0] as c from made.orders
x_ifs: select if(flag, qty, 0) as a, coalesce(qty, 0) as b, isnull(qty) as c, isnotnull(qty) as d, nullif(qty, 1) as e from made.orders
x_union_sub: select u.id from (select id from made.orders union all select customer_id as id from made.customers) u where u.id > 1
x_limit: select id from made.orders limit 5
x_having: select status, sum(qty) as s from made.orders group by status having s > 10
x_collect_struct: select status, collect_list(named_struct('a', id, 'b', qty)) as l from made.orders group by status
x_inline_arr: select id, a, b from made.orders lateral view inline(array(struct(1, 'x'), struct(2, 'y'))) t as a, b
