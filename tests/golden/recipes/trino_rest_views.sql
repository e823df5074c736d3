-- Trino 476 makes a view through its Iceberg connector on Iceberg's REST catalog.
-- Needs: Trino 476, catalog `irest` (iceberg.catalog.type=rest) on Iceberg's REST test server; the
-- table sales.events with the columns id and name. Run: trino --user alice --catalog irest
-- --schema sales -f trino_rest_views.sql; then GET /v1/namespaces/sales/views/tv3.

create or replace view irest.sales.tv3 security definer as select id, name as "N n", uuid '12151fd2-7586-11e9-8f9e-2a86e4085a59' u, cast(1.5 as decimal(5,2)) d, array[1] a, cast(row(1,'x') as row(a integer, b varchar)) r from events;
