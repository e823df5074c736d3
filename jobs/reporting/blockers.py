"""What blocks most views: from row numbers and names, on the driver."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

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
    above: dict[str, list[str]] = defaultdict(list)
    faults: dict[str, str] = {}
    rows: dict[str, int] = {}
    for row, view, why, because in set_aside.toLocalIterator(prefetchPartitions=True):
        rows[view] = row
        for base in because or ():
            if base != view:
                above[base].append(view)
        if why == "MISSING_BASE":
            faults.update(dict.fromkeys(because, why))
        elif why != "BROKEN_BASE":
            faults[view] = why
    for base in above.keys() - rows.keys() - faults.keys():
        faults[base] = "UNREAD"
    return _numbered(_weighed(faults, above, rows), name, lines)


def _numbered(found: Sequence[Blocker], name: Column, lines: DataFrame) -> tuple[Blocker, ...]:
    """With the row numbers of objects that could not be read, which no wave mentions."""
    unknown = [one.name for one in found if one.row is None]
    named = lines.select("row", name.alias("name")).where(f.col("name").isin(unknown))
    rows = {row["name"]: row["row"] for row in named.collect()}
    return tuple(
        one if one.row is not None else replace(one, row=rows.get(one.name)) for one in found
    )


def _weighed(
    faults: Mapping[str, str], above: Mapping[str, Sequence[str]], rows: Mapping[str, int]
) -> tuple[Blocker, ...]:
    direct = Counter({base: len(above.get(base, ())) for base in faults})
    found = []
    for base in sorted(faults, key=lambda one: (-direct[one], one))[:_WEIGHED]:
        blocked = _all_above(base, above)
        found.append(Blocker(base, rows.get(base), faults[base], direct[base], len(blocked)))
    return tuple(sorted(found, key=lambda one: (-one.views, -one.direct, one.name))[:_SHOWN])


def _all_above(base: str, above: Mapping[str, Sequence[str]]) -> set[str]:
    seen: set[str] = set()
    left = [base]
    while left:
        for view in above.get(left.pop(), ()):
            if view not in seen:
                seen.add(view)
                left.append(view)
    return seen - {base}


def _bases(lines: DataFrame, edges: DataFrame) -> tuple[Blocker, ...]:
    """The views that most others read."""
    most = edges.groupBy("base").count().orderBy(f.desc("count"), "base").limit(_SHOWN)
    named = most.join(lines.select("row", "source", "key"), most["base"] == lines["row"])
    found = [
        Blocker(f"{row['source']}/{row['key']}", row["row"], "", row["count"], row["count"])
        for row in named.collect()
    ]
    return tuple(sorted(found, key=lambda one: (-one.direct, one.name)))
