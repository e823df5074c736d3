"""A server of Iceberg's REST protocol, through pyiceberg, as source and store ask it."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final, TypeVar
from urllib.parse import quote, urlencode

from pydantic import ValidationError
from pyiceberg.catalog import rest
from pyiceberg.catalog.rest.auth import AuthManager, NoopAuthManager
from pyiceberg.catalog.rest.response import _handle_non_200_response
from pyiceberg.exceptions import (
    AuthorizationExpiredError,
    ForbiddenError,
    NamespaceAlreadyExistsError,
    NamespaceNotEmptyError,
    NoSuchNamespaceError,
    NoSuchViewError,
    OAuthError,
    RESTError,
    ServerError,
    ServiceUnavailableError,
    TooManyRequestsError,
    UnauthorizedError,
    ViewAlreadyExistsError,
)
from requests import HTTPError, RequestException, Response, Session

from connectors.clients.credentials import Secret, insist_on_references, redacted, revealed
from connectors.clients.files import MAX_BYTES
from connectors.clients.paging import Pages
from connectors.clients.rest import (
    AWAY,
    LIMITED,
    OnlyStated,
    answer_to_write,
    later,
    tells_failure,
)
from connectors.iceberg.answers import first_mistake, is_of_catalog
from connectors.iceberg.listings import Page, names_within, places_on
from connectors.iceberg.paths import CarefulPaths
from connectors.iceberg.sessions import ONCE, bound, check_aws
from discovery.addresses import SourceAddress, address_of_catalog
from discovery.errors import (
    BelvedereError,
    ConfigurationError,
    DeniedError,
    ReadError,
    StoreError,
    UnreachableError,
)
from discovery.model import Identifier
from discovery.namespaces import Levels
from discovery.packages import missing

Answer = TypeVar("Answer")
Body = Mapping[str, Any]

_PAGE_SIZE: Final = "rest-page-size"
_DEFAULTS: Final = {
    _PAGE_SIZE: "1000",
    "view-endpoints-supported": "true",  # asks old servers, which do not say what they have
}
_EXPIRED: Final = (401, 419)
_NO_WORD: Final = "404, and no error of Iceberg's protocol: that is no word of the catalog"
_NOT_SERVED: Final = (
    "does a proxy before the catalog lead this path on, and is the uri the catalog's?"
)
_OF_A_NAMESPACE: Final = "namespace"
"""What is in the answer to one that is made: `CreateNamespaceResponse`."""
_OF_A_VIEW: Final = "metadata"
"""What is in the answer to each write that leaves a view: `LoadViewResult` of the protocol."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogLogin:
    """How to reach an Iceberg REST catalog.

    Attributes:
        uri: `https://host:port/path`, up to the `/v1` of the protocol.
        warehouse: Which of the server's warehouses; left out, its default one.
        properties: Of pyiceberg's REST catalog: `token`, `credential`, `oauth2-server-uri`,
            `scope`, `rest.sigv4-enabled`, `header.…`; those that are secret by reference.
        timeout: Seconds for connecting and for each answer.
    """

    uri: str
    warehouse: str | None = None
    properties: Mapping[str, str | Secret] = field(default_factory=dict)
    timeout: float = 60.0

    def __post_init__(self) -> None:
        if not re.match(r"https?://[^/]", self.uri):
            raise ConfigurationError(f"{self.uri!r} is not of the form https://host:port/path")
        insist_on_references(self.properties)

    def address(self) -> SourceAddress | None:
        """The server; one of its warehouses is no other server to OpenLineage's clients."""
        return address_of_catalog(self.uri, "iceberg")


class VanishedError(ReadError):
    """The server has no such namespace or view."""


class StrangerError(ReadError):
    """Somebody else than the catalog says that there is nothing, such as a proxy, or a page."""


class FailedError(ReadError):
    """The server failed: whether it has done what it was asked for is unknown."""


class GatewayError(FailedError):
    """What stands before the server did not get an answer of it (502, 504)."""

    transient = True


class TakenError(StoreError):
    """The server has such a thing already, or it holds others."""


class IcebergServer:
    """The client of a server, made when it is first asked."""

    def __init__(self, login: CatalogLogin) -> None:
        self._login = login
        self._hidden = tuple(_parts_of(login.properties.values()))
        self._opened: Client | None = None

    def close(self) -> None:
        """Close the connections."""
        if self._opened is not None:
            self._opened.close()
        self._opened = None

    def ask(self, question: Callable[["Client"], Answer]) -> Answer:
        """The answer of the server.

        Raises:
            BelvedereError: In place of its errors.
        """
        try:
            if self._opened is None:
                self._opened = self._open_client()
            return question(self._opened)
        except ModuleNotFoundError as error:
            raise missing(error, "what the properties name") from error
        except tuple(chain.from_iterable(_MEANT)) as error:
            raise self._our_error(error) from error

    def _open_client(self) -> "Client":
        """A client that has read what the server says of itself.

        Raises:
            ReadError: That is of other kinds than pyiceberg takes without a look.
        """
        try:
            return Client(self._login)
        except (AttributeError, TypeError) as error:
            raise ReadError(f"/v1/config: the answer is none of a catalog: {error}") from error

    def _our_error(self, error: BaseException) -> BelvedereError:
        """Our error for one of pyiceberg or requests."""
        kind = next(kind for kinds, kind in _MEANT.items() if isinstance(error, kinds))
        text = self._error_text(error)
        cause = error.__cause__  # where there was an answer, pyiceberg's has its status
        answer = cause.response if isinstance(cause, HTTPError) else None
        if kind is VanishedError and answer is not None and not is_of_catalog(answer):
            return StrangerError(f"{self._login.uri}: {_NO_WORD}", hint=_NOT_SERVED)
        if kind is UnreachableError:
            asks = "" if answer is None else f" ({answer.status_code}{later(answer)})"
            hint = LIMITED if isinstance(error, TooManyRequestsError) else ""
            return kind(f"{self._login.uri}: {text}{asks}", hint=hint)
        if kind is FailedError and answer is not None and answer.status_code in AWAY:
            kind = GatewayError
        known = kind in {VanishedError, TakenError, DeniedError} or type(error) is ValidationError
        return kind(text if known else f"{type(error).__name__}: {text}")

    def _error_text(self, error: BaseException) -> str:
        """What a server says, without what it was told: it may repeat a credential or a token."""
        token = () if self._opened is None else (self._opened.token(),)
        said = first_mistake(error) if isinstance(error, ValidationError) else str(error)
        return redacted(said, (*self._hidden, *token))


def _parts_of(values: Iterable[str | Secret]) -> Iterator[Secret]:
    """Secrets, and the parts of `client:secret`."""
    for value in values:
        if isinstance(value, Secret):
            yield value
            yield from map(Secret, value.reveal().split(":", 1)[1:])


_MEANT: Final[Mapping[tuple[type[Exception], ...], type[BelvedereError]]] = {
    (NoSuchNamespaceError, NoSuchViewError): VanishedError,
    (ViewAlreadyExistsError, NamespaceAlreadyExistsError, NamespaceNotEmptyError): TakenError,
    (UnauthorizedError, ForbiddenError, OAuthError, AuthorizationExpiredError): DeniedError,
    (RequestException, ServiceUnavailableError, TooManyRequestsError): UnreachableError,
    (ServerError,): FailedError,
    (RESTError, ValidationError, ValueError, NotImplementedError): ReadError,
}
"""What pyiceberg and requests raise, and what we do; the first that fits."""


class Client(CarefulPaths):
    """pyiceberg's client with a timeout, retries, and the view as the server wrote it."""

    def __init__(self, login: CatalogLogin) -> None:
        self._timeout = login.timeout
        warehouse = {} if login.warehouse is None else {"warehouse": login.warehouse}
        properties = {**_DEFAULTS, **warehouse, **revealed(login.properties)}
        super().__init__("belvedere", **{**properties, "uri": login.uri})

    def has_views(self) -> bool:
        """Whether the server has the routes of views."""
        return rest.Capability.V1_LIST_VIEWS in self._supported_endpoints

    def states_routes(self) -> bool:
        """Whether the server says which routes it has; servers before Iceberg 1.7 do not."""
        return self._supported_endpoints != {*rest.DEFAULT_ENDPOINTS, *rest.VIEW_ENDPOINTS}

    def token(self) -> Secret:
        """The token that is sent now."""
        auth: Any = self._session.auth
        return Secret((auth.auth_manager.auth_header() or "").removeprefix("Bearer "))

    def below(self, parent: Levels) -> list[Levels]:
        """The namespaces below one, or the outermost.

        pyiceberg 0.12 percent-encodes the levels of `parent` before requests does so again, and no
        server knows them.
        """
        self._check_endpoint(rest.Capability.V1_LIST_NAMESPACES)
        query = {"parent": self._namespace_separator.join(parent)} if parent else {}
        kind = rest.ListNamespaceResponse
        return list(self._read_pages(rest.Endpoints.list_namespaces, kind, query))

    def views(self, levels: Levels) -> list[str]:
        """The names of the views in a namespace; none, if the server says that it has no views."""
        if not self.has_views():
            return []
        path = rest.Endpoints.list_views.format(namespace=self._encode_namespace_path(levels))
        return names_within(levels, self._read_pages(path, rest.ListViewsResponse))

    def tables(self, levels: Levels) -> list[str]:
        """The names of the tables in a namespace."""
        self._check_endpoint(rest.Capability.V1_LIST_TABLES)
        path = rest.Endpoints.list_tables.format(namespace=self._encode_namespace_path(levels))
        return names_within(levels, self._read_pages(path, rest.ListTablesResponse))

    def _read_pages(
        self, path: str, kind: type[Page], query: Mapping[str, str] | None = None
    ) -> Iterator[Levels]:
        """What a listing has, page by page; pyiceberg's own never end where a token comes again.

        Raises:
            ReadError: It would not end.
        """
        url = self.url(path, prefixed=True)
        token: str | None = ""
        pages = Pages(path)
        while token is not None:
            parameters = {"pageSize": self.properties[_PAGE_SIZE], **(query or {})}
            parameters |= {"pageToken": token} if token else {}
            places, next_token = places_on(kind, self._get_text(url, parameters))
            token = pages.token_behind(places, next_token)
            yield from places

    def view_text(self, identifier: Levels) -> bytes:
        """The server's answer for a view, as it came."""
        path = self._split_identifier_for_path(identifier, rest.IdentifierKind.VIEW)
        return self._get_text(self.url(rest.Endpoints.load_view, prefixed=True, **path))

    def table_text(self, identifier: Levels) -> bytes:
        """The server's answer for a table, without the history where the server leaves it out."""
        path = self._split_identifier_for_path(identifier)
        url = self.url(rest.Endpoints.load_table, prefixed=True, **path)
        return self._get_text(url, {"snapshots": "refs"})

    def _get_text(self, url: str, query: Mapping[str, str] | None = None) -> bytes:
        encoded = urlencode(query or {}, quote_via=quote)  # a blank as %20, which all servers read
        response = self._send(lambda: self._session.get(url, params=encoded))
        if len(response.content) > MAX_BYTES:
            raise ReadError(f"the answer is larger than {MAX_BYTES >> 20} MiB")
        return response.content

    def make(self, levels: Levels, properties: Mapping[str, str]) -> None:
        """Make a namespace; pyiceberg's own call sends it again whatever became of it."""
        body = {"namespace": list(levels), "properties": dict(properties)}
        self._post(rest.Endpoints.create_namespace, body, _OF_A_NAMESPACE)

    def create(self, place: Identifier, body: Body) -> None:
        """Make a view."""
        space = self._encode_namespace_path(place.namespace)
        self._post(rest.Endpoints.create_view.format(namespace=space), body, _OF_A_VIEW)

    def registers_views(self) -> bool:
        """Whether the server takes a view whose metadata file is there already."""
        return rest.Capability.V1_REGISTER_VIEW in self._supported_endpoints

    def register(self, place: Identifier, uri: str) -> None:
        """Make a view of a metadata file that is there."""
        space = self._encode_namespace_path(place.namespace)
        body = {"name": place.name, "metadata-location": uri}
        self._post(rest.Endpoints.register_view.format(namespace=space), body, _OF_A_VIEW)

    def replace(self, place: Identifier, body: Body) -> None:
        """Commit updates of a view; pyiceberg 0.12 has no call for it, nor for a rename."""
        path = self._split_identifier_for_path(_levels_of(place), rest.IdentifierKind.VIEW)
        self._post(rest.Endpoints.load_view.format(**path), body, _OF_A_VIEW)

    def rename(self, place: Identifier, new: Identifier) -> None:
        """Rename a view."""
        self._post("views/rename", {"source": _json(place), "destination": _json(new)})

    def drop(self, place: Identifier) -> None:
        """Drop a view."""
        path = self._split_identifier_for_path(_levels_of(place), rest.IdentifierKind.VIEW)
        url = self.url(rest.Endpoints.drop_view, prefixed=True, **path)
        _check_written(self._send(lambda: self._session.delete(url)))

    def _post(self, path: str, body: Body, member: str = "") -> None:
        """Send once: whether it was done is unknown where no answer came.

        Args:
            path: Where to.
            body: What.
            member: What is in the server's answer.
        """
        url = self.url(path, prefixed=True)
        adapter: Any = self._session.get_adapter(url)
        usual, adapter.max_retries = adapter.max_retries, ONCE
        try:
            _check_written(self._send(lambda: self._session.post(url, json=body)), member)
        finally:
            adapter.max_retries = usual

    def _send(self, send: Callable[[], Response]) -> Response:
        """The answer to a request; with a new token, if the old one is over."""
        response = send()
        if response.status_code in _EXPIRED:
            self._refresh_token()
            response = send()
        try:
            response.raise_for_status()
        except HTTPError as error:
            _handle_non_200_response(error, {404: NoSuchViewError, 409: ViewAlreadyExistsError})
        return response

    def _create_session(self) -> Session:
        session = bound(super()._create_session(), self._timeout)  # SigV4 has added an adapter
        for adapter in session.adapters.values():
            check_aws(getattr(adapter, "_boto_session", None), self.properties)
        return session

    def _create_legacy_oauth2_auth_manager(self, session: Session) -> AuthManager:
        """Bound the session first: this asks for a token, with what the form has alone.

        Without token and credential, pyiceberg 0.12 would send `Bearer None`, also in the place of
        a `header.Authorization`.
        """
        if not {"token", "credential"} & self.properties.keys():
            return NoopAuthManager()
        session.auth = OnlyStated()
        return super()._create_legacy_oauth2_auth_manager(bound(session, self._timeout))


def _check_written(answer: Response, member: str = "") -> None:
    """Look whether it was the server that has answered a write.

    Raises:
        FailedError: It was not, or what it says is not of the protocol.
    """
    body = answer_to_write(answer)
    if body is None or (member not in body if member else tells_failure(body)):
        raise FailedError(f"{answer.status_code}, and no {member or 'JSON object'} in the answer")


def _levels_of(place: Identifier) -> Levels:
    return (*place.namespace, place.name)


def _json(place: Identifier) -> Body:
    return {"namespace": list(place.namespace), "name": place.name}
