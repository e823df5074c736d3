"""Texts made at random, read by Hive, Spark and Trino, of databases, too: what differs is told.

The seeds are fixed, so that everybody sees the same; for others see `tests.live.at_random`.
"""

from collections.abc import Iterator

import pytest

from discovery.model import HIVE, MYSQL, POSTGRESQL, SPARK, TRINO
from tests.live import fetched
from tests.live.at_random import __main__ as at_random
from tests.live.at_random.engines import Engines, engines
from tests.live.at_random.readings import Outcome
from tests.live.conftest import TrinoHome

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(3_600)]
SEEDS = (1,)
READERS = (
    *((HIVE, reader) for reader in (SPARK, TRINO, f"a draft for {SPARK}", f"a draft for {TRINO}")),
    *((SPARK, reader) for reader in (HIVE, TRINO, f"a draft for {TRINO}")),
    (TRINO, f"a draft for {SPARK}"),
    *((home, f"a draft for {into}") for home in (POSTGRESQL, MYSQL) for into in (SPARK, TRINO)),
)
LEAST = 80  # readings of 400 texts; the others are refused, told, or have no draft


@pytest.fixture(scope="module")
def running(
    trino_home: TrinoHome, maven: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Engines]:
    folder = tmp_path_factory.mktemp("at_random")
    jars = fetched.hive_server(maven)
    with engines(trino_home.home, trino_home.java, jars, folder) as asked:
        yield asked


@pytest.mark.parametrize("seed", SEEDS)
def test_no_text_is_read_otherwise_in_silence(running: Engines, seed: int) -> None:
    texts = list(at_random.texts_of(seed))
    counts, silent = at_random.ask_all(running, texts)
    assert silent == []
    for home, reader in READERS:
        same = counts[f"{home} in {reader}: {Outcome.SAME}"]
        assert same > LEAST, f"{home} in {reader}: the check is blind"
