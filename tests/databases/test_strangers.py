"""No text of a source is run: functions that write, in every place of a view, leave no mark."""

from collections.abc import Callable, Iterator

import psycopg
import pytest

from connectors.jdbc.any_database import AnyDatabase
from connectors.jdbc.any_database import Options as AnyOptions
from connectors.jdbc.base import Introspection
from connectors.jdbc.mysql import MySQL
from connectors.jdbc.mysql import Options as MySQLOptions
from connectors.jdbc.postgresql import Options, PostgreSQL
from discovery.model import Identifier
from discovery.outcomes import RawObject
from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.databases import strangers
from tests.databases.crawled import notes, outcomes, types, view
from tests.servers import MariaDB

MODES: tuple[Introspection, ...] = ("query", "catalog", "both")


@pytest.fixture
def strange(postgresql: EmbeddedPostgreSQL) -> Iterator[EmbeddedPostgreSQL]:
    """A schema `s` of strangers, and a crawler who may write its marker and run its functions."""
    drop = "DROP SCHEMA IF EXISTS s CASCADE"
    base = ("CREATE SCHEMA s", "CREATE TABLE s.base (id int)")
    role = "DO $$ BEGIN CREATE ROLE crawler LOGIN; EXCEPTION WHEN duplicate_object THEN END $$"
    views = [f"CREATE VIEW s.v_{name} AS {sql}" for name, sql in strangers.OF_POSTGRESQL.items()]
    views += ["ALTER VIEW s.v_invoked SET (security_invoker = true)"]
    rights = ("GRANT USAGE ON SCHEMA s TO crawler", "GRANT INSERT ON s.marker TO crawler")
    postgresql.execute((drop, role, *base, strangers.MADE_IN_POSTGRESQL, *views, *rights))
    yield postgresql
    postgresql.execute((drop,))


def marks(server: EmbeddedPostgreSQL) -> int:
    with psycopg.connect(f"host={server.socket} user=postgres dbname=postgres") as connection:
        row = connection.execute("SELECT count(*) FROM s.marker").fetchone()
    assert row is not None
    return int(row[0])


@pytest.mark.parametrize("granted", ["", "SELECT (x)", "SELECT"])
def test_postgresql_runs_no_function_of_a_view(strange: EmbeddedPostgreSQL, granted: str) -> None:
    if granted == "SELECT":
        strange.execute(("GRANT SELECT ON ALL TABLES IN SCHEMA s TO crawler",))
    elif granted:
        strange.execute((f"GRANT {granted} ON s.v_plain, s.v_cast, s.v_invoked TO crawler",))
    for user in ("crawler", "postgres"):
        for mode in MODES:
            options = Options(url=strange.url(), user=user, include=("s",), introspection=mode)
            with PostgreSQL(options) as source:
                assert source.probe().version
                list(source.functions())
                names = [Identifier(("s",), name) for name in ("base", "generated", "v_plain")]
                assert all(isinstance(table, RawObject) for table in source.load_tables(names))
                session = source.open_session()
                settings = session.pgconn.exec_(b"SHOW default_transaction_read_only")
                assert settings.get_value(0, 0) == b"on", "nothing has left the read-only session"
            found = outcomes(PostgreSQL(options))
            assert types(found["v_plain"]) == {"x": "integer"}
            assert [view(found[f"v_{name}"]) for name in strangers.OF_POSTGRESQL]
    assert marks(strange) == 0
    strange.execute(("SELECT * FROM s.v_plain WHERE 1=0",))
    assert marks(strange), "executed, it does run"


def test_what_postgresql_would_refuse_is_told_without_asking(strange: EmbeddedPostgreSQL) -> None:
    strange.execute(
        (
            "GRANT SELECT (x) ON s.v_cast TO crawler",
            "GRANT SELECT (x) ON s.v_plain TO crawler",
            "GRANT SELECT ON s.v_case TO crawler",
            "CREATE SCHEMA hidden",
            "CREATE VIEW hidden.v AS SELECT 1 AS x",
        )
    )
    include = ("s", "hidden")
    try:
        found = outcomes(PostgreSQL(Options(url=strange.url(), user="crawler", include=include)))
    finally:
        strange.execute(("DROP SCHEMA hidden CASCADE",))
    code = "COLUMNS_FROM_CATALOG"
    some = "permission denied for view v_cast: SELECT is granted on 1 of 2 columns"
    assert notes(found["v_cast"]) == [(code, some)]
    assert notes(found["v_plain"]) == [], "SELECT on each column is SELECT enough"
    assert notes(found["v_case"]) == []
    assert notes(found["v_where"]) == [(code, "permission denied for view v_where")]
    assert notes(found["v"]) == [(code, "permission denied for schema hidden")]


@pytest.mark.filterwarnings("ignore:Did not recognize type")
def test_a_database_that_is_no_better_known_runs_no_function_of_a_view(
    strange: EmbeddedPostgreSQL,
) -> None:
    url = strange.url().replace("postgresql:", "postgresql+psycopg:")
    found = outcomes(AnyDatabase(AnyOptions(url=url, user="postgres", include=("s",))))
    assert types(found["v_plain"]) == {"x": "integer"}
    assert marks(strange) == 0


@pytest.fixture
def filled(maria: MariaDB) -> Iterator[Callable[[str, str], None]]:
    """Makes a database `s` of strangers, whose functions have the body that is given."""
    views = [
        f"CREATE SQL SECURITY {who} VIEW s.{prefix}_{name} AS {sql}"
        for who, prefix in (("DEFINER", "v"), ("INVOKER", "i"))
        for name, sql in strangers.OF_MYSQL.items()
    ]

    def make(body: str, security: str) -> None:
        maria.execute(
            "CREATE OR REPLACE DATABASE s",
            "CREATE TABLE s.marker (who text) ENGINE = Aria",
            "CREATE TABLE s.base (id int primary key, name varchar(20))",
            *(
                f"CREATE FUNCTION s.{name}() RETURNS {kind} DETERMINISTIC SQL SECURITY {security} "
                f"BEGIN {body} RETURN {value}; END"
                for name, kind, value in (("f", "int", "1"), ("g", "varchar(9)", "'%Y'"))
            ),
            *views,
            "DELETE FROM s.marker",
            "CREATE VIEW s.w_plain AS SELECT id, name FROM s.base",
            "CREATE OR REPLACE USER crawler@localhost",
            "GRANT SELECT, SHOW VIEW, EXECUTE, INSERT ON s.* TO crawler@localhost",
        )

    yield make
    maria.execute("DROP DATABASE IF EXISTS s", "DROP USER IF EXISTS crawler@localhost")


@pytest.mark.parametrize("security", ["INVOKER", "DEFINER"])
@pytest.mark.parametrize("body", [strangers.INSERTS, strangers.LEAVES + strangers.INSERTS])
def test_a_function_of_mariadb_writes_nothing(
    filled: Callable[[str, str], None], maria: MariaDB, body: str, security: str
) -> None:
    filled(body, security)
    for user in ("crawler", "root"):
        for mode in MODES:
            options = MySQLOptions(url=maria.url(), user=user, include=("s",), introspection=mode)
            found = outcomes(MySQL(options))
            for name in strangers.OF_MYSQL:
                for prefix in ("v", "i"):
                    assert "`s`." in view(found[f"{prefix}_{name}"]).representations[0].sql
                    ((code, told),) = notes(found[f"{prefix}_{name}"])
                    assert (code, told[:5]) == ("COLUMNS_UNKNOWN", "1792:"), "it would write"
            assert types(found["w_plain"]) == {"id": "integer", "name": "varchar(20)"}
    marks = "SELECT count(*) FROM s.marker"
    assert maria.execute(marks) == [(0,)]
    maria.execute("SELECT * FROM s.v_plain WHERE 1=0")
    assert maria.execute(marks) != [(0,)], "executed, it does run"


@pytest.mark.parametrize(
    "setting",
    ["character_set_results = latin1", "sql_select_limit = 1", "sql_mode = 'ANSI_QUOTES'"],
)
def test_what_a_function_of_mariadb_sets_stays_in_no_session(
    filled: Callable[[str, str], None], maria: MariaDB, setting: str
) -> None:
    filled(f"SET SESSION {setting};", "INVOKER")
    maria.execute("CREATE VIEW s.x_odd AS SELECT id AS `ünï` FROM s.base")
    options = MySQLOptions(url=maria.url(), user="root", include=("s",), batch=7)
    with MySQL(options) as source:
        found = outcomes(source)
    assert types(found["x_odd"]) == {"ünï": "integer"}
    assert types(found["v_plain"]) == types(found["i_with"]) == {"x": "integer"}
    assert types(found["w_plain"]) == {"id": "integer", "name": "varchar(20)"}
