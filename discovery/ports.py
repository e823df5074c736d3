"""The ports: what the core asks of sources, stores and judges."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final, Protocol, Self, runtime_checkable

from discovery.errors import BelvedereError, StoreError
from discovery.functions import FunctionStore
from discovery.judging.entries import Entry
from discovery.migration.namespaces import NamespaceEdit, Part
from discovery.model import Audit, Identifier, Schema, View
from discovery.outcomes import Failure, Listed, RawObject, Skipped
from discovery.rights.roles import RightsStore
from discovery.tags import TagStore


@dataclass(frozen=True, slots=True)
class CrawlTask:
    """A unit of crawl: objects of one source that one connection fetches."""

    source: str
    objects: tuple[Listed, ...]


@dataclass(frozen=True, slots=True)
class Probe:
    """What `doctor` learns of a system: that it answers, its version, what rights are missing."""

    version: str
    problems: tuple[str, ...] = ()


class Resource(Protocol):
    """What is used in a `with` statement: entering does no I/O, the first call connects."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give back what the calls have opened; harmless where that is nothing."""


class ViewSource(Resource, Protocol):
    """A system that is crawled.

    Attributes:
        connections: How many connections it may have at a time, over all executors.
        batch: How many objects make a task.
        read_only: Whether it is no target, and its views stay where no rule moves them: databases.
    """

    connections: int
    batch: int
    read_only: ClassVar[bool] = False

    def fold(self, name: str) -> str:
        """The name as the source compares names."""

    def probe(self) -> Probe:
        """Reach the system.

        Raises:
            BelvedereError: It does not answer, or refuses us.
        """

    def listing(self) -> Iterator[Listed | Failure]:
        """Every namespace and object, namespaces before what they hold. Does I/O, pages inside.

        What cannot be listed is a Failure; the rest goes on.
        """

    def load(self, task: CrawlTask) -> Iterator[RawObject | Failure | Skipped]:
        """What the source says of each object; one that is gone gets no answer. Does I/O.

        Skipped is what only the source can know to belong elsewhere; formats decide the rest.
        """


@runtime_checkable
class TableSource(Protocol):
    """A source that can also say what the tables are that views read."""

    def load_tables(self, names: Sequence[Identifier]) -> Iterator[RawObject | Failure | Skipped]:
        """The entries of the named tables; one that is gone gets no answer. Does I/O."""


@runtime_checkable
class RegionalSource(Protocol):
    """A source in a region of AWS.

    Attributes:
        region: As ARNs spell it: they name objects of any region, so of others, too.
    """

    region: str


@runtime_checkable
class RecordedSource(Protocol):
    """A source that replays what was recorded of another one."""

    def lacks(self) -> str:
        """What the recording does not say, in a sentence; empty if nothing. Does I/O."""


class Action(StrEnum):
    """What a plan says of a view at a target, and what a store did with it."""

    CREATE = "create"
    REPLACE = "replace"
    ADD_DIALECT = "add-dialect"  # a replacement that leaves everything else as it is
    RENAME = "rename"
    DROP = "drop"
    KEEP = "keep"
    CONFLICT = "conflict"
    BLOCKED = "blocked"
    FAILED = "failed"


WRITING: Final = (Action.CREATE, Action.REPLACE, Action.ADD_DIALECT, Action.DROP)
"""What a plan says of a view that is to be written."""

ASIDE: Final = (Action.CONFLICT, Action.BLOCKED)
"""What a plan says of a view that is set aside."""


@dataclass(frozen=True, slots=True)
class Change:
    """A view to write, and what the plan saw at its place.

    Attributes:
        action: `create`, `replace`, `add-dialect`, `rename` or `drop`.
        view: As the store shall hold it; for `rename` and `drop` as it is there.
        fingerprint: Of the view.
        expected: Fingerprint of the live view at its place; None: there was none.
        new_name: For `rename`: its name afterwards, in the same namespace.
        seen: Who had made the live view, and when, as the plan saw it; None: there was none.
        raw: What the source of a new view says of it, for a store that keeps its history.
    """

    action: Action
    view: View
    fingerprint: str
    expected: str | None = None
    new_name: str = ""
    seen: Audit | None = None
    raw: RawObject | None = None


@dataclass(frozen=True, slots=True)
class Applied:
    """What a store did with a change.

    Attributes:
        identifier: The view at the target.
        action: As the change has it; `keep` if the target was so already; `failed`.
        failure: Why it failed: code, message, hint.
        remains: What of an older state stays at the target, such as files and deleted rows.
    """

    identifier: Identifier
    action: Action
    failure: tuple[str, str, str] | None = None
    remains: tuple[str, ...] = ()

    @classmethod
    def failed(cls, identifier: Identifier, error: BelvedereError) -> "Applied":
        """The answer that an error becomes."""
        return cls(identifier, Action.FAILED, failure=(error.code, str(error), error.hint))


@dataclass(frozen=True, slots=True)
class Held:
    """A view as a store will give it back.

    Attributes:
        view: What reads back once it is written.
        losses: What of the wanted view the store cannot hold or not enforce, a sentence each.
    """

    view: View
    losses: tuple[str, ...] = ()


class ViewStore(Resource, Protocol):
    """A system that is loaded.

    Attributes:
        connections: How many connections it may have at a time, over all executors.
        lasting: What `prepare` makes, in words, and nobody takes back: others may rely on it.
        amends: What it can change of a namespace that is there.
        functions, rights, tags: What it keeps them in; None: it keeps none.
        keeps_audit: Whether who made a view and when reads back, so that it is compared, too.
        keeps_history: Whether older versions of a view go with it, as its source has them.
    """

    connections: int
    keeps_audit: bool = False
    keeps_history: bool = False
    lasting: tuple[str, ...] = ()
    amends: frozenset[Part] = frozenset(Part)
    functions: FunctionStore | None = None
    rights: RightsStore | None = None
    tags: TagStore | None = None

    @property
    def kept_functions(self) -> FunctionStore:
        """What it keeps functions in; a StoreError where it keeps none, and a plan has some."""
        if self.functions is None:
            raise StoreError("the target keeps no functions")
        return self.functions

    def probe(self) -> Probe:
        """Reach the system.

        Raises:
            BelvedereError: It does not answer, refuses us, or has a layout that we do not know.
        """

    def listing(self) -> Iterator[Listed]:
        """Every namespace, view and table, namespaces before what they hold. Does I/O.

        A target that has not been made yet lists nothing.

        Raises:
            BelvedereError: It cannot be listed: nothing can be planned for it.
        """

    def present(self, wanted: Sequence[Identifier]) -> Iterator[View]:
        """Those of the wanted views that the store holds, as the store holds them. Does I/O.

        Raises:
            BelvedereError: They cannot be read.
        """

    def recover(self, changes: Sequence[Change]) -> tuple[Identifier, ...]:  # noqa: ARG002 - none
        """Bring what a killed writer has left half-way to where it was, or was to be. Does I/O.

        Asked before anybody looks what became of the changes. Most stores have nothing half-way.

        Returns:
            The views that were half-way.

        Raises:
            BelvedereError: It cannot be told, or not be mended.
        """
        return ()

    def hold(self, view: View) -> Held:
        """How the store will hold a view. No I/O: what it says is in the plan.

        Raises:
            StoreError: It cannot hold the view at all.
        """

    def may_create(self, namespace: tuple[str, ...]) -> bool:
        """Whether we may make a namespace, as far as the store can tell. Does I/O."""

    def lacking(self, namespaces: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        """Those of the namespaces that are not there, in their order. Does I/O.

        Raises:
            BelvedereError: It cannot be told.
        """

    def prepare(self, schemas: Sequence[Schema]) -> tuple[tuple[str, ...], ...]:
        """Make what views live in, where it is missing: parents first, all or nothing. Idempotent.

        Returns:
            The namespaces that this call has made: what was there already is somebody else's, and
            so is what another one made at the same time.

        Raises:
            BelvedereError: It cannot; then nothing was made.
        """

    def hold_namespace(self, schema: Schema) -> Schema:
        """A namespace with the comment and the properties that the store gives back. No I/O."""
        return schema

    def namespaces(self, wanted: Sequence[tuple[str, ...]]) -> Iterator[Schema]:
        """Those of the namespaces that are there, as the store holds them. Does I/O.

        Raises:
            BelvedereError: They cannot be read.
        """

    def amend(self, edit: NamespaceEdit) -> bool:
        """Change a namespace that is there; whether this call did, or it was so. Does I/O.

        Raises:
            MovedError: It is neither as the plan saw it nor as it is to be.
            BelvedereError: It cannot.
        """

    def remove(self, namespaces: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        """Remove the namespaces that are empty, innermost first; those that stay. Does I/O."""

    def apply(self, changes: Sequence[Change]) -> Iterator[Applied]:
        """Write; exactly one answer per change, in any order. Does I/O.

        A view that is there as the change wants it already is left alone: `keep`. One that is
        neither so nor as the change expects it is a MovedError: somebody else has changed it.
        """


@runtime_checkable
class TableStore(Protocol):
    """A store that keeps views in tables of a database, which have to be there first."""

    def init(self) -> tuple[str, ...]:
        """Make the tables that are missing; their names. Does I/O.

        Raises:
            BelvedereError: It cannot, or they have a layout that we do not know.
        """


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement for a judge.

    Attributes:
        sql: The text.
        reads: Whether the judge shall say what the statement reads, if it accepts it.
        settings: The engine's, with values, under which it was written, as far as they were kept.
        entry: What is stored beside it, for a judge that analyzes.
    """

    sql: str
    reads: bool = False
    settings: tuple[tuple[str, str], ...] = ()
    entry: Entry | None = None


Name = tuple[str, ...]  # as the statement spells it, in parts, without quotes


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge said of one statement, with the engine's message and position.

    Attributes:
        accepted: None: the parser gave no answer.
        message: What the parser said.
        line: Counted from 1, as `column` is.
        tables: The tables and views that the parser's own tree has, if it was asked for them.
        tells_tables: Whether these are all: a name that is to be computed stands in no tree.
        functions: The functions that it calls, as far as they stand in the tree by name.
        returns: Its columns, in the engine's language, as an analyzer sees them; None: not known.
        grade: What it proves, where that is less than the judge's other verdicts; None: the same.
        translation: What the judge has made of the statement before it judged; None: nothing.
    """

    accepted: bool | None
    message: str = ""
    line: int | None = None
    column: int | None = None
    tables: tuple[Name, ...] = ()
    tells_tables: bool = True
    functions: tuple[Name, ...] = ()
    returns: str | None = None
    grade: str | None = None
    translation: str | None = None


ANALYZE: Final = "ANALYZE"
PARSE: Final = "PARSE"
OPINION: Final = "OPINION"


class SqlJudge(Resource, Protocol):
    """An engine's own parser or analyzer; the first call starts it.

    Attributes:
        grade: What a verdict proves. `ANALYZE`: that the engine gives columns back, over tables as
            they were crawled; `PARSE`: that the parser accepts the text; `OPINION`: nothing.
    """

    grade: str = PARSE

    @property
    def engine(self) -> str:
        """The engine whose parser speaks; it is the dialect of its statements, too."""

    @property
    def version(self) -> str:
        """The version of that parser."""

    def judge(self, statements: Sequence[Statement]) -> Iterator[Verdict]:
        """One verdict per statement, in order; never called one by one.

        Raises:
            JudgeUnavailableError: The parser cannot be started.
        """
