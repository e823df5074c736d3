"""What a running engine is asked of a view where it is, and what its answer proves: grade LIVE.

Nothing that is asked reads rows: a statement is analyzed, and columns are described. What an engine
says for want of rights, time or a metastore is no verdict, and neither is that it does not find the
view: the name under which it was asked is ours.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

from discovery.datatypes import flink, hive, spark, trino
from discovery.engines import Nesting, engine
from discovery.errors import BelvedereError
from discovery.judging.refusals import (
    Refusal,
    beside_flinks_view,
    beside_hives_view,
    beside_sparks_view,
    beside_trinos_view,
)
from discovery.judging.ways import Path
from discovery.model import FLINK, HIVE, SPARK, TRINO, DataType, Identifier
from discovery.ports import Resource, Verdict

LIVE: Final = "LIVE"
"""The grade: the engine was asked of the view where it is stored."""
VERDICT_WORDS: Final[Mapping[bool | None, str]] = {
    True: "accepted",
    False: "rejected",
    None: "not judged",
}
"""What a verdict is called, by `accepted`."""


class Reply(NamedTuple):
    """What an engine answered to a statement.

    Attributes:
        query: Its own name of the query.
        rows: What it returned.
        refusal: Its error; None: there was none.
    """

    query: str
    rows: tuple[Sequence[Any], ...] = ()
    refusal: Refusal | None = None


@runtime_checkable
class LiveEngine(Resource, Protocol):
    """A running engine; the first call connects. Several threads may ask it.

    Attributes:
        connections: How many statements it may have at a time, over all executors.
        rate: How many statements a second at most; None: any.
    """

    connections: int
    rate: float | None

    def version(self) -> str:
        """The version of the engine. Does I/O.

        Raises:
            BelvedereError: It does not answer, or refuses us.
        """

    def ask(self, statement: str) -> Reply:
        """What it answers to one statement, an error of the statement included. Does I/O.

        Raises:
            BelvedereError: There is no answer: it cannot be reached, denies us, takes too long, or
                has gone in the middle.
        """


class LiveVerdict(NamedTuple):
    """What became of asking for a view.

    Attributes:
        verdict: What the engine said; `returns` has the columns, as a list of names and types in
            JSON. Not judged: there was no answer to the question.
        query: The engine's name of the query that decided.
    """

    verdict: Verdict
    query: str | None = None


class Answered(NamedTuple):
    """What an engine said of a view, and when.

    Attributes:
        version: Of the engine; None: it has not said.
        verdict: What it said.
        query: Its name of the query that decided.
        asked: When, in UTC.
        seconds: How long it took, with waiting its turn.
    """

    version: str | None
    verdict: Verdict
    query: str | None
    asked: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogue:
    """How an engine is asked.

    Attributes:
        engine: Its name.
        validates: What has a view analyzed and nothing run; `{}` stands for its name.
        describes: What says its columns; empty: what validates it does.
        beside: What an error is about, if it is not about the view; empty: it is.
        read: A column's type in the engine's words.
        describes_first: Whether only what describes a view tells that it is not there.
        unsayable: Characters that no name in a statement may have, quoted or not.
        samples: Whether it can be asked for rows: whether such a query ends.
        names_catalog: Whether a name in a statement begins with a catalog.
    """

    engine: str
    validates: str
    describes: str
    beside: Callable[[Refusal], str]
    read: Callable[[str], DataType]
    describes_first: bool = False
    unsayable: str = "\0"
    samples: bool = False
    names_catalog: bool = True

    def parts(self, catalog: str, view: Identifier) -> tuple[str, ...] | None:
        """The parts of the name by which the engine knows a view; None: it has no such name."""
        levels = view.namespace
        if engine(self.engine).nesting is Nesting.ONE_NAME:
            levels = (".".join(levels),)
        parts = (catalog, *levels, view.name)
        return parts if len(parts) == _PARTS and all(map(self._may_be_sent, parts)) else None

    def _may_be_sent(self, name: str) -> bool:
        """Whether a name can stand between quotes in a text of UTF-8."""
        unsayable = any(character in name for character in self.unsayable)
        return bool(name) and not unsayable and not _HALVES.search(name)


_PARTS: Final = 3  # catalog, schema, name
_HALVES: Final = re.compile("[\ud800-\udfff]")
_AT: Final = re.compile(r"^line \d+:\d+: ")


def _spark_type(text: str) -> DataType:
    """The type of a field in JSON: char and varchar stand in its metadata."""
    (column,) = spark.columns({"type": "struct", "fields": [json.loads(text)]})
    return column.type


def _flink_type(text: str) -> DataType:
    return flink.parse(text)[0]


_ROWS: Final = (
    Dialogue(
        engine=TRINO,
        validates="EXPLAIN (TYPE VALIDATE) SELECT * FROM {}",
        describes="DESCRIBE {}",
        beside=beside_trinos_view,
        read=trino.parse,
        samples=True,
    ),
    Dialogue(
        engine=FLINK,
        validates="EXPLAIN SELECT * FROM {}",
        describes="DESCRIBE {}",
        beside=beside_flinks_view,
        read=_flink_type,
        describes_first=True,
        unsayable="\0\n\r",  # `BACK_QUOTED_IDENTIFIER` of its parser
    ),
    Dialogue(
        engine=HIVE,
        validates="EXPLAIN SELECT * FROM {}",
        describes="DESCRIBE {}",
        beside=beside_hives_view,
        read=hive.parse,
        names_catalog=False,
    ),
    Dialogue(
        engine=SPARK,
        validates="SELECT * FROM {}",
        describes="",
        beside=beside_sparks_view,
        read=_spark_type,
    ),
)
DIALOGUES: Final[Mapping[str, Dialogue]] = {row.engine: row for row in _ROWS}
"""The engines that can be asked, by name."""


def quoted(dialogue: Dialogue, parts: Sequence[str]) -> str:
    """The name of a view, as it stands in a statement; its first part is a catalog."""
    spelled = parts if dialogue.names_catalog else parts[1:]
    return ".".join(map(engine(dialogue.engine).quoted, spelled))


def statements(dialogue: Dialogue, parts: Sequence[str]) -> tuple[str, str]:
    """What has a view analyzed, and what describes it."""
    name = quoted(dialogue, parts)
    return dialogue.validates.replace("{}", name), dialogue.describes.replace("{}", name)


def hear(
    dialogue: Dialogue, catalog: str, view: Identifier, ask: Callable[[str], Reply]
) -> LiveVerdict:
    """Ask for a view, and read what is answered; whatever goes wrong is told and not judged.

    Args:
        dialogue: How the engine is asked.
        catalog: What the engine calls the catalog that has the view.
        view: Its place there.
        ask: Sends a statement.
    """
    parts = dialogue.parts(catalog, view)
    if parts is None:
        return LiveVerdict(Verdict(None, f"{dialogue.engine} has no name for {view}"))
    two = statements(dialogue, parts)
    try:
        first, second = reversed(two) if dialogue.describes_first else two
        heard = _verdict(dialogue, reply := ask(first))
        if not heard.verdict.accepted:
            return heard
        then = _verdict(dialogue, other := ask(second) if second else reply)
    except BelvedereError as error:
        return LiveVerdict(Verdict(None, _untold(error)), error.where.get("query"))
    if not then.verdict.accepted:
        return then
    described, decided = (reply, then) if dialogue.describes_first else (other, heard)
    return decided._replace(verdict=Verdict(True, returns=json.dumps(described_by(described))))


def _verdict(dialogue: Dialogue, reply: Reply) -> LiveVerdict:
    if reply.refusal is None:
        return LiveVerdict(Verdict(True), reply.query)
    message = _AT.sub("", reply.refusal.message)
    if why := dialogue.beside(reply.refusal):
        return LiveVerdict(Verdict(None, f"{why}: {message}"), reply.query)
    return LiveVerdict(Verdict(False, message), reply.query)


def described_by(reply: Reply) -> list[list[str]]:
    """Names and types of columns; Trino adds what each is to its connector, and its comment.

    Behind a row without a name Hive says once more by which of them the view is partitioned.
    """
    named = takewhile(lambda row: bool(row[0]), (row for row in reply.rows if len(row) > 1))
    return [[str(row[0]), str(row[1])] for row in named]


def _untold(error: BelvedereError) -> str:
    return f"{error.code}: {error.message}"


def asked_dialect(path: Path, dialects: Sequence[str]) -> str:
    """The dialect of the text that an engine answers for: its own, else what it takes."""
    own = (dialect for dialect in dialects if dialect.casefold() == path.engine)
    return next(own, None) or path.text(dialects) or next(iter(dialects), path.engine)


class Endurance:
    """How long an engine is asked that does not answer: several in a row, and it is left alone."""

    def __init__(self, most: int = 5) -> None:
        self._most, self._in_a_row, self._why = most, 0, ""

    def note(self, why: str) -> None:
        """Take note that there was no answer, and why; empty: there was one."""
        self._in_a_row = self._in_a_row + 1 if why else 0
        self._why = why

    @property
    def end(self) -> str:
        """Why nothing more is asked; empty: go on."""
        if self._in_a_row < self._most:
            return ""
        return f"not asked: {self._in_a_row} statements in a row had no answer: {self._why}"


def summary(counted: Mapping[str, int]) -> Iterator[str]:
    """How many verdicts of each sort there are, in words."""
    for word in VERDICT_WORDS.values():
        if counted.get(word):
            yield f"{counted[word]:,} {word}"


def by_shown(catalogs: Mapping[str, str]) -> dict[str, str]:
    """What is shown to the first catalog, by its name, that shows it."""
    return {shown: name for name, shown in sorted(catalogs.items(), reverse=True)}
