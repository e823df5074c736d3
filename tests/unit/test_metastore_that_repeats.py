"""A metastore that lists a name twice, or in two cases: nobody can ask for the second one."""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from typing import Any, cast

import pytest

from connectors.hms import HiveMetastore, Options
from discovery.crawl import crawl
from discovery.model import Identifier, View
from discovery.outcomes import Failure, Kind, Listed, RawObject
from discovery.ports import CrawlTask
from tests.conftest import hive_entry


class Repeating:
    """A client whose metastore lists what it is given, and keeps names in lower case."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def task(self) -> nullcontext[None]:
        return nullcontext()

    def databases(self) -> list[str]:
        return ["d"]

    def database(self, name: str) -> dict[str, Any]:
        return {"name": name, "parameters": {}}

    def table_types(self, databases: Sequence[str]) -> list[tuple[str, str, str]]:
        return [(database, name, "VIRTUAL_VIEW") for database in databases for name in self._names]

    def tables(self, database: str, names: Sequence[str]) -> Iterator[dict[str, Any]]:
        for name in dict.fromkeys(name.lower() for name in names):
            yield hive_entry(name, "select 1 as id", database)


def source_of(*names: str) -> HiveMetastore:
    source = HiveMetastore(Options(uri="thrift://127.0.0.1:1"))
    source._client = cast("Any", Repeating(*names))
    return source


@pytest.mark.parametrize(
    ("names", "became"),
    [
        (("v", "v"), {"v": View}),
        (("V", "v"), {"v": View, "V": Failure}),
        (("v", "V", "w"), {"v": View, "V": Failure, "w": View}),
    ],
)
def test_each_name_that_is_listed_has_one_outcome(
    names: tuple[str, ...], became: dict[str, type]
) -> None:
    source = source_of(*names)
    listed = tuple(one for one in source.listing() if isinstance(one, Listed))
    outcomes = list(crawl(CrawlTask("s", listed), source))
    assert len(outcomes) == len(listed), "what is listed agrees with what became of it"
    found = {one.listed.name: one.result for one in outcomes if one.listed.kind is Kind.VIEW}
    assert {name: type(result) for name, result in found.items()} == became
    for failure in found.values():
        if isinstance(failure, Failure):
            assert "it is listed beside 'v', and both are asked for alike" in failure.message


def test_a_table_that_views_name_in_two_cases_is_fetched_once() -> None:
    names = [Identifier(("d",), "T"), Identifier(("d",), "t")]
    (found,) = source_of().load_tables(names)
    assert isinstance(found, RawObject)
