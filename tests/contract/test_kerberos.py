"""Tickets of a real KDC, by the machine's own library, and what its refusals mean."""

import time
from pathlib import Path

import pytest

from connectors.clients.thrift.gssapi import KerberosContext
from discovery.errors import BelvedereError, UnreachableError
from tests.kerberos import REALM, SERVICE, Kdc

PRINCIPAL = f"crawler@{REALM}"


@pytest.fixture(autouse=True)
def _configured(realm: Kdc, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KRB5_CONFIG", str(realm.configuration))
    monkeypatch.setenv("KRB5CCNAME", "FILE:/nowhere/tickets")


def ticket(service: str = SERVICE, **login: str) -> bytes:
    context = KerberosContext(service, **login)
    try:
        return context.token(b"")
    finally:
        context.close()


def test_a_keytab_gets_a_ticket_whoever_is_first_in_it(realm: Kdc) -> None:
    assert ticket(keytab=realm.keytab("crawler"), principal=PRINCIPAL)
    assert ticket(keytab=realm.keytab("crawler"))


def test_a_ticket_in_a_cache_serves_until_it_expires(
    realm: Kdc, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = f"FILE:{tmp_path / 'tickets'}"
    assert ticket(keytab=realm.keytab("crawler"), ticket_cache=cache)  # as kinit -kt -c does
    monkeypatch.setenv("KRB5CCNAME", cache)
    assert ticket()
    assert ticket(principal=PRINCIPAL)
    with pytest.raises(BelvedereError, match="is that of another principal"):
        ticket(ticket_cache=cache, principal=f"other@{REALM}")
    short = realm.other_configuration("short", lifetime="5s")
    monkeypatch.setenv("KRB5_CONFIG", str(short))
    brief = f"FILE:{tmp_path / 'brief'}"
    assert ticket(keytab=realm.keytab("crawler"), ticket_cache=brief)
    time.sleep(6)
    with pytest.raises(BelvedereError, match="the Kerberos ticket has expired") as raised:
        ticket(ticket_cache=brief)
    assert "kinit" in raised.value.hint


def test_what_the_kdc_refuses_is_told(realm: Kdc, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = {"keytab": realm.keytab("crawler"), "principal": PRINCIPAL}
    for service, why in {
        f"hive/127.0.0.1@{REALM}": "the KDC knows no service hive/127.0.0.1",
        "hive/localhost@ELSEWHERE.TEST": "knows no realm ELSEWHERE.TEST, or does not trust it",
    }.items():
        with pytest.raises(BelvedereError, match=why):
            ticket(service, **ours)
    with pytest.raises(BelvedereError, match="there is no Kerberos ticket"):
        ticket()
    monkeypatch.setenv("KRB5_CONFIG", str(realm.other_configuration("dead", port=1)))
    with pytest.raises(UnreachableError, match=f"no KDC of the realm {REALM} answers"):
        ticket(**ours)
    monkeypatch.setenv("KRB5_CONFIG", "/nowhere")
    with pytest.raises(BelvedereError, match=f"no KDC of the realm {REALM} is known"):
        ticket(**ours)
