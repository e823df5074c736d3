"""Half of a surrogate pair, which JSON can carry: told where it stands; it costs nothing else."""

import json
from datetime import UTC, datetime

import pytest
from pyiceberg.catalog.rest import ListNamespaceResponse

from connectors.clients.json_texts import dumped, loaded
from connectors.iceberg.listings import places_on
from connectors.iceberg.rest import Options, RestCatalog
from discovery.asked import unaskable
from discovery.crawl import assign, crawl
from discovery.model import View
from discovery.outcomes import Failure, Listed, Outcome
from discovery.ports import CrawlTask, ViewSource
from jobs.crawling import tables as rows
from tests.loopback import Answer, Request, serving
from tests.unit.test_answers_of_other_objects import of_paimon, why
from tests.unit.test_wrong_answers import glue

HALF = "v\ud800"


def outcomes_of(source: ViewSource) -> dict[str, Outcome]:
    """What becomes of what a source lists, by place; each has a row that can be written."""
    planned = list(assign(source.listing(), batch=10, connections=1))
    answers = [assigned.answer for assigned in planned]
    listed = tuple(answer for answer in answers if isinstance(answer, Listed))
    failures = [Outcome(answer.listed, answer) for answer in answers if isinstance(answer, Failure)]
    outcomes = [*failures, *crawl(CrawlTask("s", listed), source)]
    assert len(outcomes) == len(answers), "what is listed agrees with what became of it"
    gathered = rows.OutcomeRows(())
    batches = [batch for one in outcomes for batch in gathered.add("s", one, source.fold)]
    batches += gathered.rest()
    assert sum(batch.num_rows for batch in batches) == len(answers)
    batches = list(rows.object_batches("s", iter(planned), source.fold, ()))
    assert sum(batch.num_rows for batch in batches) == len(answers)
    return {str(outcome.listed.identifier): outcome for outcome in outcomes}


def test_glue_with_halves_in_names_and_texts() -> None:
    view = {"DatabaseName": "d", "TableType": "VIRTUAL_VIEW", "Owner": "o"}
    column = {"Name": "x", "Type": "int"}
    view["StorageDescriptor"] = {"Columns": [column]}  # type: ignore[assignment]
    names = {HALF: "select 1", "text": f"select '{HALF}'", "good": "select 1 as x"}
    tables = [{**view, "Name": name, "ViewOriginalText": text} for name, text in names.items()]

    def answer(request: Request) -> Answer:
        if "GetDatabases" in request.headers["X-Amz-Target"]:
            return 200, json.dumps({"DatabaseList": [{"Name": "d"}, {"Name": HALF}]}).encode()
        within = json.loads(request.body)["DatabaseName"]
        return 200, json.dumps({"TableList": tables if within == "d" else []}).encode()

    with serving(answer, "application/x-amz-json-1.1") as uri, glue(uri) as source:
        found = outcomes_of(source)
    assert isinstance(found["d.good"].result, View)
    assert "half of a surrogate pair in its name" in why(found[f"d.{HALF}"])
    assert "half of a surrogate pair, which is no Unicode" in why(found["d.text"])
    assert any("surrogate" in why(one) for place, one in found.items() if place.startswith("v"))


def test_iceberg_with_halves_in_names_and_texts() -> None:
    metadata = {
        "view-uuid": "fa6506c3-7681-40c8-86dc-e36561f83385",
        "format-version": 1,
        "location": "s3://b/v",
        "current-version-id": 1,
        "schemas": [{"type": "struct", "schema-id": 0, "fields": []}],
        "version-log": [],
        "properties": {},
    }
    asked: list[str] = []

    def answer(request: Request) -> Answer:
        asked.append(request.path)
        within = request.path.partition("?")[0]
        said: dict[str, object] = {}
        if within == "/v1/namespaces":
            said = {"namespaces": [] if "parent" in request.path else [["d"], [HALF]]}
        elif within.endswith("/views"):
            identifiers = [{"namespace": ["d"], "name": name} for name in (HALF, "text", "good")]
            said = {"identifiers": identifiers, "next-page-token": None}
        elif within.endswith("/tables"):
            said = {"identifiers": []}
        elif "/views/" in within:
            text = HALF if within.endswith("text") else "select 1"
            sql = {"type": "sql", "dialect": "spark", "sql": text}
            version = {
                "version-id": 1,
                "schema-id": 0,
                "timestamp-ms": 1,
                "summary": {},
                "default-namespace": ["d"],
                "representations": [sql],
            }
            said = {"metadata": {**metadata, "versions": [version]}, "metadata-location": "m"}
        return 200, json.dumps(said).encode()

    with (
        serving(answer, "application/json") as uri,
        RestCatalog(Options(uri=uri, timeout=5)) as source,
    ):
        found = outcomes_of(source)
    assert isinstance(found["d.good"].result, View)
    assert "half of a surrogate pair in its name" in why(found[f"d.{HALF}"])
    assert "half of a surrogate pair, which is no Unicode" in why(found["d.text"])
    assert not [path for path in asked if "ud800" in path], "nobody asks for what has no name"


def test_paimon_with_halves_in_names_and_texts() -> None:
    schema = {"query": "select 1", "fields": [], "dialects": {}, "options": {}}
    found = of_paimon({"name": "v", "schema": {**schema, "query": HALF}})
    assert "half of a surrogate pair" in why(found["v"])


def test_a_page_that_is_none_for_another_reason_is_refused() -> None:
    for text in (b"<html>", b"{}", b'{"namespaces": 5}', b'{"a": "\\ud800"}'):
        with pytest.raises(ValueError, match="validation error"):
            places_on(ListNamespaceResponse, text)


def test_what_can_be_asked_for_is_told_by_its_whole_place() -> None:
    assert unaskable(Listed(("é", "\U0001f600"), "v")) is None
    assert unaskable(Listed((HALF,), "v")) is not None
    assert unaskable(Listed((), HALF)) is not None


def test_json_with_halves_goes_there_and_back() -> None:
    for value in ({"a": [HALF, None, 1.5]}, {"n": 1 << 80}):
        assert loaded(dumped(value)) == value
        assert dumped(value).isascii()
    noon = datetime(2026, 11, 27, 12, tzinfo=UTC)
    for text in ("x", HALF):
        assert loaded(dumped([noon, text], str)) == [str(noon), text]
