"""What catalogs do to a view that is created through REST, per provider: asked before any write.

Read from the sources of Gravitino 1.3.0 (HiveViewCatalogOperations, IcebergViewCatalogOperations,
its Paimon catalog and their type converters); where 2.0 differs, it is said. What a catalog would
refuse is refused here; what comes back otherwise is told as a loss.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from connectors.gravitino import cells, column_types, contexts, names
from connectors.gravitino.rest.options import Options
from discovery.errors import DecodeError, NotHeldError, ReadOnlyCatalogError
from discovery.formats import iceberg_refused, paimon_writing, spark
from discovery.formats.iceberg_files import METADATA_FOLDER
from discovery.formats.iceberg_kept import RUN_AS_OWNER, SECURITY_MODE
from discovery.lineage import scopes
from discovery.migration import shared_context
from discovery.migration.providers import PROVIDERS, Provider, Tier, with_views
from discovery.model import (
    FLINK,
    HIVE,
    SPARK,
    TRINO,
    Audit,
    Column,
    Representation,
    View,
    dotted,
)
from discovery.namespaces import Levels
from discovery.ports import Held

FORMAT_3_IN_ICEBERG: Final = (2, 0)  # the first whose Iceberg catalogs take the types of format 3
TRINO_IN_HIVE: Final = (2, 0)  # the first version whose hive catalogs take and give Trino's views

Version = tuple[int, ...]


@dataclass
class Holding:
    """A view on its way into a catalog: what is left of it, and what it lost."""

    view: View
    version: Version
    losses: list[str] = field(default_factory=list)

    def refusal(self, why: str, hint: str = "") -> NotHeldError:
        """The error that says that the catalog cannot hold it."""
        return NotHeldError(why, hint=hint, view=str(self.view.identifier))

    def in_context(self, catalog: str | None, schema: str | None) -> None:
        """Give all dialects one default catalog and schema."""
        texts = tuple(
            replace(representation, default_catalog=catalog, default_schema=schema)
            for representation in self.view.representations
        )
        self.view = replace(self.view, representations=texts)

    def in_one_context(self) -> Representation:
        """Give all dialects one default catalog and schema; a text with them is the answer.

        Raises:
            NotHeldError: A text would mean something else.
        """
        shared_context.check(self.view, scopes.names)
        representation = self.view.context
        self.in_context(representation.default_catalog, representation.default_schema)
        return self.view.representations[0]

    def without(self, keys: Collection[str], why: str) -> None:
        """Leave out properties."""
        kept = tuple(property_ for property_ in self.view.properties if property_[0] not in keys)
        if lost := [key for key, _ in self.view.properties if key in keys]:
            self.losses.append(f"properties are left out, as {why}: {', '.join(lost)}")
            self.view = replace(self.view, properties=kept)

    def hold_columns(self, types: column_types.Types) -> tuple[Column, ...]:
        """The columns with the types that they come back with.

        Raises:
            NotHeldError: A column has a type that the catalog does not take.
        """
        columns = []
        for column in self.view.columns:
            try:
                columns.append(column._replace(type=column_types.hold_type(column.type, types)))
            except column_types.RefusedTypeError as error:
                why = f"the column {column.name} is {error}, which the catalog does not take"
                raise self.refusal(why, "cast it in the view") from error
        return tuple(columns)

    def come_back(self, columns: tuple[Column, ...]) -> None:
        """Note how columns come back."""
        pairs = zip(self.view.columns, columns, strict=True)
        differences = [
            column_types.difference(column, returned)
            for column, returned in pairs
            if column != returned
        ]
        if differences:
            self.losses.append(f"columns come back otherwise: {', '.join(differences)}")
            self.view = replace(self.view, columns=columns)


def hold(view: View, options: Options) -> Held:
    """How a server will hold a view.

    Raises:
        NotHeldError: Its catalogs of this provider cannot hold it at all.
    """
    provider, place = provider_of(options.provider), view.identifier
    view, losses = (view, ()) if _is_sparks(view, provider.name) else contexts.as_text(view)
    holding = Holding(view, options.version, list(losses))
    check_schema(place.namespace, options.provider, options.schema_separator)
    names.check(place, options.provider, options.schema_separator)
    writer = Audit(creator=options.writer)
    if blank := [
        representation.dialect
        for representation in view.representations
        if not representation.sql.strip()
    ]:
        raise holding.refusal(f"there is no SQL text in {', '.join(blank)}")
    if view.audit not in {Audit(), writer}:
        holding.losses.append("who made and changed it, and when, will be what the server says")
    properties = tuple(sorted(cells.stated_properties(view).items()))
    holding.view = cells.secured(replace(view, properties=properties, security=None, audit=writer))
    if view.security is not None:
        holding.losses.append(f"security is kept in the property {SECURITY_MODE}, not enforced")
    holding.without(provider.keeps, "the catalog keeps them for itself")
    HOLDERS[provider.name](holding)
    return Held(holding.view, tuple(holding.losses))


def provider_of(name: str) -> Provider:
    """What is to be known of a provider.

    Raises:
        NotHeldError: Its catalogs have no views: a `ReadOnlyCatalogError` for those of databases.
    """
    provider = PROVIDERS.get(name)
    if provider is not None and provider.tier is Tier.DELEGATED:
        return provider
    if provider is not None and provider.tier is Tier.READ_ONLY:
        raise ReadOnlyCatalogError
    raise NotHeldError(
        f"no catalog of {name} has views in Gravitino 1.3 or 2.0",
        hint=f"take a catalog of {', '.join(with_views())}, or the target gravitino-store",
    )


def as_written(view: View, provider: str) -> View:
    """A view as it is sent: with its context where its engine looks, if the catalog has none."""
    return contexts.as_properties(view) if _is_sparks(view, provider) else view


def as_read(view: View, provider: str) -> View:
    """A view out of what a server says of it; a context that makes no sense stays as it is."""
    try:
        return contexts.from_properties(view) if _is_sparks(view, provider) else view
    except DecodeError:
        return view


def _is_sparks(view: View, provider: str) -> bool:
    """Whether it is Spark's in a catalog that has no context of its own."""
    return provider == "hive" and [
        representation.dialect.lower() for representation in view.representations
    ] == [SPARK]


def check_schema(levels: Levels, provider: str, separator: str) -> None:
    """Refuse a schema that the server would not make.

    Raises:
        NotHeldError: A level has a name that it does not take, or there are several.
    """
    if len(levels) > 1 and not provider_of(provider).nests:
        why = f"catalogs of {provider} do not nest schemas"
        hint = "map it to a schema of one level"
        raise NotHeldError(why, hint=hint, schema=dotted(levels))
    names.check_schema(levels, provider, separator)


def _hold_in_hive(holding: Holding) -> None:
    """One dialect, told apart by properties; what a Hive Metastore has no place for is lost."""
    view = holding.view
    if len(view.representations) > 1:
        dialects = ", ".join(representation.dialect for representation in view.representations)
        hint = "choose the dialect that shall be kept, or map it to a catalog of lakehouse-iceberg"
        raise holding.refusal(f"a catalog of hive holds one dialect, not {dialects}", hint)
    name = str(view.identifier)
    if name != name.lower():
        hint = f"map it to {name.lower()}"
        raise holding.refusal("a Hive Metastore keeps names in lower case", hint)
    (given,) = view.representations
    first = replace(given, dialect=given.dialect.lower())
    holding.view = replace(view, representations=(first,))
    if first.dialect == TRINO and holding.version >= TRINO_IN_HIVE:
        _hold_trino_in_hive(holding)
        return
    if first.dialect not in _MARKS:
        hint = "hive, spark and flink are; from 2.0 on trino, too: see the option server_version"
        raise holding.refusal(f"{given.dialect} is no dialect of a catalog of hive", hint)
    _mark(holding, first.dialect)
    if first.dialect == SPARK:
        stated_twice = [key for key, _ in view.properties if spark.is_context(key)]
        holding.without(stated_twice, "the view itself says where short names lead")
        holding.view = spark.bound(holding.view)
        holding.view = contexts.from_properties(contexts.as_properties(holding.view))
    elif stated := [level for level in (first.default_catalog, first.default_schema) if level]:
        if contexts.needs_context(first):
            why = f"the default catalog and schema are not kept: {dotted(stated)}"
            holding.losses.append(why)
        holding.in_context(None, None)
    _hold_columns_in_metastore(holding)


def _hold_trino_in_hive(holding: Holding) -> None:
    """As Trino itself writes it: with its context and Trino's types."""
    first = holding.view.representations[0]
    if not holding.view.columns:
        raise holding.refusal("a view of Trino has at least one column")
    if first.default_schema is not None and first.default_catalog is None:
        raise holding.refusal("a view of Trino with a default schema has a default catalog, too")
    columns = holding.hold_columns(column_types.TRINO)
    holding.come_back(tuple(column._replace(nullable=True) for column in columns))


def _hold_columns_in_metastore(holding: Holding) -> None:
    """Columns as a metastore keeps them: lower-case names, nothing about nulls.

    Raises:
        NotHeldError: Two names differ only by case.
    """
    columns = holding.hold_columns(column_types.HIVE)
    folded = tuple(column._replace(name=column.name.lower(), nullable=True) for column in columns)
    if len({column.name for column in folded}) < len(columns):
        raise holding.refusal("two columns differ only by case", "rename one in the view")
    holding.come_back(folded)


def _mark(holding: Holding, dialect: str) -> None:
    """See that the dialect is known by the properties, as the catalog tells it by nothing else."""
    before = list(_MARKS)[: list(_MARKS).index(dialect)]  # those that would win
    misread = [key for key, _ in holding.view.properties if _marked_dialect(key) in before]
    holding.without(misread, "the catalog would take the view for one of another engine")
    if dialect == HIVE or any(
        _marked_dialect(key) == dialect for key, _ in holding.view.properties
    ):
        return
    key, value = _MARKS[dialect]
    mark = (key, value or str(len(holding.view.columns)))
    properties = tuple(sorted((*holding.view.properties, mark)))
    holding.view = replace(holding.view, properties=properties)


_MARKS: Final[Mapping[str, tuple[str, str]]] = {
    SPARK: ("spark.sql.create.version", "3.5.0"),  # any version since 2.3 reads the same
    FLINK: ("flink.schema.num-columns", ""),
    HIVE: ("", ""),
}
"""By dialect, in the catalog's order: the property that marks it, as its engine writes it."""


def _marked_dialect(key: str) -> str:
    """The dialect that a property marks."""
    if key == _MARKS[SPARK][0]:
        return SPARK
    return FLINK if key.startswith("flink.") else ""


def _hold_in_iceberg(holding: Holding) -> None:
    """Any dialects; Iceberg's types."""
    if not holding.view.columns:
        raise holding.refusal("a view of Iceberg has at least one column")
    is_newer = holding.version >= FORMAT_3_IN_ICEBERG
    types = column_types.ICEBERG_3 if is_newer else column_types.ICEBERG
    columns = holding.hold_columns(types)
    holding.losses += iceberg_refused.check(holding.view)
    holding.come_back(columns)
    holding.without({RUN_AS_OWNER}, "Trino would run the view with the rights of whom they name")
    holding.without({METADATA_FOLDER}, "they say where the source's files are")
    first = holding.in_one_context()
    if first.default_schema is None:
        own = dotted(holding.view.identifier.namespace)
        holding.losses.append(f"it has no default schema and will have its own, {own}")
        holding.in_context(first.default_catalog, own)


def _hold_in_paimon(holding: Holding) -> None:
    """One dialect is `query`; dialects are stored in lower case."""
    holding.view = paimon_writing.with_query(holding.view)
    holding.come_back(holding.hold_columns(column_types.PAIMON))
    holding.in_one_context()


HOLDERS: Final[Mapping[str, Callable[[Holding], None]]] = {
    "hive": _hold_in_hive,
    "lakehouse-iceberg": _hold_in_iceberg,
    "lakehouse-paimon": _hold_in_paimon,
}
"""Provider to what makes a view what its catalogs make of it, or refuses it."""
