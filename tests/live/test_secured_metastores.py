"""Logins of metastores 3.1.3 and 4.0.1: Kerberos and tokens, passwords, TLS, HTTP with and without.

They bind every interface of the machine, whatever their configuration says.
"""

import base64
import json
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NoReturn

import pytest
import trustme
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.serialization import pkcs12
from cryptography.x509 import load_pem_x509_certificate

from connectors.clients.credentials import Secret
from connectors.clients.metastore import Metastore
from connectors.clients.metastore_tokens import TokenClient
from connectors.clients.thrift.causes import LoginError
from connectors.clients.thrift.login import MetastoreLogin
from connectors.hms import HiveMetastore, Options
from discovery.errors import BelvedereError
from discovery.outcomes import Listed
from tests.kerberos import REALM, SERVICE, Kdc
from tests.live.metastores import JARS, fetched, running

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(900)]

Missing = Callable[[str], NoReturn]
PASSWORD = "changeit"


def databases(**options: Any) -> list[str | None]:
    with closing(Metastore(MetastoreLogin(**{"timeout": 30.0, **options}))) as client:
        return client.databases()


@pytest.fixture(params=sorted(JARS))
def kerberized(
    request: pytest.FixtureRequest, realm: Kdc, tmp_path: Path, missing: Missing
) -> Iterator[dict[str, Any]]:
    """Options of a login to a metastore that wants Kerberos."""
    settings = {
        "hive.metastore.sasl.enabled": "true",
        "metastore.sasl.enabled": "true",
        "hadoop.security.authentication": "kerberos",
        "metastore.kerberos.principal": SERVICE,
        "metastore.kerberos.keytab.file": realm.keytab("hive"),
        "hadoop.rpc.protection": "authentication,integrity,privacy",
    }
    java = [
        f"-Djava.security.krb5.conf={realm.configuration}",
        "--add-exports=java.security.jgss/sun.security.krb5=ALL-UNNAMED",
    ]
    with running(fetched(request.param, tmp_path, missing), tmp_path, settings, java) as port:
        yield {
            "uri": f"thrift://localhost:{port}",
            "authentication": "kerberos",
            "service_principal": f"hive/_HOST@{REALM}",
            "keytab": realm.keytab("crawler"),
            "principal": f"crawler@{REALM}",
        }


def test_tickets_and_tokens(
    kerberized: dict[str, Any], realm: Kdc, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KRB5_CONFIG", str(realm.configuration))
    for qop in ("auth", "auth-int", "auth-conf"):
        options = Options(**kerberized, qop=(qop,))
        with HiveMetastore(options) as source:
            told = source.probe().version
        assert f"Kerberos as crawler@{REALM} ({qop}); executors by a delegation token" in told
        with options.for_executors() as (lent, (token,)):
            with HiveMetastore(lent) as source:
                listed = [item for item in source.listing() if isinstance(item, Listed)]
                assert [one.namespace for one in listed] == [("default",)]
            with closing(TokenClient(lent)) as client:
                assert client.renew(token) > time.time() + 3600
        with closing(Metastore(lent)) as client, pytest.raises(LoginError, match="token"):
            client.version()
    plain = {"uri": kerberized["uri"], "timeout": 10.0}
    with pytest.raises(BelvedereError, match=r"login by SASL|before it answered anything"):
        databases(**plain)


def key_store(folder: Path) -> tuple[dict[str, str], str]:
    """Settings of a metastore within TLS, and the file of its authority."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(folder / "ca.pem")
    issued = authority.issue_cert("localhost")
    key = serialization.load_pem_private_key(issued.private_key_pem.bytes(), None)
    certificate = load_pem_x509_certificate(issued.cert_chain_pems[0].bytes())
    sealed = serialization.BestAvailableEncryption(PASSWORD.encode())
    store = pkcs12.serialize_key_and_certificates(b"server", key, certificate, None, sealed)  # type: ignore[arg-type] # of RSA or EC
    (folder / "server.p12").write_bytes(store)
    settings = {
        "metastore.use.SSL": "true",
        "metastore.keystore.path": str(folder / "server.p12"),
        "metastore.keystore.password": PASSWORD,
        "metastore.keystore.type": "PKCS12",
    }
    return settings, str(folder / "ca.pem")


def test_a_password_within_tls(tmp_path: Path, missing: Missing) -> None:
    tls, ca_file = key_store(tmp_path)
    settings = {
        **tls,
        "metastore.execute.setugi": "false",
        "metastore.authentication": "CONFIG",
        "metastore.authentication.config.username": "crawler",
        "metastore.authentication.config.password": "right",
    }
    with running(fetched("4.0.1", tmp_path, missing), tmp_path, settings) as port:
        login = {
            "uri": f"thrift://localhost:{port}",
            "authentication": "plain",
            "user": "crawler",
            "tls": True,
            "ca_file": ca_file,
        }
        assert databases(**login, password=Secret("right")) == ["default"]
        with pytest.raises(LoginError, match="does not take the user and the password"):
            databases(**login, password=Secret("wrong"))
        for changed in ({"tls": False, "ca_file": None}, {"ca_file": None}):
            with pytest.raises(BelvedereError, match=r"TLS|before it answered|not trusted|answer"):
                databases(**{**login, **changed, "timeout": 5.0}, password=Secret("right"))


def test_a_user_in_a_header(tmp_path: Path, missing: Missing) -> None:
    settings = {"metastore.server.thrift.transport.mode": "http"}
    with running(fetched("4.0.1", tmp_path, missing), tmp_path, settings) as port:
        uri = f"http://localhost:{port}/metastore"
        assert databases(uri=uri, user="crawler") == ["default"]
        with pytest.raises(LoginError, match=r"does not let us in \(401\)"):
            databases(uri=uri)
        with pytest.raises(LoginError, match="path"):
            databases(uri=uri.replace("/metastore", "/hive"), user="crawler")
        with pytest.raises(BelvedereError, match="an HTTP server answers there"):
            databases(uri=f"thrift://localhost:{port}")


class Issuer:
    """Issues JSON web tokens that a metastore trusts, by a file with its key."""

    def __init__(self, folder: Path) -> None:
        self._key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        public = self._key.public_key().public_numbers()
        key = {"kty": "RSA", "kid": "k", "alg": "RS256", "use": "sig"}
        key.update(n=_number(public.n), e=_number(public.e))
        self.keys = folder / "jwks.json"
        self.keys.write_text(json.dumps({"keys": [key]}))

    def token(self, seconds: int) -> str:
        now = int(time.time())
        parts = (
            {"alg": "RS256", "kid": "k", "typ": "JWT"},
            {"sub": "crawler", "iat": now, "exp": now + seconds, "iss": "test"},
        )
        text = ".".join(_base64(json.dumps(part).encode()) for part in parts)
        signed = self._key.sign(text.encode(), padding.PKCS1v15(), hashes.SHA256())
        return f"{text}.{_base64(signed)}"


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _number(value: int) -> str:
    return _base64(value.to_bytes((value.bit_length() + 7) // 8, "big"))


def test_a_json_web_token(tmp_path: Path, missing: Missing) -> None:
    issuer = Issuer(tmp_path)
    settings = {
        "metastore.server.thrift.transport.mode": "http",
        "metastore.authentication": "JWT",
        "metastore.authentication.jwt.jwks.url": issuer.keys.as_uri(),
    }
    with running(fetched("4.0.1", tmp_path, missing), tmp_path, settings) as port:
        login: dict[str, Any] = {
            "uri": f"http://localhost:{port}/metastore",
            "authentication": "jwt",
        }
        assert databases(**login, token=Secret(issuer.token(600))) == ["default"]
        with pytest.raises(LoginError, match=r"does not let us in \(401\)"):
            databases(**login, token=Secret(issuer.token(-600)))
        path = tmp_path / "jwt"
        path.write_text(issuer.token(-600))
        read = MetastoreLogin(**login, token_file=str(path), timeout=30.0)
        with closing(Metastore(read)) as client:
            with pytest.raises(LoginError):
                client.version()
            path.write_text(issuer.token(600))
            assert client.databases() == ["default"]
