"""What executors run for the matrix: what is known of a view to its cells.

Imports neither pydantic nor the configuration.
"""

from collections.abc import Callable, Mapping
from typing import Final

import pyarrow as pa

from discovery.judging.matrix import Answer, Below, Cell, Evidence, cell
from discovery.judging.paths import Reach
from discovery.judging.ways import Path

_CELL: Final = pa.struct([(name, pa.string()) for name in Cell._fields])
CELLS: Final = pa.list_(_CELL)


def cells(reach: Reach) -> Callable[[pa.Array], pa.Array]:
    """What an Arrow function of Spark runs: what is known of views in, `CELLS` of each out.

    A view comes with `source`, `format`, `dialects`, `answers`, `errors` (engine and code) and
    `below` (engine, and what `Below` has).
    """

    def run(views: pa.Array) -> pa.Array:
        decided: list[Cell] = []
        paths: dict[tuple[str, str, tuple[str, ...]], list[Path]] = {}
        for row in views.to_pylist():
            dialects = tuple(row["dialects"])
            answers = tuple(Answer(**answer) for answer in row["answers"] or ())
            place = row["source"], row["format"], dialects
            if place not in paths:
                paths[place] = [reach.path(engine, *place) for engine in reach.engines]
            for engine, path in zip(reach.engines, paths[place], strict=True):
                errors = _values_of(engine, row["errors"], "code")
                by_field = (_values_of(engine, row["below"], name) for name in Below._fields)
                below = Below(*(next(iter(values), None) for values in by_field))
                decided.append(cell(Evidence.of(path, dialects, answers, errors, below)))
        columns = [pa.array(values, pa.string()) for values in _columns(decided)]
        offsets = [number * len(reach.engines) for number in range(len(views) + 1)]
        flat = pa.StructArray.from_arrays(columns, fields=list(_CELL))
        return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), flat, type=CELLS)

    return run


def _columns(decided: list[Cell]) -> list[list[str | None]]:
    return [[getattr(row, name) for row in decided] for name in Cell._fields]


def _values_of(
    engine: str, verdicts: list[Mapping[str, str | None]] | None, name: str
) -> tuple[str, ...]:
    values = (verdict[name] for verdict in verdicts or () if verdict["engine"] == engine)
    return tuple(value for value in values if value is not None)
