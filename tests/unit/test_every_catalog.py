"""`catalog: "*"`: each catalog of a metastore as a source of its own."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from connectors.hms import HiveMetastore, Options
from connectors.registry import Connector
from discovery.errors import ConfigurationError, UnreachableError
from discovery.pacing.care import Care
from jobs.configuration.catalogs import as_crawled, spread
from jobs.configuration.loader import RunConfig, load

OPTIONS = Options(uri="thrift://127.0.0.1:1", catalog="*", connections=5, batch=3)
CONFIG = RunConfig(
    "w",
    False,
    {
        "lake": Connector("hms", OPTIONS, stated={"catalog": "*", "batch": 3}),
        "ice": Connector("iceberg-hive", replace(OPTIONS, catalog="prod", exclude=("x",))),
    },
    care={"lake": Care(10.0, 2.0), "ice": Care(1.0)},
)


def test_each_catalog_is_a_source_that_has_its_share_of_connections_and_rate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(HiveMetastore, "catalogs", lambda _: ["hive", "prod"])
    config = spread(CONFIG)
    assert list(config.sources) == ["lake.hive", "lake.prod", "ice"]
    options = {name: source.options for name, source in config.sources.items()}
    assert {name: option.catalog for name, option in options.items()} == {
        "lake.hive": "hive",
        "lake.prod": "prod",
        "ice": "prod",
    }
    assert [option.connections for option in options.values()] == [2, 2, 5]
    assert {name: list(option.as_iceberg) for name, option in options.items()} == {
        "lake.hive": [],
        "lake.prod": ["ice"],  # so each view counts once
        "ice": [],
    }
    assert config.sources["lake.prod"].stated == {"catalog": "prod", "batch": 3}
    half = Care(5.0, 2.0)
    assert config.care == {"lake.hive": half, "lake.prod": half, "ice": Care(1.0)}
    assert spread(config) == config
    assert as_crawled(CONFIG, ["lake.hive", "lake.prod", "ice"]) == config


def test_a_run_says_which_catalogs_there_were() -> None:
    assert list(as_crawled(CONFIG, ["ice", "lake.old.one"]).sources) == ["lake.old.one", "ice"]
    assert as_crawled(CONFIG, ["lake.old.one"]).sources["lake.old.one"].options.catalog == "old.one"
    dotted = replace(CONFIG, sources={"dw.lake": CONFIG.sources["lake"]})
    assert list(as_crawled(dotted, ["dw.lake.hive", "dw"]).sources) == ["dw.lake.hive"]
    for sources in (["lake"], ["shop.x"], []):
        assert list(as_crawled(CONFIG, sources).sources) == ["lake", "ice"]


def test_a_metastore_that_does_not_tell_its_catalogs_stays_one_source(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(_: HiveMetastore) -> list[str]:
        raise UnreachableError("no")

    monkeypatch.setattr(HiveMetastore, "catalogs", refused)
    assert list(spread(CONFIG).sources) == ["lake", "ice"]


def configured(folder: Path, more: str) -> RunConfig:
    path = folder / "estate.yaml"
    path.write_text(
        'warehouse: w\nsources:\n  lake: {kind: hms, uri: "thrift://h:1", catalog: "*"}\n' + more
    )
    return load(path)


TARGET = "targets: {t: {kind: hms, uri: 'thrift://h:2'}}\n"


def test_a_source_of_a_catalog_is_named_behind_a_dot(tmp_path: Path) -> None:
    config = configured(
        tmp_path,
        TARGET
        + "mapping: [{source: lake.prod, target: t}]\n"
        + "catalogs: {trino: {prod_hive: lake.prod}}\ncrawl: {rate: {lake: 10}}\n",
    )
    assert config.mapping == {"lake.prod": "t"}
    assert config.care["lake"].rate == 10


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (TARGET + "mapping: [{source: lake, target: t}]\n", "name the source of one, such as"),
        (TARGET + "mapping: [{source: lak.prod, target: t}]\n", "'lak.prod' is no source"),
        (TARGET + "mapping: [{source: lake., target: t}]\n", "'lake.' is no source"),
        ("catalogs: {trino: {x: lake}}\n", "'lake' crawls every catalog"),
        (TARGET, "write `mapping`, with a rule for each, source: lake.hive"),
        ("  lake.prod: {kind: hms, uri: 'thrift://h:1'}\n", "name of a catalog of the source lake"),
    ],
)
def test_what_does_not_go_with_every_catalog_is_told(tmp_path: Path, more: str, why: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        configured(tmp_path, more)
    assert why in str(raised.value)


def test_without_every_catalog_nothing_is_asked() -> None:
    sources: Mapping[str, Any] = {"lake": replace(CONFIG.sources["ice"])}
    config = replace(CONFIG, sources=sources)
    assert spread(config) == config
