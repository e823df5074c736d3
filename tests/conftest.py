"""What tests share: Spark, an embedded metastore and PostgreSQL, started when first asked."""

import base64
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import boto3
import pytest
from hypothesis import HealthCheck, settings
from moto.server import ThreadedMotoServer
from py4j.java_gateway import java_import
from pyspark.sql import SparkSession

from connectors.clients.java import LATE_OPTIMIZER
from connectors.judges import kept
from discovery.ports import SqlJudge
from jobs.assessing.jars import provide
from jobs.configuration import loader
from jobs.configuration.loader import RunConfig
from jobs.console.session import spark_session
from jobs.embedded.iceberg import EmbeddedCatalog
from jobs.embedded.metastore import EmbeddedMetastore, embedded_metastore
from jobs.embedded.postgres import EmbeddedPostgreSQL, embedded_postgresql
from jobs.embedded.thrift_writer import Writer, writer
from jobs.tables import TABLES
from jobs.warehouse.warehouse import Warehouse
from tests.backing import Backed, on_mariadb, on_postgresql
from tests.iceberg_server import IcebergServer
from tests.iceberg_server import iceberg_server as serving_iceberg
from tests.kerberos import Kdc, kdc
from tests.paimon_server import PaimonDouble, paimon_double
from tests.recorded.answers import Answers, served
from tests.servers import MariaDB, mariadb

REPOSITORY = Path(__file__).parent.parent
QUICK_JAVA = "-XX:TieredStopAtLevel=1"
"""For what ends within seconds: Java's second compiler takes half of the time, for later."""
LONG_JAVA = " ".join((*LATE_OPTIMIZER, "-Xmn450m", "-XX:+UseSerialGC"))
"""For Spark's driver of all tests of a process. The second compiler takes 40 s first; from the
twelfth turn of `sync` on, each costs a seventh less CPU than with the first alone. Plans and their
rows are soon garbage: with half of the heap for what is new, fewer of them are copied."""
_OFTEN_CALLED = (
    "org.apache.spark.sql.functions",
    "org.apache.spark.api.python.PythonUtils",
    "org.apache.spark.api.python.SimplePythonFunction",
    "org.apache.spark.sql.api.python.PythonSQLUtils",
)
"""What PySpark calls by its short name a thousand times in a command: Java looks for a name in 280
archives, for each package that it may be in, until it is imported whole."""
_CLASSES = REPOSITORY / ".venv" / "java-classes.jsa"
"""What `tests/java_classes.py` writes; `make test` sees to that."""
QUICK_SPARK = {
    # of a few rows: code that is made for them costs more than it saves
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.shuffle.partitions": "2",
    # each table that is broadcast takes one, which Java fills with zeros
    "spark.buffer.pageSize": "512k",
}
if _CLASSES.exists() and " " not in str(_CLASSES):  # `BELVEDERE_SPARK_CONF` has none in a value
    QUICK_SPARK["spark.driver.defaultJavaOptions"] = f"-XX:SharedArchiveFile={_CLASSES}"
QUICK = " ".join(
    [
        f"spark.driver.extraJavaOptions={QUICK_JAVA}",
        f"spark.executor.extraJavaOptions={QUICK_JAVA}",
        *(f"{key}={value}" for key, value in QUICK_SPARK.items()),
    ]
)
"""What `BELVEDERE_SPARK_CONF` says for commands in processes of their own."""
os.environ.setdefault("BELVEDERE_SPARK_CONF", QUICK)
os.environ.setdefault(kept.MOST, "8")  # each turn of a session asks judges

# a busy machine takes seconds for anything
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # behind `nohup`, or `&` of a script: what tests start would be deaf to their Ctrl-C as well
    signal.signal(signal.SIGINT, signal.default_int_handler)

if not hasattr(sys.modules["__main__"], "__file__"):
    # a worker of pytest-xdist: PySpark's Connect takes it for a doctest, and exits
    sys.modules["__main__"].__file__ = __file__


STARTING = {
    "spark",
    "metastore",
    "postgresql",
    "backed",
    "maria",
    "on_maria",
    "granting",
    "granting_maria",
    "realm",
}
"""Fixtures that start a server or Spark."""
LATE = "BELVEDERE_TESTS_LATE_AFTER"
"""The variable with the seconds after which variants marked `deep` are left out; unset: none is."""
_BEGUN = time.monotonic()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that start Spark or a server are marked by what they ask for, and begin.

    Their files take minutes; those with variants that a late run leaves out are the last of them.
    At the end, the many of a second keep both processes busy.
    """
    starting, deep = set(), set()
    for item in items:
        if STARTING & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.spark)
            starting.add(item.path)
        if item.get_closest_marker("deep"):
            deep.add(item.path)
    items.sort(key=lambda item: (item.path not in starting, item.path in deep))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out one more variant of what has been tested where CI would not end in its time."""
    late = os.environ.get(LATE)
    if late and item.get_closest_marker("deep") and time.monotonic() - _BEGUN > float(late):
        pytest.skip(f"the run is late: {late} s have passed, and a variant of this was tested")


@pytest.fixture(scope="session")
def metastore(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedMetastore]:
    """A real metastore."""
    with embedded_metastore(tmp_path_factory.mktemp("hms")) as running:
        yield running


@pytest.fixture(scope="session")
def spark(metastore: EmbeddedMetastore) -> Iterator[SparkSession]:
    """A local session of two cores: what executors run is pickled to Python workers there, too.

    Executors in processes of their own are the subject of tests/spark/test_processes.py. The
    session's own catalog is the embedded metastore, so that Spark can make views in it.
    """
    settings = {
        "spark.master": "local[2]",
        "spark.driver.memory": "1g",
        "spark.driver.extraJavaOptions": LONG_JAVA,
        **QUICK_SPARK,
        "spark.hadoop.hive.metastore.uris": metastore.uri,
        "spark.sql.catalogImplementation": "hive",
        "spark.sql.warehouse.dir": metastore.warehouse.as_uri(),
    }
    session = spark_session("tests", settings)
    for name in _OFTEN_CALLED:
        java_import(session._jvm, name)
    yield session
    session.stop()


@pytest.fixture(scope="session")
def hms(metastore: EmbeddedMetastore) -> Iterator[Writer]:
    """A connection that may write to the metastore."""
    with writer(metastore.uri) as connection:
        yield connection


@pytest.fixture(scope="session")
def outside() -> Iterator[str]:
    """A folder that is not below pytest's own.

    Each pytest that begins closes those to all but its user. A PostgreSQL that root has started is
    another user, and ends when it cannot read its folder any more.
    """
    with TemporaryDirectory(prefix="belvedere-tests-") as folder:
        yield folder


@pytest.fixture(scope="session")
def postgresql(outside: str) -> Iterator[EmbeddedPostgreSQL]:
    """A real PostgreSQL."""
    with embedded_postgresql(Path(outside) / "pg") as running:
        yield running


@pytest.fixture(scope="session")
def backed(
    spark: SparkSession, postgresql: EmbeddedPostgreSQL, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Backed]:
    """A real metastore on PostgreSQL."""
    with on_postgresql(spark, postgresql, tmp_path_factory.mktemp("backed")) as running:
        yield running


@pytest.fixture(scope="session")
def on_maria(
    spark: SparkSession, maria: MariaDB, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Backed]:
    """A real metastore on MariaDB."""
    with on_mariadb(spark, maria, tmp_path_factory.mktemp("backed")) as running:
        yield running


@pytest.fixture(scope="session")
def granting(outside: str) -> Iterator[EmbeddedPostgreSQL]:
    """A PostgreSQL where only tests of rights make roles: a role is of the whole server."""
    with embedded_postgresql(Path(outside) / "granting") as running:
        yield running


@pytest.fixture(scope="session")
def maria(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MariaDB]:
    """A real MariaDB."""
    yield from _mariadb(tmp_path_factory.mktemp("maria"))


@pytest.fixture(scope="session")
def granting_maria(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MariaDB]:
    """A MariaDB where only tests of rights make users and roles."""
    yield from _mariadb(tmp_path_factory.mktemp("granting"))


def _mariadb(folder: Path) -> Iterator[MariaDB]:
    try:
        with mariadb(folder) as running:
            yield running
    except FileNotFoundError as error:
        if "CI" in os.environ:
            raise
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def realm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kdc]:
    """A real KDC."""
    try:
        with kdc(tmp_path_factory.mktemp("kdc")) as running:
            yield running
    except FileNotFoundError as error:
        if "CI" in os.environ:
            raise
        pytest.skip(str(error))


@pytest.fixture
def iceberg(tmp_path: Path) -> Iterator[EmbeddedCatalog]:
    """An empty Iceberg JDBC catalog on SQLite."""
    catalog = EmbeddedCatalog(tmp_path / "iceberg")
    yield catalog
    catalog.close()


@pytest.fixture
def iceberg_server() -> Iterator[IcebergServer]:
    """An empty Iceberg REST catalog."""
    with serving_iceberg() as server:
        yield server


@pytest.fixture
def iceberg_rest() -> Iterator[Answers]:
    """Recorded answers of an Iceberg REST server, over a real socket."""
    path = Path(__file__).parent / "recorded" / "iceberg_rest.json"
    with served(Answers.of(path)) as answers:
        yield answers


@pytest.fixture(scope="session")
def glue() -> Iterator[Any]:
    """A client of moto's Glue, which may write; its endpoint is `glue.meta.endpoint_url`."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    keys = {"aws_access_key_id": "x", "aws_secret_access_key": "x", "region_name": "us-east-1"}
    yield boto3.Session().client("glue", endpoint_url=f"http://{host}:{port}", **keys)
    server.stop()


@pytest.fixture
def paimon_server() -> Iterator[PaimonDouble]:
    """An empty Paimon REST catalog."""
    with paimon_double() as server:
        yield server


@pytest.fixture
def paimon_rest() -> Iterator[Answers]:
    """Recorded answers of Paimon's REST test server, over a real socket."""
    with served(Answers.of(Path(__file__).parent / "recorded" / "paimon_rest.json")) as answers:
        yield answers


@pytest.fixture
def estate(tmp_path: Path) -> Callable[..., RunConfig]:
    """Makes a checked configuration of sources, targets and other keys, in a folder of its own."""
    return estate_in(tmp_path)


def estate_in(folder: Path) -> Callable[..., RunConfig]:
    """Makes a checked configuration of sources, targets and other keys in a folder."""

    def make(sources: dict[str, Any], **keys: Any) -> RunConfig:
        path = folder / "estate.yaml"
        lines = ["warehouse: warehouse", "sources:"]
        lines += [f"  {name}: {_flow(options)}" for name, options in sources.items()]
        lines += [f"{key}: {_flow(value)}" for key, value in keys.items()]
        path.write_text("\n".join(lines), encoding="utf-8")
        return loader.load(path)

    return make


def outcome_rows(config: RunConfig, run_id: str) -> list[dict[str, Any]]:
    """What became of each object of a run, in one order: to compare runs."""
    rows = Warehouse(config.warehouse).table(TABLES["outcomes"], run_id)
    return sorted(rows, key=lambda row: (row["source"], row["key"], row["entity"]))


def judge_of(engine: str, spark: SparkSession) -> SqlJudge:
    """A judge with its jars; a test that needs it is skipped where they cannot be had."""
    (provided,) = provide(spark, [engine], os.environ.get("BELVEDERE_JARS_DIR"))
    if provided.missing:
        assert "CI" not in os.environ, provided.missing
        pytest.skip(provided.missing)
    return provided.judge()


def _flow(value: Any) -> str:
    return json.dumps(value)  # JSON is YAML


def hive_entry(name: str, sql: str, database: str = "rel") -> dict[str, Any]:
    """An entry of a view as Hive writes it, with the column `id`."""
    return {
        "dbName": database,
        "tableName": name,
        "tableType": "VIRTUAL_VIEW",
        "owner": "o",
        "parameters": {},
        "partitionKeys": [],
        "viewOriginalText": sql,
        "viewExpandedText": sql,
        "sd": {"cols": [{"name": "id", "type": "int"}], "serdeInfo": {"parameters": {}}},
    }


def spark_entry(name: str, sql: str, database: str = "rel") -> dict[str, Any]:
    """An entry of a view as Spark writes it, in its session catalog."""
    parameters = {
        "spark.sql.create.version": "4.3.0",
        "view.catalogAndNamespace.numParts": "2",
        "view.catalogAndNamespace.part.0": "spark_catalog",
        "view.catalogAndNamespace.part.1": database,
        "view.query.out.numCols": "1",
        "view.query.out.col.0": "id",
    }
    return {**hive_entry(name, sql, database), "parameters": parameters}


def trino_entry(name: str, sql: str, database: str = "rel", **members: Any) -> dict[str, Any]:
    """An entry of a view as Trino writes it, in a catalog that it calls `hive`.

    Args:
        name: Of the view.
        sql: Its text.
        database: That it is in.
        members: Members of Trino's JSON that are otherwise, or there, too.
    """
    view = {
        "originalSql": sql,
        "catalog": "hive",
        "schema": database,
        "columns": [{"name": "id", "type": "integer"}],
        "runAsInvoker": True,
        **members,
    }
    text = base64.b64encode(json.dumps(view).encode()).decode()
    return {
        **hive_entry(name, f"/* Presto View: {text} */", database),
        "parameters": {"presto_view": "true", "comment": "Presto View"},
        "viewExpandedText": "/* Presto View */",
    }
