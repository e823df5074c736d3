"""What the stages hand to the warehouse, and the one list of it."""

from collections import Counter

import pyarrow as pa
import pytest

from jobs.crawling.tables import OUTCOMES
from jobs.tables import DATASETS, TABLES
from jobs.warehouse.datasets import Dataset, Projection


def test_names_are_unique() -> None:
    named = Counter(table.name for dataset in DATASETS.values() for table in dataset.tables)
    assert set(named.values()) == {1}
    assert named.keys() == TABLES.keys()


@pytest.mark.parametrize("name", TABLES)
def test_a_table_has_columns_of_its_dataset_and_each_says_what_it_means(name: str) -> None:
    table = TABLES[name]
    assert set(table.columns) <= set(table.dataset.names)
    assert all((field.metadata or {}).get(b"doc") for field in table.schema), name


def test_what_is_between_the_steps_of_a_stage_is_no_table() -> None:
    between = {name for name, dataset in DATASETS.items() if dataset.between}
    of_stages = {"assessed", "asked", "compared", "drafted", "listed_functions", "read_logs"}
    assert between == {*of_stages, "present", "decided"}
    assert not between & TABLES.keys()


def test_a_dataset_is_read_as_the_table_of_its_name() -> None:
    assert OUTCOMES.table == TABLES["outcomes"]
    assert "raw" not in OUTCOMES.table.columns, "what the sources said is read only if asked for"
    two = Dataset("d", pa.schema([("a", pa.string()), ("b", pa.string())]))
    assert two.table.columns == ("a", "b")
    parted = Dataset("d", two.schema, projections=(Projection("p", ("a",), "object"),))
    assert [table.columns for table in parted.tables] == [("a",)]
    assert (parted.table.columns, parted.table.entity) == (("a", "b"), None)
