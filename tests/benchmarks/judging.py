"""Benches of `assess`: the judges against their parsers in a bare loop, the whole, the waves."""

import json
import random
import shutil
import struct
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import psutil

from connectors.archive import Options as ArchiveOptions
from connectors.judges.host import ParserHost
from connectors.registry import Connector
from discovery.lineage.order import order
from discovery.ports import Statement
from jobs.assess import assess_run
from jobs.assessing.jars import provide
from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from tests.benchmarks.crawling import CONNECTIONS, archive, session
from tests.benchmarks.measure import median_of, medians_of, note, say, seconds

CORPUS = Path(__file__).parents[1] / "golden" / "corpus.json"
STATEMENTS = 10_000
VIEWS = 50_000
REASSESSED = 20_000
ENGINES = ("flink", "hive", "spark", "trino")
DEPTH = 50


def judge(engine: str) -> Callable[[], None]:
    """The bench of an engine: statements per CPU second, through the judge and in a bare loop."""

    def run() -> None:
        texts = _mixed(engine)
        statements = [Statement(text) for text in texts]
        with session() as spark:
            (provided,) = provide(spark, [engine], None)
            made = provided.judge()
            assert isinstance(made, ParserHost), provided.missing
            with made, tempfile.TemporaryDirectory() as place:
                bare = bare_loop(made, Path(place), texts)
                accepted = sum(bool(verdict.accepted) for verdict in made.judge(statements))
                assert accepted == bare_round(bare) == STATEMENTS // 2
                assert made._process is not None
                child = psutil.Process(made._process.pid)
                ours = [psutil.Process(), child]
                theirs, mine = medians_of(
                    lambda: cpu([psutil.Process(bare.pid)], lambda: bare_round(bare)),
                    lambda: cpu(ours, lambda: list(made.judge(statements))),
                )
                bare.kill()
                bare.communicate()
        rates = STATEMENTS / mine, STATEMENTS / theirs
        say(f"judge-{engine}", STATEMENTS, rates[0], "statements/CPU-s", rates[1], ">= 0.5")

    return run


def assess() -> None:
    """50,000 distinct views of four engines, judged by four, related and ordered, end to end."""
    with session() as spark:
        path = archive(VIEWS)
        source = Connector("archive", ArchiveOptions(path=str(path), connections=CONNECTIONS))
        place = tempfile.mkdtemp(prefix="belvedere-bench-")
        config = RunConfig(place, False, {"s": source}, engines=ENGINES)
        crawled = crawl_estate(spark, config)

        def once() -> float:
            taken = seconds(lambda: assess_run(spark, config, crawled.run_id))
            note(f"assess: {taken:.0f} s")
            return taken

        say("assess", VIEWS, median_of(once), "s", 300, "<= 300 s")
        shutil.rmtree(place)


def reassess() -> None:
    """An assessment behind a crawl that stands on a run, against one that asks all anew."""
    with session() as spark:
        path = archive(REASSESSED)
        source = Connector("archive", ArchiveOptions(path=str(path), connections=CONNECTIONS))
        place = tempfile.mkdtemp(prefix="belvedere-bench-")
        every = timedelta(days=7)
        config = RunConfig(place, False, {"s": source}, engines=ENGINES, full_every=every)
        assess_run(spark, config, crawl_estate(spark, config).run_id)
        last = crawl_estate(spark, config).run_id
        anew, again = medians_of(
            lambda: seconds(lambda: assess_run(spark, config, last, anew=True)),
            lambda: seconds(lambda: assess_run(spark, config, last)),
        )
        say("reassess", REASSESSED, again, "s", anew, "<= 0.5")
        shutil.rmtree(place)


def waves() -> None:
    """Time per view of 200,000 views and of 10,000, in chains 50 deep."""
    few, many = _chains(10_000), _chains(200_000)
    order(few)
    ours = medians_of(
        lambda: _ordering(few) / len(few) * 1e6,
        lambda: _ordering(many) / len(many) * 1e6,
    )
    say("waves", len(many), ours[1], "us/view", ours[0], "<= 1.3")


def waves_50k() -> None:
    """50,000 views, in seconds."""
    views = _chains(VIEWS)
    say("waves-50k", VIEWS, median_of(lambda: seconds(lambda: order(views))), "s", 10, "<= 10 s")


def _ordering(reads: Mapping[tuple[str, str], set[tuple[str, str]]]) -> float:
    """CPU seconds: it runs in this thread alone, whatever else the machine does."""
    before = time.process_time()
    order(reads)
    return time.process_time() - before


def _chains(count: int) -> dict[tuple[str, str], set[tuple[str, str]]]:
    """Views that read a table, the view below and one further down, in chains of 50."""
    chance, reads = random.Random(1), {}  # noqa: S311 - data, not a secret

    def key(number: int) -> tuple[str, str]:
        return "lake", f"db_{number % 100:03d}.v_{number:06d}"

    for number in range(count):
        below = {("lake", f"db_{number % 100:03d}.t_{number}")}
        if deep := number % DEPTH:
            below |= {key(number - 1), key(number - chance.randint(1, deep))}
        reads[key(number)] = below
    return reads


def _mixed(engine: str) -> list[str]:
    """Statements, each distinct; the engine's parser accepts every other one."""
    views: list[Mapping[str, Any]] = json.loads(CORPUS.read_text(encoding="utf-8"))["views"]
    good = [view["sql"] for view in views if engine in view["accepted_by"]]
    bad = [view["sql"] for view in views if engine not in view["accepted_by"]]
    half = range(STATEMENTS // 2)
    pairs = [(good[n % len(good)], bad[n % len(bad)]) for n in half]
    return [f"{sql}\n-- {n}" for n, pair in enumerate(pairs) for sql in pair]


def bare_loop(
    made: ParserHost, place: Path, texts: Sequence[str], told: Sequence[str] = ()
) -> "subprocess.Popen[bytes]":
    """The judge's JVM as it starts it, with a bare loop for a program.

    Args:
        made: The judge.
        place: A folder for the programs.
        texts: The statements.
        told: What the program is told once, as before a statement.
    """
    own = Path(__file__).parent / "java" / "Bare.java"
    command = made.command(place)
    shutil.copy(own, place)
    command[-1:] = ["Bare", command[-1]]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(_framed(told) + _framed(texts))
    return process


def _framed(texts: Sequence[str]) -> bytes:
    encoded = [text.encode() for text in texts]
    frames = b"".join(struct.pack(">i", len(text)) + text for text in encoded)
    return struct.pack(">i", len(texts)) + frames


def bare_round(bare: "subprocess.Popen[bytes]") -> int:
    """Have it judge every text once; how many it accepts."""
    assert bare.stdin is not None
    assert bare.stdout is not None
    bare.stdin.write(b"!")
    bare.stdin.flush()
    accepted: int = struct.unpack(">i", bare.stdout.read(4))[0]
    return accepted


def cpu(processes: list[psutil.Process], work: Callable[[], object]) -> float:
    """CPU seconds that the processes take for a piece of work."""

    def now() -> float:
        return sum(sum(process.cpu_times()[:2]) for process in processes)

    before = now()
    work()
    return now() - before
