"""Texts made at random, read by HiveServer2, Spark and Trino: whatever is otherwise is told.

The seeds are those of which every finding has been mended; for others see `tests.live.at_random`.
"""

from collections.abc import Iterator

import pytest

from tests.live.at_random import __main__ as at_random
from tests.live.at_random.engines import Engines, engines, hive_jars
from tests.live.at_random.readings import Outcome
from tests.live.conftest import TrinoHome

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(3_600)]


@pytest.fixture(scope="module")
def running(
    trino_home: TrinoHome, maven: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Engines]:
    folder = tmp_path_factory.mktemp("at_random")
    with engines(trino_home.home, trino_home.java, hive_jars(maven), folder) as asked:
        yield asked


SEEDS = (1,)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_text_is_read_otherwise_in_silence(running: Engines, seed: int) -> None:
    texts = list(at_random.texts_of(seed))
    counts, silent = at_random.ask_all(running, texts)
    assert silent == []
    same = sum(number for what, number in counts.items() if what.endswith(Outcome.SAME))
    assert same > len(texts), "most readings are of the same rows, or the check is blind"
