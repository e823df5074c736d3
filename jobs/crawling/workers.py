"""What executors run. Functions travel by name, so they live here and not in the scripts.

Imports neither pydantic nor the configuration: a worker has no use for them.
"""

import gc
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from itertools import chain, groupby
from typing import Final, TypeVar

import pyarrow as pa

from connectors.clients.credentials import redacted
from connectors.registry import Connector
from discovery.crawl import Assigned, assign, crawl
from discovery.errors import BelvedereError, GrantsNotToldError
from discovery.event_log import LoggedEvent, LoggedSource, SignalledSource
from discovery.outcomes import Failure, Kind, Listed, Outcome, Stage
from discovery.pacing.care import Care, Pace, PulsingSource
from discovery.ports import CrawlTask, ViewSource
from discovery.rights.model import Grant, GrantSource, Membership
from jobs.crawling import tables as rows
from jobs.crawling.finished import FinishedTasks
from jobs.warehouse.rows import ArrowFunction, to_batches

Answer = TypeVar("Answer")
_FIRST: Final = 4  # pulses of a new connection, the first of which may open it
_NICE: Final = 10  # of Unix: a tenth of what others get of a processor that all want


def list_sources(sources: Mapping[str, Connector], *, signals: bool) -> ArrowFunction:
    """What lists: names of sources in, rows of `objects` out, as the listing streams by.

    Args:
        sources: By name.
        signals: Whether sources are to tell what costs them something, for the next crawl.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        _collect_less()
        for batch in batches:
            for name in batch.column("source").to_pylist():
                with sources[name].source() as source:
                    listing = source.listing
                    if signals and isinstance(source, SignalledSource):
                        listing = source.list_with_signals
                    listed = assign(
                        guard_listing(listing), batch=source.batch, connections=source.connections
                    )
                    secrets = sources[name].secrets
                    yield from rows.object_batches(name, listed, source.fold, secrets)

    return run


def list_grants(sources: Mapping[str, Connector]) -> ArrowFunction:
    """What asks who may do what: names of sources in, rows of `grants` out.

    A source that breaks off has told too little: it has the reason, and no rights.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for name in batch.column("source").to_pylist():
                with sources[name].source() as source:
                    answers = list(_ask_for_grants(source))
                    yield from rows.grant_batches(name, source, answers, sources[name].secrets)

    return run


def _ask_for_grants(source: ViewSource) -> Iterator[Grant | Membership | Failure]:
    """What a source says of rights, or that it cannot."""
    if isinstance(source, GrantSource):
        answers: Iterator[Grant | Membership | Failure] = guard_listing(source.grants)
        yield from answers
    else:
        error = GrantsNotToldError("rights are not read from sources of this kind")
        yield Failure.of(Listed((), "", Kind.SOURCE), Stage.READ, error)


def crawl_objects(
    sources: Mapping[str, Connector],
    finished: FinishedTasks | None = None,
    care: Mapping[str, Care] | None = None,
) -> ArrowFunction:
    """What crawls: rows of `objects` in, rows of `outcomes` out, in bounded batches.

    Args:
        sources: By name.
        finished: Where finished tasks are: their rows are taken, those of others kept. None: none.
        care: How sources are spared; None: not at all.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        _collect_less()
        _give_way(care or {})
        gathered = rows.OutcomeRows(tuple(s for source in sources.values() for s in source.secrets))
        with ExitStack() as stack:
            opened: dict[str, PacedSource] = {}

            def rows_of(name: str, task: Sequence[Assigned]) -> Iterator[pa.RecordBatch]:
                if name not in opened:
                    source = stack.enter_context(sources[name].source())
                    opened[name] = PacedSource(source, (care or {}).get(name))
                for outcome in opened[name].outcomes(name, task):
                    yield from gathered.add(name, outcome, opened[name].source.fold)
                if finished is not None:
                    yield from gathered.rest()

            for (name, _), group in groupby(rows.planned_objects(batches), _task_of):
                task = [assigned for _, assigned in group]
                if finished is None:
                    yield from rows_of(name, task)
                    continue
                task_name = finished.name(name, task)
                done = finished.rows(task_name, len(task))
                yield from finished.keep(task_name, rows_of(name, task)) if done is None else done
        yield from gathered.rest()

    return run


def _task_of(planned: tuple[str, Assigned]) -> tuple[str, int]:
    return planned[0], planned[1].task


SAMPLES: Final = pa.schema(
    [("source", pa.string()), ("fetched", pa.int64()), ("seconds", pa.float64())]
)
"""Tasks that were fetched to see how long that takes."""


def sample_tasks(sources: Mapping[str, Connector]) -> ArrowFunction:
    """What samples: rows of `objects` in, one task of each source; rows of `SAMPLES` out."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for name, group in groupby(rows.planned_objects(batches), lambda row: row[0]):
            listed = [
                assigned.answer for _, assigned in group if isinstance(assigned.answer, Listed)
            ]
            fetched = sum(item.is_read for item in listed)
            with sources[name].source() as source:
                began = time.monotonic()
                for _ in crawl(CrawlTask(name, tuple(listed)), source):
                    pass
                seconds = time.monotonic() - began
            columns = [[name], [fetched], [seconds]]
            yield pa.RecordBatch.from_pydict(
                dict(zip(SAMPLES.names, columns, strict=True)), schema=SAMPLES
            )

    return run


MARKS: Final = pa.schema([("source", pa.string()), ("mark", pa.string()), ("why", pa.string())])
"""How far the record of each source is, or why that is not known."""

CHANGED: Final = pa.schema([("source", pa.string()), ("key", pa.string()), ("why", pa.string())])
"""What the record of a source names as changed; without a key: why it is not believed."""


def mark_sources(sources: Mapping[str, Connector]) -> ArrowFunction:
    """What asks how far records are: names of sources in, rows of `MARKS` out."""

    def mark_source(name: str) -> tuple[str, str | None, str | None]:
        with sources[name].source() as source:
            try:
                if isinstance(source, LoggedSource):
                    return name, source.mark().to_text(), None
                assert isinstance(source, SignalledSource)  # noqa: S101 - no other is asked
                source.check_signals()
            except Exception as error:  # noqa: BLE001 - crosses Spark as a row
                return name, None, _why(error, sources[name])
            return name, None, None

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield from to_batches(map(mark_source, batch.column("source").to_pylist()), MARKS)

    return run


def list_changed_objects(
    sources: Mapping[str, Connector], marks: Mapping[str, str]
) -> ArrowFunction:
    """What reads records: names of sources in, rows of `CHANGED` out.

    Args:
        sources: By name.
        marks: From where each is read.
    """

    def list_changes(name: str) -> Iterator[tuple[str, str | None, str | None]]:
        with sources[name].source() as source:
            try:
                assert isinstance(source, LoggedSource)  # noqa: S101 - it has given a mark
                for identifier in source.read_changes(LoggedEvent.of_text(marks[name])):
                    yield (
                        name,
                        rows.key(Listed(identifier.namespace, identifier.name), source.fold),
                        None,
                    )
            except Exception as error:  # noqa: BLE001 - crosses Spark as a row
                yield name, None, _why(error, sources[name])

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            names = batch.column("source").to_pylist()
            yield from to_batches(chain.from_iterable(map(list_changes, names)), CHANGED)

    return run


def _why(error: Exception, connector: Connector) -> str:
    failure = Failure.of(Listed((), "", Kind.SOURCE), Stage.LIST, error)
    hint = f" ({failure.hint})" if failure.hint else ""
    return redacted(f"{failure.message}{hint}", connector.secrets)


def _collect_less() -> None:
    """Let the worker collect garbage rarely: views make no cycles, and looking costs a tenth."""
    gc.set_threshold(100_000, 50, 100)


def _give_way(care: Mapping[str, Care]) -> None:
    """Let what else wants the processor have it first: a source to spare may run on this machine.

    It stays so for the life of the worker, as only root may take it back.
    """
    if not any(source_care.slow_down for source_care in care.values()):
        return
    with suppress(OSError):  # a sandbox that refuses it
        if os.getpriority(os.PRIO_PROCESS, 0) < _NICE:
            os.setpriority(os.PRIO_PROCESS, 0, _NICE)


def guard_listing(listing: Callable[[], Iterator[Answer | Failure]]) -> Iterator[Answer | Failure]:
    """A listing, ended by a failure of the whole source if it breaks off."""
    try:
        yield from listing()
    except Exception as error:  # noqa: BLE001 - the task boundary: an error crosses Spark as a row
        yield Failure.of(Listed((), "", Kind.SOURCE), Stage.LIST, error)


class PacedSource:
    """A source that a worker crawls no faster than it may.

    Args:
        source: The source, opened.
        care: How it is spared; None: not at all.

    Attributes:
        source: The same.
    """

    def __init__(self, source: ViewSource, care: Care | None) -> None:
        self.source = source
        self._pace = Pace(care, source.connections) if care else None
        self._rest = 0.0  # seconds, before the next task
        self._pulsing = care is not None and care.slow_down > 0
        self._is_new = True

    def outcomes(self, name: str, task: Sequence[Assigned]) -> Iterator[Outcome]:
        """One outcome for each planned object: failures of the listing as they are, others crawled.

        Args:
            name: Of the source.
            task: What is planned.
        """
        failures = [assigned.answer for assigned in task if isinstance(assigned.answer, Failure)]
        yield from (Outcome(failure.listed, failure) for failure in failures)
        listed = tuple(assigned.answer for assigned in task if isinstance(assigned.answer, Listed))
        fetched = sum(item.is_read for item in listed)
        if self._pace is None or not fetched:
            yield from crawl(CrawlTask(name, listed), self.source)
            return
        time.sleep(self._rest)
        if self._is_new:
            self._ask(_FIRST)
        began = time.monotonic()
        yield from crawl(CrawlTask(name, listed), self.source)
        seconds = time.monotonic() - began
        self._ask(1)
        self._rest = self._pace.rest(fetched, seconds)

    def _ask(self, times: int) -> None:
        """Learn how fast the source answers; what does not answer is asked that no more."""
        self._is_new = False
        source, pace = self.source, self._pace
        if pace is None or not isinstance(source, PulsingSource):
            return
        for _ in range(times if self._pulsing else 0):
            began = time.monotonic()
            try:
                source.pulse()
            except BelvedereError:
                self._pulsing = False
                return
            pace.learn(time.monotonic() - began)
