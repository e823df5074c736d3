"""Catalogs that answer with something else than a catalog does: a sentence, and what was told."""

import gzip
import json
from itertools import count

import pytest

from connectors.clients.credentials import Secret
from connectors.glue import Glue
from connectors.glue import Options as GlueOptions
from connectors.iceberg.rest import Options, RestCatalog
from discovery.errors import BelvedereError, ReadError, UnreachableError
from discovery.outcomes import Failure, Listed
from discovery.ports import ViewSource
from tests.loopback import Answer, Request, serving

SECRET = Secret("canary-91")
EVER = count()


def told_by(source: ViewSource) -> tuple[list[Listed | Failure], BelvedereError | None]:
    """What a listing gives, and how it breaks off; None: it does not."""
    found: list[Listed | Failure] = []
    with source:
        try:
            found.extend(source.listing())
        except BelvedereError as error:
            return found, error
    return found, None


def glue(uri: str) -> Glue:
    return Glue(
        GlueOptions(
            aws_region="us-east-1",
            aws_access_key_id=SECRET,
            aws_secret_access_key=SECRET,
            aws_glue_endpoint=uri,
            timeout=5,
            attempts=1,
        )
    )


@pytest.mark.parametrize(
    ("answer", "kind", "told"),
    [
        ((200, b"[]"), ReadError, "has no DatabaseList"),
        ((200, b'{"DatabaseList":null}'), ReadError, "has no DatabaseList"),
        ((200, b'{"DatabaseList":[1]}'), ReadError, "has no DatabaseList"),
        ((200, b'{"DatabaseList":[null]}'), ReadError, "an entry has no name"),
        ((200, b'{"DatabaseList":[{}]}'), ReadError, "an entry has no name"),
        ((200, gzip.compress(b"{}")[:9] + b"xx"), ReadError, "has no DatabaseList"),
        ((503, b"<html>"), UnreachableError, "503"),
        ((429, b"<html>"), UnreachableError, "429"),
    ],
)
def test_what_is_no_answer_of_glue_is_a_sentence(
    answer: Answer, kind: type[BelvedereError], told: str
) -> None:
    with serving(lambda _: answer, "application/x-amz-json-1.1") as uri:
        found, error = told_by(glue(uri))
    assert found == []
    assert isinstance(error, kind)
    assert told in str(error)


def test_an_entry_of_glue_without_a_name_costs_its_database_only() -> None:
    def answer(request: Request) -> Answer:
        if "GetDatabases" in request.headers["X-Amz-Target"]:
            return 200, b'{"DatabaseList":[{"Name":"a"},{"Name":"b"}]}'
        return 200, b'{"TableList":[{"Name":"t"},{}]}'

    with serving(answer, "application/x-amz-json-1.1") as uri:
        found, error = told_by(glue(uri))
    assert error is None
    assert [one.name for one in found if isinstance(one, Listed)] == ["t", "t"]
    failures = [one for one in found if isinstance(one, Failure)]
    assert [one.listed.namespace for one in failures] == [("a",), ("b",)]


@pytest.mark.parametrize("spaces", [[], [["a"]]])
def test_an_iceberg_server_that_pages_for_ever_is_told(spaces: list[list[str]]) -> None:
    def answer(request: Request) -> Answer:
        if request.path.startswith("/v1/config"):
            return 200, b'{"defaults":{},"overrides":{}}'
        page = {"namespaces": spaces, "next-page-token": f"t{next(EVER)}"}
        return 200, json.dumps(page).encode()

    with serving(answer, "application/json") as uri:
        found, error = told_by(RestCatalog(Options(uri=uri, timeout=5)))
    assert found == []
    assert error is not None
    assert "for ever" in str(error)


def test_a_page_in_place_of_an_answer_is_one_line() -> None:
    def answer(request: Request) -> Answer:
        if request.path.startswith("/v1/config"):
            return 200, b'{"defaults":{},"overrides":{}}'
        return 200, b"<html>log in</html>"

    with serving(answer, "application/json") as uri:
        _, error = told_by(RestCatalog(Options(uri=uri, timeout=5)))
    assert str(error).startswith("the answer is none of the protocol: Invalid JSON")
    assert "\n" not in str(error)
    assert "pydantic" not in str(error)
