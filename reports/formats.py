"""The table of formats: what a report can be written as.

A format is a beginning, texts for each view, and an end. The texts are made where the rows are;
only they reach the driver, which never holds all of them.
"""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from reports import (
    to_csv,
    to_datahub,
    to_json,
    to_junit,
    to_markdown,
    to_openlineage,
    to_openmetadata,
    to_prometheus,
    to_sarif,
)
from reports.head import ReportHead
from reports.lines import Row


class ReportFormat(NamedTuple):
    """A format of one file.

    Attributes:
        file: Name of the file.
        what: What it is, for people.
        begin: The text before all views.
        texts: The texts of a view; none where it has nothing to say.
        between: What parts two texts.
        end: The text after all views.
    """

    file: str
    what: str
    begin: Callable[[ReportHead], str]
    texts: Callable[[Row], Iterable[str]]
    between: str
    end: Callable[[ReportHead], str]


def _nothing(_: object) -> str:
    return ""


def _no_texts(_: Row) -> Iterable[str]:
    return ()


FORMATS: Final = {
    "json": ReportFormat(
        "belvedere.json",
        "everything, one object; its schema is docs/report.schema.json",
        to_json.begin,
        to_json.texts,
        ",\n",
        to_json.end,
    ),
    "jsonl": ReportFormat(
        "views.jsonl",
        "a line of JSON for each view, to be read one by one",
        _nothing,
        to_json.lines,
        "",
        _nothing,
    ),
    "csv": ReportFormat(
        "views.csv",
        "a line for each view, and the same by owner in owners/, for sign-off",
        to_csv.begin,
        to_csv.texts,
        "",
        _nothing,
    ),
    "markdown": ReportFormat(
        "belvedere.md", "for a pull request", to_markdown.begin, _no_texts, "", _nothing
    ),
    "junit": ReportFormat(
        "junit.xml",
        "JUnit XML, a case for each view: blocked fails, not judged is skipped",
        to_junit.begin,
        to_junit.texts,
        "",
        to_junit.end,
    ),
    "sarif": ReportFormat(
        "belvedere.sarif",
        "SARIF 2.1.0: findings, failures, and what parsers reject with its position",
        to_sarif.begin,
        to_sarif.texts,
        ",\n",
        to_sarif.end,
    ),
    "prometheus": ReportFormat(
        "belvedere.prom",
        "gauges for the textfile collector of Prometheus' node exporter",
        to_prometheus.begin,
        _no_texts,
        "",
        _nothing,
    ),
    "openlineage": ReportFormat(
        "openlineage.jsonl",
        "OpenLineage events: the run, and what each view reads",
        to_openlineage.begin,
        to_openlineage.texts,
        "",
        _nothing,
    ),
    "datahub": ReportFormat(
        "datahub.json",
        "DataHub: what its source `file` ingests",
        to_datahub.begin,
        to_datahub.texts,
        ",\n",
        to_datahub.end,
    ),
    "openmetadata": ReportFormat(
        "openmetadata.jsonl",
        "OpenMetadata: a request to its API for each view",
        _nothing,
        to_openmetadata.texts,
        "",
        _nothing,
    ),
}
