"""Names differ in nothing but case.

They are different objects in the source, and one and the same wherever names ignore case: Hive,
Spark, Trino, and most file systems. The last one written wins.
"""

from typing import Final

from discovery.checks.subject import Finding, Namesake, Severity, namesakes

CODE: Final = "NAME_DIFFERS_BY_CASE"
EXAMPLE_BAD: Final = namesakes("shop:db.Total", "shop:db.total")
EXAMPLE_GOOD: Final = namesakes("shop:db.total", "shop:db.sum")


def check(group: tuple[Namesake, ...]) -> Finding | None:
    """Different spellings of what is one name ignoring case."""
    spelled = sorted({str(namesake.identifier) for namesake in group})
    if len(spelled) < 2 or len({name.casefold() for name in spelled}) > 1:
        return None
    return Finding(Severity.ERROR, f"{', '.join(spelled)} are one name", "rename all but one")
