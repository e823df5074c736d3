"""What an engine wrote anew against what a golden file holds: times and ids of a run aside."""

import re
from collections.abc import Iterator
from typing import Any, Final

# `owner` is who ran the recipe; a location is a folder of the machine
_OF_A_RUN: Final = {
    "createTime", "CreateTime", "UpdateTime", "lastAccessTime", "transient_lastDdlTime", "owner",
    "location", "path", "VersionId",
}  # fmt: skip
_DATABASE_IN_A_PATH: Final = re.compile(r"file:[^\s\"']*")


def normalized(value: Any) -> Any:
    """A payload without what differs from run to run, and without fields that say nothing."""
    match value:
        case dict():
            pairs = {key: normalized(one) for key, one in value.items() if key not in _OF_A_RUN}
            return {key: one for key, one in pairs.items() if one not in (None, {}, [])}
        case list():
            return [normalized(one) for one in value]
        case str():
            return _DATABASE_IN_A_PATH.sub("file:", value)
    return value


def differences(wanted: Any, found: Any, path: str = "$") -> Iterator[str]:
    """JSON paths at which two normalized payloads differ."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key in sorted(wanted.keys() | found.keys()):
            yield from differences(wanted.get(key), found.get(key), f"{path}.{key}")
    elif isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        for position, (one, other) in enumerate(zip(wanted, found, strict=True)):
            yield from differences(one, other, f"{path}[{position}]")
    elif wanted != found:
        yield path
