"""MySQL 9: what strangers' functions in views can do to it while it is crawled; as a store.

`MYSQL_URL` is that of a server of one's own whose root has no password, say
`mysql://127.0.0.1:3306`; MariaDB, which differs, is in tests/databases/test_strangers.py.
"""

import os
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
from discovery.outcomes import Failure
from tests.contract.stores import Made, iceberg_jdbc_made
from tests.databases import strangers
from tests.databases.crawled import outcomes, types, view
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
