"""What import contracts cannot say: the core runs bare, and asking a table imports nothing."""

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
OURS = ("belvedere.py", "belvedere_door.py", "discovery", "connectors", "reports", "jobs")


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
    for folder in ("discovery", "connectors", "reports", "jobs"):
        for path in (REPOSITORY / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            assert text.count("\n") < 400, f"{path} is longer than 400 lines"
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.FunctionDef):
                    length = (node.end_lineno or 0) - node.lineno + 1
                    assert length <= 40, f"{path}:{node.lineno} {node.name} has {length} lines"


def test_no_files_import_each_other_in_a_circle() -> None:
    """Whatever a function imports when it is called counts, too."""
    paths = [path for name in OURS for path in sorted(REPOSITORY.glob(f"{name}/**/*.py"))]
    paths += [REPOSITORY / name for name in OURS if name.endswith(".py")]
    modules = {".".join(path.relative_to(REPOSITORY).with_suffix("").parts): path for path in paths}
    graph: dict[str, set[str]] = {}
    for module, path in modules.items():
        names = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                names |= {node.module or "", *(f"{node.module}.{name.name}" for name in node.names)}
            elif isinstance(node, ast.Import):
                names |= {name.name for name in node.names}
        graph[module] = names & modules.keys()
    assert sum(map(len, graph.values())) > 2_000
    TopologicalSorter(graph).prepare()  # a CycleError names the files
