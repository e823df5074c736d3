"""What tables in a metastore say of their columns: Flink's own, those of CSV; and times."""

import json
from pathlib import Path
from typing import Any

import pytest

from discovery.errors import DecodeError
from discovery.formats import base_columns
from discovery.formats.base_columns import TableColumns
from discovery.model import Column, Primitive
from discovery.outcomes import Listed, RawObject

GOLDEN = Path(__file__).parents[1] / "golden" / "hms" / "flink120-src.json"
BY_FLINK: dict[str, Any] = json.loads(GOLDEN.read_text(encoding="utf-8"))["raw"]["payload"]


def table(kind: str = "hive_table", **changed: object) -> RawObject:
    return RawObject(Listed(("fl",), "src"), kind, {**BY_FLINK, **changed})


@pytest.mark.parametrize("kind", ["hive_table", "glue_table"])
def test_columns_are_those_of_the_numbered_parameters(kind: str) -> None:
    glue = {"Name": "src", "DatabaseName": "fl", "Parameters": BY_FLINK["parameters"]}
    raw_object = table() if kind == "hive_table" else RawObject(Listed(("fl",), "src"), kind, glue)
    told = base_columns.table_columns(raw_object)
    assert told is not None
    names = [column.name for column in told.columns]
    assert names == ["id", "name", "amt", "ts", "ltz", "tags", "m", "r"]
    assert told.columns[0] == Column("id", Primitive("long"), None, False)
    assert (told.flink_times, told.beside_spark) == ((("ts", "ROWTIME"),), None)


def test_a_column_that_is_the_time_of_processing_is_a_time_attribute() -> None:
    computed = {
        "flink.schema.8.name": "p",
        "flink.schema.8.data-type": "TIMESTAMP(3) WITH LOCAL TIME ZONE NOT NULL",
        "flink.schema.8.expr": "PROCTIME()",
        "flink.schema.9.name": "double",
        "flink.schema.9.data-type": "DECIMAL(11, 2)",
        "flink.schema.9.expr": "`amt` * 2",
    }
    raw_object = table(parameters={**BY_FLINK["parameters"], **computed})
    told = base_columns.table_columns(raw_object)
    assert told is not None
    assert [column.name for column in told.columns[8:]] == ["p", "double"]
    assert told.flink_times == (("p", "PROCTIME"), ("ts", "ROWTIME"))


def test_a_table_of_hive_is_none_of_flink_whatever_a_user_calls_a_property() -> None:
    sd = {"cols": [{"name": "id", "type": "bigint"}]}
    raw_object = table(parameters={"flink.schema.registry": "x"}, sd=sd)
    assert base_columns.table_columns(raw_object) == TableColumns(
        (Column("id", Primitive("long")),)
    )


@pytest.mark.parametrize(("stated", "is_acid"), [("TRUE", True), ("false", False)])
def test_a_table_of_hive_says_whether_it_has_transactions(stated: str, is_acid: bool) -> None:
    sd = {"cols": [{"name": "id", "type": "bigint"}]}
    told = base_columns.table_columns(table(parameters={"transactional": stated}, sd=sd))
    assert told is not None
    assert told.acid is is_acid


@pytest.mark.parametrize(
    ("library", "kinds"),
    [
        ("org.apache.hadoop.hive.serde2.OpenCSVSerde", ["string", "string", "integer"]),
        ("org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe", ["integer", "date", "integer"]),
    ],
)
def test_a_table_whose_reader_gives_texts_has_no_other_columns_whatever_it_declares(
    library: str, kinds: list[str]
) -> None:
    columns = [{"name": "a", "type": "int"}, {"name": "b", "type": "date"}]
    sd = {"cols": columns, "serdeInfo": {"serializationLib": library}}
    keys = [{"name": "p", "type": "int"}]
    told = base_columns.table_columns(table(parameters={}, sd=sd, partitionKeys=keys))
    assert told is not None
    assert [(column.name, column.type) for column in told.columns] == [
        (name, Primitive(kind)) for name, kind in zip("abp", kinds, strict=True)
    ]


def test_a_type_that_cannot_be_read_is_named() -> None:
    broken = {**BY_FLINK["parameters"], "flink.schema.2.data-type": "DECIMAL(10"}
    with pytest.raises(DecodeError) as refused:
        base_columns.table_columns(table(parameters=broken))
    assert refused.value.where["field"] == "parameters.flink.schema.2.data-type"


@pytest.mark.parametrize("descriptor", [None, {}, {"cols": []}])
def test_a_table_whose_entry_has_no_columns_is_not_said_to_have_none(descriptor: object) -> None:
    assert base_columns.table_columns(table(parameters={}, sd=descriptor)) is None


def test_a_link_of_glue_to_what_nobody_may_see_tells_no_columns() -> None:
    target = {"CatalogId": "999999999999", "DatabaseName": "sales", "Name": "t"}
    payload = {"DatabaseName": "d", "Name": "t", "TargetTable": target}
    assert base_columns.table_columns(RawObject(Listed(("d",), "t"), "glue_table", payload)) is None
    seen = {**payload, "StorageDescriptor": {"Columns": [{"Name": "id", "Type": "bigint"}]}}
    told = base_columns.table_columns(RawObject(Listed(("d",), "t"), "glue_table", seen))
    assert told == TableColumns((Column("id", Primitive("long")),))
