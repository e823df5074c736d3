"""Every table of the warehouse: what the stages hand in, in the order of the docs."""

from difflib import get_close_matches
from typing import Final

from discovery.errors import ConfigurationError
from jobs.assessing import tables as assessed
from jobs.crawling import tables as crawled
from jobs.migrating import tables as planned
from jobs.reporting import quality_tables
from jobs.using import tables as used
from jobs.warehouse.datasets import Table, tables_of
from jobs.warehouse.runs import RUNS

_EVERY: Final = (
    RUNS,
    *crawled.DATASETS,
    crawled.GRANTS,
    *assessed.DATASETS,
    *planned.DATASETS,
    *used.DATASETS,
    quality_tables.QUALITY,
)
DATASETS: Final = {dataset.name: dataset for dataset in _EVERY}
"""Every dataset by name."""

TABLES: Final = tables_of(_EVERY)
"""Every table by name."""


def table_named(name: str) -> Table:
    """A table.

    Raises:
        ConfigurationError: There is none of that name.
    """
    if name not in TABLES:
        near = get_close_matches(name, TABLES, 3) or sorted(TABLES)
        raise ConfigurationError(f"there is no table {name!r}", hint=f"tables: {', '.join(near)}")
    return TABLES[name]
