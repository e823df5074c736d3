"""The source `paimon` against recorded answers of Paimon's own REST test server."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from connectors.clients.credentials import Secret
from connectors.paimon.source import Options, Paimon
from discovery.crawl import crawl
from discovery.errors import ConfigurationError, DeniedError, ReadError, UnreachableError
from discovery.model import Schema, View
from discovery.outcomes import Failure, Kind, Listed, Outcome, Skipped
from discovery.ports import CrawlTask
from tests.recorded.answers import Answers, served
from tests.servers import gate

RECORDED = Path(__file__).parents[1] / "recorded" / "paimon_rest.json"
PAGE = "/v1/paimon/databases/contract/view-details?maxResults=1"


@pytest.fixture
def answers() -> Iterator[Answers]:
    with served(Answers.of(RECORDED)) as running:
        yield running


def source(answers: Answers, **more: object) -> Paimon:
    token = Secret("canary-3a3a")
    return Paimon(Options(uri=answers.uri, warehouse="wh", token=token, **more))  # type: ignore[arg-type]  # of any type


def crawled(paimon: Paimon) -> dict[str, Outcome]:
    with paimon:
        listed = tuple(item for item in paimon.listing() if isinstance(item, Listed))
        outcomes = crawl(CrawlTask("p", listed), paimon)
        return {str(outcome.listed.identifier): outcome for outcome in outcomes}


def test_pages_are_followed_with_the_token_of_the_one_before(answers: Answers) -> None:
    with source(answers, batch=1, include=("contract",)) as paimon:
        names = [item.name for item in paimon.listing() if isinstance(item, Listed)]
    assert names == ["", "v_one", "v_two", "t"]
    paths = [path for path, _ in answers.seen]
    assert [path for path in paths if "view-details" in path] == [
        PAGE,
        f"{PAGE}&pageToken=v_one",
        f"{PAGE}&pageToken=v_two",
    ]


def test_a_catalog_that_is_started_again_while_it_is_listed_and_read_changes_nothing(
    answers: Answers,
) -> None:
    unbroken = crawled(source(answers))
    with gate(int(answers.uri.rpartition(":")[2])) as door:
        options = Options(
            uri=f"http://127.0.0.1:{door.port}", warehouse="wh", token=Secret("canary-3a3a")
        )
        with Paimon(options) as paimon:
            listing = paimon.listing()
            first = next(listing)
            door.shut()
            threading.Timer(4.0, door.open).start()
            listed = tuple(item for item in (first, *listing) if isinstance(item, Listed))
            door.shut()
            threading.Timer(4.0, door.open).start()
            broken = list(crawl(CrawlTask("p", listed), paimon))
    assert {str(outcome.listed.identifier): outcome for outcome in broken} == unbroken
    assert any(isinstance(outcome.result, Schema) for outcome in broken), "read behind the listing"


def test_the_token_goes_with_every_question_and_into_no_error(answers: Answers) -> None:
    crawled(source(answers))
    assert {authorization for _, authorization in answers.seen} == {"Bearer canary-3a3a"}
    answers.forget("/v1/config", 401, "")
    with source(answers) as paimon, pytest.raises(DeniedError) as raised:
        paimon.probe()
    assert "canary" not in str(raised.value)


def test_every_dialect_the_default_and_exact_types_come_through(answers: Answers) -> None:
    found = crawled(source(answers))
    view = found["pmdb.v_dialects"].result
    assert isinstance(view, View)
    assert {
        representation.dialect: representation.sql for representation in view.representations
    } == {
        "query": "SELECT * FROM `t`",
        "flink": "SELECT 1",
        "spark": "select * from t",
    }
    assert {
        (representation.default_catalog, representation.default_schema)
        for representation in view.representations
    } == {("lake", "pmdb")}
    assert view.properties == (("k", "v"),)
    database = found["contract."].result
    assert isinstance(database, Schema)
    assert (database.comment, database.properties) == ("of the contract", (("k", "v"),))
    assert isinstance(found["contract.t"].result, Skipped)


def test_all_views_of_a_database_take_one_question(answers: Answers) -> None:
    crawled(source(answers, include=("pmdb",)))
    assert len(answers.seen) == 5  # config, databases, views, tables, the database


def test_a_page_that_fails_half_way_costs_what_comes_after_it(answers: Answers) -> None:
    answers.forget("pageToken=v_one", 400, '{"message": "bad page"}')
    with source(answers, batch=1, include=("contract", "pmdb")) as paimon:
        listing = list(paimon.listing())
    assert isinstance(listing[0], Failure)
    assert (listing[0].code, listing[0].listed.kind) == ("READ_FAILED", Kind.NAMESPACE)
    assert "bad page" in listing[0].message
    assert [item.name for item in listing[1:] if isinstance(item, Listed)][:2] == ["v_one", ""]


def test_one_denied_database_costs_no_other(answers: Answers) -> None:
    answers.forget("/contract/view-details", 403, '{"message": "no"}')
    with source(answers) as paimon:
        listing = list(paimon.listing())
    (failure,) = [item for item in listing if isinstance(item, Failure)]
    assert (failure.listed.namespace, failure.code) == (("contract",), "DENIED")
    assert {item.namespace for item in listing if isinstance(item, Listed)} == {("pmdb",)}


def test_a_name_that_would_lead_elsewhere_is_never_asked_for(answers: Answers) -> None:
    answers.said["/v1/paimon/databases?maxResults=500"] = 200, '{"databases": ["..", "pmdb"]}'
    with source(answers) as paimon:
        listing = list(paimon.listing())
    (failure,) = [item for item in listing if isinstance(item, Failure)]
    assert (failure.listed.namespace, failure.code) == (("..",), "READ_FAILED")
    assert "cannot stand in a path" in failure.message
    assert {item.namespace for item in listing if isinstance(item, Listed)} == {("pmdb",)}


def test_a_database_that_is_gone_gets_no_answer_and_one_that_is_denied_a_failure(
    answers: Answers,
) -> None:
    gone, denied = (Listed((name,), "", Kind.NAMESPACE) for name in ("gone", "contract"))
    answers.said["/v1/paimon/databases/contract"] = 403, ""
    with source(answers) as paimon:
        (answer,) = paimon.load(CrawlTask("p", (gone, denied)))
    assert isinstance(answer, Failure)
    assert answer.listed is denied


def test_a_database_that_is_dropped_while_it_is_listed_is_no_failure(answers: Answers) -> None:
    gone = {"resourceType": "DATABASE", "resourceName": "contract", "message": "", "code": 404}
    answers.forget("/contract/view-details", 404, json.dumps(gone))
    with source(answers, batch=1) as paimon:
        (failure,) = [item for item in paimon.listing() if isinstance(item, Failure)]
        assert failure.listed.namespace == ("contract",), "it is listed still"
        answers.said["/v1/paimon/databases?maxResults=500"] = 200, '{"databases": ["pmdb"]}'
        listed = list(paimon.listing())
    assert {item.namespace for item in listed if isinstance(item, Listed)} == {("pmdb",)}
    assert not [item for item in listed if isinstance(item, Failure)]


@pytest.mark.parametrize("body", ["", "<html>", '{"message": "no Route matched"}', "[]"])
def test_a_database_that_a_proxy_does_not_find_is_a_failure(answers: Answers, body: str) -> None:
    database = Listed(("contract",), "", Kind.NAMESPACE)
    answers.said["/v1/paimon/databases/contract"] = 404, body
    with source(answers) as paimon:
        (answer,) = paimon.load(CrawlTask("p", (database,)))
    assert isinstance(answer, Failure)
    assert answer.code == "READ_FAILED"
    assert "proxy" in answer.hint


@pytest.mark.parametrize(
    ("status", "body", "error", "message"),
    [
        (200, "<html>", ReadError, "no JSON"),
        (200, "[]", ReadError, "no JSON object"),
        (200, "{}", ReadError, "no list 'databases'"),
        (200, '{"databases": [], "nextPageToken": "x"}', ReadError, "for ever"),
        (500, "", UnreachableError, "500"),
    ],
)
def test_odd_answers_are_told(
    answers: Answers, status: int, body: str, error: type[Exception], message: str
) -> None:
    first = "/v1/paimon/databases?maxResults=500"
    answers.said[first] = answers.said[f"{first}&pageToken=x"] = status, body
    with source(answers) as paimon, pytest.raises(error, match=message):
        list(paimon.listing())


def test_pages_that_lead_round_in_a_circle_end(answers: Answers) -> None:
    first = "/v1/paimon/databases?maxResults=500"
    for page, following in (("", "x"), ("&pageToken=x", "y"), ("&pageToken=y", "x")):
        answers.said[first + page] = 200, f'{{"databases": [], "nextPageToken": "{following}"}}'
    with source(answers) as paimon, pytest.raises(ReadError, match="the page 'x' for ever"):
        list(paimon.listing())


def test_a_configuration_of_other_kinds_is_told(answers: Answers) -> None:
    answers.said["/v1/config?warehouse=wh"] = 200, '{"defaults": [1]}'
    with source(answers) as paimon, pytest.raises(ReadError, match="no maps `defaults`"):
        list(paimon.listing())


@pytest.mark.parametrize("metastore", ["filesystem", "jdbc"])
def test_a_catalog_that_holds_no_views_says_so_once(metastore: str) -> None:
    with Paimon(Options(metastore=metastore)) as paimon:
        (listed,) = paimon.listing()
        assert isinstance(listed, Listed)
        assert listed.kind is Kind.SOURCE
        (outcome,) = crawl(CrawlTask("p", (listed,)), paimon)
        assert "no views" in paimon.probe().problems[0]
    assert isinstance(outcome.result, Skipped)
    assert outcome.result.reason.code == "NO_VIEWS"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metastore": "hive"}, "read by the kind hms"),
        ({"metastore": "dlf"}, "'dlf' is none of rest, filesystem, jdbc, hive"),
        ({"uri": "h:80"}, "is no address"),
        ({"uri": "http://h"}, "warehouse: is missing"),
    ],
)
def test_mistakes_are_told(options: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        Options(**options)  # type: ignore[arg-type]  # texts only
