"""Requests of OpenMetadata: names as its connectors have them, types in its words."""

import json
from typing import Any

import pytest

from discovery.addresses import SourceAddress
from reports.to_openmetadata import texts
from tests.made_up import row

TYPES: list[tuple[Any, dict[str, Any]]] = [
    ("integer", {"dataType": "INT", "dataTypeDisplay": "integer"}),
    (
        "decimal(9,2)",
        {"dataType": "DECIMAL", "dataTypeDisplay": "decimal(9,2)", "precision": 9, "scale": 2},
    ),
    ("varchar(5)", {"dataType": "VARCHAR", "dataTypeDisplay": "varchar(5)", "dataLength": 5}),
    ("timestamp_tz(6)", {"dataType": "TIMESTAMPZ", "dataTypeDisplay": "timestamp_tz(6)"}),
    (
        {"type": "external", "catalogString": "jsonb"},
        {"dataType": "UNKNOWN", "dataTypeDisplay": "jsonb"},
    ),
    (
        {"type": "map", "keyType": "string", "valueType": "long"},
        {"dataType": "MAP", "dataTypeDisplay": "map<string,long>"},
    ),
    (
        {
            "type": "list",
            "elementType": {"type": "struct", "fields": [{"name": "a", "type": "date"}]},
        },
        {
            "dataType": "ARRAY",
            "arrayDataType": "STRUCT",
            "dataTypeDisplay": "array<struct<a:date>>",
            "children": [
                {
                    "name": "a",
                    "ordinalPosition": 1,
                    "dataType": "DATE",
                    "dataTypeDisplay": "date",
                }
            ],
        },
    ),
]


def request(one: dict[str, Any]) -> dict[str, Any]:
    (text,) = texts(one)
    assert text.endswith("\n")
    found: dict[str, Any] = json.loads(text)
    return found


@pytest.mark.parametrize(("kind", "wanted"), TYPES)
def test_types_are_in_its_words(kind: Any, wanted: dict[str, Any]) -> None:
    model = json.loads(row(0, "v")["model"])
    model["columns"] = [{"name": "c", "type": kind, "nullable": True, "comment": "said"}]
    (column,) = request(row(0, "v", model=json.dumps(model)))["columns"]
    assert column == {"name": "c", "ordinalPosition": 1, "description": "said", **wanted}


@pytest.mark.parametrize(
    ("place", "namespace", "schema"),
    [
        (SourceAddress("hive", "h", 9083), ["db"], "lake.default.db"),
        (SourceAddress("postgres", "h", 5432, "sales"), ["public"], "lake.sales.public"),
        (None, ["a", "b.c"], 'lake.a."b.c"'),
        (None, ["a", "b", "c"], 'lake.a."b.c"'),
        (None, [], "lake.default.default"),
        (None, ['q"x'], "lake.default.q__reserved__quote__x"),
    ],
)
def test_a_view_is_where_its_connector_has_it(
    place: SourceAddress | None, namespace: list[str], schema: str
) -> None:
    addresses = {} if place is None else {"lake": place}
    assert (
        request(row(0, "v", namespace=namespace, addresses=addresses))["databaseSchema"] == schema
    )


def test_a_name_that_it_cannot_have_is_encoded_and_shown() -> None:
    found = request(row(0, 'a::b>"c"'))
    assert found["name"] == (
        "a__reserved__colon__b__reserved__arrow____reserved__quote__c__reserved__quote__"
    )
    assert found["displayName"] == 'a::b>"c"'
    assert found["tableType"] == "View"
    assert "displayName" not in request(row(0, "v"))


def test_what_is_no_view_or_has_too_long_a_name_has_no_request() -> None:
    assert not list(texts(row(0, "v", outcome="failure", model=None)))
    assert not list(texts(row(0, "v" * 257)))
    assert list(texts(row(0, "v" * 256)))
