"""The bench of the suites: a run of 100,000 outcomes, its verdicts and references beside it."""

import shutil
import tempfile
from typing import Final

from pyspark.sql import functions as f

from connectors.archive import Options
from connectors.registry import Connector
from jobs.assessing import tables as assessed
from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.crawling.views import views_of
from jobs.migrating import tables as planned
from jobs.quality import check_run
from jobs.warehouse.datasets import StageTables
from jobs.warehouse.runs import now
from jobs.warehouse.warehouse import Warehouse
from reports.quality.model import QualityTerms, Status
from tests.benchmarks.crawling import CONNECTIONS, archive, session
from tests.benchmarks.measure import median_of, note, say, seconds

VIEWS: Final = 100_000
JUDGING: Final = ("spark", "hive", "trino", "flink")


def quality() -> None:
    """All suites, drift included, from the files of the warehouse to its table `quality`."""
    place = tempfile.mkdtemp(prefix="belvedere-bench-")
    warehouse = Warehouse(place)
    _write(warehouse, place)

    def once() -> float:
        found = []
        taken = seconds(lambda: found.append(check_run(warehouse, QualityTerms(), "now", "before")))
        assert {result.status for result in found[0].results} == {Status.PASSED}
        note(f"quality: {taken:.1f} s")
        return taken

    once()
    say("quality", VIEWS, median_of(once), "s", 60, "<= 60 s")
    shutil.rmtree(place)


def _write(warehouse: Warehouse, place: str) -> None:
    """Two equal runs: crawled, and as if assessed, migrated and read back."""
    source = Connector("archive", Options(path=str(archive(VIEWS)), connections=CONNECTIONS))
    with session() as spark:
        for name in ("before", "now"):
            crawl_estate(spark, RunConfig(place, False, {"s": source}), name)
        views = views_of(spark, warehouse, "now")
        text = views.withColumn("dialect", f.explode("dialects"))
        engines = f.explode(f.array(*map(f.lit, JUDGING)))
        nothing = f.lit(None)
        verdicts = text.withColumns(
            {
                "engine": engines,
                "version": f.lit("1"),
                "grade": f.lit("PARSE"),
                "verdict": f.lit("accepted"),
                "message": nothing,
                "line": nothing.cast("int"),
                "column": nothing.cast("int"),
            }
        )
        warehouse.write(assessed.VERDICTS, "now", verdicts.select(assessed.VERDICTS.names))
        references = text.withColumns(
            {
                "written": f.array(f.lit("db"), f.concat(f.lit("t_"), "name")),
                **dict.fromkeys(("catalog", "base_source", "base_name", "base_key"), nothing),
                "base_namespace": nothing.cast("array<string>"),
                "read_by": f.lit("bench"),
                "base_kind": f.lit("table"),
            }
        )
        warehouse.write(assessed.REFERENCES, "now", references.select(assessed.REFERENCES.names))
        stage = StageTables("assess", (assessed.VERDICTS, assessed.REFERENCES), "bench again")
        warehouse.seal(stage, "now")
        back = {"target": f.lit("t"), "differences": f.array().cast("array<string>")}
        warehouse.write(
            planned.VERIFIED, "p", views.withColumns(back).select(planned.VERIFIED.names)
        )
        warehouse.note(planned.PLANS, "p", ("p", "now", now(), None, "{}", "", None))
