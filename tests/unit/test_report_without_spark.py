"""A report of few objects: no session is made for it, and it says what the tables say."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from discovery.errors import EvidenceError
from discovery.judging.drift import GONE
from jobs import report as report_command
from jobs.assessing import tables as assessed
from jobs.crawling import tables as crawled
from jobs.migrating import tables as migrating
from jobs.report import EVERY, ReportScope, write_report
from jobs.reporting import drift, in_memory, quality_tables
from jobs.reporting.run_tables import RunTables
from jobs.warehouse.datasets import Dataset
from jobs.warehouse.runs import Run
from jobs.warehouse.warehouse import Warehouse
from reports.head import Blocker, Drift, ReportHead

DAY = datetime(2026, 11, 21, tzinfo=UTC)


class SparkIsStartedError(Exception):
    """What must not be."""


def no_session() -> SparkSession:
    raise SparkIsStartedError


def note(warehouse: Warehouse, dataset: Dataset, run: str, *rows: dict[str, Any]) -> None:
    plain: dict[str, Any] = dict.fromkeys(dataset.names)
    warehouse.note(dataset, run, *(tuple({**plain, **row}.values()) for row in rows))


def place(name: str) -> dict[str, Any]:
    return {"source": "lake", "namespace": ["db"], "name": name, "key": f"db.{name}"}


def view(name: str, fingerprint: str = "1:0") -> dict[str, Any]:
    text = {"type": "sql", "dialect": "spark", "sql": f"SELECT {fingerprint[2:]} AS a"}
    columns = [{"name": "a", "type": "integer", "nullable": True}]
    model = {"name": name, "columns": columns, "representations": [text], "properties": {}}
    known = {"entity": "object", "outcome": "view", "format": "spark", "dialects": ["spark"]}
    more = {"columns": 1, "owner": "anna", "notes": [], "fingerprint": fingerprint}
    return {**place(name), **known, **more, "model": json.dumps(model), "raw": ""}


def lost(name: str, code: str, outcome: str = "failure", entity: str = "object") -> dict[str, Any]:
    told: dict[str, Any] = {
        "stage": "decode",
        "code": code,
        "message": "what",
        "hint": None,
        "notes": [],
    }
    return {**place(name), **told, "entity": entity, "outcome": outcome, "raw": ""}


def commit(warehouse: Warehouse, run: str, day: datetime, *outcomes: dict[str, Any]) -> None:
    note(warehouse, crawled.OUTCOMES, run, *outcomes)
    found = {word: sum(outcome["outcome"] == word for outcome in outcomes) for word in WORDS}
    counts = {WORDS[word]: number for word, number in found.items()}
    told = {
        "sources": {
            "lake": {**counts, "listed": len(outcomes), "reconciled": True, "namespaces": 1}
        }
    }
    warehouse.commit(Run(run, day, day, "0.1.0", 0, json.dumps(told)))


WORDS = {"view": "views", "failure": "failures", "skipped": "skipped"}


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """The run `first`, and the run `then`, which is assessed and planned."""
    made = Warehouse(str(tmp_path / "w"))
    commit(made, "first", DAY, view("a"), view("b"), view("gone"))
    now = (view("a"), view("b", "1:1"), view("c"), lost("d", "BAD"), lost("t", "TABLE", "skipped"))
    commit(made, "then", DAY.replace(day=22), *now)
    cell = {"engine": "spark", "status": "native", "grade": "PARSE"}
    note(made, assessed.MATRIX, "then", *({**place(name), **cell} for name in "abc"))
    odd = {"code": "ODD", "severity": "warning", "message": "m", "hint": "do that"}
    note(made, assessed.FINDINGS, "then", {**place("b"), **odd})
    reads = {"base_source": "lake", "base_key": "db.a", "dialect": "spark", "written": ["a"]}
    note(made, assessed.REFERENCES, "then", *({**place(name), **reads} for name in "bc"))
    aside = {"aside": "MISSING_BASE", "because": ["lake/db.x"]}
    order = ({**place("a"), "wave": 1}, {**place("b"), "wave": 2}, {**place("c"), **aside})
    note(made, assessed.WAVES, "then", *order)
    for dataset in (assessed.VERDICTS, assessed.LINEAGE):
        note(made, dataset, "then")
    targets = json.dumps({"t": {"store": "archive", "route": "", "served": True}})
    made.note(migrating.PLANS, "p", ("p", "then", DAY.replace(day=23), None, targets, "", None))
    at = {"namespace": ["db"], "name": "b", "key": "db.b"}
    change = {**at, "target": "t", "origins": [{"source": "lake", "key": "db.b"}]}
    blocked = {**change, "action": "blocked", "code": "NAME", "reason": "taken"}
    note(made, migrating.CHANGES, "p", blocked)
    return made


def report(warehouse: Warehouse, folder: Path, run: str | None = None) -> ReportHead:
    return write_report(no_session, warehouse, run, folder, ReportScope(EVERY))


@pytest.mark.parametrize("file", ["belvedere.html", "belvedere.json", "drift.jsonl"])
def test_a_disk_that_is_full_is_told_with_the_folder(
    warehouse: Warehouse, tmp_path: Path, file: str
) -> None:
    (folder := tmp_path / "r").mkdir()
    (folder / f".{file}.part").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left") as raised:
        report(warehouse, folder)
    assert raised.value.filename == str(folder)


def test_a_check_of_quality_that_was_killed_is_told_and_costs_no_report(
    warehouse: Warehouse, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    warehouse.begin(quality_tables.CHECKING, "then")
    assert report(Warehouse(str(tmp_path / "w")), tmp_path / "r").quality is None
    assert "quality: its check has not ended, or was interrupted" in capsys.readouterr().err
    note(warehouse, quality_tables.QUALITY, "then", {"name": "rows.a"})
    warehouse.seal(quality_tables.CHECKING, "then")
    (file,) = (tmp_path / "w" / "quality" / "run_id=then").rglob("*.parquet")
    file.unlink()
    with pytest.raises(EvidenceError, match="is missing"):
        report(Warehouse(str(tmp_path / "w")), tmp_path / "r")


def test_no_session_is_made_for_few_objects(warehouse: Warehouse, tmp_path: Path) -> None:
    head = report(warehouse, tmp_path / "r")
    assert head.standing == {"ready": 1, "needs review": 0, "blocked": 3, "not judged": 0}
    assert (head.total, head.failures) == (4, 1)
    assert {(cause.code, cause.sort, cause.number, cause.holds) for cause in head.causes} == {
        ("BAD", "failure", 1, 1),
        ("NAME", "planned", 1, 1),
        ("MISSING_BASE", "set aside", 1, 1),
        ("ODD", "warning", 1, 0),
    }
    assert [(loss.code, loss.sort) for loss in head.losses] == [
        ("BAD", "failure"),
        ("TABLE", "skipped"),
    ]
    assert head.waves is not None
    assert head.waves.sizes == (1, 1)
    assert head.waves.bases == (Blocker("lake/db.a", 0, "", 2, 2),)
    assert head.waves.blockers == (Blocker("lake/db.x", None, "MISSING_BASE", 1, 1),)
    (target,) = head.plan or ()
    assert target.actions == {"blocked": 1}
    views = json.loads((tmp_path / "r" / "belvedere.json").read_text(encoding="utf-8"))["views"]
    assert {one["name"]: one["reason"] for one in views} == {
        "a": None,
        "b": "NAME",
        "c": "MISSING_BASE",
        "d": "BAD",
    }


def test_tables_of_others_beside_those_of_the_run_stay(
    warehouse: Warehouse, tmp_path: Path
) -> None:
    (tables := tmp_path / "r" / "tables").mkdir(parents=True)
    for name in ("sales", "verified_live"):
        (tables / f"{name}.parquet").write_text("before", encoding="utf-8")
    report(warehouse, tmp_path / "r")
    left = {path.name for path in tables.iterdir()}
    assert left >= {"sales.parquet", "outcomes.parquet", "waves.parquet"}
    assert "verified_live.parquet" not in left, "it was of another report"


def test_what_was_written_of_a_plan_is_counted_once_for_each_view_by_its_action_there(
    warehouse: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = {"a": "create", "b": "blocked", "c": "create", "d": "create", "gone": "drop"}
    planned = (
        {"target": "t", "key": f"db.{name}", "action": action} for name, action in wanted.items()
    )
    note(warehouse, migrating.CHANGES, "p", *planned)
    done = {"target": "t", "action": "create", "result": "done"}
    again, dropped = {**done, "result": "recovered"}, {**done, "action": "drop"}
    written = [{**done, "key": "db.a"}, {**again, "key": "db.a"}, {**done, "key": "db.c"}]
    failed = {**done, "key": "db.d", "result": "failed"}
    adopted = {**done, "key": "db.b"}  # which the plan has blocked
    told = (*written, failed, adopted, {**dropped, "key": "db.gone"})
    note(warehouse, migrating.EVENTS, "e", *told)
    monkeypatch.setattr(RunTables, "executions", ["e"])
    (target,) = report(warehouse, tmp_path / "r").plan or ()
    assert target.written == {"create": 2, "drop": 1, "blocked": 1}


def test_what_has_changed_is_told_without_spark(warehouse: Warehouse, tmp_path: Path) -> None:
    head = report(warehouse, tmp_path / "r")
    assert isinstance(head.drift, Drift)
    told = {(example.sort, example.name, example.detail) for example in head.drift.examples}
    assert told == {
        ("vanished", "db.gone", ()),
        ("changed", "db.b", ("representations.spark",)),
        ("appeared", "db.c", ()),
    }
    lines = (tmp_path / "r" / "drift.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3
    assert [course_point.run_id for course_point in head.course] == ["first", "then"]
    assert report(warehouse, tmp_path / "r", "first").drift is None
    assert not (tmp_path / "r" / "drift.jsonl").exists(), "it was of another report"


def test_changes_that_are_cut_short_leave_no_file(warehouse: Warehouse, tmp_path: Path) -> None:
    change = {"source": "s", "namespace": ["d"], "name": "v", "key": "d.v", "detail": []}

    def some() -> Iterator[dict[str, Any]]:
        yield {**change, "sort": GONE}
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        drift.write(some(), tmp_path, warehouse.run("first"), None)
    assert not (tmp_path / drift.FILE).exists()


def test_many_views_are_lines_of_json(
    warehouse: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def written() -> set[str]:
        write_report(no_session, warehouse, None, tmp_path / "r", ReportScope())
        return {path.name for path in (tmp_path / "r").glob("*.json*")} - {"drift.jsonl"}

    assert written() == {"belvedere.json"}
    monkeypatch.setattr(report_command, "MANY", 3)
    assert written() == {"belvedere.json", "views.jsonl"}, "what an earlier report wrote stays"


@pytest.mark.parametrize("few", [2, 4, 5])
def test_a_session_is_made_where_any_run_that_it_looks_at_is_large(
    warehouse: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    commit(warehouse, "large", DAY.replace(day=20), *map(view, "abcdef"))
    monkeypatch.setattr(in_memory, "FEW", few)  # those after it have 3 and 5
    with pytest.raises(SparkIsStartedError):
        report(warehouse, tmp_path / "r")
    monkeypatch.setattr(in_memory, "FEW", 6)
    assert report(warehouse, tmp_path / "r").total == 4
