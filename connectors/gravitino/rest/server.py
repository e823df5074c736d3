"""Gravitino's REST API: requests, and what its answers mean.

Reads are asked again when the server fails or does not answer. Writes are not: whether one took
effect is for the store to find out.
"""

import time
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar
from urllib.parse import quote

import requests

from connectors.clients import rest
from connectors.clients.credentials import redacted
from connectors.clients.rest import NoSuchResourceError, Patient
from connectors.gravitino.rest.options import Options
from discovery.errors import (
    BelvedereError,
    CollisionError,
    DeniedError,
    MovedError,
    NotHeldError,
    ReadError,
    StoreError,
    UnreachableError,
)

Done = TypeVar("Done")

_RETRY: Final = Patient(
    total=3,
    connect=1,
    backoff_factor=0.2,
    status_forcelist=(429, 500, 502, 503, 504),
    allowed_methods=("GET",),
    raise_on_status=False,  # the last answer has the server's message
)
_PAUSES: Final = (0.2, 0.6)  # seconds before a write is tried again
_HEADERS: Final = {"Accept": "application/vnd.gravitino.v1+json"}


class BrokenError(StoreError):
    """The server failed, or what it said makes no sense: a write may have taken effect or not."""


class ExistsError(CollisionError):
    """The name is taken, by a view or by something else."""


NOBODY: Final = "belvedere-asks-whether-it-may-see-all"
"""A name that nothing has: who may see all is told so, others are not told anything (403)."""


class ForbiddenError(DeniedError):
    """The user may not see it, if it is there at all: a server need not say which (1.3.1)."""


class NonEmptyError(StoreError):
    """It holds something."""


_UNSURE: Final = (UnreachableError, BrokenError)
_REFUSED: Final = (ExistsError, NoSuchResourceError)  # for good, unless what was wanted is there


_MEANT: Final[Mapping[int, tuple[type[BelvedereError], str]]] = {
    1001: (StoreError, "The server refuses what was sent; its message says why."),
    1002: (BrokenError, "The server's log has the cause."),
    1003: (NoSuchResourceError, "Was it removed meanwhile?"),
    1004: (ExistsError, "Rename one of the two, or map the view to another name."),
    1005: (NonEmptyError, "Nothing that holds something is removed."),
    1006: (NotHeldError, "The catalog's provider cannot do this in the server's version."),
    1007: (UnreachableError, "Does the system behind the catalog run, and do its properties fit?"),
    1008: (ForbiddenError, "Grant the user the right."),
    1009: (StoreError, "Enable the metalake and the catalog in Gravitino."),
    1011: (DeniedError, "Do user, password or token fit the server's authenticator?"),
    1012: (MovedError, ""),
}
"""Gravitino's error codes (1.3; 1012 is of 2.0): our error, and a hint."""


def persist(write: Callable[[], Done], look: Callable[[bool], Done | None]) -> Done:
    """Write; where it is not known whether that took effect, look, and write again only if not.

    Args:
        write: Sends one request.
        look: What to answer as things are now; None if the write is still to be done. It is told
            whether a request of ours may have taken effect.

    Raises:
        BelvedereError: The server refuses, or did not answer in several attempts.
    """
    unsure = False
    for pause in (*_PAUSES, None):
        try:
            return write()
        except (*_UNSURE, *_REFUSED, MovedError) as error:
            why: BelvedereError = error
        unsure = unsure or isinstance(why, _UNSURE)
        outcome = _look(look, unsure)
        if outcome is not None:
            return outcome
        if pause is None or isinstance(why, _REFUSED):
            raise why
        time.sleep(pause)
    raise AssertionError  # the last attempt has raised


def _look(look: Callable[[bool], Done | None], unsure: bool) -> Done | None:
    try:
        return look(unsure)
    except UnreachableError as error:
        if unsure:
            why = f"{error}; whether the write took effect is not known"
            raise UnreachableError(why, hint="apply again: what is there is left alone") from error
        raise


class GravitinoServer:
    """A Gravitino server; several threads may ask it at a time."""

    def __init__(self, options: Options) -> None:
        self._base, self._timeout = f"{options.uri.rstrip('/')}/api", options.timeout
        self._secrets = options.secrets
        self._session = rest.session(_authorization(options), _RETRY)
        self._session.headers.update(_HEADERS)
        if options.ca_file is not None:
            self._session.verify = options.ca_file

    def close(self) -> None:
        """Close the connections; the next call opens others."""
        self._session.close()

    def get(self, *path: str, **parameters: str) -> Mapping[str, Any]:
        """What the server says of a path."""
        return self.call("GET", path, parameters=parameters)

    def names(self, path: tuple[str, ...], **parameters: str) -> list[str]:
        """The names of what a path lists.

        Raises:
            ReadError: The answer is no list.
        """
        answer = self.get(*path, **parameters)
        try:
            names = sorted(identifier["name"] for identifier in answer["identifiers"])
        except (KeyError, TypeError) as error:
            raise ReadError(f"{'/'.join(path)}: the answer is no list of names") from error
        if not all(isinstance(name, str) for name in names):
            raise ReadError(f"{'/'.join(path)}: the answer is no list of names")
        return names

    def call(
        self,
        method: str,
        path: tuple[str, ...],
        body: Mapping[str, Any] | None = None,
        parameters: Mapping[str, str] | None = None,
    ) -> Mapping[str, Any]:
        """The JSON object that a request is answered with.

        Args:
            method: Of HTTP.
            path: Its parts behind `/api`, as they are.
            body: Sent as JSON.
            parameters: Of the query.

        Raises:
            BelvedereError: The server refuses, fails or does not answer; says which.
        """
        place = path_of(path)
        try:
            answer = self._session.request(
                method,
                f"{self._base}/{place}",
                params=parameters,
                json=body,
                timeout=self._timeout,
                allow_redirects=False,  # a write that is sent elsewhere would become a read
            )
        except requests.RequestException as error:
            raise UnreachableError(redacted(f"{self._base}: {error}", self._secrets)) from error
        return self._parse_answer(place, answer)

    def _parse_answer(self, place: str, answer: requests.Response) -> Mapping[str, Any]:
        try:
            body = answer.json()
        except (ValueError, RecursionError):
            body = None
        if isinstance(body, dict) and answer.status_code < 300 and body.get("code") == 0:
            return body
        raise self._our_error(place, answer, body if isinstance(body, dict) else {})

    def _our_error(
        self, place: str, answer: requests.Response, body: Mapping[str, Any]
    ) -> BelvedereError:
        """Our error for an answer, with the server's own message.

        A status alone never says that something is not there: a proxy may have answered.
        """
        code, status = body.get("code"), answer.status_code
        reason = body.get("message") or f"{status} {answer.reason}"
        message = redacted(f"{place}: {reason}", self._secrets)
        if isinstance(code, int) and code in _MEANT:
            kind, hint = _MEANT[code]
            return kind(message, hint=hint)
        if status in {401, 403}:
            return DeniedError(message, hint=_MEANT[1011][1])
        if status in {rest.BUSY, 502, 503, 504}:
            hint = rest.LIMITED if status == rest.BUSY else ""
            return UnreachableError(message + rest.later(answer), hint=hint)
        if status >= 500 or status < 300:
            return BrokenError(f"{message}: no answer of Gravitino's")
        hint = "is the uri that of Gravitino, without /api?"
        return ReadError(f"{message}: no answer of Gravitino's", hint=hint)


def path_of(parts: Sequence[str]) -> str:
    """A path of these parts, whatever they are spelled with.

    Raises:
        NotHeldError: One would lead elsewhere: `DELETE roles/..` is taken for the metalake (1.3.0).
    """
    if odd := rest.LEADING_ELSEWHERE & {*parts}:
        raise NotHeldError(f"the name {min(odd)!r} cannot stand in a path")
    return "/".join(quote(part, safe="") for part in parts)


def _authorization(options: Options) -> str | None:
    """Bearer token; user and password; a user alone, which the authenticator `simple` takes."""
    if options.token is not None:
        return f"Bearer {options.token.reveal()}"
    if options.user is None:
        return None
    password = options.password.reveal() if options.password is not None else "dummy"
    return f"Basic {b64encode(f'{options.user}:{password}'.encode()).decode()}"
