"""Where an engine is asked of views: in turns, from several threads, no longer than it answers."""

import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime

from connectors.clients.credentials import Secret, redacted
from connectors.registry import Connector
from discovery.errors import BelvedereError
from discovery.judging.asking import (
    DIALOGUES,
    Answered,
    Dialogue,
    Endurance,
    LiveEngine,
    LiveVerdict,
    Reply,
    hear,
)
from discovery.judging.same_rows import Alike, RowsAnswer, ShownView, compare_rows
from discovery.model import Identifier
from discovery.pacing.turns import Turns
from discovery.ports import Verdict


class Desk:
    """Where one engine is asked: in turns, and no longer than it answers.

    Args:
        dialogue: How it is asked.
        server: The engine.
        secrets: What no message may show.
    """

    def __init__(self, dialogue: Dialogue, server: LiveEngine, secrets: Sequence[Secret]) -> None:
        self._dialogue, self._server, self._secrets = dialogue, server, secrets
        self._turns, self._patience = Turns(server.rate), Endurance()
        self._noting = threading.Lock()
        self._version: str | None = None
        self._closed = ""

    def open(self) -> None:
        """Ask for the version; where there is none, nothing more is asked."""
        try:
            self._version = self._server.version()
        except BelvedereError as error:
            self._closed = f"not asked: {error.code}: {error.message}"

    def ask_about(self, catalog: str, view: Identifier) -> Answered:
        """What the engine says of a view in one of its catalogs."""
        begun, asked = time.monotonic(), datetime.now(UTC).isoformat(timespec="milliseconds")
        if why := self._closed or self._patience.end:
            heard = LiveVerdict(Verdict(None, why))
        else:
            heard = hear(self._dialogue, catalog, view, self._ask)
        verdict = replace(heard.verdict, message=redacted(heard.verdict.message, self._secrets))
        seconds = round(time.monotonic() - begun, 3)
        return Answered(self._version, verdict, heard.query, asked, seconds)

    def alike(self, source: ShownView, target: ShownView, limit: int) -> RowsAnswer:
        """Whether the engine gets the same rows, of so many, of a view in two of its catalogs."""
        if why := self._closed or self._patience.end:
            return RowsAnswer(Alike.UNKNOWN, why=why)
        rows_answer = compare_rows(self._dialogue, source, target, limit, self._ask)
        return rows_answer._replace(
            why=rows_answer.why and redacted(rows_answer.why, self._secrets)
        )

    def _ask(self, statement: str) -> Reply:
        self._turns.wait()
        try:
            reply = self._server.ask(statement)
        except BelvedereError as error:
            with self._noting:
                self._patience.note(error.message)
            raise
        with self._noting:
            self._patience.note("")
        return reply


@contextmanager
def open_desk(engine: Connector) -> Iterator[tuple[Desk, ThreadPoolExecutor]]:
    """The desk of an engine, and as many threads as it may have statements at a time."""
    with engine.engine() as server, ThreadPoolExecutor(server.connections) as pool:
        desk = Desk(DIALOGUES[engine.kind], server, engine.secrets)
        desk.open()
        yield desk, pool
