"""The page on the library is true: all of its code is run, with the answers that it shows."""

import doctest
import zipfile
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from jobs.assessing.tables import WAVES
from jobs.warehouse.warehouse import Warehouse
from tests.unit.test_door import PAGE, blocks


def test_spark_reads_waves_of_layout_1_as_counted_from_1(
    spark: SparkSession, tmp_path: Path
) -> None:
    with zipfile.ZipFile(PAGE.parents[1] / "tests" / "layouts" / "1.zip") as stored:
        stored.extractall(tmp_path)
    warehouse = Warehouse(str(tmp_path / "warehouse"))
    rows = warehouse.frame(spark, WAVES, "old").select("name", "wave").collect()
    assert sorted(map(tuple, rows)) == [("base", 1), ("top", 2)]


def test_the_page_is_true(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(blocks(PAGE), {}, "docs/python.md", str(PAGE), 0)
    told: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=told.append)
    assert result.attempted > 15
    assert not result.failed, "".join(told)
