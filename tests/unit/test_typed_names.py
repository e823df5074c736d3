"""How names and types are asked for where a server stumbles over one entry."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import pytest

from connectors.clients.metastore import Metastore
from connectors.clients.metastore_errors import UnknownMethodError
from connectors.clients.table_types import KINDS, list_names_by_type, list_typed_names
from connectors.clients.thrift.causes import LoginError
from connectors.hms import HiveMetastore, Options
from discovery.errors import BelvedereError, ReadError, UnreachableError
from discovery.outcomes import Kind, Listed


class Stumbling:
    """A server that stumbles over one entry as it tells types.

    Args:
        errors: What each question for types comes to; after the last one, it answers.
        names: What names by type come to, beside those of all.
    """

    def __init__(self, *errors: BelvedereError, names: BelvedereError | None = None) -> None:
        self.errors, self.names = list(errors), names

    def table_types(self, databases: Sequence[str]) -> Iterable[tuple[str, str, str | None]]:
        if self.errors:
            raise self.errors.pop(0)
        return [(databases[0], "v", "VIRTUAL_VIEW"), (databases[0], "new", "VIRTUAL_VIEW")]

    def table_names(self, database: str, kind: str | None = None) -> list[str | None]:
        if self.names is not None and (kind is not None or not isinstance(self.names, ReadError)):
            raise self.names
        return ["v"] if kind in {None, "VIRTUAL_VIEW"} else []


DROPPED = UnreachableError("get_table_meta: the server closed the connection")
SLOW = UnreachableError("get_table_meta: timed out")


@pytest.mark.parametrize(
    ("client", "found"),
    [
        (Stumbling(), [("new", "VIRTUAL_VIEW"), ("v", "VIRTUAL_VIEW")]),
        (Stumbling(ReadError("null")), [("v", "VIRTUAL_VIEW")]),
        (Stumbling(SLOW, SLOW), [("v", "VIRTUAL_VIEW")]),
        (Stumbling(DROPPED), [("new", "VIRTUAL_VIEW"), ("v", "VIRTUAL_VIEW")]),
        (Stumbling(DROPPED, DROPPED), [("v", "VIRTUAL_VIEW"), (None, None)]),
        (Stumbling(ReadError("null"), names=UnknownMethodError("old")), [("v", None)]),
    ],
    ids=["whole", "an error", "slow", "restarted", "dropped over no name", "an old server"],
)
def test_what_has_a_name_is_listed(
    client: Stumbling, found: list[tuple[str | None, str | None]]
) -> None:
    assert list_typed_names(client, "db") == found


def test_where_not_even_names_are_told_the_first_answer_counts() -> None:
    with pytest.raises(ReadError, match="null"):
        list_typed_names(Stumbling(ReadError("null"), names=UnreachableError("gone")), "db")
    with pytest.raises(LoginError):
        list_typed_names(Stumbling(ReadError("null"), names=LoginError("no")), "db")
    with pytest.raises(LoginError):
        list_typed_names(Stumbling(LoginError("no")), "db")


class Naming:
    """A server that tells names by type.

    Args:
        names: Of all that it says are there.
        by_type: Type to names; what is missing has none.
    """

    def __init__(
        self, names: Sequence[str | None], by_type: Mapping[str, Sequence[str] | BelvedereError]
    ) -> None:
        self._names, self._by_type = names, by_type

    def table_types(self, databases: Sequence[str]) -> Iterable[tuple[str, str, str | None]]:
        raise AssertionError(databases)

    def table_names(self, database: str, kind: str | None = None) -> list[str | None]:
        return [*self._names]

    def names_of_type(self, database: str, kind: str) -> list[str]:
        answer = self._by_type.get(kind, ())
        if isinstance(answer, BelvedereError):
            raise answer
        return [*answer]


@pytest.mark.parametrize(
    ("client", "found"),
    [
        (
            Naming(["v", "t"], {"VIRTUAL_VIEW": ["v"], "MANAGED_TABLE": ["t"]}),
            {"v": "VIRTUAL_VIEW", "t": "MANAGED_TABLE"},
        ),
        (
            Naming(["v"], {"VIRTUAL_VIEW": ["", "v"]}),
            {"": "VIRTUAL_VIEW", "v": "VIRTUAL_VIEW"},
        ),
        (Naming([], {}), {}),
        (Naming(["v", "odd"], {"VIRTUAL_VIEW": ["v"]}), None),
        (Naming(["v", None], {"VIRTUAL_VIEW": ["v"]}), None),
        (Naming(["v"], {"VIRTUAL_VIEW": ["v"], "EXTERNAL_TABLE": ReadError("NULL")}), None),
        (
            Naming(["v"], {"VIRTUAL_VIEW": ["v"], "INDEX_TABLE": ReadError("no such type")}),
            {"v": "VIRTUAL_VIEW"},
        ),
        (Naming(["v"], {"VIRTUAL_VIEW": UnknownMethodError("old")}), None),
    ],
    ids=[
        "whole",
        "an empty name",
        "nothing",
        "no type",
        "no name",
        "an error",
        "Hive 3",
        "an old server",
    ],
)
def test_names_are_told_by_type_or_not_at_all(client: Naming, found: dict[str, str] | None) -> None:
    pairs = list_names_by_type(client, "db")
    assert (None if pairs is None else dict(pairs)) == found


def test_a_login_that_fails_is_not_tried_by_other_questions() -> None:
    with pytest.raises(LoginError):
        list_names_by_type(Naming([], {"VIRTUAL_VIEW": LoginError("no")}), "db")


@pytest.mark.parametrize(
    ("size", "stumbles_at", "by_entries", "by_type"),
    [
        (49, None, [1, 10, 4], []),
        (50, None, [1], [*range(1, 15)]),
        (50, 3, [1, 10, 2], [1, 2, 3]),
    ],
    ids=["few objects", "many objects", "many objects, one without a name"],
)
def test_databases_with_many_objects_are_listed_by_names(
    monkeypatch: pytest.MonkeyPatch,
    size: int,
    stumbles_at: int | None,
    by_entries: list[int],
    by_type: list[int],
) -> None:
    """A list of chunks that `get_table_meta` is asked for, and of the databases that are not."""
    databases = [f"d{number:02}" for number in range(15)]
    names = [f"v{number:02}" for number in range(size)]
    chunks: list[int] = []
    asked: list[int] = []

    def table_types(_: object, chunk: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        chunks.append(len(chunk))
        yield from ((database, name, "VIRTUAL_VIEW") for database in chunk for name in names)

    def table_names(_: object, database: str) -> list[str]:
        asked.append(int(database[1:]))
        if asked[-1] == stumbles_at:
            raise DROPPED
        return names

    monkeypatch.setattr(Metastore, "databases", lambda _: databases)
    monkeypatch.setattr(Metastore, "table_types", table_types)
    monkeypatch.setattr(Metastore, "table_names", table_names)
    monkeypatch.setattr(
        Metastore, "names_of_type", lambda _, __, kind: names if kind == next(iter(KINDS)) else []
    )
    with HiveMetastore(Options(uri="thrift://127.0.0.1:1")) as source:
        listed = list(source.listing())
    assert listed == [
        listed_object
        for database in databases
        for listed_object in (
            Listed((database,), "", Kind.NAMESPACE),
            *(Listed((database,), name, Kind.VIEW) for name in names),
        )
    ]
    assert (chunks, asked) == (by_entries, by_type)
