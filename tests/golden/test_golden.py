"""Entries that real engines wrote, against what the engine or a review says of them.

The wanted side was derived apart from the decoder: from the engine's own answer (`wanted_from:
engine`) or from the measured facts (`review`). It is never regenerated from what belvedere says.
"""

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from discovery import wire
from discovery.crawl import normalize
from discovery.formats import KINDS
from discovery.model import Schema, View
from discovery.outcomes import Failure, Listed, RawObject, Skipped
from tests.golden.recipes.compare import (
    OF_A_RUN,
    REBUILT_HERE,
    compare,
    differences,
    normalized,
)
from tests.golden.recipes.rebuilt import Described, Rebuilt
from tests.golden.recipes.spark_words import in_words, undescribed

REPOSITORY = Path(__file__).parent.parent.parent
SPARK_VIEWS = "tests/golden/recipes/spark_views.py"  # asks Spark for the columns of each view
FILES = sorted(Path(__file__).parent.glob("*/*.json"))


def read(path: Path) -> dict[str, Any]:
    case: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return case


def raw_object(case: dict[str, Any]) -> RawObject:
    raw = case["raw"]
    files = {uri: base64.b64decode(file) for uri, file in raw.get("files", {}).items()}
    namespace, name = (raw["payload"].get(field) for field in KINDS[raw["kind"]].place)
    listed = Listed((namespace,) if isinstance(namespace, str) else tuple(namespace), name or "")
    return RawObject(listed, raw["kind"], raw["payload"], files)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden(path: Path) -> None:
    case = read(path)
    outcome = normalize(raw_object(case))
    assert outcome.format == case["format"]
    match outcome.result:
        case View() | Schema():
            assert json.loads(outcome.text) == case.get("view")
        case Skipped(_, reason):
            assert reason.code == case.get("skipped")
        case Failure() as failure:
            wanted = case.get("failure", {})
            assert failure.code == wanted.get("code"), failure.message
            assert wanted["field"] in failure.message


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_file_says_where_it_comes_from(path: Path) -> None:
    case = read(path)
    for key in ("engine", "version", "recipe", "date", "captured_from"):
        assert case["provenance"][key]
    assert case["wanted_from"] in {"engine", "review"}
    assert len({"view", "skipped", "failure"} & case.keys()) == 1
    if case["wanted_from"] == "engine":
        assert case["provenance"]["captured_from"] != "none"


def is_recipe(recipe: str) -> bool:
    """Whether provenance names a recipe of the repository, or says whose word was taken."""
    if recipe.startswith("by hand: "):
        return bool(recipe.removeprefix("by hand: ").strip())
    known = recipe.startswith(("tests/golden/recipes/", "tests/live/"))
    return known and (REPOSITORY / recipe).is_file()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_recipe_of_a_golden_file_is_here(path: Path) -> None:
    recipe = read(path)["provenance"]["recipe"]
    assert is_recipe(recipe), f"{recipe}: put it below tests/golden/recipes, or say 'by hand: …'"


def test_where_the_engine_is_asked_its_word_is_wanted() -> None:
    asked = [case for case in map(read, FILES) if case["provenance"]["recipe"] == SPARK_VIEWS]
    assert asked
    assert all(case["wanted_from"] == "engine" for case in asked if "view" in case)


def test_what_is_rebuilt_here_has_a_recipe() -> None:
    assert all(is_recipe(recipe) for recipe in REBUILT_HERE)


def test_a_recipe_that_is_not_here_is_refused() -> None:
    refused = ("recipes/engines/x.py", "tests/golden/recipes/none.py", "by hand: ", "README.md")
    assert not any(is_recipe(one) for one in refused)


def hive_entry(**fields: Any) -> dict[str, Any]:
    return {"dbName": "db", "tableName": "v", **fields}


def columns_changed(column: Mapping[str, Any]) -> list[str]:
    said = Described("a", "timestamp", "", True)
    return list(undescribed([column], Rebuilt(("db", "v"), {}, (said,))))


def test_what_belongs_to_a_run_is_no_difference() -> None:
    held = hive_entry(createTime=1, owner="x", sd={"location": "file:/a"}, comment=None)
    made = hive_entry(createTime=2, owner="y", sd={"location": "file:/b"}, privileges={})
    kind = "hive_table"
    assert list(differences(normalized(held, kind), normalized(made, kind))) == []
    assert list(differences(normalized(held, kind), normalized(hive_entry(), kind))) == [
        "$.createTime",
        "$.owner",
        "$.sd",
    ]


@pytest.mark.parametrize("kind", OF_A_RUN)
@pytest.mark.parametrize("key", ["owner", "path", "location", "createTime", "CreateTime"])
def test_a_key_below_parameters_is_never_a_run_s(kind: str, key: str) -> None:
    parameters = "parameters" if kind == "hive_table" else "Parameters"
    held, made = ({parameters: {key: value}} for value in "ab")
    found = list(differences(normalized(held, kind), normalized(made, kind)))
    assert found == [f"$.{parameters}.{key}"]


def test_a_rebuilt_entry_differs_where_the_engine_says_otherwise() -> None:
    held = {"sd": {"cols": [{"name": "a"}, {"name": "b"}]}, "x": [1]}
    made = {"sd": {"cols": [{"name": "a"}, {"name": "c"}]}, "parameters": {"k": "v"}, "x": [1, 2]}
    assert list(differences(held, made)) == ["$.parameters", "$.sd.cols[1].name", "$.x"]


@pytest.mark.parametrize(
    ("column", "paths"),
    [
        ({"name": "a", "type": "timestamp_tz", "nullable": True}, []),
        ({"name": "A", "type": "timestamp_tz", "nullable": True}, ["$.columns[0].name"]),
        ({"name": "a", "type": "timestamp", "nullable": True}, ["$.columns[0].type"]),
        ({"name": "a", "type": "timestamp_tz", "nullable": False}, ["$.columns[0].nullable"]),
        (
            {"name": "a", "type": "timestamp_tz", "nullable": True, "comment": "c"},
            ["$.columns[0].comment"],
        ),
    ],
)
def test_a_wanted_column_is_held_against_the_engine_s_own_word(
    column: Mapping[str, Any], paths: list[str]
) -> None:
    assert columns_changed(column) == paths


def test_columns_that_the_engine_does_not_know_are_a_difference() -> None:
    column = {"name": "a", "type": "string", "nullable": True}
    assert list(undescribed([column], Rebuilt(("db", "v"), {}))) == ["$.columns"]


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ("long", "bigint"),
        ("timestamp", "timestamp_ntz"),
        ("timestamp(9)", "timestamp_ntz(9)"),
        ("timestamp_tz(7)", "timestamp_ltz(7)"),
        ("decimal(10,2)", "decimal(10,2)"),
        ({"type": "external", "catalogString": "interval day"}, "interval day"),
        ({"type": "list", "elementType": "byte", "containsNull": True}, "array<tinyint>"),
        (
            {
                "type": "map",
                "keyType": "short",
                "valueType": {"type": "struct", "fields": [{"name": "x", "type": "null"}]},
            },
            "map<smallint,struct<x:void>>",
        ),
    ],
)
def test_a_type_is_said_in_spark_s_words(wanted: str | dict[str, Any], words: str) -> None:
    assert in_words(wanted) == words


def test_a_file_is_equal_differs_or_is_not_rebuilt() -> None:
    case: dict[str, Any] = {
        "provenance": {"recipe": SPARK_VIEWS},
        "wanted_from": "review",
        "raw": {"kind": "hive_table", "payload": hive_entry(tableType="VIRTUAL_VIEW")},
    }
    same = Rebuilt(("db", "v"), hive_entry(tableType="VIRTUAL_VIEW"))
    other = Rebuilt(("db", "v"), hive_entry(tableType="MANAGED_TABLE"))
    assert compare(case, {("db", "v"): same}).outcome == "equal"
    assert compare(case, {("db", "v"): other}) == ("differs", "$.raw.payload.tableType")
    assert compare(case, {}) == ("differs", "the recipe did not make it")
    case["provenance"]["recipe"] = "by hand: a page"
    assert compare(case, {}) == ("not rebuilt here", "by hand: a page")


def test_every_format_and_every_reason_is_there() -> None:
    cases = [read(path) for path in FILES]
    formats = {case["format"] for case in cases if "view" in case}
    assert formats == {"flink", "glue", "hive", "iceberg", "paimon", "spark", "trino"}
    assert {case["skipped"] for case in cases if "skipped" in case} >= {
        "MATERIALIZED_VIEW",
        "FEDERATED",
        "METRIC_VIEW",
        "RESOURCE_LINK",
        "TABLE",
    }


def test_a_view_survives_its_json() -> None:
    for path in FILES:
        result = normalize(raw_object(read(path))).result
        if isinstance(result, View):
            text, fingerprint = wire.view_text(result)
            again = wire.view_from_json(json.loads(text), result.identifier.namespace)
            assert again == result
            assert wire.view_text(again)[1] == fingerprint


def test_only_what_looks_like_paimon_s_in_a_metastore_is_noted_as_such() -> None:
    suspected = [
        path.stem
        for path in FILES
        if any(note.code == "MAYBE_PAIMON" for note in normalize(raw_object(read(path))).notes)
    ]
    assert suspected == ["paimon142-v_plain"]
