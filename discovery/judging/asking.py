"""What a running engine is asked of a view where it is, and what its answer proves: grade LIVE.

Nothing that is asked reads rows: a statement is analyzed, and columns are described. What an engine
says for want of rights, time or a metastore is no verdict, and neither is that it does not find the
view: the name under which it was asked is ours.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

from discovery.datatypes import flink, spark, trino
from discovery.engines import Nesting, engine
from discovery.errors import BelvedereError
from discovery.judging.ways import Path
from discovery.model import FLINK, SPARK, TRINO, DataType, Identifier
from discovery.ports import Resource, Verdict

LIVE: Final = "LIVE"
"""The grade: the engine was asked of the view where it is stored."""
VERDICT_WORDS: Final[Mapping[bool | None, str]] = {
    True: "accepted",
    False: "rejected",
    None: "not judged",
}
"""What a verdict is called, by `accepted`."""


class Refusal(NamedTuple):
    """An engine's error, in its own words.

    Attributes:
        name: Of the error, such as Trino's `TABLE_NOT_FOUND`.
        kind: Of the error, such as Trino's `USER_ERROR`.
        message: What it said.
        causes: Names and kinds of the errors behind it.
    """

    name: str
    kind: str
    message: str
    causes: tuple[tuple[str, str], ...] = ()


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
    """

    engine: str
    validates: str
    describes: str
    beside: Callable[[Refusal], str]
    read: Callable[[str], DataType]
    describes_first: bool = False
    unsayable: str = "\0"
    samples: bool = False

    def parts(self, catalog: str, view: Identifier) -> tuple[str, ...] | None:
        """The parts of the name by which the engine knows a view; None: it has no such name."""
        levels = view.namespace
        if engine(self.engine).nesting is Nesting.ONE_NAME:
            levels = (".".join(levels),)
        found = (catalog, *levels, view.name)
        return found if len(found) == _PARTS and all(map(self._may_be_sent, found)) else None

    def _may_be_sent(self, name: str) -> bool:
        """Whether a name can stand between quotes in a text of UTF-8."""
        unsayable = any(one in name for one in self.unsayable)
        return bool(name) and not unsayable and not _HALVES.search(name)


_PARTS: Final = 3  # catalog, schema, name
_HALVES: Final = re.compile("[\ud800-\udfff]")
_AT: Final = re.compile(r"^line \d+:\d+: ")
_NOT_OURS: Final[Mapping[str, str]] = {
    "PERMISSION_DENIED": "it denies us",
    "USER_CANCELED": "somebody canceled the query",
    "ADMINISTRATIVELY_KILLED": "somebody canceled the query",
    "ADMINISTRATIVELY_PREEMPTED": "somebody canceled the query",
    "ABANDONED_QUERY": "it took the query for abandoned",
    "SERVER_SHUTTING_DOWN": "it is shutting down",
    "SERVER_STARTING_UP": "it is starting",
}
"""Errors of Trino that say nothing of the view (`StandardErrorCode`)."""
_OF_ENTRIES: Final = frozenset(
    {
        "HIVE_INVALID_METADATA",
        "HIVE_INVALID_VIEW_DATA",
        "HIVE_UNSUPPORTED_FORMAT",
        "HIVE_VIEW_TRANSLATION_ERROR",
        "ICEBERG_INVALID_METADATA",
        "ICEBERG_UNSUPPORTED_VIEW_DIALECT",
        "UNSUPPORTED_TABLE_TYPE",
    }
)
"""Errors that Trino calls external or internal, and that are about what is stored."""
_LACKING: Final = frozenset(
    {"CATALOG_NOT_FOUND", "SCHEMA_NOT_FOUND", "TABLE_NOT_FOUND", "NOT_FOUND"}
)
"""What Trino does not find of our own statement: in a view below it says `INVALID_VIEW`."""
_UNSUPPORTED: Final = "not supported"
"""Of views of Hive, too, Trino says `NOT_FOUND`: "Hive views are not supported"."""
_USER: Final = "USER_ERROR"
_OF_OTHERS: Final = frozenset({"EXTERNAL", "INSUFFICIENT_RESOURCES"})
"""Kinds of causes that are none of the view, which Trino wraps in `INVALID_VIEW`. Internal errors
are those of Coral, too."""


def _beside_trinos_view(refusal: Refusal) -> str:
    """What an error of Trino is about, if it is not about the view; empty: it is."""
    if refusal.kind != _USER and refusal.name not in _OF_ENTRIES:
        return f"it failed ({refusal.kind or 'no kind'}, {refusal.name or 'no name'})"
    for name, kind in ((refusal.name, ""), *refusal.causes):
        if why := _NOT_OURS.get(name):
            return why
        if kind in _OF_OTHERS and name not in _OF_ENTRIES:
            return f"something behind it failed ({kind}, {name})"
    if refusal.name in _LACKING and _UNSUPPORTED not in refusal.message:
        return "it has nothing of that name: see `catalogs`"
    return ""


_OF_TEXTS: Final = re.compile(
    r"(^org\.apache\.flink\.(table\.api|sql\.parser)\.|^org\.apache\.calcite\.)"
    r"|^java\.lang\.UnsupportedOperationException$"
)
"""Exceptions of Flink about a text, or a type that it does not have, and what they wrap."""
_NOT_THERE: Final = re.compile(r"with the identifier '.*' doesn't exist", re.DOTALL)


def _beside_flinks_view(refusal: Refusal) -> str:
    """What an exception of Flink is about, if it is not about the view; empty: it is."""
    for name in (refusal.name, *(name for name, _ in refusal.causes)):
        if not _OF_TEXTS.search(name):
            return f"it failed ({name or 'no name'})"
    return "it has nothing of that name: see `catalogs`" if _lacks(refusal) else ""


def _lacks(refusal: Refusal) -> bool:
    return _NOT_THERE.search(refusal.message) is not None


_ANALYSIS: Final = frozenset({"AnalysisException", "ParseException"})
"""Errors of Spark about a statement and what it reads (`pyspark.errors`)."""
_NOT_OF_THE_VIEW: Final = ("INTERNAL_ERROR", "_LEGACY_ERROR_TEMP_3065")
"""Conditions of Spark that wrap what failed elsewhere: the second, a metastore's exceptions."""
_NO_SUCH: Final = frozenset(
    {
        "CATALOG_NOT_FOUND",
        "REQUIRES_SINGLE_PART_NAMESPACE",  # a catalog that it does not know, for `spark_catalog`
        "SCHEMA_NOT_FOUND",
        "TABLE_OR_VIEW_NOT_FOUND",
    }
)
"""What Spark does not find, of our own statement unless the error stands in a view."""
_VIEW: Final = "VIEW"


def _beside_sparks_view(refusal: Refusal) -> str:
    """What an error of Spark is about, if it is not about the view; empty: it is."""
    if refusal.kind not in _ANALYSIS or refusal.name.startswith(_NOT_OF_THE_VIEW):
        return f"it failed ({refusal.kind}, {refusal.name or 'no name'})"
    within = any(kind == _VIEW for _, kind in refusal.causes)
    if refusal.name in _NO_SUCH and not within:
        return "it has nothing of that name: see `catalogs`"
    return ""


def _spark_type(text: str) -> DataType:
    """The type of a field in JSON: char and varchar stand in its metadata."""
    (found,) = spark.columns({"type": "struct", "fields": [json.loads(text)]})
    return found.type


def _flink_type(text: str) -> DataType:
    return flink.parse(text)[0]


_ROWS: Final = (
    Dialogue(
        engine=TRINO,
        validates="EXPLAIN (TYPE VALIDATE) SELECT * FROM {}",
        describes="DESCRIBE {}",
        beside=_beside_trinos_view,
        read=trino.parse,
        samples=True,
    ),
    Dialogue(
        engine=FLINK,
        validates="EXPLAIN SELECT * FROM {}",
        describes="DESCRIBE {}",
        beside=_beside_flinks_view,
        read=_flink_type,
        describes_first=True,
        unsayable="\0\n\r",  # `BACK_QUOTED_IDENTIFIER` of its parser
    ),
    Dialogue(
        engine=SPARK,
        validates="SELECT * FROM {}",
        describes="",
        beside=_beside_sparks_view,
        read=_spark_type,
    ),
)
DIALOGUES: Final[Mapping[str, Dialogue]] = {one.engine: one for one in _ROWS}
"""The engines that can be asked, by name."""


def quoted(dialogue: Dialogue, parts: Sequence[str]) -> str:
    """A name of several parts, as it stands in a statement."""
    return ".".join(map(engine(dialogue.engine).quoted, parts))


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
    """Names and types of columns; Trino adds what each is to its connector, and its comment."""
    return [[str(row[0]), str(row[1])] for row in reply.rows if len(row) > 1]


def _untold(error: BelvedereError) -> str:
    return f"{error.code}: {error.message}"


def asked_text(path: Path, dialects: Sequence[str]) -> str:
    """The dialect of the text that an engine answers for: its own, else what it takes."""
    own = (one for one in dialects if one.casefold() == path.engine)
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
