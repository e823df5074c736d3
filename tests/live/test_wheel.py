"""The wheel, installed on its own: it holds what it reads, and passes the tests without us."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(1800)]

REPOSITORY = Path(__file__).parents[2]
OURS = ("belvedere.py", "belvedere_door.py", "jobs", "discovery", "connectors", "reports")

OF_THE_CHECKOUT = (
    "tests/unit/test_demo.py::test_what_its_entries_are_noted_for_is_what_it_says_was_planted",
)
"""The demo plants what tests have recorded, so it is of a clone alone."""


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    (found,) = dist.glob("belvedere-*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` of an environment that has the wheel and what tests need, and not the checkout."""
    place = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
    constraints = str(REPOSITORY / "constraints.txt")
    with_what_tests_need = f"{wheel}[dev]"
    subprocess.run(
        [str(place / "bin" / "pip"), "install", "-q", "-c", constraints, with_what_tests_need],
        check=True,
    )
    return place / "bin"


def an_entry() -> str:
    """An object of an archive: a view of a metastore."""
    golden = REPOSITORY / "tests" / "golden" / "hms" / "hive401-v_simple.json"
    return json.dumps(json.loads(golden.read_text(encoding="utf-8"))["raw"])


def called(*command: str, folder: Path, path: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command, with `path` as `PYTHONPATH`."""
    env = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


def test_the_wheel_is_the_door_the_four_packages_and_all_that_they_read(wheel: Path) -> None:
    names = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    files = subprocess.run(
        ["git", "ls-files", *OURS], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    assert names == set(files.stdout.splitlines())
    assert {"jobs/console/log4j2.properties", "reports/script/begin.js"} <= names
    assert wheel.read_bytes() == wheel.with_name("belvedere.zip").read_bytes()


def test_the_command_runs_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    belvedere = str(installed / "belvedere")
    assert "doctor" in called(belvedere, "--help", folder=tmp_path).stdout
    estate = "warehouse: w\nsources: {old: {kind: archive, path: archive}}\n"
    (tmp_path / "estate.yaml").write_text(estate, encoding="utf-8")
    (tmp_path / "archive").mkdir()
    (tmp_path / "archive" / "one.json").write_text(an_entry(), encoding="utf-8")
    done = called(belvedere, "doctor", "--config", "estate.yaml", folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"ok +pyarrow +\d", done.stdout)
    assert re.search(rf"ok +own modules +in {re.escape(str(installed.parent))}/", done.stdout)
    done = called(belvedere, "crawl", "--config", "estate.yaml", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "old: 1 listed = 1 view + 0 failures + 0 skipped" in done.stderr
    done = called(belvedere, "demo", folder=tmp_path)
    assert done.returncode == 2
    assert "clone the repository" in done.stderr


def test_the_command_is_ours_among_strangers(installed: Path, tmp_path: Path) -> None:
    for name in ("jobs", "reports"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise RuntimeError('stranger')\n", "utf-8")
    (tmp_path / "estate.yaml").write_text(
        "warehouse: w\nsources: {old: {kind: archive, path: archive}}\n", encoding="utf-8"
    )
    (tmp_path / "archive").mkdir()
    (tmp_path / "archive" / "one.json").write_text(an_entry(), encoding="utf-8")
    done = called(str(installed / "belvedere"), "crawl", folder=tmp_path, path=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "old: 1 listed" in done.stderr


def test_unit_and_golden_tests_pass_against_the_wheel(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "tests").symlink_to(REPOSITORY / "tests")  # the tests alone, not the packages
    where = "import jobs, discovery; print(jobs.__file__, discovery.__file__)"
    done = called(str(installed / "python"), "-P", "-c", where, folder=REPOSITORY)
    assert done.stdout.count("site-packages") == 2, done.stdout
    pytest_ = (str(installed / "pytest"), "-o", "pythonpath=", "-p", "no:cacheprovider", "-q")
    chosen = ("-m", "not spark", *(f"--deselect={test}" for test in OF_THE_CHECKOUT))
    tests = (*chosen, "tests/unit", "tests/golden")
    done = called(*pytest_, *tests, folder=REPOSITORY, path=str(tmp_path))
    assert done.returncode == 0, done.stdout[-5_000:] + done.stderr[-2_000:]
    assert re.search(r"\d{3,} passed", done.stdout)
