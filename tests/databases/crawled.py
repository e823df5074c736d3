"""What the tests of databases share: a crawl without Spark, and what the dumps' types become."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from discovery import wire
from discovery.crawl import crawl
from discovery.model import DataType, View
from discovery.outcomes import Failure, Listed, Outcome
from discovery.ports import CrawlTask, ViewSource

DUMPS = Path(__file__).parent / "dumps"


def outcomes(source: ViewSource) -> dict[str, Outcome]:
    """Every object, by name; a namespace by its own."""
    with source:
        listed = list(source.listing())
        assert all(isinstance(item, Listed) for item in listed), listed
        task = CrawlTask("s", tuple(item for item in listed if isinstance(item, Listed)))
        return {
            outcome.listed.name or f"{outcome.listed.namespace[0]}/": outcome
            for outcome in crawl(task, source)
        }


def view(outcome: Outcome) -> View:
    """The view that an outcome is."""
    assert isinstance(outcome.result, View), outcome.result
    return outcome.result


def failure(outcome: Outcome) -> tuple[str, str]:
    """Code and message of the failure that an outcome is."""
    assert isinstance(outcome.result, Failure), outcome.result
    return outcome.result.code, outcome.result.message


def notes(outcome: Outcome) -> list[tuple[str, str]]:
    return [(note.code, note.message) for note in outcome.notes]


def type_of(kind: DataType) -> Any:
    """A type as Gravitino's JSON, short: external ones as `ext <text>`, lists as `[x]`."""
    shown = json.loads(wire.type_text(kind))
    match shown:
        case {"type": "external", "catalogString": text}:
            return f"ext {text}"
        case {"type": "list", "elementType": element, "containsNull": False}:
            return f"[{element}]"
    return shown


def types(outcome: Outcome) -> dict[str, Any]:
    return {column.name: type_of(column.type) for column in view(outcome).columns}


def dump(name: str) -> Mapping[str, Any]:
    """What a real server said, with its provenance."""
    read: Mapping[str, Any] = json.loads((DUMPS / f"{name}.json").read_text(encoding="utf-8"))
    assert read["provenance"]["recipe"]
    return read
