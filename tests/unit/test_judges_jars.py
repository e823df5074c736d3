"""Where the jars of judges come from, when they cannot be had."""

import os
from collections.abc import Sequence
from errno import ENOSPC
from pathlib import Path
from typing import Any

import pytest

from connectors.judges.coral import Coral
from connectors.judges.flink import Flink
from connectors.judges.flink_analyzer import FlinkAnalyzer
from connectors.judges.jars import Jar
from connectors.judges.spark import Spark
from connectors.judges.trino import Trino
from connectors.judges.trino_analyzer import TrinoAnalyzer
from discovery.errors import JudgeUnavailableError
from jobs.assessing import jars
from jobs.configuration import loader


def test_without_a_network_one_jar_is_waited_for_and_not_each_of_many(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[Jar] = []

    def unreachable(jar: Jar) -> str:
        asked.append(jar)
        raise JudgeUnavailableError("no network", hint="none")

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(jars, "_load_resolver", lambda *_: unreachable)
    spark: Any = None
    (provided,) = jars.provide(spark, ["trino"], None, analyzers=True)
    assert provided.missing == "no network; none"
    assert asked == [TrinoAnalyzer.jars[0]]


def test_all_jars_are_collected_and_those_that_cannot_be_had_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def found(_: Any, wanted: Sequence[Jar], folder: str | None) -> tuple[Path, ...]:
        assert folder is None, "from the cache, or fetched into it"
        if wanted == FlinkAnalyzer.jars:
            raise JudgeUnavailableError("no network", hint="none")
        for jar in wanted:
            (tmp_path / jar.file).write_text(jar.coordinate)
        return tuple(tmp_path / jar.file for jar in wanted)

    monkeypatch.setattr(jars, "_find_jars", found)
    spark: Any = None
    told = jars.collect_jars(spark, tmp_path / "out")
    flink = {jar.coordinate for jar in FlinkAnalyzer.jars}
    missing = {name for name, why in told.items() if why}
    assert missing <= flink
    assert told["org.apache.flink:flink-core:2.3.0"] == "no network; none"
    there = {path.read_text() for path in (tmp_path / "out").iterdir()}
    assert there == told.keys() - missing
    assert {
        jar.coordinate for jar in (*TrinoAnalyzer.jars, *Coral.jars, *Trino.newer.jars)
    } <= there


def test_a_jar_that_finds_no_room_leaves_nothing_of_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source, folder = tmp_path / "source.jar", tmp_path / "out"
    source.write_bytes(b"jar")
    monkeypatch.setattr(jars, "_find_jars", lambda *_: (source,))

    def full(_: int) -> None:
        raise OSError(ENOSPC, os.strerror(ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    spark: Any = None
    with pytest.raises(OSError, match=r"No space left.*source\.jar"):
        jars.collect_jars(spark, folder, [Trino.jars])
    assert list(folder.iterdir()) == []


def test_a_service_without_a_home_judges_without_these_jars(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def never(*_: Any) -> None:
        pytest.fail("fetched, with no place to keep it")

    monkeypatch.setattr(jars, "_load_resolver", never)
    (tmp_path / "home").write_text("a file, below which nobody makes a folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    spark: Any = None
    (provided,) = jars.provide(spark, ["trino"], None)
    assert "home/belvedere/jars: Not a directory; let XDG_CACHE_HOME name" in provided.missing
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("HOME")

    def nobody(number: int) -> None:
        raise KeyError(number)

    monkeypatch.setattr("pwd.getpwuid", nobody)
    (provided,) = jars.provide(spark, ["trino"], None)
    assert provided.missing.startswith("the user has no home for the jars; let XDG_CACHE_HOME")


def test_an_estate_asks_for_the_jars_of_what_it_runs(tmp_path: Path) -> None:
    (tmp_path / "estate.yaml").write_text(
        "warehouse: w\nsources: {a: {kind: archive, path: a}}\n"
        "engines: {flink: '1.20', spark: 3.5, hive: {version: 2.3, analyze: false}}\n"
    )
    found = jars.jars_to_fetch(loader.load(tmp_path / "estate.yaml"))
    assert found == {Flink.others["1.20"].jars, Spark.others["3.5"].jars}
    both = "engines: {flink: {version: '1.20', analyze: true}, trino: }\n"
    (tmp_path / "estate.yaml").write_text(
        f"warehouse: w\nsources: {{a: {{kind: archive, path: a}}}}\n{both}"
    )
    found = jars.jars_to_fetch(loader.load(tmp_path / "estate.yaml"))
    assert Trino.newer is not None
    planner = FlinkAnalyzer.others["1.20"].jars
    trinos = {Trino.jars, Trino.newer.jars, TrinoAnalyzer.jars}
    assert found == {Flink.others["1.20"].jars, planner, *trinos}
