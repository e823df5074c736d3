"""Who may read what in an estate of a metastore and two databases: the table, and its gaps."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hmsclient.genthrift.hive_metastore import ttypes
from pyspark.sql import SparkSession

from jobs import rights
from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.crawling.granting import GRANTED
from jobs.crawling.tables import GRANTS
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.embedded.postgres import EmbeddedPostgreSQL
from jobs.embedded.thrift_writer import Writer
from jobs.recrawl import recrawl
from jobs.warehouse.warehouse import Warehouse
from tests.conftest import hive_entry
from tests.servers import MariaDB

USER, ROLE, GROUP = (
    ttypes.PrincipalType._NAMES_TO_VALUES[name] for name in ("USER", "ROLE", "GROUP")
)
Row = tuple[Any, ...]


def give(hms: Writer, place: ttypes.HiveObjectRef, who: str, kind: int, right: str) -> None:
    info = ttypes.PrivilegeGrantInfo(right, 0, "o", USER, False)
    one = ttypes.HiveObjectPrivilege(place, who, kind, info)
    hms._client.grant_privileges(ttypes.PrivilegeBag([one]))


@pytest.fixture
def granted_hive(hms: Writer, metastore: EmbeddedMetastore) -> Iterator[dict[str, Any]]:
    """Views of a metastore with rights of every kind that it keeps, and a table with one."""
    of, database = ttypes.HiveObjectRef, "granted"
    hms.create_database(database, f"{metastore.warehouse.as_uri()}/{database}.db")
    hms.create_table(hive_entry("v", "select 1 as id", database))
    hms.create_table({**hive_entry("w", "select 1 as id", database), "owner": "role:x"})
    hms.create_table({**hive_entry("t", "", database), "tableType": "MANAGED_TABLE"})
    table, column = ttypes.HiveObjectType.TABLE, ttypes.HiveObjectType.COLUMN
    hms._client.create_role(ttypes.Role("analyst", 0, "o"))
    hms._client.grant_role("analyst", 'an"n.ü', USER, "o", USER, False)
    give(hms, of(table, database, "v"), "analyst", ROLE, "SELECT")
    give(hms, of(table, database, "w"), "public", ROLE, "SELECT")
    give(hms, of(table, database, "w"), "g", GROUP, "Update")
    give(hms, of(column, database, "w", None, "id"), "cyd", USER, "SELECT")
    give(hms, of(table, database, "t"), "bob", USER, "SELECT")
    give(hms, of(ttypes.HiveObjectType.DATABASE, database), "bob", USER, "CREATE")
    yield {"kind": "hms", "uri": metastore.uri, "include": [database]}
    hms._client.drop_role("analyst")
    for name in ("v", "w", "t"):
        hms.drop_table(database, name)
    hms._client.drop_database(database, False, False)


@contextmanager
def granted_postgresql(granting: EmbeddedPostgreSQL) -> Iterator[dict[str, Any]]:
    drop = ("DROP DATABASE IF EXISTS granted", "DROP ROLE IF EXISTS ann, analyst")
    roles = ("CREATE ROLE analyst", "CREATE USER ann", "GRANT analyst TO ann")
    granting.execute((*drop, *roles, "CREATE DATABASE granted"))
    granting.execute(
        (
            "CREATE SCHEMA s",
            "CREATE SCHEMA excluded",
            "CREATE VIEW s.v AS SELECT 1 AS a",
            "CREATE VIEW excluded.v AS SELECT 1 AS a",
            "GRANT USAGE ON SCHEMA s TO PUBLIC",
            "GRANT SELECT ON s.v TO analyst",
            "GRANT SELECT ON excluded.v TO ann",
        ),
        "granted",
    )
    url = granting.url("granted")
    yield {"kind": "postgresql", "url": url, "user": "postgres", "include": ["s"]}
    granting.execute(drop)


@contextmanager
def granted_maria(granting_maria: MariaDB) -> Iterator[dict[str, Any]]:
    drop = ("DROP DATABASE IF EXISTS granted", "DROP USER IF EXISTS ann@localhost, least@localhost")
    granting_maria.execute(
        *drop,
        "CREATE DATABASE granted",
        "CREATE VIEW granted.v AS SELECT 1 AS a",
        "CREATE USER ann@localhost, least@localhost",
        "GRANT SELECT, INSERT ON granted.v TO ann@localhost",
        "GRANT SELECT, SHOW VIEW ON granted.* TO least@localhost",
    )
    yield {"kind": "mysql", "url": granting_maria.url(), "user": "root", "include": ["granted"]}
    granting_maria.execute(*drop)


def told(config: RunConfig, run_id: str, source: str) -> set[Row]:
    """What `grants` has of a source: entity, place, column, grantee, privilege, word, basis."""
    found = set()
    for row in Warehouse(config.warehouse).table(GRANTS, run_id, where={"source": [source]}):
        place = ".".join((*row["namespace"], row["name"]))
        what = (row["column"], row["grantee_kind"], row["grantee"], row["privilege"])
        found.add((row["entity"], place, *what, row["word"], row["basis"]))
    return found


WANTED_OF_HIVE = {
    ("model", "", None, None, None, None, "hive", None),
    ("source", "", None, "role", "admin", "ALL", "All", "granted"),
    ("namespace", "granted.", None, "user", "bob", "CREATE", "CREATE", "granted"),
    ("object", "granted.v", None, "role", "analyst", "SELECT", "SELECT", "granted"),
    ("object", "granted.v", None, "user", "o", "OWN", "owner", "owner"),
    ("object", "granted.w", None, "public", "", "SELECT", "SELECT", "granted"),
    ("object", "granted.w", None, "group", "g", "MODIFY", "Update", "granted"),
    ("object", "granted.w", "id", "user", "cyd", "SELECT", "SELECT", "granted"),
    ("object", "granted.w", None, "user", "role:x", "OWN", "owner", "owner"),
    ("role", "analyst", None, "user", 'an"n.ü', "MEMBER", "MEMBER", "active"),
}


WANTED_READERS = {
    ("hive", "granted", "v"): {"analyst": "", 'an"n.ü': "analyst", "o": ""},
    ("hive", "granted", "w"): {"": "", "role:x": ""},
    ("maria", "granted", "v"): {"ann@localhost": "", "least@localhost": ""},
    ("pg", "s", "v"): {
        "analyst": "",
        "ann": "analyst",
        "pg_read_all_data": "",
        "postgres": "",
    },
    ("shut", "granted", "v"): "DENIED",
}


def readers(
    config: RunConfig, capsys: pytest.CaptureFixture[str], *more: str
) -> dict[tuple[str, ...], dict[str, str] | str]:
    """What the command says of each view: its readers with the roles through which, or the code."""
    capsys.readouterr()
    assert rights.main(["--warehouse", config.warehouse, "--run-id", "r", *more]) == 0
    found: dict[tuple[str, ...], dict[str, str] | str] = {}
    for line in map(json.loads, capsys.readouterr().out.splitlines()):
        place = (line["source"], *line["namespace"], line["name"])
        if line["readers"] is None:
            found[place] = line["unknown"].partition(":")[0]
            continue
        found[place] = {
            reader["name"]: " <- ".join(reader["through"])
            for reader in line["readers"]
            if not reader["name"].startswith(("root@", "mariadb.sys@", "mysql@"))
        }
    return found


def test_rights_of_a_metastore_and_of_databases_are_kept_and_gaps_are_told(
    spark: SparkSession,
    granted_hive: dict[str, Any],
    granting: EmbeddedPostgreSQL,
    granting_maria: MariaDB,
    estate: Callable[..., RunConfig],
    capsys: pytest.CaptureFixture[str],
) -> None:
    with granted_postgresql(granting) as of_postgresql, granted_maria(granting_maria) as of_maria:
        sources = {
            "hive": granted_hive,
            "pg": of_postgresql,
            "maria": of_maria,
            "shut": {**of_maria, "user": "least"},
        }
        config = estate(sources, crawl={"grants": True}, archive=True)
        crawled = crawl_estate(spark, config, "r")
    assert crawled.exit_code == 0
    of_hive = told(config, "r", "hive")
    owner = {row for row in of_hive if row[:2] == ("namespace", "granted.") and row[6] == "owner"}
    admins = {row for row in of_hive if row[0] == "role" and row[1] == "admin"}
    assert of_hive - owner - admins == WANTED_OF_HIVE, "neither a table's nor another database's"
    of_pg = {row for row in told(config, "r", "pg") if row[0] in {"object", "namespace"}}
    assert {row for row in of_pg if row[4] != "postgres"} == {
        ("namespace", "s.", None, "public", "", "USAGE", "USAGE", "granted"),
        ("object", "s.v", None, "role", "analyst", "SELECT", "SELECT", "granted"),
    }
    assert {row[6] for row in of_pg if row[4] == "postgres" and row[1] == "s.v"} >= {"SELECT"}
    of_maria_now = told(config, "r", "maria")
    assert {row for row in of_maria_now if row[0] in {"object", "namespace"}} == {
        ("object", "granted.v", None, "user", "ann@localhost", "SELECT", "SELECT", "granted"),
        ("object", "granted.v", None, "user", "ann@localhost", "MODIFY", "INSERT", "granted"),
        ("namespace", "granted.", None, "user", "least@localhost", "SELECT", "SELECT", "granted"),
        ("namespace", "granted.", None, "user", "least@localhost", "OTHER", "SHOW VIEW", "granted"),
    }
    (gap,) = Warehouse(config.warehouse).table(GRANTS, "r", where={"source": ["shut"]})
    assert (gap["code"], gap["entity"], gap["grantee"]) == ("DENIED", "source", None)
    said = capsys.readouterr().err
    assert "shut: who may read its views is not known: DENIED" in said
    counts = crawled.counts[GRANTED]
    assert counts["shut"] == {"rights": 0, "memberships": 0, "unread": 1}
    assert counts["hive"]["rights"] == sum(row[0] not in {"role", "model"} for row in of_hive)

    assert readers(config, capsys) == WANTED_READERS
    assert readers(config, capsys, "--grantee", 'an"n.ü') == {
        ("hive", "granted", "v"): {'an"n.ü': "analyst"},
        ("hive", "granted", "w"): {"": ""},
        ("shut", "granted", "v"): "DENIED",
    }
    assert readers(config, capsys, "--view", "s.*", "--source", "pg").keys() == {("pg", "s", "v")}
    replayed = estate(
        {"again": {"kind": "archive", "path": f"{config.warehouse}/archive", "source": "hive"}},
        crawl={"grants": True},
    )
    assert crawl_estate(spark, replayed, "again").exit_code == 0
    (gap,) = Warehouse(replayed.warehouse).table(GRANTS, "again")
    assert gap["code"] == "GRANTS_NOT_TOLD", "an archive has views, no rights"


def test_who_does_not_ask_for_rights_gets_none_and_a_recrawl_asks_anew(
    spark: SparkSession,
    granted_hive: dict[str, Any],
    hms: Writer,
    estate: Callable[..., RunConfig],
) -> None:
    hms.create_table({**hive_entry("z", "", "granted"), "viewExpandedText": None})
    limits = {"undecoded": "100%", "unread": "100%"}
    silent = estate({"hive": granted_hive}, fail_on=limits)
    assert crawl_estate(spark, silent, "silent").counts[GRANTED] is None
    warehouse = Warehouse(silent.warehouse)
    assert not warehouse.is_written(GRANTS, "silent")
    assert list(warehouse.damage("silent")) == []
    asking = estate({"hive": granted_hive}, crawl={"grants": True}, fail_on=limits)
    again = recrawl(spark, asking, "silent", "again")
    assert again is not None, json.dumps(silent.warehouse)
    assert again.counts[GRANTED]["hive"]["rights"] > 5
    assert told(asking, "again", "hive") >= WANTED_OF_HIVE
    assert list(warehouse.damage("again")) == []
    hms.drop_table("granted", "z")
