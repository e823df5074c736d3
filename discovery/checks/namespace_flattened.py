"""Different namespaces become one name.

A namespace of several levels is written with dots where the target has one level: `a.b` of the
levels `a`, `b` and of the one level `a.b` is the same then.
"""

from typing import Final

from discovery.checks.subject import Finding, Namesake, Severity
from discovery.model import Identifier
from discovery.outcomes import Kind

CODE: Final = "NAMESPACE_FLATTENED"
EXAMPLE_BAD: Final = (
    Namesake("ice", Identifier(("a", "b"), "v"), Kind.VIEW),
    Namesake("ice", Identifier(("a.b",), "v"), Kind.VIEW),
)
EXAMPLE_GOOD: Final = (EXAMPLE_BAD[0],)


def check(group: tuple[Namesake, ...]) -> Finding | None:
    """Different levels in one group of namesakes, which is made of the dotted text."""
    levels = sorted({namesake.identifier.namespace for namesake in group})
    if len({len(level) for level in levels}) < 2:
        return None
    names = " and ".join(" / ".join(level) for level in levels)
    return Finding(Severity.ERROR, f"{names} are one namespace there", "rename one of them")
