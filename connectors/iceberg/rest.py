"""Source `iceberg-rest`: the views of an Iceberg REST catalog, through pyiceberg.

pyiceberg signs in (bearer token, OAuth2, SigV4, as its properties say), pages through listings,
asks the server for its separator of namespaces and finds the routes. The view itself is kept as the
server answered: pyiceberg's own model drops fields that it does not know.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeVar

from pydantic import ValidationError
from pyiceberg.catalog import rest
from pyiceberg.catalog.rest.auth import AuthManager
from pyiceberg.catalog.rest.response import _handle_non_200_response
from pyiceberg.exceptions import (
    AuthorizationExpiredError,
    ForbiddenError,
    NoSuchNamespaceError,
    NoSuchViewError,
    OAuthError,
    RESTError,
    ServiceUnavailableError,
    TooManyRequestsError,
    UnauthorizedError,
)
from requests import HTTPError, RequestException, Session
from urllib3 import Retry

from connectors.clients import lines
from connectors.clients.credentials import Secret, redacted, revealed
from connectors.clients.files import MAX_BYTES
from discovery.errors import (
    BelvedereError,
    ConfigurationError,
    DecodeError,
    DeniedError,
    ReadError,
    UnreachableError,
)
from discovery.formats import iceberg_table
from discovery.model import Identifier
from discovery.namespaces import Levels
from discovery.outcomes import Failure, Kind, Listed, RawObject, Stage
from discovery.patterns import Patterns
from discovery.ports import CrawlTask, Probe, ViewSource

Answer = TypeVar("Answer")

_CREDENTIAL: Final = re.compile(r"(?i)(token|credential|secret|password|access-key|authorization)$")
_DEFAULTS: Final = {
    "rest-page-size": "1000",
    "view-endpoints-supported": "true",  # asks old servers, which do not say what they have
}
_RETRY: Final = Retry(
    total=3,
    backoff_factor=0.3,
    status_forcelist=(429, 502, 503, 504),
    allowed_methods=None,  # the only POST is the one for a token, which may come twice
)
_EXPIRED: Final = (401, 419)
_DENIED: Final = (UnauthorizedError, ForbiddenError, OAuthError, AuthorizationExpiredError)
_DOWN: Final = (RequestException, ServiceUnavailableError, TooManyRequestsError)
_GONE: Final = (NoSuchNamespaceError, NoSuchViewError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to reach and crawl an Iceberg REST catalog.

    Attributes:
        uri: `https://host:port/path`, up to the `/v1` of the protocol.
        warehouse: Which of the server's warehouses; left out, its default one.
        properties: Of pyiceberg's REST catalog: `token`, `credential`, `oauth2-server-uri`,
            `scope`, `rest.sigv4-enabled`, `header.…`; those that are secret by reference.
        include: Globs over `namespace` and `namespace.name`; empty means everything.
        exclude: Globs of what is left out; wins over `include`.
        connections: How many at a time, over all executors.
        batch: How many views make a task.
        timeout: Seconds for connecting and for each answer.
    """

    uri: str
    warehouse: str | None = None
    properties: Mapping[str, str | Secret] = field(default_factory=dict)
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    connections: int = 4
    batch: int = 100
    timeout: float = 60.0

    def __post_init__(self) -> None:
        if not re.match(r"https?://[^/]", self.uri):
            raise ConfigurationError(f"{self.uri!r} is not of the form https://host:port/path")
        for key, value in self.properties.items():
            if isinstance(value, str) and _CREDENTIAL.search(key):
                hint = f"write {key}: ${{env:NAME}}"
                raise ConfigurationError(f"{key} stands in the configuration", hint=hint)


class RestCatalog(ViewSource):
    """An Iceberg REST catalog as a source of views."""

    def __init__(self, options: Options) -> None:
        self.connections, self.batch = options.connections, options.batch
        self._options = options
        self._patterns = Patterns(options.include, options.exclude)
        self._hidden = tuple(_parts_of(options.properties.values()))
        self._opened: _Client | None = None

    def close(self) -> None:
        """Close the connections."""
        if self._opened is not None:
            self._opened.close()
        self._opened = None

    def fold(self, name: str) -> str:
        """Iceberg keeps names as they were given: two may differ only by case."""
        return name

    def probe(self) -> Probe:
        """Ask for the server's configuration and its namespaces."""
        spaces = self._asked(lambda client: client.list_namespaces())
        none = "the server says that it has no views"
        problems = () if self._asked(lambda client: client.has_views()) else (none,)
        return Probe(f"REST, {len(spaces)} top-level namespaces", problems)

    def listing(self) -> Iterator[Listed | Failure]:
        """Namespaces from the top down, each with what it holds and then those below."""
        return self._below(())

    def load(self, task: CrawlTask) -> Iterator[RawObject | Failure]:
        """One request for each object; what is refused is one failure."""
        for listed in task.objects:
            read = self._namespace if listed.kind is Kind.NAMESPACE else self._view
            try:
                yield read(listed)
            except UnreachableError:
                raise
            except _VanishedError:
                continue
            except BelvedereError as error:
                yield Failure.of(listed, Stage.READ, error)

    def load_tables(self, names: Sequence[Identifier]) -> Iterator[RawObject | Failure]:
        """The current schemas of named tables, one request each; of a view its metadata."""
        for one in sorted(names, key=str):
            listed = Listed(one.namespace, one.name, Kind.TABLE)
            try:
                yield self._table(listed)
            except UnreachableError:
                raise
            except _VanishedError:
                continue
            except DecodeError as error:
                yield Failure.of(listed, Stage.DECODE, error)
            except BelvedereError as error:
                yield Failure.of(listed, Stage.READ, error)

    def _below(self, parent: Levels) -> Iterator[Listed | Failure]:
        for levels in sorted(self._children(parent)):
            try:
                yield from self._objects(levels)
            except UnreachableError:
                raise
            except _VanishedError:
                continue
            except BelvedereError as error:
                yield Failure.of(Listed(levels, "", Kind.NAMESPACE), Stage.LIST, error)
            try:
                yield from self._below(levels)
            except UnreachableError:
                raise
            except _VanishedError:  # so a server without nesting may answer
                continue
            except BelvedereError as error:
                yield Failure.of(Listed((*levels, "*"), "", Kind.NAMESPACE), Stage.LIST, error)

    def _children(self, parent: Levels) -> list[Levels]:
        """Direct children: a server without nesting may answer with anything else."""
        found = self._asked(lambda client: client.list_namespaces(parent))
        depth = len(parent) + 1
        return [one for one in map(tuple, found) if len(one) == depth and one[:-1] == parent]

    def _objects(self, levels: Levels) -> list[Listed]:
        """A namespace and what it holds, as far as the patterns want it."""
        if not self._patterns.allows_namespace(levels):
            return []
        views = self._asked(lambda client: client.list_views(levels))
        tables = self._asked(lambda client: client.list_tables(levels))
        found = {(one[-1], Kind.VIEW) for one in views} | {(one[-1], Kind.TABLE) for one in tables}
        wanted = [one for one in sorted(found) if self._patterns.allows(levels, one[0])]
        space = Listed(levels, "", Kind.NAMESPACE)
        return [space, *(Listed(levels, name, kind) for name, kind in wanted)]

    def _namespace(self, listed: Listed) -> RawObject:
        found = self._asked(lambda client: client.load_namespace_properties(listed.namespace))
        payload = {"namespace": list(listed.namespace), "properties": dict(found)}
        return lines.raw_object(listed, "iceberg_namespace", payload)

    def _view(self, listed: Listed) -> RawObject:
        answer = self._answer(listed, "view_text")
        kept = ("metadata-location", "metadata")  # not `config`: it may hold credentials
        payload = {key: answer[key] for key in kept if key in answer}
        place = {"namespace": list(listed.namespace), "name": listed.name}
        return lines.raw_object(listed, "iceberg_view", place | payload)

    def _table(self, listed: Listed) -> RawObject:
        try:
            metadata = self._answer(listed, "table_text")["metadata"]
        except _VanishedError:
            return self._view(listed)
        schema = iceberg_table.schema(metadata)
        place = {"namespace": list(listed.namespace), "name": listed.name}
        return lines.raw_object(listed, "iceberg_table", {**place, "schema": schema})

    def _answer(self, listed: Listed, ask: str) -> dict[str, Any]:
        """The server's answer for an object.

        Raises:
            ReadError: It is none of the protocol.
        """
        place = (*listed.namespace, listed.name)
        text = self._asked(lambda client: getattr(client, ask)(place))
        try:
            answer = json.loads(text)
        except ValueError as error:
            raise ReadError(f"the answer is no JSON: {error}") from error
        if not isinstance(answer, dict) or "metadata" not in answer:
            raise ReadError("the answer has no metadata")
        return answer

    def _asked(self, question: Callable[["_Client"], Answer]) -> Answer:
        """The answer of the server; its errors become ours."""
        try:
            if self._opened is None:
                self._opened = _Client(self._options)
            return question(self._opened)
        except _GONE as error:
            raise _VanishedError(self._told(error)) from error
        except _DENIED as error:
            raise DeniedError(self._told(error)) from error
        except _DOWN as error:
            raise UnreachableError(f"{self._options.uri}: {self._told(error)}") from error
        except (RESTError, ValidationError, ValueError, NotImplementedError) as error:
            raise ReadError(f"{type(error).__name__}: {self._told(error)}") from error
        except ModuleNotFoundError as error:
            hint = f"pip install {error.name}"
            why = f"the properties need the package {error.name}"
            raise ConfigurationError(why, hint=hint) from error

    def _told(self, error: Exception) -> str:
        """What a server says, without what it was told: it may repeat a credential or a token."""
        token = () if self._opened is None else (self._opened.token(),)
        return redacted(str(error), (*self._hidden, *token))


def _parts_of(values: Iterable[str | Secret]) -> Iterator[Secret]:
    """Secrets, and the parts of `client:secret`."""
    for value in values:
        if isinstance(value, Secret):
            yield value
            yield from map(Secret, value.reveal().split(":", 1)[1:])


class _VanishedError(ReadError):
    """The server has no such namespace or view."""


class _Client(rest.RestCatalog):
    """pyiceberg's client with a timeout, retries, and the view as the server wrote it."""

    def __init__(self, options: Options) -> None:
        self._timeout = options.timeout
        warehouse = {} if options.warehouse is None else {"warehouse": options.warehouse}
        properties = {**_DEFAULTS, **warehouse, **revealed(options.properties)}
        super().__init__("belvedere", **{**properties, "uri": options.uri})

    def has_views(self) -> bool:
        """Whether the server has the routes of views."""
        return rest.Capability.V1_LIST_VIEWS in self._supported_endpoints

    def token(self) -> Secret:
        """The token that is sent now."""
        auth: Any = self._session.auth
        return Secret((auth.auth_manager.auth_header() or "").removeprefix("Bearer "))

    def view_text(self, identifier: Levels) -> bytes:
        """The server's answer for a view, as it came; with a new token if the old one is over."""
        path = self._split_identifier_for_path(identifier, rest.IdentifierKind.VIEW)
        return self._text(self.url(rest.Endpoints.load_view, prefixed=True, **path))

    def table_text(self, identifier: Levels) -> bytes:
        """The server's answer for a table, without the history where the server leaves it out."""
        path = self._split_identifier_for_path(identifier)
        url = self.url(rest.Endpoints.load_table, prefixed=True, **path)
        return self._text(url, {"snapshots": "refs"})

    def _text(self, url: str, query: Mapping[str, str] | None = None) -> bytes:
        response = self._session.get(url, params=query)
        if response.status_code in _EXPIRED:
            self._refresh_token()
            response = self._session.get(url, params=query)
        try:
            response.raise_for_status()
        except HTTPError as error:
            _handle_non_200_response(error, {404: NoSuchViewError})
        if len(response.content) > MAX_BYTES:
            raise ReadError(f"the answer is larger than {MAX_BYTES >> 20} MiB")
        return response.content

    def _create_session(self) -> Session:
        session = _bounded(super()._create_session(), self._timeout)  # SigV4 has added an adapter
        for adapter in session.adapters.values():
            _check_aws(getattr(adapter, "_boto_session", None), self.properties)
        return session

    def _create_legacy_oauth2_auth_manager(self, session: Session) -> AuthManager:
        """Bound the session first: this asks for a token."""
        return super()._create_legacy_oauth2_auth_manager(_bounded(session, self._timeout))


def _bounded(session: Session, timeout: float) -> Session:
    """The session with retries and a timeout: requests itself waits for ever."""
    adapter: Any
    for adapter in session.adapters.values():
        adapter.max_retries = _RETRY
    limited: Any = partial(Session.request, session, timeout=timeout)
    session.request = limited  # type: ignore[method-assign]
    return session


def _check_aws(session: Any, properties: Mapping[str, str]) -> None:  # noqa: ANN401 - boto3
    """What pyiceberg's SigV4 fails without, and does not name.

    Raises:
        ConfigurationError: There are no keys, or no region.
    """
    if session is None:
        return
    if session.get_credentials() is None:
        hint = "set client.access-key-id and client.secret-access-key, or AWS's environment"
        raise ConfigurationError("SigV4 has no keys to sign with", hint=hint)
    if not properties.get(rest.SIGV4_REGION, session.region_name):
        hint = "set rest.signing-region"
        raise ConfigurationError("SigV4 has no region to sign for", hint=hint)
