"""The table of checks: what makes an engine or a target refuse or misread a view.

A check is a module: its docstring is the page of its CODE, `check` looks, EXAMPLE_BAD is something
that it finds and EXAMPLE_GOOD something that it does not.
"""

from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Final

from discovery.checks import (
    athena_catalog,
    broken_column,
    catalog_not_at_target,
    columns_drift,
    columns_left_out,
    columns_unreadable,
    flink_entry,
    flink_local_catalog,
    glue_stale,
    iceberg_no_default_catalog,
    iceberg_no_namespace,
    iceberg_no_trino_text,
    iceberg_other_catalog,
    meaning_unknown,
    means_otherwise,
    name_differs_by_case,
    name_lowered,
    name_meets,
    name_refused,
    namespace_flattened,
    secret_in_view,
    spark_names_lost,
    spark_unqualified,
    stale_columns,
    three_part_name,
    trino_entry,
    view_meets_table,
)
from discovery.checks.subject import (
    Completed,
    Expanded,
    Finding,
    Namesake,
    ReadElsewhere,
    Returned,
    Severity,
    Subject,
)
from discovery.errors import described

OF_VIEWS: Final[tuple[ModuleType, ...]] = (
    catalog_not_at_target,
    columns_left_out,
    columns_unreadable,
    flink_entry,
    flink_local_catalog,
    glue_stale,
    iceberg_no_default_catalog,
    iceberg_no_namespace,
    iceberg_no_trino_text,
    name_lowered,
    name_refused,
    secret_in_view,
    spark_names_lost,
    spark_unqualified,
    three_part_name,
    trino_entry,
)
"""Checks of one view: `check(subject)` yields findings."""

OF_COLUMNS: Final[tuple[ModuleType, ...]] = (broken_column, stale_columns)
"""Checks of a view whose bases are known: `check(expanded)` yields findings."""

OF_BASES: Final[tuple[ModuleType, ...]] = (athena_catalog, iceberg_other_catalog)
"""Checks of a view whose names are known to lead somewhere: `check(completed)` yields findings."""

OF_MEANINGS: Final[tuple[ModuleType, ...]] = (means_otherwise, meaning_unknown)
"""Checks of a view that other engines read by its text: `check(elsewhere)` yields findings."""

OF_ANALYSES: Final[tuple[ModuleType, ...]] = (columns_drift,)
"""Checks of a view that an engine has analyzed: `check(returned)` yields findings."""

OF_NAMES: Final[tuple[ModuleType, ...]] = (
    name_differs_by_case,
    name_meets,
    namespace_flattened,
    view_meets_table,
)
"""Checks of objects whose names meet: `check(group)` returns a finding, which is each view's."""

EVERY: Final = (*OF_VIEWS, *OF_COLUMNS, *OF_BASES, *OF_MEANINGS, *OF_ANALYSES, *OF_NAMES)


def findings(subject: Subject) -> Iterator[tuple[str, Finding]]:
    """Code and finding of every check of a view; a check that breaks costs no other."""
    for module in OF_VIEWS:
        try:
            reported = list(module.check(subject))
        except Exception as error:  # noqa: BLE001 - the boundary of check x view
            failure = described(error)
            reported = [
                Finding(Severity.WARNING, f"{failure.code} in a check: {failure}", failure.hint)
            ]
        for finding in reported:
            yield module.CODE, finding


def of_columns(subject: Expanded) -> Iterator[tuple[str, Finding]]:
    """Code and finding of every check of a view whose bases are known."""
    yield from _found(OF_COLUMNS, subject)


def of_bases(subject: Completed) -> Iterator[tuple[str, Finding]]:
    """Code and finding of every check of a view of which it is known where its names lead."""
    yield from _found(OF_BASES, subject)


def of_meanings(subject: ReadElsewhere) -> Iterator[tuple[str, Finding]]:
    """Code and finding of every check of a view that other engines read by its text."""
    yield from _found(OF_MEANINGS, subject)


def of_analyses(subject: Returned) -> Iterator[tuple[str, Finding]]:
    """Code and finding of every check of a view that an engine has analyzed."""
    yield from _found(OF_ANALYSES, subject)


def _found(
    modules: Iterable[ModuleType], subject: Completed | Expanded | ReadElsewhere | Returned
) -> Iterator[tuple[str, Finding]]:
    for module in modules:
        for finding in module.check(subject):
            yield module.CODE, finding


def of_names(group: tuple[Namesake, ...]) -> Iterator[tuple[str, Finding]]:
    """Code and finding of every check of a group of namesakes."""
    for module in OF_NAMES:
        finding = module.check(group)
        if finding is not None:
            yield module.CODE, finding
