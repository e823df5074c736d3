"""Names that a configuration uses and does not have: told whatever else is wrong with it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from connectors import registry
from jobs.configuration.problems import Place
from jobs.configuration.wording import suggestion
from reports.codes import pages


def wrong_names(said: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """Where a name stands that is no source, no target, no judge, or no code, and what may.

    Args:
        said: The whole file, references resolved; nothing of it is known to be well-formed.
    """
    known = {
        "source": _map(said.get("sources")),
        "target": _map(said.get("targets")),
        "judge": registry.JUDGES,
        "code": pages(),
    }
    for what, place, name in _used(said):
        if isinstance(name, str) and name not in known[what]:
            yield place, f"{name!r} is no {what}; {suggestion(name, known[what])}"


def _used(said: Mapping[str, Any]) -> Iterator[tuple[str, Place, object]]:
    """What sort of name stands where."""
    for index, rule in enumerate(_list(said.get("mapping"))):
        for what in ("source", "target"):
            yield what, ("mapping", index, what), _map(rule).get(what)
    engines = said.get("engines")
    for name in _map(engines):
        yield "judge", ("engines", name), name
    for index, name in enumerate(_list(engines)):
        yield "judge", ("engines", index), name
    for code in _map(_map(said.get("fail_on")).get("codes")):
        yield "code", ("fail_on", "codes", code), code
    for engine, catalogs in _map(said.get("catalogs")).items():
        for catalog, source in _map(catalogs).items():
            yield "source", ("catalogs", engine, catalog), source


def _map(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> Iterable[Any]:
    return value if isinstance(value, list) else ()
