"""Entries of a Hive Metastore that are recognised and are no views to carry over.

Sources: `HiveMetadata` of Trino (materialized views carry `presto_view` too; only the comment
    tells), PrestoDB 0.287 (its materialized views are of the type MANAGED_TABLE), Spark 4.2's
    metric views.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from discovery.formats import iceberg
from discovery.formats.hive_table import VIRTUAL_VIEW, HiveTable
from discovery.outcomes import MATERIALIZED_VIEW, METRIC_VIEW, TABLE, TEMPORARY_VIEW, Reason

Entry = TypeVar("Entry")


def _nothing_more(entry: object) -> str:  # noqa: ARG001 - most reasons say all there is
    return ""


@dataclass(frozen=True, slots=True)
class NotAView(Generic[Entry]):
    """A sort of entry that is skipped: who writes it, how it is recognised, why it is skipped."""

    format: str
    matches: Callable[[Entry], bool]
    reason: Reason
    detail: Callable[[Entry], str] = _nothing_more


def _is_hive_materialized(table: HiveTable) -> bool:
    return table.type == "MATERIALIZED_VIEW"


def is_trino_materialized(table: HiveTable) -> bool:
    """Of a materialized view of Trino's, which leaves one column `dummy` beside its own JSON.

    The comment counts in any case, as `ViewReaderUtil.isTrinoMaterializedView` has it.
    """
    marked = table.parameters.get("presto_view") == "true"
    comment = table.parameters.get("comment", "") if marked else ""
    return comment.lower() == "presto materialized view" or (table.original or "").startswith(
        "/* Presto Materialized View: "
    )


def _is_presto_materialized(table: HiveTable) -> bool:
    return table.parameters.get("presto_materialized_view") == "true"


def _is_spark_metric(table: HiveTable) -> bool:
    return table.parameters.get("view.subType") == "METRIC_VIEW"


def _is_temporary(table: HiveTable) -> bool:
    return table.payload.get("temporary") is True


def is_table(table: HiveTable) -> bool:
    """Of no view type; where the type is missing or unknown, an entry without any view text."""
    if table.type == VIRTUAL_VIEW or iceberg.matches(table):
        return False
    return table.type in TABLE_TYPES or not (table.original or table.expanded)


TABLE_TYPES: Final = frozenset({"MANAGED_TABLE", "EXTERNAL_TABLE", "INDEX_TABLE"})
NOT_VIEWS: Final[tuple[NotAView[HiveTable], ...]] = (
    NotAView("trino", _is_presto_materialized, MATERIALIZED_VIEW),
    NotAView("trino", is_trino_materialized, MATERIALIZED_VIEW),
    NotAView("hive", _is_hive_materialized, MATERIALIZED_VIEW),
    NotAView("spark", _is_spark_metric, METRIC_VIEW),
    NotAView("", _is_temporary, TEMPORARY_VIEW),
    NotAView("", is_table, TABLE),
)
