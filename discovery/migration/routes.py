"""Which store can hold the views of a Gravitino catalog: the design's tiers, and what is served.

The design (logical view management) has three tiers: complete delegation to catalogs that know
views of many dialects, format-aware delegation to the metastore, and rows that Gravitino manages
itself. Release 1.3 serves the first two; no release so far serves rows alone, and none serves views
of JDBC catalogs (the design: read-only).
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from discovery.errors import ConfigurationError
from discovery.migration.providers import PROVIDERS, Provider, Tier
from discovery.migration.readers import describe_readers

AUTO: Final = "auto"
SERVER_VERSION: Final = "1.3.0"


@dataclass(frozen=True, slots=True)
class Route:
    """A way for views into a catalog.

    Attributes:
        store: Kind of the store that takes them; empty: they stay where they are.
        why: What speaks for it.
        since: Release of Gravitino that first serves what it writes; None: none so far.
    """

    store: str
    why: str
    since: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class ChosenRoute:
    """The route of a target.

    Attributes:
        store: Kind of the store; empty: its views stay where they are.
        why: Why this one.
        served: Whether a stock server of the declared version shows what is written.
        reader: Who reads what is written, and how that is known, for people.
        provider: Of the catalog; empty: it is none of Gravitino.
    """

    store: str
    why: str
    served: bool = True
    reader: str = ""
    provider: str = field(default="", metadata={"derived": True})

    @classmethod
    def of_store(cls, store: str) -> "ChosenRoute":
        """The route of a target that is no catalog of Gravitino."""
        return cls(store, "as configured", reader=describe_readers(store))


ROWS: Final = "gravitino-store"
"""The store of rows: of views that nobody else keeps, or beside another route."""
_REST: Final = "gravitino-rest"
_ROWS: Final = Route(ROWS, "the catalog knows no views: rows that Gravitino manages")
_ANCHORS: Final = Route(ROWS, "rows: audit data and identity of the views, no more")
_BESIDE: Final = f"who made each and when, as its row by {ROWS}"
_STAY: Final = (Route("", "JDBC catalogs are read-only: their views stay where they are"),)


def _routes(provider: Provider) -> tuple[Route, ...]:
    """The routes into the catalogs of a provider, the default first."""
    match provider.tier:
        case Tier.DELEGATED:
            stores = ((store, provider.behind_why) for store in provider.behind)
            ways = [*stores, (_REST, provider.why)]
            return (*(Route(store, why, provider.since) for store, why in ways), _ANCHORS)
        case Tier.MANAGED:
            return (_ROWS,)
        case Tier.READ_ONLY:
            return _STAY


ROUTES: Final[Mapping[str, tuple[Route, ...]]] = {
    name: _routes(provider) for name, provider in PROVIDERS.items()
}
"""Provider of a catalog to its routes, the default first."""


def choose(provider: str, version: str, stores: Collection[str], asked: str = AUTO) -> ChosenRoute:
    """The route into a catalog.

    Args:
        provider: Of the catalog.
        version: The server's, such as `1.3.0`.
        stores: Kinds of the stores that can be reached.
        asked: `auto`, or the kind of a store.

    Raises:
        ConfigurationError: No route of this provider is among them, or the one that is asked for is
            not; its catalogs are read-only, and no store is stated that could be asked.
    """
    if provider not in ROUTES:
        raise ConfigurationError(
            f"provider {provider!r} is unknown", hint=f"known: {', '.join(ROUTES)}"
        )
    routes = ROUTES[provider]
    if routes == _STAY and not stores:
        why = f"catalogs of provider {provider} are read-only: their views stay where they are"
        raise ConfigurationError(why, hint="take the target out of `targets`")
    if asked in {route.store for route in routes} and asked not in stores:
        hint = f"say how it is reached, as `{asked}: {{…}}` beside `provider`"
        raise ConfigurationError(f"the store {asked} of the route is not configured", hint=hint)
    for route in routes:
        if route.store in {"", asked} or (asked == AUTO and route.store in stores):
            served = route.since is not None and release(version) >= route.since
            rows = f"; {_BESIDE}" if is_paired(route.store, stores, asked) else ""
            reader = describe_readers(route.store, provider, served=served)
            why = f"{provider}: {route.why}{rows}"
            return ChosenRoute(route.store, why, served or not route.store, reader, provider)
    ways = ", ".join(route.store for route in routes)
    reason = "no store is configured" if asked == AUTO else f"{asked!r} cannot hold its views"
    raise ConfigurationError(f"{reason} for a catalog of provider {provider}", hint=f"use {ways}")


def is_paired(store: str, stores: Collection[str], asked: str) -> bool:
    """Whether rows in Gravitino's store say who made the views of a route, and when.

    Args:
        store: Of the route.
        stores: Kinds of the stores that can be reached.
        asked: `auto`, or the kind of a store: then there is that one alone.
    """
    return asked == AUTO and ROWS in stores and store not in {"", ROWS}


def beside(store: str, stores: Collection[str], asked: str) -> dict[str, str]:
    """What goes with a route: what it is to the target, to the kind of store that it is.

    `rows` say who made each view; `server` is read where views are verified, if it shows them.
    """
    companions = {"rows": ROWS} if is_paired(store, stores, asked) else {}
    if _REST in stores and (companions or store not in {"", ROWS, _REST}):
        companions["server"] = _REST
    return companions


def release(version: str) -> tuple[int, int]:
    """Major and minor number of a version.

    Raises:
        ConfigurationError: It has none.
    """
    match = re.match(r"(\d+)\.(\d+)", version)
    if match is None:
        raise ConfigurationError(f"{version!r} is no version", hint="such as 1.3.0")
    return int(match[1]), int(match[2])
