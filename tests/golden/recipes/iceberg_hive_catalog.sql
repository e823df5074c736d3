-- Spark 4.0.5 with Iceberg makes a table and a view in a Hive Metastore through Iceberg's HiveCatalog.
-- Needs: the runtime jar of Iceberg for Spark, and a metastore, embedded or not; the extensions
-- of Iceberg; the catalog as org.apache.iceberg.spark.SparkCatalog of type hive. A metastore on
-- Derby has no lock tables: iceberg.engine.hive.lock-enabled=false, or commits hang.
-- Run: spark-sql -f iceberg_hive_catalog.sql with the catalog `ih`.

CREATE NAMESPACE ih.icehms;
create table if not exists ih.icehms.t (id bigint, name string, amt decimal(10,2), ts timestamp, ntz timestamp_ntz) using iceberg;
USE ih.icehms;
create or replace view v_ice comment 'an iceberg view in HMS' tblproperties('k'='v') as select id, name, ts, ntz from t;
