"""Every public page is true: what is derived from the code is current, what is shown was run."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from jobs import cli

REPOSITORY = Path(__file__).parents[2]
PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]


def generator() -> object:
    path = Path(__file__).parent / "generate.py"
    spec = importlib.util.spec_from_file_location("generate", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_derived_pages_are_current() -> None:
    for path, text in generator().pages().items():  # type: ignore[attr-defined]  # a module
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: say make docs"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_that_are_shown_exist(page: Path) -> None:
    blocks = re.findall(r"(?ms)^```(?:sh|console)\n(.*?)^```", page.read_text("utf-8"))
    text = "".join(blocks)
    make = re.findall(r"^([a-z-]+):", (REPOSITORY / "Makefile").read_text(encoding="utf-8"), re.M)
    for command in re.findall(r"(?m)^(?:\$ )?(?:\.venv/bin/)?belvedere ([a-z][a-z-]*)", text):
        assert command in cli.COMMANDS
    for target in re.findall(r"(?m)^(?:\$ )?make ([a-z-]+)", text):
        assert target in make


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "jobs.cli", command, "--help"],
        capture_output=True,
        text=True,
        check=False,
        cwd=REPOSITORY,
    )
    assert done.returncode == 0, done.stderr
    assert f"usage: belvedere {command}" in done.stdout
    assert "exit codes:" in done.stdout
