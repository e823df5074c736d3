"""Thrift over HTTP, and TLS with certificates on both sides, on real sockets."""

import re
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import trustme

from connectors.clients import metastore
from connectors.clients.credentials import Secret
from connectors.clients.metastore import Metastore
from connectors.clients.thrift.causes import LoginError
from connectors.clients.thrift.login import MetastoreLogin
from discovery.errors import BelvedereError, ConfigurationError, UnreachableError
from tests.loopback import HungUpError, Request, listening, serving
from tests.metastore_side import answered, raw, taken

Answering = Callable[[Request], tuple[int, bytes]]


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metastore, "_PATIENCE", (0.0,))


# HTTP


class OverHttp:
    """Answers as `TServlet` does, to those whom it lets in."""

    def __init__(self, allowed: Callable[[Request], bool]) -> None:
        self.asked: list[Request] = []
        self._allowed = allowed

    def __call__(self, request: Request) -> tuple[int, bytes]:
        self.asked.append(request)
        if request.path != "/metastore":
            return 404, b"<html>"
        if not self._allowed(request):
            return 401, b"Unauthorized"
        return 200, answered(request.body)


@contextmanager
def over_http(
    server: Callable[[Request], tuple[int, bytes]], **options: Any
) -> Iterator[Metastore]:
    with serving(server, "application/x-thrift") as uri:
        login = {"uri": f"{uri}/metastore", "timeout": 10.0, **options}
        with closing(Metastore(MetastoreLogin(**login))) as client:
            yield client


def test_a_metastore_is_asked_over_http_on_one_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")  # not heeded without being asked
    server = OverHttp(lambda asked: asked.headers["x-actor-username"] == "crawler")
    with over_http(server, user="crawler", headers={"x-tenant": Secret("geheim")}) as client:
        assert client.databases() == ["a", "b"]
        assert client.version() == "3.0"
        assert client.login == "HTTP, a header"
    assert {request.headers["x-tenant"] for request in server.asked} == {"geheim"}
    assert {request.method for request in server.asked} == {"POST"}


def test_a_connection_that_the_server_closes_is_opened_again() -> None:
    def talk(client: socket.socket) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            head += client.recv(4096)
        head, _, body = head.partition(b"\r\n\r\n")
        (length,) = re.findall(rb"Content-Length: (\d+)", head)
        answer = answered(body + taken(client, int(length) - len(body)))
        close = b"Connection: close\r\n" if len(opened) < 2 else b""
        opened.append(len(opened))
        said = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n%s\r\n" % (len(answer), close)
        client.sendall(said + answer)

    opened: list[int] = []
    with listening(talk) as port:
        login = MetastoreLogin(uri=f"http://127.0.0.1:{port}/metastore", timeout=10.0)
        with closing(Metastore(login)) as client:
            for _ in range(3):
                assert client.version() == "3.0"
            time.sleep(0.1)  # it closes this one without a word
            assert client.version() == "3.0"
    assert len(opened) == 4


def test_a_token_that_has_expired_is_read_again_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "jwt"
    path.write_text("old\n")
    valid = ["old"]
    server = OverHttp(lambda asked: asked.headers["Authorization"] == f"Bearer {valid[0]}")
    with over_http(server, authentication="jwt", token_file=str(path)) as client:
        assert client.version() == "3.0"
        valid[0] = "new"
        path.write_text("new\n")
        assert client.version() == "3.0"
        valid[0] = "newer"
        with pytest.raises(LoginError, match=r"getVersion: .* does not let us in \(401\)"):
            client.version()
    assert [request.headers["Authorization"][-5:] for request in server.asked] == ["r old"] * 2 + [
        "r new"
    ] * 2


def test_a_token_that_is_not_there_is_told(tmp_path: Path) -> None:
    login = {"authentication": "jwt", "token_file": str(tmp_path / "none")}
    with over_http(OverHttp(lambda _: True), **login) as client:
        with pytest.raises(ConfigurationError, match=r"token_file .* cannot be read") as raised:
            client.version()
        assert "every executor" in raised.value.hint


def refused(_: Request) -> tuple[int, bytes]:
    return 503, b"busy"


def hung_up(_: Request) -> tuple[int, bytes]:
    raise HungUpError


def cut(request: Request) -> tuple[int, bytes]:
    return 200, answered(request.body)[:20]


@pytest.mark.parametrize(
    ("server", "why"),
    [
        (OverHttp(lambda _: False), "does not let us in"),
        (refused, "failed"),
        (hung_up, "closed the connection before it answered"),
        (cut, "ends in the middle"),
    ],
)
def test_what_http_answers_instead_is_told(
    server: Callable[[Request], tuple[int, bytes]], why: str
) -> None:
    with over_http(server) as client, pytest.raises(BelvedereError, match=why):
        client.version()


def test_a_wrong_path_and_a_port_without_http_are_told() -> None:
    with serving(OverHttp(lambda _: True), "application/x-thrift") as uri:
        login = MetastoreLogin(uri=f"{uri}/hive", timeout=10.0)
        with closing(Metastore(login)) as client, pytest.raises(LoginError, match="at this path"):
            client.version()
    with listening(raw(b"\x80\x01\x00\x02nothing of http")) as port:
        login = MetastoreLogin(uri=f"http://127.0.0.1:{port}/metastore", timeout=10.0)
        with closing(Metastore(login)) as client:
            with pytest.raises(UnreachableError, match="speaks no HTTP") as raised:
                client.version()
            assert "thrift://" in raised.value.hint


# TLS


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="module")
def certificates(authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder: of the authority, of a client, of a client of another authority."""
    folder = tmp_path_factory.mktemp("tls")
    authority.cert_pem.write_to_path(folder / "ca.pem")
    for name, issuer in (("client", authority), ("foreign", trustme.CA())):
        issued = issuer.issue_cert("crawler@example.org")
        issued.private_key_pem.write_to_path(folder / f"{name}.key")
        for pem in issued.cert_chain_pems:
            pem.write_to_path(folder / f"{name}.pem", append=True)
    return folder


@contextmanager
def with_client_certificates(authority: trustme.CA, version: ssl.TLSVersion) -> Iterator[int]:
    """A metastore behind what demands certificates of its clients; yields the port."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.maximum_version = version
    context.verify_mode = ssl.CERT_REQUIRED
    authority.configure_trust(context)
    authority.issue_cert("127.0.0.1").configure_cert(context)

    def talk(client: socket.socket) -> None:
        with suppress(ssl.SSLError), context.wrap_socket(client, server_side=True) as spoken:
            while question := spoken.recv(1 << 16):
                spoken.sendall(answered(question))

    with listening(talk) as port:
        yield port


# where an alert is lost on its way, the connection has ended before an answer
NO_CERTIFICATE = "wants a certificate of its client|before it answered anything"
FOREIGN = "does not trust the client's certificate|before it answered anything"


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_a_certificate_of_the_client_is_shown_and_its_lack_is_told(
    authority: trustme.CA, certificates: Path, version: ssl.TLSVersion
) -> None:
    def reached(**more: Any) -> str:
        uri, ca_file = f"thrift://127.0.0.1:{port}", str(certificates / "ca.pem")
        login = MetastoreLogin(uri=uri, timeout=10.0, tls=True, ca_file=ca_file, **more)
        with closing(Metastore(login)) as client:
            return client.version()

    def shown(name: str) -> dict[str, str]:
        return {
            "certificate_file": str(certificates / f"{name}.pem"),
            "key_file": str(certificates / f"{name}.key"),
        }

    with with_client_certificates(authority, version) as port:
        assert reached(**shown("client")) == "3.0"
        with pytest.raises(UnreachableError, match=NO_CERTIFICATE) as raised:
            reached()
        assert "certificate_file" in raised.value.hint
        with pytest.raises(UnreachableError, match=FOREIGN):
            reached(**shown("foreign"))
        with pytest.raises(ConfigurationError, match="are no certificate and key"):
            reached(**{**shown("client"), "key_file": str(certificates / "foreign.key")})
