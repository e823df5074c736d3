"""Functions of strangers that write where somebody runs them, in every place of a view."""

from typing import Final

# Where a view of MySQL or MariaDB can call a function: `s.f()` is an integer, `s.g()` a text.
# MariaDB 10.11 runs those of ROUND and below whenever it opens the view, in its catalog too.
OF_MYSQL: Final = {
    "plain": "SELECT s.f() AS x",
    "where": "SELECT id FROM s.base WHERE s.f() = 1",
    "compared": "SELECT id FROM s.base WHERE id = s.f() AND name LIKE s.g()",
    "between": "SELECT id FROM s.base WHERE id BETWEEN s.f() AND 9 OR id IN (s.f(), 2)",
    "subquery": "SELECT (SELECT s.f()) AS x FROM s.base WHERE EXISTS (SELECT s.f())",
    "derived": "SELECT x FROM (SELECT s.f() AS x UNION SELECT 3) AS q WHERE x = s.f()",
    "with": "WITH q AS (SELECT s.f() AS x) SELECT x FROM q",
    "grouped": "SELECT sum(s.f()) AS x FROM s.base GROUP BY s.f() HAVING s.f() = 1",
    "ordered": "SELECT sum(id) OVER (ORDER BY s.f()) AS x FROM s.base ORDER BY s.f()",
    "joined": "SELECT a.id FROM s.base a LEFT JOIN s.base b ON a.id = s.f() WHERE b.id IS NULL",
    "cast": "SELECT cast(s.f() AS decimal(9,2)) AS x, CASE s.f() WHEN 1 THEN 2 END AS y",
    "length": "SELECT left(name, s.f()) AS x, repeat('a', s.f()) AS y FROM s.base",
    "round": "SELECT round(1.2345, s.f()) AS x",
    "truncate": "SELECT truncate(1.2345, s.f()) AS x",
    "substr": "SELECT substr(name, s.f()) AS x FROM s.base",
    "parsed": "SELECT str_to_date('2020', s.g()) AS x",
    "rows": "SELECT id FROM s.base WHERE (id, name) = (s.f(), s.g())",
    "interval": "SELECT interval(s.f(), 1, 2) AS x",
    "above": "SELECT x FROM s.v_round",
}
INSERTS: Final = "INSERT INTO s.marker VALUES (current_user());"
LEAVES: Final = "SET SESSION TRANSACTION READ WRITE; SET SESSION sql_select_limit = 1;"

# The same for PostgreSQL; each function calls one that is volatile and writes.
OF_POSTGRESQL: Final = {
    "plain": "SELECT s.f() AS x",
    "defining": "SELECT s.defining() AS x",
    "where": "SELECT id FROM s.base WHERE s.f() = 1 OR id IN (s.f(), 2)",
    "limited": "SELECT id FROM s.base LIMIT s.f()",
    "sampled": "SELECT id FROM s.base TABLESAMPLE bernoulli (s.f())",
    "subquery": "SELECT (SELECT s.f()) AS x",
    "with": "WITH q AS MATERIALIZED (SELECT s.f() AS x) SELECT x FROM q",
    "rows": "SELECT x FROM s.base, LATERAL s.many() AS x",
    "cast": "SELECT s.f()::numeric(5, 2) AS x, 5::s.pair AS y",
    "domain": "SELECT 5::s.checked AS x, ARRAY[5]::s.checked[] AS y",
    "operator": "SELECT 1 OPERATOR(s.###) 2 AS x",
    "aggregate": "SELECT s.total(id) AS x FROM s.base",
    "window": "SELECT sum(id) OVER (ORDER BY s.f()) AS x FROM s.base",
    "default": "SELECT s.defaulted() AS x",
    "case": "SELECT CASE WHEN s.f() = 1 THEN 1 ELSE 2 END AS x",
    "policy": "SELECT id FROM s.guarded",
    "generated": "SELECT id, twice FROM s.generated",
    "invoked": "SELECT s.f() AS x, s.shadowed(1) AS y",
    "above": "SELECT x FROM s.v_plain",
}
MADE_IN_POSTGRESQL: Final = """
CREATE TABLE s.marker (who text);
CREATE FUNCTION s.write() RETURNS int LANGUAGE plpgsql VOLATILE AS $$BEGIN
  PERFORM set_config('default_transaction_read_only', 'off', false);
  INSERT INTO s.marker VALUES (current_user); RETURN 1; END$$;
CREATE FUNCTION s.f() RETURNS int LANGUAGE plpgsql IMMUTABLE AS
  $$BEGIN RETURN s.write(); END$$;
CREATE FUNCTION s.defining() RETURNS int LANGUAGE plpgsql IMMUTABLE SECURITY DEFINER AS
  $$BEGIN RETURN s.write(); END$$;
CREATE FUNCTION s.add(int, int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS
  $$BEGIN RETURN s.write(); END$$;
CREATE FUNCTION s.is_right(int) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS
  $$BEGIN RETURN s.write() = 1; END$$;
CREATE FUNCTION s.many() RETURNS SETOF int LANGUAGE plpgsql STABLE AS
  $$BEGIN RETURN NEXT s.write(); END$$;
CREATE FUNCTION s.defaulted(a int DEFAULT s.f()) RETURNS int LANGUAGE plpgsql IMMUTABLE AS
  $$BEGIN RETURN s.write(); END$$;
CREATE FUNCTION s.shadowed(anyelement) RETURNS int LANGUAGE plpgsql IMMUTABLE AS
  $$BEGIN RETURN s.write(); END$$;
CREATE DOMAIN s.checked AS int CHECK (s.is_right(value));
CREATE TYPE s.pair AS (a int);
CREATE FUNCTION s.paired(int) RETURNS s.pair LANGUAGE plpgsql IMMUTABLE AS
  $$BEGIN PERFORM s.write(); RETURN row(1)::s.pair; END$$;
CREATE CAST (int AS s.pair) WITH FUNCTION s.paired(int);
CREATE OPERATOR s.### (leftarg = int, rightarg = int, function = s.add);
CREATE AGGREGATE s.total(int) (sfunc = s.add, stype = int, initcond = '0');
CREATE TABLE s.guarded (id int);
ALTER TABLE s.guarded ENABLE ROW LEVEL SECURITY;
CREATE POLICY p ON s.guarded USING (s.f() = 1);
CREATE TABLE s.generated
  (id int DEFAULT s.f(), twice int GENERATED ALWAYS AS (s.add(id, id)) STORED);
CREATE INDEX ON s.generated (s.add(id, 1)) WHERE s.is_right(id);
"""
