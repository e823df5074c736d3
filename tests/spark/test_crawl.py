"""The crawl end to end on a real metastore, with what goes wrong in real estates."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from connectors.hms import HiveMetastore, Options
from connectors.hms_stores.native import MetastoreStore
from connectors.hms_stores.native import Options as StoreOptions
from discovery.outcomes import Failure, Kind, Listed, RawObject
from discovery.ports import CrawlTask
from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.crawling import fetching
from jobs.crawling.tables import OUTCOMES
from jobs.embedded.metastore import EmbeddedMetastore, embedded_metastore
from jobs.embedded.postgres import EmbeddedPostgreSQL
from jobs.embedded.thrift_writer import Writer, writer
from jobs.tables import TABLES
from jobs.warehouse.warehouse import Warehouse
from tests.elsewhere import by_spark

Estate = Callable[..., RunConfig]
GOLDEN = sorted((Path(__file__).parents[1] / "golden" / "hms").glob("*.json"))


def entry(database: str, name: str, kind: str = "VIRTUAL_VIEW") -> dict[str, Any]:
    return {
        "dbName": database,
        "tableName": name,
        "tableType": kind,
        "parameters": {},
        "viewOriginalText": f"select 1 as x -- {name}",
        "viewExpandedText": f"select 1 as `x` -- {name}",
        "sd": {
            "cols": [{"name": "x", "type": "int"}],
            "serdeInfo": {"name": name, "parameters": {}},
        },
    }


def make(hms: Writer, metastore: EmbeddedMetastore, database: str, count: int) -> None:
    hms.create_database(database, f"{metastore.warehouse.as_uri()}/{database}.db")
    for number in range(count):
        hms.create_table(entry(database, f"v_{number:03d}"))


def of_table(metastore: EmbeddedMetastore, database: str, name: str, column: str) -> str:
    """A subquery for one value of one table's row."""
    return (
        f"(SELECT {column} FROM APP.TBLS T JOIN APP.DBS D ON T.DB_ID = D.DB_ID"
        f" WHERE D.NAME = '{database}' AND T.TBL_NAME = '{name}')"
    )


def poison(metastore: EmbeddedMetastore, database: str, name: str) -> None:
    """Leave an entry without a serde: the server refuses every batch that it is in."""
    descriptor = of_table(metastore, database, name, "T.SD_ID")
    changed = metastore.update(f"UPDATE APP.SDS SET SERDE_ID = NULL WHERE SD_ID = {descriptor}")
    assert changed == 1


def outcomes(config: RunConfig, run_id: str) -> list[dict[str, Any]]:
    return list(Warehouse(config.warehouse).table(TABLES["outcomes"], run_id))


def test_a_poisoned_entry_in_a_batch_of_500_costs_only_itself(
    metastore: EmbeddedMetastore, hms: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(hms, metastore, "poisoned", 500)
    poison(metastore, "poisoned", "v_123")
    source = HiveMetastore(Options(uri=metastore.uri, include=("poisoned",), batch=500))
    calls: Counter[str] = Counter()
    sent = source._client._call

    def counted(method: str, *arguments: object) -> Any:
        calls[method] += 1
        return sent(method, *arguments)

    monkeypatch.setattr(source._client, "_call", counted)
    with source:
        listed = [item for item in source.listing() if isinstance(item, Listed)]
        wanted = tuple(one for one in listed if one.kind is Kind.VIEW)
        answers = list(source.load(CrawlTask("s", wanted)))
    failed = [answer for answer in answers if isinstance(answer, Failure)]
    assert [(failure.listed.name, failure.code) for failure in failed] == [("v_123", "READ_FAILED")]
    assert "Invalid SerDeInfo object" in failed[0].message
    assert sum(isinstance(answer, RawObject) for answer in answers) == 499
    assert calls["get_table_objects_by_name_req"] <= 1 + 2 * 9, "2 * log2(500) calls more"
    assert calls["get_table_meta"] == 1, "views are asked for by name, tables never fetched"


def test_an_object_without_a_type_is_fetched_and_decided(
    metastore: EmbeddedMetastore, hms: Writer
) -> None:
    make(hms, metastore, "untyped", 3)
    hms.create_table(entry("untyped", "strange", "STRANGE_TYPE"))
    row = of_table(metastore, "untyped", "v_001", "T.TBL_ID")
    metastore.update(f"UPDATE APP.TBLS SET TBL_TYPE = NULL WHERE TBL_ID = {row}")
    with HiveMetastore(Options(uri=metastore.uri, include=("untyped", "default"))) as source:
        listed = {item.name: item.kind for item in source.listing() if isinstance(item, Listed)}
        assert listed["v_000"] is Kind.VIEW
        assert listed["v_001"] is Kind.UNDECIDED
        assert listed["strange"] is Kind.UNDECIDED
        undecided = [Listed(("untyped",), name, Kind.UNDECIDED) for name in ("v_001", "strange")]
        answers = list(source.load(CrawlTask("s", tuple(undecided))))
        assert sorted(answer.listed.name for answer in answers) == ["strange", "v_001"]
    with MetastoreStore(StoreOptions(uri=metastore.uri)) as store:
        there = {one.name: one.kind for one in store.listing() if one.namespace == ("untyped",)}
    assert there == {
        "": Kind.NAMESPACE,
        **dict.fromkeys(("v_000", "v_002"), Kind.VIEW),
    } | dict.fromkeys(("v_001", "strange"), Kind.UNDECIDED)


def test_the_counts_agree_with_an_independent_count(
    spark: SparkSession,
    metastore: EmbeddedMetastore,
    hms: Writer,
    postgresql: EmbeddedPostgreSQL,
    estate: Estate,
) -> None:
    make(hms, metastore, "counted", 7)
    hms.create_table({**entry("counted", "t", "MANAGED_TABLE"), "viewOriginalText": None})
    postgresql.execute(
        (
            "DROP SCHEMA IF EXISTS counted CASCADE",
            "CREATE SCHEMA counted",
            "CREATE TABLE counted.t (x int)",
            'CREATE VIEW counted."V 1" AS SELECT x FROM counted.t',
            "CREATE MATERIALIZED VIEW counted.m AS SELECT 1 AS x",
        )
    )
    config = estate(
        {
            "lake": {"kind": "hms", "uri": metastore.uri},
            "shop": {"kind": "postgresql", "url": postgresql.url(), "user": "postgres"},
        }
    )
    crawled = crawl_estate(spark, config)
    lake, shop = crawled.counts["sources"]["lake"], crawled.counts["sources"]["shop"]
    assert [[str(lake["listed"])], [str(lake["namespaces"])]] == [
        list(metastore.query("SELECT COUNT(*) FROM APP.TBLS")[0]),
        list(metastore.query("SELECT COUNT(*) FROM APP.DBS")[0]),
    ]
    for entry_ in (lake, shop):
        assert entry_["listed"] == entry_["views"] + entry_["failures"] + entry_["skipped"]
        assert entry_["reconciled"]
    import psycopg  # noqa: PLC0415 - the independent count

    with psycopg.connect(f"dbname=postgres host={postgresql.socket} user=postgres") as connection:
        query = (
            "SELECT count(*) FILTER (WHERE relkind IN ('v','m','r','p','f')),"
            " count(*) FILTER (WHERE relkind = 'v') FROM pg_class"
            " WHERE relnamespace::regnamespace::text !~ '^pg_|information_schema'"
        )
        assert connection.execute(query).fetchone() == (shop["listed"], shop["views"])


def test_recorded_entries_of_all_engines_arrive_as_the_golden_files_say(
    spark: SparkSession, estate: Estate, tmp_path: Path
) -> None:
    cases = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in GOLDEN}
    lines = []
    for stem, case in cases.items():  # names meet each other: each file gets a database of its own
        payload = {**case["raw"]["payload"], "dbName": stem}
        lines.append(json.dumps({**case["raw"], "payload": payload}))
    (tmp_path / "golden.jsonl").write_text("\n".join(lines), encoding="utf-8")
    config = estate({"golden": {"kind": "archive", "path": str(tmp_path / "golden.jsonl")}})
    crawled = crawl_estate(spark, config)
    rows = {row["namespace"][0]: row for row in outcomes(config, crawled.run_id)}
    assert rows.keys() == cases.keys()
    for stem, case in cases.items():
        fate = {"view": "view", "failure": "failure", "skipped": "skipped"}
        assert rows[stem]["outcome"] == next(fate[key] for key in fate if key in case), stem
        if "view" in case:
            assert json.loads(rows[stem]["model"]) == case["view"]
    assert crawled.exit_code == 4, "files that are gone"


def test_a_crawl_is_archived_and_replays_to_the_same(
    spark: SparkSession, metastore: EmbeddedMetastore, hms: Writer, estate: Estate, tmp_path: Path
) -> None:
    make(hms, metastore, "archived", 5)
    poison(metastore, "archived", "v_003")
    source = {"kind": "hms", "uri": metastore.uri, "include": ["archived"]}
    config = estate({"lake": source}, archive=True)
    first = crawl_estate(spark, config)
    assert first.exit_code == 4
    folder = Path(config.warehouse) / "archive"
    modes = {path.is_dir(): path.stat().st_mode & 0o777 for path in (folder, *folder.rglob("*"))}
    assert modes == {True: 0o700, False: 0o600}
    archive = {"kind": "archive", "path": f"{config.warehouse}/archive/run_id={first.run_id}"}
    second = crawl_estate(spark, estate({"again": archive}))
    before = {row["key"]: row for row in outcomes(config, first.run_id)}
    after = {row["key"]: row for row in outcomes(config, second.run_id)}
    assert before.keys() - after.keys() == {"archived.v_003"}, "it was never read"
    for key, row in after.items():
        assert row["fingerprint"] == before[key]["fingerprint"]
        assert row["model"] == before[key]["model"]


def test_what_vanishes_between_listing_and_fetching_is_skipped(
    spark: SparkSession, metastore: EmbeddedMetastore, hms: Writer, estate: Estate
) -> None:
    make(hms, metastore, "vanishing", 3)
    source = {"kind": "hms", "uri": metastore.uri, "include": ["vanishing"]}
    config = estate({"lake": source})
    objects = fetching.listing_rows(spark, config).rows().localCheckpoint()
    hms.drop_table("vanishing", "v_001")
    asked = fetching.crawl_rows(objects, config, {"lake": 2}).rows()
    rows = asked.select("name", "outcome", "code").collect()
    assert {(row["name"], row["outcome"], row["code"]) for row in rows} == {
        ("", "schema", None),
        ("v_000", "view", None),
        ("v_001", "skipped", "VANISHED"),
        ("v_002", "view", None),
    }


def test_a_metastore_that_goes_away_leaves_rows_and_an_exit_code(
    spark: SparkSession, estate: Estate, tmp_path: Path
) -> None:
    with embedded_metastore(tmp_path) as metastore, writer(metastore.uri) as connection:
        make(connection, metastore, "leaving", 3)
        config = estate({"lake": {"kind": "hms", "uri": metastore.uri, "timeout": 2}})
        objects = fetching.listing_rows(spark, config).rows().localCheckpoint()
    asked = fetching.crawl_rows(objects, config, {"lake": 2}).rows()
    rows = asked.select("name", "outcome", "code").collect()
    assert {row["code"] for row in rows} == {"UNREACHABLE"}
    assert len(rows) == 5
    again = crawl_estate(spark, config)
    assert again.exit_code == 4
    (row,) = outcomes(config, again.run_id)
    assert (row["entity"], row["outcome"], row["code"]) == ("source", "failure", "UNREACHABLE")


def test_a_run_is_seen_only_when_it_is_committed_and_then_stays(
    spark: SparkSession, estate: Estate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = {"kind": "hive_table", "payload": entry("db", "v")}
    (tmp_path / "a.json").write_text(json.dumps(raw), encoding="utf-8")
    config = estate({"a": {"kind": "archive", "path": str(tmp_path / "a.json")}})
    with monkeypatch.context() as patched:
        patched.setattr(Warehouse, "commit", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            crawl_estate(spark, config, "one")
    assert Warehouse(config.warehouse).runs() == []
    first = crawl_estate(spark, config, "one")
    (tmp_path / "a.json").write_text("broken", encoding="utf-8")
    again = crawl_estate(spark, config, "one")
    assert again == first, "a run that is committed is not crawled again"
    assert crawl_estate(spark, config, "two").exit_code == 4
    assert [run.run_id for run in Warehouse(config.warehouse).runs()] == ["one", "two"]


def test_a_warehouse_that_is_not_on_this_machine_is_counted_and_committed_by_spark(
    spark: SparkSession, estate: Estate, tmp_path: Path
) -> None:
    raw = {"kind": "hive_table", "payload": entry("db", "v")}
    (tmp_path / "a.json").write_text(json.dumps(raw), encoding="utf-8")
    config = estate({"a": {"kind": "archive", "path": str(tmp_path / "a.json")}})
    crawl_estate(spark, config, "one")
    here, warehouse = Warehouse(config.warehouse), by_spark(config.warehouse, spark)
    columns = ("source", "namespace", "outcome", "format", "code")
    counted = warehouse.count_rows(OUTCOMES, "one", columns)
    assert counted == here.count_rows(OUTCOMES, "one", columns)
    assert counted["a", ("db",), "view", "hive", None] == 1
    warehouse.append(OUTCOMES, "grown", warehouse.frame(spark, OUTCOMES, "one"))
    warehouse.append(OUTCOMES, "grown", warehouse.frame(spark, OUTCOMES, "one"))
    assert (
        len(list(warehouse.table(OUTCOMES, "grown")))
        == len(list(here.table(OUTCOMES, "grown")))
        > 1
    )
    warehouse.commit(replace(here.run("one"), run_id="two"))
    assert [run.run_id for run in here.runs()] == ["one", "two"]
    assert warehouse.runs() == here.runs()


def test_views_that_cannot_be_decoded_count_under_a_threshold(
    spark: SparkSession, estate: Estate, tmp_path: Path
) -> None:
    bad = {"kind": "hive_table", "payload": {**entry("db", "v"), "parameters": {"k": 1}}}
    (tmp_path / "a.json").write_text(json.dumps(bad), encoding="utf-8")
    source = {"a": {"kind": "archive", "path": str(tmp_path / "a.json")}}
    assert crawl_estate(spark, estate(source)).exit_code == 3
    assert crawl_estate(spark, estate(source, fail_on={"undecoded": 1})).exit_code == 0
