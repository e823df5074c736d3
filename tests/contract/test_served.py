"""Verified through the server that is named beside a route: what it shows, and what it does not."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

import pyarrow as pa
import pytest

from connectors import archive_store
from connectors.gravitino.rest.options import Options
from connectors.registry import Connector
from discovery import wire
from discovery.model import Audit, Column, Identifier, Primitive, Representation, Schema, View
from discovery.ports import Action
from jobs.migrating.tables import CHANGES
from jobs.migrating.workers.applying import read_back
from tests.contract import paired
from tests.contract.stores import apply, create
from tests.gravitino_joined import JoinedDouble
from tests.loopback import serving

ALICE = Audit(creator="alice", create_time=datetime(2026, 3, 4, tzinfo=UTC))
VIEW = View(
    identifier=Identifier(("s",), "v"),
    columns=(Column("id", Primitive("long")),),
    representations=(Representation(dialect="spark", sql="SELECT 1 AS id", default_schema="s"),),
    audit=ALICE,
)


class Target(NamedTuple):
    """A pair on a server, as a configuration has it."""

    connector: Connector
    double: JoinedDouble

    def verified(self, action: Action = Action.CREATE, view: View = VIEW) -> list[str]:
        row = {
            **dict.fromkeys(CHANGES.names),
            "namespace": ["s"],
            "name": "v",
            "target": "t",
            "key": "s.v",
            "action": action.value,
            "model": wire.view_text(view)[0],
        }
        batch = pa.RecordBatch.from_pylist([row])
        (told,) = [
            one for some in read_back(self.connector)(iter([batch])) for one in some.to_pylist()
        ]
        differences: list[str] = told["differences"]
        return differences


@pytest.fixture
def target(request: pytest.FixtureRequest) -> Iterator[Target]:
    rows = paired.rows_of(request, "lakehouse-iceberg")
    double = JoinedDouble(rows=rows)
    double.catalog("lakehouse-iceberg")
    with serving(double.answer, "application/json") as double.uri:
        rest = Options(
            uri=double.uri,
            metalake="m",
            catalog="c",
            provider="lakehouse-iceberg",
            user="loader",
            timeout=2,
        )
        made = Target(Connector("gravitino-rest", rest, rows=rows, server=rest), double)
        with made.connector.store() as store:
            store.prepare([Schema(levels=("s",))])
            assert apply(store, *create(VIEW)) == ["create"]
        yield made


def test_what_the_server_shows_is_equal(target: Target) -> None:
    assert target.verified() == []
    assert target.verified(Action.DROP) == ["view", "served.view"]


def test_what_a_server_has_in_memory_is_told(target: Target) -> None:
    (key,) = target.double.memory
    target.double.memory[key] = (target.double.ids[key], {"creator": "loader"})
    assert target.verified() == ["served.audit"]


@pytest.mark.parametrize(
    ("sabotage", "told"),
    [
        (lambda view: view["columns"][0].update(name="other"), ["served.columns"]),
        (lambda view: view["representations"][0].update(sql="x"), ["served.representations.spark"]),
    ],
)
def test_a_server_that_shows_something_else_than_the_store_is_told(
    target: Target, sabotage: Any, told: list[str], tmp_path: Any
) -> None:
    files = archive_store.Options(path=str(tmp_path))
    beside = target._replace(
        connector=replace(target.connector, kind="archive", options=files, rows=None)
    )
    with beside.connector.store() as store:
        store.prepare([Schema(levels=("s",))])
        assert apply(store, *create(VIEW)) == ["create"]
    assert beside.verified() == []
    sabotage(target.double.view("s", "v"))
    assert beside.verified() == told
    del target.double.things["m", "c", "s", "views", "v"]
    assert beside.verified() == ["served.view"]


def test_a_server_that_does_not_answer_is_told_and_nothing_is_called_equal(target: Target) -> None:
    gone = replace(target.connector.server, uri="http://127.0.0.1:1", timeout=1)
    beside = target._replace(connector=replace(target.connector, server=gone))
    (told,) = beside.verified()
    assert told.startswith("served.view not read: ")
