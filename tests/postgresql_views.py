"""Texts of views for a database of PostgreSQL that has more than tables.

Nobody has written down what PostgreSQL says of them: the test asks one.
"""

from typing import Final

from discovery.functions import Parameter, Signature

TABLES: Final = {
    "article": (
        ("id", "bigint"),
        ("name", "character varying(40)"),
        ("price", "numeric(10,2)"),
        ("tags", "text[]"),
        ("added", "timestamp with time zone"),
        ("extra", "jsonb"),
        ("code", "character(3)"),
        ("weight", "double precision"),
        ("day", "date"),
        ("raw", "bytea"),
    ),
    "Odd Names": (("Id", "integer"), ("a b", "text"), ("select", "boolean")),
    "line": (("article", "bigint"), ("number", "integer"), ("amount", "numeric")),
    "felt": (("id", "integer"), ("how", "judged.mood")),
    "near": (("id", "integer"), ("at", "judged.vector(3)")),
    "paid": (("id", "integer"), ("sum", "judged.cents")),
    "made": (
        ("id", "integer"),
        ("how", "judged.mood"),
        ("sum", "judged.cents"),
        ("all", "judged.mood[]"),
        ("place", 'judged."Odd pair"'),
        ("doc", "judged.doc"),
        ("day", "date"),
    ),
}
MADE: Final = (
    "DROP SCHEMA IF EXISTS judged CASCADE",
    "CREATE SCHEMA judged",
    "CREATE TYPE judged.mood AS ENUM ('good', 'bad')",
    "CREATE DOMAIN judged.cents AS integer CHECK (value >= 0)",
    'CREATE TYPE judged."Odd pair" AS (l integer, r text)',
    "CREATE DOMAIN judged.doc AS jsonb",
    "CREATE EXTENSION IF NOT EXISTS vector SCHEMA judged",
    "CREATE SEQUENCE judged.counter",
    "CREATE FUNCTION judged.twice(bigint) RETURNS bigint LANGUAGE sql AS 'SELECT $1 * 2'",
    "CREATE FUNCTION judged.alike(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
    "CREATE OPERATOR judged.=== (FUNCTION = judged.alike, LEFTARG = text, RIGHTARG = text)",
    "CREATE COLLATION judged.plain (provider = libc, locale = 'C')",
    *(
        f'CREATE TABLE judged."{name}" ('
        + ", ".join(f'"{column}" {kind}' for column, kind in columns)
        + ")"
        for name, columns in TABLES.items()
    ),
    "ALTER TABLE judged.article ADD PRIMARY KEY (id)",
)
FUNCTIONS: Final = {
    "twice": Signature((Parameter("", "bigint", may_lack=False),), "bigint"),
    "alike": Signature((Parameter("", "text", may_lack=False),) * 2, "boolean"),
}
"""Of the database: a crawl lists them, and those of the extension."""
TEXTS: Final = (
    "SELECT id, name FROM judged.article;",
    "SELECT * FROM judged.article",
    "SELECT a.* FROM judged.article a JOIN judged.line l ON l.article = a.id",
    'SELECT "Id", "a b", "select" FROM judged."Odd Names"',
    "SELECT postgres.judged.line.number FROM postgres.judged.line",
    "SELECT id, price * 1.19 AS taxed, price::numeric(8,1) AS short FROM judged.article",
    "SELECT name || '!' AS shout, upper(name) AS loud, length(name) FROM judged.article",
    "SELECT extra ->> 'bio' AS bio, extra #> '{a,b}' AS deep FROM judged.article",
    "SELECT id, unnest(tags) AS tag FROM judged.article",
    "SELECT a.id, t.tag FROM judged.article a, LATERAL unnest(a.tags) AS t(tag)",
    "SELECT date_trunc('month', added) AS month, count(*) FROM judged.article GROUP BY 1",
    "SELECT id, rank() OVER (PARTITION BY day ORDER BY price) FROM judged.article",
    "SELECT sum(amount), avg(amount), max(number) FROM judged.line HAVING count(*) > 1",
    "SELECT id FROM judged.article WHERE added > now() - interval '1 day'",
    "SELECT id FROM judged.article WHERE name ~ '^a' AND code LIKE 'x%'",
    "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 9) SELECT n FROM t",
    "SELECT CASE WHEN price > 1 THEN 'dear' END AS word, COALESCE(name, '-') FROM judged.article",
    "SELECT generate_series(1, 3) AS n",
    "VALUES (1, 'a'), (2, 'b')",
    "TABLE judged.line",
    "SELECT article FROM judged.line UNION SELECT id FROM judged.article",
    "SELECT EXTRACT(year FROM added) AS y, added AT TIME ZONE 'UTC' AS z FROM judged.article",
    "SELECT string_agg(name, ', ' ORDER BY id) FILTER (WHERE price > 0) FROM judged.article",
    "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY price) FROM judged.article",
    "SELECT number FROM judged.line WHERE EXISTS (SELECT FROM judged.article WHERE id = number)",
    "SELECT count(*) AS n FROM judged.article GROUP BY GROUPING SETS ((day), (code), ())",
    "SELECT NULL AS nothing, 1.5 AS always, ARRAY[id, 0] AS pair FROM judged.article",
    "SELECT j.a FROM JSON_TABLE('[]', '$[*]' COLUMNS (a int PATH '$')) AS j",
    "SELECT ctid, xmin FROM judged.line",
    "SELECT id FROM judged.article TABLESAMPLE system (10)",
    "SELECT a.id, a FROM judged.article a",
    "SELECT to_tsvector('english', name) @@ to_tsquery('x') AS hit FROM judged.article",
    "SELECT uuidv7() AS fresh, gen_random_uuid() AS other",
    # what stands on what the database has beside tables
    "SELECT id, name, count(*) FROM judged.article JOIN judged.line ON article = id GROUP BY id",
    "SELECT judged.twice(id) AS more FROM judged.article",
    "SELECT nextval('judged.counter') AS n",
    "SELECT 'judged.counter'::regclass AS place",
    "SELECT 'good'::judged.mood AS how",
    "SELECT how FROM judged.felt",
    "SELECT sum FROM judged.paid",
    "SELECT id FROM judged.near ORDER BY at OPERATOR(judged.<->) '[1,2,3]'",
    "SELECT name::text OPERATOR(judged.===) 'x' AS same FROM judged.article",
    "SELECT name COLLATE judged.plain AS ordered FROM judged.article",
    "SELECT name COLLATE judged.none AS ordered FROM judged.article",
    "SELECT oid FROM pg_catalog.pg_class",
    # what PostgreSQL refuses
    "SELECT nope FROM judged.article",
    "SELECT a.nope FROM judged.article a",
    "SELECT b.id FROM judged.article a",
    "SELECT judged.article.id FROM judged.article a",
    'SELECT Id FROM judged."Odd Names"',
    "SELECT id FROM other.judged.article",
    "SELECT number FROM judged.line a, judged.line b",
    "SELECT nvl(price, 0) FROM judged.article",
    "SELECT ifnull(price, 0), date_format(added, 'y') FROM judged.article",
    "SELECT round(weight, 2) FROM judged.article",
    "SELECT twice(name) FROM judged.article",
    "SELECT id + name FROM judged.article",
    "SELECT id FROM judged.article WHERE code",
    "SELECT id FROM judged.article WHERE name = 5",
    "SELECT id FROM judged.article WHERE id = 'x'",
    "SELECT raw::date FROM judged.article",
    "SELECT id::date FROM judged.article",
    "SELECT id, tags FROM judged.article UNION SELECT number, amount FROM judged.line",
    "SELECT id FROM judged.article UNION SELECT number, amount FROM judged.line",
    "SELECT id, id FROM judged.article",
    "SELECT id FROM judged.article WHERE count(*) > 1",
    "SELECT id FROM judged.article WHERE rank() OVER () = 1",
    "SELECT sum(count(*)) FROM judged.article",
    "SELECT rank() FROM judged.article",
    "SELECT row(1, 2)",
    "SELECT pg_sleep(100)",
    "SELECT $1",
    "SELECT id INTO x FROM judged.article",
    "WITH gone AS (DELETE FROM judged.line RETURNING *) SELECT * FROM gone",
    "SELECT 1; DROP TABLE judged.line",
    "SELECT 1 AS a) AS x; DROP TABLE judged.line; --",
    "DO $$ BEGIN PERFORM 1; END $$",
    "COPY judged.line TO PROGRAM 'true'",
    "SELECT id FROM judged.article LIMIT 'x'",
    "SELECT id FROM judged.article ORDER BY 3",
    "SELECT DISTINCT ON (day) id FROM judged.article ORDER BY id",
    "SELECT '{bad'::jsonb, '2026-13-01'::date",
    "SELECT (SELECT id, name FROM judged.article) AS two",
    "SELECT array[1, 'x']",
)
UNSEEN: Final = (
    # made when the rules stood
    "SELECT a.name FROM judged.article a WHERE a.id = ANY (ARRAY[1,2])",
    "SELECT id FROM judged.article WHERE id IN (SELECT article, number FROM judged.line)",
    "SELECT id FROM judged.article WHERE (id, name) > (1, 'x')",
    "SELECT id FROM judged.article WHERE price BETWEEN 'a' AND 2",
    "SELECT added + name AS x FROM judged.article",
    "SELECT current_date - day AS d FROM judged.article",
    "SHOW search_path",
    "EXPLAIN SELECT 1",
    "SELECT FROM judged.article",
    "SELECT id FROM judged.article FOR UPDATE",
    "SELECT t.e, t.o FROM judged.article a, unnest(a.tags) WITH ORDINALITY AS t(e, o)",
    (
        "WITH RECURSIVE t(n) AS (SELECT name FROM judged.article UNION ALL "
        "SELECT n || 'x' FROM t) SELECT n FROM t"
    ),
    (
        "WITH RECURSIVE t(n) AS (SELECT price FROM judged.article UNION ALL "
        "SELECT n + 1 FROM t) SELECT n FROM t"
    ),
    "SELECT 'judged.twice'::regproc AS f",
    "SELECT 'lower(text)'::regprocedure AS f",
    "SELECT a.twice FROM judged.article a",
    "SELECT tags[1:2] AS s, tags[1] AS e, extra['k'] AS k FROM judged.article",
    "SELECT int4range(1,2) @> 3 AS r, xmlelement(name x, name) AS x FROM judged.article",
    (
        "SELECT id, sum(price) OVER w FROM judged.article WINDOW w AS (ORDER "
        "BY day ROWS UNBOUNDED PRECEDING)"
    ),
    "SELECT id FROM judged.article WHERE name = code",
    "SELECT id || name AS c FROM judged.article",
    "SELECT length(id) FROM judged.article",
    (
        "SELECT substring(name from 1 for 2) AS s, trim(both ' ' from name) AS "
        "t, overlay(name placing 'x' from 1) AS o FROM judged.article"
    ),
    "SELECT count(DISTINCT id, name) FROM judged.article",
    "SELECT isnull(name, '') FROM judged.article",
    "SELECT TOP 5 id FROM judged.article",
    "SELECT `id` FROM judged.article",
    "SELECT id FROM judged.article LIMIT 5, 10",
    "SELECT datediff(day, added, now()) FROM judged.article",
    "SELECT if(price > 1, 1, 0) FROM judged.article",
    (
        "SELECT concat_ws(',', id, name) AS c, format('%s', id) AS f, "
        "md5(name) AS m FROM judged.article"
    ),
    "SELECT a.id FROM judged.article a NATURAL JOIN judged.line",
    "SELECT id FROM judged.article a FULL JOIN judged.line l USING (id)",
    "SELECT greatest(id, name) FROM judged.article",
    "SELECT CASE WHEN id THEN 1 END FROM judged.article",
    "SELECT CASE id WHEN 1 THEN 'a' ELSE 2 END FROM judged.article",
    "SELECT EXISTS (SELECT 1) AS e, NOT 1 AS n",
    'SELECT name AS "select", id AS "A b" FROM judged.article',
    "SELECT x FROM (VALUES (1),('a')) v(x)",
    "SELECT x FROM (VALUES (1),(2, 3)) v(x)",
    (
        "SELECT json_build_object('a', id) AS j, row_to_json(a) AS r, "
        "to_jsonb(a) AS b FROM judged.article a"
    ),
    "SELECT id::regclass AS c FROM judged.article",
    "SELECT raw || raw AS r, encode(raw, 'hex') AS h FROM judged.article",
    "SELECT lag(price) OVER (ORDER BY id) - price AS d FROM judged.article",
    "SELECT grouping(day) AS g FROM judged.article GROUP BY ROLLUP (day)",
    "SELECT max(extra) FROM judged.article",
    "SELECT min(raw), max(tags) FROM judged.article",
    "SELECT array_agg(a) AS rows FROM judged.article a",
    "SELECT id FROM judged.missing",
    (
        "SELECT m.id FROM judged.article m JOIN LATERAL (SELECT number FROM "
        "judged.line WHERE article = m.id) l ON true"
    ),
    "SELECT l.* FROM judged.line AS l(a, b, c, d)",
    'SELECT name COLLATE "C" < code COLLATE "POSIX" AS x FROM judged.article',
    "SELECT cast(id AS nosuch) FROM judged.article",
    "SELECT bit '101' & b'110' AS b, x'1F'::int AS h",
    "SELECT 1 AS a WHERE 'a' ~ '('",
    "SELECT 'abc'::char(2) AS c, 12345.678::numeric(4,1) AS n",
    "SELECT interval '1 day' * 2 AS i, date '2026-02-30' AS d",
    (
        "SELECT pg_typeof(id) AS t, version() AS v, current_user AS u, "
        "txid_current() AS x FROM judged.article"
    ),
    "SELECT age(added), to_char(added, 'YYYY'), make_date(2026, 1, 1) FROM judged.article",
    "SELECT * FROM judged.article a JOIN judged.line b ON a.id = b.article",
    "SELECT setseed(0.5)",
    (
        "SELECT regexp_replace(name, 'a', 'b', 'g') AS r, regexp_like(name, "
        "'a') AS l FROM judged.article"
    ),
    "SELECT * FROM generate_series(1, 'x')",
    "SELECT unnest(id) FROM judged.article",
    "SELECT sum(name) FROM judged.article",
    "SELECT name FROM judged.article GROUP BY id",
)
OVER_MADE_TYPES: Final = (
    "SELECT id, how FROM judged.made",
    "SELECT * FROM judged.made",
    """SELECT id FROM judged.made WHERE how = 'good'::judged.mood""",
    "SELECT how, count(*) AS n, max(how) AS best FROM judged.made GROUP BY how ORDER BY how",
    """SELECT CASE how WHEN 'good'::judged.mood THEN 1 ELSE 0 END AS n FROM judged.made""",
    "SELECT how::text || day::text AS both, sum + 1 AS more FROM judged.made",
    "SELECT (place).l AS l FROM judged.made",
    """SELECT doc ->> 'a' AS a, doc || '{}' AS b FROM judged.made""",
    'SELECT "all"[1] AS first, cardinality("all") AS n FROM judged.made',
    'SELECT unnest("all") AS one FROM judged.made',
    """SELECT id FROM judged.made WHERE how = ANY (ARRAY['good', 'bad']::judged.mood[])""",
    "SELECT a.x, a.z FROM judged.made a(x, y, z)",
    "SELECT row_to_json(a.*) AS j FROM judged.made a",
    "SELECT f.id, f.how FROM judged.felt f JOIN judged.made m USING (how)",
    "SELECT how FROM judged.felt UNION SELECT how FROM judged.made",
    """SELECT enum_range(NULL::judged.mood) AS every, array_agg(how) AS l FROM judged.felt""",
    "SELECT COALESCE(how, how) AS h, lag(how) OVER (ORDER BY id) AS before FROM judged.felt",
    "SELECT date_trunc('month', day) AS m, sum(sum) AS s FROM judged.made GROUP BY 1",
    "SELECT id, at FROM judged.near",
    "SELECT id FROM judged.near ORDER BY at OPERATOR(judged.<=>) '[1,2,3]'::judged.vector",
    "SELECT '[1,2,3]'::judged.vector(3) AS v, id FROM judged.near",
    # what PostgreSQL refuses
    "SELECT nope FROM judged.made",
    "SELECT a.nope, a.how FROM judged.made a",
    "SELECT how FROM judged.felt, judged.made",
    "SELECT how + 1 AS more FROM judged.made",
    "SELECT sum || 1 AS more, (day).x FROM judged.made",
    "SELECT id FROM judged.felt WHERE how = 1",
    "SELECT round(day) AS d, how FROM judged.made",
    "SELECT day + how AS d FROM judged.made",
    "SELECT id FROM judged.nowhere, judged.felt",
)
"""Over columns of types that the database has made: domains of texts stand for these."""
