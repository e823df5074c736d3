"""What blocks most views: from row numbers and names, on the driver."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from discovery.lineage.blockers import weighed
from discovery.lineage.order import Aside, Why
from reports.head import Blocker, Waves

_SHOWN: Final = 20
_WEIGHED: Final = 200  # of those with most direct readers, the views over others are counted, too


def waves(lines: DataFrame, edges: DataFrame) -> Waves:
    """The sizes of the waves, what is set aside, and what blocks or carries most views."""
    counted = lines.groupBy("wave", "aside").count().collect()
    sizes = {row["wave"]: row["count"] for row in counted if row["wave"] is not None}
    aside = {row["aside"]: row["count"] for row in counted if row["aside"] is not None}
    return Waves(
        tuple(sizes[number] for number in sorted(sizes)),
        dict(sorted(aside.items())),
        _blockers(lines),
        _bases(lines, edges),
    )


def _blockers(lines: DataFrame) -> tuple[Blocker, ...]:
    """The roots of what is set aside: missing bases, unread or faulty views, rings."""
    name = f.concat_ws("/", "source", "key")
    set_aside = lines.where("aside is not null").select(
        "row", name.alias("name"), "aside", "because"
    )
    rows: dict[str, int] = {}
    reasons = {one.value: one for one in Why}
    aside: dict[str, Aside[str]] = {}
    for row, view, why, because in set_aside.toLocalIterator(prefetchPartitions=True):
        rows[view] = row
        aside[view] = Aside(reasons[why], tuple(because or ()))
    found = [
        Blocker(one.root, rows.get(one.root), one.why, one.direct, one.views)
        for one in weighed(aside, among=_WEIGHED, first=_SHOWN)
    ]
    return _numbered(found, name, lines)


def _numbered(found: Sequence[Blocker], name: Column, lines: DataFrame) -> tuple[Blocker, ...]:
    """With the row numbers of objects that could not be read, which no wave mentions."""
    unknown = [one.name for one in found if one.row is None]
    named = lines.select("row", name.alias("name")).where(f.col("name").isin(unknown))
    rows = {row["name"]: row["row"] for row in named.collect()}
    return tuple(
        one if one.row is not None else replace(one, row=rows.get(one.name)) for one in found
    )


def _bases(lines: DataFrame, edges: DataFrame) -> tuple[Blocker, ...]:
    """The views that most others read."""
    most = edges.groupBy("base").count().orderBy(f.desc("count"), "base").limit(_SHOWN)
    named = most.join(lines.select("row", "source", "key"), most["base"] == lines["row"])
    found = [
        Blocker(f"{row['source']}/{row['key']}", row["row"], "", row["count"], row["count"])
        for row in named.collect()
    ]
    return tuple(sorted(found, key=lambda one: (-one.direct, one.name)))
