"""`assess --live` asks a real Trino 476 of the views of a metastore.

Fetches what test_engines.py fetches of Trino.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from connectors.engines.trino import Options, TrinoServer
from discovery.judging.asking import DIALOGUES, hear
from discovery.model import Identifier
from jobs.assess import assess_run
from jobs.crawl import crawl_estate
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.tables import TABLES
from jobs.warehouse.warehouse import Warehouse
from tests.asked_trino import CATALOG, DATABASE, GUARDED, HOSTILE, SAID
from tests.conftest import estate_in
from tests.live.conftest import TrinoHome
from tests.live.record_trino_dialogues import running
from tests.live.trino_server import Trino

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(1_800)]


@pytest.fixture(scope="module")
def trino(
    metastore: EmbeddedMetastore, trino_home: TrinoHome, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Trino]:
    """Trino with the views."""
    folder = tmp_path_factory.mktemp("asked")
    with running(trino_home.home, trino_home.java, folder, metastore) as found:
        yield found


def test_a_real_trino_says_what_was_recorded(
    trino: Trino, spark: SparkSession, metastore: EmbeddedMetastore, tmp_path: Path
) -> None:
    sources = {"lake": {"kind": "hms", "uri": metastore.uri, "include": [DATABASE]}}
    engines = {"trino": {"hive_views": True, "url": trino.uri}}
    config = estate_in(tmp_path)(sources, engines=engines, catalogs={"trino": {CATALOG: "lake"}})
    run_id = crawl_estate(spark, config).run_id
    assess_run(spark, config, run_id, live=True)
    rows = Warehouse(config.warehouse).table(TABLES["verdicts"], run_id)
    said = {row["name"]: row for row in rows if row["grade"] == "LIVE"}
    assert {name: row["verdict"] for name, row in said.items()} == {
        name: word for name, (word, _) in SAID.items()
    }
    assert {row["version"] for row in said.values()} == {"476"}
    listed = {one for (one,) in trino.rows("SELECT query_id FROM system.runtime.queries")}
    assert {row["query"] for row in said.values()} <= listed


def test_a_hostile_name_is_a_name_and_a_denial_no_verdict(trino: Trino) -> None:
    dialogue = DIALOGUES["trino"]
    with TrinoServer(Options(url=trino.uri)) as server:
        live_verdict = hear(dialogue, "memory", Identifier(("default",), HOSTILE), server.ask)
        assert live_verdict.verdict.accepted is True
        denied = hear(dialogue, GUARDED, Identifier((DATABASE,), "good"), server.ask)
    assert denied.verdict.accepted is None
    assert "Access Denied" in denied.verdict.message
