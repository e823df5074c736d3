"""An assessment that takes over what has not changed has the rows of one that asks all anew."""

import random
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pyiceberg.schema import Schema
from pyiceberg.types import IntegerType, NestedField
from pyspark.sql import SparkSession

from jobs.assess import assess_run
from jobs.assessing import tables as assessed
from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.embedded.iceberg import EmbeddedCatalog, NewView
from jobs.warehouse.datasets import tables_of
from jobs.warehouse.warehouse import Warehouse

VIEWS = 24
_ROUNDS = 2
_TAKEN = re.compile(r"what run (\S+) found of (\d+) views is taken over")


class Standing:
    """A catalog whose views stand on a table and on each other."""

    def __init__(self, catalog: EmbeddedCatalog, chance: random.Random) -> None:
        self._catalog, self._chance = catalog, chance
        self._number = 0
        self._columns: dict[str, str] = {"t": "x"}
        catalog.create_namespace(("s",), {})
        field = NestedField(1, "x", IntegerType(), required=False)
        catalog.create_table(("s",), "t", Schema(field))
        for _ in range(VIEWS):
            self.make()

    def make(self) -> None:
        """A new view; some read what is not there, some return what they do not declare."""
        self._number += 1
        self._write(f"v{self._number}")

    def change(self) -> None:
        """Views are made, replaced, some with another column, and dropped."""
        for _ in range(2):
            self.make()
            place = self._some()
            self._drop(place)
            self._write(place)
        gone = self._some()
        self._drop(gone)
        del self._columns[gone]

    def _write(self, name: str) -> None:
        self._number += 1
        base = self._chance.choice(sorted(self._columns.keys() - {name}))
        reads = self._chance.choice((self._columns[base], self._columns[base], "nowhere"))
        column = self._chance.choice(("x", "y"))
        told = {"id": 1, "name": column, "required": False, "type": "int"}
        text = f"SELECT {reads} AS {column} FROM s.{base} -- {self._number}"
        if self._chance.random() < 0.1:
            text = f"SELECT FROM {self._number}"
        view = NewView([told], {"spark": text}, ("s",))
        self._catalog.create_view(["s"], f"{name}-{self._number}", view)
        renamed = "UPDATE iceberg_tables SET table_name = ? WHERE table_name = ?"
        self._catalog.execute(renamed, (name, f"{name}-{self._number}"))
        self._columns[name] = column

    def _drop(self, name: str) -> None:
        self._catalog.execute("DELETE FROM iceberg_tables WHERE table_name = ?", (name,))

    def _some(self) -> str:
        return self._chance.choice(sorted(self._columns.keys() - {"t"}))


@pytest.fixture
def standing(iceberg: EmbeddedCatalog) -> Standing:
    return Standing(iceberg, random.Random(3))  # noqa: S311 - which views change, not a secret


@pytest.fixture
def configured(
    iceberg: EmbeddedCatalog, estate: Callable[..., RunConfig]
) -> Callable[..., RunConfig]:
    return partial(estate, {"lake": {"kind": "iceberg-jdbc", "url": iceberg.url}})


def rows_of(config: RunConfig, run_id: str) -> dict[str, list[str]]:
    """The rows of every table of the stage, in one order."""
    warehouse = Warehouse(config.warehouse)
    return {
        name: sorted(map(repr, warehouse.table(table, run_id)))
        for name, table in tables_of(assessed.DATASETS).items()
    }


def taken(told: pytest.CaptureFixture[str]) -> list[tuple[str, str]]:
    """From which runs how many views are taken over, as assessments have said."""
    return _TAKEN.findall(told.readouterr().err)


@pytest.mark.timeout(900)
def test_after_changes_at_random_it_has_the_rows_of_one_that_asks_all_anew(
    spark: SparkSession,
    standing: Standing,
    configured: Callable[..., RunConfig],
    capsys: pytest.CaptureFixture[str],
) -> None:
    more: dict[str, Any] = {"engines": ["spark"], "catalogs": {"spark": {"lake": "lake"}}}
    config = configured(crawl={"full_every": "7d"}, **more)
    crawl_estate(spark, config, "r0")
    assess_run(spark, config, "r0")
    assert taken(capsys) == []
    for number in range(1, _ROUNDS + 1):
        standing.change()
        crawl_estate(spark, config, f"r{number}")
        assess_run(spark, config, f"r{number}")
        ((before, views),) = taken(capsys)
        assert before == f"r{number - 1}"
        assert VIEWS // 2 < int(views) < VIEWS + 2 * number
    last = f"r{_ROUNDS}"
    found = rows_of(config, last)
    assess_run(spark, config, last, anew=True)
    assert taken(capsys) == []
    wanted = rows_of(config, last)
    assert {name: rows for name, rows in found.items() if rows != wanted[name]} == {}
    words = {
        word
        for verdict in wanted["verdicts"]
        for word in ("accepted", "rejected")
        if word in verdict
    }
    grades = {
        word for verdict in wanted["verdicts"] for word in ("ANALYZE", "PARSE") if word in verdict
    }
    assert (words, grades) == ({"accepted", "rejected"}, {"ANALYZE", "PARSE"})
    other = configured(crawl={"full_every": "7d"}, engines=["spark"])
    assess_run(spark, other, last)
    assert taken(capsys) == [(f"r{_ROUNDS - 1}", "0")], "engines call the source otherwise"


def test_a_full_crawl_and_a_run_that_nobody_has_assessed_have_all_asked(
    spark: SparkSession,
    standing: Standing,
    configured: Callable[..., RunConfig],
    capsys: pytest.CaptureFixture[str],
) -> None:
    config = configured(crawl={"full_every": "7d"}, engines=["spark"])
    crawl_estate(spark, config, "r0")
    crawl_estate(spark, config, "r1")
    assess_run(spark, config, "r1")
    assert taken(capsys) == [], "r0 has not been assessed"
    crawl_estate(spark, config, "r3")
    for path in Path(config.warehouse).glob("assessed/*r1*/*.parquet"):
        path.unlink()
    assess_run(spark, config, "r3")
    told = capsys.readouterr().err
    assert "nothing is taken over from run r1: assessed of r1: " in told
    assert _TAKEN.findall(told) == []
    full = configured(engines=["spark"])
    crawl_estate(spark, full, "r2")
    assess_run(spark, full, "r2")
    assert taken(capsys) == []


def test_columns_of_tables_are_fetched_where_their_pointer_is_another(
    spark: SparkSession, iceberg: EmbeddedCatalog, configured: Callable[..., RunConfig]
) -> None:
    iceberg.create_namespace(("s",), {})
    told = [{"id": 1, "name": "x", "required": False, "type": "int"}]
    for name in ("same", "other"):
        field = NestedField(1, "x", IntegerType(), required=False)
        iceberg.create_table(("s",), name, Schema(field))
        text = f"SELECT x FROM s.{name}"
        iceberg.create_view(("s",), f"on_{name}", NewView(told, {"spark": text}, ("s",)))
    config = configured(
        crawl={"full_every": "7d"}, engines=["spark"], catalogs={"spark": {"lake": "lake"}}
    )
    crawl_estate(spark, config, "r0")
    assess_run(spark, config, "r0")
    before = columns_of_bases(config, "r0")
    assert before == {"s.same": ["x"], "s.other": ["x"]}
    (file,) = (iceberg.warehouse / "s" / "same" / "metadata").glob("*.json")
    file.unlink()  # whoever asked for it again would not find it
    iceberg.add_column(("s",), "other", "y")
    crawl_estate(spark, config, "r1")
    assess_run(spark, config, "r1")
    assert columns_of_bases(config, "r1") == {"s.same": ["x"], "s.other": ["x", "y"]}
    assess_run(spark, config, "r1", anew=True)
    assert columns_of_bases(config, "r1") == {"s.same": None, "s.other": ["x", "y"]}


def columns_of_bases(config: RunConfig, run_id: str) -> dict[str, list[str] | None]:
    """The names of the columns of what views read, by its key."""
    rows = Warehouse(config.warehouse).table(assessed.BASES, run_id)
    return {
        row["key"]: row["columns"] and [column["name"] for column in row["columns"]] for row in rows
    }
