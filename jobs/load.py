"""belvedere load: load the views of a run into the targets of the configuration and read them back.

Idempotent: a view that is there already, equal in all fields, is kept. Views of one name from two
    sources that go to the same target collide: none of them is loaded.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from connectors.clients.credentials import Secret, redacted
from discovery import wire
from discovery.errors import BelvedereError, CollisionError
from discovery.model import Schema
from jobs.runtime import command, partitions, rows
from jobs.runtime.config import RunConfig
from jobs.runtime.progress import progress
from jobs.runtime.session import spark_session
from jobs.runtime.warehouse import Warehouse

_COLLISION: Final = CollisionError(
    "another view of this name goes to the same target",
    hint="map one of the sources to another target",
)


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a load came to: numbers of views."""

    actions: dict[tuple[str, str], int]  # by target and action
    different: int  # that read back otherwise than they were written


def load_run(spark: SparkSession, config: RunConfig, run_id: str) -> Loaded:
    """Load a committed run into every target that a source is mapped to, then read it back.

    A target that cannot be prepared costs its own views, which end as failed rows.
    """
    if not config.targets:
        command.say("no targets: nothing is loaded")
        return Loaded({}, 0)
    warehouse = Warehouse(config.warehouse, spark)
    views = warehouse.views(spark, run_id).select(*rows.VIEW_COLUMNS)
    loads = []
    verified = [spark.createDataFrame([], from_arrow_schema(rows.VERIFIED))]
    for target, connector in config.targets.items():
        sources = [source for source, mapped in config.mapping.items() if mapped == target]
        alone = f.count("*").over(Window.partitionBy("namespace", "name")) == 1
        mine = views.where(views["source"].isin(sources)).withColumn("alone", alone)
        store = connector.store()
        try:
            with store:
                store.prepare(_schemas(warehouse, spark, run_id, sources))
        except BelvedereError as error:
            command.say(redacted(f"{target}: {error}; nothing is loaded into it", config.secrets))
            loads.append(_failed(mine, target, error, config.secrets))
            continue
        clear = mine.where("alone").drop("alone").repartition(store.connections)
        load = partitions.load_views(target, connector)
        loads.append(clear.mapInArrow(load, from_arrow_schema(rows.LOADS)))
        loads.append(_failed(mine.where("not alone"), target, _COLLISION))
        verify = partitions.read_back(target, connector)
        verified.append(clear.mapInArrow(verify, from_arrow_schema(rows.VERIFIED)))
        command.say(f"loading {', '.join(sources)} into {target}")
    with progress(spark, "loading"):
        _write(warehouse, "loads", run_id, loads)
    with progress(spark, "reading back"):
        _write(warehouse, "verified", run_id, verified)
    return _told(warehouse, spark, run_id)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_config(parser)
    parser.add_argument("--run-id", metavar="ID", help="a committed run; the latest by default")


def run(args: argparse.Namespace) -> int:
    """Load, and print what the load came to."""
    spark = spark_session("load")
    run_id = Warehouse(args.config.warehouse, spark).run(args.run_id).run_id
    return exit_code(load_run(spark, args.config, run_id))


def exit_code(loaded: Loaded) -> int:
    """3 if a view could not be loaded or read back otherwise."""
    failed = sum(number for (_, action), number in loaded.actions.items() if action == "failed")
    return command.FINDINGS if failed or loaded.different else command.FINE


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


def _schemas(
    warehouse: Warehouse, spark: SparkSession, run_id: str, sources: Sequence[str]
) -> list[Schema]:
    """The schemas of all views that will be loaded; one that was not crawled has only its name."""
    outcomes = warehouse.frame(spark, "outcomes", run_id)
    wanted = outcomes.where(outcomes["source"].isin(list(sources)))
    named = wanted.where("outcome = 'view'").select("namespace").distinct().collect()
    found = {tuple(row["namespace"]): Schema(levels=tuple(row["namespace"])) for row in named}
    for row in wanted.where("outcome = 'schema'").select("namespace", "model").collect():
        levels = tuple(row["namespace"])
        found[levels] = wire.schema_from_text(row["model"], levels)
    return [found[levels] for levels in sorted(found)]


def _failed(
    views: DataFrame, target: str, error: BelvedereError, secrets: Sequence[Secret] = ()
) -> DataFrame:
    """A failed row for each of the views."""
    values = {
        "target": target,
        "action": "failed",
        "code": error.code,
        "message": redacted(str(error), secrets),
        "hint": error.hint,
    }
    given = views.select(*rows.VIEW_COLUMNS[:-1])
    for name, value in values.items():
        given = given.withColumn(name, f.lit(value))
    return given.withColumn("losses", f.array().cast("array<string>"))


def _write(warehouse: Warehouse, dataset: str, run_id: str, frames: Sequence[DataFrame]) -> None:
    whole = frames[0]
    for frame in frames[1:]:
        whole = whole.unionByName(frame)
    warehouse.write(dataset, run_id, whole)


def _told(warehouse: Warehouse, spark: SparkSession, run_id: str) -> Loaded:
    counted = warehouse.frame(spark, "loads", run_id).groupBy("target", "action").count()
    actions = {(row["target"], row["action"]): row["count"] for row in counted.collect()}
    for (target, action), number in sorted(actions.items()):
        command.say(f"  {target}: {number} {action}")
    verified = warehouse.frame(spark, "verified", run_id)
    different = verified.where("size(differences) > 0").count()
    command.say(f"  read back: {verified.count() - different} equal, {different} different")
    return Loaded(actions, different)


if __name__ == "__main__":
    sys.exit(main())
