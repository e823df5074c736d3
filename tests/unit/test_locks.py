"""Locks of a warehouse: held by one, named to others, taken over from the dead."""

import errno
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from discovery.errors import ConfigurationError, LockedError
from jobs.migrating.plan_folder import HEAD, PlanHead
from jobs.verify import verify_plan
from jobs.warehouse.locks import Holder, at_work, hold_lock, remove_dead

_HOLDING = """
import sys
from jobs.warehouse.locks import hold_lock
with hold_lock(sys.argv[1], "plan p", "apply"):
    print("held", flush=True)
    sys.stdin.read()
"""
_TAKING = """
import sys, time
from discovery.errors import LockedError
from jobs.warehouse.locks import hold_lock
sys.stdin.readline()
try:
    with hold_lock(sys.argv[1], "plan p", "undo"):
        print("held", flush=True)
        sys.stdin.read()
except LockedError:
    print("refused", flush=True)
"""


@contextmanager
def process(script: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A process with a lock, or after one."""
    command = [sys.executable, "-c", script, str(folder)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as started:
        try:
            yield started
        finally:
            started.kill()


def line(of: subprocess.Popen[str]) -> str:
    assert of.stdout is not None
    return of.stdout.readline().strip()


def test_a_lock_is_held_while_its_block_runs_and_gone_with_it(tmp_path: Path) -> None:
    with hold_lock(str(tmp_path), "plan p", "apply") as dead:
        assert dead is None
        told = rf"plan p is being worked on by `belvedere apply` \(process {os.getpid()} on "
        with pytest.raises(LockedError, match=told), hold_lock(str(tmp_path), "plan p", "undo"):
            pytest.fail("two have it")
        with hold_lock(f"file://{tmp_path}", "plan q", "apply"):
            pass
    assert list((tmp_path / "locks").iterdir()) == []


def test_a_lock_goes_with_a_block_that_fails(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), hold_lock(str(tmp_path), "run r", "crawl"):
        raise ZeroDivisionError
    with hold_lock(str(tmp_path), "run r", "crawl") as dead:
        assert dead is None


def test_the_lock_of_a_process_that_lives_is_refused_and_that_of_a_killed_one_taken_over(
    tmp_path: Path,
) -> None:
    with process(_HOLDING, tmp_path) as other:
        assert line(other) == "held"
        told = rf"process {other.pid} on .*plan_p\.lock"
        with pytest.raises(LockedError, match=told), hold_lock(str(tmp_path), "plan p", "undo"):
            pytest.fail("two have it")
        other.kill()
        other.wait()
        with hold_lock(str(tmp_path), "plan p", "undo") as dead:
            assert dead is not None
            assert (dead.pid, dead.command) == (other.pid, "apply")
            assert f"process {other.pid}" in str(dead)
    assert list((tmp_path / "locks").iterdir()) == []


def test_of_many_that_find_a_dead_holder_one_takes_over(tmp_path: Path) -> None:
    write(tmp_path, replace(Holder.me("apply"), born="another boot:1"))
    with (
        process(_TAKING, tmp_path) as one,
        process(_TAKING, tmp_path) as two,
        process(_TAKING, tmp_path) as three,
    ):
        for each in (one, two, three):
            assert each.stdin is not None
            each.stdin.write("\n")
            each.stdin.flush()
        assert sorted(map(line, (one, two, three))) == ["held", "refused", "refused"]


def test_the_locks_of_the_dead_are_removed_and_no_others(tmp_path: Path) -> None:
    folder, me = tmp_path / "locks", Holder.me("apply")
    dead = replace(me, born="before")
    with hold_lock(str(tmp_path), "prune", "prune", frees=True):
        (folder / "plan_old.lock").write_text(dead.to_json(), encoding="utf-8")
        (folder / ".run_r.lock.half-made").write_text(dead.to_json(), encoding="utf-8")
        stay = {
            "plan_here.lock": me.to_json(),
            "plan_there.lock": replace(dead, host="elsewhere").to_json(),
            "plan_whose.lock": "",
        }
        for name, text in stay.items():
            (folder / name).write_text(text, encoding="utf-8")
        remove_dead(str(tmp_path))
        assert {path.name for path in folder.iterdir()} == {*stay, "prune.lock"}


def test_a_pid_that_is_anothers_by_now_is_dead(tmp_path: Path) -> None:
    write(tmp_path, replace(Holder.me("apply"), born="another boot:1"))
    with hold_lock(str(tmp_path), "plan p", "undo") as dead:
        assert dead is not None


def test_nobody_elsewhere_is_taken_for_dead(tmp_path: Path) -> None:
    write(tmp_path, replace(Holder.me("apply"), host="elsewhere", pid=1, born="x"))
    with (
        pytest.raises(LockedError, match="process 1 on elsewhere") as raised,
        hold_lock(str(tmp_path), "plan p", "undo"),
    ):
        pytest.fail("it may live")
    assert "delete the file" in raised.value.hint


@pytest.mark.parametrize("text", ["", "junk", "[]", "{}", '{"pid": "x"}', "[" * 100_000])
def test_a_lock_that_names_nobody_is_named_itself(tmp_path: Path, text: str) -> None:
    (tmp_path / "locks").mkdir()
    (tmp_path / "locks" / "plan_p.lock").write_text(text, encoding="utf-8")
    with (
        pytest.raises(LockedError, match=r"plan_p\.lock does not name"),
        hold_lock(str(tmp_path), "plan p", "undo"),
    ):
        pytest.fail("it may live")


def test_names_lead_nowhere_else(tmp_path: Path) -> None:
    with hold_lock(str(tmp_path), "run ../../x", "crawl"):
        (found,) = (tmp_path / "locks").iterdir()
        assert found.name == "run_.._.._x.lock"


def test_where_nothing_can_be_written_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with (
        pytest.raises(ConfigurationError, match="Not a directory") as raised,
        hold_lock(str(tmp_path / "file"), "plan p", "apply"),
    ):
        pytest.fail("there is no folder")
    assert "in which this user can write" in raised.value.hint


def test_a_full_disk_has_failed_and_is_no_mistake_of_who_configures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "link", full)
    with (
        pytest.raises(OSError, match="No space left") as raised,
        hold_lock(str(tmp_path), "p", "x"),
    ):
        pytest.fail("there is no lock")
    assert raised.value.filename == str(tmp_path / "locks")
    assert not list((tmp_path / "locks").glob("*lock*"))


@pytest.mark.parametrize("code", [errno.EIO, errno.EMFILE, errno.ESTALE])
def test_a_disk_that_fails_is_no_mistake_of_who_configures_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def failing(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "link", failing)
    with pytest.raises(OSError, match=os.strerror(code)), hold_lock(str(tmp_path), "p", "x"):
        pytest.fail("there is no lock")


def fill(patching: pytest.MonkeyPatch) -> None:
    """Let the disk take empty files only, as a full ext4 and tmpfs do."""

    def full(path: Path, *_: object, **__: object) -> None:
        path.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    patching.setattr(Path, "write_text", full)


def test_who_makes_room_holds_a_lock_on_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(monkeypatch)
    with pytest.raises(OSError, match="No space left"), hold_lock(str(tmp_path), "p", "crawl"):
        pytest.fail("a crawl makes no room")
    with hold_lock(str(tmp_path), "p", "prune", frees=True):
        assert (tmp_path / "locks" / "p.lock").read_bytes() == b""
        assert [who.partition(" (")[0] for _, who in at_work(str(tmp_path))] == [
            "`belvedere prune`"
        ]
        with (
            pytest.raises(LockedError, match=rf"`belvedere prune` \(process {os.getpid()} on "),
            hold_lock(str(tmp_path), "p", "prune", frees=True),
        ):
            pytest.fail("two have it")
    assert not list((tmp_path / "locks").iterdir())


@pytest.mark.parametrize("still_full", [True, False])
def test_a_lock_that_was_left_on_a_full_disk_is_taken_over_like_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, still_full: bool
) -> None:
    fill(monkeypatch)
    gone = replace(Holder.me("prune"), born="another boot:1")
    with pytest.MonkeyPatch.context() as earlier:
        earlier.setattr(Holder, "me", lambda _: gone)
        earlier.setattr(Path, "unlink", lambda *_, **__: None)  # it is killed before
        with hold_lock(str(tmp_path), "p", "prune", frees=True):
            pass
    assert [*at_work(str(tmp_path))] == []
    if not still_full:
        monkeypatch.undo()
    with hold_lock(str(tmp_path), "p", "prune", frees=True) as dead:
        assert dead == gone
    assert not [path for path in (tmp_path / "locks").iterdir() if path.name.startswith("p")]


def test_a_lock_of_a_host_with_a_long_name_is_held_and_gone_on_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(monkeypatch)
    mine = replace(Holder.me("prune"), host="h" * 63, command="c" * 63)
    monkeypatch.setattr(Holder, "me", lambda _: mine)
    what = f"run {'r' * 60}"
    with hold_lock(str(tmp_path), what, "prune", frees=True):
        assert len([*at_work(str(tmp_path))]) == 1
    assert not list((tmp_path / "locks").glob("run*"))


def write(folder: Path, holder: Holder) -> None:
    """A lock of somebody."""
    (folder / "locks").mkdir()
    (folder / "locks" / "plan_p.lock").write_text(holder.to_json(), encoding="utf-8")


@pytest.mark.parametrize("other", ["verify", "apply", "undo"])
def test_a_plan_is_verified_while_nobody_else_works_on_it(tmp_path: Path, other: str) -> None:
    head = PlanHead("p", "r", "2026-11-21T00:00:00+00:00", "0", "estate.yaml", "settings", {})
    (tmp_path / HEAD).write_text(json.dumps(head.to_json()), encoding="utf-8")
    config: Any = SimpleNamespace(warehouse=str(tmp_path / "w"))
    spark: Any = None
    with (
        hold_lock(config.warehouse, "plan p", other),
        pytest.raises(LockedError, match=f"plan p is being worked on by `belvedere {other}`"),
    ):
        verify_plan(spark, config, tmp_path)
