"""What a Gravitino server's catalogs do to views, per provider: refused, changed, lost."""

from dataclasses import replace
from typing import Any

import pytest

from connectors.gravitino import providers
from connectors.gravitino.rest.options import Options
from discovery.errors import BelvedereError, QueryUnnamedError
from discovery.migration.diff import differences
from discovery.model import (
    Audit,
    Column,
    DataType,
    External,
    Field,
    Identifier,
    ListOf,
    MapOf,
    Primitive,
    Representation,
    Security,
    SecurityMode,
    Struct,
    UnionOf,
    View,
)
from discovery.ports import Held

ICEBERG, HIVE, PAIMON = "lakehouse-iceberg", "hive", "lakehouse-paimon"
LONG = Primitive("long")


def text(dialect: str, catalog: str | None = None, schema: str | None = None) -> Representation:
    return Representation(
        dialect=dialect, sql="SELECT 1", default_catalog=catalog, default_schema=schema
    )


def view(*texts: Representation, **more: Any) -> View:
    stated = {"identifier": Identifier(("s",), "v"), "columns": (Column("id", LONG),), **more}
    return View(representations=texts or (text("hive"),), **stated)


def of(kind: DataType, *texts: Representation) -> View:
    return view(*texts, columns=(Column("c", kind),))


def hold(one: View, provider: str, version: str = "1.3.0") -> Held:
    options = Options(
        uri="http://x", metalake="m", catalog="c", provider=provider, server_version=version
    )
    held = providers.hold(one, options)
    again = providers.hold(held.view, options)
    assert differences(held.view, again.view) == (), "what it holds, it holds again"
    return held


def refused(one: View, provider: str, version: str = "1.3.0") -> str:
    with pytest.raises(BelvedereError) as raised:
        hold(one, provider, version)
    assert raised.value.code == "NOT_HELD"
    return f"{raised.value} {raised.value.hint}"


@pytest.mark.parametrize("dialect", ["hive", "spark", "flink", "Spark"])
def test_a_metastore_tells_one_dialect_by_its_mark(dialect: str) -> None:
    held = hold(view(text(dialect)), HIVE)
    (representation,) = held.view.representations
    assert representation.dialect == dialect.lower()
    marks = {"spark": ("spark.sql.create.version", "3.5.0"), "flink": _FLINK_MARK}
    mark = marks.get(dialect.lower())
    assert held.view.properties == (() if mark is None else (mark,))
    assert held.losses == ()


_FLINK_MARK = ("flink.schema.num-columns", "1")


def test_a_mark_that_is_there_is_kept() -> None:
    marks = {"spark": ("spark.sql.create.version", "2.4"), "flink": ("flink.k", "v")}
    for dialect, mark in marks.items():
        held = hold(view(text(dialect), properties=(mark,)), HIVE)
        assert held.view.properties == (mark,)


def test_a_property_that_would_mark_another_dialect_is_left_out() -> None:
    marks = (("flink.k", "v"), ("k", "v"), ("spark.sql.create.version", "3"))
    held = hold(view(text("hive"), properties=marks), HIVE)
    assert held.view.properties == (("k", "v"),)
    assert "another engine: flink.k, spark.sql.create.version" in held.losses[0]
    kept = hold(view(text("flink"), properties=marks), HIVE).view.properties
    assert kept == marks[:2]


def test_a_metastore_holds_one_dialect_and_says_which_there_are() -> None:
    why = refused(view(text("hive"), text("spark")), HIVE)
    assert "one dialect, not hive, spark" in why
    assert "choose" in why


@pytest.mark.parametrize("dialect", ["trino", "presto", "query"])
def test_other_dialects_have_no_place_in_a_metastore(dialect: str) -> None:
    assert f"{dialect} is no dialect of a catalog of hive" in refused(view(text(dialect)), HIVE)


@pytest.mark.parametrize("dialect", ["hive", "flink"])
def test_the_context_of_a_metastore_s_view_is_lost_and_told(dialect: str) -> None:
    short = replace(text(dialect, "lake", "sales"), sql="SELECT 1 FROM t")
    held = hold(view(short), HIVE)
    (representation,) = held.view.representations
    assert (representation.default_catalog, representation.default_schema) == (None, None)
    assert held.losses == ("the default catalog and schema are not kept: lake.sales",)


def test_a_qualified_text_loses_nothing_with_its_context() -> None:
    representation = replace(text("hive", "lake", "sales"), sql="select 1 from sales.t")
    assert hold(view(representation), HIVE).losses == ()


PARTS = "view.catalogAndNamespace"
CONTEXTS = [
    ("lake", "sales", ("numParts", "part.0", "part.1")),
    ("lake", "a.b", ("numParts", "part.0", "part.1", "part.2")),
    ("lake", None, ("numParts", "part.0")),
    (None, None, ()),
]


@pytest.mark.parametrize(("catalog", "schema", "parts"), CONTEXTS)
def test_the_context_of_spark_goes_through_a_metastore_in_spark_s_own_properties(
    catalog: str | None, schema: str | None, parts: tuple[str, ...]
) -> None:
    one = view(text("spark", catalog, schema))
    held = hold(one, HIVE)
    assert (held.view.representations, held.losses) == (one.representations, ())
    sent = providers.as_written(held.view, HIVE)
    (bare,) = sent.representations
    assert (bare.default_catalog, bare.default_schema) == (None, None)
    keys = [key for key, _ in sent.properties if key.startswith("view.")]
    assert keys == [f"{PARTS}.{part}" for part in parts]
    assert providers.as_read(sent, HIVE) == held.view
    assert providers.as_written(held.view, ICEBERG) is held.view


def test_a_context_without_catalog_is_that_of_spark_2() -> None:
    held = hold(view(text("spark", None, "sales")), HIVE).view
    assert ("view.default.database", "sales") in providers.as_written(held, HIVE).properties
    nested = hold(view(text("spark", None, "a.b")), HIVE).view
    assert nested.representations[0].default_catalog == "spark_catalog", "Spark has no other word"


def test_levels_with_dots_go_through_a_metastore_with_spark() -> None:
    short = replace(text("spark", "lake"), sql="SELECT 1 FROM t").within(("my.schema", "sales"))
    held = hold(view(short), HIVE)
    assert (held.view.representations, held.losses) == ((short,), ())
    assert providers.as_read(providers.as_written(held.view, HIVE), HIVE) == held.view


def test_a_context_in_properties_is_no_property() -> None:
    stated = ((f"{PARTS}.numParts", "1"), ("view.default.database", "x"))
    held = hold(view(text("spark", "lake", "sales"), properties=stated), HIVE)
    assert held.view.representations == (text("spark", "lake", "sales"),)
    assert "says where short names lead: view.catalogAndNamespace.numParts" in held.losses[0]
    broken = view(text("spark"), properties=stated[:1])
    assert providers.as_read(broken, HIVE) is broken, "a part is missing: it is somebody else's"


def test_columns_of_a_metastore_are_lower_case_and_nullable() -> None:
    columns = (Column("Id", LONG, "c", nullable=False), Column("b", LONG))
    held = hold(view(columns=columns), HIVE)
    assert held.view.columns == (Column("id", LONG, "c"), Column("b", LONG))
    assert held.losses == ("columns come back otherwise: Id as id nullable",)
    twice = (Column("a", LONG), Column("A", LONG))
    assert "differ only by case" in refused(view(columns=twice), HIVE)


def test_a_name_with_capitals_has_no_place_in_a_metastore() -> None:
    one = view(identifier=Identifier(("S",), "V"))
    assert "map it to s.v" in refused(one, HIVE)
    assert hold(one, ICEBERG).view.identifier == one.identifier


def test_trino_s_views_go_into_a_metastore_from_2_0_on() -> None:
    columns = (Column("Id", Primitive("timestamp"), nullable=False),)
    held = hold(view(text("trino", "c", "s"), columns=columns), HIVE, "2.0.0-SNAPSHOT")
    assert held.view.columns == (Column("Id", Primitive("timestamp(3)")),)
    assert held.view.representations == (text("trino", "c", "s"),)
    assert "at least one column" in refused(view(text("trino"), columns=()), HIVE, "2.0.0")
    assert "a default catalog, too" in refused(view(text("trino", None, "s")), HIVE, "2.0.0")


TYPES = [
    (HIVE, "byte unsigned", "byte"),
    (HIVE, "timestamp(3)", "timestamp"),
    (HIVE, "timestamp", "timestamp"),
    (HIVE, "interval_day", "interval_day"),
    (HIVE, "varchar(3)", "varchar(3)"),
    (HIVE, "decimal(10,2)", "decimal(10,2)"),
    (HIVE, "timestamp_tz(6)", None),
    (HIVE, "time", None),
    (HIVE, "uuid", None),
    (HIVE, "fixed(3)", None),
    (HIVE, "null", None),
    (ICEBERG, "timestamp", "timestamp(6)"),
    (ICEBERG, "timestamp_tz", "timestamp_tz(6)"),
    (ICEBERG, "time(6)", "time(6)"),
    (ICEBERG, "uuid", "uuid"),
    (ICEBERG, "fixed(3)", "fixed(3)"),
    (ICEBERG, "timestamp(3)", None),
    (ICEBERG, "byte", None),
    (ICEBERG, "short", None),
    (ICEBERG, "varchar(3)", None),
    (ICEBERG, "char(3)", None),
    (ICEBERG, "interval_year", None),
    (ICEBERG, "long unsigned", None),
    (ICEBERG, "null", None),
    (PAIMON, "timestamp(9)", "timestamp(9)"),
    (PAIMON, "time", "time(0)"),
    (PAIMON, "timestamp", "timestamp(6)"),
    (PAIMON, "short", "short"),
    (PAIMON, "uuid", None),
    (PAIMON, "interval_year", None),
]


@pytest.mark.parametrize(("provider", "kind", "becomes"), TYPES)
def test_types_are_taken_changed_or_refused(provider: str, kind: str, becomes: str | None) -> None:
    dialect = text("query" if provider == PAIMON else "hive", None, "s")
    for wrap in (_plain, _deep):
        one = of(wrap(Primitive(kind)), dialect)
        if becomes is None:
            assert f'the column c is "{kind}", which the catalog does not take' in refused(
                one, provider
            )
            continue
        held = hold(one, provider)
        assert held.view.columns == (Column("c", wrap(Primitive(becomes))),)
        changed = [loss for loss in held.losses if "come back otherwise" in loss]
        assert bool(changed) == (kind != becomes)


def _plain(kind: DataType) -> DataType:
    return kind


def _deep(kind: DataType) -> DataType:
    return Struct((Field("a", MapOf(Primitive("string"), ListOf(kind))),))


def test_what_may_not_be_null_inside_a_type_may_be_in_a_metastore() -> None:
    strict = Struct((Field("a", ListOf(MapOf(LONG, LONG, False), False), nullable=False),))
    loose = Struct((Field("a", ListOf(MapOf(LONG, LONG))),))
    assert hold(of(strict), HIVE).view.columns == (Column("c", loose),)
    assert hold(of(strict), ICEBERG).view.columns == (Column("c", strict),)


def test_comments_unions_and_unknown_types_go_where_there_is_a_place_for_them() -> None:
    union, unknown = UnionOf((LONG, Primitive("string"))), External("interval")
    struct = Struct((Field("a", LONG, comment="x"),))
    assert hold(of(union), HIVE).view.columns == (Column("c", union),)
    assert "does not take" in refused(of(unknown), HIVE)
    for kind in (union, unknown):
        assert "does not take" in refused(of(kind), ICEBERG)
        assert "does not take" in refused(of(kind, text("query")), PAIMON)
    assert "a struct with comments" in refused(of(struct), HIVE)
    assert hold(of(struct), ICEBERG).view.columns == (Column("c", struct),)


@pytest.mark.parametrize("name", ["a b", "a.b", "a$b", "ü", "日本", "1", "Aa"])
def test_a_field_that_hive_reads_in_a_type_is_held(name: str) -> None:
    kind = Struct((Field(name, LONG),))
    assert hold(of(kind), HIVE).view.columns == (Column("c", kind),)


@pytest.mark.parametrize("name", ["a-b", 'a"b', "a:b", "🐝", "a`b", "a,b", "a<b", "a\n", "", "²"])
def test_a_field_that_hive_would_not_read_again_is_refused(name: str) -> None:
    assert "cannot be read back" in refused(of(ListOf(Struct((Field(name, LONG),)))), HIVE)
    assert hold(of(Struct((Field(name, LONG),))), ICEBERG).view.columns


@pytest.mark.parametrize("kind", ["timestamp(9)", "timestamp_tz(9)", "null"])
def test_from_2_on_iceberg_takes_the_types_of_its_format_3(kind: str) -> None:
    assert "does not take" in refused(of(Primitive(kind)), ICEBERG)
    (column,) = hold(of(Primitive(kind)), ICEBERG, "2.0.0").view.columns
    assert column.type == Primitive(kind)


def test_iceberg_wants_a_column_and_gives_a_view_its_own_schema() -> None:
    assert "at least one column" in refused(view(columns=()), ICEBERG)
    nested = view(identifier=Identifier(("a", "b"), "v"))
    held = hold(nested, ICEBERG)
    assert held.view.representations[0].default_schema == "a.b"
    assert held.losses == ("it has no default schema and will have its own, a.b",)
    assert "do not nest" in refused(nested, HIVE)


def test_all_dialects_of_a_view_get_one_context() -> None:
    held = hold(view(text("hive"), text("spark", "c", "s"), text("trino", "x", "y")), ICEBERG)
    contexts = {
        (representation.default_catalog, representation.default_schema)
        for representation in held.view.representations
    }
    assert contexts == {("c", "s")}
    assert held.losses == (), "none of the texts has a name that it would complete"
    short = replace(text("trino", "x", "y"), sql="SELECT * FROM y.t")
    assert "short names of trino lead to x.y, and would lead to c.s" in refused(
        view(text("spark", "c", "s"), short), ICEBERG
    )


def test_paimon_wants_the_dialect_query_and_writes_all_in_lower_case() -> None:
    with pytest.raises(QueryUnnamedError, match="has the dialect query; this one has Spark, hive"):
        hold(view(text("Spark"), text("hive")), PAIMON)
    held = hold(view(text("Query"), text("Spark")), PAIMON)
    assert [representation.dialect for representation in held.view.representations] == [
        "query",
        "spark",
    ]
    assert held.losses == ()


def test_what_the_catalog_keeps_for_itself_is_not_written() -> None:
    own = {
        HIVE: ("EXTERNAL", "comment", "gravitino.identifier", "transient_lastDdlTime"),
        ICEBERG: ("comment", "gravitino.identifier"),
        PAIMON: ("gravitino.identifier", "gravitino.view.default-schema"),
    }
    for provider, keys in own.items():
        stated = tuple((key, "x") for key in (*keys, "team"))
        dialect = text("query" if provider == PAIMON else "hive", None, None)
        held = hold(view(dialect, properties=stated), provider)
        assert held.view.properties == (("team", "x"),)
        assert f"keeps them for itself: {', '.join(keys)}" in held.losses[0]


def test_security_and_audit_data_are_losses() -> None:
    secured = view(
        text("hive", None, "s"),
        security=Security(SecurityMode.DEFINER, "a"),
        audit=Audit(creator="b"),
    )
    held = hold(secured, ICEBERG)
    assert held.view.security == secured.security
    assert held.view.audit == Audit(creator="anonymous")
    assert [loss.partition(" ")[0] for loss in held.losses] == ["who", "security"]


def test_security_that_stands_in_properties_is_read_as_such() -> None:
    stated = (("belvedere.definer", "a"), ("belvedere.security-mode", "INVOKER"), ("k", "v"))
    definer, invoker = Security(SecurityMode.DEFINER), Security(SecurityMode.INVOKER, "a")
    for security, wanted in ((None, invoker), (definer, definer)):
        held = hold(view(text("hive", None, "s"), properties=stated, security=security), ICEBERG)
        assert held.view.properties == (("k", "v"),)
        assert held.view.security == wanted


@pytest.mark.parametrize(
    ("levels", "name"),
    [(("s",), "a" * 65), (("s",), "a b"), (("s",), "ä"), (("s",), "*"), (("s:t",), "v")],
)
def test_a_name_that_gravitino_refuses_is_refused_first(levels: tuple[str, ...], name: str) -> None:
    for provider in (HIVE, ICEBERG, PAIMON):
        assert "mapping" in refused(view(identifier=Identifier(levels, name)), provider)


def test_an_empty_text_is_refused() -> None:
    empty = replace(text("hive"), sql=" ")
    assert "no SQL text in hive" in refused(view(empty), HIVE)


def test_what_a_query_of_spark_returns_in_iceberg_is_said_where_spark_looks() -> None:
    stated = (("spark.query-column-names", "id"),)
    columns = (Column("x", Primitive("integer")),)
    one = view(text("spark", None, "s"), columns=columns, properties=stated)
    found = dict(hold(one, "hive").view.properties)
    assert (found["view.query.out.numCols"], found["view.query.out.col.0"]) == ("1", "id")
    assert "spark.query-column-names" not in found
    assert dict(hold(one, "lakehouse-iceberg").view.properties) == dict(stated)


def test_nobody_runs_an_iceberg_view_by_a_property_that_came_along() -> None:
    """Trino 476 runs an Iceberg view with the rights of whom `trino.run-as-owner` names."""
    one = view(text("trino", None, "s"), properties=(("trino.run-as-owner", "admin"),))
    held = hold(one, "lakehouse-iceberg")
    assert held.view.properties == ()
    assert any("trino.run-as-owner" in loss for loss in held.losses)
