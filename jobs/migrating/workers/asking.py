"""What executors run to ask running engines of views at a target, once they are written.

Imports neither pydantic nor the configuration.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

import pyarrow as pa

from connectors.engines.desk import Desk, open_desk
from connectors.registry import Connector
from discovery.judging.asking import DIALOGUES, VERDICT_WORDS
from discovery.judging.same_rows import RowsAnswer, ShownView
from discovery.judging.shown_columns import unlike_planned
from discovery.model import Identifier
from jobs.migrating.rows import DueChange, due
from jobs.migrating.tables import VERIFIED_LIVE
from jobs.warehouse.rows import ArrowFunction, to_batches

ORIGIN: Final = ("origin_source", "origin_namespace", "origin_name")
"""Columns beside those of `changes`: where the view was, of those sources that the engine shows."""


@dataclass(frozen=True, slots=True)
class RowsWanted:
    """What rows are asked for.

    Attributes:
        limit: Of a view at most.
        sources: Source to what the engine calls the catalog that shows it.
    """

    limit: int
    sources: Mapping[str, str]


def ask_written(
    engine: Connector, catalogs: Mapping[str, str], wanted: RowsWanted | None
) -> ArrowFunction:
    """What asks: rows of `changes` in, with those of `ORIGIN`, rows of `verified_live` out.

    All of an engine's views are one task, so that no more statements are open than it may have.

    Args:
        engine: The engine.
        catalogs: Target to what the engine calls the catalog that shows it.
        wanted: What rows are asked for; None: none.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with open_desk(engine) as (desk, pool):
            ask = partial(_ask_about, engine.kind, desk, catalogs)
            for batch in batches:
                answers = pool.map(ask, due(batch), _origins(batch, wanted))
                yield from to_batches(answers, VERIFIED_LIVE.schema)

    return run


def _ask_about(
    engine: str,
    desk: Desk,
    catalogs: Mapping[str, str],
    due_change: DueChange,
    origin: tuple[ShownView, int] | None,
) -> tuple[object, ...]:
    view, catalog = due_change.view, catalogs[due_change.target]
    answer = desk.ask_about(catalog, view.identifier)
    shows = answer.verdict.accepted
    alike: RowsAnswer | None = None
    if shows and origin is not None:
        source, limit = origin
        alike = desk.alike(source, ShownView(catalog, view.identifier), limit)
    return (
        *due_change.place,
        engine,
        answer.version,
        VERDICT_WORDS[answer.verdict.accepted],
        list(unlike_planned(DIALOGUES[engine], view, answer.verdict)) if shows else None,
        answer.verdict.message,
        answer.asked,
        answer.query,
        answer.seconds,
        *(alike or (None, None, None)),
    )


def _origins(
    batch: pa.RecordBatch, wanted: RowsWanted | None
) -> Iterator[tuple[ShownView, int] | None]:
    """Where each view was, and how many of its rows are asked for.

    None: they are not asked for, or the engine shows no source.
    """
    columns = (batch.column(column).to_pylist() for column in ORIGIN)
    for source, namespace, name in zip(*columns, strict=True):
        if wanted is None or name is None:
            yield None
        else:
            yield (
                ShownView(wanted.sources[source], Identifier(tuple(namespace), name)),
                wanted.limit,
            )
