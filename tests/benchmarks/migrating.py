"""Benches of a migration in Spark: the plan, and the load end to end."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from connectors.archive import Options as ArchiveOptions
from connectors.gravitino.entity_store.options import Options as StoreOptions
from connectors.registry import Connector
from discovery.migration.mapping import Rule
from discovery.migration.routes import ChosenRoute
from jobs.apply import apply_plan
from jobs.assessing import tables as assessed
from jobs.configuration.loader import RunConfig
from jobs.configuration.terms import TargetTerms
from jobs.crawl import crawl_estate
from jobs.crawling.views import views_of
from jobs.embedded.postgres import EmbeddedPostgreSQL, embedded_postgresql
from jobs.plan import Paper, plan_run
from jobs.warehouse.warehouse import Warehouse
from tests.benchmarks.crawling import CONNECTIONS, archive, session
from tests.benchmarks.measure import alone, heap, median_of, note, python_peak, say, seconds

FEW: Final = 10_000
MANY: Final = 50_000


def load_pg_rate() -> None:
    """Views per second of an apply: checked, written wave by wave, events and all."""
    with _migration(FEW) as (spark, config, paper, empty):

        def rate() -> float:
            empty()
            plan_run(spark, config, Warehouse(config.warehouse).run(None).run_id, paper)
            return FEW / seconds(lambda: apply_plan(spark, config, paper.folder, "bench"))

        rate()
        say("load-pg-rate", FEW, median_of(rate), "views/s", 1_000, ">= 1000")


def plan() -> None:
    """A plan of 50,000 wanted views against 50,000 that are there, and the driver's memory."""
    with _migration(MANY) as (spark, config, paper, _):
        run_id = Warehouse(config.warehouse).run(None).run_id

        def once() -> float:
            taken = seconds(lambda: plan_run(spark, config, run_id, paper))
            note(f"plan: {taken:.1f} s")
            return taken

        once()
        apply_plan(spark, config, paper.folder, "bench")
        say("plan", MANY, median_of(once), "s", 30, "<= 30 s")
    few, many = (median_of(lambda n=n: _memory_of(n)) for n in (FEW, MANY))  # type: ignore[misc]
    say("plan-memory", MANY, many, "MB", few, "<= 1.2")


def memory_of_a_plan(count: int) -> None:
    """What a process of its own does for the driver's memory; prints megabytes."""
    with _migration(count) as (spark, config, paper, _):
        plan_run(spark, config, Warehouse(config.warehouse).run(None).run_id, paper)
        print(python_peak() + heap(spark))


def _memory_of(count: int) -> float:
    told = float(alone("migrating", f"memory_of_a_plan({count})"))
    note(f"plan-memory: {count} views {told:.0f} MB")
    return told


@contextmanager
def _migration(
    count: int,
) -> Iterator[tuple[SparkSession, RunConfig, Paper, Callable[[], None]]]:
    """A crawled estate whose views read nothing of each other, and an empty store."""
    place = Path(tempfile.mkdtemp(prefix="belvedere-bench-"))
    source = Connector("archive", ArchiveOptions(path=str(archive(count)), connections=CONNECTIONS))
    with embedded_postgresql(place / "pg") as server, session() as spark:
        config = into_rows(place, source, server)
        run_id = crawl_estate(spark, config).run_id
        _ordered(spark, Warehouse(config.warehouse, spark), run_id)
        yield spark, config, Paper(place / "plan", place / "estate.yaml"), lambda: _empty(server)
    shutil.rmtree(place)


def into_rows(place: Path, source: Connector, server: EmbeddedPostgreSQL) -> RunConfig:
    """The configuration that moves a source into rows of Gravitino's, with a warehouse below."""
    options = StoreOptions(url=server.url(), user="postgres", metalake="m", catalog="c")
    return RunConfig(
        str(place / "warehouse"),
        False,
        {"s": source},
        targets={"t": Connector("gravitino-store", options)},
        terms={"t": TargetTerms(ChosenRoute("gravitino-store", "bench", served=True))},
        rules=(Rule(source="s", target="t"),),
    )


def _ordered(spark: SparkSession, warehouse: Warehouse, run_id: str) -> None:
    """The tables of an assessed run of which nothing but the order is known."""
    aside = {
        "wave": f.lit(1),
        "aside": f.lit(None).cast("string"),
        "because": f.lit(None).cast("array<string>"),
    }
    waves = views_of(spark, warehouse, run_id).withColumns(aside).select(assessed.WAVES.names)
    with warehouse.sealing(assessed.STAGE, run_id):
        warehouse.write(assessed.WAVES, run_id, waves)
        for dataset in assessed.DATASETS:
            if dataset is not assessed.WAVES:
                warehouse.note(dataset, run_id)


def _empty(server: EmbeddedPostgreSQL) -> None:
    tables = ("metalake_meta", "catalog_meta", "schema_meta", "view_meta", "view_version_info")
    server.execute(tuple(f"DROP TABLE IF EXISTS {table}" for table in tables))
