"""What executors run. Functions travel by name, so they live here and not in the scripts.

Imports neither pydantic nor the configuration: a worker has no use for them.
"""

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, TypeVar

import pyarrow as pa

from connectors import registry
from connectors.clients.credentials import Secret
from discovery.crawl import crawl
from discovery.outcomes import Failure, Kind, Listed, Outcome, Stage
from discovery.plan import Planned, plan
from discovery.ports import CrawlTask, ViewSource, ViewStore
from jobs.runtime import rows

Answer = TypeVar("Answer")
ArrowFunction = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]


@dataclass(frozen=True, slots=True)
class Connector:
    """A configured source or target, as it travels to the executors.

    Attributes:
        kind: Its name in the registry.
        options: Of the connector's own class `Options`.
        secrets: Values that no output may show.
        stated: The options as the file has them: references unresolved, defaults left out.
    """

    kind: str
    options: Any
    secrets: tuple[Secret, ...] = ()
    stated: Mapping[str, Any] = field(default_factory=dict)

    def source(self) -> ViewSource:
        """The source; connects when it is first asked."""
        source: ViewSource = registry.SOURCES[self.kind].connector()(self.options)
        return source

    def store(self) -> ViewStore:
        """The store; connects when it is first asked."""
        store: ViewStore = registry.STORES[self.kind].connector()(self.options)
        return store


def list_sources(sources: Mapping[str, Connector]) -> ArrowFunction:
    """What lists: names of sources in, rows of `objects` out, as the listing streams by."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        _collect_less()
        for batch in batches:
            for name in batch.column("source").to_pylist():
                with sources[name].source() as source:
                    listed = plan(
                        guarded(source.listing), batch=source.batch, connections=source.connections
                    )
                    secrets = sources[name].secrets
                    yield from rows.object_batches(name, listed, source.fold, secrets)

    return run


def crawl_objects(sources: Mapping[str, Connector]) -> ArrowFunction:
    """What crawls: rows of `objects` in, rows of `outcomes` out, in bounded batches."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        _collect_less()
        secrets = tuple(one for connector in sources.values() for one in connector.secrets)
        gathered = rows.OutcomeRows(secrets)
        with ExitStack() as stack:
            opened: dict[str, ViewSource] = {}
            planned = rows.planned_objects(batches)
            for (name, _), group in groupby(planned, lambda row: (row[0], row[1].task)):
                if name not in opened:
                    opened[name] = stack.enter_context(sources[name].source())
                source = opened[name]
                for outcome in _outcomes(name, source, (one for _, one in group)):
                    yield from gathered.add(name, outcome, source.fold)
        yield from gathered.rest()

    return run


def _collect_less() -> None:
    """Let the worker collect garbage rarely: views make no cycles, and looking costs a tenth."""
    gc.set_threshold(100_000, 50, 100)


def _outcomes(name: str, source: ViewSource, planned: Iterable[Planned]) -> Iterator[Outcome]:
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
