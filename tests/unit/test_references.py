"""Where names lead: each engine completes them in its own way."""

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from discovery.lineage import scopes
from discovery.lineage.kinds import BaseKind, settled
from discovery.lineage.references import Catalogs, Place, function_place, place, stated_places
from discovery.lineage.scopes import names
from discovery.model import Column, Identifier, Primitive, Representation, View
from discovery.ports import Name
from tests.statements import REFERENCES

CATALOGS = Catalogs(
    {
        "trino": {"lake_t": "lake", "shopdb": "shop"},
        "spark": {"ice": "ice"},
        "flink": {"hc": "lake"},
    },
    {"lake": str.lower, "shop": str, "ice": str},
)


def leads(name: str, dialect: str, **context: str | None) -> str | None:
    """Source and key that a name of a view `lake: db.v` leads to; None: out of the estate."""
    found = where(name, dialect, **context)
    return None if found.source is None else f"{found.source}/{found.key}"


def where(name: str, dialect: str, **context: str | None) -> Place:
    text = Representation(
        dialect=dialect,
        sql="",
        default_catalog=context.get("catalog"),
        default_schema=context.get("schema"),
    )
    view = Identifier(tuple((context.get("view") or "db").split("/")), "v")
    return place(tuple(name.split(".")), context.get("source") or "lake", view, text, CATALOGS)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("T", "lake/s.t"),
        ("other.T", "lake/other.t"),
        ("hive.other.t", "lake/other.t"),
        ("HIVE.other.t", "lake/other.t"),
        ("Lake_T.other.t", "lake/other.t"),
        ("lake_t.other.t", "lake/other.t"),
        ("shopdb.Public.T", "shop/public.t"),
        ("unknown.s.t", None),
    ],
)
def test_trino_completes_from_the_catalog_and_schema_of_the_session(
    name: str, expected: str | None
) -> None:
    assert leads(name, "trino", catalog="hive", schema="s") == expected


def test_names_are_as_trino_spells_them_where_its_catalogs_find_any_case() -> None:
    text = Representation(dialect="trino", sql="", default_catalog="hive", default_schema="s")
    found_any = replace(CATALOGS, any_case=frozenset({"trino"}))
    found = place(("shopdb", "Public", "T"), "lake", Identifier(("db",), "v"), text, found_any)
    assert (found.key, found.identifier) == ("Public.T", Identifier(("Public",), "T"))


def test_a_trino_view_without_a_session_catalog_has_whole_names_only() -> None:
    assert where("t", "trino").identifier is None
    assert leads("lake_t.s.t", "TRINO") == "lake/s.t"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("t", "lake/captured.t"),
        ("other.t", "lake/other.t"),
        ("spark_catalog.other.t", "lake/other.t"),
        ("SPARK_Catalog.other.t", "lake/other.t"),
        ("ice.other.t", "ice/other.t"),
        ("ICE.other.t", None),
        ("unmapped.other.t", None),
    ],
)
def test_spark_completes_from_what_it_captured(name: str, expected: str | None) -> None:
    assert leads(name, "spark", catalog="spark_catalog", schema="captured") == expected


def test_hives_text_is_expanded_and_names_databases() -> None:
    assert leads("other.t", "hive") == "lake/other.t"
    assert leads("t", "hive") == "lake/db.t"
    assert leads("a.b.t", "hive") is None, "Hive has no name of three parts"


def test_flink_keeps_no_context_so_names_are_looked_for_beside_the_view() -> None:
    assert leads("t", "flink") == "lake/db.t"
    assert leads("other.t", "flink") == "lake/other.t"
    assert leads("hc.other.t", "flink") == "lake/other.t"
    assert leads("another.other.t", "flink") is None


def test_a_missing_default_catalog_of_iceberg_is_the_views_own() -> None:
    context = {"schema": "a.b", "view": "a/b", "source": "ice"}
    assert leads("t", "spark", **context) == "ice/a.b.t"
    assert leads("c.d.t", "spark", **context) == "ice/c.d.t", "two levels, as the view's own"
    assert leads("ice.c.d.t", "spark", **context) == "ice/c.d.t"


@pytest.mark.parametrize("catalog", [None, "ice", "prod"])
def test_what_spark_has_no_catalog_for_is_a_nested_namespace_if_it_is_there(
    catalog: str | None,
) -> None:
    context = {"catalog": catalog, "schema": "sales", "view": "sales", "source": "ice"}
    found = where("eu.west.t", "spark", **context)
    nested = Identifier(("eu", "west"), "t")
    assert found == Place(catalog, "ice", nested, "eu.west.t", BaseKind.OUTSIDE)
    assert leads("ice.west.t", "spark", **context) == "ice/west.t", "a catalog's name is none"
    assert leads("eu.west.t", "trino", **context) is None, "Trino: Catalog 'eu' not found"


def test_what_spark_has_no_catalog_for_is_outside_of_what_does_not_nest() -> None:
    session = {"catalog": "spark_catalog", "schema": "sales", "view": "sales", "source": "ice"}
    assert leads("eu.west.t", "spark", **session) is None, "REQUIRES_SINGLE_PART_NAMESPACE"
    other = session | {"catalog": "ice", "source": "lake"}
    assert leads("eu.west.t", "spark", **other) is None, "it is of another source"
    own = session | {"catalog": None}
    assert leads("eu.west.t.snapshots", "spark", **own) is None, "nobody knows whose table it is"


@pytest.mark.parametrize("dialect", ["spark", "trino"])
def test_a_short_name_of_iceberg_without_a_namespace_leads_nowhere(dialect: str) -> None:
    context = {"catalog": "prod", "view": "a", "source": "ice"}
    assert where("t", dialect, **context) == Place("prod")
    assert leads("b.t", dialect, **context) == "ice/b.t"


def test_a_dot_in_a_name_is_no_level() -> None:
    text = Representation(dialect="spark", sql="", default_schema="db")
    found = place(("a.b", "t"), "lake", Identifier(("db",), "v"), text, CATALOGS)
    assert found.key == "a%2Eb.t"


def test_what_flinks_parser_refuses_is_read_as_a_session_in_hives_dialect_writes_it() -> None:
    sql = "SELECT `a`.`x`, f(`t`.`y`) FROM `hc`.`d`.`a` LATERAL VIEW explode(`a`.`m`) t AS y"
    assert scopes.names(sql, "flink") == ((("hc", "d", "a"),), (("f",),))
    assert scopes.names("SELECT '\\' FROM `d`.`a`", "flink") is None, "Flink ends the text there"
    assert scopes.names("SELECT a FROM TABLE(TUMBLE(TABLE t))", "flink") is None


def test_sqlglot_reads_what_no_parser_is_there_for() -> None:
    read = scopes.names("WITH a AS (SELECT 1 AS x) SELECT f(x) FROM a, s.t", "mysql")
    assert read == ((("s", "t"),), (("f",),))
    assert scopes.names("SELECT FROM WHERE", "mysql") is None
    assert scopes.names("SELECT a FROM s.t", "redshift") == ((("s", "t"),), ())
    assert scopes.names("SELECT " + "(" * 50_000, "mysql") is None
    assert scopes.names("DROP TABLE t", "mysql") is None


@pytest.mark.parametrize(
    "sql",  # as MySQL 9.7.4 and MariaDB 10.11.19 write them
    [
        "select (match `s`.`t`.`a`,`s`.`t`.`b` against ('from x' in boolean mode)) AS `m` from `s`.`t`",  # noqa: E501 - as it is
        "select (match `s`.`t`.`a` against ('a' with query expansion)) AS `m` from `s`.`t`",
        "select `j`.`z` AS `z` from `s`.`t` join json_table(`s`.`t`.`a`, '$[*]' columns (`z` varchar(9) character set utf8mb4 path '$.y')) `j`",  # noqa: E501 - as it is
        "select `j`.`z` AS `z` from `s`.`t` join json_table(`s`.`t`.`a`, '$[*]' columns (`n` for ordinality, `z` int exists path '$.a', `w` int path '$.b' null on empty error on error, `v` int path '$.c' default '1' on error)) `j`",  # noqa: E501 - as it is
        "select default(`s`.`t`.`a`) AS `DEFAULT(a)` from `s`.`t`",
        "select high_priority distinct `s`.`t`.`id` AS `id` from `s`.`t`",
        "select sql_small_result `s`.`t`.`id` AS `id` from `s`.`t`",
        "values (1,2),(3,(select max(`s`.`t`.`v`) from `s`.`t`))",
        "select group_concat(`s`.`t`.`a` separator ',' limit 2) AS `limit 2)` from `s`.`t`",
        "select `id` AS `id` from `s`.`t` FOR SYSTEM_TIME AS OF TIMESTAMP TIMESTAMP'2024-01-01'",
        "select `id` from `s`.`t` FOR SYSTEM_TIME FROM TIMESTAMP '2024' TO TIMESTAMP current_timestamp(6)",  # noqa: E501 - as it is
    ],
)
def test_words_of_mysql_and_mariadb_that_sqlglot_does_not_read_hide_no_table(sql: str) -> None:
    assert scopes.names(sql, "mysql") == ((("s", "t"),), ())


@pytest.mark.parametrize("dialect", ["doris", "starrocks"])
@pytest.mark.parametrize(
    ("sql", "tables"),
    [
        ("SELECT a FROM s.t JOIN [broadcast] s.u ON t.a = u.a", ["t", "u"]),
        ("SELECT a FROM s.t LEFT OUTER JOIN[SHUFFLE]s.u b ON t.a = b.a", ["t", "u"]),
        ("SELECT a FROM s.t JOIN -- why\n [bucket] s.u USING (a) JOIN [shuffle] s.w", "tuw"),
        ("SELECT a FROM s.t JOIN [skew|t.a(1, 2)] s.u ON t.a = u.a", ["t", "u"]),
        ("SELECT a FROM s.t JOIN [shuffle[skew(t.a (1, 2))]] s.u ON t.a = u.a[1]", ["t", "u"]),
        ("SELECT a[1], 'JOIN [broadcast] x' FROM s.t", ["t"]),
    ],
)
def test_hints_in_brackets_are_no_tables(dialect: str, sql: str, tables: Sequence[str]) -> None:
    assert scopes.names(sql, dialect) == (tuple(("s", table) for table in tables), ())
    assert scopes.opinion(sql, dialect).accepted


def test_a_hint_that_does_not_end_is_no_hint() -> None:
    assert scopes.names("SELECT a FROM s.t JOIN [broadcast s.u ON 1 = 1", "doris") is None


def test_hive_cuts_a_quoted_name_at_its_dots_and_nobody_else_does() -> None:
    read = {one: scopes.names("SELECT a FROM `s.t`", one) for one in ("hive", "spark", "mysql")}
    assert read["hive"] == ((("s", "t"),), ())
    assert read["spark"] == read["mysql"] == ((("s.t",),), ())


@pytest.mark.parametrize(
    ("sql", "dialect"),
    [
        ("SELECT id FROM ${db}.t", "spark"),
        ("SELECT id FROM s.t JOIN ${hiveconf:other} o", "hive"),
        ("SELECT ${columns} FROM s.t", "hive"),
        ("SELECT id FROM s.t WHERE d = ${d}", "spark"),
        ("SELECT id FROM :t", "spark"),
        ("SELECT id FROM IDENTIFIER($t)", "snowflake"),
        ("SELECT id FROM @stage", "snowflake"),
    ],
)
def test_nobody_can_tell_what_a_text_reads_that_a_session_fills_in(sql: str, dialect: str) -> None:
    assert scopes.names(sql, dialect) is None


def test_a_statement_of_a_log_has_read_what_it_names_beside_that() -> None:
    assert scopes.touched("SELECT id FROM s.t WHERE d = ${d}", "spark") == (("s", "t"),)
    assert scopes.touched("SELECT id FROM s.t JOIN ${db}.u", "spark") is None


@pytest.mark.parametrize(
    ("sql", "dialect"),
    [
        ("SELECT '${x}', `${y}` FROM s.t", "hive"),
        ("SELECT a FROM IDENTIFIER('s.t')", "snowflake"),
        ("SELECT a, x FROM s.t, explode(b) e", "spark"),
    ],
)
def test_what_no_session_fills_in_is_read(sql: str, dialect: str) -> None:
    assert scopes.names(sql, dialect) == ((("s", "t"),), ())


FLOORS = {"hive": 26, "mysql": 36, "postgresql": 36, "spark": 37, "trino": 37}
"""Of the texts of each engine, how many sqlglot reads as the engine does."""


@pytest.mark.parametrize("engine", sorted(FLOORS))
def test_sqlglot_reads_what_the_engine_would(engine: str) -> None:
    texts = [reference for reference in REFERENCES if reference["engine"] == engine]
    read = {text["id"]: scopes.names(text["sql"], engine) for text in texts}
    right = [
        text["id"]
        for text in texts
        if (names := read[text["id"]]) and sorted(map(list, names[0])) == sorted(text["tables"])
    ]
    assert len(right) >= FLOORS[engine], sorted(read.keys() - set(right))


KINDS: dict[str, dict[tuple[str, ...], tuple[str | None, BaseKind | None]]] = {
    "trino": {
        ("orders$partitions",): ("lake/db.orders", BaseKind.METADATA),
        ("lake_t", "s", "T$snapshots"): ("lake/s.t", BaseKind.METADATA),
        ("cost$",): ("lake/db.cost$", None),
        ("us$dollars",): ("lake/db.us$dollars", None),
        ("information_schema", "tables"): (None, BaseKind.SYSTEM),
        ("shopdb", "information_schema", "views"): (None, BaseKind.SYSTEM),
        ("system", "runtime", "nodes"): (None, BaseKind.SYSTEM),
        ("tpch", "tiny", "orders"): (None, BaseKind.OUTSIDE),
    },
    "spark": {
        ("parquet", "/x"): (None, BaseKind.FILE),
        ("CSV", "s3://b/p/*.csv"): (None, BaseKind.FILE),
        ("org.example.Format", "/x"): (None, BaseKind.FILE),
        ("text", "lines"): ("lake/text.lines", None),
        ("d", "t", "snapshots"): ("lake/d.t", BaseKind.METADATA),
        ("spark_catalog", "d", "t", "ALL_FILES"): ("lake/d.t", BaseKind.METADATA),
        ("ice", "d", "t", "refs"): ("ice/d.t", BaseKind.METADATA),
        ("d", "t", "branch_audit"): ("lake/d.t", None),
        ("ice", "d", "files"): ("ice/d.files", None),
        ("d", "history"): ("lake/d.history", None),
        ("information_schema", "t"): ("lake/information_schema.t", None),
    },
    "hive": {
        ("d", "t", "history"): ("lake/d.t", BaseKind.METADATA),
        ("sys", "tbls"): ("lake/sys.tbls", None),
        ("pg_class",): ("lake/db.pg_class", None),
    },
    "flink": {
        ("t$audit_log",): ("lake/db.t", BaseKind.METADATA),
        ("hc", "s", "t$files"): ("lake/s.t", BaseKind.METADATA),
    },
    "postgresql": {
        ("pg_class",): (None, BaseKind.SYSTEM),
        ("pg_catalog", "pg_class"): (None, BaseKind.SYSTEM),
        ("information_schema", "columns"): (None, BaseKind.SYSTEM),
        ("s", "pg_stat_statements"): ("lake/s.pg_stat_statements", None),
        ("shop", "s", "t"): ("lake/s.t", None),
    },
    "mysql": {
        ("INFORMATION_SCHEMA", "TABLES"): (None, BaseKind.SYSTEM),
        ("performance_schema", "threads"): (None, BaseKind.SYSTEM),
        ("s", "t"): ("lake/s.t", None),
    },
}


@pytest.mark.parametrize(
    ("dialect", "name"), [(dialect, name) for dialect, of in KINDS.items() for name in of]
)
def test_a_name_says_what_it_is_no_object_of(dialect: str, name: tuple[str, ...]) -> None:
    text = Representation(dialect=dialect, sql="", default_schema="db")
    found = place(name, "lake", Identifier(("db",), "v"), text, CATALOGS)
    assert (f"{found.source}/{found.key}" if found.key else None, found.known_kind) == (
        KINDS[dialect][name]
    )


def test_a_session_in_a_schema_of_the_system_completes_names_of_the_system() -> None:
    found = where("tables", "trino", catalog="lake_t", schema="information_schema")
    assert (found.key, found.kind) == ("", BaseKind.SYSTEM)
    assert found.identifier == Identifier(("information_schema",), "tables")


@pytest.mark.parametrize(
    ("catalog", "name", "expected"),
    [
        ("tpch", "orders", (None, BaseKind.OUTSIDE)),
        ("tpch", "tpch.sf1.orders", (None, BaseKind.OUTSIDE)),
        ("shopdb", "orders", ("shop", None)),
        ("lake_t", "orders", ("lake", None)),
        ("elsewhere", "orders", ("lake", BaseKind.OUTSIDE)),
    ],
)
def test_a_session_catalog_that_is_not_the_views_own_is_outside(
    catalog: str, name: str, expected: tuple[str | None, BaseKind | None]
) -> None:
    found = where(name, "trino", catalog=catalog, schema="sf1")
    assert (found.source, found.known_kind) == expected


@pytest.mark.parametrize(
    ("stated", "outcome", "state", "kind"),
    [
        (None, "view", None, BaseKind.VIEW),
        (None, "failure", None, BaseKind.UNREAD),
        (None, "skipped", "found", BaseKind.TABLE),
        (None, "skipped", "unknown", BaseKind.TABLE),
        (None, None, "sequence", BaseKind.SEQUENCE),
        (None, None, "missing", BaseKind.MISSING),
        (None, None, None, BaseKind.UNKNOWN),
        ("system", None, None, BaseKind.SYSTEM),
        ("file", None, None, BaseKind.FILE),
        ("metadata", "skipped", "found", BaseKind.METADATA),
        ("metadata", None, "unknown", BaseKind.METADATA),
        ("metadata", None, "missing", BaseKind.MISSING),
        ("metadata", "view", None, BaseKind.VIEW),
        ("outside", None, None, BaseKind.OUTSIDE),
        ("outside", None, "missing", BaseKind.OUTSIDE),
        ("outside", "view", None, BaseKind.VIEW),
        ("outside", None, "found", BaseKind.TABLE),
    ],
)
def test_a_base_is_what_is_known_of_it(
    stated: str | None, outcome: str | None, state: str | None, kind: BaseKind
) -> None:
    assert settled(stated, outcome, state) is kind


@pytest.mark.parametrize(
    ("name", "dialect", "expected"),
    [
        ("F", "spark", ("lake", "s.f")),
        ("Other.F", "hive", ("lake", "other.f")),
        ("lake_t.s.f", "trino", ("lake", "s.f")),
        ("f", "postgresql", None),
        ("f", "mysql", ("lake", "s.f")),
        ("a.f", "mysql", ("lake", "a.f")),
        ("shopdb.s.f", "trino", None),
    ],
)
def test_functions_are_looked_for_where_the_source_knows_functions(
    name: str, dialect: str, expected: tuple[str, str] | None
) -> None:
    catalogs = Catalogs(CATALOGS.names, CATALOGS.folds, {"lake": str.lower})
    text = Representation(dialect=dialect, sql="", default_schema="s")
    view = View(identifier=Identifier(("db",), "v"), columns=(), representations=(text,))
    assert function_place(tuple(name.split(".")), "lake", view, text, catalogs) == expected


def test_trino_looks_for_short_names_of_functions_in_the_path_of_the_view() -> None:
    catalogs = Catalogs(CATALOGS.names, CATALOGS.folds, {"lake": str.lower})
    text = Representation(dialect="trino", sql="", default_catalog="lake_t", default_schema="s")
    view = View(identifier=Identifier(("db",), "v"), columns=(), representations=(text,))
    assert function_place(("f",), "lake", view, text, catalogs) is None
    path = json.dumps([{"catalogName": "lake_t", "schemaName": "fun"}])
    view = replace(view, properties=(("trino.path", path),))
    assert function_place(("F",), "lake", view, text, catalogs) == ("lake", "fun.f")
    assert function_place(("a", "f"), "lake", view, text, catalogs) == ("lake", "a.f")
    for odd in ("{", "7", '[{"catalogName": "x"}]', "[7]"):
        strange = replace(view, properties=(("trino.path", odd),))
        assert function_place(("f",), "lake", strange, text, catalogs) is None


def test_sqlglot_tells_the_whole_name_of_a_function() -> None:
    read = scopes.names("SELECT a.b.f(x), `s`.`g`(h(1)) FROM t", "mysql")
    assert read is not None
    assert set(read[1]) == {("a", "b", "f"), ("s", "g"), ("h",)}
    rows = 'SELECT * FROM a.f(1) x, t, LATERAL c.b.g(t.i) y, ROWS FROM (h(1), "A"."i j"()) z'
    assert scopes.names(rows, "postgresql") == (
        (("t",),),
        (("a", "f"), ("c", "b", "g"), ("h",), ("A", "i j")),
    )


ACCOUNT = "arn:aws:glue:us-east-1:123456789012"


def glue_states(
    *arns: str, catalog_id: str = "123456789012", region: str = "us-east-1"
) -> list[tuple[str, Place]]:
    """Where the ARNs of a view of the source `lake`, in a region of AWS, lead."""
    properties = (("glue.catalog-id", catalog_id), ("glue.sub-objects", json.dumps(arns)))
    view = View(
        identifier=Identifier(("db",), "v"),
        columns=(Column("id", Primitive("long")),),
        representations=(Representation(dialect="athena", sql="select 1"),),
        properties=properties,
    )
    partner = "arn:aws:glue:us-east-1:999999999999:catalog"
    names = {"glue": {partner: "shop", f"{ACCOUNT}:catalog/inner": "ice"}}
    catalogs = Catalogs(names, CATALOGS.folds, regions={"lake": region})
    return list(stated_places(view, "lake", catalogs))


def test_what_glue_states_leads_to_the_table_of_the_views_own_catalog() -> None:
    arn = f"{ACCOUNT}:table/Sales/orders"
    place = Place(f"{ACCOUNT}:catalog", "lake", Identifier(("Sales",), "orders"), "sales.orders")
    assert glue_states(arn, arn) == [(arn, place)]


@pytest.mark.parametrize(
    ("arn", "catalog"),
    [
        (
            "arn:aws:glue:us-east-1:111111111111:table/s/t",
            "arn:aws:glue:us-east-1:111111111111:catalog",
        ),
        (
            "arn:aws:glue:eu-west-1:123456789012:table/s/t",
            "arn:aws:glue:eu-west-1:123456789012:catalog",
        ),
        (f"{ACCOUNT}:table/bucket/s/t", f"{ACCOUNT}:catalog/bucket"),
    ],
    ids=["account", "region", "catalog inside the account"],
)
def test_another_account_region_or_catalog_is_named_and_not_taken_for_ours(
    arn: str, catalog: str
) -> None:
    assert glue_states(arn) == [(arn, Place(catalog, None, Identifier(("s",), "t")))]


def test_the_configuration_says_which_source_another_catalog_of_glue_is() -> None:
    found = glue_states(
        "arn:aws:glue:us-east-1:999999999999:table/s/T", f"{ACCOUNT}:table/inner/s/t"
    )
    assert [(one.source, one.key) for _, one in found] == [("shop", "s.T"), ("ice", "s.t")]


def test_a_view_of_a_catalog_inside_an_account_reads_what_is_there() -> None:
    ((_, found),) = glue_states(f"{ACCOUNT}:table/a/b/s/t", catalog_id="123456789012:a/b")
    assert (found.source, found.key) == ("lake", "s.t")


def test_an_arn_of_no_table_is_named_as_it_is() -> None:
    assert glue_states(f"{ACCOUNT}:database/s") == [(f"{ACCOUNT}:database/s", Place(None))]


@pytest.mark.parametrize("text", ["no JSON", "{}", "1"])
def test_a_parameter_of_the_same_name_states_nothing(text: str) -> None:
    view = View(
        identifier=Identifier(("db",), "v"),
        columns=(Column("id", Primitive("long")),),
        representations=(Representation(dialect="athena", sql="select 1"),),
        properties=(("glue.sub-objects", text),),
    )
    assert list(stated_places(view, "lake", CATALOGS)) == []


@pytest.mark.parametrize("name", [("t",), ("a.b", "t"), ("ice", "a.b", "t")])
def test_a_namespace_in_one_name_is_its_levels_where_the_source_nests(name: Name) -> None:
    catalogs = Catalogs({"trino": {"ice": "ice"}}, {"ice": str})
    text = Representation(dialect="trino", sql="", default_catalog="ice").within(("a", "b"))
    nested = place(name, "ice", Identifier(("a", "b"), "v"), text, catalogs)
    assert nested.key == "a.b.t"
    flat = Representation(dialect="trino", sql="", default_catalog="ice", default_schema="s")
    if len(name) > 1:
        key = place(name, "ice", Identifier(("s",), "v"), flat, catalogs).key
        assert key == "a%2Eb.t", "of a database, a dot is part of the name"


@pytest.mark.parametrize(
    "opening",
    [
        *("STRUCT(", "ROW(", "OBJECT(", "VECTOR(", "NUMERIC(", "STRING(", "ARRAY["),
        *("STRUCT /* ( */(", "'--' x, STRUCT(", "'/*' x, STRUCT("),
    ],
)
@pytest.mark.parametrize("ends", [True, False])
def test_what_sqlglot_would_read_for_ever_is_not_given_to_it(opening: str, ends: bool) -> None:
    def nested(levels: int) -> str:
        closing = "]" if opening.endswith("[") else ")"
        return f"SELECT {opening * levels}1{closing * levels if ends else ''} AS a FROM t"

    assert names(nested(40), "spark") is None
    read = names(nested(6), "spark")
    assert read is None or read[0] == (("t",),)
    assert names(f"SELECT {'f(' * 40}1{')' * 40} FROM t", "spark") is not None
    assert names(f"SELECT {'STRUCT(1), ' * 40} 1 FROM t", "spark") is not None, "side by side"


def test_a_literal_of_many_quotes_behind_a_word_of_mysql_is_read_once() -> None:
    """Each pair of them could end it: a text of 113 characters took seconds, of 150 for ever."""
    assert names("select a from t where match '" + "a''" * 200 + "' x from (((", "mysql") is None
    assert names("select a from t where match" + " " * 20_000 + "x from (((", "mysql") is None


def test_a_function_of_four_parts_leaves_the_rest_of_a_text_read() -> None:
    found = names("select * from u, a.b.c.f(1)", "postgresql")
    assert found is not None
    assert found[0] == (("u",),)
