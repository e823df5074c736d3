"""What of a folder of this machine is a file of a warehouse."""

import errno
import os
from pathlib import Path

import pytest

from jobs.warehouse.storage import LocalStorage, StoredFile


def test_a_pipe_that_a_stranger_has_left_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "run_id=a").mkdir()
    (tmp_path / "run_id=a" / "part.parquet").write_bytes(b"abc")
    os.mkfifo(tmp_path / "run_id=a" / "pipe.parquet")
    (tmp_path / "run_id=a" / "lost.parquet").symlink_to("nowhere")
    (tmp_path / "run_id=a" / "linked.parquet").symlink_to("part.parquet")
    assert LocalStorage().files(str(tmp_path)) == [
        StoredFile("run_id=a/linked.parquet", 3),
        StoredFile("run_id=a/part.parquet", 3),
    ]


def test_a_copy_that_fails_names_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "a" / "b"
    source.mkdir(parents=True)
    (source / "x").write_text("1", encoding="utf-8")
    storage = LocalStorage()
    storage.copy(str(tmp_path / "a"), str(tmp_path / "c"))
    assert (tmp_path / "c" / "b" / "x").read_text(encoding="utf-8") == "1"

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("shutil.copy2", full)
    with pytest.raises(OSError, match="No space") as raised:
        storage.copy(str(tmp_path / "a"), str(tmp_path / "d"))
    assert (raised.value.errno, raised.value.filename) == (
        errno.ENOSPC,
        str(tmp_path / "d" / "b" / "x"),
    )


def test_a_run_on_another_disk_is_read_by_its_link_and_what_that_leads_to_stays(
    tmp_path: Path,
) -> None:
    (aside := tmp_path / "aside" / "below").mkdir(parents=True)
    (aside / "part.parquet").write_bytes(b"abc")
    (runs := tmp_path / "runs").mkdir()
    (runs / "run_id=a").symlink_to(tmp_path / "aside")
    (runs / "run_id=lost").symlink_to("nowhere")
    (aside / "round").symlink_to(runs)
    storage = LocalStorage()
    assert storage.folders(str(runs)) == ["run_id=a"]
    assert storage.files(str(runs)) == [StoredFile("run_id=a/below/part.parquet", 3)]
    storage.clear(str(runs / "run_id=a"))
    assert storage.files(str(runs)) == []
    assert (aside / "part.parquet").exists()
