"""How pyiceberg signs in to an Iceberg REST server: OAuth2, its own token, SigV4; and mishaps.

The server is on loopback: recorded answers of the real one behind a door that checks what it gets.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from connectors.clients.credentials import Secret
from connectors.iceberg.rest import Options, RestCatalog
from discovery.crawl import crawl
from discovery.errors import BelvedereError, ConfigurationError
from discovery.model import View
from discovery.outcomes import Failure, Kind, Listed, Outcome
from discovery.ports import CrawlTask
from tests.loopback import Request, serving
from tests.recorded.answers import Answers

SECRET = "canary-5ec2e7"
NOT_YOU = b'{"error": {"message": "who are you?", "type": "E", "code": 401}}'
SPENT = b'{"error": {"message": "token expired: %s", "type": "E", "code": 419}}'


@dataclass
class Door:
    """A server that hands out tokens and lets nobody in without the latest one.

    Attributes:
        behind: What it says to those whom it lets in.
        lasts: After how many questions a token is over.
        refused: Status and body for whoever asks for a token; None lets the right client have one.
        busy: How many requests are answered 503 first.
        given: Forms with which tokens were asked for.
        uri: Of this server.
    """

    behind: Answers
    lasts: int = 1_000_000
    refused: tuple[int, bytes] | None = None
    busy: int = 0
    given: list[dict[str, list[str]]] = field(default_factory=list)
    left: int = 0
    uri: str = ""

    def answer(self, request: Request) -> tuple[int, bytes]:
        if self.busy:
            self.busy -= 1
            return 503, b""
        if request.path == "/token":
            told = request.headers.get("Authorization", "Bearer")  # as of a renewal
            assert told.startswith("Bearer"), "a client says once who it is"
            return self.token(parse_qs(request.body.decode()))
        token = f"canary-token-{len(self.given)}"
        if request.headers["Authorization"] != f"Bearer {token}":
            return 401, NOT_YOU
        self.left -= 1
        if self.left < 0:
            return 419, SPENT % token.encode()
        status, body = self.behind.answer(request.path)
        return status, body.encode()

    def token(self, form: dict[str, list[str]]) -> tuple[int, bytes]:
        if self.refused:
            return self.refused
        self.given.append(form)
        self.left = self.lasts
        told = '{"access_token": "canary-token-%d", "token_type": "bearer", "expires_in": 3600}'
        return 200, (told % len(self.given)).encode()

    def options(self, **more: str | Secret) -> Options:
        properties: dict[str, str | Secret] = {
            "credential": Secret(f"me:{SECRET}"),
            "oauth2-server-uri": f"{self.uri}/token",
            "scope": "catalog:read",
        }
        return Options(uri=self.uri, include=("contract",), properties=properties | more)


@pytest.fixture
def door(iceberg_rest: Answers) -> Iterator[Door]:
    door = Door(iceberg_rest)
    with serving(door.answer, "application/json") as door.uri:
        yield door


def crawled(options: Options) -> dict[str, Outcome]:
    with RestCatalog(options) as source:
        listed = [item for item in source.listing() if isinstance(item, Listed)]
        return {
            str(outcome.listed.identifier): outcome
            for outcome in crawl(CrawlTask("s", (*listed,)), source)
        }


def views(outcomes: dict[str, Outcome]) -> set[str]:
    return {name for name, outcome in outcomes.items() if isinstance(outcome.result, View)}


@pytest.mark.parametrize(
    ("properties", "sent"),
    [
        ({}, None),
        ({"header.Authorization": Secret(SECRET)}, SECRET),
        ({"token": Secret(SECRET)}, f"Bearer {SECRET}"),
    ],
)
def test_who_states_no_token_sends_none(
    iceberg_rest: Answers, properties: dict[str, str | Secret], sent: str | None
) -> None:
    asked: set[str | None] = set()

    def answer(request: Request) -> tuple[int, bytes]:
        asked.add(request.headers["Authorization"])
        status, body = iceberg_rest.answer(request.path)
        return status, body.encode()

    with serving(answer, "application/json") as uri:
        options = Options(uri=uri, include=("contract",), properties=properties)
        assert len(views(crawled(options))) == 2
    assert asked == {sent}


def test_a_netrc_of_the_machine_signs_nobody_in(
    door: Door, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("default login somebody password else\n", encoding="utf-8")
    monkeypatch.setenv("NETRC", str(netrc))
    assert views(crawled(door.options()))


def refusal(options: Options) -> BelvedereError:
    with RestCatalog(options) as source, pytest.raises(BelvedereError) as raised:
        list(source.listing())
    assert "canary" not in f"{raised.value} {raised.value.hint} {raised.value.where}"
    return raised.value


def test_a_credential_is_exchanged_for_a_token_which_opens_the_catalog(door: Door) -> None:
    outcomes = crawled(door.options())
    assert views(outcomes) == {"contract.v_one", "contract.v_two"}
    assert {(*form.items(),) and form["client_secret"][0] for form in door.given} == {SECRET}
    assert door.given[0]["grant_type"] == ["client_credentials"]
    assert (door.given[0]["client_id"], door.given[0]["scope"]) == (["me"], ["catalog:read"])
    assert not any("canary" in outcome.raw for outcome in outcomes.values())


def test_a_token_that_is_over_is_renewed_in_the_middle_of_a_crawl(door: Door) -> None:
    with RestCatalog(door.options()) as source:
        listed = [
            item for item in source.listing() if isinstance(item, Listed) and item.kind is Kind.VIEW
        ]
        door.left, before = 0, len(door.given)
        outcomes = list(crawl(CrawlTask("s", (*listed,)), source))
    assert len(door.given) == before + 1
    assert sum(isinstance(outcome.result, View) for outcome in outcomes) == 2


def test_a_token_of_one_s_own_that_is_over_makes_each_view_a_failure_without_it(
    door: Door,
) -> None:
    door.given, door.left = [{}], 6  # the listing comes through: `canary-token-1` is in use
    properties: dict[str, str | Secret] = {"token": Secret("canary-token-1")}
    outcomes = crawled(Options(uri=door.uri, include=("contract",), properties=properties))
    for name in ("contract.v_one", "contract.v_two"):
        failure = outcomes[name].result
        assert isinstance(failure, Failure)
        assert (failure.stage, failure.code) == ("read", "DENIED")
        assert "token expired: ***" in failure.message


def test_a_refused_credential_says_so_without_it(door: Door) -> None:
    why = f"no secret {SECRET} for me"
    door.refused = 401, f'{{"error": "invalid_client", "error_description": "{why}"}}'.encode()
    error = refusal(door.options())
    assert (error.code, str(error)) == ("DENIED", "invalid_client: no secret *** for me")


def test_a_token_endpoint_that_is_no_such_thing_says_so(door: Door) -> None:
    door.refused = 200, b"<html>"
    assert refusal(door.options()).code == "READ_FAILED"


def test_a_busy_token_endpoint_is_asked_again(door: Door) -> None:
    door.busy = 2
    assert len(views(crawled(door.options()))) == 2


def test_a_renewed_token_that_the_endpoint_refuses_is_a_failure_of_the_view(door: Door) -> None:
    with RestCatalog(door.options()) as source:
        listed = [
            item for item in source.listing() if isinstance(item, Listed) and item.name == "v_one"
        ]
        door.left, door.refused = 0, (400, b'{"error": "invalid_grant"}')
        (outcome,) = crawl(CrawlTask("s", (*listed,)), source)
    assert isinstance(outcome.result, Failure)
    assert (outcome.result.code, outcome.result.message) == ("DENIED", "invalid_grant")


KEYS: dict[str, str | Secret] = {
    "rest.sigv4-enabled": "true",
    "rest.signing-region": "eu-west-1",
    "rest.signing-name": "glue",
    "client.access-key-id": "AKIDEXAMPLE",
    "client.secret-access-key": Secret(SECRET),
}


def signed(request: Request, uri: str) -> bool:
    """Whether the signature is the one that AWS's own signer makes of the request as it came."""
    stated = request.headers.get("Authorization", "")
    match = re.fullmatch(
        r"AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/\d{8}/eu-west-1/glue/aws4_request, "
        r"SignedHeaders=(\S+), Signature=(\w+)",
        stated,
    )
    if not match:
        return False
    headers = {name: request.headers[name] for name in match[1].split(";")}
    path = urlsplit(request.path)
    again = AWSRequest("GET", f"{uri}{path.path}", headers, params=dict(parse_qsl(path.query)))
    again.context["timestamp"] = request.headers["X-Amz-Date"]
    signer: Any = SigV4Auth(Credentials("AKIDEXAMPLE", SECRET), "glue", "eu-west-1")
    text = signer.string_to_sign(again, signer.canonical_request(again))
    return bool(signer.signature(text, again) == match[2])


def test_every_request_bears_the_signature_that_aws_would_compute(iceberg_rest: Answers) -> None:
    asked, busy = [], [503, 429]

    def answer(request: Request) -> tuple[int, bytes]:
        asked.append(signed(request, place[0]))
        if busy:
            return busy.pop(), b""
        status, body = iceberg_rest.answer(request.path)
        return status, body.encode()

    place = [""]
    with serving(answer, "application/json") as place[0]:
        options = Options(uri=place[0], include=("contract",), properties=KEYS)
        assert len(views(crawled(options))) == 2
    assert len(asked) > 6
    assert all(asked)
    assert not busy


@pytest.mark.parametrize(
    ("missing", "why"),
    [("client.access-key-id", "no keys to sign with"), ("rest.signing-region", "no region")],
)
def test_sigv4_without_keys_or_region_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, missing: str, why: str
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_DEFAULT_REGION", "AWS_REGION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(name, "/nowhere")
    properties = {key: value for key, value in KEYS.items() if key != missing}
    if missing.startswith("client"):
        del properties["client.secret-access-key"]
    error = refusal(Options(uri="http://127.0.0.1:9", properties=properties))
    assert isinstance(error, ConfigurationError)
    assert why in str(error)
