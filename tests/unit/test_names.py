"""One meaning per name: a class has its own, and a variable says what it holds."""

import ast
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
PACKAGES = ("discovery", "connectors", "reports", "jobs")
EVERY_CONNECTOR_HAS = "Options"
EMPTY = frozenset({"one", "told", "found", "there", "whole", "thing"})


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


def sources_of_packages() -> list[tuple[str, str]]:
    """Path and text of each file of the product."""
    sources = [
        (str(path.relative_to(REPOSITORY)), path.read_text(encoding="utf-8"))
        for package in PACKAGES
        for path in sorted((REPOSITORY / package).rglob("*.py"))
    ]
    assert len(sources) > 100
    return sources


def test_a_class_name_means_one_thing_in_all_packages() -> None:
    assert not shared_names(sources_of_packages())


def test_a_second_class_of_a_name_is_told_with_both_places() -> None:
    sources = [
        ("a.py", "class Options: ...\nclass Head: ..."),
        ("b.py", "class Options: ...\ndef f():\n    class _Head: ..."),
    ]
    assert shared_names(sources) == [
        "class Head has several meanings (a.py:2, b.py:3): give each its own name"
    ]


def empty_words(sources: Iterable[tuple[str, str]]) -> list[str]:
    """A sentence per parameter or variable that says nothing of what it holds; fields aside."""
    sentences = []
    for path, text in sources:
        tree = ast.parse(text)
        fields = {
            id(part.target)
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef)
            for part in node.body
            if isinstance(part, ast.AnnAssign)
        }
        for node in ast.walk(tree):
            match node:
                case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) if name in EMPTY:
                    if id(node) not in fields:
                        sentences.append(f"{path}:{node.lineno}: call `{name}` after what it holds")
    return sentences


def test_variables_are_called_after_what_they_hold() -> None:
    assert not empty_words(sources_of_packages())


def test_a_variable_that_says_nothing_is_told_with_its_place() -> None:
    text = "class A:\n    found: int\ndef f(one):\n    return [whole for whole in one]"
    assert empty_words([("a.py", text)]) == [
        "a.py:3: call `one` after what it holds",
        "a.py:4: call `whole` after what it holds",
    ]
