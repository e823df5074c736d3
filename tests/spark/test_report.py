"""Reports of several runs of one warehouse: standing, drift, what was not run, same bytes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from discovery.errors import ConfigurationError
from discovery.limits import Limit
from jobs.answering.answers import RunAnswers
from jobs.assess import assess_run
from jobs.assessing import tables as assessed
from jobs.configuration import loader
from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.report import EVERY, ReportScope, write_report
from jobs.reporting import in_memory
from jobs.warehouse.warehouse import Warehouse
from reports import page
from reports.head import ReportHead
from reports.thresholds import Limits
from tests.conftest import hive_entry, spark_entry

pytestmark = pytest.mark.timeout(900)  # a JVM per engine and executor starts

TABLE = {"tableType": "MANAGED_TABLE", "viewExpandedText": None, "viewOriginalText": None}
BEFORE = [
    {**hive_entry("base", ""), **TABLE},
    hive_entry("same", "SELECT `base`.`id` FROM `rel`.`base`"),
    hive_entry("<script>", "SELECT 1 AS `id`"),
    hive_entry("edited", "SELECT 1 AS `id`"),
    hive_entry("breaks", "SELECT 1 AS `id`"),
    hive_entry("heals", "SELECT FROM FROM"),
    hive_entry("unreadable", "SELECT 1 AS `id`"),
    hive_entry("dropped", "SELECT 1 AS `id`"),
    hive_entry("turned", "SELECT 1 AS `id`"),
    spark_entry("on_same", "SELECT id FROM rel.same"),
    hive_entry("lost", "SELECT `gone`.`id` FROM `rel`.`gone`"),
    hive_entry("above_lost", "SELECT `lost`.`id` FROM `rel`.`lost`"),
]
CHANGED = {
    "edited": hive_entry("edited", "SELECT 2 AS `id`"),
    "breaks": hive_entry("breaks", "SELECT FROM FROM"),
    "heals": hive_entry("heals", "SELECT 1 AS `id`"),
    "unreadable": {**hive_entry("unreadable", "SELECT 1 AS `id`"), "parameters": {"k": 1}},
    "dropped": hive_entry("arrived", "SELECT 1 AS `id`"),
    "turned": {**hive_entry("turned", ""), **TABLE},
}
AFTER = [CHANGED.get(entry["tableName"], entry) for entry in BEFORE]


@dataclass(frozen=True)
class Estate:
    """A warehouse with the runs `before` and `after`, both assessed, and `partial`, which is not:
    it could not list the second source."""

    config: RunConfig
    spark: SparkSession

    def report(self, run_id: str, folder: Path, **wanted: Any) -> ReportHead:
        warehouse = Warehouse(self.config.warehouse, self.spark)
        return write_report(lambda: self.spark, warehouse, run_id, folder, ReportScope(**wanted))


@pytest.fixture(scope="module")
def estate(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Estate:
    folder = tmp_path_factory.mktemp("report")
    other = [hive_entry("far", "SELECT 1 AS `id`", database="elsewhere")]
    text = """\
warehouse: w
sources:
  a: {kind: archive, path: a.jsonl}
  b: {kind: archive, path: b.jsonl}
engines: [hive]
"""
    (folder / "estate.yaml").write_text(text, encoding="utf-8")
    checked = loader.load(folder / "estate.yaml")
    _archive(folder / "b.jsonl", other)
    for run_id, entries in (("before", BEFORE), ("after", AFTER)):
        _archive(folder / "a.jsonl", entries)
        crawl_estate(spark, checked, run_id)
        assess_run(spark, checked, run_id)
    (folder / "b.jsonl").unlink()
    crawl_estate(spark, checked, "partial")
    return Estate(checked, spark)


def _archive(path: Path, entries: list[dict[str, Any]]) -> None:
    lines = [json.dumps({"kind": "hive_table", "payload": entry}) for entry in entries]
    path.write_text("\n".join(lines), encoding="utf-8")


def drift(folder: Path) -> Mapping[str, Any]:
    lines = (folder / "drift.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    return {f"{one['sort']} {one['name']}": one["detail"] for one in found}


def test_every_view_has_a_standing_with_its_reason(estate: Estate, tmp_path: Path) -> None:
    (tmp_path / "drift.jsonl").write_text("of an earlier report", encoding="utf-8")
    report_head = estate.report("before", tmp_path)
    views = json.loads((tmp_path / "belvedere.json").read_text(encoding="utf-8"))["views"]
    assert {view["name"]: (view["standing"], view["reason"]) for view in views} == {
        "same": ("ready", None),
        "<script>": ("ready", None),
        "edited": ("ready", None),
        "breaks": ("ready", None),
        "heals": ("blocked", "UNRESOLVED"),
        "unreadable": ("ready", None),
        "dropped": ("ready", None),
        "turned": ("ready", None),
        "on_same": ("needs review", "OWN_ENGINE_NOT_ASKED"),
        "lost": ("ready", None),  # an archive cannot say which tables there are
        "above_lost": ("ready", None),
        "far": ("ready", None),
    }
    assert report_head.total == len(views) == sum(report_head.standing.values())
    assert report_head.drift is None, "there is no run before it"
    assert report_head.course == ()
    assert report_head.quality is None, "nobody has checked it"
    assert not (tmp_path / "drift.jsonl").exists()


def test_drift_names_what_changed_and_nothing_else(estate: Estate, tmp_path: Path) -> None:
    limits = Limits(standing={"blocked": Limit.of("1%")})
    report_head = estate.report("after", tmp_path, limits=limits)
    (over,) = report_head.over
    assert over.startswith("blocked: ")
    assert over in (tmp_path / "belvedere.html").read_text(encoding="utf-8")
    assert drift(tmp_path) == {
        "appeared arrived": [],
        "vanished dropped": [],
        "vanished turned": [],
        "changed edited": ["representations.hive"],
        "changed breaks": ["representations.hive"],
        "changed heals": ["representations.hive"],
        "newly broken breaks": ["hive"],
        "newly compatible heals": ["hive"],
        "newly broken unreadable": ["INVALID_ENTRY"],
    }
    assert report_head.drift is not None
    assert report_head.drift.against == "before"
    assert report_head.drift.counts["newly broken"] == 2
    assert report_head.drift.standing is not None
    assert report_head.drift.standing["ready"] == report_head.drift.ready == 10
    assert sum(report_head.drift.standing.values()) == 12
    assert [
        (course_point.run_id, course_point.views, course_point.failures, course_point.left)
        for course_point in report_head.course
    ] == [
        ("before", 12, 0, None),
        ("after", 10, 1, None),
    ]
    views = json.loads((tmp_path / "belvedere.json").read_text(encoding="utf-8"))["views"]
    assert {view["name"]: view["changes"] for view in views}["breaks"] == [
        "changed: representations.hive",
        "newly broken: hive",
    ]


def test_an_assistant_is_told_what_the_report_says(estate: Estate, tmp_path: Path) -> None:
    report_head = estate.report("after", tmp_path)
    asked = RunAnswers(Warehouse(estate.config.warehouse), "after")
    assert asked.headline()["standing"] == report_head.standing
    assert asked.headline()["engines"] == report_head.engines
    views = json.loads((tmp_path / "belvedere.json").read_text(encoding="utf-8"))["views"]
    answered = asked.find_views()["views"]
    assert {(one["name"], one["standing"], one["reason"], one["wave"]) for one in answered} == {
        (
            f"{view['source']}/{'.'.join((*view['namespace'], view['name']))}",
            view["standing"],
            view["reason"],
            view["wave"],
        )
        for view in views
    }


def test_what_a_partial_crawl_did_not_list_has_not_vanished(estate: Estate, tmp_path: Path) -> None:
    report_head = estate.report("partial", tmp_path / "one", against="after")
    assert drift(tmp_path / "one") == {"unknown far": ["not listed this time"]}
    assert report_head.engines is None
    assert report_head.waves is None
    assert report_head.unlisted == 1
    back = estate.report("after", tmp_path / "two", against="partial")
    assert drift(tmp_path / "two") == {"unknown far": ["not listed then"]}
    assert back.drift is not None
    assert back.drift.ready is None, "the run it is compared with was not assessed"


def test_a_run_is_not_compared_with_itself_or_with_one_that_is_not_there(
    estate: Estate, tmp_path: Path
) -> None:
    with pytest.raises(ConfigurationError, match="cannot be compared with itself"):
        estate.report("after", tmp_path, against="after")
    with pytest.raises(ConfigurationError, match="no committed run nowhere"):
        estate.report("after", tmp_path, against="nowhere")


def test_the_same_run_gives_the_same_bytes_in_every_format(estate: Estate, tmp_path: Path) -> None:
    for name in ("one", "two"):
        estate.report("after", tmp_path / name, formats=EVERY)
    first, second = (_files(tmp_path / name) for name in ("one", "two"))
    assert first == second
    expected = {"belvedere.html", "junit.xml", "owners/o.csv", "tables/waves.parquet"}
    assert expected | {"views/index.jsonl", "dbt/index.jsonl"} <= first.keys()
    assert "tables/changes.parquet" not in first, "nothing was planned"
    views = pq.read_table(tmp_path / "one" / "tables" / "outcomes.parquet")
    assert views.num_rows == len(AFTER) + 1


@pytest.mark.parametrize(
    ("run_id", "against"),
    [("before", None), ("after", None), ("partial", "after"), ("after", "partial")],
)
def test_spark_and_memory_gather_the_same(
    estate: Estate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_id: str, against: str
) -> None:
    """What is gathered on Spark, for many objects, is what is gathered in memory, byte by byte."""
    here = estate.report(run_id, tmp_path / "here", formats=EVERY, against=against)
    monkeypatch.setattr(in_memory, "FEW", 0)
    persisted = _persisted(estate.spark)
    spread = estate.report(run_id, tmp_path / "spread", formats=EVERY, against=against)
    assert here == spread
    assert _files(tmp_path / "here") == _files(tmp_path / "spread")
    assert _persisted(estate.spark) <= persisted, "nothing is kept once the report is written"


def _persisted(spark: SparkSession) -> frozenset[int]:
    """The ids of what Spark keeps now; one may go at any time, as its cleaner drops the unused."""
    return frozenset(spark.sparkContext._jsc.getPersistentRDDs().keySet())


def _files(folder: Path) -> dict[str, bytes]:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def test_above_its_bound_the_page_has_its_details_beside_it(
    estate: Estate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "details").mkdir()
    (tmp_path / "details" / "7.js").write_text("of an earlier report", encoding="utf-8")
    monkeypatch.setattr(page, "SINGLE", 3)
    estate.report("after", tmp_path)
    assert [path.name for path in (tmp_path / "details").iterdir()] == ["0.js"]
    assert 'id="part-0"' not in (tmp_path / "belvedere.html").read_text(encoding="utf-8")


def test_what_no_stage_has_written_is_told_from_what_is_empty(estate: Estate) -> None:
    warehouse = Warehouse(estate.config.warehouse)
    assert warehouse.is_written(assessed.WAVES, "after")
    assert not warehouse.is_written(assessed.WAVES, "partial")
