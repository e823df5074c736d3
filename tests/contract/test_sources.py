"""What every source must do, over a table of makers; `memory` is the reference."""

import pickle
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from connectors import registry
from connectors.clients.lines import parse
from connectors.hms import HiveMetastore
from connectors.iceberg.jdbc import JdbcCatalog
from connectors.iceberg.rest import RestCatalog
from connectors.jdbc.postgresql import PostgreSQL
from discovery import folds
from discovery import outcomes as reasons
from discovery.crawl import normalize
from discovery.errors import BelvedereError
from discovery.formats import base_columns
from discovery.model import Identifier, Primitive, Schema, View
from discovery.outcomes import Kind, RawObject, Skipped
from discovery.ports import CrawlTask, TableSource
from tests.contract.sources import MAKERS, NAMESPACE, NO_TABLES, TABLE, VIEWS, Made, listed_by
from tests.servers import gate

PLACES = ("uri", "url", "aws_glue_endpoint")
"""Options that lead to a server."""


@pytest.fixture(params=sorted(MAKERS))
def made(request: pytest.FixtureRequest) -> Made:
    return MAKERS[request.param](request)


def test_every_source_of_the_registry_has_a_maker() -> None:
    assert registry.SOURCES.keys() <= MAKERS.keys()


def test_the_listing_shows_each_object_once_behind_its_namespace(made: Made) -> None:
    with made.source as source:
        listed = listed_by(source)
        names = [one.name for one in listed]
        assert names[0] == ""
        assert listed[0].kind is Kind.NAMESPACE
        assert set(names) - {TABLE} == {"", *VIEWS}
        assert len(names) == len(set(names))
        assert {one.namespace for one in listed} == {made.namespace}
        assert listed_by(source) == listed, "the order is stable"


def test_a_server_that_is_started_again_between_two_listings_is_waited_for(made: Made) -> None:
    option = next((name for name in PLACES if hasattr(made.options, name)), "")
    address = address_within(getattr(made.options, option)) if option else None
    if address is None:
        pytest.skip("it has no server")
    url = urlsplit(getattr(made.options, option))
    with gate(address) as door:
        led = f"{url.scheme}://127.0.0.1:{door.port}{url.path}"
        kind: Any = type(made.source)
        with kind(replace(made.options, **{option: led})) as source:
            listed = listed_by(source)
            door.shut()
            threading.Timer(3.0, door.open).start()
            assert listed_by(source) == listed
    assert {*VIEWS} <= {one.name for one in listed}


def address_within(url: str) -> Path | int | None:
    """The port or the socket of the server that a URL leads to; None: it is a file's."""
    parts = urlsplit(url)
    asked = dict(parse_qsl(parts.query))
    if "unix_socket" in asked:
        return Path(asked["unix_socket"])
    return Path(asked["host"]) / ".s.PGSQL.5432" if "host" in asked else parts.port


def test_tables_are_told_from_views_where_the_listing_knows(made: Made) -> None:
    with made.source as source:
        kinds = {listed.name: listed.kind for listed in listed_by(source)}
        assert kinds.get(TABLE, Kind.TABLE) is Kind.TABLE
        assert all(kinds[name] in {Kind.VIEW, Kind.UNDECIDED} for name in VIEWS)


def test_each_object_is_answered_once_and_read_by_some_format(made: Made) -> None:
    with made.source as source:
        wanted = [listed for listed in listed_by(source) if listed.kind is not Kind.TABLE]
        answers = list(source.load(CrawlTask("s", tuple(wanted))))
        assert sorted(str(outcome.listed) for outcome in answers) == sorted(map(str, wanted))
        for answer in answers:
            assert isinstance(answer, RawObject)
            kind, payload_, _ = parse(answer.text.encode())
            assert (kind, payload_) == (answer.kind, answer.payload), "it can be replayed"
            result = normalize(answer).result
            if answer.listed.kind is Kind.NAMESPACE:
                assert isinstance(result, Schema)
                assert result.levels == made.namespace
            else:
                assert isinstance(result, View)
                assert result.identifier == answer.listed.identifier
                assert [(column.name, column.comment) for column in result.columns] == [
                    ("x", made.comment)
                ]


def test_an_object_that_is_gone_gets_no_answer(made: Made) -> None:
    with made.source as source:
        wanted = [listed for listed in listed_by(source) if listed.name in VIEWS]
        made.drop("v_two")
        answers = list(source.load(CrawlTask("s", tuple(wanted))))
        assert [answer.listed.name for answer in answers] == ["v_one"]
        gone = tuple(listed for listed in wanted if listed.name == "v_two")
        assert list(source.load(CrawlTask("s", gone))) == [], "with nothing beside it"


def test_nothing_is_asked_for_nothing(made: Made) -> None:
    with made.source as source:
        assert list(source.load(CrawlTask("s", ()))) == []


def test_folding_twice_is_folding_once(made: Made) -> None:
    fold = made.source.fold
    assert fold(fold("Mixed Case")) == fold("Mixed Case")
    assert folds.name_of(fold) in folds.FOLDS, "an archive can say it"


def test_a_source_says_what_it_is(made: Made) -> None:
    with made.source as source:
        assert source.probe().version
        assert source.connections >= 1
        assert source.batch >= 1


def test_entering_asks_nothing_and_the_first_call_says_what_is_wrong(made: Made) -> None:
    if made.unreachable is None:
        pytest.skip("memory is always there")
    with made.unreachable as source:
        with pytest.raises(BelvedereError) as raised:
            source.probe()
        assert raised.value.hint


def test_options_travel_to_the_executors(made: Made) -> None:
    if made.options is None:
        pytest.skip("memory has no options")
    assert pickle.loads(pickle.dumps(made.options)) == made.options  # noqa: S301


@pytest.mark.parametrize("kind", sorted(MAKERS.keys() - NO_TABLES))
def test_the_columns_of_named_tables_are_told(kind: str, request: pytest.FixtureRequest) -> None:
    made = MAKERS[kind](request)
    with made.source as source:
        load_tables = source.load_tables  # type: ignore[attr-defined]  # a TableSource, too
        nowhere = [Identifier(space, TABLE) for space in ((), ("a", "b"), (*NAMESPACE, TABLE))]
        wanted = [*nowhere, Identifier(NAMESPACE, TABLE), Identifier(NAMESPACE, "gone")]
        (found,) = load_tables(wanted)  # texts name what they like: no place costs another one
    assert isinstance(found, RawObject)
    assert found.listed.name == TABLE
    result = normalize(found).result
    assert isinstance(result, Skipped)
    assert result.reason is reasons.TABLE
    kind_, payload_, _ = parse(found.text.encode())
    told = base_columns.table_columns(RawObject(found.listed, kind_, payload_))
    assert told is not None
    columns = [(column.name, column.type) for column in told.columns]
    assert columns == [("x", Primitive(made.whole_number))]


def _typed(
    source: HiveMetastore, database: PostgreSQL, jdbc: JdbcCatalog, rest: RestCatalog
) -> tuple[TableSource, ...]:
    """All are what the port asks for; mypy looks."""
    return source, database, jdbc, rest
