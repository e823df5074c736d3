"""Trino's own functions: what an entry and a text say, and what Gravitino's model makes of them."""

import base64
import json
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest

from connectors.clients.metastore_functions import as_kept, function_of
from connectors.gravitino import functions
from discovery.errors import DecodeError, NotHeldError
from discovery.formats.trino_functions import (
    CLASS,
    Declaration,
    declared,
    decode,
    name_of,
    signature,
)
from discovery.functions import JAVA, TRINO_SQL, Function, FunctionFile, Parameter, Signature
from discovery.model import Primitive
from tests.recorded.trino_functions import RECORDED, of_trino

ENTRY = f"trino__shout__{'0' * 64}"
TEXT = "FUNCTION shout(a varchar) RETURNS varchar SECURITY INVOKER RETURN upper(a)"
STRING, LONG = Primitive("string"), Primitive("long")


def kept_as(text: bytes, **more: Any) -> Function:
    """What is read of an entry that has a text as its JSON."""
    stream = pa.BufferOutputStream()
    with pa.CompressedOutputStream(stream, "zstd") as packing:
        packing.write(text)
    uri = base64.urlsafe_b64encode(stream.getvalue().to_pybytes()).decode()
    files = (FunctionFile("file", uri),)
    stated = {"language": JAVA, "implementation": CLASS, "owner": "alice", "files": files, **more}
    return as_kept(Function(("db",), ENTRY, **stated))


def of_text(sql: str, **more: Any) -> Function:
    return Function(("s",), "shout", language=TRINO_SQL, sql=sql, **more)


def refused(function: Function) -> str:
    with pytest.raises(NotHeldError) as caught:
        functions.hold(function, "lakehouse-iceberg", ":")
    return caught.value.message


def test_every_function_that_trino_has_written_is_read_with_its_head() -> None:
    found = [function_of(function) for function in RECORDED["functions"]]
    assert [(function.name, function.arguments) for function in found[:4]] == [
        ("shout", "varchar"),
        ("twice", "bigint,integer"),
        ("over", "bigint"),
        ("over", "varchar(20)"),
    ]
    heads = {function.name: declared(str(function.sql)) for function in found}
    assert heads["twice"] == Declaration(
        "Twice",
        (("a", LONG), ("b", Primitive("integer"))),
        LONG,
        "SQL",
        deterministic=False,
        invoker=False,
        comment="two of them",
    )
    assert [name for name, _ in heads["odd"].parameters] == ["a b", "m", "returns"]
    assert (heads["odd"].comment, heads["odd"].invoker) == ("it's (odd) RETURNS x", True)
    assert heads["py"].language == "PYTHON"
    assert {function.name: function.path for function in found if function.path} == {
        "pathed": ("hive.fun_tools",)
    }
    long = next(
        function for function in RECORDED["functions"] if "long" in function["functionName"]
    )
    assert len(long["resourceUris"]) == 3
    assert all(function.language == TRINO_SQL and not function.files for function in found)


def test_what_cannot_be_unpacked_has_its_name_and_no_text() -> None:
    nothing = Function(("db",), "shout", language=TRINO_SQL, owner="alice")
    good = json.dumps({"signatureToken": "(varchar)", "sql": TEXT}).encode()
    assert kept_as(good) == replace(nothing, arguments="varchar", sql=TEXT)
    for broken in (b"", b"[]", b"{", b"[" * 100_000, b'{"signatureToken": 1}', b'{"sql": " "}'):
        assert kept_as(broken) == nothing
    for path in (7, [7], [{"catalogName": "c"}]):
        said = {"signatureToken": "(varchar)", "sql": TEXT, "path": path}
        assert kept_as(json.dumps(said).encode()) == nothing
    for uri in ("", "§§", "AAAA", "e30="):
        assert kept_as(b"", files=(FunctionFile("file", uri),)) == nothing
    assert kept_as(b" " * (5 << 20)) == nothing, "five kilobytes that unpack to megabytes"
    assert "could not be read" in refused(replace(nothing, namespace=("s",)))


def test_an_entry_that_only_looks_like_one_of_trino_is_a_class() -> None:
    shaped = kept_as(b"{}", implementation="example.Shout")
    assert (shaped.name, shaped.language) == (ENTRY, JAVA)
    assert name_of("trino__a__b") is None
    assert name_of(f"trino__a__b__{'0' * 64}") == "a__b"


@pytest.mark.parametrize(
    ("sql", "parameters", "returns"),
    [
        ("function f() returns bigint return 1", (), LONG),
        ('FUNCTION "a.b"."f" ()RETURNS bigint BEGIN RETURN 1; END', (), LONG),
        ("FUNCTION f(time double) RETURNS double RETURN time", "time", Primitive("double")),
        ("FUNCTION f(a double precision) RETURNS bigint RETURN 1", "a", LONG),
        (
            "FUNCTION f(a bigint)\nRETURNS timestamp(3)\nWITH  TIME ZONE\nRETURN now()",
            "a",
            Primitive("timestamp_tz(3)"),
        ),
        ('FUNCTION f("x""y)" varchar) RETURNS varchar RETURN 1', 'x"y)', STRING),
        ("FUNCTION f(a bigint) RETURNS bigint CALLED ON NULL INPUT RETURN 1", "a", LONG),
    ],
)
def test_heads_in_other_spellings(sql: str, parameters: Any, returns: Primitive) -> None:
    head = declared(sql)
    assert head.returns == returns
    assert [name for name, _ in head.parameters] == ([parameters] if parameters else [])


@pytest.mark.parametrize(
    "sql",
    [
        "",
        "SELECT 1",
        "FUNCTION",
        "FUNCTION f",
        "FUNCTION f(",
        "FUNCTION f(a",
        "FUNCTION f(bigint) RETURNS bigint RETURN 1",
        "FUNCTION f(double precision) RETURNS bigint RETURN 1",
        "FUNCTION f(varchar(3)) RETURNS bigint RETURN 1",
        "FUNCTION f(a varchar(3) RETURNS bigint RETURN 1",
        "FUNCTION f() RETURNS RETURN 1",
        "FUNCTION f() RETURNS bigint",
        "FUNCTION f() RETURNS bigint COMMENT 7 RETURN 1",
        "FUNCTION f() RETURNS bigint NOT RETURN 1",
        "FUNCTION f(a " + "array(" * 5_000 + ") RETURNS bigint RETURN 1",
        "FUNCTION '" + "(" * 5_000,
    ],
)
def test_what_declares_no_function_is_refused(sql: str) -> None:
    with pytest.raises(DecodeError):
        declared(sql)
    assert refused(of_text(sql or " ")).startswith("its text: ")


def test_what_gravitino_cannot_say_is_refused_with_what_is_missing() -> None:
    java = Function(("s",), "f", language=JAVA, implementation="x.F")
    assert "parameters and a returned type" in refused(java)
    told = "it is written in plpgsql, and Gravitino knows functions of Spark and Trino only"
    assert refused(Function(("s",), "f", language="plpgsql")) == told
    assert "an unknown language" in refused(Function(("s",), "f"))
    assert "no SQL path" in refused(of_text(TEXT, path=("hive.tools",)))
    assert "named 'a b'" in refused(Function(("s",), "a b", language=TRINO_SQL, sql=TEXT))
    assert "declares the function other" in refused(of_text(TEXT.replace("shout", "other")))
    owned = replace(of_trino()["shout"], namespace=("s",))
    assert "Trino refuses to call it" in refused(owned)
    assert "PYTHON for Trino" in refused(replace(of_trino()["py"], namespace=("s",)))
    odd = TEXT.replace("a varchar", "a json")
    assert "its parameter a is " in refused(of_text(odd))
    assert "what it returns is " in refused(
        of_text(TEXT.replace("RETURNS varchar", "RETURNS json"))
    )


def test_what_is_held_is_the_text_and_nothing_of_its_owner() -> None:
    given = of_text(TEXT, arguments="varchar", owner="alice")
    assert functions.hold(given, "hive", ":") == of_text(TEXT)
    assert decode(json.dumps({"signatureToken": "()", "sql": "x"}).encode()).arguments == ""


def test_a_text_tells_what_a_call_gives_and_gets() -> None:
    text = (
        'FUNCTION f("a b" bigint, c row(x integer, "y z" varchar(3))) RETURNS decimal(5,2) RETURN 1'
    )
    takes = (
        Parameter("a b", "bigint", may_lack=False),
        Parameter("c", 'row("x" integer,"y z" varchar(3))', may_lack=False),
    )
    assert signature(text) == Signature(takes, "decimal(5,2)")
    assert signature("FUNCTION f(a nonsense(") is None
    assert {
        name: function.signature is not None for name, function in of_trino().items()
    } == dict.fromkeys(of_trino(), True)
