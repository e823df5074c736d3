"""The versions of engines that can be had: one table, and what is said where there is none."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from connectors import registry
from connectors.judges.host import ParserHost, Release
from discovery.judging.analyzers import ANALYZERS
from jobs.assessing import jars

VERSIONED = [name for name in registry.JUDGES if registry.versions(name)]


def releases() -> Iterator[tuple[type[ParserHost], str, Release]]:
    for kind in (*(registry.JUDGES[name] for name in VERSIONED), *registry.ANALYZERS.values()):
        judge = kind.connector()
        yield from ((judge, version, one) for version, one in judge.others.items())


def test_the_default_stands_first_and_is_another_than_the_rest() -> None:
    assert VERSIONED == ["flink", "hive", "spark"]
    for engine in VERSIONED:
        default, *others = registry.versions(engine)
        assert others
        assert default not in others
    assert registry.versions("trino") == registry.versions("nobody") == ()


def test_the_first_jar_says_which_release_speaks() -> None:
    for judge, version, release in releases():
        files = [jar.file for jar in release.jars]
        made = judge(files)
        assert f"{made.version}.".startswith(f"{version}."), judge
        assert made._release() == release
        firsts = [one.jars[0] for one in judge.others.values()]
        assert firsts.count(release.jars[0]) == 1
        assert release.jars[0] not in judge.jars


def test_every_jar_of_a_version_is_pinned_once() -> None:
    pins: dict[str, str] = {}
    for _, _, release in releases():
        for jar in release.jars:
            assert len(jar.sha256) == 64
            assert pins.setdefault(jar.coordinate, jar.sha256) == jar.sha256


def test_an_analyzer_has_no_version_that_its_parser_lacks() -> None:
    for name, kind in registry.ANALYZERS.items():
        parser = registry.JUDGES[ANALYZERS[name].engine].connector()
        assert kind.connector().others.keys() <= parser.others.keys(), name


@pytest.mark.parametrize("version", ["1.20", "2.3"])
def test_jars_that_are_not_there_are_told_for_the_version_that_is_asked(
    tmp_path: Path, version: str
) -> None:
    spark: Any = None
    found = [
        jars.provide(
            spark, ["flink"], str(tmp_path), analyzers=analyzers, versions={"flink": version}
        )[0].missing
        for analyzers in (False, True)
    ]
    full = {"1.20": "1.20.4", "2.3": "2.3.0"}[version]
    assert all(f":{full}; put flink-" in one for one in found), found


@pytest.mark.parametrize(("engine", "version"), [("spark", "3.5"), ("hive", "3.1")])
def test_an_analyzer_does_not_judge_for_a_version_that_it_is_not_of(
    engine: str, version: str
) -> None:
    spark: Any = None
    (provided,) = jars.provide(spark, [engine], None, analyzers=True, versions={engine: version})
    assert provided.missing == f"there is none of {version}; the parser judges alone"
