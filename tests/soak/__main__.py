"""`make soak`: nights in a row, each with its changes, kills and faults, and what is true after it.

Each night is a turn of `sync`. In the morning the counts reconcile, no byte is otherwise than it
was written, and after a night without a fault the target has what the sources have, no more. Prints
a JSON line for each night and one for all; ends with 1 if anything was otherwise.
"""

import contextlib
import io
import json
import os
import pickle
import random
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import psutil
import pytest
from pyspark.sql import SparkSession

from discovery.errors import BelvedereError
from jobs import cutover, prune
from jobs.apply import apply_plan
from jobs.configuration import loader
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.console.session import spark_session
from jobs.plan import Paper, plan_run
from jobs.recrawl import recrawl
from jobs.run import RunRequest
from jobs.sync import follow
from jobs.tables import TABLES
from jobs.undo import undo_run
from jobs.warehouse.storage import LocalStorage
from jobs.warehouse.warehouse import Warehouse
from tests.checking import damage
from tests.conftest import LONG_JAVA
from tests.killing.states import Victim, World, where
from tests.migrated import Killed
from tests.soak.estate import SPACES, LivingEstate, living_estate
from tests.soak.targets import AtTarget

NIGHTS: Final = 300
KEPT: Final = 3  # runs
_EVERY: Final = 5  # nights, a prune
_CALLS: Final = 30  # of what a turn writes into its warehouse, about
_KINDS: Final = {
    "quiet": 8,
    "changes": 30,
    "killed": 12,
    "killed -9": 3,
    "undone": 8,
    "undo killed": 8,
    "prune killed": 5,
    "stranger": 8,
    "left out": 6,
    "source out": 5,
    "moved": 5,
    "source away": 7,
    "file lost": 4,
    "asked again": 6,
    "target away": 6,
}
_REMEMBERED: Final = ("nights", "wrong", "most", "_held", "_looked_at")
_PLACE: Final = os.environ.get("SOAK_IN", "")
"""A folder that stays; empty: one that goes in the end."""
_ONLY: Final = os.environ.get("SOAK_KINDS", "")
"""Kinds of nights, divided by commas: no others; empty: all."""
_WRITES: Final = (
    Warehouse,
    ("write", "write_derived", "append", "note", "begin", "seal", "commit"),
)
_REMOVALS: Final = (LocalStorage, ("remove", "clear", "replace"))
_INTERRUPTED: Final = "has not ended, or was interrupted"
_ENOUGH: Final = 0.75  # of what a source had: less is doubted
_COUNTED: Final = ("listed", "views")
_FAULTS: Final = frozenset({"source away", "file lost", "target away"})


@dataclass
class Soak:
    """Nights on an estate.

    Attributes:
        nights: How many there were of each kind.
        wrong: What was otherwise than it should be, with its night.
        most: The most files and bytes that the warehouse had in a morning.
    """

    spark: SparkSession
    estate: LivingEstate
    chance: random.Random
    nights: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    most: tuple[int, int] = (0, 0)
    _held: dict[tuple[str, str], int] = field(default_factory=dict)
    _looked_at: set[str] = field(default_factory=set)

    def night(self, number: int) -> None:
        """One night, and the morning after it."""
        self._state.unlink(missing_ok=True)
        kinds = {kind: _KINDS[kind] for kind in filter(None, _ONLY.split(","))} or _KINDS
        kind = self.chance.choices([*kinds], [*kinds.values()])[0]
        began, code, before = time.monotonic(), None, len(self.wrong)
        self.nights[kind] += 1
        try:
            code = self._turn(kind)
            self._morning(kind, code)
            if number % _EVERY == 0:
                self._prune()
        except Exception as error:  # noqa: BLE001 - all nights are seen
            self.wrong.append(where(error))
        self.wrong[before:] = [f"night {number} ({kind}): {one}" for one in self.wrong[before:]]
        files, size = self._stored()
        self.most = max(self.most[0], files), max(self.most[1], size)
        told = {"night": number, "kind": kind, "exit_code": code, "views": len(self.estate.views)}
        seconds = round(time.monotonic() - began, 1)
        _say({**told, "files": files, "bytes": size, "seconds": seconds})
        for one in self.wrong[before:]:
            _say({"wrong": one})
        self._keep()

    def go_on(self) -> bool:
        """Go on where an earlier process has ended; whether one has.

        Raises:
            SystemExit: It was in the midst of a night.
        """
        if not self._state.exists():
            if (self.estate.folder / "estate.yaml").exists():
                sys.exit(f"{self.estate.folder}: it ended in the midst of a night; empty it")
            return False
        mine, estate, chance = pickle.loads(self._state.read_bytes())  # noqa: S301 - our own
        for name, value in mine.items():
            setattr(self, name, value)
        self.estate.remember(estate)
        self.chance.setstate(chance)
        return True

    def _keep(self) -> None:
        """Note what a later process needs to go on."""
        mine = {name: getattr(self, name) for name in _REMEMBERED}
        memory = (mine, self.estate.memory(), self.chance.getstate())
        self._state.write_bytes(pickle.dumps(memory))

    @property
    def _state(self) -> Path:
        return self.estate.folder / "nights.pickle"

    def _turn(self, kind: str) -> int | None:
        """A turn of `sync` on what the day has left; its exit code, None: it was killed."""
        if kind != "quiet":
            self.estate.change(self.chance)
        prepare: dict[str, Callable[[], object]] = {
            "source away": lambda: self.estate.shut_out("crawler"),
            "target away": lambda: self.estate.shut_out("loader"),
            "file lost": lambda: self.estate.lose_a_file(self.chance),
            "asked again": lambda: self.estate.lose_a_file(self.chance),
        }
        prepare.get(kind, tuple)()
        turns: dict[str, Callable[[], int | None]] = {
            "killed -9": self._killed_from_outside,
            "undone": self._undone,
            "undo killed": lambda: self._undone(kills=True),
            "prune killed": self._pruned,
            "stranger": self._conflicting,
            "left out": self._leaving_out,
            "source out": self._without_source,
            "moved": self._moved,
            "asked again": self._asked_again,
        }
        try:
            with self._killing(_WRITES, kind == "killed"):
                return turns.get(kind, self._followed)()
        except Killed:
            return None
        finally:
            self.estate.give_back()

    def _undone(self, *, kills: bool = False) -> int:
        """A turn, an undo of what it has written, one that does not do it again, and who does."""
        before, applied = self.estate.targets.there(), self._applied()
        code = self._followed()
        written = sorted(self._applied() - applied)
        if code != command.FINE:
            return code
        changed = self.estate.targets.there() != before
        for run in written:
            with self._log():
                try:
                    with self._killing(_WRITES, kills):
                        undo_run(self.spark, self._config(), run, "soak")
                except Killed:
                    undo_run(self.spark, self._config(), run, "soak")
        wanted = command.FINDINGS if changed else command.FINE
        self._expect(self.estate.targets.there() == before, "undone, but not as before")
        code = self._followed()
        self._expect(code == wanted, f"ends with {code} behind an undo")
        self._expect(self.estate.targets.there() == before, "done again behind an undo")
        self._by_hand()
        return command.FINE

    def _pruned(self) -> int:
        """A turn, a prune that is killed, and one that ends what that has begun."""
        code = self._followed()
        with contextlib.suppress(Killed), self._killing(_REMOVALS, kills=True):
            self._prune()
        self._prune()
        return code

    def _leaving_out(self) -> int:
        """A turn without some views, which stay where they are, and one with them."""
        name = self.chance.choice(sorted(name for one, name in self.estate.views if one == "lake"))
        file = self.estate.write(exclude=[f"lakedb.{name}*"])
        before = self.estate.targets.there().keys() & self.estate.at_targets()
        self._sync(file)
        lost = before - self.estate.targets.there().keys()
        self._expect(not lost, f"left out, and dropped: {sorted(lost)}")
        self.estate.write()
        return self._followed()

    def _without_source(self) -> int:
        """A turn without a source, whose views stay, and one with it."""
        source = self.chance.choice(sorted(SPACES))
        file = self.estate.write(without=source)
        before = self._in(SPACES[source])
        code = self._sync(file)
        self._expect(code == command.FINE, f"ends with {code} without {source}")
        self._expect(self._in(SPACES[source]) == before, f"{source} is out, and its views changed")
        self.estate.write()
        return self._followed()

    def _moved(self) -> int:
        """A turn whose rule leads elsewhere, an undo of that, and one that leads back."""
        before, applied = self.estate.targets.there(), self._applied()
        space = f"elsewhere_{self.nights.total()}"  # where no undo has taken anything back
        file = self.estate.write(moved=space)
        code = self._sync(file)
        wanted = command.FINDINGS if self._has_shrunk() else command.FINE
        self._expect(code == wanted, f"ends with {code} elsewhere")
        self.wrong += self.estate.differences(space)
        lost = before.keys() & self.estate.at_targets() - self.estate.targets.there().keys()
        self._expect(not lost, f"moved, and dropped where they were: {sorted(lost)}")
        for run in sorted(self._applied() - applied, reverse=True):
            with self._log():
                undo_run(self.spark, self._config(), run, "soak")
        self._expect(self.estate.targets.there() == before, "moved and undone, but not as before")
        self.estate.write()
        self._by_hand()
        return self._followed()

    def _in(self, space: str) -> AtTarget:
        """What the targets have in a namespace."""
        found = self.estate.targets.there()
        return {place: sql for place, sql in found.items() if place[0] == space}

    def _asked_again(self) -> int:
        """A turn that cannot read a view; that is asked again when it can be read."""
        code = self._followed()
        self._expect(code != command.FINE, f"ends with {code} without a file")
        self.estate.give_back()
        run = Warehouse(self._config().warehouse).run(None).run_id
        with self._log():
            again = recrawl(self.spark, self._config(), run)
        left = 1 if again is None else again.counts["sources"]["ice"]["failures"]
        self._expect(not left, f"asked again, and {left} failed")
        return self._followed()

    def _by_hand(self, *, only: str = "") -> None:
        """A person plans and applies what a turn leaves to people, or one action of that."""
        config, folder = self._config(), self.estate.folder / f"by-hand-{self.nights.total()}"
        with self._log():
            run = Warehouse(config.warehouse).run(None).run_id
            file = self.estate.folder / "estate.yaml"
            plan_run(self.spark, config, run, Paper(folder, file, delete=True, shrunk=True))
            path = folder / "changes.jsonl"
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
            kept = [line for line in lines if only in {"", json.loads(line)["action"]}]
            path.write_text("".join(kept), encoding="utf-8")
            apply_plan(self.spark, config, folder, "soak", delete=True)

    def _config(self) -> RunConfig:
        return loader.load(self.estate.folder / "estate.yaml")

    def _conflicting(self) -> int:
        """A turn after somebody has changed a view at a target, and one after that is mended."""
        stored = [one for one in self.estate.targets.there() if one[0] != "icedb"]
        if not stored:
            return self._followed()
        place = self.chance.choice(sorted(stored))
        self.estate.targets.alter(place)
        strange = self.estate.targets.there()[place]
        code = self._followed()
        self._expect(code != command.FINE, f"ends with {code}, with a stranger's {place}")
        now = self.estate.targets.there().get(place)
        self._expect(now == strange, f"a stranger's {place} is {now!r} and was {strange!r}")
        self.estate.targets.alter(place, back=True)
        return self._followed()

    def _applied(self) -> set[str]:
        """The runs of apply so far."""
        warehouse = Warehouse(str(self.estate.folder / "warehouse"))
        return {str(row["run"]) for row in warehouse.table(TABLES["applies"], "*")}

    @contextmanager
    def _log(self) -> Iterator[None]:
        """What is said goes into the night's file."""
        with (
            (self.estate.folder / f"night-{self.nights.total()}.log").open("a") as log,
            contextlib.redirect_stderr(log),
        ):
            yield

    def _followed(self) -> int:
        """A turn; one more, if sources have shrunk, and a person has said that it is so."""
        there = self.estate.targets.there()
        code = self._sync()
        if not self._has_shrunk():
            return code
        self._expect(code == command.FINDINGS, f"ends with {code}, and a source has shrunk")
        lost = there.keys() - self.estate.targets.there().keys()
        self._expect(not lost, f"dropped, and a source has shrunk: {sorted(lost)}")
        self._by_hand(only="drop")
        return self._sync()

    def _has_shrunk(self) -> bool:
        """Whether the latest run has far less of a source than was believed before it."""
        doubted, has = False, dict[tuple[str, str], int]()
        for run in Warehouse(str(self.estate.folder / "warehouse")).runs():
            if run.run_id in self._looked_at:
                continue
            self._looked_at.add(run.run_id)
            told = json.loads(run.counts)["sources"]
            has = {(name, what): one[what] for name, one in told.items() for what in _COUNTED}
            complete = not any(one["unread"] for one in told.values())
            doubted = complete and any(
                number < _ENOUGH * self._held.get(one, 0) for one, number in has.items()
            )
            if complete and not doubted:
                self._held |= has
        if doubted:  # which is told to be so at once
            self._held |= has
        return doubted

    def _sync(self, file: Path | None = None) -> int:
        file, out = file or self.estate.folder / "estate.yaml", self.estate.folder / "sync"
        config = loader.load(file)
        wanted = RunRequest(file, out, True, None, "soak", follows=True)
        with self._log():
            try:
                return follow(self.spark, config, wanted)[1]
            except BelvedereError as error:
                print(error, error.hint, file=sys.stderr)
                return command.CRASHED

    @contextmanager
    def _killing(self, moments: tuple[type, Sequence[str]], kills: bool) -> Iterator[None]:
        """End the driver at one of the moments at which it writes into its warehouse.

        Args:
            moments: A class, and those of its methods at which that may be.
            kills: Whether it is ended at all.
        """
        left = self.chance.randrange(_CALLS) if kills else -1

        def ending(real: Callable[..., Any]) -> Callable[..., Any]:
            def written(*args: Any, **named: Any) -> Any:
                nonlocal left
                left -= 1
                if left == -1 and kills:
                    raise Killed
                return real(*args, **named)

            return written

        with pytest.MonkeyPatch.context() as patched:
            writer, names = moments
            for name in names:
                patched.setattr(writer, name, ending(getattr(writer, name)))
            yield

    def _killed_from_outside(self) -> int | None:
        """A turn in processes of its own, which are killed at some moment."""
        folder = self.estate.folder
        arguments = ["sync", "--config", str(folder / "estate.yaml"), "--out", str(folder / "sync")]
        victim = Victim(arguments, folder / "killed.log")
        time.sleep(self.chance.uniform(5, 60))
        ended = not victim.runs
        victim.kill()
        return command.FINE if ended else None

    def _morning(self, kind: str, code: int | None) -> None:
        """What is to be true whatever has happened; and what, after a night without a fault."""
        place = self.estate.folder / "warehouse"
        warehouse = Warehouse(str(place))
        runs = warehouse.runs()
        if runs:
            self.wrong += [one for one in damage(str(place)) if _INTERRUPTED not in one]
            self._reconcile(warehouse, runs[-1].run_id)
        if code is None:
            return
        if kind in _FAULTS:
            self._expect(code != command.FINE, f"ends with {code} for a fault")
            return
        self._expect(code == command.FINE, f"ends with {code}")
        self.wrong += self.estate.differences()
        if self.nights.total() % _EVERY == 1:
            self._cut_over()
        held = World(place).holders()
        alive = [holder for holder in held if holder is None or not holder.is_dead()]
        self._expect(not alive, f"locks are left: {alive}")

    def _cut_over(self) -> None:
        """What the targets have is what `cutover` says, and none of it has been tampered with."""
        file = self.estate.folder / "estate.yaml"
        with self._log():
            answer, reasons = cutover.check(
                self.spark, self._config(), file, self.estate.folder / "cutover"
            )
        self._expect(not reasons, f"not ready: {[str(one) for one in reasons]}")
        self._expect(answer["ready"] is not bool(reasons), f"ready: {answer['ready']}")

    def _reconcile(self, warehouse: Warehouse, run_id: str) -> None:
        """Each object that is listed has become one row."""
        places = ("source", "key", "entity")
        listed, came = (
            Counter(tuple(row[name] for name in places) for row in warehouse.table(table, run_id))
            for table in (TABLES["objects"], TABLES["outcomes"])
        )
        unlike = (listed - came) + (came - listed)
        objects = sorted(str(one) for one in unlike if one[2] == "object")
        self._expect(not objects, f"rows do not reconcile: {objects[:3]}")

    def _expect(self, so: bool, otherwise: str) -> None:
        if not so:
            self.wrong.append(otherwise)

    def _prune(self) -> None:
        """Remove what is old."""
        place = str(self.estate.folder / "warehouse")
        keeps = ["--keep-last", str(KEPT), "--plans", "--carried-out"]
        arguments = ["--warehouse", place, *keeps, "--yes"]
        with contextlib.redirect_stdout(io.StringIO()):
            code = prune.main(arguments)
        self._expect(code == command.FINE, f"prune ends with {code}")

    def _stored(self) -> tuple[int, int]:
        """Files and bytes of the warehouse."""
        found = [
            Path(folder, name).stat().st_size
            for folder, _, names in os.walk(self.estate.folder / "warehouse")
            for name in names
        ]
        return len(found), sum(found)


def _say(told: dict[str, Any]) -> None:
    print(json.dumps(told), flush=True)


def _memory(spark: SparkSession) -> dict[str, int]:
    """Megabytes of this process, and of Java's heap after a collection."""
    java: Any = spark._jvm
    java.java.lang.System.gc()
    runtime = java.java.lang.Runtime.getRuntime()
    heap = (runtime.totalMemory() - runtime.freeMemory()) // 1_000_000
    return {"python": psutil.Process().memory_info().rss // 1_000_000, "heap": heap}


@contextmanager
def _folder() -> Iterator[tuple[Path, bool]]:
    """A folder, and whether it stays, as someone wants to look into it or to go on later."""
    if _PLACE:
        yield Path(_PLACE), True
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder), False


def soak(nights: int, seed: int) -> bool:
    """All nights; whether all was as it should be.

    With `SOAK_IN`, nights go on behind those that its folder has had, also in an earlier process.
    One that has ended in the midst of a night has none to go on from. SIGTERM ends behind a night.
    """
    chance, ending = random.Random(seed), threading.Event()  # noqa: S311 - days, not secrets
    began = time.monotonic()
    with _folder() as (folder, keeps), living_estate(folder, keeps=keeps) as estate:
        spark = spark_session("soak", {"spark.driver.extraJavaOptions": LONG_JAVA})
        signal.signal(signal.SIGTERM, lambda *_: ending.set())
        found = Soak(spark, estate, chance)
        if not found.go_on():
            estate.begin(chance)
        memory = {}
        for number in range(found.nights.total() + 1, nights + 1):
            found.night(number)
            if number in {min(20, nights), nights}:
                memory[number] = _memory(spark)
            if ending.is_set():
                break
        took = round(time.monotonic() - began)
        _say(
            {
                "nights": found.nights.total(),
                "seed": seed,
                "kinds": dict(found.nights),
                "wrong": len(found.wrong),
                "most_files": found.most[0],
                "most_bytes": found.most[1],
                "megabytes_after_night": memory,
                "seconds": took,
            }
        )
        spark.stop()
        return not found.wrong


if __name__ == "__main__":
    asked = [int(one) for one in sys.argv[1:]]
    sys.exit(not soak(*(asked + [NIGHTS, 1][len(asked) :])))
