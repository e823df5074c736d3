"""Functions through Gravitino's REST API: what is sent, and what is made of the answers."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from connectors.clients.rest import NoSuchResourceError
from connectors.gravitino.rest.functions import ServedFunctions
from connectors.gravitino.rest.store import GravitinoRest
from discovery.errors import (
    CollisionError,
    DeniedError,
    ReadError,
    UnreachableError,
)
from discovery.functions import Function
from discovery.model import Identifier, Schema
from tests.contract.gravitino_rest import options
from tests.gravitino_double import Double, Fault, gravitino
from tests.recorded.trino_functions import of_trino

WHISPER = replace(of_trino()["whisper"], namespace=("s",))
FORBIDDEN = json.dumps({"code": 1008, "type": "ForbiddenException", "message": "no"}).encode()
PATH = "/functions/whisper"


@pytest.fixture
def double() -> Iterator[Double]:
    with gravitino("lakehouse-iceberg") as running:
        running.schema("s")
        yield running


@pytest.fixture
def store(double: Double) -> Iterator[GravitinoRest]:
    with GravitinoRest(options(double)) as opened:
        yield opened


@pytest.fixture
def kept(double: Double) -> Iterator[ServedFunctions]:
    opened = GravitinoRest(options(double))
    assert isinstance(opened.functions, ServedFunctions)
    with opened:
        yield opened.functions


def there(kept: ServedFunctions, function: Function = WHISPER) -> list[Function]:
    return list(kept.present([function.place]))


@pytest.mark.parametrize("name", ["whisper", "odd", "long"])
def test_a_function_of_trino_is_made_read_back_and_dropped(
    kept: ServedFunctions, name: str
) -> None:
    held = kept.hold(replace(of_trino()[name], namespace=("s",)))
    assert there(kept, held) == []
    assert kept.make(held)
    (function,) = there(kept, held)
    assert (function.owner, replace(function, owner=None)) == ("anonymous", held)
    assert not kept.make(held), "it was there"
    assert kept.drop(held)
    assert not kept.drop(held)
    assert not kept.drop(replace(held, namespace=("nowhere",)))
    assert there(kept, replace(held, namespace=("nowhere",))) == []
    with pytest.raises(NoSuchResourceError, match="nowhere"):
        kept.make(replace(held, namespace=("nowhere",)))


def test_another_one_of_that_name_is_told_and_left(kept: ServedFunctions, double: Double) -> None:
    held = kept.hold(WHISPER)
    kept.make(held)
    key = ("m", "c", "s", "functions", "whisper")
    mine = double.things[key]
    double.things[key] = {**mine, "comment": "for people", "audit": {"creator": "bob"}}
    assert not kept.make(held), "it does the same"
    (definition,) = mine["definitions"]
    (impl,) = definition["impls"]
    java = {**impl, "language": "JAVA", "runtime": "SPARK", "className": "x.Y"}
    del java["sql"]
    others = [
        {**mine, "deterministic": False},
        {**mine, "functionType": "aggregate"},
        {**mine, "definitions": [{**definition, "returnType": "long"}]},
        {**mine, "definitions": [{**definition, "parameters": []}]},
        {**mine, "definitions": [definition, definition]},
        {**mine, "definitions": [{**definition, "impls": [impl, java]}]},
        {**mine, "definitions": [{**definition, "impls": [{**impl, "runtime": "SPARK"}]}]},
        {**mine, "definitions": [{**definition, "impls": [{**impl, "properties": {"a": "b"}}]}]},
        {**mine, "definitions": [{**definition, "impls": [{**impl, "sql": f"{impl['sql']} "}]}]},
    ]
    for other in others:
        double.things[key] = other
        (function,) = there(kept)
        assert not held.does_as(function), other
        with pytest.raises(CollisionError):
            kept.make(held)
    double.things[key] = {**mine, "definitions": [{**definition, "impls": [impl, java]}]}
    (function,) = there(kept)
    assert function.implementation == "SQL for TRINO, JAVA for SPARK"
    double.things[key] = {"name": "whisper", "definitions": 7}
    with pytest.raises(ReadError, match="definitions"):
        there(kept)


def test_a_write_whose_answer_is_lost_is_looked_up(kept: ServedFunctions, double: Double) -> None:
    held = kept.hold(WHISPER)
    double.faults = [Fault("POST", "/functions", before=False)]
    assert kept.make(held), "nobody else can have made it"
    assert double.writes() == [("POST", "functions")]
    double.faults = [Fault("DELETE", PATH, before=False)]
    assert kept.drop(held)
    double.faults = [Fault("POST", "/functions", status=500)]
    assert kept.make(held), "it was sent again"
    double.faults = [Fault("POST", "/functions", times=9), Fault("GET", "/functions", times=9)]
    kept.drop(held)
    with pytest.raises(UnreachableError):
        kept.make(held)


def test_where_a_user_may_see_no_others_a_function_is_absent_unless_it_is_listed(
    kept: ServedFunctions, double: Double
) -> None:
    """So a real 1.3.0 answers who may register functions, and reads those that he has made only."""
    forbidden = Fault("GET", PATH, times=99, status=403, body=FORBIDDEN)
    double.faults = [forbidden]
    held = kept.hold(WHISPER)
    assert there(kept) == []
    assert kept.make(held)
    with pytest.raises(DeniedError):
        there(kept)
    none = b'{"code": 0, "identifiers": []}'
    double.faults = [forbidden, Fault("GET", "/functions", times=99, status=200, body=none)]
    assert there(kept) == []
    with pytest.raises(CollisionError):
        kept.make(held)


def test_a_schema_that_holds_a_function_stays(store: GravitinoRest, double: Double) -> None:
    """A real 1.3.0 removes it with its functions, whoever has made them."""
    store.prepare([Schema(levels=("mine",))])
    held = store.kept_functions.hold(replace(WHISPER, namespace=("mine",)))
    store.kept_functions.make(held)
    assert store.remove([("mine",)]) == (("mine",),)
    assert list(store.kept_functions.present([Identifier(("mine",), "whisper")]))
    store.kept_functions.drop(held)
    assert store.remove([("mine",)]) == ()
