"""The run as gauges: the text format of Prometheus, for the node exporter's textfile collector.

Format: https://prometheus.io/docs/instrumenting/exposition_formats/, version 0.0.4.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import groupby
from operator import itemgetter

from reports.head import ReportHead

_Sample = tuple[str, str, Mapping[str, str], float]


def begin(head: ReportHead) -> str:
    """All of it: a run has no gauge for a single view."""
    lines: list[str] = []
    for name, samples in groupby(_samples(head), itemgetter(0)):
        listed = list(samples)
        lines += [f"# HELP belvedere_{name} {listed[0][1]}", f"# TYPE belvedere_{name} gauge"]
        lines += [f"belvedere_{name}{_labels(labels)} {value}" for _, _, labels, value in listed]
    return "\n".join([*lines, ""])


def _samples(head: ReportHead) -> Iterator[_Sample]:
    finished = datetime.fromisoformat(head.run.finished).timestamp()
    yield "run_finished_seconds", "When the run was committed, Unix time.", {}, finished
    yield "run_exit_code", "How the crawl ended.", {}, head.run.exit_code
    yield "run_duration_seconds", "How long the crawl took.", {}, head.run.seconds
    for fate in ("listed", "views", "failures", "skipped"):
        for source, counts in head.run.sources.items():
            labels = {"source": source}
            yield (
                f"objects_{fate}",
                f"Objects of the source: {fate}.",
                labels,
                getattr(counts, fate),
            )
    yield from _nested(
        "views_by_standing", "Views by standing.", "source", "standing", head.sources
    )
    about = "Views by what an engine can do with them."
    yield from _nested("views_by_engine", about, "engine", "status", head.engines or {})
    for cause in head.causes:
        labels = {"code": cause.code, "sort": cause.sort}
        yield "views_by_code", "Views that a code stands at.", labels, cause.number
    about = "Views by what the plan does with them."
    yield from _nested(
        "views_by_action",
        about,
        "target",
        "action",
        {target_plan.target: target_plan.actions for target_plan in head.plan or ()},
    )
    if head.drift is not None:
        for sort, number in head.drift.counts.items():
            yield "changes", "Objects by change since the run before.", {"sort": sort}, number


def _nested(
    name: str, about: str, outer: str, inner: str, table: Mapping[str, Mapping[str, int]]
) -> Iterator[_Sample]:
    for outer_value, counts in table.items():
        for inner_value, number in counts.items():
            yield name, about, {outer: outer_value, inner: inner_value}, number


def _labels(labels: Mapping[str, str]) -> str:
    if not labels:
        return ""
    return f"{{{','.join(_quoted(labels.items()))}}}"


def _quoted(labels: Iterable[tuple[str, str]]) -> Iterator[str]:
    for name, value in labels:
        text = value.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
        yield f'{name}="{text}"'
