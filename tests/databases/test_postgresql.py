"""PostgreSQL as it is: every type, odd names, rights, locks, lost connections, full servers."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from connectors.clients import sql
from connectors.clients.bounds import RESTART
from connectors.jdbc import base
from connectors.jdbc.postgresql import Options, PostgreSQL
from discovery.errors import DeniedError, ReadOnlyCatalogError, UnreachableError
from discovery.model import Security, SecurityMode
from discovery.outcomes import Kind, Listed, Outcome, RawObject, Skipped
from discovery.ports import CrawlTask
from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.databases.crawled import dump, failure, notes, outcomes, type_of, types, view
from tests.servers import gate
from tests.waiting import until, waits_of

TABLE = """CREATE TABLE s.t (id bigint primary key, name varchar(20) not null, ch char(3), tx text,
amt numeric(12,2), n numeric, si smallint, b boolean, r real, d double precision, dt date,
tm time(3), tmz timetz, ts timestamp(3), tsz timestamptz, iv interval day to second(2), u uuid,
js json, jb jsonb, bin bytea, arr int[], arr2 varchar(5)[][], numarr numeric(6,1)[], m s.mood,
p s.posint, cp s.comp, ip inet, bt bit(4), vb bit varying(8), x xml, oid oid, rng int4range,
tsv tsvector, mny money, pt point, sq timestamp(0))"""
EXPRESSIONS = """CREATE VIEW s.v_expr AS SELECT id+1 AS e1, amt*2 AS e2, name||'x' AS e3,
null AS e4, 'lit' AS e5, 1 AS e6, 1.5 AS e7, now() AS e8, array[1,2] AS e9, t AS e11,
count(*) over () AS e12, id::varchar(7) AS e13, amt::numeric(5,1) e14 FROM s.t"""
WANTED = {  # what each type of the dumps becomes: docs/connectors/postgresql.md
    "bigint": "long",
    "character varying(20)": "varchar(20)",
    "character varying(7)": "varchar(7)",
    "character(3)": "char(3)",
    "text": "string",
    "numeric(12,2)": "decimal(12,2)",
    "numeric(5,1)": "decimal(5,1)",
    "numeric": "decimal(38,18)",
    "smallint": "short",
    "integer": "integer",
    "boolean": "boolean",
    "real": "float",
    "double precision": "double",
    "date": "date",
    "time(3) without time zone": "time(3)",
    "timestamp(3) without time zone": "timestamp(3)",
    "timestamp(0) without time zone": "timestamp(0)",
    "timestamp with time zone": "timestamp_tz(6)",
    "uuid": "uuid",
    "bytea": "binary",
    "integer[]": "[integer]",
    "character varying(5)[]": "[varchar(5)]",
    "numeric(6,1)[]": "[decimal(6,1)]",
}
HOSTILE = ['quote"d', "do.t", "sp ace", "Ünï→", "semi;colon--", "per%cent:x", "l" * 63]


@pytest.fixture
def source(postgresql: EmbeddedPostgreSQL) -> Callable[..., PostgreSQL]:
    def make(*include: str, **more: Any) -> PostgreSQL:
        options = {"url": postgresql.url(), "user": "postgres", "include": include, **more}
        return PostgreSQL(Options(**options))

    return make


@pytest.fixture
def schema(postgresql: EmbeddedPostgreSQL) -> Iterator[Callable[..., None]]:
    """Fills a new schema `s`, which is dropped at the end."""
    drop = "DROP SCHEMA IF EXISTS s CASCADE"
    postgresql.execute((drop, "CREATE SCHEMA s", "CREATE TABLE s.base (id int, name text)"))

    def fill(*statements: str) -> None:
        postgresql.execute(statements)

    yield fill
    postgresql.execute((drop,))


def role(server: EmbeddedPostgreSQL, name: str, options: str = "") -> None:
    server.execute(
        (
            f"DO $$ BEGIN CREATE ROLE {name}; EXCEPTION WHEN duplicate_object THEN END $$",
            f"ALTER ROLE {name} LOGIN {options}",
        )
    )


def log_of(server: EmbeddedPostgreSQL) -> str:
    with psycopg.connect(f"host={server.socket} user=postgres dbname=postgres") as connection:
        row = connection.execute("SHOW data_directory").fetchone()
    assert row is not None
    return (Path(row[0]) / "log").read_text(encoding="utf-8", errors="replace")


def test_every_type_is_what_the_catalog_says_and_maps_as_documented(
    schema: Callable[..., None], source: Callable[..., PostgreSQL]
) -> None:
    schema(
        "CREATE TYPE s.mood AS ENUM ('a', 'b')",
        "CREATE DOMAIN s.posint AS int CHECK (value > 0)",
        "CREATE TYPE s.comp AS (a int, b text)",
        TABLE,
        "CREATE VIEW s.v_all AS SELECT * FROM s.t",
        EXPRESSIONS,
    )
    found = {
        mode: outcomes(source("s", introspection=mode)) for mode in ("query", "catalog", "both")
    }
    for name in ("v_all", "v_expr"):
        stated = [(column, kind) for column, kind, *_ in dump(f"postgresql-{name}")["pg_attribute"]]
        wanted = {column: WANTED.get(kind, f"ext {kind}") for column, kind in stated}
        for mode, crawled in found.items():
            assert types(crawled[name]) == wanted, mode
        assert notes(found["query"][name]) == []
    assert notes(found["both"]["v_all"]) == [
        ("COLUMNS_DIFFER", "the query says p integer, the catalog p s.posint")
    ], "a domain is the only difference between the answer and the catalog"
    assert notes(found["both"]["v_expr"]) == []
    assert notes(found["catalog"]["v_all"]) == [
        ("COLUMNS_FROM_CATALOG", "the configuration says introspection: catalog")
    ]


def test_the_server_is_asked_the_empty_query_to_the_letter_and_runs_nothing(
    schema: Callable[..., None], source: Callable[..., PostgreSQL], postgresql: EmbeddedPostgreSQL
) -> None:
    role(postgresql, "logged", "SUPERUSER")
    schema(
        "ALTER ROLE logged SET log_min_duration_statement = 0",
        "CREATE FUNCTION s.boom() RETURNS int LANGUAGE plpgsql AS "
        "$$BEGIN RAISE EXCEPTION 'it was run'; END$$",
        'CREATE VIEW s."Lo""gged" AS SELECT s.boom() AS x',
    )
    found = outcomes(source("s", user="logged"))
    assert types(found['Lo"gged']) == {"x": "integer"}
    log = log_of(postgresql)
    statement = 'SELECT * FROM "s"."Lo""gged" WHERE 1=0'
    assert f"parse <unnamed>: {statement}\n" in log
    assert f"execute <unnamed>: {statement}" not in log
    assert "it was run" not in log
    outcomes(source("s", user="logged", introspection="catalog"))
    assert log_of(postgresql).count(statement) == log.count(statement), "the catalog alone"


def test_odd_names_are_names(
    schema: Callable[..., None], source: Callable[..., PostgreSQL], postgresql: EmbeddedPostgreSQL
) -> None:
    quoted = ['"' + name.replace('"', '""') + '"' for name in HOSTILE]
    schema(*(f"CREATE VIEW s.{one} AS SELECT id AS {one} FROM s.base" for one in quoted))
    found = outcomes(source("s"))
    for name in HOSTILE:
        assert [column.name for column in view(found[name]).columns] == [name]
        assert notes(found[name]) == []
    schema(*(f"CREATE SCHEMA {one}" for one in quoted))
    try:
        schema(*(f"CREATE VIEW {one}.{one} AS SELECT 1 AS x" for one in quoted))
        found = outcomes(source(exclude=("s",)))
        places = {outcome.listed.namespace for outcome in found.values()}
        assert places >= {(name,) for name in HOSTILE}
        assert [view(found[name]).identifier.namespace for name in HOSTILE] == [
            (name,) for name in HOSTILE
        ]
    finally:
        schema(*(f"DROP SCHEMA {one} CASCADE" for one in quoted))


def test_a_view_is_run_by_who_asks_however_its_option_says_yes(
    schema: Callable[..., None], source: Callable[..., PostgreSQL]
) -> None:
    """PostgreSQL takes the letters that suffice, and keeps them as they were written."""
    said = {"yes": ("1", "on", "tr", "tru", "TRUE", "ye"), "no": ("0", "of", "fal", "n")}
    schema(
        *(
            f"CREATE VIEW s.{name}_{number} WITH (security_invoker = '{one}') AS SELECT 1 AS x"
            for name, some in said.items()
            for number, one in enumerate(some)
        )
    )
    found = outcomes(source("s"))
    modes = {
        name: view(outcome).security
        for name, outcome in found.items()
        if name[:3] in {"yes", "no_"}
    }
    invoker = {name for name, mode in modes.items() if mode == Security(SecurityMode.INVOKER)}
    assert invoker == {f"yes_{number}" for number in range(len(said["yes"]))}
    assert len(modes) == sum(map(len, said.values()))


def test_everything_that_the_database_states_is_kept(
    schema: Callable[..., None], source: Callable[..., PostgreSQL], postgresql: EmbeddedPostgreSQL
) -> None:
    role(postgresql, "keeper")
    schema(
        'CREATE VIEW s.v(a, "B c") WITH (security_invoker = true, security_barrier = true, '
        "check_option = local) AS SELECT id, name FROM s.base WHERE id > 0",
        "COMMENT ON VIEW s.v IS 'of the view'",
        "COMMENT ON COLUMN s.v.\"B c\" IS 'of the column'",
        "ALTER VIEW s.v OWNER TO keeper",
        "CREATE VIEW s.plain AS SELECT count(*) FROM s.base",
        "CREATE VIEW s.no_columns AS SELECT FROM s.base",
        "CREATE MATERIALIZED VIEW s.m AS SELECT 1 AS x",
        "COMMENT ON SCHEMA s IS 'of the schema'",
        "ALTER SCHEMA s OWNER TO keeper",
    )
    found = outcomes(source("s"))
    stated = view(found["v"])
    assert stated.comment == "of the view"
    assert [column.comment for column in stated.columns] == [None, "of the column"]
    assert stated.security == Security(SecurityMode.INVOKER)
    assert stated.properties == (
        ("check_option", "local"),
        ("is_updatable", "YES"),
        ("security_barrier", "true"),
    )
    assert stated.audit.creator == "keeper"
    (text,) = stated.representations
    assert (text.dialect, text.default_catalog, text.default_schema) == (
        "postgresql",
        "postgres",
        "s",
    )
    words = " ".join(text.sql.split())
    assert words == 'SELECT id AS a, name AS "B c" FROM s.base WHERE (id > 0);'
    assert view(found["plain"]).properties == (("is_updatable", "NO"),)
    assert view(found["plain"]).security is None
    assert view(found["no_columns"]).columns == ()
    assert isinstance(found["m"].result, Skipped)
    assert found["m"].result.reason.code == "MATERIALIZED_VIEW"
    schema_text = found["s/"].text
    assert '"comment":"of the schema"' in schema_text
    assert '"owner":"keeper"' in schema_text
    assert not {"information_schema/", "pg_catalog/"} & outcomes(source()).keys()


def test_a_view_that_may_not_be_read_has_the_columns_of_the_catalog_and_says_so(
    schema: Callable[..., None], source: Callable[..., PostgreSQL], postgresql: EmbeddedPostgreSQL
) -> None:
    role(postgresql, "stranger")
    schema(
        "CREATE VIEW s.denied AS SELECT id FROM s.base",
        "CREATE VIEW s.allowed AS SELECT id FROM s.base",
        "GRANT USAGE ON SCHEMA s TO stranger",
        "GRANT SELECT ON s.allowed TO stranger",
    )
    found = outcomes(source("s", user="stranger"))
    assert types(found["denied"]) == types(found["allowed"]) == {"id": "integer"}
    assert notes(found["denied"]) == [("COLUMNS_FROM_CATALOG", "permission denied for view denied")]
    assert notes(found["allowed"]) == []
    (problem,) = source("s", user="stranger").probe().problems
    assert problem.startswith("no SELECT on ")


def test_a_table_that_somebody_alters_costs_its_views_and_no_other(
    schema: Callable[..., None], source: Callable[..., PostgreSQL], postgresql: EmbeddedPostgreSQL
) -> None:
    schema(
        "CREATE TABLE s.other (id int)",
        "CREATE VIEW s.waits AS SELECT id FROM s.base",
        *(f"CREATE VIEW s.v_{number} AS SELECT id FROM s.other" for number in range(5)),
    )
    place = f"host={postgresql.socket} user=postgres dbname=postgres"
    with psycopg.connect(place) as connection:
        connection.execute("LOCK TABLE s.base IN ACCESS EXCLUSIVE MODE")
        found = outcomes(source("s", timeout=2))
    assert failure(found["waits"]) == (
        "READ_FAILED",
        "canceling statement due to lock timeout",
    )
    assert all(types(found[f"v_{number}"]) == {"id": "integer"} for number in range(5))


def test_a_view_over_a_foreign_table_whose_wrapper_is_gone_has_its_text_and_columns(
    schema: Callable[..., None], source: Callable[..., PostgreSQL], postgresql: EmbeddedPostgreSQL
) -> None:
    schema(
        "CREATE FOREIGN DATA WRAPPER w",
        "CREATE SERVER far FOREIGN DATA WRAPPER w",
        "CREATE FOREIGN TABLE s.ft (id int) SERVER far",
        "CREATE VIEW s.far AS SELECT id FROM s.ft",
        "CREATE VIEW s.near AS SELECT id FROM s.base",
    )
    try:
        found = outcomes(source("s"))
    finally:
        postgresql.execute(("DROP FOREIGN DATA WRAPPER w CASCADE",))
    assert types(found["far"]) == {"id": "integer"}
    assert "FROM s.ft" in view(found["far"]).representations[0].sql
    properties = {name: dict(view(found[name]).properties) for name in ("far", "near")}
    assert properties == {"far": {}, "near": {"is_updatable": "YES"}}


NOT_LET_IN = {  # user to database, and what is said
    "no_such_role": ("postgres", 'role "no_such_role" does not exist'),
    "no_login": ("postgres", 'role "no_login" is not permitted to log in'),
    "no_connect": ("kept", 'permission denied for database "kept"'),
}


@pytest.mark.parametrize("user", NOT_LET_IN)
def test_a_login_that_the_server_refuses_is_denied_and_not_tried_again(
    postgresql: EmbeddedPostgreSQL, user: str
) -> None:
    database, words = NOT_LET_IN[user]
    postgresql.execute(
        (
            "CREATE ROLE no_login NOLOGIN",
            "CREATE ROLE no_connect LOGIN",
            "CREATE DATABASE kept",
            "REVOKE CONNECT ON DATABASE kept FROM public",
        )
    )
    tries = []
    options = Options(url=postgresql.url(database), user=user)

    class Counted(PostgreSQL):
        def connect(self) -> sql.LibpqConnection:
            tries.append(user)
            return super().connect()

    try:
        with pytest.raises(DeniedError, match=words) as raised, Counted(options) as crawled:
            list(crawled.listing())
    finally:
        postgresql.execute(("DROP DATABASE kept", "DROP ROLE no_login", "DROP ROLE no_connect"))
    assert tries == [user]
    assert "password" in raised.value.hint


TOLD = 'connection failed: connection to server at "192.0.2.1", port 5432 failed: '


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ('FATAL:  password authentication failed for user "x"', "DENIED"),
        ('FATAL:  Peer authentication failed for user "x"', "DENIED"),
        ('FATAL:  no pg_hba.conf entry for host "[local]", user "x", no encryption', "DENIED"),
        ('FATAL:  pg_hba.conf rejects connection for host "[local]", user "x"', "DENIED"),
        ("fe_sendauth: no password supplied", "DENIED"),
        ('FATAL:  database "x" does not exist', "UNREACHABLE"),
        ('FATAL:  too many connections for role "x"', "UNREACHABLE"),
        ("FATAL:  the database system is starting up", "UNREACHABLE"),
        ("Connection refused", "UNREACHABLE"),
    ],
)
def test_what_a_server_says_of_a_login_is_told_from_what_the_network_says(
    words: str, code: str
) -> None:
    """Of PostgreSQL 18.4 with libpq 18, by `pg_hba.conf` and passwords of each sort."""
    assert sql.connecting(psycopg.OperationalError(TOLD + words)).code == code


def test_a_session_is_read_only_bounded_and_named(source: Callable[..., PostgreSQL]) -> None:
    names = (b"default_transaction_read_only", b"statement_timeout", b"application_name")
    with source(timeout=7) as database:
        connection = database.open_session().pgconn
        shown = [connection.exec_(b"SHOW " + name).get_value(0, 0) for name in names]
    assert shown == [b"on", b"7s", b"belvedere"]


CONSTANTS = r"""CREATE VIEW s.v_constants AS SELECT DATE '2020-02-01' AS d,
TIMESTAMPTZ '2020-02-01 10:00+00' AS z, INTERVAL '-1 year -2 days' AS i, 'back\slash'::text AS b,
'0.12345678901234568'::float8 AS f, '\xdead'::bytea AS x"""
SPELLED_OTHERWISE = (
    "datestyle = 'SQL, DMY'",
    "intervalstyle = sql_standard",
    "timezone = 'America/New_York'",
    "standard_conforming_strings = off",
    "extra_float_digits = -12",
    "bytea_output = escape",
    "quote_all_identifiers = on",
    "search_path = s",
)


def test_a_text_does_not_depend_on_what_a_database_or_a_role_has_set(
    schema: Callable[..., None],
    source: Callable[..., PostgreSQL],
    postgresql: EmbeddedPostgreSQL,
) -> None:
    schema(CONSTANTS, "CREATE VIEW s.v_base AS SELECT id, name FROM s.base")
    usual = outcomes(source("s"))
    text = view(usual["v_constants"]).representations[0].sql
    assert "'2020-02-01'::date" in text
    assert r"'back\slash'::text" in text
    assert types(usual["v_base"]) == {"id": "integer", "name": "string"}
    try:
        postgresql.execute([f"ALTER DATABASE postgres SET {one}" for one in SPELLED_OTHERWISE])
        ((said,),) = postgresql.query("SELECT pg_get_viewdef('s.v_constants'::regclass)")
        assert "01/02/2020" in str(said), "the settings hold for others"
        found = outcomes(source("s"))
    finally:
        postgresql.execute(["ALTER DATABASE postgres RESET ALL"])
    for name in ("v_constants", "v_base"):
        assert view(found[name]) == view(usual[name])


def test_what_a_pool_keeps_back_at_the_start_is_told_in_each_transaction(
    schema: Callable[..., None],
    source: Callable[..., PostgreSQL],
    postgresql: EmbeddedPostgreSQL,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = sql.libpq_connection

    def pooled(login: sql.DatabaseLogin, *, options: str, timeout: float) -> sql.LibpqConnection:
        assert "search_path" in options  # PgBouncer with ignore_startup_parameters = options
        connection = made(login, options="", timeout=timeout)
        connection.execute("PREPARE definition AS SELECT 1")  # by whom the session was used before
        return connection

    schema(
        CONSTANTS,
        "CREATE TYPE public.in_the_path AS ENUM ('x')",
        "CREATE TABLE public.found_by_path (t public.in_the_path)",
        "CREATE VIEW s.v_path AS SELECT t FROM found_by_path",
    )
    names = ("v_constants", "v_path")
    usual = outcomes(source("s"))
    monkeypatch.setattr(sql, "libpq_connection", pooled)
    try:
        postgresql.execute(["ALTER DATABASE postgres SET datestyle = 'SQL, DMY'"])
        found = outcomes(source("s"))
    finally:
        postgresql.execute(["ALTER DATABASE postgres RESET ALL"])
        postgresql.execute(["DROP TABLE public.found_by_path CASCADE"])
        postgresql.execute(["DROP TYPE public.in_the_path"])
    assert "FROM public.found_by_path" in view(found["v_path"]).representations[0].sql
    assert types(found["v_path"]) == {"t": "ext public.in_the_path"}
    assert [view(found[name]) for name in names] == [view(usual[name]) for name in names]


def test_a_database_refuses_to_be_written(source: Callable[..., PostgreSQL]) -> None:
    with pytest.raises(ReadOnlyCatalogError, match="CREATE VIEW not supported for JDBC") as raised:
        source().apply(())
    assert "IRC-backed" in raised.value.hint


@pytest.fixture
def fifty(schema: Callable[..., None]) -> tuple[Listed, ...]:
    """Fifty views, as they are listed."""
    schema(*(f"CREATE VIEW s.v_{number} AS SELECT id FROM s.base" for number in range(50)))
    return tuple(Listed(("s",), f"v_{number}") for number in range(50))


def loaded(source: PostgreSQL, views: tuple[Listed, ...]) -> list[Outcome]:
    from discovery.crawl import crawl  # noqa: PLC0415 - only here

    return list(crawl(CrawlTask("s", views), source))


def test_a_database_that_goes_away_and_comes_back_loses_nothing(
    fifty: tuple[Listed, ...], postgresql: EmbeddedPostgreSQL
) -> None:
    with gate(postgresql.socket / ".s.PGSQL.5432") as door:
        url = f"postgresql://127.0.0.1:{door.port}/postgres"
        with PostgreSQL(Options(url=url, user="postgres", batch=10)) as source:
            assert len(loaded(source, fifty[:20])) == 20
            door.shut()
            back = threading.Timer(1.0, door.open)
            back.start()
            assert {type(outcome.result).__name__ for outcome in loaded(source, fifty)} == {"View"}
            assert door.accepted == 2, "one connection at a time"


def test_a_database_that_stays_away_ends_as_rows(
    fifty: tuple[Listed, ...], postgresql: EmbeddedPostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "RESTART", RESTART[:1])
    with gate(postgresql.socket / ".s.PGSQL.5432") as door:
        url = f"postgresql://127.0.0.1:{door.port}/postgres"
        with PostgreSQL(Options(url=url, user="postgres", batch=10, timeout=5)) as source:
            assert len(loaded(source, fifty[:10])) == 10
            door.shut()
            assert {failure(outcome)[0] for outcome in loaded(source, fifty)} == {"UNREACHABLE"}
            slept = waits_of(sql, monkeypatch)
            loaded(source, fifty)
            assert not slept, "the next task does not wait again"


def test_a_killed_connection_is_replaced(
    fifty: tuple[Listed, ...], source: Callable[..., PostgreSQL], postgresql: EmbeddedPostgreSQL
) -> None:
    with source("s") as database:
        assert len(list(database.load(CrawlTask("s", fifty)))) == 50
        ours = "FROM pg_stat_activity WHERE application_name = 'belvedere'"
        postgresql.execute((f"SELECT pg_terminate_backend(pid) {ours}",))
        assert all(
            isinstance(outcome, RawObject) for outcome in database.load(CrawlTask("s", fifty))
        )


def test_a_full_database_is_waited_for_and_then_told(
    fifty: tuple[Listed, ...], source: Callable[..., PostgreSQL], postgresql: EmbeddedPostgreSQL
) -> None:
    role(postgresql, "lonely", "CONNECTION LIMIT 1")
    postgresql.execute(("GRANT USAGE ON SCHEMA s TO lonely",))
    holder = psycopg.connect(f"host={postgresql.socket} user=lonely dbname=postgres")
    with source("s", user="lonely") as database:
        with pytest.raises(UnreachableError, match="too many connections"):
            list(database.listing())
        told = {failure(outcome) for outcome in loaded(database, fifty)}
        assert {code for code, _ in told} == {"UNREACHABLE"}
        holder.close()
        until(lambda: not postgresql.query("SELECT FROM pg_stat_activity WHERE usename = 'lonely'"))
        assert {type(outcome.result).__name__ for outcome in loaded(database, fifty)} == {"View"}


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_what_is_no_unicode_costs_no_other(
    source: Callable[..., PostgreSQL], postgresql: EmbeddedPostgreSQL, encoding: str
) -> None:
    name = encoding.lower()
    odd = "Ü" if encoding == "LATIN1" else "U"
    postgresql.execute(
        (
            f"DROP DATABASE IF EXISTS {name}",
            f"CREATE DATABASE {name} ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0",
        )
    )
    with psycopg.connect(
        f"host={postgresql.socket} user=postgres dbname={name} client_encoding=latin1",
        autocommit=True,
    ) as connection:
        for view_name in ("a", "b", "c"):
            statement = f'CREATE VIEW {view_name} AS SELECT 1 AS "{odd}"'
            connection.execute(statement.encode("latin1"))
        connection.execute("COMMENT ON VIEW b IS 'Üni'".encode("latin1"))
    found = outcomes(source(url=postgresql.url(name)))
    assert types(found["a"]) == types(found["c"]) == {odd: "integer"}
    if encoding == "LATIN1":
        assert view(found["b"]).comment == "Üni"
    else:
        code, message = failure(found["b"])
        assert code == "READ_FAILED"
        assert "no UTF-8" in message or "encoding" in message


def test_kinds_are_told_by_the_listing(
    schema: Callable[..., None], source: Callable[..., PostgreSQL]
) -> None:
    schema(
        "CREATE VIEW s.v AS SELECT 1 AS x",
        "CREATE MATERIALIZED VIEW s.m AS SELECT 1 AS x",
        "CREATE TABLE s.p (x int) PARTITION BY LIST (x)",
    )
    with source("s") as database:
        kinds = {item.name: item.kind for item in database.listing() if isinstance(item, Listed)}
    assert kinds == {
        "": Kind.NAMESPACE,
        "base": Kind.TABLE,
        "m": Kind.MATERIALIZED_VIEW,
        "p": Kind.TABLE,
        "v": Kind.VIEW,
    }


def test_a_dump_of_every_type_maps_without_a_server() -> None:
    from discovery.datatypes import postgresql as language  # noqa: PLC0415 - only here

    for name in ("v_all", "v_expr"):
        for _, kind, *_ in dump(f"postgresql-{name}")["pg_attribute"]:
            assert type_of(language.parse(kind)) == WANTED.get(kind, f"ext {kind}")
