"""Views of Iceberg with ANSI mode on and off, as a real Spark reads them.

The answers are those of tests/golden/ansi_views.json, with version and date;
`python -m tests.live.record_ansi_views` asks anew.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from connectors.judges.spark_analyzer import SparkAnalyzer
from discovery.datatypes import spark
from discovery.judging.entries import Entry, KnownBase, StoredText, spark_entry
from discovery.model import Identifier, Representation, View
from discovery.ports import Statement

CORPUS: Final[Mapping[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "golden" / "ansi_views.json").read_text(encoding="utf-8")
)
VIEWS: Final = CORPUS["views"]
TABLE: Final = KnownBase(
    ("prod", "ice", "t"),
    "prod",
    "cold",
    Identifier(("ice",), "t"),
    spark.columns(json.loads(CORPUS["table"])),
)


def told(one: Mapping[str, Any], settings: Mapping[str, str]) -> Entry:
    """What the analyzer is told where the configuration has these settings of Spark."""
    text = Representation(dialect="spark", sql=one["sql"], default_schema="ice")
    columns = spark.columns(json.loads(one["columns"]))
    place = Identifier(("ice",), "v")
    view = View(identifier=place, columns=columns, representations=(text,))
    stored = StoredText(view=view, text=text, form="iceberg", source="cold", settings=settings)
    entry = spark_entry(stored, [TABLE], {"prod": "cold"})
    assert entry is not None
    return entry


@pytest.fixture(scope="module")
def analyzer() -> Iterator[SparkAnalyzer]:
    with SparkAnalyzer() as made:
        yield made


@pytest.mark.parametrize(
    ("settings", "mode"), [({"ansi": "true"}, "true"), ({"ansi": "false"}, "false"), ({}, "true")]
)
def test_a_view_of_iceberg_is_judged_in_the_mode_of_the_session(
    analyzer: SparkAnalyzer, settings: Mapping[str, str], mode: str
) -> None:
    statements = [Statement(view["sql"], entry=told(view, settings)) for view in VIEWS]
    verdicts = list(analyzer.judge(statements))
    wrong = [
        (view["sql"], view["made"], view[mode], verdict.message)
        for view, verdict in zip(VIEWS, verdicts, strict=True)
        if verdict.accepted is not (view[mode] == "")
    ]
    assert wrong == []


def test_the_mode_decides_some_of_them() -> None:
    assert sum(bool(view["true"]) != bool(view["false"]) for view in VIEWS) == 16
