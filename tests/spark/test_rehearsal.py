"""A move is rehearsed on a copy of the target: written, read back, reported, and taken back."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from connectors.archive_store import ArchiveStore
from discovery.errors import ConfigurationError, LockedError
from discovery.exercises import Agreement, ExerciseAnswer
from jobs.configuration import exercised, identity, loader
from jobs.migrating.rehearsal import ALIKE
from jobs.rehearse import RehearsalRequest, Rehearsed, rehearse
from jobs.warehouse.locks import hold_lock
from tests.conftest import estate_in, hive_entry
from tests.migrated import BASE, TABLE, TOP, Killed, Migration, killed_at, restored

OTHER = hive_entry("other", "select `t`.`id` from `rel`.`t` where 1 = 0")


class Rehearsals:
    """An estate of which `base` is at the target already, and a copy of that."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self.spark, self.folder = spark, folder
        self.target, self.copy = folder / "target", folder / "copy"
        target = {"kind": "archive", "path": str(self.target)}
        rehearsal = {"path": str(self.copy)}
        more = {"targets": {"t": {**target, "rehearsal": rehearsal}}, "engines": []}
        self.migration = Migration(spark, estate_in(folder), folder, more)
        self.run = ""

    def begin(self) -> None:
        """Crawl, migrate and crawl again."""
        self.migration.crawl(TABLE, BASE)
        self.migration.plan()
        self.migration.apply()
        self.run = self.migration.crawl(TABLE, BASE, TOP, OTHER)
        shutil.copytree(self.target, self.copy)

    def rehearsed(self, *, keeps: bool = False, live: bool = False) -> Rehearsed:
        file, out = self.folder / "estate.yaml", self.folder / "rehearsal"
        wanted = RehearsalRequest(file, out, None, "bob", keeps, live)
        return rehearse(self.spark, self.migration.config, wanted)

    def killed_over_its_namespace(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Kill a rehearsal that has made a namespace at the copy, before it removes that."""

        def kill(*_: object) -> tuple[tuple[str, ...], ...]:
            raise Killed

        with monkeypatch.context() as patched:
            patched.setattr(ArchiveStore, "remove", kill)
            with pytest.raises(Killed):
                self.rehearsed()

    def files(self, folder: str) -> dict[str, bytes]:
        root = self.folder / folder
        return {
            str(path.relative_to(root)): path.read_bytes()
            for path in root.rglob("*")
            if path.is_file()
        }


@pytest.fixture(scope="module")
def begun(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Rehearsals:
    made = Rehearsals(spark, tmp_path_factory.mktemp("rehearsals"))
    made.begin()
    return made


@pytest.fixture
def rehearsals(begun: Rehearsals, tmp_path: Path) -> Iterator[Rehearsals]:
    """That estate, in the same folder, which is afterwards as it was."""
    made = Rehearsals(begun.spark, begun.folder)
    made.migration.config, made.run = begun.migration.config, begun.run
    with restored(begun.folder, tmp_path / "kept"):
        yield made


def test_all_is_done_at_the_copy_and_taken_back_and_nothing_elsewhere(
    rehearsals: Rehearsals,
) -> None:
    before = {name: rehearsals.files(name) for name in ("target", "copy", "warehouse")}
    rehearsed = rehearsals.rehearsed()
    assert rehearsed.reasons == []
    assert rehearsed.applied is not None
    assert rehearsed.undone is not None
    assert (rehearsed.run_id, rehearsed.applied.written, rehearsed.undone.written) == (
        rehearsals.run,
        2,
        2,
    )
    assert {name: rehearsals.files(name) for name in before} == before
    assert (rehearsals.folder / "rehearsal" / "belvedere.html").exists()
    assert list(rehearsed.seconds) == ["plan", "apply", "verify", "undo"]
    told = rehearsed.to_json()
    assert (told["planned_otherwise"], told["left_otherwise"]) == (0, 0)
    assert told["different"] == {"t": 0}
    assert str(rehearsed).startswith("rehearsed: 2 views written, 2 taken back; plan ")


def test_a_copy_that_is_none_any_more_is_a_finding(rehearsals: Rehearsals) -> None:
    (rehearsals.copy / "rel" / "base.json").unlink()
    rehearsed = rehearsals.rehearsed()
    (reason,) = rehearsed.reasons
    assert reason.sentence == (
        "1 view is planned otherwise for the copies than for the targets, such as t: rel.base"
    )
    assert rehearsed.unlike.number == 1


def test_a_copy_that_lacks_a_namespace_of_its_target_is_a_finding(rehearsals: Rehearsals) -> None:
    rehearsals.run = rehearsals.migration.crawl(
        TABLE, BASE, TOP, {**hive_entry("alone", "select 1 as `id`"), "dbName": "other"}
    )
    (rehearsals.target / "other").mkdir()
    rehearsed = rehearsals.rehearsed()
    assert [reason.sentence for reason in rehearsed.reasons] == [
        "the namespaces of t are planned otherwise for the copies than for the targets"
    ]
    assert rehearsed.to_json()["beside_planned_otherwise"] == ["the namespaces of t"]
    assert rehearsed.left.beside == ()


def test_what_a_target_refused_when_it_was_tried_counts_at_its_copy_too(
    rehearsals: Rehearsals,
) -> None:
    config, file = rehearsals.migration.config, rehearsals.folder / "estate.yaml"
    with config.targets["t"].store() as store:
        server = store.probe().version
    refused = ExerciseAnswer("create a view", "taken", Agreement.REFUSED, "no")
    exercised.keep(file, "t", server, identity.of_target(config, "t"), [refused])
    rehearsed = rehearsals.rehearsed()
    assert rehearsed.unlike == ALIKE
    assert [reason.sentence for reason in rehearsed.reasons] == [
        "t: the plan sets views aside: 2 blocked"
    ]


def test_engines_that_show_no_copy_are_told_before_anything_is_done(
    rehearsals: Rehearsals,
) -> None:
    sources = {"a": {"kind": "archive", "path": str(rehearsals.folder / "a.jsonl")}}
    rehearsal = {"path": str(rehearsals.copy)}
    target = {"kind": "archive", "path": str(rehearsals.target), "rehearsal": rehearsal}
    engines = {"trino": {"url": "http://localhost:9", "targets": {"ice": "t"}}}
    make = estate_in(rehearsals.folder)
    rehearsals.migration.config = make(sources, targets={"t": target}, engines=engines)
    before = rehearsals.files("copy")
    with pytest.raises(ConfigurationError, match="no engine is said to show the copy"):
        rehearsals.rehearsed(live=True)
    assert rehearsals.files("copy") == before


def test_the_target_by_another_name_is_no_copy(rehearsals: Rehearsals) -> None:
    shutil.rmtree(rehearsals.copy)
    rehearsals.copy.symlink_to(rehearsals.target)
    before = rehearsals.files("target")
    with pytest.raises(ConfigurationError, match="the copy of t is t itself"):
        rehearsals.rehearsed()
    assert rehearsals.files("target") == before


def test_another_target_is_no_copy(rehearsals: Rehearsals) -> None:
    other = rehearsals.folder / "other"
    shutil.copytree(rehearsals.target, other)
    copies = {"t": (rehearsals.target, other), "u": (other, rehearsals.copy)}
    targets = {
        name: {"kind": "archive", "path": str(target), "rehearsal": {"path": str(copy)}}
        for name, (target, copy) in copies.items()
    }
    sources = {"a": {"kind": "archive", "path": str(rehearsals.folder / "a.jsonl")}}
    more = {"targets": targets, "mapping": [{"source": "a", "target": "t"}], "engines": []}
    rehearsals.migration.config = estate_in(rehearsals.folder)(sources, **more)
    before = rehearsals.files("other")
    with pytest.raises(ConfigurationError, match="the copy of t is the target u"):
        rehearsals.rehearsed()
    assert rehearsals.files("other") == before, "the namespace is removed again"


def test_a_folder_that_no_rehearsal_has_made_is_not_emptied(rehearsals: Rehearsals) -> None:
    theirs = rehearsals.folder / "warehouse-rehearsal"
    shutil.rmtree(theirs, ignore_errors=True)
    shutil.copytree(rehearsals.folder / "warehouse", theirs)  # such as that of another estate
    before = {name: rehearsals.files(name) for name in ("copy", "warehouse-rehearsal")}
    with pytest.raises(ConfigurationError, match="warehouse-rehearsal is no rehearsal's"):
        rehearsals.rehearsed()
    assert {name: rehearsals.files(name) for name in before} == before


def test_what_is_left_at_a_copy_is_taken_back_by_the_next_rehearsal(
    rehearsals: Rehearsals, capsys: pytest.CaptureFixture[str]
) -> None:
    before = rehearsals.files("copy")
    with killed_at("events", 1):
        rehearsals.rehearsed()
    assert rehearsals.files("copy") != before, "it was written, and nothing noted that"
    kept = rehearsals.rehearsed(keeps=True)
    assert "of an earlier rehearsal is taken back first" in capsys.readouterr().err
    assert (kept.reasons, kept.undone, kept.to_json()["taken_back"]) == ([], None, None)
    assert "rel/top.json" in rehearsals.files("copy").keys() - before.keys()
    assert "nothing taken back" in str(kept)
    assert rehearsals.rehearsed().reasons == []
    assert rehearsals.files("copy") == before


def test_the_namespace_that_shows_what_is_a_copy_goes_with_the_next_rehearsal_after_a_kill(
    rehearsals: Rehearsals, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rehearsals.files("copy")
    rehearsals.killed_over_its_namespace(monkeypatch)
    (left,) = rehearsals.copy.glob("belvedere_rehearsal_*")
    (rehearsals.copy / "belvedere_rehearsal_theirs").mkdir()
    assert rehearsals.rehearsed().reasons == []
    told = f"{left.name}, which an interrupted rehearsal has left at the copy of t, is removed"
    assert told in capsys.readouterr().err
    assert rehearsals.files("copy") == before
    assert (rehearsals.copy / "belvedere_rehearsal_theirs").exists(), "nobody has noted it"
    rehearsals.rehearsed()
    assert left.name not in capsys.readouterr().err


def test_what_a_kill_has_left_stays_where_somebody_uses_it_or_no_copy_is_any_more(
    rehearsals: Rehearsals, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rehearsals.killed_over_its_namespace(monkeypatch)
    (used,) = rehearsals.copy.glob("belvedere_rehearsal_*")
    shutil.copy(rehearsals.copy / "rel" / "base.json", used / "theirs.json")
    rehearsals.rehearsed()
    assert f"{used.name}, which" in (told := capsys.readouterr().err)
    assert "is not empty by now: it stays" in told
    assert (used / "theirs.json").exists()

    rehearsals.killed_over_its_namespace(monkeypatch)
    (left,) = set(rehearsals.copy.glob("belvedere_rehearsal_*")) - {used}
    other = rehearsals.folder / "another-copy"
    shutil.copytree(rehearsals.target, other)
    path = rehearsals.folder / "estate.yaml"
    path.write_text(path.read_text().replace(str(rehearsals.copy), str(other)), encoding="utf-8")
    rehearsals.migration.config = loader.load(path)
    rehearsals.rehearsed()
    assert f"may have left the empty namespace {left.name} at a copy" in capsys.readouterr().err
    rehearsals.rehearsed()
    assert left.name not in capsys.readouterr().err, "it is told once"


def test_a_run_is_copied_while_nobody_else_works_on_it(rehearsals: Rehearsals) -> None:
    warehouse = str(rehearsals.folder / "warehouse")
    with (
        hold_lock(warehouse, f"run {rehearsals.run}", "assess"),
        pytest.raises(LockedError, match="is being worked on by `belvedere assess`"),
    ):
        rehearsals.rehearsed()
    assert rehearsals.rehearsed().reasons == []


def test_a_target_without_a_copy_is_told(spark: SparkSession, tmp_path: Path) -> None:
    target = {"kind": "archive", "path": str(tmp_path / "target")}
    made = estate_in(tmp_path)
    wanted = RehearsalRequest(tmp_path / "estate.yaml", tmp_path / "out", None, "bob")
    source = {"a": {"kind": "archive", "path": str(tmp_path / "a.jsonl")}}
    with pytest.raises(ConfigurationError, match="t has no copy to rehearse on"):
        rehearse(spark, made(source, targets={"t": target}), wanted)
    itself = {**target, "rehearsal": {"path": str(tmp_path / "target")}}
    with pytest.raises(ConfigurationError, match="the copy of t is t itself"):
        rehearse(spark, made(source, targets={"t": itself}), wanted)
    with pytest.raises(ConfigurationError, match="no targets"):
        rehearse(spark, made(source), wanted)
    crawled = {"a": {"kind": "archive", "path": str(tmp_path / "crawled")}}
    there = {**target, "rehearsal": {"path": str(tmp_path / "crawled")}}
    with pytest.raises(ConfigurationError, match="the copy of t is what the source a reads"):
        rehearse(spark, made(crawled, targets={"t": there}), wanted)
