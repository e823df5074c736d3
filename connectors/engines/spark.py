"""A running Spark, asked by Spark Connect (Spark 3.5 and later), with PySpark's own client.

A statement is analyzed and not run: its answer is the names and types of its columns. PySpark has
no deadline for a request, so each is waited for in a thread of its own, and left alone in the end.
"""

import json
import logging
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import grpc
from pyspark.errors import PySparkException
from pyspark.sql.connect.client import DefaultChannelBuilder
from pyspark.sql.connect.session import SparkSession

from connectors.clients.bounded_files import read_bounded
from connectors.clients.bounds import answer_within
from connectors.clients.credentials import Secret
from connectors.engines.asker import AskedOptions
from discovery.errors import (
    BelvedereError,
    ConfigurationError,
    DeniedError,
    ReadError,
    UnreachableError,
)
from discovery.judging.asking import LiveEngine, Reply
from discovery.judging.refusals import Refusal

_CA_BYTES: Final = 64 * 1024 * 1024
_URL: Final = re.compile(r"sc://(?P<at>[^/;@?#\s]+)(/(;use_ssl=(?P<tls>true|false))?)?")
_AT: Final = re.compile(r"\s*(SQLSTATE: \w{5})?;? *(line \d+ pos \d+)?;?$")
_DENIED: Final = re.compile(r"StatusCode\.(UNAUTHENTICATED|PERMISSION_DENIED)")
_DETAILS: Final = re.compile(r'details = "(.*)')
_LOGGERS: Final = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")
"""Loggers that print each error of a statement, with Java's whole trace."""
_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(AskedOptions):
    """How a running Spark is asked.

    Attributes:
        connect: `sc://host:port` of its Spark Connect server, with `/;use_ssl=true` for TLS.
        user: Who asks; it needs the right to read the views.
        token: Bearer token, by reference; over TLS.
    """

    connect: str
    user: str = "belvedere"
    token: Secret | None = None

    def __post_init__(self) -> None:
        if not _URL.fullmatch(self.connect):
            hint = (
                "write connect: sc://host:port or sc://host:port/;use_ssl=true, the rest beside it"
            )
            raise ConfigurationError("connect is not of the form sc://host:port", hint=hint)
        if not re.fullmatch(r"[\w.@+-]+", self.user, re.ASCII):
            raise ConfigurationError("the user is no name of letters, digits and . _ @ + -")
        if not self.has_tls and (self.token is not None or self.ca_file is not None):
            hint = "write connect: sc://host:port/;use_ssl=true"
            raise ConfigurationError("a token and a ca_file are for TLS", hint=hint)

    @property
    def has_tls(self) -> bool:
        """Whether it is spoken to by TLS."""
        match = _URL.fullmatch(self.connect)
        return match is not None and match["tls"] == "true"


class SparkConnect(LiveEngine):
    """A running Spark.

    Args:
        options: How it is asked.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._session: SparkSession | None = None
        self._opening = threading.Lock()
        self.connections = options.connections
        self.rate: float | None = options.rate

    def close(self) -> None:
        """Give the session back; the next call opens another."""
        session, self._session = self._session, None
        if session is not None:
            with suppress(BelvedereError):
                self._ask_in_time(session.stop)

    def version(self) -> str:
        """See `LiveEngine`."""
        return str(self._ask_in_time(lambda: self._open_session().version))

    def ask(self, statement: str) -> Reply:
        """See `LiveEngine`."""
        return self._ask_in_time(lambda: self._analyze(statement))

    def _analyze(self, statement: str) -> Reply:
        session = self._open_session()
        try:
            fields = json.loads(session.sql(statement).schema.json())["fields"]
        except PySparkException as error:
            if not error.getCondition():
                raise
            return Reply(session.session_id, refusal=_refusal(error))
        rows = tuple((field["name"], json.dumps(field)) for field in fields)
        return Reply(session.session_id, rows)

    def _ask_in_time(self, call: Callable[[], _Found]) -> _Found:
        """What a call comes to, if it does so in time.

        Raises:
            BelvedereError: There is no answer, or none in time.
        """
        try:
            return answer_within(self._options.timeout, call)
        except TimeoutError:
            message = f"there was no answer within {self._options.timeout:g} s"
            raise UnreachableError(message) from None
        except (PySparkException, grpc.RpcError) as error:
            raise _silence(error) from error

    def _open_session(self) -> SparkSession:
        with self._opening:
            if self._session is None:
                for name in _LOGGERS:
                    logging.getLogger(name).disabled = True
                session = SparkSession(_Channel(self._options), self._options.user)
                session.client.set_retry_policies([])  # what is asked again is decided elsewhere
                self._session = session
            return self._session


class _Channel(DefaultChannelBuilder):
    """How Spark is reached, with a certificate's authority of one's own.

    Args:
        options: How it is asked.
    """

    def __init__(self, options: Options) -> None:
        token = "" if options.token is None else f"token={options.token.reveal()};"
        tls = "use_ssl=true;" if options.has_tls else ""
        at = options.connect.partition("/;")[0].rstrip("/")
        super().__init__(f"{at}/;{tls}{token}user_agent=belvedere")
        self._ca_file = options.ca_file

    def toChannel(self) -> grpc.Channel:  # noqa: N802 - PySpark's name
        """See `DefaultChannelBuilder`."""
        if self._ca_file is None:
            return super().toChannel()
        try:
            trusted = read_bounded(self._ca_file, _CA_BYTES)
        except OSError as error:
            raise ConfigurationError(f"{self._ca_file}: {error.strerror}") from error
        credentials = grpc.ssl_channel_credentials(root_certificates=trusted)
        if self.token is not None:
            bearer = grpc.access_token_call_credentials(self.token)
            credentials = grpc.composite_channel_credentials(credentials, bearer)
        return self._secure_channel(self.endpoint, credentials)


def _refusal(error: PySparkException) -> Refusal:
    """An error of a statement; in a view, that is a cause of it (`QueryContext.objectType`)."""
    line = str(error).partition("\n")[0]
    message = _AT.sub("", line.removeprefix(f"[{error.getCondition()}]").strip())
    name = str(error.getCondition())
    return Refusal(name, type(error).__name__, message, tuple(_views_of(error)))


def _views_of(error: PySparkException) -> Iterator[tuple[str, str]]:
    for query_context in error.getQueryContext() or ():
        with suppress(PySparkException):  # a context of Python's code has no object
            if query_context.objectType():
                yield str(query_context.objectName()), str(query_context.objectType())


def _silence(error: Any) -> BelvedereError:  # noqa: ANN401 - PySpark's, or gRPC's
    """What it means that there is no answer."""
    text = str(error)
    details = _DETAILS.search(text)
    why = (details[1].rstrip('"') if details else text.partition("\n")[0]).strip()
    if denied := _DENIED.search(text):
        return DeniedError(f"it refuses us: {denied[1]}: {why}")
    if "StatusCode" in text:
        return UnreachableError(f"there was no answer: {why}")
    return ReadError(f"what answers there is no Spark Connect server: {why}")
