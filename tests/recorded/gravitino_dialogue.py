"""What a Gravitino server is asked of views and functions in Iceberg, and what real ones answered.

`gravitino_dialogues.json` has the answers of servers that were compiled from public sources and
asked on loopback, by version. Times and stack traces are left out, and places made alike.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import requests

from connectors.gravitino import functions
from discovery.exercises import TYPES
from discovery.wire import type_text
from tests.recorded.trino_functions import of_trino

FILE: Final = Path(__file__).parent / "gravitino_dialogues.json"
Json = dict[str, Any]
Step = tuple[str, str, Json | None]
"""Method, path below the schemas of a catalog, body."""

SPACE: Final = "dialogue"
_WAREHOUSE: Final = "file:///warehouse/"
_TIMES: Final = ("createTime", "lastModifiedTime")
_TEXT: Final = {"type": "sql", "dialect": "spark", "sql": "SELECT 1 AS id"}
_TRINO: Final = {**_TEXT, "dialect": "trino"}
_ID: Final = {"name": "id", "type": "long", "comment": None, "nullable": True}
_VIEW: Final = {
    "name": "v",
    "columns": [{**_ID, "autoIncrement": False}],
    "representations": [_TEXT, _TRINO],
    "comment": "of it",
    "defaultCatalog": "lake",
    "defaultSchema": SPACE,
    "properties": {"a": "1"},
}
_CONTENT: Final = ("columns", "representations", "comment", "defaultCatalog", "defaultSchema")
_MAY_LOSE: Final = "replace.drop-dialect.allowed"


def _made(name: str, **more: Any) -> Step:
    return "POST", f"/{SPACE}/views", {**_VIEW, "name": name, **more}


def _altered(*updates: Json, name: str = "v") -> Step:
    return "PUT", f"/{SPACE}/views/{name}", {"updates": [*updates]}


def _replaced(**more: Any) -> Json:
    return {"@type": "replaceView", **{one: _VIEW[one] for one in _CONTENT}, **more}


def _with_types() -> Iterator[Step]:
    """A view of a column of each type, each read back and dropped."""
    for number, kind in enumerate(TYPES.values()):
        name, told = f"t{number}", json.loads(type_text(kind))
        yield _made(name, columns=[{**_ID, "type": told, "autoIncrement": False}])
        yield "GET", f"/{SPACE}/views/{name}", None
        yield "DELETE", f"/{SPACE}/views/{name}", None


def _with_functions() -> Iterator[Step]:
    """Functions that are made, read, refused and dropped, and go with their schema."""
    made, odd = (functions.registration(of_trino()[name]) for name in ("whisper", "odd"))
    definition = made["definitions"][0]
    java = {"language": "JAVA", "runtime": "SPARK", "className": "example.Shout"}
    of_hive = {"language": "SQL", "runtime": "HIVE", "sql": "x"}
    place, one = f"/{SPACE}/functions", f"/{SPACE}/functions/whisper"
    yield "POST", "", {"name": SPACE, "comment": "", "properties": {}}
    yield "GET", place, None
    yield "GET", one, None
    yield "POST", place, made
    yield "POST", place, made
    yield "GET", one, None
    yield "GET", f"{place}/WHISPER", None
    yield "POST", place, odd
    yield "GET", place, None
    yield "POST", place, {**made, "name": "with blank"}
    for wrong in ({"returnType": None}, {"impls": [of_hive]}):
        yield "POST", place, {**made, "name": "wrong", "definitions": [{**definition, **wrong}]}
    yield "POST", place, {**made, "name": "j", "definitions": [{**definition, "impls": [java]}]}
    yield "DELETE", one, None
    yield "DELETE", one, None
    yield "GET", "/nowhere/functions", None
    yield "GET", "/nowhere/functions/whisper", None
    yield "POST", "/nowhere/functions", made
    yield "DELETE", "/nowhere/functions/whisper", None
    yield "DELETE", f"/{SPACE}?cascade=false", None
    yield "GET", f"{place}/odd", None


STEPS: Final[tuple[Step, ...]] = (
    ("GET", f"/{SPACE}", None),
    ("DELETE", f"/{SPACE}", None),
    ("POST", "", {"name": SPACE, "comment": "", "properties": {"k": "v"}}),
    ("POST", "", {"name": SPACE, "comment": "", "properties": {}}),
    ("POST", "", {"name": "no blanks", "comment": "", "properties": {}}),
    ("GET", f"/{SPACE}", None),
    (
        "PUT",
        f"/{SPACE}",
        {"updates": [{"@type": "setProperty", "property": "k", "value": "w"}]},
    ),
    ("PUT", f"/{SPACE}", {"updates": [{"@type": "removeProperty", "property": "none"}]}),
    ("PUT", f"/{SPACE}", {"updates": [{"@type": "updateComment", "newComment": "x"}]}),
    ("GET", f"/{SPACE}/views", None),
    ("GET", f"/{SPACE}/views/v", None),
    ("DELETE", f"/{SPACE}/views/v", None),
    _altered({"@type": "setProperty", "property": "a", "value": "2"}),
    ("GET", "/nowhere/views", None),
    ("GET", "/nowhere/views/v", None),
    ("POST", "/nowhere/views", _VIEW),
    _made("v"),
    _made("v"),
    _made("V"),
    _made("with blank"),
    _made("no_columns", columns=[]),
    _made("no_texts", representations=[]),
    _made("empty_text", representations=[{**_TEXT, "sql": " "}]),
    _made("twice", representations=[_TEXT, _TEXT]),
    _made("reserved", properties={"gravitino.identifier": "gravitino.v1.uid1"}),
    _made("no_schema", defaultCatalog=None, defaultSchema=None),
    ("GET", f"/{SPACE}/views/no_schema", None),
    ("GET", f"/{SPACE}/views", None),
    ("GET", f"/{SPACE}/views/v", None),
    _altered({"@type": "setProperty", "property": "b", "value": "2"}),
    _altered({"@type": "removeProperty", "property": "none"}),
    _altered({"@type": "unheard"}),
    _altered(_replaced(comment="other")),
    _altered(_replaced(representations=[_TEXT])),
    _altered(
        {"@type": "setProperty", "property": _MAY_LOSE, "value": "true"},
        _replaced(representations=[_TEXT]),
    ),
    _altered({"@type": "removeProperty", "property": _MAY_LOSE}),
    ("GET", f"/{SPACE}/views/v", None),
    _altered(
        {"@type": "rename", "newName": "w"},
        {"@type": "setProperty", "property": "c", "value": "3"},
    ),
    _altered({"@type": "rename", "newName": "V"}),
    _altered({"@type": "rename", "newName": "w"}),
    ("GET", f"/{SPACE}/views/v", None),
    ("GET", f"/{SPACE}/views/w", None),
    ("DELETE", f"/{SPACE}", None),
    *_with_types(),
    ("DELETE", f"/{SPACE}/views/w", None),
    ("DELETE", f"/{SPACE}/views/w", None),
    ("DELETE", f"/{SPACE}/views/V", None),
    ("DELETE", f"/{SPACE}/views/no_schema", None),
    ("GET", f"/{SPACE}/views", None),
    ("DELETE", f"/{SPACE}", None),
    ("GET", f"/{SPACE}", None),
    *_with_functions(),
)


def asked(uri: str, metalake: str, catalog: str, login: tuple[str, str] | None) -> list[Json]:
    """The answers of a server, step by step."""
    found = []
    with requests.Session() as session:
        session.auth = login
        for method, path, body in STEPS:
            url = f"{uri}/api/metalakes/{metalake}/catalogs/{catalog}/schemas{path}"
            answer = session.request(method, url, json=body, timeout=60)
            found.append({"status": answer.status_code, "answer": _alike(answer.json())})
    return found


def _alike(said: Any) -> Any:
    """An answer without what is another one each time."""
    if isinstance(said, str):
        return re.sub(r"@[0-9a-f]{6,8}", "@…", re.sub(r"^file:.*/warehouse/", _WAREHOUSE, said))
    if isinstance(said, list):
        return [_alike(one) for one in said]
    if not isinstance(said, dict):
        return said
    left_out = (*_TIMES, "stack")
    return {key: _alike(one) for key, one in said.items() if key not in left_out}


def recorded() -> dict[str, Json]:
    """By version: its provenance, metalake and catalog, and its answers."""
    found: dict[str, Json] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def record(version: str, said: Json) -> None:
    """Keep what a server said, an answer a line, beside what others have."""
    whole = (recorded() if FILE.exists() else {}) | {version: said}
    told = []
    for name, one in sorted(whole.items()):
        head = {key: value for key, value in one.items() if key != "answers"}
        lines = ",\n".join(json.dumps(answer, ensure_ascii=False) for answer in one["answers"])
        begin = json.dumps(head, ensure_ascii=False)[:-1]
        told.append(f'{json.dumps(name)}: {begin}, "answers": [\n{lines}\n]}}')
    FILE.write_text("{\n" + ",\n".join(told) + "\n}\n", encoding="utf-8")
