"""What executors run to fetch the columns of the tables that views read.

Imports neither pydantic nor the configuration: a worker has no use for them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import pyarrow as pa

from connectors.clients import lines
from connectors.clients.credentials import redacted
from connectors.registry import Connector
from discovery import wire
from discovery.chunks import chunks
from discovery.crawl import crawl
from discovery.errors import BelvedereError, DeniedError
from discovery.formats import base_columns
from discovery.formats.base_columns import TableColumns
from discovery.model import Column, View
from discovery.outcomes import VANISHED, Failure, Kind, Listed, Outcome, RawObject, Skipped
from discovery.ports import CrawlTask, Probe, TableSource, ViewSource
from jobs.assessing import tables as assessed
from jobs.warehouse.rows import ArrowFunction, to_batches

_Place = tuple[str, list[str], str, str]
"""The columns that say which table a row is about: source, namespace, name, key."""


class _TableListing(ViewSource):
    """The tables of a source, so that a crawl of them accounts for each like for a view."""

    def __init__(self, source: ViewSource, tables: TableSource) -> None:
        self.connections, self.batch, self._source = source.connections, source.batch, source
        self._tables = tables

    def close(self) -> None:
        """Close the source."""
        self._source.close()

    def fold(self, name: str) -> str:
        """As the source folds names."""
        return self._source.fold(name)

    def probe(self) -> Probe:
        """As the source answers."""
        return self._source.probe()

    def listing(self) -> Iterator[Listed | Failure]:
        """What the source lists."""
        return self._source.listing()

    def load(self, task: CrawlTask) -> Iterator[RawObject | Failure | Skipped]:
        """The entries of the tables, each as the object that was asked for. Does I/O."""
        wanted = {listed.identifier: listed for listed in task.objects}
        for answer in self._tables.load_tables(tuple(wanted)):
            yield replace(answer, listed=wanted[answer.listed.identifier])


def fetch_bases(name: str, connector: Connector) -> ArrowFunction:
    """What fetches: places of tables of one source in, rows of `bases` out."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with connector.source() as source:
            for batch in batches:
                columns = [batch.column(name).to_pylist() for name in assessed.VIEW]
                places = list(zip(*columns, strict=True))
                for chunk in chunks(places, source.batch):
                    yield from to_batches(
                        _fetch_places(name, source, chunk, connector), assessed.BASES.schema
                    )

    return run


def _fetch_places(
    name: str, source: ViewSource, places: Sequence[_Place], connector: Connector
) -> Iterator[tuple[object, ...]]:
    if not isinstance(source, TableSource):
        yield from (
            (*place, *_row("unknown", why="the source does not tell of tables")) for place in places
        )
        return
    rows_of = {Listed(tuple(place[1]), place[2], Kind.UNDECIDED): place for place in places}
    for outcome in crawl(CrawlTask(name, tuple(rows_of)), _TableListing(source, source)):
        state, table_columns, message = _base(outcome)
        yield (
            *rows_of[outcome.listed],
            *_row(state, table_columns, redacted(message, connector.secrets)),
        )


def _row(
    state: str, table_columns: TableColumns | None = None, why: str = ""
) -> tuple[object, ...]:
    """The columns of `bases` behind the place."""
    if table_columns is None:
        return state, None, why, None, None, None
    columns, beside, times, acid = table_columns
    return (
        state,
        list(map(_column, columns)),
        why,
        None if beside is None else list(map(_column, beside)),
        None if times is None else [{"name": name, "kind": kind} for name, kind in times],
        acid,
    )


def _base(outcome: Outcome) -> tuple[str, TableColumns | None, str]:
    """State, columns and message of what was fetched."""
    result = outcome.result
    if isinstance(result, Failure):
        state = "unknown" if result.code == DeniedError.code else "unread"  # is it there at all?
        return state, None, f"{result.code}: {result.message}"
    if isinstance(result, Skipped) and result.reason is VANISHED:
        return "missing", None, ""
    if _is_sequence(outcome):
        return "sequence", None, "a sequence: a table of one row, with the columns of its server"
    if isinstance(result, Skipped) and not outcome.raw:  # it is there, and another source's
        return "found", None, result.detail or result.reason.text
    try:
        table_columns = (
            TableColumns(result.columns) if isinstance(result, View) else _columns_of(outcome)
        )
    except BelvedereError as error:
        return "unread", None, f"{error.code}: {error}"
    if table_columns is None:
        return "found", None, "its entry does not tell its columns"
    return "found", table_columns, ""


def _column(column: Column) -> dict[str, str | bool]:
    return {"name": column.name, "type": wire.type_text(column.type), "nullable": column.nullable}


def _is_sequence(outcome: Outcome) -> bool:
    """Whether the entry says that it is a sequence: PostgreSQL's and MariaDB's do."""
    if not outcome.raw or isinstance(outcome.result, View):
        return False
    kind, payload, _ = lines.parse(outcome.raw.encode())
    return kind == "postgresql_table" and payload.get("relkind") == "S"


def _columns_of(outcome: Outcome) -> TableColumns | None:
    kind, payload, _ = lines.parse(outcome.raw.encode())
    return base_columns.table_columns(RawObject(outcome.listed, kind, payload))
