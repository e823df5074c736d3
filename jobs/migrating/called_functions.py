"""The functions that the views of a plan call: only they reach the driver, and no view."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import pyarrow as pa
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from connectors.clients.credentials import redacted
from connectors.registry import Connector
from discovery.errors import BelvedereError
from discovery.functions import Function, FunctionFile
from discovery.migration.functions import (
    CalledAs,
    CalledFunction,
    FunctionChange,
    PlannedFunctions,
    bar_functions,
    hold_functions,
    lose_functions,
    plan_functions,
)
from discovery.ports import Action
from jobs.assessing import tables as assessed
from jobs.configuration.loader import RunConfig
from jobs.migrating.dependents import origins_of
from jobs.migrating.tables import CHANGES, KEY
from jobs.migrating.workers import planning
from jobs.warehouse.carried import Carried
from jobs.warehouse.frames import frame_of
from jobs.warehouse.warehouse import Warehouse

_PLACE: Final = ("function_source", "function_key")
_BARRED: Final = pa.schema(dict.fromkeys(("target", *_PLACE, "code", "why"), pa.string()))
_BELOW: Final = pa.schema(dict.fromkeys(("target", *_PLACE, "below"), pa.string()))
_SAID: Final = ("name", "arguments", "language", "implementation", "owner", "sql")
"""The columns of `functions` that say, beside namespace and files, what one is."""
_THERE: Final = "target != '' and action != 'drop' and (change is not null or action = 'keep')"
"""Of a change, whether its view is at the target once the plan is applied."""


class Calls:
    """Which views of a run call which functions of the estate.

    Args:
        spark: The session.
        warehouse: Where the run is.
        run_id: A run that was assessed.
    """

    def __init__(self, spark: SparkSession, warehouse: Warehouse, run_id: str) -> None:
        self._spark, self._warehouse, self._run_id = spark, warehouse, run_id

    def plan(self, config: RunConfig, changes: DataFrame) -> dict[str, PlannedFunctions]:
        """What becomes of the functions that changes call, by target."""
        if not self._calls_any():
            return {}
        moving = [name for name, terms in config.terms.items() if terms.route.store]
        views = changes.where(_THERE).where(f.col("target").isin(moving))
        of_views = self._calls_of(views).select("target", *_PLACE).distinct()
        assessed_functions = self._warehouse.frame(self._spark, assessed.FUNCTIONS, self._run_id)
        place = [f.col("source").alias(_PLACE[0]), f.col("key").alias(_PLACE[1])]
        lists = "namespace", "files", "path"
        named = assessed_functions.where("key is not null").select(*place, *lists, *_SAID)
        forms: dict[str, dict[CalledAs, list[Function]]] = {}
        for row in of_views.join(named, list(_PLACE)).orderBy("target", *_PLACE).collect():
            called = forms.setdefault(row["target"], {})
            called.setdefault((row[_PLACE[0]], row[_PLACE[1]]), []).append(_function(row))
        return {
            target: _plan_at(
                target,
                config.targets[target],
                [CalledFunction(origin, tuple(functions)) for origin, functions in called.items()],
            )
            for target, called in forms.items()
        }

    def _calls_any(self) -> bool:
        """Whether any view calls a function of the estate, as far as that is written."""
        calls = assessed.CALLS, self._run_id
        sources = self._warehouse.count_rows(*calls, ("function_source",))
        return any(source for (source,) in sources) or not self._warehouse.is_written(*calls)

    def set_aside(self, planned: Mapping[str, PlannedFunctions], changes: DataFrame) -> DataFrame:
        """The changes, those blocked whose functions they would not have, losses added to others.

        Args:
            planned: By target.
            changes: Rows of `CHANGES`.
        """
        rows: list[tuple[str | None, ...]] = [
            (target, *origin, barred.code, barred.reason)
            for target, planned_functions in planned.items()
            for origin, barred in planned_functions.barred.items()
        ]
        rows += [
            (target, *origin, None, why)
            for target, planned_functions in planned.items()
            for origin, why in planned_functions.lost.items()
        ]
        if not rows:
            return changes
        frame = frame_of(self._spark, _BARRED, rows)
        joined = self._calls_of(changes.where(_THERE)).join(f.broadcast(frame), ["target", *_PLACE])
        why = joined.groupBy(*KEY).agg(
            f.min("code").alias("why_code"), f.array_sort(f.collect_set("why")).alias("why")
        )
        hit = changes.join(f.broadcast(why), KEY)
        schema = from_arrow_schema(CHANGES.schema)
        marked = hit.mapInArrow(Carried(planning.without_functions), schema)
        left = changes.join(f.broadcast(why), KEY, "left_anti")
        return left.select(*CHANGES.names).unionByName(marked)

    def find_needed(
        self, planned: Mapping[str, PlannedFunctions], changes: DataFrame
    ) -> dict[str, tuple[FunctionChange, ...]]:
        """Those of the functions that a view calls which is there once the plan is applied.

        Args:
            planned: By target.
            changes: Rows of `CHANGES`, as they will be done.
        """
        if not any(planned_functions.changes for planned_functions in planned.values()):
            return {}
        of_views = self._calls_of(changes.where(_THERE)).select("target", *_PLACE).distinct()
        called = {tuple(row) for row in of_views.collect()}
        return {
            target: tuple(
                change
                for change in planned_functions.changes
                if any((target, *origin) in called for origin in change.origins)
            )
            for target, planned_functions in planned.items()
        }

    def of(self, functions: Iterable[FunctionChange], changes: DataFrame) -> DataFrame:
        """Target and key of the changes that call functions, with a sentence on one in `below`."""
        named = [
            (
                function_change.target,
                *origin,
                f"it calls {function_change.function.place}, which could not be made",
            )
            for function_change in functions
            for origin in function_change.origins
        ]
        frame = frame_of(self._spark, _BELOW, named)
        joined = self._calls_of(changes).join(f.broadcast(frame), ["target", *_PLACE])
        return joined.groupBy(*KEY).agg(f.min("below").alias("below"))

    def _calls_of(self, changes: DataFrame) -> DataFrame:
        """Target and key of changes, a row for each function that a view of theirs calls."""
        calls = self._warehouse.frame(self._spark, assessed.CALLS, self._run_id)
        named = calls.select("source", f.col("key").alias("of"), *_PLACE)
        return origins_of(changes).join(named.dropna().distinct(), ["source", "of"])


def _function(row: Row) -> Function:
    """A row of `functions`; one of an older version does not tell what it is loaded from."""
    files = [("", "")] if row["files"] is None else row["files"]
    fields = {name: row[name] for name in _SAID}
    function = Function(tuple(row["namespace"]), **fields, path=tuple(row["path"] or ()))
    return replace(function, files=tuple(FunctionFile(*file) for file in files))


def _plan_at(
    target: str, connector: Connector, called: Sequence[CalledFunction]
) -> PlannedFunctions:
    """What becomes of functions at a target, which is asked for them."""
    try:
        with connector.store() as store:
            if store.functions is None:
                return lose_functions(called, connector.kind)
            held = hold_functions(called, store.functions)
            places = {
                function.place for function in held.values() if isinstance(function, Function)
            }
            present = {
                function.place: function
                for function in store.functions.present(sorted(places, key=str))
            }
            alone = store.functions.alone
    except BelvedereError as error:
        return bar_functions(called, redacted(str(error), connector.secrets))
    return plan_functions(target, held, present, alone=alone)


def made_in(changes: Iterable[FunctionChange]) -> set[tuple[str, ...]]:
    """The namespaces in which functions are made."""
    return {change.function.namespace for change in changes if change.action is Action.CREATE}
