"""How much a crawl will fetch, and how long that takes by what is known."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from connectors.registry import Connector
from discovery.errors import EvidenceError
from discovery.outcomes import READ_KINDS
from discovery.pacing.estimate import Experience, Extent, duration_text
from jobs.configuration.loader import RunConfig
from jobs.crawling import workers
from jobs.crawling.tables import OBJECTS
from jobs.warehouse.carried import Carried
from jobs.warehouse.datasets import Table
from jobs.warehouse.runs import Run
from jobs.warehouse.warehouse import Warehouse

_LISTED: Final = Table("objects", OBJECTS, ("source", "entity", "kind", "handle", "stage", "task"))


def extents(warehouse: Warehouse, run_id: str, config: RunConfig) -> dict[str, Extent]:
    """What is to be fetched of each source, by the rows of its listing.

    They stream by: 0.1 s for 100,000 on this machine, where a job of Spark takes 0.3 s for any.
    """
    listed: Counter[str] = Counter()
    fetched: Counter[str] = Counter()
    tasks: dict[str, set[int]] = {}
    for row in warehouse.table(_LISTED, run_id):
        source = row["source"]
        listed[source] += row["entity"] == "object"
        if row["stage"] is None and (row["kind"] in READ_KINDS or row["handle"]):
            fetched[source] += 1
            tasks.setdefault(source, set()).add(row["task"])
    return {
        name: Extent(
            listed[name],
            fetched[name],
            len(tasks.get(name, ())),
            connector.source().connections,
            config.care[name].rate if name in config.care else None,
        )
        for name, connector in config.sources.items()
        if name in listed
    }


def experiences(runs: Sequence[Run]) -> list[Experience]:
    """What committed runs say of their fetching, oldest first; some say nothing that is read."""
    past = []
    for run in runs:
        with suppress(EvidenceError):
            if (fetching := run.record.fetching) is not None:
                experience = Experience.of_run(run.run_id, fetching.fetched, fetching.seconds)
                past.append(experience)
    return past


def sample_sources(objects: DataFrame, sources: Mapping[str, Connector]) -> Experience | None:
    """How long the first task of each source takes, fetched for nothing else; None: there is none.

    Args:
        objects: The rows of the listing.
        sources: By name.
    """
    first = objects.where(_is_read()).groupBy("source").agg(f.min("task").alias("task"))
    chosen = objects.join(f.broadcast(first), ["source", "task"], "left_semi")
    dealt = chosen.repartition(len(sources), "source").sortWithinPartitions("source", "task")
    measured = dealt.select(*objects.columns).mapInArrow(
        Carried(workers.sample_tasks(sources)), from_arrow_schema(workers.SAMPLES)
    )
    rows = [row for row in measured.collect() if row["fetched"]]
    if not rows:
        return None
    number, seconds = sum(row["fetched"] for row in rows), sum(row["seconds"] for row in rows)
    each = {
        row["source"]: row["seconds"] / row["fetched"] / sources[row["source"]].source().connections
        for row in rows
    }
    return Experience(f"a sample of {number:,} took {duration_text(seconds)}", each)


def _is_read() -> Column:
    """Whether the entry of a listed object is fetched, as `Listed.is_read` has it."""
    of_kind = f.col("kind").isin(*READ_KINDS)
    return f.col("stage").isNull() & (of_kind | (f.coalesce("handle", f.lit("")) != ""))
