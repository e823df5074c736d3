"""Entries that lack a part or state one wrongly: a failure that names it, never half of a view."""

import base64
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest

from discovery.crawl import normalize
from discovery.datatypes import hive, iceberg, mysql, paimon, postgresql, spark, sql, trino
from discovery.datatypes.scan import DEEPEST
from discovery.errors import InvalidTypeError
from discovery.model import External, Primitive, Struct, View
from discovery.outcomes import Failure, Listed, Outcome, RawObject

GOLDEN = Path(__file__).parents[1] / "golden"
DIGITS = "9" * 5_000


def golden(case: str) -> dict[str, Any]:
    text = (GOLDEN / case).read_text(encoding="utf-8")
    payload: dict[str, Any] = json.loads(text)["raw"]["payload"]
    return payload


def read(kind: str, payload: Mapping[str, Any]) -> Outcome:
    return normalize(RawObject(Listed(("d",), "v"), kind, dict(payload)))


def view(kind: str, payload: Mapping[str, Any]) -> View:
    result = read(kind, payload).result
    assert isinstance(result, View), result
    return result


def refused(kind: str, payload: Mapping[str, Any]) -> str:
    """The message of the failure, which names the field."""
    result = read(kind, payload).result
    assert isinstance(result, Failure), result
    assert result.code == "INVALID_ENTRY"
    assert len(result.message) < 1_000
    return result.message


def athena(**parameters: str) -> dict[str, object]:
    """A view in Glue as people's own scripts make it for Athena."""
    columns = [{"name": "n", "type": "int"}, {"name": "d", "type": "double precision"}]
    blob = {"originalSql": "SELECT 1", "catalog": "awsdatacatalog", "schema": "d"}
    text = base64.b64encode(json.dumps({**blob, "columns": columns}).encode()).decode()
    return {
        "DatabaseName": "d",
        "Name": "v",
        "TableType": "VIRTUAL_VIEW",
        "Parameters": {"presto_view": "true", **parameters},
        "ViewOriginalText": f"/* Presto View: {text} */",
        "StorageDescriptor": {"Columns": [{"Name": "n", "Type": "int"}]},
        "CreateTime": "2026-01-01T00:00:00+00:00",
    }


def test_athena_asks_for_the_flag_alone() -> None:
    for parameters in ({}, {"comment": "Orders of a day"}):
        outcome = read("glue_table", athena(**parameters))
        assert isinstance(outcome.result, View)
        assert outcome.result.properties == tuple(parameters.items())
        assert [note.code for note in outcome.notes] == ["NOT_SHOWN_BY_TRINO"]
        kinds = [column.type for column in outcome.result.columns]
        assert kinds == [Primitive("integer"), Primitive("double")]
    assert read("glue_table", athena(comment="presto view")).notes == ()
    assert "presto_view" in refused("glue_table", athena(presto_view="True"))


SPARK_S: Final = {
    "spark.sql.create.version": "3.3.0",
    "spark.sql.sources.schema": '{"type":"struct","fields":[{"name":"n","type":"integer",'
    '"nullable":true,"metadata":{}},{"name":"d","type":"double","nullable":true,"metadata":{}}]}',
    "view.catalogAndNamespace.numParts": "2",
    "view.catalogAndNamespace.part.0": "spark_catalog",
    "view.catalogAndNamespace.part.1": "d",
    "view.query.out.numCols": "1",
    "view.query.out.col.0": "n",
    "view.sqlConfig.spark.sql.ansi.enabled": "false",
}


def test_a_view_of_spark_that_was_given_athena_s_text_keeps_both() -> None:
    entry = {**athena(**SPARK_S), "ViewExpandedText": "SELECT 1 AS n, 2D AS d"}
    view = read("glue_table", entry).result
    assert isinstance(view, View)
    assert [text.dialect for text in view.representations] == ["trino", "spark"]
    trino, spark = view.representations
    assert (trino.sql, trino.default_catalog) == ("SELECT 1", "awsdatacatalog")
    assert (spark.sql, spark.default_catalog, spark.default_schema) == (
        *("SELECT 1 AS n, 2D AS d", "spark_catalog"),
        "d",
    )
    assert [key for key, _ in view.properties] == [
        *("spark.sql.create.version", "view.query.out.col.0", "view.query.out.numCols"),
        "view.sqlConfig.spark.sql.ansi.enabled",
    ]


@pytest.mark.parametrize(
    "broken", [{"view.catalogAndNamespace.numParts": "3"}, {"spark.sql.sources.schema": "{bad"}]
)
def test_what_spark_could_not_read_costs_a_view_of_athena_no_more_than_that(
    broken: dict[str, str],
) -> None:
    entry = {**athena(**SPARK_S | broken), "ViewExpandedText": "SELECT 1"}
    outcome = read("glue_table", entry)
    assert isinstance(outcome.result, View)
    assert [text.dialect for text in outcome.result.representations] == ["trino"]
    lost = next(note for note in outcome.notes if note.code == "NOT_IN_MODEL")
    assert next(iter(broken)).rpartition(".")[0] in lost.message


@pytest.mark.parametrize("expanded", ["", "/* Presto View */"])
def test_a_view_that_spark_s_parameters_are_left_of_has_athena_s_text_alone(expanded: str) -> None:
    view = read("glue_table", {**athena(**SPARK_S), "ViewExpandedText": expanded}).result
    assert isinstance(view, View)
    assert [text.dialect for text in view.representations] == ["trino"]


@pytest.mark.parametrize(
    "text", ["struct<a int,b:string>", "struct<a,b:int>", "struct<a:b:int>", "struct<a'b:int>"]
)
def test_a_field_of_hive_is_a_name_and_one_type(text: str) -> None:
    with pytest.raises(InvalidTypeError):
        hive.parse(text)


def test_a_comma_in_a_quoted_text_ends_no_field_of_hive() -> None:
    parsed = hive.parse("struct<a:int comment 'x, y',b:string>")
    assert isinstance(parsed, Struct)
    assert [field.name for field in parsed.fields] == ["a", "b"]


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        (postgresql.parse, f"numeric({DIGITS},2)"),
        (mysql.parse, f"varchar({DIGITS})"),
        (sql.reader("mssql"), f"varchar({DIGITS})"),
        (sql.reader("oracle"), f"timestamp({DIGITS}) with time zone"),
        (spark._simple, f"decimal({DIGITS},2)"),
        (iceberg._named, f"decimal({DIGITS},2)"),
        (iceberg._named, f"fixed[{DIGITS}]"),
    ],
)
def test_a_number_of_thousands_of_digits_is_no_type_of_the_model(parse: Any, text: str) -> None:
    assert isinstance(parse(text), External)


def nested_paimon(word: str, depth: int) -> object:
    kind: object = "INT"
    for _ in range(depth):
        parts: dict[str, dict[str, object]] = {
            "ARRAY": {"element": kind},
            "MULTISET": {"element": kind},
            "MAP": {"key": "INT", "value": kind},
            "ROW": {"fields": [{"id": 0, "name": "f", "type": kind}]},
        }
        kind = parts[word] | {"type": word}
    return kind


@pytest.mark.parametrize("word", ["ARRAY", "MAP", "ROW", "MULTISET"])
def test_types_of_paimon_have_a_depth(word: str) -> None:
    paimon.parse(nested_paimon(word, DEEPEST))
    with pytest.raises(InvalidTypeError, match="nested deeper"):
        paimon.parse(nested_paimon(word, DEEPEST + 1))


def nested_iceberg(word: str, depth: int) -> object:
    kind: object = "int"
    for _ in range(depth):
        parts: dict[str, dict[str, object]] = {
            "list": {"element-id": 1, "element": kind, "element-required": False},
            "struct": {"fields": [{"id": 1, "name": "f", "type": kind, "required": False}]},
        }
        kind = parts[word] | {"type": word}
    return kind


@pytest.mark.parametrize("word", ["list", "struct"])
def test_types_of_iceberg_have_a_depth(word: str) -> None:
    def schema(depth: int) -> object:
        field = {"id": 1, "name": "c", "required": False, "type": nested_iceberg(word, depth)}
        return {"type": "struct", "fields": [field]}

    iceberg.columns(schema(DEEPEST))
    with pytest.raises(InvalidTypeError, match="nested deeper"):
        iceberg.columns(schema(DEEPEST + 1))


def test_arrays_of_postgresql_have_a_depth() -> None:
    postgresql.parse("integer" + "[]" * DEEPEST)
    with pytest.raises(InvalidTypeError, match="nested deeper"):
        postgresql.parse("integer" + "[]" * (DEEPEST + 1))


@pytest.mark.parametrize("kind", ["", " ", {}, {"type": "LIST"}, {"element": "int"}])
def test_what_iceberg_has_no_type_for_is_refused(kind: object) -> None:
    field = {"id": 1, "name": "c", "required": False, "type": kind}
    with pytest.raises(InvalidTypeError):
        iceberg.columns({"type": "struct", "fields": [field]})
    with pytest.raises(InvalidTypeError):
        iceberg.columns({"type": "map", "fields": []})


@pytest.mark.parametrize(
    "field",
    [
        {"name": "c", "type": "string", "nullable": "false"},
        {"name": "c", "type": "string", "nullable": None, "metadata": {"comment": "c"}},
        {"name": "c", "type": {"type": "array", "elementType": "long", "containsNull": 1}},
        {"name": "c", "type": {"type": "lst", "elementType": "long"}},
    ],
)
def test_what_spark_would_not_read_is_refused(field: object) -> None:
    with pytest.raises(InvalidTypeError):
        spark.columns({"type": "struct", "fields": [field]})
    with pytest.raises(InvalidTypeError):
        spark.columns({"type": "map", "fields": []})


def test_what_spark_leaves_out_may_be_null() -> None:
    (column,) = spark.columns({"type": "struct", "fields": [{"name": "c", "type": "string"}]})
    assert column.nullable


OUTPUT = "view.query.out"
CONTEXT = "view.catalogAndNamespace"


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({f"{OUTPUT}.numCols": "x"}, f"{OUTPUT}.numCols"),
        ({f"{OUTPUT}.numCols": "9"}, f"{OUTPUT}.col."),
        ({f"{CONTEXT}.numParts": None}, f"{CONTEXT}.numParts"),
    ],
)
def test_a_part_that_spark_looks_for_is_missed(changed: dict[str, str | None], field: str) -> None:
    payload = golden("hms/spark43-v_simple.json")
    parameters = {**payload["parameters"], **changed}
    stated = {key: value for key, value in parameters.items() if value is not None}
    assert field in refused("hive_table", payload | {"parameters": stated})


def test_a_column_of_flink_without_a_name_is_missed() -> None:
    payload = golden("hms/flink120-v_plain.json")
    names = sorted(key for key in payload["parameters"] if key.endswith(".name"))
    parameters = {key: text for key, text in payload["parameters"].items() if key != names[-1]}
    assert names[-1] in refused("hive_table", payload | {"parameters": parameters})


@pytest.mark.parametrize("descriptor", ["", [], 0, False, {"cols": {}}, {"cols": ""}, {"cols": 0}])
def test_columns_of_a_metastore_are_a_list(descriptor: object) -> None:
    payload = golden("hms/hive401-v_simple.json")
    assert refused("hive_table", payload | {"sd": descriptor}).startswith("field sd")


@pytest.mark.parametrize("time", ["abc", 1 << 40, True, 1.5])
def test_a_time_of_a_metastore_is_a_number_of_seconds(time: object) -> None:
    payload = golden("hms/hive401-v_simple.json")
    assert "createTime" in refused("hive_table", payload | {"createTime": time})
    assert "createTime" in refused("hive_database", {"name": "d", "createTime": time})


@pytest.mark.parametrize("time", ["2026-01-01T00:00:00", "0001-01-01T00:00:00+14:00", "soon"])
def test_a_time_of_glue_has_its_distance_from_utc(time: str) -> None:
    stated = athena(comment="Presto View")
    assert view("glue_table", stated).audit.create_time == datetime(2026, 1, 1, tzinfo=UTC)
    assert "CreateTime" in refused("glue_table", stated | {"CreateTime": time})


def test_comments_before_what_is_no_query_are_read_once() -> None:
    payload = golden("hms/hive401-v_simple.json")
    text = "/* a */ " * 10_000 + "x"
    result = read("hive_table", payload | {"viewOriginalText": text, "viewExpandedText": text})
    assert isinstance(result.result, Failure)
    assert result.result.code == "FOREIGN_FORMAT"


def test_what_a_later_paimon_states_is_named() -> None:
    payload = golden("paimon/rest142-v_plain.json")
    fields = [{**field, "defaultValue": "1"} for field in payload["schema"]["fields"]]
    later = payload["schema"] | {"fields": fields, "dependencies": ["a"]}
    (note,) = read("paimon_view", payload | {"schema": later}).notes
    assert note.code == "NOT_IN_MODEL"
    assert "schema.dependencies" in (note.message or "")
    assert "defaultValue" in (note.message or "")
    empty = payload["schema"] | {"dialects": {"spark": ""}}
    assert "schema.dialects.spark" in refused("paimon_view", payload | {"schema": empty})


def test_messages_about_long_texts_are_short() -> None:
    with pytest.raises(InvalidTypeError) as raised:
        trino.parse("integer" + ")" * 1_000_000)
    assert len(str(raised.value)) < 1_000
