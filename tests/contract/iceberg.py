"""Views for the tests of Iceberg stores."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from discovery.formats import iceberg_writing
from discovery.model import Column, Identifier, Primitive, Representation, Schema, View
from discovery.outcomes import Listed, RawObject
from discovery.ports import Applied, Change, ViewStore

PLACE = Identifier(("sales",), "v")
VIEW = View(
    identifier=PLACE,
    columns=(Column("x", Primitive("long")),),
    representations=(Representation(dialect="spark", sql="SELECT 1 AS x", default_schema="sales"),),
)
OTHER = replace(VIEW, identifier=Identifier(("sales",), "w"))
CHANGED = replace(VIEW, comment="other")
SALES = Schema(levels=("sales",))


def with_history(change: Change) -> Change:
    """A creation whose source has two versions, the current one by Trino."""
    document = iceberg_writing.created(replace(change.view, comment=None), UUID(int=1), "s3://a", 1)
    (older,) = document["versions"]
    engine = {"engine-name": "trino", "engine-version": "476", "operation": "replace"}
    newer = {**older, "version-id": 2, "timestamp-ms": 2, "summary": engine}
    (text,) = older["representations"]
    document["versions"] = [{**older, "representations": [{**text, "sql": "SELECT 0 AS x"}]}, newer]
    document["version-log"] += [{"timestamp-ms": 2, "version-id": 2}]
    place = change.view.identifier
    raw = RawObject(
        Listed(place.namespace, place.name),
        "iceberg_view",
        {"metadata": {**document, "current-version-id": 2}},
    )
    return replace(change, raw=raw)


def versions_of(document: Mapping[str, Any]) -> list[tuple[int, str, str]]:
    """Number, engine and text of the versions in the metadata of a view."""
    return [
        (
            version["version-id"],
            version["summary"].get("engine-name"),
            version["representations"][0]["sql"],
        )
        for version in document["versions"]
    ]


HISTORY = [(1, "belvedere", "SELECT 0 AS x"), (2, "trino", "SELECT 1 AS x")]
"""The versions of a view that was made with one."""


def only(store: ViewStore, *changes: Any) -> Applied:
    (answer,) = store.apply(changes)
    return answer
