"""Servers that answer with what is of another object: a failure of what was asked for."""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any, cast

import pytest

from connectors.gravitino.rest.options import Options as GravitinoOptions
from connectors.gravitino.rest.store import GravitinoRest
from connectors.hms import HiveMetastore, Options
from connectors.iceberg.listings import names_within
from connectors.iceberg.rest import Options as IcebergOptions
from connectors.iceberg.rest import RestCatalog
from connectors.paimon.source import Options as PaimonOptions
from connectors.paimon.source import Paimon
from discovery.asked import check_place, contradiction
from discovery.crawl import crawl
from discovery.errors import ReadError
from discovery.model import Identifier, View
from discovery.outcomes import Failure, Listed, Outcome
from discovery.ports import CrawlTask, ViewSource
from tests.conftest import hive_entry
from tests.loopback import Answer, Request, serving
from tests.unit.test_metastore_that_repeats import Repeating
from tests.unit.test_wrong_answers import glue

ENTRY = hive_entry("v", "select 1 as id", "d")


class Mixing(Repeating):
    """A client whose metastore answers with what it is given, whatever it is asked for."""

    def __init__(self, *entries: dict[str, Any], catalog: str | None = None) -> None:
        super().__init__("v", "w")
        self._entries, self._catalog = entries, catalog

    def database(self, name: str) -> dict[str, Any]:
        return {**super().database(name), "catalogName": self._catalog}

    def tables(self, database: str, names: Sequence[str]) -> Iterator[dict[str, Any]]:
        yield from self._entries

    def table_names(self, database: str) -> list[str]:
        return ["v", "w"]


def outcomes_of(source: ViewSource) -> dict[str, Outcome]:
    """What becomes of what a source lists, by name; each has one outcome."""
    answers = list(source.listing())
    listed = tuple(answer for answer in answers if isinstance(answer, Listed))
    failures = [Outcome(answer.listed, answer) for answer in answers if isinstance(answer, Failure)]
    outcomes = [*failures, *crawl(CrawlTask("s", listed), source)]
    assert len(outcomes) == len(answers), "what is listed agrees with what became of it"
    return {outcome.listed.name: outcome for outcome in outcomes}


def metastore(*entries: dict[str, Any], of: str | None = None, catalog: str | None = None) -> Any:
    source = HiveMetastore(Options(uri="thrift://127.0.0.1:1", catalog=catalog))
    source._client = cast("Any", Mixing(*entries, catalog=of))
    return source


def why(outcome: Outcome) -> str:
    assert isinstance(outcome.result, Failure), outcome
    return f"{outcome.result.code}: {outcome.result.message}"


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ([{**ENTRY, "dbName": "other"}], "answers with what is of other.v"),
        ([ENTRY, {**ENTRY, "viewOriginalText": "select 2"}], "2 entries of its name, unlike in v"),
        ([ENTRY, {**ENTRY, "dbName": "other"}], "2 entries of its name, unlike in dbName"),
        ([{**ENTRY, "tableName": "x"}], "'v' is not returned"),
    ],
)
def test_an_entry_of_something_else_fails_what_was_asked_for(
    entries: list[dict[str, Any]], told: str
) -> None:
    found = outcomes_of(metastore(*entries, hive_entry("w", "select 1 as id", "d")))
    assert why(found["v"]).startswith("READ_FAILED: ")
    assert told in why(found["v"])
    assert isinstance(found["w"].result, View), "its neighbour is none the worse for it"


@pytest.mark.parametrize("entries", [[ENTRY, ENTRY], [{**ENTRY, "dbName": "D", "tableName": "V"}]])
def test_an_entry_that_comes_twice_or_in_another_case_is_what_was_asked_for(
    entries: list[dict[str, Any]],
) -> None:
    found = outcomes_of(metastore(*entries, hive_entry("w", "select 1 as id", "d")))
    assert isinstance(found["v"].result, View)


@pytest.mark.parametrize(("of", "is_taken"), [("lake", True), ("LAKE", True), ("hive", False)])
def test_an_entry_of_another_catalog_fails(of: str, is_taken: bool) -> None:
    names = [{**hive_entry(name, "select 1 as id", "d"), "catName": of} for name in ("v", "w")]
    found = outcomes_of(metastore(*names, of=of, catalog="lake"))
    assert isinstance(found["v"].result, View) == is_taken
    if not is_taken:
        assert "of the catalog hive" in why(found["v"])
        assert "of the catalog hive" in why(found[""]), "nor is the database taken"


def of_glue(*tables: dict[str, str]) -> dict[str, Outcome]:
    def answer(request: Request) -> Answer:
        if "GetDatabases" in request.headers["X-Amz-Target"]:
            return 200, b'{"DatabaseList":[{"Name":"d"}]}'
        return 200, json.dumps({"TableList": tables}).encode()

    with serving(answer, "application/x-amz-json-1.1") as uri, glue(uri) as source:
        return outcomes_of(source)


def test_entries_of_glue_of_another_database_or_unlike_ones_fail() -> None:
    view = {"DatabaseName": "d", "Name": "v", "TableType": "VIRTUAL_VIEW", "ViewOriginalText": "a"}
    found = of_glue(
        {**view, "DatabaseName": "other"},
        {**view, "Name": "twice"},
        {**view, "Name": "twice", "ViewOriginalText": "b"},
        {**view, "Name": "same"},
        {**view, "Name": "same"},
    )
    assert "answers with what is of other.v" in why(found["v"])
    assert "2 entries of its name, unlike in ViewOriginalText" in why(found["twice"])
    assert "entries of its name" not in why(found["same"])


def of_paimon(*views: object) -> dict[str, Outcome]:
    def answer(request: Request) -> Answer:
        within = request.path.partition("?")[0]
        said: dict[str, object] = {"name": "other"}
        if within == "/v1/config":
            said = {}
        elif within == "/v1/databases":
            said = {"databases": ["d"]}
        elif within.endswith("/view-details"):
            said = {"viewDetails": views}
        elif within.endswith("/tables"):
            said = {"tables": []}
        return 200, json.dumps(said).encode()

    with serving(answer, "application/json") as uri:
        options = PaimonOptions(uri=uri, warehouse="w", metastore="rest", timeout=5)
        with Paimon(options) as source:
            return outcomes_of(source)


def test_entries_of_paimon_of_another_database_or_unlike_ones_fail() -> None:
    schema = {"query": "select 1", "fields": [], "dialects": {}, "options": {}}
    found = of_paimon(
        {"name": "v", "schema": schema}, {"name": "v", "schema": {**schema, "query": "select 2"}}
    )
    assert "2 entries of its name, unlike in schema" in why(found["v"])
    assert "answers with what is of other" in why(found[""])


@pytest.mark.parametrize("view", [None, 5, {}, {"name": None}])
def test_a_view_of_paimon_without_a_name_costs_its_database(view: object) -> None:
    assert "has no name" in why(of_paimon(view)[""])


def test_a_listing_of_iceberg_of_another_namespace_fails() -> None:
    def answer(request: Request) -> Answer:
        within = request.path.partition("?")[0]
        if within.endswith(("/views", "/tables")):
            return 200, b'{"identifiers": [{"namespace": ["other"], "name": "v"}]}'
        said: dict[str, object] = {"namespaces": [["d"]]} if within == "/v1/namespaces" else {}
        return 200, json.dumps(said).encode()

    with serving(answer, "application/json") as uri:
        source = RestCatalog(IcebergOptions(uri=uri, timeout=5))
        failures = [answer for answer in source.listing() if isinstance(answer, Failure)]
        source.close()
    assert [failure.listed.namespace for failure in failures][:1] == [("d",)]
    assert failures[0].message == "the server's listing of d has other.v"


def test_a_namespace_of_iceberg_may_be_spelled_otherwise_in_its_listing() -> None:
    assert names_within(("Sales", "eu"), [("sales", "EU", "v"), ("Sales.eu", "w")]) == ["v", "w"]


def test_a_view_of_gravitino_of_another_name_is_not_taken() -> None:
    text = {"type": "sql", "dialect": "spark", "sql": "select 1"}
    view = {"name": "other", "columns": [], "representations": [text], "properties": {}}

    def answer(_: Request) -> Answer:
        return 200, json.dumps({"code": 0, "view": view}).encode()

    place = Identifier(("s",), "v")
    with serving(answer, "application/json") as uri:
        options = GravitinoOptions(uri=uri, provider="lakehouse-iceberg", metalake="m", catalog="c")
        with closing(GravitinoRest(options)) as store, pytest.raises(ReadError, match=r"s\.other"):
            list(store.present([place]))


def test_a_place_is_held_against_what_is_said_of_it() -> None:
    place = Identifier(("d",), "v")
    check_place(place, "hive_table", {**ENTRY, "tableName": "V"}, str.lower)
    check_place(place, "hive_table", {"tableName": None})
    with pytest.raises(ReadError, match=r"d\.v: the source answers with what is of d\.V"):
        check_place(place, "hive_table", {**ENTRY, "tableName": "V"})


def test_no_more_fields_than_one_line_takes_are_named() -> None:
    error = contradiction([{}, {str(number): number for number in range(9)}])
    assert str(error).endswith("unlike in 0, 1, 2, 3, 4, …")
    assert contradiction([{"a": 1}, {"a": 1}]) is None
