"""Servers that lead elsewhere: another host is not asked, and gets nothing."""

import pytest
import requests

from connectors.clients.rest import JsonClient, origin_of, session
from connectors.iceberg.rest import Options, RestCatalog
from discovery.errors import UnreachableError
from tests.loopback import Answer, Request, serving
from tests.unit.test_wrong_answers import SECRET, told_by


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_another_host_is_not_asked_in_place_of_a_catalog(status: int) -> None:
    asked: list[Request] = []

    def elsewhere(request: Request) -> Answer:
        asked.append(request)
        return 200, b'{"namespaces":[]}'

    with serving(elsewhere, "application/json") as other:

        def answer(request: Request) -> Answer:
            if request.path.startswith("/v1/config"):
                return 200, b'{"defaults":{},"overrides":{}}'
            return status, b"", {"Location": f"{other}{request.path}&key=canary"}

        properties = {"token": SECRET, "header.X-Api-Key": SECRET}
        with serving(answer, "application/json") as uri:
            found, error = told_by(RestCatalog(Options(uri=uri, timeout=5, properties=properties)))
    assert found == []
    assert isinstance(error, UnreachableError)
    assert f"{status}: the server leads to {other}, which is not asked" in str(error)
    assert "canary" not in str(error)
    assert asked == [], "a key in a header would have gone there"


def test_another_path_of_the_same_server_is_followed() -> None:
    def answer(request: Request) -> Answer:
        if request.path.startswith("/old"):
            return 307, b"", {"Location": "/new"}
        return 200, b'{"is": "there"}'

    with serving(answer, "application/json") as uri:
        client = JsonClient(uri, token=SECRET, timeout=5)
        assert client.get("/old") == {"is": "there"}
        client.close()


def test_what_is_no_address_is_not_asked() -> None:
    with (
        serving(lambda _: (302, b"", {"Location": "http://[::"}), "text/html") as uri,
        session(None) as asking,
        pytest.raises(requests.RequestException, match="302: the server leads to what is no URL"),
    ):
        asking.get(uri)


def test_an_origin_is_told_without_what_may_be_secret() -> None:
    assert origin_of("https://user:pw@h.example:8443/p?token=x") == "https://h.example:8443"
