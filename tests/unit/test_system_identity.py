"""Which system a source is, whoever asks it, however, and for what of it."""

import dataclasses
from collections.abc import Callable

import pytest

from connectors import registry
from jobs.configuration import identity
from jobs.configuration.loader import RunConfig

SYSTEM: dict[str, dict[str, str]] = {
    "hms": {"uri": "thrift://h:9083", "catalog": "x"},
    "postgresql": {"url": "postgresql://h/d"},
    "iceberg-jdbc": {"url": "mysql://h/d", "catalog": "c"},
    "iceberg-rest": {"uri": "http://h/r", "warehouse": "w"},
    "hms-database": {"url": "postgresql://h/d", "schema_name": "s", "catalog": "x"},
    "paimon": {"metastore": "rest", "uri": "http://h/r", "warehouse": "w"},
    "glue": {
        "aws-region": "eu-west-1",
        "aws-glue-catalog-id": "123456789012",
        "aws-glue-endpoint": "http://h",
        "warehouse": "s3://b/w",
    },
}
SAME = ("doris", "iceberg-hive", "mysql", "sqlalchemy", "starrocks")
"""Their options that say which system it is are those of a kind above."""


@pytest.mark.parametrize("kind", sorted(registry.SOURCES.keys() - {"archive", *SAME}))
def test_each_option_that_says_which_system_a_source_is_makes_another_of_it(
    kind: str, estate: Callable[..., RunConfig]
) -> None:
    stated = {"kind": kind, **SYSTEM[kind]}
    fields = {field.name for field in dataclasses.fields(registry.SOURCES[kind].options())}
    assert {name.replace("-", "_") for name in SYSTEM[kind]} == fields & {*identity.SYSTEM_OPTIONS}
    others = {
        name: {**stated, name: f"{value[:-1]}9"}
        for name, value in SYSTEM[kind].items()
        if name != "metastore"
    }
    config = estate({"a": stated, "b": {**stated, "include": ["x"]}, **others})
    seen = identity.of_system(config, "a")
    assert len(seen) == 1
    assert identity.of_system(config, "b") == seen, "whatever is asked of it"
    for name in others:
        assert identity.of_system(config, name) != seen, name


@pytest.mark.parametrize("kind", SAME)
def test_a_kind_that_is_like_another_one_has_its_options(kind: str) -> None:
    fields = {field.name for field in dataclasses.fields(registry.SOURCES[kind].options())}
    alike = "hms" if kind == "iceberg-hive" else "postgresql"
    assert fields & {*identity.SYSTEM_OPTIONS} == {*SYSTEM[alike]}


def test_a_property_by_reference_counts_where_it_leads_somewhere(
    estate: Callable[..., RunConfig], monkeypatch: pytest.MonkeyPatch
) -> None:
    def digest(**environment: str) -> str:
        for name, value in {"WHERE": "http://a", "KEY": "k", "TOKEN": "t", **environment}.items():
            monkeypatch.setenv(name, value)
        stated = {"s3.endpoint": "${env:WHERE}", "s3.access-key-id": "${env:KEY}"}
        io = {**stated, "s3.session-token": "${env:TOKEN}"}
        config = estate({"a": {"kind": "hms", "uri": "thrift://h", "io": io}})
        return identity.of_source(config, "a")

    assert digest() == digest(KEY="j", TOKEN="u"), "a login decides nothing"
    assert digest() != digest(WHERE="http://b")


ALIKE = (
    ({"uri": "thrift://g:1, thrift://h:1/"}, {"uri": "thrift://h:1"}),
    ({"uri": "thrift://h:9083"}, {"uri": "thrift://H", "catalog": "hive"}),
    (
        {"url": "postgresql://h/d"},
        {"url": "postgresql+psycopg://h:5432/d?application_name=x", "user": "u"},
    ),
    ({"url": "mysql://h/"}, {"url": "mysql://H:3306/"}),
    ({"uri": "https://h/r"}, {"uri": "https://h:443/r/"}),
    ({"url": "postgresql:///d?host=a&user=x"}, {"url": "postgresql:///d?host=a&user=y"}),
)
UNLIKE = (
    ({"uri": "thrift://h:9083"}, {"uri": "thrift://h:9084"}),
    ({"url": "postgresql://h/d"}, {"url": "postgresql://h/e"}),
    ({"url": "postgresql:///d?host=prod"}, {"url": "postgresql:///d?host=stage"}),
    ({"uri": "https://h/r"}, {"uri": "https://h/r", "warehouse": "w"}),
)


def _kind(stated: dict[str, str]) -> str:
    if "url" in stated:
        return stated["url"].split(":")[0].split("+")[0]
    return "hms" if stated["uri"].startswith("thrift") else "iceberg-rest"


@pytest.mark.parametrize(
    ("first", "second", "is_one"),
    [*((*pair, True) for pair in ALIKE), *((*pair, False) for pair in UNLIKE)],
)
def test_a_system_is_one_however_it_is_spelled_and_by_whom(
    estate: Callable[..., RunConfig], first: dict[str, str], second: dict[str, str], is_one: bool
) -> None:
    config = estate({"a": {"kind": _kind(first), **first}, "b": {"kind": _kind(second), **second}})
    systems = [set(identity.of_system(config, name)) for name in ("a", "b")]
    assert all(systems)
    assert systems[0].isdisjoint(systems[1]) is not is_one


def test_a_folder_is_no_system(estate: Callable[..., RunConfig]) -> None:
    config = estate({"log": {"kind": "archive", "path": "x"}})
    assert identity.of_system(config, "log") == [], "it may be another each night"
