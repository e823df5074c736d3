"""A Paimon REST catalog in memory, over a real socket: what its views do, by the protocol.

What it does is what Paimon's own test server does (`RESTCatalogServer` of 1.4.2): changes of one
request are checked against the view as it was, and all are made or none; a DELETE takes a database
with all that is in it; a path that it does not know below a database is the database's. The live
tests run the same contract against that server. It can be told to fail.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.loopback import Request, serving

Json = dict[str, Any]


class RefusedError(Exception):
    """A status other than 200."""

    def __init__(self, status: int, kind: str, name: str) -> None:
        super().__init__(f"{kind} {name}")
        self.status, self.kind, self.name = status, kind, name


@dataclass
class PaimonDouble:
    """The catalog.

    Attributes:
        databases: Their options.
        views: Schemas of views by database and name.
        tables: Names that tables hold, by database.
        functions: The same of functions.
        asked: Method and path of each request.
        trouble: Says of a request whether it is `refused`, or fails `before` or `after` it was
            done.
    """

    databases: dict[str, Json] = field(default_factory=dict)
    views: dict[tuple[str, str], Json] = field(default_factory=dict)
    tables: set[tuple[str, str]] = field(default_factory=set)
    functions: set[tuple[str, str]] = field(default_factory=set)
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
            _need(how != "refused", 400, "", request.path)
            answer = {} if how == "before" else self._said(request)
        except RefusedError as error:
            problem = {"resourceType": error.kind, "resourceName": error.name}
            body = {**problem, "message": str(error), "code": error.status}
            return error.status, json.dumps(body).encode()
        return (500, b"") if how else (200, json.dumps(answer).encode() if answer else b"")

    def _said(self, request: Request) -> Json:
        url = urlsplit(request.path)
        steps = [unquote(step) for step in url.path.split("/")[2:]]
        body = json.loads(request.body) if request.body else {}
        if steps == ["config"]:
            return {"defaults": {"prefix": "paimon"}, "overrides": {}}
        query = {key: values[0] for key, values in parse_qs(url.query).items()}
        match steps[1:]:
            case ["views", "rename"]:
                return self._rename(body["source"], body["destination"])
            case ["databases"]:
                return self._databases(request.method, query, body)
            case ["databases", database, *rest]:
                _need(database in self.databases, 404, "DATABASE", database)
                return self._within(request.method, database, rest, query, body)
        raise RefusedError(404, "", url.path)

    def _databases(self, method: str, query: dict[str, str], body: Json) -> Json:
        if method == "GET":
            return _page("databases", sorted(self.databases), query)
        _need(body["name"] not in self.databases, 409, "DATABASE", body["name"])
        self.databases[body["name"]] = body["options"]
        return {}

    def _within(
        self, method: str, database: str, rest: list[str], query: dict[str, str], body: Json
    ) -> Json:
        match method, rest:
            case "GET", ["views"]:
                return _page("views", _named(self.views, database), query)
            case "GET", ["tables"]:
                return _page("tables", _named(self.tables, database), query)
            case "GET", ["functions"]:
                return _page("functions", _named(self.functions, database), query)
            case "POST", ["views"]:
                name = body["identifier"]["object"]
                _need((database, name) not in self.views, 409, "VIEW", name)
                self.views[database, name] = body["schema"]
                return {}
            case _, ["views", name] if name != "rename":
                _need((database, name) in self.views, 404, "VIEW", name)
                return self._view(method, (database, name), body)
        return self._database(method, database, body)

    def _view(self, method: str, place: tuple[str, str], body: Json) -> Json:
        view = self.views[place]
        if method == "GET":
            hashed = dict(reversed(view["dialects"].items()))  # a HashMap keeps no order
            return {"id": "id", "name": place[1], "schema": {**view, "dialects": hashed}}
        if method == "DELETE":
            del self.views[place]
        else:
            self.views[place] = _altered(view, body["changes"])
        return {}

    def _database(self, method: str, name: str, body: Json) -> Json:
        options = self.databases[name]
        if method == "GET":
            return {"id": "id", "name": name, "location": "file:/x", "options": options}
        if method == "DELETE":
            del self.databases[name]
            self.views = {key: view for key, view in self.views.items() if key[0] != name}
            return {}
        kept = {key: value for key, value in options.items() if key not in body["removals"]}
        self.databases[name] = kept | body["updates"]
        return {"removed": body["removals"], "updated": list(body["updates"]), "missing": []}

    def _rename(self, source: Json, destination: Json) -> Json:
        old, new = ((place["database"], place["object"]) for place in (source, destination))
        _need(old in self.views, 404, "VIEW", old[1])
        _need(new not in self.views, 409, "VIEW", new[1])
        self.views[new] = self.views.pop(old)
        return {}


def _altered(view: Json, changes: list[Json]) -> Json:
    """A view after changes; a dialect is looked for in the view as it was before all of them."""
    dialects, options = dict(view["dialects"]), dict(view["options"])
    comment = view.get("comment")
    for change in changes:
        match change["action"]:
            case "setOption":
                options[change["key"]] = change["value"]
            case "removeOption":
                options.pop(change["key"], None)
            case "updateComment":
                comment = change["comment"]
            case "addDialect":
                _need(change["dialect"] not in view["dialects"], 409, "DIALECT", change["dialect"])
                dialects[change["dialect"]] = change["query"]
            case "updateDialect":
                _need(change["dialect"] in view["dialects"], 404, "DIALECT", change["dialect"])
                dialects[change["dialect"]] = change["query"]
            case "dropDialect":
                _need(change["dialect"] in view["dialects"], 404, "DIALECT", change["dialect"])
                dialects.pop(change["dialect"], None)
            case other:
                raise RefusedError(400, "", other)
    optional = {} if comment is None else {"comment": comment}
    kept = {key: view[key] for key in ("fields", "query")}
    return {**kept, "dialects": dialects, "options": options, **optional}


def _need(is_so: bool, status: int, kind: str, name: str) -> None:
    if not is_so:
        raise RefusedError(status, kind, name)


def _named(held: Any, database: str) -> list[str]:
    return sorted(name for place, name in held if place == database)


def _page(member: str, names: list[str], query: dict[str, str]) -> Json:
    """A page of names: the token is the last name of a page that is full."""
    size, after = int(query.get("maxResults", 100)), query.get("pageToken")
    page = [name for name in names if after is None or name > after][:size]
    is_complete = size > len(names) and after is None
    return {member: page, "nextPageToken": None if is_complete or len(page) < size else page[-1]}


@contextmanager
def paimon_double() -> Iterator[PaimonDouble]:
    """An empty catalog, served on loopback as long as the context lasts."""
    catalog = PaimonDouble()
    with serving(catalog.answer, "application/json") as catalog.uri:
        yield catalog
