"""What executors run to ask running engines of views at a target, once they are written.

Imports neither pydantic nor the configuration.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pyarrow as pa

from connectors.engines.desk import Desk, opened
from connectors.registry import Connector
from discovery import wire
from discovery.judging.asking import DIALOGUES, VERDICT_WORDS
from discovery.judging.shown import unlike_planned
from jobs.migrating.tables import PLACE, VERIFIED_LIVE
from jobs.warehouse.rows import ArrowFunction, to_batches


def ask_written(engine: Connector, catalogs: Mapping[str, str]) -> ArrowFunction:
    """What asks: rows of `changes` in, rows of `verified_live` out.

    All of an engine's views are one task, so that no more statements are open than it may have.

    Args:
        engine: The engine.
        catalogs: Target to what the engine calls the catalog that shows it.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with opened(engine) as (desk, pool):
            for batch in batches:
                found = pool.map(
                    lambda row: _row(engine.kind, desk, catalogs[row["target"]], row),
                    batch.to_pylist(),
                )
                yield from to_batches(found, VERIFIED_LIVE.schema)

    return run


def _row(engine: str, desk: Desk, catalog: str, row: Mapping[str, Any]) -> tuple[Any, ...]:
    view = wire.view_from_json(json.loads(row["model"]), tuple(row["namespace"]))
    said = desk.said(catalog, view.identifier)
    shows = said.verdict.accepted
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
    )
