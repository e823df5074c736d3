"""What the tests of Gravitino's store share."""

from collections.abc import Iterator

import pytest

from connectors.gravitino.entity_store import EntityStore
from tests.contract.gravitino import SCHEMAS, Store
from tests.contract.test_stores import on_mariadb, on_postgresql

DATABASES = {"mariadb": on_mariadb, "postgresql": on_postgresql}


@pytest.fixture(params=sorted(DATABASES))
def empty(request: pytest.FixtureRequest) -> Iterator[Store]:
    """A store without tables."""
    options = DATABASES[request.param](request)
    with EntityStore(options) as store, options.engine().connect() as connection:
        committed = connection.execution_options(isolation_level="AUTOCOMMIT")
        yield Store(store, options, committed)


@pytest.fixture
def gravitino(empty: Store) -> Store:
    """A store with schemas."""
    empty.store.prepare(SCHEMAS)
    return empty
