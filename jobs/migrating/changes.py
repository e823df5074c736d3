"""The changes of a plan, made and read in Spark; only keys and lines reach the driver."""

from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from functools import reduce
from typing import Final

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from connectors.registry import Connector
from discovery.errors import InternalError
from discovery.migration import contexts, gravitino_spark
from discovery.migration.candidates import Terms
from discovery.migration.changes import Blocked
from discovery.migration.deletion import Unseen
from discovery.migration.lines import Line
from discovery.ports import ASIDE, WRITING
from jobs.assessing import tables as assessed
from jobs.configuration.loader import RunConfig
from jobs.console.progress import RowCounter, counting
from jobs.console.session import one_partition_each, persist_frame
from jobs.crawling import tables as rows
from jobs.crawling.views import count_views, views_of
from jobs.migrating.called_functions import Calls
from jobs.migrating.dependents import Dependents
from jobs.migrating.gone_views import find_gone
from jobs.migrating.journal import history
from jobs.migrating.namespaces import Missing
from jobs.migrating.our_writes import OF_WRITES, unwanted_views, writes_of
from jobs.migrating.rows import line
from jobs.migrating.tables import (
    CANDIDATES,
    CHANGES,
    DECIDED,
    EVENTS,
    KEY,
    MOVES,
    PRESENT,
    WANTED,
    WRITTEN,
)
from jobs.migrating.workers import planning
from jobs.migrating.workers.planning import Goal
from jobs.warehouse.carried import Carried
from jobs.warehouse.frames import frame_of, stream_rows
from jobs.warehouse.warehouse import Warehouse

IS_OFFERED: Final = "change is not null"
"""For SQL: of a change, whether it is written, or would be if a person adopted its draft."""
IS_ASIDE: Final = "action in ('" + "', '".join(ASIDE) + "')"
"""For SQL: of a change, whether it is set aside."""
_LINE: Final = (
    *("target", "action", "namespace", "name", "key", "wave", "origins"),
    *("reason", "losses", "fingerprint", "expected", "drafts"),
)
"""The columns of a change that people see."""
_REFUSED: Final = pa.schema(
    [("target", pa.string()), ("namespace", pa.list_(pa.string())), ("why", pa.string())]
)
_PROPOSED: Final = ("dialect", "sql", "default_catalog", "default_levels")
_PLACED: Final = ("source", "namespace", "name", "key", "fingerprint")
_READ: Final = (
    *("dialect", "written", "catalog", "base_source", "base_namespace", "base_name", "base_kind"),
    "move",
)
"""The columns of a reference that say what a name means, and where that goes."""


def write(
    spark: SparkSession,
    config: RunConfig,
    warehouse: Warehouse,
    plan: str,
    run_id: str,
    unseen: Unseen,
) -> None:
    """Write `present` and `decided`: what targets list, and what is to be done with each view.

    Args:
        spark: The session.
        config: The configuration.
        warehouse: Where the plan is.
        plan: Its name.
        run_id: The run that it is about.
        unseen: What is made of what the run did not see.
    """
    goals = {name: _goal(config, name, unseen) for name in config.targets}
    warehouse.write(PRESENT, plan, _list_targets(spark, goals))
    terms = _terms(config, goals)
    mapped = _wanted_views(spark, warehouse, run_id, terms, goals)
    listed = _listed_objects(spark, warehouse, plan)
    written = _our_events(spark, warehouse, run_id, terms)
    writes = writes_of(written, *OF_WRITES)
    with (
        persist_frame(mapped) if unseen.drops else nullcontext(mapped) as wanted,
        counting(spark, "comparing") as counted,
    ):
        matched = wanted.join(listed.join(writes, KEY, "left"), KEY, "left")
        unlisted = f.broadcast(_unlisted_targets(spark, warehouse, plan))
        decided = _decide_changes(matched.join(unlisted, "target", "left"), goals, counted)
        if unseen.drops:
            orphaned = unwanted_views(written, wanted, listed)
            gone = find_gone(spark, warehouse, orphaned, run_id, unseen.asked)
            decided = reduce(DataFrame.unionByName, _drops(gone, goals), decided)
        warehouse.write(DECIDED, plan, decided)


def set_aside(
    spark: SparkSession,
    warehouse: Warehouse,
    plan: str,
    run_id: str,
    missing: Missing,
    *,
    unattended: bool = False,
) -> None:
    """Write `changes`: as decided, without what stands on something that is not written.

    Args:
        spark: The session.
        warehouse: Where the plan is.
        plan: Its name.
        run_id: The run that it is about.
        missing: Namespaces and functions that the targets lack.
        unattended: Whether nobody looks at the plan: what others have changed is set aside.
    """
    decided = warehouse.frame(spark, DECIDED, plan)
    if unattended:
        decided = _block_doubted(spark, warehouse, decided)
    decided = Calls(spark, warehouse, run_id).set_aside(missing.functions, decided)
    if missing.refused:
        refused = frame_of(spark, _REFUSED, missing.refused).withColumn(
            "why_code", f.lit(Blocked.NO_PARENT.value)
        )
        decided = _blocked(decided, refused, ["target", "namespace"])
    dependents = Dependents(spark, warehouse, run_id)
    is_aside = f.col("action").isin(list(ASIDE)) & (f.col("target") != "")
    waits = f.col("change").isNotNull() & is_aside  # for a person, and so does what stands on it
    for lost, left in ((is_aside & ~waits, f.lit(True)), (waits, ~waits)):
        below = dependents.on(decided.where(lost), decided.where(left))
        if below is not None:
            code = f.lit(Blocked.BLOCKED_BY.value).alias("why_code")
            why = below.select(*KEY, f.col("below").alias("why"), code)
            decided = _blocked(decided, why, KEY)
    warehouse.write(CHANGES, plan, decided.select(*CHANGES.names))


def read_unlisted(warehouse: Warehouse, plan: str) -> list[tuple[str, str]]:
    """The targets that could not be listed, and why."""
    failed = warehouse.table(PRESENT, plan, where={"kind": [planning.FAILED]})
    return sorted((row["target"], row["message"]) for row in failed)


def count_changes(
    spark: SparkSession, warehouse: Warehouse, plan: str, run_id: str
) -> dict[str, dict[str, int]]:
    """The number of views by target and action.

    Raises:
        InternalError: Not every view of the run is in the plan exactly once.
    """
    counts: dict[str, dict[str, int]] = {}
    frame = warehouse.frame(spark, CHANGES, plan)
    grouped = frame.groupBy("target", "action").agg(
        f.count("*").alias("rows"), f.sum(f.size(f.coalesce("origins", f.array()))).alias("views")
    )
    planned = 0
    for row in grouped.orderBy("target", "action").collect():
        counts.setdefault(row["target"], {})[row["action"]] = row["rows"]
        planned += row["views"]
    crawled = count_views(warehouse, run_id)
    if planned != crawled:
        raise InternalError(f"the plan has {planned} views, the run {crawled}: nothing is planned")
    return counts


def read_lines(spark: SparkSession, warehouse: Warehouse, plan: str, which: str) -> Iterator[Line]:
    """The lines of some of the changes, in the order of writing."""
    chosen = warehouse.frame(spark, CHANGES, plan).where(which).select(*_LINE)
    for row in stream_rows(chosen.orderBy("target", f.col("wave").asc_nulls_last(), "key")):
        yield line(row.asDict(recursive=True))


def reasons(spark: SparkSession, warehouse: Warehouse, plan: str) -> list[dict[str, object]]:
    """What is set aside and what is lost: how many views, and one of them."""
    frame = warehouse.frame(spark, CHANGES, plan)
    aside = frame.where(frame["action"].isin(list(ASIDE))).select(*KEY, "action", "code", "reason")
    lost = frame.where(~frame["action"].isin([*ASIDE, "keep"])).select(
        *KEY,
        f.lit("loss").alias("action"),
        f.explode("losses").alias("code"),
        f.lit("").alias("reason"),
    )
    grouped = aside.unionByName(lost).groupBy("target", "action", "code")
    summary = grouped.agg(
        f.count("*").alias("views"), f.min("key").alias("key"), f.min_by("reason", "key")
    ).orderBy("target", "action", f.desc("views"), "code")
    names = ("target", "action", "code", "views", "key", "reason")
    return [dict(zip(names, row, strict=True)) for row in summary.collect()]


def _goal(config: RunConfig, name: str, unseen: Unseen) -> Goal:
    """A target as executors need it."""
    terms = config.terms[name]
    route = terms.route
    refused = "" if route.served or terms.accept_unserved else f"{route.why}; not served"
    stays = "" if route.store else route.why
    return Goal(config.targets[name], unseen, stays, refused, (config.tried or {}).get(name))


def _dropped(targets: Mapping[str, Connector]) -> dict[str, frozenset[str]]:
    """Target to the dialects whose contexts it drops."""
    return {name: contexts.dropped_dialects(*_keeper(target)) for name, target in targets.items()}


def _forgetting(targets: Mapping[str, Connector]) -> frozenset[str]:
    """The targets at which Spark knows no settings of a view."""
    return frozenset(name for name, target in targets.items() if contexts.forgets(*_keeper(target)))


def _bare(config: RunConfig) -> dict[str, str]:
    """Target to the kind of its store, where Gravitino's connector for Spark reads."""
    routes = [(name, term.route) for name, term in config.terms.items()]
    return {
        name: chosen_route.store
        for name, chosen_route in routes
        if gravitino_spark.reads(chosen_route.store, chosen_route.provider)
    }


def _keeper(target: Connector) -> tuple[str, str]:
    """The kind of a target's store, and the provider of its catalog; empty: it has none."""
    return target.kind, getattr(target.options, "provider", "")


def _moving(goals: Mapping[str, Goal]) -> list[str]:
    """The targets that views are written into."""
    return [name for name, goal in goals.items() if not goal.stays]


def _list_targets(spark: SparkSession, goals: Mapping[str, Goal]) -> DataFrame:
    """What the targets list, each in a partition of its own."""
    wanted = {name: goals[name] for name in _moving(goals)}
    if not wanted:
        return frame_of(spark, PRESENT.schema)
    names = one_partition_each(spark, wanted).select(f.col("source").alias("target"))
    return names.mapInArrow(
        Carried(planning.list_targets(wanted)), from_arrow_schema(PRESENT.schema)
    )


def _views(spark: SparkSession, warehouse: Warehouse, run_id: str, terms: Terms) -> DataFrame:
    """The views of a run with their place in the order, and with what they read if that moves."""
    views = views_of(spark, warehouse, run_id).select(*rows.VIEW_COLUMNS, "fingerprint")
    waves = warehouse.frame(spark, assessed.WAVES, run_id).dropDuplicates(["source", "key"])
    joined = views.join(
        waves.select("source", "key", "wave", "aside", "because"), ["source", "key"], "left"
    )
    drafts = _drafts(spark, warehouse, run_id)
    proposed = drafts.groupBy("source", "key").agg(
        f.collect_set(f.struct(*_PROPOSED)).alias("proposed")
    )
    joined = joined.join(proposed, ["source", "key"], "left")
    if terms.closure is None:
        return joined.withColumn("reads", f.lit(None).cast("array<string>"))
    moves = views.select(*_PLACED).mapInArrow(
        Carried(planning.move_views(terms)), from_arrow_schema(MOVES)
    )
    named = warehouse.frame(spark, assessed.REFERENCES, run_id).where("dialect is not null")
    beside = drafts.select("source", "key", "dialect", f.explode("reads").alias("one"))
    columns = ["source", "key", *(name for name in _READ if name != "move"), "base_key"]
    named = named.select(*columns).unionByName(
        beside.select("source", "key", "dialect", "one.*").select(*columns)
    )
    led = named.join(moves, ["base_source", "base_key"], "left")
    reads = led.groupBy("source", "key").agg(f.collect_set(f.struct(*_READ)).alias("reads"))
    return joined.join(reads, ["source", "key"], "left")


def _listed_objects(spark: SparkSession, warehouse: Warehouse, plan: str) -> DataFrame:
    """The objects that the targets list: target, key, and the `kinds` at it."""
    objects = warehouse.frame(spark, PRESENT, plan).where("kind not in ('namespace', 'failed')")
    return objects.groupBy(*KEY).agg(f.collect_set("kind").alias("kinds"))


def _unlisted_targets(spark: SparkSession, warehouse: Warehouse, plan: str) -> DataFrame:
    """The targets that could not be listed, and why, in `unlisted`."""
    present = warehouse.frame(spark, PRESENT, plan)
    failed = present.where(present["kind"] == planning.FAILED)
    return failed.select("target", f.col("message").alias("unlisted"))


def _terms(config: RunConfig, goals: Mapping[str, Goal]) -> Terms:
    """The rules as executors need them."""
    closed = {name: goal.stays for name, goal in goals.items() if goal.stays}
    targets = config.targets
    forgetting, bare = _forgetting(targets), _bare(config)
    return Terms.of(config.rules, closed, _dropped(targets), forgetting, bare)


def _wanted_views(
    spark: SparkSession,
    warehouse: Warehouse,
    run_id: str,
    terms: Terms,
    goals: Mapping[str, Goal],
) -> DataFrame:
    """Rows of `WANTED`: what is wanted where, of all views of a run."""
    mapped = _views(spark, warehouse, run_id, terms).mapInArrow(
        Carried(planning.map_views(terms)), from_arrow_schema(CANDIDATES)
    )
    together = mapped.repartition(*KEY).sortWithinPartitions(*KEY, "rank", "origins")
    return together.mapInArrow(Carried(planning.merge_candidates(goals)), from_arrow_schema(WANTED))


def _our_events(spark: SparkSession, warehouse: Warehouse, run_id: str, terms: Terms) -> DataFrame:
    """Marked events: what belvedere has written, but where a view goes that failed in the run.

    It is at its source, so what was written of it is neither gone nor old.
    """
    written = _marked_events(spark, warehouse)
    outcomes = warehouse.count_rows(rows.OUTCOMES, run_id, ("entity", "outcome"))
    if not outcomes["object", "failure"]:
        return written
    objects = warehouse.frame(spark, rows.OUTCOMES, run_id).where("entity = 'object'")
    failed = objects.where("outcome = 'failure'")
    placed = failed.withColumn("fingerprint", f.lit("")).select(*_PLACED)
    moves = placed.mapInArrow(Carried(planning.move_views(terms)), from_arrow_schema(MOVES))
    places = moves.select("move.target", "move.namespace", "move.name").distinct()
    return written.join(places, ["target", "namespace", "name"], "left_anti")


def _marked_events(spark: SparkSession, warehouse: Warehouse) -> DataFrame:
    """Rows of `events` with which something was written, and whether that `undoes` another."""
    undoing = [*history(warehouse).undoing_runs]
    written = warehouse.read_appended(spark, EVENTS, "*").where(WRITTEN)
    return written.withColumn("undoes", f.col("run").isin(undoing))


def _drafts(spark: SparkSession, warehouse: Warehouse, run_id: str) -> DataFrame:
    """What translators have proposed and engines accept; an older run has none."""
    if not warehouse.is_written(assessed.DRAFTS, run_id):
        return frame_of(spark, assessed.DRAFTS.schema)
    return warehouse.frame(spark, assessed.DRAFTS, run_id).where("state = 'shown'")


def _decide_changes(views: DataFrame, goals: Mapping[str, Goal], counted: RowCounter) -> DataFrame:
    """Rows of `CHANGES`; a target is asked over no more connections than it may have."""
    schema = from_arrow_schema(CHANGES.schema)
    moving = _moving(goals)
    left = views.where(~views["target"].isin(moving)) if moving else views
    frame = left.mapInArrow(Carried(planning.leave_views), schema)
    for name in moving:
        goal = goals[name]
        dealt = views.where(views["target"] == name).repartition(goal.connector.store().connections)
        frame = frame.unionByName(
            dealt.mapInArrow(Carried(counted(planning.decide_changes(goal))), schema)
        )
    return frame


def _drops(gone: DataFrame, goals: Mapping[str, Goal]) -> Iterator[DataFrame]:
    """Rows of `CHANGES` by target, that take away what we wrote and no source has any more."""
    schema = from_arrow_schema(CHANGES.schema)
    for name in _moving(goals):
        dealt = gone.where(gone["target"] == name).repartition(1)
        yield dealt.mapInArrow(Carried(planning.decide_drops(goals[name])), schema)


def _block_doubted(spark: SparkSession, warehouse: Warehouse, decided: DataFrame) -> DataFrame:
    """The changes as nobody looks at them: without what something of our writes speaks against."""
    writes = writes_of(_marked_events(spark, warehouse), "undoes")
    changed = decided.where(f.col("action").isin(*WRITING))
    asked = changed.select(*KEY, "action", "expected", "fingerprint").join(writes, KEY, "left")
    schema = from_arrow_schema(planning.DOUBTS)
    doubted = asked.mapInArrow(Carried(planning.doubt_changes), schema).localCheckpoint()
    return _blocked(decided, doubted, KEY)


def _blocked(changes: DataFrame, why: DataFrame, on: list[str]) -> DataFrame:
    """The changes, those blocked that something speaks against; the others do not leave Spark.

    Args:
        changes: Rows of `CHANGES`.
        why: The reason, in `why_code` and `why`, by the columns that it is joined on.
        on: Those columns.
    """
    hit = changes.join(f.broadcast(why), on).mapInArrow(
        Carried(planning.block_changes), from_arrow_schema(CHANGES.schema)
    )
    return changes.join(f.broadcast(why), on, "left_anti").select(*CHANGES.names).unionByName(hit)
