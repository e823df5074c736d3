"""Options of a login to a metastore: what goes together, and what is told of what does not."""

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from connectors.clients.credentials import Secret
from connectors.clients.thrift.login import Endpoint, LentLogin
from connectors.clients.thrift.mistakes import OptionMistakesError
from connectors.hms import Options
from connectors.hms_stores.native import Options as StoreOptions
from discovery.errors import ConfigurationError, DeniedError
from jobs.configuration import identity, loader
from jobs.configuration.loader import RunConfig

THRIFT, HTTPS = "thrift://h:9083", "https://h/metastore"
KERBEROS = {"authentication": "kerberos", "service_principal": "hive/_HOST@R"}


@pytest.mark.parametrize(
    "options",
    [
        {"uri": THRIFT},
        {"uri": THRIFT, **KERBEROS, "keytab": "/k", "principal": "crawler@R"},
        {"uri": THRIFT, **KERBEROS, "ticket_cache": "KEYRING:x", "qop": ("auth",), "tls": True},
        {"uri": THRIFT, "authentication": "plain", "user": "u", "password": Secret("p")},
        {"uri": THRIFT, "tls": True, "certificate_file": "/c", "key_password": Secret("p")},
        {"uri": HTTPS, "authentication": "jwt", "token": Secret("t"), "ca_file": "/ca"},
        {"uri": "http://localhost/m", "authentication": "jwt", "token_file": "/t"},
        {"uri": "http://h:9083/m", "user": "crawler", "headers": {"x-tenant": "1"}},
    ],
)
def test_what_goes_together_is_taken(options: dict[str, Any]) -> None:
    Options(**options)
    StoreOptions(**options)


MISTAKES = [
    ({"uri": f"{THRIFT},{HTTPS}"}, "uri", "names both"),
    ({"uri": THRIFT, "qop": ()}, "qop", "must not be empty"),
    ({"uri": THRIFT, "headers": {"a": "b"}}, "headers", "are of HTTP mode"),
    ({"uri": THRIFT, "ca_file": "/ca"}, "ca_file", "set tls: true"),
    ({"uri": THRIFT, "certificate_file": "/c"}, "certificate_file", "set tls: true"),
    ({"uri": THRIFT, "tls": True, "key_file": "/k"}, "key_file", "set certificate_file"),
    ({"uri": "http://h/m", "tls": True}, "tls", "write https://"),
    ({"uri": THRIFT, "keytab": "/k"}, "keytab", "without authentication: kerberos"),
    ({"uri": THRIFT, "password": Secret("p")}, "password", "without authentication: plain"),
    ({"uri": HTTPS, "token_file": "/t"}, "token_file", "without authentication: jwt"),
    ({"uri": THRIFT, "user": "u"}, "user", "means nothing without"),
    ({"uri": HTTPS, **KERBEROS}, "authentication", "needs uri: thrift://"),
    ({"uri": THRIFT, "authentication": "jwt"}, "authentication", r"needs uri: http\(s\)://"),
    ({"uri": THRIFT, "authentication": "plain"}, "password", "is missing"),
    ({"uri": THRIFT, "authentication": "kerberos"}, "service_principal", "is missing"),
    (
        {"uri": THRIFT, "authentication": "kerberos", "service_principal": "hive@R"},
        "service_principal",
        "is not of the form hive/_HOST@REALM",
    ),
    (
        {"uri": THRIFT, **KERBEROS, "keytab": "/k", "ticket_cache": "x"},
        "ticket_cache",
        "either keytab or ticket_cache",
    ),
    ({"uri": HTTPS, "authentication": "jwt"}, "token", "needs one of token and token_file"),
    (
        {"uri": "http://h/m", "authentication": "jwt", "token": Secret("t")},
        "uri",
        "in the clear",
    ),
]


@pytest.mark.parametrize(("options", "name", "why"), MISTAKES)
def test_what_does_not_is_told_by_its_name(options: dict[str, Any], name: str, why: str) -> None:
    with pytest.raises(OptionMistakesError, match=why) as raised:
        Options(**options)
    assert name in dict(raised.value.mistakes)
    assert pickle.loads(pickle.dumps(raised.value)).mistakes == raised.value.mistakes  # noqa: S301 - ours


def test_every_mistake_of_a_file_is_told_at_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PASSWORD", "geheim7")
    path = tmp_path / "estate.yaml"
    path.write_text(
        "warehouse: w\n"
        "sources:\n"
        "  lake:\n"
        "    kind: hms\n"
        "    uri: thrift://h:9083\n"
        "    authentication: kerberos\n"
        "    password: ${env:PASSWORD}\n"
        "    ca_file: ca.pem\n"
        "  other: {kind: hms, uri: 'thrift://h', authentication: kerberso, service_principle: x}\n"
        "  third: {kind: hms, uri: 'thrift://h', password: geheim8, qop: [auth_conf]}\n"
    )
    with pytest.raises(ConfigurationError) as raised:
        loader.load(path)
    told = str(raised.value)
    for part in (
        "estate.yaml:7:5: sources.lake.password: means nothing without authentication: plain",
        "estate.yaml:8:5: sources.lake.ca_file: means nothing without TLS",
        "sources.lake.service_principal: is missing",
        "sources.other.authentication: is 'kerberso'; did you mean 'kerberos'?",
        "sources.other.service_principle: is unknown; did you mean 'service_principal'?",
        "sources.third.password: must be a reference",
        "is 'auth_conf'; did you mean 'auth-conf'?",
    ):
        assert part in told, told
    assert "geheim7" not in told
    assert "geheim8" not in told


@pytest.mark.parametrize("uri", ["h:9083", "thrift://", "ftp://h:1/m", "thrift://h:x", ""])
def test_what_is_no_uri_is_told(uri: str) -> None:
    with pytest.raises(ConfigurationError, match="is not of the form thrift://host:port"):
        Options(uri=uri)


def test_endpoints_are_read_from_a_uri() -> None:
    assert Endpoint.of("thrift://h") == Endpoint("h", 9083)
    assert Endpoint.of("http://h:9083/metastore") == Endpoint("h", 9083, "/metastore")
    assert Endpoint.of("https://h") == Endpoint("h", 443, "/", tls=True)
    assert len(Options(uri=f"{THRIFT}, {THRIFT},thrift://g").endpoints()) == 2


def test_a_login_is_no_part_of_what_a_plan_or_a_resumed_crawl_depends_on(
    estate: Callable[..., RunConfig],
) -> None:
    plain = {"kind": "hms", "uri": THRIFT}
    config = estate({"a": plain, "b": {**plain, **KERBEROS, "keytab": "k", "qop": ["auth"]}})
    assert identity.of_source(config, "a") == identity.of_source(config, "b")
    connector = config.sources["b"]
    token = LentLogin(Secret("token-of-the-driver"), None)
    assert "token-of-the-driver" not in repr((connector, token))
    assert config.sources["b"].options.keytab.endswith("/k"), "a path from the file's own folder"


def test_what_the_driver_could_not_get_reaches_the_executors_as_it_was() -> None:
    lent = LentLogin(None, DeniedError("no", hint="do"))
    found = pickle.loads(pickle.dumps(lent))  # noqa: S301 - ours
    assert (found.refused.message, found.refused.hint) == ("no", "do")
