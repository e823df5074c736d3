"""What executors run for `assess`: the parsers, what views read, the checks.

Imports neither pydantic nor the configuration: a worker has no use for them.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypedDict

import pyarrow as pa
from pyspark import SparkFiles

from connectors import registry
from connectors.judges.bounded import Bounded
from connectors.judges.kept import lend
from connectors.registry import Connector, ConnectorKind
from discovery import checks, wire
from discovery.checks.name_lowered import engines_of_any_case
from discovery.checks.subject import Namesake, Subject, TextReads
from discovery.chunks import chunks
from discovery.errors import BelvedereError
from discovery.formats import glue, spark
from discovery.functions import FunctionSource
from discovery.judging.analyzers import ANALYZERS
from discovery.judging.described import is_described
from discovery.lineage import scopes
from discovery.lineage.references import Catalogs, function_place, place, stated_places
from discovery.model import SPARK, Identifier, Representation, View
from discovery.outcomes import Kind
from discovery.ports import (
    ANALYZE,
    OPINION,
    PARSE,
    Name,
    RegionalSource,
    SqlJudge,
    Statement,
    Verdict,
)
from jobs.assessing import tables as assessed
from jobs.assessing.workers.elements import (
    JudgeAnswer,
    call_row,
    finding_row,
    reference_row,
    stated_rows,
    verdict_row,
)
from jobs.warehouse.rows import ArrowFunction, to_batches

AT_A_TIME: Final = 1_000  # views
ViewRow = tuple[str, *tuple[object, ...]]
"""The columns that say which view a row is about, its source first, and more behind them."""
NEEDED: Final = (*assessed.VIEW, "format", "model")
"""What of `outcomes` is needed of a view."""


@dataclass(frozen=True, slots=True)
class Provided:
    """A judge as it travels to the executors.

    Attributes:
        engine: Its name in the registry.
        files: Names of its jars among the files that Spark ships.
        java_home: Of a newer Java on the driver, for a parser that needs it.
        missing: Why there is no such judge here; empty if there is.
        analyzes: Whether an analyzer is meant, not a parser.
    """

    engine: str
    files: tuple[str, ...] = ()
    java_home: str | None = None
    missing: str = ""
    analyzes: bool = False

    @property
    def kind(self) -> ConnectorKind:
        """Where the judge is."""
        return (registry.ANALYZERS if self.analyzes else registry.JUDGES)[self.engine]

    @property
    def speaks_for(self) -> str:
        """The engine itself: an analyzer may have a name of its own."""
        return ANALYZERS[self.engine].engine if self.analyzes else self.engine

    def judge(self) -> SqlJudge:
        """The judge; its process starts when it is first asked."""
        files = [SparkFiles.get(name) for name in self.files]
        judge: SqlJudge = self.kind.connector()(files, self.java_home)
        return judge

    def lent(self) -> AbstractContextManager[SqlJudge]:
        """The judge for a task of this worker, whose process it keeps for the next."""
        return lend(self, self.judge)


class _Text(NamedTuple):
    """A representation of a view of the batch."""

    view: int
    representation: Representation
    settings: tuple[tuple[str, str], ...] = ()


class _AskedView(NamedTuple):
    """A view of the batch, the codes of its notes, and whether its server has described it."""

    row: ViewRow
    form: str
    view: View
    notes: frozenset[str]
    is_described: bool


class _Lineage(NamedTuple):
    """What a representation reads, and whose tree says so."""

    tables: tuple[Name, ...]
    functions: tuple[Name, ...]
    read_by: str


@dataclass(slots=True)
class _Cells:
    """What is found of a view, representation by representation."""

    reads: list[TextReads] = field(default_factory=list)
    verdicts: list[dict[str, object]] = field(default_factory=list)
    references: list[dict[str, object]] = field(default_factory=list)
    calls: list[dict[str, object]] = field(default_factory=list)


_DESCRIBED: Final = JudgeAnswer("the server, as it was crawled", Verdict(True), ANALYZE)


def assess_views(
    judges: Sequence[Provided],
    sources: Mapping[str, Connector],
    names: Mapping[str, Mapping[str, str]],
    target_catalogs: frozenset[str],
    settings: Mapping[str, Mapping[str, str]],
) -> ArrowFunction:
    """What assesses: rows of `outcomes` that are views, with questions, in; `assessed` out.

    Args:
        judges: The engines, with their jars.
        sources: By name.
        names: What engines call the sources: engine to catalog name to source.
        target_catalogs: The catalogs that the views are loaded into.
        settings: Of each engine that has any, by name.
    """
    reaching = _reaching(names, settings)

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        catalogs = catalogs_of(names, sources, settings)
        with ExitStack() as stack:
            sqlglot = stack.enter_context(lend(Bounded, Bounded))
            bench = [
                (provided, None if provided.missing else stack.enter_context(provided.lent()))
                for provided in judges
            ]
            for batch in batches:
                for views in chunks(_asked_views(batch), AT_A_TIME):
                    rows = _assess(views, bench, catalogs, target_catalogs, reaching, sqlglot)
                    yield from to_batches(rows, assessed.ASSESSED.schema)

    return run


def _reaching(
    names: Mapping[str, Mapping[str, str]], settings: Mapping[str, Mapping[str, str]]
) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """The engines that have each source as a catalog, with their settings."""
    reaching: dict[str, dict[str, Mapping[str, str]]] = {}
    for engine, sources in names.items():
        for source in sources.values():
            reaching.setdefault(source, {})[engine] = settings.get(engine, {})
    return reaching


def catalogs_of(
    names: Mapping[str, Mapping[str, str]],
    sources: Mapping[str, Connector],
    settings: Mapping[str, Mapping[str, str]],
) -> Catalogs:
    """What engines call the sources, how these fold names, and what the engines are set up to."""
    view_sources = {name: connector.source() for name, connector in sources.items()}
    functions = {
        name: view_source.fold_function
        for name, view_source in view_sources.items()
        if isinstance(view_source, FunctionSource)
    }
    regions = {
        name: view_source.region
        for name, view_source in view_sources.items()
        if isinstance(view_source, RegionalSource)
    }
    return Catalogs(
        names,
        {name: view_source.fold for name, view_source in view_sources.items()},
        functions,
        regions,
        engines_of_any_case(settings),
    )


def views_in(batch: pa.RecordBatch, *beside: str) -> Iterator[tuple[ViewRow, str, View]]:
    """What identifies the row, with more columns behind that, the format, and the view."""
    columns = [batch.column(name).to_pylist() for name in (*NEEDED, *beside)]
    for source, namespace, name, key, kind, model, *extra in zip(*columns, strict=True):
        view = wire.view_from_json(json.loads(model), tuple(namespace))
        yield (source, namespace, name, key, *extra), kind, view


def _asked_views(batch: pa.RecordBatch) -> Iterator[_AskedView]:
    notes = batch.column("notes").to_pylist()
    for (row, form, view), noted in zip(views_in(batch, "question"), notes, strict=True):
        codes = frozenset(note["code"] for note in noted or ())
        yield _AskedView(row, form, view, codes, is_described(form, codes))


def _assess(
    views: Sequence[_AskedView],
    bench: Sequence[tuple[Provided, SqlJudge | None]],
    catalogs: Catalogs,
    target_catalogs: frozenset[str],
    reaching: Mapping[str, Mapping[str, Mapping[str, str]]],
    sqlglot: Bounded,
) -> Iterator[tuple[object, ...]]:
    texts = [text for n, asked in enumerate(views) for text in _texts(n, asked.view)]
    by_engine = {provided.engine: _judge_texts(provided, judge, texts) for provided, judge in bench}
    cells = [_Cells(verdicts=_said_by_server(asked)) for asked in views]
    for index, (number, text, _) in enumerate(texts):
        (source, *_), _, view, *_ = views[number]
        cell = cells[number]
        for engine, answers in by_engine.items():
            if answer := answers[index]:
                cell.verdicts.append(verdict_row(text.dialect, engine, answer))
        own = by_engine.get(text.dialect.casefold())
        read = _find_lineage(text, own[index] if own else None, sqlglot)
        cell.reads.append(TextReads(text, read.tables if read else None))
        if read is not None:
            for name in read.tables:
                leads = place(name, source, view.identifier, text, catalogs)
                cell.references.append(reference_row(text.dialect, name, leads, read.read_by))
            for name in read.functions:
                called = function_place(name, source, view, text, catalogs)
                cell.calls.append(call_row(text.dialect, name, called, read.read_by))
    for (row, kind, view, notes, _), cell in zip(views, cells, strict=True):
        reached_by = reaching.get(row[0], {})
        subject = Subject(view, kind, tuple(cell.reads), target_catalogs, reached_by, notes)
        findings = [finding_row(code, finding) for code, finding in checks.findings(subject)]
        beside = list(stated_places(view, row[0], catalogs)) if kind == glue.NAME else []
        cell.references.extend(stated_rows(beside, cell.references))
        resolved = bool(beside) or any(text_reads.tables is not None for text_reads in cell.reads)
        columns = [column.name for column in view.columns]
        yield (*row, columns, kind, resolved, cell.verdicts, cell.references, cell.calls, findings)


def _said_by_server(asked: _AskedView) -> list[dict[str, object]]:
    """The verdict of the server that has described the view, if that counts."""
    dialects = [text.dialect for text in asked.view.representations if asked.is_described]
    return [verdict_row(dialect, dialect.casefold(), _DESCRIBED) for dialect in dialects]


def _texts(number: int, view: View) -> Iterator[_Text]:
    """The texts of a view of the batch, each with the settings that it was written under."""
    for representation in view.representations:
        settings = spark.settings(view) if representation.dialect.casefold() == SPARK else ()
        yield _Text(number, representation, settings)


def _judge_texts(
    provided: Provided, judge: SqlJudge | None, texts: Sequence[_Text]
) -> list[JudgeAnswer | None]:
    """What an engine's judge says of each text; what it reads only where the text is its own.

    Of texts in other dialects there are verdicts, but no opinions.
    """
    if judge is None:
        return [JudgeAnswer(None, Verdict(None, f"no judge: {provided.missing}"))] * len(texts)
    answers: list[JudgeAnswer | None] = [None] * len(texts)
    own = [text.representation.dialect.casefold() == provided.engine for text in texts]
    asked = [n for n, is_own in enumerate(own) if is_own or judge.grade != OPINION]
    wanted = [
        Statement(texts[n].representation.sql, own[n], texts[n].settings if own[n] else ())
        for n in asked
    ]
    try:
        version = judge.version
        for n, verdict in zip(asked, judge.judge(wanted), strict=True):
            answers[n] = JudgeAnswer(version, verdict, judge.grade)
    except BelvedereError as error:
        return [JudgeAnswer(None, Verdict(None, f"no judge: {error}"))] * len(texts)
    return answers


def _find_lineage(
    text: Representation, own: JudgeAnswer | None, sqlglot: Bounded
) -> _Lineage | None:
    """What a text reads, as its engine's parser sees it, else sqlglot; None: nobody can tell."""
    tells_tables = own is not None and own.verdict.accepted and own.verdict.tells_tables
    if own is not None and own.grade == PARSE and tells_tables:
        engine = text.dialect.casefold()
        return _Lineage(own.verdict.tables, own.verdict.functions, f"{engine} {own.version}")
    names = sqlglot.ask("names", text.sql, text.dialect)
    return None if names is None else _Lineage(names[0], names[1], scopes.VERSION)


class _Named(TypedDict):
    """An object of a group whose names meet."""

    source: str
    namespace: list[str]
    name: str
    key: str
    outcome: str


def compare_names(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What compares names: groups of objects whose names meet in, rows of `findings` out."""
    for batch in batches:
        rows = (row for group in batch.column("group").to_pylist() for row in _collisions(group))
        yield from to_batches(rows, assessed.FINDINGS.schema)


def _collisions(group: Sequence[_Named]) -> Iterator[tuple[object, ...]]:
    """The findings of a group, once for each of its views."""
    namesakes = tuple(
        Namesake(
            row["source"],
            Identifier(tuple(row["namespace"]), row["name"]),
            Kind.VIEW if row["outcome"] == "view" else Kind.TABLE,
        )
        for row in sorted(group, key=lambda row: (row["source"], row["key"]))
    )
    for code, finding in checks.of_names(namesakes):
        values = tuple(finding_row(code, finding).values())
        for row in group:
            if row["outcome"] == "view":
                yield (row["source"], row["namespace"], row["name"], row["key"], *values)
