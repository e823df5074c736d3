"""What entries of tables tell of their columns, where the entry is not what it seems."""

from typing import Any

from discovery.formats.base_columns import table_columns
from discovery.outcomes import Listed, RawObject


def entry(**changes: Any) -> RawObject:
    payload = {
        "dbName": "db",
        "tableName": "t",
        "tableType": "VIRTUAL_VIEW",
        "sd": {"cols": [{"name": "dummy", "type": "string"}]},
        "parameters": {"presto_view": "true", "comment": "Presto Materialized View"},
        "viewOriginalText": "/* Presto Materialized View: e30= */",
        "viewExpandedText": "/* Presto Materialized View */",
    }
    return RawObject(Listed(("db",), "t"), "hive_table", {**payload, **changes})


def test_a_materialized_view_of_trino_has_its_columns_elsewhere() -> None:
    assert table_columns(entry()) is None
    table = entry(tableType="MANAGED_TABLE", parameters={}, viewOriginalText=None)
    told = table_columns(table)
    assert told is not None
    assert [column.name for column in told.columns] == ["dummy"]
