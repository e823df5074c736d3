"""HTTP as engines are asked by it: each request until a deadline, asked again where one is busy."""

import re
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

import requests
from urllib3 import Retry

from connectors.clients.bounds import Deadline
from connectors.clients.rest import AWAY, BUSY, session
from discovery.errors import BelvedereError, DeniedError, ReadError, UnreachableError

_ONCE: Final = Retry(0, read=False)
"""No retries of the session's own: what is asked again is decided here, by the deadline."""
_AGAIN: Final = frozenset({BUSY, *AWAY})
_DENIED: Final = frozenset({401, 403})
_PAUSE: Final = 0.1  # seconds before the same is asked again; doubled each time
_LONGEST_PAUSE: Final = 5.0
_FORGETTING: Final = 5.0  # seconds for saying that an answer is not wanted any more


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedOptions:
    """How any engine is asked.

    Attributes:
        ca_file: PEM file of the authority that signed the certificate; without it, those that come
            with the client's package.
        timeout: Seconds for a statement, from sending it to the last of its answer.
        connections: How many statements at a time, over all executors.
        rate: Statements a second at most; a view takes two, of Spark one.
        targets: Catalog of this engine to the target that it shows, for `verify --live`.
        copies: Catalog of this engine to the target whose copy it shows, for `rehearse --live`.
    """

    ca_file: str | None = field(default=None, metadata={"path": True})
    timeout: float = 30.0
    connections: int = 2
    rate: float = 10.0
    targets: Mapping[str, str] = field(default_factory=dict)
    copies: Mapping[str, str] = field(default_factory=dict)


def open_session(options: AskedOptions) -> requests.Session:
    """A session that asks once."""
    new_session = session(None, _ONCE)
    if options.ca_file is not None:
        new_session.verify = options.ca_file
    return new_session


class Asker:
    """Asks one server; several threads may use it.

    Args:
        opened: Makes a session.
        timeout: Seconds for all of a statement.
    """

    def __init__(self, opened: Callable[[], requests.Session], timeout: float) -> None:
        self._open, self._timeout = opened, timeout
        self._session: requests.Session | None = None
        self._opening = threading.Lock()

    def close(self) -> None:
        """Close the connections; the next call opens others."""
        if self._session is not None:
            self._session.close()
        self._session = None

    def deadline(self) -> Deadline:
        """When a statement that begins now must have its answer."""
        return Deadline(self._timeout)

    def json(
        self, method: str, uri: str, deadline: Deadline, body: str | None = None
    ) -> Mapping[str, Any]:
        """The JSON object that is answered in the end.

        Raises:
            BelvedereError: There is none in time, or the server refuses.
        """
        return json_object(self.answer(method, uri, deadline, body))

    def answer(
        self, method: str, uri: str, deadline: Deadline, body: str | None = None
    ) -> requests.Response:
        """What is answered in the end, whatever its status: asked again where that is wanted.

        Raises:
            UnreachableError: There is no answer in time.
        """
        pause = _PAUSE
        while True:
            answer = self._send(method, uri, deadline, body)
            if answer.status_code not in _AGAIN:
                return answer
            self._wait(pause, answer, deadline)
            pause = min(pause * 2, _LONGEST_PAUSE)

    def forget(self, uri: str) -> None:
        """Say that an answer is not wanted any more; nobody waits for what comes of it."""
        with suppress(requests.RequestException, BelvedereError):
            self._open_session().delete(uri, timeout=_FORGETTING, allow_redirects=False)

    def pause(self, seconds: float, deadline: Deadline) -> None:
        """Wait before asking for the same again.

        Raises:
            UnreachableError: That would be too late.
        """
        try:
            enough = deadline.seconds_left() > seconds
        except TimeoutError:
            enough = False
        if not enough:
            self._give_up()
        time.sleep(seconds)

    def _wait(self, pause: float, busy: requests.Response, deadline: Deadline) -> None:
        header = busy.headers.get("Retry-After", "")
        seconds = float(header) if re.fullmatch(r"\d{1,4}", header) else pause
        try:
            self.pause(seconds, deadline)
        except UnreachableError as error:
            why = f"{busy.status_code} {busy.reason or ''}".rstrip()
            raise UnreachableError(f"it answered {why} until the time was over") from error

    def _send(
        self, method: str, uri: str, deadline: Deadline, body: str | None
    ) -> requests.Response:
        try:
            return self._open_session().request(
                method,
                uri,
                data=None if body is None else body.encode(),
                timeout=deadline.seconds_left(),
                allow_redirects=False,
            )
        except (TimeoutError, requests.Timeout):
            self._give_up()
        except requests.RequestException as error:
            raise UnreachableError(f"there was no answer: {_cause(error)}") from error

    def _give_up(self) -> NoReturn:
        raise UnreachableError(f"there was no answer within {self._timeout:g} s") from None

    def _open_session(self) -> requests.Session:
        with self._opening:
            if self._session is None:
                self._session = self._open()
            return self._session


def _cause(error: requests.RequestException) -> str:
    """What is the matter, without the address: urllib3 repeats it with all that was asked."""
    text = str(error)
    return text.rpartition(": ")[2].rstrip(")'\"") or type(error).__name__


def json_object(answer: requests.Response) -> Mapping[str, Any]:
    """The JSON object of an answer.

    Raises:
        BelvedereError: The server refuses, or answers something else.
    """
    status = f"{answer.status_code} {answer.reason or ''}".rstrip()
    if answer.status_code in _DENIED:
        raise DeniedError(f"it refuses us: {status}")
    if answer.status_code != requests.codes.ok:
        raise UnreachableError(f"it answered {status}")
    try:
        body = answer.json()
    except (ValueError, RecursionError) as error:
        raise ReadError("what it answered is no JSON") from error
    if not isinstance(body, dict):
        raise ReadError("what it answered is no JSON object")
    return body
