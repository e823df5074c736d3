"""belvedere assess: what each view reads, which engines can read it, in which order it can move.

The parsers of the engines judge every representation of every view; where a view's own parser is
at hand, what it reads comes from that parser's tree. A parser looks at the syntax only; whether
names and types exist the analyzers say, where the columns of all that a view reads are known. What
the run before found of a view is taken over where the crawl is incremental, and all that judges are
told of the view is the same. With
--live, running engines are asked of the views where they are: nothing is asked that reads rows.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from discovery.checks.name_lowered import engines_of_any_case
from discovery.display import quantity
from discovery.judging import analyzers
from discovery.judging.drafting import CalledCatalogs
from discovery.judging.paths import Reach
from discovery.lineage.kinds import OUTCOMES, STATED, STATES, settled
from discovery.outcomes import VANISHED
from jobs.assessing import asking, comparing, drafting, graph, increments, matrix
from jobs.assessing import tables as assessed
from jobs.assessing.dealing import dealt
from jobs.assessing.increments import AssessBase
from jobs.assessing.jars import provide
from jobs.assessing.workers import bases, functions, views
from jobs.assessing.workers.asking import Asking
from jobs.assessing.workers.columns import Surroundings
from jobs.assessing.workers.drafting import Drafting
from jobs.assessing.workers.views import Provided
from jobs.configuration import identity
from jobs.configuration.catalogs import as_crawled
from jobs.configuration.engines import versions
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.console.lending import sources_logged_in
from jobs.console.progress import counting, progress
from jobs.console.session import spark_session
from jobs.crawling import tables as rows
from jobs.crawling.views import count_views, views_of
from jobs.warehouse.carried import Carried
from jobs.warehouse.decisions import look_up
from jobs.warehouse.frames import frame_of
from jobs.warehouse.locks import hold_lock
from jobs.warehouse.warehouse import Warehouse


def assess_run(
    spark: SparkSession, config: RunConfig, run_id: str, *, live: bool = False, anew: bool = False
) -> Mapping[tuple[str, str], int]:
    """Assess the views of a committed run; the number of views by engine and status.

    Args:
        spark: The session.
        config: The configuration.
        run_id: The run.
        live: Whether running engines are asked, too.
        anew: Whether nothing is taken over from the run before.

    Raises:
        ConfigurationError: Engines are to be asked, and none can be.
    """
    if live:
        asking.insist_on_engines(config)
    warehouse = Warehouse(config.warehouse, spark)
    config = as_crawled(config, warehouse.run(run_id).record.sources)
    wanted = asking.askings(config, _reach(config)) if live else ()
    with (
        hold_lock(config.warehouse, f"run {run_id}", "assess", spark),
        sources_logged_in(config) as lent,
    ):
        before = "" if anew else increments.find_assessed_base(spark, warehouse, run_id)
        warehouse.begin(assessed.STAGE, run_id)
        counts = _assess(spark, lent, Assessment(warehouse, run_id, before, config), wanted)
        warehouse.put_together(assessed.STAGE, run_id)
        warehouse.seal(assessed.STAGE, run_id)
    return counts


@dataclass(frozen=True, slots=True)
class Assessment:
    """A run that is assessed.

    Attributes:
        warehouse: Where it is.
        run_id: The run.
        before: The run from which what has not changed is taken over; empty: none.
        config: As it was before the driver has logged in: without tokens, which are new each time.
    """

    warehouse: Warehouse
    run_id: str
    before: str
    config: RunConfig

    def base(self, spark: SparkSession, *inputs: object) -> AssessBase:
        """What a step of it stands on whose workers are told something beside the configuration."""
        digest = identity.of_assessing(self.config, increments.releases(spark), *inputs)
        return AssessBase(self.before, digest)


def _assess(
    spark: SparkSession, config: RunConfig, assessment: Assessment, wanted: Sequence[Asking]
) -> Mapping[tuple[str, str], int]:
    warehouse, run_id = assessment.warehouse, assessment.run_id
    _judge(spark, config, assessment)
    judged = warehouse.frame(spark, assessed.ASSESSED, run_id)
    with progress(spark, "looking for what they read"):
        _relate(spark, config, assessment)
        functions.write(spark, warehouse, run_id, config.sources, comparing.cut(judged, "calls"))
    crawled = views_of(spark, warehouse, run_id).select(*views.NEEDED)
    asking.write(spark, warehouse, run_id, crawled, wanted)
    estate = Surroundings(
        _provide_analyzers(spark, config),
        _reach(config),
        config.catalogs,
        functions.find_unlisted_sources(warehouse, run_id, config.sources),
    )
    base = assessment.base(spark, estate.analyzers, sorted(estate.unlisted))
    comparing.write(spark, warehouse, run_id, estate, config.mapping, base)
    drafting.write(spark, warehouse, run_id, _prepare_drafting(spark, config, estate))
    command.say(graph.write_waves(spark, warehouse, run_id))
    counted = matrix.write(spark, warehouse, run_id, _reach(config))
    _tell(counted)
    return counted.all


def _judge(spark: SparkSession, config: RunConfig, assessment: Assessment) -> None:
    """Write `assessed`: what parsers, sqlglot and the checks find of each view by itself."""
    judges = provide(spark, config.engines, config.jars_dir, versions=versions(config.settings))
    for judge in judges:
        if judge.missing:
            command.say(f"no judge {judge.engine}: {judge.missing}")
    targets = frozenset(config.target_catalogs)
    assess = views.assess_views(judges, config.sources, config.catalogs, targets, config.settings)
    parsers = (
        ", ".join(provided.engine for provided in judges if not provided.missing) or "no engine"
    )
    command.say(f"judging with the parsers of {parsers}")
    of_run = views_of(spark, assessment.warehouse, assessment.run_id)
    crawled = of_run.select(*views.NEEDED, "notes")
    base = assessment.base(spark, judges)
    with base.divide(spark, assessment.warehouse, assessed.ASSESSED, crawled) as (asked, taken):
        if assessment.before:
            same = quantity(taken.count(), "view")
            command.say(f"what run {assessment.before} found of {same} is taken over")
        number = (
            asked.count()
            if assessment.before
            else count_views(assessment.warehouse, assessment.run_id)
        )
        with counting(spark, "judging", number) as counts:
            schema = from_arrow_schema(assessed.ASSESSED.schema)
            judged = dealt(asked, number).mapInArrow(Carried(counts(assess)), schema)
            assessment.warehouse.write(
                assessed.ASSESSED, assessment.run_id, judged.unionByName(taken)
            )


def _tell(counted: matrix.Counted) -> None:
    for (engine, status), views_counted in sorted(counted.all.items()):
        parsed = counted.parsed.get((engine, status))
        only = f", {parsed} of them parsed only" if parsed else ""
        command.say(f"  {engine}: {views_counted} {status}{only}")


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.with_config(parser)
    parser.add_argument("--run-id", metavar="ID", help="a committed run; the latest by default")
    parser.add_argument(
        "--live",
        action="store_true",
        help="also ask the engines that `engines` says how to reach, of the views where they are",
    )
    parser.add_argument(
        "--anew",
        action="store_true",
        help="judge all views anew, also those of which nothing has changed since the run before",
    )
    command.with_json(parser, "the number of views by engine and status as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Assess, and print what came of it."""
    spark = spark_session("assess")
    run_id = Warehouse(args.config.warehouse, spark).run(args.run_id).run_id
    command.about(run_id)
    counts = assess_run(spark, args.config, run_id, live=args.live, anew=args.anew)
    if args.json:
        engines: dict[str, dict[str, int]] = {}
        for (engine, status), number in sorted(counts.items()):
            engines.setdefault(engine, {})[status] = number
        command.show(json.dumps({"run_id": run_id, "engines": engines}))
    after = ("plan", "--out", "plan") if args.config.targets else ("report", "--out", "report")
    return command.end((), command.next_command(args.config_file, *after))


def main(argv: Sequence[str] | None = None) -> int:
    """The command, for the console script and for spark-submit."""
    return command.execute(__doc__, arguments, run, argv)


def _reach(config: RunConfig) -> Reach:
    """What the estate says of its engines, and of how they come to its views."""
    kinds = {name: source.kind for name, source in config.sources.items()}
    catalogs = {
        engine: frozenset(by_source.values()) for engine, by_source in config.catalogs.items()
    }
    return Reach(config.engines, config.settings, kinds, catalogs)


def _provide_analyzers(spark: SparkSession, config: RunConfig) -> tuple[Provided, ...]:
    """The analyzers of the engines as they are set up."""
    names = analyzers.analyzers_for(config.engines, config.settings)
    engine_versions = versions(config.settings)
    judges = provide(spark, names, config.jars_dir, analyzers=True, versions=engine_versions)
    for provided in judges:
        if provided.missing:
            command.say(f"no analyzer {provided.engine}: {provided.missing}")
    return judges


def _prepare_drafting(spark: SparkSession, config: RunConfig, estate: Surroundings) -> Drafting:
    """What drafts are asked for, and who judges them."""
    named = {name: drafting.analyzer_for(name, by) for name, by in config.drafts.items()}
    asked, engine_versions = tuple(named.values()), versions(config.settings)
    judges = provide(spark, asked, config.jars_dir, analyzers=True, versions=engine_versions)
    for provided in judges:
        if provided.missing:
            command.say(f"no analyzer {provided.engine} for drafts: {provided.missing}")
    kinds = {name: source.kind for name, source in config.sources.items()}
    catalogs = CalledCatalogs(config.catalogs, kinds, engines_of_any_case(config.settings))
    return Drafting(config.drafts, dict(zip(named, judges, strict=True)), catalogs, estate.unlisted)


def _relate(spark: SparkSession, config: RunConfig, assessment: Assessment) -> None:
    """Write `bases` and `references`: what is read, and what has become of it."""
    warehouse, run_id = assessment.warehouse, assessment.run_id
    references = comparing.cut(warehouse.frame(spark, assessed.ASSESSED, run_id), "references")
    outcomes = warehouse.frame(spark, rows.OUTCOMES, run_id)
    existing = outcomes.where(f"entity = 'object' and coalesce(code, '') <> '{VANISHED.code}'")
    base_outcomes = existing.select(
        f.col("source").alias("base_source"), f.col("key").alias("base_key"), "outcome", "seen_in"
    ).distinct()
    joined = references.join(base_outcomes, ["base_source", "base_key"], "left")
    wanted = joined.where("coalesce(outcome, 'skipped') = 'skipped' and base_key is not null")
    asked, taken = increments.known_bases(spark, warehouse, assessment.before, _places(wanted))
    warehouse.write(assessed.BASES, run_id, taken.unionByName(_fetch_bases(spark, config, asked)))
    states = warehouse.frame(spark, assessed.BASES, run_id).select(
        f.col("source").alias("base_source"), f.col("key").alias("base_key"), "state"
    )
    known_of = joined.join(states, ["base_source", "base_key"], "left")
    related = known_of.withColumn("base_kind", _kind_of_base())
    warehouse.write(assessed.REFERENCES, run_id, related.select(assessed.REFERENCES.names))


_KNOWN: Final = ("stated", "outcome", "state")
"""What is known of a base, in the order in which `settled` takes it."""


def _kind_of_base() -> Column:
    """What each base is, by what is known of it."""
    combinations = product((None, *sorted(STATED)), (None, *OUTCOMES), (None, *STATES))
    kinds = {
        "/".join(word or "-" for word in facts): settled(*facts).value for facts in combinations
    }
    known = (f.coalesce(f.col(column), f.lit("-")) for column in _KNOWN)
    return look_up(kinds, f.concat_ws("/", *known))


def _places(references: DataFrame) -> DataFrame:
    """Each place that is read, once, and which run has seen it before."""
    once = [f.first(f"base_{name}").alias(name) for name in ("namespace", "name")]
    places = references.groupBy("base_source", "base_key").agg(
        *once, f.first("seen_in").alias("at")
    )
    return places.select(
        f.col("base_source").alias("source"),
        "namespace",
        "name",
        f.col("base_key").alias("key"),
        f.col("at").alias("seen_in"),
    )


def _fetch_bases(spark: SparkSession, config: RunConfig, places: DataFrame) -> DataFrame:
    """Rows of `bases`: whatever is read and is no view, asked of its source once."""
    fetched = frame_of(spark, assessed.BASES.schema)
    for name, connector in config.sources.items():
        source_places = places.where(places["source"] == name).select(*assessed.VIEW)
        fetch = bases.fetch_bases(name, connector)
        partitioned = source_places.repartition(connector.source().connections)
        fetched = fetched.unionByName(
            partitioned.mapInArrow(Carried(fetch), from_arrow_schema(assessed.BASES.schema))
        )
    return fetched


if __name__ == "__main__":
    sys.exit(main())
