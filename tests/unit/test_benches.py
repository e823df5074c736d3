"""The benches' made-up rows: a bench that cannot begin measures nothing."""

import pytest

from tests.benchmarks import rendering


@pytest.mark.parametrize("name", rendering._ROWS)
def test_the_rows_of_the_bench_of_the_report_fit_their_datasets(name: str) -> None:
    schema = rendering._DATASETS[name].schema
    for number in range(1, 5):
        for row in rendering._ROWS[name](number):
            assert len(row) == len(schema.names)
