-- Hive 2.3.10's own Driver makes views in a Hive Metastore 2.3.10: the Hive that Spark 4.3.0 holds.
-- Needs: PySpark and hive-llap-common 2.3.10 on the driver's class path, which Spark leaves out.
-- Run: each statement by `runSqlHive` of the HiveClient below Spark's external catalog, with the
-- system property spark.testing=true, without which it refuses. The entries are read over Thrift.

SET hive.cbo.enable=false;
CREATE DATABASE hv;
create table if not exists hv.t (id bigint comment 'pk', name string, amt decimal(10,2), tags array<string>, m map<string,int>, s struct<a:int,b:string>, ts timestamp, dt date, vc varchar(10), ch char(3));
USE hv;
create view hv.v_plain comment 'a hive view' tblproperties('k'='v') as select id, name from t where amt > 1;
create view hv.v_cols (a comment 'col a', b) as select id, name from hv.t;
create view hv.v_part partitioned on (dt) as select id, dt from t;
