"""Every public page is true: what is derived from the code is current, what is shown was run."""

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from jobs import cli
from jobs.completion import parser_of_all
from jobs.configuration import loader
from jobs.configuration.options import configured, spelled
from jobs.console.command import EXIT_CODES
from jobs.console.notifying import TOLD
from tests.docs import generate

STORE = "{kind: gravitino-store, url: 'postgresql://h/d', metalake: m, catalog: c}"
PARSER = parser_of_all()
REPOSITORY = Path(__file__).parents[2]
DOCS = REPOSITORY / "docs"
PAGES = [REPOSITORY / "README.md", *sorted(DOCS.rglob("*.md"))]
DECISIONS = sorted((DOCS / "adr").glob("*.md"))
CONNECTORS = generate.connectors()
SHOWN = [
    pytest.param(block, id=f"{page.stem}-{number}")
    for page in PAGES
    for number, block in enumerate(re.findall(r"(?ms)^```yaml\n(.*?)^```", page.read_text("utf-8")))
]


def test_derived_pages_are_current() -> None:
    for path, text in generate.pages().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: say make docs"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_that_are_shown_exist(page: Path) -> None:
    blocks = re.findall(r"(?ms)^```(?:sh|console)\n(.*?)^```", page.read_text("utf-8"))
    text = "".join(blocks).replace("\\\n", " ")
    make = re.findall(r"^([a-z-]+):", (REPOSITORY / "Makefile").read_text(encoding="utf-8"), re.M)
    for line in re.findall(r"(?m)^(?:\$ )?(?:\.venv/bin/)?belvedere ([^&|#\n]+)", text):
        PARSER.parse_args(shlex.split(line))  # with its options and arguments, or the test ends
    for target in re.findall(r"(?m)^(?:\$ )?make ([a-z-]+)", text):
        assert target in make


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main([command, "--help"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert f"usage: belvedere {command} [" in said  # what is typed, and no word of it twice
    assert "exit codes:" in said


def test_the_command_runs_as_a_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "jobs.cli", "explain", "--help"],
        capture_output=True,
        text=True,
        check=False,
        cwd=REPOSITORY,
    )
    assert done.returncode == 0, done.stderr
    assert "usage: belvedere explain" in done.stdout


@pytest.mark.parametrize("block", SHOWN)
def test_configurations_that_are_shown_are_valid(
    block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for sort, name in re.findall(r"\$\{(env|file):([^}]+)\}", block):
        if sort == "env":
            monkeypatch.setenv(name, "a secret")
        else:
            (tmp_path / name).write_text("a secret", encoding="utf-8")
    rest = {"warehouse": "warehouse: w\n", "sources": "sources: {a: {kind: archive, path: a}}\n"}
    missing = [text for key, text in rest.items() if not re.search(rf"(?m)^{key}:", block)]
    if block.startswith("mapping:"):  # what its rules are about
        named = {sort: set(re.findall(rf"{sort}: (\w+)", block)) for sort in ("source", "target")}
        some = {"source": "{kind: archive, path: a}", "target": STORE}
        listed = {sort: [f"  {one}: {some[sort]}\n" for one in named[sort]] for sort in named}
        missing[1:] = [f"{sort}s:\n{''.join(lines)}" for sort, lines in listed.items()]
    whole = "".join(missing) + block
    (tmp_path / "estate.yaml").write_text(whole, encoding="utf-8")
    shown = loader.load(tmp_path / "estate.yaml")
    assert shown.sources
    assert "a secret" not in repr(shown)


@pytest.mark.parametrize("name", CONNECTORS)
def test_every_connector_has_a_page_that_names_its_options(name: str) -> None:
    text = (DOCS / "connectors" / f"{name}.md").read_text(encoding="utf-8")
    options = CONNECTORS[name].options()
    names = map(spelled, configured(options))
    missing = [one for one in names if f"| `{one}` |" not in text]
    assert not missing, "are the two marks for the table there? say make docs"
    for section in ("Options", "What it needs", "Limits", "Failures"):
        assert f"\n## {section}\n" in text


@pytest.mark.parametrize("page", DECISIONS, ids=lambda page: page.stem)
def test_a_decision_has_its_three_parts_on_one_page(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"# {page.name[:4]}: ")
    assert re.findall(r"(?m)^## (.+)$", text) == ["Context", "Decision", "Consequences"]
    assert text.count("\n") < 60


def test_decisions_are_numbered_one_by_one() -> None:
    assert [int(page.name[:4]) for page in DECISIONS] == list(range(1, len(DECISIONS) + 1))


def test_every_dependency_is_explained() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    names = {re.split(r"[^\w.-]", one)[0] for group in groups for one in group} - {"belvedere"}
    text = (DOCS / "adr" / "0002-dependencies.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w.-]+)", "".join(re.findall(r"(?m)^\| (`.*?) \|", text)))
    assert sorted(named) == sorted(names)


def test_the_code_that_the_architecture_names_exists() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w.-]+/[\w./-]*)(?::(\w+))?`", text)
    assert len(named) > 40
    for path, name in named:
        assert (REPOSITORY / path).exists(), path
        if name:
            code = (REPOSITORY / path).read_text(encoding="utf-8")
            assert re.search(rf"(?m)^ *(def|class) {name}\b|^{name}\b.* =", code), (path, name)


def test_each_file_of_code_that_the_architecture_names_without_its_folder_exists() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    folders = ("discovery", "connectors", "jobs", "reports", "tests")
    known = {path.name for folder in folders for path in (REPOSITORY / folder).rglob("*.py")}
    bare = set(re.findall(r"`(\w+\.py)`", text))
    assert len(bare) > 10
    assert bare <= known | {"belvedere.py", "belvedere_door.py"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_script_that_a_page_names_exists(page: Path) -> None:
    for path in re.findall(r"\bjobs/\w+\.py\b", page.read_text(encoding="utf-8")):
        assert (REPOSITORY / path).exists(), f"{page.name} names {path}, which is not there"


def test_the_glossary_has_thirty_words_at_most_and_each_once() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    glossary = text.partition("\n## Glossary\n")[2].partition("\n## ")[0]
    words = re.findall(r"(?m)^\| ([a-z ]+) \|", glossary)
    assert 20 < len(words) <= 30
    assert len(set(words)) == len(words)


def test_the_commands_whose_ends_are_told_are_named() -> None:
    text = (DOCS / "operating.md").read_text(encoding="utf-8")
    sentence = text.partition("\n## Who is told\n")[2].partition(" tell")[0]
    assert re.findall(r"`([a-z]+)`", sentence.split("\ntell")[0]) == list(TOLD)


def test_the_readme_has_every_command_and_exit_code() -> None:
    text = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    table = "".join(re.findall(r"(?m)^\| (`.*?) \|", text))
    assert sorted(re.findall(r"`([a-z-]+)`", table)) == sorted(cli.COMMANDS)
    assert [int(one) for one in re.findall(r"(?m)^\| (\d) \|", text)] == sorted(EXIT_CODES)
