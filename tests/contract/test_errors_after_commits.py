"""A metastore that has taken an entry and then says that it has not: what it holds is the truth."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from connectors.hms_stores.native import MetastoreStore
from discovery.errors import (
    BelvedereError,
    MovedError,
    ReadError,
    StoreError,
    UnreachableError,
)
from discovery.ports import Action
from tests.contract.stores import MAKERS, Made, apply, change, create, present


@pytest.fixture(params=["hms", "iceberg-hive"])
def made(request: pytest.FixtureRequest) -> Made:
    return MAKERS[request.param](request)


def erring(send: Callable[..., object], error: BelvedereError) -> Callable[..., None]:
    """A call that does what it does, and then fails."""

    def sent(*arguments: Any) -> None:
        send(*arguments)
        raise error

    return sent


@pytest.mark.parametrize("error", [StoreError("a listener failed"), ReadError("cut short")])
def test_an_entry_that_was_made_is_told_as_made(
    made: Made, error: BelvedereError, monkeypatch: pytest.MonkeyPatch
) -> None:
    with made.store as store:
        assert isinstance(store, MetastoreStore)
        store.prepare(made.schemas())
        client = store._client
        with monkeypatch.context() as patched:
            patched.setattr(client, "create_entry", erring(client.create_entry, error))
            assert apply(store, *create(made.orders)) == ["create"]
        assert present(store, made.orders).keys() == {made.orders.identifier}


@pytest.mark.parametrize(
    "error", [MovedError("The table has been modified"), StoreError("a listener failed")]
)
def test_an_entry_that_was_replaced_is_told_as_replaced_and_keeps_its_file(
    made: Made,
    error: BelvedereError,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    after = made.store.hold(replace(made.orders, comment="another")).view
    with made.store as store:
        assert isinstance(store, MetastoreStore)
        store.prepare(made.schemas())
        apply(store, *create(made.orders))
        client = store._client
        with monkeypatch.context() as patched:
            patched.setattr(client, "alter_entry", erring(client.alter_entry, error))
            assert apply(store, change(Action.REPLACE, after, made.orders)) == ["replace"]
        assert present(store, after)[after.identifier].comment == "another"


def test_an_answer_that_was_lost_names_no_live_file_as_left_behind(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = MAKERS["iceberg-hive"](request)
    after = made.store.hold(replace(made.orders, comment="another")).view
    with made.store as store:
        assert isinstance(store, MetastoreStore)
        store.prepare(made.schemas())
        apply(store, *create(made.orders))
        client = store._client
        lost = erring(client.alter_entry, UnreachableError("gone"))
        monkeypatch.setattr(client, "alter_entry", lost)
        (answer,) = store.apply([change(Action.REPLACE, after, made.orders)])
        assert (answer.action, answer.remains) == (Action.REPLACE, ())
