"""Asking running engines of what was written at targets: what the driver does of it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from discovery.display import on_one_line, quantity
from discovery.errors import ConfigurationError
from discovery.judging.asking import DIALOGUES, VERDICT_WORDS, by_shown
from discovery.judging.same_rows import MOST, Alike
from discovery.model import dotted
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.crawling.tables import OUTCOMES
from jobs.migrating.plan_folder import PlanHead
from jobs.migrating.tables import VERIFIED_LIVE
from jobs.migrating.workers.asking import ORIGIN, RowsWanted, ask_written
from jobs.warehouse.carried import Carried
from jobs.warehouse.frames import frame_of
from jobs.warehouse.warehouse import Warehouse

_SHOWN: Final = 10  # views that are printed; the table has all
_ACCEPTED: Final = VERDICT_WORDS[True]
_SILENT: Final = VERDICT_WORDS[None]
NOT_ASKED: Final = "not asked"
"""Of the rows of a view: it has no text for the engine, which rejects it or shows no source."""


@dataclass(frozen=True, slots=True)
class AskedAt:
    """What an engine said at a target.

    Attributes:
        engine: The engine; empty: none is said to show the target.
        target: The target.
        same: Of how many views it shows the columns that the plan has.
        unlike: How many it shows otherwise, or rejects.
        silent: How many are not judged.
        unasked: Of how many nobody was asked, as they have no text for it.
        rows: Of how many views the rows are what, by the words of `Alike` and `NOT_ASKED`; none:
            nobody wanted to know.
        empty: How many of those with the same rows have none on either side.
    """

    engine: str
    target: str
    same: int = 0
    unlike: int = 0
    silent: int = 0
    unasked: int = 0
    rows: Mapping[str, int] = field(default_factory=dict)
    empty: int = 0

    @property
    def asked(self) -> int:
        """Of how many views it was asked."""
        return self.same + self.unlike + self.silent

    def to_json(self) -> dict[str, object]:
        """As data, for programs."""
        data: dict[str, object] = {
            "engine": self.engine,
            "target": self.target,
            "same": self.same,
            "unlike": self.unlike,
            "silent": self.silent,
            "unasked": self.unasked,
        }
        return data | ({"rows": dict(self.rows), "empty": self.empty} if self.rows else {})

    @property
    def reasons(self) -> Iterator[command.ExitReason]:
        """Why that is no good end."""
        then = "see the table `verified_live` of the plan"
        where = f"{self.target}: {self.engine}"
        if self.unlike:
            message = f"{where} does not show {quantity(self.unlike, 'view')} as planned"
            yield command.ExitReason(command.FINDINGS, message, then)
        if self.silent:
            message = f"{where} has not answered for {quantity(self.silent, 'view')}"
            yield command.ExitReason(command.FINDINGS, message, then)
        if other := self.rows.get(Alike.OTHER):
            message = f"{where} gets other rows of {quantity(other, 'view')} than the source has"
            yield command.ExitReason(command.FINDINGS, message, then)
        if unknown := self.rows.get(Alike.UNKNOWN):
            message = f"{where}: the rows of {quantity(unknown, 'view')} could not be compared"
            yield command.ExitReason(command.FINDINGS, message, then)


def insist_on_engines(config: RunConfig, rows: int | None) -> None:
    """Look whether any engine can be asked at a target, and for rows at a source, too.

    Args:
        config: The configuration.
        rows: How many of each view are asked for; None: none.

    Raises:
        ConfigurationError: None can, or the rows are too many.
    """
    showing = [name for name, connector in config.running.items() if connector.options.targets]
    if not showing:
        target = next(iter(config.targets), "TARGET")
        hint = (
            f"write engines: {{trino: {{url: https://trino:8443, targets: {{CATALOG: {target}}}}}}}"
        )
        raise ConfigurationError("no engine is said to show a target", hint=hint)
    if rows is None:
        return
    if not 1 <= rows <= MOST:
        raise ConfigurationError(f"--rows {rows}: from 1 to {MOST:,} rows can be compared")
    if not any(DIALOGUES[name].samples and config.catalogs.get(name) for name in showing):
        hint = f"write catalogs: {{{showing[0]}: {{CATALOG: {next(iter(config.sources))}}}}}"
        message = "no engine that can be asked for rows is said to show both a target and a source"
        raise ConfigurationError(message, hint=hint)


def write(
    spark: SparkSession, config: RunConfig, head: PlanHead, changes: DataFrame, limit: int | None
) -> None:
    """Write `verified_live`: of the views that are to be there, with a text for the engine.

    Args:
        spark: The session.
        config: The configuration.
        head: Of the plan.
        changes: What the plan writes and keeps.
        limit: How many rows of each view are compared; None: none.
    """
    warehouse = Warehouse(config.warehouse, spark)
    crawled = warehouse.frame(spark, OUTCOMES, head.crawl)
    schema = from_arrow_schema(VERIFIED_LIVE.schema)
    answers = frame_of(spark, VERIFIED_LIVE.schema)
    texts = f.get_json_object("model", "$.representations")
    dialects = f.from_json(f.lower(texts), "array<struct<dialect string>>")["dialect"]
    views = changes.where("action <> 'drop'").withColumn("dialects", dialects)
    for name, engine in config.running.items():
        catalogs = by_shown(engine.options.targets)
        sources = by_shown(config.catalogs.get(name, {}))
        shown = views.where(f.col("target").isin(*catalogs) & f.array_contains("dialects", name))
        asked = _with_origins(shown.drop("dialects"), crawled, [*sources]).repartition(1)
        rows = None if limit is None else RowsWanted(limit, sources)
        answers = answers.unionByName(
            asked.mapInArrow(Carried(ask_written(engine, catalogs, rows)), schema)
        )
    warehouse.write(VERIFIED_LIVE, head.plan, answers)


def _with_origins(changes: DataFrame, crawled: DataFrame, sources: Sequence[str]) -> DataFrame:
    """Changes with the columns of `ORIGIN`: of their first view that is of such a source."""
    shown = f.filter("origins", lambda origin: origin["source"].isin(*sources))
    first = changes.withColumn("origin", f.try_element_at(shown, f.lit(1)))
    keyed = first.selectExpr("*", "origin.source AS origin_source", "origin.key AS origin_key")
    places = crawled.where("entity = 'object' AND outcome = 'view'").selectExpr(
        *(f"{name.removeprefix('origin_')} AS {name}" for name in (*ORIGIN, "origin_key"))
    )
    return keyed.join(places, ["origin_source", "origin_key"], "left")


def print_answers(
    spark: SparkSession, config: RunConfig, head: PlanHead, changes: DataFrame, limit: int | None
) -> tuple[AskedAt, ...]:
    """What came of it, printed: by engine and target, also where none was asked of any view.

    Args:
        spark: The session.
        config: The configuration.
        head: Of the plan.
        changes: What the plan writes and keeps.
        limit: How many rows of each view were compared; None: none.
    """
    rows = Warehouse(config.warehouse, spark).frame(spark, VERIFIED_LIVE, head.plan)
    same = (f.col("verdict") == _ACCEPTED) & (f.size("differences") == 0)
    silent = f.col("verdict") == _SILENT
    compared = [f.count_if(f.col("rows") == alike) for alike in Alike]
    empty = f.count_if((f.col("rows") == Alike.SAME) & (f.col("compared") == 0))
    counted = rows.groupBy("engine", "target").agg(
        f.count("*"), f.count_if(same), f.count_if(silent), empty, *compared
    )
    numbers = {(engine, target): tuple(counts) for engine, target, *counts in counted.collect()}
    by_target = changes.where("action <> 'drop'").groupBy("target").count().collect()
    views: dict[str, int] = dict(by_target)
    asked = [
        _asked_at(engine, target, views[target], numbers.get((engine, target), ()), limit)
        for engine, connector in sorted(config.running.items())
        for target in sorted(by_shown(connector.options.targets))
        if target in views
    ]
    unshown = sorted(views.keys() - {asked_at.target for asked_at in asked})
    answers = (*asked, *(AskedAt("", target, unasked=views[target]) for target in unshown))
    _tell(answers)
    unlike = rows.where(~same | (f.col("rows") != Alike.SAME))
    shown = unlike.orderBy("engine", "target", "key").limit(_SHOWN)
    for row in shown.collect() if any(True for answer in answers for _ in answer.reasons) else ():
        place = dotted((*row["namespace"], row["name"]))
        command.say(f"  {row['engine']}: {place}: {on_one_line(_why(row))}")
    return answers


def _tell(answers: Iterable[AskedAt]) -> None:
    """Print what came of it, by engine and target."""
    for answer in answers:
        if not answer.engine:
            summary = (
                f"no engine is said to show it: {quantity(answer.unasked, 'view')} not asked for"
            )
            command.say(f"{answer.target}: {summary}")
            continue
        words = {"as planned": answer.same, "otherwise": answer.unlike, "not judged": answer.silent}
        text = _numbers({**words, **({"no text for it": answer.unasked} if answer.unasked else {})})
        command.say(f"{answer.target}: {answer.engine} shows columns: {text}")
        if answer.rows:
            none = f"; {answer.empty:,} of the same have none" if answer.empty else ""
            rows = f"{_numbers(answer.rows)}{none}"
            command.say(f"{answer.target}: {answer.engine} gets rows: {rows}")


def _asked_at(
    engine: str, target: str, views: int, counts: Sequence[int], limit: int | None
) -> AskedAt:
    """What an engine said at a target.

    Args:
        engine: The engine.
        target: The target.
        views: How many are to be there.
        counts: How many were asked for, are shown as planned, got no answer, have the same rows as
            they have none, and then by `Alike`; none: it was asked for none.
        limit: How many rows of each were to be compared; None: none.
    """
    asked, same, silent, empty, *alike = counts or (0,) * (4 + len(Alike))
    by_outcome = {outcome.value: number for outcome, number in zip(Alike, alike, strict=True)}
    by_outcome[NOT_ASKED] = views - sum(alike)
    rows = {} if limit is None else {word: number for word, number in by_outcome.items() if number}
    numbers = (same, asked - same - silent, silent, views - asked)
    return AskedAt(engine, target, *numbers, rows, empty)


def _numbers(words: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} {word}" for word, number in words.items())


def _why(row: Row) -> str:
    """What is the matter with a view."""
    if row["verdict"] != _ACCEPTED:
        return f"{row['verdict']}: {row['message']}"
    differences = [*(row["differences"] or ())]
    if row["rows"] not in {None, Alike.SAME}:
        differences.append(f"rows {row['rows']}: {row['rows_message']}")
    return "; ".join(differences)
