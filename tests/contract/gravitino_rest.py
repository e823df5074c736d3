"""What the tests of the store `gravitino-rest` write, and how they ask it."""

from dataclasses import replace
from typing import Any

from connectors.gravitino.rest.store import GravitinoRest, Options
from discovery.model import Column, Identifier, Primitive, Representation, View
from discovery.ports import Action, Applied, Change
from tests.contract.stores import change
from tests.gravitino_double import Double

ID = Column("id", Primitive("long"))
VIEW = View(
    identifier=Identifier(("s",), "v"),
    columns=(ID,),
    representations=(
        Representation(dialect="spark", sql="SELECT 1 AS id", default_schema="s"),
        Representation(dialect="trino", sql="SELECT 1 AS id", default_schema="s"),
    ),
    comment="one",
    properties=(("a", "1"), ("b", "1")),
)
WANTED = replace(
    VIEW,
    comment="two",
    representations=(
        VIEW.representations[0],
        Representation(dialect="trino", sql="SELECT 2 AS id", default_schema="s"),
    ),
    properties=(("b", "2"), ("c", "1")),
)
RENAMED = replace(VIEW, identifier=Identifier(("s",), "w"))
CREATE, RENAME = change(Action.CREATE, VIEW), change(Action.RENAME, VIEW, VIEW, "w")


def options(double: Double, provider: str = "lakehouse-iceberg", **more: Any) -> Options:
    stated = {"metalake": "m", "catalog": "c", "timeout": 1.0, **more}
    return Options(uri=double.uri, provider=provider, **stated)


def opened(double: Double, provider: str, **more: Any) -> GravitinoRest:
    return GravitinoRest(options(double, provider, **more))


def applied(store: GravitinoRest, *changes: Change) -> list[Applied]:
    return list(store.apply(changes))


def code(answer: Applied) -> str:
    assert answer.failure is not None, answer
    return answer.failure[0]


def told(answer: Applied) -> str:
    assert answer.failure is not None, answer
    return " ".join(answer.failure[1:])
