"""What a metastore that is none, that hangs, drips or dies costs: an answer in time, in words."""

import datetime as dt
import socket
import ssl
import struct
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from hive_metastore import ThriftHiveMetastore as Hive4
from hive_metastore.ttypes import GetCatalogsResponse, MetaException
from hmsclient.genthrift.hive_metastore import ThriftHiveMetastore as Hive2
from hmsclient.genthrift.hive_metastore.ttypes import Database
from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.transport.TSocket import TSocket
from thrift.transport.TTransport import TBufferedTransport, TTransportException

from connectors.clients import metastore
from connectors.clients.bounds import Deadline, TooLargeError
from connectors.clients.metastore import Metastore
from connectors.clients.thrift import login
from connectors.clients.thrift.bounded import BoundedTransport, check_answer, open_socket
from connectors.clients.thrift.login import MetastoreLogin
from connectors.hms import HiveMetastore, Options
from discovery.crawl import crawl
from discovery.errors import BelvedereError, ListingError, ReadError, UnreachableError
from discovery.outcomes import Failure, Listed
from discovery.ports import CrawlTask
from tests.loopback import listening

Talk = Callable[[socket.socket], None]


class Served:
    """What a metastore answers."""

    def getVersion(self) -> str:  # noqa: N802 - Thrift's name
        return "3.0"

    def get_all_databases(self) -> list[str]:
        return ["b", "a"]

    def get_databases(self, pattern: str) -> list[str]:
        return [pattern]

    def get_database(self, name: str) -> Database:
        return Database(name)

    def get_catalogs(self) -> GetCatalogsResponse:
        return GetCatalogsResponse(["hive", "Spark"])


def answering(bindings: Any = Hive2, served: Any = Served, answers: int = 1_000) -> Talk:
    """Answers calls as a metastore does; the connection is lost after some of them."""

    def talk(client: socket.socket) -> None:
        processor = bindings.Processor(served())
        spoken = TSocket()
        spoken.setHandle(client)
        protocol = TBinaryProtocol(TBufferedTransport(spoken))
        with suppress(TTransportException):  # the client has gone, or never spoke Thrift
            for _ in range(answers):
                processor.process(protocol, protocol)

    return talk


def hanging(client: socket.socket) -> None:
    while client.recv(4096):
        pass


def dripping(client: socket.socket) -> None:
    """The beginning of an answer of 64 KiB, a byte at a time."""
    client.recv(4096)
    answer = b"\x80\x01\x00\x02" + struct.pack("!i", 1 << 16) + b"x" * (1 << 16)
    for byte in answer:
        client.sendall(bytes([byte]))
        time.sleep(0.02)


def saying(answer: bytes) -> Talk:
    def talk(client: socket.socket) -> None:
        client.recv(4096)
        client.sendall(answer)

    return talk


@contextmanager
def addresses(*talks: Talk | None) -> Iterator[list[str]]:
    """URIs of servers; None is a port where none is."""
    with ExitStack() as stack:
        ports = [1 if talk is None else stack.enter_context(listening(talk)) for talk in talks]
        yield [f"thrift://127.0.0.1:{port}" for port in ports]


def reaching(uris: Sequence[str], **more: Any) -> Metastore:
    return Metastore(MetastoreLogin(uri=",".join(uris), **more))


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metastore, "_PATIENCE", (0.0,))


@pytest.mark.slow
@pytest.mark.parametrize("bad", [None, hanging, dripping, saying(b"HTTP/1.1 400 Bad\r\n\r\n")])
def test_a_call_is_put_to_the_next_address(bad: Talk | None) -> None:
    with addresses(bad, answering()) as uris, closing(reaching(uris, timeout=2)) as client:
        assert client.version() == "3.0"
        assert client.databases() == ["a", "b"]
        client.close()
        assert client.version() == "3.0", "what failed is asked last from now on"


def test_an_address_that_dies_in_between_costs_no_call() -> None:
    dying = answering(answers=2)
    with addresses(dying, answering()) as uris, closing(reaching(uris, timeout=10)) as client:
        assert [client.version() for _ in range(5)] == ["3.0"] * 5


@pytest.mark.parametrize("talk", [hanging, dripping])
def test_an_answer_that_does_not_end_is_given_up(talk: Talk) -> None:
    with addresses(talk) as uris, pytest.raises(UnreachableError, match="getVersion: timed out"):
        reaching(uris, timeout=0.2).version()


def test_a_task_ends_whatever_hangs_and_so_do_those_after_it() -> None:
    wanted = tuple(Listed(("db",), f"v{number}") for number in range(40))
    with addresses(dripping) as uris:
        messages = []
        with HiveMetastore(Options(uri=uris[0], timeout=0.05)) as source:
            for _ in range(5):
                outcomes = list(crawl(CrawlTask("lake", wanted), source))
                assert [outcome.listed for outcome in outcomes] == list(wanted)
                results = [outcome.result for outcome in outcomes]
                assert {getattr(result, "code", None) for result in results} == {"UNREACHABLE"}
                messages.append(str(results[-1]))
    assert "the time for a task is over" in messages[0]
    assert "given up: 3 tasks in a row" in messages[-1]


def test_a_worker_that_begins_while_a_metastore_is_started_again_waits_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ports = iter([1, 1, 1])
    monkeypatch.setattr(metastore, "_RESTART", (0.0, 0.0, 0.0, 0.0))
    with addresses(answering()) as uris, HiveMetastore(Options(uri=uris[0], timeout=2)) as source:

        def refused(place: tuple[str, int], *terms: Any) -> socket.socket:
            return open_socket((place[0], next(ports, place[1])), *terms)

        monkeypatch.setattr(login, "open_socket", refused)
        source.pulse()
    assert next(ports, None) is None


def test_a_listing_that_hangs_is_given_up() -> None:
    class Hanging(Served):
        def get_all_databases(self) -> list[str]:
            return [f"db{number}" for number in range(9)]

        def get_table_meta(self, *_: object) -> None:
            time.sleep(0.5)

    with (
        addresses(answering(Hive2, Hanging)) as uris,
        HiveMetastore(Options(uri=uris[0], timeout=0.1)) as source,
    ):
        found: list[Listed | Failure] = []
        with pytest.raises(UnreachableError, match="3 databases in a row"):
            found.extend(source.listing())
        lost = [item.listed.namespace for item in found if isinstance(item, Failure)]
        assert lost == [("db0",), ("db1",), ("db2",)]


SAYS = {
    "HTTP": (b"HTTP/1.1 400 Illegal character\r\n", "an HTTP server answers there"),
    "TLS alert": (b"\x15\x03\x03\x00\x02\x02\x50", "the server speaks TLS there"),
    "SASL": (b"\x04\x00\x00\x00\x13Invalid status -128", "the server wants a login by SASL"),
    "nothing": (b"", "closed the connection before it answered anything"),
    "MySQL": (b"J\x00\x00\x00\x0a8.0.1\x00", "speaks another protocol"),
}


@pytest.mark.parametrize(("answer", "why"), SAYS.values(), ids=SAYS)
def test_what_answers_instead_of_a_metastore_is_said(answer: bytes, why: str) -> None:
    with addresses(saying(answer)) as uris, pytest.raises(UnreachableError, match=why) as raised:
        reaching(uris, timeout=1).version()
    assert raised.value.hint


def test_a_connection_that_ends_before_the_question_is_sent_is_said_so() -> None:
    ours, theirs = socket.socketpair()
    theirs.close()
    with closing(BoundedTransport(ours, 1.0)) as transport:
        transport.write(b"question")
        with pytest.raises(UnreachableError, match="before it answered anything") as raised:
            transport.flush()
    assert "tls: true" in raised.value.hint


def test_first_bytes_of_thrift_may_come_one_by_one() -> None:
    for first in (b"\x80", b"\x80\x01", b"\x80\x01\x00\x02\x00"):
        check_answer(first)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and its certificate for 127.0.0.1, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "server.pem"
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain)
    path.write_bytes(private + made.public_bytes(pem))
    return path


def test_a_plain_client_is_told_of_tls(certificate: Path) -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)

    def talk(client: socket.socket) -> None:
        with context.wrap_socket(client, server_side=True) as spoken:
            hanging(spoken)

    with addresses(talk) as uris:
        with pytest.raises(UnreachableError, match=r"TLS|before it answered") as raised:
            reaching(uris, timeout=2).version()
        assert "tls: true" in raised.value.hint
        with pytest.raises(UnreachableError, match="certificate is not trusted") as raised:
            reaching(uris, timeout=2, tls=True).version()
        assert "ca_file" in raised.value.hint


@pytest.mark.parametrize(
    ("talk", "why"),
    [
        (answering(), "did not answer the TLS handshake|speaks no TLS there"),
        (saying(b"HTTP/1.1 400 Bad Request\r\n\r\n"), "speaks no TLS there"),
        (saying(b""), "did not answer the TLS handshake"),
        (hanging, "did not answer the TLS handshake"),
    ],
)
def test_a_client_of_tls_is_told_of_a_plain_port(talk: Talk, why: str) -> None:
    with addresses(talk) as uris, pytest.raises(UnreachableError, match=why) as raised:
        reaching(uris, timeout=0.5, tls=True).version()
    assert "leave out tls" in raised.value.hint


def test_a_catalog_that_is_not_there_is_told_with_those_that_are() -> None:
    with addresses(answering(Hive4)) as uris:
        with (
            closing(reaching(uris, timeout=2, catalog="lake")) as client,
            pytest.raises(ListingError, match="has no catalog 'lake'") as raised,
        ):
            client.databases()
        assert "one of Spark, hive" in raised.value.hint
        with closing(reaching(uris, timeout=2, catalog="spark")) as client:
            assert client.databases() == ["@spark#*"]


def test_a_metastore_before_catalogs_says_so() -> None:
    with (
        addresses(answering(Hive2)) as uris,
        HiveMetastore(Options(uri=uris[0], timeout=2, catalog="hive")) as source,
        pytest.raises(ListingError, match="before Hive 3 knows none") as raised,
    ):
        list(source.listing())
    assert raised.value.hint == "leave out catalog"


def test_what_a_metastore_raises_costs_no_connection() -> None:
    class Refusing(Served):
        def get_all_databases(self) -> list[str]:
            raise MetaException("no")

    talk = answering(Hive4, Refusing)
    with addresses(talk) as uris, closing(reaching(uris, timeout=2)) as client:
        with pytest.raises(ReadError, match="get_all_databases: no"):
            client.databases()
        assert client.version() == "3.0"


ANSWER = b"\x80\x01\x00\x02\x00\x00\x00\x0agetVersion\x00\x00\x00\x00"
GARBAGE = {
    "a list of two thousand million": ANSWER[:8] + b"\x0f\x00\x00\x0c\x7f\xff\xff\xff",
    "a text of two thousand million bytes": ANSWER + b"\x0b\x00\x00\x7f\xff\xff\xff",
    "a text of less than nothing": ANSWER + b"\x0b\x00\x00\xff\xff\xff\xff",
    "half a word": ANSWER[:9],
}


@pytest.mark.parametrize("answer", GARBAGE.values(), ids=GARBAGE)
def test_an_answer_that_is_none_is_an_error_of_ours(answer: bytes) -> None:
    with addresses(saying(answer)) as uris, pytest.raises(BelvedereError, match="getVersion: "):
        reaching(uris, timeout=0.5).version()


def test_an_answer_has_a_largest_size() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b"\x80\x01" + bytes(4_000))
        bounded = BoundedTransport(ours, 1.0, limit=1_000)
        with pytest.raises(TooLargeError, match="the answer is larger than"):
            bounded.cstringio_refill(b"", 4_000)
    assert Deadline(0.0).seconds_left(1 << 20) > 0, "bytes in quantity earn time"
