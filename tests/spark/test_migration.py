"""A migration end to end on a real store: planned, edited, applied, verified, undone."""

import base64
import json
import re
import zlib
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from discovery.errors import ConfigurationError, EvidenceError
from discovery.migration.changes import fingerprint
from discovery.migration.diff import differences
from discovery.migration.namespaces import FieldEdit, NamespaceEdit
from discovery.model import Column, Identifier, Primitive, Representation, Schema, View
from discovery.ports import Action, Change
from jobs.console import command
from jobs.embedded.postgres import EmbeddedPostgreSQL
from jobs.report import ReportScope, write_report
from jobs.reporting import in_memory
from jobs.reporting.frames import Frames
from jobs.reporting.run_tables import RunTables
from jobs.reporting.workers import decided
from jobs.warehouse.warehouse import Warehouse
from reports import page
from tests.conftest import hive_entry, spark_entry, trino_entry
from tests.migrated import BASE, TABLE, TOP, Estate, Migration


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
    more = {"targets": {"t": target}, "engines": []}
    return Migration(spark, estate, tmp_path, more)


def test_a_plan_writes_nothing_an_apply_what_it_says_an_undo_takes_it_back(
    migration: Migration, capsys: pytest.CaptureFixture[str]
) -> None:
    migration.crawl(TABLE, BASE, TOP)
    head = migration.plan()
    assert migration.counts(head) == {"create": 2}
    assert migration.there() == {}
    assert [(line["name"], line["wave"]) for line in migration.lines()] == [("base", 1), ("top", 2)]
    execution_result = migration.apply()
    assert (execution_result.written, execution_result.failed) == (2, 0)
    assert set(migration.there()) == {"rel.base", "rel.top"}
    assert migration.verify().exit_code == command.FINE
    events = migration.table("events", execution_result.run)
    assert sorted((event["name"], event["action"], event["result"]) for event in events) == [
        ("base", "create", "done"),
        ("top", "create", "done"),
    ]
    assert {event["principal"] for event in events} == {"bob"}
    again = migration.apply()
    assert (again.written, migration.table("events", again.run)) == (0, []), "nothing is written"
    assert migration.counts(migration.plan()) == {"keep": 2}
    back = migration.undo(execution_result.run)
    assert (back.written, back.failed) == (2, 0)
    assert migration.there() == {}
    assert migration.schemas() == set(), "what the plan made is gone, too"
    told_at_last = capsys.readouterr().err
    assert "stays: the tables, the metalake m, the catalog c\n" in told_at_last
    assert "what remains (2; all of it is in `events`, column `remains`):\n  rows" in told_at_last
    migration.config = replace(migration.config, targets={})
    with pytest.raises(ConfigurationError, match="t: no such target"):
        migration.undo(execution_result.run)


def test_a_namespace_that_is_there_gets_its_words_and_an_undo_gives_it_back(
    migration: Migration, capsys: pytest.CaptureFixture[str]
) -> None:
    known = {"name": "rel", "description": "of the source", "parameters": {"team": "sales"}}
    migration.crawl(TABLE, BASE, database=known)
    words = Schema(levels=("rel",), comment="of the target", properties=(("own", "1"),))
    with migration.store() as store:
        store.prepare([words])

    def there() -> tuple[str | None, dict[str, str]]:
        with migration.store() as store:
            (schema,) = store.namespaces([("rel",)])
        return schema.comment, dict(schema.properties)

    migration.plan()
    (edit,) = migration.lines("namespaces")
    assert edit["fields"] == [
        [None, "of the target", "of the source"],
        ["team", None, "sales"],
    ]
    assert "`rel`: `comment`, `team` changed" in (migration.folder / "plan/summary.md").read_text()
    assert there() == ("of the target", {"own": "1"}), "a plan writes nothing"
    execution_result = migration.apply()
    assert (execution_result.written, execution_result.amended, execution_result.unamended) == (
        1,
        1,
        0,
    )
    assert there() == ("of the source", {"own": "1", "team": "sales"})
    assert migration.verify().exit_code == command.FINE
    again = migration.apply()
    assert (again.written, again.amended, again.exit_code) == (0, 0, command.FINE)
    back = migration.undo(execution_result.run)
    assert (back.amended, back.exit_code) == (1, command.FINE)
    assert there() == ("of the target", {"own": "1"})

    with migration.store() as store:
        store.amend(NamespaceEdit("t", ("rel",), (FieldEdit(None, "of the target", "theirs"),)))
    execution_result = migration.apply()
    assert (execution_result.written, execution_result.unamended, execution_result.exit_code) == (
        1,
        1,
        command.FINDINGS,
    )
    assert there() == ("theirs", {"own": "1"}), "what somebody has changed since is left alone"
    capsys.readouterr()
    verified = migration.verify()
    assert verified.namespaces == {"t": ["rel: comment, property team"]}
    assert verified.exit_code == command.FINDINGS
    assert "the namespace rel: comment, property team" in capsys.readouterr().err
    (migration.folder / "plan" / "namespaces.jsonl").write_text("", encoding="utf-8")
    assert migration.apply().exit_code == command.FINE, "a line that is deleted is not written"
    line = json.dumps({**edit, "fields": [["team", None, "mine"]]})
    (migration.folder / "plan" / "namespaces.jsonl").write_text(line, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"namespaces.jsonl:1: .*edited"):
        migration.apply()


def test_what_was_there_reads_back_as_before_after_an_undo(migration: Migration) -> None:
    migration.crawl(TABLE, BASE, TOP)
    migration.plan()
    migration.apply()
    before = migration.there()
    changed = hive_entry("base", "select 1 as `id`")
    migration.crawl(TABLE, changed, TOP, spark_entry("new", "SELECT id FROM t"))
    assert migration.counts(migration.plan()) == {"create": 1, "keep": 1, "replace": 1}
    execution_result = migration.apply()
    assert execution_result.written == 2
    assert migration.there()["rel.base"].representations[0].sql == "select 1 as `id`"
    migration.undo(execution_result.run)
    after = migration.there()
    assert after.keys() == before.keys()
    assert not any(differences(before[name], after[name]) for name in before)
    undone = migration.undo(execution_result.run)
    assert (undone.written, undone.failed) == (0, 0), "once is enough"


def test_a_plan_may_be_cut_but_not_rewritten(
    migration: Migration, capsys: pytest.CaptureFixture[str]
) -> None:
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
    assert "1 changes of the plan are not in changes.jsonl: they are left out" in (
        capsys.readouterr().err
    )
    assert set(migration.there()) == {"rel.base"}


def test_what_moved_since_the_plan_is_refused_and_not_overwritten(
    migration: Migration, capsys: pytest.CaptureFixture[str]
) -> None:
    migration.crawl(TABLE, BASE, TOP)
    migration.plan()
    other = migration.crawl(TABLE, BASE, hive_entry("top", "select 2 as `id`"))
    execution_result = migration.apply()
    assert (execution_result.written, execution_result.failed) == (1, 1)
    (refused,) = [
        one for one in migration.table("events", execution_result.run) if one["result"] == "refused"
    ]
    assert (refused["name"], refused["code"]) == ("top", "MOVED")
    assert other in refused["message"]
    assert f"t: rel.top: MOVED: {refused['message']}" in capsys.readouterr().err
    migration.crawl(TABLE, hive_entry("base", "select 3 as `id`"), TOP)
    migration.plan()
    somebody = replace(migration.there()["rel.base"], comment="somebody's")
    with migration.store() as store:
        expected = fingerprint(migration.there()["rel.base"])
        change = Change(Action.REPLACE, somebody, fingerprint(somebody) or "", expected)
        assert [applied.action for applied in store.apply([change])] == ["replace"]
    execution_result = migration.apply()
    results = {
        one["name"]: one["result"] for one in migration.table("events", execution_result.run)
    }
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
        other=(TABLE, trino_entry("both", "SELECT id FROM hive.rel.t"), other),
    )
    assert migration.counts(migration.plan()) == {"conflict": 1, "create": 1}
    (conflict,) = migration.lines("set-aside")
    assert conflict["reason"].endswith(
        'column 1 is id "integer" in one and id "string" in the other'
    )
    assert conflict["from"] == ["a/rel.v", "b/rel.v"]
    migration.apply()
    both = migration.there()["rel.both"]
    assert [representation.dialect for representation in both.representations] == ["spark", "trino"]


def test_a_source_that_is_taken_out_of_the_configuration_takes_nothing_with_it(
    migration: Migration, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = [spark_entry(name, "SELECT id FROM t") for name in ("both", "u", "x", "v")]
    changed = spark_entry("both", "SELECT id + 1 AS id FROM t")
    theirs = [trino_entry(name, "SELECT id FROM hive.rel.t") for name in ("both", "w")]
    migration.crawl(TABLE, *mine, other=(TABLE, *theirs))
    migration.plan()
    migration.apply()
    migration.crawl(TABLE, *mine[:3])
    capsys.readouterr()
    assert migration.counts(migration.plan(delete=True)) == {"drop": 1, "keep": 3}
    (line,) = migration.lines()
    assert line["name"] == "v", "which its own source has no more"
    assert "t: 1 view stays where no rule leads any more: their" in capsys.readouterr().err
    migration.crawl(TABLE, changed, *mine[1:])
    assert migration.counts(migration.plan(delete=True)) == {"blocked": 1, "keep": 3}
    (aside,) = migration.lines("set-aside")
    assert aside["name"] == "both"
    assert "it is there in trino, too, and not all that it was made of was seen" in aside["reason"]
    assert migration.counts(migration.plan(delete=True, shrunk=True)) == {"keep": 3, "replace": 1}
    migration.apply()
    assert [text.dialect for text in migration.there()["rel.both"].representations] == ["spark"]
    assert "rel.w" in migration.there()


def test_what_no_source_has_any_more_is_dropped_only_if_plan_and_apply_are_told_so(
    migration: Migration,
) -> None:
    views = [hive_entry(f"v{number}", "select `t`.`id` from `rel`.`t`") for number in range(4)]
    migration.crawl(TABLE, *views)
    migration.plan()
    migration.apply()
    mine = migration.there()["rel.v1"]
    changed = replace(mine, comment="somebody's")
    with migration.store() as store:
        expected = fingerprint(mine)
        list(store.apply([Change(Action.REPLACE, changed, fingerprint(changed) or "", expected)]))
    migration.crawl(TABLE, *views[2:])
    assert migration.counts(migration.plan(delete=True)) == {"keep": 2}, "3 of 5 are too few"
    migration.crawl(TABLE, *views[2:])
    assert migration.counts(migration.plan()) == {"keep": 2}
    assert migration.counts(migration.plan(delete=True)) == {"keep": 2}, "still, and again"
    head = migration.plan(delete=True, shrunk=True)
    assert migration.counts(head) == {"blocked": 1, "drop": 1, "keep": 2}, "v1 is told"
    with pytest.raises(ConfigurationError, match="the plan drops views: 1"):
        migration.apply()
    execution_result = migration.apply(delete=True)
    assert set(migration.there()) == {"rel.v1", "rel.v2", "rel.v3"}, "v1 is somebody else's now"
    migration.undo(execution_result.run)
    assert set(migration.there()) == {"rel.v0", "rel.v1", "rel.v2", "rel.v3"}


def test_what_its_source_has_still_is_not_dropped_wherever_its_rule_leads(
    migration: Migration, capsys: pytest.CaptureFixture[str]
) -> None:
    views = [hive_entry(f"v{number}", "select `t`.`id` from `rel`.`t`") for number in range(4)]
    migration.crawl(TABLE, *views)
    migration.plan()
    migration.apply()
    refused = {"source": "a", "include": ["rel.v0"], "target": "t", "name": "no name {name}"}
    left_out = {"source": "a", "include": ["rel.v1"]}
    rules = [refused, left_out, {"source": "a", "target": "t"}]
    migration.more = {**migration.more, "mapping": rules}
    migration.crawl(TABLE, *views)
    capsys.readouterr()
    assert migration.counts(migration.plan(delete=True)) == {"blocked": 1, "keep": 2}
    told = "t: 2 views stay where no rule leads any more: their sources have them"
    assert told in capsys.readouterr().err


def test_what_an_earlier_belvedere_wrote_is_not_dropped_until_it_is_known_whose_it_is(
    migration: Migration,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    views = [hive_entry(f"v{number}", "select `t`.`id` from `rel`.`t`") for number in range(4)]
    migration.crawl(TABLE, *views)
    migration.plan()
    migration.apply()
    appended = Warehouse.read_appended

    def without_origins(self: Warehouse, spark: SparkSession, *of: Any) -> DataFrame:
        frame = appended(self, spark, *of)
        kind = frame.schema["origins"].dataType
        return frame.withColumn("origins", f.lit(None).cast(kind))

    monkeypatch.setattr(Warehouse, "read_appended", without_origins)
    migration.crawl(TABLE, *views[1:])
    capsys.readouterr()
    assert migration.counts(migration.plan(delete=True)) == {"keep": 3}
    assert "t: 1 view stays where no rule leads any more: an earlier" in capsys.readouterr().err


def test_what_is_not_ours_alone_or_has_come_back_is_not_dropped(migration: Migration) -> None:
    views = [hive_entry(f"v{number}", "select `t`.`id` from `rel`.`t`") for number in range(4)]
    theirs = View(
        identifier=Identifier(("rel",), "v0"),
        columns=(Column("id", Primitive("integer")),),
        representations=(Representation(dialect="trino", sql="SELECT 1 AS id"),),
    )
    migration.crawl(TABLE, *views)
    with migration.store() as store:
        store.prepare([Schema(levels=("rel",))])
        list(store.apply([Change(Action.CREATE, theirs, fingerprint(theirs) or "", None)]))
    assert migration.counts(migration.plan()) == {"add-dialect": 1, "create": 3}
    migration.apply()
    migration.crawl(TABLE, *views[2:])
    head = migration.plan(delete=True, shrunk=True)
    assert [line["name"] for line in migration.lines()] == ["v1"], "beside v0 there is another text"
    latest = migration.crawl(TABLE, *views[1:])
    execution_result = migration.apply(delete=True)
    assert (execution_result.written, execution_result.failed) == (0, 1)
    (event,) = migration.table("events", execution_result.run)
    assert (event["name"], event["result"]) == ("v1", "refused")
    assert event["message"] == f"{MOVED}: run {latest}"
    assert set(migration.there()) == {f"rel.v{number}" for number in range(4)}
    assert migration.counts(head) == {"blocked": 1, "drop": 1, "keep": 2}


def test_a_target_that_is_down_or_does_not_serve_blocks_its_own_views_only(
    migration: Migration,
) -> None:
    up = migration.more["targets"]["t"]
    down = {**up, "url": "postgresql://127.0.0.1:1/x", "timeout": 2}
    unserved = {**up, "accept_unserved": False}
    migration.more |= {
        "targets": {"t": up, "down": down, "unserved": unserved},
        "mapping": [
            {"source": "a", "include": ["rel.base"], "target": "t", "namespace": ["x", "*"]},
            {"source": "a", "include": ["rel.top"], "target": "down"},
            {"source": "a", "include": ["rel.v"], "target": "unserved"},
        ],
    }
    top = hive_entry("top", "select 1 as `id`")
    migration.crawl(TABLE, BASE, top, spark_entry("v", "SELECT 1"), spark_entry("w", "SELECT 1"))
    head = migration.plan()
    assert {name: dict(target.counts) for name, target in head.targets.items()} == {
        "t": {"create": 1},
        "down": {"blocked": 1},
        "unserved": {"blocked": 1},
    }
    codes = {line["target"]: line["reason"] for line in migration.lines("set-aside")}
    assert "UNREACHABLE" in codes["down"] or "connect" in codes["down"]
    assert codes["unserved"].endswith("not served")
    rows = migration.table("changes", head.plan)
    assert Counter(row["code"] for row in rows) == {
        None: 2,
        "TARGET_UNREAD": 1,
        "NOT_SERVED": 1,
    }
    (stays,) = [row for row in rows if not row["target"]]
    assert stays["reason"] == "no rule of `mapping` is about it: it stays where it is"
    migration.apply()
    assert migration.schemas() == {("x",), ("x", "rel")}


def test_views_that_stay_where_they_are_are_not_looked_for_elsewhere(migration: Migration) -> None:
    migration.more["targets"]["t"]["provider"] = "jdbc-postgresql"
    migration.crawl(TABLE, BASE)
    assert migration.counts(migration.plan()) == {"keep": 1}
    assert migration.apply().written == 0
    verified = migration.verify()
    assert (verified.views, verified.exit_code) == ({}, command.FINE)


def test_what_stands_on_a_view_that_cannot_be_written_is_blocked_with_it(
    migration: Migration,
) -> None:
    long = "b" * 70
    above = hive_entry("top", f"select `{long}`.`id` from `rel`.`{long}`")
    migration.crawl(TABLE, hive_entry(long, "select `t`.`id` from `rel`.`t`"), above)
    head = migration.plan()
    assert migration.counts(head) == {"blocked": 2}
    codes = {
        row["name"]: (row["code"], row["reason"]) for row in migration.table("changes", head.plan)
    }
    assert codes[long][0] == "NOT_HELD"
    assert codes["top"] == ("BLOCKED_BY", f"it stands on a/rel.{long}")


def test_what_has_no_place_in_the_order_is_written_last_if_its_rule_says_so(
    migration: Migration,
) -> None:
    entries = (
        hive_entry("base", "select 1 ((("),
        hive_entry("itself", "select `itself`.`id` from `rel`.`itself`"),
        hive_entry("lone", "select 1 as `id`"),
        TOP,
    )
    migration.crawl(*entries)
    assert migration.counts(migration.plan()) == {"blocked": 3, "create": 1}
    asides = {
        "base": "UNRESOLVED",
        "itself": "SELF_REFERENCE: a/rel.itself",
        "top": "BROKEN_BASE: a/rel.base",
    }
    assert {line["name"]: line["reason"] for line in migration.lines("set-aside")} == asides
    codes = [aside.partition(":")[0] for aside in asides.values()]
    rule = {"source": "a", "target": "t", "despite": codes}
    migration.more = {**migration.more, "mapping": [rule]}
    migration.crawl(*entries)
    assert migration.counts(migration.plan()) == {"create": 4}
    losses = {
        name: [f"its place in the order, {why}: it is written last"] for name, why in asides.items()
    }
    lines = [(line["name"], line["wave"], line["losses"]) for line in migration.lines()]
    assert lines == [("lone", 1, []), *((name, None, loss) for name, loss in losses.items())]
    execution_result = migration.apply()
    assert (execution_result.written, migration.verify().exit_code) == (4, command.FINE)
    assert migration.undo(execution_result.run).written == 4


def test_a_text_that_would_mean_something_else_is_written_only_as_the_draft_that_is_adopted(
    migration: Migration,
) -> None:
    rule = {"source": "a", "target": "t", "catalogs": {"hive": "lake"}}
    migration.more |= {"mapping": [rule], "catalogs": {"trino": {"hive": "a"}}}
    migration.crawl(TABLE, trino_entry("v", "SELECT id FROM hive.rel.t -- hive"))
    head = migration.plan()
    assert migration.counts(head) == {"blocked": 1}
    (change,) = migration.table("changes", head.plan)
    assert change["code"] == "MEANING_CHANGES"
    assert change["reason"] == "trino: hive.rel.t is lake.rel.t, and would lead to hive.rel.t"
    assert migration.apply().written == 0
    assert migration.there() == {}
    migration.adopt()
    assert migration.apply().written == 1
    text = migration.there()["rel.v"].representations[0]
    assert (text.sql, text.default_catalog) == ("SELECT id FROM lake.rel.t -- hive", "lake")
    assert migration.verify().exit_code == command.FINE
    assert migration.counts(migration.plan()) == {"keep": 1}, "its draft is there"


def test_views_that_are_renamed_read_each_other_by_their_new_names(migration: Migration) -> None:
    rule = {"source": "a", "target": "t", "namespace": ["bronze", "*"], "name": "{name}_v"}
    migration.more |= {"mapping": [rule]}
    migration.crawl(TABLE, BASE, TOP)
    head = migration.plan()
    assert migration.counts(head) == {"blocked": 1, "create": 1}
    assert [(line["name"], line["action"]) for line in migration.lines()] == [
        ("base_v", "create"),
        ("top_v", "blocked"),
    ]
    assert reasons(migration)["top"] == "MEANING_CHANGES"
    migration.adopt()
    execution_result = migration.apply()
    assert (execution_result.written, execution_result.failed) == (2, 0)
    assert reasons(migration)["top"] == reasons(migration)["base"], "it is written"
    texts = {name: view.representations[0].sql for name, view in migration.there().items()}
    assert texts == {
        "bronze.rel.base_v": "select `t`.`id` from `rel`.`t`",
        "bronze.rel.top_v": "select `base_v`.`id` from `bronze`.`rel`.`base_v`",
    }
    assert migration.verify().exit_code == command.FINE
    assert migration.undo(execution_result.run).written == 2
    assert migration.there() == {}
    assert reasons(migration)["top"] == "MEANING_CHANGES"


def reasons(migration: Migration) -> dict[str, str | None]:
    """View to the reason behind its standing on the page."""
    warehouse = Warehouse(migration.config.warehouse)
    run = warehouse.run(None).run_id
    found = Frames(migration.spark, RunTables(warehouse, run)).judged().collect()
    rows = (decided(row.asDict(recursive=True)) for row in found)
    return {row["name"]: row["reason"] for row in rows}


def test_the_page_tells_what_plans_and_applies_did_with_each_view(migration: Migration) -> None:
    first = migration.crawl(TABLE, BASE, TOP, other=(spark_entry("base", "SELECT id FROM t"),))
    migration.plan()
    execution_result = migration.apply()
    migration.crawl(TABLE, BASE, hive_entry("top", "select 2 as `id`"))
    migration.plan()
    latest = migration.crawl(TABLE, BASE, hive_entry("top", "select 3 as `id`"))
    migration.apply()
    base, top = reported(migration)
    assert base == [
        "seen",
        "planned: create at t, stored but not served: it is not there yet",
        "create at t: done, by bob",
    ]
    assert top == [
        *base,
        "changed",
        "planned: replace at t, stored but not served: differs in representations.hive",
        "changed",
        f"replace at t: refused, by bob: MOVED: {MOVED}: run {latest}",
    ]
    told_of = (migration.folder / "report" / "belvedere.json").read_text(encoding="utf-8")
    course = [(one["there"], one["left"], one["aside"]) for one in json.loads(told_of)["course"]]
    assert course == [(2, 0, 0), (1, 1, 0), (None, None, None)], "written, refused, not planned"
    migration.undo(execution_result.run)
    undone = [
        *base,
        f"planned: drop at t, stored but not served: undoes run {execution_result.run}",
        "drop at t: done, by bob",
    ]
    assert reported(migration, first) == [undone] * 3, "of both sources; later runs are left out"


MOVED = "its source has changed since the plan was made"


def reported(migration: Migration, run: str | None = None) -> list[list[str]]:
    """The history of each view on the page, in order."""
    folder = migration.folder / "report"
    warehouse = Warehouse(migration.config.warehouse)
    for place, few in ((folder, in_memory.FEW), (migration.folder / "spread", 0)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(in_memory, "FEW", few)
            write_report(lambda: migration.spark, warehouse, run, place, ReportScope())
    text = (folder / page.FILE).read_text(encoding="utf-8")
    assert (migration.folder / "spread" / page.FILE).read_text(encoding="utf-8") == text
    (packed,) = re.findall('id="part-0">([^<]*)', text)
    details = json.loads(zlib.decompress(base64.b64decode(packed)))
    return [
        [": ".join(filter(None, (one["what"], one["why"]))) for one in view["history"]]
        for view in details
    ]


def test_a_lost_file_of_a_run_never_empties_a_target(migration: Migration) -> None:
    migration.crawl(TABLE, hive_entry("v", "select `t`.`id` from `rel`.`t`"))
    migration.plan()
    migration.apply()
    run_id = migration.crawl(TABLE)
    migration.plan(delete=True)
    (folder,) = Path(migration.config.warehouse).glob(f"outcomes/run_id={run_id}")
    lost = next(path for path in folder.glob("*.parquet") if pq.read_metadata(path).num_rows)
    kept = lost.rename(migration.folder / "kept")
    for again in (partial(migration.plan, delete=True), partial(migration.apply, delete=True)):
        with pytest.raises(EvidenceError, match=f"the file {lost.name} is missing") as told:
            again()
        assert "crawl again" in told.value.hint
    assert set(migration.there()) == {"rel.v"}
    kept.rename(lost)
    (folder / "part-9-of-an-orphan.parquet").write_bytes(b"cut")
    assert migration.counts(migration.plan(delete=True)) == {}, "half of its views are gone"
