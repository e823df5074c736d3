"""What is to be known of a provider of Gravitino's catalogs: one row each, for routes and stores.

From the design (logical view management) and the sources of Gravitino 1.3.0: its catalogs'
operations on views, and their `Capability`. What a catalog makes of a view, step by step, is in
`connectors/gravitino/providers.py`; its routes are derived in `discovery/migration/routes.py`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from re import Pattern
from typing import Final, TypeVar

from discovery.model import Schema, View

IDENTIFIER: Final = "gravitino.identifier"
"""The property under which Gravitino keeps the id of an entity in the catalog behind it.

A server that meets it imports the entity under that id, over the row that has it
(`ViewMetaService` of 1.3.0): a copy would take the row, with owner and rights, from the original.
"""
IDENTIFIER_LOST: Final = f"{IDENTIFIER} is left out: here the view is another entity"
ANY_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_/=-]{0,63}")
_LETTERS: Final = r"(?:[0-9_$/=-]|[^\W\d_])"
_Entity = TypeVar("_Entity", View, Schema)
_DELEGATED: Final = (1, 3)  # the first release whose REST API has views


def without_identifier(entity: _Entity) -> _Entity:
    """A view or schema without the property that makes it an entity of a server."""
    kept = tuple([property_ for property_ in entity.properties if property_[0] != IDENTIFIER])
    return replace(entity, properties=kept)


class Tier(StrEnum):
    """Who keeps the views of a catalog, after the design."""

    DELEGATED = "the catalog, or what is behind it"
    MANAGED = "Gravitino, as rows: the catalog knows no views"
    READ_ONLY = "the database, where they stay"


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """What is true of the catalogs of a provider.

    Attributes:
        name: As Gravitino spells it.
        tier: Who keeps their views.
        why: What the catalog does with a view; of those that have views.
        since: Release of Gravitino that first serves them; None: none so far.
        behind: Kinds of stores that reach what is behind the catalog without the server.
        behind_why: What speaks for these.
        keeps: Properties of a view that the catalog keeps for itself, in whatever version.
        backends: What such a catalog has to say of its `catalog-backend`; none: it need not say.
        nests: Whether schemas nest.
        comments_schemas: Whether the comment of a schema comes back.
        alters_schemas: Whether the properties of a schema that is there can be changed.
        replaces_at_once: Whether it is sure that a replaced view is the old or the new one.
        lists_unread: Whether they list views that they cannot read, as hive does Trino's in 1.3:
            none to who reads, in the way of who writes.
        names: What they take as the name of a schema or view.
    """

    name: str
    tier: Tier
    why: str = ""
    since: tuple[int, int] | None = None
    behind: tuple[str, ...] = ()
    behind_why: str = ""
    keeps: frozenset[str] = frozenset()
    backends: frozenset[str] = frozenset()
    nests: bool = False
    comments_schemas: bool = True
    alters_schemas: bool = True
    replaces_at_once: bool = True
    lists_unread: bool = False
    names: Pattern[str] = ANY_NAME


_ROWS: Final = (
    Provider(
        name="hive",
        tier=Tier.DELEGATED,
        why="the catalog writes the format of the view's dialect",
        since=_DELEGATED,
        keeps=frozenset(
            {
                "EXTERNAL",
                "comment",
                "format",
                "presto_view",
                "table-type",
                "transient_lastDdlTime",
                IDENTIFIER,
            }
        ),
        behind=("hms",),
        behind_why="entries in the metastore behind it; a server shows Trino's from 2.0 on",
        lists_unread=True,
    ),
    Provider(
        name="lakehouse-iceberg",
        tier=Tier.DELEGATED,
        why="the catalog hands the whole view to Iceberg",
        since=_DELEGATED,
        behind=("iceberg-rest", "iceberg-jdbc", "iceberg-hive"),
        behind_why="the Iceberg catalog behind it holds every dialect",
        keeps=frozenset({"comment", IDENTIFIER}),
        nests=True,
    ),
    Provider(
        name="lakehouse-paimon",
        tier=Tier.DELEGATED,
        why="the catalog hands the whole view to Paimon",
        since=_DELEGATED,
        keeps=frozenset(
            {
                "gravitino.view.default-catalog",
                "gravitino.view.default-schema",
                IDENTIFIER,
                # what a Paimon server says of a view, which is shown as its properties (1.3.0)
                *("createdAt", "createdBy", "owner", "updatedAt", "updatedBy"),
            }
        ),
        backends=frozenset({"rest"}),
        behind=("paimon",),
        behind_why="the Paimon catalog behind it",
        comments_schemas=False,  # it is read from a property that may not be set
        alters_schemas=False,  # "AlterSchema is unsupported now for Paimon Catalog"
        replaces_at_once=False,  # it drops the view and creates it
    ),
    Provider(name="lakehouse-generic", tier=Tier.MANAGED),
    Provider(name="lakehouse-hudi", tier=Tier.MANAGED),
    Provider(name="glue", tier=Tier.MANAGED),
    Provider(name="jdbc-doris", tier=Tier.READ_ONLY),
    Provider(name="jdbc-mysql", tier=Tier.READ_ONLY, names=re.compile(_LETTERS + "{1,64}")),
    Provider(
        name="jdbc-postgresql",
        tier=Tier.READ_ONLY,
        names=re.compile(r"(?:[_/]|[^\W\d_])" + _LETTERS + "{0,62}"),
    ),
    Provider(name="jdbc-starrocks", tier=Tier.READ_ONLY),
)
PROVIDERS: Final[Mapping[str, Provider]] = {row.name: row for row in _ROWS}


def with_views() -> tuple[str, ...]:
    """The providers whose catalogs have views that may be created."""
    return tuple(
        provider.name for provider in PROVIDERS.values() if provider.tier is Tier.DELEGATED
    )


def nesting() -> tuple[str, ...]:
    """The providers whose schemas nest."""
    return tuple(provider.name for provider in PROVIDERS.values() if provider.nests)
