"""What executors run for the matrix: what is known of a view and an engine to a cell.

Imports neither pydantic nor the configuration.
"""

from collections.abc import Mapping
from typing import Any, Final

import pyarrow as pa

from discovery.judging.matrix import Answer, Evidence, cell

_WORDS: Final = ("status", "reason", "grade")
CELLS: Final = pa.struct([(name, pa.string()) for name in _WORDS])


def cells(evidence: pa.Array) -> pa.Array:
    """What an Arrow function of Spark runs: engine, answers, errors, below in; `CELLS` out."""
    found = [cell(_evidence(row)) for row in evidence.to_pylist()]
    columns = ([getattr(one, name) for one in found] for name in _WORDS)
    arrays = [pa.array(values, pa.string()) for values in columns]
    return pa.StructArray.from_arrays(arrays, fields=list(CELLS))


def _evidence(row: Mapping[str, Any]) -> Evidence:
    return Evidence(
        engine=row["engine"],
        answers=tuple(Answer(**one) for one in row["answers"] or ()),
        errors=tuple(row["errors"] or ()),
        below=row["below"],
    )
