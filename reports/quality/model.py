"""What is expected of a run, on which terms, and what came of it.

Imports neither pandas nor Great Expectations: the configuration knows these names.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from discovery.engines import ENGINES, Completion
from discovery.errors import Coded

if TYPE_CHECKING:
    import pandas as pd

Row = Mapping[str, Any]
IN_CONTEXT: Final = tuple(
    engine.name for engine in ENGINES.values() if engine.completes is Completion.CONTEXT
)
"""Engines that complete short names from what is kept beside a text."""
ROWS: Final = "completeness.rows"
"""The expectation that every frame has rows: Great Expectations passes what has none."""


class Name(Coded):
    """What is expected of every run; the word before the dot is the suite."""

    LISTED = "completeness.listed", "Every listed object has its outcome."
    UNLISTED = "completeness.unlisted", "Every outcome is of an object that was listed, once."
    READ = "completeness.read", "Everything that a source has could be listed and read."
    DECODED = "completeness.decoded", "Every view that was read could be decoded."
    KEYS = "uniqueness.keys", "No source has two objects with one key."
    TYPES = "fidelity.types", "The type of every column is known, not carried as the source's text."
    COLUMNS = "fidelity.columns", "Every view has columns, as many as its row says."
    COLUMNS_BACK = "fidelity.columns-back", "Columns and types read back from targets as planned."
    READ_BACK = "fidelity.read-back", "Views read back from targets as planned, in every field."
    OWN = "dialects.own", "Every view has a text in the dialect of the engine that wrote it."
    REQUIRED = "dialects.required", "Every view has a text in each dialect that is required."
    JUDGED = "dialects.judged", "Every text whose engine was asked has a verdict of its parser."
    DIALECTS_BACK = "dialects.read-back", "The texts of all dialects read back as planned."
    CONTEXT = "context.default", "A text with short names states where its engine looks for them."
    AGE = "freshness.age", "The run is young enough, and not from the future."
    VANISHED = "drift.vanished", "Views of the other run are still there."
    CHANGED = "drift.changed", "Views of the other run are as they were."


class Status(StrEnum):
    """What came of an expectation. The third is no success."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_EVALUATED = "not evaluated"


class ExpectationSeverity(StrEnum):
    """Whether a failure decides the exit code (`error`) or is only told (`warning`)."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """An expectation of the user's own.

    Attributes:
        name: What it is called in the results.
        table: A table of the warehouse.
        type: Great Expectations' name of it.
        kwargs: Its arguments, as Great Expectations spells them.
        allow: Percentage of rows that may fail.
        severity: Of a failure.
        may_be_empty: Whether a table without rows is fine.
        required: Whether the table has to be there.
    """

    name: str
    table: str
    type: str
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    allow: float = 0
    severity: ExpectationSeverity = ExpectationSeverity.ERROR
    may_be_empty: bool = False
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class QualityTerms:
    """How much a run may fall short.

    Attributes:
        allow: Expectation to percentage of rows that may fail.
        severity: Expectation to its severity, where it is not the usual one.
        required: Expectations that have to be evaluated.
        max_age_hours: Age of a run from which on it is stale.
        dialects: Dialects in which every view shall have a text.
        context: Dialects whose short names need a default schema, and Trino's a catalog.
        own: The user's own expectations.
    """

    allow: Mapping[Name, float] = field(default_factory=dict)
    severity: Mapping[Name, ExpectationSeverity] = field(default_factory=dict)
    required: tuple[Name, ...] = ()
    max_age_hours: float = 24
    dialects: tuple[str, ...] = ()
    context: tuple[str, ...] = IN_CONTEXT
    own: tuple[Own, ...] = ()

    def allowed_share(self, name: Name) -> float:
        """Percentage of rows that may fail."""
        return self.allow.get(name, USUAL_SHARE.get(name, 0))

    def severity_of(self, name: Name) -> ExpectationSeverity:
        """Whether its failure decides the exit code."""
        usual = ExpectationSeverity.WARNING if name is Name.TYPES else ExpectationSeverity.ERROR
        return self.severity.get(name, usual)


USUAL_SHARE: Final[Mapping[Name, float]] = {Name.VANISHED: 5, Name.CHANGED: 20}
"""Percentages that may fail where the terms say nothing; 0 of the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """One expectation over a frame: `type` and `kwargs` are Great Expectations'."""

    name: str
    meaning: str
    type: str
    kwargs: Mapping[str, Any]
    severity: ExpectationSeverity = ExpectationSeverity.ERROR
    allowed: float = 0
    required: bool = False


@dataclass(frozen=True, slots=True)
class Suite:
    """Expectations over one frame.

    Attributes:
        table: What the frame is made of, for the reader.
        expected: The expectations.
        frame: The rows; None if there is nothing to evaluate.
        missing: Why there is no frame.
        places: Columns that tell the reader which row it is.
        may_be_empty: Whether a frame without rows is fine.
    """

    table: str
    expected: Sequence[Expected]
    frame: "pd.DataFrame | None"
    missing: str = ""
    places: tuple[str, ...] = ()
    may_be_empty: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one expectation.

    Attributes:
        table: What was looked at.
        expected: The expectation.
        status: What came of it.
        rows: How many rows were looked at; None if it was not evaluated.
        failing: How many of them fail; None for an expectation about the whole table.
        observed: What was found, where it is about the whole table.
        examples: Some of the rows that fail.
        reason: Why it was not evaluated.
        broken: Whether it was tried and could not be evaluated, or had nothing to look at.
    """

    table: str
    expected: Expected
    status: Status
    rows: int | None = None
    failing: int | None = None
    observed: str | None = None
    examples: tuple[str, ...] = ()
    reason: str | None = None
    broken: bool = False

    @property
    def gates(self) -> bool:
        """Whether it decides the exit code: what is broken is no success, whatever its severity."""
        if self.status is Status.NOT_EVALUATED:
            return self.broken or self.expected.required
        return self.status is Status.FAILED and self.expected.severity is ExpectationSeverity.ERROR
