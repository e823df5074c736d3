"""What Gravitino servers answer to requests about tags on views.

`gravitino_tags.json` has the answers of real servers, by version, commit and date, without audit:
asked with `python -m tests.recorded.gravitino_tags URI CATALOG-PROPERTIES-AS-JSON`, by the owner of
a metalake that is made for it and by one who may nothing.
"""

import json
import sys
from pathlib import Path
from typing import Any, Final

from tests.recorded.gravitino_rights import NOBODY, OWNER, Request, record

RECORDED: Final = Path(__file__).with_suffix(".json")
W1, W2 = "belvedere:wave-1", "belvedere:wave-2"
_VIEW: Final = "objects/VIEW/c.s.v/tags"


def _made(name: str, who: str = OWNER) -> Request:
    return who, "POST", "tags", {"name": name, "comment": None, "properties": {}}


def _set(
    add: list[str] | None, remove: list[str] | None = None, path: str = _VIEW, who: str = OWNER
) -> Request:
    return who, "POST", path, {"tagsToAdd": add, "tagsToRemove": remove}


def _got(path: str, who: str = OWNER) -> Request:
    return who, "GET", path, None


def _gone(path: str) -> Request:
    return OWNER, "DELETE", path, None


_VIEWS: Final = "catalogs/c/schemas/s/views"
_ABSENT: Final = "objects/VIEW/c.s.none/tags"
_TEXT: Final = {"dialect": "spark", "type": "sql", "sql": "SELECT 1 AS id"}
_W: Final[dict[str, Any]] = {
    "name": "w",
    "columns": [{"name": "id", "type": "long"}],
    "representations": [_TEXT],
    "properties": {},
    "comment": None,
}
REQUESTS: Final[tuple[Request, ...]] = (
    _got("tags"),
    _got("tags/none"),
    _got(f"{_VIEW}?details=true"),
    _got(f"{_ABSENT}?details=true"),
    _set(None, ["none"], _ABSENT),
    _set(None, ["none"], "objects/VIEW/c.none.v/tags"),
    _set(None, ["none"]),
    _set(["none"]),
    _set(None, None),
    _set([], []),
    _made(W1),
    _made(W1),
    _made(W2),
    _made("a/b \u00e4"),
    _got("tags"),
    _got(f"tags/{W1}"),
    _set([W1]),
    _set([W1]),
    _got(f"{_VIEW}?details=true"),
    _got(f"tags/{W1}/objects"),
    _set([W2], [W1]),
    _set(None, [W1]),
    _got(_VIEW),
    _set([W1], ["none"]),
    _got(_VIEW),
    _set([W1], None, "objects/SCHEMA/c.s/tags"),
    _set(None, [W1]),
    _got(f"{_VIEW}?details=true"),
    _got(f"tags/{W1}/objects"),
    (OWNER, "POST", "users", {"name": NOBODY}),
    _got("roles/none", NOBODY),
    _got("roles/none"),
    _got("tags", NOBODY),
    _got("tags/none", NOBODY),
    _got(f"tags/{W1}/objects", NOBODY),
    _got(f"{_VIEW}?details=true", NOBODY),
    _made("belvedere:wave-3", NOBODY),
    _set([W1], None, _VIEW, NOBODY),
    _set(None, ["none"], _ABSENT, NOBODY),
    (OWNER, "PUT", f"{_VIEWS}/v", {"updates": [{"@type": "rename", "newName": "x"}]}),
    _got("objects/VIEW/c.s.x/tags"),
    (OWNER, "POST", _VIEWS, _W),
    _set([W2], None, "objects/VIEW/c.s.w/tags"),
    _gone(f"{_VIEWS}/w"),
    _got(f"tags/{W2}/objects"),
    (OWNER, "POST", _VIEWS, _W),
    _got("objects/VIEW/c.s.w/tags"),
    _gone(f"tags/{W2}"),
    _gone(f"tags/{W2}"),
    _got("objects/VIEW/c.s.x/tags"),
    _got(f"tags/{W2}/objects"),
)


if __name__ == "__main__":
    record(sys.argv[1], json.loads(sys.argv[2]), RECORDED, REQUESTS)
