"""`make mutants ONLY=path`: how many small faults in a file the unit and golden tests notice.

mutmut plants the faults, one at a time, in functions of a copy of the checkout. Prints a JSON line
for each file: {"file", "mutants", "killed", "survivors"}; `killed` is a share. A survivor is shown
with `mutmut show NAME` in the copy, which `--keep` leaves in place.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

REPOSITORY: Final = Path(__file__).parent.parent
DEFAULT: Final = (
    "discovery/migration/plan.py",
    "discovery/migration/changes.py",
    "discovery/judging/standing.py",
    "discovery/judging/matrix.py",
    "discovery/lineage/order.py",
    "discovery/crawl.py",
)
_SURVIVED: Final = 0
_NOT_RUN: Final = (None, 5, 33)  # no test reaches it: nobody would notice
_TESTS: Final = ("tests/unit", "tests/golden")
_LEFT_OUT: Final = "--ignore=tests/unit/test_architecture.py"  # it reads the code, and runs it bare


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
        _configure(folder, given.files)
        _run(folder)
        for file in given.files:
            print(json.dumps(_counted(folder, file)), flush=True)
    finally:
        if given.keep:
            print(folder, file=sys.stderr)
        else:
            shutil.rmtree(folder)


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


def _configure(folder: Path, files: tuple[str, ...]) -> None:
    roots = sorted({file.partition("/")[0] for file in files})
    everything = sorted(path.name for path in folder.iterdir() if path.name not in roots)
    settings = {
        "source_paths": roots,
        "only_mutate": list(files),
        "also_copy": everything,
        "pytest_add_cli_args": ["-p", "no:cacheprovider", "-x", "-q", _LEFT_OUT],
        "pytest_add_cli_args_test_selection": list(_TESTS),
        "use_git_change_detection": False,
    }
    lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in settings.items())
    with (folder / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write(f"\n[tool.mutmut]\n{lines}")


def _run(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mutmut", "run"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"mutmut ended with {done.returncode}:\n{(done.stdout + done.stderr)[-4_000:]}")


def _counted(folder: Path, file: str) -> dict[str, object]:
    meta = folder / "mutants" / f"{file}.meta"
    codes = json.loads(meta.read_text(encoding="utf-8"))["exit_code_by_key"]
    alive = sorted(name for name, code in codes.items() if code == _SURVIVED or code in _NOT_RUN)
    killed = (len(codes) - len(alive)) / len(codes) if codes else 1.0
    return {"file": file, "mutants": len(codes), "killed": round(killed, 3), "survivors": alive}


if __name__ == "__main__":
    main()
