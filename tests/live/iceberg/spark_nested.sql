create namespace if not exists prod.ice.eu;
create namespace if not exists prod.ice.eu.west comment 'the west';
create or replace view prod.ice.eu.west.v_deep as select id from prod.ice.events;
