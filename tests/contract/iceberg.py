"""Views for the tests of Iceberg stores."""

from dataclasses import replace
from typing import Any

from discovery.model import Column, Identifier, Primitive, Representation, Schema, View
from discovery.ports import Applied, ViewStore

PLACE = Identifier(("sales",), "v")
VIEW = View(
    identifier=PLACE,
    columns=(Column("x", Primitive("long")),),
    representations=(Representation(dialect="spark", sql="SELECT 1 AS x", default_schema="sales"),),
)
OTHER = replace(VIEW, identifier=Identifier(("sales",), "w"))
CHANGED = replace(VIEW, comment="other")
SALES = Schema(levels=("sales",))


def only(store: ViewStore, *changes: Any) -> Applied:
    (answer,) = store.apply(changes)
    return answer
