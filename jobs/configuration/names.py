"""Names that a configuration uses and does not have: told whatever else is wrong with it."""

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Final

from connectors import registry
from discovery.display import on_one_line
from discovery.engines import ENGINES
from jobs.configuration.problems import Place, as_map
from jobs.configuration.wording import suggestion
from reports.codes import pages

EVERY: Final = "*"
"""The `catalog` of a source that crawls every catalog, each as a source of its own."""
_OF_ALL: Final = frozenset({"rate"})
"""Where such a source is named itself: there it stands for all that become of it."""
_KEYS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("judge", ("engines",)),
    ("code", ("fail_on", "codes")),
    ("source", ("crawl", "rate")),
)
"""Maps whose keys are names: of what, and where they stand."""


_LIKE: Final = 0.85
"""How alike a name is that is a known one misspelled: `mssql`, which SQLAlchemy knows, is less."""


def source_of(name: str, catalog: str) -> str:
    """The name of the source that is a catalog of another one."""
    return f"{name}.{catalog}"


def catalog_of(source: str, name: str) -> str:
    """The catalog of another source that one is by its name; empty: it is none of that."""
    start = source_of(name, "")
    return source.removeprefix(start) if source.startswith(start) else ""


def wrong_names(tree: Mapping[str, object]) -> Iterator[tuple[Place, str]]:
    """Where a name stands that is no source, no target, no judge, no code, or no name at all.

    Args:
        tree: The whole file, references resolved; nothing of it is known to be well-formed.
    """
    known = {
        "source": as_map(tree.get("sources")),
        "target": as_map(tree.get("targets")),
        "judge": registry.JUDGES,
        "code": pages(),
    }
    catalog_wide = {
        name for name, entry in known["source"].items() if as_map(entry).get("catalog") == EVERY
    }
    for kind, place, name in _used_names(tree):
        if not isinstance(name, str):
            continue
        if kind == "source" and name in catalog_wide and not _OF_ALL.intersection(map(str, place)):
            message = "crawls every catalog: name the source of one"
            yield place, f"{name!r} {message}, such as {source_of(name, 'hive')}"
        elif kind == "source" and any(catalog_of(name, source) for source in catalog_wide):
            continue
        elif name not in known[kind]:
            yield place, f"{name!r} is no {kind}; {suggestion(name, known[kind])}"
    yield from _beside_all(tree, catalog_wide)
    yield from _misspelled_engines(tree)
    yield from _unreadable_names(tree)


def _misspelled_engines(tree: Mapping[str, object]) -> Iterator[tuple[Place, str]]:
    """Engines of `catalogs` that are called otherwise; what is like none may be a dialect."""
    for name in as_map(tree.get("catalogs")):
        near = get_close_matches(str(name).casefold(), ENGINES, 1, _LIKE)
        if near and name not in ENGINES:
            yield ("catalogs", name), f"{name!r} is no engine; did you mean {near[0]!r}?"


def _unreadable_names(tree: Mapping[str, object]) -> Iterator[tuple[Place, str]]:
    """Names of sources and targets that nobody could read in a line of output."""
    for key in ("sources", "targets"):
        for name in as_map(tree.get(key)):
            if name in {None, ""} or str(name) != on_one_line(str(name)):
                yield (key, name), f"{name!r} is no name: write one that is seen, on one line"


def _beside_all(
    tree: Mapping[str, object], catalog_wide: Iterable[str]
) -> Iterator[tuple[Place, str]]:
    """What does not go with sources of every catalog.

    Args:
        tree: The whole file.
        catalog_wide: Their names.
    """
    for name in catalog_wide:
        for other in as_map(tree.get("sources")):
            if catalog_of(str(other), name):
                yield ("sources", other), f"{other!r} is the name of a catalog of the source {name}"
        if tree.get("targets") and not tree.get("mapping"):
            why = "views of several catalogs would meet in one target: write `mapping`, with a rule"
            yield ("sources", name, "catalog"), f"{why} for each, source: {source_of(name, 'hive')}"


def _used_names(tree: Mapping[str, object]) -> Iterator[tuple[str, Place, object]]:
    """What sort of name stands where."""
    for key, index, rule in _rules(tree):
        for kind in ("source", "target"):
            yield kind, (key, index, kind), as_map(rule).get(kind)
    for index, name in enumerate(_list(tree.get("engines"))):
        yield "judge", ("engines", index), name
    for kind, place in _KEYS:
        names: object = tree
        for key in place:
            names = as_map(names).get(key)
        for name in as_map(names):
            yield kind, (*place, name), name
    yield from _in_catalogs(tree)


def _in_catalogs(tree: Mapping[str, object]) -> Iterator[tuple[str, Place, object]]:
    """What the catalogs of engines are said to show."""
    for engine, catalogs in as_map(tree.get("catalogs")).items():
        for catalog, source in as_map(catalogs).items():
            yield "source", ("catalogs", engine, catalog), source
    for engine, settings in as_map(tree.get("engines")).items():
        for key in ("targets", "copies"):
            for catalog, target in as_map(as_map(settings).get(key)).items():
                yield "target", ("engines", engine, key, catalog), target


def _rules(tree: Mapping[str, object]) -> Iterator[tuple[str, int, object]]:
    """Every rule with its place."""
    for key in ("mapping", "rights", "usage"):
        for index, rule in enumerate(_list(tree.get(key))):
            yield key, index, rule


def _list(value: object) -> Iterable[object]:
    return value if isinstance(value, list) else ()
