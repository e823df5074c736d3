"""MariaDB as it is: every type, odd names, broken views, rights, limits, lost connections."""

import threading
from collections.abc import Callable, Iterator
from typing import Any, Final

import pymysql
import pytest
from pymysql.constants import FIELD_TYPE, FLAG

from connectors.clients import sql
from connectors.clients.bounds import RESTART
from connectors.jdbc import base
from connectors.jdbc.mysql import MySQL, Options
from connectors.jdbc.mysql_header import HeaderField, spelled
from discovery.crawl import crawl
from discovery.datatypes import mysql as language
from discovery.errors import DeniedError
from discovery.functions import Function
from discovery.lineage import scopes
from discovery.lineage.references import Catalogs, function_place
from discovery.model import Schema, Security, SecurityMode
from discovery.outcomes import Failure, Listed, Skipped
from discovery.ports import CrawlTask
from tests.databases.crawled import dump, failure, notes, outcomes, type_of, types, view
from tests.servers import MariaDB, gate
from tests.waiting import until

TABLE: Final = """CREATE TABLE s.t (id bigint unsigned primary key auto_increment,
name varchar(20) not null, ch char(3), tx text, mt mediumtext, amt decimal(12,2), ti tinyint,
b boolean, tu tinyint unsigned, si smallint, mi mediumint, i int, iz int(5) unsigned zerofill,
r float, d double, f72 float(7,2), dt date, tm time(3), ts timestamp(3) null, dtt datetime(6),
y year, js json, bin varbinary(16), bl blob, e enum('a','b'), st set('x','y'), bt bit(4),
g geometry, u uuid, ip inet6, vl varchar(20) character set latin1)"""
EXPRESSIONS: Final = """CREATE VIEW s.v_expr AS SELECT id+1 e1, amt*2 e2, concat(name,'x') e3,
null e4, 'lit' e5, 1 e6, 1.5 e7, now() e8, count(*) e9, cast(id as char(7)) e10,
cast(amt as decimal(5,1)) e11, id=1 e12, sum(amt) e13, avg(i) e14, date(dtt) e15
FROM s.t GROUP BY id, amt, name, i, dtt"""
WANTED: Final = {  # what each type of the dumps becomes: docs/connectors/mysql.md
    "bigint(20) unsigned": "long unsigned",
    "bigint(21) unsigned": "long unsigned",
    "bigint(21)": "long",
    "varchar(20)": "varchar(20)",
    "varchar(21)": "varchar(21)",
    "varchar(3)": "varchar(3)",
    "varchar(7)": "varchar(7)",
    "char(3)": "char(3)",
    "text": "string",
    "decimal(12,2)": "decimal(12,2)",
    "decimal(13,2)": "decimal(13,2)",
    "decimal(2,1)": "decimal(2,1)",
    "decimal(5,1)": "decimal(5,1)",
    "decimal(34,2)": "decimal(34,2)",
    "decimal(14,4)": "decimal(14,4)",
    "tinyint(4)": "byte",
    "tinyint(1)": "byte",
    "tinyint(3) unsigned": "byte unsigned",
    "smallint(6)": "short",
    "int(11)": "integer",
    "int(1)": "integer",
    "int(5) unsigned zerofill": "integer unsigned",
    "float": "float",
    "float(7,2)": "float",
    "double": "double",
    "date": "date",
    "time(3)": "time(3)",
    "timestamp(3)": "timestamp_tz(3)",
    "datetime(6)": "timestamp(6)",
    "datetime /* mariadb-5.3 */": "timestamp(0)",
    "binary(0)": "binary",
    "bit(4)": "binary",
    "mediumint(9)": "ext mediumint",
    "year(4)": "ext year",
}
HOSTILE: Final = [
    "Case",
    "case",
    "Uni",
    "Üni",
    "quote`d",
    "do.t",
    "sp ace",
    "Ünï→",
    "semi;colon--",
    "per%cent:x",
    "l" * 64,
]
DIFFER: Final = {  # what the header cannot tell, as documented
    "e": ("enum", "enum('a','b')"),
    "st": ("set", "set('x','y')"),
    "u": ("char(36)", "uuid"),
    "ip": ("char(39)", "inet6"),
}


@pytest.fixture
def schema(maria: MariaDB) -> Iterator[Callable[..., None]]:
    """Fills a new database `s`, which is dropped at the end."""
    maria.execute(
        "DROP DATABASE IF EXISTS s",
        "CREATE DATABASE s CHARACTER SET utf8mb4 COMMENT 'of the schema'",
        "CREATE TABLE s.base (id int, name text)",
    )

    def fill(*statements: str) -> None:
        maria.execute(*statements)

    yield fill
    maria.execute("DROP DATABASE s")


@pytest.fixture
def source(maria: MariaDB) -> Callable[..., MySQL]:
    def make(*include: str, **more: Any) -> MySQL:
        options = {"url": maria.url(), "user": "root", "include": include, **more}
        return MySQL(Options(**options))

    return make


def test_every_type_is_what_the_catalog_says_and_maps_as_documented(
    schema: Callable[..., None], source: Callable[..., MySQL]
) -> None:
    schema(TABLE, "CREATE VIEW s.v_all AS SELECT * FROM s.t", EXPRESSIONS)
    modes = ("query", "catalog", "both")
    found = {mode: outcomes(source("s", introspection=mode)) for mode in modes}
    for name in ("v_all", "v_expr"):
        stated = dump(f"mariadb-{name}")["information_schema"]
        wanted = {column: WANTED.get(kind, f"ext {kind}") for column, kind, *_ in stated}
        for mode, crawled in found.items():
            assert types(crawled[name]) == wanted, mode
        assert notes(found["query"][name]) == []
        assert notes(found["catalog"][name])[0][0] == "COLUMNS_FROM_CATALOG"
    ((code, told),) = notes(found["both"]["v_all"])
    assert code == "COLUMNS_DIFFER"
    assert set(told.split("; ")) == {
        f"the query says {name} {said}, the catalog {name} {stated}"
        for name, (said, stated) in DIFFER.items()
    }
    assert notes(found["both"]["v_expr"]) == []


@pytest.mark.parametrize("name", ["v_all", "v_expr"])
def test_a_header_is_spelled_as_the_catalog_would_but_for_what_it_cannot_tell(name: str) -> None:
    read = dump(f"mariadb-{name}")
    for said, stated in zip(read["driver"], read["information_schema"], strict=True):
        flags = sum(getattr(FLAG, flag) for flag in FLAGS if f"'{flag}'" in said[5])
        header = HeaderField(
            name=said[0],
            type_code=getattr(FIELD_TYPE, said[1]),
            length=int(said[2]),
            scale=int(said[3]),
            charsetnr=int(said[4]),
            flags=flags,
        )
        told, kind = spelled(header), stated[1]
        same = type_of(language.parse(told)) == type_of(language.parse(kind))
        assert same or DIFFER[said[0]] == (told, kind), (told, kind)


FLAGS: Final = ("UNSIGNED", "BINARY", "BLOB", "ENUM", "SET", "ZEROFILL")


def test_the_server_is_asked_the_empty_query_to_the_letter(
    schema: Callable[..., None], source: Callable[..., MySQL], maria: MariaDB
) -> None:
    schema("CREATE VIEW s.`Lo``gged` AS SELECT 1 AS x", "SET GLOBAL general_log = 1")
    statement = "SELECT * FROM `s`.`Lo``gged` WHERE 1=0"
    assert types(outcomes(source("s"))["Lo`gged"]) == {"x": "integer"}
    log = maria.log.read_text(encoding="utf-8")
    assert f"Prepare\t{statement}\n" in log
    assert f"Query\t{statement}\n" not in log
    assert f"Execute\t{statement}\n" not in log
    assert "START TRANSACTION READ ONLY" in log
    assert "SET SESSION TRANSACTION READ ONLY" in log
    outcomes(source("s", introspection="catalog"))
    schema("SET GLOBAL general_log = 0")
    assert maria.log.read_text(encoding="utf-8").count(statement) == log.count(statement)


def test_a_view_that_cannot_be_opened_is_kept_with_its_text(
    schema: Callable[..., None], source: Callable[..., MySQL], maria: MariaDB
) -> None:
    schema(
        "CREATE TABLE s.versions (id int) WITH SYSTEM VERSIONING",
        "CREATE VIEW s.v_late AS SELECT id FROM s.versions "
        "FOR SYSTEM_TIME BETWEEN '2020-01-01' AND now()",
        "CREATE VIEW s.v_plain AS SELECT id FROM s.versions",
    )
    with pytest.raises(pymysql.MySQLError, match="Incorrect DATETIME") as raised:
        maria.execute("SELECT * FROM s.v_late")
    for mode in ("query", "catalog", "both"):
        found = outcomes(source("s", introspection=mode))
        kept = view(found["v_late"])
        assert "FOR SYSTEM_TIME BETWEEN" in kept.representations[0].sql
        assert kept.columns == ()
        ((code, told),) = notes(found["v_late"])
        assert (code, told) == (
            "COLUMNS_UNKNOWN",
            f"{raised.value.args[0]}: {raised.value.args[1]}",
        )
        assert types(found["v_plain"]) == {"id": "integer"}


@pytest.mark.parametrize("limit", [4, 400, 1 << 20])
def test_types_and_number_of_columns_are_those_of_the_server_s_own_limit(
    schema: Callable[..., None], source: Callable[..., MySQL], maria: MariaDB, limit: int
) -> None:
    ((usual,),) = maria.execute("SELECT @@global.group_concat_max_len")
    wide = ", ".join(f"id AS c_{number}" for number in range(40))
    schema(
        f"CREATE VIEW s.v_wide AS SELECT {wide} FROM s.base",
        "CREATE VIEW s.v_list AS SELECT group_concat(name) AS names FROM s.base",
        f"SET GLOBAL group_concat_max_len = {limit}",
    )
    try:
        asked = "SELECT column_type FROM information_schema.columns WHERE table_name = 'v_list'"
        ((stated,),) = maria.execute(asked)
        for mode in ("query", "catalog"):
            found = outcomes(source("s", introspection=mode))
            assert types(found["v_list"]) == {"names": type_of(language.parse(stated))}
            assert types(found["v_wide"]) == {f"c_{number}": "integer" for number in range(40)}
    finally:
        schema(f"SET GLOBAL group_concat_max_len = {usual}")


def test_a_server_s_own_limit_of_rows_loses_no_view(
    schema: Callable[..., None], source: Callable[..., MySQL], maria: MariaDB
) -> None:
    """10.11, 2026-11-30: with a limit of 2 the first two objects were all that was listed."""
    schema(*(f"CREATE VIEW s.v{number} AS SELECT id, name FROM s.base" for number in range(4)))
    plain = outcomes(source("s"))
    schema("SET GLOBAL sql_select_limit = 2")
    try:
        found = outcomes(source("s", batch=1))
        with sql.mysql(Options(url=maria.url(), user="root")).connect() as connection:
            rows = connection.exec_driver_sql("SELECT 1 UNION SELECT 2 UNION SELECT 3").all()
    finally:
        schema("SET GLOBAL sql_select_limit = DEFAULT")
    assert found == plain
    assert len(rows) == 3, "those who read its tables for themselves"


def test_what_a_url_says_of_texts_changes_none(
    schema: Callable[..., None], source: Callable[..., MySQL], maria: MariaDB
) -> None:
    """10.11, 2026-12-01: `é` was read as `Ã©`, in names and texts."""
    schema("CREATE VIEW s.`vé` AS SELECT 'ü€' AS `ö`")
    found = outcomes(source("s", url=f"{maria.url()}&charset=latin1"))
    assert list(types(found["vé"])) == ["ö"]
    assert found == outcomes(source("s"))


def test_schemas_that_a_collation_thinks_equal_are_read_each_for_itself(
    schema: Callable[..., None], source: Callable[..., MySQL]
) -> None:
    """10.11, 2026-11-30: `IN ('cafe', 's')` has a row of `café`, too, which nobody asked for."""
    schema("CREATE OR REPLACE DATABASE cafe", "CREATE OR REPLACE DATABASE `café`")
    try:
        found = outcomes(source("cafe", "s", exclude=("café",)))
    finally:
        schema("DROP DATABASE cafe", "DROP DATABASE `café`")
    for name in ("cafe/", "s/"):
        assert isinstance(found[name].result, Schema), found[name]


@pytest.mark.parametrize("mode", ["ANSI_QUOTES,NO_BACKSLASH_ESCAPES", "ORACLE"])
def test_a_server_s_own_mode_changes_neither_questions_nor_answers(
    schema: Callable[..., None], source: Callable[..., MySQL], maria: MariaDB, mode: str
) -> None:
    """10.11, 2026-11-28: 1064 near `"s"."v"` for each view, and introducers were lost."""
    schema(
        "CREATE VIEW s.`a\"``b` AS SELECT _binary'a' AS x",
        "CREATE OR REPLACE USER blind@localhost",
        "GRANT SELECT ON s.* TO blind@localhost",
    )
    ((usual,),) = maria.execute("SELECT @@GLOBAL.sql_mode")
    plain = outcomes(source("s"))
    schema(f"SET GLOBAL sql_mode = '{mode}'")
    try:
        found = outcomes(source("s"))
        hidden = outcomes(source("s", user="blind"))
    finally:
        schema(f"SET GLOBAL sql_mode = '{usual}'")
    assert found == plain
    assert notes(found['a"`b']) == []
    assert "_binary" in view(found['a"`b']).representations[0].sql
    assert failure(hidden['a"`b'])[0] == "DENIED"


def test_a_short_name_of_a_function_leads_into_the_view_s_own_database(
    schema: Callable[..., None], source: Callable[..., MySQL], maria: MariaDB
) -> None:
    schema(
        "CREATE FUNCTION s.f() RETURNS int DETERMINISTIC RETURN 1",
        "USE s",
        "CREATE VIEW s.v_calls AS SELECT f() AS a, s.f() AS b, natural_sort_key('x') AS c",
    )
    assert maria.execute("SELECT a, b FROM s.v_calls") == [(1, 1)]
    crawled = view(outcomes(source("s"))["v_calls"])
    (text,) = crawled.representations
    read = scopes.names(text.sql, text.dialect)
    assert read is not None
    catalogs = Catalogs({}, {"shop": str}, {"shop": str.lower})
    places = {one: function_place(one, "shop", crawled, text, catalogs) for one in read[1]}
    assert places[("f",)] == places["s", "f"] == ("shop", "s.f"), text.sql
    with source("s") as database:
        known = {
            function.name for function in database.functions() if isinstance(function, Function)
        }
    assert "f" in known
    assert "natural_sort_key" not in known


def test_a_literal_keeps_the_character_set_that_its_view_states(
    schema: Callable[..., None], source: Callable[..., MySQL], maria: MariaDB
) -> None:
    body = (
        "SELECT _latin1'x' COLLATE latin1_bin AS l, _binary'a' AS b, _binary x'ff005c27' AS h, "
        "_latin1 x'e4' AS q, 'it''s _latin1' AS p FROM s.base WHERE name <> _utf8mb4'\u00e4'"
    )
    schema(
        "INSERT INTO s.base VALUES (1, 'x')",
        f"CREATE ALGORITHM=TEMPTABLE DEFINER=`a VIEW ``b` @`%` VIEW s.`v AS` AS {body}",
        "CREATE VIEW s.v_checked AS SELECT id FROM s.base "
        "WHERE name = _utf8mb4'x' WITH CHECK OPTION",
        "CREATE VIEW s.v_plain AS SELECT 'x' AS x",
        "CREATE USER IF NOT EXISTS `a VIEW ``b`@`%`",
        "GRANT SELECT ON s.* TO `a VIEW ``b`@`%`",
    )
    found = outcomes(source("s"))
    text = view(found["v AS"]).representations[0].sql
    maria.execute(f"CREATE VIEW s.again AS {text}")
    rows = [maria.execute(f"SELECT * FROM s.{name}") for name in ("`v AS`", "again")]
    assert rows[0] == rows[1] == [("x", b"a", b"\xff\x00\\'", "\u00e4", "it's _latin1")]
    asked = "SELECT column_type FROM information_schema.columns WHERE table_name = '{}'"
    assert maria.execute(asked.format("v AS")) == maria.execute(asked.format("again"))
    (checked,) = view(found["v_checked"]).representations
    assert checked.sql.endswith("= _utf8mb4'x'")
    assert view(found["v_plain"]).representations[0].sql == "select 'x' AS `x`"
    maria.execute("DROP USER `a VIEW ``b`@`%`")


def test_odd_names_are_names(schema: Callable[..., None], source: Callable[..., MySQL]) -> None:
    quoted = ["`" + name.replace("`", "``") + "`" for name in HOSTILE]
    schema(*(f"CREATE VIEW s.{one} AS SELECT id AS {one} FROM s.base" for one in quoted))
    found = outcomes(source("s"))
    for name in HOSTILE:
        assert [column.name for column in view(found[name]).columns] == [name]
        assert notes(found[name]) == []
    schema(*(f"CREATE DATABASE {one}" for one in quoted))
    try:
        schema(*(f"CREATE VIEW {one}.{one} AS SELECT 1 AS x" for one in quoted))
        found = outcomes(source(exclude=("s",)))
        assert [view(found[name]).identifier.namespace for name in HOSTILE] == [
            (name,) for name in HOSTILE
        ]
    finally:
        schema(*(f"DROP DATABASE {one}" for one in quoted))


def test_everything_that_the_database_states_is_kept(
    schema: Callable[..., None], source: Callable[..., MySQL], maria: MariaDB
) -> None:
    schema(
        "CREATE TABLE s.c (id int COMMENT 'of the column')",
        "CREATE USER IF NOT EXISTS maker@localhost",
        "CREATE ALGORITHM = MERGE DEFINER = maker@localhost SQL SECURITY INVOKER VIEW s.v (a) AS"
        " SELECT id FROM s.c WHERE id > 0 WITH CASCADED CHECK OPTION",
    )
    found = outcomes(source("s"))
    stated = view(found["v"])
    assert stated.security == Security(SecurityMode.INVOKER, "maker@localhost")
    assert dict(stated.properties) == {
        "algorithm": "MERGE",
        "character_set_client": "utf8mb4",
        "check_option": "CASCADED",
        "collation_connection": "utf8mb4_general_ci",
        "is_updatable": "YES",
    }
    assert [column.comment for column in stated.columns] == ["of the column"]
    (text,) = stated.representations
    assert (text.dialect, text.default_catalog, text.default_schema) == ("mysql", None, "s")
    assert text.sql == "select `s`.`c`.`id` AS `a` from `s`.`c` where `s`.`c`.`id` > 0"
    assert '"comment":"of the schema"' in found["s/"].text
    assert '"default_character_set_name":"utf8mb4"' in found["s/"].text
    assert not {"information_schema/", "mysql/", "sys/"} & outcomes(source()).keys()


def test_broken_views_are_views_with_their_text_and_a_note(
    schema: Callable[..., None], source: Callable[..., MySQL], maria: MariaDB
) -> None:
    schema(
        "CREATE TABLE s.gone (a int)",
        "CREATE USER ghost@localhost",
        "GRANT ALL ON s.* TO ghost@localhost",
        "CREATE FUNCTION s.nap() RETURNS int DETERMINISTIC RETURN sleep(5)",
        "CREATE VIEW s.a_fine AS SELECT id FROM s.base",
        "CREATE VIEW s.b_broken AS SELECT a FROM s.gone",
        "CREATE DEFINER = ghost@localhost VIEW s.c_ghost AS SELECT id FROM s.base",
        "CREATE VIEW s.d_slow AS SELECT s.nap() AS z FROM s.base WHERE s.nap() = 1",
        "CREATE ALGORITHM = TEMPTABLE VIEW s.d_slower AS SELECT s.nap() AS z",
        "CREATE VIEW s.e_fine AS SELECT id FROM s.base",
        "DROP TABLE s.gone",
        "DROP USER ghost@localhost",
    )
    found = outcomes(source("s", timeout=1))
    invalid = "1356: View 's.b_broken' references invalid table(s)"
    for broken in (found, outcomes(source("s", introspection="catalog"))):
        stated = view(broken["b_broken"])
        assert stated.columns == ()
        assert stated.representations[0].sql == "select `s`.`gone`.`a` AS `a` from `s`.`gone`"
        ((code, told),) = notes(broken["b_broken"])
        assert code == "COLUMNS_UNKNOWN"
        assert told.startswith(invalid)
    assert types(found["c_ghost"]) == {"id": "integer"}
    assert notes(found["c_ghost"]) == [
        (
            "COLUMNS_FROM_CATALOG",
            "1449: The user specified as a definer ('ghost'@'localhost') does not exist",
        )
    ]
    for name in ("d_slow", "d_slower"):
        assert types(found[name]) == {"z": "integer"}
        assert notes(found[name]) == [], "nothing that would sleep is run"
    for name in ("a_fine", "e_fine"):
        assert types(found[name]) == {"id": "integer"}
        assert notes(found[name]) == []


def test_missing_rights_are_told(
    schema: Callable[..., None], source: Callable[..., MySQL], maria: MariaDB
) -> None:
    schema(
        "CREATE VIEW s.readable AS SELECT id FROM s.base",
        "CREATE VIEW s.shown AS SELECT id FROM s.base",
        "CREATE VIEW s.unseen AS SELECT id FROM s.base",
        "CREATE OR REPLACE USER lim@localhost",
        "GRANT SELECT ON s.readable TO lim@localhost",
        "GRANT SHOW VIEW ON s.shown TO lim@localhost",
    )
    found = outcomes(source("s", user="lim"))
    assert found.keys() == {"s/", "readable", "shown"}
    code, told = failure(found["readable"])
    assert code == "DENIED"
    assert told.startswith("1142: SHOW VIEW command denied to user 'lim'@'localhost'")
    code, told = failure(found["shown"])
    assert code == "DENIED"
    assert told.startswith("1142: SELECT command denied to user 'lim'@'localhost'")
    with source("s", user="lim") as database:
        (problem,) = database.probe().problems
    assert problem.startswith("views without SHOW VIEW, which will fail: ")


def test_what_loses_its_rights_between_listing_and_fetch_is_not_gone(
    schema: Callable[..., None], source: Callable[..., MySQL], maria: MariaDB
) -> None:
    schema(
        *(f"CREATE VIEW s.{name} AS SELECT 1 AS id" for name in ("still", "left", "gone", "table")),
        *(f"CREATE DATABASE {name}" for name in ("withheld", "dropped")),
        *(f"CREATE VIEW {name}.v AS SELECT 1 AS id" for name in ("withheld", "dropped")),
        "CREATE OR REPLACE USER mid@localhost",
        *(
            f"GRANT SELECT, SHOW VIEW ON {name} TO mid@localhost"
            for name in ("s.still", "s.left", "s.gone", "s.table", "withheld.*", "dropped.*")
        ),
    )
    with source("s", "withheld", "dropped", user="mid") as database:
        listed = tuple(answer for answer in database.listing() if isinstance(answer, Listed))
        maria.execute(
            "REVOKE ALL ON s.left FROM mid@localhost",
            "REVOKE ALL ON withheld.* FROM mid@localhost",
            "DROP VIEW s.gone",
            "DROP VIEW s.table",
            "CREATE TABLE s.table (id int)",
            "DROP DATABASE dropped",
        )
        found = {
            f"{outcome.listed.namespace[0]}/{outcome.listed.name}": outcome.result
            for outcome in crawl(CrawlTask("m", listed), database)
        }
    maria.execute("DROP DATABASE withheld")
    assert {
        place: result.code for place, result in found.items() if isinstance(result, Failure)
    } == dict.fromkeys(("s/left", "withheld/", "withheld/v"), "DENIED")
    gone = {
        place: result.reason.code for place, result in found.items() if isinstance(result, Skipped)
    }
    assert gone == dict.fromkeys(("s/gone", "s/table", "dropped/", "dropped/v"), "VANISHED")
    assert found.keys() - gone.keys() == {"s/", "s/still", "s/left", "withheld/", "withheld/v"}


def test_what_is_made_anew_between_two_questions_is_not_gone(
    schema: Callable[..., None], source: Callable[..., MySQL], monkeypatch: pytest.MonkeyPatch
) -> None:
    schema("CREATE VIEW s.v AS SELECT 1 AS id")
    monkeypatch.setattr(MySQL, "_read_views", lambda *_: {})
    with source("s") as database:
        (outcome,) = crawl(CrawlTask("m", (Listed(("s",), "v"),)), database)
    assert failure(outcome) == (
        "READ_FAILED",
        "the catalog did not show it, and the server has it: it was made anew meanwhile",
    )


@pytest.fixture
def fifty(schema: Callable[..., None]) -> tuple[Listed, ...]:
    """Fifty views, as they are listed; every tenth is broken."""
    schema("CREATE TABLE s.gone (id int)")
    made = (
        f"CREATE VIEW s.v_{at} AS SELECT id FROM s.{'base' if at % 10 else 'gone'}"
        for at in range(50)
    )
    schema(*made, "DROP TABLE s.gone")
    return tuple(Listed(("s",), f"v_{number}") for number in range(50))


def fates(source: MySQL, views: tuple[Listed, ...]) -> list[str]:
    return [type(outcome.result).__name__ for outcome in crawl(CrawlTask("s", views), source)]


def test_an_error_among_prepared_statements_costs_no_other(
    fifty: tuple[Listed, ...], source: Callable[..., MySQL], maria: MariaDB
) -> None:
    with source("s") as database:
        crawled = list(crawl(CrawlTask("s", fifty), database))
        found = {outcome.listed.name: outcome for outcome in crawled}
        count = "SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'"
        assert maria.execute(count) == [("Prepared_stmt_count", "0")], "none is left behind"
    for at in range(50):
        code = [code for code, _ in notes(found[f"v_{at}"])]
        assert code == ([] if at % 10 else ["COLUMNS_UNKNOWN"])


def test_a_server_that_goes_away_and_comes_back_loses_nothing(
    fifty: tuple[Listed, ...], maria: MariaDB, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "RESTART", RESTART[:3])
    with gate(maria.socket) as door:
        url = f"mysql://127.0.0.1:{door.port}/"
        with MySQL(Options(url=url, user="root", batch=10)) as source:
            assert fates(source, fifty[1:5]) == ["View"] * 4
            door.shut()
            back = threading.Timer(1.0, door.open)
            back.start()
            assert fates(source, fifty).count("View") == 50
            assert door.accepted == 2, "one connection at a time"
            door.shut()
            told = [outcome.result for outcome in crawl(CrawlTask("s", fifty), source)]
            assert {getattr(one, "code", "") for one in told} == {"UNREACHABLE"}


def test_a_killed_connection_is_replaced(
    fifty: tuple[Listed, ...], source: Callable[..., MySQL], maria: MariaDB
) -> None:
    others = maria.connections()
    with source("s") as database:
        assert fates(database, fifty).count("View") == 50
        maria.kill_connections(others)
        assert fates(database, fifty).count("View") == 50


@pytest.mark.parametrize(("why", "number"), [("ACCOUNT LOCK", "4151"), ("PASSWORD EXPIRE", "1820")])
def test_an_account_that_is_locked_or_expired_is_denied(
    maria: MariaDB, why: str, number: str
) -> None:
    """10.11: the one at login, the other at the first statement."""
    maria.execute(f"CREATE OR REPLACE USER shut@localhost IDENTIFIED BY '' {why}")
    with (
        pytest.raises(DeniedError, match=f"^{number}") as raised,
        MySQL(Options(url=maria.url(), user="shut")) as database,
    ):
        list(database.listing())
    maria.execute("DROP USER shut@localhost")
    assert "password" in raised.value.hint


def test_a_full_server_is_told(
    fifty: tuple[Listed, ...],
    source: Callable[..., MySQL],
    maria: MariaDB,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(base, "RESTART", RESTART[:1])
    maria.execute(
        "CREATE OR REPLACE USER lonely@localhost WITH MAX_USER_CONNECTIONS 1",
        "GRANT ALL ON s.* TO lonely@localhost",
    )
    holder = maria.connect(user="lonely")
    with source("s", user="lonely") as database:
        told = [outcome.result for outcome in crawl(CrawlTask("s", fifty), database)]
        assert {getattr(one, "code", "") for one in told} == {"UNREACHABLE"}
        holder.close()
        query = "SELECT 1 FROM information_schema.processlist WHERE user = 'lonely'"
        until(lambda: not maria.execute(query))
        assert fates(database, fifty).count("View") == 50


def test_errors_of_the_driver_show_no_password() -> None:
    with pytest.raises(pymysql.MySQLError) as raised:
        pymysql.connect(host="127.0.0.1", port=1, user="u", password="canary")
    assert "canary" not in str(raised.value)
