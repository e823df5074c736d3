"""How wrong cells are counted, and when the counts are worse than a limit."""

from dataclasses import replace

import pytest

from tests import rates
from tests.rates import Judged, Rate, worse

CELL = Judged("trino", "hive", "portable", "PARSE", reads=True)
CELLS = [
    CELL,
    replace(CELL, reads=False),
    replace(CELL, status="native"),
    replace(CELL, status="rejected"),
    replace(CELL, status="blocked", grade=None, reads=False),
    replace(CELL, status="unreachable", grade=None, reads=False),
    replace(CELL, status="not judged", grade=None),
    replace(CELL, engine="spark", status="not judged", grade=None, reads=False),
]
LIMIT = Rate("trino", "hive", "PARSE", 100, 5, 50, 1, 3)


def test_cells_are_counted_by_engine_format_and_grade() -> None:
    assert rates.rates(CELLS) == (
        Rate("spark", "hive", rates.NO_GRADE, not_judged=1),
        Rate("trino", "hive", "PARSE", 3, 1, 1, 1),
        Rate("trino", "hive", rates.NO_GRADE, rejected=2, not_judged=1),
    )


@pytest.mark.parametrize(
    "found",
    [
        replace(LIMIT, false_accepts=6),
        replace(LIMIT, accepted=90),
        replace(LIMIT, false_rejects=2),
        replace(LIMIT, not_judged=4),
        Rate("trino", "flink", "PARSE", 10, 1),
    ],
    ids=["one more", "of fewer", "a false reject", "one more is not judged", "a new place"],
)
def test_what_is_worse_than_its_limit_is_told_with_it(found: Rate) -> None:
    ((rate, limit),) = worse([found], [LIMIT])
    assert rate == found
    assert limit == (LIMIT if found.form == "hive" else Rate("trino", "flink", "PARSE"))


def test_what_is_as_good_or_better_is_not_told() -> None:
    better = replace(LIMIT, accepted=110, false_accepts=4, false_rejects=0, not_judged=0)
    assert worse([LIMIT, better, Rate("trino", "flink", "PARSE", 10)], [LIMIT]) == []


def test_the_table_says_numbers_and_shares() -> None:
    row = rates.table([LIMIT]).splitlines()[-1]
    assert row == "| `trino` | `hive` | PARSE | 100 | 5 (5.0%) | 50 | 1 (2.0%) | 3 |"


def test_engines_are_summed_over_formats_and_grades() -> None:
    other = replace(LIMIT, form="spark")
    assert rates.summed([LIMIT, other]) == {
        "trino": Rate("trino", "all", "all", 200, 10, 100, 2, 6)
    }
