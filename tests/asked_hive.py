"""Views of which a HiveServer2 is asked, what it says of them, and a double that says so.

`tests/recorded/hive_dialogues.json` has what a real Hive 2.3.10 answered;
`tests/live/record_hive_dialogues.py` has asked.
"""

import json
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

# impyla makes them of Hive's own TCLIService.thrift
from impala._thrift_gen.TCLIService import TCLIService, ttypes
from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.transport.TSocket import TSocket
from thrift.transport.TTransport import TBufferedTransport, TTransportException

from discovery.judging.asking import DIALOGUES, statements
from tests.loopback import listening

RECORDED: Final = Path(__file__).parent / "recorded" / "hive_dialogues.json"
DATABASE: Final = "asked"
VERSION: Final = "SELECT version()"
HOSTILE: Final = "we`ird; DROP VIEW v -- é"
MADE: Final = (
    f"CREATE DATABASE {DATABASE}",
    f"CREATE TABLE {DATABASE}.t (id INT, tags MAP<STRING, INT>, name VARCHAR(5))",
    f"CREATE TABLE {DATABASE}.gone (id INT)",
    f"CREATE TABLE {DATABASE}.by_day (id INT) PARTITIONED BY (day STRING)",
    f"CREATE VIEW {DATABASE}.good AS SELECT id AS `Order Id`, name, tags FROM {DATABASE}.t",
    f"CREATE VIEW {DATABASE}.parts PARTITIONED ON (day) AS SELECT id, day FROM {DATABASE}.by_day",
    f"CREATE VIEW {DATABASE}.lost AS SELECT id FROM {DATABASE}.gone",
    f"CREATE VIEW {DATABASE}.on_lost AS SELECT id FROM {DATABASE}.lost",
    f"CREATE VIEW {DATABASE}.broken AS SELECT id, name FROM {DATABASE}.t",
    f"DROP TABLE {DATABASE}.gone",
    f"ALTER TABLE {DATABASE}.t REPLACE COLUMNS (id INT, tags MAP<STRING, INT>)",
    f"CREATE OR REPLACE VIEW {DATABASE}.good AS SELECT id AS `Order Id`, tags FROM {DATABASE}.t",
)
"""What makes the views, and changes what they read."""
SAID: Final[Mapping[str, tuple[bool | None, str]]] = {
    "good": (True, ""),
    "parts": (True, ""),
    "lost": (False, "Table not found 'gone' in definition of VIEW lost"),
    "on_lost": (False, "Table not found 'gone' in definition of VIEW lost"),
    "broken": (False, "Invalid column reference 'name' in definition of VIEW broken"),
    "missing": (None, "it has nothing of that name: see `catalogs`"),
    HOSTILE: (None, "it has nothing of that name: see `catalogs`"),
}
"""Of each view whether it is accepted, and what the message has."""


def asked() -> list[str]:
    """Every statement that is recorded."""
    dialogue = DIALOGUES["hive"]
    places = [("", DATABASE, name) for name in SAID]
    return [VERSION, *(sql for parts in places for sql in statements(dialogue, parts))]


@dataclass
class HiveDouble:
    """A HiveServer2 that answers as the recorded one did; without SASL.

    Attributes:
        faults: Method of the service to what goes wrong in it: an error's text, `hang`, `end` for a
            connection that ends.
        seen: The methods that were called, each with its statement, if it has one.
    """

    faults: Mapping[str, str] = field(default_factory=dict)
    seen: list[tuple[str, str]] = field(default_factory=list)
    _dialogues: Mapping[str, Any] = field(
        default_factory=lambda: json.loads(RECORDED.read_text(encoding="utf-8"))["dialogues"]
    )
    _asked: list[str] = field(default_factory=list)

    def talk(self, client: socket.socket) -> None:
        """With one client."""
        wire = TSocket()
        wire.setHandle(client)
        protocol = TBinaryProtocol(TBufferedTransport(wire))
        processor = TCLIService.Processor(self)
        try:
            while True:
                processor.process(protocol, protocol)
        except TTransportException:
            return

    def __getattr__(self, name: str) -> Callable[[Any], Any]:
        answers: dict[str, Callable[[Any], Any]] = {
            "OpenSession": self._session,
            "ExecuteStatement": self._executed,
            "GetOperationStatus": self._done,
            "GetResultSetMetadata": self._schema,
            "FetchResults": self._rows,
            "CloseOperation": lambda _: ttypes.TCloseOperationResp(_status()),
            "CloseSession": lambda _: ttypes.TCloseSessionResp(_status()),
        }
        if name not in answers:
            raise AttributeError(name)

        def called(request: Any) -> Any:
            self.seen.append((name, getattr(request, "statement", "")))
            match self.faults.get(name):
                case None:
                    return answers[name](request)
                case "hang":
                    time.sleep(5)
                    raise TTransportException
                case "end":
                    raise TTransportException
                case told:
                    return _failed(name, told)

        return called

    def _session(self, _: object) -> Any:
        version = ttypes.TProtocolVersion.HIVE_CLI_SERVICE_PROTOCOL_V6
        handle = ttypes.TSessionHandle(_identifier(0))
        return ttypes.TOpenSessionResp(_status(), version, handle, {})

    def _executed(self, request: Any) -> Any:
        dialogue = self._dialogues[request.statement]
        if "error" in dialogue:
            return ttypes.TExecuteStatementResp(_status(dialogue["error"]))
        self._asked.append(request.statement)
        kind = ttypes.TOperationType.EXECUTE_STATEMENT
        handle = ttypes.TOperationHandle(_identifier(len(self._asked)), kind, True)
        return ttypes.TExecuteStatementResp(_status(), handle)

    def _done(self, _: object) -> Any:
        state = ttypes.TOperationState.FINISHED_STATE
        return ttypes.TGetOperationStatusResp(_status(), state, hasResultSet=True)

    def _schema(self, request: Any) -> Any:
        width = max((len(row) for row in self._of(request)), default=1)
        text = ttypes.TPrimitiveTypeEntry(ttypes.TTypeId.STRING_TYPE)
        kind = ttypes.TTypeDesc([ttypes.TTypeEntry(primitiveEntry=text)])
        columns = [ttypes.TColumnDesc(f"c{n}", kind, n + 1) for n in range(width)]
        return ttypes.TGetResultSetMetadataResp(_status(), ttypes.TTableSchema(columns))

    def _rows(self, request: Any) -> Any:
        columns = []
        for values in zip(*self._of(request), strict=True):
            nulls = sum((value is None) << place for place, value in enumerate(values))
            packed = nulls.to_bytes(len(values) // 8 + 1, "little")
            texts = [(value or "").encode() for value in values]
            columns.append(ttypes.TColumn(stringVal=ttypes.TStringColumn(texts, packed)))
        return ttypes.TFetchResultsResp(_status(), False, ttypes.TRowSet(0, [], columns))

    def _of(self, request: Any) -> list[list[str | None]]:
        """The rows of the statement that a request is about."""
        number = int.from_bytes(request.operationHandle.operationId.guid, "little")
        rows: list[list[str | None]] = self._dialogues[self._asked[number - 1]]["rows"]
        return rows


def _identifier(number: int) -> Any:
    return ttypes.THandleIdentifier(number.to_bytes(16, "little"), b"\0" * 16)


def _status(error: str | None = None) -> Any:
    if error is None:
        return ttypes.TStatus(ttypes.TStatusCode.SUCCESS_STATUS)
    return ttypes.TStatus(ttypes.TStatusCode.ERROR_STATUS, errorMessage=error)


def _failed(method: str, message: str) -> Any:
    if method == "GetOperationStatus":
        state = ttypes.TOperationState.ERROR_STATE
        return ttypes.TGetOperationStatusResp(_status(), state, errorMessage=message)
    return getattr(ttypes, f"T{method}Resp")(_status(message))


@contextmanager
def served(**faults: str) -> Iterator[tuple[HiveDouble, str]]:
    """Serve on loopback as long as the context lasts; the double and its address."""
    double = HiveDouble(faults)
    with listening(double.talk) as port:
        yield double, f"thrift://127.0.0.1:{port}"
