"""The engines' spellings of types, one line each, against the table of docs/formats.md."""

import json
from typing import Any

import pytest

from discovery import wire
from discovery.datatypes import (
    flink,
    hive,
    iceberg,
    paimon,
    postgresql,
    spark,
    spark_writing,
    sql,
    trino,
)
from discovery.errors import InvalidTypeError
from discovery.model import Column, DataType, External, Field, ListOf, Primitive, Struct


def json_of(kind: DataType) -> Any:
    return json.loads(wire.type_text(kind))


def struct(**fields: Any) -> dict[str, Any]:
    listed = [{"name": name, "type": kind, "nullable": True} for name, kind in fields.items()]
    return {"type": "struct", "fields": listed}


def listed(element: Any, *, contains_null: bool = True) -> dict[str, Any]:
    return {"type": "list", "containsNull": contains_null, "elementType": element}


def mapped(key: Any, value: Any, *, contains_null: bool = True) -> dict[str, Any]:
    return {"type": "map", "valueContainsNull": contains_null, "keyType": key, "valueType": value}


def external(text: str) -> dict[str, str]:
    return {"type": "external", "catalogString": text}


HIVE = {
    "bigint": "long",
    "INT": "integer",
    "decimal(10,2)": "decimal(10,2)",
    "decimal": "decimal(10,0)",
    "decimal(7)": "decimal(7,0)",
    "decimal(39,2)": external("decimal(39,2)"),
    "char(7)": "char(7)",
    "varchar(12)": "varchar(12)",
    "varchar": external("varchar"),
    "decimal(5,-2)": external("decimal(5,-2)"),
    "char(5) collate UTF8_LCASE": external("char(5) collate UTF8_LCASE"),
    "array<struct<>>": listed(external("struct<>")),
    "timestamp": "timestamp",
    "timestamp with local time zone": external("timestamp with local time zone"),
    "interval_day_time": "interval_day",
    "void": external("void"),
    "array<map<string,array<decimal(5,1)>>>": listed(mapped("string", listed("decimal(5,1)"))),
    "struct<a:int,B:string>": struct(a="integer", B="string"),
    "struct<`a b`:int,x:struct<y:date>>": struct(**{"a b": "integer", "x": struct(y="date")}),
    "uniontype<int,string>": {"type": "union", "types": ["integer", "string"]},
}
TRINO = {
    "varchar": "string",
    "varchar(10)": "varchar(10)",
    "varchar(0)": "varchar(0)",
    "varchar(2147483646)": "varchar(2147483646)",
    "varchar(2147483647)": "string",
    "char(0)": "char(0)",
    "real": "float",
    "HyperLogLog": external("HyperLogLog"),
    "timestamp(12)": "timestamp(12)",
    "timestamp(13)": external("timestamp(13)"),
    "timestamp": "timestamp",
    "timestamp(3) with time zone": "timestamp_tz(3)",
    "timestamp with time zone": "timestamp_tz",
    "time(0) with time zone": external("time(0) with time zone"),
    "interval day to second": external("interval day to second"),
    "row(integer,varchar(1))": external("row(integer,varchar(1))"),
    'row("a" integer,"B c" varchar)': struct(**{"a": "integer", "B c": "string"}),
    'row("q""t" bigint)': struct(**{'q"t': "long"}),
    "row(x double,y timestamp with time zone)": struct(x="double", y="timestamp_tz"),
    "row(timestamp with time zone)": external("row(timestamp with time zone)"),
    "row(timestamp timestamp)": struct(timestamp="timestamp"),
    "timestamp microseconds": external("timestamp microseconds"),
    "row(timestamp microseconds)": external("row(timestamp microseconds)"),
    "row(ts timestamp microseconds)": struct(ts=external("timestamp microseconds")),
    "row(time with time zone)": external("row(time with time zone)"),
    "row(interval day to second,x bigint)": external("row(interval day to second,x bigint)"),
    "row(x row(y array(json)))": struct(x=struct(y=listed(external("json")))),
    "array(row(integer,map(integer,row(varchar(1)))))": listed(
        external("row(integer,map(integer,row(varchar(1))))")
    ),
    "map(varchar(1), decimal(2,1))": mapped("varchar(1)", "decimal(2,1)"),
    "tdigest(double)": external("tdigest(double)"),
    "array<map<varchar,array<bigint>>>": listed(mapped("string", listed("long"))),
    "row(a array<bigint>)": struct(a=listed("long")),
    "row(array<bigint>,bigint)": external("row(array<bigint>,bigint)"),
    "decimal": "decimal(38,0)",  # as Trino 435 reads what people wrote by hand
    "decimal(5)": "decimal(5,0)",
    "char": "char(1)",
    "row(double precision,x double precision)": external(
        "row(double precision,x double precision)"
    ),
    "row(x double precision,double double)": struct(x="double", double="double"),
}
FLINK = {
    "NUMERIC(10,2)": ("decimal(10,2)", True),  # as Flink 1.20 and Paimon read other names
    "DEC(5) NOT NULL": ("decimal(5,0)", False),
    "DOUBLE PRECISION": ("double", True),
    "BIGINT NOT NULL": ("long", False),
    "VARCHAR(2147483647)": ("string", True),
    "VARCHAR(10)": ("varchar(10)", True),
    "CHAR(3) NOT NULL": ("char(3)", False),
    "DECIMAL(10, 2)": ("decimal(10,2)", True),
    "TIMESTAMP(3)": ("timestamp(3)", True),
    "TIMESTAMP(3) WITH LOCAL TIME ZONE NOT NULL": ("timestamp_tz(3)", False),
    "TIMESTAMP(6) WITHOUT TIME ZONE": ("timestamp(6)", True),
    "TIMESTAMP(3) *ROWTIME*": ("timestamp(3)", True),
    "TIME(0)": ("time(0)", True),
    "BINARY(4)": ("fixed(4)", True),
    "VARBINARY(16)": ("binary", True),
    "BYTES": ("binary", True),
    "INTERVAL DAY(2) TO SECOND(6)": ("interval_day", True),
    "INTERVAL YEAR(2) TO MONTH NOT NULL": ("interval_year", False),
    "INTERVAL SECOND(3)": ("interval_day", True),
    "ARRAY<BIGINT NOT NULL>": (listed("long", contains_null=False), True),
    "MAP<VARCHAR(2147483647), INT>": (mapped("string", "integer"), True),
    "MULTISET<INT> NOT NULL": (external("MULTISET<INT>"), False),
    "RAW('java.lang.Class', 'AFBq, <')": (external("RAW('java.lang.Class', 'AFBq, <')"), True),
    "`c`.`d`.`my type`": (external("`c`.`d`.`my type`"), True),
    "NULL": ("null", True),
    "ROW<>": (external("ROW<>"), True),
    "LEGACY('DECIMAL', 'DECIMAL')": (external("LEGACY('DECIMAL', 'DECIMAL')"), True),
}
POSTGRESQL = {
    "bigint": "long",
    "character varying(20)": "varchar(20)",
    "character varying": "string",
    "character(3)": "char(3)",
    "numeric(12,2)": "decimal(12,2)",
    "numeric": "decimal(38,18)",
    "numeric(5)": external("numeric(5)"),
    "numeric(2,-3)": external("numeric(2,-3)"),
    "timestamp(3) without time zone": "timestamp(3)",
    "timestamp with time zone": "timestamp_tz(6)",
    "time(3) without time zone": "time(3)",
    "time with time zone": external("time with time zone"),
    "integer[]": listed("integer", contains_null=False),
    "character varying(5)[]": listed("varchar(5)", contains_null=False),
    "bit varying(8)": external("bit varying(8)"),
    "interval day to second(2)": external("interval day to second(2)"),
    "s.mood": external("s.mood"),
    '"char"': external('"char"'),
}
SPARK = {
    "timestamp": "timestamp_tz",
    "timestamp_ntz": "timestamp",
    "void": "null",
    "decimal(38,18)": "decimal(38,18)",
    "decimal(5,-2)": external("decimal(5,-2)"),
    "time(6)": "time(6)",
    "timestamp_ntz(9)": "timestamp(9)",
    "timestamp_ltz(9)": "timestamp_tz(9)",
    "timestamp_ltz": "timestamp_tz",
    "interval day to second": external("interval day to second"),
    "variant": external("variant"),
    "string collate UTF8_BINARY": "string",
    "string collate UTF8_BINARY_RTRIM": external("string collate UTF8_BINARY_RTRIM"),
}
SQL = {  # as SQLAlchemy 2.1 compiles what its dialects reflect
    ("mssql", "TIMESTAMP"): external("TIMESTAMP"),  # of eight bytes
    ("mssql", "VARCHAR(10) COLLATE SQL_Latin1_General_CP1_CI_AS"): "varchar(10)",
    ("mssql", "VARCHAR(max) COLLATE X"): external("VARCHAR(max) COLLATE X"),
    ("mssql", "DATE"): "date",
    ("mssql", "REAL"): "float",
    ("mysql", "TIMESTAMP"): "timestamp_tz",
    ("mariadb", "TIMESTAMP(3)"): "timestamp_tz(3)",
    ("mysql", "DATETIME"): "timestamp",
    ("oracle", "DATE"): external("DATE"),
    ("oracle", "INTEGER"): external("INTEGER"),
    ("oracle", "DOUBLE PRECISION"): external("DOUBLE PRECISION"),
    ("oracle", "VARCHAR(10 CHAR)"): "varchar(10)",
    ("oracle", "TIMESTAMP WITH LOCAL TIME ZONE"): external("TIMESTAMP WITH LOCAL TIME ZONE"),
    ("cockroachdb", "TIMESTAMP(3) WITHOUT TIME ZONE"): "timestamp(3)",
    ("cockroachdb", "TIMESTAMP(3) WITH TIME ZONE"): "timestamp_tz(3)",
    ("cockroachdb", "TIMESTAMP WITH TIME ZONE"): "timestamp_tz",
    ("cockroachdb", "TIME WITHOUT TIME ZONE"): "time",
    ("cockroachdb", "TIME(2) WITH TIME ZONE"): external("TIME(2) WITH TIME ZONE"),
    ("cockroachdb", 'VARCHAR(5) COLLATE "de DE"'): "varchar(5)",
    ("cockroachdb", "INTEGER"): "long",  # so its dialect calls INT8, too
    ("cockroachdb", "FLOAT"): external("FLOAT"),
    ("sqlite", "INTEGER"): "long",
    ("sqlite", "SMALLINT"): "long",
    ("sqlite", "REAL"): "double",
    ("", "INTEGER"): "integer",
    ("", "REAL"): "float",
}
ICEBERG = {
    "decimal(10, 2)": "decimal(10,2)",
    "fixed[16]": "fixed(16)",
    "timestamptz": "timestamp_tz(6)",
    "timestamp_ns": "timestamp(9)",
    "variant": external("variant"),
    "unknown": "null",
}


@pytest.mark.parametrize("text", HIVE)
def test_hive(text: str) -> None:
    assert json_of(hive.parse(text)) == HIVE[text]


@pytest.mark.parametrize("text", TRINO)
def test_trino(text: str) -> None:
    assert json_of(trino.parse(text)) == TRINO[text]


def test_prestodb_doubles_quotes_in_field_names_twice() -> None:
    parsed = trino.parse('row("q""""t" bigint)', quotes_doubled_twice=True)
    assert json_of(parsed) == struct(**{'q"t': "long"})


@pytest.mark.parametrize("text", FLINK)
def test_flink(text: str) -> None:
    kind, nullable = flink.parse(text)
    assert (json_of(kind), nullable) == FLINK[text]


@pytest.mark.parametrize("text", ["LEGACY('DECIMAL', 'DECIMAL')", "BITMAP", "VARIANT NOT NULL"])
def test_a_type_that_only_flink_has_is_written_as_it_was(text: str) -> None:
    """Flink 1.20 and 2.3 read back what they and Flink 1.10 write (`LogicalTypeParser`)."""
    kind, nullable = flink.parse(text)
    assert flink.spell(kind, nullable=nullable) == text


def test_flink_rows_keep_nullability_and_comments() -> None:
    kind, _ = flink.parse("ROW<`a` INT NOT NULL 'it''s a', `b c` ROW<`x` DATE>>")
    assert json_of(kind) == {
        "type": "struct",
        "fields": [
            {"name": "a", "type": "integer", "nullable": False, "comment": "it's a"},
            {"name": "b c", "type": struct(x="date"), "nullable": True},
        ],
    }


def test_flink_descriptions_are_no_part_of_a_foreign_type() -> None:
    kind, _ = flink.parse("ROW<`a` MULTISET<INT> 'm', `b` RAW('c', 's'), `d` `u`.`t` NOT NULL 'x'>")
    assert [(one["catalogString"], comment) for one, comment in described(kind)] == [
        ("MULTISET<INT>", "m"),
        ("RAW('c', 's')", None),
        ("`u`.`t`", "x"),
    ]


def described(kind: DataType) -> list[tuple[Any, str | None]]:
    return [(field["type"], field.get("comment")) for field in json_of(kind)["fields"]]


@pytest.mark.parametrize("text", POSTGRESQL)
def test_postgresql(text: str) -> None:
    assert json_of(postgresql.parse(text)) == POSTGRESQL[text]


@pytest.mark.parametrize(("dialect", "text"), SQL)
def test_standard_sql(dialect: str, text: str) -> None:
    assert json_of(sql.reader(dialect)(text)) == SQL[dialect, text]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Primitive("byte"), "smallint"),
        (Primitive("long"), "bigint"),
        (Primitive("decimal(7,2)"), "decimal(7,2)"),
        (Primitive("varchar(3)"), "varchar(3)"),
        (Primitive("timestamp_tz(6)"), "timestamptz"),
        (ListOf(Primitive("long")), ""),
        (External("money"), ""),
    ],
)
def test_a_type_of_postgresql_holds_the_values_of_ours(kind: DataType, text: str) -> None:
    assert postgresql.spelled(kind) == text


def spark_column(kind: Any, **metadata: Any) -> Column:
    field = {"name": "n", "type": kind, "nullable": False, "metadata": metadata}
    return spark.columns({"type": "struct", "fields": [field]})[0]


@pytest.mark.parametrize("text", SPARK)
def test_spark(text: str) -> None:
    assert json_of(spark_column(text).type) == SPARK[text]


def test_spark_columns_keep_comment_and_nullability() -> None:
    column = spark_column("long", comment="the id")
    assert (column.comment, column.nullable) == ("the id", False)


def test_spark_remembers_char_and_varchar_in_the_metadata() -> None:
    kind = {"type": "array", "elementType": "string", "containsNull": False}
    column = spark_column(kind, __CHAR_VARCHAR_TYPE_STRING="array<varchar(3)>")
    assert json_of(column.type) == listed("varchar(3)", contains_null=False)


def test_a_string_collated_as_every_string_is_one() -> None:
    """Spark 4.3 writes `UTF8_BINARY` where it was stated (`StringType.jsonValue`)."""
    kind = {"type": "array", "elementType": "string collate UTF8_BINARY", "containsNull": True}
    assert json_of(spark_column(kind).type) == listed("string")
    sizes = "array<varchar(3) collate UTF8_BINARY>"
    column = spark_column(kind, __CHAR_VARCHAR_TYPE_STRING=sizes)
    assert json_of(column.type) == listed("varchar(3)")
    column = spark_column("string", __COLLATIONS={"n": "spark.UTF8_BINARY"})
    assert column.type == Primitive("string")
    assert spark.parse("array<string collate UTF8_BINARY>") == ListOf(Primitive("string"))


def test_names_beside_a_char_are_written_so_that_spark_parses_them() -> None:
    """Spark 4.3 refuses `struct<B c:char(3)>` (`CatalystSqlParser.parseDataType`)."""
    kinds = {"B c": "char(3)", "x`y": "long", "a:b": "varchar(2)", "a_1": "char(1)"}
    kind = Struct(tuple(Field(name, Primitive(text)) for name, text in kinds.items()))
    written = json.loads(spark_writing.schema([Column("s", ListOf(kind))]))
    (column,) = spark.columns(written)
    assert column.type == ListOf(kind)
    sizes = written["fields"][0]["metadata"]["__CHAR_VARCHAR_TYPE_STRING"]
    assert sizes == "array<struct<`B c`:char(3),`x``y`:bigint,`a:b`:varchar(2),a_1:char(1)>>"


def test_spark_remembers_collations_in_the_metadata() -> None:
    column = spark_column("string", __COLLATIONS={"n": "icu.UNICODE_CI"})
    assert json_of(column.type) == external("string collate UNICODE_CI")
    kind = {"type": "array", "elementType": "string", "containsNull": True}
    column = spark_column(kind, __COLLATIONS={"n.element": "spark.UTF8_LCASE"})
    assert json_of(column.type) == listed(external("string collate UTF8_LCASE"))


@pytest.mark.parametrize("text", ICEBERG)
def test_iceberg(text: str) -> None:
    field = {"id": 1, "name": "c", "required": True, "type": text, "doc": "d"}
    (read,) = iceberg.columns({"type": "struct", "fields": [field]})
    assert json_of(read.type) == ICEBERG[text]
    assert (read.nullable, read.comment) == (False, "d")


def test_structs_of_iceberg_and_paimon_have_fields_or_are_external() -> None:
    """Both engines know structs without any (`Types.StructType`, Iceberg 1.12; `RowType`, Paimon
    1.4); Gravitino 1.3 refuses them (`Types.StructType.of`)."""
    empty = {"type": "struct", "fields": []}
    schema = {
        "type": "struct",
        "fields": [{"id": 1, "name": "c", "required": False, "type": empty}],
    }
    (column,) = iceberg.columns(schema)
    assert json_of(column.type) == external("struct<>")
    assert iceberg.schema([column], 0)["fields"] == schema["fields"]
    kind, nullable = paimon.parse({"type": "ROW NOT NULL", "fields": []})
    assert (json_of(kind), nullable) == (external('{"fields":[],"type":"ROW"}'), False)


@pytest.mark.parametrize(
    "text",
    [
        *("", "array<int", "struct<int>", "map<int>", "int>", "set<int>", "decimal(,)", "<"),
        *("varchar(99999999999)", "array<" * 101 + "int" + ">" * 101),
    ],
)
def test_malformed_hive_types_are_refused(text: str) -> None:
    with pytest.raises(InvalidTypeError):
        hive.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "array(", "row()", 'row("a integer)', "map(integer)", "bigint)", "array<bigint)"),
        *("array(" * 101 + "integer" + ")" * 101, "row(x " * 5_000),
    ],
)
def test_malformed_trino_types_are_refused(text: str) -> None:
    with pytest.raises(InvalidTypeError):
        trino.parse(text)


@pytest.mark.parametrize(
    "text",
    ["", "ARRAY<INT", "ROW<INT>", "MAP<INT>", "INTERVAL", "INT INT", "ROW<`a` " * 5_000],
)
def test_malformed_flink_types_are_refused(text: str) -> None:
    with pytest.raises(InvalidTypeError):
        flink.parse(text)


def nested_spark_type(depth: int) -> Any:
    kind: Any = "long"
    for _ in range(depth):
        kind = {"type": "array", "elementType": kind, "containsNull": True}
    return kind


@pytest.mark.parametrize("depth", [1, 100])
def test_types_may_be_nested_a_hundred_times(depth: int) -> None:
    text = "array<" * depth + "bigint" + ">" * depth
    assert spark_column(nested_spark_type(depth)).type == hive.parse(text)
    assert json_of(hive.parse(text)) == json_of(trino.parse(text.translate({60: 40, 62: 41})))


@pytest.mark.parametrize(
    "kind",
    [None, 7, {}, "", {"type": "array"}, {"type": "struct"}, nested_spark_type(101)],
    ids=lambda kind: str(kind)[:20],
)
def test_malformed_spark_types_are_refused(kind: Any) -> None:
    with pytest.raises(InvalidTypeError):
        spark_column(kind)


@pytest.mark.parametrize("every", [HIVE, TRINO, POSTGRESQL, SPARK, SQL, ICEBERG])
def test_what_is_wanted_is_in_gravitinos_grammar(every: dict[Any, Any]) -> None:
    for wanted in every.values():
        assert json_of(wire.type_from_json(json.loads(json.dumps(wanted)))) == wanted
