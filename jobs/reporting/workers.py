"""What executors run for a report: rows to the texts of each format, a packed part at a time.

Imports neither pydantic nor the configuration.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

import pyarrow as pa

from discovery.judging import standing
from discovery.judging.matrix import Cell
from discovery.judging.standing import Code, Facts
from reports import page
from reports.exports import FilePart, folders, parts
from reports.formats import FORMATS
from reports.head import RunFacts
from reports.lines import Row, masked
from reports.overview import tally

STANDS: Final = pa.struct([("standing", pa.string()), ("reason", pa.string())])
Rendered = Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]

RENDERED: Final = pa.schema(
    [
        ("part", pa.int32()),
        ("texts", pa.list_(pa.string())),  # of each format that was asked for, in their order
        ("owners", pa.list_(pa.struct([("owner", pa.string()), ("text", pa.string())]))),
        ("files", pa.list_(pa.struct([(name, pa.string()) for name in FilePart._fields]))),
        ("entries", pa.string()),
        ("detail", pa.string()),
        ("tally", pa.string()),
    ]
)
_SLICE: Final = 64  # rows that are Python objects at a time


def stands(facts: pa.Array) -> pa.Array:
    """What an Arrow function of Spark runs: a row of facts for each view in, `STANDS` out."""
    found = [standing.stands(_facts(row)) for row in facts.to_pylist()]
    columns = ([one.standing for one in found], [one.code for one in found])
    arrays = [pa.array(values, pa.string()) for values in columns]
    return pa.StructArray.from_arrays(arrays, fields=list(STANDS))


def _facts(row: Mapping[str, Any]) -> Facts:
    cells = (row[f"cell_{name}"] for name in ("engine", "status", "reason"))
    findings = (row[f"found_{name}"] or () for name in ("code", "severity", "engine"))
    assessed = row["cell_engine"] is not None
    return Facts(
        failure=row["failure"],
        aside=row["aside"],
        unplanned=row["unplanned"],
        different=row["different"],
        dialects=row["dialects"] or (),
        cells=[Cell(*one) for one in zip(*cells, strict=True)] if assessed else None,
        findings=[Code(*one) for one in zip(*findings, strict=True)],
    )


def render(formats: Sequence[str], part: int, of_run: Row) -> Rendered:
    """What `mapInArrow` runs: rows in order in, a row for each part out.

    Args:
        formats: Names of formats, and `html` for the page.
        part: Views in a part; no part is in two partitions.
        of_run: What each row gets of the run (`of_run`).
    """

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows = ({**row, **of_run} for batch in batches for row in _rows(batch))
        for number, some in groupby(rows, key=lambda row: int(row["row"]) // part):
            yield pa.RecordBatch.from_pylist([rendered(formats, number, list(some))], RENDERED)

    return run


def of_run(run: RunFacts) -> Row:
    """What formats need of the run beside each row: when it was committed, where sources are."""
    return {"seen": run.finished, "addresses": run.addresses}


def _rows(batch: pa.RecordBatch) -> Iterator[dict[str, Any]]:
    for start in range(0, batch.num_rows, _SLICE):
        yield from batch.slice(start, _SLICE).to_pylist()


def rendered(formats: Sequence[str], number: int, rows: Sequence[Row]) -> dict[str, Any]:
    """A row of `RENDERED`: the texts of a part, with `***` for secrets that stand in views."""
    rows = [masked(row) for row in rows]
    texts = []
    for name in formats:
        if name in FORMATS:
            one = FORMATS[name]
            texts.append(one.between.join(text for row in rows for text in one.texts(row)))
    shown, wanted = "html" in formats, folders(formats)
    return {
        "part": number,
        "texts": texts,
        "owners": _owners(rows) if "csv" in formats else [],
        "files": [part._asdict() for row in rows for part in parts(row, wanted)] if wanted else [],
        "entries": ",".join(map(page.entry, rows)) if shown else "",
        "detail": page.detail(rows) if shown else "",
        "tally": tally(rows) if shown else "",
    }


def _owners(rows: Sequence[Row]) -> list[dict[str, str]]:
    """The lines of CSV by owner."""
    found: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        found[row["owner"] or ""] += FORMATS["csv"].texts(row)
    return [{"owner": owner, "text": "".join(some)} for owner, some in found.items()]
