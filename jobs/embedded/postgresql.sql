-- The database of the demo; the role that crawls it may not read one of the views.
CREATE SCHEMA shop;
CREATE TABLE shop.article (id bigint PRIMARY KEY, name varchar(40) NOT NULL, price numeric(10,2),
  tags text[], added timestamptz, extra jsonb);
INSERT INTO shop.article VALUES
  (1, 'apple', 2.50, '{fruit,red}', '2026-03-01 09:30:00+01', '{"bio": true}'),
  (2, 'anvil', 99.90, NULL, '2026-03-04 18:00:00+01', NULL),
  (3, 'axe', 9.99, '{tool}', NULL, '{}'),
  (4, 'awl', NULL, '{}', NULL, NULL);
COMMENT ON SCHEMA shop IS 'what is sold';
COMMENT ON COLUMN shop.article.id IS 'number of the article';
CREATE VIEW shop.cheap AS SELECT id, name, price FROM shop.article WHERE price < 10;
COMMENT ON VIEW shop.cheap IS 'under ten euro';
COMMENT ON COLUMN shop.cheap.price IS 'in euro';
CREATE VIEW shop."With Tax" WITH (security_invoker = true) AS
  SELECT id, price * 1.19 AS "gross price" FROM shop.article;
CREATE TYPE shop.mood AS ENUM ('good', 'bad');
CREATE TYPE shop.part AS (number int, name text);
CREATE DOMAIN shop.cents AS int CHECK (value >= 0);
CREATE TABLE shop.sample (si smallint, i int, bi bigint, am numeric(12,2), n numeric, r real,
  d double precision, c char(3), vc varchar(20), vcs varchar, tx text, b boolean, dt date,
  tm time(3), tmz timetz, ts timestamp(3), tsz timestamptz, iv interval day to second(2), u uuid,
  js json, jb jsonb, bin bytea, ai int[], av varchar(5)[][], an numeric(6,1)[], md shop.mood,
  ct shop.cents, pt shop.part, ip inet, bt bit(4), vb bit varying(8), x xml, o oid, rg int4range,
  tv tsvector, mny money, geo point);
CREATE VIEW shop.every_type AS SELECT * FROM shop.sample;
CREATE VIEW shop.computed(id, "next id", shout, always, never, taxed, since, pair, ranking) AS
  SELECT id, id + 1, name || '!', 1.5, NULL, (price * 1.19)::numeric(10,1), now(), ARRAY[id, 0],
    rank() OVER (ORDER BY price) FROM shop.article;
CREATE VIEW shop.guarded WITH (security_barrier = true, check_option = cascaded) AS
  SELECT id, name FROM shop.article WHERE id > 0;
CREATE VIEW shop.everything AS SELECT * FROM shop.article;
CREATE MATERIALIZED VIEW shop.monthly AS
  SELECT date_trunc('month', added) AS month, count(*) FROM shop.article GROUP BY 1;
CREATE VIEW shop.salaries AS SELECT 1 AS denied;
CREATE ROLE reader LOGIN;
GRANT USAGE ON SCHEMA shop TO reader;
GRANT SELECT ON ALL TABLES IN SCHEMA shop TO reader;
REVOKE SELECT ON shop.salaries FROM reader;
