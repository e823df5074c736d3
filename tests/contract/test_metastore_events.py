"""A metastore before Hive 3: its record of changes is not followed, and that is said."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from connectors.hms import HiveMetastore, Options
from discovery.errors import ReadError
from discovery.event_log import LoggedEvent
from jobs.crawl import crawl_estate
from jobs.doctor import examine
from jobs.embedded.metastore import EmbeddedMetastore
from tests.conftest import estate_in

WHY = "before Hive 3 a metastore gives one id to several events"


def test_it_gives_no_mark_and_takes_none(metastore: EmbeddedMetastore) -> None:
    with HiveMetastore(Options(uri=metastore.uri)) as source:
        with pytest.raises(ReadError, match=WHY):
            source.mark()
        with pytest.raises(ReadError, match=WHY):
            list(source.read_changes(LoggedEvent(1, 0, "CREATE_TABLE", ())))


def test_it_is_crawled_in_full(
    spark: SparkSession,
    metastore: EmbeddedMetastore,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    sources = {"lake": {"kind": "hms", "uri": metastore.uri, "include": ["default"]}}
    config = estate_in(tmp_path)(sources, crawl={"full_every": "7d"})
    first = crawl_estate(spark, config, "one")
    assert first.counts["marks"] == {}
    assert f"lake cannot be followed: {WHY}" in capsys.readouterr().err
    told = {diagnosis.what: diagnosis for diagnosis in examine(config, quick=True)}[
        "events of lake"
    ]
    assert told.told.startswith(f"each crawl reads all: {WHY}")
    assert told.hint == "a source of the kind hms-database is followed, whatever the version"
    assert told.code == 0
    second = crawl_estate(spark, config, "two")
    assert (second.counts["stands_on"], second.counts["taken_over"]) == ("one", 0)
