"""What Java says at each start is not passed on; all else is."""

import os
import subprocess

import pytest

from jobs.console.java_output import filter_stderr

SAYS = "echo 'WARNING: Using incubator modules: jdk.incubator.vector' >&2; echo other >&2"


def test_one_line_is_left_out(capfd: pytest.CaptureFixture[str]) -> None:
    with filter_stderr() as passing:
        process = subprocess.Popen(["sh", "-c", f"{SAYS}; read line; echo later >&2"], stdin=-1)
        os.write(2, b"ours\n")
    os.write(2, b"ours, behind it\n")
    process.communicate(b"\n")
    passing.join(60)
    assert not passing.is_alive()
    assert sorted(capfd.readouterr().err.splitlines()) == [
        *("later", "other", "ours", "ours, behind it"),
    ]


@pytest.mark.parametrize(("shows_traces", "lines"), [(False, 2), (True, 4)])
def test_traces_of_java_are_passed_on_where_they_are_wanted(
    capfd: pytest.CaptureFixture[str], shows_traces: bool, lines: int
) -> None:
    trace = b"java.lang.InternalError: x\n\tat java.base/a.B$1.<init>(B.java:1)\n\t... 7 more\n"
    with filter_stderr(shows_traces=shows_traces) as passing:
        os.write(2, trace + b"  at last\n")
    passing.join(60)
    assert len(capfd.readouterr().err.splitlines()) == lines


PYTHON = b"""\
ERROR Executor: Exception in task 0.0: Traceback (most recent call last):
  File "worker.py", line 1, in main
    read()
    ^^^^^^
EOFError
Traceback (most recent call last):
  File "daemon.py", line 1, in worker
OSError: gone

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "daemon.py", line 2, in worker
ValueError: x
  at last
"""


@pytest.mark.parametrize("shows_traces", [False, True])
def test_traces_of_sparks_pythons_are_passed_on_where_they_are_wanted(
    capfd: pytest.CaptureFixture[str], shows_traces: bool
) -> None:
    with filter_stderr(shows_traces=shows_traces) as passing:
        os.write(2, PYTHON)
    passing.join(60)
    said = capfd.readouterr().err
    if shows_traces:
        assert said.encode() == PYTHON
    else:
        assert [line for line in said.splitlines() if line] == [
            "ERROR Executor: Exception in task 0.0: Traceback (most recent call last):",
            *("EOFError", "OSError: gone", "ValueError: x", "  at last"),
        ]
