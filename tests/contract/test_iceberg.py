"""Iceberg catalogs beyond the contract: what their servers and databases can do to a crawl."""

import gzip
import json
import os
import pickle
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from connectors.clients.credentials import Secret
from connectors.glue import Glue
from connectors.glue import Options as GlueOptions
from connectors.iceberg.jdbc import JdbcCatalog
from connectors.iceberg.jdbc import Options as JdbcOptions
from connectors.iceberg.rest import Options as RestOptions
from connectors.iceberg.rest import RestCatalog
from discovery.crawl import crawl
from discovery.errors import BelvedereError, ConfigurationError, UnreachableError
from discovery.model import Schema, View
from discovery.outcomes import Failure, Kind, Listed, Outcome, Skipped
from discovery.ports import CrawlTask, ViewSource
from jobs.configuration.loader import RunConfig
from jobs.embedded.iceberg import EmbeddedCatalog, NewView
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.embedded.postgres import EmbeddedPostgreSQL
from jobs.embedded.thrift_writer import Writer
from tests.iceberg_server import IcebergServer
from tests.loopback import Request, serving
from tests.recorded.answers import Answers
from tests.servers import MariaDB, gate

COLUMN = {"id": 1, "name": "x", "required": False, "type": "int"}
VIEW = NewView([COLUMN], {"spark": "SELECT 1 AS x", "trino": "SELECT 1 x"}, ("sales",))

LAYOUT = """
    CREATE TABLE iceberg_tables (catalog_name {text}, table_namespace {text}, table_name {text},
      metadata_location VARCHAR(1000), previous_metadata_location VARCHAR(1000),
      iceberg_type VARCHAR(5), PRIMARY KEY (catalog_name, table_namespace, table_name))
"""  # as Iceberg's JdbcUtil makes it
INSERT = "INSERT INTO iceberg_tables VALUES ('c', 'sales.eu', 'v', '{uri}', NULL, 'VIEW')"


def crawled(source: ViewSource) -> dict[str, Outcome]:
    """Outcomes by dotted name."""
    with source:
        listing = list(source.listing())
        listed = [item for item in listing if isinstance(item, Listed)]
        outcomes = [Outcome(item.listed, item) for item in listing if isinstance(item, Failure)]
        outcomes += crawl(CrawlTask("s", tuple(listed)), source)
    found = {str(outcome.listed.identifier): outcome for outcome in outcomes}
    assert len(found) == len(listing), "one outcome for each listed object"
    return found


def test_a_rest_catalog_that_is_started_again_in_mid_crawl_changes_nothing(
    iceberg_rest: Answers,
) -> None:
    port = int(iceberg_rest.uri.rpartition(":")[2])
    unbroken = crawled(RestCatalog(RestOptions(uri=iceberg_rest.uri, include=("contract",))))
    with (
        gate(port) as door,
        RestCatalog(
            RestOptions(uri=f"http://127.0.0.1:{door.port}", include=("contract",))
        ) as source,
    ):
        listed = tuple(item for item in source.listing() if isinstance(item, Listed))
        door.shut()
        threading.Timer(4.0, door.open).start()
        broken = list(crawl(CrawlTask("s", listed), source))
    texts = {name: outcome.text for name, outcome in unbroken.items()}
    assert {str(outcome.listed.identifier): outcome.text for outcome in broken} == texts
    assert all(texts[name] for name in ("contract.v_one", "contract.v_two"))


def test_a_rest_catalog_that_is_started_again_while_it_is_listed_changes_nothing(
    iceberg_rest: Answers,
) -> None:
    pages = {"rest-page-size": "2"}
    with RestCatalog(RestOptions(uri=iceberg_rest.uri, properties=pages)) as source:
        unbroken = list(source.listing())
    with (
        gate(int(iceberg_rest.uri.rpartition(":")[2])) as door,
        RestCatalog(RestOptions(uri=f"http://127.0.0.1:{door.port}", properties=pages)) as source,
    ):
        listing = source.listing()
        first = next(listing)
        door.shut()
        threading.Timer(4.0, door.open).start()
        assert [first, *listing] == unbroken
    assert any(isinstance(item, Listed) and item.kind is Kind.VIEW for item in unbroken)


@pytest.mark.parametrize("status", [502, 503, 504])
def test_a_catalog_that_is_started_again_behind_a_proxy_changes_nothing(
    iceberg_server: IcebergServer, status: int
) -> None:
    iceberg_server.spaces = {("ice",): {}}
    usual, refused = iceberg_server.answer, iter(range(5))

    def answer(request: Request) -> tuple[int, bytes]:
        if "/views" in request.path and next(refused, None) is not None:
            return status, b"<html>nginx</html>"
        return usual(request)

    with (
        serving(answer, "application/json") as uri,
        RestCatalog(RestOptions(uri=uri)) as source,
    ):
        assert list(source.listing()) == [Listed(("ice",), "", Kind.NAMESPACE)]
    assert next(refused, None) is None, "it was asked again for longer than urllib3 does"


def test_views_of_spark_and_pyiceberg_arrive_from_rest_through_pages_and_nested_namespaces(
    iceberg_rest: Answers,
) -> None:
    options = RestOptions(uri=iceberg_rest.uri, properties={"rest-page-size": "2"})
    found = crawled(RestCatalog(options))
    views = {name for name, outcome in found.items() if isinstance(outcome.result, View)}
    assert views == {
        *("contract.v_one", "contract.v_two", "ice.eu.west.v_deep"),
        *("ice.v_cols", "ice.v_plain", "ice.v_types", "ice.v_versions"),
        *("py.p_cat", "py.p_ns0", "py.p_two"),
    }
    golden = Path(__file__).parents[1] / "golden" / "iceberg"
    for path in golden.glob("rest_*-[pv]_*.json"):
        case = json.loads(path.read_text(encoding="utf-8"))
        payload = case["raw"]["payload"]
        name = ".".join((*payload["namespace"], payload["name"]))
        assert json.loads(found[name].text) == case["view"], "as the engine itself reports it"
    west = found["ice.eu.west."].result
    assert isinstance(west, Schema)
    assert (west.levels, west.comment) == (("ice", "eu", "west"), "the west")
    assert any("pageToken" in path for path, _ in iceberg_rest.seen)


def test_a_bearer_token_is_sent_and_is_in_no_raw_object(iceberg_rest: Answers) -> None:
    config = json.dumps({"defaults": {}, "overrides": {"namespace-separator": "."}})
    iceberg_rest.said["/v1/config"] = 200, config
    status, body = iceberg_rest.said["/v1/namespaces/contract/views/v_one"]
    vended = json.loads(body) | {"config": {"s3.secret-access-key": "vended"}}
    iceberg_rest.said["/v1/namespaces/contract/views/v_one"] = status, json.dumps(vended)
    options = RestOptions(
        uri=iceberg_rest.uri, properties={"token": Secret("hush-hush")}, include=("contract",)
    )
    found = crawled(RestCatalog(pickle.loads(pickle.dumps(options))))  # noqa: S301 - our own
    assert isinstance(found["contract.v_one"].result, View), "a server that lists no endpoints"
    assert {sent for _, sent in iceberg_rest.seen} == {"Bearer hush-hush"}
    assert "vended" not in found["contract.v_one"].raw
    assert "hush" not in repr(options)


@pytest.mark.parametrize(
    ("status", "code"), [(403, "DENIED"), (401, "DENIED"), (500, "READ_FAILED")]
)
def test_a_view_that_the_server_refuses_costs_no_other(
    iceberg_rest: Answers, status: int, code: str
) -> None:
    error = {"error": {"message": "not for you", "type": "E", "code": status}}
    iceberg_rest.forget("/views/v_one", status, json.dumps(error))
    found = crawled(RestCatalog(RestOptions(uri=iceberg_rest.uri, include=("contract",))))
    failure = found["contract.v_one"].result
    assert isinstance(failure, Failure)
    assert (failure.code, "not for you" in failure.message) == (code, True)
    assert isinstance(found["contract.v_two"].result, View)


def test_a_namespace_that_cannot_be_listed_is_a_failure_and_the_others_go_on(
    iceberg_rest: Answers,
) -> None:
    error = {"error": {"message": "no USE on ice", "type": "ForbiddenException", "code": 403}}
    iceberg_rest.forget("/namespaces/ice/views?", 403, json.dumps(error))
    options = RestOptions(uri=iceberg_rest.uri, properties={"rest-page-size": "2"})
    found = crawled(RestCatalog(options))
    failure = found["ice."].result
    assert isinstance(failure, Failure)
    assert (failure.stage, failure.code) == ("list", "DENIED")
    assert isinstance(found["py.p_two"].result, View)
    assert isinstance(found["ice.eu.west.v_deep"].result, View), "what is below is listed"


@pytest.mark.parametrize(("status", "failed"), [(404, set()), (403, {"ice.*."})])
def test_a_server_that_does_not_nest_costs_no_view_of_the_top_level(
    iceberg_rest: Answers, status: int, failed: set[str]
) -> None:
    error = {"error": {"message": "no children", "type": "E", "code": status}}
    iceberg_rest.forget("parent=ice", status, json.dumps(error))
    options = RestOptions(uri=iceberg_rest.uri, properties={"rest-page-size": "2"})
    found = crawled(RestCatalog(options))
    assert {
        name for name, outcome in found.items() if isinstance(outcome.result, Failure)
    } == failed
    assert isinstance(found["ice.v_plain"].result, View)
    assert isinstance(found["py.p_two"].result, View)


@pytest.mark.parametrize("outer", ["sales eu", "a/b", "100%", "é", "a+b", "x&y=z", "a.b"])
def test_what_is_below_a_namespace_of_any_name_is_listed(
    iceberg_server: IcebergServer, outer: str
) -> None:
    iceberg_server.spaces = {(outer,): {}, (outer, "in ner"): {}, (outer, "in ner", "d%e"): {}}
    iceberg_server.tables = {((outer, "in ner", "d%e"), "t")}
    with RestCatalog(RestOptions(uri=iceberg_server.uri)) as source:
        found = [item for item in source.listing() if isinstance(item, Listed)]
    assert [(*listed.namespace, listed.name) for listed in found] == [
        (outer, ""),
        (outer, "in ner", ""),
        (outer, "in ner", "d%e", ""),
        (outer, "in ner", "d%e", "t"),
    ]


def test_a_namespace_that_the_server_lists_and_does_not_find_is_a_failure(
    iceberg_rest: Answers,
) -> None:
    gone = json.dumps({"error": {"message": "no such namespace", "type": "E", "code": 404}})
    iceberg_rest.forget("/namespaces/ice/", 404, gone)
    options = RestOptions(uri=iceberg_rest.uri, properties={"rest-page-size": "2"})
    found = crawled(RestCatalog(options))
    failure = found["ice."].result
    assert isinstance(failure, Failure)
    assert (failure.stage, failure.code) == ("list", "READ_FAILED")
    assert isinstance(found["py.p_two"].result, View)


_OWN = json.dumps({"error": {"message": "no route", "type": "NotFoundException", "code": 404}})


def _keep_silent_about_routes(answers: Answers) -> None:
    """As a server of before Iceberg 1.7, which did not say what it has."""
    status, config = answers.said["/v1/config"]
    stated = json.loads(config)
    del stated["endpoints"]
    answers.said["/v1/config"] = status, json.dumps(stated)


def _listed(answers: Answers, **properties: str) -> tuple[set[Kind], set[str]]:
    """The kinds of what is listed, and the failures of namespaces."""
    stated = {"rest-page-size": "2", **properties}
    with RestCatalog(RestOptions(uri=answers.uri, properties=stated)) as source:
        found = [*source.listing()]
    failures = {f"{item.code}: {item.hint}" for item in found if isinstance(item, Failure)}
    return {item.kind for item in found if isinstance(item, Listed)}, failures


def test_an_old_server_without_the_route_of_views_has_tables(iceberg_rest: Answers) -> None:
    _keep_silent_about_routes(iceberg_rest)
    iceberg_rest.forget("/views?", 404, _OWN)
    assert _listed(iceberg_rest) == ({Kind.NAMESPACE, Kind.TABLE}, set())


@pytest.mark.parametrize("states_routes", [True, False])
@pytest.mark.parametrize(
    "body", ["", "<html>404</html>", '{"message": "no Route matched with those values"}', "[]"]
)
def test_a_route_of_views_that_somebody_else_does_not_find_is_a_failure(
    iceberg_rest: Answers, body: str, states_routes: bool
) -> None:
    if not states_routes:
        _keep_silent_about_routes(iceberg_rest)
    iceberg_rest.forget("/views?", 404, body)
    kinds, (failure,) = _listed(iceberg_rest)
    assert kinds == {Kind.TABLE}, "the failure stands for the namespace"
    assert "proxy" in failure
    if not states_routes:
        stated = {"view-endpoints-supported": "false"}
        assert "view-endpoints-supported" in failure
        assert _listed(iceberg_rest, **stated) == ({Kind.NAMESPACE, Kind.TABLE}, set())


def test_a_catalog_that_says_that_it_lists_views_and_does_not_is_a_failure(
    iceberg_rest: Answers,
) -> None:
    iceberg_rest.forget("/views?", 404, _OWN)
    kinds, (failure,) = _listed(iceberg_rest)
    assert (kinds, failure.partition(":")[0]) == ({Kind.TABLE}, "READ_FAILED")


@pytest.mark.parametrize("path", ["/namespaces/ice/", "parent=ice", "/namespaces?"])
def test_a_404_that_is_not_the_catalogs_is_never_taken_for_nothing(
    iceberg_rest: Answers, path: str
) -> None:
    iceberg_rest.forget(path, 404, "<html>404</html>")
    options = RestOptions(uri=iceberg_rest.uri, properties={"rest-page-size": "2"})
    with RestCatalog(options) as source:
        try:
            told = str([item for item in source.listing() if isinstance(item, Failure)])
        except BelvedereError as error:
            told = str(error)
    assert "no word of the catalog" in told or "does not find it" in told


def test_a_view_that_a_proxy_does_not_find_is_a_failure_and_not_gone(
    iceberg_rest: Answers,
) -> None:
    iceberg_rest.forget("/views/v_one", 404, "<html>404</html>")
    found = crawled(RestCatalog(RestOptions(uri=iceberg_rest.uri, include=("contract",))))
    failure = found["contract.v_one"].result
    assert isinstance(failure, Failure)
    assert (failure.code, failure.stage) == ("READ_FAILED", "read")


@pytest.mark.parametrize("part", ["namespaces", "namespaces/ice/tables", "namespaces/ice/views"])
def test_pages_that_lead_round_in_a_circle_end(iceberg_server: IcebergServer, part: str) -> None:
    iceberg_server.spaces = {("ice",): {}}
    usual = iceberg_server.answer

    def answer(request: Request) -> tuple[int, bytes]:
        status, body = usual(request)
        if request.path.partition("?")[0] == f"/v1/{part}":
            body = json.dumps(json.loads(body) | {"next-page-token": "again"}).encode()
        return status, body

    with (
        serving(answer, "application/json") as uri,
        RestCatalog(RestOptions(uri=uri)) as source,
    ):
        try:
            said = str([item for item in source.listing() if isinstance(item, Failure)])
        except BelvedereError as error:
            said = str(error)
    assert "for ever" in said


def test_an_answer_that_is_no_view_is_a_failure(iceberg_rest: Answers) -> None:
    for body, why in (("<html>", "no JSON"), ("{}", "no metadata"), ('{"metadata": 1}', "object")):
        iceberg_rest.forget("/views/v_one", 200, body)
        found = crawled(RestCatalog(RestOptions(uri=iceberg_rest.uri, include=("contract",))))
        failure = found["contract.v_one"].result
        assert isinstance(failure, Failure)
        assert why in failure.message


@pytest.mark.parametrize(
    "key", ["token", "credential", "client.secret-access-key", "header.Authorization"]
)
def test_a_credential_in_the_configuration_is_refused(key: str) -> None:
    with pytest.raises(ConfigurationError, match="stands in the configuration") as raised:
        RestOptions(uri="https://x", properties={key: "x"})
    assert "${env:NAME}" in raised.value.hint


def test_nested_namespaces_and_those_above_them_are_listed_from_sql(
    iceberg: EmbeddedCatalog,
) -> None:
    iceberg.create_namespace(("empty",), {"comment": "nothing here", "owner": "alice"})
    iceberg.create_view(("sales", "eu", "west"), "v", VIEW)
    found = crawled(JdbcCatalog(JdbcOptions(url=iceberg.url)))
    assert list(found) == ["empty.", "sales.", "sales.eu.", "sales.eu.west.", "sales.eu.west.v"]
    empty, view = found["empty."].result, found["sales.eu.west.v"].result
    assert isinstance(empty, Schema)
    assert (empty.comment, empty.owner, empty.properties) == ("nothing here", "alice", ())
    assert isinstance(view, View)
    assert [representation.dialect for representation in view.representations] == ["spark", "trino"]
    assert view.identifier.namespace == ("sales", "eu", "west")


def broken_files(catalog: EmbeddedCatalog) -> dict[str, str]:
    """Views whose metadata files are broken, each in its own way, with what is to be said of it."""
    good = json.dumps(VIEW.metadata("file:/v")).encode()
    other_version = good.replace(b'"format-version": 1', b'"format-version": 3')
    catalog.create_view(("db",), "missing", VIEW).unlink()
    catalog.write_view(("db",), "cut_json", good[:-20])
    catalog.write_view(("db",), "version_3", other_version)
    uuid = json.loads(good)["view-uuid"].encode()
    catalog.write_view(("db",), "wrong_uuid", good.replace(uuid, b"4711"))
    catalog.write_view(("db",), "no_schema", good.replace(b'"schema-id": 0', b'"schema-id": 9', 1))
    twice = good.replace(b'"dialect": "trino"', b'"dialect": "Spark"')
    catalog.write_view(("db",), "twice", twice)
    catalog.create_view(("db",), "wrong_gzip", VIEW).write_bytes(b"\x1f\x8b\x08 no gzip")
    catalog.create_view(("db",), "cut_gzip", VIEW).write_bytes(gzip.compress(good)[:40])
    os.truncate(catalog.create_view(("db",), "huge", VIEW), 100_000_000)
    catalog.create_view(("db",), "lost", VIEW)
    catalog.execute("UPDATE iceberg_tables SET metadata_location = NULL WHERE table_name = 'lost'")
    return {
        "missing": "FileNotFoundError",
        "cut_json": "holds no JSON",
        "version_3": "format-version: must be 1 and is 3",
        "wrong_uuid": "view-uuid: '4711' is no UUID",
        "no_schema": "schema-id 9 names 0 of them",
        "twice": "'Spark' is there twice",
        "wrong_gzip": "holds no JSON",
        "cut_gzip": "cut off",
        "huge": "more than 64 MiB",
        "lost": "metadata-location: is missing",
    }


def test_broken_metadata_files_are_failures_that_say_why(iceberg: EmbeddedCatalog) -> None:
    wanted = broken_files(iceberg)
    iceberg.create_view(("db",), "good", VIEW)
    found = crawled(JdbcCatalog(JdbcOptions(url=iceberg.url)))
    assert isinstance(found["db.good"].result, View)
    for name, why in wanted.items():
        failure = found[f"db.{name}"].result
        assert isinstance(failure, Failure), name
        assert why in failure.message
        assert failure.hint
        unread = name in {"missing", "huge"}
        assert failure.code == ("FILE_UNREADABLE" if unread else "INVALID_ENTRY")


def test_a_blank_in_a_path_and_an_uncompressed_file_are_read(iceberg: EmbeddedCatalog) -> None:
    path = iceberg.create_view(("db",), "v", VIEW)
    blank = path.with_name("a b.metadata.json")
    path.rename(blank)
    blank.write_bytes(gzip.decompress(blank.read_bytes()))
    iceberg.execute("UPDATE iceberg_tables SET metadata_location = ?", (f"file:{blank}",))
    found = crawled(JdbcCatalog(JdbcOptions(url=iceberg.url)))
    assert isinstance(found["db.v"].result, View)


def test_a_catalog_of_the_first_layout_has_tables_only(iceberg: EmbeddedCatalog) -> None:
    row = (iceberg.name, "db", "t", "file:/t.metadata.json")
    iceberg.execute("ALTER TABLE iceberg_tables DROP COLUMN iceberg_type")
    iceberg.execute("INSERT INTO iceberg_tables VALUES (?, ?, ?, ?, NULL)", row)
    with JdbcCatalog(JdbcOptions(url=iceberg.url)) as source:
        assert [item.kind for item in source.listing()] == [Kind.NAMESPACE, Kind.TABLE]  # type: ignore[union-attr]
        assert "V0 has no views" in source.probe().problems[0]
        assert list(source.load(CrawlTask("s", (Listed(("db",), "v"),)))) == []


def test_a_database_of_several_catalogs_wants_one_named(iceberg: EmbeddedCatalog) -> None:
    iceberg.create_view(("db",), "v", VIEW)
    iceberg.execute("INSERT INTO iceberg_tables VALUES ('other', 'o', 't', NULL, NULL, NULL)")
    with (
        JdbcCatalog(JdbcOptions(url=iceberg.url)) as source,
        pytest.raises(BelvedereError, match="has 2 catalogs") as raised,
    ):
        list(source.listing())
    assert "lake, other" in raised.value.hint
    assert list(crawled(JdbcCatalog(JdbcOptions(url=iceberg.url, catalog="lake")))) == [
        "db.",
        "db.v",
    ]
    with (
        JdbcCatalog(JdbcOptions(url=iceberg.url, catalog="nope")) as source,
        pytest.raises(BelvedereError, match="no catalog 'nope'"),
    ):
        source.probe()


def test_a_database_without_a_catalog_says_so(tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    options = JdbcOptions(url=f"sqlite:///{tmp_path}/empty.db")
    with JdbcCatalog(options) as source, pytest.raises(BelvedereError) as raised:
        source.probe()
    assert raised.value.code == "UNSUPPORTED_VERSION"


def test_a_catalog_in_a_file_that_cannot_be_read_asks_for_no_server(tmp_path: Path) -> None:
    options = JdbcOptions(url=f"sqlite:///{tmp_path}/nowhere.db")
    with JdbcCatalog(options) as source, pytest.raises(UnreachableError) as raised:
        source.probe()
    assert raised.value.hint.startswith("SQLite is a file")


def test_the_source_cannot_write(iceberg: EmbeddedCatalog) -> None:
    with JdbcCatalog(JdbcOptions(url=iceberg.url)) as source:
        source.probe()
        with pytest.raises(Exception, match="readonly"):
            source._pointers.open_connection().exec_driver_sql("DELETE FROM iceberg_tables")


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("sqlite:///relative.db", "no absolute path"),
        ("oracle://host/db", "the URL is one of oracle"),
        ("postgresql://u:p@host/db", "password in the URL"),
    ],
)
def test_a_url_that_will_not_do_is_refused_with_the_configuration(url: str, why: str) -> None:
    with pytest.raises(ConfigurationError, match=why):
        JdbcOptions(url=url)


def test_a_catalog_in_postgresql_is_the_same(
    postgresql: EmbeddedPostgreSQL, iceberg: EmbeddedCatalog
) -> None:
    path = iceberg.create_view(("sales", "eu"), "v", VIEW)
    postgresql.execute(("DROP DATABASE IF EXISTS ice", "CREATE DATABASE ice"))
    text = "VARCHAR(255) NOT NULL"
    postgresql.execute([LAYOUT.format(text=text), INSERT.format(uri=path.as_uri())], "ice")
    io = {"warehouse": iceberg.warehouse.as_uri()}
    options = JdbcOptions(url=postgresql.url("ice"), user="postgres", io=io)
    in_sqlite = crawled(JdbcCatalog(JdbcOptions(url=iceberg.url)))
    found = crawled(JdbcCatalog(options))
    assert found.keys() == in_sqlite.keys()
    assert found["sales.eu.v"].result == in_sqlite["sales.eu.v"].result


def test_a_catalog_in_mariadb_is_the_same(maria: MariaDB, iceberg: EmbeddedCatalog) -> None:
    path = iceberg.create_view(("sales", "eu"), "v", VIEW)
    text = "VARCHAR(255) NOT NULL"
    maria.execute(
        "DROP DATABASE IF EXISTS ice",
        "CREATE DATABASE ice",
        "USE ice",
        LAYOUT.format(text=text),
        INSERT.format(uri=path.as_uri()),
    )
    place = iceberg.warehouse.as_uri()
    url = maria.url().replace(":///", ":///ice")
    options = JdbcOptions(url=url, user="root", io={"warehouse": place})
    in_sqlite = crawled(JdbcCatalog(JdbcOptions(url=iceberg.url)))
    found = crawled(JdbcCatalog(options))
    assert found.keys() == in_sqlite.keys()
    assert found["sales.eu.v"].result == in_sqlite["sales.eu.v"].result


def test_a_view_of_glue_is_read_from_its_metadata_file(
    glue: Any,
    iceberg: EmbeddedCatalog,
) -> None:
    path = iceberg.create_view(("sales",), "v", VIEW)
    pointer = {"table_type": "ICEBERG-VIEW", "metadata_location": path.as_uri()}
    glue.create_database(DatabaseInput={"Name": "iceberg_in_glue"})
    entry = {"Name": "v", "TableType": "VIRTUAL_VIEW", "Parameters": pointer}
    glue.create_table(DatabaseName="iceberg_in_glue", TableInput=entry)
    options = GlueOptions(
        aws_region="us-east-1",
        aws_glue_endpoint=glue.meta.endpoint_url,
        aws_access_key_id="x",
        aws_secret_access_key=Secret("x"),
        include=("iceberg_in_glue",),
        warehouse=iceberg.warehouse.as_uri(),
    )
    outcome = crawled(Glue(options))["iceberg_in_glue.v"]
    assert isinstance(outcome.result, View)
    assert outcome.format == "iceberg"
    there = crawled(JdbcCatalog(JdbcOptions(url=iceberg.url)))["sales.v"].result
    assert isinstance(there, View)
    assert outcome.result.representations == there.representations
    assert outcome.result.columns == there.columns


def test_one_metastore_read_as_hive_and_as_iceberg_counts_each_view_once(
    metastore: EmbeddedMetastore,
    hms: Writer,
    iceberg: EmbeddedCatalog,
    estate: Callable[..., RunConfig],
) -> None:
    hms.create_database("both", f"{metastore.warehouse.as_uri()}/both.db")
    for name in ("ice_in", "ice_out"):
        path = iceberg.create_view(("both",), name, VIEW)
        pointer = {"table_type": "ICEBERG-VIEW", "metadata_location": path.as_uri()}
        hms.drop_table("both", name, missing_ok=True)
        hms.create_table(entry(name, pointer))
    hms.drop_table("both", "of_hive", missing_ok=True)
    hms.create_table(entry("of_hive", {}))
    place = {
        "uri": metastore.uri,
        "include": ["both"],
        "locations": [iceberg.warehouse.as_uri()],
    }
    config = estate(
        {
            "lake": {"kind": "hms", **place},
            "ice": {"kind": "iceberg-hive", **place, "exclude": ["both.ice_out"]},
            "elsewhere": {"kind": "hms", "uri": "thrift://127.0.0.1:1"},
        }
    )
    lake = crawled(config.sources["lake"].source())
    ice = crawled(config.sources["ice"].source())
    views = {
        source: {name for name, outcome in found.items() if isinstance(outcome.result, View)}
        for source, found in (("lake", lake), ("ice", ice))
    }
    assert views == {"lake": {"both.of_hive", "both.ice_out"}, "ice": {"both.ice_in"}}
    left, other = lake["both.ice_in"].result, ice["both.of_hive"].result
    assert isinstance(left, Skipped)
    assert (left.reason.code, left.detail) == ("READ_AS_ICEBERG", "by the source ice")
    assert isinstance(other, Skipped)
    assert other.reason.code == "NOT_ICEBERG"
    assert not config.sources["elsewhere"].options.as_iceberg


def entry(name: str, parameters: dict[str, str]) -> dict[str, Any]:
    return {
        "dbName": "both",
        "tableName": name,
        "tableType": "VIRTUAL_VIEW",
        "parameters": parameters,
        "partitionKeys": [],
        "sd": {"cols": [{"name": "x", "type": "int"}], "serdeInfo": {"parameters": {}}},
        "viewOriginalText": "select 1 as x",
        "viewExpandedText": "select 1 as x",
    }
