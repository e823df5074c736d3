"""`make mutants ONLY=path`: how many small faults in a file the unit and golden tests notice.

mutmut plants the faults, one at a time, in functions of a copy of the checkout, and asks the tests
that reach the function and need no server and no Spark. Prints a JSON line for each file:
{"file", "mutants", "killed", "share", "survivors"}, and on stderr what the survivors change.

mutmut passes by what is no plain function. The rules of standing and of the matrix are lambdas in
a table, and much of what they ask are properties: in the copy they are made functions.
"""

import argparse
import ast
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

REPOSITORY: Final = Path(__file__).parent.parent
DEFAULT: Final = (
    "discovery/migration/plan.py",
    "discovery/migration/changes.py",
    "discovery/migration/closure.py",
    "discovery/judging/standing.py",
    "discovery/judging/matrix.py",
    "discovery/lineage/order.py",
    "discovery/crawl.py",
)
# of pytest, of which a test has failed, or it could not go on; of a worker out of time
_KILLED: Final = frozenset({1, 3, 24, -24, 152})
_SELECTED: Final = ("tests/unit", "tests/golden")
# they read the code itself, which is another one with its faults planted
_LEFT_OUT: Final = ("tests/unit/test_architecture.py", "tests/unit/test_mutants.py")


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("files", nargs="*", default=DEFAULT, help="files of the packages")
    parser.add_argument("--keep", action="store_true", help="leave the copy, and say where")
    given = parser.parse_args()
    for file in given.files:
        if not (REPOSITORY / file).is_file():
            sys.exit(f"{file}: no such file; name one as discovery/crawl.py")
    folder = Path(tempfile.mkdtemp(prefix="mutants-"))
    try:
        _copy(folder)
        for file in given.files:
            text = (folder / file).read_text(encoding="utf-8")
            (folder / file).write_text(as_functions(text), encoding="utf-8")
        _configure(folder, given.files)
        _run(folder, given.files)
        for file in given.files:
            _report(folder, file)
    finally:
        if given.keep:
            print(folder, file=sys.stderr)
        else:
            shutil.rmtree(folder)


def as_functions(source: str) -> str:
    """A module that does the same, where lambdas of its tables and properties are functions."""
    module = ast.parse(source)
    body: list[ast.stmt] = []
    for statement in module.body:
        if isinstance(statement, ast.ClassDef):
            statement.body = [part for inner in statement.body for part in _plain(inner)]
        elif not isinstance(statement, ast.FunctionDef):
            lambdas = _Lambdas(len(body))
            lambdas.visit(statement)  # changes it in place: a statement is no lambda itself
            body += lambdas.functions
        body.append(statement)
    module.body = body
    return ast.unparse(ast.fix_missing_locations(module)) + "\n"


class _Lambdas(ast.NodeTransformer):
    """Puts the name of a function in place of each lambda, and gathers the functions."""

    def __init__(self, first: int) -> None:
        self.functions: list[ast.stmt] = []
        self._first = first

    def visit_Lambda(self, node: ast.Lambda) -> ast.Name:
        name = f"_lambda_{self._first + len(self.functions)}"
        function = _parsed(f"def {name}():\n    answer = None\n    return answer")
        function.args = node.args
        assigned = function.body[0]
        assert isinstance(assigned, ast.Assign)
        assigned.value = node.body  # assigned: mutmut assigns None, too
        self.functions.append(function)
        return ast.Name(name, ast.Load())


def _plain(statement: ast.stmt) -> Iterator[ast.stmt]:
    """A property as a function, and the property of that; anything else as it is."""
    if isinstance(statement, ast.FunctionDef) and [
        ast.unparse(decorator) for decorator in statement.decorator_list
    ] == ["property"]:
        name = statement.name
        statement.name, statement.decorator_list = f"_property_{name}", []
        yield statement
        yield from ast.parse(f"{name} = property({statement.name})").body
    else:
        yield statement


def _parsed(function: str) -> ast.FunctionDef:
    parsed = ast.parse(function).body[0]
    assert isinstance(parsed, ast.FunctionDef)
    return parsed


def _copy(folder: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.splitlines():
        if (REPOSITORY / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(REPOSITORY / name, folder / name)


def _configure(folder: Path, files: Sequence[str]) -> None:
    roots = sorted({file.partition("/")[0] for file in files})
    everything = sorted(path.name for path in folder.iterdir() if path.name not in roots)
    settings = {
        "source_paths": roots,
        "only_mutate": list(files),
        "also_copy": everything,
        "pytest_add_cli_args": [
            *("-p", "no:cacheprovider", "-m", "not spark and not live", "--hypothesis-seed=0"),
            *(f"--ignore={file}" for file in _LEFT_OUT),
        ],
        "pytest_add_cli_args_test_selection": list(_SELECTED),
        "use_git_change_detection": False,
    }
    lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in settings.items())
    with (folder / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write(f"\n[tool.mutmut]\n{lines}")


def _run(folder: Path, files: Sequence[str]) -> None:
    modules = [file.removesuffix(".py").replace("/", ".") + ".*" for file in files]
    done = _mutmut(folder, "run", *modules)
    if done.returncode:
        sys.exit(f"mutmut ended with {done.returncode}:\n{(done.stdout + done.stderr)[-4_000:]}")


def _mutmut(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mutmut", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def _report(folder: Path, file: str) -> None:
    meta = folder / "mutants" / f"{file}.meta"
    counted = count(json.loads(meta.read_text(encoding="utf-8"))["exit_code_by_key"])
    print(json.dumps({"file": file} | counted), flush=True)
    for name in counted["survivors"]:
        print(_mutmut(folder, "show", name).stdout, file=sys.stderr)


def count(codes: Mapping[str, int | None]) -> dict[str, Any]:
    """How many mutants there are and how many were killed, and the names of the others.

    Args:
        codes: With what the tests ended for each; None, or anything odd: nobody was asked.
    """
    alive = sorted(name for name, code in codes.items() if code not in _KILLED)
    killed = len(codes) - len(alive)
    share = round(killed / len(codes), 3) if codes else 1.0
    return {"mutants": len(codes), "killed": killed, "share": share, "survivors": alive}


if __name__ == "__main__":
    main()
