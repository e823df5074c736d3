"""What Java says at each start is not passed on; all else is."""

import os
import subprocess
import time

import pytest

from jobs.console.java_output import filtered

SAYS = "echo 'WARNING: Using incubator modules: jdk.incubator.vector' >&2; echo other >&2"


def test_one_line_is_left_out(capfd: pytest.CaptureFixture[str]) -> None:
    with filtered():
        process = subprocess.Popen(["sh", "-c", f"{SAYS}; read line; echo later >&2"], stdin=-1)
        os.write(2, b"ours\n")
    os.write(2, b"ours, behind it\n")
    process.communicate(b"\n")
    said: set[str] = set()
    for _ in range(300):
        said |= set(capfd.readouterr().err.splitlines())
        if len(said) == 4:
            break
        time.sleep(0.1)
    assert said == {"other", "ours", "later", "ours, behind it"}
