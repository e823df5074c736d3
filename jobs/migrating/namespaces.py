"""The namespaces that a plan's views need: which their targets lack, and which get other words."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from connectors.clients.credentials import redacted
from discovery import wire
from discovery.errors import BelvedereError
from discovery.migration.functions import PlannedFunctions
from discovery.migration.mapping import map_namespaces
from discovery.migration.namespaces import (
    NamespaceEdit,
    edit_of,
    lacking_namespaces,
    leave_barred,
)
from discovery.model import Schema
from discovery.namespaces import Levels, with_parents
from jobs.configuration.loader import RunConfig
from jobs.console import command
from jobs.crawling import tables as rows
from jobs.migrating.called_functions import made_in
from jobs.migrating.tables import DECIDED, PRESENT
from jobs.warehouse.frames import stream_rows
from jobs.warehouse.warehouse import Warehouse


@dataclass(frozen=True, slots=True)
class Missing:
    """What has to be made or changed before views are written.

    Attributes:
        schemas: Target to namespaces, those above others first.
        refused: Target, namespace of views, and why it cannot be made.
        edits: Target to what is changed of namespaces that are there.
        functions: Target to what becomes of the functions that views call.
    """

    schemas: Mapping[str, tuple[Schema, ...]] = field(default_factory=dict)
    refused: tuple[tuple[str, Levels, str], ...] = ()
    edits: Mapping[str, tuple[NamespaceEdit, ...]] = field(default_factory=dict)
    functions: Mapping[str, PlannedFunctions] = field(default_factory=dict)

    def of(self, target: str) -> Iterator[tuple[Schema, str]]:
        """The namespaces of a target, with their canonical JSON."""
        for schema in self.schemas.get(target, ()):
            yield schema, wire.schema_text(schema)[0]


def missing(
    spark: SparkSession,
    config: RunConfig,
    warehouse: Warehouse,
    plan: str,
    run_id: str,
    functions: Mapping[str, PlannedFunctions],
) -> Missing:
    """What the views and functions that are to be written need and their targets do not have.

    A namespace that is made only because others are below it gets the owner of the first of them;
    it is made only if the store says that we may, or the configuration does.
    """
    wanted, kept = _collect_used(warehouse.frame(spark, DECIDED, plan))
    for target, planned in functions.items():
        if used := made_in(planned.changes):
            wanted.setdefault(target, set()).update(used)
    held: dict[str, set[Levels]] = {}
    listed = warehouse.frame(spark, PRESENT, plan).where("kind = 'namespace'")
    for row in stream_rows(listed.select("target", "namespace")):
        held.setdefault(row["target"], set()).add(tuple(row["namespace"]))
    schemas = _read_schemas(spark, config, warehouse, run_id)
    needed: dict[str, tuple[Schema, ...]] = {}
    refused: list[tuple[str, Levels, str]] = []
    for target, levels in wanted.items():
        present = held.get(target, set())
        added = lacking_namespaces(levels, present, schemas.get(target, {}))
        parents = [schema.levels for schema in added if schema.levels not in levels]
        barred = _find_barred(config, target, parents)
        needed[target], without = leave_barred(added, levels - present, barred)
        refused += [(target, place, why) for place, why in without]
    edits = {
        target: _compare(config, target, {*with_parents(levels)} & held.get(target, set()), schemas)
        for target, levels in _wanted_or_kept(wanted, kept).items()
    }
    return Missing(needed, tuple(refused), edits, functions)


def _collect_used(decided: DataFrame) -> tuple[dict[str, set[Levels]], dict[str, set[Levels]]]:
    """The namespaces of views by target: of those that are written, and of those that are kept."""
    of_views = decided.where("change is not null or action = 'keep'").select(
        "target", "namespace", f.col("change").isNotNull().alias("is_written")
    )
    wanted: dict[str, set[Levels]] = {}
    kept: dict[str, set[Levels]] = {}
    for row in of_views.distinct().collect():
        into = wanted if row["is_written"] else kept
        into.setdefault(row["target"], set()).add(tuple(row["namespace"]))
    return wanted, kept


def _compare(
    config: RunConfig,
    target: str,
    levels: set[Levels],
    schemas: Mapping[str, Mapping[Levels, Schema]],
) -> tuple[NamespaceEdit, ...]:
    """What is changed of namespaces that are there; if they cannot be read, that is said."""
    stated = {
        namespace: schema
        for namespace, schema in schemas.get(target, {}).items()
        if namespace in levels and (schema.comment or schema.properties)
    }
    if not stated:
        return ()
    connector = config.targets[target]
    try:
        with connector.store() as store:
            edits = [
                edit_of(
                    target, namespace, store.hold_namespace(stated[namespace.levels]), store.amends
                )
                for namespace in store.namespaces(sorted(stated))
            ]
    except BelvedereError as error:
        why = redacted(str(error), connector.secrets)
        command.say(f"{target}: its namespaces are not compared, and stay as they are: {why}")
        return ()
    return tuple(namespace_edit for namespace_edit in edits if namespace_edit is not None)


def _wanted_or_kept(
    wanted: Mapping[str, set[Levels]], kept: Mapping[str, set[Levels]]
) -> dict[str, set[Levels]]:
    return {name: wanted.get(name, set()) | kept.get(name, set()) for name in {**wanted, **kept}}


def _find_barred(config: RunConfig, target: str, parents: list[Levels]) -> list[tuple[Levels, str]]:
    """The parents that may not be made, and why."""
    if not parents or config.terms[target].bootstrap_parents:
        return []
    connector = config.targets[target]
    barred = []
    with connector.store() as store:
        for levels in parents:
            try:
                if not store.may_create(levels):
                    name = ".".join(levels)
                    barred.append(
                        (levels, f"the namespace {name} is missing, and not ours to make")
                    )
            except BelvedereError as error:
                barred.append((levels, redacted(str(error), connector.secrets)))
    return barred


def _read_schemas(
    spark: SparkSession, config: RunConfig, warehouse: Warehouse, run_id: str
) -> dict[str, dict[Levels, Schema]]:
    """The crawled namespaces by target, under the levels that the rules give them."""
    outcomes = warehouse.frame(spark, rows.OUTCOMES, run_id).where("outcome = 'schema'")
    crawled = (
        (row["source"], wire.schema_from_text(row["model"], tuple(row["namespace"])))
        for row in stream_rows(outcomes.select("source", "namespace", "model"))
    )
    return map_namespaces(config.rules, crawled)
