"""What the tests of Gravitino's two stores share."""

from collections.abc import Iterator

import pytest

from connectors.gravitino.entity_store.store import EntityStore
from connectors.gravitino.rest.store import GravitinoRest
from tests.contract.gravitino import SCHEMAS, Store
from tests.contract.gravitino_rest import options
from tests.contract.stores import on_mariadb, on_postgresql
from tests.gravitino_double import Double
from tests.gravitino_double import gravitino as serving

DATABASES = {"mariadb": on_mariadb, "postgresql": on_postgresql}


@pytest.fixture(params=sorted(DATABASES))
def empty(request: pytest.FixtureRequest) -> Iterator[Store]:
    """A store without tables."""
    database = DATABASES[request.param](request)
    with EntityStore(database) as store, database.engine().connect() as connection:
        committed = connection.execution_options(isolation_level="AUTOCOMMIT")
        yield Store(store, database, committed)


@pytest.fixture
def gravitino(empty: Store) -> Store:
    """A store with schemas."""
    empty.store.prepare(SCHEMAS)
    return empty


@pytest.fixture
def double() -> Iterator[Double]:
    """A stand-in for a Gravitino server, with the schema `s`."""
    with serving("lakehouse-iceberg") as running:
        running.schema("s")
        yield running


@pytest.fixture
def store(double: Double) -> Iterator[GravitinoRest]:
    """The store `gravitino-rest` on it."""
    with GravitinoRest(options(double)) as made:
        yield made
