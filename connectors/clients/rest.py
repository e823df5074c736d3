"""JSON over HTTP, read-only: a timeout, retries, a token, and our errors."""

from collections.abc import Mapping
from typing import Any, Final

import requests
from requests.adapters import HTTPAdapter
from urllib3 import Retry

from connectors.clients.credentials import Secret
from discovery.errors import BelvedereError, DeniedError, ReadError, UnreachableError

_RETRY: Final = Retry(total=3, backoff_factor=0.3, status_forcelist=(429, 502, 503, 504))
_DENIED: Final = (401, 403)
_GONE: Final = 404
_BUSY: Final = 429


class GoneError(ReadError):
    """The server has no such thing."""


class JsonClient:
    """Asks a server for JSON objects; connects when it is first asked.

    Args:
        uri: Of the server; paths are added to it.
        token: Sent as a bearer token.
        timeout: Seconds for connecting and for each part of an answer.
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
        try:
            answer = self._opened().get(self._uri + path, params=parameters, timeout=self._timeout)
        except requests.RequestException as error:
            raise UnreachableError(f"{self._uri}: {error}") from error
        if not answer.ok:
            raise _meant(path, answer)
        try:
            found = answer.json()
        except ValueError as error:
            raise ReadError(f"{path}: the answer is no JSON: {error}") from error
        if not isinstance(found, dict):
            raise ReadError(f"{path}: the answer is no JSON object")
        return found

    def _opened(self) -> requests.Session:
        if self._session is None:
            self._session = requests.Session()
            self._session.trust_env = False  # or a netrc would replace the token
            self._session.headers["User-Agent"] = "belvedere"
            if self._token is not None:
                self._session.headers["Authorization"] = f"Bearer {self._token.reveal()}"
            for scheme in ("https://", "http://"):
                self._session.mount(scheme, HTTPAdapter(max_retries=_RETRY))
        return self._session


def _meant(path: str, answer: requests.Response) -> BelvedereError:
    """Our error for a status, with the server's own message."""
    try:
        told = str(answer.json()["message"])
    except (KeyError, TypeError, ValueError):
        told = answer.reason or ""
    message = f"{path}: {answer.status_code} {told}".rstrip()
    if answer.status_code in _DENIED:
        return DeniedError(message)
    if answer.status_code == _GONE:
        return GoneError(message)
    if answer.status_code == _BUSY or answer.status_code >= 500:
        return UnreachableError(message)
    return ReadError(message)
