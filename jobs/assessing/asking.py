"""Asking running engines of views where they are: what the driver does of it."""

from collections.abc import Sequence
from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from discovery.display import on_one_line, quantity
from discovery.errors import ConfigurationError
from discovery.judging.asking import VERDICT_WORDS, by_shown, summary
from discovery.judging.paths import Reach
from jobs.assessing import tables as assessed
from jobs.assessing.workers import asking
from jobs.assessing.workers.asking import Asking
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.console.progress import progress
from jobs.warehouse.carried import Carried
from jobs.warehouse.frames import frame_of
from jobs.warehouse.warehouse import Warehouse

_SHOWN: Final = 3  # reasons that are printed; the table has all
_SILENT: Final = VERDICT_WORDS[None]


def insist_on_engines(config: RunConfig) -> None:
    """Engines can be asked, and each is said to show a source.

    Raises:
        ConfigurationError: None can, or one is not.
    """
    if not config.running:
        hint = "write engines: {trino: {url: https://trino.example:8443}}"
        raise ConfigurationError("no engine is configured that could be asked", hint=hint)
    for name in config.running:
        if not config.catalogs.get(name):
            hint = f"write catalogs: {{{name}: {{CATALOG: {next(iter(config.sources))}}}}}"
            raise ConfigurationError(f"no catalog of {name} is said to show a source", hint=hint)


def askings(config: RunConfig, reach: Reach) -> tuple[Asking, ...]:
    """What the engines that run are asked."""
    return tuple(
        Asking(engine, by_shown(config.catalogs[name]), reach)
        for name, engine in config.running.items()
    )


def write(
    spark: SparkSession,
    warehouse: Warehouse,
    run_id: str,
    crawled: DataFrame,
    wanted: Sequence[Asking],
) -> None:
    """Write `asked`: what the engines say of the views of those sources that they show.

    Args:
        spark: The session.
        warehouse: Where the tables are.
        run_id: The run.
        crawled: The views.
        wanted: Whom to ask; nobody: nothing was said.
    """
    if not wanted:
        warehouse.note(assessed.ASKED, run_id)
        return
    schema = from_arrow_schema(assessed.ASKED.schema)
    answers = frame_of(spark, assessed.ASKED.schema)
    for request in wanted:
        views = crawled.where(f.col("source").isin(*request.catalogs)).repartition(1)
        answers = answers.unionByName(views.mapInArrow(Carried(asking.ask_views(request)), schema))
    with progress(spark, "asking engines"):
        warehouse.write(assessed.ASKED, run_id, answers)
    asked = warehouse.frame(spark, assessed.ASKED, run_id)
    verdicts = asked.select(f.explode("verdicts").alias("one")).select("one.*")
    _tell(verdicts, [request.engine.kind for request in wanted])


def _tell(verdicts: DataFrame, engines: Sequence[str]) -> None:
    """Print how many views each engine was asked of, and why it has not judged some."""
    counted = verdicts.groupBy("engine", "verdict").count().collect()
    for name in engines:
        counts = {row["verdict"]: row["count"] for row in counted if row["engine"] == name}
        sentence = ", ".join(summary(counts)) or "it shows no view of the run"
        command.say(f"{name}, asked of {quantity(sum(counts.values()), 'view')}: {sentence}")
    silent = verdicts.where(f.col("verdict") == _SILENT).groupBy("engine", "message").count()
    for row in silent.orderBy(f.desc("count"), "engine", "message").limit(_SHOWN).collect():
        command.say(
            f"  {row['engine']}: {row['count']:,} not judged: {on_one_line(row['message'])}"
        )
