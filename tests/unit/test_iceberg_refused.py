"""Columns that engines refuse as Iceberg has them; each was asked of Trino 476 and Spark 4.1.4."""

from dataclasses import replace

import pytest

from connectors.gravitino import providers
from connectors.gravitino.rest.options import Options
from discovery.errors import NotHeldError
from discovery.formats import iceberg_writing
from discovery.model import (
    Column,
    DataType,
    External,
    Field,
    Identifier,
    ListOf,
    MapOf,
    Primitive,
    Representation,
    Struct,
    View,
)


def view(kind: DataType, *dialects: str) -> View:
    texts = tuple(Representation(dialect=dialect, sql="SELECT 1") for dialect in dialects)
    return View(
        identifier=Identifier(("s",), "v"), columns=(Column("c", kind),), representations=texts
    )


def struct(kind: DataType) -> DataType:
    return Struct((Field("a", MapOf(Primitive("string"), ListOf(kind))),))


@pytest.mark.parametrize(
    "kind",
    [
        Primitive("timestamp(9)"),
        Primitive("timestamp_tz(7)"),
        Primitive("null"),
        External("variant"),
        External("geometry(OGC:CRS84)"),
        External("struct<>"),
        struct(Primitive("timestamp(9)")),
    ],
    ids=str,
)
def test_what_trino_cannot_read_is_refused_even_beside_another_text(kind: DataType) -> None:
    """One such view, and Trino refuses information_schema.columns of the whole catalog."""
    for dialects in (("Trino",), ("hive", "trino")):
        with pytest.raises(NotHeldError, match="trino cannot read the column c: Iceberg has it as"):
            iceberg_writing.hold(view(kind, *dialects))
    assert iceberg_writing.hold(view(kind, "hive")).view == view(kind, "hive")


@pytest.mark.parametrize("kind", [Primitive("char(5)"), struct(Primitive("char(1)"))], ids=str)
def test_trino_takes_no_char_for_the_string_that_iceberg_makes_of_it(kind: DataType) -> None:
    told = r"trino refuses the column c: Iceberg has char\(\d\) as string"
    with pytest.raises(NotHeldError, match=told):
        iceberg_writing.hold(view(kind, "trino"))
    beside = iceberg_writing.hold(view(kind, "trino", "spark")).losses
    assert [one for one in beside if one.startswith("trino refuses the column c")]
    assert len(iceberg_writing.hold(view(kind, "spark")).losses) == len(beside) - 1


@pytest.mark.parametrize(
    "kind", ["boolean", "byte", "varchar(3)", "time(3)", "timestamp(0)", "timestamp_tz(6)", "uuid"]
)
def test_what_trino_takes_for_the_wider_type_is_held(kind: str) -> None:
    iceberg_writing.hold(view(Primitive(kind), "trino"))


@pytest.mark.parametrize("kind", ["time(6)", "time", "timestamp(9)", "timestamp_tz(9)"])
def test_what_spark_cannot_read_is_a_loss(kind: str) -> None:
    first, *_ = iceberg_writing.hold(view(Primitive(kind), "spark")).losses
    assert first.startswith("spark cannot read the column c: Iceberg has it as ")


def test_behind_gravitino_it_is_the_same() -> None:
    place = Options(uri="http://g:1", metalake="m", catalog="c", provider="lakehouse-iceberg")
    options = replace(place, server_version="2.0.0")
    with pytest.raises(NotHeldError, match="trino cannot read the column c"):
        providers.hold(view(Primitive("timestamp(9)"), "trino"), options)
