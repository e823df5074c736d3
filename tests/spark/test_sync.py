"""Turns of `sync`: sources are followed, others never overwritten, and readiness is told."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from discovery.errors import LockedError
from jobs import prune
from jobs.console.command import ExitReason
from jobs.cutover import check
from jobs.migrating import journal
from jobs.run import RunRequest
from jobs.sync import follow
from jobs.tables import TABLES
from jobs.warehouse.locks import hold_lock
from jobs.warehouse.warehouse import Warehouse
from tests.conftest import estate_in, hive_entry, spark_entry
from tests.migrated import BASE, TABLE, TOP, Migration, latest, restored

MORE = [hive_entry(f"more_{number}", "select 1 as `id`") for number in range(4)]
OTHER = hive_entry("other", "select `t`.`id` from `rel`.`t`")


@pytest.fixture
def sync(spark: SparkSession, tmp_path: Path) -> "Sync":
    return Sync(spark, tmp_path)


@pytest.fixture(scope="module")
def begun(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a first turn."""
    made = Sync(spark, tmp_path_factory.mktemp("begun"))
    made.has(TABLE, BASE, TOP)
    assert made.turn() == 0
    return made.folder


@pytest.fixture
def followed(spark: SparkSession, begun: Path, tmp_path: Path) -> "Iterator[Sync]":
    """A first turn, in a folder that is afterwards as it was."""
    with restored(begun, tmp_path / "kept"):
        made = Sync(spark, begun)
        made.has(TABLE, BASE, TOP)
        yield made


class Sync:
    """An archive as the source, another as the target, and turns between them."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self.spark, self.folder = spark, folder
        target = {"kind": "archive", "path": str(folder / "target")}
        vanishing = {"severity": {"drift.vanished": "warning"}}
        self.more: dict[str, Any] = {"targets": {"t": target}, "engines": [], "quality": vanishing}
        self.migration = Migration(spark, estate_in(folder), folder, self.more)

    def has(self, *entries: dict[str, Any], exclude: Sequence[str] = ()) -> None:
        """What the source has from now on, beside what never changes, and what is left out."""
        path = self.folder / "a.jsonl"
        lines = [json.dumps({"kind": "hive_table", "payload": one}) for one in (*entries, *MORE)]
        path.write_text("\n".join(lines), encoding="utf-8")
        sources = {"a": {"kind": "archive", "path": str(path), "exclude": list(exclude)}}
        self.config = estate_in(self.folder)(sources, **self.more)
        self.migration.config = self.config

    def turn(self) -> int:
        file = self.folder / "estate.yaml"
        wanted = RunRequest(file, self.folder / "sync", True, None, "bob", follows=True)
        return follow(self.spark, self.config, wanted)[1]

    def checked(self) -> tuple[dict[str, Any], list[ExitReason]]:
        """What is left until the cut-over."""
        return check(self.spark, self.config, self.folder / "estate.yaml", self.folder / "cutover")

    def ready(self) -> dict[str, Any]:
        told, reasons = self.checked()
        assert told["ready"] is not bool(reasons)
        return told

    def there(self) -> dict[str, str]:
        """Name to text of what the target holds, beside what never changes."""
        views = self.migration.there()
        texts = {name: view.representations[0].sql for name, view in views.items()}
        return {name: sql for name, sql in texts.items() if "more" not in name}

    def dialects(self, name: str) -> list[str]:
        """Of a view of the target."""
        return [
            representation.dialect
            for representation in self.migration.there()[name].representations
        ]

    def edit(self, name: str, old: str, new: str) -> None:
        """Change a text at the target, as somebody else would."""
        path = self.folder / "target" / "rel" / f"{name}.json"
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    def aside(self) -> dict[str, str]:
        """Key to code of what the last plan has set aside."""
        warehouse = Warehouse(self.config.warehouse)
        plans = sorted(warehouse.table(TABLES["plans"], "*"), key=lambda row: row["created"])
        rows = warehouse.table(TABLES["changes"], plans[-1]["plan"])
        return {row["key"]: row["code"] for row in rows if row["action"] == "blocked"}


def test_sources_are_followed_and_others_never_overwritten(
    sync: Sync, capsys: pytest.CaptureFixture[str]
) -> None:
    sync.has(TABLE, BASE, TOP)
    assert sync.turn() == 0
    assert " t: 6 there, 0 left\n" in capsys.readouterr().err, "as it has written them"
    assert sync.there().keys() == {"rel.base", "rel.top"}
    told = sync.ready()
    assert told["ready"], "the target has all that its sources have"
    assert told["since"].endswith("nothing has changed")

    sync.edit("top", "select", "SELECT")  # by somebody else
    (sync.folder / "target" / "rel" / "theirs.json").write_text(
        (sync.folder / "target" / "rel" / "top.json").read_text().replace('"top"', '"theirs"')
    )
    sync.has(TABLE, hive_entry("base", "select `t`.`id` from `rel`.`t` where 1 = 1"), TOP, OTHER)
    told = sync.ready()
    assert not told["ready"]
    assert told["since"].endswith("1 changed, 1 appeared") or "changed" in told["since"]
    assert told["targets"]["t"]["left"] == 3
    assert sum(one["views"] for one in told["left"]) == 3
    assert sync.turn() == 3
    assert sync.aside() == {"rel.top": "TARGET_CHANGED"}
    there = sync.there()
    assert there["rel.base"].endswith("where 1 = 1"), "what has changed is written"
    assert there["rel.top"].startswith("SELECT"), "what somebody else has changed stays"
    assert there.keys() == {"rel.base", "rel.top", "rel.other", "rel.theirs"}

    sync.edit("top", "SELECT", "select")
    sync.edit("other", "select", "SELECT")
    sync.has(TABLE, hive_entry("base", "select `t`.`id` from `rel`.`t` where 1 = 1"), TOP)
    assert sync.turn() == 3
    assert sync.aside() == {"rel.other": "TARGET_CHANGED"}, "gone, but it is somebody's now"
    assert "rel.other" in sync.there()
    sync.edit("other", "SELECT", "select")
    assert sync.turn() == 0
    assert sync.there().keys() == {"rel.base", "rel.top", "rel.theirs"}, "ours is dropped"

    sync.has(TABLE, hive_entry("base", "select `t`.`id` from `rel`.`t`"), exclude=["rel.to*"])
    assert sync.turn() == 0
    assert "t: 1 view stays where no rule leads any more: their" in capsys.readouterr().err
    assert "rel.top" in sync.there(), "nobody has asked whether it is gone"
    sync.has(TABLE, hive_entry("base", "select `t`.`id` from `rel`.`t`"))
    assert sync.turn() == 0
    assert "rel.top" not in sync.there()


def test_what_nobody_could_read_is_not_ready_and_what_goes_nowhere_is_told(
    followed: Sync, capsys: pytest.CaptureFixture[str]
) -> None:
    sync = followed
    sync.more |= {
        "fail_on": {"undecoded": 1},
        "mapping": [{"source": "a", "target": "t", "exclude": ["rel.more_0"]}],
    }
    sync.has(TABLE, BASE, TOP)
    told = sync.ready()
    assert (told["ready"], told["unmapped"]) == (True, 1)
    assert "1 view goes to no target by `mapping`" in capsys.readouterr().err
    damaged = {**OTHER, "viewOriginalText": "/* Presto View: ? */"}
    damaged["parameters"] = {"presto_view": "true"}
    sync.has(TABLE, BASE, TOP, damaged)
    told, (reason,) = sync.checked()
    assert told["targets"]["t"]["left"] == 0, "so much is no failure of the crawl"
    assert reason.sentence.startswith("a: 1 object or namespace could not be read")
    assert f"--run-id {told['run_id']} --source a --outcome failure" in reason.then


def test_what_has_changed_is_told_since_what_stands(followed: Sync) -> None:
    sync = followed
    sync.has(TABLE, BASE, TOP, OTHER)
    assert sync.turn() == 0
    sync.migration.undo(latest(sync.migration))
    assert sync.ready()["since"].endswith("which was applied last: 1 appeared")
    kept = ["--keep-last", "1", "--plans", "--carried-out", "--yes"]
    prune.main(["--warehouse", sync.config.warehouse, *kept])
    assert "which was applied last, nobody knows" in sync.ready()["since"]


def test_a_source_that_shows_far_less_is_doubted_until_a_person_says_that_it_is_so(
    followed: Sync, capsys: pytest.CaptureFixture[str]
) -> None:
    sync, before = followed, followed.there()
    sync.has()  # a user who may not see them is shown no error, either
    for night in range(2):
        assert sync.turn() == 3, night
        assert sync.there() == before, night
        told = capsys.readouterr().err
        assert "exit code 3: nothing is dropped: a has 4 objects, and had 7 in run" in told
        assert "--delete --allow-shrink --out by-hand" in told, "what a person would say"
    assert not sync.ready()["ready"], "what is too much is not told to be ready"
    prune.main(["--warehouse", sync.config.warehouse, "--keep-last", "1", "--plans", "--yes"])
    assert sync.turn() == 3, "what it is compared with stays"
    sync.migration.plan(delete=True, shrunk=True)
    assert sync.migration.apply(delete=True).exit_code == 0
    assert sync.there() == {}
    assert sync.turn() == 0, "that was said once, and counts from then on"


def test_what_an_undo_has_taken_back_is_not_done_again_until_its_source_changes(
    followed: Sync,
) -> None:
    sync, before = followed, followed.there()
    changed = hive_entry("base", "select `t`.`id` from `rel`.`t` where 1 = 1")
    sync.has(TABLE, changed, OTHER)  # one is replaced, one dropped, one made
    assert sync.turn() == 0
    undone = sync.migration.undo(latest(sync.migration))
    assert undone.written == 3
    assert sync.there() == before
    assert sync.turn() == 3
    assert sync.there() == before
    assert sync.aside() == dict.fromkeys(("rel.base", "rel.top", "rel.other"), "UNDONE")
    again = hive_entry("base", "select `t`.`id` from `rel`.`t` where 2 = 2")
    sync.has(TABLE, again, TOP)
    assert sync.turn() == 0
    there = sync.there()
    assert (there.keys(), there["rel.top"]) == (before.keys(), before["rel.top"])
    assert there["rel.base"].endswith("where 2 = 2")


def test_what_an_undo_has_given_back_to_somebody_else_is_theirs(sync: Sync) -> None:
    sync.has(TABLE, BASE, OTHER)
    assert sync.turn() == 0
    sync.edit("base", "select", "SELECT")  # by somebody else
    assert sync.migration.counts(sync.migration.plan())["replace"] == 1
    assert sync.migration.undo(sync.migration.apply().run).written == 1
    sync.has(TABLE, OTHER)
    assert sync.turn() == 0
    assert sync.aside() == {}, "nothing there is ours, so nobody has to be told"
    assert sync.there()["rel.base"].startswith("SELECT")
    sync.edit("base", "SELECT", "select")
    assert sync.turn() == 0
    assert "rel.base" in sync.there(), "nor is it where it looks like ours"


def test_a_view_that_another_engine_has_made_anew_leaves_no_old_text_behind(sync: Sync) -> None:
    sync.has(TABLE, BASE, TOP, OTHER)
    assert sync.turn() == 0
    anew = spark_entry("base", "select `t`.`id` from `rel`.`t` where 1 = 1")
    damaged = {**OTHER, "viewOriginalText": "/* Presto View: ? */"}
    damaged["parameters"] = {"presto_view": "true"}
    sync.has(TABLE, anew, TOP, damaged)
    assert sync.turn() == 3
    assert sync.dialects("rel.base") == ["spark"]
    assert "rel.other" in sync.there(), "what cannot be decoded is at its source, so it stays"
    sync.has(TABLE, anew, TOP)
    assert sync.turn() == 0
    assert "rel.other" not in sync.there(), "now it is gone"


def test_a_turn_that_was_killed_is_ended_by_the_next_one(
    sync: Sync, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sync.has(TABLE, BASE, TOP)

    class Killed(BaseException):
        """The driver is no more."""

    def killed(_: object, events: DataFrame) -> None:
        events.collect()  # the target is written, no event is noted
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(journal.Journal, "note", killed)
        with pytest.raises(Killed):
            sync.turn()
    assert sync.there(), "something was written"
    sync.has(TABLE, hive_entry("base", "select `t`.`id` from `rel`.`t` where 1 = 1"), TOP)
    capsys.readouterr()
    assert sync.turn() == 0
    assert "the turn before was interrupted: it is ended first" in capsys.readouterr().err
    assert sync.there()["rel.base"].endswith("where 1 = 1"), "it is known to be ours"


def test_two_turns_at_once_are_refused(sync: Sync) -> None:
    sync.has(TABLE, BASE)
    with (
        hold_lock(sync.config.warehouse, "sync", "sync", sync.spark),
        pytest.raises(LockedError, match="sync"),
    ):
        sync.turn()
