"""Engine facts stand in one table, and nobody else lists engines."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from connectors import registry
from discovery.engines import ENGINES, Completion, engine
from discovery.formats import KINDS
from discovery.lineage import scopes
from discovery.ports import OPINION

REPOSITORY = Path(__file__).parents[2]
TABLE = "discovery/engines.py"
ALLOWED = {
    "connectors/registry.py": "the table of connectors, some called like their engine",
    "connectors/gravitino/providers.py": "the order in which its hive catalog tells dialects",
    "discovery/checks/three_part_name.py": "the engines and formats that the check is about",
    "discovery/judging/entries.py": "how Spark reads the entries of others, by format",
    "discovery/judging/paths.py": "the table of how engines read the entries of others, by format",
    "jobs/embedded/estate.py": "texts of a view of the demo",
    "reports/engines/__init__.py": "the table of what writes a configuration, by kind and engine",
    "reports/engines/iceberg.py": "the same, for catalogs of Iceberg",
    "reports/engines/jdbc.py": "the source mysql, whose URL says MariaDB",
}
"""Files that name several engines for another reason than to state what is true of them."""


def named(node: ast.AST) -> str | None:
    """The engine that an expression names: by a text, or by a constant such as TRINO."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value if node.value in ENGINES else None
    spelled = {ast.Name: "id", ast.Attribute: "attr"}.get(type(node), "")
    name = str(getattr(node, spelled, "")).strip("_")
    return name.lower() if name.isupper() and name.lower() in ENGINES else None


def listed(node: ast.AST) -> list[ast.expr]:
    """What a literal lists, or a chain of comparisons compares with."""
    if isinstance(node, ast.Set | ast.Tuple | ast.List):
        return node.elts
    if isinstance(node, ast.Dict):
        return [key for key in node.keys if key is not None]
    if isinstance(node, ast.BoolOp):
        compared = [value for value in node.values if isinstance(value, ast.Compare)]
        return [side for compare in compared for side in compare.comparators]
    return []


def lists(path: str, text: str) -> Iterator[str]:
    """A sentence per place that lists two engines or more."""
    for node in ast.walk(ast.parse(text)):
        found = {name for expression in listed(node) if (name := named(expression))}
        if len(found) > 1:
            yield (
                f"{path}:{getattr(node, 'lineno', 0)} lists {', '.join(sorted(found))}: state what "
                f"they have in common in {TABLE} and derive the list"
            )


def test_nobody_else_lists_engines() -> None:
    told = [
        sentence
        for package in ("discovery", "connectors", "reports", "jobs")
        for path in sorted((REPOSITORY / package).rglob("*.py"))
        if (name := str(path.relative_to(REPOSITORY))) not in {TABLE, *ALLOWED}
        for sentence in lists(name, path.read_text(encoding="utf-8"))
    ]
    assert not told, "\n".join(told)


@pytest.mark.parametrize("path", ALLOWED)
def test_what_is_allowed_to_name_engines_still_does(path: str) -> None:
    assert list(lists(path, (REPOSITORY / path).read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "text",
    [
        'A = frozenset({"trino", "spark"})',
        "A = (TRINO, model.HIVE)",
        'A = {"mysql": 1, _DORIS: 2}',
        'A: Literal["flink", "hive"]',
        'x = a == "trino" or a == SPARK',
    ],
)
def test_a_list_of_engines_is_found_however_it_is_spelled(text: str) -> None:
    assert "m.py:1 lists " in "".join(lists("m.py", text))


@pytest.mark.parametrize("text", ['A = ("hive", "iceberg")', "A = (TRINO,)", 'A = {"spark": 1}'])
def test_one_engine_is_no_list(text: str) -> None:
    assert not list(lists("m.py", text))


def test_a_row_is_found_in_any_case_and_what_is_unknown_has_standard_sql_s() -> None:
    assert engine("TRINO") is ENGINES["trino"]
    unknown = engine("query")
    assert (unknown.quoted('a"b'), unknown.sqlglot, unknown.completes) == (
        '"a""b"',
        None,
        Completion.NONE,
    )


@pytest.mark.parametrize("name", [name for name, one in ENGINES.items() if one.sqlglot])
def test_sqlglot_reads_a_name_between_the_marks_of_the_row(name: str) -> None:
    spelled = engine(name).quoted("two words")
    assert scopes.names(f"SELECT 1 FROM {spelled}", name) == ((("two words",),), ())


def test_rows_agree_with_themselves() -> None:
    for row in ENGINES.values():
        assert row.title.casefold() == row.name
        assert not row.reached_as or row.reached_as in row.schemes
        assert bool(row.python_driver) == bool(row.java_driver)
        assert not row.python_driver or row.python_driver.partition("+")[0] == row.name


def test_each_judge_judges_for_an_engine_and_each_format_of_one_engine_has_a_row() -> None:
    assert registry.JUDGES.keys() <= ENGINES.keys()
    formats = {format_.name for kind in KINDS.values() for format_ in kind.formats}
    assert formats - ENGINES.keys() == {
        *("canonical", "foreign", "glue", "iceberg", "paimon", "sqlalchemy"),
    }


def test_judges_that_are_no_parser_say_so() -> None:
    for name, kind in registry.JUDGES.items():
        if name != "postgresql":  # pglast is an extra
            assert (kind.connector().grade == OPINION) == (name in registry.OPINIONS), name
