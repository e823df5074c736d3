"""Apply and undo that end before a row is noted: what the next command leaves.

The real kills are in `test_killed`; these end the driver at named places, over files as the target.
"""

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from connectors.archive_store import ArchiveStore, Options
from discovery.errors import ConfigurationError, EvidenceError, LockedError
from discovery.model import Schema
from jobs import check
from jobs.configuration import loader
from jobs.console.command import CRASHED, FINE, USAGE
from jobs.migrating.journal import Journal
from jobs.migrating.stages import EXECUTING
from jobs.migrating.tables import APPLIED
from jobs.migrating.workers.applying import Attempt
from jobs.warehouse.datasets import Dataset, StageTables
from jobs.warehouse.locks import hold_lock
from jobs.warehouse.warehouse import Warehouse
from tests.checking import damage
from tests.conftest import estate_in
from tests.migrated import BASE, TABLE, TOP, Killed, Migration, killed_at, latest, restored

BOTH = {"rel.base", "rel.top"}


@pytest.fixture(scope="module")
def planned(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an estate that was crawled and assessed, and the plan of its migration."""
    folder = tmp_path_factory.mktemp("planned")
    made = Migration(spark, estate_in(folder), folder, _more(folder))
    made.crawl(TABLE, BASE, TOP)
    made.plan()
    return folder


@pytest.fixture
def migration(
    spark: SparkSession, planned: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Migration]:
    """That migration, of which nothing is applied; afterwards the folder is as it was."""
    made = Migration(spark, estate_in(planned), planned, _more(planned))
    made.config = loader.load(planned / "estate.yaml")
    with restored(planned, tmp_path_factory.mktemp("kept") / "planned"):
        yield made


@pytest.fixture(scope="module")
def applied(
    spark: SparkSession, planned: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, dict[str, str]]:
    """A copy of its warehouse once it is applied, and the names of the crawl, the plan, the run."""
    folder = tmp_path_factory.mktemp("applied")
    made = Migration(spark, estate_in(planned), planned, _more(planned))
    made.config = loader.load(planned / "estate.yaml")
    with restored(planned, folder / "before"):
        run = made.apply().run
        head = json.loads((planned / "plan" / "plan.json").read_text(encoding="utf-8"))
        warehouse = shutil.copytree(planned / "warehouse", folder / "warehouse")
    return warehouse, {"run": run, "plan": head["plan"], "crawl": head["crawl"]}


def _more(folder: Path) -> dict[str, Any]:
    target = {"kind": "archive", "path": str(folder / "target")}
    return {"targets": {"t": target}, "engines": []}


@pytest.mark.parametrize(
    ("dataset", "number", "written"),
    [
        ("prepared", 2, 0),
        ("events", 1, 1),
        pytest.param("events", 2, 2, marks=pytest.mark.deep),
        pytest.param("applied", 1, 2, marks=pytest.mark.deep),
    ],
)
def test_undo_takes_back_what_a_killed_apply_has_not_noted(
    migration: Migration,
    dataset: str,
    number: int,
    written: int,
) -> None:
    with killed_at(dataset, number):
        migration.apply()
    assert len(migration.there()) == written
    execution_result = migration.undo(latest(migration))
    assert (execution_result.written, execution_result.failed) == (written, 0)
    assert (migration.there(), migration.schemas()) == ({}, set()), "the namespace was ours"
    again = migration.apply()
    assert (again.written, again.kept, again.failed) == (2, 0, 0)
    assert migration.there().keys() == BOTH, "an undo ends the run: this one has looked again"


@pytest.mark.parametrize(
    ("number", "written"), [(1, 1), pytest.param(2, 2, marks=pytest.mark.deep)]
)
def test_undo_takes_back_adopted_drafts_that_a_killed_apply_has_not_noted(
    migration: Migration, number: int, written: int
) -> None:
    migration.more |= {"mapping": [{"source": "a", "target": "t", "name": "{name}_v"}]}
    migration.crawl(TABLE, BASE, TOP)
    assert migration.counts(migration.plan()) == {"blocked": 1, "create": 1}
    migration.adopt()
    with killed_at("events", number):
        migration.apply()
    assert len(migration.there()) == written
    execution_result = migration.undo(latest(migration))
    assert (execution_result.written, execution_result.failed, migration.there()) == (
        written,
        0,
        {},
    )


def test_an_undo_leaves_what_a_later_plan_has_written(migration: Migration) -> None:
    with killed_at("events", 1):
        migration.apply()
    killed = latest(migration)
    assert migration.counts(migration.plan()) == {"create": 1, "keep": 1}, "base was written"
    later = migration.apply()
    assert later.written == 1
    execution_result = migration.undo(killed)
    assert (execution_result.written, execution_result.failed) == (1, 0)
    assert migration.there().keys() == {"rel.top"}
    assert migration.undo(later.run).written == 1
    assert migration.there() == {}


def test_apply_goes_on_where_it_was_killed_and_counts_what_is_there(migration: Migration) -> None:
    with killed_at("events", 2):
        migration.apply()
    run = latest(migration)
    (migration.folder / "target" / "rel" / "base.json").unlink()  # as somebody else
    execution_result = migration.apply()
    assert (execution_result.run, execution_result.written, execution_result.failed) == (run, 2, 0)
    assert migration.there().keys() == BOTH
    results = Counter((row["name"], row["result"]) for row in migration.table("events", run))
    assert results == {("base", "done"): 2, ("top", "recovered"): 1}


@pytest.mark.parametrize("then", ["apply", "undo"])
def test_a_killed_apply_whose_row_is_lost_is_known_by_its_journal(
    migration: Migration, then: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with killed_at("events", 2):
        migration.apply()
    run, row = latest(migration), next(iter(migration.table("applies", "*")))
    shutil.rmtree(migration.folder / "warehouse" / "applies" / f"run_id={run}")
    migration.verify()
    assert f"run {run}, which applies it, was interrupted" in capsys.readouterr().err
    result = migration.apply() if then == "apply" else migration.undo(run)
    assert (result.written, result.kept, result.failed) == (2, 0, 0)
    assert f"applies of {run}: its row was lost, and is noted" in capsys.readouterr().err
    assert row in list(migration.table("applies", "*"))
    assert migration.there().keys() == (BOTH if then == "apply" else set())
    assert damage(migration.config.warehouse) == []


def test_an_apply_of_which_only_the_row_of_its_end_is_lost_has_ended(migration: Migration) -> None:
    first = migration.apply()
    shutil.rmtree(migration.folder / "warehouse" / "applied" / f"run_id={first.run}")
    again = migration.apply()
    assert again.run != first.run, "its journal is sealed: there is nothing to go on with"
    assert (again.written, again.kept, again.failed) == (0, 2, 0)
    assert migration.undo(first.run).written == 2


@pytest.mark.parametrize(("killed", "goes_on"), [("seal", True), ("note", False)])
def test_an_apply_that_was_killed_as_it_ended_needs_nothing_restored(
    migration: Migration, monkeypatch: pytest.MonkeyPatch, killed: str, goes_on: bool
) -> None:
    real = getattr(Warehouse, killed)

    def ending(self: Warehouse, of: StageTables | Dataset, run: str, *rest: Any) -> Any:
        if of is EXECUTING or of is APPLIED:
            raise Killed
        return real(self, of, run, *rest)

    with monkeypatch.context() as patched:
        patched.setattr(Warehouse, killed, ending)
        with pytest.raises(Killed):
            migration.apply()
    first = latest(migration)
    again = migration.apply()
    counts = (2, 0, 0) if goes_on else (0, 2, 0)
    assert (again.written, again.kept, again.failed) == counts
    assert (again.run == first) is goes_on
    assert damage(migration.config.warehouse) == []
    assert migration.undo(first).written == 2


@pytest.mark.parametrize(
    ("dataset", "number"),
    [
        ("applies", 1),
        ("events", 1),
        *(
            pytest.param(*place, marks=pytest.mark.deep)
            for place in (("changes", 1), ("events", 2), ("applied", 1))
        ),
    ],
)
def test_an_undo_that_was_killed_is_ended_by_the_next_apply(
    migration: Migration, dataset: str, number: int
) -> None:
    first = migration.apply()
    with killed_at(dataset, number):
        migration.undo(first.run)
    execution_result = migration.apply()
    assert execution_result.run != first.run
    assert (execution_result.written, execution_result.kept, execution_result.failed) == (2, 0, 0)
    assert migration.there().keys() == BOTH
    assert migration.undo(first.run).written == 0, "it has been taken back, and these are not its"
    assert migration.there().keys() == BOTH
    assert migration.undo(execution_result.run).written == 2
    assert (migration.there(), migration.schemas()) == ({}, set())


def test_what_nobody_can_tell_is_left_and_named(
    migration: Migration, capsys: pytest.CaptureFixture[str]
) -> None:
    with killed_at("events", 1):
        migration.apply()
    path = migration.folder / "target" / "rel" / "base.json"
    path.write_text(path.read_text("utf-8").replace("select", "SELECT"), encoding="utf-8")
    run = latest(migration)
    for _ in ("first", "again"):
        execution_result = migration.undo(run)
        assert (execution_result.written, execution_result.failed, execution_result.exit_code) == (
            0,
            1,
            3,
        )
        assert "t: rel.base: " in capsys.readouterr().err
    assert migration.there().keys() == {"rel.base"}


def test_a_namespace_that_somebody_made_after_the_plan_stays(migration: Migration) -> None:
    with ArchiveStore(Options(path=str(migration.folder / "target"))) as store:
        store.prepare([Schema(levels=("rel",))])
    execution_result = migration.apply()
    assert migration.undo(execution_result.run).written == 2
    assert (migration.there(), migration.schemas()) == ({}, {("rel",)})


def test_two_at_once_are_refused_and_another_configuration_is(
    migration: Migration, tmp_path: Path
) -> None:
    plan = migration.table("plans", "*")[0]["plan"]
    with (
        hold_lock(migration.config.warehouse, f"plan {plan}", "undo"),
        pytest.raises(LockedError, match="`belvedere undo`"),
    ):
        migration.apply()
    told = migration.apply()
    migration.more["targets"]["t"]["path"] = str(tmp_path / "elsewhere")
    migration.crawl(TABLE, BASE, TOP)
    for command in (migration.apply, migration.verify, lambda: migration.undo(told.run)):
        with pytest.raises(ConfigurationError, match="t: the target is configured otherwise"):
            command()
    assert not (tmp_path / "elsewhere").exists()


def test_what_an_execution_has_noted_is_missed_where_it_is_lost(migration: Migration) -> None:
    execution_result = migration.apply()
    events = migration.folder / "warehouse" / "events" / f"run_id={execution_result.run}"
    lost = next(events.rglob("part-*.parquet"))
    kept = lost.read_bytes()
    lost.unlink()
    (named,) = damage(migration.config.warehouse)
    assert f"events of {execution_result.run}: the file" in named
    with pytest.raises(EvidenceError, match=r"events of .* is missing"):
        migration.apply()
    with pytest.raises(EvidenceError, match=r"events of .* is missing"):
        migration.undo(execution_result.run)
    assert migration.there().keys() == BOTH, "nothing was taken back on half of a journal"
    lost.write_bytes(kept)
    assert migration.undo(execution_result.run).written == 2
    assert damage(migration.config.warehouse) == []


@pytest.mark.parametrize(
    "also", [pytest.param((), marks=pytest.mark.deep), ("intended", "prepared")]
)
def test_an_undo_whose_journal_is_gone_asks_the_target(
    migration: Migration, also: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    execution_result = migration.apply()
    for name in ("manifests", "events", *also):
        shutil.rmtree(migration.folder / "warehouse" / name / f"run_id={execution_result.run}")
    assert migration.undo(execution_result.run).written == 2
    assert migration.there() == {}
    assert "the targets are asked for every view of it" in capsys.readouterr().err
    assert migration.apply().written == 2


def test_nothing_is_written_of_a_plan_in_which_a_byte_has_changed(migration: Migration) -> None:
    path = next((migration.folder / "warehouse" / "changes").rglob("part-*.parquet"))
    sound = path.read_bytes()
    _change_a_text(path)
    for command in (migration.apply, migration.verify):
        with pytest.raises(Exception, match=f"reading file file://{path}"):
            command()
    assert migration.there() == {}
    path.write_bytes(sound)
    assert migration.apply().written == 2


def _change_a_text(path: Path) -> None:
    """Change a bit so that whoever does not look at checksums reads other rows."""
    sound = path.read_bytes()
    rows = pq.read_table(path, partitioning=None).to_pylist()
    for at in range(4, len(sound)):
        data = bytearray(sound)
        data[at] ^= 1
        path.write_bytes(data)
        with suppress(pa.ArrowException, OSError, UnicodeDecodeError):
            if pq.read_table(path, partitioning=None).to_pylist() != rows:
                return
    raise AssertionError("no such bit")


@pytest.mark.parametrize(
    ("lost", "told"),
    [
        ("applies/run_id={run}", "its row is lost, or cannot be read"),
        ("manifests/run_id={run}", "nothing proves what the execution has noted"),
        ("plans/run_id={plan}", "its row is lost, or cannot be read"),
        ("runs/run_id={crawl}", "its row is lost, or cannot be read"),
        ("applied/run_id={run}", "its row is missing"),
        ("manifests/run_id={plan}", "nothing proves what the plan holds"),
        ("manifests/run_id={crawl}", "its manifest is missing, or is not the one that was"),
    ],
)
def test_a_row_or_a_manifest_that_is_lost_is_found_by_check(
    applied: tuple[Path, dict[str, str]],
    tmp_path: Path,
    lost: str,
    told: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    warehouse = shutil.copytree(applied[0], tmp_path / "warehouse")
    assert check.main(["--warehouse", str(warehouse)]) == FINE
    shutil.rmtree(warehouse / lost.format(**applied[1]))
    capsys.readouterr()
    assert check.main(["--warehouse", str(warehouse)]) == CRASHED
    assert told in capsys.readouterr().out
    assert check.main(["--warehouse", str(tmp_path / "nowhere")]) == USAGE


@pytest.mark.parametrize("noted", ["applied", "applies", "plans", "runs"])
def test_a_row_that_is_not_as_it_was_written_is_found_by_check(
    applied: tuple[Path, dict[str, str]],
    tmp_path: Path,
    noted: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    warehouse = shutil.copytree(applied[0], tmp_path / "warehouse")
    path = next((warehouse / noted).rglob("*.parquet"))
    table = pq.read_table(path)
    (row,) = table.to_pylist()
    row |= {name: one + timedelta(hours=1) for name, one in row.items() if type(one) is datetime}
    pq.write_table(pa.Table.from_pylist([row], table.schema), path)
    assert check.main(["--warehouse", str(warehouse)]) == CRASHED
    assert f"{noted} " in capsys.readouterr().out


def test_an_undo_whose_plan_is_gone_says_so(migration: Migration) -> None:
    execution_result = migration.apply()
    head = json.loads((migration.folder / "plan" / "plan.json").read_text(encoding="utf-8"))
    shutil.rmtree(migration.folder / "warehouse" / "plans" / f"run_id={head['plan']}")
    with pytest.raises(EvidenceError, match="its row is missing"):
        migration.undo(execution_result.run)
    assert migration.there().keys() == BOTH


def test_what_is_noted_of_an_execution_that_has_ended_is_read(
    migration: Migration, spark: SparkSession
) -> None:
    execution_result = migration.apply()
    warehouse = Warehouse(migration.config.warehouse)
    journal = Journal(spark, warehouse, Attempt(execution_result.run, "me", "later", resumed=True))
    journal.note(journal.events().withColumn("attempt", f.lit("later")))
    assert journal.events().count() == 4
    attempts = Counter(row["attempt"] for row in migration.table("events", execution_result.run))
    assert attempts == {execution_result.run: 2, "later": 2}


def test_the_inverse_plan_is_proven_before_it_is_read(migration: Migration) -> None:
    execution_result = migration.apply()
    migration.undo(execution_result.run)
    changes = migration.folder / "warehouse" / "changes" / f"run_id=undo-{execution_result.run}"
    for path in changes.glob("part-*.parquet"):
        path.unlink()
    lost = damage(migration.config.warehouse)
    assert lost
    assert all(one.startswith(f"changes of undo-{execution_result.run}: the file") for one in lost)
