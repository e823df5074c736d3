"""Commands that print the rows of a run: what is not there is told, and never an empty answer."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jobs import cli
from jobs.assessing.tables import DRAFTS, FINDINGS, VERDICTS, WAVES
from jobs.warehouse.runs import Run
from jobs.warehouse.warehouse import Warehouse

DAY = datetime(2026, 11, 21, tzinfo=UTC)
ASSESSED = {"drafts": DRAFTS, "findings": FINDINGS, "verdicts": VERDICTS, "waves": WAVES}


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """One that has a run of two sources, which nobody has assessed."""
    made = Warehouse(str(tmp_path))
    made.commit(Run("r1", DAY, DAY, "1", 0, json.dumps({"sources": {"lake": {}, "shop": {}}})))
    return made


@pytest.mark.parametrize("command", ASSESSED)
def test_a_run_that_was_not_assessed_is_told(
    command: str, warehouse: Warehouse, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([command, "--warehouse", str(tmp_path)]) == 2
    assert f"run r1 has no {command}: it was not assessed" in capsys.readouterr().err
    warehouse.note(ASSESSED[command], "r1")
    assert cli.main([command, "--warehouse", str(tmp_path)]) == 0
    assert capsys.readouterr() == ("", "")


def test_the_command_that_a_hint_names_is_of_the_same_configuration(
    warehouse: Warehouse, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "my estate.yaml"
    config.write_text("warehouse: .\nsources: {lake: {kind: archive, path: x}}\n")
    assert cli.main(["waves", "--config", str(config)]) == 2
    said = capsys.readouterr().err
    assert said.endswith(f"hint: belvedere assess --run-id r1 --config '{config}'\n")


@pytest.mark.parametrize("command", ["views", "failures", "rights", *ASSESSED])
def test_a_source_that_the_run_does_not_have_is_told(
    command: str, warehouse: Warehouse, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([command, "--warehouse", str(tmp_path), "--source", "lak"]) == 2
    said = capsys.readouterr().err
    assert "there is no source lak" in said
    assert "sources: lake, shop" in said


def test_a_difference_of_a_source_that_neither_run_has_is_told(
    warehouse: Warehouse, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    warehouse.commit(Run("r2", DAY, DAY, "1", 0, json.dumps({"sources": {"new": {}}})))
    line = ["diff", "r1", "r2", "--warehouse", str(tmp_path), "--source"]
    assert cli.main([*line, "lak"]) == 2
    assert "sources: lake, shop, new" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--source", "--view", "--grantee", "--run-id"])
def test_what_chooses_of_a_run_is_no_option_of_a_plan(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["rights", "--warehouse", str(tmp_path), "--plan", str(tmp_path), option, "x"]
    assert cli.main(line) == 2
    assert f"{option} does not go with --plan" in capsys.readouterr().err


def test_a_file_is_no_warehouse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert cli.main(["views", "--warehouse", str(tmp_path / "file")]) == 2
    assert f"{tmp_path / 'file'}: is no folder" in capsys.readouterr().err


def test_a_name_that_is_no_namespace_is_told_as_it_was_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["views", "--warehouse", str(tmp_path), "--names", "trino", "--namespace", "sales"]
    assert cli.main(line) == 2
    told = capsys.readouterr().err
    assert "--namespace sales: " in told
    assert "--names trino" in told


@pytest.mark.parametrize("counts", ["", "{", "{}", "[]", '{"sources": 3}'])
def test_counts_that_nobody_understands_are_told_where_they_are_needed(
    counts: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Warehouse(str(tmp_path)).commit(Run("r1", DAY, DAY, "1", 0, counts))
    line = ["views", "--warehouse", str(tmp_path)]
    assert cli.main(line) == 0
    assert capsys.readouterr() == ("", "")
    assert cli.main([*line, "--source", "lake"]) != 0
    told = capsys.readouterr().err
    assert "run r1: what it counted cannot be read" in told
    assert "Traceback" not in told
