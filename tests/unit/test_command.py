"""The last boundary of every command: a code for each end, and no secret in what is told."""

import argparse
from collections.abc import Callable
from pathlib import Path

import pytest

from discovery.errors import ConfigurationError, UnreachableError
from jobs.console import command

CANARY = "canary-51ab0c"
DOCUMENT = "belvedere test: ends as it is told to."


@pytest.fixture
def ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], int]:
    """The exit code of a command that ends with an error; its configuration has a secret."""
    monkeypatch.setenv("THE_SECRET", CANARY)
    estate = tmp_path / "estate.yaml"
    text = (
        "warehouse: w\nsources: {s: {kind: hms, uri: 'thrift://h:1', io: {k: '${env:THE_SECRET}'}}}"
    )
    estate.write_text(text, encoding="utf-8")

    def end(error: BaseException) -> int:
        def run(args: argparse.Namespace) -> int:
            raise error

        return command.execute(DOCUMENT, command.with_config, run, ["--config", str(estate)])

    return end


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ConfigurationError(f"not {CANARY}", hint=f"{CANARY}?"), command.USAGE),
        (UnreachableError(f"{CANARY} refused"), command.CRASHED),
    ],
)
def test_an_error_of_ours_is_a_line_without_the_secret(
    ended: Callable[[BaseException], int],
    error: Exception,
    code: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert ended(error) == code
    told = capsys.readouterr()
    assert CANARY not in told.out + told.err
    assert "belvedere test: " in told.err
    assert "***" in told.err
    assert "Traceback" not in told.err


def test_a_traceback_has_everything_but_the_secret(
    ended: Callable[[BaseException], int], capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        raise OSError(f"cause {CANARY}")
    except OSError as cause:
        error = ValueError(f"password={CANARY}")
        error.__cause__ = cause
        error.add_note(f"note {CANARY}")
    assert ended(error) == command.CRASHED
    told = capsys.readouterr()
    assert CANARY not in told.out + told.err
    for line in ("Traceback", "OSError: cause ***", "ValueError: password=***", "note ***"):
        assert line in told.err


def test_an_interruption_ends_with_130(
    ended: Callable[[BaseException], int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(KeyboardInterrupt()) == 130
    assert capsys.readouterr().err == "belvedere test: interrupted\n"


def test_the_configuration_is_that_of_the_line_the_variable_or_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Path] = []

    def run(args: argparse.Namespace) -> int:
        found.append(args.config_file)
        return command.FINE

    for name in ("estate.yaml", "other.yaml", "third.yaml"):
        text = "warehouse: w\nsources: {s: {kind: hms, uri: 'thrift://h:1'}}"
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(command.CONFIG_VARIABLE, raising=False)
    assert command.execute(DOCUMENT, command.with_config, run, []) == command.FINE
    monkeypatch.setenv(command.CONFIG_VARIABLE, "other.yaml")
    assert command.execute(DOCUMENT, command.with_config, run, []) == command.FINE
    line = ["--config", "third.yaml"]
    assert command.execute(DOCUMENT, command.with_config, run, line) == command.FINE
    assert [path.name for path in found] == ["estate.yaml", "other.yaml", "third.yaml"]


def test_a_folder_without_a_configuration_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(command.CONFIG_VARIABLE, raising=False)
    assert command.execute(DOCUMENT, command.with_config, lambda _: 0, []) == command.USAGE
    assert "estate.yaml" in capsys.readouterr().err
