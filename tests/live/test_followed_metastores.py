"""A metastore of Hive 3 that records its events: a crawl by them has the rows of a full one."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from pyspark.sql import SparkSession

from connectors.hms import HiveMetastore, Options
from discovery.errors import ReadError
from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.crawling.tables import OUTCOMES
from jobs.doctor import examine
from jobs.embedded.thrift_writer import Writer, writer
from jobs.warehouse.warehouse import Warehouse
from tests.conftest import estate_in, hive_entry, spark_entry
from tests.live.metastores import LISTENER, RECORDING, fetched, running

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(900)]

VIEWS = 40
ROUNDS = 4


@pytest.fixture
def uri(tmp_path: Path, missing: Callable[[str], NoReturn]) -> Iterator[str]:
    folder = tmp_path / "hms"
    folder.mkdir()
    with running(fetched("3.1.3", folder, missing, [LISTENER]), folder, RECORDING) as port:
        place = f"thrift://127.0.0.1:{port}"
        nothing = pytest.raises(ReadError, match="it has recorded no event")
        with HiveMetastore(Options(uri=place)) as source, nothing:
            source.mark()  # which also makes the table of the record
        yield place


class Changing:
    """A database whose views change at random, as engines change them."""

    def __init__(self, to: Writer, chance: random.Random) -> None:
        self._to, self._chance, self._made = to, chance, 0
        self._there: set[str] = set()
        for _ in range(VIEWS):
            self.create()

    def create(self) -> None:
        """A view of a new name."""
        self._made += 1
        self._there.add(f"v{self._made}")
        self._to.create_table(self._entry(f"v{self._made}"))

    def alter(self) -> None:
        """Another text; all parameters stay."""
        self._alter(self._some(), viewOriginalText=f"SELECT {self._chance.random()} AS id")

    def break_(self) -> None:
        """A text that nobody can read."""
        self._alter(
            self._some(),
            viewOriginalText="/* Presto View: x */",
            parameters={"presto_view": "true"},
        )

    def move(self) -> None:
        """Another name."""
        self._made += 1
        name = self._some()
        self._there ^= {name, f"m{self._made}"}
        self._alter(name, tableName=f"m{self._made}")

    def drop(self) -> None:
        """A view is gone."""
        name = self._some()
        self._there.remove(name)
        self._to.drop_table("rel", name)

    def replace(self) -> None:
        """A view is dropped, and made again under its name: as Spark replaces one."""
        name = self._some()
        self._to.drop_table("rel", name)
        self._to.create_table(self._entry(name))

    def at_random(self, times: int) -> None:
        """So many changes."""
        every = (self.create, self.alter, self.alter, self.break_, self.move, self.drop)
        for _ in range(times):
            self._chance.choice((*every, self.replace))()

    def _some(self) -> str:
        return self._chance.choice(sorted(self._there))

    def _entry(self, name: str) -> dict[str, Any]:
        made = self._chance.choice((hive_entry, spark_entry))
        return made(name, f"SELECT {self._chance.random()} AS id")

    def _alter(self, name: str, **fields: object) -> None:
        entry = self._to._client.get_table("rel", name)
        for field, value in fields.items():
            setattr(entry, field, value)
        self._to._client.alter_table("rel", name, entry)


def rows(config: RunConfig, run_id: str) -> list[dict[str, Any]]:
    found = Warehouse(config.warehouse).table(OUTCOMES, run_id)
    return sorted(found, key=lambda row: (row["key"], row["entity"]))


def test_a_crawl_by_events_has_the_rows_of_a_full_one(
    spark: SparkSession, uri: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = {"lake": {"kind": "hms", "uri": uri}}
    losses = {"undecoded": "100%"}
    config = estate_in(tmp_path)(source, crawl={"full_every": "7d"}, fail_on=losses)
    with writer(uri) as connection:
        connection.create_database("rel", (tmp_path / "rel").as_uri())
        changing = Changing(connection, random.Random(4))  # noqa: S311 - no secret
        now = crawl_estate(spark, config, "r0")
        for number in range(1, ROUNDS + 1):
            changing.at_random(8)
            now = crawl_estate(spark, config, f"r{number}")
            assert now.counts["stands_on"] == f"r{number - 1}"
            assert now.counts["taken_over"] >= VIEWS / 2
    bare = estate_in(tmp_path)(source, fail_on=losses)
    full = crawl_estate(spark, bare, "full")
    found, wanted = rows(config, f"r{ROUNDS}"), rows(config, "full")
    assert {row["seen_in"] for row in found} >= {None, "r0", "r1"}
    assert [{**row, "seen_in": None} for row in found] == wanted
    assert any(row["outcome"] == "failure" for row in wanted)
    assert now.counts["sources"] == full.counts["sources"]
    told = {diagnosis.what: diagnosis.told for diagnosis in examine(config, quick=True)}[
        "events of lake"
    ]
    assert told.startswith("up to event ")
    assert "cannot be followed" not in capsys.readouterr().err
