"""Drafts: for each view and each dialect that is asked for and that it lacks, one row."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import Final

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from discovery.errors import InternalError
from discovery.judging import draft_bases
from discovery.judging.analyzers import ANALYZERS
from discovery.judging.ways import CORAL
from jobs.assessing import comparing
from jobs.assessing import tables as assessed
from jobs.assessing.dealing import dealt
from jobs.assessing.workers.drafting import REFUSED, SHOWN, Drafting, draft_views
from jobs.assessing.workers.graph import Key
from jobs.console import command
from jobs.console.progress import counting
from jobs.crawling.views import count_views, views_of
from jobs.warehouse.carried import Carried
from jobs.warehouse.frames import frame_of, stream_rows
from jobs.warehouse.warehouse import Warehouse

_KEY: Final = ("source", "key")
_LOST: Final = pa.schema(dict.fromkeys((*_KEY, "dialect", "why"), pa.string()))
_OF_SHOWN: Final = ("grade", "sql", "default_catalog", "default_levels")


def analyzer_for(dialect: str, translator: str) -> str:
    """The analyzer that judges drafts: Coral's are judged by that which translates."""
    return CORAL if translator == CORAL else ANALYZERS[dialect].name


def write(spark: SparkSession, warehouse: Warehouse, run_id: str, wanted: Drafting) -> None:
    """Write `drafts`, and say what came of it.

    Raises:
        InternalError: Not every view has exactly one row for each dialect that it lacks.
    """
    if not wanted.wanted:
        warehouse.note(assessed.DRAFTED, run_id)
        warehouse.note(assessed.DRAFTS, run_id)
        return
    with_bases = comparing.views_with_bases(spark, warehouse, run_id)
    with counting(spark, "drafting") as counted:
        drafted = dealt(with_bases, count_views(warehouse, run_id)).mapInArrow(
            Carried(counted(draft_views(wanted))), from_arrow_schema(assessed.DRAFTED.schema)
        )
        warehouse.write(assessed.DRAFTED, run_id, drafted)
    drafted = warehouse.frame(spark, assessed.DRAFTED, run_id)
    warehouse.write(assessed.DRAFTS, run_id, _refuse_over_unreadable(spark, drafted))
    _reconcile(spark, warehouse, run_id, sorted(wanted.wanted))
    counts = _count_drafts(warehouse, run_id)
    for dialect, translator in wanted.wanted.items():
        _tell(dialect, translator, counts[dialect])


def _refuse_over_unreadable(spark: SparkSession, drafted: DataFrame) -> DataFrame:
    """The drafts, those refused that stand on views which their engine does not read."""
    lost = list(_find_over_unreadable(drafted))
    if not lost:
        return drafted
    why = frame_of(spark, _LOST, lost)
    joined = drafted.join(f.broadcast(why), [*_KEY, "dialect"], "left")
    refused = {
        "state": f.lit(REFUSED),
        "code": f.lit(draft_bases.OVER_UNREADABLE.code),
        "message": f.col("why"),
        "reads": f.slice("reads", 1, 0),
        **dict.fromkeys(_OF_SHOWN, f.lit(None)),
    }
    return joined.select(
        *(
            f.when(f.col("why").isNotNull(), refused[name]).otherwise(f.col(name)).alias(name)
            if name in refused
            else name
            for name in assessed.DRAFTS.names
        )
    )


def _find_over_unreadable(drafted: DataFrame) -> Iterator[tuple[str, str, str, str]]:
    """Source, key and dialect of the drafts that lead nowhere, and why; only keys are read."""
    reads: dict[str, dict[Key, set[Key]]] = defaultdict(dict)
    lacking: dict[str, set[Key]] = defaultdict(set)
    below = f.filter("reads", lambda read: read["base_kind"] == "view")
    rows = drafted.select("dialect", *_KEY, "state", below["base_source"], below["base_key"])
    for dialect, source, key, state, sources, keys in stream_rows(rows):
        if state == SHOWN:
            reads[dialect][source, key] = set(zip(sources, keys, strict=True))
        else:
            lacking[dialect].add((source, key))
    for dialect, of_views in reads.items():
        asides = draft_bases.over_unreadable(of_views, lacking[dialect])
        for (source, key), aside in asides.items():
            yield source, key, dialect, draft_bases.explain_aside(aside, dialect)


def _reconcile(
    spark: SparkSession, warehouse: Warehouse, run_id: str, dialects: Collection[str]
) -> None:
    """Look whether each view has one draft in each of the dialects that it lacks."""
    texts = f.from_json(
        f.get_json_object("model", "$.representations"), "array<struct<dialect:string>>"
    )
    has = f.transform(texts, lambda text: f.lower(text["dialect"]))
    lacking = f.array_except(f.array(*map(f.lit, dialects)), f.coalesce(has, f.expr("array('')")))
    views = views_of(spark, warehouse, run_id).select(*_KEY, f.explode(lacking).alias("dialect"))
    drafts = warehouse.frame(spark, assessed.DRAFTS, run_id).select(*_KEY, "dialect")
    both = views.withColumn("due", f.lit(1)).unionByName(drafts.withColumn("due", f.lit(-1)))
    unlike = both.groupBy(*_KEY, "dialect").agg(f.sum("due").alias("due")).where("due <> 0")
    for row in unlike.limit(1).collect():
        view = f"{row['source']}: {row['key']}"
        raise InternalError(f"the drafts in {row['dialect']} are not one, or none, of {view}")


def _count_drafts(warehouse: Warehouse, run_id: str) -> Mapping[str, Counter[tuple[str, str]]]:
    """How many drafts there are by dialect: by state, and by why it is so."""
    counts: Mapping[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    columns = ("dialect", "state", "code", "grade")
    for values, number in warehouse.count_rows(assessed.DRAFTS, run_id, columns).items():
        dialect, state, code, grade = values
        counts[dialect][state, code or grade] += number
    return counts


def _tell(dialect: str, translator: str, counts: Counter[tuple[str, str]]) -> None:
    shown = sum(number for (state, _), number in counts.items() if state == SHOWN)
    refused = counts.total() - shown
    command.say(f"drafts in {dialect} by {translator}: {shown} shown, {refused} refused")
    for (_, why), number in sorted(counts.items(), reverse=True):
        command.say(f"  {number} {why}")
