"""What is added without all that belongs to it is told, in a sentence that says what to do.

Providers have theirs in `test_provider_table`, databases in `test_databases_stay`.
"""

import ast
import inspect
import json
import pkgutil
from collections import defaultdict
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from discovery.errors import BelvedereError, Coded
from discovery.formats import KINDS, Format, RawKind
from discovery.migration.changes import Blocked
from discovery.outcomes import Decoded, RawObject, Reason
from reports.codes import CodePage, pages
from reports.quality.model import Name

REPOSITORY = Path(__file__).parents[2]
PACKAGES = ("discovery", "connectors", "reports", "jobs")
SHOWN_BY = {
    "canonical": "tests/unit/test_canonical.py",
    "foreign": "tests/unit/test_foreign.py",
    "doris": "tests/databases/test_doris_starrocks.py",
    "mysql": "tests/databases/test_mysql.py",
    "postgresql": "tests/databases/test_postgresql.py",
    "sqlalchemy": "tests/databases/test_any_database.py",
    "starrocks": "tests/databases/test_doris_starrocks.py",
}
"""Formats of which no engine writes a view that is wanted, and the tests that show them instead.

Their raw objects are the answers to our own questions, or what no format of ours reads.
"""


def page(path: str) -> str:
    return (REPOSITORY / path).read_text(encoding="utf-8")


def with_golden_files() -> set[str]:
    """The formats of which a golden file says which view is wanted."""
    paths = (REPOSITORY / "tests" / "golden").glob("*/*.json")
    cases = (json.loads(path.read_text(encoding="utf-8")) for path in paths)
    return {case["format"] for case in cases if "view" in case}


def format_gaps(kinds: Mapping[str, RawKind[Any]]) -> Iterator[str]:
    """What a format of the table lacks."""
    golden, rows = with_golden_files(), page("docs/formats.md")
    formats = {format_.name: kind for kind, row in kinds.items() for format_ in row.formats}
    for name, kind in formats.items():
        if name in SHOWN_BY:
            if not (REPOSITORY / SHOWN_BY[name]).exists():
                yield f"format {name}: {SHOWN_BY[name]}, which shows it, is not there"
        elif name not in golden:
            yield (
                f"format {name}: no golden file wants a view of it; put an entry that its engine "
                f"wrote into tests/golden, with raw (of the kind {kind}), view and provenance"
            )
        own_page = f"connectors/{name}.md"
        if f"\n| `{name}` |" not in rows and own_page not in rows:
            yield f"format {name}: docs/formats.md has neither its row nor a link to {own_page}"


def told(value: object) -> Iterator[tuple[str, str]]:
    """The codes that a value of a module has, each with what it means."""
    if isinstance(value, Reason):
        yield value.code, value.text
    elif isinstance(value, tuple):
        for one in value:
            if isinstance(reason := getattr(one, "reason", None), Reason):
                yield reason.code, reason.text
    elif isinstance(value, ModuleType) and hasattr(value, "CODE"):
        yield value.CODE, value.__doc__ or ""
    elif inspect.isclass(value) and issubclass(value, Coded):
        yield from ((coded.value, coded.meaning) for coded in value)
    elif inspect.isclass(value) and issubclass(value, BelvedereError) and "code" in vars(value):
        yield value.code, value.__doc__ or ""


def code_gaps(
    modules: Mapping[str, Mapping[str, object]], known: Mapping[str, CodePage]
) -> Iterator[str]:
    """The codes without a page of their own, and those that mean two things."""
    meanings: dict[str, set[str]] = defaultdict(set)
    for module, values in modules.items():
        outcomes = (value for value in values.values() if value is not Name)
        for code, text in (one for value in outcomes for one in told(value)):
            meanings[code].add(inspect.cleandoc(text))
            if code not in known or not known[code].text.strip():
                yield (
                    f"{module}: the code {code} has no page; put it where reports/codes.py takes "
                    "its pages from (SKIP_REASONS, NOTES, an error's docstring, a check, a Coded)"
                )
    for code, some in meanings.items():
        if len(some) > 1 and code in known:
            yield f"the code {code} means {len(some)} things: give each its own code"


def spelled_out(text: str) -> Iterator[str]:
    """The codes of reasons and notes that are made on the way, where no module keeps them."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"Reason", "Note"}:
            first = node.args[0] if node.args else None
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first.value


@pytest.fixture(scope="module")
def modules() -> dict[str, Mapping[str, object]]:
    names = [
        module.name
        for package in PACKAGES
        for module in pkgutil.walk_packages([str(REPOSITORY / package)], f"{package}.")
    ]
    found = {name: import_module(name) for name in names}
    checks = {name: {"check": module} for name, module in found.items() if hasattr(module, "CODE")}
    return {name: checks.get(name) or dict(vars(module)) for name, module in found.items()}


def test_no_format_lacks_golden_files_and_its_place_in_the_docs() -> None:
    assert list(format_gaps(KINDS)) == []
    assert SHOWN_BY.keys() <= {format_.name for kind in KINDS.values() for format_ in kind.formats}


def test_a_format_without_golden_files_and_docs_is_told() -> None:
    def decode(raw: RawObject) -> Decoded:
        raise NotImplementedError(raw)

    hive = KINDS["hive_table"]
    more = RawKind(hive.place, hive.read, (*hive.formats, Format("impala", decode)))
    first, second = format_gaps({**KINDS, "hive_table": more})
    assert first.startswith("format impala: no golden file wants a view of it; put an entry that")
    assert "(of the kind hive_table)" in first
    assert second == (
        "format impala: docs/formats.md has neither its row nor a link to connectors/impala.md"
    )


def test_no_code_is_without_a_page(modules: dict[str, Mapping[str, object]]) -> None:
    assert len(modules) > 150
    assert sorted(code_gaps(modules, pages())) == []
    values = (value for name in modules for value in modules[name].values())
    found = {code for value in values for code, _ in told(value)}
    assert pages().keys() <= found, "the scan looks at every sort of code"


def test_no_code_that_is_spelled_out_is_without_a_page() -> None:
    paths = [path for package in PACKAGES for path in (REPOSITORY / package).rglob("*.py")]
    codes = {code for path in paths for code in spelled_out(path.read_text(encoding="utf-8"))}
    assert len(codes) > 20
    assert codes <= pages().keys(), "give it a page where reports/codes.py takes its pages from"
    assert list(spelled_out('def f(): yield Note("NEW_NOTE", "text")')) == ["NEW_NOTE"]


def test_every_expectation_has_its_row() -> None:
    """Their names are no codes of outcomes: `belvedere explain` does not know them, a page does."""
    rows = page("docs/quality.md")
    assert [name.value for name in Name if f"`{name.value}`" not in rows] == []


class ForgottenError(BelvedereError):
    """An error of a connector's own, which nobody listed."""

    code = "FORGOTTEN"


class Surprise(Coded):
    """Codes of a new stage."""

    NEW = "SURPRISE", "Something new."


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (ForgottenError, "FORGOTTEN"),
        (Surprise, "SURPRISE"),
        (Reason("SKIPPED_ANEW", "A new reason to skip."), "SKIPPED_ANEW"),
        ((*KINDS["hive_table"].not_views[:1],), ""),
    ],
)
def test_a_code_without_a_page_is_told_whatever_it_is_a_code_of(value: object, code: str) -> None:
    found = list(code_gaps({"connectors.new": {"one": value}}, pages()))
    wanted = [f"connectors.new: the code {code} has no page; put it where reports/codes.py takes"]
    assert [one.partition(" its pages")[0] for one in found] == (wanted if code else [])


def test_a_code_of_two_meanings_is_told() -> None:
    taken = next(iter(Blocked))
    again = Reason(taken.value, "Something else altogether.")
    (sentence,) = code_gaps({"a": {"x": Blocked}, "b": {"y": again}}, pages())
    assert sentence == f"the code {taken.value} means 2 things: give each its own code"
