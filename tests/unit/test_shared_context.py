"""One context for all texts: which view may have it, and which would mean something else."""

import pytest

from discovery.errors import NotHeldError
from discovery.lineage.scopes import names
from discovery.migration.shared_context import check
from discovery.model import Identifier, Representation, View

HIVE = Representation(dialect="hive", sql="select `t`.`id` from `rel`.`t`")
SPARK = Representation(
    dialect="spark", sql="SELECT id FROM t", default_catalog="lake", default_schema="rel"
)


def trino(sql: str, catalog: str | None, schema: str | None) -> Representation:
    return Representation(dialect="trino", sql=sql, default_catalog=catalog, default_schema=schema)


def view(*texts: Representation) -> View:
    return View(identifier=Identifier(("rel",), "v"), columns=(), representations=texts)


def test_the_context_for_all_is_that_of_the_first_text_with_one() -> None:
    whole = view(HIVE, SPARK, trino("SELECT 1", "hive", "rel"))
    assert whole.context is SPARK
    assert [representation.dialect for representation in whole.out_of_context] == ["hive", "trino"]
    assert view(HIVE).context is HIVE


@pytest.mark.parametrize(
    "other",
    [
        HIVE,
        trino("SELECT id FROM t", "lake", "rel"),
        trino("SELECT 1", "hive", "rel"),
        trino("SELECT id FROM hive.rel.t", "hive", "rel"),
        trino("SELECT id FROM other.t", "lake", "else"),
        trino("WITH t AS (SELECT 1 AS id) SELECT id FROM t", "hive", "rel"),
        Representation(dialect="postgresql", sql="SELECT oid FROM pg_class", default_schema="s"),
        Representation(dialect="postgresql", sql="SELECT pg_catalog.f()", default_schema="s"),
        trino("SELECT hive.rel.f(1)", "hive", "rel"),
        trino("SELECT rel.f(1)", "lake", "else"),
        Representation(dialect="hive", sql="SELECT 1 AS id", default_schema="s"),
    ],
)
def test_a_text_that_needs_no_other_context_may_have_it(other: Representation) -> None:
    check(view(SPARK, other), names)


@pytest.mark.parametrize(
    ("other", "reading"),
    [
        (trino("SELECT id FROM t", "hive", "rel"), "hive.rel, and would lead to lake.rel"),
        (trino("SELECT id FROM rel.t", "hive", "rel"), "hive.rel, and would lead to lake.rel"),
        (trino("SELECT id FROM t", "lake", "else"), "lake.else, and would lead to lake.rel"),
        (trino("SELECT rel.f(1)", "hive", "rel"), "hive.rel, and would lead to lake.rel"),
        (trino("no SQL that anybody reads (((", "hive", "rel"), "hive.rel, and would lead"),
    ],
)
def test_a_text_that_would_read_something_else_is_refused(
    other: Representation, reading: str
) -> None:
    with pytest.raises(NotHeldError, match=f"short names of trino lead to {reading}"):
        check(view(SPARK, other), names)


@pytest.mark.parametrize(
    ("sql", "is_misled"),
    [
        ("SELECT id FROM a.b.t", True),
        ("SELECT id FROM a.t", True),
        ("SELECT id FROM ice.a.b.t", False),
        ("SELECT id FROM ice.a.t", False),
        ("SELECT id FROM sea.a.b.t", False),
    ],
)
def test_a_name_of_nested_levels_without_a_catalog_is_short(sql: str, is_misled: bool) -> None:
    text = Representation(dialect="spark", sql=sql, default_catalog="ice", default_schema="a.b")
    first = trino("SELECT 1", "lake", "a.b")
    whole = View(identifier=Identifier(("a", "b"), "v"), columns=(), representations=(first, text))
    if not is_misled:
        check(whole, names)
        return
    with pytest.raises(NotHeldError, match="short names of spark lead to"):
        check(whole, names)


def test_a_file_is_the_same_in_any_context() -> None:
    files = Representation(
        dialect="spark", sql="SELECT id FROM parquet.`/x/y`", default_catalog="other"
    )
    check(view(trino("SELECT id FROM t", "hive", "rel"), files), names)


def test_a_text_that_nobody_reads_is_told_as_that() -> None:
    deep = trino(f"SELECT {'(' * 2_000}1{')' * 2_000} FROM hive.rel.t", "hive", "rel")
    with pytest.raises(NotHeldError, match=r"if it has any, short names of trino .* nobody could"):
        check(view(SPARK, deep), names)
