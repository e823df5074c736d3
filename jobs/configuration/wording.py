"""What is wrong with a configuration, in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from connectors import registry
from discovery.errors import ReadOnlyCatalogError


def not_in(table: Mapping[str, registry.ConnectorKind], kind: str) -> str:
    """Why a kind cannot stand where it stands."""
    if registry.read_only(kind):
        refused = ReadOnlyCatalogError()
        return f"{kind!r} is no target: {refused} {refused.hint}"
    what = f"{kind!r} is unknown" if kind else "is missing"
    return f"{what}; known: {', '.join(table)}"


def wording(error: Mapping[str, Any]) -> str:
    """Pydantic's message, in our words where its own would not help."""
    match error["type"]:
        case "extra_forbidden":
            return "is unknown"
        case "missing":
            return "is missing"
        case "is_instance_of":
            return "must be a reference, ${env:NAME} or ${file:PATH}: secrets do not stand in files"
        case _:
            return str(error["msg"])


def key_path(place: Sequence[str | int]) -> str:
    """Where something stands in the configuration, as its problems name it."""
    return ".".join(str(key) for key in place)
