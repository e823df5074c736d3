"""A running Trino, asked by its own protocol over HTTP (`/v1/statement`, Trino's client REST API).

A statement is posted, and what the answer calls next is fetched until there is no next. 429, 502,
503 and 504 mean: ask again soon. Whatever else comes between is no answer, and is told so; what was
begun is then canceled.
"""

import base64
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import requests

from connectors.clients.credentials import Secret
from connectors.engines.asker import AskedOptions, Asker, open_session
from discovery.addresses import USUAL_PORTS
from discovery.errors import (
    BelvedereError,
    ConfigurationError,
    ReadError,
    UnreachableError,
)
from discovery.judging.asking import LiveEngine, Reply
from discovery.judging.refusals import Refusal

_CAUSES: Final = 20  # of an error, that are looked at
_ROWS: Final = 100_000  # columns of a view, by far


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(AskedOptions):
    """How a running Trino is asked.

    Attributes:
        url: `http://host:port` or `https://host:port` of the coordinator.
        user: Who asks; it needs the right to select from the views.
        password: Of the user, by reference; over HTTPS.
        token: JSON web token or OAuth2 access token, by reference; over HTTPS.
    """

    url: str
    user: str = "belvedere"
    password: Secret | None = None
    token: Secret | None = None

    def __post_init__(self) -> None:
        if not re.fullmatch(r"https?://[^/@?#\s]+/?", self.url):
            hint = "write url: http://host:port, and user, password or token beside it"
            raise ConfigurationError("the url is not of the form http://host:port", hint=hint)
        if not re.fullmatch(r"[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?", self.user):
            raise ConfigurationError("the user is no name that fits into a header of HTTP")
        if self.password is not None and self.token is not None:
            raise ConfigurationError("both a password and a token are given", hint="take one")
        secret = self.password is not None or self.token is not None
        if secret and urlsplit(self.url).scheme == "http" and not _is_here(self.url):
            hint = "write url: https://host:port"
            raise ConfigurationError("a password or token would go over plain HTTP", hint=hint)


def _is_here(url: str) -> bool:
    return urlsplit(url).hostname in {"localhost", "127.0.0.1", "::1"}


class TrinoServer(LiveEngine):
    """A running Trino.

    Args:
        options: How it is asked.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._url = options.url.rstrip("/")
        self._asker = Asker(self._make_http_session, options.timeout)
        self.connections = options.connections
        self.rate: float | None = options.rate

    def close(self) -> None:
        """Close the connections; the next call opens others."""
        self._asker.close()

    def version(self) -> str:
        """See `LiveEngine`."""
        info = self._asker.json("GET", f"{self._url}/v1/info", self._asker.deadline())
        node = info.get("nodeVersion")
        version = node.get("version") if isinstance(node, dict) else None
        if not isinstance(version, str):
            raise ReadError("what answers there is no Trino: it does not say its version")
        if info.get("starting") is True:
            raise UnreachableError("Trino is starting")
        return version

    def ask(self, statement: str) -> Reply:
        """See `LiveEngine`."""
        deadline = self._asker.deadline()
        query, following = "", None
        rows: list[Any] = []
        try:
            answer = self._asker.json("POST", f"{self._url}/v1/statement", deadline, statement)
            while True:
                query = str(answer.get("id") or query)
                following = self._next_uri(answer)
                if answer.get("error") is not None:
                    return Reply(query, refusal=_refusal(answer["error"]))
                rows += _rows(answer)
                if following is None:
                    return Reply(query, tuple(rows))
                if len(rows) > _ROWS:
                    raise ReadError("the answer has more rows than any view has columns")
                answer = self._asker.json("GET", following, deadline)
        except BelvedereError as error:
            if following is not None:
                self._asker.forget(following)
            if query:
                error.where["query"] = query
            raise

    def _next_uri(self, answer: Mapping[str, Any]) -> str | None:
        """Where the rest of an answer is: at the same server, as credentials go there."""
        uri = answer.get("nextUri")
        if uri is None:
            return None
        if not isinstance(uri, str) or _place_of(uri) != _place_of(self._url):
            raise UnreachableError(
                "the server has its answer fetched from another address than it was asked at",
                hint="behind a proxy, Trino needs http-server.process-forwarded=true",
            )
        return uri

    def _make_http_session(self) -> requests.Session:
        options = self._options
        session = open_session(options)
        session.headers.update({"X-Trino-User": options.user, "X-Trino-Source": "belvedere"})
        if options.password is not None:
            pair = f"{options.user}:{options.password.reveal()}".encode()
            session.headers["Authorization"] = f"Basic {base64.b64encode(pair).decode()}"
        if options.token is not None:
            session.headers["Authorization"] = f"Bearer {options.token.reveal()}"
        return session


def _rows(answer: Mapping[str, Any]) -> list[Any]:
    data = answer.get("data")
    if data is None:
        return []
    if not isinstance(data, list) or not all(isinstance(row, list) for row in data):
        raise ReadError("the rows that it answered are no lists")
    return data


def _refusal(error: object) -> Refusal:
    """An error of Trino (`QueryError`), with what is behind it."""
    details: Mapping[str, Any] = error if isinstance(error, dict) else {}
    name, kind = str(details.get("errorName") or ""), str(details.get("errorType") or "")
    message = str(details.get("message") or "no message")
    return Refusal(name, kind, message, tuple(_causes(details.get("failureInfo"))))


def _causes(failure: object) -> Iterator[tuple[str, str]]:
    for _ in range(_CAUSES):
        failure = failure.get("cause") if isinstance(failure, dict) else None
        info = failure.get("errorInfo") if isinstance(failure, dict) else None
        if isinstance(info, dict):
            yield str(info.get("name") or ""), str(info.get("type") or "")


def _place_of(url: str) -> tuple[str, str, int | None] | None:
    """Scheme, host and port of a URL, a usual port stated; None: it is none."""
    try:
        parts = urlsplit(url)
        port = parts.port or USUAL_PORTS.get(parts.scheme)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname and "@" not in url else None
