"""Pairs of stores that keep the contract: each route of a catalog, with rows in PostgreSQL."""

from contextlib import ExitStack
from dataclasses import replace

import pytest

from connectors.gravitino.entity_store.options import Options
from connectors.gravitino.entity_store.store import EntityStore
from connectors.gravitino.entity_store.view_rows import ViewRows
from connectors.gravitino.paired import PairedStore
from connectors.gravitino.rest import store as rest
from connectors.gravitino.rest.store import GravitinoRest
from discovery.model import Audit, View
from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.contract import stores
from tests.contract.stores import Made
from tests.gravitino_joined import JoinedDouble
from tests.loopback import serving

DATABASE = "paired_contract"


def rows_of(request: pytest.FixtureRequest, provider: str) -> Options:
    """A store as a server has made it: tables, metalake and catalog, and no schema."""
    server: EmbeddedPostgreSQL = request.getfixturevalue("postgresql")
    server.execute((f"DROP DATABASE IF EXISTS {DATABASE}", f"CREATE DATABASE {DATABASE}"))
    options = Options(
        url=server.url(DATABASE), user="postgres", metalake="m", catalog="c", provider=provider
    )
    with EntityStore(options) as store:
        store.prepare(())
    return options


def _paired(request: pytest.FixtureRequest, provider: str, made: Made) -> Made:
    options = rows_of(request, provider)
    gone = None
    if made.unreachable is not None:
        gone = PairedStore(made.unreachable, ViewRows(options))
    store = PairedStore(made.store, ViewRows(options))
    orders, bare = _named(made.orders), made.bare
    return Made(store, gone, made.notyet, orders, bare)


def _named(view: View) -> View:
    return replace(view, audit=stores.ORDERS.audit)


def make_on_iceberg(request: pytest.FixtureRequest) -> Made:
    return _paired(request, "lakehouse-iceberg", stores.make_iceberg_rest(request))


def make_on_metastore(request: pytest.FixtureRequest) -> Made:
    return _paired(request, "hive", stores.make_hms(request))


def make_on_paimon(request: pytest.FixtureRequest) -> Made:
    return _paired(request, "lakehouse-paimon", stores.make_paimon(request))


def make_on_rest(request: pytest.FixtureRequest) -> Made:
    return joined(request)[0]


def joined(request: pytest.FixtureRequest) -> tuple[Made, JoinedDouble]:
    """A pair on a server, and the stand-in for that."""
    options = rows_of(request, "lakehouse-iceberg")
    opened = ExitStack()
    request.addfinalizer(opened.close)
    double = JoinedDouble(rows=options)
    double.catalog("lakehouse-iceberg")
    double.uri = opened.enter_context(serving(double.answer, "application/json"))
    views = rest.Options(
        uri=double.uri, metalake="m", catalog="c", provider="lakehouse-iceberg", user="loader"
    )
    known = stores.make_rest_iceberg(request)
    nowhere = GravitinoRest(replace(views, uri="http://127.0.0.1:1", timeout=1))
    made = Made(
        PairedStore(GravitinoRest(views), ViewRows(options)),
        PairedStore(nowhere, ViewRows(options)),
        orders=_named(known.orders),
        bare=replace(known.bare, audit=Audit()),
    )
    return made, double
