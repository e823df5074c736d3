"""A real metastore 2.3.10 that wants Kerberos: logins, tokens, a crawl, and what goes wrong."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from connectors.clients import metastore as client_module
from connectors.clients import metastore_tokens
from connectors.clients.credentials import Secret
from connectors.clients.metastore import Metastore
from connectors.clients.metastore_tokens import TokenClient, seconds_until_renewal
from connectors.clients.thrift.causes import LoginError
from connectors.clients.thrift.digest import parts_of
from connectors.clients.thrift.gssapi import KerberosContext
from connectors.clients.thrift.login import LentLogin, MetastoreLogin
from connectors.hms import HiveMetastore, Options
from connectors.hms_stores.native import MetastoreStore
from connectors.hms_stores.native import Options as StoreOptions
from discovery.errors import BelvedereError
from discovery.model import Schema
from discovery.outcomes import Kind, Listed
from jobs import doctor
from jobs.configuration.loader import RunConfig
from jobs.crawl import crawl_estate
from jobs.crawling import tables as rows
from jobs.embedded.metastore import EmbeddedMetastore
from jobs.warehouse.warehouse import Warehouse
from tests.kerberos import REALM, SERVICE, Kdc, SecuredMetastore, secured_metastore

VIEWS = [f"v{number}" for number in range(5)]


@pytest.fixture(scope="module")
def secured(realm: Kdc, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecuredMetastore]:
    with secured_metastore(tmp_path_factory.mktemp("secured"), realm) as running:
        running.add_views(VIEWS)
        yield running


@pytest.fixture(autouse=True)
def _on_the_driver(secured: SecuredMetastore, monkeypatch: pytest.MonkeyPatch) -> None:
    """The driver has a `krb5.conf`, and executors, which Java has started, have none."""
    monkeypatch.setenv("KRB5_CONFIG", str(secured.kdc.configuration))
    monkeypatch.setenv("KRB5CCNAME", "FILE:/nowhere/tickets")
    monkeypatch.setattr(client_module, "_PATIENCE", (0.0,))


def names(options: Options) -> list[str]:
    with HiveMetastore(options) as source:
        found = [item for item in source.listing() if isinstance(item, Listed)]
    return [listed.name for listed in found if listed.kind is Kind.VIEW]


@pytest.mark.parametrize("qop", ["auth", "auth-int", "auth-conf"])
def test_the_driver_logs_in_and_executors_by_a_token(
    secured: SecuredMetastore, qop: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = Options(**secured.options(qop=(qop,)))
    with HiveMetastore(options) as source:
        probe = source.probe()
    assert f"Kerberos as crawler@{REALM} ({qop})" in probe.version
    assert not probe.problems
    with options.for_executors() as (lent, secrets):
        assert [str(secret) for secret in secrets] == ["***"]
        assert secrets[0].reveal() not in repr(lent)
        monkeypatch.setenv("KRB5_CONFIG", "/nowhere")  # an executor has no use for it
        assert names(replace(lent, keytab=None)) == VIEWS
        with closing(Metastore(lent)) as client:
            client.open()
            assert client.login == f"a delegation token ({qop})"


def test_a_ticket_of_kinit_serves_as_well(secured: SecuredMetastore, tmp_path: Path) -> None:
    cache = f"FILE:{tmp_path / 'tickets'}"
    made = KerberosContext(  # as kinit does
        f"hive/localhost@{REALM}", keytab=secured.kdc.keytab("crawler"), ticket_cache=cache
    )
    made.token(b"")
    made.close()
    options = Options(**secured.options(keytab=None, principal=None, ticket_cache=cache))
    assert names(options) == VIEWS
    with options.for_executors() as (lent, _):
        assert names(lent) == VIEWS


def test_a_token_is_renewed_by_itself_and_ends_with_the_stage(secured: SecuredMetastore) -> None:
    options = Options(**secured.options())
    with options.for_executors() as (lent, (token,)):
        assert secured.tokens() == 1
        with closing(TokenClient(lent)) as client:
            left = client.renew(token) - time.time()
        assert 3600 < left < 2 * 24 * 3600
        assert 3600 < seconds_until_renewal(left, 0.0) < left
    assert secured.tokens() == 0
    with pytest.raises(LoginError, match="does not know the delegation token, or it has expired"):
        names(lent)


def test_a_login_is_renewed_as_long_as_it_is_lent(
    secured: SecuredMetastore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metastore_tokens, "_LONGEST", 0.1)
    renewed: list[float] = []
    own = TokenClient.renew

    def renew(client: TokenClient, token: Secret) -> float:
        renewed.append(own(client, token))
        return renewed[-1]

    monkeypatch.setattr(TokenClient, "renew", renew)
    with Options(**secured.options()).for_executors():
        end = time.monotonic() + 60
        while len(renewed) < 3 and time.monotonic() < end:
            time.sleep(0.05)
    assert renewed[2] > renewed[0]


MISTAKES = {
    "no login": (
        {"authentication": "none", "service_principal": None, "keytab": None, "principal": None},
        "wants a login by SASL|closed the connection before it answered anything",
    ),
    "a password": (
        {
            "authentication": "plain",
            "user": "crawler",
            "password": Secret("geheim7"),
            "service_principal": None,
            "keytab": None,
            "principal": None,
        },
        "has no login of the kind PLAIN",
    ),
    "another service": (
        {"service_principal": f"other/localhost@{REALM}"},
        "refused the Kerberos ticket",
    ),
    "an unknown service": (
        {"service_principal": f"hive/elsewhere@{REALM}"},
        "the KDC knows no service hive/elsewhere",
    ),
    "another principal": ({"principal": f"nobody@{REALM}"}, "has no key of nobody"),
    "no keytab": ({"keytab": "/nowhere/keytab"}, "No such file"),
    "TLS": ({"tls": True}, "did not answer the TLS handshake|speaks no TLS there"),
    "an unknown token": (
        {"lent": LentLogin(Secret("CmlkZW50aWZpZXIyCHBhc3N3b3JkAAA"))},
        "does not know the delegation token|does not take the delegation token|unknown form",
    ),
}


@pytest.mark.parametrize(("wrong", "why"), MISTAKES.values(), ids=MISTAKES)
def test_each_mistake_is_one_sentence(
    secured: SecuredMetastore, wrong: dict[str, object], why: str
) -> None:
    login = MetastoreLogin(**{**secured.options(timeout=5), **wrong})
    with closing(Metastore(login)) as client, pytest.raises(BelvedereError, match=why) as raised:
        client.version()
    assert raised.value.hint


def test_a_metastore_without_kerberos_is_told(
    secured: SecuredMetastore, metastore: EmbeddedMetastore
) -> None:
    there = {"uri": metastore.uri, "timeout": 2, "service_principal": SERVICE}
    login = MetastoreLogin(**secured.options(**there))
    with closing(Metastore(login)) as client:
        with pytest.raises(BelvedereError, match="did not answer the login by GSSAPI") as raised:
            client.version()
        assert "leave out authentication" in raised.value.hint


def test_a_metastore_that_gives_no_token_is_told_with_the_other_way(
    secured: SecuredMetastore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TokenClient, "principal", "other")  # which we may not act for
    with Options(**secured.options()).for_executors() as (lent, secrets):
        assert not secrets
        with pytest.raises(BelvedereError, match="gives no delegation token") as raised:
            names(lent)
        assert "delegation_tokens: false" in raised.value.hint
    own = Options(**secured.options(delegation_tokens=False))
    with own.for_executors() as (same, _):
        assert same is own


def test_a_crawl_reads_all_by_a_token_that_nothing_shows(
    secured: SecuredMetastore,
    spark: SparkSession,
    estate: Callable[..., RunConfig],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    given: list[Secret] = []
    fetched = metastore_tokens._fetch_token

    def noted(login: MetastoreLogin) -> Secret:
        given.append(fetched(login))
        return given[-1]

    monkeypatch.setattr(metastore_tokens, "_fetch_token", noted)
    options = {"kind": "hms", **secured.options()}
    wrong = {**options, "principal": f"nobody@{REALM}"}
    config = estate({"lake": options, "lost": wrong}, archive=True)
    with caplog.at_level("DEBUG"):
        crawled = crawl_estate(spark, config, "r")
    assert crawled.counts["sources"]["lake"]["views"] == len(VIEWS)
    assert crawled.counts["sources"]["lake"]["failures"] == 0
    warehouse = Warehouse(config.warehouse, spark)
    (failed,) = warehouse.table(rows.OUTCOMES, "r", where={"source": ["lost"]})
    assert "has no key of nobody" in failed["message"]
    assert failed["hint"] == f"it has keys of crawler@{REALM}"
    assert len(given) == 1
    assert secured.tokens() == 0
    _, password = parts_of(given[0].reveal())
    secrets = (given[0].reveal().encode(), password)
    out, err = capfd.readouterr()
    written = [path.read_bytes() for path in Path(config.warehouse).rglob("*") if path.is_file()]
    for text in (*written, caplog.text.encode(), out.encode(), err.encode()):
        assert not any(secret in text for secret in secrets)


def test_a_target_is_written_by_a_token(secured: SecuredMetastore) -> None:
    with (
        StoreOptions(**secured.options()).for_executors() as (lent, _),
        MetastoreStore(lent) as store,
    ):
        assert store.prepare([Schema(levels=("made_by_token",))]) == (("made_by_token",),)
        assert ("made_by_token",) in [listed.namespace for listed in store.listing()]
        assert store.remove([("made_by_token",)]) == ()


def test_doctor_says_login_and_what_to_mend(
    secured: SecuredMetastore,
    spark: SparkSession,
    estate: Callable[..., RunConfig],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    options = {"kind": "hms", **secured.options()}
    wrong = {**options, "keytab": "/nowhere/keytab"}
    config = estate({"lake": options, "lost": wrong}, targets={"there": options})
    monkeypatch.setattr(doctor, "_check_judges", lambda _: ())
    found = {diagnosis.what: diagnosis for diagnosis in doctor.examine(config)}
    assert f"Kerberos as crawler@{REALM} (auth-conf)" in found["source lake"].told
    assert "executors by a delegation token" in found["source lake"].told
    assert found["source lake"].code == 0
    assert "Kerberos" in found["target there"].told
    for what in ("source lake, executor", "target there, executor"):
        assert "a delegation token (auth-conf)" in found[what].told
    assert "source lost, executor" not in found, "it was told once"
    assert "keytab '/nowhere/keytab': No such file" in found["source lost"].told
    assert found["source lost"].hint
    assert found["source lost"].code
    assert secured.tokens() == 0
