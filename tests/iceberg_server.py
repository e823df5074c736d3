"""An Iceberg REST catalog in memory, over a real socket: what its views do, by the protocol.

What it does with a commit is what Iceberg's own `ViewMetadata.Builder` (1.11) does; the live tests
run the same contract against Iceberg's server. It can be told to fail.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit
from uuid import uuid4

from tests.loopback import Request, serving

Json = dict[str, Any]
SEPARATOR = "\x1f"
ROUTES = (
    "GET namespaces",
    "POST namespaces",
    "GET namespaces/{namespace}",
    "DELETE namespaces/{namespace}",
    "POST namespaces/{namespace}/properties",
    "GET namespaces/{namespace}/tables",
    "GET namespaces/{namespace}/views",
    "POST namespaces/{namespace}/views",
    "GET namespaces/{namespace}/views/{view}",
    "POST namespaces/{namespace}/views/{view}",
    "DELETE namespaces/{namespace}/views/{view}",
    "POST views/rename",
    "POST namespaces/{namespace}/register-view",
)


class RefusedError(Exception):
    """A status other than 200."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass
class IcebergServer:
    """The catalog.

    Attributes:
        spaces: Properties of namespaces.
        views: Metadata by namespace and name.
        tables: Names that tables hold.
        routes: What it says that it has.
        asked: Method and path of each request.
        trouble: Says of a request whether it fails: `before` or `after` it was done.
    """

    spaces: dict[tuple[str, ...], Json] = field(default_factory=dict)
    views: dict[tuple[tuple[str, ...], str], Json] = field(default_factory=dict)
    tables: set[tuple[tuple[str, ...], str]] = field(default_factory=set)
    routes: tuple[str, ...] = ROUTES
    asked: list[tuple[str, str]] = field(default_factory=list)
    trouble: Callable[[Request], str] = lambda _: ""
    uri: str = ""

    @property
    def writes(self) -> list[tuple[str, str]]:
        return [request for request in self.asked if request[0] != "GET"]

    def answer(self, request: Request) -> tuple[int, bytes]:
        self.asked.append((request.method, request.path))
        how = self.trouble(request)
        try:
            answer = {} if how == "before" else self._said(request)
        except RefusedError as error:
            problem = {"message": str(error), "type": "Refused", "code": error.status}
            return error.status, json.dumps({"error": problem}).encode()
        return (500, b"") if how else (200, json.dumps(answer).encode())

    def _said(self, request: Request) -> Json:
        url = urlsplit(request.path)
        steps = [unquote(step) for step in url.path.split("/")[2:]]
        body = json.loads(request.body) if request.body else {}
        if steps == ["config"]:
            endpoints = [route.replace(" ", " /v1/{prefix}/") for route in self.routes]
            return {"defaults": {}, "overrides": {}, "endpoints": endpoints}
        if steps == ["views", "rename"]:
            return self._rename(body["source"], body["destination"])
        if steps == ["namespaces"]:
            return self._spaces(request.method, parse_qs(url.query), body)
        levels = tuple(steps[1].split(SEPARATOR))
        self._need(levels in self.spaces, 404, f"Namespace does not exist: {levels}")
        if len(steps) == 2:
            return self._space(request.method, levels)
        if steps[2:] == ["properties"]:
            return self._amend(levels, body)
        if steps[2:] == ["register-view"]:
            return self._register((levels, body["name"]), body["metadata-location"])
        if len(steps) == 3:
            return self._held(request.method, levels, steps[2], body)
        return self._view(request.method, (levels, steps[3]), body)

    def _need(self, is_so: bool, status: int, message: str) -> None:
        if not is_so:
            raise RefusedError(status, message)

    def _spaces(self, method: str, query: dict[str, list[str]], body: Json) -> Json:
        if method == "POST":
            levels = tuple(body["namespace"])
            self._need(levels not in self.spaces, 409, "Namespace already exists")
            self.spaces[levels] = body["properties"]
            return {"namespace": list(levels), "properties": body["properties"]}
        above = tuple(query["parent"][0].split(SEPARATOR)) if "parent" in query else ()
        return {"namespaces": [list(space) for space in self.spaces if space[:-1] == above]}

    def _space(self, method: str, levels: tuple[str, ...]) -> Json:
        if method == "DELETE":
            held = any(space == levels for space, _ in (*self.views, *self.tables))
            self._need(not held, 409, "Namespace is not empty")
            del self.spaces[levels]
            return {}
        return {"namespace": list(levels), "properties": self.spaces[levels]}

    def _amend(self, levels: tuple[str, ...], body: Json) -> Json:
        properties, removed = self.spaces[levels], body["removals"] or ()
        kept = {key: value for key, value in properties.items() if key not in removed}
        self.spaces[levels] = {**kept, **body["updates"]}
        missing = [key for key in removed if key not in properties]
        return {"removed": [*removed], "updated": [*body["updates"]], "missing": missing}

    def _held(self, method: str, levels: tuple[str, ...], kind: str, body: Json) -> Json:
        if method == "POST":
            return self._create((levels, body["name"]), body)
        places = self.views if kind == "views" else self.tables
        names = [name for space, name in places if space == levels]
        return {"identifiers": [{"namespace": list(levels), "name": name} for name in names]}

    def _register(self, place: tuple[tuple[str, ...], str], uri: str) -> Json:
        self._need(place not in self.tables, 409, f"Table with same name already exists: {place}")
        self._need(place not in self.views, 409, f"View already exists: {place}")
        self.views[place] = json.loads(Path(unquote(urlsplit(uri).path)).read_bytes())
        return self._loaded(place)

    def _create(self, place: tuple[tuple[str, ...], str], body: Json) -> Json:
        self._need(place not in self.tables, 409, f"Table with same name already exists: {place}")
        self._need(place not in self.views, 409, f"View already exists: {place}")
        version = body["view-version"]
        self.views[place] = {
            "view-uuid": str(uuid4()),
            "format-version": 1,
            "location": f"file:///wh/{place[1]}",
            "schemas": [body["schema"]],
            "current-version-id": version["version-id"],
            "versions": [version],
            "version-log": [
                {"timestamp-ms": version["timestamp-ms"], "version-id": version["version-id"]}
            ],
            "properties": body["properties"],
        }
        return self._loaded(place)

    def _loaded(self, place: tuple[tuple[str, ...], str]) -> Json:
        return {"metadata-location": "file:///wh/x.json", "metadata": self.views[place]}

    def _rename(self, source: Json, destination: Json) -> Json:
        old, new = ((tuple(place["namespace"]), place["name"]) for place in (source, destination))
        self._need(old in self.views, 404, "View does not exist")
        self._need(new not in self.views and new not in self.tables, 409, "Name is taken")
        self.views[new] = self.views.pop(old)
        return {}

    def _view(self, method: str, place: tuple[tuple[str, ...], str], body: Json) -> Json:
        self._need(place in self.views, 404, f"View does not exist: {place}")
        if method == "DELETE":
            del self.views[place]
            return {}
        if method == "POST":
            for requirement in body["requirements"]:
                self._need(
                    requirement["uuid"] == self.views[place]["view-uuid"], 409, "another UUID"
                )
            self.views[place] = self._committed(self.views[place], body["updates"])
        return self._loaded(place)

    def _committed(self, before: Json, updates: list[Json]) -> Json:
        after: Json = json.loads(json.dumps(before))
        for update in updates:
            match update["action"]:
                case "set-properties":
                    after["properties"] |= update["updates"]
                case "remove-properties":
                    for key in update["removals"]:
                        after["properties"].pop(key, None)
                case "add-schema":
                    after["schemas"].append(update["schema"])
                case "add-view-version":
                    self._add(after, update["view-version"])
                case "set-current-view-version":
                    self._set_current(after, update["view-version-id"])
                case action:
                    raise RefusedError(400, f"unknown action {action}")
        was, now = _dialects(before), _dialects(after)
        allowed = after["properties"].get("replace.drop-dialect.allowed") == "true"
        self._need(allowed or was <= now, 400, "Cannot replace view due to loss of view dialects")
        return after

    def _add(self, after: Json, version: Json) -> None:
        if version["schema-id"] == -1:
            version["schema-id"] = after["schemas"][-1]["schema-id"]
        ids = {schema["schema-id"] for schema in after["schemas"]}
        self._need(version["schema-id"] in ids, 400, "unknown schema")
        contents = [_content(earlier) for earlier in after["versions"]]
        self._need(_content(version) not in contents, 400, "Cannot set last version id")
        after["versions"].append(version)

    def _set_current(self, after: Json, number: int) -> None:
        current = after["versions"][-1]["version-id"] if number == -1 else number
        after["current-version-id"] = current
        after["version-log"].append({"timestamp-ms": 1, "version-id": current})


def _content(version: Json) -> Json:
    keys = ("summary", "representations", "default-catalog", "default-namespace", "schema-id")
    return {key: version.get(key) for key in keys}


def _dialects(metadata: Json) -> set[str]:
    current = metadata["current-version-id"]
    (version,) = (version for version in metadata["versions"] if version["version-id"] == current)
    return {representation["dialect"].lower() for representation in version["representations"]}


@contextmanager
def iceberg_server() -> Iterator[IcebergServer]:
    """An empty catalog, served on loopback as long as the context lasts."""
    catalog = IcebergServer()
    with serving(catalog.answer, "application/json") as catalog.uri:
        yield catalog
