"""A metastore as a target that tells of other names than it was asked of."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from connectors.clients.metastore import Metastore
from connectors.hms_stores.native import MetastoreStore, Options
from discovery.outcomes import Kind, Listed

Row = tuple[str, str | None, str | None]


@pytest.mark.parametrize(
    ("rows", "asked"),
    [
        ([("db", "w", "VIRTUAL_VIEW"), ("db", None, None), ("db", "v", None)], [["db"]]),
        ([("DB", "w", "VIRTUAL_VIEW"), ("DB", None, None), ("DB", "v", None)], [["db"], ["db"]]),
    ],
    ids=["a name is missing", "the database is in another case"],
)
def test_what_a_database_holds_is_listed(
    monkeypatch: pytest.MonkeyPatch, rows: Sequence[Row], asked: Sequence[Sequence[str]]
) -> None:
    calls = []

    def table_types(_: Any, databases: Sequence[str]) -> Iterator[Row]:
        calls.append(databases)
        yield from rows

    monkeypatch.setattr(Metastore, "databases", lambda _: ["db", None])
    monkeypatch.setattr(Metastore, "table_types", table_types)
    with MetastoreStore(Options(uri="thrift://h:9083")) as store:
        listed = list(store.listing())
    assert listed == [
        Listed(("db",), "", Kind.NAMESPACE),
        Listed(("db",), "v", Kind.UNDECIDED),
        Listed(("db",), "w", Kind.VIEW),
    ]
    assert [list(databases) for databases in calls] == asked
