"""The configuration: `estate.yaml`, checked as a whole, every problem with its line and column."""

import dataclasses
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import chain
from pathlib import Path
from typing import Any, Final, get_type_hints
from urllib.parse import urlsplit

from pydantic import BaseModel, ValidationError

from connectors import registry
from connectors.clients.credentials import Secret, insist_on_references
from connectors.registry import Connector
from discovery.acceptance import Baseline
from discovery.errors import ConfigurationError
from discovery.limits import CrawlLimits
from discovery.migration import routes
from discovery.migration.mapping import Rule
from jobs.configuration.baselines import read_baseline
from jobs.configuration.engines import places, settings_of
from jobs.configuration.estate import Estate, TargetSettings
from jobs.configuration.gates import Notify, OpenLineage
from jobs.configuration.options import GRAVITINO, model, parts, spelled
from jobs.configuration.reading import plain, read_tree, refused
from jobs.configuration.wording import key_path, not_in, wording
from reports.codes import pages
from reports.quality.model import QualityTerms
from reports.thresholds import Limits

_PLACES: Final = ("warehouse", "jars_dir", "accepted")
_REFERENCE: Final = re.compile(r"\$\{(env|file):([^}]+)\}")

Place = tuple[str | int, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class TargetTerms:
    """On which terms a target is loaded.

    Attributes:
        route: The store that was chosen, and why.
        accept_unserved: Whether rows are written that no stock server shows.
        bootstrap_parents: Whether missing parents are made, whoever may make them.
    """

    route: routes.ChosenRoute
    accept_unserved: bool = False
    bootstrap_parents: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class RunConfig:
    """A checked configuration, secrets resolved.

    Attributes:
        warehouse: An absolute path, or a URI that Spark knows.
        archive: Whether a crawl archives its raw objects.
        sources: By name.
        targets: By name.
        terms: Of each target.
        rules: Where views go.
        engines: Engines whose parsers judge the views.
        jars_dir: Folder with the judges' jars; None: they are fetched.
        catalogs: Engine to catalog name to source.
        crawl_limits: How much a crawl may lack.
        limits: The thresholds that a report looks at.
        openlineage: Where events are sent; None: nowhere.
        quality: What `quality` expects of a run.
        settings: Engine to its settings, where any are stated.
        accepted: The faults that no gate counts.
        notify: Who is told how a stage ended; None: nobody.
    """

    warehouse: str
    archive: bool
    sources: Mapping[str, Connector]
    targets: Mapping[str, Connector] = dataclasses.field(default_factory=dict)
    terms: Mapping[str, TargetTerms] = dataclasses.field(default_factory=dict)
    rules: tuple[Rule, ...] = ()
    engines: tuple[str, ...] = ()
    jars_dir: str | None = None
    catalogs: Mapping[str, Mapping[str, str]] = dataclasses.field(default_factory=dict)
    crawl_limits: CrawlLimits = dataclasses.field(default_factory=CrawlLimits)
    limits: Limits = dataclasses.field(default_factory=Limits)
    openlineage: OpenLineage | None = None
    quality: QualityTerms = dataclasses.field(default_factory=QualityTerms)
    settings: Mapping[str, Mapping[str, str]] = dataclasses.field(default_factory=dict)
    accepted: Baseline = dataclasses.field(default_factory=Baseline)
    notify: Notify | None = None

    @property
    def mapping(self) -> dict[str, str]:
        """Source to the target that its first rule with one names."""
        goals = [(rule.source, rule.target) for rule in reversed(self.rules) if rule.target]
        return dict(goals)

    @property
    def target_catalogs(self) -> tuple[str, ...]:
        """The catalogs that the targets load views into, as far as their options name one."""
        names = (getattr(one.options, "catalog", None) for one in self.targets.values())
        return tuple(name for name in names if name)

    @property
    def secrets(self) -> tuple[Secret, ...]:
        """The values that no output may show."""
        connectors = (*self.sources.values(), *self.targets.values())
        found = [one for connector in connectors for one in connector.secrets]
        if self.openlineage is not None and self.openlineage.api_key is not None:
            found.append(self.openlineage.api_key)
        return (*found, *(self.notify.secrets if self.notify else ()))


def load(path: Path) -> RunConfig:
    """Read and check a configuration.

    Raises:
        ConfigurationError: With every problem, as `file:line:column: what is wrong`.
    """
    return _Loader(path).load()


class _Loader:
    """One reading of one file: problems are gathered, not raised one by one."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._problems: list[tuple[int, int, str]] = []
        self._tree: Any = None  # ruamel's maps and lists, with their places
        self._resolved: dict[Place, list[Secret]] = {}  # what references came to, by connector

    def load(self) -> RunConfig:
        self._tree = read_tree(self._path)
        said = self._resolve(self._tree, ())
        for key in _PLACES:  # a path may come by reference, too, and is no secret
            if isinstance(value := said.get(key), Secret):
                said[key] = value.reveal()
        estate = self._checked(Estate, said, ())
        sources = _counted_once(self._connectors(said, "sources", registry.SOURCES))
        targets, terms = self._targets(said)
        if estate is not None:
            self._check_names(estate)
        if estate is None or self._problems:
            raise refused(self._path, self._problems, chain(*self._resolved.values()))
        rules = tuple(rule.rule() for rule in estate.mapping)
        if not rules and len(targets) == 1:
            # views of databases move only where a rule says so
            moving = (name for name, one in sources.items() if not registry.read_only(one.kind))
            rules = tuple(Rule(source=name, target=next(iter(targets))) for name in moving)
        return RunConfig(
            self._absolute(estate.warehouse),
            estate.archive,
            sources,
            targets,
            terms,
            rules,
            registry.judging(estate.engines, (one.kind for one in sources.values())),
            estate.jars_dir and self._absolute(estate.jars_dir),
            estate.catalogs,
            estate.fail_on.crawl_limits(),
            estate.fail_on.limits(),
            estate.openlineage,
            estate.quality.terms(),
            settings_of(estate.engines),
            read_baseline(self._path.parent, estate.accepted),
            estate.notify and estate.notify.beside(self._path.parent),
        )

    def _resolve(self, node: Any, place: Place) -> Any:  # noqa: ANN401 - YAML
        """The tree as plain data; a text with a reference in it becomes a Secret."""
        if isinstance(node, dict):
            return {key: self._resolve(value, (*place, key)) for key, value in node.items()}
        if isinstance(node, list):
            return [self._resolve(value, (*place, index)) for index, value in enumerate(node)]
        if isinstance(node, str) and "\0" in node:
            self._problem(place, f"{key_path(place)}: has a NUL character")
            return node.replace("\0", "")
        if not isinstance(node, str) or not _REFERENCE.search(node):
            return node
        return Secret(_REFERENCE.sub(lambda found: self._referenced(found, place), node))

    def _referenced(self, found: re.Match[str], place: Place) -> str:
        sort, name = found.groups()
        value = ""
        if sort == "env" and name not in os.environ:
            self._problem(place, f"the environment variable {name} is not set")
        elif sort == "env":
            value = os.environ[name]
        else:
            try:
                value = (self._path.parent / name).read_text(encoding="utf-8").strip()
            except (OSError, UnicodeDecodeError) as error:
                self._problem(place, f"the file {name} cannot be read: {type(error).__name__}")
        self._resolved.setdefault(place[:2], []).append(Secret(value))
        return value

    def _connectors(
        self, plain: Mapping[str, Any], key: str, table: Mapping[str, registry.ConnectorKind]
    ) -> dict[str, Connector]:
        entries = plain.get(key) or {}
        found = {}
        for name, entry in entries.items() if isinstance(entries, dict) else ():
            if isinstance(entry, dict):
                connector = self._connector((key, name), entry, table)
                if connector is not None:
                    found[name] = connector
        return found

    def _targets(
        self, plain: Mapping[str, Any]
    ) -> tuple[dict[str, Connector], dict[str, TargetTerms]]:
        """The targets, with their stores chosen, and the terms of each."""
        entries = plain.get("targets") or {}
        targets, terms = {}, {}
        for name, entry in entries.items() if isinstance(entries, dict) else ():
            if isinstance(entry, dict) and (found := self._target(("targets", name), entry)):
                targets[name], terms[name] = found
        return targets, terms

    def _target(
        self, place: Place, entry: Mapping[str, Any]
    ) -> tuple[Connector, TargetTerms] | None:
        said = {key: value for key, value in entry.items() if key in TargetSettings.model_fields}
        stated = self._checked(TargetSettings, said, place)
        rest = {key: value for key, value in entry.items() if key not in said}
        kind, asked = rest.get("kind"), rest.get("kind")
        where = place
        if kind == GRAVITINO:
            asked = rest.pop("route", routes.AUTO)
            stores = [one for one in rest if one in registry.STORES]
        else:
            stores = [str(kind)]
        provider = str(rest.get("provider", ""))
        try:
            version = stated.server_version if stated else routes.SERVER_VERSION
            if kind == GRAVITINO or provider:
                route = routes.choose(provider, version, stores, str(asked))
            else:
                route = routes.ChosenRoute(str(kind), "as configured")
        except ConfigurationError as error:
            self._problem((*place, "provider"), f"{error} ({error.hint})")
            return None
        if kind == GRAVITINO:
            where, rest = self._grouped(place, rest, stores, route.store)
        rest.update((key, said[key]) for key in said.keys() & _taken(str(rest.get("kind"))))
        connector = self._connector(where, rest, registry.STORES)
        if connector is None or stated is None:
            return None
        return connector, TargetTerms(route, stated.accept_unserved, stated.bootstrap_parents)

    def _grouped(
        self, place: Place, rest: dict[str, Any], stores: Sequence[str], store: str
    ) -> tuple[Place, dict[str, Any]]:
        """The options of the chosen store of a catalog, with what the catalog itself says."""
        own = store or stores[0]
        taken = _taken(own) - {*stores, "kind"}
        shared = {key: rest[key] for key in rest if key in taken}
        return (*place, own), {**shared, **(rest[own] or {}), "kind": own}

    def _connector(
        self, place: Place, entry: Mapping[str, Any], table: Mapping[str, registry.ConnectorKind]
    ) -> Connector | None:
        kind = str(entry.get("kind", ""))
        if kind not in table:
            self._problem((*place, "kind"), f"kind {not_in(table, kind)}")
            return None
        try:
            options = table[kind].options()
            given = _given(options, entry)
            checked = self._checked(model(options), given, place)
            if checked is None:
                return None
            values = {key: getattr(checked, key) for key in checked.model_fields_set}
            for field in dataclasses.fields(options):
                if field.metadata.get("path") and field.name in values:
                    values[field.name] = self._absolute(values[field.name])
            made = options(**values)
            insist_on_references(given)
        except ConfigurationError as error:
            self._problem(place, str(error) + (f" ({error.hint})" if error.hint else ""))
            return None
        except ValueError as error:  # as urllib says of a URL that is none
            self._problem(place, f"{key_path(place)}: {error}")
            return None
        stated = plain(self._tree[place[0]][place[1]])
        del stated["kind"]
        return Connector(kind, made, tuple(self._resolved.get(place[:2], ())), stated)

    def _checked(self, model: type[BaseModel], data: Mapping[str, Any], place: Place) -> Any | None:  # noqa: ANN401 - an instance of the model
        """The data as the model has it; unknown keys are told and left out, so the rest is seen."""
        known = [field.alias or name for name, field in model.model_fields.items()]
        for key in data.keys() - known:
            near = get_close_matches(str(key), known, 1)
            meant = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
            self._problem((*place, key), f"{key_path((*place, key))}: is unknown; {meant}")
        try:
            return model.model_validate({key: data[key] for key in data if key in known})
        except ValidationError as error:
            for one in error.errors():
                where = (*place, *one["loc"])
                self._problem(where, f"{key_path(where)}: {wording(one)}")
            return None

    def _check_names(self, estate: Estate) -> None:
        for index, rule in enumerate(estate.mapping):
            self._check_name(rule.source, estate.sources, "source", ("mapping", index, "source"))
            if rule.target is not None:
                place = ("mapping", index, "target")
                self._check_name(rule.target, estate.targets, "target", place)
        for where, engine in places(self._tree.get("engines"), estate.engines):
            self._check_name(engine, registry.JUDGES, "judge", where)
        for code in estate.fail_on.codes:
            self._check_name(code, pages(), "code", ("fail_on", "codes", code))
        for engine, names in estate.catalogs.items():
            for catalog, source in names.items():
                self._check_name(source, estate.sources, "source", ("catalogs", engine, catalog))

    def _check_name(self, name: str, known: Iterable[str], what: str, place: Place) -> None:
        if name not in known:
            near = ", ".join(get_close_matches(name, list(known), 3) or known) or "none"
            self._problem(place, f"{name!r} is no {what}; known: {near}")

    def _problem(self, place: Place, why: str) -> None:
        line, column = self._position(place)
        self._problems.append((line + 1, column + 1, why))

    def _position(self, place: Place) -> tuple[int, int]:
        """Line and column of a place; of the nearest thing above it that has one."""
        node: Any = self._tree
        position = (0, 0)
        for key in place:
            marks: Any = getattr(node, "lc", None)
            try:
                found = marks.key(key) if isinstance(node, dict) else marks.item(key)
                node = node[key]
            except (AttributeError, KeyError, IndexError, TypeError):
                break
            position = found
        return position

    def _absolute(self, path: str) -> str:
        return path if "://" in path else str((self._path.parent / path).resolve())


def _counted_once(sources: Mapping[str, Connector]) -> dict[str, Connector]:
    """The sources, those of a metastore knowing what others read of it as an Iceberg catalog."""
    others = {name: one.options for name, one in sources.items() if one.kind == "iceberg-hive"}
    return {
        name: dataclasses.replace(one, options=one.options.beside(others))
        if one.kind == "hms"
        else one
        for name, one in sources.items()
    }


def _given(options: type[Any], entry: Mapping[str, Any]) -> dict[str, Any]:
    """The options of an entry; a host or a path that came by reference is no secret.

    Raises:
        ValueError: A URL is none, as urllib says it.
    """
    types_of = get_type_hints(options)
    hints = {spelled(one): types_of[one.name] for one in dataclasses.fields(options)}
    given = {key: value for key, value in entry.items() if key != "kind"}
    for key, value in given.items():
        if isinstance(value, Secret) and Secret not in parts(hints.get(key)):
            given[key] = value.reveal()
        if isinstance(given[key], str) and "://" in given[key]:
            urlsplit(given[key])
    return given


def _taken(store: str) -> set[str]:
    """The options of a kind of store, as they are spelled; none of one that is unknown."""
    if store not in registry.STORES:
        return set()
    return {spelled(one) for one in dataclasses.fields(registry.STORES[store].options())}
