"""The suites: which frames of a run are made, and what is expected of each."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol

import pandas as pd

from reports.quality import frames
from reports.quality.model import Expected, Name, Own, QualityTerms, Row, Suite

_NOT_IN: Final = "expect_column_values_to_not_be_in_set"
_BETWEEN: Final = "expect_column_values_to_be_between"
_UNIQUE: Final = "expect_compound_columns_to_be_unique"
_AGAINST: Final = "no run was named to compare with"
_WIDE: Final = frozenset({"model", "draft", "before", "handle", "raw"})
"""Columns that an expectation of the user's own sees only if it names them."""


class TableReader(Protocol):
    """Where rows come from."""

    def __call__(
        self, table: str, columns: Sequence[str], *, other: bool = False
    ) -> Iterable[Row] | None:
        """Rows of a table of the run, or of the other run; None if they were never written."""


@dataclass(frozen=True, slots=True)
class CheckedRun:
    """A run to look at.

    Attributes:
        run_id: Its name.
        finished: When it was committed.
        now: The time.
        against: The run to compare with; None: there is none.
        tables: Where its rows are.
        columns: Columns of each table.
    """

    run_id: str
    finished: datetime
    now: datetime
    against: str | None
    tables: TableReader
    columns: Mapping[str, Sequence[str]]


def suites(subject: CheckedRun, terms: QualityTerms) -> Iterator[Suite]:
    """The suites of a run, one by one: a frame is made when it is asked for, and can be let go."""
    required = frozenset(dialect.casefold() for dialect in terms.dialects)
    outcomes = frames.Outcomes(required).gather(_read_rows(subject, "outcomes", _OUTCOMES))
    listed = _read_rows(subject, "objects", ("source", "entity", "key"))
    yield _of_objects(frames.objects(listed, outcomes), terms)
    yield _of_outcomes(outcomes, terms)
    yield _of_views(outcomes, terms)
    yield _of_contexts(subject, outcomes, terms)
    yield _of_verdicts(subject, outcomes, terms)
    yield _of_verified(subject, terms)
    yield _of_age(subject, terms)
    yield _of_drift(subject, outcomes, terms)
    for own in terms.own:
        yield _of_own(subject, own)


_OUTCOMES: Final = (
    "source", "entity", "namespace", "key", "outcome", "format", "stage", "dialects", "columns",
    "fingerprint", "model",
)  # fmt: skip


def _read_rows(subject: CheckedRun, table: str, columns: Sequence[str]) -> Iterable[Row]:
    """Rows of a table that every committed run has; without its files it has none."""
    return subject.tables(table, columns) or ()


def _expected(name: Name, terms: QualityTerms, kind: str, **kwargs: Any) -> Expected:  # noqa: ANN401 - of any expectation
    return Expected(
        name=name,
        meaning=name.meaning,
        type=kind,
        kwargs=kwargs,
        severity=terms.severity_of(name),
        allowed=terms.allowed_share(name),
        required=name in terms.required,
    )


def _none_of(name: Name, terms: QualityTerms, column: str, *values: str) -> Expected:
    return _expected(name, terms, _NOT_IN, column=column, value_set=list(values))


def _of_objects(frame: pd.DataFrame, terms: QualityTerms) -> Suite:
    expected = (
        _expected(Name.LISTED, terms, _BETWEEN, column="missing", max_value=0),
        _expected(Name.UNLISTED, terms, _BETWEEN, column="beyond", max_value=0),
    )
    return Suite("objects", expected, frame, places=("source", "entity", "key"))


def _of_outcomes(outcomes: frames.Outcomes, terms: QualityTerms) -> Suite:
    place = ["source", "entity", "key"]
    expected = (
        _none_of(Name.READ, terms, "lost", "list", "read", "unknown"),
        _none_of(Name.DECODED, terms, "lost", "decode"),
        _expected(Name.KEYS, terms, _UNIQUE, column_list=place),
    )
    return Suite("outcomes", expected, outcomes.frame(), places=tuple(place))


def _of_views(outcomes: frames.Outcomes, terms: QualityTerms) -> Suite:
    expected = [
        _expected(Name.TYPES, terms, _BETWEEN, column="unknown_types", max_value=0),
        _expected(Name.COLUMNS, terms, _BETWEEN, column="columns", min_value=1),
        _none_of(Name.OWN, terms, "own_dialect", frames.MISSING),
    ]
    if terms.dialects:
        expected.append(_none_of(Name.REQUIRED, terms, "required_dialects", frames.MISSING))
    return Suite("views", expected, outcomes.views_frame(), places=frames.PLACE)


def _of_contexts(subject: CheckedRun, outcomes: frames.Outcomes, terms: QualityTerms) -> Suite:
    return _later_suite(
        subject,
        "references",
        ("source", "key", "dialect", "written"),
        lambda rows: frames.contexts(outcomes, rows, {word.casefold() for word in terms.context}),
        (_none_of(Name.CONTEXT, terms, "context", frames.MISSING),),
    )


def _of_verdicts(subject: CheckedRun, outcomes: frames.Outcomes, terms: QualityTerms) -> Suite:
    return _later_suite(
        subject,
        "verdicts",
        ("source", "key", "dialect", "engine", "version", "grade", "verdict"),
        lambda rows: frames.judged(outcomes, rows),
        (_none_of(Name.JUDGED, terms, "verdict", frames.MISSING),),
    )


def _of_verified(subject: CheckedRun, terms: QualityTerms) -> Suite:
    return _later_suite(
        subject,
        "verified",
        ("target", "key", "differences"),
        frames.verified,
        (
            _none_of(Name.COLUMNS_BACK, terms, "columns", frames.DIFFERENT),
            _none_of(Name.DIALECTS_BACK, terms, "dialects", frames.DIFFERENT),
            _none_of(Name.READ_BACK, terms, "view", frames.DIFFERENT),
        ),
    )


def _later_suite(
    subject: CheckedRun,
    table: str,
    columns: Sequence[str],
    make: Callable[[Iterable[Row]], pd.DataFrame],
    expected: Sequence[Expected],
) -> Suite:
    """A suite over a table that a later stage writes: assess, or verify."""
    rows = subject.tables(table, columns)
    if rows is None:
        return Suite(table, expected, None, f"this run has no table {table}: its stage did not run")
    frame = make(rows)
    places = [name for name in ("source", "target", "key", "dialect") if name in frame.columns]
    return Suite(table, expected, frame, places=tuple(places))


def _of_age(subject: CheckedRun, terms: QualityTerms) -> Suite:
    limits = {"min_value": 0, "max_value": terms.max_age_hours}
    expected = (_expected(Name.AGE, terms, _BETWEEN, column="hours", **limits),)
    frame = frames.age(subject.run_id, subject.finished, subject.now)
    return Suite("runs", expected, frame, places=("run_id",))


def _of_drift(subject: CheckedRun, outcomes: frames.Outcomes, terms: QualityTerms) -> Suite:
    expected = (
        _none_of(Name.VANISHED, terms, "state", "vanished"),
        _none_of(Name.CHANGED, terms, "state", "changed"),
    )
    if subject.against is None:
        return Suite("drift", expected, None, _AGAINST)
    columns = ("source", "namespace", "key", "outcome", "fingerprint")
    rows = subject.tables("outcomes", columns, other=True) or ()
    frame = frames.drift(outcomes, (row for row in rows if row["outcome"] == "view"))
    return Suite("drift", expected, frame, places=frames.PLACE)


def _of_own(subject: CheckedRun, own: Own) -> Suite:
    expected = Expected(
        name=own.name,
        meaning="an expectation of your own",
        type=own.type,
        kwargs=own.kwargs,
        severity=own.severity,
        allowed=own.allow,
        required=own.required,
    )
    named = set(_texts(own.kwargs))
    every = subject.columns[own.table]
    columns = [name for name in every if name not in _WIDE or name in named]
    rows = subject.tables(own.table, columns)
    if rows is None:
        why = f"this run has no table {own.table}: its stage did not run"
        return Suite(own.table, (expected,), None, why)
    places = [name for name in ("source", "target", "key") if name in columns]
    return Suite(
        own.table,
        (expected,),
        frames.as_frame(rows, columns),
        places=tuple(places),
        may_be_empty=own.may_be_empty,
    )


def _texts(value: Any) -> Iterator[str]:  # noqa: ANN401 - arguments of any expectation
    """Every text in the arguments of an expectation."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
