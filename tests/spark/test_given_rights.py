"""Rights of a metastore, given at a Gravitino server with the views, verified, and taken back."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hmsclient.genthrift.hive_metastore import ttypes
from pyspark.sql import SparkSession

from connectors.gravitino.entity_store.store import EntityStore, Options
from discovery.errors import ConfigurationError
from discovery.rights.roles import KeptRights, KeptRole, Right
from jobs import rights
from jobs.console import command
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.embedded.postgres import EmbeddedPostgreSQL
from jobs.embedded.thrift_writer import Writer
from jobs.report import ReportScope, write_report
from jobs.warehouse.warehouse import Warehouse
from tests.conftest import hive_entry
from tests.gravitino_double import Double, gravitino
from tests.migrated import Estate, Migration, killed_at, latest
from tests.spark.test_grants import ROLE, USER, give

DATABASE = "given"
RULES = [{"kind": "role", "role": "bi_{name}"}, {"kind": "user", "member": "{name}"}]
WANTED = [
    ("CATALOG", "c", "USE_CATALOG", "ALLOW"),
    ("SCHEMA", "c.given", "USE_SCHEMA", "ALLOW"),
    ("VIEW", "c.given.v", "SELECT_VIEW", "ALLOW"),
]


@pytest.fixture(scope="module")
def granted(hms: Writer, metastore: EmbeddedMetastore) -> Iterator[dict[str, Any]]:
    """Two views of `o`: one is read by a role of ann and eve, the other by nobody else."""
    hms.create_database(DATABASE, f"{metastore.warehouse.as_uri()}/{DATABASE}.db")
    for name in ("v", "w"):
        hms.create_table({**hive_entry(name, "select 1 as id", DATABASE), "owner": "o"})
    hms._client.create_role(ttypes.Role("analyst", 0, "o"))
    for who in ("ann", "eve"):
        hms._client.grant_role("analyst", who, USER, "o", USER, False)
    view = ttypes.HiveObjectRef(ttypes.HiveObjectType.TABLE, DATABASE, "v")
    give(hms, view, "analyst", ROLE, "SELECT")
    yield {"kind": "hms", "uri": metastore.uri, "include": [DATABASE]}
    hms._client.drop_role("analyst")
    for name in ("v", "w"):
        hms.drop_table(DATABASE, name)
    hms._client.drop_database(DATABASE, False, False)


@pytest.fixture
def double() -> Iterator[Double]:
    with gravitino("hive") as found:
        found.rights.on = True
        found.rights.members = {"users": {"admin": [], "ann": [], "o": []}, "groups": {}}
        yield found


@pytest.fixture
def migration(
    spark: SparkSession, estate: Estate, double: Double, granted: dict[str, Any], tmp_path: Path
) -> Migration:
    target = {
        "kind": "gravitino-rest",
        "uri": double.uri,
        "user": "admin",
        "metalake": "m",
        "catalog": "c",
        "provider": "hive",
        "rights": True,
    }
    more = {"targets": {"t": target}, "engines": [], "rights": RULES, "crawl": {"grants": True}}
    made = Migration(spark, estate, tmp_path, more)
    made.begin({"lake": granted}, stays=True)
    return made


def test_rights_are_given_with_the_views_and_taken_back(
    migration: Migration, double: Double, capsys: pytest.CaptureFixture[str]
) -> None:
    before = copy.deepcopy(double.rights)
    head = migration.plan()
    assert double.rights == before, "a plan writes nothing"
    assert migration.why_planned(head) == []
    lines = migration.lines("rights")
    assert {line["role"] for line in lines} == {"bi_analyst", None}
    told = (migration.folder / "plan" / "summary.md").read_text(encoding="utf-8")
    assert "Rights to be given: 1 role, 3 privileges, 1 member, 2 owners; there already: 0" in told
    assert "the target has no user eve" in told
    assert "heeds SELECT\\_VIEW in its Iceberg REST service only" in told
    matrix = head.targets["t"].rights.access
    assert matrix.counts == {"gained": 0, "lost": 3, "same": 2}, "o may not use the schema"
    warehouse = Warehouse(migration.config.warehouse)
    write_report(lambda: migration.spark, warehouse, head.crawl, migration.folder, ReportScope())
    page = (migration.folder / "belvedere.html").read_text(encoding="utf-8")
    assert "Of 5 grantees and views: 2 same, 3 lost" in page
    first = migration.apply()
    assert (first.written, first.rights, first.ungiven) == (2, 7, 0)
    assert double.rights.roles == {"bi_analyst": WANTED}
    assert double.rights.members["users"] == {"admin": [], "ann": ["bi_analyst"], "o": []}
    owner = {"name": "o", "type": "user"}
    assert double.rights.owners == {"c.given.v": owner, "c.given.w": owner}
    assert migration.verify().exit_code == command.FINE
    assert migration.apply().rights == 0
    again = migration.plan()
    assert (migration.lines("rights"), again.targets["t"].rights.blocked) == ([], 0)
    back = migration.undo(first.run)
    assert (back.written, back.rights, back.ungiven) == (2, 5, 0), "owners go with the views"
    assert double.rights == before
    assert "rights: 5 given or taken back, 0 not" in capsys.readouterr().err


def test_what_somebody_else_has_is_left_alone_and_told(
    migration: Migration, double: Double, capsys: pytest.CaptureFixture[str]
) -> None:
    migration.plan()
    double.rights.roles["bi_analyst"] = []
    double.rights.members["users"]["bob"] = ["bi_analyst"]
    execution_result = migration.apply()
    assert (execution_result.written, execution_result.rights, execution_result.ungiven) == (
        2,
        2,
        4,
    ), "only owners are set"
    why = "the role bi_analyst is there, and the user bob is a member of it already"
    assert why in capsys.readouterr().err
    assert migration.verify().rights["t"][-1].startswith("the role bi_analyst: the user bob is")
    head = migration.plan()
    (exit_reason,) = migration.why_planned(head)
    assert exit_reason.sentence == "t: rights are not given, 1 reasons"
    double.rights.members["users"]["bob"] = []
    migration.plan()
    assert migration.apply().ungiven == 0
    given = latest(migration)
    double.rights.members["users"]["bob"] = ["bi_analyst"]
    back = migration.undo(given)
    assert (back.rights, back.ungiven) == (4, 0), "the role was there before"
    assert double.rights.roles == {"bi_analyst": []}
    assert double.rights.members["users"]["bob"] == ["bi_analyst"]


def test_of_views_that_are_not_written_and_lines_that_are_deleted_nothing_is_given(
    migration: Migration, double: Double
) -> None:
    migration.plan()
    for name, left in (("changes", '"w"'), ("rights", "USE_CATALOG")):
        path = migration.folder / "plan" / f"{name}.jsonl"
        some = [
            line for line in path.read_text(encoding="utf-8").splitlines() if "c.given.v" in line
        ]
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        path.write_text("".join(line for line in lines if left not in line), encoding="utf-8")
        assert some or name == "changes"
    execution_result = migration.apply()
    assert (execution_result.written, execution_result.ungiven) == (1, 1), "the owner of w"
    assert double.rights.roles == {"bi_analyst": WANTED[1:]}
    assert [*double.rights.owners] == ["c.given.v"]
    (migration.folder / "plan" / "rights.jsonl").write_text('{"role": "admin"}', encoding="utf-8")
    with pytest.raises(ConfigurationError, match="is no right that is given"):
        migration.apply()


@pytest.mark.parametrize(
    ("note", "undo_note", "goes_on"),
    [(3, 1, True), pytest.param(4, 3, False, marks=pytest.mark.deep)],
)
def test_killed_before_and_after_rights_it_is_gone_on_with_and_undone(
    migration: Migration, double: Double, note: int, undo_note: int, goes_on: bool
) -> None:
    before = copy.deepcopy(double.rights)
    migration.plan()
    with killed_at("prepared", note):
        migration.apply()
    if goes_on:
        migration.apply()
        assert double.rights.roles == {"bi_analyst": WANTED}
        assert migration.verify().exit_code == command.FINE
    run = latest(migration)
    with killed_at("prepared", undo_note):
        migration.undo(run)
    migration.undo(run)
    assert double.rights == before


def test_in_the_rows_of_a_store_they_are_given_verified_and_taken_back(
    migration: Migration, granted: dict[str, Any], postgresql: EmbeddedPostgreSQL
) -> None:
    postgresql.execute(("DROP DATABASE IF EXISTS given_rights", "CREATE DATABASE given_rights"))
    url = postgresql.url("given_rights")
    options = Options(url=url, user="postgres", metalake="m", catalog="c", provider="hive")
    place = {"url": url, "user": "postgres", "metalake": "m", "catalog": "c", "provider": "hive"}
    asked = {"rights": True, "accept_unserved": True}
    migration.more |= {"targets": {"t": {"kind": "gravitino-store", **place, **asked}}}
    migration.begin({"lake": granted})
    with EntityStore(options) as store:
        store.prepare(())
        assert store.rights is not None
        migration.plan()
        assert migration.apply().rights == 4, "a role and its privileges: nobody is there"
        assert migration.verify().exit_code == command.FINE
        migration.undo(latest(migration))
        assert store.rights.present() == KeptRights()
        people = (
            f"INSERT INTO user_meta (user_id, user_name, metalake_id, audit_info)"
            f" SELECT {key}, '{name}', metalake_id, '{{}}' FROM metalake_meta"
            for key, name in enumerate(("ann", "o"))
        )
        postgresql.execute(tuple(people), "given_rights")
        nobody = store.rights.present()
        head = migration.plan()
        assert "start it anew" in head.targets["t"].rights.remark
        first = migration.apply()
        assert (first.written, first.rights, first.ungiven) == (2, 7, 0)
        role = KeptRole(frozenset(Right(*one[:3]) for one in WANTED))
        assert store.rights.present().roles == {"bi_analyst": role}
        assert migration.verify().exit_code == command.FINE
        assert migration.apply().rights == 0
        back = migration.undo(first.run)
        assert (back.written, back.rights, back.ungiven) == (2, 5, 0), "owners go with the views"
        assert store.rights.present() == nobody


def test_another_target_gets_none_and_a_run_without_rights_no_plan(
    migration: Migration, granted: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    rows = {"kind": "archive", "path": str(migration.folder / "moved"), "rights": True}
    migration.more = {**migration.more, "targets": {"t": rows}}
    migration.begin({"lake": granted})
    head = migration.plan()
    assert head.targets["t"].rights.remark.startswith("archive gets no rights: only a Gravitino")
    capsys.readouterr()
    plan = str(migration.folder / "plan")
    assert rights.main(["--plan", plan]) == command.FINE
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {line["name"]: line["owner"] for line in lines if "name" in line} == {
        "v": {"name": "o", "kind": "user"},
        "w": {"name": "o", "kind": "user"},
    }
    asking = migration.more
    silent = {"targets": {"t": {**rows, "rights": False}}, "crawl": {}}
    migration.more = {**asking, **silent}
    migration.begin({"lake": granted})
    migration.config = migration.estate({"lake": granted}, **asking)
    with pytest.raises(ConfigurationError, match="has not asked who may do what"):
        migration.plan()
