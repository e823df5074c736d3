"""Who reads what in three sources, and in the target of their views: the same, pair by pair.

Before is what the servers themselves say; after, what the rows of Gravitino's store let read.
"""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import psycopg
import pymysql
import pytest
from hmsclient.genthrift.hive_metastore import ttypes
from pymysql.constants import ER
from pyspark.sql import SparkSession

from connectors.gravitino.entity_store.store import EntityStore, Options
from discovery.model import Identifier
from discovery.rights.model import Grantee, GranteeKind
from jobs.console import command
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.embedded.postgres import EmbeddedPostgreSQL
from jobs.embedded.thrift_writer import Writer
from tests.conftest import hive_entry
from tests.migrated import Estate, Migration
from tests.servers import MariaDB
from tests.spark.test_grants import ROLE, USER, give

SERVERS = ("root", "postgres")
"""Users that servers have from the start and that read everything."""
PEOPLE = ("ann", "bob", "cyd", "dan", "o", *SERVERS)
VIEWS = {"lake": "of_lake", "pg": "of_pg", "maria": "of_maria"}
"""Sources, each with the schema of its views `v`, `w` and `x`."""
NAMES = ("v", "w", "x")
Pairs = set[tuple[str, str, str]]
"""Who reads what: user, schema and view."""
LAKE: Pairs = {
    ("ann", "of_lake", "v"),
    ("bob", "of_lake", "v"),
    ("bob", "of_lake", "w"),
    *(("o", "of_lake", name) for name in NAMES),
}
PG: Pairs = {
    *((who, "of_pg", "v") for who in ("ann", "cyd")),
    ("ann", "of_pg", "w"),
    *(("postgres", "of_pg", name) for name in NAMES),
}
MARIA: Pairs = {
    ("ann", "of_maria", "v"),
    ("cyd", "of_maria", "w"),
    *((who, "of_maria", name) for who in ("bob", "root") for name in NAMES),
}


@pytest.fixture
def lake(hms: Writer, metastore: EmbeddedMetastore) -> Iterator[dict[str, Any]]:
    """A role of ann and bob reads one view, bob another one; `o` owns all."""
    database, table = VIEWS["lake"], ttypes.HiveObjectType.TABLE
    hms.create_database(database, f"{metastore.warehouse.as_uri()}/{database}.db")
    for name in NAMES:
        hms.create_table(hive_entry(name, "select 1 as id", database))
    hms._client.create_role(ttypes.Role("analyst", 0, "o"))
    for who in ("ann", "bob"):
        hms._client.grant_role("analyst", who, USER, "o", USER, False)
    give(hms, ttypes.HiveObjectRef(table, database, "v"), "analyst", ROLE, "SELECT")
    give(hms, ttypes.HiveObjectRef(table, database, "w"), "bob", USER, "SELECT")
    give(hms, ttypes.HiveObjectRef(table, database, "x"), "cyd", USER, "UPDATE")
    yield {"kind": "hms", "uri": metastore.uri, "include": [database]}
    hms._client.drop_role("analyst")
    for name in NAMES:
        hms.drop_table(database, name)
    hms._client.drop_database(database, False, False)


@pytest.fixture
def pg(granting: EmbeddedPostgreSQL) -> Iterator[dict[str, Any]]:
    """A role within a role reads one view, ann by herself another; bob may not use the schema."""
    drop = ("DROP DATABASE IF EXISTS same", "DROP ROLE IF EXISTS ann, bob, cyd, analyst, reporting")
    roles = ("CREATE ROLE reporting", "CREATE ROLE analyst", "GRANT reporting TO analyst")
    users = [f"CREATE USER {who}" for who in ("ann", "bob", "cyd")]
    members = ("GRANT analyst TO ann", "GRANT reporting TO cyd")
    granting.execute((*drop, *roles, *users, *members, "CREATE DATABASE same"))
    granting.execute(
        (
            "CREATE SCHEMA of_pg",
            *(f"CREATE VIEW of_pg.{name} AS SELECT 1 AS a" for name in NAMES),
            "GRANT USAGE ON SCHEMA of_pg TO reporting",
            "GRANT SELECT ON of_pg.v TO reporting",
            "GRANT SELECT ON of_pg.w TO ann, bob",
        ),
        "same",
    )
    url = granting.url("same")
    yield {"kind": "postgresql", "url": url, "user": "postgres", "include": ["of_pg"]}
    granting.execute(drop)


@pytest.fixture
def maria(granting_maria: MariaDB) -> Iterator[dict[str, Any]]:
    """A role that is ann's from the start reads one view, cyd another, bob the database."""
    users = ", ".join(f"{who}@localhost" for who in ("ann", "bob", "cyd", "dan"))
    kinds = ("DATABASE IF EXISTS of_maria", f"USER IF EXISTS {users}", "ROLE IF EXISTS analyst")
    drop = [f"DROP {kind}" for kind in kinds]
    granting_maria.execute(
        *drop,
        "CREATE DATABASE of_maria",
        *(f"CREATE VIEW of_maria.{name} AS SELECT 1 AS a" for name in NAMES),
        f"CREATE USER {users}",
        "CREATE ROLE analyst",
        "GRANT SELECT ON of_maria.v TO analyst",
        "GRANT analyst TO ann@localhost",
        "SET DEFAULT ROLE analyst FOR ann@localhost",
        "GRANT SELECT ON of_maria.* TO bob@localhost",
        "GRANT SELECT ON of_maria.w TO cyd@localhost",
    )
    url = granting_maria.url()
    yield {"kind": "mysql", "url": url, "user": "root", "include": ["of_maria"]}
    granting_maria.execute(*drop)


def read_in_lake(hms: Writer) -> Pairs:
    """What the metastore itself says that each has, of a role or not, or who owns it."""
    found = set()
    for who, name in product(PEOPLE, NAMES):
        place = ttypes.HiveObjectRef(ttypes.HiveObjectType.TABLE, VIEWS["lake"], name)
        told = hms._client.get_privilege_set(place, who, [])
        kinds = (told.userPrivileges, told.rolePrivileges)
        held = [one for kind in kinds for some in (kind or {}).values() for one in some]
        owner = hms._client.get_table(VIEWS["lake"], name).owner
        if who == owner or any(one.privilege.upper() == "SELECT" for one in held):
            found.add((who, VIEWS["lake"], name))
    return found


def read_in_pg(server: EmbeddedPostgreSQL) -> Pairs:
    """What PostgreSQL itself says that each of its users may."""
    sql = (
        "SELECT rolname, nspname, relname FROM pg_roles, pg_class c JOIN pg_namespace n"
        " ON n.oid = relnamespace WHERE nspname = 'of_pg' AND rolcanlogin"
        " AND has_table_privilege(pg_roles.oid, c.oid, 'SELECT')"
        " AND has_schema_privilege(pg_roles.oid, n.oid, 'USAGE')"
    )
    with psycopg.connect(f"dbname=same host={server.socket} user=postgres") as connection:
        return {(str(who), str(space), str(name)) for who, space, name in connection.execute(sql)}


def read_in_maria(server: MariaDB) -> Pairs:
    """Each view that MariaDB lets each of its users select from."""
    found = set()
    for who, name in product(("ann", "bob", "cyd", "dan", "root"), NAMES):
        try:
            server.execute(f"SELECT * FROM of_maria.{name}", user=who)
        except pymysql.OperationalError as error:
            if error.args[0] != ER.TABLEACCESS_DENIED_ERROR:
                raise
        else:
            found.add((who, "of_maria", name))
    return found


def read_after(store: EntityStore) -> Pairs:
    """What the rows of the target let each read: all that it takes, by roles of any name."""
    assert store.rights is not None
    kept, found = store.rights.present(), set()
    for who, space, name in product(PEOPLE, VIEWS.values(), NAMES):
        needed = set(store.rights.rights_to_read(Identifier((space,), name)))
        held = kept.of(Grantee(who, GranteeKind.USER))
        assert not held.denied
        if needed <= held.allowed:
            found.add((who, space, name))
    return found


def rules() -> list[dict[str, str]]:
    """A role is one of its source; a user is the one of that name, with a role of its own."""
    found = []
    for source in VIEWS:
        found.append({"source": source, "kind": "role", "role": f"{source}_{{name}}"})
        own = {"role": f"{source}_of_{{user}}", "member": "{user}"}
        found.append({"source": source, "kind": "user", **own})
    return found


@pytest.fixture
def sources(
    lake: dict[str, Any], pg: dict[str, Any], maria: dict[str, Any]
) -> dict[str, dict[str, Any]]:
    return {"lake": lake, "pg": pg, "maria": maria}


@pytest.fixture
def before(
    sources: dict[str, Any], hms: Writer, granting: EmbeddedPostgreSQL, granting_maria: MariaDB
) -> Pairs:
    """Who reads what in the sources."""
    assert [*sources] == [*VIEWS]
    return read_in_lake(hms) | read_in_pg(granting) | read_in_maria(granting_maria)


@pytest.fixture
def options(granting: EmbeddedPostgreSQL) -> Options:
    """A target with a user for each of the people, and nothing else."""
    granting.execute(("DROP DATABASE IF EXISTS same_target", "CREATE DATABASE same_target"))
    made = Options(
        url=granting.url("same_target"),
        user="postgres",
        metalake="m",
        catalog="c",
        provider="lakehouse-iceberg",  # which takes texts of any dialect
    )
    with EntityStore(made) as store:
        store.prepare(())
    people = (
        f"INSERT INTO user_meta (user_id, user_name, metalake_id, audit_info)"
        f" SELECT {key}, '{name}', metalake_id, '{{}}' FROM metalake_meta"
        for key, name in enumerate(PEOPLE)
    )
    granting.execute(tuple(people), "same_target")
    return made


def test_who_reads_what_in_three_sources_reads_the_same_afterwards(
    spark: SparkSession,
    sources: dict[str, dict[str, Any]],
    before: Pairs,
    options: Options,
    estate: Estate,
    tmp_path: Path,
) -> None:
    assert before == LAKE | PG | MARIA
    parts = ("url", "user", "metalake", "catalog", "provider")
    target = {"kind": "gravitino-store", **{part: getattr(options, part) for part in parts}}
    target |= {"rights": True, "accept_unserved": True}
    mapping = [{"source": source, "target": "t"} for source in VIEWS]  # databases' views stay, else
    more = {"targets": {"t": target}, "mapping": mapping, "engines": []}
    more |= {"rights": rules(), "crawl": {"grants": True}}
    migration = Migration(spark, estate, tmp_path, more)
    migration.begin(sources)
    with EntityStore(options) as store:
        assert read_after(store) == set()
        head = migration.plan()
        assert migration.counts(head) == {"create": 9}
        counts = head.targets["t"].rights.access.counts
        assert (counts["gained"], counts["lost"]) == (0, 0)
        execution_result = migration.apply()
        assert (execution_result.written, execution_result.ungiven) == (9, 0)
        assert migration.verify().exit_code == command.FINE
        assert read_after(store) == before
        migration.undo(execution_result.run)
        assert read_after(store) == set()
