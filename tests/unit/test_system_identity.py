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


def test_servers_drivers_and_logins_make_no_other_system(estate: Callable[..., RunConfig]) -> None:
    config = estate(
        {
            "two": {"kind": "hms", "uri": "thrift://g:1, thrift://h:1/"},
            "one": {"kind": "hms", "uri": "thrift://h:1"},
            "db": {"kind": "postgresql", "url": "postgresql://h/d"},
            "as": {"kind": "postgresql", "url": "postgresql+psycopg://h/d?x=1", "user": "u"},
            "log": {"kind": "archive", "path": "x"},
        }
    )
    systems = {name: identity.of_system(config, name) for name in config.sources}
    assert {*systems["one"]} < {*systems["two"]}
    assert systems["db"] == systems["as"]
    assert systems["log"] == [], "a folder may be another each night"
