"""What executors run to ask a running engine of views where they are.

Imports neither pydantic nor the configuration.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa

from connectors.engines.desk import Desk, open_desk
from connectors.registry import Connector
from discovery import checks
from discovery.chunks import chunks
from discovery.judging.asking import DIALOGUES, LIVE, asked_dialect
from discovery.judging.paths import Reach
from discovery.judging.shown_columns import compare_columns
from discovery.model import View
from jobs.assessing import tables as assessed
from jobs.assessing.workers.elements import JudgeAnswer, finding_row, verdict_row
from jobs.assessing.workers.views import AT_A_TIME, ViewRow, views_in
from jobs.warehouse.rows import ArrowFunction, to_batches


@dataclass(frozen=True, slots=True)
class Asking:
    """What an engine is asked, as it travels to the executors.

    Attributes:
        engine: The engine.
        catalogs: Source to what the engine calls the catalog that shows it.
        reach: How engines come to views.
    """

    engine: Connector
    catalogs: Mapping[str, str]
    reach: Reach


def ask_views(asking: Asking) -> ArrowFunction:
    """What asks: rows of `outcomes` that are views in, rows of `asked` out.

    All of an engine's views are one task, so that no more statements are open than it may have.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with open_desk(asking.engine) as (desk, pool):
            for batch in batches:
                for views in chunks(views_in(batch), AT_A_TIME):
                    rows = pool.map(lambda view: _ask_about_view(asking, desk, *view), views)
                    yield from to_batches(rows, assessed.ASKED.schema)

    return run


def _ask_about_view(
    asking: Asking, desk: Desk, row: ViewRow, form: str, view: View
) -> tuple[object, ...]:
    engine, source = asking.engine.kind, row[0]
    dialects = [representation.dialect for representation in view.representations]
    dialect = asked_dialect(asking.reach.path(engine, source, form, dialects), dialects)
    answered = desk.ask_about(asking.catalogs[source], view.identifier)
    answer = JudgeAnswer(
        answered.version, answered.verdict, LIVE, answered.asked, answered.query, answered.seconds
    )
    subject = compare_columns(DIALOGUES[engine], view, form, dialect, answered.verdict)
    pairs = checks.of_analyses(subject) if subject else ()
    findings = [finding_row(code, finding) for code, finding in pairs]
    return (*row, [verdict_row(dialect, engine, answer)], findings)
