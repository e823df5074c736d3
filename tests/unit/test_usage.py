"""What logs of engines say of the use of views, and what that proves: from lines as recorded."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import orjson
import pytest

from connectors.clients.log_files import lines_of
from discovery.errors import ConfigurationError
from discovery.lineage.references import Catalogs
from discovery.lineage.scopes import touched
from discovery.model import encoded
from discovery.usage import hive, postgresql, spark, trino
from discovery.usage.coverage import Covered, State, UsageWindow, readers, state, unproven
from discovery.usage.model import Logged, Query, Reader, Unreadable, in_utc
from discovery.usage.repeats import Repeats
from discovery.usage.resolving import Key, KnownViews, Log, Uses, by_words, closure, uses
from discovery.usage.statements import names_within, of_reading, queries_within, without_values

RECORDED = Path(__file__).parents[1] / "recorded" / "usage"
BERLIN = ZoneInfo("Europe/Berlin")
PREFIX = "%m [%p] %q%u@%d app=%a "


def entries(name: str, reader: Reader) -> list[Logged]:
    with lines_of(str(RECORDED / name)) as lines:
        return list(reader(lines))


def queries(found: Iterable[Logged]) -> list[Query]:
    return [logged.found for logged in found if isinstance(logged.found, Query)]


def of_trino(lines: Iterable[tuple[int, bytes]]) -> Iterator[Logged]:
    return trino.read(lines, orjson.loads)


def of_spark(lines: Iterable[tuple[int, bytes]]) -> Iterator[Logged]:
    return spark.EventLog(orjson.loads).read(lines)


def numbered(*lines: bytes) -> Iterator[tuple[int, bytes]]:
    return iter([*enumerate(lines, 1)])


def known(*views: str, reads: Mapping[str, tuple[str, ...]] | None = None) -> KnownViews:
    """Views of a run, each `source.schema.name`."""
    keys = {view: key_of(view) for view in views}
    catalogs = Catalogs(
        {"trino": {"memory": "lake"}, "spark": {"spark_catalog": "lake"}},
        {"lake": str.lower, "shop": str},
    )
    edges = {keys[name]: [keys[base] for base in bases] for name, bases in (reads or {}).items()}
    below = closure({key: edges.get(key, []) for key in keys.values()})
    named = ((key, view.rpartition(".")[2]) for view, key in keys.items())
    return KnownViews(catalogs, frozenset(keys.values()), below, by_words(named))


def key_of(view: str) -> Key:
    source, *levels = view.split(".")
    return source, encoded(levels)


LAKE = known("lake.sales.eu", "lake.sales.big", "lake.other.eu")
TRINO = Log("trino")


def spelled(found: frozenset[Key]) -> list[str]:
    return sorted(f"{source}.{key}" for source, key in found)


def test_a_query_of_trino_names_views_and_reads_others_through_them() -> None:
    found = [
        uses(query, TRINO, LAKE, touched) for query in queries(entries("trino.jsonl", of_trino))
    ]
    direct = Counter(view for one in found for view in spelled(one.direct))
    assert direct == {"lake.sales.big": 1, "lake.sales.eu": 6}, "one failed"
    assert [spelled(one.below) for one in found if one.below] == [["lake.sales.eu"]]
    assert not [one for one in found if one.mentioned or not one.is_told]


def test_what_creates_describes_or_explains_a_view_of_trino_does_not_use_it() -> None:
    whole = entries("trino.jsonl", of_trino)
    lines = (RECORDED / "trino.jsonl").read_text(encoding="utf-8").splitlines()
    told = [
        json.loads(lines[logged.line - 1])["metadata"]["query"] for logged in whole if logged.found
    ]
    assert not [sql for sql in told if sql.startswith(("CREATE VIEW", "EXPLAIN S", "DESC", "SHOW"))]
    assert sum(logged.lines for logged in whole) == len(lines)


def test_a_query_of_our_own_is_no_use() -> None:
    line = {"context": {"queryType": "SELECT", "source": "belvedere"}, "metadata": {}, "endTime": 1}
    (logged,) = of_trino(numbered(json.dumps(line).encode()))
    assert logged.found is None


@pytest.mark.parametrize("line", [b'{"metadata": {', b"[1]", b"\xff\xfe", b"", b'"x"', b"[" * 9999])
def test_a_line_that_is_no_event_is_told_and_not_shown(line: bytes) -> None:
    for reader in (of_trino, of_spark):
        (logged,) = reader(numbered(line))
        assert isinstance(logged.found, Unreadable)
        assert logged.found.why in {"is no JSON", "is JSON, and no object"}


def test_a_plan_of_spark_has_views_only_where_it_is_explained_as_extended() -> None:
    named = [query for query in queries(entries("spark-extended.jsonl", of_spark)) if query.named]
    eu, big = ("spark_catalog", "sales", "eu"), ("spark_catalog", "sales", "big")
    assert [query.named for query in named] == [(big,), (eu,), (big,), (eu,), (big,), (eu,)]
    assert {query.below for query in named if query.named == (big,)} == {(eu,)}
    blind = queries(entries("spark-default.jsonl", of_spark))
    assert blind
    assert {uses(query, Log("spark"), LAKE, touched) for query in blind} == {Uses(is_told=False)}


def test_a_description_that_is_a_statement_says_what_spark_reads() -> None:
    found = queries(entries("spark-sql.jsonl", of_spark))
    short, whole = (uses(query, Log("spark", "lake"), LAKE, touched) for query in found)
    assert spelled(whole.direct) == ["lake.sales.eu"]
    assert not short.direct
    assert spelled(short.mentioned) == ["lake.other.eu", "lake.sales.eu"], "USE is not in the log"


@pytest.mark.parametrize("name", ["local-*.lz4", "local-*.snappy", "eventlog_v2_*/events_1_*.zstd"])
def test_an_event_log_is_read_as_spark_has_compressed_it(name: str) -> None:
    (path,) = RECORDED.glob(name)
    found = entries(str(path.relative_to(RECORDED)), of_spark)
    assert sum(logged.lines for logged in found) == 20
    assert [query.named for query in queries(found) if query.named] == [
        (("spark_catalog", "default", "v"),)
    ]


def test_an_event_log_that_spark_has_made_shorter_says_that_it_does_not_know() -> None:
    event = {"Event": "SparkListenerApplicationStart", "Timestamp": 1, "User": "u"}
    line = json.dumps(event, separators=(",", ":")).encode()
    (logged,) = spark.EventLog(orjson.loads, is_compacted=True).read(numbered(line))
    assert logged.found == Query(datetime(1970, 1, 1, 0, 0, 0, 1000, tzinfo=UTC), "u")


SHOP = known("shop.sales.eu", "shop.sales.big", "shop.public.total", "lake.sales.eu")
POSTGRESQL = Log("postgresql", "shop", {"shop": "shop"})


@pytest.mark.parametrize("form", ["log", "csv", "json"])
def test_each_form_of_the_log_of_postgresql_says_the_same(form: str) -> None:
    name = f"postgresql.{form}"
    read = entries(name, postgresql.reader(name, PREFIX, BERLIN, orjson.loads))
    lines = (RECORDED / name).read_bytes().count(b"\n")
    assert sum(logged.lines for logged in read) == lines
    assert not [logged for logged in read if isinstance(logged.found, Unreadable)]
    found = queries(read)
    assert {query.time.replace(minute=0, second=0, microsecond=0) for query in found} == {
        datetime(2026, 11, 23, 4, tzinfo=UTC)
    }
    assert [query.is_sampled for query in found] == [False] * 12 + [True] * 2
    used = [uses(query, POSTGRESQL, SHOP, touched) for query in found]
    direct = Counter(view for one in used for view in spelled(one.direct))
    assert direct == {
        "shop.sales.eu": 8,
        "shop.sales.big": 3,
        "shop.public.total": 1,
    }
    mentioned = [spelled(one.mentioned) for one in used if one.mentioned]
    assert mentioned == [["shop.sales.eu"]], "search_path is not in the log"
    assert "hunter2" not in repr([logged for logged in read if not isinstance(logged.found, Query)])


def counted_once(files: Iterable[Iterable[Query]]) -> Counter[tuple[datetime, str]]:
    repeats, times = Repeats(), Counter[tuple[datetime, str]]()
    for file in files:
        repeats.begin_file()
        times.update(
            (query.time, " ".join(query.sql.split()))
            for query in file
            if not repeats.is_repeated(query)
        )
    return times


def test_statements_that_stand_in_all_forms_of_a_log_are_counted_once() -> None:
    forms = [
        queries(entries(name, postgresql.reader(name, PREFIX, BERLIN, orjson.loads)))
        for name in ("postgresql.csv", "postgresql.json", "postgresql.log")
    ]
    once = counted_once(forms[:1])
    assert once == counted_once(forms) == counted_once(forms[::-1])
    assert once.total() == len(forms[0]), "as often as a file has them, the same ones in a second"


def test_statements_that_only_some_forms_of_a_log_have_are_all_counted() -> None:
    noon = datetime(2026, 11, 23, 12, 0, 0, 500_000, tzinfo=UTC)
    early, late = Query(noon, sql="select 1"), Query(noon + timedelta(hours=1), sql="select 1")
    seconds = replace(early, time=noon.replace(microsecond=0), sql="select\n\t1")
    twice = counted_once([[early, early], [seconds, late]])
    assert twice.total() == 3


@pytest.mark.parametrize(
    ("line", "is_read"),
    [
        (b"01:02 main LOG:  ending log output to stderr", True),
        (b'main HINT:  Future log output will go to log destination "csvlog".', True),
        (b"main LOG:  statement: select 'LOG:  ending log output to stderr", False),
        (b"main LOG:  database system is ready", False),
    ],
)
def test_that_a_server_writes_another_form_is_said_in_lines_of_any_prefix(
    line: bytes, is_read: bool
) -> None:
    (logged,) = postgresql.reader("x.log", PREFIX, BERLIN, orjson.loads)(numbered(line))
    assert (logged.found is None) is is_read


def test_a_line_of_another_prefix_cannot_be_read() -> None:
    read = entries(
        "postgresql.log", postgresql.reader("x.log", "%m %u [%p] ", BERLIN, orjson.loads)
    )
    assert any(isinstance(logged.found, Unreadable) for logged in read)


@pytest.mark.parametrize("prefix", ["", "%p ", "time "])
def test_a_prefix_without_a_time_is_refused(prefix: str) -> None:
    with pytest.raises(ConfigurationError, match="has no time"):
        postgresql.prefix_pattern(prefix)


CSV_OF_15 = (
    b"2026-11-30 20:22:24.980 UTC,,,11716,,6b0ddb00.2dc4,1,,2026-11-30 20:22:24 UTC,,0,LOG,00000,"
    b'"parameter ""log_destination"" changed to ""stderr,csvlog""",,,,,,,,,"","postmaster",,0'
)
JSON_OF_15 = (
    b'{"timestamp":"2026-11-30 20:22:24.980 UTC","pid":11716,"error_severity":"LOG",'
    b'"message":"parameter \\"log_destination\\" changed to \\"stderr,jsonlog\\""}'
)


@pytest.mark.parametrize(
    ("lines", "reads"),
    [
        ([CSV_OF_15], []),
        ([JSON_OF_15], []),
        (
            [
                CSV_OF_15.replace(b"parameter", b"statement: select *\nfrom v --"),
                b"2026-11-30 20:22:25.000 UTC [1] LOG:  statement: select 1",
            ],
            ["select *\nfrom v -- ", "select 1"],
        ),
        ([JSON_OF_15.replace(b"parameter", b"statement: select 1 --")], ["select 1 -- "]),
    ],
)
def test_a_message_of_csv_or_json_in_the_file_of_lines_is_read(
    lines: list[bytes], reads: list[str]
) -> None:
    split = b"\n".join(lines).split(b"\n")
    reader = postgresql.reader("x.log", "%m [%p] ", BERLIN, orjson.loads)
    read = list(reader(numbered(*split)))
    assert sum(logged.lines for logged in read) == len(split)
    assert not [logged for logged in read if isinstance(logged.found, Unreadable)]
    assert [query.sql.partition('"')[0] for query in queries(read)] == reads


def test_a_record_of_csv_that_is_cut_off_costs_itself_in_the_file_of_lines() -> None:
    line = b"2026-11-30 20:22:25.000 UTC [1] LOG:  statement: select 1"
    reader = postgresql.reader("x.log", "%m [%p] ", BERLIN, orjson.loads)
    read = list(reader(numbered(CSV_OF_15[:120], line, b"rubbish", line)))
    assert [isinstance(logged.found, Unreadable) for logged in read] == [True, False, True, False]


def test_a_prefix_that_looks_like_csv_is_one() -> None:
    line = b'2026-11-30 20:22:25.000 UTC,"ann","shop",1,LOG:  statement: select \'"\''
    reader = postgresql.reader("x.log", '%m,"%u","%d",%p,', BERLIN, orjson.loads)
    assert [query.user for query in queries(reader(numbered(line, line)))] == ["ann", "ann"]


def test_an_open_quote_costs_its_own_record() -> None:
    lines = (RECORDED / "postgresql.csv").read_bytes().splitlines()
    lines.insert(3, lines[14].replace(b'sales.big"', b"sales.big"))
    reader = postgresql.reader("x.csv", PREFIX, BERLIN, orjson.loads)
    read = list(reader(numbered(*lines)))
    assert [logged.line for logged in read if isinstance(logged.found, Unreadable)] == [4]
    assert sum(logged.lines for logged in read) == len(lines)


def test_a_statement_of_hive_may_have_lines() -> None:
    read = entries("hive.log", lambda lines: hive.read(lines, BERLIN))
    assert sum(logged.lines for logged in read) == (RECORDED / "hive.log").read_bytes().count(b"\n")
    big, eu = queries(read)
    assert big.time == datetime(2026, 11, 20, 7, 0, 1, 901000, tzinfo=UTC)
    assert spelled(uses(big, Log("hive", "lake"), LAKE, touched).direct) == ["lake.sales.big"]
    found = uses(eu, Log("hive", "lake"), LAKE, touched)
    assert spelled(found.mentioned) == ["lake.other.eu", "lake.sales.eu"]


@pytest.mark.parametrize(
    ("sql", "wanted"),
    [
        ("-- x\n/* y */ SELECT 1", True),
        ("(select 1) union (select 2)", True),
        ("with a as (select 1) select * from a", True),
        ("create table a as select * from v", True),
        ("EXPLAIN ANALYZE select * from v", True),
        ("explain (costs off, analyze) select * from v", True),
        ("( ( -- x\n select 1 ) )", True),
        ("call p()", True),
        ("refresh materialized view m", True),
        ("BEGIN;SELECT * FROM v", True),
        ("set search_path = 'a;b', \"c;d\"; /* ; */ table v", True),
        ("create temporary view t as select * from v", True),
        ("CREATE OR REPLACE GLOBAL TEMP VIEW t AS SELECT * FROM v", True),
        ("cache lazy table t as select * from v", True),
        ("replace table t as select * from v", True),
        ("begin; set x = 1; commit;", False),
        ("create function f() as $a$ begin; select 1; end $a$", False),
        ("set x = 'a; select 1'", False),
        ("explain (costs off) select * from v", False),
        ("create view v as select 1", False),
        ("explain select * from v", False),
        ("drop view v", False),
        ("SET search_path = x", False),
        ("", False),
        ("-- nothing", False),
    ],
)
def test_a_statement_reads_or_not(sql: str, wanted: bool) -> None:
    found = of_reading(sql)
    assert (found is not None and found.is_statement) == wanted


@pytest.mark.parametrize("mark", ["/*", "'", '"', "$$", "--", ";", "create table x;"])
def test_a_statement_is_looked_at_once(mark: str) -> None:
    assert of_reading("begin" + f" {mark} begin" * 20_000) is None


@pytest.mark.parametrize(
    ("begin", "more"),
    [
        ("declare ", "default ("),
        ("create table x ", "as/*"),
        ("explain analyze ", "explain analyze "),
        ("begin ", "begin "),
        ("select 1", "; begin; /*"),
        ("select 'select '", "$a$b$ 'select"),
    ],
)
def test_what_stands_within_a_statement_is_looked_at_once(begin: str, more: str) -> None:
    texts = "".join(more.replace("a", f"a{number}") for number in range(20_000))
    of_reading(begin + more * 20_000)
    assert len(list(queries_within(begin + texts))) <= 20_001
    assert len(list(names_within(f"{begin}{texts}'x'::regclass"))) <= 1


@pytest.mark.parametrize(
    ("sql", "wanted"),
    [
        (
            "select 'a', 12.5 from v1 where x=$1 and y = 7",
            "select '', 0 from v1 where x=$1 and y = 0",
        ),
        ('select 1 from "v 1"', None),
        ("select 1 from `v 1`", None),
        ("select 1 -- it's v\nfrom w -- isn't", None),
        ("select $$'$$, 1 from v where x = 'y'", None),
        ("select * from identifier('v')", None),
    ],
)
def test_values_are_made_alike_only_where_no_name_can_be_in_them(
    sql: str, wanted: str | None
) -> None:
    assert without_values(sql) == (sql if wanted is None else wanted)


@pytest.mark.parametrize(
    ("sql", "wanted"),
    [
        ("BEGIN;select * from sales.eu", ["direct"]),
        ("create temp view t as select * from sales.eu", ["direct"]),
        ("cache table sales.eu", ["mentioned"]),
        ("create view t as select * from sales.eu", []),
        ("begin; select * from sales.eu; commit", ["direct"]),
        ("call p(); select * from sales.eu", ["mentioned"]),
        ("do $$ begin perform * from sales.eu; end $$", ["mentioned"]),
        ("select * from crosstab('select a, b, c from sales.eu') as x(a int)", ["mentioned"]),
        ("select * from dblink($q$ (select a from sales.eu) $q$)", ["mentioned"]),
        ("select 'select it from sales.eu', 1", ["mentioned"]),
        ("select 1 where x = 'sales.eu'", []),
        ("select table_to_xml('sales.eu', true, false, '')", ["mentioned"]),
        ("select table_to_xml_and_xmlschema ( 'eu', true, false, '')", ["mentioned"]),
        ("select query_to_xml('select * from sales.eu', true, false, '')", ["mentioned"]),
        ("select 'sales.eu'::regclass", ["mentioned"]),
        ("""select cast('"sales"."eu"' as pg_catalog.regclass)""", ["mentioned"]),
        ("select regclass 'shop.sales.eu', 'x'", ["mentioned"]),
        ("select 'other.eu'::regclass, 'sales.eu'", []),
        ("select 'sales.eu'::text, $$sales.eu$$ from pg_class where oid = 'x'::regclass", []),
        ("create /* x */ table t as select * from sales.eu", ["direct"]),
        ("explain/* x */analyze select * from sales.eu", ["direct"]),
        ("explain analyze create table x as table sales.eu", ["direct"]),
        ("explain analyze declare c cursor for select * from sales.eu", ["direct"]),
        ('declare "a for b" cursor for select * from sales.eu', ["direct"]),
        ("declare c no scroll cursor without hold for table sales.eu", ["direct"]),
        ("copy (select * from sales.eu) to stdout", ["direct"]),
    ],
)
def test_what_reads_a_view_behind_another_word_is_no_proof_that_nobody_does(
    sql: str, wanted: list[str]
) -> None:
    line = f"2026-11-23 05:39:54.747 UTC [1] LOG:  statement: {sql}".encode()
    read = postgresql.reader("x.log", "%m [%p] ", BERLIN, orjson.loads)(numbered(line))
    found = [
        uses(replace(query, catalog="shop"), POSTGRESQL, SHOP, touched) for query in queries(read)
    ]
    seen = [sort for one in found for sort in ("direct", "mentioned") if getattr(one, sort)]
    assert seen == wanted


@pytest.mark.parametrize(
    "sql",
    [
        "call p()",
        "do $$ x $$",
        "execute p",
        "refresh materialized view m",
        "alter materialized view m rebuild",
        "explain analyze execute p",
        "create table t as execute p",
        "select 1; call p()",
        "begin; update t set a = 1; execute p; commit",
    ],
)
def test_a_statement_that_does_not_say_what_it_reads_is_no_proof(sql: str) -> None:
    found = of_reading(sql)
    assert found is not None
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    query = Query(moment, catalog="shop", sql=found.text, tells_all=found.tells_all)
    assert uses(query, POSTGRESQL, SHOP, touched) == Uses(is_told=False)


@pytest.mark.parametrize(
    ("sql", "wanted"),
    [
        ("SET VAR x = (SELECT max(a) FROM sales.eu)", ["direct"]),
        ("SET VARIABLE x = 1 + (SELECT a FROM sales.eu), y = 2", ["direct"]),
        ("SET VAR (x, y) = (SELECT a, b FROM sales.eu)", ["direct"]),
        ("DECLARE OR REPLACE VARIABLE x INT DEFAULT (SELECT max(a) FROM sales.eu)", ["direct"]),
        ("DECLARE x = (FROM sales.eu SELECT a)", ["direct"]),
        ("DECLARE x INT DEFAULT 5", None),
        ("SET spark.x = sales.eu", None),
        ("EXECUTE IMMEDIATE 'SELECT * FROM sales.eu'", ["mentioned", "untold"]),
        ("EXECUTE IMMEDIATE s USING 5", ["untold"]),
        ("SELECT * FROM IDENTIFIER(:t)", ["untold"]),
        ("SELECT * FROM sales.eu, identifier (concat('sales.', t))", ["mentioned", "untold"]),
        ("SELECT * FROM IDENTIFIER('sales.eu')", ["direct"]),
        ("BEGIN SELECT * FROM sales.eu; END", ["mentioned"]),
        ("BEGIN DECLARE x INT; SET x = (SELECT 1 FROM sales.eu); END", ["mentioned"]),
        ("BEGIN CREATE TABLE t (a INT); END", None),
        ("CREATE TABLE t USING parquet SELECT * FROM sales.eu", ["direct"]),
        ("CREATE TABLE t FROM sales.eu SELECT a", ["direct"]),
        ("CREATE TABLE t (a INT)", None),
        ("CREATE MANAGED TABLE t AS SELECT * FROM sales.eu", ["mentioned"]),
        ("CREATE VIEW t AS TABLE sales.eu", None),
    ],
)
def test_a_query_within_a_statement_of_spark_or_hive_is_read(
    sql: str, wanted: list[str] | None
) -> None:
    found = of_reading(sql)
    if wanted is None:
        assert found is None
        return
    assert found is not None
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    query = Query(moment, sql=found.text, tells_all=found.tells_all)
    used = uses(query, Log("spark", "lake"), LAKE, touched)
    told = {"direct": used.direct, "mentioned": used.mentioned, "untold": not used.is_told}
    assert [name for name, there in told.items() if there] == wanted


def _begun(description: str, plan: str) -> bytes:
    event = {
        "Event": "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart",
        "executionId": 1,
        "time": 1,
        "description": description,
        "physicalPlanDescription": plan,
    }
    return json.dumps(event, separators=(",", ":")).encode()


@pytest.mark.parametrize(
    ("description", "plan", "wanted"),
    [
        ("update customers", "(1) Scan parquet x", False),
        ("select active customers", "(1) Scan parquet x", False),
        ("optimize customers", "(1) Scan parquet x", False),
        ("SELECT 1", "(1) Scan OneRowRelation", True),
        ("select * from t", "(1) Scan parquet x", True),
        ("update t set a = 1", "(1) Scan parquet x", True),
    ],
)
def test_a_description_that_only_begins_as_a_statement_does_not_say_what_is_read(
    description: str, plan: str, wanted: bool
) -> None:
    (query,) = queries(of_spark(numbered(_begun(description, plan))))
    assert uses(query, Log("spark", "lake"), LAKE, touched).is_told == wanted


@pytest.mark.parametrize(
    ("description", "plan", "wanted"),
    [
        ("load customers", "(1) Scan parquet x", True),
        ("create view v as select 1", "Execute X", False),
        ("collect at x.py:1", "Execute X", True),
    ],
)
def test_a_description_of_spark_is_believed_as_far_as_the_plan_bears_it_out(
    description: str, plan: str, wanted: bool
) -> None:
    (logged,) = of_spark(numbered(_begun(description, plan)))
    assert (logged.found is not None) == wanted


@pytest.mark.parametrize(
    ("longest", "is_told"), [("20", False), ("21", True), ("?", True), (None, True)]
)
def test_a_description_of_spark_that_is_as_long_as_it_may_be_is_no_proof(
    longest: str | None, is_told: bool
) -> None:
    """`SELECT a.id FROM a JOIN b` of Spark 4.3 reads of `a` alone once it is cut."""
    settings = {} if longest is None else {"spark.sql.event.truncate.length": longest}
    event = {"Event": "SparkListenerEnvironmentUpdate", "Spark Properties": settings}
    lines = numbered(
        json.dumps(event, separators=(",", ":")).encode(),
        _begun("SELECT a.id FROM a J", "(1) Scan parquet x"),
    )
    (query,) = queries(of_spark(lines))
    assert uses(query, Log("spark", "lake"), LAKE, touched).is_told is is_told


_ANALYZED = """== Parsed Logical Plan ==
'Project [*]

== Analyzed Logical Plan ==
Project [id#1]
+- View (`spark_catalog`.`sales`.`eu`, [id#1])
   +- Project [1 AS id#1]
"""


@pytest.mark.parametrize(
    ("plan", "is_told"),
    [
        (f"{_ANALYZED}\n== Optimized Logical Plan ==\nProject [1]\n", True),
        (f"{_ANALYZED}\n== Optimized Logical Plan ==\nProj... 4096 more characters", True),
        (f"{_ANALYZED}... 2787 more characters", False),
        (f"{_ANALYZED[:60]}... 2787 more characters", False),
        ("Truncated plan of 5000 characters", False),
    ],
)
def test_a_plan_of_spark_that_is_cut_off_does_not_say_all_that_it_reads(
    plan: str, is_told: bool
) -> None:
    (query,) = queries(of_spark(numbered(_begun("collect at x.py:1", plan))))
    found = uses(query, Log("spark", "lake"), LAKE, touched)
    assert found.is_told is is_told
    assert spelled(found.direct) == (["lake.sales.eu"] if _ANALYZED in plan else [])


@pytest.mark.parametrize("word", ["Describe", "ExplainCommand x", "CreateViewCommand x"])
def test_a_text_with_lines_in_a_plan_of_spark_is_not_taken_for_its_root(word: str) -> None:
    """`select '\\nDescribe' as x, id from sales.eu` of Spark 4.3."""
    plan = (
        f"== Analyzed Logical Plan ==\nx: string, id: int\nProject [\n{word} AS x#2, id#1]\n"
        "+- View (`spark_catalog`.`sales`.`eu`, [id#1])\n== Optimized Logical Plan ==\nProject\n"
    )
    (query,) = queries(of_spark(numbered(_begun("collect at x.py:1", plan))))
    assert query.named == (("spark_catalog", "sales", "eu"),)


def _job(scan: str, **properties: str) -> bytes:
    """A job as Spark 4.3 begins it."""
    scope = json.dumps({"id": "5", "name": scan}, separators=(",", ":"))
    stage = {"Stage ID": 0, "RDD Info": [{"RDD ID": 1, "Name": "FileScanRDD", "Scope": scope}]}
    event = {
        "Event": "SparkListenerJobStart",
        "Job ID": 1,
        "Submission Time": 1000,
        "Stage Infos": [stage],
        "Properties": {"callSite.short": "count at x.py:8", **properties},
    }
    return json.dumps(event, separators=(",", ":")).encode()


@pytest.mark.parametrize(
    ("scan", "is_untold"),
    [
        ("Scan parquet spark_catalog.sales.orders", True),
        ("Scan hive spark_catalog.sales.orders", True),
        ("BatchScan lake.sales.orders", True),
        ("Scan In-memory table sales.eu", True),
        ("Scan text ", False),  # of files: the schema of a CSV is looked for
        ("Scan ExistingRDD", False),
        ("parallelize", False),
    ],
)
def test_a_table_that_spark_scans_outside_every_execution_is_no_proof(
    scan: str, is_untold: bool
) -> None:
    """`spark.table("sales.eu").rdd.count()` and `.foreach(…)` are jobs and no executions."""
    (logged,) = of_spark(numbered(_job(scan)))
    untold = Query(datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC))
    assert logged.found == (untold if is_untold else None)
    (logged,) = of_spark(numbered(_job(scan, **{"spark.sql.execution.id": "3"})))
    assert logged.found is None


@pytest.mark.parametrize(
    ("description", "is_told"), [("select * from t", True), ("load customers", False)]
)
def test_a_plan_that_is_cut_off_is_not_believed_to_scan_nothing(
    description: str, is_told: bool
) -> None:
    line = _begun(description, "== Physical Plan ==\n... 99 more characters")
    (query,) = queries(of_spark(numbered(line)))
    assert uses(query, Log("spark", "lake"), LAKE, touched).is_told is is_told


def test_only_a_select_shows_that_a_log_of_postgresql_has_them() -> None:
    lines = (
        b"2026-11-23 05:39:54.747 UTC [1] LOG:  statement: insert into t select * from sales.eu",
        b"2026-11-23 05:39:54.748 UTC [1] LOG:  statement: select 1",
    )
    read = postgresql.reader("x.log", "%m [%p] ", BERLIN, orjson.loads)(numbered(*lines))
    assert [query.shows_reads for query in queries(read)] == [False, True]


def test_a_text_that_nobody_can_read_mentions_views_and_uses_none() -> None:
    query = Query(datetime(2026, 1, 1, tzinfo=UTC), catalog="shop", sql="select ((( from sales.eu")
    found = uses(query, POSTGRESQL, SHOP, touched)
    assert (spelled(found.mentioned), found.direct) == (["shop.sales.eu"], frozenset())


@pytest.mark.parametrize(
    "sql",
    [
        "select * from crosstab('select * from sales.top') as t (x text)",
        "select ((( from sales.top",
        "select 'sales.top'::regclass, * from sales.other",
    ],
)
def test_what_a_view_reads_that_may_be_used_may_be_used_too(sql: str) -> None:
    reads = {"shop.sales.top": ("shop.sales.middle",), "shop.sales.middle": ("shop.sales.low",)}
    views = known("shop.sales.top", "shop.sales.middle", "shop.sales.low", reads=reads)
    query = Query(datetime(2026, 1, 1, tzinfo=UTC), catalog="shop", sql=sql)
    found = uses(query, POSTGRESQL, views, touched)
    assert spelled(found.mentioned) == ["shop.sales.low", "shop.sales.middle", "shop.sales.top"]
    assert not found.direct | found.below


def test_what_is_read_for_sure_is_not_only_mentioned() -> None:
    reads = {"shop.sales.top": ("shop.sales.low",)}
    views = known("shop.sales.top", "shop.sales.low", reads=reads)
    sql = "select 'sales.top'::regclass, * from sales.low"
    query = Query(datetime(2026, 1, 1, tzinfo=UTC), catalog="shop", sql=sql)
    found = uses(query, POSTGRESQL, views, touched)
    assert (spelled(found.direct), spelled(found.mentioned)) == (
        ["shop.sales.low"],
        ["shop.sales.top"],
    )


@pytest.mark.parametrize(("name", "written"), [('e"u', '"e""u"'), ("e`u", '"e`u"')])
def test_a_quote_in_the_name_of_a_view_is_doubled(name: str, written: str) -> None:
    views = known(f"shop.sales.{name}")
    sql = f"select * from sales.{written}"
    query = Query(datetime(2026, 1, 1, tzinfo=UTC), catalog="shop", sql=sql)
    assert uses(query, POSTGRESQL, views, touched).direct == {key_of(f"shop.sales.{name}")}


def test_functions_in_the_place_of_a_table_name_none() -> None:
    sql = "select * from rows from (generate_series(1, 2), now()) r, sales.eu"
    query = Query(datetime(2026, 1, 1, tzinfo=UTC), catalog="shop", sql=sql)
    assert spelled(uses(query, POSTGRESQL, SHOP, touched).direct) == ["shop.sales.eu"]


def test_a_query_of_another_database_is_elsewhere() -> None:
    query = Query(datetime(2026, 1, 1, tzinfo=UTC), catalog="other", sql="select * from sales.eu")
    assert uses(query, POSTGRESQL, SHOP, touched) == Uses()


def test_a_catalog_that_no_source_is_said_to_be_is_told() -> None:
    query = Query(datetime(2026, 1, 1, tzinfo=UTC), named=(("hive", "sales", "eu"),))
    lost = uses(query, TRINO, LAKE, touched)
    assert (lost.outside, lost.direct) == (frozenset({"hive"}), frozenset())
    assert spelled(lost.mentioned) == ["lake.sales.eu"], "it may be there"
    homeless = replace(query, named=None, sql="select * from sales.eu")
    assert spelled(uses(homeless, Log("hive"), LAKE, touched).mentioned) == ["lake.sales.eu"]
    found = uses(query, Log("trino", "lake", has_only_home=True), LAKE, touched)
    assert spelled(found.direct) == ["lake.sales.eu"]


def test_what_a_used_view_reads_is_used_at_any_depth() -> None:
    views = known(
        *("shop.s.a", "shop.s.b", "shop.s.c", "shop.s.d"),
        reads={"shop.s.a": ("shop.s.b",), "shop.s.b": ("shop.s.c", "shop.s.a")},
    )
    query = Query(datetime(2026, 1, 1, tzinfo=UTC), catalog="shop", sql="select * from s.a, s.b")
    found = uses(query, POSTGRESQL, views, touched)
    assert spelled(found.direct) == ["shop.s.a", "shop.s.b"]
    assert spelled(found.below) == ["shop.s.c"]


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("2026-11-23 05:39:54.747 CET", "2026-11-23T04:39:54.747000+00:00"),
        ("2026-11-23 05:39:54.747 UTC", "2026-11-23T05:39:54.747000+00:00"),
        ("2026-11-23 05:39:54 +05", "2026-11-23T00:39:54+00:00"),
        ("2026-11-23T05:39:54,100", "2026-11-23T04:39:54.100000+00:00"),
        ("2026-11-23T05:39:54.747Z", "2026-11-23T05:39:54.747000+00:00"),
        ("0001-01-01T00:00:00", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_a_time_is_of_the_zone_that_it_says_or_else_of_the_logs(
    written: str, wanted: str | None
) -> None:
    found = in_utc(written, BERLIN)
    assert (found and found.isoformat()) == wanted


TODAY = date(2026, 11, 23)
WINDOW = UsageWindow.until(TODAY, 90)
EVERY = frozenset(TODAY - timedelta(days=one) for one in range(100))


def covered(days: Iterable[date], **more: object) -> Covered:
    return Covered("trino x", "trino", None, frozenset(days), **more)  # type: ignore[arg-type] # fields as a map


@pytest.mark.parametrize(
    ("log", "wanted"),
    [
        (covered(EVERY), ""),
        (covered(day for day in EVERY if day.weekday() < 5), ""),
        (covered(day for day in EVERY if (TODAY - day).days < 3), "begins on 2026-11-21"),
        (covered(day for day in EVERY if (TODAY - day).days > 9), "no query between 2026-11-13"),
        (covered(day for day in EVERY if not 20 < (TODAY - day).days < 30), "no query between"),
        (covered(()), "no query since"),
        (covered(EVERY, blind=frozenset({TODAY})), "does not say what all queries read on 1 day"),
        (covered(EVERY, unreadable=7), "has 7 lines that cannot be read"),
    ],
)
def test_a_log_proves_only_the_days_that_it_has(log: Covered, wanted: str) -> None:
    found = unproven("lake", ["trino"], [log], WINDOW)
    assert wanted in found
    assert bool(wanted) == bool(found)


def test_every_engine_and_every_log_of_it_has_to_have_the_days() -> None:
    whole, short = covered(EVERY), covered([TODAY])
    assert unproven("lake", ["trino", "spark"], [whole], WINDOW) == "no log of spark is read"
    assert "begins on" in unproven("lake", ["trino"], [whole, short], WINDOW)
    elsewhere = Covered("trino y", "trino", frozenset({"shop"}), EVERY)
    assert unproven("lake", ["trino"], [elsewhere], WINDOW) == "no log of trino is read"


def test_those_may_read_a_view_whose_text_it_has_or_that_see_its_source() -> None:
    every = ["trino", "spark", "hive"]
    assert readers(["trino"], ["spark"], every) == {"trino", "spark"}
    assert readers(["flink"], [], every) == {"flink"}


def test_spark_and_hive_read_each_other_s_views_of_the_metastore_that_both_begin_in() -> None:
    every, at_home = ["trino", "spark", "hive"], ["spark", "hive"]
    assert readers(["hive"], [], every, at_home) == {"hive", "spark"}
    assert readers(["spark", "trino"], [], every, at_home) == {"hive", "spark", "trino"}
    assert readers(["hive"], [], ["hive", "trino"], at_home) == {"hive"}, "the estate has no Spark"
    assert readers(["trino"], [], every, at_home) == {"trino"}, "which neither of them reads"


@pytest.mark.parametrize(
    ("seen", "why", "wanted"),
    [
        ((TODAY, None, None), "", State.USED),
        ((None, TODAY, None), "", State.READ),
        ((None, None, TODAY), "", State.MENTIONED),
        ((None, None, None), "", State.UNUSED),
        ((WINDOW.first - timedelta(days=1), None, None), "", State.UNUSED),
        ((WINDOW.first, None, None), "x", State.USED),
        ((None, None, None), "x", State.UNPROVEN),
    ],
)
def test_only_what_logs_prove_is_proposed(
    seen: tuple[date | None, date | None, date | None], why: str, wanted: State
) -> None:
    assert state(*seen, WINDOW, why) == wanted
