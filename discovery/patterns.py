"""Include and exclude patterns: which namespaces and objects of a source are crawled."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import translate

from discovery.model import dotted


@dataclass(frozen=True, slots=True)
class Patterns:
    """Globs over dotted names, compared ignoring case.

    A pattern without a dot, or one that ends in `.*`, stands for whole namespaces: `sales`,
    `sales_*`. Any other stands for objects: `sales.v_*`. Exclusion wins.

    Attributes:
        include: What is crawled; empty means everything.
        exclude: What is left out of that.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def allows_namespace(self, namespace: tuple[str, ...]) -> bool:
        """Whether anything in the namespace may be crawled."""
        if not self.include and not self.exclude:
            return True
        name = dotted(namespace)
        if _matches(_namespaces(self.exclude), name):
            return False
        wanted = [*_namespaces(self.include), *(one.rpartition(".")[0] for one in self.include)]
        return not self.include or _matches(wanted, name)

    def allows(self, namespace: tuple[str, ...], name: str) -> bool:
        """Whether an object is crawled; its namespace has been allowed already."""
        if not self.include and not self.exclude:
            return True
        within, full = dotted(namespace), dotted((*namespace, name))
        if _matches(self.exclude, full):
            return False
        return (
            not self.include
            or _matches(_namespaces(self.include), within)
            or _matches(self.include, full)
        )


def _namespaces(patterns: Iterable[str]) -> list[str]:
    """Those patterns that stand for whole namespaces, without their `.*`."""
    return [
        one.removesuffix(".*")
        for one in patterns
        if "." not in one.removesuffix(".*") or one.endswith(".*")
    ]


def _matches(patterns: Iterable[str], name: str) -> bool:
    folded = name.casefold()
    return any(re.match(translate(one.casefold()), folded) for one in patterns if one)
