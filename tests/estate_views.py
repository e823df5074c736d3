"""Views of four engines in one metastore, and what those engines say of all of them, as recorded.

`tests/golden/estate_views.json` has the entries of views that Spark, Hive, Flink and Trino have
made themselves, over tables of which some have changed since, and for these and the views of
`tests/hive_views.py` what each engine answers: `tests/live/record_estate_views.py` has asked.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from tests import hive_views
from tests.hive_views import Key

CORPUS: Final = Path(__file__).parent / "golden" / "estate_views.json"
TABLES: Final[Mapping[str, Mapping[str, str]]] = {
    "orders": {
        "id": "bigint",
        "customer_id": "bigint",
        "amount": "decimal(10,2)",
        "status": "string",
        "ordered": "timestamp",
        "tags": "array<string>",
        "props": "map<string,string>",
        "payload": "string",
        "shipped": "date",
        "qty": "int",
        "price": "double",
        "flag": "boolean",
        "code": "varchar(10)",
        "kind": "char(3)",
        "place": "struct<street:string,zip:int,geo:struct<lat:double,lon:double>>",
        "items": "array<struct<sku:string,qty:int>>",
    },
    "customers": {
        "customer_id": "bigint",
        "name": "string",
        "city": "string",
        "country": "string",
        "born": "date",
    },
    "by_day": {"id": "bigint", "amount": "decimal(10,2)", "dt": "string"},
    "dropped": {"id": "bigint", "gone": "string"},
    "retyped": {"n": "bigint"},
    "wider": {"id": "int"},
    "narrower": {"n": "bigint"},
    "renamed": {"a": "bigint"},
    "added": {"id": "bigint"},
    "removed": {"id": "bigint"},
    "swapped": {"a": "bigint", "b": "string"},
    "money": {"x": "decimal(10,2)"},
    "nested": {"s": "struct<a:int>"},
    "kinds": {
        "t": "tinyint",
        "s": "smallint",
        "i": "int",
        "b": "bigint",
        "f": "float",
        "d": "double",
        "d5": "decimal(5,2)",
        "d38": "decimal(38,18)",
        "bin": "binary",
        "c5": "char(5)",
        "v20": "varchar(20)",
        "deep": "map<int,array<struct<p:struct<q:string,r:decimal(10,3)>>>>",
    },
    "reserved": {
        "select": "int",
        "from": "string",
        "order": "bigint",
        "timestamp": "timestamp",
        "date": "date",
        "user": "string",
    },
    "changed": {
        "small_up": "smallint",
        "int_text": "int",
        "text_int": "string",
        "dec_less": "decimal(10,2)",
        "dec_more": "decimal(10,2)",
        "dec_scale": "decimal(10,2)",
        "dec_int": "decimal(10,0)",
        "int_dec": "int",
        "double_float": "double",
        "float_double": "float",
        "long_double": "bigint",
        "time_date": "timestamp",
        "date_time": "date",
        "date_text": "date",
        "text_date": "string",
        "flag_text": "boolean",
        "flag_int": "boolean",
        "char_varchar": "char(3)",
        "varchar_less": "varchar(10)",
        "varchar_text": "varchar(10)",
        "text_varchar": "string",
        "bytes_text": "binary",
        "text_bytes": "string",
        "list_up": "array<int>",
        "list_down": "array<bigint>",
        "map_value": "map<string,int>",
        "row_less": "struct<a:int,b:string>",
        "row_more": "struct<a:int>",
        "row_order": "struct<a:int,b:string>",
        "row_types": "struct<a:int,b:string>",
        "row_list": "array<struct<a:int,b:string>>",
        "list_text": "array<string>",
    },
    "lefty": {"k": "bigint"},
    "righty": {"k": "bigint", "x": "string"},
    "fewer": {"k": "bigint", "x": "string", "y": "bigint"},
}
"""As they were when the views were made."""
CHANGED: Final[Mapping[str, Mapping[str, str] | None]] = {
    "dropped": {"id": "bigint"},
    "retyped": {"n": "string"},
    "wider": {"id": "bigint"},
    "narrower": {"n": "int"},
    "renamed": {"b": "bigint"},
    "added": {"id": "bigint", "more": "string"},
    "removed": None,
    "swapped": {"b": "string", "a": "bigint"},
    "money": {"x": "decimal(12,4)"},
    "nested": {"s": "struct<a:int,b:int>"},
    "changed": {
        "small_up": "int",
        "int_text": "string",
        "text_int": "int",
        "dec_less": "decimal(8,2)",
        "dec_more": "decimal(12,2)",
        "dec_scale": "decimal(10,4)",
        "dec_int": "bigint",
        "int_dec": "decimal(10,0)",
        "double_float": "float",
        "float_double": "double",
        "long_double": "double",
        "time_date": "date",
        "date_time": "timestamp",
        "date_text": "string",
        "text_date": "date",
        "flag_text": "string",
        "flag_int": "int",
        "char_varchar": "varchar(3)",
        "varchar_less": "varchar(5)",
        "varchar_text": "string",
        "text_varchar": "varchar(5)",
        "bytes_text": "string",
        "text_bytes": "binary",
        "list_up": "array<bigint>",
        "list_down": "array<int>",
        "map_value": "map<string,bigint>",
        "row_less": "struct<a:int>",
        "row_more": "struct<a:int,b:string>",
        "row_order": "struct<b:string,a:int>",
        "row_types": "struct<a:bigint,b:string>",
        "row_list": "array<struct<a:int,b:string,c:int>>",
        "list_text": "string",
    },
    "lefty": {"k": "bigint", "x": "string"},
    "righty": {"k": "string", "x": "string"},
    "fewer": {"k": "bigint", "x": "string"},
}
"""As they are when the engines are asked; None: no longer there."""


def corpus() -> dict[str, Any]:
    """The file."""
    data: dict[str, Any] = json.loads(CORPUS.read_text(encoding="utf-8"))
    return data


def tables(shapes: Mapping[str, Mapping[str, str]], place: str) -> Iterator[dict[str, Any]]:
    """Entries of tables in the database `made`; the place is the folder of their files."""
    keyed = {f"made.{name}": list(map(list, columns.items())) for name, columns in shapes.items()}
    return hive_views.tables({"tables": keyed}, place)


def entries(data: Mapping[str, Any], place: str) -> Iterator[Mapping[str, Any]]:
    """Everything that the engines are asked on: tables, and views, those below first."""
    now = {name: CHANGED.get(name, table) for name, table in TABLES.items()}
    yield from tables({name: table for name, table in now.items() if table is not None}, place)
    older = hive_views.corpus()
    yield from hive_views.tables(older, place)
    yield from (view.payload for view in hive_views.views(older).values())
    yield from data["views"]


def formats(data: Mapping[str, Any]) -> dict[Key, str]:
    """The views that the engines are asked about, and how their entries are stored."""
    older = hive_views.views(hive_views.corpus())
    newer = {
        stored.key: stored for stored in map(hive_views.stored, data["views"]) if stored is not None
    }
    return {key: stored.form for key, stored in {**older, **newer}.items()}
