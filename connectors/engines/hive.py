"""A running HiveServer2, asked by its binary Thrift protocol (met: Hive 2.3.10).

Nothing is run on data: `EXPLAIN` compiles a query, `DESCRIBE` reads the metastore. Hive says what
it finds wrong as the text of an exception, whose class tells what it is about. The connection is
that of the metastore's client, whose answers end; of impyla there are but Hive's own structures,
as its sockets stay open where a login fails.
"""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from queue import Empty, LifoQueue
from typing import Any, Final, Literal

from impala._thrift_gen.TCLIService import TCLIService, ttypes
from thrift.protocol.TBinaryProtocol import TBinaryProtocolAccelerated
from thrift.Thrift import TException
from thrift.transport.TTransport import TTransportException

from connectors.clients.bounds import Deadline
from connectors.clients.credentials import Secret
from connectors.clients.thrift.login import MetastoreLogin, transport_to
from connectors.engines.asker import AskedOptions
from discovery.errors import BelvedereError, ConfigurationError, ReadError, UnreachableError
from discovery.judging.asking import LiveEngine, Reply
from discovery.judging.refusals import Refusal

_NOBODYS: Final = "anonymous"
"""A password where the server looks at none: an empty one it refuses; its own driver says this."""
_POLL: Final = 0.02  # seconds before it is asked again whether it is done; doubled each time
_LONGEST_POLL: Final = 1.0
_FORGETTING: Final = 5.0  # seconds for saying that a session is not wanted any more
_ROWS: Final = 20_000  # of an answer: neither a plan nor columns are more
_AT_WORK: Final = frozenset(
    {
        ttypes.TOperationState.INITIALIZED_STATE,
        ttypes.TOperationState.PENDING_STATE,
        ttypes.TOperationState.RUNNING_STATE,
    }
)
_FINE: Final = frozenset(
    {ttypes.TStatusCode.SUCCESS_STATUS, ttypes.TStatusCode.SUCCESS_WITH_INFO_STATUS}
)
_FAILED: Final = re.compile(
    r"FAILED: (?:(?P<name>\w+(?:Exception|Error))\b:?\s*)?(?:\[Error (?P<number>\d+)\]:\s*)?"
    r"(?P<told>.*)",
    re.DOTALL,
)
_TRACE: Final = re.compile(r"\n\s+at .*", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(AskedOptions):
    """How a HiveServer2 is asked.

    Attributes:
        thrift: `thrift://host:port` of its binary protocol; that is not the metastore's.
        authentication: `plain`, as the server expects it where it says NONE, LDAP, PAM or CUSTOM;
            `none` where it says NOSASL.
        user: Who asks; it needs the right to read the views.
        password: By reference, where the server looks at one.
        tls: Whether it is spoken to by TLS.
    """

    thrift: str
    authentication: Literal["plain", "none"] = "plain"
    user: str = "belvedere"
    password: Secret | None = None
    tls: bool = False

    def __post_init__(self) -> None:
        if not re.fullmatch(r"thrift://[^/@?#\s,:]+:\d{1,5}/?", self.thrift):
            hint = "write thrift: thrift://host:port, the rest beside it"
            raise ConfigurationError("thrift is not of the form thrift://host:port", hint=hint)
        if self.password is not None and self.authentication == "none":
            raise ConfigurationError("a password means nothing without authentication: plain")
        self.login()

    def login(self) -> MetastoreLogin:
        """The same as the client of the metastore takes it.

        Raises:
            ConfigurationError: Options do not go together.
        """
        is_plain = self.authentication == "plain"
        return MetastoreLogin(
            uri=self.thrift,
            timeout=self.timeout,
            tls=self.tls,
            ca_file=self.ca_file,
            authentication=self.authentication,
            user=self.user if is_plain else None,
            password=(self.password or Secret(_NOBODYS)) if is_plain else None,
        )


class HiveServer(LiveEngine):
    """A running HiveServer2. A statement has a session to itself as long as it takes.

    Args:
        options: How it is asked.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._free: LifoQueue[_Session] = LifoQueue()
        self.connections = options.connections
        self.rate: float | None = options.rate

    def close(self) -> None:
        """Close the sessions; the next call opens others."""
        with suppress(Empty):
            while True:
                self._free.get_nowait().close()

    def version(self) -> str:
        """See `LiveEngine`."""
        reply = self.ask("SELECT version()")
        if reply.refusal is not None or not reply.rows:
            raise ReadError("what answers there does not say which Hive it is")
        return str(reply.rows[0][0]).partition(" ")[0]

    def ask(self, statement: str) -> Reply:
        """See `LiveEngine`."""
        deadline = Deadline(self._options.timeout)
        with _answer_errors(self._options.timeout), self._borrow_session(deadline) as session:
            try:
                return Reply("", tuple(session.rows(statement, deadline)))
            except _RefusedError as error:
                if (refusal := _refusal(str(error))) is None:
                    raise
                return Reply("", refusal=refusal)

    @contextmanager
    def _borrow_session(self, deadline: Deadline) -> Iterator["_Session"]:
        """A session that nobody else uses; one in which something went wrong is not used again."""
        try:
            session = self._free.get_nowait()
        except Empty:
            session = _Session(self._options, deadline)
        try:
            yield session
        except BaseException:
            session.close()
            raise
        self._free.put(session)


class _RefusedError(Exception):
    """What the server says instead of doing something."""


class _Session:
    """A connection with one session of Hive's.

    Args:
        options: How the server is asked.
        deadline: Until when it is to be open.
    """

    def __init__(self, options: Options, deadline: Deadline) -> None:
        login = options.login()
        self._transport = transport_to(login.endpoints()[0], login, deadline.seconds_left())
        self._client = TCLIService.Client(TBinaryProtocolAccelerated(self._transport))
        version = ttypes.TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V6  # of Hive 0.13: by columns
        request = ttypes.TOpenSessionReq(client_protocol=version, username=options.user)
        try:
            self._handle = self._ask(self._client.OpenSession, request, deadline).sessionHandle
        except BaseException:
            self._transport.close()
            raise

    def close(self) -> None:
        """Close both; a server that does not answer is not waited for long."""
        self._transport.timeout = min(self._transport.timeout, _FORGETTING)
        with suppress(TException, BelvedereError, OSError, ValueError, EOFError):
            self._client.CloseSession(ttypes.TCloseSessionReq(self._handle))
        self._transport.close()

    def rows(self, statement: str, deadline: Deadline) -> Sequence[Sequence[Any]]:
        """What a statement returns.

        Raises:
            _RefusedError: The server's error.
            TimeoutError: It takes too long.
        """
        request = ttypes.TExecuteStatementReq(self._handle, statement, runAsync=True)
        handle = self._ask(self._client.ExecuteStatement, request, deadline).operationHandle
        try:
            self._wait(handle, deadline)
            rows = self._fetch(handle, deadline) if handle.hasResultSet else ()
        except _RefusedError:
            self._client.CloseOperation(ttypes.TCloseOperationReq(handle))
            raise
        self._client.CloseOperation(ttypes.TCloseOperationReq(handle))
        return rows

    def _wait(self, handle: Any, deadline: Deadline) -> None:  # noqa: ANN401 - Thrift has no types
        """Until it is done."""
        request, pause = ttypes.TGetOperationStatusReq(handle), _POLL
        while True:
            status = self._ask(self._client.GetOperationStatus, request, deadline)
            if status.operationState not in _AT_WORK:
                break
            time.sleep(min(pause, deadline.seconds_left()))
            pause = min(pause * 2, _LONGEST_POLL)
        if status.operationState != ttypes.TOperationState.FINISHED_STATE:
            raise _RefusedError(status.errorMessage or "it did not finish the statement")

    def _fetch(self, handle: Any, deadline: Deadline) -> Sequence[Sequence[Any]]:  # noqa: ANN401 - Thrift has no types
        """The rows of what is done."""
        wanted = ttypes.TFetchResultsReq(handle, ttypes.TFetchOrientation.FETCH_NEXT, _ROWS)
        answer = self._ask(self._client.FetchResults, wanted, deadline)
        return rows_of(answer.results.columns or ())

    def _ask(self, method: Callable[[Any], Any], request: Any, deadline: Deadline) -> Any:  # noqa: ANN401 - Thrift has no types
        """What the server answers in the time that is left.

        Raises:
            _RefusedError: What went wrong there.
            TimeoutError: No time is left.
        """
        self._transport.timeout = deadline.seconds_left()
        answer = method(request)
        if answer.status.statusCode not in _FINE:
            raise _RefusedError(answer.status.errorMessage or "it does not say why")
        return answer


def rows_of(columns: Sequence[Any]) -> list[tuple[Any, ...]]:
    """The rows of columns as Thrift has them: texts, numbers and truths, each with its type.

    Args:
        columns: Each a `TColumn`, of whose members for types one is there.

    Raises:
        ValueError: They are not as long as each other.
    """
    values_of_columns = []
    for column in columns:
        members = [member for member in vars(column).values() if member is not None]
        values_of_columns.append([value for member in members for value in _values(member)])
    return list(zip(*values_of_columns, strict=True))


def _values(member: Any) -> Iterator[Any]:  # noqa: ANN401 - Thrift has no types
    for place, value in enumerate(member.values):
        yield None if _has_bit(member.nulls, place) else _text(value)


def _has_bit(bits: bytes, place: int) -> bool:
    return place // 8 < len(bits) and bool(bits[place // 8] >> place % 8 & 1)


def _text(value: Any) -> Any:  # noqa: ANN401 - of any column
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


@contextmanager
def _answer_errors(timeout: float) -> Iterator[None]:
    """What Thrift and sockets raise where there is no answer, in our words.

    Raises:
        BelvedereError: There is none.
    """
    too_late = f"there was no answer within {timeout:g} s"
    try:
        yield
    except TimeoutError:
        raise UnreachableError(too_late) from None
    except (TTransportException, OSError, EOFError) as error:
        raise UnreachableError(f"there was no answer: {_first_line(error)}") from error
    except _RefusedError as error:
        raise UnreachableError(f"it failed: {_first_line(error)}") from error
    except (TException, ValueError, AttributeError, TypeError) as error:
        raise ReadError(f"what answers there is no HiveServer2: {_first_line(error)}") from error


def _refusal(message: str) -> Refusal | None:
    """Hive's error of a statement; None: it is about something else.

    Its kind is Hive's number of it, such as 10001: there is no such table.
    """
    match = _FAILED.search(_TRACE.sub("", message))
    if match is None:
        return None
    return Refusal(match["name"] or "", match["number"] or "", match["told"].strip())


def _first_line(error: Exception) -> str:
    """The first line of what an error says."""
    return str(error).partition("\n")[0] or type(error).__name__
