"""Writes that somebody else answers, as a proxy that wants a login does: nothing is called done."""

from collections.abc import Callable
from contextlib import AbstractContextManager, closing

import pytest

from connectors.clients import single_writes
from connectors.gravitino.rest import options as rest
from connectors.gravitino.rest.server import BrokenError, GravitinoServer
from connectors.iceberg import rest_store
from connectors.iceberg.rest import Options as RestOptions
from connectors.iceberg.rest import RestCatalog
from connectors.iceberg.rest_store import RestStore
from connectors.paimon.store import Options, PaimonStore
from discovery.errors import ReadError
from discovery.model import Column, Identifier, Primitive, Representation, Schema, View
from discovery.ports import Action, ViewStore
from tests.contract.stores import apply, change, create, failure
from tests.iceberg_server import IcebergServer, iceberg_server
from tests.loopback import Request, serving
from tests.paimon_server import PaimonDouble, paimon_double

SALES = Schema(levels=("sales",))
VIEW = View(
    identifier=Identifier(("sales",), "v"),
    columns=(Column("x", Primitive("long")),),
    representations=tuple(
        Representation(dialect=dialect, sql="SELECT 1 AS x") for dialect in ("query", "spark")
    ),
)
ANSWERS = [
    (302, b""),
    (307, b"<html>log in</html>"),
    (200, b"<html>log in</html>"),
    (200, b"[]"),
    (200, b"[" * 100_000),
    (502, b"[" * 100_000),
]
Server = PaimonDouble | IcebergServer


def paimon(uri: str) -> ViewStore:
    return PaimonStore(Options(uri=uri, warehouse="wh", timeout=5))


def iceberg(uri: str) -> ViewStore:
    return RestStore(rest_store.Options(uri=uri, timeout=5))


@pytest.mark.parametrize(("status", "body"), ANSWERS, ids=lambda one: str(one)[:24])
@pytest.mark.parametrize(("double", "opened"), [(paimon_double, paimon), (iceberg_server, iceberg)])
def test_what_somebody_else_answers_to_a_write_is_not_done(
    monkeypatch: pytest.MonkeyPatch,
    double: Callable[[], AbstractContextManager[Server]],
    opened: Callable[[str], ViewStore],
    status: int,
    body: bytes,
) -> None:
    monkeypatch.setattr(single_writes, "_PAUSE", 0.0)
    with double() as server:

        def answer(request: Request) -> tuple[int, bytes]:
            return server.answer(request) if request.method == "GET" else (status, body)

        with opened(server.uri) as own, serving(answer, "application/json") as uri:
            own.prepare([SALES])
            with opened(uri) as store:
                (created,) = store.apply(create(VIEW))
                assert failure(created)
                assert not server.views
                apply(own, *create(VIEW))
                (dropped,) = store.apply([change(Action.DROP, VIEW, VIEW)])
                assert failure(dropped)
                assert len(server.views) == 1


@pytest.mark.parametrize("config", [b'{"endpoints": [5]}', b'{"endpoints": [null]}'])
def test_a_catalog_that_says_odd_things_of_itself_is_told(config: bytes) -> None:
    with (
        serving(lambda _: (200, config), "application/json") as uri,
        RestCatalog(RestOptions(uri=uri)) as catalog,
        pytest.raises(ReadError),
    ):
        list(catalog.listing())


def test_an_answer_of_gravitino_that_is_nested_without_end_is_none() -> None:
    with serving(lambda _: (200, b"[" * 100_000), "application/json") as uri:
        options = rest.Options(uri=uri, provider="hive", metalake="m", catalog="c", timeout=5)
        with (
            closing(GravitinoServer(options)) as server,
            pytest.raises(BrokenError, match="no answer of Gravitino's"),
        ):
            server.get("version")
