"""Files of a dataset or rows of Python as a frame of Spark, and the rows of a frame for Python."""

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from typing import Final

import pyarrow as pa
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from jobs.warehouse.datasets import Dataset
from jobs.warehouse.placing import note_written
from jobs.warehouse.rows import to_batches

_PARQUET: Final = {  # texts that never repeat: trying a dictionary on them costs a tenth of a crawl
    "compression": "zstd",
    "parquet.enable.dictionary#model": "false",
    "parquet.enable.dictionary#raw": "false",
}
_PROVEN: Final = {
    "recursiveFileLookup": "true",
    "parquet.page.verify-checksum.enabled": "true",  # Spark writes them, and reads without a look
    # as Spark's own streams read: of its patterns, Hadoop takes none below a folder with a colon
    "__globPaths__": "false",
}


def read(spark: SparkSession, dataset: Dataset, places: Iterable[str]) -> DataFrame:
    """The rows of files and folders, whose names may have any sign."""
    reader = spark.read.schema(from_arrow_schema(dataset.schema)).options(**_PROVEN)
    return reader.parquet(*places)


def write(frame: DataFrame, place: str, *, replaces: bool) -> None:
    """Write the rows of a frame into a folder, in place of what is there, or where nothing is."""
    mode = "overwrite" if replaces else "errorifexists"
    with note_written(place):
        frame.write.mode(mode).options(**_PARQUET).parquet(place)


def frame_of(
    spark: SparkSession, schema: pa.Schema, rows: Iterable[tuple[object, ...]] = ()
) -> DataFrame:
    """Rows that the driver has, as a frame; by default none.

    By way of Arrow: Spark's plan then has them, and leaves out what no rows are joined with. A list
    becomes an RDD, of which Spark knows nothing before it has run.
    """
    table = pa.Table.from_batches(to_batches(rows, schema), schema)
    # PySpark (4.3) takes no lists and structs without chunks, and those of an empty table have one
    return spark.createDataFrame(table if table.num_rows else schema.empty_table())


def stream_rows(frame: DataFrame) -> Iterator[Row]:
    """The rows of a frame, some partitions at a time.

    By way of its RDD: the iterator of a frame begins jobs behind the end of its query, and of such
    jobs Spark 4.3's scheduler keeps the plans for good, with all that these have broadcast.
    """
    return frame.rdd.toLocalIterator(prefetchPartitions=True)


def united(frames: Sequence[DataFrame]) -> DataFrame:
    """The rows of all."""
    return reduce(DataFrame.unionByName, frames)
