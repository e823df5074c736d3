"""The JSON in the cells of Gravitino's store, read by the classes of its official client.

They are more lenient than the server in one thing: a key that they do not know passes.
"""

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from connectors.gravitino.entity_store.store import EntityStore, Options
from discovery import wire
from discovery.crawl import normalize
from discovery.migration.changes import fingerprint
from discovery.model import (
    Column,
    DataType,
    External,
    Identifier,
    ListOf,
    Primitive,
    Schema,
    UnionOf,
    View,
)
from discovery.ports import Action, Change
from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.benchmarks import loading
from tests.golden.test_golden import FILES, raw_object, read

pytestmark = [pytest.mark.live, pytest.mark.timeout(900)]
ROWS = (
    "SELECT v.view_name, v.audit_info, i.view_comment, i.columns, i.properties, i.default_catalog,"
    " i.default_schema, i.representations FROM view_meta v JOIN view_version_info i USING (view_id)"
)
WORDS = (
    "boolean byte short,unsigned integer long,unsigned float double decimal(38,38) string"
    " varchar(9) char(3) fixed(16) binary date time(6) uuid timestamp timestamp(0) timestamp_tz(12)"
    " null interval_year interval_day int decimal(39,0)"
)
TYPES: tuple[DataType, ...] = (
    *(Primitive(word.replace(",unsigned", " unsigned")) for word in WORDS.split()),
    UnionOf((Primitive("string"), ListOf(Primitive("bigint")))),
    External("jsonb"),
)


def views() -> list[View]:
    """Those of the golden files, some of the benches, and one with every type."""
    found = [normalize(raw_object(read(path))).result for path in FILES]
    golden = [  # some name one id
        replace(one, identifier=Identifier(("s",), f"golden_{number}"), properties=())
        for number, one in enumerate(found)
        if isinstance(one, View)
    ]
    columns = tuple(Column(f"c{number}", kind) for number, kind in enumerate(TYPES))
    typed = replace(golden[0], identifier=Identifier(("s",), "typed"), columns=columns)
    many = [change.view for change in loading.changes()[:200]]
    return [*golden, typed, *(replace(view, identifier=_flat(view)) for view in many)]


def _flat(view: View) -> Identifier:
    return Identifier(("s",), view.identifier.name)


def test_the_official_client_reads_every_cell_as_it_was_meant(
    gravitino_client: Path, postgresql: EmbeddedPostgreSQL
) -> None:
    postgresql.execute(("DROP DATABASE IF EXISTS cells", "CREATE DATABASE cells"))
    url = postgresql.url("cells")
    options = Options(url=url, user="postgres", metalake="m", catalog="c", provider="hive")
    with EntityStore(options) as store, options.engine().connect() as connection:
        store.prepare((Schema(levels=("s",)),))
        held = {view.identifier.name: store.hold(view).view for view in views()}
        made = [Change(Action.CREATE, one, fingerprint(one) or "") for one in held.values()]
        assert [
            applied for applied in store.apply(made) if applied.action is not Action.CREATE
        ] == []
        told = _read(gravitino_client, connection)
    assert told.keys() == held.keys()
    for name, view in held.items():
        columns = [
            [column.name, json.loads(wire.type_text(column.type)), column.nullable, column.comment]
            for column in view.columns
        ]
        assert _meant(told[name]["columns"]) == _meant(columns), name
        assert told[name]["sql"] == {
            representation.dialect: representation.sql for representation in view.representations
        }
        assert dict(view.properties).items() <= told[name]["properties"].items()
        assert told[name]["creator"] == view.audit.creator


def _meant(data: Any) -> Any:
    """What the client made of it without two faults of its own.

    It gives fields of structs that have no comment an empty one, and its table of words lacks
    `binary`, which the server knows.
    """
    match data:
        case {"type": "unparsed", "unparsedType": "binary"}:
            return "binary"
        case dict():
            return {key: _meant(one) for key, one in data.items() if (key, one) != ("comment", "")}
        case list():
            return [_meant(one) for one in data]
    return data


def _read(client: Path, connection: Connection) -> dict[str, Any]:
    """What the client's classes make of each row, by the name of the view."""
    rows = [dict(row) for row in connection.exec_driver_sql(ROWS).mappings()]
    script = Path(__file__).parent / "gravitino" / "cells.py"
    done = subprocess.run(
        [client, script],
        input="\n".join(map(json.dumps, rows)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers = map(json.loads, done.stdout.splitlines())
    return {row["view_name"]: answer for row, answer in zip(rows, answers, strict=True)}
