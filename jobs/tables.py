"""Every table of the warehouse: what the stages hand in, in the order of the docs."""

from typing import Final

from jobs.assessing import tables as assessed
from jobs.crawling import tables as crawled
from jobs.migrating import tables as planned
from jobs.reporting import quality_tables
from jobs.warehouse.datasets import tables_of
from jobs.warehouse.warehouse import RUNS

_EVERY: Final = (
    RUNS,
    *crawled.DATASETS,
    *assessed.DATASETS,
    *planned.DATASETS,
    quality_tables.QUALITY,
)
DATASETS: Final = {one.name: one for one in _EVERY}
"""Every dataset by name."""

TABLES: Final = tables_of(_EVERY)
"""Every table by name."""
