"""What an engine wrote anew against what a golden file holds, what belongs to a run aside."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from discovery.formats import KINDS
from tests.golden.recipes.rebuilt import Rebuilt
from tests.golden.recipes.spark_words import undescribed

REBUILT_HERE: Final = frozenset(
    {"tests/golden/recipes/glue_moto.py", "tests/golden/recipes/spark_views.py"}
)
"""The recipes that `make golden` runs."""
RUN: Final = "of a run"
"""What stands for a value that is another one in each run."""
OF_A_RUN: Final[Mapping[str, frozenset[str]]] = {
    "hive_table": frozenset(
        {
            "$.createTime",
            "$.owner",  # who ran the recipe
            "$.parameters.transient_lastDdlTime",
            "$.sd.location",  # below a folder of the machine
            "$.sd.serdeInfo.parameters.path",
        }
    ),
    "glue_table": frozenset({"$.CreateTime", "$.UpdateTime"}),
}
"""The places of a run, by kind of entry; a key of the same name elsewhere is compared."""


class Comparison(NamedTuple):
    """How a golden file compares.

    Attributes:
        outcome: `equal`, `differs` or `not rebuilt here`.
        detail: The recipe, the JSON paths, or why it is not rebuilt.
    """

    outcome: str
    detail: str


def compare(case: dict[str, Any], rebuilt: Mapping[tuple[str, str], Rebuilt]) -> Comparison:
    """Compare what a golden file holds with what was made anew, by database and name."""
    recipe = case["provenance"]["recipe"]
    if recipe not in REBUILT_HERE:
        by_hand = recipe.startswith("by hand: ")
        why = recipe if by_hand else f"{recipe} says what it needs"
        return Comparison("not rebuilt here", why)
    payload = case["raw"]["payload"]
    database, name = (payload[field] for field in KINDS[case["raw"]["kind"]].place)
    entry = rebuilt.get((database, name))
    if entry is None:
        return Comparison("differs", "the recipe did not make it")
    paths = ", ".join(_paths(case, entry))
    return Comparison("differs", paths) if paths else Comparison("equal", recipe)


def _paths(case: dict[str, Any], entry: Rebuilt) -> Iterator[str]:
    """JSON paths in the payload, then in the wanted view, at which the engine says otherwise."""
    kind = case["raw"]["kind"]
    held = normalized(case["raw"]["payload"], kind)
    yield from differences(held, normalized(entry.payload, kind), "$.raw.payload")
    if case["wanted_from"] == "engine":
        yield from undescribed(case["view"]["columns"], entry)


def normalized(payload: Any, kind: str) -> Any:
    """A payload with `RUN` at the places of a run, and without fields that say nothing."""
    return _normalized(payload, OF_A_RUN[kind], "$")


def _normalized(value: Any, of_a_run: frozenset[str], path: str) -> Any:
    match value:
        case dict():
            pairs = {key: _normalized(at, of_a_run, f"{path}.{key}") for key, at in value.items()}
            return {key: at for key, at in pairs.items() if at not in (None, {}, [])}
        case list():
            return [_normalized(at, of_a_run, f"{path}[]") for at in value]
    return RUN if value is not None and path in of_a_run else value


def differences(wanted: Any, made: Any, path: str = "$") -> Iterator[str]:
    """JSON paths at which two normalized payloads differ."""
    if isinstance(wanted, dict) and isinstance(made, dict):
        for key in sorted(wanted.keys() | made.keys()):
            yield from differences(wanted.get(key), made.get(key), f"{path}.{key}")
    elif isinstance(wanted, list) and isinstance(made, list) and len(wanted) == len(made):
        for position, (mine, its) in enumerate(zip(wanted, made, strict=True)):
            yield from differences(mine, its, f"{path}[{position}]")
    elif wanted != made:
        yield path
