"""The default schema of a text is levels, from the decoder to every store: names are values."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.gravitino import contexts
from discovery import wire
from discovery.crawl import normalize
from discovery.errors import DecodeError, NotHeldError
from discovery.formats import iceberg_metadata, iceberg_writing
from discovery.formats.iceberg import view_of
from discovery.lineage.references import Catalogs, place
from discovery.model import Column, Identifier, Primitive, Representation, View
from discovery.outcomes import Listed, RawObject

GOLDEN = Path(__file__).parents[1] / "golden"
UID = UUID("5f0c2f0e-0000-4000-8000-000000000001")
DOTTED = ("my.schema", "sales")
PLACE = Identifier(DOTTED, "v")

levels = st.lists(st.text(min_size=1), min_size=1, max_size=4).map(tuple)
dotted_levels = st.lists(st.sampled_from(["a", "b.c", ".", "x."]), min_size=1, max_size=3).map(
    tuple
)


def text(*parts: str, sql: str = "SELECT a FROM t", dialect: str = "spark") -> Representation:
    return Representation(dialect=dialect, sql=sql).within(parts)


def view(*texts: Representation) -> View:
    return View(identifier=PLACE, columns=(Column("a", Primitive("long")),), representations=texts)


@given(levels | dotted_levels)
def test_levels_survive_json(parts: tuple[str, ...]) -> None:
    whole = view(text(*parts))
    try:
        line, fingerprint = wire.view_text(whole)
    except DecodeError:
        return  # half of a surrogate pair
    again = wire.view_from_json(json.loads(line), PLACE.namespace)
    assert again == whole
    assert again.representations[0].default_levels == parts
    assert wire.view_text(again)[1] == fingerprint


@given(levels | dotted_levels)
def test_levels_survive_iceberg_s_metadata(parts: tuple[str, ...]) -> None:
    whole = view(text(*parts), text("other", dialect="trino"))
    document = iceberg_writing.created(whole, UID, "s3://b/v", 1_790_000_000_000)
    assert document["versions"][0]["default-namespace"] == list(parts)
    found = view_of(iceberg_metadata.parsed(json.loads(json.dumps(document))), PLACE)
    assert [representation.default_levels for representation in found.representations] == [
        parts,
        ("other",),
    ]


@pytest.mark.parametrize("parts", [("sales",), ("a", "b"), ("a", "b", "c")])
def test_levels_that_their_text_says_are_no_member_of_the_json(parts: tuple[str, ...]) -> None:
    assert json.loads(wire.view_text(view(text(*parts)))[0])["representations"] == [
        {
            "type": "sql",
            "dialect": "spark",
            "sql": "SELECT a FROM t",
            "defaultSchema": ".".join(parts),
        }
    ]


def test_another_schema_takes_its_levels_with_it() -> None:
    representation = text(*DOTTED)
    assert representation.default_schema == "my.schema.sales"
    assert replace(representation, default_schema="my.schema").default_levels == ("my", "schema")
    assert replace(representation, default_schema=None).default_levels == ()
    assert replace(representation, sql="SELECT 1").default_levels == DOTTED
    assert representation.within(()).default_schema is None
    assert Representation(dialect="d", sql="s", default_schema="a.b").default_levels == ("a", "b")


def test_levels_that_are_not_those_of_the_schema_are_refused() -> None:
    stated = {"dialect": "d", "sql": "s", "defaultSchema": "a", "defaultLevels": ["b"]}
    with pytest.raises(DecodeError, match="defaultLevels"):
        wire.representation_from_json(stated)


def entry(name: str) -> dict[str, Any]:
    case: dict[str, Any] = json.loads((GOLDEN / name).read_text(encoding="utf-8"))
    raw: dict[str, Any] = case["raw"]
    return raw


def decoded(raw: dict[str, Any]) -> View:
    listed = Listed(("d",), "v")
    found = normalize(RawObject(listed, raw["kind"], raw["payload"])).result
    assert isinstance(found, View), found
    return found


def test_iceberg_s_namespace_is_read_as_levels() -> None:
    """A real entry, its default namespace renamed to one with a dot."""
    raw = entry("iceberg/rest_spark41-v_deep.json")
    for version in raw["payload"]["metadata"]["versions"]:
        version["default-namespace"] = list(DOTTED)
    representation = decoded(raw).representations[0]
    assert (representation.default_schema, representation.default_levels) == (
        "my.schema.sales",
        DOTTED,
    )


def test_spark_s_context_is_read_as_levels() -> None:
    raw = entry("hms/spark43-v_simple.json")
    key = "view.catalogAndNamespace"
    stated = raw["payload"]["parameters"]
    stated |= {f"{key}.numParts": "3", f"{key}.part.1": "my.schema", f"{key}.part.2": "sales"}
    assert decoded(raw).representations[0].default_levels == DOTTED


def test_a_short_name_leads_to_the_neighbour() -> None:
    catalogs = Catalogs({}, {"ice": str})
    found = place(("t",), "ice", PLACE, text(*DOTTED), catalogs)
    assert found.key == "my%2Eschema.sales.t"
    assert found.identifier == Identifier(DOTTED, "t")


def test_gravitino_refuses_levels_that_its_text_cannot_say_where_names_are_short() -> None:
    with pytest.raises(NotHeldError, match="levels my"):
        contexts.as_text(view(text(*DOTTED)))


def test_a_qualified_text_loses_nothing_by_its_context() -> None:
    held, losses = contexts.as_text(view(text(*DOTTED, sql="SELECT a FROM x.t JOIN y.z.u")))
    assert losses == ()
    assert held.representations[0].default_levels == ("my", "schema", "sales")  # as it reads back


def test_one_level_with_a_dot_is_told() -> None:
    held, losses = contexts.as_text(view(text("my.schema")))
    assert losses == (
        "the default schema my.schema of spark may be read as the levels my / schema",
    )
    assert contexts.as_text(held) == (held, ()), "what it holds, it holds again"


def test_levels_that_the_text_says_are_held_as_they_are() -> None:
    whole = view(text("a", "b"), text(dialect="trino"))
    assert contexts.as_text(whole) == (whole, ())
