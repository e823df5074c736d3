"""A running Spark is asked of views where they are: a real Spark Connect server, in our own JVM."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from pyspark.sql import SparkSession

from connectors.clients.credentials import Secret
from connectors.engines.spark import Options, SparkConnect
from discovery.errors import BelvedereError, ConfigurationError
from discovery.judging.asking import DIALOGUES, LiveVerdict, hear
from discovery.model import Identifier
from jobs import assess
from jobs.crawl import crawl_estate
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.tables import TABLES
from jobs.warehouse.warehouse import Warehouse
from tests.conftest import estate_in
from tests.loopback import listening

pytestmark = pytest.mark.timeout(900)
CATALOG: Final = "spark_catalog"
DATABASE: Final = "asked_spark"
CANARY: Final = "canary-51c0"
MADE: Final = (
    f"CREATE DATABASE {DATABASE}",
    f"USE {DATABASE}",
    "CREATE TABLE base (id INT, note VARCHAR(9)) USING parquet",
    "CREATE VIEW good AS SELECT id, note FROM base",
    "CREATE VIEW nested AS SELECT named_struct('a b', CAST(1 AS DECIMAL(5, 2))) AS `a``b`",
    "CREATE TABLE gone (a INT) USING parquet",
    "CREATE VIEW lost AS SELECT a FROM gone",
    "CREATE TABLE other (a INT, b INT) USING parquet",
    "CREATE VIEW broken AS SELECT b FROM other",
    "CREATE VIEW on_broken AS SELECT b FROM broken",
    "DROP TABLE gone",
    "DROP TABLE other",
    "CREATE TABLE other (a INT) USING parquet",
    "USE default",
)
SAID: Final[dict[str, tuple[bool | None, str]]] = {
    "good": (True, ""),
    "nested": (True, ""),
    "lost": (False, "`gone` cannot be found"),
    "broken": (False, "`b` cannot be resolved"),
    "on_broken": (False, "`b` cannot be resolved"),
    "missing": (None, "it has nothing of that name: see `catalogs`"),
}


@pytest.fixture(scope="module")
def server(spark: SparkSession) -> Iterator[str]:
    """A Spark Connect server that sees the tests' metastore, with views in it; its address."""
    for sql in MADE:
        spark.sql(sql)
    jvm: Any = spark._jvm
    service = getattr(jvm, "org.apache.spark.sql.connect.service.SparkConnectService$")
    running = getattr(service, "MODULE$")  # Scala's object
    context = spark.sparkContext._jsc.sc()
    context.conf().set("spark.connect.grpc.binding.port", "0")
    context.conf().set("spark.connect.grpc.binding.address", "127.0.0.1")
    running.start(context)
    yield f"sc://127.0.0.1:{running.localPort()}"
    running.stop(*[jvm.scala.Option.empty()] * 2)
    spark.sql(f"DROP DATABASE {DATABASE} CASCADE")


def asked(uri: str, name: str, catalog: str = CATALOG, database: str = DATABASE) -> LiveVerdict:
    with SparkConnect(Options(connect=uri, timeout=60)) as engine:
        return hear(DIALOGUES["spark"], catalog, Identifier((database,), name), engine.ask)


@pytest.mark.parametrize("name", SAID)
def test_the_verdict_is_the_analyzers(server: str, name: str) -> None:
    live_verdict = asked(server, name)
    accepted, part = SAID[name]
    assert live_verdict.verdict.accepted is accepted
    assert part in live_verdict.verdict.message
    assert "\n" not in live_verdict.verdict.message
    assert live_verdict.query


def test_columns_come_with_sparks_types(server: str) -> None:
    read = DIALOGUES["spark"].read
    shown = json.loads(asked(server, "good").verdict.returns or "")
    assert [(name, str(read(kind))) for name, kind in shown] == [
        ("id", "Primitive(text='integer')"),
        ("note", "Primitive(text='varchar(9)')"),
    ]
    ((name, kind),) = json.loads(asked(server, "nested").verdict.returns or "")
    assert (name, "decimal(5,2)" in str(read(kind))) == ("a`b", True)


@pytest.mark.parametrize(("catalog", "database"), [("nowhere", DATABASE), (CATALOG, "nowhere")])
def test_a_wrong_catalog_judges_no_view(server: str, catalog: str, database: str) -> None:
    live_verdict = asked(server, "good", catalog, database)
    assert live_verdict.verdict.accepted is None
    assert "see `catalogs`" in live_verdict.verdict.message


def test_the_errors_of_statements_are_not_printed(
    server: str, capfd: pytest.CaptureFixture[str]
) -> None:
    asked(server, "lost")
    assert "JVM stacktrace" not in capfd.readouterr().err


def test_assess_goes_by_what_spark_says(
    spark: SparkSession, server: str, metastore: EmbeddedMetastore, tmp_path: Path
) -> None:
    sources = {"lake": {"kind": "hms", "uri": metastore.uri, "include": [DATABASE]}}
    engines = {"spark": {"connect": server}}
    config = estate_in(tmp_path)(sources, engines=engines, catalogs={"spark": {CATALOG: "lake"}})
    run_id = crawl_estate(spark, config).run_id
    place = ["--config", str(tmp_path / "estate.yaml"), "--run-id", run_id]
    assert assess.main([*place, "--live", "--json"]) == 0
    table = Warehouse(config.warehouse).table
    live = [row for row in table(TABLES["verdicts"], run_id) if row["grade"] == "LIVE"]
    words = {True: "accepted", False: "rejected"}
    assert {row["name"]: row["verdict"] for row in live} == {
        name: words[accepted] for name, (accepted, _) in SAID.items() if accepted is not None
    }
    assert {(row["engine"], row["version"]) for row in live} == {("spark", spark.version)}
    cells = {row["name"]: (row["status"], row["grade"]) for row in table(TABLES["matrix"], run_id)}
    assert cells["good"] == cells["nested"] == ("native", "LIVE")
    assert cells["lost"][0] == cells["broken"][0] == "rejected"
    drift = [row for row in table(TABLES["findings"], run_id) if row["code"] == "COLUMNS_DRIFT"]
    assert drift == []


def drip(client: socket.socket) -> None:
    client.recv(1024)
    time.sleep(30)


def hang_up(client: socket.socket) -> None:
    client.recv(1024)


def talk(client: socket.socket) -> None:
    client.recv(1024)
    client.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


@pytest.mark.parametrize("conversation", [drip, hang_up, talk])
def test_what_is_no_answer_is_told_in_time(conversation: Callable[[socket.socket], None]) -> None:
    begun = time.monotonic()
    with (
        listening(conversation) as port,
        SparkConnect(Options(connect=f"sc://127.0.0.1:{port}", timeout=3)) as engine,
        pytest.raises(BelvedereError) as told,
    ):
        engine.version()
    assert told.value.code == "UNREACHABLE"
    assert "\n" not in str(told.value)
    assert time.monotonic() - begun < 20


@pytest.mark.parametrize(
    ("stated", "why"),
    [
        ({"connect": "http://h:1"}, "not of the form sc://host:port"),
        ({"connect": f"sc://h:1/;token={CANARY}"}, "not of the form sc://host:port"),
        ({"connect": "sc://h:1", "token": Secret(CANARY)}, "a token and a ca_file are for TLS"),
        ({"connect": "sc://h:1", "ca_file": "a.pem"}, "a token and a ca_file are for TLS"),
        ({"connect": "sc://h:1", "user": "a;token=b"}, "the user is no name"),
    ],
)
def test_how_it_is_asked_is_looked_over(stated: dict[str, Any], why: str) -> None:
    with pytest.raises(ConfigurationError, match=why) as told:
        Options(**stated)
    assert CANARY not in str(told.value)


def test_an_authority_that_is_not_there_is_told() -> None:
    tls = Options(
        connect="sc://127.0.0.1:1/;use_ssl=true", ca_file="/no/such.pem", token=Secret(CANARY)
    )
    with (
        SparkConnect(tls) as engine,
        pytest.raises(ConfigurationError, match=r"/no/such\.pem: No such file") as told,
    ):
        engine.version()
    assert CANARY not in str(told.value)
