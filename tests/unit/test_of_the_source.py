"""What is the source's own, and must not be a target's: ids of Gravitino, folders, marks."""

import json
from collections.abc import Callable
from dataclasses import replace
from uuid import UUID

import pytest

from connectors.gravitino.column_types import HIVE, RefusedTypeError, hold_type
from connectors.hms_stores.entries import Occupied
from connectors.iceberg import schemas
from discovery.formats import hive_database, iceberg_metadata, iceberg_writing, paimon_writing
from discovery.formats.iceberg_files import METADATA_FOLDER
from discovery.migration.providers import IDENTIFIER, IDENTIFIER_LOST
from discovery.model import Column, Identifier, Primitive, Representation, Schema, View
from discovery.ports import Held

ID = (IDENTIFIER, "gravitino.v1.uid42")
OTHER = ("owner.team", "sales")
SCHEMA = Schema(
    levels=("sales",), properties=(ID, OTHER), location="hdfs://old/warehouse/sales.db", owner="bob"
)
VIEW = View(
    identifier=Identifier(("sales",), "v"),
    columns=(Column("a", Primitive("integer")),),
    representations=(
        Representation(dialect="spark", sql="SELECT 1 AS a"),
        Representation(dialect="query", sql="SELECT 1 AS a"),
    ),
    properties=(ID, OTHER),
)


def test_a_namespace_of_iceberg_is_made_where_its_catalog_puts_it() -> None:
    assert schemas.properties(SCHEMA) == {"owner": "bob", "owner.team": "sales"}
    held = schemas.hold_schema(SCHEMA)
    assert (held.location, held.properties) == (None, (OTHER,))


def test_a_database_is_no_entity_of_the_source_s_gravitino() -> None:
    assert hive_database.encode(SCHEMA)["parameters"] == dict([OTHER])


@pytest.mark.parametrize("hold", [iceberg_writing.hold, paimon_writing.hold])
def test_a_view_is_another_entity_at_the_target(hold: Callable[[View], Held]) -> None:
    held = hold(VIEW)
    assert held.view.properties == (OTHER,)
    assert IDENTIFIER_LOST in held.losses


def test_the_target_s_own_identifier_stays_where_a_view_is_replaced() -> None:
    made = iceberg_writing.created(VIEW, UUID(int=7), "s3://b/v", 1)
    assert IDENTIFIER not in made["properties"]
    made["properties"][IDENTIFIER] = "gravitino.v1.uid7"
    base = iceberg_metadata.read(json.dumps(made).encode())
    assert iceberg_writing.replaced(base, VIEW, 2)["properties"] == {
        IDENTIFIER: "gravitino.v1.uid7",
        **dict([OTHER]),
    }


def test_a_server_puts_files_into_no_folder_of_the_source() -> None:
    view = replace(VIEW, properties=((METADATA_FOLDER, "s3://old/meta"),))
    held = iceberg_writing.hold_elsewhere(view)
    assert held.view.properties == ()
    assert any(loss.startswith(METADATA_FOLDER) for loss in held.losses)
    assert iceberg_writing.hold(view).view.properties == view.properties, "where we write the file"


def test_what_an_engine_has_written_over_our_entry_is_seen() -> None:
    marked = {"belvedere.made": "created x", "transient_lastDdlTime": "100"}
    assert Occupied({"parameters": marked}, None).state == ("transient_lastDdlTime", "100")
    assert Occupied({"parameters": {"belvedere.made": "m"}}, None).state == ("belvedere.made", "m")
    assert Occupied({"parameters": {}}, None).state == ("transient_lastDdlTime", "")


@pytest.mark.parametrize(
    ("least", "most", "over"),
    [("char(1)", "char(255)", "char(256)"), ("varchar(1)", "varchar(65535)", "varchar(65536)")],
)
def test_a_catalog_of_hive_takes_the_lengths_that_hive_has(
    least: str, most: str, over: str
) -> None:
    for kind in (least, most):
        assert hold_type(Primitive(kind), HIVE) == Primitive(kind)
    for kind in (over, least.replace("1", "0"), least.replace("1", "70000")):
        with pytest.raises(RefusedTypeError):
            hold_type(Primitive(kind), HIVE)
