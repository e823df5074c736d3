"""The report as one JSON object, for programs: docs/report.schema.json describes it."""

import dataclasses
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from discovery.display import visible
from reports.head import ReportHead
from reports.lines import INNER, Row

VERSION: Final = 3
"""Of the layout; it changes where a reader would have to."""


def begin(head: ReportHead) -> str:
    """The head and the opening of the list of views."""
    members = {"version": VERSION, **members_of(head)}
    return visible(json.dumps(members, indent=1, ensure_ascii=False))[:-2] + ',\n "views": [\n'


def texts(row: Row) -> Iterator[str]:
    """The view as an object on one line."""
    yield visible(json.dumps(_members(row), ensure_ascii=False))


def lines(row: Row) -> Iterator[str]:
    """The same as a line of a file of lines; in ASCII, as some readers break lines at U+2028."""
    yield json.dumps(_members(row)) + "\n"


def end(_: ReportHead) -> str:
    """The closing of the list and the object."""
    return "\n ]\n}\n"


def _members(row: Row) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in INNER}


def members_of(value: Any) -> Any:  # noqa: ANN401 - JSON
    """Dataclasses, tuples and maps as JSON has them."""
    if dataclasses.is_dataclass(value):
        fields = dataclasses.fields(value)
        return {field.name: members_of(getattr(value, field.name)) for field in fields}
    if isinstance(value, Mapping):
        return {name: members_of(member) for name, member in value.items()}
    if isinstance(value, tuple | list):
        return [members_of(item) for item in value]
    return value
