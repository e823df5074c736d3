"""What of a folder of this machine is a file of a warehouse."""

import os
from pathlib import Path

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
