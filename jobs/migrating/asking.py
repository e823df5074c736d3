"""Asking running engines of what was written at targets: what the driver does of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from discovery.display import on_one_line
from discovery.errors import ConfigurationError
from discovery.judging.asking import VERDICT_WORDS, by_shown
from discovery.model import dotted
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.migrating.tables import VERIFIED_LIVE
from jobs.migrating.workers import asking
from jobs.warehouse.carried import Carried
from jobs.warehouse.warehouse import Warehouse

_SHOWN: Final = 10  # views that are printed; the table has all
_ACCEPTED: Final = VERDICT_WORDS[True]
_SILENT: Final = VERDICT_WORDS[None]


@dataclass(frozen=True, slots=True)
class AskedAt:
    """What an engine said at a target.

    Attributes:
        engine: The engine.
        target: The target.
        same: Of how many views it shows the columns that the plan has.
        unlike: How many it shows otherwise, or rejects.
        silent: How many are not judged.
    """

    engine: str
    target: str
    same: int = 0
    unlike: int = 0
    silent: int = 0

    def to_json(self) -> dict[str, str | int]:
        """As data, for programs."""
        return {
            "engine": self.engine,
            "target": self.target,
            "same": self.same,
            "unlike": self.unlike,
            "silent": self.silent,
        }

    @property
    def reasons(self) -> Iterator[command.ExitReason]:
        """Why that is no good end."""
        then = "see the table `verified_live` of the plan"
        where = f"{self.target}: {self.engine}"
        if self.unlike:
            what = f"{where} does not show {self.unlike:,} views as they were planned"
            yield command.ExitReason(command.FINDINGS, what, then)
        if self.silent:
            what = f"{where} has not answered for {self.silent:,} views"
            yield command.ExitReason(command.FINDINGS, what, then)


def insist_on_engines(config: RunConfig) -> None:
    """Look whether any engine can be asked at a target.

    Raises:
        ConfigurationError: None can.
    """
    if not any(one.options.targets for one in config.running.values()):
        target = next(iter(config.targets), "TARGET")
        hint = (
            f"write engines: {{trino: {{url: https://trino:8443, targets: {{CATALOG: {target}}}}}}}"
        )
        raise ConfigurationError("no engine is said to show a target", hint=hint)


def ask(spark: SparkSession, config: RunConfig, whole: DataFrame) -> DataFrame:
    """Rows of `VERIFIED_LIVE`: of the views that are to be there, with a text for the engine.

    Args:
        spark: The session.
        config: The configuration.
        whole: What the plan writes and keeps.
    """
    schema = from_arrow_schema(VERIFIED_LIVE.schema)
    found = spark.createDataFrame([], schema)
    texts = f.get_json_object("model", "$.representations")
    dialects = f.from_json(f.lower(texts), "array<struct<dialect string>>")["dialect"]
    there = whole.where("action <> 'drop'").withColumn("dialects", dialects)
    for name, engine in config.running.items():
        catalogs = by_shown(engine.options.targets)
        mine = there.where(f.col("target").isin(*catalogs) & f.array_contains("dialects", name))
        asked = mine.drop("dialects").repartition(1)
        found = found.unionByName(
            asked.mapInArrow(Carried(asking.ask_written(engine, catalogs)), schema)
        )
    return found


def told(spark: SparkSession, warehouse: Warehouse, plan: str) -> tuple[AskedAt, ...]:
    """What came of it, printed: by engine and target."""
    rows = warehouse.frame(spark, VERIFIED_LIVE, plan)
    same = (f.col("verdict") == _ACCEPTED) & (f.size("differences") == 0)
    silent = f.col("verdict") == _SILENT
    counted = rows.groupBy("engine", "target").agg(
        f.count_if(same), f.count_if(~same & ~silent), f.count_if(silent)
    )
    found = tuple(AskedAt(*row) for row in counted.orderBy("engine", "target").collect())
    for one in found:
        words = {"as planned": one.same, "otherwise": one.unlike, "not judged": one.silent}
        numbers = ", ".join(f"{number:,} {word}" for word, number in words.items())
        command.say(f"{one.target}: {one.engine} shows columns: {numbers}")
    shown = rows.where(~same).orderBy("engine", "target", "key").limit(_SHOWN)
    for row in shown.collect() if any(one.unlike or one.silent for one in found) else ():
        why = "; ".join(row["differences"] or ()) or f"{row['verdict']}: {row['message']}"
        place = dotted((*row["namespace"], row["name"]))
        command.say(f"  {row['engine']}: {place}: {on_one_line(why)}")
    return found
