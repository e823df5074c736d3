"""Entries that real engines wrote, against what the engine or a review says of them.

The wanted side was derived apart from the decoder: from the engine's own answer (`wanted_from:
engine`) or from the measured facts (`review`). It is never regenerated from what belvedere says.
"""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from discovery import wire
from discovery.crawl import normalize
from discovery.formats import KINDS
from discovery.model import Schema, View
from discovery.outcomes import Failure, Listed, RawObject, Skipped
from tests.golden.recipes.compare import differences, normalized

REPOSITORY = Path(__file__).parent.parent.parent
FILES = sorted(Path(__file__).parent.glob("*/*.json"))


def read(path: Path) -> dict[str, Any]:
    case: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return case


def raw_object(case: dict[str, Any]) -> RawObject:
    raw = case["raw"]
    files = {uri: base64.b64decode(one) for uri, one in raw.get("files", {}).items()}
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


def test_a_recipe_that_is_not_here_is_refused() -> None:
    refused = ("recipes/engines/x.py", "tests/golden/recipes/none.py", "by hand: ", "README.md")
    assert not any(is_recipe(one) for one in refused)


def test_a_rebuilt_entry_differs_where_the_engine_says_otherwise() -> None:
    held = {"createTime": 1, "sd": {"location": "file:/a", "cols": [{"name": "a"}]}, "x": None}
    made = {"createTime": 2, "sd": {"location": "file:/b", "cols": [{"name": "a"}]}}
    assert list(differences(normalized(held), normalized(made))) == []
    other = {"sd": {"cols": [{"name": "b"}]}, "parameters": {"k": "v"}}
    paths = list(differences(normalized(held), normalized(other)))
    assert paths == ["$.parameters", "$.sd.cols[0].name"]


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
        if any(one.code == "MAYBE_PAIMON" for one in normalize(raw_object(read(path))).notes)
    ]
    assert suspected == ["paimon142-v_plain"]
