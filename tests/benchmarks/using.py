"""The bench of the logs: recorded lines of Trino, Spark and HiveServer2, over and over.

BELVEDERE_BENCH_LINES says how many; some texts have values of their own each time.
"""

import os
import tempfile
from collections.abc import Iterator
from datetime import date
from itertools import count, islice
from pathlib import Path
from typing import Final

from connectors.archive import Options
from connectors.registry import Connector
from discovery.usage.coverage import UsageWindow
from discovery.usage.model import StatedLog
from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.using import tables
from jobs.using.reading import write_usage
from jobs.warehouse.warehouse import Warehouse
from tests.benchmarks.crawling import CONNECTIONS, archive, session
from tests.benchmarks.measure import cpu, note, say

LINES: Final = int(os.environ.get("BELVEDERE_BENCH_LINES", "10000000"))
VIEWS: Final = 10_000
FILES: Final = 8  # of each kind
AIM: Final = 20_000  # lines for each CPU second, Java's among them
_RECORDED: Final = Path("tests/recorded/usage")
_KINDS: Final = {"trino": "trino.jsonl", "spark": "spark-extended.jsonl", "hive": "hive.log"}


def usage() -> None:
    """Read logs of three engines into the tables of usage of a run of 10,000 views."""
    with tempfile.TemporaryDirectory(prefix="belvedere-bench-") as folder, session() as spark:
        source = Connector("archive", Options(path=str(archive(VIEWS)), connections=CONNECTIONS))
        config = RunConfig(f"{folder}/w", False, {"s": source})
        crawl_estate(spark, config, "r")
        logs = [_log(Path(folder), kind, name) for kind, name in _KINDS.items()]
        warehouse = Warehouse(config.warehouse)
        begun = cpu()
        write_usage(spark, config, warehouse, "r", logs, UsageWindow.until(date(2026, 11, 23), 90))
        taken = cpu() - begun
        read = sum(one["lines"] for one in warehouse.table(tables.USAGE_LOGS, "r"))
    note(f"usage: {read:,} lines in {taken:.1f} CPU seconds")
    say("usage", read, read / taken, "lines/CPU s", AIM, f">= {AIM}")


def _log(folder: Path, kind: str, name: str) -> StatedLog:
    """A log of a kind: its part of the lines, in files."""
    lines = (_RECORDED / name).read_bytes().splitlines(keepends=True)
    for number in range(FILES):
        with (folder / f"{kind}-{number}").open("wb") as file:
            file.writelines(islice(_over(lines), LINES // len(_KINDS) // FILES))
    return StatedLog(kind, (f"{folder}/{kind}-*",), "s")


def _over(lines: list[bytes]) -> Iterator[bytes]:
    for number in count():
        for line in lines:
            yield line.replace(b"amount > 5", b"amount > %d" % number)
