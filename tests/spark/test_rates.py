"""How often the matrix is wrong about live engines: not more often than is recorded."""

import pytest
from pyspark.sql import SparkSession

from discovery.judging.matrix import Reading
from tests import rates
from tests.judged_estate import Case, cases

pytestmark = pytest.mark.timeout(900)  # four engines' judges start


@pytest.fixture(scope="module")
def judged(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> list[Case]:
    return cases(spark, tmp_path_factory.mktemp("judged"))


def test_no_rate_is_worse_than_the_recorded_one(judged: list[Case]) -> None:
    found = rates.rates(one.judged for one in judged)
    unjudged = [one for one in judged if one.judged.status == Reading.NOT_JUDGED]
    assert rates.worse(found, rates.recorded()) == [], (
        f"`python -m tests.judged_estate` prints the cells; not judged are {unjudged[:9]}"
    )


def test_every_cell_of_the_corpus_is_counted(judged: list[Case]) -> None:
    counted = sum(
        rate.accepted + rate.rejected + rate.not_judged
        for rate in rates.rates(c.judged for c in judged)
    )
    assert counted == len(judged) == 5 * len({one.key for one in judged})
