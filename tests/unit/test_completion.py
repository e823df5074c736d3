"""Completions know every command and its arguments."""

import shutil
import subprocess
from pathlib import Path

import pytest
import shtab

from jobs import cli, completion
from jobs.console import command


def test_every_command_and_its_arguments_are_completed(capsys: pytest.CaptureFixture[str]) -> None:
    assert completion.main(["bash"]) == command.FINE
    told = capsys.readouterr().out
    for name in cli.COMMANDS:
        assert f"_shtab_belvedere_{name.replace('-', '_')}_option_strings" in told
    for option in ("--run-id", "--log-format", "--apply"):
        assert option in told


def test_bash_takes_the_file_and_completes(tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash here")
    made = shtab.complete(completion.parser_of_all(), "bash")
    (tmp_path / "completions").write_text(made, encoding="utf-8")
    script = (
        "source completions; COMP_WORDS=(belvedere cra); COMP_CWORD=1; "
        "_shtab_belvedere belvedere cra belvedere; echo ${COMPREPLY[@]}"
    )
    done = subprocess.run(
        [bash, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["crawl"], done.stderr
