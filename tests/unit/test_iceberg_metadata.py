"""The Iceberg view spec, rule by rule: what it demands is demanded, what it allows is read."""

import copy
import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest

from connectors.clients.lines import parse, raw_object
from discovery.crawl import normalize
from discovery.errors import DecodeError
from discovery.formats import iceberg_metadata
from discovery.model import View
from discovery.outcomes import Failure, Listed

Document = dict[str, Any]
Change = Callable[[Document], object]

VALID: Document = {
    "view-uuid": "fa6506c3-7681-40c8-86dc-e36561f83385",
    "format-version": 1,
    "location": "s3://bucket/v",
    "current-version-id": 2,
    "properties": {"comment": "c"},
    "schemas": [
        {
            "type": "struct",
            "schema-id": schema_id,
            "fields": [{"id": 1, "name": "x", "required": True, "type": "int", "doc": "the x"}],
        }
        for schema_id in (0, 1)
    ],
    "versions": [
        {
            "version-id": version_id,
            "schema-id": version_id - 1,
            "timestamp-ms": 1573518431292 + version_id,
            "summary": {"engine-name": "Spark", "engineVersion": "3.3.2"},
            "representations": [{"type": "sql", "sql": "SELECT 1 AS x", "dialect": "spark"}],
            "default-namespace": ["db"],
        }
        for version_id in (1, 2)
    ],
    "version-log": [
        {"timestamp-ms": 1573518431293, "version-id": 1},
        {"timestamp-ms": 1573518431294, "version-id": 2},
    ],
}


def changed(change: Change) -> Document:
    document = copy.deepcopy(VALID)
    change(document)
    return document


def put(value: object, *path: Any) -> Change:
    def change(document: Document) -> None:
        place: Any = document
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value

    return change


def without(*path: Any) -> Change:
    def change(document: Document) -> None:
        place: Any = document
        for key in path[:-1]:
            place = place[key]
        del place[path[-1]]

    return change


SQL = {"type": "sql", "sql": "SELECT 2", "dialect": "SPARK"}
FIELD = ("schemas", 1, "fields", 0)
CURRENT = ("versions", 1)
BROKEN: dict[str, tuple[Change, str]] = {
    **{
        f"no {key}": (without(key), key)
        for key in VALID
        if key != "properties"  # the only one that the spec calls optional
    },
    **{
        f"a version without {key}": (without(*CURRENT, key), f"versions[1].{key}")
        for key in VALID["versions"][1]
    },
    "an older version without a summary": (
        without("versions", 0, "summary"),
        "versions[0].summary",
    ),
    "an unknown format version": (put(2, "format-version"), "format-version"),
    "a format version in words": (put("1", "format-version"), "format-version"),
    "a format version that is true": (put(True, "format-version"), "format-version"),
    "no uuid": (put("no-uuid", "view-uuid"), "view-uuid"),
    "an empty location": (put("", "location"), "location"),
    "a current version that is not there": (put(3, "current-version-id"), "current-version-id"),
    "a version twice": (put(2, "versions", 0, "version-id"), "current-version-id"),
    "a schema that is not there": (put(7, *CURRENT, "schema-id"), "schemas"),
    "a schema twice": (put(1, "schemas", 0, "schema-id"), "schemas"),
    "a schema without an id": (without("schemas", 0, "schema-id"), "schemas[0].schema-id"),
    "a version that is no object": (put(1, "versions", 0), "versions[0]"),
    "a time in words": (put("now", *CURRENT, "timestamp-ms"), "versions[1].timestamp-ms"),
    "a log entry without a time": (
        without("version-log", 1, "timestamp-ms"),
        "version-log[1].timestamp-ms",
    ),
    "a log entry without a version": (
        without("version-log", 0, "version-id"),
        "version-log[0].version-id",
    ),
    "properties that are no texts": (put({"k": 1}, "properties"), "properties"),
    "a summary that is no map": (put([], *CURRENT, "summary"), "versions[1].summary"),
    "a namespace that is a text": (
        put("db", *CURRENT, "default-namespace"),
        "versions[1].default-namespace",
    ),
    "a catalog that is no text": (
        put(["c"], *CURRENT, "default-catalog"),
        "versions[1].default-catalog",
    ),
    "a dialect twice": (
        lambda document: document["versions"][1]["representations"].append(SQL),
        "versions[1].representations[1]",
    ),
    "no representation": (put([], *CURRENT, "representations"), "versions[1].representations"),
    "no representation in SQL": (
        put([{"type": "substrait"}], *CURRENT, "representations"),
        "versions[1].representations",
    ),
    "a representation without a type": (
        without(*CURRENT, "representations", 0, "type"),
        "versions[1].representations[0].type",
    ),
    "a representation without SQL": (
        without(*CURRENT, "representations", 0, "sql"),
        "versions[1].representations[0].sql",
    ),
    "a representation without a dialect": (
        put("", *CURRENT, "representations", 0, "dialect"),
        "versions[1].representations[0].dialect",
    ),
    "a schema without fields": (without("schemas", 1, "fields"), "schemas[1]"),
    "a column without a name": (without(*FIELD, "name"), "schemas[1]"),
    "a column without an id": (without(*FIELD, "id"), "x: 'id'"),
    "a column without a type": (without(*FIELD, "type"), "schemas[1]"),
    "a column that does not say whether it is required": (without(*FIELD, "required"), "required"),
    "a doc that is no text": (put(1, *FIELD, "doc"), "doc"),
    "a list without the id of its element": (
        put({"type": "list", "element": "int", "element-required": True}, *FIELD, "type"),
        "element-id",
    ),
}


@pytest.mark.parametrize(("change", "field"), BROKEN.values(), ids=BROKEN.keys())
def test_invalid_metadata_is_refused_and_the_field_is_named(change: Change, field: str) -> None:
    with pytest.raises(DecodeError) as raised:
        iceberg_metadata.parsed(changed(change))
    assert field in str(raised.value)


NESTED = b"[" * 100_000
BOMB = gzip.compress(b" " * (65 << 20), compresslevel=1)
FILES = {
    "cut JSON": (json.dumps(VALID).encode()[:-10], "holds no JSON"),
    "no object": (b"[]", "no JSON object"),
    "nothing": (b"", "holds no JSON"),
    "too deep": (NESTED, "holds no JSON"),
    "no UTF-8": (b'{"a": "\xff"}', "holds no JSON"),
    "wrong gzip": (b"\x1f\x8bnothing that gzip knows", "holds no JSON"),
    "cut gzip": (gzip.compress(json.dumps(VALID).encode())[:-12], "cut off"),
    "gzip with a wrong checksum": (gzip.compress(b"{}")[:-8] + b"\0" * 8, "holds no JSON"),
    "a cut second member": (
        gzip.compress(b'{"a": 1}') + gzip.compress(b" " * 99)[:-9],
        "cut off",
    ),
    "a bomb in the second member": (
        gzip.compress(b" ") + BOMB,
        "larger than 64 MiB",
    ),
    "not a number": (b'{"a": NaN}', "holds no JSON"),
    "infinity": (b'{"a": -Infinity}', "holds no JSON"),
    "a bare tab": (b'{"a": "\t"}', "holds no JSON"),
    "a gzip bomb": (BOMB, "larger than 64 MiB"),
}


@pytest.mark.parametrize(("content", "why"), FILES.values(), ids=FILES.keys())
def test_a_file_that_holds_no_metadata_says_why(content: bytes, why: str) -> None:
    with pytest.raises(DecodeError, match=why) as raised:
        iceberg_metadata.read(content)
    assert raised.value.where["field"] == "metadata file"


def test_a_file_is_read_gzipped_or_not_whatever_it_is_called() -> None:
    plain = json.dumps(VALID).encode()
    assert iceberg_metadata.read(plain) == iceberg_metadata.read(gzip.compress(plain))


PLAIN = json.dumps(VALID).encode()
AS_JAVA_READS_THEM = {
    "two members": gzip.compress(PLAIN[:99]) + gzip.compress(PLAIN[99:]),
    "an empty member": gzip.compress(b"") + gzip.compress(PLAIN),
    "more than gzip behind it": gzip.compress(PLAIN) + b"and more",
    "a byte order mark": b"\xef\xbb\xbf" + PLAIN,
    "UTF-16": PLAIN.decode().encode("utf-16"),
    "blanks before": b" \r\n\t" + PLAIN,
    "more behind it": PLAIN + b" }",
    "a key twice": b'{"format-version": 7, ' + PLAIN[1:],
}


@pytest.mark.parametrize("content", AS_JAVA_READS_THEM.values(), ids=AS_JAVA_READS_THEM)
def test_what_iceberg_reads_in_java_is_read(content: bytes) -> None:
    assert iceberg_metadata.read(content) == iceberg_metadata.read(PLAIN)


def test_a_refusal_says_nothing_of_what_a_file_holds() -> None:
    for content in (b"s3cr3t", b'{"s3cr3t": ', b'{"a": "s3cr3t\xff"}', b'["s3cr3t"]'):
        with pytest.raises(DecodeError) as raised:
            iceberg_metadata.opened(content)
        assert "s3cr3t" not in str(raised.value)
        assert raised.value.__cause__ is None


ALLOWED: dict[str, Change] = {
    "no properties": without("properties"),
    "null properties": put(None, "properties"),
    "a null default catalog": put(None, *CURRENT, "default-catalog"),
    "an empty summary": put({}, *CURRENT, "summary"),
    "no level in the default namespace": put([], *CURRENT, "default-namespace"),
    "an older version whose schema has expired": without("schemas", 0),
    "older versions that have expired": without("versions", 0),
    "a log whose beginning has expired": without("version-log", 0),
    "fields that the spec does not know": put({"a": [1]}, "x-unknown"),
    "an older version with another type only": put(
        [{"type": "substrait"}], "versions", 0, "representations"
    ),
    "a type in upper case": put("INT", *FIELD, "type"),
}


@pytest.mark.parametrize("change", ALLOWED.values(), ids=ALLOWED.keys())
def test_what_the_spec_allows_is_read(change: Change) -> None:
    document = changed(change)
    metadata = iceberg_metadata.parsed(document)
    assert metadata.current.id == 2
    assert [str(column.type) for column in metadata.columns] == ["Primitive(text='integer')"]
    assert metadata.document == document, "unknown fields survive"


@pytest.mark.parametrize(
    ("summary", "engine"),
    [
        ({"engine-name": "spark", "engine-version": "4.0.5"}, "spark 4.0.5"),
        ({"engineName": "Spark", "engineVersion": "3.3.2"}, "Spark 3.3.2"),
        ({"engine-name": "Spark", "engineVersion": "3.3.2"}, "Spark 3.3.2"),
        ({"engine-name": "trino"}, "trino"),
        ({"operation": "create"}, ""),
    ],
)
def test_the_engine_is_read_in_both_spellings(summary: dict[str, str], engine: str) -> None:
    metadata = iceberg_metadata.parsed(changed(put(summary, *CURRENT, "summary")))
    assert metadata.current.engine == engine


def decoded(document: Document) -> tuple[View, dict[str, str]]:
    payload = {"namespace": ["db"], "name": "v", "metadata": document}
    outcome = normalize(raw_object(Listed(("db",), "v"), "iceberg_view", payload))
    assert isinstance(outcome.result, View), outcome.result
    return outcome.result, {note.code: note.message for note in outcome.notes}


def test_the_current_version_is_carried_over_and_older_ones_are_told() -> None:
    view, notes = decoded(VALID)
    assert notes == {
        "OLDER_VERSIONS": "carried over is version 2, which Spark 3.3.2 made; not 1",
    }
    assert view.audit.create_time is not None
    assert view.audit.create_time.isoformat() == "2019-11-12T00:27:11.293000+00:00"
    assert view.audit.last_modified_time is not None
    assert view.audit.last_modified_time.microsecond == 294_000


def test_a_log_that_disagrees_is_a_note_and_the_version_id_is_followed() -> None:
    view, notes = decoded(changed(put(1, "current-version-id")))
    assert "ends with 2, current-version-id is 1" in notes["VERSION_LOG_DISAGREES"]
    assert view.identifier.name == "v"
    _, notes = decoded(changed(put([], "version-log")))
    assert "ends with None" in notes["VERSION_LOG_DISAGREES"]


def test_a_view_whose_log_has_lost_its_beginning_does_not_know_when_it_was_made() -> None:
    view, _ = decoded(changed(without("version-log", 0)))
    assert view.audit.create_time is None
    assert view.audit.last_modified_time is not None


def test_a_representation_that_is_no_sql_is_told_and_the_others_are_read() -> None:
    other = {"type": "substrait", "plan": "x"}
    document = changed(lambda one: one["versions"][1]["representations"].append(other))
    view, notes = decoded(document)
    assert [representation.dialect for representation in view.representations] == ["spark"]
    assert "'substrait'" in notes["OTHER_REPRESENTATION"]


def test_columns_with_other_names_than_the_query_returns_are_told() -> None:
    key = "spark.query-column-names"
    _, notes = decoded(changed(put("count(1, 2)", "properties", key)))
    assert notes["COLUMNS_RENAMED"] == "the query returns count(1, 2); the view shows x"
    _, notes = decoded(changed(put("x", "properties", key)))
    assert "COLUMNS_RENAMED" not in notes


def test_a_default_catalog_that_is_null_stays_the_one_that_stores_the_view() -> None:
    view, _ = decoded(changed(put(None, *CURRENT, "default-catalog")))
    assert view.representations[0].default_catalog is None
    view, _ = decoded(changed(put("prod", *CURRENT, "default-catalog")))
    assert view.representations[0].default_catalog == "prod"


@pytest.mark.parametrize(
    ("payload", "field"),
    [
        ({"name": "v", "metadata": VALID}, "namespace"),
        ({"namespace": "db", "name": "v", "metadata": VALID}, "namespace"),
        ({"namespace": ["a", ""], "name": "v", "metadata": VALID}, "namespace"),
        ({"namespace": ["db"], "metadata": VALID}, "name"),
        ({"namespace": ["db"], "name": "v", "metadata": "x"}, "metadata"),
        ({"namespace": ["db"], "name": "v"}, "metadata-location"),
        ({"namespace": ["db"], "name": "v", "metadata-location": "file:/x"}, "metadata-location"),
    ],
)
def test_an_object_that_is_no_view_of_a_catalog_names_the_field(
    payload: dict[str, Any], field: str
) -> None:
    outcome = normalize(raw_object(Listed(("db",), "v"), "iceberg_view", payload))
    assert isinstance(outcome.result, Failure)
    assert field in outcome.result.message


def test_a_view_in_the_archive_keeps_every_field() -> None:
    document = changed(put({"a": [1]}, "x-unknown"))
    payload = {"namespace": ["a", "b.c"], "name": "v", "metadata": document}
    raw = raw_object(Listed(("a", "b.c"), "v"), "iceberg_view", payload)
    assert parse(raw.text.encode()) == ("iceberg_view", payload, {})
