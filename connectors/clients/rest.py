"""JSON over HTTP: sessions with retries for reads; a client with our errors."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

import requests
from requests.adapters import HTTPAdapter
from requests.auth import AuthBase
from urllib3 import BaseHTTPResponse, Retry
from urllib3.exceptions import InvalidHeader, MaxRetryError, ResponseError

from connectors.clients.bounds import bound_answers
from connectors.clients.credentials import Secret
from discovery.errors import BelvedereError, DeniedError, ReadError, UnreachableError

PATIENCE: Final = 300.0
"""Seconds that a request waits in all because a server asks to be asked later."""
LIMITED: Final = "it limits how often it is asked: fewer connections or threads, or a later run"
"""What to do where a server answers 429 for as long as it is waited for."""
_NO_WORD: Final = "that is no word of the catalog: does a proxy before it lead this path on?"
_DENIED: Final = (401, 403)
_GONE: Final = 404
_TAKEN: Final = 409
BUSY: Final = 429
"""The status of a server that is asked too often."""
AWAY: Final = (502, 503, 504)
"""The statuses of a server that is not there for now, or of what stands before it and says so."""
_BECOMES_A_READ: Final = (301, 302, 303)
_READS: Final = ("GET", "HEAD")
LEADING_ELSEWHERE: Final = frozenset(("", ".", ".."))
"""What no part of a path can be called: clients, proxies and servers take it out, percent-
encoded, too (RFC 3986, 6.2.2): `DELETE views/..` is taken for what the views are in."""


class NoSuchResourceError(ReadError):
    """The server has no such thing."""


class ResourceExistsError(ReadError):
    """The server has such a thing already."""


class ServerFailedError(UnreachableError):
    """The server failed: whether it has done what it was asked for is unknown."""

    transient = False


class GatewayFailedError(ServerFailedError):
    """What stands before the server did not get an answer of it, or there is none for now."""

    transient = True


class Patient(Retry):
    """Tries again; where a server says when (`Retry-After`), then, and that costs no try.

    Many that share a limit would use up any number of tries. A request that is over the limit (429)
    was not carried out (RFC 6585), so it is sent again whatever it is. Who asks for more than
    `PATIENCE` is not waited for: urllib3 would wait for six hours, and three times.
    """

    left = PATIENCE

    def new(self, **stated: Any) -> "Patient":  # noqa: ANN401 - urllib3's own
        """The next tries."""
        retry = super().new(**stated)
        retry.left = self.left
        return retry

    def is_retry(self, method: str, status_code: int, has_retry_after: bool = False) -> bool:
        """Whether such an answer is none yet."""
        limited = status_code == BUSY and has_retry_after
        return limited or super().is_retry(method, status_code, has_retry_after)

    def get_retry_after(self, response: BaseHTTPResponse) -> float | None:
        """The seconds that a server asks for; None: it says none, or what nobody reads."""
        try:
            return super().get_retry_after(response)
        except InvalidHeader:
            return None

    def increment(
        self,
        method: str | None = None,
        url: str | None = None,
        response: BaseHTTPResponse | None = None,
        *others: Any,  # noqa: ANN401 - urllib3's own
        **keywords: Any,  # noqa: ANN401 - the same
    ) -> "Patient":
        """The tries that are left.

        Raises:
            MaxRetryError: None, or the server asks for more time than there is.
        """
        seconds = None if response is None else self.get_retry_after(response)
        if not seconds:
            return super().increment(method, url, response, *others, **keywords)
        if seconds > self.left:
            why = ResponseError(f"it asks to be asked again after {seconds:g} s")
            raise MaxRetryError(keywords["_pool"], url or "", why)
        retry = self.new()
        retry.left -= seconds
        return retry


RETRY: Final = Patient(
    total=3,
    backoff_factor=0.3,
    status_forcelist=(BUSY, *AWAY),
    raise_on_status=False,  # the last answer has the server's message
)


def later(answer: requests.Response) -> str:
    """When a server wants to be asked again, to be put behind what it says; empty: it says not."""
    stated = answer.headers.get("Retry-After")
    return f"; it asks to be asked again later (Retry-After: {stated})" if stated else ""


class OnlyStated(AuthBase):
    """The authorization of a request stays as it is stated, or none where none is.

    requests looks for one in the machine's netrc wherever nobody gives it an `auth`, and puts it in
    the place of what the headers have. A session that keeps the proxies and certificates of the
    environment, which `trust_env` would take away, is given this.
    """

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        """The request as it is."""
        return request


def session(authorization: str | None, retry: Retry = RETRY) -> requests.Session:
    """A session that sends what it is given and nothing of the machine's; it connects later."""
    new_session = requests.Session()
    new_session.trust_env = False  # or a netrc would replace the authorization
    new_session.headers["User-Agent"] = "belvedere"
    if authorization is not None:
        new_session.headers["Authorization"] = authorization
    for scheme in ("https://", "http://"):
        new_session.mount(scheme, HTTPAdapter(max_retries=retry))
    bound_answers(new_session)
    keep_requests(new_session)
    return new_session


def keep_requests(session: requests.Session) -> None:
    """Let no request of a session be answered by somebody else than was asked.

    A write that is sent elsewhere as a read has an answer that is no word on it: so does a proxy
    that wants a login, where the page is there and nothing was written. What another host, or the
    same one without TLS, says is no word of the server's either, and requests takes `Authorization`
    away on the way there, and no other header with a key.
    """

    def refuse_redirect(response: requests.Response, **_: object) -> None:
        request, target = response.request, session.get_redirect_target(response)
        if response.status_code in _BECOMES_A_READ and request.method not in _READS:
            why = f"a {request.method} is led elsewhere"
        elif target and _leads_away(session, request.url or "", target):
            why = f"the server leads to {origin_of(target)}, which is not asked"
        else:
            return
        response.close()
        raise requests.RequestException(f"{response.status_code}: {why}")

    session.hooks["response"].append(refuse_redirect)


def _leads_away(session: requests.Session, url: str, target: str) -> bool:
    """Whether requests would take the credentials from a request that is led there."""
    try:
        return session.should_strip_auth(url, urljoin(url, target))
    except ValueError:  # no URL at all
        return True


def origin_of(url: str) -> str:
    """Scheme, host and port of a URL: what is behind them, and a user before, may be secret."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "what is no URL"
    return f"{parts.scheme}://{parts.hostname or ''}{port}"


def answer_to_write(answer: requests.Response) -> Mapping[str, Any] | None:
    """What a server says to a write that it took; nothing is an empty object.

    None: it is no JSON object, so somebody else has answered, such as a proxy with a page.
    """
    try:
        body = answer.json() if answer.content else {}
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) else None


def tells_failure(body: Mapping[str, Any]) -> bool:
    """Whether what came with a status of success is an error all the same, as of a gateway."""
    return "error" in body or {"code", "message"} <= body.keys()


class JsonClient:
    """Asks a server for JSON objects, and sends it some; connects when it is first asked.

    Args:
        uri: Of the server; paths are added to it.
        token: Sent as a bearer token.
        timeout: Seconds for connecting and for each answer.
    """

    def __init__(self, uri: str, *, token: Secret | None, timeout: float) -> None:
        self._uri, self._token, self._timeout = uri.rstrip("/"), token, timeout
        self._session: requests.Session | None = None

    def close(self) -> None:
        """Close the connections; the next call opens others."""
        if self._session is not None:
            self._session.close()
        self._session = None

    def get(self, path: str, **parameters: str | int) -> Mapping[str, Any]:
        """The JSON object at a path.

        Raises:
            BelvedereError: There is none, the server refuses, or it does not answer.
        """
        answer = self._request("GET", path, params=parameters)
        try:
            body = answer.json()
        except (ValueError, RecursionError) as error:
            raise ReadError(f"{path}: the answer is no JSON: {type(error).__name__}") from error
        if not isinstance(body, dict):
            raise ReadError(f"{path}: the answer is no JSON object")
        return body

    def send(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> None:
        """Send a JSON object; a POST is sent once.

        Raises:
            BelvedereError: It is refused, or nobody knows whether it was done.
        """
        answer = self._request(method, path, json=body)
        said = answer_to_write(answer)
        if said is None or tells_failure(said):
            raise ServerFailedError(f"{path}: {answer.status_code}, and no answer to a write")

    def _request(self, method: str, path: str, **keywords: object) -> requests.Response:
        request: Any = self._open_session().request
        try:
            answer: requests.Response = request(
                method, self._uri + path, timeout=self._timeout, **keywords
            )
        except requests.RequestException as error:
            raise UnreachableError(f"{self._uri}: {error}") from error
        if not answer.ok:
            raise _our_error(path, answer)
        return answer

    def _open_session(self) -> requests.Session:
        if self._session is None:
            token = self._token
            self._session = session(f"Bearer {token.reveal()}" if token is not None else None)
        return self._session


def _our_error(path: str, answer: requests.Response) -> BelvedereError:
    """Our error for a status, with the server's own message.

    A status alone never says that something is not there: a proxy may have answered. Paimon's
    errors say what of and with which code (`ErrorResponse`, 1.3).
    """
    try:
        body = answer.json()
        reason = str(body["message"])
        is_own = "resourceType" in body  # a gateway's has a code, too
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        reason, is_own = answer.reason or "", False
    message = f"{path}: {answer.status_code} {reason}".rstrip() + later(answer)
    if answer.status_code in _DENIED:
        return DeniedError(message)
    if answer.status_code == _GONE:
        return NoSuchResourceError(message) if is_own else ReadError(message, hint=_NO_WORD)
    if answer.status_code == _TAKEN:
        return ResourceExistsError(message)
    if answer.status_code in AWAY:
        return GatewayFailedError(message)
    if answer.status_code >= 500:
        return ServerFailedError(message)
    if answer.status_code == BUSY:
        return UnreachableError(message, hint=LIMITED)
    return ReadError(message)
