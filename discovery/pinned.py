"""Lines of a plan that name themselves by what they say, so that an edited one is seen."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Protocol, TypeVar


class PinnedLine(Protocol):
    """What is a line of a plan."""

    def to_json(self) -> dict[str, Any]:
        """The line, as `pinned` makes it."""


Line = TypeVar("Line", bound=PinnedLine)


def pinned(name: str, members: Mapping[str, Any]) -> dict[str, Any]:
    """What a line says, behind a digest of that.

    Args:
        name: Of the member that has the digest.
        members: The other members.
    """
    text = json.dumps(members, sort_keys=True)
    return {name: hashlib.sha256(text.encode()).hexdigest()[:16], **members}


def check_unedited(line: Line, data: Mapping[str, Any]) -> Line:
    """What was made of a line, if the line still says just that.

    Raises:
        ValueError: It has been edited.
    """
    if line.to_json() != dict(data):
        raise ValueError("the line has been edited")
    return line
