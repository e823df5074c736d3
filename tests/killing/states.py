"""What a kill leaves behind: copies made while all processes of a command stand still.

Whatever is killed leaves what it has written, no more. So a command is stopped again and again,
each time that something has changed, and what there is then is copied: each copy is what a kill at
that moment would have left. At the last of them it is killed. To start Java is most of the work of
a process, so this is a tenth of what a process for each kill takes.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

from jobs.warehouse.locks import Holder
from tests.killing.targets import Killing

_SETTINGS: Final = (
    "spark.master=local[2]",
    "spark.sql.shuffle.partitions=2",
    "spark.sql.execution.arrow.maxRecordsPerBatch=10",  # views that are written as one
)
_QUICK_TO_BEGIN: Final = "-XX:TieredStopAtLevel=1"
_LONG: Final = 600.0  # seconds
_POLL: Final = 0.002


@dataclass(frozen=True, slots=True)
class State:
    """What is in a warehouse and at a target at one moment.

    Attributes:
        warehouse: A copy of it; its name is the number of the change before it.
        target: What is at the target.
    """

    warehouse: Path
    target: object


@dataclass(frozen=True, slots=True)
class World:
    """All that a command writes to.

    Attributes:
        warehouse: Its folder.
        target: Its target, if it has one.
    """

    warehouse: Path
    target: Killing | None = None

    def copied(self, place: Path) -> State:
        """A copy of the world, while nothing in it moves."""
        shutil.copytree(self.warehouse, place)
        return State(place, self.target.copied() if self.target else None)

    def put_back(self, state: State) -> None:
        """Make the world what it was."""
        shutil.rmtree(self.warehouse)
        shutil.copytree(state.warehouse, self.warehouse)
        if self.target:
            self.target.put_back(state.target)

    def seen(self) -> object:
        """What differs whenever something has been written."""
        files = []
        for folder, _, names in os.walk(self.warehouse):
            for name in names:
                with suppress(FileNotFoundError):
                    files.append((folder, name, Path(folder, name).stat().st_size))
        return sorted(files), self.target and len(self.target.views())

    def holders(self) -> list[Holder | None]:
        """Who has the locks of the warehouse."""
        locks = sorted((self.warehouse / "locks").glob("*.lock"))
        return [Holder.of(path.read_text(encoding="utf-8")) for path in locks]


class Victim:
    """A command in processes of its own.

    Args:
        arguments: As for `belvedere`.
        log: Gets what it prints.
    """

    def __init__(self, arguments: Sequence[str], log: Path) -> None:
        environment = {
            **os.environ,
            "BELVEDERE_SPARK_CONF": " ".join(_SETTINGS),
            "JAVA_TOOL_OPTIONS": _QUICK_TO_BEGIN,
        }
        with log.open("wb") as file:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "jobs.cli", *arguments],
                stdout=file,
                stderr=file,
                env=environment,
            )
        self._driver = psutil.Process(self._process.pid)

    @property
    def runs(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def stop(self) -> None:
        """Let all of its processes stand still; none can begin another one then."""
        end = time.monotonic() + _LONG
        while moving := [one for one in self._processes() if not _stands_still(one)]:
            for process in moving:
                _send(process, signal.SIGSTOP)
            assert time.monotonic() < end, "it does not stand still"

    def go_on(self) -> None:
        """Let them go on."""
        for process in reversed(self._processes()):
            _send(process, signal.SIGCONT)

    def kill(self) -> None:
        """Kill all of them, of which none can do anything any more."""
        self.stop()
        every = self._processes()
        for process in every:
            _send(process, signal.SIGKILL)
        self._process.wait()
        psutil.wait_procs(every, timeout=_LONG)

    def _processes(self) -> list[psutil.Process]:
        """The driver, its Java, and its workers, which have process groups of their own."""
        with suppress(psutil.NoSuchProcess):
            return [self._driver, *self._driver.children(recursive=True)]
        return []


@dataclass(frozen=True, slots=True)
class Kills:
    """How a command is killed.

    Attributes:
        arguments: As for `belvedere`.
        most: How many of the moments at which something has changed are kept.
        latest: The last of them at which it may be killed for good, counted in changes.
    """

    arguments: Sequence[str]
    most: int
    latest: int

    def of(self, world: World, chance: random.Random, folder: Path) -> list[State]:
        """What kills of it leave; any moment of its writing is as likely as any other.

        Args:
            world: What it writes to; it is as the last kill left it then.
            chance: Says which changes are kept, and which of them is the last.
            folder: Gets the copies.
        """
        folder.mkdir()
        victim, kept = Victim(self.arguments, folder / "log"), list[State]()
        last, number, seen = chance.randint(2, self.latest), 0, world.seen()
        try:
            while victim.runs and number < last:
                time.sleep(_POLL)
                before, seen = seen, world.seen()
                if seen == before:
                    continue
                number += 1
                place = chance.randrange(number)  # of a sample that grows: each is as likely
                if number < last and place >= self.most - 1 <= len(kept):
                    continue
                time.sleep(chance.random() / 50)
                victim.stop()
                if victim.runs:
                    state = world.copied(folder / str(number))
                    if number == last or len(kept) < self.most - 1:
                        kept.append(state)
                    else:
                        kept[place] = state
                if number < last:
                    victim.go_on()
        finally:
            victim.kill()
        return sorted(kept, key=lambda one: int(one.warehouse.name))


def where(error: BaseException) -> str:
    """An error with the line that raised it."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    said = f"{type(error).__name__}: {error}".splitlines()[0]
    return f"{said} ({Path(frame.filename).name}:{frame.lineno}: {frame.line})"


def _stands_still(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return process.status() in {psutil.STATUS_STOPPED, psutil.STATUS_ZOMBIE}
    return True


def _send(process: psutil.Process, what: signal.Signals) -> None:
    with suppress(psutil.NoSuchProcess):
        process.send_signal(what)
