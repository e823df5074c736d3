"""MySQL 9: what strangers' functions in views can do to it while it is crawled; as a store.

`MYSQL_URL` is that of a server of one's own whose root has no password, say
`mysql://127.0.0.1:3306`; MariaDB, which differs, is in tests/databases/test_strangers.py.
"""

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pymysql
import pytest
from sqlalchemy.engine import make_url

from connectors.gravitino.entity_store import store as entity_store
from connectors.iceberg import jdbc_store
from connectors.jdbc.base import Introspection
from connectors.jdbc.mysql import MySQL, Options
from discovery.outcomes import JSON_DUALITY_VIEW, Failure, Skipped
from tests.contract.stores import Made, iceberg_jdbc_made
from tests.databases import strangers
from tests.databases.crawled import outcomes, types, view
from tests.databases.test_grants import access, shown
from tests.live.conftest import Missing
from tests.live.contract import CONTRACT

pytestmark = pytest.mark.live
MODES: tuple[Introspection, ...] = ("query", "catalog", "both")
MARKS = "SELECT count(*) FROM s.marker"

Execute = Callable[..., list[tuple[object, ...]]]


@pytest.fixture
def url(missing: Missing) -> str:
    if "MYSQL_URL" not in os.environ:
        missing("no MYSQL_URL: the address of a MySQL 9 that may be written")
    return os.environ["MYSQL_URL"]


@pytest.fixture
def execute(url: str) -> Iterator[Execute]:
    """Runs statements as root, each on its own; gives the rows of the last."""
    place = make_url(url)
    connection = pymysql.connect(
        host=place.host, port=place.port or 3306, user="root", autocommit=True
    )

    def run(*statements: str) -> list[tuple[object, ...]]:
        with connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
            return list(cursor.fetchall())

    assert "MariaDB" not in str(run("SELECT version()"))
    yield run
    run("DROP DATABASE IF EXISTS s", "DROP USER IF EXISTS crawler")
    connection.close()


def fill(execute: Execute, body: str, security: str) -> None:
    """A database `s` whose functions have the body that is given, and a crawler that may write."""
    execute(
        "DROP DATABASE IF EXISTS s",
        "DROP USER IF EXISTS crawler",
        "CREATE DATABASE s",
        "CREATE TABLE s.marker (who text) ENGINE = MyISAM",
        "CREATE TABLE s.base (id int primary key, name varchar(20))",
        *(
            f"CREATE FUNCTION s.{name}() RETURNS {kind} DETERMINISTIC SQL SECURITY {security} "
            f"BEGIN {body} RETURN {value}; END"
            for name, kind, value in (("f", "int", "1"), ("g", "varchar(9)", "'%Y'"))
        ),
        *(
            f"CREATE SQL SECURITY {who} VIEW s.{prefix}_{name} AS {sql}"
            for who, prefix in (("DEFINER", "v"), ("INVOKER", "i"))
            for name, sql in strangers.OF_MYSQL.items()
        ),
        "DELETE FROM s.marker",
        "CREATE VIEW s.w_plain AS SELECT id, name FROM s.base",
        "CREATE USER crawler",
        "GRANT SELECT, SHOW VIEW, EXECUTE, INSERT ON s.* TO crawler",
    )


@pytest.mark.parametrize("security", ["INVOKER", "DEFINER"])
@pytest.mark.parametrize("body", [strangers.INSERTS, strangers.LEAVES + strangers.INSERTS])
def test_a_function_of_mysql_writes_nothing(
    execute: Execute, url: str, body: str, security: str
) -> None:
    fill(execute, body, security)
    for user in ("crawler", "root"):
        for mode in MODES:
            options = Options(url=url, user=user, include=("s",), introspection=mode)
            with MySQL(options) as source:
                found = outcomes(source)
            for name in strangers.OF_MYSQL:
                for prefix in ("v", "i"):
                    outcome = found[f"{prefix}_{name}"].result
                    assert not isinstance(outcome, Failure), outcome
                    assert "`s`." in view(found[f"{prefix}_{name}"]).representations[0].sql
            assert types(found["w_plain"]) == {"id": "integer", "name": "varchar(20)"}
            assert types(found["v_plain"])["x"], "prepared, never run: its columns are known"
    assert execute(MARKS) == [(0,)]
    execute("SELECT * FROM s.v_plain WHERE 1=0")
    assert execute(MARKS) != [(0,)], "executed, it does run"


def test_a_text_returns_the_names_of_its_view(execute: Execute, url: str) -> None:
    """MySQL keeps those of `CREATE VIEW v (a, b)` apart from the text."""
    execute(
        "DROP DATABASE IF EXISTS s",
        "CREATE DATABASE s",
        "CREATE TABLE s.t (id int, name varchar(9))",
        "INSERT INTO s.t VALUES (1, 'x'), (2, NULL)",
        "CREATE VIEW s.twice (a, `b``)`) AS SELECT id, id FROM s.t",
        "CREATE VIEW s.together (n) AS (SELECT name FROM s.t LIMIT 1) UNION ALL SELECT 'y'",
        "CREATE VIEW s.with_query (m) AS WITH q (id) AS (SELECT id FROM s.t) SELECT id FROM q",
    )
    with MySQL(Options(url=url, user="root", include=("s",))) as source:
        found = outcomes(source)
    for name in ("twice", "together", "with_query"):
        (text,) = view(found[name]).representations
        assert execute(text.sql) == execute(f"SELECT * FROM s.{name}")
        execute("DROP VIEW IF EXISTS s.again", f"CREATE VIEW s.again AS {text.sql}")
        shown = [str(row[0]) for row in execute("SHOW COLUMNS FROM s.again")]
        assert shown == list(types(found[name])), text.sql


def test_a_json_duality_view_is_skipped_as_no_other_view_may_have_its_text(
    execute: Execute, url: str
) -> None:
    execute(
        "DROP DATABASE IF EXISTS s",
        "CREATE DATABASE s",
        "CREATE TABLE s.t (id int PRIMARY KEY, name varchar(9))",
        "CREATE JSON RELATIONAL DUALITY VIEW s.d AS "
        "SELECT json_duality_object(WITH (UPDATE) '_id': id, 'name': name) FROM s.t",
    )
    with MySQL(Options(url=url, user="root", include=("s",))) as source:
        crawled = outcomes(source)
    assert crawled["d"].result == Skipped(crawled["d"].listed, JSON_DUALITY_VIEW)
    ((text,),) = execute(
        "SELECT view_definition FROM information_schema.views "
        "WHERE table_schema = 's' AND table_name = 'd'"
    )
    with pytest.raises(pymysql.MySQLError, match="6484"):
        execute(f"CREATE VIEW s.again AS {text}")


PATTERNS = ("%", "s%", "s", "sx", r"s\_x", "s_x", "_x", "s%x")
ACCOUNTS = ("z@'127.0.0.1'", "z@'%'", "zr", "zs")


def may_read(url: str, view: str) -> bool:
    """Whether the server lets `z` read a view, from this machine."""
    place = make_url(url)
    with (
        pymysql.connect(host="127.0.0.1", port=place.port or 3306, user="z") as connection,
        connection.cursor() as cursor,
    ):
        try:
            cursor.execute(f"SELECT * FROM {view}")
        except pymysql.MySQLError:
            return False
        return True


@pytest.mark.parametrize("seed", range(12))
def test_an_account_with_an_active_role_reads_what_the_server_lets_it(
    execute: Execute, url: str, seed: int
) -> None:
    """By patterns of databases and by views, its own, of another host, of a role and its role."""
    choice = random.Random(seed)  # noqa: S311 - not for secrets
    databases = ("s", "sx", "s_x")
    drop = "DROP USER IF EXISTS z@'127.0.0.1', z@'%', zr, zs"
    for database in databases:
        execute(
            f"DROP DATABASE IF EXISTS {database}",
            f"CREATE DATABASE {database}",
            f"CREATE VIEW {database}.v AS SELECT 1 AS a",
        )
    execute(drop, "CREATE USER z@'127.0.0.1', z@'%'", "CREATE ROLE zr, zs", "GRANT zs TO zr")
    for account in ACCOUNTS:
        for pattern in choice.sample(PATTERNS, choice.randint(0, 3)):
            right = choice.choice(("SELECT", "INSERT"))
            execute(f"GRANT {right} ON `{pattern}`.* TO {account}")
        if choice.random() < 0.3:
            execute(f"GRANT SELECT ON {choice.choice(databases)}.v TO {account}")
    execute(f"GRANT zr TO {ACCOUNTS[0]}", f"SET DEFAULT ROLE zr TO {ACCOUNTS[0]}")
    try:
        with MySQL(Options(url=url, user="root")) as source:
            rights = access(source)
        for database in databases:
            readers = shown(rights.readers((database,), "v"))
            assert ("user z@127.0.0.1" in readers) == may_read(url, f"{database}.v"), readers
    finally:
        execute(drop, *(f"DROP DATABASE {database}" for database in databases))


@pytest.mark.parametrize("contract", CONTRACT, ids=lambda one: str(one.__name__))
def test_gravitinos_store_keeps_the_contract_on_mysql(
    contract: Callable[[Made], None], execute: Execute, url: str
) -> None:
    execute("DROP DATABASE IF EXISTS s", "CREATE DATABASE s")
    options = entity_store.Options(
        url=f"{url}/s", user="root", metalake="m", catalog="c", provider="lakehouse-iceberg"
    )
    nowhere = replace(options, url="mysql://127.0.0.1:1/x", timeout=2)
    contract(Made(entity_store.EntityStore(options), entity_store.EntityStore(nowhere)))


@pytest.mark.parametrize("contract", CONTRACT, ids=lambda one: str(one.__name__))
def test_an_iceberg_catalog_keeps_the_contract_on_mysql(
    contract: Callable[[Made], None], execute: Execute, url: str, tmp_path: Path
) -> None:
    execute("DROP DATABASE IF EXISTS s", "CREATE DATABASE s")
    options = jdbc_store.Options(url=f"{url}/s", user="root", warehouse=tmp_path.as_uri())
    contract(iceberg_jdbc_made(options, case="MySQL compares names ignoring case"))
