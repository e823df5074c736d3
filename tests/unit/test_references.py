"""Where names lead: each engine completes them in its own way."""

import pytest

from discovery import scopes
from discovery.model import Identifier, Representation
from discovery.references import Catalogs, Place, function_place, place

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
        ("lake_t.other.t", "lake/other.t"),
        ("shopdb.Public.T", "shop/Public.T"),
        ("unknown.s.t", None),
    ],
)
def test_trino_completes_from_the_catalog_and_schema_of_the_session(
    name: str, expected: str | None
) -> None:
    assert leads(name, "trino", catalog="hive", schema="s") == expected


def test_a_trino_view_without_a_session_catalog_has_whole_names_only() -> None:
    assert where("t", "trino").identifier is None
    assert leads("lake_t.s.t", "TRINO") == "lake/s.t"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("t", "lake/captured.t"),
        ("other.t", "lake/other.t"),
        ("spark_catalog.other.t", "lake/other.t"),
        ("ice.other.t", "ice/other.t"),
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


def test_a_dot_in_a_name_is_no_level() -> None:
    text = Representation(dialect="spark", sql="", default_schema="db")
    found = place(("a.b", "t"), "lake", Identifier(("db",), "v"), text, CATALOGS)
    assert found.key == "a%2Eb.t"


def test_sqlglot_reads_what_no_parser_is_there_for() -> None:
    read = scopes.names("WITH a AS (SELECT 1 AS x) SELECT f(x) FROM a, s.t", "mysql")
    assert read == ((("s", "t"),), (("f",),))
    assert scopes.names("SELECT FROM WHERE", "mysql") is None
    assert scopes.names("SELECT 1", "flink") is None, "it has no such dialect"
    assert scopes.names("SELECT " + "(" * 50_000, "mysql") is None
    assert scopes.names("DROP TABLE t", "mysql") is None


@pytest.mark.parametrize(
    ("name", "dialect", "expected"),
    [
        ("F", "spark", ("lake", "s.f")),
        ("Other.F", "hive", ("lake", "other.f")),
        ("lake_t.s.f", "trino", ("lake", "s.f")),
        ("f", "postgresql", None),
        ("f", "mysql", None),
        ("a.f", "mysql", ("lake", "a.f")),
        ("shopdb.s.f", "trino", None),
    ],
)
def test_functions_are_looked_for_where_the_source_knows_functions(
    name: str, dialect: str, expected: tuple[str, str] | None
) -> None:
    catalogs = Catalogs(CATALOGS.names, CATALOGS.folds, {"lake": str.lower})
    text = Representation(dialect=dialect, sql="", default_schema="s")
    view = Identifier(("db",), "v")
    assert function_place(tuple(name.split(".")), "lake", view, text, catalogs) == expected


def test_sqlglot_tells_the_whole_name_of_a_function() -> None:
    read = scopes.names("SELECT a.b.f(x), `s`.`g`(h(1)) FROM t", "mysql")
    assert read is not None
    assert set(read[1]) == {("a", "b", "f"), ("s", "g"), ("h",)}
