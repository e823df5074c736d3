"""Answers of a server of Iceberg's REST protocol, and of whoever answers in its place."""

from typing import Final

from pydantic import ValidationError
from requests import Response

from connectors.clients.rest import answer_to_write

_OF_AN_ERROR: Final = ("message", "type")


def is_of_catalog(answer: Response) -> bool:
    """Whether it is the catalog that says so: each of its errors is an `ErrorModel`.

    A gateway's own has no `type`.
    """
    body = answer_to_write(answer) or {}
    said = body.get("error")
    return isinstance(said, dict) and all(isinstance(said.get(key), str) for key in _OF_AN_ERROR)


def first_mistake(error: ValidationError) -> str:
    """The first of what pydantic says; all of it, with its links, is a page."""
    first = error.errors(include_url=False)[0]
    place = "".join(f"{step}: " for step in first["loc"])
    return f"the answer is none of the protocol: {place}{first['msg']}"
