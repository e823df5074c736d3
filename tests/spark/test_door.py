"""The page on the library is true: all of its code is run, with the answers that it shows."""

import doctest
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.unit.test_door import PAGE, blocks


def test_the_page_is_true(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(blocks(PAGE), {}, "docs/python.md", str(PAGE), 0)
    told: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=told.append)
    assert result.attempted > 15
    assert not result.failed, "".join(told)
