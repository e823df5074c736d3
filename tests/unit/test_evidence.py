"""What a stage wrote is proven before it is read: manifests, junk, layouts, odd places."""

import errno
import json
import os
import re
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from discovery.errors import ConfigurationError, EvidenceError, UnknownLayoutError
from jobs import check, prune, runs
from jobs.assessing import tables as assessed
from jobs.assessing.tables import STAGE as ASSESSING
from jobs.console.command import CRASHED, FINE
from jobs.crawling import tables as crawled
from jobs.crawling.tables import GRANTING
from jobs.crawling.tables import STAGE as CRAWLING
from jobs.migrating import plan_folder
from jobs.migrating.plans import latest_plan
from jobs.migrating.stages import EXECUTING, INVERTING, PLANNING, VERIFYING
from jobs.migrating.tables import APPLIES, CHANGES, EVENTS, PLANS, VERIFIED
from jobs.reporting.past import earlier_run, left_out, runs_until
from jobs.reporting.quality_tables import CHECKING
from jobs.tables import DATASETS, TABLES
from jobs.using.tables import STAGE as USING
from jobs.warehouse.datasets import Dataset, StageTables
from jobs.warehouse.locks import hold_lock
from jobs.warehouse.manifest import LAYOUT
from jobs.warehouse.runs import RUNS, Run
from jobs.warehouse.storage import LocalStorage
from jobs.warehouse.warehouse import Warehouse

THINGS = Dataset.of("things", [pa.field("n", pa.int64()), pa.field("name", pa.string())])
STAGE = StageTables("make", (THINGS,), "make them again")
BEGUN = datetime(2026, 11, 21, 1, tzinfo=UTC)


class Made:
    """A warehouse with runs of two files each, written without Spark."""

    def __init__(self, place: Path) -> None:
        self.place = place

    @property
    def warehouse(self) -> Warehouse:
        """As another process sees it: nothing is remembered."""
        return Warehouse(str(self.place))

    def folder(self, run_id: str = "one") -> Path:
        return self.place / "things" / f"run_id={run_id}"

    def rows(self, run_id: str = "one") -> list[int]:
        return sorted(row["n"] for row in self.warehouse.table(THINGS, run_id))

    def write(self, run_id: str = "one", hour: int = 1) -> None:
        writer = self.warehouse
        writer.begin(STAGE, run_id)
        self.part(run_id, "part-0.parquet", range(3))
        self.part(run_id, "part-1.parquet", range(3, 6))
        manifest = writer.seal(STAGE, run_id)
        begun = BEGUN.replace(hour=hour)
        writer.commit(Run(run_id, begun, begun, "0", 0, "{}", manifest=manifest))

    def part(self, run_id: str, name: str, numbers: range) -> None:
        self.folder(run_id).mkdir(parents=True, exist_ok=True)
        rows = [{"n": number, "name": f"n{number}"} for number in numbers]
        pq.write_table(pa.Table.from_pylist(rows, THINGS.schema), self.folder(run_id) / name)


@pytest.fixture
def made(tmp_path: Path) -> Made:
    found = Made(tmp_path / "warehouse")
    found.write()
    return found


def test_a_manifest_has_rows_sizes_and_digests_of_every_file(made: Made) -> None:
    text = (made.place / "manifests" / "run_id=one" / "make.json").read_text(encoding="utf-8")
    manifest = json.loads(text)
    assert (manifest["layout"], manifest["stage"], manifest["ended"]) == (LAYOUT, "make", True)
    things = manifest["datasets"]["things"]
    assert (things["layout"], things["rows"]) == (1, 6)
    assert [file["rows"] for file in things["files"]] == [3, 3]
    assert [file["size"] for file in things["files"]] == [
        (made.folder() / file["path"]).stat().st_size for file in things["files"]
    ]
    assert all((len(file["footer"]), len(file["content"])) == (64, 128) for file in things["files"])


def _lose(folder: Path) -> None:
    (folder / "part-1.parquet").unlink()


def _cut(folder: Path) -> None:
    path = folder / "part-1.parquet"
    path.write_bytes(path.read_bytes()[:-5])


def _fill(folder: Path) -> None:
    path = folder / "part-1.parquet"
    path.write_bytes(b"x" * path.stat().st_size)


def _swap(folder: Path) -> None:
    """Another file of the same size: other numbers."""
    path = folder / "part-1.parquet"
    rows = [{"n": number, "name": f"n{number}"} for number in range(6, 9)]
    pq.write_table(pa.Table.from_pylist(rows, THINGS.schema), path)


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (_lose, "the file part-1.parquet is missing"),
        (_cut, "the file part-1.parquet has"),
        (_fill, "is no Parquet file"),
        (_swap, "the file part-1.parquet is not the one that was written"),
        (shutil.rmtree, "the file part-0.parquet is missing"),
    ],
)
def test_damage_is_told_before_a_number_is(
    made: Made, damage: Callable[[Path], None], why: str
) -> None:
    damage(made.folder())
    with pytest.raises(EvidenceError, match=why) as told:
        made.rows()
    assert told.value.hint
    with pytest.raises(EvidenceError, match=why):
        made.warehouse.run("one")
    with pytest.raises(EvidenceError, match=why):
        made.warehouse.count_rows(THINGS, "one", ["n"])
    with pytest.raises(EvidenceError, match=why):
        made.warehouse.is_written(THINGS, "one")


def test_a_byte_within_a_page_is_found_by_check(made: Made) -> None:
    path = made.folder() / "part-1.parquet"
    data = bytearray(path.read_bytes())
    data[10] ^= 1
    path.write_bytes(data)
    assert made.warehouse.run("one").run_id == "one", "footer and size are as they were"
    (told,) = made.warehouse.damage("one")
    assert "part-1.parquet: its content has changed" in told
    path.unlink()
    (told,) = made.warehouse.damage("one")
    assert "is missing" in told


@pytest.fixture
def withheld(made: Made, monkeypatch: pytest.MonkeyPatch) -> Made:
    """A second run, of which the disk does not give a file any more."""
    made.write("two", 2)
    real = Path.open

    def opened(path: Path, *args: Any, **more: Any) -> Any:
        if path == made.folder("two") / "part-1.parquet":
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
        return real(path, *args, **more)

    monkeypatch.setattr(Path, "open", opened)
    made.write("three", 3)
    return made


def test_a_file_that_cannot_be_read_costs_its_own_run(
    withheld: Made, capsys: pytest.CaptureFixture[str]
) -> None:
    place = withheld.folder("two") / "part-1.parquet"
    why = f"things of two: {place}: Input/output error"
    assert [run.run_id for run in withheld.warehouse.whole_runs()] == ["one", "three"]
    assert why in capsys.readouterr().err
    with pytest.raises(EvidenceError, match=re.escape(why)):
        withheld.rows("two")
    assert check.main(["--warehouse", str(withheld.place)]) == CRASHED
    assert capsys.readouterr().out.splitlines()[0].startswith(why)
    assert runs.main(["--warehouse", str(withheld.place)]) == FINE
    lines = [line for line in capsys.readouterr().out.splitlines() if "exit code" in line]
    assert [f"BROKEN: {why}" in line for line in lines] == [False, True, False]


def test_nothing_goes_while_a_file_cannot_be_read(
    withheld: Made, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--warehouse", str(withheld.place), "--keep-last", "1", "--yes"]
    assert prune.main(words) == CRASHED
    assert "nothing goes while that is so" in capsys.readouterr().err
    assert len(withheld.warehouse.runs()) == 3
    (withheld.folder("two") / "part-1.parquet").unlink()
    assert prune.main(words) == FINE
    assert [run.run_id for run in withheld.warehouse.runs()] == ["three"]


def test_a_page_that_cannot_be_read_is_told_by_check(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: LocalStorage, path: str, size: int) -> str:
        raise OSError(errno.EIO, os.strerror(errno.EIO))  # as a read says it, without a name

    monkeypatch.setattr(LocalStorage, "digest", fails)
    told = list(made.warehouse.damage("one"))
    assert [line.partition(": Input/output error")[0] for line in told] == [
        str(made.folder() / name) for name in ("part-0.parquet", "part-1.parquet")
    ]


def test_what_all_files_suffer_from_is_no_damage_of_one(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> bytes:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(LocalStorage, "tail", fails)
    with pytest.raises(OSError, match="Too many open files"):
        made.warehouse.whole_runs()


def test_a_link_that_leads_round_is_a_file_that_is_missing(made: Made) -> None:
    path = made.folder() / "part-1.parquet"
    path.unlink()
    path.symlink_to(path.name)
    (told,) = made.warehouse.damage("one")
    assert "part-1.parquet is missing" in told


def test_files_of_an_orphaned_attempt_are_not_read(made: Made) -> None:
    made.part("one", "part-9.parquet", range(100))
    (made.folder() / "part-8.parquet").write_bytes(b"cut")
    assert made.rows() == list(range(6))


def test_a_stage_that_was_interrupted_is_named(made: Made) -> None:
    made.warehouse.begin(STAGE, "one")
    with pytest.raises(EvidenceError, match="make has not ended, or was interrupted") as told:
        made.rows()
    assert told.value.hint == "make them again"


def test_a_stage_that_is_at_work_is_told_with_who_it_is_and_is_to_be_waited_for(made: Made) -> None:
    made.warehouse.begin(STAGE, "one")
    for subject, command in (("run one", "make"), ("run one", "other"), ("run two", "make")):
        with hold_lock(str(made.place), subject, command), pytest.raises(EvidenceError) as told:
            made.rows()
        if (subject, command) == ("run one", "make"):
            assert f"`belvedere make` (process {os.getpid()} on " in told.value.message
            assert told.value.hint == "wait until that has ended"
        else:
            assert told.value.hint == "make them again", "it is another's"


@pytest.mark.parametrize("stage", [ASSESSING, USING, CHECKING])
def test_a_stage_of_an_older_run_is_done_again_by_what_is_told(
    made: Made, stage: StageTables, capsys: pytest.CaptureFixture[str]
) -> None:
    made.write("two", hour=2)
    made.warehouse.begin(stage, "one")
    assert check.main(["--warehouse", str(made.place)]) == 1
    assert f"; run `belvedere {stage.name} --run-id one` again\n" in capsys.readouterr().out


def test_a_manifest_in_the_place_of_another_run_s_is_told_as_that_and_the_stage_done_again(
    made: Made, capsys: pytest.CaptureFixture[str]
) -> None:
    made.write("two", hour=2)
    for run in ("one", "two"):
        made.warehouse.begin(USING, run)
        made.warehouse.seal(USING, run)
    manifests = made.place / "manifests"
    swapped = (manifests / "run_id=one" / "usage.json").read_bytes()
    (manifests / "run_id=two" / "usage.json").write_bytes(swapped)
    assert check.main(["--warehouse", str(made.place)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        f"{dataset.name} of two: its manifest is that of one; "
        "run `belvedere usage --run-id two` again"
        for dataset in USING.datasets
    ]
    assert made.rows("two") == [*range(6)], "what the crawl wrote is read"
    made.warehouse.begin(USING, "two")
    made.warehouse.seal(USING, "two")
    assert check.main(["--warehouse", str(made.place)]) == 0


def test_the_manifest_of_a_run_is_the_one_that_was_committed(made: Made) -> None:
    path = made.place / "manifests" / "run_id=one" / "make.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("part-1", "part-0"), encoding="utf-8")
    with pytest.raises(EvidenceError, match="run one: its manifest is missing, or is not"):
        made.warehouse.run("one")
    path.unlink()
    with pytest.raises(EvidenceError, match="run one: its manifest is missing, or is not"):
        made.warehouse.run(None)
    path.write_text("{", encoding="utf-8")
    with pytest.raises(EvidenceError, match="is no manifest"):
        made.warehouse.run(None)


@pytest.mark.parametrize("junk", [b"", b"junk", b"PAR1junkPAR1"])
def test_a_junk_file_costs_its_own_run(
    made: Made, junk: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    made.write("two", hour=2)
    (made.place / "runs" / "run_id=two" / "part-0.zstd.parquet").write_bytes(junk)
    warehouse = made.warehouse
    assert [run.run_id for run in warehouse.runs()] == ["one"]
    assert warehouse.run(None).run_id == "one"
    assert capsys.readouterr().err.count("runs of two is left out: ") == 1, "told once"


def test_a_run_whose_row_is_lost_is_told_and_one_that_is_at_work_is_not(
    made: Made, capsys: pytest.CaptureFixture[str]
) -> None:
    stage = StageTables("crawl", (THINGS,), "crawl again")
    for name in ("two", "three"):
        made.warehouse.begin(stage, name)
    assert made.warehouse.find_left_out(RUNS) == [], "what was interrupted had none"
    for name in ("two", "three"):
        made.warehouse.seal(stage, name)
    with hold_lock(str(made.place), "run three", "crawl"):
        assert made.warehouse.run(None).run_id == "one"
        told = capsys.readouterr().err
        assert made.warehouse.find_left_out(RUNS) == ["two"]
    assert told.startswith("runs of two is left out: its files are sealed, and it has no row")
    assert "three" not in told
    assert made.warehouse.find_left_out(RUNS) == ["three", "two"]


def test_every_stage_is_known_by_a_row() -> None:
    stages = (CRAWLING, GRANTING, ASSESSING, USING, CHECKING, PLANNING, INVERTING, VERIFYING)
    named = {name for dataset in (RUNS, PLANS, APPLIES) for name in dataset.commits}
    assert named == {stage_tables.name for stage_tables in (*stages, EXECUTING)}


def test_a_damaged_run_costs_no_other(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    made.write("two", hour=2)
    _lose(made.folder("one"))
    assert [run.run_id for run in made.warehouse.whole_runs()] == ["two"]
    assert "run one is left out: things of one: the file part-1" in capsys.readouterr().err
    assert made.rows("two") == list(range(6))


def test_a_report_says_which_earlier_runs_are_damaged(made: Made) -> None:
    for hour, name in ((2, "two"), (3, "three")):
        made.write(name, hour)
    for damaged in ("one", "three"):
        _lose(made.folder(damaged))
    warehouse = made.warehouse
    (told,) = left_out(warehouse, runs_until(warehouse, warehouse.run("two")))
    assert told.startswith("run one is left out: things of one: the file part-1")


def test_a_run_that_a_prune_removes_meanwhile_still_has_those_before_it(made: Made) -> None:
    for hour, name in ((2, "two"), (3, "three")):
        made.write(name, hour)
    warehouse = made.warehouse
    run = warehouse.run("two")
    shutil.rmtree(made.place / "runs" / "run_id=two")
    assert [one.run_id for one in runs_until(warehouse, run)] == ["one", "two"]


def test_a_later_layout_is_refused_with_what_to_do(made: Made) -> None:
    run = made.warehouse.run("one")
    made.warehouse.commit(replace(run, run_id="later", layout=LAYOUT + 1, version="9"))
    with pytest.raises(UnknownLayoutError, match="run later, of belvedere 9, has layout 3") as told:
        made.warehouse.run("later")
    assert "a later one" in told.value.hint
    assert made.warehouse.run("one").run_id == "one"
    path = made.place / "manifests" / "run_id=one" / "make.json"
    text = path.read_text(encoding="utf-8").replace('"layout": 2', '"layout": 3')
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UnknownLayoutError, match=r"make.json: has layout 3, 2 is known"):
        made.rows()


def test_a_later_layout_of_a_dataset_is_refused(made: Made) -> None:
    writer = made.warehouse
    later = replace(STAGE, datasets=(replace(THINGS, layout=2),))
    writer.begin(later, "one")
    writer.seal(later, "one")
    with pytest.raises(UnknownLayoutError, match="things of one: has layout 2, 1 is known"):
        made.rows()


@pytest.mark.parametrize("name", ["a[b]", "a{b}", "a*", "a?", "a b%20", "ü'\"", "[!x]"])
def test_a_place_may_have_any_name(tmp_path: Path, name: str) -> None:
    made = Made(tmp_path / name)
    made.write()
    assert made.rows() == list(range(6))
    assert made.warehouse.run(None).run_id == "one"
    assert made.warehouse.is_written(THINGS, "one")
    assert not made.warehouse.is_written(THINGS, "two")


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse and a plan that the code before layout numbers wrote (commit bf12fc6).

    An archive of three entries, one of them broken, crawled, assessed, planned, applied to a folder
    and verified; files between the steps are left out.
    """
    place: Path = tmp_path_factory.mktemp("layout1")
    with zipfile.ZipFile(Path(__file__).parents[1] / "layouts" / "1.zip") as stored:
        stored.extractall(place)
    return place


def test_layout_1_is_read(old: Path) -> None:
    warehouse = Warehouse(str(old / "warehouse"))
    run = warehouse.run(None)
    assert (run.run_id, run.exit_code, run.layout, run.manifest) == ("old", 3, 1, None)
    assert run.started.tzinfo is UTC
    outcomes = list(warehouse.table(TABLES["outcomes"], "old"))
    assert sorted(row["outcome"] for row in outcomes if row["entity"] == "object") == [
        *("failure", "view", "view"),
    ]
    plan = latest_plan(warehouse, "old")
    assert plan is not None
    assert [row["differences"] for row in warehouse.table(VERIFIED, plan.plan)] == [[], []]
    counts = warehouse.count_rows(crawled.OBJECTS, "old", ["entity"])
    assert counts["object",] == 3


def test_waves_count_from_1_in_what_counted_them_from_0(old: Path) -> None:
    warehouse = Warehouse(str(old / "warehouse"))
    assert {row["wave"] for row in warehouse.table(assessed.WAVES, "old")} == {1, 2}
    counted = warehouse.count_rows(assessed.WAVES, "old", ["wave", "aside"])
    assert counted == {(1, None): 1, (2, None): 1}
    plan = latest_plan(warehouse, "old")
    assert plan is not None
    assert {row["wave"] for row in warehouse.table(CHANGES, plan.plan)} == {1, 2}


def test_waves_of_a_run_that_counts_them_from_1_are_as_they_are(made: Made) -> None:
    stage = StageTables("assess", (assessed.WAVES,), "assess again")
    values = ("s", ["n"], "v", "n.v", 1, None, None)
    writer = made.warehouse
    writer.begin(stage, "one")
    writer.note(assessed.WAVES, "one", values)
    assert [row["wave"] for row in writer.table(assessed.WAVES, "one")] == [1]
    writer.seal(stage, "one")
    for reader in (writer, made.warehouse):
        assert [row["wave"] for row in reader.table(assessed.WAVES, "one")] == [1]


@pytest.mark.parametrize("name", sorted(TABLES))
def test_every_table_of_layout_1_is_read(old: Path, name: str) -> None:
    warehouse = Warehouse(str(old / "warehouse"))
    dataset = TABLES[name].dataset
    every: dict[str, Any] = {}
    for run in (old / "warehouse" / dataset.name).glob("run_id=*"):
        run_id = run.name.removeprefix("run_id=")
        assert warehouse.is_written(dataset, run_id)
        for row in warehouse.table(TABLES[name], run_id):
            every |= row
    written = {"runs", "objects", "outcomes", "waves", "plans", "changes", "events", "verified"}
    assert every or name not in written
    assert set(every) <= set(TABLES[name].columns)


def test_a_plan_of_layout_1_is_refused_as_nothing_pins_it(old: Path) -> None:
    with pytest.raises(ConfigurationError, match="of another version of belvedere") as told:
        plan_folder.read_head(old / "plan")
    assert told.value.hint == "plan again"


def test_a_cut_file_of_layout_1_is_named(old: Path, tmp_path: Path) -> None:
    place = tmp_path / "w"
    shutil.copytree(old / "warehouse", place)
    (path,) = (place / "outcomes" / "run_id=old").glob("*.parquet")
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(EvidenceError, match="is no Parquet file, or a part of one"):
        list(Warehouse(str(place)).table(crawled.OUTCOMES, "old"))


def test_a_byte_of_a_footer_that_no_manifest_proves_is_rows_or_a_sentence(made: Made) -> None:
    """As of the journal of an execution that was killed; Arrow has an error of its own for each."""
    path = made.place / "events" / "run_id=killed" / "append" / "part-0.parquet"
    path.parent.mkdir(parents=True)
    marked = EVENTS.schema.with_metadata({"belvedere.layout": str(LAYOUT)})
    pq.write_table(pa.Table.from_pylist([{"run": "killed"}], marked), path)
    whole, told = path.read_bytes(), set()
    begins = len(whole) - int.from_bytes(whole[-8:-4], "little") - 8
    for place in (*range(begins, len(whole) - 8, 61), len(whole) - 1):
        changed = bytearray(whole)
        changed[place] ^= 0x80
        path.write_bytes(changed)
        try:
            made.warehouse.is_written(EVENTS, "killed")
        except (EvidenceError, UnknownLayoutError) as error:
            told.add(str(error).partition(": ")[2][:21])
    assert {"its footer is damaged", "is no Parquet file, o"} <= told


def test_what_no_manifest_names_is_not_read_but_for_single_rows(made: Made) -> None:
    folder = made.place / "waves" / "run_id=one"
    folder.mkdir(parents=True)
    pq.write_table(assessed.WAVES.schema.empty_table(), folder / "part-0.parquet")
    with pytest.raises(EvidenceError, match="waves of one: no manifest names what is there"):
        made.warehouse.is_written(assessed.WAVES, "one")
    assert [row["run_id"] for row in made.warehouse.table(RUNS, "one")] == ["one"]


def test_what_is_appended_is_read_by_the_process_that_had_looked_before(made: Made) -> None:
    warehouse = made.warehouse
    assert list(warehouse.table(EVENTS, "a")) == []
    for number in (1, 2):
        folder = made.place / "events" / "run_id=a" / f"append-{number}"
        folder.mkdir(parents=True)
        pq.write_table(
            pa.Table.from_pylist([{"run": "a"}], EVENTS.schema), folder / "part-0.parquet"
        )
        assert len(list(warehouse.table(EVENTS, "a"))) == number


def test_what_no_run_has_is_not_there(made: Made) -> None:
    with pytest.raises(ConfigurationError, match="no committed run x"):
        made.warehouse.run("x")
    assert list(made.warehouse.table(assessed.WAVES, "one")) == []
    assert list(made.warehouse.table(PLANS, "*")) == []
    assert not made.warehouse.is_written(EVENTS, "one")
    assert RUNS.names[-2:] == ["layout", "manifest"]
    later = {name: dataset.layout for name, dataset in DATASETS.items() if dataset.layout != 1}
    assert later == {"waves": 2, "changes": 2, "prepared": 4}


def test_whether_all_is_there_is_known_of_any_layout_and_rows_are_read_of_known_ones(
    made: Made,
) -> None:
    later = replace(THINGS, layout=LAYOUT + 1)
    stage, writer = StageTables("make", (later,), "make them again"), made.warehouse
    writer.begin(stage, "two")
    made.part("two", "part-0.parquet", range(3))
    manifest = writer.seal(stage, "two")
    writer.commit(Run("two", BEGUN, BEGUN, "0", 0, "{}", manifest=manifest))
    again = made.warehouse
    assert again.run("two").run_id == "two"
    assert list(again.damage("two")) == []
    assert len(list(again.table(later, "two"))) == 3
    with pytest.raises(UnknownLayoutError, match=f"has layout {LAYOUT + 1}, 1 is known"):
        list(again.table(THINGS, "two"))
    (made.folder("two") / "part-0.parquet").unlink()
    (told,) = made.warehouse.damage("two")
    assert "part-0.parquet is missing" in told


def test_a_run_is_not_compared_with_one_of_which_a_stage_was_interrupted(made: Made) -> None:
    made.write("two", 2)
    made.write("three", 3)
    made.warehouse.begin(assessed.STAGE, "two")
    warehouse = made.warehouse
    run = earlier_run(warehouse, warehouse.run("three"), None)
    assert run is not None
    assert run.run_id == "one"
    named = earlier_run(warehouse, warehouse.run("three"), "two")
    assert named is not None
    assert named.run_id == "two", "a person may name it, and hears what it lacks"
    warehouse.seal(assessed.STAGE, "two")
    run = earlier_run(made.warehouse, warehouse.run("three"), None)
    assert run is not None
    assert run.run_id == "two"


def test_an_execution_whose_folder_of_events_is_lost_is_not_passed_over(tmp_path: Path) -> None:
    warehouse, spark = Warehouse(str(tmp_path)), cast("SparkSession", None)
    folder = tmp_path / "events" / "run_id=x"
    folder.mkdir(parents=True)
    pq.write_table(EVENTS.schema.empty_table(), folder / "part-0.parquet")
    warehouse.seal(EXECUTING, "x")
    shutil.rmtree(folder)
    with pytest.raises(EvidenceError, match=r"events of x: the file part-0\.parquet is missing"):
        Warehouse(str(tmp_path)).read_appended(spark, EVENTS, "*")
