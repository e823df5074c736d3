"""A migration end to end on a real store: planned, edited, applied, verified, undone."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from connectors.gravitino.entity_store import EntityStore, Options
from discovery.changes import fingerprint
from discovery.diff import differences
from discovery.errors import ConfigurationError
from discovery.model import View
from discovery.ports import Action, Change
from jobs.apply import apply_plan
from jobs.assess import assess_run
from jobs.crawl import crawl_estate
from jobs.embedded.postgres import EmbeddedPostgreSQL
from jobs.plan import plan_run
from jobs.runtime import command
from jobs.runtime.config import RunConfig
from jobs.runtime.journal import Told
from jobs.runtime.plan_files import Head
from jobs.runtime.warehouse import Warehouse
from jobs.undo import undo_run
from jobs.verify import Verified, verify_plan
from tests.conftest import hive_entry, spark_entry, trino_entry

Estate = Callable[..., RunConfig]
TABLE = {**hive_entry("t", ""), "tableType": "MANAGED_TABLE"}
BASE = hive_entry("base", "select `t`.`id` from `rel`.`t`")
TOP = hive_entry("top", "select `base`.`id` from `rel`.`base`")


@dataclass
class Migration:
    """A migration under test: two archives as sources, a store in PostgreSQL as target."""

    spark: SparkSession
    estate: Estate
    folder: Path
    url: str
    more: dict[str, Any]

    def crawl(self, *entries: dict[str, Any], other: tuple[dict[str, Any], ...] = ()) -> str:
        """Put the entries into the sources `a` and `b`, crawl and assess them; the run."""
        sources = {}
        for name, some in (("a", entries), ("b", other)):
            path = self.folder / f"{name}.jsonl"
            lines = [json.dumps({"kind": "hive_table", "payload": one}) for one in some]
            path.write_text("\n".join(lines), encoding="utf-8")
            if some:
                sources[name] = {"kind": "archive", "path": str(path)}
        self.config = self.estate(sources, **self.more)
        run_id = crawl_estate(self.spark, self.config).run_id
        assess_run(self.spark, self.config, run_id)
        return run_id

    def plan(self, run_id: str | None = None) -> Head:
        run = Warehouse(self.config.warehouse).run(run_id).run_id
        file = str(self.folder / "estate.yaml")
        return plan_run(self.spark, self.config, run, self.folder / "plan", file)

    def apply(self, *, delete: bool = False) -> Told:
        return apply_plan(self.spark, self.config, self.folder / "plan", "bob", delete=delete)

    def verify(self) -> Verified:
        return verify_plan(self.spark, self.config, self.folder / "plan")

    def undo(self, run: str) -> Told:
        return undo_run(self.spark, self.config, run, "bob")

    def counts(self, head: Head) -> dict[str, int]:
        return dict(head.targets["t"].counts)

    def table(self, name: str, run: str) -> list[dict[str, Any]]:
        return list(Warehouse(self.config.warehouse).table(name, run))

    def lines(self, name: str = "changes") -> list[dict[str, Any]]:
        text = (self.folder / "plan" / f"{name}.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]

    def store(self) -> EntityStore:
        options = Options(url=self.url, user="postgres", metalake="m", catalog="c", provider="hive")
        return EntityStore(options)

    def there(self) -> dict[str, View]:
        """The views of the target by name."""
        with self.store() as store:
            places = [one.identifier for one in store.listing() if one.name]
            return {str(view.identifier): view for view in store.present(places)}

    def schemas(self) -> set[tuple[str, ...]]:
        with self.store() as store:
            return {one.namespace for one in store.listing() if not one.name}


@pytest.fixture
def migration(
    spark: SparkSession, estate: Estate, postgresql: EmbeddedPostgreSQL, tmp_path: Path
) -> Migration:
    name = f"m_{re.sub(r'[^a-z0-9]', '_', tmp_path.name.lower())}"[:60]
    postgresql.execute((f"DROP DATABASE IF EXISTS {name}", f"CREATE DATABASE {name}"))
    target = {
        "kind": "gravitino-store",
        "url": postgresql.url(name),
        "user": "postgres",
        "metalake": "m",
        "catalog": "c",
        "provider": "hive",
        "accept_unserved": True,
        "timeout": 20,
    }
    more = {"targets": {"t": target}, "engines": ["hive"]}
    return Migration(spark, estate, tmp_path, postgresql.url(name), more)


def test_a_plan_writes_nothing_an_apply_what_it_says_an_undo_takes_it_back(
    migration: Migration,
) -> None:
    migration.crawl(TABLE, BASE, TOP)
    head = migration.plan()
    assert migration.counts(head) == {"create": 2}
    assert migration.there() == {}
    assert [(one["name"], one["wave"]) for one in migration.lines()] == [("base", 0), ("top", 1)]
    told = migration.apply()
    assert (told.written, told.failed) == (2, 0)
    assert set(migration.there()) == {"rel.base", "rel.top"}
    assert migration.verify().exit_code == command.FINE
    events = migration.table("events", told.run)
    assert sorted((one["name"], one["action"], one["result"]) for one in events) == [
        ("base", "create", "done"),
        ("top", "create", "done"),
    ]
    assert {one["principal"] for one in events} == {"bob"}
    again = migration.apply()
    assert (again.written, migration.table("events", again.run)) == (0, []), "nothing is written"
    assert migration.counts(migration.plan()) == {"keep": 2}
    back = migration.undo(told.run)
    assert (back.written, back.failed) == (2, 0)
    assert migration.there() == {}
    assert migration.schemas() == set(), "what the plan made is gone, too"


def test_what_was_there_reads_back_as_before_after_an_undo(migration: Migration) -> None:
    migration.crawl(TABLE, BASE, TOP)
    migration.plan()
    migration.apply()
    before = migration.there()
    changed = hive_entry("base", "select 1 as `id`")
    migration.crawl(TABLE, changed, TOP, spark_entry("new", "SELECT id FROM t"))
    assert migration.counts(migration.plan()) == {"create": 1, "keep": 1, "replace": 1}
    told = migration.apply()
    assert told.written == 2
    assert migration.there()["rel.base"].representations[0].sql == "select 1 as `id`"
    migration.undo(told.run)
    after = migration.there()
    assert after.keys() == before.keys()
    assert not any(differences(before[name], after[name]) for name in before)
    undone = migration.undo(told.run)
    assert (undone.written, undone.failed) == (0, 0), "once is enough"


def test_a_plan_may_be_cut_but_not_rewritten(migration: Migration) -> None:
    migration.crawl(TABLE, BASE, TOP)
    migration.plan()
    path = migration.folder / "plan" / "changes.jsonl"
    whole = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([whole[0], whole[1].replace('"top"', '"toq"')]), encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"changes\.jsonl:2: the change \w+ has been edit"):
        migration.apply()
    assert migration.there() == {}
    path.write_text(whole[0], encoding="utf-8")
    assert migration.apply().written == 1
    assert set(migration.there()) == {"rel.base"}


def test_what_moved_since_the_plan_is_refused_and_not_overwritten(migration: Migration) -> None:
    migration.crawl(TABLE, BASE, TOP)
    migration.plan()
    other = migration.crawl(TABLE, BASE, hive_entry("top", "select 2 as `id`"))
    told = migration.apply()
    assert (told.written, told.failed) == (1, 1)
    (refused,) = [one for one in migration.table("events", told.run) if one["result"] == "refused"]
    assert (refused["name"], refused["code"]) == ("top", "MOVED")
    assert other in refused["message"]
    migration.crawl(TABLE, hive_entry("base", "select 3 as `id`"), TOP)
    migration.plan()
    somebody = replace(migration.there()["rel.base"], comment="somebody's")
    with migration.store() as store:
        expected = fingerprint(migration.there()["rel.base"])
        change = Change(Action.REPLACE, somebody, fingerprint(somebody) or "", expected)
        assert [one.action for one in store.apply([change])] == ["replace"]
    told = migration.apply()
    results = {one["name"]: one["result"] for one in migration.table("events", told.run)}
    assert results["base"] == "refused"
    assert migration.there()["rel.base"].comment == "somebody's"
    assert results["top"] == "refused", "it stands on one that was not written"


def test_sources_meet_in_one_view_if_their_columns_agree(migration: Migration) -> None:
    other = {**trino_entry("v", "SELECT 1 id"), "parameters": {}}
    other |= {"viewOriginalText": "select 1", "viewExpandedText": "select 1"}
    other["sd"] = {"cols": [{"name": "id", "type": "string"}], "serdeInfo": {"parameters": {}}}
    migration.crawl(
        TABLE,
        spark_entry("both", "SELECT id FROM t"),
        spark_entry("v", "SELECT id FROM t"),
        other=(TABLE, trino_entry("both", "SELECT id FROM rel.t"), other),
    )
    assert migration.counts(migration.plan()) == {"conflict": 1, "create": 1}
    (conflict,) = migration.lines("set-aside")
    assert conflict["reason"].endswith(
        'column 1 is id "integer" in one and id "string" in the other'
    )
    assert conflict["from"] == ["a/rel.v", "b/rel.v"]
    migration.apply()
    both = migration.there()["rel.both"]
    assert [one.dialect for one in both.representations] == ["spark", "trino"]
