"""The entries by which Iceberg's HiveCatalog finds its views in a Hive Metastore.

As `HiveViewOperations` (Iceberg 1.11) writes them: the parameters have the file and the properties,
text and columns are for those who know Hive only. Iceberg itself reads nothing but the file.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from discovery.datatypes import hive
from discovery.errors import InvalidTypeError
from discovery.formats.hive_table import VIRTUAL_VIEW
from discovery.model import Column, DataType, View

LOCATION: Final = "metadata_location"
PREVIOUS: Final = "previous_metadata_location"
_TYPE: Final = ("table_type", "ICEBERG-VIEW")
_LONGEST: Final = 4000  # characters of a parameter: PARAM_VALUE of a metastore before Hive 3
_LONGEST_COMMENT: Final = 256  # characters: COLUMNS_V2 of a metastore on MySQL or SQL Server
_FOREVER: Final = 2**31 - 1
_TEXT_OF: Final = "hive"  # the dialect whose text the entry has, where there is one
_STORED: Final = {
    "inputFormat": "org.apache.hadoop.mapred.FileInputFormat",
    "outputFormat": "org.apache.hadoop.mapred.FileOutputFormat",
    "serdeInfo": {
        "serializationLib": "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe",
        "parameters": {},
    },
    "compressed": False,
    "numBuckets": 0,
    "bucketCols": [],
    "sortCols": [],
    "parameters": {},
}


def entry(view: View, document: Mapping[str, Any], uri: str, before: str = "") -> dict[str, Any]:
    """The entry of a view.

    Args:
        view: In a namespace of one level.
        document: Its metadata.
        uri: Where they are written.
        before: Where those before were; empty: there were none.
    """
    (database,), created = view.identifier.namespace, view.audit.create_time
    seconds = int((created or datetime.now(UTC)).timestamp())
    text = view.by_dialect.get(_TEXT_OF, view.representations[0]).sql
    columns = [_column(column) for column in view.columns]
    if len({column["name"] for column in columns}) < len(columns):
        columns = []  # a metastore refuses names that differ by case alone, which Iceberg has
    return {
        "dbName": database,
        "tableName": view.identifier.name,
        "tableType": VIRTUAL_VIEW,
        "owner": view.audit.creator,
        "createTime": seconds,
        "lastAccessTime": seconds,
        "retention": _FOREVER,
        "parameters": parameters(document, uri, before),
        "partitionKeys": [],
        "sd": {**_STORED, "cols": columns, "location": document["location"]},
        "viewOriginalText": text,
        "viewExpandedText": text,
    }


def parameters(document: Mapping[str, Any], uri: str, before: str = "") -> dict[str, str]:
    """The parameters of an entry; a property that they have no room for is in the file alone."""
    schema = json.dumps(_schema(document), ensure_ascii=False, separators=(",", ":"))
    stated = {**document["properties"], "current-schema": schema}
    fitting = {key: text for key, text in stated.items() if len(text) <= _LONGEST}
    fitting |= {"uuid": document["view-uuid"], LOCATION: uri, _TYPE[0]: _TYPE[1]}
    return fitting | ({PREVIOUS: before} if before else {})


def _schema(document: Mapping[str, Any]) -> Any:  # noqa: ANN401 - JSON
    """The schema of the current version."""
    number = document["current-version-id"]
    version = next(listed for listed in document["versions"] if listed["version-id"] == number)
    return next(
        schema for schema in document["schemas"] if schema["schema-id"] == version["schema-id"]
    )


def _column(column: Column) -> dict[str, str | None]:
    """A column as Hive sees it; a type that Hive does not have is shown as a text.

    A comment for which not every metastore has room is in the file alone.
    """
    fits = len(column.comment or "") <= _LONGEST_COMMENT
    comment = column.comment if fits else None
    return {"name": column.name.lower(), "type": _type(column.type), "comment": comment}


def _type(kind: DataType) -> str:
    try:
        return hive.spell(kind)
    except InvalidTypeError:
        return "string"
