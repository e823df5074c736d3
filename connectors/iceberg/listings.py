"""Pages of listings of Iceberg's REST protocol, checked as pyiceberg checks them."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError
from pyiceberg.catalog import rest

from connectors.clients.json_texts import loaded
from discovery.asked import MIXED_UP
from discovery.errors import ReadError
from discovery.model import dotted
from discovery.namespaces import Levels

Page = TypeVar("Page", rest.ListNamespaceResponse, rest.ListViewsResponse, rest.ListTablesResponse)


def places_on(kind: type[Page], text: bytes) -> tuple[list[Levels], str | None]:
    """What a page has, the names of objects behind their namespaces; and the token of the next.

    pydantic refuses half of a surrogate pair, and the page with it: it is shown an escape, so that
    a name with one costs no other.

    Raises:
        ValidationError: It is no page of the protocol.
    """
    stated: Any = None
    try:
        page = kind.model_validate_json(text)
    except ValidationError as refused:
        try:
            stated = loaded(text)
        except (ValueError, RecursionError):
            raise refused from None
        if (shown := _escaped(stated)) == stated:
            raise
        page = kind.model_validate(shown)
    else:
        stated = page.model_dump()
    if isinstance(page, rest.ListNamespaceResponse):
        return [tuple(levels) for levels in stated["namespaces"]], page.next_page_token
    return [_place(identifier) for identifier in stated["identifiers"]], page.next_page_token


def _place(identifier: Mapping[str, Any]) -> Levels:
    return (*identifier["namespace"], identifier["name"])


def names_within(levels: Levels, places: Iterable[Levels]) -> list[str]:
    """The names that a listing of a namespace has.

    A server may spell the namespace otherwise than its own list of them does: in another case, or
    its levels as one.

    Raises:
        ReadError: It is one of another namespace.
    """
    names = []
    for *namespace, name in places:
        if dotted(namespace).casefold() != dotted(levels).casefold():
            other = dotted((*namespace, name))
            raise ReadError(f"the server's listing of {dotted(levels)} has {other}", hint=MIXED_UP)
        names.append(name)
    return names


def _escaped(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """The same with halves of surrogate pairs as escapes."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, list):
        return [_escaped(item) for item in value]
    if isinstance(value, dict):
        return {_escaped(key): _escaped(item) for key, item in value.items()}
    return value
