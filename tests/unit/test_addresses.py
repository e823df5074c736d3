"""Where sources are, without secrets, and what OpenLineage calls what is in them."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openlineage.client.naming import dataset as naming

from connectors import glue, hms
from connectors.archive import Options as Archive
from connectors.clients.credentials import Secret
from connectors.iceberg import jdbc, rest
from connectors.jdbc import any_database, doris, mysql, postgresql
from connectors.paimon import source as paimon_source
from connectors.registry import Connector
from discovery.addresses import SourceAddress, address_of_catalog
from discovery.crawl_record import CrawlRecord
from discovery.errors import ConfigurationError
from jobs import report
from jobs.crawling import tables as crawled
from jobs.crawling.addresses import source_addresses
from jobs.warehouse.warehouse import Warehouse
from reports.dataset_names import dataset, is_named
from tests.answered import note
from tests.made_up import HEAD

PASSWORD = "hunter2"


@pytest.mark.parametrize(
    ("kind", "options", "expected"),
    [
        (
            "hms",
            hms.Options(uri="thrift://A:9084,thrift://b:9083"),
            naming.Hive("a", "9084", "db", "v"),
        ),
        ("iceberg-hive", hms.Options(uri="thrift://a"), naming.Hive("a", "9083", "db", "v")),
        ("hms", hms.Options(uri="https://a/metastore"), naming.Hive("a", "443", "db", "v")),
        (
            "postgresql",
            postgresql.Options(url="postgresql://h/shop"),
            naming.Postgres("h", "5432", "shop", "db", "v"),
        ),
        ("mysql", mysql.Options(url="mysql://h:33/any"), naming.MySQL("h", "33", "db", "v")),
        ("mysql", mysql.Options(url="mariadb://h/"), naming.MySQL("h", "3306", "db", "v")),
        (
            "glue",
            glue.Options(aws_region="eu-west-1", aws_glue_catalog_id="123456789012"),
            naming.AWSGlue("eu-west-1", "123456789012", "db", "v"),
        ),
        (
            "sqlalchemy",
            any_database.Options(url="trino://u@h:8080/lake/ignored"),
            naming.Trino("h", "8080", "lake", "db", "v"),
        ),
    ],
)
def test_names_are_those_of_openlineages_own_helpers(
    kind: str, options: Any, expected: naming.DatasetNaming
) -> None:
    place = Connector(kind, options).address()
    assert place is not None
    assert dataset({"s": place}, "s", ("db", "v")) == (
        expected.get_namespace(),
        expected.get_name(),
    )


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (rest.Options(uri="https://h/api/catalog/"), ("https://h/api/catalog", "db.v")),
        (rest.Options(uri="http://h:8181"), ("http://h:8181", "db.v")),
        (
            paimon_source.Options(uri="http://[::1]:80/p", warehouse="w"),
            ("http://[::1]:80/p", "db.v"),
        ),
        (hms.Options(uri="thrift://a:1", catalog="other"), ("hive://a:1", "other.db.v")),
        (doris.Options(url="doris://h:9030/ignored"), ("doris://h:9030", "db.v")),
        (any_database.Options(url="oracle://h:1521/orcl"), ("oracle://h:1521", "orcl.db.v")),
    ],
)
def test_what_the_naming_page_does_not_have_is_named_by_its_uri(
    options: Any, expected: tuple[str, str]
) -> None:
    place = Connector("any", options).address()
    assert place is not None
    assert dataset({"s": place}, "s", ("db", "v")) == expected


@pytest.mark.parametrize(
    "options",
    [
        Archive(path="views.jsonl"),
        jdbc.Options(url="postgresql://h/catalog"),
        paimon_source.Options(metastore="filesystem", warehouse="/w"),
        any_database.Options(url="sqlite:////var/x.db"),
        glue.Options(aws_region="eu-west-1"),
    ],
)
def test_what_is_at_no_place_with_a_name_keeps_its_own(options: Any) -> None:
    place = Connector("any", options).address()
    assert place is None or not is_named(place)
    places = {} if place is None else {"s": place}
    assert dataset(places, "s", ("db", "v")) == ("s", "db.v")


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://bob:{PASSWORD}@h:1/shop",
        f"postgresql://bob:a/{PASSWORD}@h:1/shop",
        f"postgresql://bob:a#{PASSWORD}@h:1/shop",
        f"postgresql://bob:a@{PASSWORD}@h:1/shop",
        f"postgresql://h:1/shop?password={PASSWORD}",
        f"postgresql://h:1/shop?user=bob&sslpassword={PASSWORD}",
        f"postgresql://h:1/shop;password={PASSWORD}",
        f"postgresql://{PASSWORD}@h:1/shop",
    ],
)
def test_no_user_password_or_query_is_told_of_a_database(url: str) -> None:
    try:
        place = Connector("sqlalchemy", any_database.Options(url=url)).address()
    except ConfigurationError:
        return
    assert PASSWORD not in json.dumps(place.to_json() if place else {})


@pytest.mark.parametrize(
    "url",
    [
        f"https://bob:{PASSWORD}@h/x",
        f"https://bob:a/{PASSWORD}@h/x",
        f"https://h/x?token={PASSWORD}",
        f"https://h/x#token={PASSWORD}",
        f"https://h/x;token={PASSWORD}",
    ],
)
def test_no_user_password_or_query_is_told_of_a_server(url: str) -> None:
    place = address_of_catalog(url, "iceberg")
    assert PASSWORD not in json.dumps(place.to_json() if place else {})
    options = rest.Options(uri="https://h/x", properties={"token": Secret(PASSWORD)})
    stated = Connector("iceberg-rest", options).address()
    assert stated == SourceAddress("https", "h", 0, "/x", catalog="iceberg")


@given(st.text(min_size=1, max_size=12), st.text(min_size=1, max_size=12))
def test_whatever_stands_before_the_host_is_not_told(user: str, password: str) -> None:
    secret = f"<{password}>"
    place = address_of_catalog(f"https://{user}:{secret}@host.example/path", "x")
    assert place is None or secret not in json.dumps(place.to_json(), ensure_ascii=False)


def test_an_address_comes_back_from_the_run_and_an_old_run_has_none() -> None:
    place = SourceAddress("glue", region="eu-west-1", account="1")
    said = {"sources": {}, "addresses": {"s": {**place.to_json(), "later": 1}}}
    assert CrawlRecord.of(said).addresses == {"s": place}
    assert CrawlRecord.of({"sources": {}}).addresses == {}


def test_a_report_says_which_sources_nobody_else_calls_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = replace(HEAD.run, addresses={**HEAD.run.addresses, "g": SourceAddress("glue")})
    counts = dict.fromkeys(("lake", "old", "g"), HEAD.sources["lake"])
    report._say_of_names(replace(HEAD, run=run, sources=counts), ["openlineage"])
    assert capsys.readouterr().err.endswith("so they go by their own names there: old, g\n")
    report._say_of_names(HEAD, ["openlineage"])
    assert capsys.readouterr().err == ""


def test_a_crawl_states_where_sources_are_and_glues_account_as_its_entries_have_it(
    tmp_path: Path,
) -> None:
    entry = '{"kind":"glue_table","payload":{"CatalogId":"123456789012"}}'
    warehouse = Warehouse(str(tmp_path))
    seen = {"source": "g", "entity": "object", "outcome": "view"}
    warehouse.begin(crawled.STAGE, "r")
    rows: list[dict[str, Any]] = [
        {**seen, "raw": None},
        {**seen, "raw": "{}"},
        {**seen, "raw": entry},
    ]
    note(warehouse, crawled.OBJECTS, "r", [])
    note(warehouse, crawled.OUTCOMES, "r", rows)
    sources = {
        "g": Connector("glue", glue.Options(aws_region="eu-west-1")),
        "empty": Connector("glue", glue.Options(aws_region="eu-west-1")),
        "lake": Connector("hms", hms.Options(uri="thrift://h")),
        "files": Connector("archive", Archive(path="a")),
    }
    assert source_addresses(warehouse, "r", sources) == {
        "g": SourceAddress("glue", region="eu-west-1", account="123456789012"),
        "empty": SourceAddress("glue", region="eu-west-1"),
        "lake": SourceAddress("hive", "h", 9083),
    }
