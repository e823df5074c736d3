"""The source `glue` where moto is silent: pages, catalogs, refusals; over a real socket."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest

from connectors.clients.credentials import Secret
from connectors.glue import Glue, Options
from discovery.asked import misplaced
from discovery.crawl import crawl
from discovery.errors import ConfigurationError, DeniedError, ReadError, UnreachableError
from discovery.model import Identifier, View
from discovery.outcomes import Failure, Kind, Listed, RawObject, Skipped, Stage
from discovery.ports import CrawlTask
from tests.glue_stub import GlueStub, glue_stub

SECRET = Secret("canary-4b1e")


def view(name: str) -> dict[str, Any]:
    return {"Name": name, "TableType": "VIRTUAL_VIEW", "ViewOriginalText": "select 1"}


def table(name: str, **parameters: str) -> dict[str, Any]:
    return {"Name": name, "TableType": "EXTERNAL_TABLE", "Parameters": parameters}


@pytest.fixture
def stub() -> Iterator[GlueStub]:
    with glue_stub(GlueStub({"db": [view(f"v{number:03}") for number in range(250)]})) as served:
        yield served


def source(stub: GlueStub, **more: object) -> Glue:
    return Glue(Options(**{**stub.options(aws_secret_access_key=SECRET), **more}))


def names(answers: list[Listed | Failure]) -> list[str]:
    return [answer.name for answer in answers if isinstance(answer, Listed)]


def test_every_page_is_asked_for_with_its_token_and_the_catalog(stub: GlueStub) -> None:
    with source(stub, aws_glue_catalog_id="123456789012") as glue:
        listed = list(glue.listing())
    assert names(listed) == ["", *(f"v{number:03}" for number in range(250))]
    pages = [body for operation, body in stub.asked if operation == "GetTables"]
    assert [body.get("NextToken") for body in pages] == [None, "100", "200"]
    assert {body["CatalogId"] for _, body in stub.asked} == {"123456789012"}
    assert len(stub.asked) == 4


def test_without_a_catalog_id_the_caller_s_own_catalog_is_asked(stub: GlueStub) -> None:
    with source(stub) as glue:
        assert glue.probe().version == "AWS Glue, 1 database"
    assert all("CatalogId" not in body for _, body in stub.asked)


def test_entries_are_asked_for_whole_as_glue_s_attributes_leave_the_text_out(
    stub: GlueStub,
) -> None:
    with source(stub) as glue:
        listed = [item for item in glue.listing() if isinstance(item, Listed) and item.name]
    assert all("ViewOriginalText" in one.handle for one in listed)
    assert all("AttributesToGet" not in body for _, body in stub.asked)
    keys = {"aws_access_key_id": "x", "aws_secret_access_key": "x", "region_name": "us-east-1"}
    client = boto3.Session().client("glue", endpoint_url=stub.uri, **keys)
    answer = client.get_tables(DatabaseName="db", AttributesToGet=["NAME", "TABLE_TYPE"])
    client.close()
    assert answer["TableList"][0] == {"Name": "v000", "TableType": "VIRTUAL_VIEW"}


def test_loading_asks_nothing_as_the_listing_had_it_all(stub: GlueStub) -> None:
    with source(stub) as glue:
        task = CrawlTask("s", tuple(item for item in glue.listing() if isinstance(item, Listed)))
        asked = len(stub.asked)
        outcomes = list(crawl(task, glue))
    assert len(stub.asked) == asked
    assert sum(isinstance(outcome.result, View) for outcome in outcomes) == 250


def test_a_page_that_fails_half_way_costs_what_comes_after_it(stub: GlueStub) -> None:
    stub.refused["GetTables", "db", 2] = "InvalidInputException", 9
    stub.databases["other"] = [view("v")]
    with source(stub) as glue:
        answers = list(glue.listing())
    assert isinstance(answers[0], Failure)
    assert answers[0].listed.kind is Kind.NAMESPACE
    assert answers[0].stage is Stage.LIST
    assert "InvalidInputException for this test" in answers[0].message
    assert names(answers) == [*(f"v{number:03}" for number in range(200)), "", "v"]


def test_one_denied_database_costs_no_other(stub: GlueStub) -> None:
    stub.databases["secret"], stub.databases["z"] = [view("hidden")], [view("v")]
    stub.refused["GetTables", "secret", 0] = "AccessDeniedException", 9
    with source(stub, include=("secret", "z")) as glue:
        answers = list(glue.listing())
    (failure,) = [answer for answer in answers if isinstance(answer, Failure)]
    assert (failure.listed.namespace, failure.code) == (("secret",), "DENIED")
    assert names(answers) == ["", "v"]


def test_throttling_is_waited_out(stub: GlueStub) -> None:
    stub.refused["GetTables", "db", 1] = "ThrottlingException", 2
    with source(stub) as glue:
        assert len(list(glue.listing())) == 251
    assert len(stub.asked) == 6


def test_throttling_without_end_says_what_helps(stub: GlueStub) -> None:
    stub.refused["GetDatabases", "", 0] = "ThrottlingException", 9
    with source(stub, attempts=2) as glue, pytest.raises(UnreachableError) as raised:
        glue.probe()
    assert "higher quota" in raised.value.hint
    assert len(stub.asked) == 2


def test_an_expired_token_is_no_missing_right(stub: GlueStub) -> None:
    stub.refused["GetDatabases", "", 0] = "ExpiredTokenException", 9
    with source(stub) as glue, pytest.raises(DeniedError) as raised:
        list(glue.listing())
    assert raised.value.hint == "the credentials have expired: log in again"
    assert "canary" not in str(raised.value)


def test_an_answer_of_something_else_than_glue_is_no_bug_of_ours(stub: GlueStub) -> None:
    stub.page = b"<html>"
    with source(stub, attempts=1) as glue, pytest.raises(ReadError, match="get_databases"):
        glue.probe()


def test_without_any_credentials_the_default_chain_is_named(
    stub: GlueStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
    options = Options(aws_region="us-east-1", aws_glue_endpoint=stub.uri)
    with Glue(options) as glue, pytest.raises(DeniedError) as raised:
        glue.probe()
    assert "default chain" in raised.value.hint


SSO = """[profile p]
sso_session = s
sso_account_id = 123456789012
sso_role_name = r
[sso-session s]
sso_start_url = https://sso.invalid/start
sso_region = us-east-1
"""
WEB_IDENTITY = {
    "AWS_WEB_IDENTITY_TOKEN_FILE": "/nowhere/token",
    "AWS_ROLE_ARN": "arn:aws:iam::1:role/r",
}


@pytest.mark.parametrize(
    ("settings", "variables", "told"),
    [
        (SSO, {"AWS_PROFILE": "p"}, "SSO Token"),
        ("", {"AWS_PROFILE": "p"}, "profile"),
        ("no section", {}, "Unable to parse config file"),
        ("[profile p]\ncredential_process = /nowhere", {"AWS_PROFILE": "p"}, "/nowhere"),
        ("", WEB_IDENTITY, "/nowhere/token"),
    ],
)
def test_a_login_of_the_default_chain_that_is_missing_or_over_is_no_entry_to_repair(
    stub: GlueStub,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    settings: str,
    variables: dict[str, str],
    told: str,
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "config").write_text(settings, encoding="utf-8")
    given = {"AWS_CONFIG_FILE": str(tmp_path / "config"), "HOME": str(tmp_path), **variables}
    for name, value in {"AWS_EC2_METADATA_DISABLED": "true", **given}.items():
        monkeypatch.setenv(name, value)
    options = Options(aws_region="us-east-1", aws_glue_endpoint=stub.uri)
    with Glue(options) as glue, pytest.raises(DeniedError, match=told) as raised:
        glue.probe()
    assert "log in" in raised.value.hint


def test_a_proxy_that_does_not_answer_is_no_missing_right(
    stub: GlueStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HTTP_PROXY", "http_proxy"):
        monkeypatch.setenv(name, "http://u:canary-4b1e@127.0.0.1:1")
    given = {"aws_glue_endpoint": "http://glue.invalid", "attempts": 1}
    with source(stub, **given) as glue, pytest.raises(UnreachableError) as raised:
        glue.probe()
    assert "proxy" in str(raised.value)
    assert "canary" not in str(raised.value)


def test_the_default_chain_is_used_where_no_keys_are_given(
    stub: GlueStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIACHAIN")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "chain")
    for keys in ({}, {"aws_access_key_id": " ", "aws_secret_access_key": Secret("")}):
        options = Options(aws_region="us-east-1", aws_glue_endpoint=stub.uri, **keys)  # type: ignore[arg-type]  # of two types
        with Glue(options) as glue:
            assert glue.probe().version


def test_the_filter_chooses_tables_by_format_and_never_hides_a_view(stub: GlueStub) -> None:
    stub.databases["db"] = [
        table("ice", table_type="ICEBERG"),
        table("lake", **{"spark.sql.sources.provider": "delta"}),
        table("plain"),
        view("v"),
        {"Name": "link", "TargetTable": {"CatalogId": "1", "DatabaseName": "d", "Name": "n"}},
    ]
    with source(stub, table_type_filter="hive, Delta") as glue:
        assert names(list(glue.listing())) == ["", "lake", "plain", "v", "link"]
    with source(stub, table_format_filter="all") as glue:
        assert len(list(glue.listing())) == 6


def test_links_to_databases_are_named_and_not_followed(stub: GlueStub) -> None:
    stub.databases["shared"] = []
    answers = stub.answer

    def linked(operation: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        status, answer = answers(operation, body)
        for one in answer.get("DatabaseList", ()):
            if one["Name"] == "shared":
                one["TargetDatabase"] = {"CatalogId": "999999999999", "DatabaseName": "sales"}
        return status, answer

    stub.answer = linked  # type: ignore[method-assign]  # the server's side, not the client's
    with source(stub, include=("shared",)) as glue:
        task = CrawlTask("s", tuple(item for item in glue.listing() if isinstance(item, Listed)))
        (outcome,) = crawl(task, glue)
    assert isinstance(outcome.result, Skipped)
    assert outcome.result.reason.code == "RESOURCE_LINK"
    assert outcome.result.detail == "A resource link to sales of the catalog 999999999999"
    assert [operation for operation, _ in stub.asked] == ["GetDatabases"]


def test_tables_can_be_loaded_by_name(stub: GlueStub) -> None:
    stub.refused["GetTable", "denied", 0] = "AccessDeniedException", 9
    wanted = [
        Identifier(("db",), "v001"),
        Identifier(("db",), "gone"),
        Identifier(("denied",), "t"),
    ]
    with source(stub) as glue:
        found = list(glue.load_tables(wanted))
    assert isinstance(found[0], RawObject)
    assert found[0].payload["Name"] == "v001"
    assert isinstance(found[1], Failure)
    assert found[1].code == "DENIED"
    assert len(found) == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"aws_access_key_id": "AKIA"}, "without the other"),
        ({"table_type_filter": "hive,avro"}, "'avro' is none of all, iceberg, delta"),
        ({"table_type_filter": "hive", "table_format_filter": "delta"}, "differ"),
        ({"aws_glue_endpoint": "glue.example"}, "is no URL"),
        ({"default_table_format": "delta"}, "'delta' is none of hive, iceberg"),
    ],
)
def test_mistakes_are_told(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        Options(aws_region="us-east-1", **options)


def test_an_option_without_effect_is_told_to_the_doctor(stub: GlueStub) -> None:
    with source(stub, default_table_format="iceberg") as glue:
        assert glue.probe().problems == (
            "default-table-format has no effect: nothing here creates tables",
        )


@pytest.mark.parametrize("tokens", [("x", "x"), ("x", "y", "x")])
def test_pages_that_lead_round_in_a_circle_end(
    stub: GlueStub, monkeypatch: pytest.MonkeyPatch, tokens: tuple[str, ...]
) -> None:
    left = iter(tokens)

    def answer(_: str, __: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return 200, {"DatabaseList": [], "NextToken": next(left)}

    monkeypatch.setattr(stub, "answer", answer)
    with source(stub) as glue, pytest.raises(ReadError, match="the page 'x' for ever"):
        list(glue.listing())


@pytest.mark.parametrize("page", [0, 2])
def test_a_database_that_is_dropped_while_it_is_listed_is_no_failure(
    stub: GlueStub, monkeypatch: pytest.MonkeyPatch, page: int
) -> None:
    stub.refused["GetTables", "db", page] = "EntityNotFoundException", 9
    stub.databases["other"] = [view("v")]
    usual = stub.answer

    def answer(operation: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        found = usual(operation, body)
        if found[0] != 200:
            stub.databases.pop("db", None)
        return found

    monkeypatch.setattr(stub, "answer", answer)
    with source(stub) as glue:
        listed = list(glue.listing())
    assert [str(item.identifier) for item in listed if isinstance(item, Listed)] == [
        "other.",
        "other.v",
    ]
    assert not [item for item in listed if isinstance(item, Failure)]


def test_a_database_that_is_listed_still_and_not_found_is_a_failure(stub: GlueStub) -> None:
    stub.refused["GetTables", "db", 0] = "EntityNotFoundException", 9
    with source(stub) as glue:
        (failure,) = glue.listing()
    assert isinstance(failure, Failure)
    assert "EntityNotFoundException" in failure.message


@pytest.mark.parametrize(
    ("link", "is_read"),
    [
        ({"CatalogId": "999999999999", "DatabaseName": "Sales"}, True),
        ({"DatabaseName": "sales"}, True),
        ({"CatalogId": "111111111111", "DatabaseName": "sales"}, False),
        ({"CatalogId": "999999999999", "DatabaseName": "other"}, False),
        (None, False),
    ],
)
def test_a_table_behind_a_link_to_a_database_is_there_though_aws_names_its_own_database(
    stub: GlueStub,
    monkeypatch: pytest.MonkeyPatch,
    link: dict[str, str] | None,
    is_read: bool,
) -> None:
    entry = {**table("orders"), "DatabaseName": "sales", "CatalogId": "999999999999"}

    def answer(operation: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        stub.asked.append((operation, body))
        if operation == "GetTable":
            return 200, {"Table": entry}
        return 200, {"DatabaseList": [{"Name": "link", "TargetDatabase": link}]}

    monkeypatch.setattr(stub, "answer", answer)
    asked = Listed(("Link",), "orders", Kind.TABLE)
    with source(stub) as glue:
        first, second = (next(iter(glue.load_tables([asked.identifier]))) for _ in range(2))
        assert isinstance(second, RawObject)
        assert isinstance(first, RawObject)
        assert (misplaced(first, glue.fold) is None) is is_read
    assert first.payload == second.payload
    assert [operation for operation, _ in stub.asked].count("GetDatabases") == 1


@pytest.mark.parametrize("time", [1_600_000_000_000, 1e300, "soon"])
def test_a_time_that_is_none_costs_its_own_entry_at_most(stub: GlueStub, time: object) -> None:
    asked = {**view("asked"), "CreateTime": 1_600_000_000, "LastAccessTime": time}
    stub.databases["db"] = [asked, {**view("made"), "CreateTime": time}]
    with source(stub) as glue:
        task = CrawlTask("s", tuple(item for item in glue.listing() if isinstance(item, Listed)))
        _, seen, broken = crawl(task, glue)
    assert isinstance(seen.result, View)
    assert str(seen.result.audit.create_time) == "2020-09-13 12:26:40+00:00"
    assert isinstance(broken.result, Failure)
    assert "is no time" in broken.result.message


def test_a_table_is_asked_for_as_glue_keeps_its_name(stub: GlueStub) -> None:
    wanted = Identifier(("DB",), "V001")
    with source(stub) as glue:
        (found,) = glue.load_tables([wanted])
        assert isinstance(found, RawObject)
        assert misplaced(found, glue.fold) is None
    assert found.listed.identifier == wanted


def test_a_key_of_an_encrypted_catalog_that_may_not_be_used_is_a_missing_right(
    stub: GlueStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    why = "User: arn:aws:iam::1:user/u is not authorized to perform: kms:Decrypt on resource: k"

    def answer(_: str, __: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return 400, {"__type": "GlueEncryptionException", "Message": why}

    monkeypatch.setattr(stub, "answer", answer)
    with source(stub) as glue, pytest.raises(DeniedError, match="not authorized") as raised:
        glue.probe()
    assert "kms:Decrypt on its key" in raised.value.hint
