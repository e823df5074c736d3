"""Our stand-in for a Gravitino server: not Gravitino, and no proof of what Gravitino does.

It answers the requests of views and of what they live in, in memory: for catalogs of Iceberg as
real servers did (tests/recorded/gravitino_dialogues.json), for others as the sources of release
1.3.0 were read (branch main where the version is 2.0): what each provider's catalog takes, refuses,
drops and gives back otherwise. It also fails as servers do, when a test says so.
"""

import json
import re
import threading
import time
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlsplit

from tests.gravitino_catalogs import (
    KEEPERS,
    Json,
    Refused,
    check_dialects,
    failed,
    illegal,
    missing,
    unsupported,
)
from tests.gravitino_functions import answered
from tests.gravitino_rights_double import PARTS, Rights
from tests.gravitino_tags_double import TAG_PARTS, Tags, check_taken, told_nobody
from tests.loopback import Answer, HungUpError, Request, serving

Key = tuple[str, ...]

_STATUS: Final = {
    1001: 400,
    1002: 500,
    1003: 404,
    1004: 409,
    1005: 409,
    1006: 405,
    1008: 403,
    1009: 409,
    1011: 401,
}
_ICEBERG: Final = "lakehouse-iceberg"
_NAME: Final = re.compile(r"(?a)\w[\w/=-]{0,63}")
_RESERVED: Final = {
    "hive": {"EXTERNAL", "transient_lastDdlTime", "gravitino.identifier"},
    "lakehouse-iceberg": {"gravitino.identifier"},
    "lakehouse-paimon": {"gravitino.identifier"},
}


@dataclass
class Fault:
    """Something that goes wrong with requests.

    Attributes:
        method: Of the requests that it hits.
        part: That their paths have.
        times: How many of them.
        before: Whether it goes wrong before the request takes effect; else after.
        status: Of the answer; 0 closes the connection.
        body: Of the answer.
        head: Of the answer, beside what is usual.
        wait: Seconds before that.
        sabotage: Done to the server at the same time.
    """

    method: str
    part: str = ""
    times: int = 1
    before: bool = True
    status: int = 0
    body: bytes = b"<html>"
    head: Mapping[str, str] = field(default_factory=dict)
    wait: float = 0
    sabotage: Callable[[], object] | None = None

    def hits(self, request: Request) -> bool:
        hit = self.times > 0 and request.method == self.method and self.part in request.path
        self.times -= hit
        return hit

    def answer(self) -> Answer:
        if self.sabotage is not None:
            self.sabotage()
        time.sleep(self.wait)
        if self.status == 0:
            raise HungUpError
        return self.status, self.body, self.head


@dataclass
class Double:
    """The stand-in.

    Attributes:
        version: What it says that it is.
        authorization: What every request must come with; None: nothing.
        things: Metalakes, catalogs, schemas, tables and views by the parts of their paths.
        asked: Every request: method, path, body.
        heads: The heads of the requests.
        faults: What shall go wrong.
        uri: Where it listens.
        user: Who asks.
        lock: One request takes effect after the other.
        busy: How many requests are there now, and were there at most.
        rights: Of roles, users, groups and owners; without authorization at first.
        tags: Of all that is in it.
    """

    version: str = "1.3.0"
    authorization: str | None = None
    things: dict[Key, Json] = field(default_factory=dict)
    asked: list[tuple[str, str, Any]] = field(default_factory=list)
    heads: list[dict[str, str]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    uri: str = ""
    user: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)
    busy: tuple[int, int] = (0, 0)
    rights: Rights = field(default_factory=Rights)
    tags: Tags = field(default_factory=Tags)

    def catalog(self, provider: str) -> None:
        """Have a metalake `m` with a catalog `c`."""
        defaults: Json = {"comment": "", "properties": {}, "audit": {}, "inUse": True}
        self.things["m",] = {"name": "m", **defaults}
        self.things["m", "c"] = {
            "name": "c",
            "type": "relational",
            "provider": provider,
            **defaults,
        }

    def schema(self, name: str) -> None:
        self.things["m", "c", name] = {"name": name, "properties": {}}

    def table(self, schema: str, name: str) -> None:
        self.things["m", "c", schema, "tables", name] = {"name": name}

    def view(self, schema: str, name: str) -> Json:
        """What is kept of a view."""
        return self.things["m", "c", schema, "views", name]

    def view_in(self, schema: str) -> None:
        """Have somebody else's view."""
        self.things["m", "c", schema, "views", "theirs"] = {"name": "theirs"}

    @property
    def views(self) -> list[str]:
        return sorted(key[-1] for key in self.things if key[-2:-1] == ("views",))

    def writes(self) -> list[tuple[str, str]]:
        """Method and last part of each request that writes views."""
        return [
            (method, path.rpartition("/")[2]) for method, path, _ in self.asked if method != "GET"
        ]

    def said(self, path: str) -> Any:
        """What it says of a path."""
        return json.loads(self._answer(Request(path, Message(), b""), None)[1])

    def answer(self, request: Request) -> Answer:
        self._count(1)
        try:
            return self._answered(request)
        finally:
            self._count(-1)

    def _count(self, delta: int) -> None:
        with self.lock:
            now = self.busy[0] + delta
            self.busy = now, max(now, self.busy[1])

    def _answered(self, request: Request) -> Answer:
        path, body = request.path, json.loads(request.body) if request.body else None
        self.asked.append((request.method, path, body))
        self.heads.append(dict(request.headers))
        fault = next((fault for fault in self.faults if fault.hits(request)), None)
        if fault is not None and fault.before:
            return fault.answer()
        with self.lock:
            self.user = _user(request.headers.get("Authorization", ""))
            answer = self._answer(request, body)
        return answer if fault is None else fault.answer()

    def _answer(self, request: Request, body: Any) -> Answer:
        try:
            if self.authorization not in {None, request.headers.get("Authorization")}:
                raise Refused(1011, "UnauthorizedException", "The provided credentials are bad")
            answer = {"code": 0, **self._said(request.method, urlsplit(request.path), body)}
        except Refused as error:
            answer = {"code": error.code, "type": error.kind, "message": str(error), "stack": []}
            return _STATUS[error.code], json.dumps(answer).encode()
        return 200, json.dumps(answer, ensure_ascii=False).encode()

    def _said(self, method: str, place: Any, body: Any) -> Json:
        parts = [unquote(part) for part in place.path.split("/")[2:]]
        query = {key: value for key, (value,) in parse_qs(place.query).items()}
        if parts == ["version"]:
            built = {"compileDate": "01/01/2026 00:00:00", "gitCommit": "double"}
            return {"version": {"version": self.version, **built}}
        if parts[2:] and parts[2] in (*PARTS, *TAG_PARTS):
            return self._beside(method, parts[2:], query, body)
        kinds, names = parts[::2], tuple(parts[1::2])
        for depth, kind in enumerate(("Metalake", "Catalog", "Schema"), 1):
            above = names[:depth]
            is_target = len(kinds) == len(names) == depth or kinds[depth:] == ["functions"]
            if len(names) >= depth and not is_target and above not in self.things:
                is_view = len(names) == 4 and self._catalog(names).get("provider") == _ICEBERG
                raise missing("View" if is_view else kind, ".".join(above))
        if len(kinds) > 2 and not self._catalog(names)["inUse"]:
            raise Refused(1009, "CatalogNotInUseException", f"Catalog {names[1]} is not in use")
        if kinds[3:] == ["functions"]:
            return answered(self.things, method, names, body, self.user)
        if len(kinds) > 3 and kinds[3] == "views":
            return self._views(method, names, body)
        return self._others(method, kinds, names, query, body)

    def _beside(self, method: str, parts: list[str], query: Json, body: Any) -> Json:
        """Rights and tags."""
        if parts[0] in PARTS:
            return self.rights.answered(self.user, method, parts, body, self.things)
        if self.rights.on and self.user != self.rights.owner:
            return told_nobody(method, parts)
        if not self.version.startswith("2"):
            check_taken(parts, method, body)
        return self.tags.answered(method, parts, query, body, self.things)

    def _catalog(self, names: Key) -> Json:
        return self.things.get(names[:2], {})

    def _others(self, method: str, kinds: list[str], names: Key, query: Json, body: Any) -> Json:
        kind = kinds[-1][:-1]
        key = names if kind != "table" else (*names[:3], "tables", *names[3:])
        if method == "POST":
            return {kind: self._created(kind, (*key, body["name"]), body)}
        if len(kinds) > len(names):
            return {"identifiers": self._listed(kind, key, query)}
        if key not in self.things:
            if method == "DELETE":
                return {"dropped": False}
            raise missing(kind.title(), ".".join(names))
        if method == "PATCH":
            self.things[key]["inUse"] = body["inUse"]
        if method == "DELETE":
            self._drop(kind, key)
            return {"dropped": True}
        if method == "PUT" and kind == "schema":
            self._amend(key, body["updates"])
        return {kind: self._thing(kind, key)}

    def _amend(self, key: Key, updates: list[Json]) -> None:
        if self._catalog(key)["provider"] == "lakehouse-paimon":
            raise unsupported("AlterSchema is unsupported now for Paimon Catalog.")
        amended = _amended(self.things[key], updates)
        audit = {**amended.get("audit", {}), "lastModifier": self.user}
        self.things[key] = {**amended, "audit": audit}

    def _thing(self, kind: str, key: Key) -> Json:
        """What lives above views, as it is answered: Iceberg's schemas say where they are."""
        entity = self.things[key]
        if kind != "schema":
            return entity
        shown = {name: value for name, value in entity.items() if name not in {"inUse", "flat"}}
        if self._catalog(key)["provider"] != "lakehouse-iceberg":
            return shown
        place = {"location": f"file:///warehouse/{key[-1].replace(':', '/')}"}
        return {**shown, "properties": {**place, **entity["properties"]}}

    def _created(self, kind: str, key: Key, body: Json) -> Json:
        if key in self.things:
            error = f"{kind.title()}AlreadyExistsException"
            raise Refused(1004, error, f"{kind} {key[-1]} already exists")
        levels = [key[-1]]
        if kind == "schema":
            nests = self._catalog(key)["provider"] == "lakehouse-iceberg"
            levels = key[-1].split(":") if nests else levels
        if not all(_NAME.fullmatch(level) for level in levels):
            raise illegal(f"The {kind} name '{key[-1]}' is illegal")
        for depth in range(1, len(levels)):
            above = (*key[:-1], ":".join(levels[:depth]))
            self.things.setdefault(above, {"name": above[-1], "properties": {}})
        self.things[key] = {**body, "audit": {"creator": self.user}, "inUse": True}
        if kind == "schema":  # an answer to this says nothing of its location
            return {**body, "audit": {"creator": self.user}}
        return self.things[key]

    def _listed(self, kind: str, key: Key, query: Json) -> list[Json]:
        children = [child for child in self.things if child[:-1] == key]
        if kind == "schema" and "parentSchema" in query:
            parent = query["parentSchema"]
            if self._catalog(key)["provider"] != "lakehouse-iceberg":
                raise illegal("The catalog does not support hierarchical schemas")
            if "" in parent.split(":"):
                raise illegal(f"Illegal parent schema {parent}")
            children = [child for child in children if child[-1].rpartition(":")[0] == parent]
        elif kind == "schema" and self._catalog(key)["provider"] == "lakehouse-iceberg":
            children = [
                child
                for child in children
                if ":" not in child[-1] or self.things[child].get("flat")
            ]
        return [{"namespace": list(key[:2]), "name": child[-1]} for child in sorted(children)]

    def _drop(self, kind: str, key: Key) -> None:
        below = [place for place in self.things if place[: len(key)] == key and place != key]
        if kind == "schema":  # a real 1.3.0 removes it with its functions
            for function in [place for place in below if place[3:4] == ("functions",)]:
                below.remove(function)
                del self.things[function]
        nested = [place for place in self.things if place[:-1] == key[:-1]]
        if kind == "schema":
            below += [place for place in nested if place[-1].startswith(f"{key[-1]}:")]
        elif self.things[key]["inUse"]:
            raise Refused(1009, "InUseException", f"{kind} {key[-1]} is in use")
        if below:
            raise Refused(1005, f"NonEmpty{kind.title()}Exception", f"{key[-1]} is not empty")
        del self.things[key]

    def _views(self, method: str, names: Key, body: Any) -> Json:
        provider = self._catalog(names)["provider"]
        if provider not in _RESERVED:
            why = "Catalog does not support view operations"
            raise Refused(1006, "UnsupportedOperationException", why)
        where = (*names[:3], "views")
        if len(names) == 3 and method == "GET":
            views = sorted(place[-1] for place in self.things if place[:-1] == where)
            return {"identifiers": [{"namespace": list(names), "name": name} for name in views]}
        name = body["name"] if method == "POST" else names[3]
        key = (*where, name.lower() if provider == "hive" else name)
        if method == "POST":
            self._check_free(names, key[-1])
            kept = self._kept(provider, key, body, {"creator": self.user})
            # Iceberg's catalog answers with the types that it was sent
            return {"view": {**kept, **_columns(body)} if provider == _ICEBERG else kept}
        if method == "DELETE":
            self.rights.dropped(_full_name(key))
            self.tags.moved(_full_name(key))
            return {"dropped": self.things.pop(key, None) is not None}
        if key not in self.things:
            raise missing("View", ".".join(names))
        if method == "PUT":
            return {"view": self._altered(provider, key, body["updates"])}
        return {"view": self._shown(provider, key)}

    def _check_free(self, names: Key, name: str) -> None:
        for kind in ("views", "tables"):
            if (*names[:3], kind, name) in self.things:
                why = f"{kind[:-1].title()} {name} already exists"
                raise Refused(1004, "ViewAlreadyExistsException", why)

    def _altered(self, provider: str, key: Key, updates: list[Json]) -> Json:
        view = self.things[key]
        body = {**view, "properties": dict(view["properties"])}
        if len(updates) > 1 and any(update["@type"] == "rename" for update in updates):
            raise illegal("a rename cannot be combined with other changes")
        for update in updates:
            match update["@type"]:
                case "rename":
                    return self._renamed(provider, key, update["newName"])
                case "setProperty":
                    body["properties"][update["property"]] = update["value"]
                case "removeProperty":
                    body["properties"].pop(update["property"], None)
                case "replaceView":
                    body.update({name: update.get(name) for name in _CONTENT})
                case other:
                    raise illegal(f"unknown update {other}")
        if provider == "lakehouse-iceberg":
            check_dialects(view, body)
        audit = {**view["audit"], "lastModifier": self.user}
        return self._kept(provider, key, body, audit)

    def _renamed(self, provider: str, key: Key, name: str) -> Json:
        new = (*key[:-1], name)
        if provider == _ICEBERG and new in self.things:
            raise failed(f"Cannot rename {key[-1]} to {name}. View already exists")
        self._check_free(key, name)
        _check_name(name)
        self.things[new] = {**self.things.pop(key), "name": name}
        self.tags.moved(_full_name(key), _full_name(new))
        return self._shown(provider, new)

    def _kept(self, provider: str, key: Key, body: Json, audit: Json) -> Json:
        _check_name(body["name"])
        representations, properties = body.get("representations"), body.get("properties") or {}
        if not representations or not all(
            representation.get("dialect", "").strip() and representation.get("sql", "").strip()
            for representation in representations
        ):
            raise illegal('"representations" field is required and cannot be empty')
        if len({representation["dialect"] for representation in representations}) < len(
            representations
        ):
            raise illegal("Duplicate SQL representation dialect")
        if reserved := _RESERVED[provider] & properties.keys():
            raise illegal(f"Properties {sorted(reserved)} are reserved and cannot be set")
        view = {"comment": None, "defaultCatalog": None, "defaultSchema": None, **body}
        kept = KEEPERS[provider](view, key[2], self.version)
        self.things[key] = {**kept, "name": key[-1], "properties": properties, "audit": audit}
        return self._shown(provider, key)

    def _shown(self, provider: str, key: Key) -> Json:
        """A view as it is answered, without what is null."""
        kept = self.things[key]
        if provider == "hive":
            (representation,) = kept["representations"]
            dialect = self._detected(kept["properties"], representation)
            kept = {**kept, "representations": [{**representation, "dialect": dialect}]}
        hidden = {"properties": dict(kept["properties"])}
        times = {"createTime": "2026-11-20T21:44:48.696582268Z"}
        shown = {**kept, **hidden, **_columns(kept), "audit": {**kept["audit"], **times}}
        return {name: value for name, value in shown.items() if value is not None}

    def _detected(self, properties: Json, representation: Json) -> str:
        """The dialect of an entry, by its parameters."""
        if (
            properties.get("presto_view", "").lower() == "true"
            or representation["dialect"] == "trino"
        ):
            if not self.version.startswith("2"):
                raise Refused(1006, "UnsupportedOperationException", "Trino view")
            return "trino"
        if "spark.sql.create.version" in properties:
            return "spark"
        return "flink" if any(key.startswith("flink.") for key in properties) else "hive"


_CONTENT: Final = ("columns", "representations", "defaultCatalog", "defaultSchema", "comment")


def _columns(body: Json) -> Json:
    """Columns as they are answered, without what is null."""
    columns = body["columns"] or ()
    return {
        "columns": [
            {part: value for part, value in column.items() if value is not None}
            for column in columns
        ]
    }


def _full_name(key: Key) -> str:
    """Of a view: without the metalake, and without what it is."""
    return ".".join((*key[1:3], key[4]))


def _user(authorization: str) -> str:
    kind, _, text = authorization.partition(" ")
    return b64decode(text).decode().partition(":")[0] if kind == "Basic" else "anonymous"


def _amended(schema: Json, updates: list[Json]) -> Json:
    """A schema with other properties: the API has no other update (SchemaUpdateRequest)."""
    properties = dict(schema["properties"])
    for update in updates:
        if update["@type"] == "setProperty":
            properties[update["property"]] = update["value"]
        elif update["@type"] == "removeProperty":
            properties.pop(update["property"], None)
        else:
            raise illegal(f"Could not resolve type id {update['@type']}")
    return {**schema, "properties": properties}


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise illegal(f"The view name '{name}' is illegal")


@contextmanager
def gravitino(provider: str | None = None, **settings: Any) -> Iterator[Double]:
    """A stand-in on loopback, with a catalog of a provider if one is named."""
    double = Double(**settings)
    if provider is not None:
        double.catalog(provider)
    with serving(double.answer, "application/json") as double.uri:
        yield double
