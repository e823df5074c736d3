"""What `make mutants` hands to mutmut does what the original does, and is within its reach."""

import ast
from pathlib import Path

import pytest

from tests.mutants import DEFAULT, REPOSITORY, as_functions, count

_SOURCE = '''
from dataclasses import dataclass

@dataclass(frozen=True, slots=True)
class Pair:
    """Two numbers."""

    left: int
    right: int = 3

    @property
    def sum(self):
        """Both."""
        return self.left + self.right

    @classmethod
    def of(cls, both):
        return cls(both, both)

RULES = (("more", lambda pair: pair.left > pair.right), ("else", lambda _: True))

def first(pair):
    return next(name for name, holds in RULES if holds(pair))

ANSWERS = (Pair(1).sum, Pair.of(4).sum, first(Pair(9)), first(Pair(1)), repr(Pair(1)))
'''


def test_a_module_does_the_same_with_functions_in_place_of_lambdas_and_properties() -> None:
    before: dict[str, object] = {"__name__": "before"}
    after: dict[str, object] = {"__name__": "after"}
    exec(_SOURCE, before)  # noqa: S102 - the text above
    exec(as_functions(_SOURCE), after)  # noqa: S102 - the text above
    assert before["ANSWERS"] == after["ANSWERS"] == (4, 8, "more", "else", "Pair(left=1, right=3)")


@pytest.mark.parametrize("file", DEFAULT)
def test_nothing_of_the_files_that_decide_is_out_of_reach(file: str) -> None:
    module = ast.parse(as_functions((REPOSITORY / file).read_text(encoding="utf-8")))
    functions = [node for node in ast.walk(module) if isinstance(node, ast.FunctionDef)]
    decorators = {
        ast.unparse(expression) for node in functions for expression in node.decorator_list
    }
    assert decorators <= {"classmethod", "staticmethod"}  # mutmut passes by all others
    tables = [node for node in module.body if isinstance(node, ast.Assign | ast.AnnAssign)]
    assert not [
        node for table in tables for node in ast.walk(table) if isinstance(node, ast.Lambda)
    ]


def test_only_a_failed_test_or_a_lapsed_time_kills() -> None:
    codes = {"failed": 1, "late": 24, "passed": 0, "never": None, "none": 5, "usage": 4, "ended": 2}
    assert count(codes) == {
        "mutants": 7,
        "killed": 2,
        "share": 0.286,
        "survivors": ["ended", "never", "none", "passed", "usage"],
    }


def test_the_files_of_the_default_are_there() -> None:
    assert all(Path(REPOSITORY / file).is_file() for file in DEFAULT)
