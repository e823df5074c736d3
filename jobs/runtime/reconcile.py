"""Reconciliation: what was listed against what became of it, per source and namespace."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from discovery.outcomes import Stage


@dataclass(slots=True)
class Counts:
    """The counts of a source: objects, and namespaces apart."""

    listed: int = 0
    views: int = 0
    failures: int = 0
    skipped: int = 0
    namespaces: int = 0
    unread: int = 0  # what could not be listed or read: objects, namespaces, the source itself
    undecoded: int = 0  # what was read and could not be decoded
    formats: Counter[str] = field(default_factory=Counter)  # of views
    codes: Counter[str] = field(default_factory=Counter)  # of failures and skipped objects
    mismatches: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """For `--json` and the table `runs`."""
        return {
            "listed": self.listed,
            "views": self.views,
            "failures": self.failures,
            "skipped": self.skipped,
            "namespaces": self.namespaces,
            "unread": self.unread,
            "undecoded": self.undecoded,
            "formats": dict(sorted(self.formats.items())),
            "codes": dict(sorted(self.codes.items())),
            "reconciled": not self.mismatches,
        }


def reconcile(objects: DataFrame, outcomes: DataFrame, sources: Iterable[str]) -> dict[str, Counts]:
    """Count both tables as they stand in their files, in one job."""
    place = ["source", "entity", "namespace"]
    fate = ["outcome", "format", "stage", "code"]
    listed = objects.select(*place, *[f.lit(None).cast("string").alias(name) for name in fate])
    counted = listed.unionByName(outcomes.select(*place, *fate)).groupBy(*place, *fate).count()
    counts = {source: Counts() for source in sources}
    balance: Counter[tuple[str, str, tuple[str, ...]]] = Counter()
    for row in counted.toLocalIterator():
        number, outcome = row["count"], row["outcome"]
        entry = counts[row["source"]]
        balance[row["source"], row["entity"], tuple(row["namespace"])] += (
            number if outcome is None else -number
        )
        if outcome is None:
            entry.listed += number * (row["entity"] == "object")
            entry.namespaces += number * (row["entity"] == "namespace")
        else:
            _add(entry, row.asDict(), number)
    for (source, entity, namespace), difference in sorted(balance.items()):
        if difference:
            lost = f"{abs(difference)} {entity} rows {'without' if difference > 0 else 'beyond'}"
            counts[source].mismatches.append(f"{'.'.join(namespace)}: {lost} what was listed")
    return counts


def _add(entry: Counts, row: Mapping[str, Any], number: int) -> None:
    is_object = row["entity"] == "object"
    match row["outcome"]:
        case "view":
            entry.views += number
            entry.formats[row["format"]] += number
        case "skipped":
            entry.skipped += number * is_object
            entry.codes[row["code"]] += number
        case "failure":
            entry.failures += number * is_object
            entry.unread += number * (row["stage"] != Stage.DECODE)
            entry.undecoded += number * (row["stage"] == Stage.DECODE)
            entry.codes[row["code"]] += number
