"""What executors run for a report: rows to the texts of each format, a packed part at a time.

Imports neither pydantic nor the configuration.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import pyarrow as pa

from discovery.judging import standing
from discovery.judging.matrix import Cell
from discovery.judging.standing import Code, Facts
from jobs.reporting.drift import change_text
from jobs.reporting.lines import KEPT
from jobs.warehouse.rows import ArrowFunction
from reports import page
from reports.exports import FilePart, folders, parts
from reports.formats import FORMATS
from reports.head import RunFacts
from reports.histories import Past, entries
from reports.lines import Row, masked
from reports.overview import tally
from reports.tallies import Place, tally_losses, tally_views

RENDERED: Final = pa.schema(
    [
        ("part", pa.int32()),
        ("texts", pa.list_(pa.string())),  # of each format that was asked for, in their order
        ("owners", pa.list_(pa.struct([("owner", pa.string()), ("text", pa.string())]))),
        ("files", pa.list_(pa.struct([(name, pa.string()) for name in FilePart._fields]))),
        ("entries", pa.string()),
        ("detail", pa.string()),
        ("tally", pa.string()),
        ("counts", pa.string()),
    ]
)
STANDINGS: Final = pa.schema([("standing", pa.string()), ("number", pa.int64())])
TALLIES: Final = pa.schema([("counts", pa.string())])
_CELL: Final = ("engine", "status", "reason")
_SLICE: Final = 64  # rows that are Python objects at a time


@dataclass(frozen=True, slots=True)
class Rendering:
    """What is made of the rows of a run.

    Attributes:
        formats: Names of formats, and `html` for the page.
        part: Views in a part.
        of_run: What each row gets of the run (`of_run`).
        past: What the histories of views refer to.
        accepted: Source and key of all at which something is accepted.
    """

    formats: tuple[str, ...]
    part: int
    of_run: Row
    past: Past
    accepted: frozenset[Place] = frozenset()

    def parts(self, gathered: Iterable[Row]) -> Iterator[dict[str, object]]:
        """A row of `RENDERED` for each part of the rows, which come in order."""
        rows = (self._decided(row) for row in gathered)
        for number, group in groupby(rows, key=lambda row: int(row["row"]) // self.part):
            yield rendered(self.formats, number, list(group), self.accepted)

    def _decided(self, row: Row) -> Row:
        changes = sorted(map(change_text, row["changes"] or ())) or None
        details = {"changes": changes, "history": entries(self.past, row)}
        return {**decided(row), **self.of_run, **details}


def render(rendering: Rendering) -> ArrowFunction:
    """What `mapInArrow` runs: rows in order in, no part in two partitions; a row for each part."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows = (row for batch in batches for row in _rows(batch))
        for part in rendering.parts(rows):
            yield pa.RecordBatch.from_pylist([part], RENDERED)

    return run


def decided(row: Row) -> Row:
    """A row as the tables have it, with the standing of the view and the code behind that."""
    stands = standing.stands(_facts(row))
    first = {name: row[name] for name in KEPT}
    return {**first, "standing": stands.standing, "reason": stands.code, **row}


def _facts(row: Row) -> Facts:
    cells, findings = row["engines"], row["findings"] or ()
    return Facts(
        failure=row["code"] if row["outcome"] == "failure" else None,
        aside=row["aside"],
        unplanned=row["unplanned"],
        different=bool(row["differences"]),
        dialects=row["dialects"] or (),
        cells=None if cells is None else [Cell(*(cell[name] for name in _CELL)) for cell in cells],
        findings=[Code(*(finding[name] for name in Code._fields)) for finding in findings],
    )


def stands(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What `mapInArrow` runs: rows in; how many of each batch stand how, as rows of `STANDINGS`."""
    for batch in batches:
        counts = Counter(str(decided(row)["standing"]) for row in _rows(batch))
        columns = [pa.array(counts.keys(), pa.string()), pa.array(counts.values(), pa.int64())]
        yield pa.RecordBatch.from_arrays(columns, schema=STANDINGS)


def losses(accepted: frozenset[Place]) -> ArrowFunction:
    """What `mapInArrow` runs: what was lost or skipped in, a tally for each batch out."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            tallied = tally_losses(_rows(batch), accepted)
            yield pa.RecordBatch.from_arrays([pa.array([tallied])], schema=TALLIES)

    return run


def of_run(run: RunFacts) -> Row:
    """What formats need of the run beside each row: when it was committed, where sources are."""
    return {"seen": run.finished, "addresses": run.addresses}


def _rows(batch: pa.RecordBatch) -> Iterator[Row]:
    for start in range(0, batch.num_rows, _SLICE):
        yield from batch.slice(start, _SLICE).to_pylist()


def rendered(
    formats: Sequence[str],
    number: int,
    rows: Sequence[Row],
    accepted: frozenset[Place] = frozenset(),
) -> dict[str, object]:
    """A row of `RENDERED`: the texts of a part, with `***` for secrets that stand in views."""
    rows = [masked(row) for row in rows]
    texts = []
    for name in formats:
        if name in FORMATS:
            report_format = FORMATS[name]
            texts.append(
                report_format.between.join(
                    text for row in rows for text in report_format.texts(row)
                )
            )
    shown, wanted = "html" in formats, folders(formats)
    return {
        "part": number,
        "texts": texts,
        "owners": _owners(rows) if "csv" in formats else [],
        "files": [part._asdict() for row in rows for part in parts(row, wanted)] if wanted else [],
        "entries": ",".join(map(page.entry, rows)) if shown else "",
        "detail": page.detail(rows) if shown else "",
        "tally": tally(rows) if shown else "",
        "counts": tally_views(rows, accepted),
    }


def _owners(rows: Sequence[Row]) -> list[dict[str, str]]:
    """The lines of CSV by owner."""
    by_owner: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        by_owner[row["owner"] or ""] += FORMATS["csv"].texts(row)
    return [{"owner": owner, "text": "".join(texts)} for owner, texts in by_owner.items()]
