"""What of a warehouse may go, and that what goes is gone and what stays is whole."""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.errors import ConfigurationError, EvidenceError
from discovery.keeping import KeepTerms, StoredPlan, StoredRun, kept_interrupted
from discovery.keeping import prune as decide
from jobs import check, diff, prune, recrawl, runs
from jobs.assessing.tables import STAGE as ASSESSING
from jobs.assessing.tables import WAVES
from jobs.configuration.loader import RunConfig
from jobs.crawling.resuming import TASKS, find_latest_interrupted
from jobs.crawling.tables import OBJECTS, OUTCOMES, STAGE
from jobs.keeping.stock import Stock, stock
from jobs.migrating.stages import EXECUTING, PLANNING, VERIFYING
from jobs.migrating.tables import APPLIED, APPLIES, CHANGES, EVENTS, PLANS, VERIFIED
from jobs.reporting.quality_tables import CHECKING
from jobs.using.tables import STAGE as USING
from jobs.warehouse import compaction, storage
from jobs.warehouse.datasets import Dataset, StageTables
from jobs.warehouse.inventory import REMOVED
from jobs.warehouse.locks import at_work, hold_lock
from jobs.warehouse.runs import RUNS, Run, time_of
from jobs.warehouse.warehouse import Warehouse

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)
REPOSITORY = Path(__file__).parents[2]


def stored(number: int, **more: object) -> StoredRun:
    return StoredRun(run_id=f"r{number}", started=BEGIN + number * DAY, **more)  # type: ignore[arg-type] # a test's own


def planned(name: str, run_id: str, *executions: str, day: int = 0) -> StoredPlan:
    return StoredPlan(plan=name, run_id=run_id, created=BEGIN + day * DAY, executions=executions)


def going(
    some: Sequence[StoredRun], *plans: StoredPlan, **terms: object
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    pruning = decide(some, plans, KeepTerms(**terms), BEGIN + 10 * DAY)  # type: ignore[arg-type] # a test's own
    return pruning.runs, pruning.plans


FIVE = [stored(number) for number in range(5)]


@pytest.mark.parametrize(
    ("terms", "gone"),
    [
        ({"last": 2}, "012"),
        ({"last": 9}, ""),
        ({"last": 1, "younger": 7 * DAY}, "0123"),
        ({"last": 1, "younger": 8 * DAY}, "012"),
        ({"last": 3, "younger": 7 * DAY}, "01"),
        ({"last": 1, "younger": 99 * DAY}, ""),
        ({"last": 1, "younger": timedelta()}, "0123"),
    ],
)
def test_what_neither_number_nor_age_keeps_goes(terms: dict[str, object], gone: str) -> None:
    assert going(FIVE, **terms)[0] == tuple(f"r{one}" for one in gone)


def test_nothing_goes_that_a_plan_stands_on() -> None:
    plans = planned("p0", "r0"), planned("p1", "r1", "x1"), planned("p4", "r4", day=9)
    assert going(FIVE, *plans, last=1) == (("r2", "r3"), ())
    assert going(FIVE, *plans, last=1, plans=True) == (("r0", "r2", "r3"), ("p0",))


def test_a_journal_and_the_latest_plan_stay_whatever_is_asked() -> None:
    undoing = StoredPlan(plan="u", run_id="r1", created=BEGIN, undoes="x")
    plans = planned("p0", "r0", "x"), undoing, planned("p2", "r2", day=9)
    assert going(FIVE, *plans, last=1, plans=True) == (("r3",), ())


def test_changes_go_of_plans_that_came_to_their_end_if_that_is_asked() -> None:
    ended, cut = planned("p0", "r0", "x"), replace(planned("p1", "r1", "y"), unended=("y",))
    latest = planned("p4", "r2", "z", day=9)
    terms = KeepTerms(last=1, carried_out=True)
    pruning = decide(FIVE, (ended, cut, latest), terms, BEGIN + 10 * DAY)
    assert (pruning.runs, pruning.plans, pruning.emptied) == (("r0", "r3"), (), ("p0",))
    both = planned("q0", "r0"), ended, latest
    assert decide(FIVE, both, terms, BEGIN + 10 * DAY).emptied == (), "q0 keeps their run"
    assert decide(FIVE, both, replace(terms, plans=True), BEGIN).emptied == ("p0",)


def test_of_two_plans_of_a_run_one_that_stays_keeps_all() -> None:
    plans = planned("p0", "r0"), planned("q0", "r0", "x"), planned("p4", "r4", day=9)
    assert going(FIVE, *plans, last=1, plans=True) == (("r1", "r2", "r3"), ())


def test_a_run_that_is_not_whole_keeps_no_whole_one_out() -> None:
    some = [stored(0), stored(1), stored(2, broken="x"), stored(3, broken="x")]
    assert going(some, last=1)[0] == ("r0", "r2", "r3")
    assert going([stored(0, broken="x"), stored(1, broken="x")], last=1)[0] == ("r0",)


def test_what_the_next_delete_compares_with_stays() -> None:
    some = [stored(0), stored(1, broken="x", believed=True), stored(2), stored(3)]
    pruning = decide(some, (), KeepTerms(last=1), BEGIN)
    assert pruning.runs == ("r0", "r2")
    assert "plan --delete" in pruning.kept["r1"]


def test_what_a_later_belvedere_wrote_stays() -> None:
    assert going([stored(0, foreign=True), *FIVE[1:]], last=1)[0] == ("r1", "r2", "r3")


flags = st.booleans()


@given(
    st.lists(st.tuples(st.integers(0, 9), flags, flags, flags), max_size=9),
    st.lists(st.tuples(st.integers(0, 9), flags, flags, st.integers(0, 9)), max_size=6),
    st.tuples(st.integers(1, 4), st.none() | st.integers(0, 9), flags, flags),
)
def test_whatever_is_there_all_that_stays_stands(
    made: list[tuple[int, bool, bool, bool]],
    plans: list[tuple[int, bool, bool, int]],
    asked: tuple[int, int | None, bool, bool],
) -> None:
    some = [
        StoredRun(
            run_id=f"r{number}",
            started=BEGIN + day * DAY,
            broken="x" if broken else "",
            believed=believed,
            foreign=foreign,
        )
        for number, (day, broken, believed, foreign) in enumerate(made)
    ]
    every = [
        StoredPlan(
            plan=f"p{number}",
            run_id=f"r{of}",
            created=BEGIN + day * DAY,
            executions=("x",) if executed else (),
            undoes="y" if undoes else "",
            unended=("x",) if executed and day % 2 else (),
        )
        for number, (of, executed, undoes, day) in enumerate(plans)
    ]
    last, age, also, carried_out = asked
    younger = None if age is None else age * DAY
    terms = KeepTerms(last=last, younger=younger, plans=also, carried_out=carried_out)
    pruning = decide(some, every, terms, BEGIN + 10 * DAY)
    left = [
        stored_plan
        for stored_plan in every
        if stored_plan.plan not in {*pruning.plans, *pruning.emptied}
    ]
    assert not {stored_plan.run_id for stored_plan in left} & {*pruning.runs}, (
        "no plan loses its run"
    )
    assert all(
        not stored_plan.is_journal for stored_plan in every if stored_plan.plan in pruning.plans
    )
    emptied = [stored_plan for stored_plan in every if stored_plan.plan in pruning.emptied]
    assert all(
        stored_plan.is_journal and stored_plan.ended and carried_out for stored_plan in emptied
    )
    assert {*pruning.runs} | pruning.kept.keys() == {stored_run.run_id for stored_run in some}
    assert not {*pruning.runs} & pruning.kept.keys()
    stored_runs = sorted(
        (stored_run for stored_run in some if not stored_run.broken and not stored_run.foreign),
        key=lambda stored_run: (stored_run.started, stored_run.run_id),
    )
    assert not {stored_run.run_id for stored_run in stored_runs[-last:]} & {*pruning.runs}
    assert not some or pruning.kept, "something always stays"


COUNTS = {"listed": 1, "views": 1, "failures": 0, "skipped": 0, "unread": 0, "reconciled": True}


def outcome(name: str, text: str, **more: object) -> dict[str, object]:
    model = {
        "name": name,
        "columns": [{"name": "x", "type": "integer", "nullable": True}],
        "representations": [{"type": "sql", "dialect": "hive", "sql": text}],
        "properties": {},
    }
    return {
        "source": "lake",
        "entity": "object",
        "namespace": ["db"],
        "name": name,
        "key": f"db.{name}",
        "kind": "view",
        "outcome": "view",
        "fingerprint": f"1:{text}",
        "model": json.dumps(model),
        **more,
    }


def crawled(place: Path, run_id: str, *rows: dict[str, object], day: int = 0) -> None:
    """A committed run with these outcomes."""
    warehouse = Warehouse(str(place))
    warehouse.begin(STAGE, run_id)
    for dataset in (OBJECTS, OUTCOMES):
        folder = place / dataset.name / f"run_id={run_id}"
        folder.mkdir(parents=True)
        mine = [*rows] if dataset is OUTCOMES else []
        pq.write_table(pa.Table.from_pylist(mine, dataset.schema), folder / "part-0.parquet")
    manifest = warehouse.seal(STAGE, run_id)
    at = BEGIN + day * DAY
    counts = json.dumps({"sources": {"lake": COUNTS}})
    warehouse.commit(Run(run_id, at, at, "1", 0, counts, manifest=manifest))


@pytest.fixture
def warehouse(tmp_path: Path) -> Path:
    place = tmp_path / "w"
    for number in range(4):
        crawled(place, f"r{number}", outcome("v", f"select {number}"), day=number)
    return place


def names(place: Path) -> set[str]:
    return {path.name.removeprefix("run_id=") for path in place.glob("*/run_id=*")}


def test_prune_only_says_what_it_would_do(
    warehouse: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(warehouse.rglob("*"))
    assert prune.main(["--warehouse", str(warehouse), "--keep-last", "2"]) == 0
    assert sorted(warehouse.rglob("*")) == before
    said = capsys.readouterr()
    assert said.out.splitlines()[:2] == ["would remove: run r0", "would remove: run r1"]
    assert "nothing was removed: --yes removes it" in said.err


def test_prune_says_that_there_is_nothing_to_remove(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert prune.main(["--warehouse", str(tmp_path), "--keep-last", "2"]) == 0
    assert "there is nothing to remove" in capsys.readouterr().err


def test_prune_removes_runs_and_what_was_interrupted_and_leaves_the_rest_whole(
    warehouse: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Warehouse(str(warehouse)).begin(STAGE, "killed")
    (warehouse / OBJECTS.name / "run_id=killed" / "_temporary" / "0").mkdir(parents=True)
    (warehouse / "somebody's" / "run_id=r0").mkdir(parents=True)
    arguments = ["--warehouse", str(warehouse), "--keep-last", "2", "--yes", "--json"]
    assert prune.main(arguments) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["runs"], told["interrupted"], told["done"]) == (["r0", "r1"], ["killed"], True)
    assert names(warehouse) == {"r0", "r2", "r3"}
    assert (warehouse / "somebody's" / "run_id=r0").exists(), "that is none of ours"
    assert [run.run_id for run in Warehouse(str(warehouse)).whole_runs()] == ["r2", "r3"]
    assert list(Warehouse(str(warehouse)).damage("r2")) == []
    assert prune.main(arguments) == 0
    assert json.loads(capsys.readouterr().out)["runs"] == []


def test_of_what_was_interrupted_stays_what_can_go_on_and_what_is_young() -> None:
    touched = {"old": BEGIN, "young": BEGIN + 9 * DAY, "unknown": None, "goes on": BEGIN}
    of_a_week = KeepTerms(younger=7 * DAY)
    kept = kept_interrupted(touched, "goes on", of_a_week, BEGIN + 10 * DAY)
    assert kept == {
        "young": "it was interrupted, and is younger than that",
        "goes on": "`crawl --resume` goes on with it",
    }
    assert [*kept_interrupted(touched, "goes on", KeepTerms(), BEGIN + 10 * DAY)] == ["goes on"]
    assert kept_interrupted({"old": BEGIN}, "other", of_a_week, BEGIN + 10 * DAY) == {}


def test_prune_keeps_the_interrupted_crawl_that_a_resume_goes_on_with(
    warehouse: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("before", "latest"):
        Warehouse(str(warehouse)).begin(STAGE, name)
        (warehouse / TASKS / f"run_id={name}").mkdir(parents=True)
        os.utime(warehouse / TASKS / f"run_id={name}", (time.time() - 60 * (name < "c"),) * 2)
    arguments = ["--warehouse", str(warehouse), "--yes"]
    assert prune.main([*arguments, "--keep-last", "4", "--older-than", "90d"]) == 0
    assert "stays: before: it was interrupted, and is younger" in capsys.readouterr().out
    assert prune.main([*arguments, "--keep-last", "4"]) == 0
    said = capsys.readouterr().out
    assert "removed: interrupted before" in said
    assert "stays: latest: `crawl --resume` goes on with it" in said
    assert names(warehouse) >= {"latest"}
    assert find_latest_interrupted(str(warehouse), None) == "latest"


def test_prune_ends_what_a_prune_has_begun_to_remove_however_young_it_is(
    warehouse: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (warehouse / TASKS / "run_id=killed").mkdir(parents=True)
    (warehouse / REMOVED / "run_id=killed").mkdir(parents=True)
    (warehouse / REMOVED / "run_id=killed" / "mark").touch()
    arguments = ["--warehouse", str(warehouse), "--older-than", "90d", "--keep-last", "4", "--yes"]
    assert prune.main(arguments) == 0
    assert "removed: interrupted killed" in capsys.readouterr().out


def test_a_name_that_was_made_of_the_time_says_it() -> None:
    assert time_of("20261121T050000Z-90ab") == datetime(2026, 11, 21, 5, tzinfo=UTC)
    assert time_of("nightly") is None


def test_prune_keeps_what_a_plan_stands_on(
    warehouse: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = Warehouse(str(warehouse))
    tables.note(PLANS, "p0", ("p0", "r0", BEGIN, None, "{}", None, None))
    tables.note(PLANS, "p1", ("p1", "r1", BEGIN + DAY, None, "{}", None, None))
    tables.note(APPLIES, "x0", ("x0", "p0", "anna", BEGIN))
    arguments = ["--warehouse", str(warehouse), "--keep-last", "1", "--yes"]
    assert prune.main([*arguments, "--plans"]) == 0
    assert names(warehouse) == {"r0", "p0", "x0", "r1", "p1", "r3"}, "p1 is the latest plan"
    assert "stays: r0: plan p0 stands on it" in capsys.readouterr().out
    tables.note(PLANS, "p3", ("p3", "r3", BEGIN + 2 * DAY, None, "{}", None, None))
    assert prune.main(arguments) == 0
    assert "p1" in names(warehouse), "only --plans takes plans"
    assert prune.main([*arguments, "--plans"]) == 0
    assert names(warehouse) == {"r0", "p0", "x0", "r3", "p3"}


def test_prune_takes_the_changes_of_plans_that_were_carried_out_and_what_they_wrote_stays(
    warehouse: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = Warehouse(str(warehouse))
    for name, run in (("p0", "r0"), ("p1", "r1"), ("p3", "r3")):
        tables.note(PLANS, name, (name, run, BEGIN + int(run[1]) * DAY, None, "{}", None, None))
        tables.note(CHANGES, name)
        tables.note(APPLIES, f"x-{name}", (f"x-{name}", name, "anna", BEGIN))
        tables.note(EVENTS, f"x-{name}")
    tables.note(APPLIED, "x-p0", ("x-p0", BEGIN, 0))
    arguments = ["--warehouse", str(warehouse), "--keep-last", "1", "--yes"]
    assert prune.main([*arguments, "--plans"]) == 0
    assert {"r0", "p0"} <= names(warehouse)
    capsys.readouterr()
    assert prune.main([*arguments, "--carried-out"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[:2] == ["removed: changes of plan p0", "removed: run r0"]
    assert "stays: r1: plan p1 stands on it" in said, "it has not come to its end"
    left = {path.parent.name for path in warehouse.glob("*/run_id=p0")}
    assert left == {PLANS.name}
    assert {path.parent.name for path in warehouse.glob("*/run_id=x-p0")} == {
        APPLIES.name,
        APPLIED.name,
        EVENTS.name,
    }
    assert prune.main([*arguments, "--carried-out", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["emptied"] == []


@pytest.mark.parametrize(
    ("lost", "told"),
    [((APPLIES, "x"), "applies x"), ((PLANS, "p0"), "plans p0"), ((RUNS, "r0"), "runs r0")],
)
def test_nothing_goes_while_a_row_is_lost_that_something_stands_on(
    warehouse: Path,
    capsys: pytest.CaptureFixture[str],
    lost: tuple[Dataset, str],
    told: str,
) -> None:
    tables = Warehouse(str(warehouse))
    tables.note(PLANS, "p0", ("p0", "r0", BEGIN, None, "{}", None, None))
    tables.note(CHANGES, "p0")
    tables.note(APPLIES, "x", ("x", "p0", "anna", BEGIN))
    tables.note(EVENTS, "x")
    tables.note(APPLIED, "x", ("x", BEGIN, 0))
    dataset, name = lost
    shutil.rmtree(warehouse / dataset.name / f"run_id={name}")
    before = sorted(warehouse.rglob("*"))
    arguments = ["--warehouse", str(warehouse)]
    assert prune.main([*arguments, "--keep-last", "1", "--plans", "--yes"]) == 1
    assert f"{told}: the row is lost, or cannot be read" in capsys.readouterr().err
    after = {path for path in warehouse.rglob("*") if path.parent.name != "locks"}
    assert {path for path in before if path.name != "locks"} == {
        path for path in after if path.name != "locks"
    }
    assert runs.main(arguments) == 0
    said = capsys.readouterr().out
    assert f"{told}: its row is lost, or cannot be read" in said
    assert "interrupted" not in said
    assert check.main(arguments) == 1
    assert f"{told}: its row is lost, or cannot be read; restore" in capsys.readouterr().out


@pytest.mark.parametrize("stage", [ASSESSING, USING, CHECKING])
def test_a_run_that_a_later_stage_has_read_was_committed_and_does_not_go_with_its_row(
    warehouse: Path, capsys: pytest.CaptureFixture[str], stage: StageTables
) -> None:
    tables = Warehouse(str(warehouse))
    with tables.sealing(stage, "r3"):
        tables.note(stage.datasets[0], "r3")
    shutil.rmtree(warehouse / RUNS.name / "run_id=r3")
    of_all = ["--warehouse", str(warehouse)]
    assert prune.main([*of_all, "--keep-last", "1", "--yes"]) == 1
    said = capsys.readouterr().err
    assert "runs r3: the row is lost, or cannot be read" in said
    assert "remove the folders `run_id=` of that name" in said
    assert "runs of r3 is left out" in said
    assert "belvedere prune`" not in said, "which does not go on without the row"
    assert names(warehouse) == {"r0", "r1", "r2", "r3"}
    assert runs.main(of_all) == 0
    assert "interrupted" not in capsys.readouterr().out
    for folder in warehouse.glob("*/run_id=r3"):
        shutil.rmtree(folder)
    assert prune.main([*of_all, "--keep-last", "1", "--yes"]) == 0
    assert names(warehouse) == {"r2"}


def test_a_plan_that_was_read_back_was_committed(
    warehouse: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = Warehouse(str(warehouse))
    with tables.sealing(VERIFYING, "p0"):
        tables.note(VERIFIED, "p0")
    assert prune.main(["--warehouse", str(warehouse), "--keep-last", "1", "--yes"]) == 1
    assert "plans p0: the row is lost" in capsys.readouterr().err


def test_what_a_prune_has_left_of_a_run_goes_though_a_plan_names_it(warehouse: Path) -> None:
    tables = Warehouse(str(warehouse))
    tables.note(PLANS, "p0", ("p0", "r0", BEGIN, None, "{}", None, None))
    tables.note(APPLIES, "x", ("x", "p0", "anna", BEGIN))
    shutil.rmtree(warehouse / RUNS.name / "run_id=r0")  # killed behind the row
    arguments = ["--warehouse", str(warehouse), "--keep-last", "1", "--yes"]
    assert prune.main([*arguments, "--carried-out"]) == 0
    assert "r0" not in names(warehouse)


def test_a_mark_of_a_prune_that_was_killed_before_the_row_went_goes(warehouse: Path) -> None:
    marked = [warehouse / REMOVED / f"run_id={name}" for name in ("p0", "r3")]
    Warehouse(str(warehouse)).note(PLANS, "p0", ("p0", "r3", BEGIN, None, "{}", None, None))
    for folder in marked:
        folder.mkdir(parents=True)
        (folder / "mark").touch()
    assert check.main(["--warehouse", str(warehouse)]) == 0
    assert prune.main(["--warehouse", str(warehouse), "--keep-last", "4", "--yes"]) == 0
    assert [folder for folder in marked if folder.exists()] == []
    assert {"p0", "r3"} <= names(warehouse)


def test_a_prune_needs_no_room_for_its_mark(
    warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: object, path: str, data: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)

    monkeypatch.setattr(storage.LocalStorage, "replace", full)
    assert prune.main(["--warehouse", str(warehouse), "--keep-last", "2", "--yes"]) == 0
    assert names(warehouse) == {"r2", "r3"}


def test_prune_leaves_alone_what_somebody_works_on(
    warehouse: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Warehouse(str(warehouse)).begin(STAGE, "now")
    arguments = ["--warehouse", str(warehouse), "--keep-last", "2", "--yes"]
    with hold_lock(str(warehouse), "run r0", "assess"):
        assert prune.main(arguments) == 0
    assert names(warehouse) == {"r0", "r2", "r3", "now"}
    said = capsys.readouterr().out
    assert "stays: r0: run r0 is being worked on by `belvedere assess`" in said
    assert "stays: now: somebody works in this warehouse, and it may be theirs" in said


def test_prune_leaves_alone_what_is_begun_and_ended_while_it_looks(
    warehouse: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = Warehouse(str(warehouse))

    def looks(*told: Any) -> Stock:
        tables.begin(STAGE, "now")
        tables.begin(PLANNING, "p9")
        found = stock(*told)
        crawled(warehouse, "now", day=9)  # as quick as that
        return found

    monkeypatch.setattr(prune, "stock", looks)
    arguments = ["--warehouse", str(warehouse), "--keep-last", "2", "--yes"]
    monkeypatch.setattr(prune, "at_work", lambda *_: ())  # it has looked before they began
    with hold_lock(str(warehouse), "plan p9", "plan"):
        assert prune.main(arguments) == 0
    assert [run.run_id for run in tables.whole_runs()] == ["r2", "r3", "now"]
    assert "p9" in names(warehouse)
    said = capsys.readouterr().out
    assert "stays: now: somebody works in this warehouse, and it may be theirs" in said
    assert "stays: p9: plan p9 is being worked on by `belvedere plan`" in said
    monkeypatch.undo()
    assert prune.main(arguments) == 0
    assert names(warehouse) == {"r3", "now"}


def test_prune_takes_no_run_while_a_plan_is_made(
    warehouse: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--warehouse", str(warehouse), "--keep-last", "1", "--yes"]
    with hold_lock(str(warehouse), "plan p9", "plan"):
        assert prune.main(arguments) == 0
    assert names(warehouse) == {"r0", "r1", "r2", "r3"}
    said = capsys.readouterr().out
    assert "stays: r0: a plan is being made or carried out, and may stand on it" in said
    assert prune.main(arguments) == 0
    assert names(warehouse) == {"r3"}


def test_prune_judges_nothing_where_a_row_cannot_be_read(
    warehouse: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = Warehouse(str(warehouse))
    tables.note(PLANS, "p0", ("p0", "r0", BEGIN, None, "{}", None, None))
    (junk,) = (warehouse / "plans" / "run_id=p0").glob("*.parquet")
    junk.write_bytes(b"junk")
    arguments = ["--warehouse", str(warehouse), "--keep-last", "1", "--yes"]
    assert prune.main(arguments) == 1
    assert "plans p0: the row is lost, or cannot be read" in capsys.readouterr().err
    assert names(warehouse) == {"r0", "r1", "r2", "r3", "p0"}
    with pytest.raises(EvidenceError):
        stock(str(warehouse), tables, None).insist_on_rows()


@pytest.mark.parametrize(
    "arguments",
    [[], ["--keep-last", "0"], ["--older-than", "soon"], ["--keep-last", "-3", "--yes"]],
)
def test_prune_wants_to_know_what_stays(warehouse: Path, arguments: list[str]) -> None:
    assert prune.main(["--warehouse", str(warehouse), *arguments]) == 2
    assert names(warehouse) == {"r0", "r1", "r2", "r3"}


def parts(place: Path, dataset: Dataset, *numbers: int) -> Path:
    """A dataset of a run as Spark leaves it: a file for each partition, marks and checksums."""
    folder = place / dataset.name / "run_id=r"
    (folder / "_temporary" / "0").mkdir(parents=True)
    (folder / "_temporary" / "0" / "part").touch()
    for number in numbers:
        rows = [outcome(f"v{number}", "x" * 10)]
        name = f"part-0000{number}-x.zstd.parquet"
        pq.write_table(pa.Table.from_pylist(rows, dataset.schema), folder / name)
        (folder / f".{name}.crc").touch()
    (folder / "_SUCCESS").touch()
    return folder


def test_what_is_sealed_has_one_small_file_a_dataset_and_the_same_rows(tmp_path: Path) -> None:
    warehouse = Warehouse(str(tmp_path))
    folders = [parts(tmp_path, OUTCOMES, 0, 1, 2), parts(tmp_path, OBJECTS)]
    with warehouse.sealing(STAGE, "r"):
        pass
    left = [sorted(path for path in folder.rglob("*") if path.is_file()) for folder in folders]
    assert [len(one) for one in left] == [1, 0]
    rows = Warehouse(str(tmp_path)).table(OUTCOMES, "r")
    assert [row["name"] for row in rows] == ["v0", "v1", "v2"], "in the order of the parts"
    assert [*Warehouse(str(tmp_path)).damage("r")] == []


def test_what_is_large_stays_in_its_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = parts(tmp_path, OUTCOMES, 0, 1)
    monkeypatch.setattr(compaction, "SMALL", 10)
    with Warehouse(str(tmp_path)).sealing(STAGE, "r"):
        pass
    assert len(list(folder.glob("*.parquet"))) == 2
    assert not list(folder.glob(".*"))


def appended(place: Path) -> Path:
    """A dataset of a run to which two jobs have added."""
    folder = parts(place, OUTCOMES)
    for number, name in enumerate(("one", "two")):
        (folder / name).mkdir()
        part = parts(place / name, OUTCOMES, number)
        for path in part.iterdir():
            path.rename(folder / name / path.name)
    return folder


def test_what_jobs_have_added_is_one_file_too(tmp_path: Path) -> None:
    folder = appended(tmp_path)
    with Warehouse(str(tmp_path)).sealing(STAGE, "r"):
        pass
    assert [path.parent for path in folder.rglob("*") if path.is_file()] == [folder]
    rows = Warehouse(str(tmp_path)).table(OUTCOMES, "r")
    assert [row["name"] for row in rows] == ["v0", "v1"]


def test_a_journal_keeps_its_parts_and_loses_the_marks_beside_them(tmp_path: Path) -> None:
    folder = appended(tmp_path)
    with Warehouse(str(tmp_path)).sealing(replace(STAGE, is_journal=True), "r"):
        pass
    left = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    assert left == ["one/part-00000-x.zstd.parquet", "two/part-00001-x.zstd.parquet"]
    assert EXECUTING.is_journal


STOPPED = """
import os, signal, sys
from jobs import prune
from jobs.warehouse import storage

left = int(sys.argv.pop())
clear = storage.LocalStorage.clear

def clear_or_die(self, folder):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    clear(self, folder)

storage.LocalStorage.clear = clear_or_die
sys.exit(prune.main(sys.argv[1:]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("step", [1, 2, 3, 4, 5, 6])
def test_a_prune_that_is_killed_leaves_whole_runs_and_the_next_one_ends_it(
    warehouse: Path, step: int, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--warehouse", str(warehouse), "--keep-last", "2", "--yes"]
    done = subprocess.run(
        [sys.executable, "-c", STOPPED, *arguments, str(step)],
        cwd=REPOSITORY,
        env=os.environ,
        check=False,
        capture_output=True,
    )
    assert done.returncode == -signal.SIGKILL
    tables = Warehouse(str(warehouse))
    assert [run.run_id for run in tables.whole_runs()] == [run.run_id for run in tables.runs()]
    assert runs.main(["--warehouse", str(warehouse), "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert all(one["whole"] for one in told if "run_id" in one)
    left = {1: ["r0"], 2: ["r0"], 3: ["r0"], 4: ["r0"], 5: [], 6: ["r1"]}[step]
    assert [one["interrupted"] for one in told if "interrupted" in one] == left
    assert check.main(["--warehouse", str(warehouse)]) == 0
    said = capsys.readouterr()
    assert said.out == "", "no row is lost"
    assert [line.partition(":")[0] for line in said.err.splitlines()] == left
    assert "is left out" not in said.err
    assert prune.main(arguments) == 0
    assert names(warehouse) == {"r2", "r3"}


def test_a_recrawl_overwrites_no_run_that_another_has_made_since_it_looked(
    warehouse: Path, estate: Callable[..., RunConfig], monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def slow(place: str, what: str, *told: Any) -> Iterator[None]:
        if what == "run again":
            crawled(warehouse, "again", day=8)
        with hold_lock(place, what, *told):
            yield

    monkeypatch.setattr(recrawl, "hold_lock", slow)
    made, spark = estate({"lake": {"kind": "archive", "path": "a"}}), cast("Any", None)
    config = replace(made, warehouse=str(warehouse))
    with pytest.raises(ConfigurationError, match="run again is there already"):
        recrawl.recrawl(spark, config, "r0", "again")
    assert list(Warehouse(str(warehouse)).damage("again")) == []


def test_runs_says_that_there_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert runs.main(["--warehouse", str(tmp_path / "none")]) == 0
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", f"{tmp_path}/none: there is no run\n")


def test_runs_says_what_there_is(warehouse: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tables = Warehouse(str(warehouse))
    tables.note(PLANS, "p0", ("p0", "r0", BEGIN, None, "{}", None, None))
    for name in ("x0", "x1"):
        tables.note(APPLIES, name, (name, "p0", "anna", BEGIN))
    tables.note(APPLIED, "x0", ("x0", BEGIN, 0))
    (warehouse / "outcomes" / "run_id=r1" / "part-0.parquet").unlink()
    tables.begin(STAGE, "now")
    with hold_lock(str(warehouse), "run now", "crawl"):
        assert runs.main(["--warehouse", str(warehouse)]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert runs.main(["--warehouse", str(warehouse), "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[0].startswith("r0  2026-01-01T00:00:00+00:00  exit code 0, whole; 1 views")
    assert lines[1] == "  plan p0: carried out by x0; begun by x1, and not ended"
    assert "BROKEN: outcomes of r1: the file part-0.parquet is missing" in lines[2]
    assert lines[-1].startswith("now  worked on by `belvedere crawl`")
    assert [one["whole"] for one in told[:-1]] == [True, False, True, True]
    assert told[0]["plans"] == [
        {"plan": "p0", "executions": ["x0", "x1"], "unended": ["x1"], "undoes": None}
    ]
    assert told[0]["files"] == len(list(warehouse.glob("*/run_id=r0/*")))


def test_runs_calls_no_run_whole_of_which_a_later_stage_has_lost_something(
    warehouse: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = Warehouse(str(warehouse))
    for name in ("r0", "r1"):
        with tables.sealing(ASSESSING, name):
            tables.note(WAVES, name, ("lake", ["db"], "v", "db.v", 1, None, None))
    next((warehouse / "waves" / "run_id=r0").iterdir()).unlink()
    (warehouse / "manifests" / "run_id=r1" / "assess.json").write_text("{", encoding="utf-8")
    tables.begin(ASSESSING, "r2")
    assert runs.main(["--warehouse", str(warehouse)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "BROKEN: waves of r0: the file part-0.zstd.parquet is missing; run `belve" in lines[0]
    assert "assess.json: is no manifest" in lines[1]
    assert "assessed" not in lines[1]
    assert "exit code 0, whole; 1 views" in lines[2], "a stage that has not ended promised nothing"


def test_check_says_of_each_run_what_it_lacks_though_a_manifest_cannot_be_read(
    warehouse: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (warehouse / "manifests" / "run_id=r0" / "crawl.json").write_text("{", encoding="utf-8")
    (warehouse / "outcomes" / "run_id=r2" / "part-0.parquet").unlink()
    assert check.main(["--warehouse", str(warehouse)]) == 1
    junk, lost = capsys.readouterr().out.splitlines()
    assert "run_id=r0/crawl.json: is no manifest" in junk
    assert lost.startswith("outcomes of r2: the file part-0.parquet is missing; ")


def test_diff_says_what_is_otherwise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "w"
    gone = {"outcome": "failure", "stage": "read", "code": "DENIED", "fingerprint": None}
    hole = {"entity": "namespace", "key": "dark", "namespace": ["dark"]}
    dark = outcome("d", "1", namespace=["dark"], key="dark.d")
    before = [outcome(name, "1") for name in ("same", "other", "gone", "denied")]
    after = [outcome("same", "1"), outcome("other", "2"), outcome("new", "1")]
    unlisted = {"outcome": "failure", "stage": "list", "code": "DENIED", "fingerprint": None}
    crawled(place, "a", *before, dark)
    crawled(
        place,
        "b",
        *after,
        outcome("denied", "1", **gone),
        outcome("", "", **{**hole, **unlisted}),
        day=1,
    )
    arguments = ["a", "b", "--warehouse", str(place)]
    assert diff.main(arguments) == 0
    said = capsys.readouterr()
    assert [" ".join(line.split()) for line in said.out.splitlines()] == [
        "unknown lake dark.d: not listed this time",
        "newly broken lake db.denied: DENIED",
        "vanished lake db.gone",
        "appeared lake db.new",
        "changed lake db.other: representations.hive",
    ]
    assert "a -> b: 1 " in said.err
    assert diff.main([*arguments, "--json", "--exit-code"]) == 3
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows[-1] == {
        "sort": "changed",
        "source": "lake",
        "namespace": ["db"],
        "name": "other",
        "key": "db.other",
        "detail": ["representations.hive"],
    }
    assert diff.main([*arguments, "--source", "shop", "--exit-code"]) == 2
    assert diff.main(["a", "a", "--warehouse", str(place)]) == 2
    assert diff.main(["a", "zz", "--warehouse", str(place)]) == 2
    capsys.readouterr()
    for names in ([], ["a"]):
        assert diff.main([*names, "--warehouse", str(place)]) == 0
        assert "a -> b: 1 " in capsys.readouterr().err
    shutil.rmtree(place / "runs" / "run_id=a")
    assert diff.main(["--warehouse", str(place)]) == 2
    assert "b is the first run of the warehouse" in capsys.readouterr().err
    assert RUNS.name == "runs"


@pytest.mark.parametrize("below", ["", "/deeper"])
def test_a_file_is_no_warehouse(
    tmp_path: Path, below: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (place := tmp_path / "views.jsonl").write_text("{}", encoding="utf-8")
    for command in (runs, check, diff):
        assert command.main(["--warehouse", f"{place}{below}"]) == 2
        assert f"{place}{below}: is no folder" in capsys.readouterr().err


@pytest.mark.parametrize("below", ["", "/deeper"])
def test_a_link_that_leads_round_is_no_warehouse(
    tmp_path: Path, below: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (place := tmp_path / "itself").symlink_to(tmp_path / "itself")
    for command in (runs, check, diff):
        assert command.main(["--warehouse", f"{place}{below}"]) == 2
        assert f"{place}{below}: is no folder" in capsys.readouterr().err


def test_what_may_not_be_looked_into_is_not_taken_for_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "locks").mkdir()

    def refused(path: str) -> Iterator[os.DirEntry[str]]:
        raise PermissionError(errno.EACCES, "Permission denied", path)

    monkeypatch.setattr(os, "scandir", refused)
    with pytest.raises(PermissionError):
        list(at_work(str(tmp_path)))


@pytest.mark.parametrize("dataset", ["outcomes", "waves", "manifests", "runs"])
def test_a_folder_that_may_not_be_looked_into_costs_its_own_run(
    warehouse: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    dataset: str,
) -> None:
    tables = Warehouse(str(warehouse))
    with tables.sealing(ASSESSING, "r1"):
        tables.note(WAVES, "r1", ("lake", ["db"], "v", "db.v", 1, None, None))
    closed, real = warehouse / dataset / "run_id=r1", os.scandir

    def looked_into(path: str) -> Iterator[os.DirEntry[str]]:
        if Path(path) == closed:
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return real(path)

    monkeypatch.setattr(os, "scandir", looked_into)
    why, of_all = f"{closed}: Permission denied", ["--warehouse", str(warehouse)]
    if dataset == "runs":
        why = "runs r1: its row is lost, or cannot be read"
    assert check.main(of_all) == 1
    (told,) = capsys.readouterr().out.splitlines()
    assert why in told
    assert runs.main(of_all) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(any(name in line for line in lines) for name in ("r0", "r1", "r2", "r3"))
    assert [line for line in lines if why in line] == [line for line in lines if "r1" in line]
    if dataset != "waves":  # whose run is whole, as it was crawled
        assert prune.main([*of_all, "--keep-last", "1", "--yes"]) == 1
        assert "nothing goes while that is so" in capsys.readouterr().err
        assert names(warehouse) == {"r0", "r1", "r2", "r3"}
