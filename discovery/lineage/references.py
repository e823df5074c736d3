"""What a view reads: names as a statement spells them, to places in the estate.

Each engine completes short names in its own way, from what the view's format has kept: Trino from
the catalog and schema of the JSON, Spark from the captured catalog and namespace, Iceberg from the
version's defaults (a missing catalog is the one in which the view is stored: Iceberg view spec,
`default-catalog`). Hive's text is expanded; Flink keeps no context, so its short names are looked
for where the view itself is. What an engine calls a source is a matter of configuration.

Glue also states what its views of several dialects read, by ARNs, which need no completing.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from discovery.engines import Completion, engine
from discovery.formats import glue
from discovery.model import Identifier, Representation, View, encoded
from discovery.ports import Name


@dataclass(frozen=True, slots=True)
class Place:
    """Where a name leads.

    Attributes:
        catalog: The catalog as the engine calls it; None where the engine has no word for it.
        source: Name of the source; None if it leads out of the estate.
        identifier: Namespace and name, as spelled; None if the name cannot be completed.
        key: The key of the object in its source; empty without source.
    """

    catalog: str | None
    source: str | None = None
    identifier: Identifier | None = None
    key: str = ""


@dataclass(frozen=True, slots=True)
class Catalogs:
    """What engines call the sources of the estate.

    Attributes:
        names: Engine to catalog name to source.
        folds: Source to how it folds names.
        function_folds: Source to how it folds names of functions, where it knows any.
        regions: Source to its AWS region, where it is in one.
    """

    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    folds: Mapping[str, Callable[[str], str]] = field(default_factory=dict)
    function_folds: Mapping[str, Callable[[str], str]] = field(default_factory=dict)
    regions: Mapping[str, str] = field(default_factory=dict)

    def source(self, engine: str, catalog: str) -> str | None:
        """The source behind a catalog's name."""
        return self.names.get(engine, {}).get(catalog)

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
    catalog, namespace = _completed(name, dialect, view, representation, catalogs)
    home = _home(source, dialect, representation.default_catalog, catalogs)
    found = home if catalog in {None, representation.default_catalog} else None
    if catalog is not None:
        found = catalogs.source(dialect, catalog) or found
    if namespace is None:
        return Place(catalog)
    return _placed(catalog, found, Identifier(namespace, name[-1]), catalogs)


def stated(view: View, source: str, catalogs: Catalogs) -> Iterator[tuple[str, Place]]:
    """What Glue says a view of its own format stands on: each ARN, and where it leads.

    A table is one of the view's own source if account and region are those of the view; another
    catalog is a source's only if the configuration says so, under the engine `glue` by its ARN.
    """
    own = catalogs.regions.get(source), glue.catalog_id(view)
    for one in glue.sub_objects(view):
        home = catalogs.source(glue.NAME, one.catalog) if one.catalog else None
        if home is None and (one.region, one.catalog_id) == own:
            home = source
        yield one.arn, _placed(one.catalog, home, one.identifier, catalogs)


def function_place(
    name: Name, source: str, view: Identifier, representation: Representation, catalogs: Catalogs
) -> tuple[str, str] | None:
    """Source and key of a function that a text calls, if it has one of that name.

    A short name is completed as that of a table. In the texts of PostgreSQL and MySQL it is one of
    the server's own: they qualify all others. That another engine may have a function of its own by
    a short name, which then wins, is not looked at.

    Returns:
        None: It is no function of a source that knows functions.
    """
    if len(name) == 1 and engine(representation.dialect).qualifies_functions:
        return None
    found = place(name, source, view, representation, catalogs)
    home, identifier = found.source, found.identifier
    if home is None or identifier is None or home not in catalogs.function_folds:
        return None
    return home, catalogs.function_key(home, identifier)


def _placed(
    catalog: str | None, source: str | None, identifier: Identifier | None, catalogs: Catalogs
) -> Place:
    """The place of an object, out of the estate unless its source is one of it."""
    if identifier is None or source is None or source not in catalogs.folds:
        return Place(catalog, None, identifier)
    return Place(catalog, source, identifier, catalogs.key(source, identifier))


def _completed(
    name: Name, dialect: str, view: Identifier, context: Representation, catalogs: Catalogs
) -> tuple[str | None, tuple[str, ...] | None]:
    """The catalog and the namespace of a name; no namespace if nothing says which."""
    levels, facts = name[:-1], engine(dialect)
    if not levels:
        if context.default_schema:
            return context.default_catalog, context.default_levels
        owned = facts.completes is Completion.OWN_PLACE or context.default_catalog is not None
        return context.default_catalog, view.namespace if owned else None
    is_catalog = (
        facts.catalog_leads
        or len(levels) > len(view.namespace)
        or levels[0] == context.default_catalog
        or catalogs.source(dialect, levels[0]) is not None
    )
    if len(levels) > 1 and is_catalog:
        return levels[0], levels[1:]
    return context.default_catalog, levels


def _home(source: str, dialect: str, default: str | None, catalogs: Catalogs) -> str:
    """The source of a view's default catalog: unless the configuration says more, its own."""
    return (default and catalogs.source(dialect, default)) or source
