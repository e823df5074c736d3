"""One meaning per name: a class is called what no other class of the house is called."""

import ast
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
PACKAGES = ("discovery", "connectors", "reports", "jobs")
EVERY_CONNECTOR_HAS = "Options"


def shared_names(sources: Iterable[tuple[str, str]]) -> list[str]:
    """A sentence per name that several classes have; a leading underscore makes no other name."""
    places = defaultdict(list)
    for path, text in sources:
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef) and node.name != EVERY_CONNECTOR_HAS:
                places[node.name.lstrip("_")].append(f"{path}:{node.lineno}")
    return [
        f"class {name} has several meanings ({', '.join(at)}): give each its own name"
        for name, at in sorted(places.items())
        if len(at) > 1
    ]


def test_a_class_name_means_one_thing_in_all_packages() -> None:
    sources = [
        (str(path.relative_to(REPOSITORY)), path.read_text(encoding="utf-8"))
        for package in PACKAGES
        for path in sorted((REPOSITORY / package).rglob("*.py"))
    ]
    assert len(sources) > 100
    assert not shared_names(sources)


def test_a_second_class_of_a_name_is_told_with_both_places() -> None:
    sources = [
        ("a.py", "class Options: ...\nclass Head: ..."),
        ("b.py", "class Options: ...\ndef f():\n    class _Head: ..."),
    ]
    assert shared_names(sources) == [
        "class Head has several meanings (a.py:2, b.py:3): give each its own name"
    ]
