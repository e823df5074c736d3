"""What failed logins mean: texts as KDCs, libraries and metastores have said them, and a sentence.

Those of the Kerberos library are of MIT 1.20.1, those of metastores of 2.3.10, 3.1.3 and 4.0.1.
tests/spark/test_secured_metastore.py and tests/contract/test_kerberos.py have many of them anew.
"""

import ssl

import pytest

from connectors.clients.thrift import causes
from connectors.clients.thrift.bounded import refused_by_alert
from connectors.clients.thrift.causes import LoginError
from discovery.errors import UnreachableError

NONE = "No credentials were supplied, or the credentials were unavailable or inaccessible: "
OTHER = "Unspecified GSS failure.  Minor code may provide more information: "
KERBEROS = {
    NONE + "No credentials cache found": "there is no Kerberos ticket",
    NONE + "No Kerberos credentials available (default cache: FILE:/tmp/krb5cc_0)": (
        "there is no Kerberos ticket"
    ),
    NONE + "Principal in credential cache does not match desired name": "of another principal",
    NONE + "Cannot contact any KDC for realm 'A.TEST'": "no KDC of the realm A.TEST answers",
    NONE + 'Cannot find KDC for realm "A.TEST"': "no KDC of the realm A.TEST is known",
    NONE + "Client 'x@A.TEST' not found in Kerberos database": "knows no principal x@A.TEST",
    NONE + "Decrypt integrity check failed": "does not take the key in the keytab",
    NONE + "Preauthentication failed": "does not take the key in the keytab",
    NONE + "Client's entry in database has expired": "is locked or has expired",
    NONE + "Client's credentials have been revoked": "is locked or has expired",
    NONE + "Clock skew too great": "differ by more than Kerberos allows",
    NONE + "KDC has no support for encryption type": "share no kind of encryption",
    OTHER + "Clock skew too great": "differ by more than Kerberos allows",
    OTHER + "Ticket expired": "the Kerberos ticket has expired",
    "The referenced credential has expired: Success": "the Kerberos ticket has expired",
    OTHER + "Server hive/127.0.0.1@A.TEST not found in Kerberos database": (
        "the KDC knows no service hive/127.0.0.1@A.TEST"
    ),
    OTHER + "Server krbtgt/B.TEST@A.TEST not found in Kerberos database": (
        "the KDC knows no realm B.TEST, or does not trust it"
    ),
    OTHER + "KDC reply did not match expectations": "its realm is another",
    "An invalid name was supplied: Configuration file does not specify default realm": (
        "the realm is not said"
    ),
    "An invalid name was supplied: Improper format of Kerberos configuration file": (
        "krb5.conf cannot be read"
    ),
    "Something new: of another release": "Kerberos: Something new: of another release",
}


@pytest.mark.parametrize(("said", "why"), KERBEROS.items())
def test_what_the_kerberos_library_means(said: str, why: str) -> None:
    cause = causes.of_kerberos(said)
    assert why in cause.why
    assert cause.hint
    assert "{" not in cause.why


REFUSALS = [
    ("GSSAPI", "GSS initiate failed", "refused the Kerberos ticket"),
    ("GSSAPI", "Unsupported mechanism type GSSAPI", "no login of the kind GSSAPI"),
    ("PLAIN", "Unsupported mechanism type PLAIN", "no login of the kind PLAIN"),
    (
        "DIGEST-MD5",
        "DIGEST-MD5: digest response format violation. Mismatched response.",
        "does not take the delegation token",
    ),
    (
        "DIGEST-MD5",
        "DIGEST-MD5: IO error acquiring password",
        "does not know the delegation token, or it has expired",
    ),
    ("PLAIN", "Error validating the login", "does not take the user and the password"),
    ("PLAIN", "PLAIN auth failed: invalid", "does not take the user and the password"),
    ("PLAIN", "something new", "refused the login by PLAIN: something new"),
]


@pytest.mark.parametrize(("mechanism", "said", "why"), REFUSALS)
def test_what_a_metastore_means_that_refuses_a_login(mechanism: str, said: str, why: str) -> None:
    error = causes.of_refusal(mechanism, said).error()
    assert why in error.message
    assert isinstance(error, LoginError), "it is not tried again"
    assert error.hint


@pytest.mark.parametrize(
    ("status", "why", "kind"),
    [
        (400, "does not take the request", LoginError),
        (401, "does not let us in", LoginError),
        (403, "does not let us in", LoginError),
        (404, "nothing at this path", LoginError),
        (302, "sends us elsewhere", LoginError),
        (418, "answers 418", LoginError),
        (503, "failed (503 Busy)", UnreachableError),
    ],
)
def test_what_a_status_of_http_means(status: int, why: str, kind: type[Exception]) -> None:
    cause = causes.of_status(status, "Busy")
    assert cause is not None
    assert why in cause.why
    assert type(cause.error()) is kind
    assert causes.of_status(200, "OK") is None


def test_an_unanswered_kdc_may_answer_later() -> None:
    dead = causes.of_kerberos(NONE + "Cannot contact any KDC for realm 'A'").error()
    assert type(dead) is UnreachableError
    assert type(causes.of_silence("GSSAPI").error()) is UnreachableError


@pytest.mark.parametrize(
    ("reason", "why"),
    [
        ("TLSV13_ALERT_CERTIFICATE_REQUIRED", "wants a certificate of its client"),
        ("SSLV3_ALERT_HANDSHAKE_FAILURE", "wants a certificate of its client"),
        ("TLSV1_ALERT_UNKNOWN_CA", "does not trust the client's certificate"),
    ],
)
def test_an_alert_of_tls_is_told(reason: str, why: str) -> None:
    error = ssl.SSLError(1, reason)
    error.reason = reason
    thrift_error = refused_by_alert(error)
    assert thrift_error is not None
    assert why in thrift_error.message
    error.reason = "BAD_LENGTH"
    assert refused_by_alert(error) is None
