"""JSON that people edit: a member that stands twice is a mistake, and not the last of the two."""

import json
from typing import Any


def parse(text: str) -> Any:  # noqa: ANN401 - JSON
    """What a text of JSON says.

    Raises:
        ValueError: It is no JSON, or none that Python reads; or a member stands twice in an object:
            RFC 8259 leaves open which counts, and Python takes the last.
    """
    try:
        return json.loads(text, object_pairs_hook=_members, parse_int=_integer)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _integer(digits: str) -> int:
    """A number; Python reads none of more digits than `sys.get_int_max_str_digits()` says."""
    try:
        return int(digits)
    except ValueError as error:
        raise ValueError(f"it has a number of {len(digits):,} digits") from error


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{next(name for name in names if names.count(name) > 1)} stands twice")
    return members
