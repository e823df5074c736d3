"""The head of the report as Markdown, for a pull request. A cell of a table is Markdown already."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from discovery.judging.matrix import Reading
from discovery.judging.standing import Standing
from reports.head import ReportHead, most_first
from reports.headline import destinations, title
from reports.markdown import code, text

_CAUSES: Final = 15
_EVALUATED: Final = ("passed", "not evaluated", "failed")


def begin(head: ReportHead) -> str:
    """All of it: views are in the other formats."""
    lines = [
        f"# Can we move? {text(title(head))}",
        "",
        *(f"- {text(sentence)}" for sentence, _ in destinations(head)),
        "",
        f"Run {code(head.run.run_id)} of {head.run.started}, belvedere {head.run.version}.",
        "",
        *_table(
            tuple(Standing),
            [[f"{head.standing.get(word, 0):,}" for word in Standing]],
        ),
        *(f"- over the threshold: {text(line)}" for line in head.over),
        *(f"- {text(line)}" for line in head.left_out),
        *([""] if head.over or head.left_out else []),
        *_drift(head),
        *_engines(head),
        "## What holds views back",
        "",
        *_causes(head),
        "## Counts",
        "",
        *_sources(head),
        *_quality(head),
    ]
    return "\n".join(lines)


def _drift(head: ReportHead) -> Iterator[str]:
    if head.drift is not None:
        changes = ", ".join(f"{number:,} {sort}" for sort, number in head.drift.counts.items())
        yield from (f"Since {code(head.drift.against)}: {changes}.", "")


def _engines(head: ReportHead) -> Iterator[str]:
    yield from ("## Engines", "")
    if head.engines is None:
        yield from ("Not run: `belvedere assess` tells which engine reads which view.", "")
        return
    rows = [
        [
            text(engine),
            *(f"{counts.get(word, 0):,}" for word in Reading),
            f"{head.parsed.get(engine, 0):,}",
        ]
        for engine, counts in head.engines.items()
    ]
    yield from _table(("Engine", *Reading, "parsed only"), rows)
    for engine, counts in head.rejections.items():
        reasons = ", ".join(f"{number:,} {code(why)}" for why, number in most_first(counts))
        yield f"- not read by {text(engine)}: {reasons}"
    if head.rejections:
        yield ""


def _causes(head: ReportHead) -> Iterator[str]:
    rows = [
        [
            code(cause.code),
            text(cause.sort),
            f"{cause.number:,}",
            f"{cause.holds:,}",
            text(cause.example),
            text(cause.fix),
        ]
        for cause in head.causes[:_CAUSES]
    ]
    if not rows:
        yield from ("Nothing.", "")
        return
    yield from _table(("Code", "Sort", "Views", "Held back", "Example", "What to do"), rows)


def _sources(head: ReportHead) -> Iterator[str]:
    names = ("listed", "views", "failures", "skipped")
    rows = [
        [
            text(source),
            *(f"{getattr(counts, name):,}" for name in names),
            "yes" if counts.reconciled else "NO",
        ]
        for source, counts in head.run.sources.items()
    ]
    yield from _table(("Source", *names, "Counts agree"), rows)


def _quality(head: ReportHead) -> Iterator[str]:
    if head.quality is None:
        yield from ("Data quality: not checked.", "")
        return
    numbers = ", ".join(f"{head.quality.number(word):,} {word}" for word in _EVALUATED)
    failed = [text(unmet.name) for unmet in head.quality.unmet if unmet.status == "failed"]
    yield from (f"Data quality: {numbers}{': ' if failed else ''}{', '.join(failed)}.", "")


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(header)} |"
    yield f"|{'---|' * len(header)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""
