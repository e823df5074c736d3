"""What executors run. Functions travel by name, so they live here and not in the scripts.

Imports neither pydantic nor the configuration: a worker has no use for them.
"""

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import groupby
from typing import TypeVar

import pyarrow as pa

from connectors.registry import Connector
from discovery.crawl import Assigned, assign, crawl
from discovery.outcomes import Failure, Kind, Listed, Outcome, Stage
from discovery.ports import CrawlTask, ViewSource
from jobs.crawling import tables as rows
from jobs.crawling.finished import FinishedTasks
from jobs.warehouse.rows import ArrowFunction

Answer = TypeVar("Answer")


def list_sources(sources: Mapping[str, Connector]) -> ArrowFunction:
    """What lists: names of sources in, rows of `objects` out, as the listing streams by."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        _collect_less()
        for batch in batches:
            for name in batch.column("source").to_pylist():
                with sources[name].source() as source:
                    listed = assign(
                        guarded(source.listing), batch=source.batch, connections=source.connections
                    )
                    secrets = sources[name].secrets
                    yield from rows.object_batches(name, listed, source.fold, secrets)

    return run


def crawl_objects(
    sources: Mapping[str, Connector], finished: FinishedTasks | None = None
) -> ArrowFunction:
    """What crawls: rows of `objects` in, rows of `outcomes` out, in bounded batches.

    Args:
        sources: By name.
        finished: Tasks that an earlier attempt has finished: their rows are taken from there, and
            those of others kept there. None: nothing is kept.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        _collect_less()
        secrets = tuple(one for connector in sources.values() for one in connector.secrets)
        gathered = rows.OutcomeRows(secrets)
        with ExitStack() as stack:
            opened: dict[str, ViewSource] = {}

            def rows_of(name: str, task: Sequence[Assigned]) -> Iterator[pa.RecordBatch]:
                if name not in opened:
                    opened[name] = stack.enter_context(sources[name].source())
                for outcome in _outcomes(name, opened[name], task):
                    yield from gathered.add(name, outcome, opened[name].fold)
                if finished is not None:
                    yield from gathered.rest()

            planned = rows.planned_objects(batches)
            for (name, _), group in groupby(planned, lambda row: (row[0], row[1].task)):
                task = [one for _, one in group]
                if finished is None:
                    yield from rows_of(name, task)
                    continue
                known = finished.name(name, task)
                done = finished.rows(known, len(task))
                yield from finished.keep(known, rows_of(name, task)) if done is None else done
        yield from gathered.rest()

    return run


def _collect_less() -> None:
    """Let the worker collect garbage rarely: views make no cycles, and looking costs a tenth."""
    gc.set_threshold(100_000, 50, 100)


def _outcomes(name: str, source: ViewSource, planned: Iterable[Assigned]) -> Iterator[Outcome]:
    """One outcome for each planned object: failures of the listing as they are, others crawled."""
    objects = []
    for one in planned:
        if isinstance(one.answer, Failure):
            yield Outcome(one.answer.listed, one.answer)
        else:
            objects.append(one.answer)
    yield from crawl(CrawlTask(name, tuple(objects)), source)


def guarded(listing: Callable[[], Iterator[Answer | Failure]]) -> Iterator[Answer | Failure]:
    """A listing, ended by a failure of the whole source if it breaks off."""
    try:
        yield from listing()
    except Exception as error:  # noqa: BLE001 - the task boundary: an error crosses Spark as a row
        yield Failure.of(Listed((), "", Kind.SOURCE), Stage.LIST, error)
