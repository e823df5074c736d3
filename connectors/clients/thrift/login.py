"""How to reach a metastore and log in to it, as a configuration says it; and doing so."""

import socket
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple
from urllib.parse import urlsplit

from connectors.clients.bounded_files import read_bounded
from connectors.clients.credentials import Secret, revealed
from connectors.clients.thrift.bounded import BoundedTransport, open_socket
from connectors.clients.thrift.digest import DigestMd5
from connectors.clients.thrift.gssapi import Gssapi, KerberosContext
from connectors.clients.thrift.keytab import insist_on_key
from connectors.clients.thrift.mistakes import OptionMistakesError
from connectors.clients.thrift.over_http import HttpTransport
from connectors.clients.thrift.questions import QuestionTransport
from connectors.clients.thrift.sasl import QOPS, Mechanism, Plain, Qop, SaslTransport
from discovery.addresses import USUAL_PORTS, SourceAddress, address
from discovery.errors import BelvedereError, ConfigurationError

_TOKEN_BYTES: Final = 1 << 20
_PORTS: Final = {"thrift": 9083, **USUAL_PORTS}
DEFAULT_CATALOG: Final = "hive"  # of a metastore since Hive 3
_HOST: Final = "_HOST"  # in a service's principal, as Hadoop writes it
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_OF_LOGIN: Final = {"login": True}
_FILE_OF_LOGIN: Final = {"login": True, "path": True}
_OPTIONS_OF: Final = {
    "kerberos": ("service_principal", "principal", "keytab", "ticket_cache"),
    "plain": ("password",),
    "jwt": ("token", "token_file"),
}
"""Options that mean nothing with another authentication."""


class Endpoint(NamedTuple):
    """Where a metastore listens.

    Attributes:
        host: Its name or address.
        port: Its port.
        path: Of its HTTP mode; empty: it speaks Thrift's binary protocol on a socket.
        tls: Whether the URI says that it speaks TLS.
    """

    host: str
    port: int
    path: str = ""
    tls: bool = False

    @classmethod
    def of(cls, uri: str) -> "Endpoint":
        """The endpoint that a URI names.

        Raises:
            ConfigurationError: It is not of the form `thrift://host:port`, nor that of a URL.
        """
        parts = urlsplit(uri.strip())
        try:
            port = parts.port or _PORTS[parts.scheme]
        except (KeyError, ValueError):
            port = 0
        if parts.scheme not in _PORTS or not (parts.hostname and port):
            why = f"{uri!r} is not of the form thrift://host:port"
            hint = (
                "" if parts.scheme == "thrift" else "for HTTP mode: http(s)://host:port/metastore"
            )
            raise ConfigurationError(why, hint=hint)
        if parts.scheme == "thrift":
            return cls(parts.hostname, port)
        return cls(parts.hostname, port, parts.path or "/", parts.scheme == "https")


@dataclass(frozen=True, slots=True)
class LentLogin:
    """What the driver's login brought for the executors.

    Attributes:
        token: A delegation token; None: there is none.
        refused: Why there is none.
    """

    token: Secret | None
    refused: BelvedereError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MetastoreLogin:
    """How to reach a Hive Metastore, and who we are there.

    Attributes:
        uri: `thrift://host:port`, or `http://host:port/metastore` and `https://…` for its HTTP
            mode; several, separated by commas, are tried in order.
        catalog: Catalog of a metastore since Hive 3; left out, its default one. `*` in a source:
            every catalog, each as a source of its own, whose name has the catalog's behind a dot.
        timeout: Seconds for connecting and for each answer; a task of a crawl has ten times as
            many.
        tls: Whether to speak TLS.
        ca_file: PEM file of the authority that signed the server's certificate; left out, those
            that the machine trusts.
        certificate_file: PEM file of the certificate that is shown to the server, where it or a
            proxy before it wants one.
        key_file: PEM file of that certificate's key; left out, it is in `certificate_file`.
        key_password: Of the key, if it is encrypted.
        authentication: `kerberos` (`hive.metastore.sasl.enabled`), `plain` (user and password:
            `LDAP`, `CONFIG`, `CUSTOM`), `jwt` (HTTP mode), or `none`.
        user: Who logs in by `plain`; in HTTP mode without a token, the `x-actor-username`.
        password: Of that user.
        service_principal: The metastore's own, as its `hive.metastore.kerberos.principal` says;
            `_HOST` stands for the host in `uri`.
        principal: Ours, such as `crawler@REALM`; left out, that of the ticket or the first in
            the keytab.
        keytab: File with our key; left out, a ticket is taken that `kinit` has got.
        ticket_cache: Where that ticket is, such as `FILE:/run/belvedere.ccache`; left out, where
            Kerberos looks (`KRB5CCNAME`).
        qop: The qualities of protection that may be agreed on, of which the strongest is taken:
            `auth-conf` (`hadoop.rpc.protection=privacy`), `auth-int` (`integrity`), `auth`
            (`authentication`).
        delegation_tokens: Whether the driver alone logs in by Kerberos, and executors by a
            delegation token that it gets them; if not, each needs the keytab or a ticket itself.
        token: A JSON web token.
        token_file: File with a JSON web token, which is read again where the server refuses it.
        headers: More headers of each request in HTTP mode; those that are secret by reference.
        lent: What the driver got for executors; not configured.
    """

    uri: str
    catalog: str | None = None
    timeout: float = 60.0
    tls: bool = False
    ca_file: str | None = field(default=None, metadata=_FILE_OF_LOGIN)
    certificate_file: str | None = field(default=None, metadata=_FILE_OF_LOGIN)
    key_file: str | None = field(default=None, metadata=_FILE_OF_LOGIN)
    key_password: Secret | None = field(default=None, metadata=_OF_LOGIN)
    authentication: Literal["none", "kerberos", "plain", "jwt"] = field(
        default="none", metadata=_OF_LOGIN
    )
    user: str | None = field(default=None, metadata=_OF_LOGIN)
    password: Secret | None = field(default=None, metadata=_OF_LOGIN)
    service_principal: str | None = field(default=None, metadata=_OF_LOGIN)
    principal: str | None = field(default=None, metadata=_OF_LOGIN)
    keytab: str | None = field(default=None, metadata=_FILE_OF_LOGIN)
    ticket_cache: str | None = field(default=None, metadata=_OF_LOGIN)
    qop: tuple[Qop, ...] = field(default=QOPS, metadata=_OF_LOGIN)
    delegation_tokens: bool = field(default=True, metadata=_OF_LOGIN)
    token: Secret | None = field(default=None, metadata=_OF_LOGIN)
    token_file: str | None = field(default=None, metadata=_FILE_OF_LOGIN)
    headers: Mapping[str, str | Secret] = field(default_factory=dict, metadata=_OF_LOGIN)
    lent: LentLogin | None = field(default=None, metadata={"configured": False, **_OF_LOGIN})

    def __post_init__(self) -> None:
        mistakes = tuple(self._mistakes())
        if mistakes:
            raise OptionMistakesError(mistakes)

    def endpoints(self) -> tuple[Endpoint, ...]:
        """Where it listens, each place once, in the order in which they are tried.

        Raises:
            ConfigurationError: One of `uri` is none.
        """
        return tuple(dict.fromkeys(Endpoint.of(uri) for uri in self.uri.split(",")))

    def address(self) -> SourceAddress | None:
        """The place that is tried first."""
        return self._address_of(self.endpoints()[0])

    def addresses(self) -> frozenset[SourceAddress]:
        """All of the places: who is told only one of them reaches the same metastore."""
        return frozenset(filter(None, map(self._address_of, self.endpoints())))

    def _address_of(self, endpoint: Endpoint) -> SourceAddress | None:
        """A place with its catalog: a catalog other than the default one is its path."""
        catalog = self.catalog or DEFAULT_CATALOG
        path = "" if catalog == DEFAULT_CATALOG else catalog
        return address("hive", endpoint.host, endpoint.port, path)

    @property
    def lends(self) -> bool:
        """Whether the driver gets executors a delegation token."""
        return self.authentication == "kerberos" and self.delegation_tokens and self.lent is None

    def _mistakes(self) -> Iterator[tuple[str, str]]:
        """The options that are wrong together, each with what is wrong about it."""
        endpoints = self.endpoints()
        over_http = any(endpoint.path for endpoint in endpoints)
        if over_http and not all(endpoint.path for endpoint in endpoints):
            yield "uri", "names both thrift:// and http(s)://: a source has one of them"
        if not self.qop:
            yield "qop", "must not be empty"
        if self.headers and not over_http:
            yield (
                "headers",
                "are of HTTP mode: write uri: http(s)://host:port/path, or leave it out",
            )
        yield from self._tls_mistakes(endpoints)
        yield from self._login_mistakes(over_http=over_http)
        if self.authentication == "kerberos":
            yield from self._kerberos_mistakes()
        if self.authentication == "jwt":
            yield from self._token_mistakes(endpoints)

    def _tls_mistakes(self, endpoints: tuple[Endpoint, ...]) -> Iterator[tuple[str, str]]:
        if not self.certificate_file:
            for name in ("key_file", "key_password"):
                if getattr(self, name):
                    yield name, "is of a certificate: set certificate_file, too"
        if self.tls and any(endpoint.path and not endpoint.tls for endpoint in endpoints):
            yield "tls", "write https:// in uri for HTTP within TLS"
        if self.tls or any(endpoint.tls for endpoint in endpoints):
            return
        for name in ("ca_file", "certificate_file"):
            if getattr(self, name):
                yield name, "means nothing without TLS: set tls: true (or https:// in uri)"

    def _login_mistakes(self, *, over_http: bool) -> Iterator[tuple[str, str]]:
        others = (
            (kind, names) for kind, names in _OPTIONS_OF.items() if kind != self.authentication
        )
        for kind, names in others:
            for name in filter(lambda option: getattr(self, option), names):
                yield name, f"means nothing without authentication: {kind}"
        needed = {"kerberos": False, "plain": False, "jwt": True}.get(self.authentication)
        if needed is not None and needed is not over_http:
            scheme = "http(s)://host:port/path" if needed else "thrift://host:port"
            yield "authentication", f"{self.authentication} needs uri: {scheme}"
        if self.authentication == "plain":
            for name in filter(lambda option: not getattr(self, option), ("user", "password")):
                yield name, "is missing: authentication: plain needs it"
        elif self.user and not over_http:
            yield "user", "means nothing without authentication: plain, or HTTP mode"

    def _kerberos_mistakes(self) -> Iterator[tuple[str, str]]:
        service = self.service_principal
        if not service:
            yield "service_principal", "is missing: authentication: kerberos needs it"
        elif len(service.partition("@")[0].split("/")) != 2:
            yield "service_principal", f"{service!r} is not of the form hive/_HOST@REALM"
        if self.keytab and self.ticket_cache:
            yield "ticket_cache", "leave out either keytab or ticket_cache"

    def _token_mistakes(self, endpoints: tuple[Endpoint, ...]) -> Iterator[tuple[str, str]]:
        if bool(self.token) == bool(self.token_file):
            needed = (
                "one of token and token_file" if not self.token else "token or token_file, not both"
            )
            yield "token", f"authentication: jwt needs {needed}"
        if any(
            not endpoint.tls and endpoint.host not in _LOOPBACK
            for endpoint in endpoints
            if endpoint.path
        ):
            yield "uri", "a token goes over the network in the clear by http://: write https://"


def transport_to(endpoint: Endpoint, login: MetastoreLogin, seconds: float) -> QuestionTransport:
    """A connection on which the metastore answers, TLS and login behind it.

    Args:
        endpoint: One of the login's.
        login: Who we are.
        seconds: For connecting, logging in, and each answer.

    Raises:
        LoginError: It does not let us in.
        ConfigurationError: What we log in with is not there.
        UnreachableError: What answers there is no such metastore.
        OSError: It cannot be connected to.
    """
    transport = _connect(endpoint, login, seconds)
    if login.tls or endpoint.tls:
        transport.login = f"{transport.login or 'no login'} within TLS"
    return transport


def _connect(endpoint: Endpoint, login: MetastoreLogin, seconds: float) -> QuestionTransport:
    context = _load_tls(login) if login.tls or endpoint.tls else None

    def connect(left: float) -> socket.socket:
        return open_socket((endpoint.host, endpoint.port), left, context)

    if endpoint.path:
        host = f"{endpoint.host}:{endpoint.port}"
        return HttpTransport(connect, seconds, (host, endpoint.path), lambda: _make_headers(login))
    mechanism = _make_mechanism(endpoint, login)
    if mechanism is None:
        return BoundedTransport(connect(seconds), seconds)
    try:
        return SaslTransport(connect(seconds), seconds, mechanism)
    except BaseException:
        mechanism.close()
        raise


def _make_mechanism(endpoint: Endpoint, login: MetastoreLogin) -> Mechanism | None:
    """The login by SASL; None: there is none."""
    if login.authentication == "plain" and login.user and login.password:
        return Plain(login.user, login.password.reveal())
    if login.authentication != "kerberos" or login.service_principal is None:
        return None
    if login.lent is not None and login.lent.refused is not None:
        raise login.lent.refused
    if login.lent is not None and login.lent.token is not None:
        return DigestMd5(login.lent.token, login.qop)
    if login.keytab:
        insist_on_key(login.keytab, login.principal)
    context = KerberosContext(
        login.service_principal.replace(_HOST, endpoint.host.lower()),
        principal=login.principal,
        keytab=login.keytab,
        ticket_cache=login.ticket_cache,
    )
    return Gssapi(context, login.qop)


def _make_headers(login: MetastoreLogin) -> dict[str, str]:
    """The headers that say who we are.

    Raises:
        ConfigurationError: There is no file of a token.
    """
    headers = revealed(login.headers)
    if login.user:
        headers["x-actor-username"] = login.user
    if login.token is not None:
        headers["Authorization"] = f"Bearer {login.token.reveal()}"
    if login.token_file is not None:
        try:
            token = read_bounded(login.token_file, _TOKEN_BYTES).decode("ascii").strip()
        except (OSError, UnicodeDecodeError) as error:
            why = f"token_file {login.token_file!r} cannot be read: {error}"
            raise ConfigurationError(why, hint="it must be there on every executor") from error
        headers["Authorization"] = f"Bearer {token}"
    return headers


def _load_tls(login: MetastoreLogin) -> ssl.SSLContext:
    """What TLS is spoken with: certificates are checked.

    Raises:
        ConfigurationError: A file is not what it should be.
        OSError: There is no such file.
    """
    context = ssl.create_default_context(cafile=login.ca_file)
    if login.certificate_file:
        password = login.key_password.reveal() if login.key_password else ""
        try:
            context.load_cert_chain(login.certificate_file, login.key_file, lambda: password)
        except ssl.SSLError as error:
            files = " and ".join(filter(None, (login.certificate_file, login.key_file)))
            hint = "PEM, the key of this certificate, and key_password if the key is encrypted"
            raise ConfigurationError(f"{files} are no certificate and key", hint=hint) from error
    return context
