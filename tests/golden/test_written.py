"""What engines wrote, read and written again: the same in all that the engine reads of its entry.

Each reader here takes from an entry what its engine takes, after the engine's own source; it knows
nothing of the encoders.
"""

import base64
import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from discovery.crawl import normalize
from discovery.datatypes import flink, hive, trino
from discovery.formats import KINDS, qualified
from discovery.formats.metastore_writing import ENCODERS, Lost, encode
from discovery.model import View
from tests.golden.test_golden import FILES, raw_object, read

Payload = Mapping[str, Any]
Reader = Callable[[Payload], Mapping[str, object]]

OF_NOBODY = frozenset(  # the metastore's own; which Gravitino's entity; Gravitino's and Hive's type
    {"transient_lastDdlTime", "last_modified_by", "last_modified_time", "gravitino.identifier"}
)
DIFFERENT = {
    "flink118-renamed": {"generic"},  # Flink lost the mark, and shows the view without columns
    "gravitino13-flink_by_connector": {"generic", "columns", "properties", "comment"},
    "gravitino13-flink_comment_only": {"generic", "columns", "properties"},
    "gravitino13-flink_num_columns": {"generic", "columns", "properties"},
    "flink19-columns_in_sd": {"columns"},  # Flink 1.9 reads sd.cols, later versions the parameters
    "flink120-hivedialect_v_cte": {"original", "reads"},  # nobody reads that; with each catalog
    "flink120-hivedialect_v_hd": {"original"},
    "flink120-user_properties": {"properties"},  # `flink.` stands before every user's property
    "spark24-altered": {"version", "schema"},  # Spark lost both, and takes sd.cols
    "spark24-altered_timestamp": {"version", "schema"},
    "spark31-altered": {"version", "schema"},
    "spark31-altered_void": {"version", "schema"},
    "spark43-user_properties": {"query"},  # without the names of the query the view's own count
    "trino476-no_run_as_invoker": {"definer", "invoker"},  # by nobody's rights but the asker's
}
"""Golden file to what is written otherwise, and why."""


def parameters(payload: Payload) -> dict[str, str]:
    return {key: value for key, value in payload["parameters"].items() if key not in OF_NOBODY}


def owner(payload: Payload) -> str | None:
    return payload.get("owner") or None


def columns(payload: Payload) -> list[tuple[str, object, str | None]]:
    """The entry's own, and those by which Hive has it partitioned."""
    listed = [*payload["sd"].get("cols", ()), *payload.get("partitionKeys", ())]
    return [(one["name"].lower(), hive.parse(one["type"]), one.get("comment")) for one in listed]


def by_trino(payload: Payload) -> Mapping[str, object]:
    """`ViewReaderUtil`, `ConnectorViewDefinition`, `HiveMetadata.getView`."""
    text, stated = payload["viewOriginalText"], parameters(payload)
    presto = stated.get("presto_version", "").startswith("0.")
    blob = json.loads(base64.b64decode(text[len("/* Presto View: ") : -len(" */")] + "=="))
    return {
        "marks": (stated["presto_view"], stated.get("comment", "Presto View").lower()),
        "sql": (blob["originalSql"], blob.get("catalog"), blob.get("schema")),
        "columns": [
            (
                column["name"],
                trino.parse(column["type"], quotes_doubled_twice=presto),
                column.get("comment"),
            )
            for column in blob["columns"]
        ],
        "comment": blob.get("comment"),
        "invoker": blob.get("runAsInvoker"),
        "definer": None if blob.get("runAsInvoker") else owner(payload) or blob.get("owner"),
        "path": blob.get("path") or [],
        "expanded": payload["viewExpandedText"],
        "properties": {key: one for key, one in stated.items() if key != "comment"},
    }


def by_spark(payload: Payload) -> Mapping[str, object]:
    """`HiveExternalCatalog.restoreTableMetadata`, `CatalogTable`."""
    stated = parameters(payload)

    def parts(key: str, counter: str = "numParts", one: str = "part") -> list[str]:
        return [stated[f"{key}.{one}.{at}"] for at in range(int(stated.get(f"{key}.{counter}", 0)))]

    key = "spark.sql.sources.schema"
    schema = stated.get(key) or "".join(parts(key))
    context = parts("view.catalogAndNamespace")
    database = stated.get("view.default.database")
    read = (key, "view.catalogAndNamespace", "view.query.out", "view.default", "spark.sql.create")
    return {
        "text": payload.get("viewExpandedText") or payload.get("viewOriginalText"),
        "version": stated.get("spark.sql.create.version"),
        "schema": json.loads(schema.replace('"null"', '"void"')) if schema else None,
        "context": context or (["spark_catalog", database] if database else []),
        "query": parts("view.query.out", "numCols", "col"),
        "owner": owner(payload),
        "rest": {key: value for key, value in stated.items() if not key.startswith(read)},
    }


def by_hive(payload: Payload) -> Mapping[str, object]:
    """`Table.getViewExpandedText`, `Table.getAllCols`."""
    return {
        "text": payload.get("viewExpandedText") or payload.get("viewOriginalText"),
        "columns": columns(payload),
        "parameters": parameters(payload),
        "owner": owner(payload),
    }


def by_flink(payload: Payload) -> Mapping[str, object]:
    """`HiveCatalog.instantiateCatalogTable` of 1.11 to 1.20: schema keys new, else old."""
    stated = parameters(payload)
    prefix = "flink.schema." if "flink.schema.0.name" in stated else "flink.generic.table.schema."
    count = sum(key.startswith(prefix) and key.endswith(".name") for key in stated)
    legacy = {"VARCHAR": "STRING", "TIMESTAMP": "TIMESTAMP(3)"}
    found = []
    for key in (f"{prefix}{number}" for number in range(count)):
        kind = stated.get(f"{key}.data-type")
        if kind is None:
            kind = legacy.get(stated[f"{key}.type"], stated[f"{key}.type"])
        found.append((stated[f"{key}.name"], flink.parse(kind), stated.get(f"{key}.comment")))
    expanded = qualified.tables(payload["viewExpandedText"]) or ()
    users = {
        key.removeprefix("flink."): value
        for key, value in stated.items()
        if key.startswith("flink.") and not key.startswith(prefix) and key != "flink.comment"
    }
    return {
        "generic": stated.get("is_generic", "").lower() == "true",
        "columns": found,
        "comment": stated.get("flink.comment") or None,
        "original": payload["viewOriginalText"],
        "reads": [tuple(map(str.lower, name)) for name in expanded],
        "properties": users,
        "owner": owner(payload),
    }


READERS: Mapping[str, Reader] = {
    "trino": by_trino,
    "spark": by_spark,
    "hive": by_hive,
    "flink": by_flink,
}
CASES = [
    path
    for path in FILES
    if (case := read(path))["format"] in ENCODERS
    and "view" in case
    and KINDS[case["raw"]["kind"]] is KINDS["hive_table"]
]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_an_engines_entry_is_written_as_it_was(path: Any) -> None:
    case = read(path)
    view = normalize(raw_object(case)).result
    assert isinstance(view, View)
    encoded = encode(view)
    look = READERS[case["format"]]
    theirs, ours = look(case["raw"]["payload"]), look(encoded.entry.payload())
    if view.representations[0].dialect != case["format"]:  # of Flink, in Hive's dialect
        assert ours["original"] == case["raw"]["payload"]["viewExpandedText"]
        return
    unlike = {key for key, value in theirs.items() if ours[key] != value}
    assert unlike == DIFFERENT.get(path.stem, set()), {
        key: (theirs[key], ours[key]) for key in unlike
    }
    losts = {loss.what for loss in encoded.losses} - {Lost.AUDIT}
    assert not losts or path.stem in DIFFERENT or "gravitino" in path.stem


def test_every_format_has_its_reader_and_many_entries() -> None:
    assert READERS.keys() == ENCODERS.keys()
    assert len(CASES) >= 100
    assert DIFFERENT.keys() <= {path.stem for path in CASES}
