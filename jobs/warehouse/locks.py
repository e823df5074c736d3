"""Locks: one process at a time works on a run, or on a plan, of a warehouse.

A lock is a file that names its holder. It is made whole or not at all, and goes with the work; one
whose holder was killed is recognised, named and taken over. On this machine that is safe against
any number of others; a holder elsewhere is never taken for dead, as nothing here can tell.
"""

import errno
import json
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Protocol
from uuid import uuid4

from py4j.java_gateway import JavaObject
from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

from discovery.errors import ConfigurationError, LockedError
from jobs.warehouse.placing import guard_folder
from jobs.warehouse.storage import storage_of

FOLDER: Final = "locks"
_FULL: Final = (errno.ENOSPC, errno.EDQUOT)
_MISPLACED: Final = (
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.ENOTDIR,
    errno.ENAMETOOLONG,
    errno.ELOOP,
)
"""What another warehouse mends; all else has failed there, and is no mistake of who configures."""
_MEMBERS: Final = ("host", "pid", "born", "since", "command", "token")
_BETWEEN: Final = "~"
_LONGEST_NAME: Final = 255  # bytes of a file's name
_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True)
class Holder:
    """Who works on something.

    Attributes:
        host: Name of its machine.
        pid: Its process there.
        born: When that process was started, as its kernel says it: a pid alone may be another's by
            now. Empty where the kernel does not say.
        since: When it began, ISO-8601.
        command: What it does.
        token: This lock, and no other one of the same process.
    """

    host: str
    pid: int
    born: str
    since: str
    command: str
    token: str

    @classmethod
    def me(cls, command: str) -> "Holder":
        """This process."""
        since = datetime.now(UTC).isoformat(timespec="seconds")
        pid = os.getpid()
        return cls(socket.gethostname(), pid, _read_birth(pid) or "", since, command, uuid4().hex)

    @classmethod
    def of(cls, text: str) -> "Holder | None":
        """The holder that a file names; None: it names none."""
        try:
            fields = json.loads(text)
            pid, rest = int(fields.pop("pid")), {key: str(value) for key, value in fields.items()}
            return cls(pid=pid, **rest)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None

    def to_json(self) -> str:
        """As its lock has it."""
        return json.dumps({name: getattr(self, name) for name in _MEMBERS})

    def to_name(self) -> str:
        """The same as a part of a file's name, in which there is little room."""
        return _BETWEEN.join(str(getattr(self, name)) for name in _MEMBERS)

    @classmethod
    def of_name(cls, text: str) -> "Holder | None":
        """The holder that a part of a file's name names; None: it names none."""
        return cls.of(json.dumps(dict(zip(_MEMBERS, text.split(_BETWEEN), strict=False))))

    def is_dead(self) -> bool:
        """Whether it was on this machine, and is no more."""
        return self.host == socket.gethostname() and _read_birth(self.pid) != self.born

    def __str__(self) -> str:
        place = f"process {self.pid} on {self.host}"
        return f"`belvedere {self.command}` ({place}, since {self.since})"


class _Locks(Protocol):
    """Where locks are.

    Attributes:
        guard: A folder of this machine that all who want these locks agree on.
    """

    guard: Path

    def create(self, name: str, text: str) -> str | None:
        """Make a lock whole, if there is none; what it says. None: there is one."""

    def read(self, name: str) -> str | None:
        """What a lock says; None: there is none."""

    def delete(self, name: str) -> None:
        """Delete a lock."""

    def place(self, name: str) -> str:
        """Where a lock is, for people."""


@contextmanager
def hold_lock(
    warehouse: str,
    subject: str,
    command: str,
    spark: SparkSession | None = None,
    *,
    frees: bool = False,
) -> Iterator[Holder | None]:
    """Hold the lock of something while the block runs.

    Args:
        warehouse: The place of the warehouse: a path, or a URI that Spark knows.
        subject: What is worked on, as `plan 20261121T…`.
        command: What this process does.
        spark: Reaches a warehouse that is not on this machine.
        frees: Whether this makes room on a disk, so that a full one must not keep it from that: its
            lock is an empty file there, and a second name of that names the holder.

    Yields:
        The holder that was killed and whose lock was taken over; None: there was none.

    Raises:
        LockedError: Another one has it; names it.
        ConfigurationError: No lock can be made there by this user.
        OSError: The disk is full, or has failed.
    """
    locks, claimant = _locks(warehouse, spark, frees=frees), Holder.me(command)
    name = _file_name(subject)
    text, dead = _take(locks, name, subject, claimant)
    try:
        yield dead
    finally:
        if locks.read(name) == text:
            locks.delete(name)


def _file_name(subject: str) -> str:
    letters = (letter if letter.isalnum() or letter in "-_." else "_" for letter in subject)
    return "".join(letters) + ".lock"


def find_worker(warehouse: str, subject: str, spark: SparkSession | None = None) -> Holder | None:
    """Who works on something, and is alive or cannot be asked; None: nobody is known to."""
    holder = Holder.of(_locks(warehouse, spark).read(_file_name(subject)) or "")
    return None if holder is None or holder.is_dead() else holder


def at_work(warehouse: str, spark: SparkSession | None = None) -> Iterator[tuple[str, str]]:
    """The locks of a warehouse whose holders are alive, or cannot be asked: name, and holder."""
    locks = _locks(warehouse, spark)
    folder = f"{warehouse.removeprefix('file://').rstrip('/')}/{FOLDER}"
    for file in storage_of(folder, spark).files(folder):
        content = None if file.is_hidden else locks.read(file.path)
        holder = Holder.of(content or "")
        if content is not None and (holder is None or not holder.is_dead()):
            yield file.path, str(holder or "somebody that it does not name")


def remove_dead(warehouse: str, spark: SparkSession | None = None) -> None:
    """Remove the locks whose holders were killed; the caller holds one.

    Nobody takes over the lock of a run or plan that nobody works on again.
    """
    locks = _locks(warehouse, spark)
    folder = f"{warehouse.removeprefix('file://').rstrip('/')}/{FOLDER}"
    with guard_folder(locks.guard):
        for file in storage_of(folder, spark).files(folder):
            holder = Holder.of(locks.read(file.path) or "")
            if holder is not None and holder.is_dead():
                locks.delete(file.path)


def _take(locks: _Locks, name: str, subject: str, claimant: Holder) -> tuple[str, Holder | None]:
    """Take a lock; what it says, and the dead holder that had it."""
    dead: Holder | None = None
    while (text := locks.create(name, claimant.to_json())) is None:
        with guard_folder(locks.guard):  # of two that find it dead, the second finds the first
            content = locks.read(name)
            if content is None:
                continue  # it is free by now
            holder = Holder.of(content)
            if holder is None or not holder.is_dead():
                who = holder or f"somebody that {locks.place(name)} does not name"
                raise LockedError(f"{subject} is being worked on by {who}: {locks.place(name)}")
            dead = holder
            locks.delete(name)
    return text, dead


class _Files(_Locks):
    """Locks in a folder of this machine.

    Args:
        warehouse: The folder above.
        frees: Whether a lock is an empty file where there is no room for more.
    """

    def __init__(self, warehouse: str, *, frees: bool = False) -> None:
        self._folder = self.guard = Path(warehouse.removeprefix("file://")) / FOLDER
        self._frees = frees

    def create(self, name: str, text: str) -> str | None:
        """By a second name of a file that is whole: a file system gives it to one only."""
        fresh, stays = self._folder / f".{name}.{uuid4().hex}", False
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            fresh = self._write(fresh, name, text)
            os.link(fresh, self._folder / name)
            stays = not fresh.stat().st_size
        except FileExistsError:
            return None
        except OSError as error:
            if error.errno not in _MISPLACED:
                raise OSError(error.errno, error.strerror, str(self._folder)) from error
            hint = "name a warehouse in which this user can write"
            raise ConfigurationError(f"{self._folder}: {error.strerror}", hint=hint) from error
        finally:
            if not stays:
                with suppress(OSError):
                    fresh.unlink()
        return self.read(name)

    def _write(self, fresh: Path, name: str, text: str) -> Path:
        """Write a file; a full disk takes an empty one (ext4, tmpfs), whose name says the same."""
        try:
            fresh.write_text(text, encoding="utf-8")
        except OSError as error:
            if not self._frees or error.errno not in _FULL:
                raise
            fresh.unlink(missing_ok=True)
            second_name = f".{name}.{holder.to_name() if (holder := Holder.of(text)) else ''}"
            fresh = self._folder / second_name[:_LONGEST_NAME]
            fresh.write_bytes(b"")
        return fresh

    def read(self, name: str) -> str | None:
        """The file's text, or what the second name of an empty one says."""
        try:
            text = (self._folder / name).read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return None
        named = (
            Holder.of_name(second_name)
            for second_name, _ in self._find_second_names(name)
            if not text
        )
        return next((holder.to_json() for holder in named if holder), text)

    def delete(self, name: str) -> None:
        """Delete the file with its second names."""
        second = [path for _, path in self._find_second_names(name)]
        for path in (self._folder / name, *second):
            path.unlink(missing_ok=True)

    def _find_second_names(self, name: str) -> Iterator[tuple[str, Path]]:
        """What the other names of a lock say, each with its path."""
        for path in self._folder.glob(f".{name}.*"):
            with suppress(FileNotFoundError):  # it goes while we look
                if path.samefile(self._folder / name):
                    yield path.name.removeprefix(f".{name}."), path

    def place(self, name: str) -> str:
        """The path."""
        return str(self._folder / name)


class _Hadoop(_Locks):
    """Locks in a folder that Spark's driver reaches.

    `create` without overwriting is atomic in HDFS. Object stores promise less: there, two that
    begin within the same moment may both get it.
    """

    def __init__(self, warehouse: str, spark: SparkSession) -> None:
        self._jvm: Any = spark._jvm  # noqa: SLF001 - there is no public way to Spark's file systems
        self._conf: Any = spark._jsc.hadoopConfiguration()  # noqa: SLF001 - the same
        self._folder = f"{warehouse.rstrip('/')}/{FOLDER}"
        self.guard = Path.home()

    def create(self, name: str, text: str) -> str | None:
        """Create the file, if there is none."""
        try:
            path, system = self._path_and_system(name)
            stream = system.create(path, False)
        except Py4JJavaError as error:
            why = error.java_exception
            if "FileAlreadyExists" in why.getClass().getName():
                return None
            if "java.net." in why.toString():  # nobody answers, and another path mends nothing
                raise
            raise ConfigurationError(f"{self.place(name)}: {why.getMessage()}") from error
        stream.write(text.encode())
        stream.close()
        return text

    def read(self, name: str) -> str | None:
        """The file's text."""
        if not self._exists(name):
            return None
        path, system = self._path_and_system(name)
        stream = system.open(path)
        text: str = self._jvm.org.apache.commons.io.IOUtils.toString(stream, "UTF-8")
        stream.close()
        return text

    def delete(self, name: str) -> None:
        """Delete the file."""
        path, system = self._path_and_system(name)
        system.delete(path, False)

    def place(self, name: str) -> str:
        """The URI."""
        return f"{self._folder}/{name}"

    def _exists(self, name: str) -> bool:
        path, system = self._path_and_system(name)
        return bool(system.exists(path))

    def _path_and_system(self, name: str) -> tuple[JavaObject, JavaObject]:
        path = self._jvm.org.apache.hadoop.fs.Path(self.place(name))
        return path, path.getFileSystem(self._conf)


def _locks(warehouse: str, spark: SparkSession | None, *, frees: bool = False) -> _Locks:
    if "://" not in warehouse.removeprefix("file://") or spark is None:
        return _Files(warehouse, frees=frees)
    return _Hadoop(warehouse, spark)


def _read_birth(pid: int) -> str | None:
    """When a living process was started: its kernel's boot and clock; None: there is none."""
    try:
        line = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        state, *rest = line.rpartition(")")[2].split()  # the name before it may hold anything
        return None if state in {"Z", "X"} else f"{_BOOT.read_text().strip()}:{rest[18]}"
    except FileNotFoundError:
        return _signal(pid) if not Path("/proc/self").exists() else None


def _signal(pid: int, ask: Callable[[int, int], None] = os.kill) -> str | None:
    """The same where there is no /proc: only whether it lives."""
    try:
        ask(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        pass
    return ""
