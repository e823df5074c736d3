"""The configuration: `estate.yaml`, checked as a whole, every problem with its line and column."""

import dataclasses
import re
from collections.abc import Mapping
from datetime import timedelta
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final

from connectors import registry
from connectors.clients.credentials import Secret, literal_secrets
from connectors.clients.thrift.mistakes import OptionMistakesError
from connectors.registry import Connector
from discovery.acceptance import Baseline
from discovery.errors import ConfigurationError
from discovery.limits import CrawlLimits, Limit
from discovery.migration import routes
from discovery.migration.heeding import Tried
from discovery.migration.mapping import Rule
from discovery.pacing.care import Care
from discovery.pacing.windows import Window
from discovery.rights.carrying import CarryingRule
from discovery.usage.model import StatedLog
from jobs.configuration.baselines import read_baseline
from jobs.configuration.connector_entries import (
    copies_of,
    engine_entries,
    grouped,
    moving_unasked,
    not_in,
    of_running,
    provider_of,
    quoted_option,
    revealed_for,
    taken_by,
    without_running,
)
from jobs.configuration.contradictions import contradictions
from jobs.configuration.engines import settings_of
from jobs.configuration.estate import Estate, TargetSettings
from jobs.configuration.gates import Notify, OpenLineage
from jobs.configuration.names import wrong_names
from jobs.configuration.options import GRAVITINO, model
from jobs.configuration.problems import Place, Problems, dotted
from jobs.configuration.reading import (
    REFERENCE,
    UNWRITABLE,
    absolute,
    absolute_paths,
    flaw_of,
    plain,
    read_tree,
    resolve_reference,
)
from jobs.configuration.terms import TargetTerms
from jobs.configuration.wording import nearest_name
from reports.quality.model import QualityTerms
from reports.thresholds import Limits

_PLACES: Final = ("warehouse", "jars_dir", "accepted")


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
        quality_limit: How many expectations of quality may fail in a run of all stages.
        full_every: How old the latest full crawl may be; None: each crawl is full.
        care: How each source is spared.
        window: The part of the day in which sources are crawled; None: all of it.
        grants: Whether a crawl also asks who may do what.
        carrying: What grantees are at Gravitino.
        running: The engines that can be asked of views where they are, by name.
        usage: The logs in which the use of views stands.
        drafts: Dialect to who proposes texts in it.
        tried: What targets answered when they were tried, as far as a plan heeds it; None: nobody
            has looked.
        copies: The copies on which a move is rehearsed, by the target's name, each with its terms.
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
    quality_limit: Limit = dataclasses.field(default_factory=lambda: Limit(0))
    full_every: timedelta | None = None
    care: Mapping[str, Care] = dataclasses.field(default_factory=dict)
    window: Window | None = None
    grants: bool = False
    carrying: tuple[CarryingRule, ...] = ()
    running: Mapping[str, Connector] = dataclasses.field(default_factory=dict)
    usage: tuple[StatedLog, ...] = ()
    drafts: Mapping[str, str] = dataclasses.field(default_factory=dict)
    tried: Mapping[str, Tried] | None = None
    copies: Mapping[str, tuple[Connector, TargetTerms]] = dataclasses.field(default_factory=dict)

    @property
    def mapping(self) -> dict[str, str]:
        """Source to the target that its first rule with one names."""
        goals = [(rule.source, rule.target) for rule in reversed(self.rules) if rule.target]
        return dict(goals)

    @property
    def target_catalogs(self) -> tuple[str, ...]:
        """The catalogs that the targets load views into, as far as their options name one."""
        names = (getattr(target.options, "catalog", None) for target in self.targets.values())
        return tuple(name for name in names if name)

    @property
    def secrets(self) -> tuple[Secret, ...]:
        """The values that no output may show."""
        connectors = (*self.sources.values(), *self.targets.values(), *self.running.values())
        secrets = [secret for connector in connectors for secret in connector.secrets]
        if self.openlineage is not None and self.openlineage.api_key is not None:
            secrets.append(self.openlineage.api_key)
        return (*secrets, *(self.notify.secrets if self.notify else ()))


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
        self._tree = read_tree(path)  # ruamel's maps and lists, with their places
        self._problems = Problems(self._tree)
        self._resolved: dict[Place, list[Secret]] = {}  # what references came to, by connector
        self._lacking: set[Place] = set()  # connectors of which one came to nothing

    def load(self) -> RunConfig:
        tree = self._resolve_tree()
        running = self._load_running(tree)
        estate = self._problems.check(Estate, without_running(tree), ())
        sources = registry.counted_once(self._load_connectors(tree, "sources", registry.SOURCES))
        targets, terms = self._load_targets(tree.get("targets"), ())
        copies, copy_terms = self._load_targets(copies_of(tree.get("targets")), ("rehearsal",))
        for place, why in chain(wrong_names(tree), contradictions(tree)):
            self._problems.add(place, why)
        accepted, here = self._read_baseline(estate), self._path.parent
        if estate is None or self._problems.found:
            raise self._problems.error(self._path, chain(*self._resolved.values()))
        return RunConfig(
            absolute(here, estate.warehouse),
            estate.archive,
            sources,
            targets,
            terms,
            estate.rules(tuple(targets), moving_unasked(sources)),
            registry.judging(estate.engines, (source.kind for source in sources.values())),
            estate.jars_dir and absolute(here, estate.jars_dir),
            estate.catalogs,
            estate.fail_on.crawl_limits(),
            estate.fail_on.limits(),
            estate.openlineage,
            estate.quality.terms(),
            settings_of(estate.engines),
            accepted,
            estate.notify and estate.notify.beside(here),
            Limit.of(estate.fail_on.quality),
            estate.crawl.age(),
            estate.crawl.care(sources),
            estate.crawl.window(),
            estate.crawl.grants,
            tuple(right.rule() for right in estate.rights),
            running,
            tuple(use.to_stated(partial(absolute, here, varies=True)) for use in estate.usage),
            estate.drafts,
            copies={name: (copy, copy_terms[name]) for name, copy in copies.items()},
        )

    def _resolve_tree(self) -> dict[str, object]:
        """What the file says, references resolved."""
        tree = {key: self._resolve(value, (key,)) for key, value in self._tree.items()}
        for key in _PLACES:  # a path may come by reference, too, and is no secret
            if isinstance(value := tree.get(key), Secret):
                tree[key] = value.reveal()
        return tree

    def _read_baseline(self, estate: Estate | None) -> Baseline:
        """The faults that are accepted; what is wrong with their file is told with the rest."""
        try:
            return read_baseline(self._path.parent, estate.accepted if estate else None)
        except ConfigurationError as error:
            self._refuse(("accepted",), error)
            return Baseline()

    def _resolve(self, node: object, place: Place) -> object:
        """The tree as plain data; a text with a reference in it becomes a Secret."""
        if isinstance(node, dict):
            return {key: self._resolve(value, (*place, key)) for key, value in node.items()}
        if isinstance(node, list):
            return [self._resolve(value, (*place, index)) for index, value in enumerate(node)]
        if isinstance(node, str) and (flaw := flaw_of(node)):
            self._problems.add(place, f"{dotted(place)}: {flaw}")
            return UNWRITABLE.sub("", node)
        if not isinstance(node, str) or not REFERENCE.search(node):
            return node
        return Secret(REFERENCE.sub(lambda match: self._look_up_reference(match, place), node))

    def _look_up_reference(self, match: re.Match[str], place: Place) -> str:
        try:
            value = resolve_reference(self._path.parent, *match.groups())
        except ConfigurationError as error:
            self._problems.add(place, str(error))
            self._lacking.add(place[:2])
            value = "."  # an empty path would be told, too
        self._resolved.setdefault(place[:2], []).append(Secret(value))
        return value

    def _load_connectors(
        self, plain: Mapping[str, object], key: str, table: Mapping[str, registry.ConnectorKind]
    ) -> dict[str, Connector]:
        entries = plain.get(key) or {}
        connectors = {}
        for name, entry in entries.items() if isinstance(entries, dict) else ():
            if isinstance(entry, dict):
                connector = self._load_connector((key, name), entry, table)
                if connector is not None:
                    connectors[name] = connector
        return connectors

    def _load_targets(
        self, entries: object, inner: Place
    ) -> tuple[dict[str, Connector], dict[str, TargetTerms]]:
        """The targets, with their stores chosen, and the terms of each.

        Args:
            entries: By name.
            inner: Where, below each target, it is said.
        """
        targets, terms = {}, {}
        for name, entry in entries.items() if isinstance(entries, dict) else ():
            place = ("targets", name, *inner)
            if isinstance(entry, dict) and (target := self._load_target(place, entry)):
                targets[name], terms[name] = target
        return targets, terms

    def _load_target(
        self, place: Place, entry: Mapping[str, object]
    ) -> tuple[Connector, TargetTerms] | None:
        terms = {key: value for key, value in entry.items() if key in TargetSettings.model_fields}
        stated = self._problems.check(TargetSettings, terms, place)
        rest = {key: value for key, value in entry.items() if key not in terms}
        kind, asked, where = rest.get("kind"), rest.get("kind"), place
        if kind == GRAVITINO:
            asked = rest.pop("route", routes.AUTO)
            stores = [key for key in rest if key in registry.STORES]
        else:
            stores = [str(kind)]
        route, parts, catalog = None, {}, rest
        provider = self._check_provider(place, str(rest.get("provider") or provider_of(str(kind))))
        try:
            version = stated.server_version if stated else routes.SERVER_VERSION
            if kind == GRAVITINO or provider:
                route = routes.choose(provider, version, stores, str(asked))
            else:
                route = routes.ChosenRoute.of_store(str(kind))
        except ConfigurationError as error:
            self._refuse((*place, "provider"), error)
        if kind == GRAVITINO:
            if route is None and not stores:
                return None
            own = (route.store if route else "") or stores[0]
            catalog, parts = rest, routes.beside(own, stores, str(asked))
            where, rest = (*place, own), grouped(catalog, stores, own)
        rest.update((key, terms[key]) for key in terms.keys() & taken_by(str(rest.get("kind"))))
        connector = self._load_connector(where, rest, registry.STORES)
        for part, store in parts.items():
            options = self._load_options(
                (*place, store), store, grouped(catalog, stores, store), registry.STORES
            )
            connector = options and connector and dataclasses.replace(connector, **{part: options})
        if connector is None or stated is None or route is None:
            return None
        choices = stated.bootstrap_parents, stated.rights, stated.pattern()
        return connector, TargetTerms(route, stated.accept_unserved, *choices)

    def _check_provider(self, place: Place, name: str) -> str:
        """The provider that is meant; one that is misspelled is told, and the rest looked at."""
        near = nearest_name(name, routes.ROUTES) if name and name not in routes.ROUTES else None
        if near is None:
            return name
        why = f"provider {name!r} is unknown; did you mean {near!r}?"
        self._problems.add((*place, "provider"), why)
        return near

    def _load_running(self, tree: Mapping[str, object]) -> dict[str, Connector]:
        """The engines that can be asked where they run."""
        running = {}
        for name, entry in engine_entries(tree):
            place, before = ("engines", name), len(self._problems.found)
            stated = of_running(name, entry)
            if stated and name not in registry.ENGINES:
                engines = ", ".join(registry.ENGINES)
                why = f"{name} cannot be asked where it runs; engines that can: {engines}"
                self._problems.add((*place, next(iter(stated))), why)
                continue
            options = self._load_options(place, name, stated, registry.ENGINES) if stated else None
            if options is not None and len(self._problems.found) == before:
                running[name] = Connector(name, options, tuple(self._resolved.get(place, ())))
        return running

    def _load_connector(
        self, place: Place, entry: Mapping[str, object], table: Mapping[str, registry.ConnectorKind]
    ) -> Connector | None:
        kind, before = str(entry.get("kind", "")), len(self._problems.found)
        if kind not in table:
            self._problems.add((*place, "kind"), f"kind {not_in(table, kind)}")
            near = None if registry.read_only(kind) else nearest_name(kind, table)
            if near is None:
                return None
            kind = near  # what else is wrong is told in the same pass
        options = self._load_options(place, kind, entry, table)
        if options is None or len(self._problems.found) > before:
            return None
        written = self._tree[place[0]][place[1]]
        stated = {str(name): plain(value) for name, value in written.items() if name != "kind"}
        return Connector(kind, options, tuple(self._resolved.get(place[:2], ())), stated)

    def _load_options(
        self,
        place: Place,
        kind: str,
        entry: Mapping[str, object],
        table: Mapping[str, registry.ConnectorKind],
    ) -> Any | None:  # noqa: ANN401 - an instance of the connector's own class
        """The options of a connector; None: there are problems."""
        given: dict[str, object] = {}
        try:
            options = table[kind].options()
            given = revealed_for(options, entry)
            checked = self._problems.check(model(options), given, place)
            instance = None
            if checked is not None and place[:2] not in self._lacking:
                values = {key: getattr(checked, key) for key in checked.model_fields_set}
                fields = dataclasses.fields(options)
                paths = absolute_paths(fields, values, self._path.parent)
                instance = options(**{**values, **paths})
        except ConfigurationError as error:
            self._refuse_options(place, given, error)
            return None
        except ValueError as error:  # as urllib says of a URL that is none
            self._problems.add(place, f"{dotted(place)}: {error}")
            return None
        for inner, why in literal_secrets(given):
            if not self._problems.has((*place, *inner)):
                self._refuse((*place, *inner), why)
        return instance

    def _refuse_options(
        self, place: Place, given: Mapping[str, object], error: ConfigurationError
    ) -> None:
        if not isinstance(error, OptionMistakesError):
            self._refuse((*place, *quoted_option(error, given)), error)
            return
        for name, why in error.mistakes:
            self._problems.add((*place, name), f"{dotted((*place, name))}: {why}")

    def _refuse(self, place: Place, error: ConfigurationError) -> None:
        self._problems.add(place, f"{error} ({error.hint})" if error.hint else str(error))
