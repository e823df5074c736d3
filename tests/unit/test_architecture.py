"""What import contracts cannot say: the core runs bare, and asking a table imports nothing."""

import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]


def run(code: str, *flags: str) -> str:
    done = subprocess.run(
        [sys.executable, *flags, "-c", f"import sys; sys.path[:0] = [{str(REPOSITORY)!r}]; {code}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


WITH_SQLGLOT = tuple(
    f"discovery.lineage.{one}"
    for one in ("idioms", "origins", "outputs", "respelling", "scopes", "translation")
)


def test_the_core_needs_nothing_but_the_standard_library() -> None:
    every = [
        ".".join(path.relative_to(REPOSITORY).with_suffix("").parts)
        for path in sorted((REPOSITORY / "discovery").rglob("*.py"))
    ]
    rooms = (*WITH_SQLGLOT, "discovery.lineage.meanings.")
    every = [one for one in every if not one.startswith(rooms)]
    assert len(every) > 20
    run(f"import importlib; [importlib.import_module(name) for name in {every!r}]", "-S", "-I")


def test_the_registry_imports_no_client() -> None:
    clients = (
        "boto3",
        "hmsclient",
        "thrift",
        "sqlalchemy",
        "psycopg",
        "pymysql",
        "pyiceberg",
        "pyarrow",
    )
    code = f"import connectors.registry; print([one for one in {clients!r} if one in sys.modules])"
    assert run(code) == "[]"


def test_files_and_functions_stay_short() -> None:
    import ast  # noqa: PLC0415 - only this test reads code

    for folder in ("discovery", "connectors", "reports", "jobs"):
        for path in (REPOSITORY / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            assert text.count("\n") < 400, f"{path} is longer than 400 lines"
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.FunctionDef):
                    length = (node.end_lineno or 0) - node.lineno + 1
                    assert length <= 40, f"{path}:{node.lineno} {node.name} has {length} lines"
