"""What a part of the configuration gives to a connector, and what of it can be none's."""

import dataclasses
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final, get_type_hints
from urllib.parse import urlsplit

from connectors import registry
from connectors.clients.credentials import Secret
from connectors.registry import Connector
from discovery.errors import ConfigurationError, ReadOnlyCatalogError
from jobs.configuration.engines import EngineSettings
from jobs.configuration.options import configured, parts, spelled
from jobs.configuration.problems import Place
from jobs.configuration.wording import nearest_name, suggestion

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_GRAVITINOS: Final = "gravitino-"
_OF_GRAVITINO: Final = frozenset({"metalake", "catalog", "provider"})
"""What a catalog says that is no option of what is behind it, whatever that calls so."""
_PLACES: Final = ("connect", "gateway", "jdbc", "thrift", "url")
"""Where engines run, as their kinds call it; those of the registry alone can be asked."""


def revealed_for(
    options: "type[DataclassInstance]", entry: Mapping[str, object]
) -> dict[str, object]:
    """The options of an entry; a host or a path that came by reference is no secret.

    Raises:
        ValueError: A URL is none, as urllib says it.
    """
    types_of = get_type_hints(options)
    hints = {spelled(field): types_of[field.name] for field in dataclasses.fields(options)}
    given = {key: value for key, value in entry.items() if key != "kind"}
    for key, value in given.items():
        if isinstance(value, Secret) and Secret not in parts(hints.get(key)):
            given[key] = value.reveal()
        shown = given[key]
        if isinstance(shown, str) and "://" in shown:
            urlsplit(shown)
    return given


def quoted_option(error: ConfigurationError, given: Mapping[str, object]) -> Place:
    """The option whose value an error quotes; nothing, where there is none."""
    keys = (key for key, value in given.items() if value and repr(value) in error.message)
    return tuple(keys)[:1]


def copies_of(targets: object) -> dict[str, dict[str, object]]:
    """Each target that has a copy to rehearse on, as it says it is there.

    A store's own options are merged with what is said of them at the copy.
    """
    entries = targets.items() if isinstance(targets, dict) else ()
    stated = {name: entry for name, entry in entries if isinstance(entry, dict)}
    return {
        name: _merged(entry, entry["rehearsal"])
        for name, entry in stated.items()
        if _has_copy(entry)
    }


def _has_copy(target: Mapping[str, object]) -> bool:
    return isinstance(target.get("rehearsal"), dict) and bool(target["rehearsal"])


def _merged(entry: Mapping[str, object], part: Mapping[str, object]) -> dict[str, object]:
    merged = {**entry, **part}
    merged.pop("rehearsal", None)
    for key, value in part.items():
        other = entry.get(key)
        if isinstance(other, dict) and isinstance(value, dict):
            merged[key] = {**other, **value}
    return merged


def taken_by(store: str) -> set[str]:
    """The options of a kind of store, as they are spelled; none of one that is unknown."""
    if store not in registry.STORES:
        return set()
    return {spelled(field) for field in dataclasses.fields(registry.STORES[store].options())}


def provider_of(store: str) -> str:
    """The provider of a store's catalog where a target says none; empty: it has none."""
    if store not in registry.STORES:
        return ""
    defaults = {
        field.name: field.default for field in dataclasses.fields(registry.STORES[store].options())
    }
    stated = defaults.get("provider")
    return stated if isinstance(stated, str) else ""


def grouped(entry: Mapping[str, object], stores: Collection[str], own: str) -> dict[str, object]:
    """The options of one of the stores of a catalog, with what the catalog itself says.

    Args:
        entry: The catalog's.
        stores: The kinds of stores that it names, each with its options.
        own: One of them.
    """
    taken = taken_by(own) - {*stores, "kind"}
    if not own.startswith(_GRAVITINOS):
        taken -= _OF_GRAVITINO
    shared = {key: entry[key] for key in entry if key in taken}
    own_options = entry[own]
    return {**shared, **(own_options if isinstance(own_options, dict) else {}), "kind": own}


def not_in(table: Mapping[str, registry.ConnectorKind], kind: str) -> str:
    """Why a kind cannot stand where it stands."""
    if registry.read_only(kind):
        refused = ReadOnlyCatalogError()
        return f"{kind!r} is no target: {refused} {refused.hint}"
    if table is registry.STORES and kind in registry.NO_STORES:
        return f"{kind!r} is no target: {registry.NO_STORES[kind]}"
    if not kind:
        return f"is missing; known: {', '.join(table)}"
    return f"{kind!r} is unknown; {suggestion(kind, table)}"


def engine_entries(tree: Mapping[str, object]) -> list[tuple[str, Mapping[str, object]]]:
    """Each engine of `engines` that has settings."""
    engines = tree.get("engines")
    stated = engines.items() if isinstance(engines, dict) else ()
    return [(str(name), entry) for name, entry in stated if isinstance(entry, dict)]


def of_running(engine: str, entry: Mapping[str, object]) -> dict[str, object]:
    """What an entry of `engines` says of the engine as it runs; the rest is how it reads views.

    An option that is misspelled is of those with the nearest one.
    """
    running = set(_PLACES)
    if engine in registry.ENGINES:
        running = {spelled(field) for field in configured(registry.ENGINES[engine].options())}
    every = {*EngineSettings.model_fields, *running}
    meant = {key: key if key in every else nearest_name(key, sorted(every)) for key in entry}
    return {key: entry[key] for key in entry if meant[key] in running}


def without_running(tree: Mapping[str, object]) -> dict[str, object]:
    """The whole file without that."""
    engines = tree.get("engines")
    if not isinstance(engines, dict):
        return dict(tree)
    bare = {
        name: {key: value for key, value in entry.items() if key not in of_running(name, entry)}
        for name, entry in engine_entries(tree)
    }
    return {**tree, "engines": {**engines, **bare}}


def moving_unasked(sources: Mapping[str, Connector]) -> tuple[str, ...]:
    """The sources whose views move without a rule: those of databases need one that says so."""
    return tuple(name for name, source in sources.items() if not registry.read_only(source.kind))
