"""How names and types are asked for where a server stumbles over one entry."""

from collections.abc import Iterable, Sequence

import pytest

from connectors.clients.metastore_errors import UnknownMethodError
from connectors.clients.table_types import list_typed_names
from connectors.clients.thrift.causes import LoginError
from discovery.errors import BelvedereError, ReadError, UnreachableError


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
