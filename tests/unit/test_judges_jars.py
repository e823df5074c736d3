"""Where the jars of judges come from, when they cannot be had."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from connectors.judges.jars import Jar
from connectors.judges.trino_analyzer import TrinoAnalyzer
from discovery.errors import JudgeUnavailableError
from jobs.assessing import jars


def test_without_a_network_one_jar_is_waited_for_and_not_each_of_many(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[Sequence[Jar]] = []

    def unreachable(_: Any, wanted: Sequence[Jar], __: Path) -> None:
        asked.append(wanted)
        raise JudgeUnavailableError("no network", hint="none")

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(jars, "_fetch", unreachable)
    spark: Any = None
    (found,) = jars.provide(spark, ["trino"], None, analyzers=True)
    assert found.missing == "no network; none"
    assert asked == [TrinoAnalyzer.jars[:1]]
