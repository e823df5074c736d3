import pytest

from discovery.errors import ConfigurationError
from discovery.migration.routes import ROUTES, choose

STORES = ("gravitino-rest", "gravitino-store", "iceberg-jdbc", "iceberg-rest")


@pytest.mark.parametrize(
    ("provider", "store", "served"),
    [
        ("hive", "gravitino-rest", True),
        ("lakehouse-iceberg", "iceberg-rest", True),
        ("lakehouse-paimon", "gravitino-rest", True),
        ("lakehouse-generic", "gravitino-store", False),
        ("lakehouse-hudi", "gravitino-store", False),
        ("glue", "gravitino-store", False),
        ("jdbc-mysql", "", True),
        ("jdbc-postgresql", "", True),
    ],
)
def test_the_default_route_is_what_the_catalog_can_do(
    provider: str, store: str, served: bool
) -> None:
    chosen = choose(provider, "1.3.0", STORES)
    assert (chosen.store, chosen.served) == (store, served)


def test_only_what_can_be_reached_is_chosen() -> None:
    chosen = choose("hive", "1.3.0", ("gravitino-store",))
    assert (chosen.store, chosen.served) == ("gravitino-store", False)
    with pytest.raises(ConfigurationError, match="no store is configured"):
        choose("lakehouse-generic", "1.3.0", ("gravitino-rest",))


def test_a_route_that_is_asked_for_must_lead_there() -> None:
    assert choose("lakehouse-iceberg", "1.3.1", STORES, "gravitino-rest").served
    with pytest.raises(ConfigurationError, match="'iceberg' cannot hold its views"):
        choose("hive", "1.3.0", STORES, "iceberg")
    with pytest.raises(ConfigurationError, match="gravitino-rest of the route is not configured"):
        choose("lakehouse-iceberg", "1.3.1", ("gravitino-store",), "gravitino-rest")


@pytest.mark.parametrize("asked", ["auto", "", "gravitino-rest"])
def test_a_catalog_that_is_read_only_needs_no_store_and_is_no_target(asked: str) -> None:
    with pytest.raises(ConfigurationError, match="jdbc-mysql are read-only: their views stay"):
        choose("jdbc-mysql", "1.3.0", (), asked)


def test_an_older_server_serves_no_views() -> None:
    assert not choose("hive", "1.2.0", STORES).served


def test_an_unknown_provider_and_a_version_that_is_none_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="provider 'hivee' is unknown"):
        choose("hivee", "1.3.0", STORES)
    with pytest.raises(ConfigurationError, match="'latest' is no version"):
        choose("hive", "latest", STORES)


def test_no_provider_is_without_a_route() -> None:
    assert all(ROUTES.values())
