"""Views as sources of dbt: files of its documented keys, in which no stranger's text is run."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Template
from ruamel.yaml import YAML

from discovery.display import visible
from jobs.reporting.files import ReportFiles
from jobs.reporting.workers import rendered
from reports import to_dbt
from tests.made_up import HEAD, HOSTILE, row, rows

META = {
    "type": "object",
    "properties": {
        "owner": {"type": "string"},
        "belvedere_standing": {"enum": ["ready", "needs review", "blocked", "not judged"]},
        "belvedere_reason": {"type": "string"},
        "belvedere_wave": {"type": "integer"},
        "belvedere_dialects": {"type": "string"},
    },
    "required": ["belvedere_standing"],
    "additionalProperties": False,
}
TEXT = {"type": "string"}
COLUMN = {
    "type": "object",
    "properties": {"name": TEXT, "data_type": TEXT, "description": TEXT},
    "required": ["name"],
    "additionalProperties": False,
}
TABLE = {
    "type": "object",
    "properties": {
        "name": TEXT,
        "description": TEXT,
        "config": {"type": "object", "properties": {"meta": META}, "additionalProperties": False},
        "columns": {"type": "array", "items": COLUMN},
    },
    "required": ["name"],
    "additionalProperties": False,
}
DOCUMENTED = {
    "type": "object",
    "properties": {
        "version": {"const": 2},
        "sources": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "name": TEXT,
                    "schema": TEXT,
                    "tables": {"type": "array", "items": TABLE},
                },
                "required": ["name", "schema", "tables"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["version", "sources"],
    "additionalProperties": False,
}
"""The keys of https://docs.getdbt.com/reference/source-properties that are written."""


def written(folder: Path, some: list[dict[str, Any]]) -> dict[str, Any]:
    parts = [rendered(["dbt"], number, [one]) for number, one in enumerate(some)]
    ReportFiles(folder, ["dbt"], HEAD, parts=len(parts), part=1).write(parts)
    place = folder / to_dbt.DBT
    return {
        path.relative_to(place).as_posix(): YAML(typ="safe").load(path)
        for path in place.rglob("*.yml")
    }


def test_each_namespace_is_a_file_of_dbts_keys_with_a_table_for_each_view(tmp_path: Path) -> None:
    found = written(tmp_path, [*rows(), row(9, "v", namespace=["other", "Deep.er"], source="shop")])
    assert sorted(found) == ["lake/db.yml", "shop/other/%44eep%2Eer.yml"]
    for one in found.values():
        jsonschema.validate(one, DOCUMENTED)
    (source,) = found["lake/db.yml"]["sources"]
    assert (source["name"], source["schema"]) == ("lake__db", "db")
    assert [table["name"] for table in source["tables"]] == [
        one["name"] for one in rows() if one["outcome"] == "view"
    ]
    aside = source["tables"][3]
    assert aside["config"]["meta"] == {
        "owner": "anna",
        "belvedere_standing": "blocked",
        "belvedere_reason": "MISSING_BASE",
        "belvedere_dialects": "spark",
    }
    assert aside["columns"] == [{"name": "a", "data_type": "integer", "description": HOSTILE}]
    assert source["tables"][0]["config"]["meta"]["belvedere_wave"] == 1


def test_namespaces_that_look_alike_are_sources_of_their_own(tmp_path: Path) -> None:
    spaces = [["a", "b"], ["a.b"], ["a__b"], ["a_", "b"], ["a", "_b"], ["a"], [], ["A", "b"]]
    found = written(tmp_path, [row(n, "v", namespace=space) for n, space in enumerate(spaces)])
    sources = [one["sources"][0] for one in found.values()]
    assert len(sources) == len({source["name"] for source in sources}) == len(spaces)
    assert {"lake__a__b", "lake__a.b", "lake__a"} < {source["name"] for source in sources}


def test_the_next_report_replaces_them(tmp_path: Path) -> None:
    assert len(written(tmp_path, [row(0, "v"), row(1, "w", namespace=["gone"])])) == 2
    (left,) = written(tmp_path, [row(0, "v")]).values()
    assert len(left["sources"][0]["tables"]) == 1


@given(st.text() | st.text(alphabet="{}%# \\\"'\n\ud83d\U0001f600\ufffea"))
def test_any_text_is_that_text_in_yaml_and_nothing_for_jinja(text: str) -> None:
    loaded = YAML(typ="safe").load(f"a: {to_dbt._prose(text)}")["a"]
    assert loaded.replace("{ ", "{") == visible(text).replace("{ ", "{")
    assert Template(loaded).render() == loaded.removesuffix("\n")


@pytest.mark.parametrize("name", ["{{ env_var('SECRET') }}", "{% raw %}", "a{# b"])
def test_a_name_that_jinja_would_run_is_left_out(tmp_path: Path, name: str) -> None:
    (found,) = written(tmp_path, [row(0, name), row(1, "plain")]).values()
    assert [table["name"] for table in found["sources"][0]["tables"]] == ["plain"]
    assert written(tmp_path, [row(0, "v", namespace=[name])]) == {}
    comment = json.loads(row(0, "v")["model"]) | {"comment": name}
    (told,) = written(tmp_path, [row(0, "v", model=json.dumps(comment))]).values()
    assert "{ " in told["sources"][0]["tables"][0]["description"]
