"""The head of a report: counts and causes, summed on Spark from the rows of the report."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any, Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from discovery.judging import reasons as classes
from discovery.judging import standing, ways
from discovery.judging.matrix import Reading
from discovery.judging.standing import Standing
from discovery.lineage.order import Why
from discovery.ports import PARSE
from jobs.crawling.addresses import addresses_of
from jobs.reporting import quality_tables
from jobs.reporting.blockers import waves
from jobs.reporting.lines import RunTables
from jobs.warehouse.warehouse import Run
from reports.codes import pages
from reports.head import Cause, Counts, Drift, Judge, ReportHead, RunFacts, TargetPlan
from reports.thresholds import SEVERITIES

_OWNERS: Final = 1_000  # more owners than that are no sign-off list


def head(
    tables: RunTables, run: Run, lines: DataFrame, drift: Drift | None, edges: DataFrame
) -> ReportHead:
    """Sum up the rows of `lines` and the tables that have no row per view.

    Args:
        tables: Of the run.
        run: Its row.
        lines: The rows of the report.
        drift: The comparison with an earlier run, if there is one.
        edges: Row numbers: `row` reads `base`.
    """
    sources = _pairs(lines, "source", "standing")
    fates = _pairs(lines, "outcome", "format")
    assessed = tables.written("matrix")
    losses = _losses(tables)
    return ReportHead(
        run=run_facts(run),
        total=sum(number for some in fates.values() for number in some.values()),
        failures=sum(fates.get("failure", {}).values()),
        unlisted=sum(one.number for one in losses if one.sort == "unlisted"),
        standing={word: sum(some.get(word, 0) for some in sources.values()) for word in Standing},
        sources=sources,
        owners=_owners(lines),
        formats=fates.get("view", {}),
        engines=_engines(tables) if assessed else None,
        rejections=_rejections(tables) if assessed else {},
        judges=_judges(tables) if assessed else (),
        parsed=_parsed(tables) if assessed else {},
        severities=_severities(lines) if assessed else None,
        causes=_causes(lines),
        waves=waves(lines, edges) if tables.written("waves") else None,
        losses=losses,
        plan=_planned(tables),
        different=_different(tables),
        drift=drift,
        quality=quality_tables.summed(tables.warehouse.table(quality_tables.QUALITY, run.run_id)),
    )


def run_facts(run: Run) -> RunFacts:
    """The row of `runs`, as a report shows it."""
    counts = json.loads(run.counts)
    return RunFacts(
        run.run_id,
        run.started.isoformat(timespec="seconds"),
        run.finished.isoformat(timespec="seconds"),
        run.version,
        run.exit_code,
        float(counts.get("seconds", 0)),
        counts["sources"],
        addresses_of(counts),
    )


def _pairs(frame: DataFrame, outer: str, inner: str) -> dict[str, Counts]:
    """Number of rows by two columns."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for row in frame.groupBy(outer, inner).count().collect():
        found[row[outer]][row[inner] or ""] = row["count"]
    return {name: dict(sorted(one.items())) for name, one in sorted(found.items())}


def _engines(tables: RunTables) -> dict[str, Counts]:
    return _pairs(tables.some("matrix", "engine", "status"), "engine", "status")


def _parsed(tables: RunTables) -> dict[str, int]:
    """Number of views that an engine reads as far as its parser alone can tell, by engine."""
    cells = tables.some("matrix", "engine", "status", "grade").where(f.col("grade") == PARSE)
    reads = cells.where(f.col("status").isin(Reading.NATIVE.value, Reading.PORTABLE.value))
    return {row["engine"]: row["count"] for row in reads.groupBy("engine").count().collect()}


def _rejections(tables: RunTables) -> dict[str, Counts]:
    """Number of views that an engine rejects or cannot reach, by engine and reason."""
    cells = tables.some("matrix", "engine", "status", "reason")
    held = cells.where(f.col("status").isin(Reading.REJECTED.value, Reading.UNREACHABLE.value))
    return _pairs(held.withColumn("reason", f.explode(f.split("reason", ", "))), "engine", "reason")


def _owners(lines: DataFrame) -> dict[str, Counts]:
    """By owner, of those with most views if there are very many."""
    owner = lines.withColumn("owner", f.coalesce("owner", f.lit("")))
    most = owner.groupBy("owner").count().orderBy(f.desc("count"), "owner").limit(_OWNERS)
    return _pairs(owner.join(most.select("owner"), "owner"), "owner", "standing")


def _planned(tables: RunTables) -> tuple[TargetPlan, ...] | None:
    """The targets of the latest plan, with the number of views by action."""
    if tables.plan is None:
        return None
    changes = tables.of(tables.plan).frame("changes").where("target <> ''")
    counts = _pairs(changes, "target", "action")
    return tuple(
        TargetPlan(name, one["store"], one["route"], one["served"], counts.get(name, {}))
        for name, one in sorted(tables.destinations.items())
    )


def _different(tables: RunTables) -> int | None:
    made = None if tables.plan is None else tables.of(tables.plan)
    if made is None or not made.written("verified"):
        return None
    return made.frame("verified").where("size(differences) > 0").count()


def _judges(tables: RunTables) -> tuple[Judge, ...]:
    said = f.col("verdict")
    counted = tables.frame("verdicts").groupBy("engine", "version", "grade")
    found = counted.agg(
        *(
            f.count_if(said == word).alias(word.replace(" ", "_"))
            for word in ("accepted", "rejected", "not judged")
        )
    ).orderBy("engine", "version", "grade")
    return tuple(
        Judge(
            row["engine"],
            row["version"] or "",
            row["accepted"],
            row["rejected"],
            row["not_judged"],
            row["grade"],
        )
        for row in found.collect()
    )


def _severities(lines: DataFrame) -> dict[str, int]:
    """How many views have a finding of each severity."""
    severities = f.col("findings.severity")
    there = [f.count_if(f.array_contains(severities, word)).alias(word) for word in SEVERITIES]
    (row,) = lines.agg(*there).collect()
    return {word: row[word] for word in SEVERITIES}


_NAME: Final = "concat_ws('.', concat_ws('.', namespace), name)"


def _told(sort: Column | str, code: str, engine: Column | None, message: str, hint: str) -> Column:
    """The struct that causes are counted from."""
    return f.struct(
        (f.lit(sort) if isinstance(sort, str) else sort).alias("sort"),
        f.col(code).alias("code"),
        (f.lit(None).cast("string") if engine is None else engine).alias("engine"),
        (f.col(message) if message else f.lit(None).cast("string")).alias("message"),
        (f.col(hint) if hint else f.lit(None).cast("string")).alias("hint"),
    )


def _causes(lines: DataFrame) -> tuple[Cause, ...]:
    """Every code of every view, how many views it stands at and holds back."""
    named = lines.withColumn("object", f.expr(_NAME))
    kept = ["row", "object", "reason", "standing"]
    of_findings = named.select(*kept, f.explode("findings").alias("one")).select(
        *kept,
        _told(
            f.col("one.severity"), "one.code", f.col("one.engine"), "one.message", "one.hint"
        ).alias("told"),
    )
    of_failures = named.where("outcome = 'failure'").select(
        *kept, _told("failure", "code", None, "message", "hint").alias("told")
    )
    because = f.array_join("because", ", ")
    of_waves = (
        named.where("aside is not null")
        .withColumn("below", because)
        .select(*kept, _told("set aside", "aside", None, "below", "").alias("told"))
    )
    reasons = (*standing.REASONS, *ways.REASONS, *classes.REASONS)
    own = [*(one.code for one in reasons), Why.BROKEN_BASE.value]
    of_standing = named.where(f.col("reason").isin(own) & f.col("aside").isNull()).select(
        *kept, _told("standing", "reason", None, "", "").alias("told")
    )
    every = of_findings.unionByName(of_failures).unionByName(of_waves).unionByName(of_standing)
    grouped = every.select(*kept, "told.*").groupBy("sort", "code")
    held = f.when(f.col("reason") == f.col("code"), f.col("row"))
    example = f.min(f.struct("object", "message", "hint"))
    summed = grouped.agg(
        f.count_distinct("row").alias("number"),
        f.count_distinct(held).alias("holds"),
        f.sort_array(f.collect_set("engine")).alias("engines"),
        example.alias("example"),
    )
    return _as_causes(summed.collect())


def _losses(tables: RunTables) -> tuple[Cause, ...]:
    """What is no view: by code, an example and what to do."""
    lost = tables.frame("outcomes").where("outcome in ('failure', 'skipped')")
    unlisted = (f.col("outcome") == "failure") & (f.col("entity") != "object")
    named = lost.withColumn("object", f.concat_ws("/", "source", f.expr(_NAME))).withColumn(
        "sort", f.when(unlisted, "unlisted").otherwise(f.col("outcome"))
    )
    example = f.min(f.struct("object", "message", "hint"))
    summed = named.groupBy("sort", "code").agg(
        f.count("*").alias("number"),
        f.lit(0).alias("holds"),
        f.array().cast("array<string>").alias("engines"),
        example.alias("example"),
    )
    order = ("unlisted", "failure", "skipped")
    found = _as_causes(summed.collect())
    return tuple(sorted(found, key=lambda one: (order.index(one.sort), -one.number, one.code)))


def _as_causes(summed: Iterable[Any]) -> tuple[Cause, ...]:
    found = []
    for row in summed:
        example, page = row["example"], pages().get(row["code"])
        advice = page.advice or page.first if page else ""
        found.append(
            Cause(
                code=row["code"],
                sort=row["sort"],
                number=row["number"],
                holds=row["holds"],
                engines=tuple(row["engines"]),
                example=example["object"],
                message=example["message"] or "",
                fix=example["hint"] or advice,
            )
        )
    return tuple(sorted(found, key=lambda one: (-one.holds, -one.number, one.code, one.sort)))
