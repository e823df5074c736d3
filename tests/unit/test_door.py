"""Eight public names, quick to import, and packages that are ours whatever else is on the path."""

import ast
import base64
import csv
import doctest
import hashlib
import json
import pickle
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pyarrow as pa
import pytest

import belvedere
import belvedere_door
from discovery.errors import ConfigurationError
from jobs.warehouse.carried import Carried
from jobs.warehouse.rows import to_batches

REPOSITORY = Path(__file__).parents[2]
PAGE = REPOSITORY / "docs" / "python.md"
FOREIGN = "raise RuntimeError('a stranger was imported')\n"


def python(code: str, folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run code where the folder of the process comes first on the path, as on Spark's workers."""
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", **env},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def among_strangers(tmp_path: Path) -> Path:
    """A folder with packages of our names."""
    for name in belvedere_door.PACKAGES:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(FOREIGN, encoding="utf-8")
    return tmp_path


def test_there_are_eight_names_at_most_and_each_says_what_it_is() -> None:
    assert len(belvedere.__all__) <= 8
    shown = re.findall(r"(?m)^\| `(\w+)", PAGE.read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(belvedere.__all__)
    for name in belvedere.__all__:
        assert getattr(belvedere, name).__doc__


def test_importing_it_imports_nothing_that_is_slow(tmp_path: Path) -> None:
    slow = ("pyspark", "pydantic", "pyarrow", "sqlglot", "orjson", "requests", "sqlalchemy")
    done = python(
        f"import sys; sys.path.insert(1, {str(REPOSITORY)!r}); import belvedere; "
        f"print([one for one in {slow!r} if one in sys.modules])",
        tmp_path,
    )
    assert done.stdout.strip() == "[]", done.stderr


def test_our_packages_win_over_what_comes_first_on_the_path(among_strangers: Path) -> None:
    code = (
        f"import sys; sys.path.insert(1, {str(REPOSITORY)!r}); "
        "import belvedere, jobs, reports.head; print(jobs.__file__)"
    )
    done = python(code, among_strangers, PYTHONPATH=str(among_strangers))
    assert done.stdout.strip() == str(REPOSITORY / "jobs" / "__init__.py"), done.stderr


def test_what_executors_run_is_ours_on_a_worker_among_strangers(among_strangers: Path) -> None:
    schema = pa.schema([("x", pa.int64())])
    pickled = pickle.dumps((Carried(to_batches), [(1,), (2,)], schema))
    (among_strangers / "task").write_bytes(pickled)
    code = (
        f"import pickle, sys; sys.path.insert(1, {str(REPOSITORY)!r}); "
        "function, rows, schema = pickle.load(open('task', 'rb')); "
        "print([batch.num_rows for batch in function(rows, schema)])"
    )
    done = python(code, among_strangers, PYTHONPATH=str(among_strangers))
    assert done.stdout.strip() == "[2]", done.stderr


def test_all_that_executors_run_is_carried() -> None:
    handed = {"mapInArrow": 0, "arrow_udf": 0}
    for path in (REPOSITORY / "jobs").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            assert called not in {"mapInPandas", "applyInArrow", "applyInPandas", "udf"}, path
            if called in handed:
                handed[called] += 1
                assert ast.unparse(node.args[0]).startswith("Carried("), f"{path}:{node.lineno}"
    assert handed["mapInArrow"] > 15
    assert handed["arrow_udf"] == 1


def test_a_stranger_that_was_imported_before_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "__init__.py").touch()
    code = (
        f"import sys, jobs; sys.path.insert(1, {str(REPOSITORY)!r})\n"
        "try:\n    import belvedere\nexcept ImportError as error:\n    print(error)"
    )
    done = python(code, tmp_path)
    assert done.stdout.strip() == (
        f"jobs was imported from {tmp_path}/jobs/__init__.py, and belvedere's is "
        f"{REPOSITORY}/jobs/__init__.py: import belvedere before it"
    ), done.stderr


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Our files as an installer leaves them, with their record."""
    for name in belvedere_door.MODULES:
        shutil.copy(REPOSITORY / name, tmp_path)
    for name in belvedere_door.PACKAGES:
        shutil.copytree(REPOSITORY / name, tmp_path / name)
    record = tmp_path / "belvedere-0.1.0.dist-info" / "RECORD"
    record.parent.mkdir()
    with record.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file)
        for path in sorted(tmp_path.rglob("*.*")):
            if path.is_file() and path != record and "__pycache__" not in path.parts:
                digest = base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest())
                said = f"sha256={digest.decode().rstrip('=')}"
                lines.writerow([path.relative_to(tmp_path).as_posix(), said, path.stat().st_size])
        lines.writerow(["belvedere-0.1.0.dist-info/RECORD", "", ""])
    return tmp_path


LOOK = "import belvedere_door; print(*belvedere_door.altered(), sep='\\n')"


def test_installed_files_are_as_the_installer_wrote_them(installed: Path) -> None:
    done = python(LOOK, installed)
    assert done.stdout.strip() == "", done.stderr


def test_a_package_of_another_that_overwrote_ours_is_told(installed: Path) -> None:
    (installed / "reports" / "__init__.py").write_text(FOREIGN, encoding="utf-8")
    (installed / "reports" / "htmltable.py").write_text(FOREIGN, encoding="utf-8")
    (installed / "jobs" / "cli.py").unlink()
    told = python(LOOK, installed).stdout.splitlines()
    again = "install it again: pip install --force-reinstall --no-deps belvedere"
    assert told == [
        f"jobs/cli.py is missing; {again}",
        "reports/__init__.py is not belvedere's any more: something has overwritten it; " + again,
        f"reports/htmltable.py is another package's, in the midst of ours; {again}",
    ]


def test_the_command_says_so_in_one_line_and_starts_nothing(installed: Path) -> None:
    (installed / "discovery" / "__init__.py").write_text(
        "import pathlib; __version__ = '0'\n", encoding="utf-8"
    )
    done = python("import belvedere, sys; sys.exit(belvedere.main(['explain']))", installed)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("belvedere: discovery/__init__.py is not belvedere's any more")
    assert done.stderr.count("\n") == 1


def test_a_checkout_and_a_zip_have_no_record() -> None:
    assert list(belvedere_door.altered()) == []


def blocks(page: Path) -> str:
    return "\n".join(re.findall(r"(?ms)^```pycon\n(.*?)^```", page.read_text(encoding="utf-8")))


def test_the_page_is_true_as_far_as_it_needs_no_spark() -> None:
    text = blocks(PAGE).partition(">>> import json")[0]
    test = doctest.DocTestParser().get_doctest(text, {}, "docs/python.md", str(PAGE), 0)
    told: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=told.append)
    assert result.attempted > 6
    assert not result.failed, "".join(told)


def test_an_entry_of_a_kind_is_decoded_with_that_kind() -> None:
    outcome = belvedere.decode({"Name": "v", "DatabaseName": "d"}, "glue_table")
    assert (outcome.listed.namespace, outcome.listed.name) == (("d",), "v")
    for wrong in ("select 1", {"dbName": b"bytes"}, {"dbName": object()}):
        with pytest.raises(belvedere.BelvedereError, match="no JSON"):
            belvedere.decode(wrong)


def test_a_command_without_a_warehouse_takes_that_of_the_estate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with zipfile.ZipFile(REPOSITORY / "tests" / "layouts" / "1.zip") as stored:
        stored.extractall(tmp_path)
    (tmp_path / "estate.yaml").write_text("warehouse: warehouse\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BELVEDERE_CONFIG", raising=False)
    assert belvedere.main(["waves"]) == 0
    shown = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(one["name"], one["wave"]) for one in shown] == [("base", 1), ("top", 2)]
    monkeypatch.setenv("BELVEDERE_CONFIG", str(tmp_path / "nowhere.yaml"))
    assert belvedere.main(["views"]) == 2
    assert "nowhere.yaml: there is no such file" in capsys.readouterr().err


def test_a_run_is_read_without_spark(tmp_path: Path) -> None:
    with zipfile.ZipFile(REPOSITORY / "tests" / "layouts" / "1.zip") as stored:
        stored.extractall(tmp_path)
    run = belvedere.open_run(tmp_path / "warehouse")
    assert run.run_id == "old"
    views = list(run.views())
    assert {type(view) for view in views} == {belvedere.View}
    assert len(views) == 2
    assert [failure["outcome"] for failure in run.failures()] == ["failure"]
    assert belvedere.diff(views[0], views[0]) == ()
    assert belvedere.diff(views[0], None) == ("view",)
    with pytest.raises(ConfigurationError, match="there is no table 'verdict'") as told:
        run.table("verdict")
    assert "verdicts" in str(told.value.hint)
    with pytest.raises(ConfigurationError, match="outcomes has no column 'kinds'"):
        run.table("outcomes", kinds=["view"])
    with pytest.raises(belvedere.BelvedereError, match="no committed run new"):
        belvedere.open_run(tmp_path / "warehouse", "new")
    with pytest.raises(belvedere.BelvedereError, match="no committed run") as none:
        belvedere.open_run(tmp_path / "empty")
    assert none.value.hint == "`belvedere crawl` makes one"
