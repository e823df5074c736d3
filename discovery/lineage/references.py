"""What a view reads: names as a statement spells them, to places in the estate.

Each engine completes short names in its own way, from what the view's format has kept: Trino from
the catalog and schema of the JSON, Spark from the captured catalog and namespace, Iceberg from the
version's defaults (a missing catalog is the one in which the view is stored: Iceberg view spec,
`default-catalog`). Hive's text is expanded; Flink keeps no context, so its short names are looked
for where the view itself is. What an engine calls a source is a matter of configuration; a catalog
that it does not name, and that is not the view's own, is outside. A first part that is no catalog's
name may be a level of a nested namespace to Spark: it is, if that is there. Trino asks each catalog
for names in lower case, however a text spells them. What an engine provides itself
(`discovery.systems`) leads to no object of a source.

Glue also states what its views of several dialects read, by ARNs, which need no completing.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from discovery.engines import Completion, Nesting, engine
from discovery.formats import glue, trino
from discovery.lineage.kinds import BaseKind
from discovery.model import TRINO, Identifier, Representation, View, encoded
from discovery.ports import Name

_SHORT: Final = 2
"""Parts of a name that says its namespace and no more."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a name leads.

    Attributes:
        catalog: The catalog as the engine calls it; None where the engine has no word for it.
        source: Name of the source; None if it leads out of the estate.
        identifier: Namespace and name, as spelled; None if the name cannot be completed.
        key: The key of the object in its source; empty without source, and of what is no object.
        kind: What the name itself says that it is, one of `STATED`; None: that is to be seen.
            `OUTSIDE` with a key: out of the estate unless that is there.
    """

    catalog: str | None
    source: str | None = None
    identifier: Identifier | None = None
    key: str = ""
    kind: BaseKind | None = None

    @property
    def known_kind(self) -> BaseKind | None:
        """What is known of the object before anybody looks: what leads to no source is outside."""
        if self.kind is None and self.source is None:
            return BaseKind.OUTSIDE
        return self.kind


@dataclass(frozen=True, slots=True)
class Catalogs:
    """What engines call the sources of the estate.

    Attributes:
        names: Engine to catalog name to source.
        folds: Source to how it folds names.
        function_folds: Source to how it folds names of functions, where it knows any.
        regions: Source to its AWS region, where it is in one.
        any_case: Engines whose catalogs find names in any case: then a name is as it is spelled.
    """

    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    folds: Mapping[str, Callable[[str], str]] = field(default_factory=dict)
    function_folds: Mapping[str, Callable[[str], str]] = field(default_factory=dict)
    regions: Mapping[str, str] = field(default_factory=dict)
    any_case: frozenset[str] = frozenset()

    def source(self, called: str, catalog: str) -> str | None:
        """The source behind a name that an engine, called so, has for a catalog."""
        names = self.names.get(called, {})
        if not names or catalog in names:
            return names.get(catalog)
        facts = engine(called)
        wanted = facts.catalog(catalog)
        return next(
            (source for name, source in names.items() if facts.catalog(name) == wanted), None
        )

    def looked_for(self, spelled: Identifier, called: str) -> Identifier:
        """What an engine, called so, looks for by a name that is completed."""
        if not engine(called).lowers_names or called in self.any_case:
            return spelled
        return Identifier(tuple(map(str.lower, spelled.namespace)), spelled.name.lower())

    def names_source(self, engine: str, source: str) -> bool:
        """Whether the configuration says what an engine calls a source."""
        return source in self.names.get(engine, {}).values()

    def key(self, source: str, identifier: Identifier) -> str:
        """The key of an object: `encoded`, each level folded as its source folds names."""
        fold = self.folds[source]
        return encoded([fold(level) for level in (*identifier.namespace, identifier.name)])

    def function_key(self, source: str, identifier: Identifier) -> str:
        """The key of a function, which is the same for all that share its name."""
        fold, name = self.folds[source], self.function_folds[source](identifier.name)
        return encoded([*map(fold, identifier.namespace), name])


def place(
    name: Name, source: str, view: Identifier, representation: Representation, catalogs: Catalogs
) -> Place:
    """Where a name in a view's text leads.

    Args:
        name: As spelled, in parts.
        source: The view's own.
        view: The view.
        representation: The text's dialect and context.
        catalogs: What the engines call the sources.
    """
    dialect = representation.dialect.casefold()
    provided = engine(dialect).provides
    if provided.reads_file(name):
        return Place(None, None, Identifier(name[:-1], name[-1]), kind=BaseKind.FILE)
    meant, kind = _table_meant(name, dialect, view, representation, catalogs)
    catalog, namespace = _completed(meant, dialect, view, representation, catalogs)
    home = _source(catalog, source, dialect, representation, catalogs)
    namespace = _parted(namespace, dialect, nests=home == source and len(view.namespace) > 1)
    spelled = (namespace or ()) if len(name) > 1 else ()
    for levels in (spelled, namespace or ()):
        if provided.owns(catalog, levels, meant[-1]):
            return Place(catalog, home, Identifier(levels, meant[-1]), kind=BaseKind.SYSTEM)
    if namespace is None:
        return Place(catalog)
    default = representation.default_catalog
    if kind is None and home is None and _may_nest(meant, dialect, representation):
        own = _source(default, source, dialect, representation, catalogs)
        if own == source:
            nested = Identifier(meant[:-1], meant[-1])
            return _placed(default, own, nested, catalogs, BaseKind.OUTSIDE)
    if kind is None and _is_supposed(catalog, source, dialect, representation, catalogs):
        kind = BaseKind.OUTSIDE
    looked_for = catalogs.looked_for(Identifier(namespace, meant[-1]), dialect)
    return _placed(catalog, home, looked_for, catalogs, kind)


def stated_places(view: View, source: str, catalogs: Catalogs) -> Iterator[tuple[str, Place]]:
    """What Glue says a view of its own format stands on: each ARN, and where it leads.

    A table is one of the view's own source if account and region are those of the view; another
    catalog is a source's only if the configuration says so, under the engine `glue` by its ARN.
    """
    own = catalogs.regions.get(source), glue.catalog_id(view)
    for sub_object in glue.sub_objects(view):
        home = catalogs.source(glue.NAME, sub_object.catalog) if sub_object.catalog else None
        if home is None and (sub_object.region, sub_object.catalog_id) == own:
            home = source
        yield sub_object.arn, _placed(sub_object.catalog, home, sub_object.identifier, catalogs)


def function_place(
    name: Name, source: str, view: View, representation: Representation, catalogs: Catalogs
) -> tuple[str, str] | None:
    """Source and key of a function that a text calls, if it has one of that name.

    A short name is completed as that of a table; Trino looks for it in the path of the view alone,
    of which the first schema is taken here. In the texts of PostgreSQL it is one of the server's
    own: they qualify all others. In those of MySQL it is one of the view's database, unless that
    has none of the name. That another engine may have a function of its own by a short name, which
    then wins, is not looked at.

    Returns:
        None: It is no function of a source that knows functions.
    """
    if len(name) == 1 and engine(representation.dialect).qualifies_functions:
        return None
    if len(name) == 1 and representation.dialect.casefold() == TRINO:
        path = trino.path(view)
        if not path:
            return None
        name = (*path[0], *name)
    destination = place(name, source, view.identifier, representation, catalogs)
    home, identifier = destination.source, destination.identifier
    if home is None or identifier is None or home not in catalogs.function_folds:
        return None
    return home, catalogs.function_key(home, identifier)


def _placed(
    catalog: str | None,
    source: str | None,
    identifier: Identifier | None,
    catalogs: Catalogs,
    kind: BaseKind | None = None,
) -> Place:
    """The place of an object, out of the estate unless its source is one of it."""
    if identifier is None or source is None or source not in catalogs.folds:
        return Place(catalog, None, identifier)
    return Place(catalog, source, identifier, catalogs.key(source, identifier), kind)


def _table_meant(
    name: Name, dialect: str, view: Identifier, context: Representation, catalogs: Catalogs
) -> tuple[Name, BaseKind | None]:
    """The name of the table that a name means, and whether it means metadata of it.

    A level more than namespaces have here is the table, if the last part is a metadata table's:
    Iceberg looks for a table of the whole name first, which nested namespaces could hold. A first
    part that is a catalog's name is none of these levels.
    """
    provided = engine(dialect).provides
    table = provided.table_of(name[-1])
    if table is not None:
        return (*name[:-1], table), BaseKind.METADATA
    facts = engine(dialect)
    first = facts.catalog(name[0]) in {_default(context), facts.session_catalog}
    first = first or catalogs.source(dialect, name[0]) is not None
    if len(name) - 2 - first < len(view.namespace):
        return name, None
    if provided.is_below(name[-1]):
        return name[:-1], BaseKind.METADATA
    return (name[:-1], None) if provided.selects(name[-1]) else (name, None)


def _parted(
    namespace: tuple[str, ...] | None, dialect: str, *, nests: bool
) -> tuple[str, ...] | None:
    """The levels of a namespace; in a source that nests them, Trino's `"a.b"` is two of these."""
    if not nests or not namespace or engine(dialect).nesting is not Nesting.ONE_NAME:
        return namespace
    return tuple(part for level in namespace for part in level.split("."))


def _may_nest(name: Name, dialect: str, context: Representation) -> bool:
    """Whether a first part that is no catalog's name is a level of the default catalog.

    So Spark takes it (4.1.4 with Iceberg 1.12.0, asked on 2026-11-28: `eu.west.ev` of a view in
    `sales` is a table of `eu.west`); its session catalog has one level only
    ("REQUIRES_SINGLE_PART_NAMESPACE"). A catalog may have that name where the view was made, so
    what is there tells.
    """
    facts = engine(dialect)
    nests = facts.completes is Completion.CONTEXT and facts.nesting is Nesting.LEVELS
    is_session = facts.session_catalog and _default(context) == facts.session_catalog
    return nests and len(name) > _SHORT and not is_session


def _completed(
    name: Name, dialect: str, view: Identifier, context: Representation, catalogs: Catalogs
) -> tuple[str | None, tuple[str, ...] | None]:
    """The catalog and the namespace of a name; no namespace if nothing says which."""
    levels, facts = name[:-1], engine(dialect)
    if not levels:
        if context.default_schema:
            return context.default_catalog, context.default_levels
        owned = facts.completes is Completion.OWN_PLACE
        return context.default_catalog, view.namespace if owned else None
    is_catalog = (
        facts.catalog_leads
        or len(levels) > len(view.namespace)
        or facts.catalog(levels[0]) == _default(context)
        or catalogs.source(dialect, levels[0]) is not None
    )
    if len(levels) > 1 and is_catalog:
        return (None if facts.one_catalog else facts.catalog(levels[0])), levels[1:]
    return context.default_catalog, levels


def _source(
    catalog: str | None, source: str, dialect: str, context: Representation, catalogs: Catalogs
) -> str | None:
    """The source that a catalog is: as the configuration says; else the view's own, if it can be.

    A catalog is the view's own if it is the text's default, no other is known to be, and nobody
    makes up rows under that name; Spark's session catalog is, whatever else the source is called.
    """
    default = _default(context)
    if catalog is None and default is None:
        return source
    named = catalog if catalog is not None else default
    if named is None or catalogs.source(dialect, named) is not None:
        return catalogs.source(dialect, named or "")
    facts = engine(dialect)
    if facts.catalog(named) == facts.session_catalog:
        return source
    foreign = named.casefold() in facts.provides.generators
    return source if named == default and not foreign else None


def _is_supposed(
    catalog: str | None, source: str, dialect: str, context: Representation, catalogs: Catalogs
) -> bool:
    """Whether a catalog is taken for the view's own though the configuration calls that otherwise.

    Another cluster may know the source by that name, or the session was in another catalog: what is
    there tells.
    """
    named = catalog if catalog is not None else context.default_catalog
    facts = engine(dialect)
    return (
        named is not None
        and catalogs.source(dialect, named) is None
        and facts.catalog(named) != facts.session_catalog
        and catalogs.names_source(dialect, source)
    )


def _default(context: Representation) -> str | None:
    """The default catalog of a text, as its engine calls it."""
    named = context.default_catalog
    return named and engine(context.dialect).catalog(named)
