"""What an entry states beyond the standard model is told by a note, and nothing else is."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from discovery.crawl import normalize
from discovery.datatypes import flink, paimon
from discovery.model import ListOf, Primitive, Struct, View
from discovery.outcomes import Listed, Note, Outcome, RawObject

GOLDEN = Path(__file__).parents[1] / "golden" / "hms"
NO_UNIT = ", which has no unit or precision"
ZONED = "TIMESTAMP(3) WITH TIME ZONE"


def payload(name: str) -> dict[str, Any]:
    case: dict[str, Any] = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    entry: dict[str, Any] = case["raw"]["payload"]
    return entry


def read(entry: dict[str, Any], kind: str = "hive_table") -> Outcome:
    return normalize(RawObject(Listed(("d",), "v"), kind, entry))


def view(outcome: Outcome) -> View:
    assert isinstance(outcome.result, View), outcome.result
    return outcome.result


def told(outcome: Outcome) -> list[Note]:
    """The notes on what is lost."""
    return [one for one in outcome.notes if one.code in {"TYPE_NARROWED", "NOT_IN_MODEL"}]


def spark_view(*fields: dict[str, Any]) -> dict[str, Any]:
    entry = payload("spark43-v_simple")
    schema = {"type": "struct", "fields": list(fields)}
    entry["parameters"]["spark.sql.sources.schema"] = json.dumps(schema)
    entry["sd"]["cols"] = [{"name": one["name"], "type": "int"} for one in fields]
    return entry


def field(name: str, kind: Any, **metadata: Any) -> dict[str, Any]:
    return {"name": name, "type": kind, "nullable": True, "metadata": metadata}


def test_spark_looks_for_char_in_the_metadata_of_columns_only() -> None:
    inner = field("c", "string", __CHAR_VARCHAR_TYPE_STRING="char(5)")
    struct = {"type": "struct", "fields": [inner]}
    deep = {"type": "array", "elementType": struct, "containsNull": True}
    outcome = read(
        spark_view(
            field("s", struct),
            field("a", deep),
            field("t", struct, __CHAR_VARCHAR_TYPE_STRING="struct<c:char(5)>"),
        )
    )
    columns = view(outcome).columns
    kinds = [one.type for one in columns]
    assert isinstance(kinds[1], ListOf)
    fields = [one.fields[0].type for one in (kinds[0], kinds[1].element, kinds[2])]  # type: ignore[union-attr]  # structs
    assert fields == [Primitive("string"), Primitive("string"), Primitive("char(5)")]
    assert isinstance(kinds[0], Struct)
    assert outcome.notes == (
        Note(
            "NOT_IN_MODEL",
            "a.element.c: metadata __CHAR_VARCHAR_TYPE_STRING; "
            "s.c: metadata __CHAR_VARCHAR_TYPE_STRING; "
            "t.c: metadata __CHAR_VARCHAR_TYPE_STRING",
        ),
    )


def test_metadata_of_spark_s_fields_is_told_but_for_what_is_read() -> None:
    within = {"type": "struct", "fields": [field("x", "long", comment="read", unit="m")]}
    known = {"comment": "read", "__COLLATIONS": {"k": "icu.UNICODE"}}
    read_or_not = (
        field("k", "string", **known),
        field("n", "long", **{"comment": 7, "delta.columnMapping.id": 3}),
        field("m", {"type": "map", "keyType": "string", "valueType": within}),
    )
    (note,) = read(spark_view(*read_or_not)).notes
    assert note.message == (
        "m.value.x: metadata unit; n: metadata comment; n: metadata delta.columnMapping.id"
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("VARBINARY(5)", "VARBINARY(5) is binary, which has no length"),
        ("ROW<`a` VARBINARY(5) NOT NULL>", "VARBINARY(5) is binary, which has no length"),
        ("VARBINARY(2147483647)", ""),
        ("BYTES", ""),
        ("INTERVAL SECOND(3)", f"INTERVAL SECOND(3) is interval_day{NO_UNIT}"),
        ("INTERVAL MONTH", f"INTERVAL MONTH is interval_year{NO_UNIT}"),
        ("INTERVAL DAY(2) TO SECOND(6)", ""),
        ("INTERVAL YEAR(2) TO MONTH NOT NULL", ""),
        (ZONED, f"{ZONED} is timestamp_tz, which keeps no zone"),
        ("TIMESTAMP(3) WITH LOCAL TIME ZONE", ""),
        ("TIMESTAMP(3) *ROWTIME* NOT NULL", "*ROWTIME*, a time attribute of Flink"),
        ("MAP<STRING NOT NULL, INT>", "the key of a MAP is NOT NULL, which only its value can be"),
        ("VARCHAR(5)", ""),
        ("RAW('org.acme.Point', 'VARBINARY(5)')", ""),
    ],
)
def test_what_gravitino_s_types_do_not_say_of_flink_s(text: str, told: str) -> None:
    assert "; ".join(flink.narrowed(text)) == told


def test_a_narrowed_column_of_flink_is_noted() -> None:
    (note,) = told(read(payload("flink120-intervals_and_externals")))
    assert note.code == "TYPE_NARROWED"
    assert "s: INTERVAL SECOND(3) is interval_day" in note.message
    assert "mo: INTERVAL MONTH is interval_year" in note.message
    assert told(read(payload("flink120-v_plain"))) == []


def test_keys_of_flink_s_schema_that_are_no_column_are_told() -> None:
    entry = payload("flink120-v_plain")
    entry["parameters"] |= {
        "flink.schema.primary-key.name": "pk",
        "flink.schema.watermark.0.rowtime": "t",
        "flink.schema.num-columns": "2",
    }
    (note,) = told(read(entry))
    assert note == Note(
        "NOT_IN_MODEL",
        "parameters.flink.schema.primary-key.name; parameters.flink.schema.watermark.0.rowtime",
    )


def test_a_narrowed_type_of_paimon_is_told_at_every_depth() -> None:
    row = {"type": "ROW", "fields": [{"id": 1, "name": "b", "type": "VARBINARY(5)"}]}
    maps = {"type": "MAP", "key": "STRING NOT NULL", "value": {"type": "ARRAY", "element": row}}
    assert paimon.narrowed(maps) == (
        "VARBINARY(5) is binary, which has no length",
        "the key of a MAP is NOT NULL, which only its value can be",
    )
    assert paimon.narrowed({"type": "MULTISET", "element": "INT"}) == ()


def test_unknown_members_of_trino_s_json_are_told() -> None:
    blob = {
        "originalSql": "SELECT 1 x",
        "columns": [{"name": "x", "type": "integer", "default": "7", "hint": None}],
        "path": [],
        "rowFilter": "x > 1",
        "later": None,
    }
    encoded = base64.b64encode(json.dumps(blob).encode()).decode()
    entry = payload("trino476-plain") | {"viewOriginalText": f"/* Presto View: {encoded} */"}
    (note,) = read(entry).notes
    assert note == Note(
        "NOT_IN_MODEL", "viewOriginalText.columns[0].default; viewOriginalText.rowFilter"
    )


def test_a_note_on_hundreds_of_columns_stays_short() -> None:
    (note,) = read(spark_view(*(field(f"c{n:03}", "long", k=1) for n in range(300)))).notes
    assert note.message.count(": metadata k") == 20
    assert note.message.endswith("; and 280 more")


def test_entries_of_real_engines_are_noted_where_something_is_lost_only() -> None:
    noted = {
        path.stem: sorted({one.code for one in told(read(payload(path.stem)))})
        for path in sorted(GOLDEN.glob("*.json"))
        if not path.stem.startswith("iceberg")
    }
    assert {name: codes for name, codes in noted.items() if codes} == {
        "flink120-intervals_and_externals": ["TYPE_NARROWED"],
        "flink120-nested": ["TYPE_NARROWED"],
        "flink120-scalars": ["TYPE_NARROWED"],
        "trino476-definer_of_the_json": ["NOT_IN_MODEL"],  # made up: `futureKey`
    }
