"""What a failed login means: one sentence that says which mistake it is, and what to do.

The texts are those of MIT's Kerberos (com_err tables of 1.20, read from `gss_display_status`), of
Java's and Hadoop's SASL servers as metastores 2.3.10, 3.1.3 and 4.0.1 send them, and of their HTTP
mode. Many of them name the symptom only: a keytab that is missing, a principal that is not in it
and a ticket that was never fetched have the same.
"""

import re
from typing import Final, NamedTuple

from discovery.errors import DeniedError, UnreachableError


class LoginError(DeniedError):
    """A system does not let us in. The same login is not tried again: it may lock an account."""

    advice = "is it the right login?"


class Trouble(NamedTuple):
    """What is behind a failure.

    Attributes:
        why: What is wrong.
        hint: What to do.
        transient: Whether it may be gone a moment later, or at another address.
    """

    why: str
    hint: str
    transient: bool = False

    def error(self) -> UnreachableError | LoginError:
        """The error that it is."""
        return (UnreachableError if self.transient else LoginError)(self.why, hint=self.hint)


_CONFIGURATION: Final = "krb5.conf (or the file that KRB5_CONFIG names)"
_SERVICE: Final = (
    "service_principal must be what the metastore has as hive.metastore.kerberos.principal; _HOST "
    "in it stands for the host in uri, which must be the server's own name, no address or alias"
)
_TICKET: Final = "run kinit as the user who runs belvedere, or set keytab and principal"

_KERBEROS: Final[tuple[tuple[str, Trouble], ...]] = (
    (
        r"Clock skew too great|clock skew",
        Trouble(
            "the clock of this machine and that of the KDC or of the metastore differ by more than "
            "Kerberos allows (5 minutes)",
            "set the clocks by NTP",
        ),
    ),
    (
        r"Ticket expired|credential has expired",
        Trouble("the Kerberos ticket has expired", "run kinit again, or set keytab and principal"),
    ),
    (
        r"Ticket not yet valid",
        Trouble("the Kerberos ticket is not valid yet", "set the clocks by NTP, then run kinit"),
    ),
    (
        r"Cannot find KDC for realm \W?(?P<one>[^\s\"']+)",
        Trouble(
            "no KDC of the realm {one} is known",
            f"{_CONFIGURATION} must name it under [realms]; or the realm is misspelled in "
            "principal or service_principal",
        ),
    ),
    (
        r"Cannot contact any KDC for realm \W?(?P<one>[^\s\"']+)",
        Trouble(
            "no KDC of the realm {one} answers",
            f"is it running, open from here, and as {_CONFIGURATION} says?",
            transient=True,
        ),
    ),
    (
        r"Cannot resolve network address for KDC in realm \W?(?P<one>[^\s\"']+)",
        Trouble(
            "the host of the KDC of the realm {one} has no address",
            f"{_CONFIGURATION} must name one that this machine can resolve",
        ),
    ),
    (
        r"Server \W?krbtgt/(?P<one>[^\s\"'@]+)@\S+ not found in Kerberos database",
        Trouble(
            "the KDC knows no realm {one}, or does not trust it",
            "is the realm in service_principal right?",
        ),
    ),
    (
        r"credential cache does not match desired name",
        Trouble(
            "the Kerberos ticket is that of another principal",
            "leave out principal, or name the cache that has its ticket as ticket_cache",
        ),
    ),
    (
        r"Server \W?(?P<one>[^\s\"']+?)\W? not found in Kerberos database",
        Trouble("the KDC knows no service {one}", _SERVICE),
    ),
    (
        r"Client \W?(?P<one>[^\s\"']+?)\W? not found in Kerberos database",
        Trouble("the KDC knows no principal {one}", "is principal spelled right, with its realm?"),
    ),
    (
        r"Preauthentication failed|Decrypt integrity check failed|Password incorrect",
        Trouble(
            "the KDC does not take the key in the keytab: the principal has another by now",
            "export the keytab again",
        ),
    ),
    (
        r"[Cc]redentials have been revoked|[Ee]ntry in database has expired|Password has expired",
        Trouble("the principal is locked or has expired at the KDC", "ask who runs the KDC"),
    ),
    (
        r"no support for encryption type|Encryption type .* not supported|etype not supported",
        Trouble(
            "the KDC and the keytab or the service share no kind of encryption",
            "export the keytab with aes256-cts; see permitted_enctypes in krb5.conf",
        ),
    ),
    (
        r"default realm",
        Trouble(
            "the realm is not said",
            f"write principal with @REALM, or set default_realm in {_CONFIGURATION}",
        ),
    ),
    (
        r"(?:open/find|format of) Kerberos configuration file|Included profile",
        Trouble("krb5.conf cannot be read", "is it there? KRB5_CONFIG names another file"),
    ),
    (
        r"[Kk]ey ?tab|Keytab contains no suitable keys",
        Trouble(
            "the keytab has no key of the principal", "compare `klist -kt FILE` with principal"
        ),
    ),
    (
        r"No credentials were supplied|credentials cache|No Kerberos credentials",
        Trouble("there is no Kerberos ticket", _TICKET),
    ),
    (
        r"Looping detected|not local to KDC|KDC reply did not match|KDC policy rejects",
        Trouble(
            "the KDC gives no ticket for the service: its realm is another, or is not trusted",
            f"{_SERVICE}; between realms, [capaths] and [domain_realm] of krb5.conf count",
        ),
    ),
)

_REFUSALS: Final[tuple[tuple[str, Trouble], ...]] = (
    (
        r"Unsupported mechanism type (?P<one>[\w-]+)",
        Trouble(
            "the metastore has no login of the kind {one}",
            "set authentication to what it has: kerberos (GSSAPI) or plain (user and password)",
        ),
    ),
    (
        r"acquiring password|token .*(?:expired|not found|can't be found)|InvalidToken",
        Trouble(
            "the metastore does not know the delegation token, or it has expired",
            "was the metastore started again? Its token store must keep them "
            "(hive.cluster.delegation.token.store.class); then run this again",
        ),
    ),
    (
        r"Mismatched response|format violation",
        Trouble(
            "the metastore does not take the delegation token",
            "several addresses in uri must share their token store; or set delegation_tokens: "
            "false: executors then log in with the keytab",
        ),
    ),
    (
        r"GSS initiate failed|Failure to initialize security context|Checksum failed",
        Trouble(
            "the metastore refused the Kerberos ticket",
            f"its log says why; {_SERVICE}, its keytab must be current, and its clock right",
        ),
    ),
    (
        r"QOP|quality.of.protection|No common protection layer",
        Trouble(
            "the metastore and we have no quality of protection in common",
            "set qop to what hadoop.rpc.protection has: auth (authentication), auth-int "
            "(integrity), auth-conf (privacy)",
        ),
    ),
    (
        r"PLAIN auth|validating|[Ii]nvalid credentials|[Aa]uthentication failed|LDAP|[Pp]assword",
        Trouble(
            "the metastore does not take the user and the password",
            "are user and password right? It was tried once, so that no account is locked",
        ),
    ),
)


def of_kerberos(message: str) -> Trouble:
    """What a text of the Kerberos library on this machine means."""
    return _matching_trouble(_KERBEROS, message) or Trouble(
        f"Kerberos: {message}", "KRB5_TRACE=/dev/stderr says more"
    )


def of_refusal(mechanism: str, message: str) -> Trouble:
    """What a metastore means that ends a SASL login by a text.

    Args:
        mechanism: GSSAPI, DIGEST-MD5 or PLAIN.
        message: Its text.
    """
    other = Trouble(f"the metastore refused the login by {mechanism}: {message}", "see its log")
    return _matching_trouble(_REFUSALS, message) or other


_STATUSES: Final = {
    400: Trouble(
        "the server does not take the request (400)",
        "does it speak plain HTTP there, or TLS? Write http:// or https:// in uri accordingly",
    ),
    401: Trouble(
        "the metastore does not let us in (401)",
        "authentication: jwt with a token that has not expired and that it trusts, or, without, "
        "user: its x-actor-username",
    ),
    403: Trouble(
        "the metastore does not let us in (403)", "the user or the token has not the right to"
    ),
    404: Trouble(
        "the HTTP server has nothing at this path (404)",
        "end uri with the metastore's path: hive.metastore.server.thrift.http.path, by default "
        "/metastore",
    ),
    405: Trouble(
        "the HTTP server takes no questions at this path (405)",
        "is the path in uri the metastore's? By default it is /metastore",
    ),
    407: Trouble("a proxy on the way wants a login (407)", "name the metastore itself in uri"),
}


def of_status(status: int, reason: str) -> Trouble | None:
    """What a status of HTTP means; None: it is an answer."""
    if status == 200:
        return None
    if status in _STATUSES:
        return _STATUSES[status]
    if 300 <= status < 400:
        return Trouble(f"the HTTP server sends us elsewhere ({status})", "name that place in uri")
    if status >= 500:
        why = f"the HTTP server failed ({status} {reason})"
        return Trouble(why, "see its log, or that of the proxy before it", transient=True)
    return Trouble(f"the HTTP server answers {status} {reason}", "is uri the metastore's?")


def of_silence(mechanism: str) -> Trouble:
    """What it means that nothing is said to the beginning of a login.

    A metastore without SASL takes the first bytes for the length of a name, and waits for the rest.
    """
    return Trouble(
        f"the server did not answer the login by {mechanism}",
        "if it has none, leave out authentication; if it speaks TLS there, set tls: true",
        transient=True,
    )


def _matching_trouble(table: tuple[tuple[str, Trouble], ...], text: str) -> Trouble | None:
    for pattern, cause in table:
        if (match := re.search(pattern, text)) is not None:
            return cause._replace(why=cause.why.format(**match.groupdict()))
    return None
