"""What of a run is accepted: the objects of the baseline with all that stands at them."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from discovery.acceptance import Fault
from discovery.judging.standing import Standing
from discovery.ports import ASIDE
from jobs.reporting.lines import KEYS, RunTables
from reports.thresholds import Excused, Marked

_OF_LINES: Final = ("outcome", "code", "standing", "reason", "aside", "findings", "plan")


def excused(tables: RunTables, lines: DataFrame, accepted: frozenset[Fault]) -> Excused:
    """What of a run is accepted; only objects that the baseline names reach the driver.

    Args:
        tables: Of the run.
        lines: The rows of the report.
        accepted: The faults that are accepted.
    """
    if not accepted:
        return Excused()
    places = sorted({(one.source, one.object) for one in accepted})
    spark = lines.sparkSession
    named = f.broadcast(spark.createDataFrame(places, "source string, key string"))
    mine = lines.join(named, KEYS, "left_semi").select(*KEYS, *_OF_LINES)
    lost = tables.frame("outcomes").where("outcome in ('failure', 'skipped')")
    losses = lost.join(named, KEYS, "left_semi").select(*KEYS, "entity", "outcome", "code")
    rows = [row.asDict(recursive=True) for row in mine.collect()]
    others = [row.asDict() for row in losses.collect()]
    return Excused.of((*map(marked, rows), *_lost(rows, others)), accepted)


def marked(row: Mapping[str, Any]) -> Marked:
    """A row of the report with its codes."""
    findings = row["findings"] or ()
    severities = {
        word: frozenset(one["code"] for one in findings if one["severity"] == word)
        for word in {one["severity"] for one in findings}
    }
    failed = {("failure", row["code"])} if row["outcome"] == "failure" else set()
    aside = {("set aside", row["aside"])} if row["aside"] else set()
    found = {(one["severity"], one["code"]) for one in findings}
    planned = {one["code"] for one in row["plan"] or () if one["action"] in ASIDE and one["code"]}
    everywhere = {
        one["code"] for one in findings if one["severity"] == "error" and not one["engine"]
    }
    reason = row["reason"] or ""
    is_blocked = row["standing"] == Standing.BLOCKED
    return Marked(
        source=row["source"],
        key=row["key"],
        standing=row["standing"],
        reason=reason,
        codes=frozenset(
            (
                *failed,
                *aside,
                *found,
                *(("planned", code) for code in planned),
                *([("standing", reason)] if reason and not aside else []),
            )
        ),
        blocking=frozenset(
            (*(code for _, code in (*failed, *aside)), *planned, *everywhere) if is_blocked else ()
        ),
        severities=severities,
    )


def _lost(rows: list[dict[str, Any]], others: list[dict[str, Any]]) -> Iterator[Marked]:
    """What is no row of the report: namespaces that failed, and what was skipped."""
    shown = {(one["source"], one["key"]) for one in rows if one["outcome"] == "failure"}
    for one in others:
        if (one["source"], one["key"]) not in shown or one["outcome"] != "failure":
            listed = one["entity"] == "object" or one["outcome"] == "skipped"
            sort = one["outcome"] if listed else "unlisted"
            codes = frozenset({(sort, one["code"])})
            yield Marked(source=one["source"], key=one["key"], codes=codes)
