"""The functions that sources know: real servers, and what moto lacks of Glue."""

from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest

from connectors.clients.credentials import Secret
from connectors.glue import Glue
from connectors.glue import Options as GlueOptions
from connectors.hms import HiveMetastore, IcebergHive
from connectors.hms import Options as HmsOptions
from connectors.hms_stores.native import MetastoreStore
from connectors.hms_stores.native import Options as StoreOptions
from connectors.jdbc.mysql import MySQL
from connectors.jdbc.mysql import Options as MySQLOptions
from connectors.jdbc.postgresql import Options as PostgreSQLOptions
from connectors.jdbc.postgresql import PostgreSQL
from connectors.jdbc.starrocks import StarRocks
from connectors.memory import MemorySource
from connectors.registry import Connector
from discovery.errors import CollisionError, NamespaceError, StoreError, UnreachableError
from discovery.functions import Function, FunctionFile, FunctionSource, Parameter, Signature
from discovery.outcomes import Failure
from jobs.assessing.workers.functions import list_functions
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.embedded.postgres import EmbeddedPostgreSQL
from jobs.embedded.thrift_writer import Writer
from tests.contract.test_errors_after_commits import erring
from tests.glue_stub import GlueStub, glue_stub
from tests.servers import MariaDB


def login(stub: GlueStub) -> GlueOptions:
    return GlueOptions(**stub.options(aws_secret_access_key=Secret("x")))


def functions(source: FunctionSource, schema: str) -> list[Function | Failure]:
    """What a source says of a schema that a test has made."""
    return [
        function
        for function in source.functions()
        if isinstance(function, Failure) or function.namespace == (schema,)
    ]


def test_a_metastore_knows_functions_by_their_class(
    metastore: EmbeddedMetastore, hms: Writer
) -> None:
    schema = "fun"
    hms.create_database(schema, f"{metastore.warehouse.as_uri()}/{schema}.db")
    hms.create_function(schema, "Twice", "example.Twice", "alice", "s3://x/t.jar")
    with HiveMetastore(HmsOptions(uri=metastore.uri)) as source:
        jar = (FunctionFile("jar", "s3://x/t.jar"),)
        wanted = Function((schema,), "Twice", None, "JAVA", "example.Twice", "alice", jar)
        assert functions(source, schema) == [wanted]
        assert source.fold_function("Twice") == "twice"
    with IcebergHive(HmsOptions(uri=metastore.uri)) as source:
        assert list(source.functions()) == []


def test_postgresql_tells_functions_of_one_name_apart_by_their_arguments(
    postgresql: EmbeddedPostgreSQL,
) -> None:
    body = "LANGUAGE sql AS 'SELECT 1'"
    postgresql.execute(
        (
            "DROP SCHEMA IF EXISTS fun CASCADE",
            "CREATE SCHEMA fun",
            f"CREATE FUNCTION fun.f(a int, b text) RETURNS int {body}",
            f"CREATE FUNCTION fun.f() RETURNS int {body}",
            f'CREATE FUNCTION fun."F"(OUT x int) {body}',
            f"CREATE PROCEDURE fun.p() {body}",
            "CREATE AGGREGATE fun.total(int) (SFUNC = int4pl, STYPE = int)",
        )
    )
    with PostgreSQL(PostgreSQLOptions(url=postgresql.url(), user="postgres")) as source:
        assert set(functions(source, "fun")) == {
            Function(("fun",), "F", "", "sql", None, "postgres"),
            Function(("fun",), "f", "", "sql", None, "postgres"),
            Function(("fun",), "f", "integer, text", "sql", None, "postgres"),
            Function(("fun",), "total", "integer", "internal", None, "postgres"),
        }
        assert functions(source, "pg_catalog") == []


def test_postgresql_tells_what_functions_take_and_return(postgresql: EmbeddedPostgreSQL) -> None:
    body = "LANGUAGE sql AS 'SELECT 1'"
    postgresql.execute(
        (
            "DROP SCHEMA IF EXISTS fun CASCADE",
            "CREATE SCHEMA fun",
            "CREATE TYPE fun.mood AS ENUM ('good')",
            f"CREATE FUNCTION fun.named(a int, b fun.mood, c text DEFAULT 'x') RETURNS int {body}",
            f"CREATE FUNCTION fun.bare(int[], numeric(5,2)) RETURNS int {body}",
            f"CREATE FUNCTION fun.nothing() RETURNS int {body}",
            f"CREATE FUNCTION fun.many() RETURNS SETOF int {body}",
            f"CREATE FUNCTION fun.row() RETURNS TABLE (a int) {body}",
            f"CREATE FUNCTION fun.variadic(VARIADIC a int[]) RETURNS int {body}",
            "CREATE AGGREGATE fun.total(int) (SFUNC = int4pl, STYPE = int)",
        )
    )
    with PostgreSQL(PostgreSQLOptions(url=postgresql.url(), user="postgres")) as source:
        found = functions(source, "fun")
    postgresql.execute(["DROP SCHEMA fun CASCADE"])
    assert {one.name: one.signature for one in found if isinstance(one, Function)} == {
        "named": Signature(
            (
                Parameter("a", "integer", may_lack=False),
                Parameter("b", "fun.mood", may_lack=False),
                Parameter("c", "text", may_lack=True),
            ),
            "integer",
        ),
        "bare": Signature(
            (Parameter("", "integer[]", may_lack=False), Parameter("", "numeric", may_lack=False)),
            "integer",
        ),
        "nothing": Signature((), "integer"),
        **dict.fromkeys(("many", "row", "variadic", "total")),
    }


def test_mariadb_knows_stored_functions_and_no_procedures(maria: MariaDB) -> None:
    maria.execute(
        "DROP DATABASE IF EXISTS fun",
        "CREATE DATABASE fun",
        "CREATE FUNCTION fun.Twice(a int) RETURNS int DETERMINISTIC RETURN a * 2",
        "CREATE PROCEDURE fun.p() SELECT 1",
    )
    with MySQL(MySQLOptions(url=maria.url(), user="root")) as source:
        assert functions(source, "fun") == [
            Function(("fun",), "Twice", None, "SQL", None, "root@localhost")
        ]
        assert source.fold_function("Twice") == "twice"
        assert functions(source, "sys") == [], "the server has functions of its own there"


def test_glue_is_asked_for_every_page_of_all_databases() -> None:
    entries: list[dict[str, Any]] = [
        {"DatabaseName": "db", "FunctionName": f"f{number:03}", "ClassName": "C", "OwnerName": "o"}
        for number in range(150)
    ]
    entries[-1]["ResourceUris"] = [{"ResourceType": "JAR", "Uri": "s3://x/t.jar"}]
    with glue_stub(GlueStub({}, functions=entries)) as stub, Glue(login(stub)) as source:
        found = list(source.functions())
    assert found[-1] == Function(
        ("db",), "f149", None, "JAVA", "C", "o", (FunctionFile("jar", "s3://x/t.jar"),)
    )
    assert len(found) == 150
    assert [body.get("NextToken") for _, body in stub.asked] == [None, "100"]


def listed(name: str, connector: Connector) -> list[dict[str, object]]:
    """Rows, as an executor makes them."""
    names = pa.record_batch({"source": [name]})
    batches = list_functions({name: connector})([names])
    return [row for batch in batches for row in batch.to_pylist()]


def test_what_breaks_off_is_a_row_and_what_came_before_it_stays() -> None:
    entries = [{"DatabaseName": "Db", "FunctionName": f"F.{number:03}"} for number in range(101)]
    stub = GlueStub({}, functions=entries)
    stub.refused["GetUserDefinedFunctions", "", 1] = "AccessDeniedException", 9
    with glue_stub(stub):
        rows = listed("g", Connector("glue", login(stub)))
    assert len(rows) == 101
    assert rows[0]["key"] == "db.f%2E000"
    assert rows[100]["key"] is None
    assert str(rows[100]["message"]).startswith("DENIED: get_user_defined_functions")


def test_a_source_that_is_away_is_a_row() -> None:
    connector = Connector("hms", HmsOptions(uri="thrift://127.0.0.1:1", timeout=1))
    (row,) = listed("lake", connector)
    assert (row["source"], row["key"]) == ("lake", None)
    assert str(row["message"]).startswith("UNREACHABLE")


def _typed(memory: MemorySource, starrocks: StarRocks) -> tuple[FunctionSource, ...]:
    """What the port asks for; mypy looks."""
    return memory, starrocks


def test_a_metastore_keeps_a_function_with_its_files_and_tells_who_was_faster(
    metastore: EmbeddedMetastore, hms: Writer
) -> None:
    schema = "fun_kept"
    hms.create_database(schema, f"{metastore.warehouse.as_uri()}/{schema}.db")
    files = tuple(FunctionFile(kind, f"s3://x/{kind}") for kind in ("jar", "file", "archive"))
    stated = Function((schema,), "Twice", None, "JAVA", "example.Twice", "alice", files)
    with MetastoreStore(StoreOptions(uri=metastore.uri)) as store:
        kept = store.kept_functions
        held = kept.hold(stated)
        assert list(kept.present([held.place])) == []
        assert kept.make(held)
        assert list(kept.present([held.place])) == [held]
        assert not kept.make(held), "it was there"
        with pytest.raises(CollisionError):
            kept.make(replace(held, implementation="example.Other"))
        with pytest.raises(NamespaceError):
            kept.make(replace(held, namespace=("nowhere",)))
        assert kept.drop(held)
        assert not kept.drop(held)
        assert not kept.drop(replace(held, namespace=("nowhere",)))
        assert list(kept.present([held.place])) == []


def test_an_error_behind_the_commit_is_no_failure_and_a_lost_answer_is_one(
    metastore: EmbeddedMetastore, hms: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    schema = "fun_erring"
    hms.create_database(schema, f"{metastore.warehouse.as_uri()}/{schema}.db")
    stated = Function((schema,), "twice", None, "JAVA", "example.Twice", "alice")
    with MetastoreStore(StoreOptions(uri=metastore.uri)) as store:
        kept, client = store.kept_functions, store._client
        failed = StoreError("a listener failed")
        with monkeypatch.context() as patched:
            patched.setattr(client, "create_function", erring(client.create_function, failed))
            assert kept.make(stated)
            patched.setattr(client, "drop_function", erring(client.drop_function, failed))
            assert kept.drop(stated)
        lost = UnreachableError("gone")
        monkeypatch.setattr(client, "create_function", erring(client.create_function, lost))
        with pytest.raises(UnreachableError):
            kept.make(stated)
        assert kept.drop(stated)
