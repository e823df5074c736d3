"""What makes a configuration another one for a plan, and what does not."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from jobs.configuration import identity, loader
from jobs.configuration.loader import RunConfig

STORE: dict[str, Any] = {
    "kind": "gravitino-store",
    "url": "postgresql://host:5432/db",
    "user": "u",
    "password": "${env:PASSWORD}",
    "metalake": "m",
    "catalog": "c",
    "provider": "hive",
    "accept_unserved": True,
}
REST: dict[str, Any] = {
    "kind": "gravitino-rest",
    "uri": "http://host:8090",
    "metalake": "m",
    "catalog": "c",
    "provider": "lakehouse-iceberg",
    "create_catalog": True,
    "catalog_properties": {"uri": "thrift://${env:HIVE}", "jdbc-password": "${env:PASSWORD}"},
}
RULES: list[dict[str, Any]] = [{"source": "a", "target": "t", "namespace": ["x", "*"]}]


@pytest.fixture(autouse=True)
def variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PASSWORD", "first")
    monkeypatch.setenv("HIVE", "hive:9083")
    monkeypatch.setenv("URL", "postgresql://host:5432/db")


def digests(
    folder: Path, target: dict[str, Any], rules: list[dict[str, Any]] = RULES
) -> tuple[str, str]:
    """Of the target and of the mapping of an estate."""
    said = {
        "warehouse": "w",
        "sources": {"a": {"kind": "archive", "path": "a.jsonl"}},
        "targets": {"t": target},
        "mapping": rules,
        "crawl": {"grants": True},
    }
    (folder / "estate.yaml").write_text(json.dumps(said), encoding="utf-8")
    config = loader.load(folder / "estate.yaml")
    return identity.of_target(config, "t"), identity.of_mapping(config)


@pytest.mark.parametrize(
    ("target", "changed"),
    [
        (STORE, {"url": "postgresql://host:5432/other"}),
        (STORE, {"metalake": "n"}),
        (STORE, {"catalog": "d"}),
        (STORE, {"provider": "lakehouse-iceberg"}),
        (STORE, {"accept_unserved": False}),
        (STORE, {"bootstrap_parents": True}),
        (STORE, {"rights": True}),
        (STORE, {"owners": True}),
        (REST, {"uri": "http://host:8091"}),
        (REST, {"catalog_properties": {}}),
        (REST, {"tags": "w{wave}"}),
    ],
)
def test_another_place_or_other_terms_are_another_target(
    tmp_path: Path, target: dict[str, Any], changed: dict[str, Any]
) -> None:
    assert digests(tmp_path, target)[0] != digests(tmp_path, {**target, **changed})[0]


@pytest.mark.parametrize(
    ("target", "changed"),
    [
        (STORE, {"user": "v"}),
        (STORE, {"password": "${env:HIVE}"}),
        (STORE, {"connections": 7, "timeout": 3}),
        (STORE, {"url": "${env:URL}"}),
        (STORE, {}),
        (REST, {"connections": 1, "threads": 1}),
    ],
)
def test_another_login_or_pace_is_not(
    tmp_path: Path, target: dict[str, Any], changed: dict[str, Any]
) -> None:
    assert digests(tmp_path, target) == digests(tmp_path, {**target, **changed})


def configured(folder: Path, target: dict[str, Any]) -> RunConfig:
    digests(folder, target)
    return loader.load(folder / "estate.yaml")


def with_word(config: RunConfig, **words: Any) -> RunConfig:
    """The same, in a version that says otherwise why its route is that."""
    route = dataclasses.replace(config.terms["t"].route, **words)
    return dataclasses.replace(
        config, terms={"t": dataclasses.replace(config.terms["t"], route=route)}
    )


@pytest.mark.parametrize("target", [STORE, REST])
def test_another_wording_of_ours_makes_no_other_target(
    tmp_path: Path, target: dict[str, Any]
) -> None:
    config = configured(tmp_path, target)
    reworded = with_word(config, why="in other words", reader="somebody")
    digest = identity.of_target(config, "t")
    assert identity.of_target(reworded, "t") == digest
    assert identity.is_of_target(digest, reworded, "t")
    assert identity.of_target(with_word(config, store="hms"), "t") != digest


BEFORE = {"gravitino-store": "eba041865eb6176f", "gravitino-rest": "64d42f5355db0118"}
"""What plans have of `STORE` and `REST` that were made at 0.1.0 of 2026-11-24, with our words."""


@pytest.mark.parametrize("target", [STORE, REST])
def test_plans_go_on_that_were_made_with_our_words_and_before_tags_came(
    tmp_path: Path, target: dict[str, Any]
) -> None:
    config = configured(tmp_path, target)
    assert identity.is_of_target(BEFORE[target["kind"]], config, "t")
    changed = configured(tmp_path, {**target, "catalog": "d"})
    assert not identity.is_of_target(BEFORE[target["kind"]], changed, "t")


@pytest.mark.parametrize("target", [STORE, REST])
def test_a_new_secret_makes_no_other_target(
    tmp_path: Path, target: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = digests(tmp_path, target)
    monkeypatch.setenv("PASSWORD", "second")
    assert digests(tmp_path, target) == before


def test_a_place_that_comes_by_reference_is_the_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = digests(tmp_path, {**STORE, "url": "${env:URL}"})
    monkeypatch.setenv("URL", "postgresql://elsewhere:5432/db")
    assert digests(tmp_path, {**STORE, "url": "${env:URL}"})[0] != before[0]


@pytest.mark.parametrize(
    "rules",
    [
        [],
        [{"source": "a", "target": "t", "namespace": ["y", "*"]}],
        [*RULES, {"source": "a", "target": "t"}],
        [{**RULES[0], "include": ["sales.*"]}],
        [{**RULES[0], "dialects": ["hive"]}],
        [{**RULES[0], "catalogs": {"x": "y"}}],
        [{**RULES[0], "despite": ["MISSING_BASE"]}],
    ],
)
def test_other_rules_are_another_mapping(tmp_path: Path, rules: list[dict[str, Any]]) -> None:
    one, other = digests(tmp_path, STORE), digests(tmp_path, STORE, rules)
    assert one[0] == other[0]
    assert one[1] != other[1]


def test_every_kind_of_target_has_a_lasting_text(tmp_path: Path) -> None:
    place = {"url": "sqlite:////x.db", "warehouse": "file:///w", "io": {"s3.region": "eu"}}
    for target in (
        {"kind": "archive", "path": "there"},
        {"kind": "iceberg-rest", "uri": "http://host:8181"},
        {"kind": "iceberg-jdbc", **place},
    ):
        assert len(digests(tmp_path, target)[0]) == 16
