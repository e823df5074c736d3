"""Processes beside a worker that run modules of ours."""

import os
import subprocess
import sys


def python(module: str, *, own_session: bool = False) -> "subprocess.Popen[bytes]":
    """A Python that runs a module, and finds all modules where this one does.

    Args:
        module: Its name.
        own_session: Whether a signal to our process group is not for it.

    Raises:
        OSError: It cannot be started.
    """
    return subprocess.Popen(  # noqa: S603 - our own words only
        [sys.executable, "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        start_new_session=own_session,
    )
