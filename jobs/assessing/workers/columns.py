"""What executors run for `assess` of views whose bases are known: analyzers, lineage, drift.

Imports neither pydantic nor the configuration: a worker has no use for them.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple, TypedDict

import pyarrow as pa

from connectors.judges.bounded import Bounded
from discovery import checks, wire
from discovery.checks.subject import Expanded
from discovery.chunks import chunks
from discovery.errors import BelvedereError
from discovery.formats import spark
from discovery.functions import Parameter, Signature
from discovery.judging.analysis import Functions
from discovery.judging.analyzers import ANALYZERS, Analyzer
from discovery.judging.calling import KnownFunction, kept_by
from discovery.judging.entries import Entry, KnownBase, StoredText
from discovery.judging.paths import Reach
from discovery.judging.ways import Way
from discovery.lineage import scopes
from discovery.model import FLINK, SPARK, Column, Identifier, Representation, View
from discovery.ports import PARSE, SqlJudge, Statement, Verdict
from jobs.assessing import tables as assessed
from jobs.assessing.workers.views import (
    AT_A_TIME,
    JudgeAnswer,
    Provided,
    ViewRow,
    finding_row,
    verdict_row,
    views_in,
)
from jobs.warehouse.rows import ArrowFunction, to_batches

KNOWN: Final = ("known", "under", "called", "whole", "resolved")
"""What is known of a view beside the view: what its texts read, what the views below read whose
texts are taken into these, the functions of the estate that they call, whether the columns of all
that they read are known, whether its names could be read."""

CALLED: Final = ("source", "namespace", "name", "language", "implementation", "takes", "returns")
"""What is known of a function of the estate."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What analyzers have to know of the estate.

    Attributes:
        analyzers: Those that judge.
        reach: How engines come to views.
        catalogs: Engine to the names of its catalogs and their sources.
        unlisted: Sources that have not told all of their functions.
    """

    analyzers: tuple[Provided, ...]
    reach: Reach
    catalogs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    unlisted: frozenset[str] = frozenset()


class _TableColumn(TypedDict):
    """A column of a table, its type as JSON."""

    name: str
    type: str
    nullable: bool | None


class _Time(TypedDict):
    """A time attribute of a table of Flink."""

    name: str
    kind: str


class _KnownName(TypedDict):
    """What is known of a name in a text; `declared` has the columns of a view, as JSON."""

    dialect: str
    written: list[str]
    catalog: str | None
    base_source: str | None
    base_namespace: list[str] | None
    base_name: str | None
    base_key: str | None
    form: str | None
    in_default: bool | None
    declared: str | None
    columns: list[_TableColumn] | None
    beside_spark: list[_TableColumn] | None
    text: str | None
    flink_times: list[_Time] | None
    acid: bool | None


class _Taken(TypedDict):
    """What a function is given, as `Parameter` has it."""

    name: str
    type: str
    may_lack: bool


class _Called(TypedDict):
    """What `CALLED` has of a function."""

    source: str
    namespace: list[str]
    name: str
    language: str | None
    implementation: str | None
    takes: list[_Taken] | None
    returns: str | None


class Compared(NamedTuple):
    """A view of the batch, and what is known of it."""

    row: ViewRow
    form: str
    view: View
    known: Sequence[_KnownName]
    under: Sequence[_KnownName]
    calls: tuple[KnownFunction, ...]
    whole: bool
    resolved: bool

    def reads(self, dialect: str) -> list[KnownBase]:
        """What its text in a dialect reads."""
        return [_known_base(base) for base in self.known if base["dialect"] == dialect]


class AskedText(NamedTuple):
    """A text that an analyzer is asked about."""

    number: int
    text: Representation
    entry: Entry

    def untold(self, calls: Iterable[KnownFunction]) -> Iterator[KnownFunction]:
        """Functions of the estate that it calls and the analyzer is not told."""
        return (call for call in calls if call not in self.entry.functions)


class Seat(NamedTuple):
    """An analyzer on the bench.

    Attributes:
        analyzer: What it is told, and what its answers are worth.
        judge: None: there is none here.
        missing: Why.
    """

    analyzer: Analyzer
    judge: SqlJudge | None
    missing: str

    @classmethod
    def of(cls, provided: Provided, stack: ExitStack) -> "Seat":
        """With its judge, which the stack closes."""
        judge = None if provided.missing else stack.enter_context(provided.judge())
        return cls(ANALYZERS[provided.engine], judge, provided.missing)

    def answers(self, asked: Sequence[AskedText]) -> list[JudgeAnswer]:
        """One for each that it is asked."""
        statements = [
            Statement(asked_text.text.sql, entry=asked_text.entry) for asked_text in asked
        ]
        grade, why = PARSE, self.missing
        if self.judge is not None:
            grade = self.judge.grade
            try:
                version = self.judge.version
                return [
                    JudgeAnswer(version, verdict, grade) for verdict in self.judge.judge(statements)
                ]
            except BelvedereError as error:
                why = str(error)
        return [JudgeAnswer(None, Verdict(None, f"no analyzer: {why}"), grade)] * len(asked)


class _OfView(NamedTuple):
    """What is found of a view."""

    findings: list[dict[str, object]]
    lineage: list[dict[str, object]]
    verdicts: list[dict[str, object]]


def compare_columns(estate: Surroundings) -> ArrowFunction:
    """What compares columns: views with what is known of their bases in, rows of `compared` out."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with ExitStack() as stack:
            sqlglot = stack.enter_context(Bounded())
            bench = [Seat.of(analyzer, stack) for analyzer in estate.analyzers]
            for batch in batches:
                for views in chunks(with_known(batch, "question"), AT_A_TIME):
                    of_views = [_expand_view(view, sqlglot) for view in views]
                    for seat in bench:
                        _analyze(seat, estate, views, of_views)
                    rows = (
                        (*view.row, *of_view) for view, of_view in zip(views, of_views, strict=True)
                    )
                    yield from to_batches(rows, assessed.COMPARED.schema)

    return run


def with_known(batch: pa.RecordBatch, *beside: str) -> Iterator[Compared]:
    """The views of a batch, with what is known of each, and more columns behind their keys."""
    columns = [batch.column(name).to_pylist() for name in KNOWN]
    for (row, form, view), *facts in zip(views_in(batch, *beside), *columns, strict=True):
        known, under, called, *flags = facts
        calls = tuple(map(_known_function, called or ()))
        yield Compared(row, form, view, known or (), under or (), calls, *map(bool, flags))


def _analyze(
    seat: Seat,
    estate: Surroundings,
    views: Sequence[Compared],
    of_views: Sequence[_OfView],
) -> None:
    """What an analyzer says of the texts that its engine would take, into what is found."""
    analyzer = seat.analyzer
    asked = [
        text for n, view in enumerate(views) for text in _asked_texts(n, view, analyzer, estate)
    ]
    if not asked:
        return
    for asked_text, answer in zip(asked, seat.answers(asked), strict=True):
        view = views[asked_text.number]
        unknown = any(
            known_function.is_known_to(analyzer.engine)
            for known_function in asked_text.untold(view.calls)
        )
        functions = Functions(unknown, view.row[0] not in estate.unlisted)
        verdict = analyzer.weighed(
            answer.verdict, asked_text.entry, functions, bool(view.view.columns)
        )
        of_view, dialect = of_views[asked_text.number], asked_text.text.dialect
        weighed = JudgeAnswer(answer.version, verdict, verdict.grade or answer.grade)
        of_view.verdicts.append(verdict_row(dialect, analyzer.judge, weighed))
        if subject := analyzer.compared(verdict, asked_text.entry, dialect):
            of_view.findings.extend(
                finding_row(code, finding) for code, finding in checks.of_analyses(subject)
            )


def _asked_texts(
    number: int, compared: Compared, analyzer: Analyzer, estate: Surroundings
) -> Iterator[AskedText]:
    """The text that the engine takes, if all that it reads is known."""
    view, source, engine = compared.view, compared.row[0], analyzer.engine
    dialects = [text.dialect for text in view.representations]
    path = estate.reach.path(engine, source, compared.form, dialects)
    reads_text = path.way in {Way.PARSES, Way.TRANSLATES} and path.parser == analyzer.judge
    takes = path.text(dialects) if reads_text else None
    for text in view.representations:
        if text.dialect != takes:
            continue
        stored = StoredText(
            view=view,
            text=text,
            form=compared.form,
            source=source,
            calls=compared.calls,
            settings=estate.reach.settings.get(engine, {}),
            under=tuple(_known_base(base).seen_by(engine) for base in compared.under),
        )
        reads = [base.seen_by(engine) for base in compared.reads(takes)]
        entry = analyzer.entry_of(stored, reads, estate.catalogs.get(engine, {}))
        if entry is not None:
            yield AskedText(number, text, entry)


def _known_base(base: _KnownName) -> KnownBase:
    """What a text reads; what has no key is nowhere."""
    columns = None
    if base["declared"] is not None:
        columns = _parse_columns(base["declared"])
    elif base["columns"] is not None:
        columns = _table_columns(base["columns"])
    beside, times = base["beside_spark"], base["flink_times"]
    return KnownBase(
        written=tuple(base["written"]),
        catalog=base["catalog"],
        source=base["base_source"] or "",
        identifier=Identifier(tuple(base["base_namespace"] or ()), base["base_name"] or ""),
        columns=columns,
        form=base["form"] if times is None else FLINK,
        in_default=bool(base["in_default"]),
        key=base["base_key"] or "",
        beside_spark=None if beside is None else _table_columns(beside),
        text=base["text"] or "",
        flink_times=None
        if times is None
        else tuple((time["name"], time["kind"]) for time in times),
        acid=bool(base["acid"]),
    )


def _known_function(called: _Called) -> KnownFunction:
    signature = None
    if called["returns"] is not None:
        takes = tuple(Parameter(**parameter) for parameter in called["takes"] or ())
        signature = Signature(takes, called["returns"])
    keeper = kept_by(called["language"], called["implementation"])
    return KnownFunction(
        called["source"], tuple(called["namespace"]), called["name"], signature, keeper
    )


@lru_cache(maxsize=4_096)
def _parse_columns(columns: str) -> tuple[Column, ...]:
    return wire.columns_from_json(json.loads(columns))


def _table_columns(columns: list[_TableColumn]) -> tuple[Column, ...]:
    return _typed(tuple((column["name"], column["type"], column["nullable"]) for column in columns))


@lru_cache(maxsize=4_096)
def _typed(columns: tuple[tuple[str, str, bool | None], ...]) -> tuple[Column, ...]:
    return tuple(
        Column(name, wire.type_from_json(json.loads(kind)), None, nullable is not False)
        for name, kind, nullable in columns
    )


def _expand_view(compared: Compared, sqlglot: Bounded) -> _OfView:
    """Findings and lineage of a view, if the columns of all that it reads are known."""
    of_view = _OfView([], [], [])
    if compared.whole:
        for text in compared.view.representations:
            _expand_text(text, compared, of_view, sqlglot)
    return of_view


def _expand_text(
    text: Representation, compared: Compared, of_view: _OfView, sqlglot: Bounded
) -> None:
    """What sqlglot makes of a text with the columns of its bases, into what is found."""
    bases = {
        tuple(base["written"]): base for base in compared.known if base["dialect"] == text.dialect
    }
    names = {name: _names(base, text.dialect.casefold()) for name, base in bases.items()}
    output = sqlglot.ask("output", text.sql, text.dialect, names)
    if output is None:
        return
    declared = tuple(column.name for column in compared.view.columns)
    sought = spark.query_names(compared.view) if text.dialect.casefold() == SPARK else None
    subject = Expanded(declared, text.dialect, output, sought)
    of_view.findings.extend(
        finding_row(code, finding) for code, finding in checks.of_columns(subject)
    )
    folded = {tuple(map(str.casefold, name)): base for name, base in bases.items()}
    for column, origins in zip(subject.own_names(), output.origins, strict=False):
        for name, base_column in origins:
            base = folded.get(tuple(map(str.casefold, name)))
            if base is not None and column:
                of_view.lineage.append(_lineage_row(text.dialect, column, base, base_column))


def _names(base: _KnownName, engine: str) -> list[str] | None:
    """The columns that the engine of the text finds."""
    columns = _known_base(base).seen_by(engine).columns
    return None if columns is None else [column.name for column in columns]


def _lineage_row(
    dialect: str, column: str, base: _KnownName, base_column: str
) -> dict[str, object]:
    return {
        "dialect": dialect,
        "column": column,
        "base_source": base["base_source"],
        "base_key": base["base_key"],
        "base_column": base_column,
        "read_by": scopes.VERSION,
    }
