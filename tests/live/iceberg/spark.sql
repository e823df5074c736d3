create namespace if not exists prod.ice;
create table if not exists prod.ice.events (
  id bigint not null comment 'the id', name string, amt decimal(10,2), ts timestamp,
  ntz timestamp_ntz, d date, tags array<string>, m map<string,int>,
  st struct<a:int,b:string>, bin binary, f float
) using iceberg;
use prod.ice;
create or replace view v_plain comment 'an iceberg view' tblproperties ('k'='v') as select id, name from events where amt > 1;
create or replace view v_cols (event_count comment 'Count of events', event_date) comment 'Daily event counts' as select count(1), cast(ts as date) from events group by 2;
create or replace view v_types as select * from prod.ice.events;
create or replace view v_versions as select id, 0 as n from events;
create or replace view v_versions as select id, 1 as n from events;
create or replace view v_versions as select id, 2 as n from events where name = 'it''s "x"';
alter view v_versions set tblproperties ('k2'='x');
