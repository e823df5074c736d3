"""An interrupted crawl goes on: what is finished is not asked again, and the rows are the same."""

import os
import random
import resource
import stat
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from connectors.memory import MemorySource
from discovery.crawl import Assigned, assign
from discovery.outcomes import Failure, Kind, Listed, RawObject, Stage
from discovery.ports import CrawlTask, ViewSource
from jobs.configuration import loader
from jobs.configuration.loader import RunConfig
from jobs.crawling import resuming
from jobs.crawling import tables as rows
from jobs.crawling.finished import FinishedTasks
from jobs.crawling.resuming import LATEST, TASKS, InterruptedCrawl, find_run_to_resume
from jobs.crawling.workers import crawl_objects
from jobs.warehouse.runs import Run
from jobs.warehouse.storage import LocalStorage
from jobs.warehouse.warehouse import Warehouse

BATCH = 5


class Asked(MemorySource):
    """A source that counts what it is asked for."""

    def __init__(self, objects: dict[Listed, RawObject | None], asked: Counter[str]) -> None:
        super().__init__(objects, batch=BATCH)
        self._asked = asked

    def load(self, task: CrawlTask) -> Iterator[RawObject | Failure]:
        self._asked.update(object_.name for object_ in task.objects)
        yield from super().load(task)


@dataclass
class Estate:
    """A connector of the registry, as far as workers know one."""

    objects: dict[Listed, RawObject | None]
    asked: Counter[str] = field(default_factory=Counter)
    secrets: tuple[()] = ()

    def source(self) -> ViewSource:
        return Asked(self.objects, self.asked)


def view(number: int) -> tuple[Listed, RawObject | None]:
    listed = Listed((f"d{number // 12}",), f"v{number}")
    if number % 11 == 7:
        return listed, None  # it has vanished
    payload = {
        "dbName": listed.namespace[0],
        "tableName": listed.name,
        "tableType": "VIRTUAL_VIEW",
        "viewExpandedText": f"SELECT {number}" if number % 7 else None,
        "sd": {"cols": [{"name": "x", "type": "int"}]},
    }
    return listed, RawObject(listed, "hive_table", payload)


@pytest.fixture
def estate() -> Estate:
    return Estate(dict(map(view, range(60))))


def planned(estate: Estate) -> list[pa.RecordBatch]:
    failed = Failure(Listed(("dark",), "", Kind.NAMESPACE), Stage.LIST, "DENIED", "no")
    tables = [Listed(("d0",), f"t{number}", Kind.TABLE) for number in range(3)]
    listing: list[Listed | Failure] = [failed, *tables, *estate.objects]
    assigned = assign(listing, batch=BATCH, connections=1)
    return [*rows.object_batches("s", assigned, str, ())]


def crawled(
    estate: Estate, kept: FinishedTasks | None, most: int | None = None
) -> list[dict[str, Any]]:
    """The rows of a crawl that ends after some batches, as a worker that is killed."""
    sources: Any = {"s": estate}
    found: list[dict[str, Any]] = []
    running: Any = crawl_objects(sources, kept)(planned(estate))
    for number, batch in enumerate(running):
        if number == most:
            break
        found += batch.to_pylist()
    running.close()
    return found


def test_a_disk_that_is_full_in_mid_task_is_named(estate: Estate, tmp_path: Path) -> None:
    kept = FinishedTasks(str(tmp_path), {"s": "here"})
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, before[1]))
    try:
        with pytest.raises(OSError, match="too large") as raised:
            crawled(estate, kept)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert raised.value.filename == str(tmp_path)
    assert not [*tmp_path.iterdir()], "what was begun is gone"


def test_a_crawl_that_ends_anywhere_goes_on_with_the_first_unfinished_task(
    estate: Estate, tmp_path: Path
) -> None:
    wanted = crawled(estate, None)
    assert Counter(row["outcome"] for row in wanted)["failure"] > 1
    for most in range(16):
        kept = FinishedTasks(str(tmp_path / str(most)), {"s": "here"})
        Path(kept.folder).mkdir()
        crawled(estate, kept, most)
        estate.asked.clear()
        before = kept.count()
        assert before >= min(most - 1, 13), "a batch is handed on before its task is kept"
        assert crawled(estate, kept) == wanted
        again = [name for name, number in estate.asked.items() if number]
        assert len(again) <= 60 - BATCH // 2 * max(0, before - 1), "finished ones are not asked"
        estate.asked.clear()
        assert crawled(estate, kept) == wanted
        assert not estate.asked, "all are finished now"


def test_of_many_ends_at_random_each_costs_one_task_at_most(estate: Estate, tmp_path: Path) -> None:
    chance = random.Random(7)  # noqa: S311 - a point in time, not a secret
    wanted = crawled(estate, None)
    kept = FinishedTasks(str(tmp_path), {"s": "here"})
    estate.asked.clear()
    ends = 0
    while kept.count() < 12:
        before = kept.count()
        crawled(estate, kept, before + chance.randint(0, 2))
        ends += 1
    assert ends > 5
    assert crawled(estate, kept) == wanted
    assert estate.asked.total() <= 60 + ends * BATCH


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def other(path: Path) -> None:
    path.write_bytes(max(path.parent.glob("*.arrow")).read_bytes())


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def columns(path: Path) -> None:
    with pa.OSFile(str(path), "wb") as file:
        pa.ipc.new_file(file, pa.schema([("a", pa.int8())])).close()


def changed(path: Path) -> None:
    """A byte of a text within a page: Arrow alone reads other rows, or reads beyond its memory."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("damage", [cut, empty, Path.unlink, columns, changed, other])
def test_a_file_that_is_none_is_done_again(
    estate: Estate, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    kept = FinishedTasks(str(tmp_path), {"s": "here"})
    wanted = crawled(estate, kept)
    damage(min(tmp_path.glob("*.arrow")))
    estate.asked.clear()
    assert crawled(estate, kept) == wanted
    assert 0 < estate.asked.total() <= BATCH


def test_a_task_is_known_by_all_that_its_rows_depend_on() -> None:
    kept = FinishedTasks("f", {"s": "here", "t": "here"})
    one = [Assigned(Listed(("d",), "v"), 0, 0), Assigned(Listed(("d",), "w"), 0, 0)]
    name = kept.name("s", one)
    assert kept.name("s", [replace(assigned, task=7, slot=1) for assigned in one]) == name
    others = [
        kept.name("t", one),
        replace(kept, places={"s": "there"}).name("s", one),
        kept.name("s", one[:1]),
        kept.name("s", one[::-1]),
        kept.name("s", [one[0], Assigned(Listed(("d", "w"), ""), 0, 0)]),
        kept.name("s", [one[0], Assigned(Listed(("d",), "w", Kind.UNDECIDED), 0, 0)]),
        kept.name("s", [one[0], Assigned(Listed(("d",), "w", handle="h"), 0, 0)]),
        kept.name(
            "s", [one[0], Assigned(Failure(Listed(("d",), "w"), Stage.LIST, "C", "m"), 0, 0)]
        ),
        kept.name("s", [one[0], Assigned(Listed(("d",), "\ud800"), 0, 0)]),
    ]
    assert len({name, *others}) == 1 + len(others)


@pytest.fixture
def config(tmp_path: Path) -> RunConfig:
    path = tmp_path / "estate.yaml"
    sources = "sources: {a: {kind: archive, path: a}}"
    path.write_text(f"warehouse: w\n{sources}", encoding="utf-8")
    return loader.load(path)


def listed(config: RunConfig, *names: str) -> Path:
    place = Path(config.warehouse) / rows.OBJECTS.name / "run_id=r"
    place.mkdir(parents=True, exist_ok=True)
    found = [{"source": "a", "name": name} for name in names]
    pq.write_table(pa.Table.from_pylist(found, rows.OBJECTS.schema), place / "part-0.parquet")
    return place


def test_a_listing_is_taken_over_if_it_is_the_one_that_was_whole(config: RunConfig) -> None:
    place = listed(config, "v", "w")
    kept = InterruptedCrawl(config, "r")
    assert not kept.begin(), "nobody said that it is whole"
    kept.note_listing({"a": "a mark"})
    again = InterruptedCrawl(config, "r")
    assert again.begin()
    assert again.marks == {"a": "a mark"}, "taken before the listing, not before the second attempt"
    (place / "part-1.parquet").write_bytes((place / "part-0.parquet").read_bytes())
    assert not InterruptedCrawl(config, "r").begin(), "a file is more"
    (place / "part-1.parquet").unlink()
    assert not InterruptedCrawl(config, "r").begin(), "it was said once, and taken back"
    kept.note_listing({})
    listed(config, "v", "x")
    assert not InterruptedCrawl(config, "r").begin(), "it is another"


@pytest.mark.parametrize("damage", [cut, empty, Path.unlink])
def test_a_listing_that_is_damaged_is_made_anew(
    config: RunConfig, damage: Callable[[Path], None]
) -> None:
    place = listed(config, "v")
    kept = InterruptedCrawl(config, "r")
    kept.begin()
    kept.note_listing({})
    damage(place / "part-0.parquet")
    assert not InterruptedCrawl(config, "r").begin()


def test_a_listing_of_another_source_is_made_anew(config: RunConfig) -> None:
    listed(config, "v")
    kept = InterruptedCrawl(config, "r")
    kept.begin()
    kept.note_listing({})
    path = Path(config.warehouse).parent / "estate.yaml"
    text = path.read_text(encoding="utf-8").replace("path: a", "path: b")
    path.write_text(text, encoding="utf-8")
    assert not InterruptedCrawl(loader.load(path), "r").begin()


def test_what_is_kept_is_nobody_elses_and_goes(config: RunConfig) -> None:
    kept = InterruptedCrawl(config, "r")
    kept.begin()
    place = Path(config.warehouse) / TASKS / "run_id=r"
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    kept.clear()
    assert not place.exists()
    kept.clear()


def test_where_only_spark_reaches_the_listing_alone_is_kept(
    config: RunConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(resuming, "storage_of", lambda *_: LocalStorage())
    kept = InterruptedCrawl(replace(config, warehouse="hdfs://nn/w"), "r")
    assert kept.finished is None
    assert not kept.begin()
    kept.note_listing({})
    there = tmp_path / "hdfs:/nn/w" / TASKS / "run_id=r"
    assert [path.name for path in there.iterdir()] == ["listing.json"]
    kept.clear()
    assert not there.exists()


def test_a_uri_without_spark_is_no_folder_of_this_machine(config: RunConfig) -> None:
    with pytest.raises(ValueError, match="reached by Spark alone"):
        InterruptedCrawl(replace(config, warehouse="hdfs://nn/w"), "r")


def test_the_latest_that_was_interrupted_is_gone_on_with_unless_it_is_old_or_committed(
    tmp_path: Path,
) -> None:
    (tmp_path / "estate.yaml").write_text("warehouse: w\nsources: {a: {kind: archive, path: a}}")
    config, spark = loader.load(tmp_path / "estate.yaml"), cast("SparkSession", None)
    now = time.time()
    assert find_run_to_resume(config, LATEST, spark) is None
    for name, age in (("old", 4 * 86_400), ("later", 60), ("ended", 1), ("earlier", 7_200)):
        folder = tmp_path / "w" / TASKS / f"run_id={name}"
        folder.mkdir(parents=True)
        os.utime(folder, (now - age, now - age))
    at = datetime(2026, 11, 22, tzinfo=UTC)
    Warehouse(config.warehouse).commit(Run("ended", at, at, "0.1.0", 0, "{}"))
    assert find_run_to_resume(config, LATEST, spark) == "later"
    (tmp_path / "w" / TASKS / "run_id=later").rmdir()
    (tmp_path / "w" / TASKS / "run_id=earlier").rmdir()
    assert find_run_to_resume(config, LATEST, spark) is None


def test_what_was_listed_before_a_committed_crawl_is_not_gone_on_with(tmp_path: Path) -> None:
    (tmp_path / "estate.yaml").write_text("warehouse: w\nsources: {a: {kind: archive, path: a}}")
    config, spark = loader.load(tmp_path / "estate.yaml"), cast("SparkSession", None)
    left = InterruptedCrawl(config, "left")
    assert not left.begin()
    assert find_run_to_resume(config, LATEST, spark) == "left", "it has listed nothing yet"
    left.note_listing({})
    assert find_run_to_resume(config, LATEST, spark) == "left"
    again = InterruptedCrawl(config, "left")
    assert again.begin()
    assert again.is_resumed
    assert again.began == left.began
    at = datetime.now(UTC)
    Warehouse(config.warehouse).commit(Run("ended", at, at, "0.1.0", 0, "{}"))
    assert find_run_to_resume(config, LATEST, spark) is None


def test_tasks_of_a_listing_that_is_made_anew_go(config: RunConfig) -> None:
    first = InterruptedCrawl(config, "r")
    assert not first.begin()
    assert first.finished is not None
    task = Path(first.finished.folder) / "t.arrow"
    task.write_bytes(b"x")
    first.note_listing({})
    assert InterruptedCrawl(config, "r").begin()
    assert task.exists()
    (Path(first.finished.folder) / "listing.json").write_text("{}", encoding="utf-8")
    assert not InterruptedCrawl(config, "r").begin()
    assert not task.exists()
