-- Trino 476 makes views through its Hive and its Iceberg connector, on one Hive Metastore.
-- Needs: Trino 476; catalogs `hive` and `iceberg` on that metastore, `tpch`; Java 23 or later.
-- Run: trino --user alice --catalog hive --schema sales -f trino_views.sql; the entries are then
-- read over Thrift. For what the engine says: DESCRIBE of each view.

CREATE SCHEMA hive.sales;
create table hive.sales.orders (id bigint, cust varchar, amt decimal(12,2), tags array(varchar), attrs map(varchar, integer), pos row(x double, y double), ts timestamp(3), d date);
create or replace view hive.sales.v_plain as select id, cust, amt from orders where amt > 1;
create or replace view hive.sales.v_definer comment 'a definer view' security definer as select * from hive.sales.orders;
create or replace view hive.sales.v_invoker comment 'an invoker view' security invoker as select id, tags, attrs, pos from orders;
create or replace view hive.sales.v_types as select cast(1 as tinyint) c_tinyint, cast(1 as smallint) c_smallint, 1 c_int, cast(1 as bigint) c_bigint,
   true c_bool, cast(1 as real) c_real, 1e0 c_double, decimal '1.25' c_dec, cast(1 as decimal(38,10)) c_dec38, cast('a' as varchar(10)) c_vc10, cast('a' as varchar) c_vc, cast('a' as char(3)) c_char,
   x'00' c_bin, date '2024-01-01' c_date, time '01:02:03.123' c_time, timestamp '2024-01-01 00:00:00' c_ts0, cast(now() as timestamp(3)) c_ts3, cast(now() as timestamp(6)) c_ts6, cast(now() as timestamp(9)) c_ts9, cast(now() as timestamp(12)) c_ts12,
   now() c_tstz, cast(now() as timestamp(6) with time zone) c_tstz6, time '01:02:03 +02:00' c_timetz, uuid '12151fd2-7586-11e9-8f9e-2a86e4085a59' c_uuid, ipaddress '10.0.0.1' c_ip, json '{"a":1}' c_json,
   interval '1' day c_ids, interval '1' month c_iym, array[1,2] c_arr, map(array['a'],array[decimal '1.0']) c_map, cast(row(1,'b') as row(a integer, "B c" varchar)) c_row, row(1, 'x') c_anonrow, array[row(1, map(array[1],array[row('z')]))] c_nest, approx_set(1) c_hll;
create or replace view hive.sales.v_cross as select n.name, o.id from tpch.tiny.nation n join hive.sales.orders o on o.id = n.nationkey;
comment on column hive.sales.v_definer.id is 'the order''s id';
comment on view hive.sales.v_definer is 'a definer view, commented again';
create table if not exists iceberg.sales.ice_t (id bigint, ts timestamp(6) with time zone, u uuid);
create or replace view iceberg.sales.iv1 comment 'on iceberg' as select * from iceberg.sales.ice_t;
