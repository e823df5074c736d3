"""The view declares other columns than its `SELECT *` returns now.

A table below has gained or lost columns since the view was made. Some engines keep the declared
columns, some return the new ones, and Trino refuses a view whose columns have changed ("stale or in
invalid state"; trinodb/trino #18475). The columns are sqlglot's reading of the text.
"""

from collections.abc import Iterator
from typing import Final

from discovery.checks.subject import Expanded, Finding, Output, Severity

CODE: Final = "STALE_COLUMNS"
EXAMPLE_BAD: Final = Expanded(("id",), "spark", Output(("id", "name"), star=True))
EXAMPLE_GOOD: Final = Expanded(("a",), "spark", Output(("id",)))


def check(subject: Expanded) -> Iterator[Finding]:
    """Declared names against those of the expanded star, in order, ignoring case.

    They are those of the query, where the view has others. Nobody knows the name that an engine
    makes up: in its place it is the declared one.
    """
    declared = [name.casefold() for name in subject.query_names]
    now = [name.casefold() for name in subject.output.columns]
    if len(now) == len(declared):
        now = [name or old for name, old in zip(now, declared, strict=True)]
    if not subject.output.star or not now or declared == now:
        return
    gained = [name for name in now if name and name not in declared]
    lost = [name for name in declared if name not in now] if all(now) else []
    changes = [
        f"{kind}: {', '.join(names)}" for kind, names in (("new", gained), ("gone", lost)) if names
    ]
    if not changes and len(now) != len(declared):
        changes = [f"{len(now)} columns instead of {len(declared)}"]
    yield Finding(
        Severity.WARNING,
        "; ".join(changes) or "the order has changed",
        "name the columns in the view's query, or recreate the view",
        dialect=subject.dialect,
    )
