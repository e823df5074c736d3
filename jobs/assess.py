"""belvedere assess: let the engines' own parsers judge the views of a run.

Every engine of the configuration judges every representation of every view. A parser looks at the
syntax only; whether names and types exist is another question.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence

from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from jobs.runtime import command, partitions, rows
from jobs.runtime.config import RunConfig
from jobs.runtime.progress import progress
from jobs.runtime.session import spark_session
from jobs.runtime.warehouse import Warehouse


def assess_run(
    spark: SparkSession, config: RunConfig, run_id: str
) -> Mapping[tuple[str, str], int]:
    """Judge the views of a committed run; the number of verdicts by engine and word."""
    warehouse = Warehouse(config.warehouse, spark)
    views = warehouse.views(spark, run_id).repartition(spark.sparkContext.defaultParallelism)
    judged = views.mapInArrow(
        partitions.judge_views(config.engines), from_arrow_schema(rows.VERDICTS)
    )
    command.say(f"judging with the parsers of {', '.join(config.engines)}")
    with progress(spark, "judging"):
        warehouse.write("verdicts", run_id, judged)
    counted = warehouse.frame(spark, "verdicts", run_id).groupBy("engine", "verdict").count()
    counts = {(row["engine"], row["verdict"]): row["count"] for row in counted.collect()}
    for (engine, word), number in sorted(counts.items()):
        command.say(f"  {engine}: {number} {word}")
    return counts


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_config(parser)
    parser.add_argument("--run-id", metavar="ID", help="a committed run; the latest by default")


def run(args: argparse.Namespace) -> int:
    """Judge, and print what the judges said."""
    spark = spark_session("assess")
    run_id = Warehouse(args.config.warehouse, spark).run(args.run_id).run_id
    assess_run(spark, args.config, run_id)
    return command.FINE


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


if __name__ == "__main__":
    sys.exit(main())
