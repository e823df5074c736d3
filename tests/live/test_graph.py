"""Every edge of a graph of 5,000 views, in a metastore and in an archive of it.

Names are spelled in any case, short and qualified, quoted and not; common table expressions and
aliases are called as views are. What leads where is known from how the graph was made.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jobs.assess import assess_run
from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.embedded.thrift_writer import writer
from jobs.tables import TABLES
from jobs.warehouse.warehouse import Warehouse
from tests.conftest import hive_entry, spark_entry, trino_entry
from tests.migrated import Estate

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(1_800)]
VIEWS, TABLES_EACH = 5_000, 20
DATABASES = ("graph_a", "graph_b", "graph_c")
ENTRIES = {"hive": hive_entry, "spark": spark_entry, "trino": trino_entry}
CATALOGS = {"hive": "", "spark": "spark_catalog", "trino": "hive"}
QUOTES = {"hive": "`", "spark": "`", "trino": '"'}
Place = tuple[str, str]
Edge = tuple[Place, Place]


def made(seed: int) -> tuple[list[dict[str, Any]], set[Edge]]:
    """The entries of a graph, and what leads where in it."""
    chance = random.Random(seed)  # noqa: S311 - a graph, no secret
    places = [(one, f"t{n}") for one in DATABASES for n in range(TABLES_EACH)]
    entries = [{**hive_entry(name, "", one), "tableType": "MANAGED_TABLE"} for one, name in places]
    edges: set[Edge] = set()
    for number in range(VIEWS):
        engine, database = chance.choice(sorted(ENTRIES)), chance.choice(DATABASES)
        bases = [chance.choice(places) for _ in range(chance.randint(1, 3))]
        decoy = chance.choice(places)[1]
        spelled = [spelling(chance, engine, database, base) for base in bases]
        joined = " cross join ".join(f"{text} a{n}" for n, text in enumerate(spelled))
        own = f"with {decoy}_x as (select 1 as id) select a0.id from {joined}"
        own += f" cross join {decoy}_x as {decoy}"
        place = (database, f"v{number}")
        entries.append(ENTRIES[engine](place[1], own, database))
        edges |= {(place, base) for base in bases}
        places.append(place)
    return entries, edges


def spelling(chance: random.Random, engine: str, database: str, base: Place) -> str:
    """A name of a base, as a text of an engine in a database may spell it; Hive's is expanded."""
    parts: list[str] = list(base)
    if engine != "hive" and base[0] == database and chance.random() < 0.5:
        parts = parts[1:]
    elif CATALOGS[engine] and chance.random() < 0.5:
        parts = [CATALOGS[engine], *parts]
    quote, texts = QUOTES[engine], []
    for part in parts:
        cased = "".join(chance.choice((one.upper(), one)) for one in part)
        is_quoted = engine == "hive" or chance.random() < 0.5
        texts.append(f"{quote}{cased}{quote}" if is_quoted else cased)
    return ".".join(texts)


def edges_of(spark: SparkSession, config: RunConfig, run: str) -> Iterator[Edge]:
    """What leads where, as a crawled run is assessed."""
    assess_run(spark, config, run)
    for row in Warehouse(config.warehouse).table(TABLES["references"], run):
        yield place_of(row["key"]), place_of(row["base_key"] or "no.object")


def place_of(key: str) -> Place:
    """The place that a key of a metastore stands for: it compares names in lower case."""
    database, name = key.split(".")
    return database, name


def test_every_edge_is_found_in_a_metastore_and_in_an_archive(
    spark: SparkSession, metastore: EmbeddedMetastore, estate: Estate, tmp_path: Path
) -> None:
    entries, wanted = made(7)
    with writer(metastore.uri) as hms:
        for database in DATABASES:
            hms.create_database(database, (tmp_path / database).as_uri())
        for entry in entries:
            hms.create_table(entry)
    live = {"kind": "hms", "uri": metastore.uri, "include": [f"{one}.*" for one in DATABASES]}
    catalogs = {"spark": {"spark_catalog": "lake"}, "trino": {"hive": "lake"}}
    more = {"engines": sorted(ENTRIES), "catalogs": catalogs, "archive": True}
    config = estate({"lake": live}, **more)
    crawled = crawl_estate(spark, config).run_id
    assert set(edges_of(spark, config, crawled)) == wanted
    folder = f"{config.warehouse}/archive/run_id={crawled}"
    config = estate({"lake": {"kind": "archive", "path": folder, "source": "lake"}}, **more)
    replayed = crawl_estate(spark, config).run_id
    assert set(edges_of(spark, config, replayed)) == wanted
    print(f"{len(wanted):,} edges of {VIEWS:,} views")
