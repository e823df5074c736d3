"""The functions of the estate: what the sources know, and what the views call.

Imports neither pydantic nor the configuration: a worker has no use for them.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from connectors.clients.credentials import redacted
from connectors.registry import Connector
from discovery.functions import Function, FunctionSource
from discovery.model import encoded
from discovery.outcomes import Failure
from discovery.ports import ViewSource
from discovery.secrets_in_texts import masked
from jobs.assessing import tables as assessed
from jobs.console.session import one_partition_each
from jobs.crawling.workers import guard_listing
from jobs.warehouse.carried import Carried
from jobs.warehouse.rows import ArrowFunction, to_batches
from jobs.warehouse.warehouse import Warehouse

_PLACE: Final = ["function_source", "function_key"]


def write(
    spark: SparkSession,
    warehouse: Warehouse,
    run_id: str,
    sources: Mapping[str, Connector],
    called: DataFrame,
) -> None:
    """Write `calls` and `functions`; each source is asked once.

    Args:
        spark: The session.
        warehouse: Where the tables are.
        run_id: The run.
        sources: By name.
        called: What the views call, each with the place where the function would be.
    """
    asked = one_partition_each(spark, sources)
    listed = asked.mapInArrow(
        Carried(list_functions(sources)), from_arrow_schema(assessed.LISTED_FUNCTIONS.schema)
    )
    warehouse.write(assessed.LISTED_FUNCTIONS, run_id, listed)
    listed = warehouse.frame(spark, assessed.LISTED_FUNCTIONS, run_id)
    place = [f.col("source").alias("function_source"), f.col("key").alias("function_key")]
    existing = listed.where("key is not null").select(*place, f.lit(True).alias("known")).distinct()
    joined = called.join(existing, _PLACE, "left")
    for name in _PLACE:
        joined = joined.withColumn(name, f.when(f.col("known"), f.col(name)))
    warehouse.write(assessed.CALLS, run_id, joined.select(assessed.CALLS.names))
    calls = warehouse.frame(spark, assessed.CALLS, run_id)
    functions = _with_calls(listed, calls).unionByName(
        _unlisted_calls(calls), allowMissingColumns=True
    )
    warehouse.write(assessed.FUNCTIONS, run_id, functions.select(assessed.FUNCTIONS.names))


def find_unlisted_sources(
    warehouse: Warehouse, run_id: str, sources: Mapping[str, Connector]
) -> frozenset[str]:
    """The sources that have not told all of their functions: they cannot, or would not."""
    listed = warehouse.table(assessed.LISTED_FUNCTIONS, run_id, columns=("source", "key"))
    unread = {row["source"] for row in listed if row["key"] is None}
    silent = {
        name
        for name, connector in sources.items()
        if not isinstance(connector.source(), FunctionSource)
    }
    return frozenset(unread | silent)


def list_functions(sources: Mapping[str, Connector]) -> ArrowFunction:
    """What lists functions: names of sources in, rows of `listed_functions` out."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for name in batch.column("source").to_pylist():
                with sources[name].source() as source:
                    rows = _fetch_functions(name, source, sources[name])
                    yield from to_batches(rows, assessed.LISTED_FUNCTIONS.schema)

    return run


def _fetch_functions(
    name: str, source: ViewSource, connector: Connector
) -> Iterator[tuple[object, ...]]:
    if not isinstance(source, FunctionSource):
        return
    for outcome in guard_listing(source.functions):
        if isinstance(outcome, Failure):
            message = redacted(f"{outcome.code}: {outcome.message}", connector.secrets)
            yield (name, outcome.listed.namespace, *[None] * 11, message)
        else:
            yield (name, *_row(outcome, _key(outcome, source, source)), None)


def _key(function: Function, source: ViewSource, knowing: FunctionSource) -> str:
    return encoded([*map(source.fold, function.namespace), knowing.fold_function(function.name)])


def _row(function: Function, key: str) -> tuple[object, ...]:
    files = [{"kind": file.kind, "uri": masked(file.uri)} for file in function.files]
    properties = function.arguments, function.language, function.implementation, function.owner
    signature = function.signature
    takes = None if signature is None else [parameter._asdict() for parameter in signature.takes]
    returns = None if signature is None else signature.returns
    return (
        function.namespace,
        function.name,
        key,
        *properties,
        files,
        function.sql,
        function.path,
        takes,
        returns,
    )


def _with_calls(listed: DataFrame, calls: DataFrame) -> DataFrame:
    """What the sources have said, with how many views call it."""
    used = calls.where("function_key is not null").groupBy(
        f.col("function_source").alias("source"), f.col("function_key").alias("key")
    )
    counted = used.agg(f.count_distinct("source", "key").alias("views"))
    state = (
        f.when(f.col("key").isNull(), "unread")
        .when(f.col("views").isNull(), "known")
        .otherwise("both")
    )
    return (
        listed.join(counted, ["source", "key"], "left")
        .withColumn("state", state)
        .withColumn("views", f.coalesce("views", f.when(f.col("key").isNotNull(), 0)))
    )


def _unlisted_calls(calls: DataFrame) -> DataFrame:
    """What is called and no source is known to have: one row for each name, ignoring case."""
    spelled = f.lower(f.concat_ws(".", "written"))
    grouped = calls.where("function_key is null").groupBy("source", spelled.alias("spelled"))
    called = grouped.agg(
        f.first("written").alias("written"), f.count_distinct("key").alias("views")
    )
    return called.select(
        "source",
        f.slice("written", 1, f.size("written") - 1).alias("namespace"),
        f.element_at("written", -1).alias("name"),
        f.lit("called").alias("state"),
        "views",
    )
