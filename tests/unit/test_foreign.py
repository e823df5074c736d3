"""Entries of engines that are not read: a failure that names the engine, never a view of Hive."""

import json
from pathlib import Path
from typing import Any

import pytest

from discovery.crawl import normalize
from discovery.model import View
from discovery.outcomes import Failure, Listed, Outcome, RawObject

GOLDEN = Path(__file__).parents[1] / "golden" / "hms"


def entry(text: str = "SELECT 1 x", **parameters: str) -> dict[str, Any]:
    case: dict[str, Any] = json.loads(
        (GOLDEN / "hive401-v_simple.json").read_text(encoding="utf-8")
    )
    payload: dict[str, Any] = case["raw"]["payload"]
    return payload | {
        "viewOriginalText": text,
        "viewExpandedText": text,
        "parameters": {key.replace("__", "."): value for key, value in parameters.items()},
    }


def read(payload: dict[str, Any]) -> Outcome:
    return normalize(RawObject(Listed(("d",), "v"), "hive_table", payload))


def refused(payload: dict[str, Any], code: str = "FOREIGN_FORMAT") -> str:
    outcome = read(payload)
    assert isinstance(outcome.result, Failure), outcome.result
    assert outcome.result.code == code
    return outcome.result.message


@pytest.mark.parametrize(
    ("parameters", "engine"),
    [
        ({"common_view": "true", "metadata_location": "s3://b/m.json"}, "Netflix"),
        ({"table_type": "DELTA"}, "Delta Lake"),
        ({"table_type": "paimon-view"}, "Paimon"),
        ({"table_type": "MIXED_HIVE"}, "Amoro"),
        ({"table_type": "acme-view"}, "its table_type is 'acme-view'"),
        ({"metadata_location": "s3://b/m.json"}, "its definition is in a metadata file"),
        ({"view-format": "acme"}, "it is 'acme'"),
    ],
)
def test_a_mark_of_another_engine_is_a_failure(parameters: dict[str, str], engine: str) -> None:
    message = refused(entry(**parameters))
    assert engine in message
    assert message.startswith("field parameters.")


@pytest.mark.parametrize(
    "text", ['{"sql": "SELECT 1"}', "/* Acme View: eyJhIjoxfQ== */", "dataset: a.b", "CREATE x"]
)
def test_a_text_that_is_no_query_is_not_hive_s(text: str) -> None:
    assert refused(entry(text)).startswith("field viewExpandedText: ")


@pytest.mark.parametrize(
    "text",
    [
        "select 1",
        "SELECT`a` FROM t",
        " -- why\n/* how */ WITH a AS (SELECT 1) SELECT * FROM a",
        "(select 1) union all (select 2)",
        "FROM t SELECT a",
        "VALUES (1)",
        "-- ends\nselect 1",
    ],
)
def test_a_query_is_hive_s(text: str) -> None:
    outcome = read(entry(text))
    assert outcome.format == "hive", outcome.result
    assert isinstance(outcome.result, View)
    assert outcome.result.representations[0].sql == text


def test_trino_s_placeholder_alone_is_a_broken_view_of_trino() -> None:
    payload = entry("/* Presto View */") | {"viewOriginalText": None}
    assert "parameters.presto_view" in refused(payload, "INVALID_ENTRY")


@pytest.mark.parametrize(
    ("key", "writer"),
    [
        ("impala.events.catalogServiceId", "Impala"),
        ("dremio.version", "Dremio"),
        ("starrocks.version", "StarRocks"),
        ("presto_query_id", "PrestoDB"),
    ],
)
def test_a_query_of_another_engine_is_noted(key: str, writer: str) -> None:
    outcome = read(entry(**{key: "x"}))
    assert outcome.format == "hive"
    (note,) = outcome.notes
    assert note.code == "FOREIGN_WRITER"
    assert f"{key} is {writer}'s" in note.message


def test_hive_4_s_iceberg_views_are_iceberg_s() -> None:
    outcome = read(entry(**{"view-format": "Iceberg", "metadata_location": "s3://b/m.json"}))
    assert outcome.format == "iceberg"
    assert isinstance(outcome.result, Failure)
    assert outcome.result.code == "FILE_UNREADABLE"  # it did not come with the entry


def test_a_table_with_such_a_property_is_a_table() -> None:
    payload = entry(**{"view-format": "iceberg"}) | {"tableType": "EXTERNAL_TABLE"}
    assert read(payload).format == ""


def test_a_user_s_property_makes_no_view_flink_s() -> None:
    outcome = read(entry(flink__schema__registry="http://r", flink__note="n"))
    assert outcome.format == "hive"
    assert isinstance(outcome.result, View)
    assert ("flink.schema.registry", "http://r") in outcome.result.properties


def test_a_user_s_property_of_a_flink_view_is_kept() -> None:
    case = json.loads((GOLDEN / "flink120-v_plain.json").read_text(encoding="utf-8"))
    payload = case["raw"]["payload"]
    payload["parameters"]["flink.schema.registry"] = "http://r"
    outcome = read(payload)
    assert isinstance(outcome.result, View)
    assert outcome.result.properties == (("schema.registry", "http://r"),)
    assert [note.code for note in outcome.notes] == ["TEXT_OF_TWO"]


@pytest.mark.parametrize("database", [None, ""])
def test_an_entry_without_a_database_is_in_no_namespace(database: str | None) -> None:
    message = refused(entry() | {"dbName": database}, "INVALID_ENTRY")
    assert message == "field dbName: is missing: the entry is in no namespace"


def test_gravitino_says_in_a_metastore_too_where_names_of_a_paimon_view_lead() -> None:
    """Paimon's HiveCatalog puts the options of a view among the parameters of its entry."""
    case = json.loads((GOLDEN / "paimon142-v_plain.json").read_text(encoding="utf-8"))
    options = {
        "gravitino.view.default-catalog": "lake",
        "gravitino.view.default-schema": "sales",
        "team": "x",
    }
    outcome = read(case["raw"]["payload"] | {"parameters": options})
    view = outcome.result
    assert isinstance(view, View)
    (text,) = view.representations
    assert (text.default_catalog, text.default_levels) == ("lake", ("sales",))
    assert view.properties == (("team", "x"),)
    (note,) = outcome.notes
    assert note.code == "MAYBE_PAIMON"
    assert "options" not in note.message, "they are among the parameters"
