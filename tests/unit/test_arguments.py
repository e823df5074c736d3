"""Arguments that lead elsewhere than they seem to are refused before anything is done."""

import argparse
import getpass
import os
from pathlib import Path

import pytest

from jobs import cli
from jobs.console.command import current_user
from jobs.console.parsing import folder


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command says of its line, which it refuses."""
    with pytest.raises(SystemExit) as ended:
        cli.main(words)
    assert ended.value.code == 2
    return capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("file", "file is no folder"),
        ("file/below/it", "file is no folder"),
        ("dangling/below", "dangling is no folder"),
        ("", "is empty"),
        ("s3://bucket/report", "is a URI"),
        ("file:/tmp/report", "is a URI"),
    ],
)
def test_what_cannot_be_a_folder_is_refused(
    place: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    Path("dangling").symlink_to("nowhere")
    with pytest.raises(argparse.ArgumentTypeError, match=why):
        folder(place)


@pytest.mark.parametrize("place", [".", "..", "there", "there/new/er", "/", "a:b"])
def test_a_folder_is_there_or_can_be_made(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("there").mkdir()
    assert folder(place) == Path(place)


@pytest.mark.parametrize("command", ["cutover", "demo", "jars", "plan", "report", "run", "sync"])
def test_a_command_that_writes_a_folder_takes_no_file(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    said = told(capsys, command, "--out", str(tmp_path / "file"))
    assert said == f"belvedere {command}: error: argument --out: {tmp_path / 'file'} is no folder"


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("", "is empty"),
        ("~/w", "begins with ~"),
        ("file:/w", "is neither"),
        ("w\udcff", "has bytes"),
    ],
)
@pytest.mark.parametrize("command", ["views", "prune", "quality"])
def test_a_warehouse_is_named_as_in_the_configuration(
    command: str, place: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"argument --warehouse: {why}" in told(capsys, command, "--warehouse", place)


@pytest.mark.parametrize("command", ["views", "findings", "runs", "diff", "check", "mcp"])
def test_a_warehouse_may_be_named_by_the_estate_that_it_is_of(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As commands that read more of the estate have it: `next: … --config b.yaml`."""
    estate = tmp_path / "b.yaml"
    cli.main((command, "--config", str(estate)))
    assert f"{estate}: there is no such file" in capsys.readouterr().err
    estate.write_text("warehouse: w\nsources: {}\n", encoding="utf-8")
    cli.main((command, "--config", str(estate)))
    assert str(tmp_path / "w") in "".join(capsys.readouterr())
    both = told(capsys, command, "--config", str(estate), "--warehouse", "w")
    assert both.endswith("argument --warehouse: not allowed with argument --config")


@pytest.mark.parametrize(
    ("option", "value", "why"),
    [
        ("--days", "x", "x is no number from 1 to 36,500"),
        ("--days", "0", "0 is no number from 1 to 36,500"),
        ("--days", "99999999999999", "is no number from 1"),
        ("--days", "9" * 5_000, "is no number from 1"),
        ("--until", "24.11.2026", "24.11.2026 is no day such as 2026-11-23"),
    ],
)
def test_a_window_that_is_none_is_told(
    option: str, value: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert why in told(capsys, "usage", option, value)


def test_choices_are_shown_as_they_are_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert "(choose from 'text', 'json')" in told(capsys, "views", "--log-format", "x")
    assert "'logical', 'percent'" in told(capsys, "views", "--names", "x")


@pytest.mark.parametrize("error", [KeyError, OSError])
def test_a_user_without_a_name_is_called_by_its_number(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def nameless() -> str:
        raise error

    monkeypatch.setattr(getpass, "getuser", nameless)
    assert current_user() == str(os.getuid())
