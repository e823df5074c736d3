"""A view and a table have the same name at the target.

In Gravitino, as in every metastore, tables and views of a schema share their names.
"""

from typing import Final

from discovery.checks.subject import Finding, Namesake, Severity, namesakes

CODE: Final = "VIEW_MEETS_TABLE"
EXAMPLE_BAD: Final = namesakes("lake:db.v", "pond:db.v!")
EXAMPLE_GOOD: Final = namesakes("lake:db.v", "pond:db.v")


def check(group: tuple[Namesake, ...]) -> Finding | None:
    """A table among the namesakes of a view."""
    tables = [namesake for namesake in group if namesake.kind == "table"]
    if not tables or len(tables) == len(group):
        return None
    message = f"{tables[0].source} has a table {tables[0].identifier}"
    return Finding(Severity.ERROR, message, "rename one of them, or map to another target")
