"""Entries of Iceberg views in a metastore: what HiveCatalog and others read in them."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from connectors.clients import lines
from discovery.crawl import normalize
from discovery.formats import iceberg_entries, iceberg_metadata, iceberg_writing
from discovery.model import Audit, Column, Identifier, Primitive, Representation, View
from discovery.outcomes import Listed

GOLDEN = Path(__file__).parents[1] / "golden" / "hms"
UID = UUID("5f0c2f0e-0000-4000-8000-000000000001")
URI = "s3://wh/d/v/metadata/00000-x.metadata.json"
VIEW = View(
    identifier=Identifier(("d",), "v"),
    comment="c",
    columns=(Column("Id", Primitive("long"), "the id"), Column("j", Primitive("uuid"))),
    representations=(
        Representation(dialect="spark", sql="SELECT 1"),
        Representation(dialect="Hive", sql="select 2"),
    ),
    properties=(("team", "a"), ("long", "x" * 5000)),
    audit=Audit(creator="anna", create_time=datetime(2026, 3, 4, tzinfo=UTC)),
)


def document(view: View = VIEW) -> dict[str, Any]:
    return iceberg_writing.created(view, UID, "s3://wh/d/v", 1)


def test_it_reads_back_as_what_its_file_says() -> None:
    said = document()
    payload = iceberg_entries.entry(VIEW, said, URI)
    listed = Listed(("d",), "v")
    raw = lines.with_view_metadata(listed, "hive_table", payload, URI, json.dumps(said).encode())
    outcome = normalize(raw)
    assert outcome.format == "iceberg"
    assert isinstance(outcome.result, View)
    held = iceberg_writing.hold(VIEW).view
    assert replace(outcome.result, audit=held.audit) == held
    assert outcome.result.audit.creator == "anna"
    assert outcome.result.audit.create_time == datetime(2026, 3, 4, tzinfo=UTC)


def test_names_that_differ_by_case_alone_are_in_the_file_and_keep_no_entry_from_being_made() -> (
    None
):
    """A metastore 2.3.10 has one row for both: "Add request failed : INSERT INTO COLUMNS_V2"."""
    columns = (Column("id", Primitive("long")), Column("ID", Primitive("long")))
    view = replace(VIEW, columns=columns)
    said = document(view)
    payload = iceberg_entries.entry(view, said, URI)
    assert payload["sd"]["cols"] == []
    raw = lines.with_view_metadata(
        Listed(("d",), "v"), "hive_table", payload, URI, json.dumps(said).encode()
    )
    result = normalize(raw).result
    assert isinstance(result, View)
    assert result.columns == columns


def test_those_who_know_hive_only_see_its_text_and_types() -> None:
    payload = iceberg_entries.entry(VIEW, document(), URI)
    assert payload["viewOriginalText"] == payload["viewExpandedText"] == "select 2"
    assert [(column["name"], column["type"]) for column in payload["sd"]["cols"]] == [
        ("id", "bigint"),
        ("j", "string"),
    ]
    bare = replace(VIEW, representations=VIEW.representations[:1])
    assert iceberg_entries.entry(bare, document(), URI)["viewOriginalText"] == "SELECT 1"


def test_a_parameter_that_has_no_room_is_in_the_file_alone() -> None:
    said = document()
    found = iceberg_entries.parameters(said, URI)
    assert "long" in said["properties"]
    assert "long" not in found
    assert found["team"] == "a"
    assert "previous_metadata_location" not in found
    assert iceberg_entries.parameters(said, URI, "before")["previous_metadata_location"] == "before"


def test_a_comment_that_has_no_room_is_in_the_file_alone() -> None:
    for long, kept in (("x" * 256, "x" * 256), ("x" * 257, None)):
        view = replace(VIEW, columns=(VIEW.columns[0]._replace(comment=long), *VIEW.columns[1:]))
        columns = iceberg_entries.entry(view, document(), URI)["sd"]["cols"]
        assert columns[0]["comment"] == kept


def test_the_schema_is_that_of_the_current_version() -> None:
    base = iceberg_metadata.parsed(document())
    wider = replace(VIEW, columns=(*VIEW.columns, Column("more", Primitive("date"))))
    after = iceberg_writing.replaced(base, wider, 2)
    back = iceberg_writing.replaced(iceberg_metadata.parsed(after), VIEW, 3)
    names = [
        [field["name"] for field in json.loads(found["current-schema"])["fields"]]
        for found in (iceberg_entries.parameters(one, URI) for one in (after, back))
    ]
    assert names == [["Id", "j", "more"], ["Id", "j"]]


@pytest.mark.parametrize("name", ["spark40_iceberg-v_ice", "iceberg-types"])
def test_it_has_the_keys_that_icebergs_own_entries_have(name: str) -> None:
    raw = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))["raw"]
    theirs, ours = raw["payload"], iceberg_entries.entry(VIEW, document(), URI)
    assert {"table_type", "metadata_location", "uuid"} <= theirs["parameters"].keys()
    assert {"table_type", "metadata_location", "uuid"} <= ours["parameters"].keys()
    assert ours["parameters"]["table_type"] == theirs["parameters"]["table_type"]
    for key in ("tableType", "retention"):
        assert name != "spark40_iceberg-v_ice" or ours[key] == theirs[key]
    assert (
        ours["sd"]["serdeInfo"]["serializationLib"]
        == (theirs["sd"]["serdeInfo"]["serializationLib"])
    )
    assert ours["sd"]["inputFormat"] == theirs["sd"]["inputFormat"]
