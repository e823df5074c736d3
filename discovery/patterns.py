"""Include and exclude patterns: which namespaces and objects of a source are crawled."""

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import translate
from typing import Final

from discovery.model import dotted

_WILD: Final = re.compile(r"[*?\[]")
_NOT_WILD: Final = re.compile(r"\[([*?\[])\]")


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
        wanted = [
            *_namespaces(self.include),
            *(pattern.rpartition(".")[0] for pattern in self.include),
        ]
        return not self.include or _matches(wanted, name)

    def covers(self, other: "Patterns") -> bool:
        """Whether these certainly allow all that others allow; False where it cannot be told."""
        if not {pattern.casefold() for pattern in self.exclude} <= {
            pattern.casefold() for pattern in other.exclude
        }:
            return False
        if not self.include:
            return True
        return bool(other.include) and all(
            any(_stands_for(wider, pattern) for wider in self.include) for pattern in other.include
        )

    def leaves_out(self, namespace: tuple[str, ...], name: str) -> bool:
        """Whether an object is not crawled, be it for its namespace."""
        return not (self.allows_namespace(namespace) and self.allows(namespace, name))

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


def steady(pattern: str) -> tuple[str, bool]:
    """The path or folder in which all that a glob of files stands for lies, and whether it varies.

    `[*]`, `[?]` and `[[]` are these signs themselves, as `glob.escape` writes them.
    """
    wild = _WILD.search(_NOT_WILD.sub("...", pattern))  # as long as before
    fixed = pattern[: wild.start()].rpartition("/")[0] if wild else pattern
    return _NOT_WILD.sub(r"\1", fixed), wild is not None


def find_unmatched(
    patterns: Iterable[str], namespaces: Collection[str], objects: Callable[[], Iterable[str]]
) -> dict[str, str | None]:
    """Those of the patterns that stand for nothing, each with the namespace that may be meant.

    Args:
        patterns: Globs, as `Patterns` takes them.
        namespaces: All that are listed, dotted.
        objects: Gives the dotted names of all listed objects; asked only if a pattern needs it.
    """
    given = list(dict.fromkeys(patterns))
    of_namespaces = {
        pattern: pattern.removesuffix(".*") for pattern in given if _namespaces([pattern])
    }
    suggestions = {
        pattern: next(iter(get_close_matches(name, namespaces, 1)), None)
        for pattern, name in of_namespaces.items()
        if not _some_match(name, namespaces)
    }
    others = [pattern for pattern in given if pattern not in of_namespaces]
    names = list(objects()) if others else []
    return suggestions | dict.fromkeys(
        pattern for pattern in others if not _some_match(pattern, names)
    )


def _some_match(pattern: str, names: Iterable[str]) -> bool:
    matches = re.compile(translate(pattern.casefold())).match
    return any(matches(name.casefold()) for name in names)


def _namespaces(patterns: Iterable[str]) -> list[str]:
    """Those patterns that stand for whole namespaces, without their `.*`."""
    return [
        pattern.removesuffix(".*")
        for pattern in patterns
        if "." not in pattern.removesuffix(".*") or pattern.endswith(".*")
    ]


def _stands_for(wider: str, pattern: str) -> bool:
    """Whether a pattern certainly stands for all that another one does."""
    (namespaces, is_whole), (own, own_is_whole) = map(_namespace_part, (wider, pattern))
    if not _is_wider(namespaces, own):
        return False
    return is_whole or (not own_is_whole and _is_wider(wider, pattern))


def _namespace_part(pattern: str) -> tuple[str, bool]:
    """The glob of the namespaces that a pattern is about, and whether it stands for all in them."""
    namespaces = _namespaces([pattern])
    return (namespaces[0], True) if namespaces else (pattern.rpartition(".")[0], False)


def _is_wider(wider: str, glob: str) -> bool:
    """Whether a glob certainly matches all that another one does, as far as `*` alone can tell."""
    if re.search(r"[?\[\]]", wider):
        return wider.casefold() == glob.casefold()
    return bool(glob) and _some_match(wider, [glob])


def _matches(patterns: Iterable[str], name: str) -> bool:
    folded = name.casefold()
    return any(re.match(translate(pattern.casefold()), folded) for pattern in patterns if pattern)
