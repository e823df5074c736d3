"""On what a crawl may stand: nothing is taken over where that could be wrong."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pyiceberg.schema import Schema

from connectors.iceberg.jdbc import JdbcCatalog, Options
from discovery import __version__
from discovery.ages import age
from discovery.crawl import Assigned, assign
from discovery.errors import ConfigurationError
from discovery.outcomes import Kind, Listed
from jobs.configuration import loader
from jobs.configuration.loader import RunConfig
from jobs.crawling import tables as rows
from jobs.crawling.increments import CrawlBase, crawl_base, places, unchanged_places
from jobs.embedded.iceberg import EmbeddedCatalog, NewView
from jobs.warehouse.runs import Run

NOW = datetime(2026, 11, 22, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def config(tmp_path: Path) -> RunConfig:
    sources = "{a: {kind: archive, path: a}, b: {kind: archive, path: b}}"
    text = f"warehouse: w\nsources: {sources}\ncrawl: {{full_every: 7d}}"
    (tmp_path / "estate.yaml").write_text(text, encoding="utf-8")
    return loader.load(tmp_path / "estate.yaml")


def run(config: RunConfig, days: int, stands_on: str | None = None, **more: object) -> Run:
    said = {"sources": {}, "places": places(config), "stands_on": stands_on, **more}
    at = NOW - days * DAY
    return Run(f"r{days}", at, at, __version__, 0, json.dumps(said))


def test_only_records_of_sources_that_are_where_they_were_are_followed(config: RunConfig) -> None:
    moved = {**places(config), "b": "elsewhere"}
    before = run(config, 1, None, marks={"a": "1", "b": "2"}, places=moved)
    assert crawl_base(config, [before], NOW).marks == {"a": "1"}
    assert crawl_base(config, [run(config, 1, None, marks=None)], NOW).marks == {}
    assert crawl_base(config, [run(config, 1)], NOW).marks == {}, "a run of an earlier belvedere"


def test_it_stands_on_the_latest_run_as_long_as_a_full_one_is_young(config: RunConfig) -> None:
    runs = [run(config, 6), run(config, 2, "r6"), run(config, 1, "r2")]
    assert crawl_base(config, runs, NOW) == CrawlBase("r1", sources=("a", "b"))
    assert crawl_base(config, runs, NOW + DAY).why == (
        "the full crawl that it would stand on is older than full_every says"
    )
    assert crawl_base(config, [*runs, run(config, 0)], NOW + DAY).run_id == "r0"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda one: replace(one, version="0.0.1"), "run r1 is of belvedere 0.0.1"),
        (lambda one: replace(one, counts="{}"), "run r1: what it counted cannot be read"),
        (
            lambda one: replace(one, counts='{"sources": {}}'),
            "run r1 does not say where its sources are",
        ),
        (
            lambda one: replace(one, started=NOW + DAY),
            "the full crawl that it would stand on is older",
        ),
    ],
)
def test_it_is_full_where_the_run_before_cannot_be_trusted(
    config: RunConfig, change: Callable[[Run], Run], why: str
) -> None:
    found = crawl_base(config, [change(run(config, 1))], NOW)
    assert found.run_id == ""
    assert found.why.startswith(why)


def test_rows_of_another_place_are_not_said_to_be_of_this_one(config: RunConfig) -> None:
    moved = {**places(config), "b": "elsewhere"}
    assert unchanged_places(config, run(config, 1, places=moved).record).keys() == {"a"}
    assert unchanged_places(config, run(config, 1, places=None).record) == {}


def test_what_it_stands_on_in_the_end_decides(config: RunConfig) -> None:
    old, full = run(config, 9), run(config, 2)
    again = run(config, 1, "r9")  # whose failures were asked again, of the old one
    assert crawl_base(config, [old, full, again], NOW).why.endswith("older than full_every says")
    young = run(config, 3)
    of_before = replace(young, version="0.0.1")
    assert crawl_base(config, [of_before, run(config, 1, "r3")], NOW).why == (
        "run r3 is of belvedere 0.0.1"
    )
    assert crawl_base(config, [full, run(config, 1, "r5")], NOW).run_id == "r1", "r5 was pruned"
    assert crawl_base(config, [run(config, 1, "r5")], NOW).why.endswith("than full_every says")
    assert crawl_base(config, [young, run(config, 1, "r3")], NOW).run_id == "r1"


def test_it_is_full_without_a_run_or_a_word(config: RunConfig) -> None:
    assert crawl_base(config, [], NOW).why == "there is no run to stand on"
    assert crawl_base(replace(config, full_every=None), [run(config, 1)], NOW) == CrawlBase()


def test_of_a_source_that_is_elsewhere_now_nothing_is_taken_over(config: RunConfig) -> None:
    before = run(config, 1)
    path = Path(config.warehouse).parent / "estate.yaml"
    text = path.read_text(encoding="utf-8").replace("path: b", "path: elsewhere")
    path.write_text(text, encoding="utf-8")
    assert crawl_base(loader.load(path), [before], NOW).sources == ("a",)


def test_the_signal_of_an_iceberg_view_or_table_is_its_pointer(iceberg: EmbeddedCatalog) -> None:
    iceberg.create_namespace(["db"], {})
    view = NewView([{"id": 1, "name": "x", "required": False, "type": "int"}], {"spark": "SELECT"})
    path = iceberg.create_view(["db"], "v", view)
    iceberg.create_table(["db"], "t", Schema())
    with JdbcCatalog(Options(url=iceberg.url)) as source:
        signals = {item.name: item.signal for item in source.listing() if isinstance(item, Listed)}
    (of_table,) = (iceberg.warehouse / "db" / "t" / "metadata").glob("*.json")
    assert signals == {"": "", "v": path.as_uri(), "t": of_table.as_uri()}


def test_a_signal_is_in_the_listing_and_makes_no_other_object_of_it() -> None:
    listed = Listed(("d",), "v", signal="x")
    assert listed == Listed(("d",), "v", signal="y")
    assigned = assign([listed, Listed(("d",), "w")], batch=5, connections=1)
    batches = [*rows.object_batches("s", assigned, str, ())]
    assert [row["signal"] for batch in batches for row in batch.to_pylist()] == ["x", None]
    found = [planned for _, planned in rows.planned_objects(batches)]
    assert [each.answer.signal for each in found if isinstance(each.answer, Listed)] == ["x", ""]
    assert found[0] == Assigned(Listed(("d",), "v", Kind.VIEW), 0, 0)


@pytest.mark.parametrize(("text", "hours"), [("36h", 36), ("7d", 168), ("2w", 336), ("0d", 0)])
def test_an_age_has_a_unit(text: str, hours: int) -> None:
    assert age(text) == timedelta(hours=hours)


@pytest.mark.parametrize("text", ["7", "d", "-7d", "7 d", "7days", "7d\n", "\u0667d", "999999d"])
def test_what_is_no_age_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is no age"):
        age(text)
    path = tmp_path / "estate.yaml"
    said = json.dumps({"full_every": text})
    path.write_text(f"warehouse: w\nsources: {{a: {{kind: archive, path: a}}}}\ncrawl: {said}")
    with pytest.raises(ConfigurationError, match="full_every"):
        loader.load(path)
