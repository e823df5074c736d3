"""Which columns of tables go into each column of a query: what Spark 4.3.0's own plans say."""

import pytest

from discovery.checks.subject import Output
from discovery.lineage import outputs, scopes
from discovery.ports import Name

TABLES: dict[tuple[str, ...], list[str]] = {
    ("a",): ["id", "x", "y", "s", "d", "arr", "m", "st"],
    ("b",): ["id", "x", "z", "t", "k"],
    ("c",): ["id", "a_id", "b_id", "v", "day"],
}


def origins(sql: str, dialect: str = "spark") -> dict[str, str] | None:
    """By each column that is returned, those that go into it: `a.x b.z`."""
    names = scopes.names(sql, dialect)
    assert names is not None
    return told(outputs.output(sql, dialect, {name: TABLES[name] for name in names[0]}))


def told(output: Output | None) -> dict[str, str] | None:
    if output is None:
        return None
    assert not output.lost
    every = (
        " ".join(f"{table[-1]}.{column}" for table, column in columns) for columns in output.origins
    )
    return dict(zip(output.columns, every, strict=True))


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        # the alias of a subquery is another one outside
        (
            "SELECT (SELECT max(q.x) FROM a q WHERE q.id = 1) AS p, q.z FROM b q",
            {"p": "a.x", "z": "b.z"},
        ),
        (
            "SELECT q.z, (SELECT count(*) FROM a q WHERE q.y > 0) AS n FROM b q",
            {"z": "b.z", "n": ""},
        ),
        (
            "WITH q AS (SELECT id, x FROM a) SELECT (SELECT q.x) AS p, q.z FROM b q",
            {"p": "b.x", "z": "b.z"},
        ),
        # what decides which rows there are goes into no column
        ("SELECT (SELECT b.z FROM b WHERE b.id = a.id LIMIT 1) AS z FROM a", {"z": "b.z"}),
        ("SELECT s, EXISTS (SELECT 1 FROM b WHERE b.id = a.id) AS p FROM a", {"s": "a.s", "p": ""}),
        ("SELECT exists(arr, e -> e > x) AS p FROM a", {"p": "a.arr a.x"}),
        ("SELECT x IN (SELECT z FROM b WHERE b.k = 'k') AS p FROM a", {"p": "a.x b.z"}),
        (
            "SELECT (SELECT max(m) FROM (SELECT b.x + a.x AS m FROM b WHERE k = s) q) AS p FROM a",
            {"p": "a.x b.x"},
        ),
        (
            "SELECT (SELECT max(x) FROM (SELECT x FROM b UNION SELECT v FROM c)) AS p FROM a",
            {"p": "b.x c.v"},
        ),
        # columns of LATERAL by name, and by place
        (
            "SELECT q.* FROM a JOIN LATERAL (SELECT b.z AS m, a.s FROM b WHERE b.id = a.id) q",
            {"m": "b.z", "s": "a.s"},
        ),
        (
            "SELECT q.* FROM a JOIN LATERAL (SELECT b.z, a.s FROM b WHERE b.id = a.id) q(p, r)",
            {"p": "b.z", "r": "a.s"},
        ),
        # windows by name
        (
            "SELECT sum(x) OVER w AS r, max(y) OVER (w) AS k FROM a WINDOW w AS (PARTITION BY s)",
            {"r": "a.s a.x", "k": "a.s a.y"},
        ),
        # several columns of one item
        (
            "SELECT r.q, r.s FROM (SELECT stack(2, x, y, id, y) AS (p, q), s FROM a) r",
            {"q": "a.id a.x a.y", "s": "a.s"},
        ),
        ("SELECT posexplode(arr) AS (p, e), s FROM a", {"p": "a.arr", "e": "a.arr", "s": "a.s"}),
        ("SELECT explode(arr) AS e FROM a", {"e": "a.arr"}),
        ("SELECT inline(array(st)), s FROM a", None),
        ("SELECT json_tuple(s, 'p', 'q'), s FROM a", None),
        ("SELECT inline_outer(array(st)), s FROM a", None),
        ("(SELECT id, x FROM a) LIMIT 1", {"id": "a.id", "x": "a.x"}),
        ("SELECT id, x FROM a UNION ALL SELECT id, z FROM b", {"id": "a.id b.id", "x": "a.x b.z"}),
        (
            "SELECT id, x FROM a UNION ALL BY NAME SELECT x, id FROM b",
            {"id": "a.id b.id", "x": "a.x b.x"},
        ),
    ],
)
def test_each_column_comes_from_what_goes_into_it(
    sql: str, expected: dict[str, str] | None
) -> None:
    assert origins(sql) == expected


@pytest.mark.parametrize("dialect", ["mysql", "trino"])
def test_what_a_function_in_from_is_given_goes_into_its_columns(dialect: str) -> None:
    sql = "SELECT q.i FROM a, JSON_TABLE(a.s, '$[*]' COLUMNS (i int PATH '$.i')) AS q"
    assert origins(sql, dialect) == {"i": "a.s"}


@pytest.mark.parametrize(
    ("sql", "dialect", "expected"),
    [
        ("SELECT hash(*) AS h, count(*) AS n FROM r", "spark", {"h": "r.u r.v", "n": ""}),
        ("SELECT to_json(struct(r.*)) AS j FROM r JOIN b ON u = k", "spark", {"j": "r.u r.v"}),
        ("SELECT md5(concat_ws('|', *)) AS h FROM (SELECT u FROM R) q", "hive", {"h": "r.u"}),
        ("SELECT row_to_json(q.*) AS j FROM (SELECT v FROM r) q", "postgresql", {"j": "r.v"}),
        ("SELECT count(DISTINCT *) AS n FROM r", "spark", {"n": "r.u r.v"}),
    ],
)
def test_a_star_that_a_function_is_given_is_every_column(
    sql: str, dialect: str, expected: dict[str, str]
) -> None:
    tables: dict[Name, list[str]] = {("r",): ["u", "v"], ("b",): ["k"]}
    output = outputs.output(sql, dialect, tables)
    assert output is not None
    told = [" ".join(f"{name[0]}.{column}" for name, column in each) for each in output.origins]
    assert dict(zip(output.columns, told, strict=True)) == expected


def test_the_fields_of_a_row_are_not_counted() -> None:
    assert origins("SELECT (st).*, x FROM a", "postgresql") is None
    assert origins("SELECT row(1, 2).*, x FROM a", "trino") is None


@pytest.mark.parametrize(
    ("sql", "dialect"),
    [
        ("SELECT *, CAST(k AS STRING) FROM b", "hive"),
        ("SELECT *, z + 1 FROM b UNION SELECT *, 1 FROM b", "mysql"),
        ("(SELECT *, count(*) OVER () FROM b) LIMIT 1", "spark"),
    ],
)
def test_what_the_engine_names_has_no_name(sql: str, dialect: str) -> None:
    assert list(origins(sql, dialect) or ()) == ["id", "x", "z", "t", "k", ""]


@pytest.mark.parametrize("lock", ["FOR UPDATE", "FOR SHARE OF q SKIP LOCKED", "FOR UPDATE OF q"])
def test_what_is_locked_is_no_table_more(lock: str) -> None:
    output = outputs.output(f"SELECT q.id FROM s.a q {lock}", "postgresql", {("s", "a"): ["id"]})
    assert output is not None
    assert output.origins == (((("s", "a"), "id"),),)


@pytest.mark.parametrize(
    "sql",  # as MySQL 9.7.4 and MariaDB 10.11.19 write them
    [
        "select `s`.`a`.`id` AS `id` from `s`.`a` PARTITION (`p0`)",
        "select get_format(DATE,'ISO') AS `f` from `s`.`a`",
        "select nextval(`s`.`sq`) AS `n` from `s`.`a`",
        "with b as (select `*` AS `*` from `s`.`a`)select `s`.`a`.`id` AS `id` from `s`.`a`",
    ],
)
def test_words_of_mysql_are_no_columns_that_are_gone(sql: str) -> None:
    output = outputs.output(sql, "mysql", {("s", "a"): ["id"]})
    assert output is None or output.columns


def test_a_later_query_of_a_with_clause_of_hive_is_followed() -> None:
    sql = "WITH q AS (SELECT * FROM R), r AS (SELECT id AS x FROM s.a) SELECT x FROM q"
    output = outputs.output(sql, "hive", {("s", "a"): ["id"]})
    assert output is not None
    assert (output.columns, output.origins) == (("x",), (((("s", "a"), "id"),),))


def test_a_column_that_is_gone_is_told_as_mysql_names_it() -> None:
    sql = "select count(0) AS `n` from `s`.`a` where `s`.`a`.`gone` = 1"
    output = outputs.output(sql, "mysql", {("s", "a"): ["id"]})
    assert output is not None
    assert output.lost == "Unknown column: gone"


@pytest.mark.parametrize(
    ("sql", "columns", "expected"),
    [
        ('SELECT id FROM s."A"', ["id"], "id"),
        ('SELECT "A".id FROM s."A" UNION ALL SELECT "A".id FROM s."A"', ["id"], "id"),
        ('SELECT s."A".id FROM s."A"', ["id"], "id"),
        ('SELECT "ID" FROM s."A"', ["ID", "id"], "ID"),
        ('SELECT "Id" FROM s."A"', ["ID", "id"], None),
        ("""SELECT JSON_OBJECT('a' : id RETURNING json) AS o FROM s."A\"""", ["id"], "id"),
    ],
)
def test_postgresql_keeps_the_case_of_quoted_names(
    sql: str, columns: list[str], expected: str | None
) -> None:
    """PostgreSQL 18.6 has all of these views but the one that names a column that is not there."""
    output = outputs.output(sql, "postgresql", {("s", "A"): columns})
    assert output is not None
    assert bool(output.lost) is (expected is None)
    assert expected is None or output.origins == (((("s", "A"), expected),),)


MIXED: dict[tuple[str, ...], list[str]] = {
    ("t",): ["id", "x"],
    ("db", "t"): ["id", "w"],
    ("db", "u"): ["id", "z"],
    ("cat", "db", "v"): ["id", "y"],
}


@pytest.mark.parametrize("dialect", ["spark", "trino", "postgresql", "hive"])
@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT x, u.z FROM t JOIN db.u ON t.id = u.id", {"x": ("t", "x"), "z": ("db", "u", "z")}),
        (
            "SELECT x, z, y FROM t, db.u AS u, cat.db.v AS v",
            {"x": ("t", "x"), "z": ("db", "u", "z"), "y": ("cat", "db", "v", "y")},
        ),
        (
            "WITH t AS (SELECT x AS m FROM t) SELECT m, z FROM t JOIN db.u ON true",
            {"m": ("t", "x"), "z": ("db", "u", "z")},
        ),
        (
            "SELECT a.x, b.w FROM t AS a JOIN db.t AS b ON a.id = b.id",
            {"x": ("t", "x"), "w": ("db", "t", "w")},
        ),
        (
            "SELECT x, (SELECT max(z) FROM db.u WHERE u.id = t.id) AS m FROM t",
            {"x": ("t", "x"), "m": ("db", "u", "z")},
        ),
    ],
)
def test_names_of_one_text_may_have_more_and_fewer_parts(
    sql: str, expected: dict[str, tuple[str, ...]], dialect: str
) -> None:
    output = outputs.output(sql, dialect, MIXED)
    assert output is not None
    every = [(*table, column) for ((table, column),) in output.origins]
    assert dict(zip(output.columns, every, strict=True)) == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT `x`, UPPER(`s`) AS `p`\nFROM `hc`.`db`.`a`", {"x": "a.x", "p": "a.s"}),
        ("SELECT *\nFROM `b`", {"id": "b.id", "x": "b.x", "z": "b.z", "t": "b.t", "k": "b.k"}),
        (
            "SELECT `q`.`y`, `b`.`z`\nFROM (SELECT `id`, `y`\nFROM `a`) AS `q`\nCROSS JOIN `b`",
            {"y": "a.y", "z": "b.z"},
        ),
        # of Flink's grammar, and no column that the table has lost
        ("SELECT LOCALTIMESTAMP AS `p`, TIMESTAMPADD(DAY, 1, `d`) AS `q`\nFROM `a`", None),
        ("SELECT `gone`\nFROM `a`", None),
        ("SELECT `s` LIKE '\\d' AS `p`\nFROM `a`", None),
    ],
)
def test_texts_of_flink_are_followed_as_far_as_hives_grammar_reads_them(
    sql: str, expected: dict[str, str] | None
) -> None:
    tables = {
        ("a",): TABLES[("a",)],
        ("b",): TABLES[("b",)],
        ("hc", "db", "a"): TABLES[("a",)],
    }
    assert told(outputs.output(sql, "flink", tables)) == expected


@pytest.mark.parametrize("dialect", ["spark", "hive", "flink", "trino", "mysql"])
def test_origins_are_called_as_text_and_table_call_them(dialect: str) -> None:
    tables = {("Db", "T"): ["userId", "Other"], ("u",): ["id"]}
    output = outputs.output("SELECT userId, Other, id FROM Db.T, u", dialect, tables)
    assert output is not None
    assert output.origins == (
        ((("Db", "T"), "userId"),),
        ((("Db", "T"), "Other"),),
        ((("u",), "id"),),
    )


def test_what_reads_a_with_clause_in_another_case_returns_what_that_does() -> None:
    sql = "WITH Orders AS (SELECT o.a FROM orders o JOIN s.x ON o.a = x.c) SELECT * FROM orders"
    returned = outputs.output(sql, "spark", {("orders",): ["a", "b"], ("s", "x"): ["c"]})
    assert returned is not None
    assert returned.columns == ("a",)


def test_all_columns_of_a_table_are_of_the_one_that_is_spelled_so() -> None:
    tables: dict[Name, list[str]] = {("T",): ["a"], ("t",): ["b"]}
    for known in (tables, dict(reversed(tables.items()))):
        told = outputs.output('SELECT row_to_json("T".*) AS j FROM "T", t', "postgresql", known)
        assert told is not None
        assert told.origins == (((("T",), "a"),),)
