"""A crawl that takes over what has not changed has the rows of a full one, whatever has changed."""

import gzip
import json
import random
from collections.abc import Callable

import pytest
from pyspark.sql import SparkSession

from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.embedded.iceberg import EmbeddedCatalog, NewView
from tests.conftest import outcome_rows

COLUMN = {"id": 1, "name": "x", "required": False, "type": "int"}
SPACES = ("sales", "ops")
VIEWS = 30
ROUNDS = 3


class Changing:
    """A catalog that changes at random, as engines change one."""

    def __init__(self, catalog: EmbeddedCatalog, chance: random.Random) -> None:
        self._catalog, self._chance = catalog, chance
        self._there: dict[tuple[str, str], int] = {}
        self._made = 0
        for space in SPACES:
            catalog.create_namespace((space,), {"owner": "anna"})
        for _ in range(VIEWS):
            self.create()

    def create(self) -> None:
        """A view that nobody has seen, or one of a name that somebody has dropped."""
        self._made += 1
        place = self._chance.choice(SPACES), f"v{self._made}"
        self._there[place] = 0
        self._catalog.create_view([place[0]], place[1], self._view(place))

    def replace(self) -> None:
        """A new version: another metadata file, and the pointer moves."""
        place = self._some()
        self._there[place] += 1
        self._point(place, json.dumps(self._view(place).metadata("file:/x")).encode())

    def break_(self) -> None:
        """A new version that nobody can read."""
        place = self._some()
        self._there[place] += 1
        self._point(place, b'{"format-version": 9}')

    def drop(self) -> None:
        """A view is gone; its name may be another's afterwards."""
        place = self._some()
        del self._there[place]
        self._catalog.execute(
            "DELETE FROM iceberg_tables WHERE table_namespace = ? AND table_name = ?", place
        )

    def move(self) -> None:
        """A view has another name, and the same metadata file."""
        place = self._some()
        self._made += 1
        moved = place[0], f"m{self._made}"
        self._there[moved] = self._there.pop(place)
        self._catalog.execute(
            "UPDATE iceberg_tables SET table_name = ? WHERE table_namespace = ? AND table_name = ?",
            (moved[1], *place),
        )

    def at_random(self, times: int) -> None:
        """So many changes."""
        for _ in range(times):
            change = (self.create, self.replace, self.replace, self.break_, self.drop, self.move)
            self._chance.choice(change)()

    def _some(self) -> tuple[str, str]:
        return self._chance.choice(sorted(self._there))

    def _view(self, place: tuple[str, str]) -> NewView:
        text = f"SELECT {self._there[place]} AS x -- {place[1]}"
        return NewView([COLUMN], {"spark": text}, (place[0],))

    def _point(self, place: tuple[str, str], document: bytes) -> None:
        self._made += 1
        folder = self._catalog.warehouse / place[0] / "again"
        folder.mkdir(exist_ok=True)
        path = folder / f"{self._made}.gz.metadata.json"
        path.write_bytes(gzip.compress(document, mtime=0))
        self._catalog.execute(
            "UPDATE iceberg_tables SET metadata_location = ?"
            " WHERE table_namespace = ? AND table_name = ?",
            (path.as_uri(), *place),
        )


@pytest.mark.timeout(900)
def test_after_changes_at_random_it_has_the_rows_of_a_full_crawl(
    spark: SparkSession, iceberg: EmbeddedCatalog, estate: Callable[..., RunConfig]
) -> None:
    changing = Changing(iceberg, random.Random(5))  # noqa: S311 - which views change, not a secret
    source = {"lake": {"kind": "iceberg-jdbc", "url": iceberg.url}}
    config = estate(source, crawl={"full_every": "7d"}, fail_on={"undecoded": "100%"})
    now = crawl_estate(spark, config, "r0")
    assert now.counts["stands_on"] is None
    for number in range(1, ROUNDS + 1):
        changing.at_random(8)
        now = crawl_estate(spark, config, f"r{number}")
        assert now.counts["stands_on"] == f"r{number - 1}"
        assert 0 < now.counts["taken_over"] < VIEWS + 10
    full = crawl_estate(spark, estate(source, fail_on={"undecoded": "100%"}), "full")
    assert full.counts["stands_on"] is None
    found, wanted = outcome_rows(config, f"r{ROUNDS}"), outcome_rows(config, "full")
    seen = {row["seen_in"] for row in found}
    assert seen == {None, *(f"r{number}" for number in range(ROUNDS))}, "the first that read it"
    assert all(row["seen_in"] is None for row in wanted)
    assert any(row["outcome"] == "failure" for row in wanted)
    bare = [{**row, "seen_in": None} for row in found]
    assert bare == wanted
    counts = [crawled.counts["sources"] for crawled in (now, full)]
    assert counts[0] == counts[1]
