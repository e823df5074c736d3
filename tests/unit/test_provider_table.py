"""A provider is one row; what a new one lacks is told in a sentence."""

from dataclasses import replace
from pathlib import Path

import pytest

from connectors import registry
from connectors.gravitino.providers import HOLDERS
from discovery.migration.providers import IDENTIFIER, PROVIDERS, Provider, Tier
from discovery.migration.routes import ROUTES, choose
from tests.gravitino_catalogs import KEEPERS

REPOSITORY = Path(__file__).parents[2]
PAGE = "docs/migration.md"
HELD = "connectors/gravitino/providers.py:HOLDERS"
DOUBLE = "tests/gravitino_catalogs.py:KEEPERS"


def lacks(row: Provider) -> list[str]:
    """What a provider lacks, each with what to do."""
    views = row.tier is Tier.DELEGATED
    read_only = row.tier is Tier.READ_ONLY
    page = (REPOSITORY / PAGE).read_text(encoding="utf-8")
    told = {
        f"say in {HELD} what its catalogs make of a view": views and row.name not in HOLDERS,
        f"take it out of {HELD}: its catalogs have no views": not views and row.name in HOLDERS,
        f"let the double keep its views ({DOUBLE})": views and row.name not in KEEPERS,
        "say why its catalog takes views (why)": views and not row.why,
        "say since which release it is served (since)": views and row.since is None,
        f"let it keep {IDENTIFIER} for itself (keeps)": views and IDENTIFIER not in row.keeps,
        "say why the stores behind it are taken (behind_why)": row.behind and not row.behind_why,
        "name stores of the registry only (behind)": not set(row.behind) <= registry.STORES.keys(),
        f"add its row to {PAGE}": not read_only and f"`{row.name}`" not in page,
        "call it jdbc-…: the page promises that of read-only ones": (
            read_only != row.name.startswith("jdbc-")
        ),
    }
    return [f"provider {row.name}: {name}" for name, wrong in told.items() if wrong]


def test_no_provider_lacks_anything() -> None:
    assert [one for row in PROVIDERS.values() for one in lacks(row)] == []


def test_nothing_knows_a_provider_that_has_no_row() -> None:
    assert HOLDERS.keys() <= PROVIDERS.keys()
    assert KEEPERS.keys() == HOLDERS.keys()
    assert ROUTES.keys() == PROVIDERS.keys()


@pytest.mark.parametrize(
    ("row", "sentences"),
    [
        (
            Provider(name="lakehouse-lance", tier=Tier.DELEGATED),
            [
                f"say in {HELD} what its catalogs make of a view",
                f"let the double keep its views ({DOUBLE})",
                "say why its catalog takes views (why)",
                "say since which release it is served (since)",
                f"let it keep {IDENTIFIER} for itself (keeps)",
                f"add its row to {PAGE}",
            ],
        ),
        (Provider(name="lakehouse-lance", tier=Tier.MANAGED), [f"add its row to {PAGE}"]),
        (
            Provider(name="oracle", tier=Tier.READ_ONLY),
            ["call it jdbc-…: the page promises that of read-only ones"],
        ),
        (
            replace(PROVIDERS["hive"], tier=Tier.MANAGED, behind=("nowhere",), behind_why=""),
            [
                f"take it out of {HELD}: its catalogs have no views",
                "say why the stores behind it are taken (behind_why)",
                "name stores of the registry only (behind)",
            ],
        ),
    ],
)
def test_a_new_provider_is_told_what_it_lacks(row: Provider, sentences: list[str]) -> None:
    assert lacks(row) == [f"provider {row.name}: {sentence}" for sentence in sentences]


@pytest.mark.parametrize("name", PROVIDERS)
def test_each_tier_has_its_routes_and_what_is_served(name: str) -> None:
    row, stores = PROVIDERS[name], tuple(registry.STORES)
    chosen = choose(name, "1.3.0", stores)
    first = {
        Tier.DELEGATED: (*row.behind, "gravitino-rest")[0],
        Tier.MANAGED: "gravitino-store",
        Tier.READ_ONLY: "",
    }
    assert chosen.store == first[row.tier]
    assert chosen.served == (row.tier is not Tier.MANAGED)
    assert not choose(name, "1.2.0", stores).served or row.tier is Tier.READ_ONLY


@pytest.mark.parametrize("name", PROVIDERS)
def test_a_name_that_is_too_long_is_refused_at_once(name: str) -> None:
    assert not PROVIDERS[name].names.fullmatch("a" * 300), "each letter was one in two ways: 2^64"
