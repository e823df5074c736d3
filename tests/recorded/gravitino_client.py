"""The life of a view that Gravitino's official client and our store go through alike."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from connectors.gravitino.rest.store import GravitinoRest, Options
from discovery import wire
from discovery.migration.changes import fingerprint
from discovery.model import (
    Column,
    Field,
    Identifier,
    ListOf,
    MapOf,
    Primitive,
    Representation,
    Schema,
    Struct,
    View,
)
from discovery.ports import Action, Applied, Change
from tests.gravitino_double import Double

RECORDED: Final = Path(__file__).parent / "gravitino_client.json"
PROVIDER: Final = "lakehouse-iceberg"
PROPERTIES: Final = {"catalog-backend": "memory", "uri": "none", "warehouse": "/tmp/w"}  # noqa: S108 - a text
SCHEMA: Final = Schema(levels=("s",), comment="of sales", properties=(("k", "v"),))
_CONTEXT: Final[dict[str, Any]] = {"default_catalog": "lake", "default_schema": "s"}
BEFORE: Final = View(
    identifier=Identifier(("s",), "v"),
    columns=(
        Column("id", Primitive("long"), "the id", nullable=False),
        Column("price", Primitive("decimal(10,2)")),
        Column("at", Primitive("timestamp_tz(6)")),
        Column("tags", ListOf(Primitive("string"), contains_null=False)),
        Column(
            "Größe 🐝",
            Struct((Field("a", MapOf(Primitive("string"), Primitive("double")), comment="x"),)),
        ),
    ),
    representations=(
        Representation(dialect="trino", sql="SELECT 'a''b' AS \"id\"\n-- %s :x", **_CONTEXT),
        Representation(dialect="spark", sql="SELECT 1", **_CONTEXT),
    ),
    comment="open orders",
    properties=(("a", "1"), ("b", "1")),
)
AFTER: Final = replace(
    BEFORE,
    columns=BEFORE.columns[:1],
    representations=(
        BEFORE.representations[0],
        Representation(dialect="spark", sql="SELECT 2", **_CONTEXT),
    ),
    comment=None,
    properties=(("b", "2"), ("c", "1")),
)
_CREATE: Final = Change(Action.CREATE, BEFORE, fingerprint(BEFORE) or "")
_STILL: Final = replace(AFTER, identifier=Identifier(("s",), "w"))

TOLD: Final = {
    "provider": PROVIDER,
    "catalog_properties": PROPERTIES,
    "schema_comment": SCHEMA.comment,
    "schema_properties": dict(SCHEMA.properties),
    "before": json.loads(wire.view_text(BEFORE)[0]),
    "after": json.loads(wire.view_text(AFTER)[0]),
    "set": {"a": "1", "b": "1"},
    "then_set": {"b": "2", "c": "1"},
    "then_removed": ["a"],
}
"""What the client is told to do."""


def store_of(double: Double) -> GravitinoRest:
    """Our store on a stand-in that has nothing yet."""
    options = Options(
        uri=double.uri,
        metalake="m",
        catalog="c",
        provider=PROVIDER,
        catalog_properties=PROPERTIES,
        create_metalake=True,
        create_catalog=True,
    )
    return GravitinoRest(options)


def created(store: GravitinoRest) -> Applied:
    """Write the view with our store."""
    (answer,) = store.apply([_CREATE])
    return answer


def live_through(store: GravitinoRest) -> list[str]:
    """Do with our store what the client does; the actions that it answers with."""
    store.prepare([SCHEMA])
    changes = (
        _CREATE,
        Change(Action.REPLACE, AFTER, fingerprint(AFTER) or "", fingerprint(BEFORE)),
        Change(Action.RENAME, AFTER, fingerprint(AFTER) or "", fingerprint(AFTER), "w"),
        Change(Action.DROP, _STILL, fingerprint(_STILL) or "", fingerprint(_STILL)),
    )
    return [applied.action for applied in store.apply(changes)]


def writes(double: Double) -> list[list[Any]]:
    """Method, path and body of what was written; of the same request sent twice, one."""
    found: list[list[Any]] = []
    for asked in double.asked:
        if asked[0] != "GET" and list(asked) not in found:
            found.append(list(asked))
    return found
