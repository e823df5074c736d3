"""No value of any field of `estate.yaml` is a trace: each is taken, or told with its place.

The fields are those of the published schema. Each stands in a source or target of its own, so that
one file holds an odd value at every one of them: all mistakes are told at once.
"""

import json
import re
from collections.abc import Iterator
from itertools import cycle, islice, zip_longest
from pathlib import Path
from typing import Any, Final

import pytest

from discovery.errors import ConfigurationError
from jobs.configuration import loader
from jobs.configuration.options import json_schema

_SCHEMA: Final = json_schema()
_ODD: Final[tuple[object, ...]] = (
    None,
    True,
    -7,
    1e300,
    "",
    "x",
    "://",
    "a://h:x/",
    [],
    [None],
    ["x"],
    {},
    {"x": 1},
)
_LEAST: Final = {"warehouse": "w", "sources": {"x": {"kind": "archive", "path": "a"}}}
_DEPTH: Final = 6  # of what is written as an example
_OURS: Final = re.compile(r"<class|object at 0x|Traceback|pydantic|input_type|NoneType")


def example(stated: dict[str, Any], depth: int = 0) -> Any:
    """Something that the schema takes, with all of its members."""
    for form in stated.get("anyOf", stated.get("oneOf", ())):
        if form.get("type") != "null":
            return example(form, depth)
    if "$ref" in stated:
        return example(_SCHEMA["$defs"][stated["$ref"].rpartition("/")[2]], depth)
    if "enum" in stated:
        return stated["enum"][0]
    if "properties" in stated and depth < _DEPTH:
        return {name: example(of, depth + 1) for name, of in stated["properties"].items()}
    return _simple(stated, depth)


def _simple(stated: dict[str, Any], depth: int) -> Any:
    match stated.get("type"):
        case "object":
            of = stated.get("additionalProperties")
            return {"x": example(of, depth + 1)} if isinstance(of, dict) and depth < _DEPTH else {}
        case "array":
            return [example(stated["items"], depth + 1)]
        case "integer" | "number":
            return max(1, stated.get("minimum", 1))
    return stated.get("const", stated.get("type") == "boolean" or "x")


def otherwise(value: Any, odd: Iterator[object]) -> Iterator[Any]:
    """The same with one member at a time, at whatever depth, that is something else."""
    yield next(odd)
    if isinstance(value, dict):
        for key in value:
            yield from ({**value, key: other} for other in otherwise(value[key], odd))
    elif isinstance(value, list):
        for other in otherwise(value[0], odd):
            yield [other]


def kinds(part: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """The kinds of sources or targets: the least that each takes, and what its fields are."""
    for kind in _SCHEMA["properties"][part]["additionalProperties"]["oneOf"]:
        fields = kind["properties"]
        needed = {name: example(fields[name]) for name in kind.get("required", ())}
        yield {**needed, "kind": fields["kind"]["const"]}, fields


def connectors(part: str, odd: Iterator[object]) -> dict[str, object]:
    """A source or target for each field of each kind, with the field as it should not be."""
    others = (
        {**base, name: other}
        for base, fields in kinds(part)
        for name, stated in fields.items()
        for other in otherwise(example(stated), odd)
    )
    return {f"x{number}": other for number, other in enumerate(others)}


def settings(odd: Iterator[object]) -> Iterator[dict[str, object]]:
    """Files with all settings beside sources and targets, one member of each otherwise."""
    names = [name for name in _SCHEMA["properties"] if name not in {"sources", "targets"}]
    forms = [otherwise(example(_SCHEMA["properties"][name]), odd) for name in names]
    for values in zip_longest(*forms, fillvalue=forms):
        stated = zip(names, values, strict=True)
        yield {name: value for name, value in stated if value is not forms}


def told(file: Path, estate: object) -> int:
    """How many mistakes are told, each with its place and in words of people."""
    file.write_text(json.dumps(estate, indent=1), encoding="utf-8")
    message = ""
    try:
        loader.load(file)
    except ConfigurationError as error:
        message = str(error)
    assert not _OURS.search(message)
    lines = [line for line in message.splitlines() if line.startswith(str(file))]
    places = [line for line in lines if re.match(r":\d+:\d+: \S", line[len(str(file)) :])]
    assert places == lines
    assert bool(message) == bool(lines)
    return len(places)


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, len(_ODD)))]
)
def test_no_odd_value_of_any_field_is_a_trace(tmp_path: Path, first: int) -> None:
    odd = islice(cycle(_ODD), first, None)  # each field has each of them, in one of the tests
    sources, targets = connectors("sources", odd), connectors("targets", odd)
    file = tmp_path / "estate.yaml"
    assert told(file, {"warehouse": "w", "sources": sources, "targets": targets}) > 100
    assert sum(told(file, {**_LEAST, **other}) for other in settings(odd)) > 20


def test_no_value_that_a_field_lists_is_a_trace(tmp_path: Path) -> None:
    """Those that the schema takes are where mistakes are not looked for."""
    targets = [
        {**base, name: value}
        for base, fields in kinds("targets")
        for name, stated in fields.items()
        for value in (*stated.get("enum", ()), True)
    ]
    named = {f"x{number}": target for number, target in enumerate(targets)}
    assert told(tmp_path / "estate.yaml", {**_LEAST, "targets": named}) > 50
