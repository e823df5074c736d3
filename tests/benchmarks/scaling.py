"""`make scale`: what an object costs, and what the driver holds, as an estate grows.

Each size in a process of its own, on an archive of made-up views and tables: crawled, judged by
Spark's parser, planned against an empty store, reported. Too long for `make bench`.
"""

import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from connectors.archive import Options as ArchiveOptions
from connectors.registry import Connector
from jobs.assess import assess_run
from jobs.crawl import crawl_estate
from jobs.embedded.postgres import embedded_postgresql
from jobs.plan import Paper, plan_run
from jobs.report import ReportScope, write_report
from jobs.warehouse.warehouse import Warehouse
from tests.benchmarks.crawling import CONNECTIONS, archive, session
from tests.benchmarks.measure import alone, heap, note, python_peak, say, seconds
from tests.benchmarks.migrating import into_rows

FEW: Final = 50_000
MANY: Final = (200_000, 1_000_000)
_IN_DATABASE: Final = 2_000
_TABLE: Final = 5  # every so many objects, one is a table
_READS_A_VIEW: Final = 4  # of so many views, one


def main(sizes: Sequence[int]) -> None:
    """Measure `FEW` objects, and then each size against them."""
    few = _measured(FEW)
    for count in sizes:
        many = _measured(count)
        for stage, taken in many["seconds"].items():
            mine, theirs = taken / count, few["seconds"][stage] / FEW
            say(f"scale-{stage}", count, mine * 1e6, "us/object", theirs * 1e6, "<= 1.1")
        for name in ("python", "heap"):
            say(f"scale-{name}", count, many[name], "MB", few[name], "<= 1.15")
        say("scale-page", count, many["page"], "MB", few["page"], "opens in less than 1 s")


def measure(count: int) -> None:
    """All stages on so many objects, in this process; prints what they took."""
    place = Path(tempfile.mkdtemp(prefix="belvedere-bench-"))
    path = archive(count, _entry, "scale")
    source = Connector("archive", ArchiveOptions(path=str(path), connections=CONNECTIONS))
    with embedded_postgresql(place / "pg") as server, session() as spark:
        config = replace(into_rows(place, source, server), engines=("spark",))
        warehouse = Warehouse(config.warehouse, spark)
        paper, pages = Paper(place / "plan", place / "estate.yaml"), place / "report"
        stages: dict[str, Callable[[], object]] = {
            "crawl": lambda: crawl_estate(spark, config, "run"),
            "assess": lambda: assess_run(spark, config, "run"),
            "plan": lambda: plan_run(spark, config, "run", paper),
            "report": lambda: write_report(lambda: spark, warehouse, "run", pages, ReportScope()),
        }
        took, held = {}, 0.0
        for name, work in stages.items():
            took[name] = seconds(work)
            held = max(held, heap(spark))
            note(f"scale: {name} of {count:,} objects {took[name]:.0f} s")
        counts = json.loads(warehouse.run("run").counts)["sources"]["s"]
        assert counts["listed"] == count, counts
        assert counts["failures"] == 0, counts
    page = (pages / "belvedere.html").stat().st_size / 1e6
    shutil.rmtree(place)
    print(json.dumps({"seconds": took, "python": python_peak(), "heap": held, "page": page}))


def _measured(count: int) -> dict[str, Any]:
    """What a process of its own says."""
    told: dict[str, Any] = json.loads(alone("scaling", f"measure({count})"))
    return told


def _entry(number: int) -> dict[str, Any]:
    """A table of Hive, or a view of it, or one of a table and another view."""
    database, _, name = _name(number).partition(".")
    columns = [{"name": f"c_{(number + at) % 97}", "type": "bigint"} for at in range(8)]
    entry = {
        "tableName": name,
        "dbName": database,
        "owner": f"team-{number % 40}",
        "createTime": 1_795_210_279,
        "sd": {"cols": columns, "serdeInfo": {"parameters": {}}},
        "partitionKeys": [],
        "parameters": {"transient_lastDdlTime": "1795210279"},
        "tableType": "MANAGED_TABLE",
    }
    if number % _TABLE == 0:
        return entry
    table = _name(number - number % _TABLE)
    shown = ", ".join(
        f"`t`.`c_{(number - number % _TABLE + at) % 97}` AS `{column['name']}`"
        for at, column in enumerate(columns)
    )
    text = f"SELECT {shown} FROM {_quoted(table)} `t`"
    older = number // _READS_A_VIEW
    if number % _READS_A_VIEW == 0 and older % _TABLE:
        text += f" JOIN {_quoted(_name(older))} `o` ON `o`.`c_{older % 97}` = {number}"
    texts = {"viewOriginalText": text, "viewExpandedText": text}
    return {**entry, **texts, "tableType": "VIRTUAL_VIEW"}


def _quoted(name: str) -> str:
    return ".".join(f"`{part}`" for part in name.split("."))


def _name(number: int) -> str:
    kind = "v" if number % _TABLE else "t"
    return f"db_{number // _IN_DATABASE:04d}.{kind}_{number:07d}"


if __name__ == "__main__":
    main([int(one) for one in sys.argv[1:]] or MANY)
