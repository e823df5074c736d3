"""dbt itself reads the sources that a report writes; dbt-core and dbt-duckdb are fetched."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from discovery.display import visible
from jobs.reporting.files import ReportFiles
from jobs.reporting.workers import rendered
from tests.live.fetched import environment
from tests.made_up import HEAD, HOSTILE, row, rows

pytestmark = [pytest.mark.live, pytest.mark.slow]
_PROJECT = "name: estate\nversion: '1.0'\nprofile: estate\nmodel-paths: [dbt]\n"
_PROFILE = "estate: {target: here, outputs: {here: {type: duckdb, path: ':memory:'}}}\n"


def test_dbt_parses_every_source_and_runs_no_strangers_text(tmp_path: Path) -> None:
    programs = environment("dbt-1.11", "dbt-core>=1.11,<1.12", "dbt-duckdb>=1.9,<1.12")
    hostile = [row(9, "{{ env_var('HOME') }}"), row(10, "ü😀.x", namespace=["a.b", "C"])]
    comment = json.dumps(json.loads(row(0, "v")["model"]) | {"comment": "{{ env_var('HOME') }}"})
    views = [*rows(), *hostile, row(11, "told", model=comment)]
    parts = [rendered(["dbt"], 0, views)]
    ReportFiles(tmp_path, ["dbt"], HEAD, parts=1, part=64).write(parts)
    (tmp_path / "dbt_project.yml").write_text(_PROJECT, encoding="utf-8")
    (tmp_path / "profiles.yml").write_text(_PROFILE, encoding="utf-8")
    silent = {"DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "DO_NOT_TRACK": "1"}
    done = subprocess.run(
        [programs / "dbt", "--warn-error", "parse", "--profiles-dir", tmp_path],
        cwd=tmp_path,
        env={**os.environ, **silent},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    manifest = json.loads((tmp_path / "target" / "manifest.json").read_text(encoding="utf-8"))
    found = {
        (source["source_name"], source["name"]): source for source in manifest["sources"].values()
    }
    read = [one for one in rows() if one["outcome"] == "view"]
    assert found.keys() == {("lake__db", visible(one["name"])) for one in read} | {
        ("lake__a.b__C", "ü😀.x"),
        ("lake__db", "told"),
    }
    aside = found["lake__db", "aside"]
    assert aside["config"]["meta"]["belvedere_reason"] == "MISSING_BASE"
    assert aside["columns"]["a"]["description"] == HOSTILE
    assert aside["columns"]["a"]["data_type"] == "integer"
    assert found["lake__db", "told"]["description"] == "{ { env_var('HOME') }}"
