"""Entries that no engine would write: each ends in a row that names the field, never in a crash."""

import base64
import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from discovery.crawl import normalize
from discovery.outcomes import (
    MATERIALIZED_VIEW,
    Failure,
    Listed,
    Outcome,
    RawObject,
    Skipped,
)

GOLDEN = Path(__file__).parents[1] / "golden" / "hms"
ENTRIES = [  # Iceberg views are in their metadata files
    path
    for path in sorted(GOLDEN.glob("*.json"))
    if json.loads(path.read_text(encoding="utf-8"))["format"] != "iceberg"
]
ODD: tuple[Any, ...] = (None, 7, "", "array<" * 5_000, [None], {"a": None})


def payload(name: str) -> dict[str, Any]:
    case: dict[str, Any] = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    entry: dict[str, Any] = case["raw"]["payload"]
    return entry


def read(entry: dict[str, Any]) -> Outcome:
    return normalize(RawObject(Listed(("d",), "v"), "hive_table", entry))


def failure(entry: dict[str, Any]) -> Failure:
    result = read(entry).result
    assert isinstance(result, Failure)
    return result


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each container in the value, with each of its keys."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


@pytest.mark.parametrize("path", ENTRIES, ids=lambda path: path.stem)
def test_whatever_is_damaged_a_failure_names_the_field(path: Path) -> None:
    entry = payload(path.stem)
    for container, key in places(entry):
        sound = container[key]
        for odd in ODD:
            container[key] = copy.copy(odd)
            result = read(entry).result
            if isinstance(result, Failure):
                codes = {"INVALID_ENTRY", "FOREIGN_FORMAT"}  # a text that is no query is no Hive's
                assert result.code in codes, (key, odd, result.message)
                assert result.message.startswith("field "), (key, odd, result.message)
        container[key] = sound


def presto_view(blob: str) -> dict[str, Any]:
    encoded = base64.b64encode(blob.encode()).decode()
    text = f"/* Presto View: {encoded.rstrip('=')} */"
    return payload("trino476-plain") | {"viewOriginalText": text}


def test_base64_needs_no_padding_as_in_java() -> None:
    blob = '{"originalSql": "SELECT 1 x", "columns": [{"name": "x", "type": "integer"}]}'
    assert len(blob) % 3
    assert '"sql":"SELECT 1 x"' in read(presto_view(blob)).text


def test_json_nested_too_deeply_is_a_failure_of_its_field() -> None:
    deep = "[" * 100_000
    assert failure(presto_view(deep)).message.startswith("field viewOriginalText:")
    entry = payload("spark43-sp_v_cols")
    entry["parameters"]["spark.sql.sources.schema"] = deep
    assert failure(entry).message.startswith("field parameters.spark.sql.sources.schema:")


def test_the_table_type_is_compared_ignoring_case() -> None:
    result = read(payload("hive401-v_simple") | {"tableType": "materialized_view"}).result
    assert isinstance(result, Skipped)
    assert result.reason is MATERIALIZED_VIEW


def test_half_a_surrogate_pair_is_named_by_its_field() -> None:
    entry = payload("hive401-v_simple") | {"viewExpandedText": "SELECT '\ud800'"}
    assert failure(entry).message.startswith("field sql:")
