-- The database of the demo; the role that crawls it may not read one of the views.
CREATE SCHEMA shop;
CREATE TABLE shop.article (id bigint PRIMARY KEY, name varchar(40) NOT NULL, price numeric(10,2),
  tags text[], added timestamptz, extra jsonb);
COMMENT ON SCHEMA shop IS 'what is sold';
COMMENT ON COLUMN shop.article.id IS 'number of the article';
CREATE VIEW shop.cheap AS SELECT id, name, price FROM shop.article WHERE price < 10;
COMMENT ON VIEW shop.cheap IS 'under ten euro';
COMMENT ON COLUMN shop.cheap.price IS 'in euro';
CREATE VIEW shop."With Tax" WITH (security_invoker = true) AS
  SELECT id, price * 1.19 AS "gross price" FROM shop.article;
CREATE VIEW shop.everything AS SELECT * FROM shop.article;
CREATE MATERIALIZED VIEW shop.monthly AS
  SELECT date_trunc('month', added) AS month, count(*) FROM shop.article GROUP BY 1;
CREATE VIEW shop.salaries AS SELECT 1 AS denied;
CREATE ROLE reader LOGIN;
GRANT USAGE ON SCHEMA shop TO reader;
GRANT SELECT ON shop.article, shop.cheap, shop.everything, shop."With Tax" TO reader;
