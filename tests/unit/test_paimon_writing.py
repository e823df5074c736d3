"""What becomes of a view in a Paimon catalog, and what makes one of another where it stands."""

from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from discovery.datatypes import paimon
from discovery.errors import InvalidTypeError, NotHeldError
from discovery.formats.paimon_writing import altered, check_database, hold, schema, view_of
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

LONG = Primitive("long")
QUERY = Representation(dialect="query", sql="SELECT 1")
VIEW = View(
    identifier=Identifier(("sales",), "v"),
    columns=(Column("id", LONG, "the id", nullable=False),),
    representations=(QUERY, Representation(dialect="spark", sql="SELECT 2")),
    comment="c",
    properties=(("k", "v"),),
)


@pytest.mark.parametrize(
    "kind",
    [
        *map(Primitive, ("byte", "short", "integer", "float", "boolean", "date", "string")),
        *map(Primitive, ("binary", "decimal(38,10)", "varchar(3)", "char(3)", "fixed(4)")),
        *map(Primitive, ("time(3)", "timestamp(9)", "timestamp_tz(6)")),
        External("VARIANT"),
        External('{"element":"INT","type":"MULTISET"}'),
        External('{"fields":[],"type":"ROW"}'),
        ListOf(MapOf(LONG, Struct((Field("a", LONG, False, "x"),)), False), False),
    ],
)
@pytest.mark.parametrize("nullable", [True, False])
def test_a_type_is_read_as_it_was_written(kind: DataType, nullable: bool) -> None:
    written = paimon.spell(kind, count(), nullable=nullable)
    assert paimon.parse(written) == (kind, nullable)


@pytest.mark.parametrize(
    "kind",
    [
        *map(Primitive, ("uuid", "null", "interval_year", "interval_day", "decimal(39,0)")),
        *map(Primitive, ("integer unsigned", "timestamp(12)", "char(0)")),
        External("jsonb"),
        External("[" * 100_000),
        External('{"type":"ARRAY"}'),
        UnionOf((LONG,)),
    ],
)
def test_a_type_that_paimon_does_not_have_is_refused(kind: DataType) -> None:
    for one in (kind, ListOf(kind), MapOf(LONG, kind), Struct((Field("a", kind),))):
        with pytest.raises(InvalidTypeError):
            paimon.spell(one, count())
        with pytest.raises(NotHeldError):
            hold(replace(VIEW, columns=(Column("c", one),)))


def test_every_field_has_an_id_of_its_own() -> None:
    inner = Struct((Field("a", LONG), Field("b", Struct((Field("c", LONG),)))))
    written = schema(replace(VIEW, columns=(Column("x", inner), Column("y", LONG))))
    (x, y) = written["fields"]
    a, b = x["type"]["fields"]
    assert [one["id"] for one in (x, a, b, b["type"]["fields"][0], y)] == [0, 1, 2, 3, 4]


def test_what_is_held_is_held_again_and_reads_back() -> None:
    held = hold(VIEW)
    assert held.view == VIEW
    assert held.losses == ()
    assert view_of(VIEW.identifier, {"name": "v", "schema": schema(VIEW)}) == VIEW


def test_what_does_not_come_back_is_a_loss() -> None:
    spark = Representation(dialect="Spark", sql="SELECT 2", default_schema="other")
    rich = replace(
        VIEW,
        columns=(Column("t", Primitive("timestamp")),),
        representations=(replace(QUERY, default_catalog="lake"), spark),
        security=Security(SecurityMode.DEFINER, "alice"),
        properties=(("gravitino.view.default-schema", "x"), ("k", "v")),
        audit=Audit(creator="alice"),
    )
    held = hold(rich)
    assert held.view.properties == (("k", "v"),)
    assert [representation.dialect for representation in held.view.representations] == [
        "query",
        "spark",
    ]
    assert {representation.default_catalog for representation in held.view.representations} == {
        "lake"
    }
    assert hold(held.view) == type(held)(held.view)
    assert [loss.partition(":")[0] for loss in held.losses] == [
        "properties are left out, as the context stands there",
        "all texts have one default catalog and schema",
        "columns come back otherwise",
        "no security is kept",
        "who made and changed it, and when, will be what the server says",
    ]


@pytest.mark.parametrize(
    "name", ["", " ", "a$b", "a.b", "..", "a/b", "a\\b", "a\n", "rename", "a\ud800"]
)
def test_a_name_that_the_protocol_would_read_otherwise_is_refused(name: str) -> None:
    with pytest.raises(NotHeldError, match=r"name|word"):
        hold(replace(VIEW, identifier=Identifier(("sales",), name)))


@pytest.mark.parametrize("levels", [(), ("a", "b"), ("",), ("a.b",), ("..",), ("sys",)])
def test_a_database_that_paimon_cannot_have_is_refused(levels: tuple[str, ...]) -> None:
    with pytest.raises(NotHeldError):
        check_database(levels)


@pytest.mark.parametrize(
    "columns",
    [
        (Column("a", LONG), Column("a", LONG)),
        (Column(" ", LONG),),
        (Column("s", ListOf(Struct((Field("a", LONG), Field("a", LONG))))),),
    ],
)
def test_columns_that_paimon_s_rows_refuse_are_refused(columns: tuple[Column, ...]) -> None:
    with pytest.raises(NotHeldError, match="none has that of another"):
        hold(replace(VIEW, columns=columns))


def test_a_blank_text_is_refused() -> None:
    with pytest.raises(NotHeldError, match="no SQL text in query"):
        hold(replace(VIEW, representations=(replace(QUERY, sql=" "),)))


def test_dialects_options_and_the_comment_are_altered_in_place() -> None:
    flink = Representation(dialect="flink", sql="SELECT 3", default_schema="s")
    query = replace(QUERY, default_schema="s")
    after = replace(VIEW, representations=(query, flink), comment=None, properties=())
    assert altered(VIEW, after) == [
        {"action": "dropDialect", "dialect": "spark"},
        {"action": "addDialect", "dialect": "flink", "query": "SELECT 3"},
        {"action": "removeOption", "key": "k"},
        {"action": "setOption", "key": "gravitino.view.default-schema", "value": "s"},
        {"action": "updateComment", "comment": None},
    ]
    other = replace(VIEW.representations[1], sql="SELECT 4")
    assert altered(VIEW, replace(VIEW, representations=(QUERY, other))) == [
        {"action": "updateDialect", "dialect": "spark", "query": "SELECT 4"}
    ]
    assert altered(VIEW, VIEW) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"representations": (replace(QUERY, sql="SELECT 9"),)},
        {"columns": (Column("id", LONG),)},
        {"columns": (Column("id", Primitive("uuid")),)},
    ],
)
def test_the_query_and_the_columns_are_not(fields: dict[str, Any]) -> None:
    assert altered(VIEW, replace(VIEW, **fields)) is None
