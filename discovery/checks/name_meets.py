"""Objects of different sources have the same name at the target.

Sources that are mapped to one target share its schemas. Which of the objects is meant is not for
belvedere to say: none of the views is loaded (COLLISION).
"""

from typing import Final

from discovery.checks.subject import Finding, Namesake, Severity, namesakes

CODE: Final = "NAME_MEETS"
EXAMPLE_BAD: Final = namesakes("lake:db.v", "pond:db.v")
EXAMPLE_GOOD: Final = namesakes("lake:db.v", "lake:db.w")


def check(group: tuple[Namesake, ...]) -> Finding | None:
    """Two views of one name from different sources."""
    views = [namesake for namesake in group if namesake.kind != "table"]
    sources = {view.source for view in views}
    if len(sources) < 2 or len({view.identifier for view in views}) == len(views):
        return None
    message = f"{views[0].identifier} is in {', '.join(sorted(sources))}"
    return Finding(Severity.ERROR, message, "map one of the sources to another target")
