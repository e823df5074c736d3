"""Who may read what, as real servers keep it: compared with what the servers themselves say."""

from collections.abc import Iterator

import psycopg
import pytest

from connectors.jdbc.mysql import MySQL
from connectors.jdbc.mysql import Options as MySQLOptions
from connectors.jdbc.postgresql import Options, PostgreSQL
from discovery.errors import DeniedError
from discovery.rights.matrix import Access, Reader
from discovery.rights.model import Grant, GrantSource, Membership
from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.servers import MariaDB

ODD = 'o"d.d \\ü%'
"""A name that has to be quoted, escaped and encoded."""


def access(source: GrantSource) -> Access:
    """The rights of a source of which all can be read."""
    told = list(source.grants())
    grants = [one for one in told if isinstance(one, Grant)]
    members = [one for one in told if isinstance(one, Membership)]
    assert len(grants) + len(members) == len(told), "nothing failed"
    return Access(source.rights_model, grants, members)


def shown(readers: list[Reader]) -> dict[str, str]:
    """Readers as `kind name`, with how they come to it."""
    found = {}
    for reader in readers:
        how = " <- ".join(reader.through) or "itself"
        how += " on demand" if reader.on_demand else ""
        how += f" {', '.join(reader.columns)} only" if reader.columns else ""
        found[f"{reader.grantee.kind} {reader.grantee.name}".strip()] = how
    return found


ROLES = ("analyst", "reporting", ODD, "ann", "bob", "cyd", "dan", "eve", "boss")


@pytest.fixture
def granted(granting: EmbeddedPostgreSQL) -> Iterator[EmbeddedPostgreSQL]:
    """A database of its own, with roles that hold rights in every way there is."""
    quoted = ['"' + name.replace('"', '""') + '"' for name in ROLES]
    drop = ("DROP DATABASE IF EXISTS rights", *(f"DROP ROLE IF EXISTS {one}" for one in quoted))
    odd = quoted[2]
    granting.execute(
        (
            *drop,
            f"CREATE ROLE analyst; CREATE ROLE reporting; CREATE ROLE {odd}",
            "CREATE USER ann; CREATE USER bob NOINHERIT; CREATE USER cyd; CREATE USER dan",
            "CREATE USER eve; CREATE USER boss SUPERUSER",
            "GRANT analyst TO ann WITH ADMIN OPTION; GRANT analyst TO bob",
            "GRANT reporting TO analyst; GRANT boss TO eve; GRANT pg_read_all_data TO dan",
            "CREATE DATABASE rights",
        )
    )
    granting.execute(
        (
            "CREATE SCHEMA s",
            f"CREATE SCHEMA {odd}",
            "CREATE TABLE s.t (a int, b int)",
            *(f"CREATE VIEW s.{name} AS SELECT a, b FROM s.t" for name in "vwxyz"),
            f"CREATE VIEW {odd}.{odd} AS SELECT a, b FROM s.t",
            "GRANT USAGE ON SCHEMA s TO reporting, cyd",
            f"GRANT USAGE ON SCHEMA {odd} TO PUBLIC",
            "GRANT SELECT ON s.v TO reporting WITH GRANT OPTION",
            "GRANT SELECT ON s.w TO PUBLIC",
            "GRANT SELECT (a) ON s.x TO cyd, analyst",
            "ALTER VIEW s.y OWNER TO cyd",
            "REVOKE ALL ON s.y FROM cyd",
            "ALTER VIEW s.z OWNER TO analyst",
            f"GRANT SELECT ON {odd}.{odd} TO {odd}",
        ),
        "rights",
    )
    yield granting
    granting.execute(drop)


def test_readers_in_postgresql_are_those_whom_the_server_lets_read(
    granted: EmbeddedPostgreSQL,
) -> None:
    options = Options(url=granted.url("rights"), user="ann", include=("s", "o*"))
    with PostgreSQL(options) as source:
        found = access(source)
    place = f"dbname=rights host={granted.socket} user=postgres"
    with psycopg.connect(place) as connection:
        views = connection.execute(
            "SELECT n.nspname, c.relname, c.oid, n.oid FROM pg_class c JOIN pg_namespace n"
            " ON n.oid = c.relnamespace WHERE c.relkind = 'v' AND nspname IN ('s', %s)",
            (ODD,),
        ).fetchall()
        assert len(views) == 6
        for schema, name, view, namespace in views:
            may = connection.execute(
                "SELECT rolname FROM pg_roles WHERE has_table_privilege(oid, %s, 'SELECT')"
                " AND has_schema_privilege(oid, %s, 'USAGE')",
                (view, namespace),
            ).fetchall()
            readers = found.readers((schema,), name)
            whole = [reader for reader in readers if not reader.columns and not reader.on_demand]
            names = {reader.grantee.name for reader in whole}
            assert names == {role for (role,) in may}, name


def test_readers_in_postgresql_with_how_they_come_to_it(granted: EmbeddedPostgreSQL) -> None:
    with PostgreSQL(Options(url=granted.url("rights"), user="ann", include=("s", "o*"))) as source:
        told = list(source.grants())
        found = access(source)
    always = {
        "user postgres": "itself",
        "user boss": "itself",
        "user eve": "boss on demand",
        "user dan": "pg_read_all_data",
        "role pg_read_all_data": "itself",
    }
    of_role = {
        "role reporting": "itself",
        "role analyst": "reporting",
        "user ann": "analyst <- reporting",
        "user bob": "analyst <- reporting on demand",
    }
    assert shown(found.readers(("s",), "v")) == always | of_role
    # the view is everybody's, the schema is not
    everybody = {"user cyd": "itself", "role pg_write_all_data": "itself"}
    assert shown(found.readers(("s",), "w")) == always | everybody | {
        "role reporting": "itself",
        "role analyst": "itself",
        "user ann": "itself",
        "user bob": "analyst on demand",
    }
    assert shown(found.readers(("s",), "x")) == always | {
        "user cyd": "itself a only",
        "role analyst": "itself a only",
        "user ann": "analyst a only",
        "user bob": "analyst on demand a only",
    }
    assert shown(found.readers(("s",), "y")) == always, "an owner may take rights from himself"
    assert shown(found.readers(("s",), "z")) == always | {
        "role analyst": "itself",
        "user ann": "analyst",
        "user bob": "analyst on demand",
    }
    assert shown(found.readers((ODD,), ODD)) == always | {f"role {ODD}": "itself"}
    (handed_on,) = [
        one
        for one in told
        if isinstance(one, Grant)
        and one.grantable
        and one.name == "v"
        and one.grantee.name == "reporting"
    ]
    assert (handed_on.word, handed_on.granted_by) == ("SELECT", "postgres")


@pytest.fixture
def rights_of_maria(granting_maria: MariaDB) -> Iterator[MariaDB]:
    """A database with rights of every level, and one that a pattern names."""
    users = ("ann", "bob", "cyd", "dan", "weak", "full")
    drop = (
        "DROP DATABASE IF EXISTS `ri_ghts`",
        "DROP DATABASE IF EXISTS `rixghts`",
        *(f"DROP USER IF EXISTS {user}@localhost" for user in users),
        "DROP USER IF EXISTS 'o''dd x'@'%.example'",
        "DROP ROLE IF EXISTS analyst",
        "DROP ROLE IF EXISTS reporting",
    )
    granting_maria.execute(
        *drop,
        *(f"CREATE USER {user}@localhost" for user in users),
        "CREATE USER 'o''dd x'@'%.example'",
        "CREATE ROLE analyst",
        "CREATE ROLE reporting",
        "CREATE DATABASE `ri_ghts`",
        "CREATE DATABASE `rixghts`",
        *(f"CREATE VIEW `ri_ghts`.{one} AS SELECT 1 AS a, 2 AS b" for one in "vw"),
        "CREATE VIEW `rixghts`.v AS SELECT 1 AS a",
        "GRANT SELECT ON `ri_ghts`.v TO ann@localhost WITH GRANT OPTION",
        r"GRANT SELECT ON `ri\_ghts`.* TO bob@localhost",
        "GRANT SELECT ON `ri_ghts`.* TO cyd@localhost",
        "GRANT SELECT (a) ON `ri_ghts`.w TO dan@localhost",
        "GRANT SELECT ON `ri_ghts`.w TO reporting",
        "GRANT reporting TO analyst",
        "GRANT analyst TO ann@localhost, 'o''dd x'@'%.example'",
        "SET DEFAULT ROLE analyst FOR ann@localhost",
        "GRANT SELECT ON *.* TO full@localhost",
        "GRANT SELECT ON mysql.user TO weak@localhost",
    )
    yield granting_maria
    granting_maria.execute(*drop)


def test_readers_in_mariadb(rights_of_maria: MariaDB) -> None:
    with MySQL(MySQLOptions(url=rights_of_maria.url(), user="full")) as source:
        found = access(source)

    def readers(schema: str, view: str) -> dict[str, str]:
        every = shown(found.readers((schema,), view))
        return {
            name: how for name, how in every.items() if "root@" not in name and "maria" not in name
        }

    everywhere = {"user full@localhost": "itself"}
    assert readers("ri_ghts", "v") == everywhere | {
        "user ann@localhost": "itself",
        "user bob@localhost": "itself",
        "user cyd@localhost": "itself",
    }
    assert readers("ri_ghts", "w") == everywhere | {
        "user ann@localhost": "analyst <- reporting",
        "user bob@localhost": "itself",
        "user cyd@localhost": "itself",
        "user dan@localhost": "itself a only",
        "user o'dd x@%.example": "analyst <- reporting on demand",
        "role analyst": "reporting",
        "role reporting": "itself",
    }
    assert readers("rixghts", "v") == everywhere | {"user cyd@localhost": "itself"}
    # what the server itself says of two who differ by a backslash only
    rights_of_maria.execute("SELECT * FROM `rixghts`.v", user="cyd")
    with pytest.raises(Exception, match="denied"):
        rights_of_maria.execute("SELECT * FROM `rixghts`.v", user="bob")


def test_who_may_not_read_all_grant_tables_of_mariadb_is_refused_and_not_shown_less(
    rights_of_maria: MariaDB,
) -> None:
    for user in ("bob", "weak"):
        options = MySQLOptions(url=rights_of_maria.url(), user=user)
        with MySQL(options) as source, pytest.raises(DeniedError, match="denied"):
            list(source.grants())
