"""What executors run to ask running engines of views at a target, once they are written.

Imports neither pydantic nor the configuration.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa

from connectors.engines.desk import Desk, opened
from connectors.registry import Connector
from discovery import wire
from discovery.judging.asking import DIALOGUES, VERDICT_WORDS
from discovery.judging.same_rows import RowsAnswer, Shown
from discovery.judging.shown import unlike_planned
from discovery.model import Identifier
from jobs.migrating.tables import PLACE, VERIFIED_LIVE
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
        with opened(engine) as (desk, pool):
            for batch in batches:
                found = pool.map(
                    lambda row: _row(engine.kind, desk, catalogs[row["target"]], row, wanted),
                    batch.to_pylist(),
                )
                yield from to_batches(found, VERIFIED_LIVE.schema)

    return run


def _row(
    engine: str, desk: Desk, catalog: str, row: Mapping[str, Any], wanted: RowsWanted | None
) -> tuple[object, ...]:
    view = wire.view_from_json(json.loads(row["model"]), tuple(row["namespace"]))
    said = desk.said(catalog, view.identifier)
    shows = said.verdict.accepted
    rows = _rows(desk, Shown(catalog, view.identifier), row, wanted) if shows else None
    return (
        *(row[name] for name in PLACE),
        engine,
        said.version,
        VERDICT_WORDS[said.verdict.accepted],
        list(unlike_planned(DIALOGUES[engine], view, said.verdict)) if shows else None,
        said.verdict.message,
        said.asked,
        said.query,
        said.seconds,
        *(rows or (None, None, None)),
    )


def _rows(
    desk: Desk, target: Shown, row: Mapping[str, Any], wanted: RowsWanted | None
) -> RowsAnswer | None:
    """What is known of the rows; None: they are not asked for, or the engine shows no source."""
    source, namespace, name = (row[one] for one in ORIGIN)
    if wanted is None or name is None:
        return None
    origin = Shown(wanted.sources[source], Identifier(tuple(namespace), name))
    return desk.alike(origin, target, wanted.limit)
