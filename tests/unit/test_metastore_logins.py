"""Logins and transports to a metastore whose other side is Thrift's own code on a real socket.

The conversations by SASL are as metastores 2.3.10, 3.1.3 and 4.0.1 hold them; Kerberos and tokens
are met with a real one in tests/spark/test_secured_metastore.py.
"""

import base64
import socket
import struct
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from connectors.clients import metastore
from connectors.clients.bounds import TooLargeError
from connectors.clients.credentials import Secret
from connectors.clients.metastore import Metastore
from connectors.clients.thrift.causes import LoginError
from connectors.clients.thrift.digest import DigestMd5, insist_on_cipher, parts_of
from connectors.clients.thrift.keytab import insist_on_key
from connectors.clients.thrift.login import MetastoreLogin
from connectors.clients.thrift.sasl import QOPS, Plain, SaslTransport, strongest
from connectors.hms import HiveMetastore, Options
from discovery.crawl import crawl
from discovery.errors import BelvedereError, ConfigurationError, UnreachableError
from discovery.outcomes import Failure, Listed
from discovery.ports import CrawlTask
from tests.loopback import listening
from tests.metastore_side import Talk, answered, raw, silent, taken

START, OK, BAD, ERROR, COMPLETE = range(1, 6)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metastore, "_PATIENCE", (0.0,))


# SASL


def message(client: socket.socket) -> tuple[int, bytes]:
    status, length = struct.unpack(">BI", taken(client, 5))
    return status, taken(client, length)


def say(client: socket.socket, status: int, text: bytes = b"") -> None:
    client.sendall(struct.pack(">BI", status, len(text)) + text)


def letting_in(user: str, password: str, tried: list[str]) -> Talk:
    """Logs in by PLAIN as `TSaslServerTransport` does, and then answers in frames."""

    def talk(client: socket.socket) -> None:
        assert message(client) == (START, b"PLAIN")
        _, given = message(client)
        tried.append(given.decode())
        if given != f"\0{user}\0{password}".encode():
            say(client, ERROR, b"Error validating the login")
            return
        say(client, COMPLETE)
        with suppress(ConnectionError):
            while True:
                (length,) = struct.unpack(">I", taken(client, 4))
                answer = answered(taken(client, length))
                for part in (answer[:7], b"", answer[7:]):  # frames need not end with an answer
                    client.sendall(struct.pack(">I", len(part)) + part)

    return talk


@contextmanager
def client_of(talk: Talk, **options: Any) -> Iterator[Metastore]:
    with listening(talk) as port:
        login = {"uri": f"thrift://127.0.0.1:{port}", "timeout": 10.0, **options}
        with closing(Metastore(MetastoreLogin(**login))) as client:
            yield client


def by_password(said: str = "geheim7") -> dict[str, Any]:
    return {"authentication": "plain", "user": "crawler", "password": Secret(said)}


def test_a_user_logs_in_by_password() -> None:
    with client_of(letting_in("crawler", "geheim7", []), **by_password()) as client:
        assert client.databases() == ["a", "b"]
        assert client.login == "a password as crawler (auth)"


def test_a_wrong_password_is_tried_once_at_one_address_and_ends_the_task() -> None:
    tried: list[str] = []
    talk = letting_in("crawler", "geheim7", tried)
    with listening(talk) as one, listening(talk) as two:
        uri = f"thrift://127.0.0.1:{one},thrift://127.0.0.1:{two}"
        options = Options(uri=uri, timeout=10.0, **by_password("falsch8"))
        wanted = tuple(Listed(("db",), f"v{number}") for number in range(20))
        with HiveMetastore(options) as source:
            outcomes = list(crawl(CrawlTask("lake", wanted), source))
    failures = [outcome.result for outcome in outcomes if isinstance(outcome.result, Failure)]
    assert len(failures) == len(wanted)
    assert {failure.code for failure in failures} == {"DENIED"}
    assert "does not take the user and the password" in failures[0].message
    assert tried == ["\0crawler\0falsch8"]
    assert "falsch8" not in str(outcomes)


def saying(*messages: tuple[int, bytes]) -> Talk:
    def talk(client: socket.socket) -> None:
        message(client)
        message(client)
        for status, text in messages:
            say(client, status, text)
        client.recv(1)

    return talk


@pytest.mark.parametrize(
    ("talk", "why", "kind"),
    [
        (saying((BAD, b"Unsupported mechanism type PLAIN")), "no login of the kind", LoginError),
        (raw(b"HTTP/1.1 400 Bad Request\r\n\r\n"), "an HTTP server answers", UnreachableError),
        (raw(b"\x15\x03\x03\x00\x02\x02\x50"), "speaks TLS there", UnreachableError),
        (raw(b"J\x00\x00\x00\x0a8.0.1\x00"), "speaks no SASL", UnreachableError),
        (raw(b"\x05\x00\xff\xff\xff"), "something else than SASL", UnreachableError),
        (raw(b""), "did not answer the login by PLAIN", UnreachableError),
        (silent, "did not answer the login by PLAIN", UnreachableError),
    ],
)
def test_what_answers_a_login_is_told(talk: Talk, why: str, kind: type[BelvedereError]) -> None:
    options = {**by_password(), "timeout": 1.0}
    with client_of(talk, **options) as client, pytest.raises(kind, match=why) as raised:
        client.version()
    assert raised.value.hint


def test_a_frame_has_a_largest_size() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        say(theirs, COMPLETE)
        transport = SaslTransport(ours, 5.0, Plain("u", "p"), limit=1_000)
        theirs.sendall(struct.pack(">I", 1_001) + bytes(1_001))
        with pytest.raises(TooLargeError):
            transport.read(1)


def test_the_strongest_quality_of_protection_of_both_is_taken() -> None:
    assert strongest(1 | 2 | 4, QOPS) == "auth-conf"
    assert strongest(1 | 2, QOPS) == "auth-int"
    assert strongest(1 | 2 | 4, ("auth", "auth-int")) == "auth-int"
    with pytest.raises(LoginError, match=r"offers .* auth, and qop has auth-conf") as raised:
        strongest(1, ("auth-conf",))
    assert "add auth to qop" in raised.value.hint


# two texts behind their lengths, then a kind and a service: `Token.encodeToUrlString`
TOKEN = base64.urlsafe_b64encode(b"\x0aidentifier\x08password\x00\x00").decode().rstrip("=")


def test_a_token_is_taken_apart() -> None:
    assert parts_of(TOKEN) == (b"identifier", b"password")
    long = b"\x8f\xc8" + b"i" * 200 + b"\x8e\x01\x2c" + b"p" * 300
    assert parts_of(base64.urlsafe_b64encode(long).decode()) == (b"i" * 200, b"p" * 300)


@pytest.mark.parametrize("wrong", ["", "%%%", "f39_fw", "CmlkZW50", "hf8", "é"])
def test_what_is_no_token_is_told(wrong: str) -> None:
    with pytest.raises(LoginError, match="is of an unknown form"):
        parts_of(wrong)


def test_without_its_package_sealing_by_a_token_is_told_by_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    insist_on_cipher()
    name = "cryptography.hazmat.decrepit.ciphers.algorithms"
    monkeypatch.setitem(__import__("sys").modules, name, None)
    with pytest.raises(ConfigurationError) as raised:
        insist_on_cipher()
    assert "pip install 'belvedere[kerberos]'" in raised.value.hint


def test_a_server_that_does_not_know_the_token_is_left() -> None:
    mechanism = DigestMd5(Secret(TOKEN), ("auth",))
    assert mechanism.step(b'realm="default",nonce="n",qop="auth",charset=utf-8,algorithm=md5-sess')
    with pytest.raises(LoginError, match="does not know the delegation token's password"):
        mechanism.step(b"rspauth=0123456789abcdef0123456789abcdef")


# keytabs


def keytab_of(*names: tuple[str, ...]) -> bytes:
    """A keytab, as MIT's `ktutil` writes it."""

    def counted(text: str) -> bytes:
        return struct.pack(">H", len(text)) + text.encode()

    entries = b""
    for realm, *parts in names:
        entry = struct.pack(">H", len(parts)) + counted(realm) + b"".join(map(counted, parts))
        entry += struct.pack(">IIBHH", 1, 0, 2, 18, 32) + bytes(32)
        entries += struct.pack(">i", len(entry)) + entry
    hole = struct.pack(">i", -8) + bytes(8)
    return b"\x05\x02" + hole + entries


def test_a_keytab_without_the_principal_is_told_with_those_that_it_has(tmp_path: Path) -> None:
    path = tmp_path / "k"
    path.write_bytes(keytab_of(("A.TEST", "crawler"), ("A.TEST", "hive", "h.example")))
    for fine in (None, "crawler", "crawler@A.TEST", "hive/h.example@A.TEST"):
        insist_on_key(str(path), fine)
    with pytest.raises(ConfigurationError, match=r"no key of other@A\.TEST") as raised:
        insist_on_key(str(path), "other@A.TEST")
    assert raised.value.hint == "it has keys of crawler@A.TEST, hive/h.example@A.TEST"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "No such file"),
        (b"", "is no keytab"),
        (b"password", "is no keytab"),
        (keytab_of(("A", "b"))[:22], "is no keytab|has no key"),
        (b"\x05\x02", "has no key of anybody"),
    ],
)
def test_what_is_no_keytab_is_told(tmp_path: Path, content: bytes | None, why: str) -> None:
    if content is not None:
        (tmp_path / "k").write_bytes(content)
    with pytest.raises(ConfigurationError, match=why):
        insist_on_key(str(tmp_path / "k"), None)
