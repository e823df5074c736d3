"""What executors run for `assess` with what views read: analyzers, lineage, drift, other meanings.

Imports neither pydantic nor the configuration: a worker has no use for them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import NamedTuple

import pyarrow as pa

from connectors.judges.bounded import Bounded
from connectors.judges.kept import lend
from discovery import checks
from discovery.checks.means_otherwise import text_read_elsewhere
from discovery.checks.subject import Completed, Expanded, OtherMeaning, ReadElsewhere
from discovery.chunks import chunks
from discovery.errors import BelvedereError
from discovery.formats import spark, spark_mode
from discovery.judging.analysis import Functions
from discovery.judging.analyzers import ANALYZERS, Analyzer
from discovery.judging.calling import KnownFunction
from discovery.judging.entries import Entry, StoredText
from discovery.judging.paths import Reach
from discovery.judging.ways import Way
from discovery.lineage import scopes
from discovery.model import FLINK, SPARK, Representation
from discovery.ports import PARSE, SqlJudge, Statement, Verdict
from jobs.assessing import tables as assessed
from jobs.assessing.workers.elements import JudgeAnswer, finding_row, verdict_row
from jobs.assessing.workers.known import Compared, KnownName, as_known_base, with_known
from jobs.assessing.workers.views import AT_A_TIME, Provided
from jobs.warehouse.rows import ArrowFunction, to_batches


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
        """With its judge, which the stack gives back."""
        judge = None if provided.missing else stack.enter_context(provided.lent())
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
            sqlglot = stack.enter_context(lend(Bounded, Bounded))
            bench = [Seat.of(analyzer, stack) for analyzer in estate.analyzers]
            for batch in batches:
                for views in chunks(with_known(batch, "question"), AT_A_TIME):
                    of_views = [_expand_view(view, estate, sqlglot) for view in views]
                    for seat in bench:
                        _analyze(seat, estate, views, of_views)
                    rows = (
                        (*view.row, *of_view) for view, of_view in zip(views, of_views, strict=True)
                    )
                    yield from to_batches(rows, assessed.COMPARED.schema)

    return run


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
    if not compared.resolved:
        return
    view, source, name = compared.view, compared.row[0], analyzer.engine
    dialects = [text.dialect for text in view.representations]
    path = estate.reach.path(name, source, compared.form, dialects)
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
            settings=estate.reach.settings.get(name, {}),
            under=tuple(as_known_base(base).seen_by(name) for base in compared.under),
        )
        reads = [base.seen_by(name) for base in compared.reads(takes)]
        entry = analyzer.entry_of(stored, reads, estate.catalogs.get(name, {}))
        if entry is not None:
            yield AskedText(number, text, entry)


def _expand_view(compared: Compared, estate: Surroundings, sqlglot: Bounded) -> _OfView:
    """What is found of a view; lineage if the columns of all that it reads are known."""
    of_view, engines = _OfView([], [], []), estate.reach.engines
    of_view.findings.extend(
        finding_row(code, finding)
        for code, finding in checks.of_bases(_completed(compared, estate.catalogs))
    )
    if compared.whole:
        for text in compared.view.representations:
            _expand_text(text, compared, of_view, sqlglot)
    if (own := text_read_elsewhere(compared.view, compared.form, engines)) is not None:
        meanings = _other_meanings(own, compared, engines, sqlglot)
        subject = ReadElsewhere(compared.view, own.dialect.casefold(), meanings)
        of_view.findings.extend(
            finding_row(code, finding) for code, finding in checks.of_meanings(subject)
        )
    return of_view


def _completed(compared: Compared, catalogs: Mapping[str, Mapping[str, str]]) -> Completed:
    """The view, with those of its names that lead to a table or view that is there."""
    leading: dict[str, tuple[tuple[str, ...], ...]] = {}
    for base in compared.known:
        if base["columns"] is not None or base["declared"] is not None:
            leading[base["dialect"]] = (*leading.get(base["dialect"], ()), tuple(base["written"]))
    reaching = {
        engine: frozenset(names)
        for engine, names in catalogs.items()
        if compared.row[0] in names.values()
    }
    return Completed(compared.view, compared.form, leading, reaching)


def _other_meanings(
    text: Representation, compared: Compared, engines: Sequence[str], sqlglot: Bounded
) -> tuple[OtherMeaning, ...] | None:
    """What a text means to the engines that read it beside its own; None: nobody could tell."""
    dialect = text.dialect.casefold()
    bases = [base.seen_by(dialect) for base in compared.reads(text.dialect)]
    columns = {base.written: base.columns for base in bases if base.columns is not None}
    mode = spark_mode.mode(compared.view)
    asked = ("meant_otherwise", text.sql, dialect, columns, FLINK in engines, mode)
    meanings: tuple[OtherMeaning, ...] | None = sqlglot.ask(*asked)
    return meanings


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
    for column, origins in zip(subject.own_names(), output.origins, strict=False):
        for name, base_column in origins:
            base = bases.get(name)
            if base is not None and column:
                of_view.lineage.append(_lineage_row(text.dialect, column, base, base_column))


def _names(base: KnownName, dialect: str) -> list[str] | None:
    """The columns that the engine of the text finds."""
    columns = as_known_base(base).seen_by(dialect).columns
    return None if columns is None else [column.name for column in columns]


def _lineage_row(dialect: str, column: str, base: KnownName, base_column: str) -> dict[str, object]:
    return {
        "dialect": dialect,
        "column": column,
        "base_source": base["base_source"],
        "base_key": base["base_key"],
        "base_column": base_column,
        "read_by": scopes.VERSION,
    }
