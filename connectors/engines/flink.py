"""A Flink behind its SQL gateway, asked by the gateway's REST API (Flink 1.20, API v1 and later).

A session of its own in each mode; in it, each statement is an operation whose result is fetched
until there is one, and which is closed then. An error of a statement comes as the status 500 with
Java's trace.
"""

import json
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

import requests

from connectors.clients.bounds import Deadline
from connectors.engines.asker import AskedOptions, Asker, json_object, open_session
from discovery.errors import BelvedereError, ConfigurationError, ReadError
from discovery.judging.asking import LiveEngine, Reply
from discovery.judging.refusals import Refusal, beside_flinks_view

_MODES: Final = ("batch", "streaming")
_POLL: Final = 0.05  # seconds before a result is asked for again; doubled each time
_LONGEST_POLL: Final = 1.0
_FAILED: Final = 500
_PAGES: Final = 1_000
_LONGEST: Final = 400_000  # characters of a trace that are looked at
_OURS: Final = "org.apache.flink.table.gateway."
"""Exceptions of the gateway, which say that an operation failed, and not why."""
_THROWN: Final = re.compile(
    r"^(?:Caused by: )?((?:[a-z_]\w*\.)+[A-Z]\w*)"
    r"(?:: (.*(?:\n(?!\tat |\t\.\.\. |Caused by: ).*)*))?",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(AskedOptions):
    """How a Flink is asked.

    Attributes:
        gateway: `http://host:port` or `https://host:port` of its SQL gateway. The catalogs are
            those that each session of it has, as from its catalog store.
    """

    gateway: str

    def __post_init__(self) -> None:
        if not re.fullmatch(r"https?://[^/@?#\s]+/?", self.gateway):
            hint = "write gateway: http://host:port"
            raise ConfigurationError("the gateway is not of the form http://host:port", hint=hint)


class FlinkGateway(LiveEngine):
    """A Flink behind its SQL gateway.

    Args:
        options: How it is asked.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._url = f"{options.gateway.rstrip('/')}/v1"
        self._asker = Asker(self._make_http_session, options.timeout)
        self._sessions: dict[str, str] = {}
        self._opening = threading.Lock()
        self.connections = options.connections
        self.rate: float | None = options.rate

    def close(self) -> None:
        """Close the sessions, and the connections; the next call opens others."""
        for session in self._sessions.values():
            self._asker.forget(session)
        self._sessions.clear()
        self._asker.close()

    def version(self) -> str:
        """See `LiveEngine`."""
        info = self._asker.json("GET", f"{self._url}/info", self._asker.deadline())
        version = info.get("version")
        if "Flink" not in str(info.get("productName")) or not isinstance(version, str):
            raise ReadError("what answers there is no SQL gateway of Flink")
        return version

    def ask(self, statement: str) -> Reply:
        """See `LiveEngine`. What a session in either mode takes is accepted.

        Each plans what the other does not: sorts and unbounded tables (1.20.5, 2.3.0). So what one
        refuses is refused only where the other has said that of the view, too.
        """
        first = self._ask_in(_MODES[0], statement)
        if first.refusal is None:
            return first
        other = self._ask_in(_MODES[1], statement)
        heard = other.refusal is not None and not beside_flinks_view(other.refusal)
        return first if heard else other

    def _ask_in(self, mode: str, statement: str) -> Reply:
        """What a session in a mode answers."""
        deadline = self._asker.deadline()
        session = self._open_session(mode, deadline)
        body = json.dumps({"statement": statement})
        made = self._asker.json("POST", f"{session}/statements", deadline, body)
        query = _handle(made, "operationHandle")
        operation = f"{session}/operations/{quote(query, safe='')}"
        try:
            return self._fetch_result(query, operation, deadline)
        except BelvedereError as error:
            error.where["query"] = query
            raise
        finally:
            self._asker.forget(f"{operation}/close")

    def _fetch_result(self, query: str, operation: str, deadline: Deadline) -> Reply:
        """All pages of a result."""
        rows: list[Any] = []
        token, pause = 0, _POLL
        while token < _PAGES:
            place = f"{operation}/result/{token}?rowFormat=JSON"
            answer = self._asker.answer("GET", place, deadline)
            if answer.status_code == _FAILED:
                return Reply(query, refusal=_refusal(answer))
            page = json_object(answer)
            match page.get("resultType"):
                case "NOT_READY":
                    self._asker.pause(pause, deadline)
                    pause = min(pause * 2, _LONGEST_POLL)
                    continue
                case "PAYLOAD":
                    rows += _rows(page)
                case "EOS":
                    return Reply(query, tuple(rows))
                case _:
                    raise ReadError("the gateway's answer is no result")
            token += 1
        raise ReadError("the result does not end")

    def _open_session(self, mode: str, deadline: Deadline) -> str:
        """The address of our session in a mode."""
        with self._opening:
            if mode not in self._sessions:
                properties = {"execution.runtime-mode": mode}
                body = json.dumps({"sessionName": "belvedere", "properties": properties})
                answer = self._asker.json("POST", f"{self._url}/sessions", deadline, body)
                handle = quote(_handle(answer, "sessionHandle"), safe="")
                self._sessions[mode] = f"{self._url}/sessions/{handle}"
            return self._sessions[mode]

    def _make_http_session(self) -> requests.Session:
        session = open_session(self._options)
        session.headers["Content-Type"] = "application/json"
        return session


def _handle(answer: Mapping[str, Any], name: str) -> str:
    handle = answer.get(name)
    if not isinstance(handle, str) or not handle:
        raise ReadError(f"the gateway's answer has no {name}")
    return handle


def _rows(page: Mapping[str, Any]) -> list[Any]:
    results = page.get("results")
    data = results.get("data") if isinstance(results, dict) else None
    rows = data if isinstance(data, list) else [None]
    fields = [row.get("fields") if isinstance(row, dict) else None for row in rows]
    if not all(isinstance(field, list) for field in fields):
        raise ReadError("the rows that the gateway answered are none")
    return fields


def _refusal(answer: requests.Response) -> Refusal:
    """What a statement failed of: the first that the trace has which is not of the gateway itself.

    Raises:
        ReadError: There is no trace.
    """
    try:
        trace = answer.json()["errors"][-1]
    except (ValueError, RecursionError, LookupError, TypeError) as error:
        raise ReadError("what the gateway answered is no error of a statement") from error
    text = str(trace)[:_LONGEST].replace("<Exception on server side:\n", "")
    thrown = [(name, message or "") for name, message in _THROWN.findall(text)]
    relevant = [thrown_class for thrown_class in thrown if not thrown_class[0].startswith(_OURS)]
    if not relevant:
        raise ReadError("the gateway failed, and does not say of what")
    (name, message), *causes = relevant
    return Refusal(name, "", message.strip(), tuple((cause, "") for cause, _ in causes))
