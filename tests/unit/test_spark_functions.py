"""Functions in Spark's SQL: what their entries say of calls, and who can call them."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.clients.metastore_functions import function_of
from discovery.formats.spark_functions import CLASS, signature
from discovery.functions import JAVA, TRINO_SQL, Function, Parameter, Signature
from discovery.judging.calling import KnownFunction, kept_by
from tests import function_views

KEPT: Mapping[str, Function] = {
    function.name: function
    for function in map(function_of, function_views.corpus()["functions"])
    if function.language == JAVA
}


def given_(*takes: tuple[str, str] | tuple[str, str, bool], returns: str) -> Signature:
    parameters = (Parameter(one[0], one[1], len(one) > 2) for one in takes)
    return Signature(tuple(parameters), returns)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [  # as Spark 4.3.0 has written them
        ("nothing", given_(returns="DATE")),
        ("label", given_(("id", "BIGINT"), ("word", "STRING", True), returns="STRING")),
        ("shape", given_(("a", "INT"), returns="STRUCT<a: INT, b: STRING>")),
        (
            "zoned",
            given_(
                ("a", "TIMESTAMP_NTZ"), ("b", "INTERVAL DAY TO SECOND"), returns="TIMESTAMP_NTZ"
            ),
        ),
        (
            "odd",
            given_(("order by", "INT"), ("b`q", "STRUCT<x: INT, `y z`: STRING>"), returns="INT"),
        ),
        ("infers", given_(("a", "INT"), returns="DECIMAL(12,1)")),
        ("lenient", None),
        ("rows", None),
        ("of_java", None),
    ],
)
def test_an_entry_says_what_a_call_gives_and_gets(name: str, wanted: Signature | None) -> None:
    assert KEPT[name].signature == wanted


def told(takes: str, **more: Any) -> str:
    said = {"returnType": "INT", "isTableFunc": "false", "inputParam": takes, **more}
    whole = {f"{CLASS}{key}": value for key, value in said.items()}
    return json.dumps({"sqlConfig.spark.sql.ansi.enabled": "true", **whole})


def test_pieces_are_read_in_the_order_of_their_numbers() -> None:
    text = told("a INT, b STRING")
    pieces = [
        f"{number:03}{text[start : start + 7]}"
        for number, start in enumerate(range(0, len(text), 7))
    ]
    found = signature(reversed(pieces))
    assert found == given_(("a", "INT"), ("b", "STRING"), returns="INT")


@pytest.mark.parametrize(
    ("takes", "names"),
    [
        ("a INT DEFAULT 1 < 2, b INT", [("a", "INT", True), ("b", "INT", False)]),
        ("a STRING DEFAULT 'it, is', b INT", [("a", "STRING", True), ("b", "INT", False)]),
        (
            'a STRING DEFAULT "x\\", y" COMMENT \'no\', b INT',
            [("a", "STRING", True), ("b", "INT", False)],
        ),
        ("a INT DEFAULT f(1, 2), b INT NOT NULL", [("a", "INT", True), ("b", "INT", False)]),
        ("a INT COMMENT 'DEFAULT, b', c INT", [("a", "INT", False), ("c", "INT", False)]),
        (
            "default INT, comment MAP<INT, INT>",
            [("default", "INT", False), ("comment", "MAP<INT, INT>", False)],
        ),
        ("s STRING COLLATE UTF8_LCASE", [("s", "STRING COLLATE UTF8_LCASE", False)]),
        ("d DECIMAL(10,2) DEFAULT (1.5)", [("d", "DECIMAL(10,2)", True)]),
    ],
)
def test_parameters_are_columns_as_a_table_declares_them(
    takes: str, names: list[tuple[str, str, bool]]
) -> None:
    found = signature([f"000{told(takes)}"])
    assert found is not None
    assert [tuple(parameter) for parameter in found.takes] == names


@pytest.mark.parametrize(
    "files",
    [
        [],
        ["x"],
        ["abc{}"],
        ["000[]"],
        ["000{"],
        [f"000{told('a')}"],
        [f"000{told('a INT, ')}x"],
        [f"000{told(', a INT')}"],
        ["000" + told("'a' INT")],
        [f"000{told('a INT', returnType=None)}"],
        [f"000{told('a INT', isTableFunc='true')}"],
    ],
)
def test_what_spark_does_not_write_has_no_types(files: list[str]) -> None:
    assert signature(files) is None


@given(st.text())
def test_no_text_of_parameters_is_a_fault(takes: str) -> None:
    found = signature([f"000{told(takes)}"])
    assert (
        found is None
        or all(parameter.name and parameter.type for parameter in found.takes)
        or not takes.strip()
    )


def test_what_an_engine_keeps_for_itself_no_other_can_call() -> None:
    spark = KnownFunction("lake", ("db",), "f", None, kept_by(JAVA, CLASS))
    trino = spark._replace(of=kept_by(TRINO_SQL, None))
    java = spark._replace(of=kept_by(JAVA, "example.F"))
    plain = spark._replace(of=kept_by("sql", None))
    known = {
        known_function: [
            name
            for name in ("spark", "hive", "flink", "trino", "postgresql")
            if known_function.is_known_to(name)
        ]
        for known_function in (spark, trino, java, plain)
    }
    assert known[spark] == ["spark"]
    assert known[trino] == ["trino"]
    assert known[java] == known[plain] == ["spark", "hive", "flink", "postgresql"]
