"""Delegation tokens: the driver logs in by Kerberos, and gets one for all executors.

An executor then needs no keytab, no `krb5.conf` and no library, and a hundred of them ask the KDC
for nothing. A token is renewed as long as it is lent, and cancelled at the end.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from typing import Any, Final

from connectors.clients.credentials import Secret
from connectors.clients.metastore import Metastore
from connectors.clients.thrift.causes import LoginError
from connectors.clients.thrift.digest import insist_on_cipher
from connectors.clients.thrift.login import LentLogin, MetastoreLogin
from discovery.errors import BelvedereError, DeniedError, ReadError

log = logging.getLogger(__name__)

OF_LOGIN: Final = frozenset(
    {"cancel_delegation_token", "get_delegation_token", "renew_delegation_token"}
)
"""Calls that the driver sends beside those that read: they change the metastore's tokens only."""

_SEALED: Final = "auth-conf"
_SHARE: Final = 0.75  # of the time that a token has left, after which it is renewed
_SOONEST: Final = 30.0  # seconds
_LONGEST: Final = 12 * 3600.0  # seconds: renewals are granted for a day, where nobody says other


class TokenClient(Metastore):
    """A connection that gets, renews and cancels delegation tokens."""

    def token(self) -> Secret:
        """A new token for ourselves.

        Raises:
            BelvedereError: The metastore gives none.
        """
        self.open()
        owner = self.principal.partition("@")[0].partition("/")[0]
        return Secret(str(self._send("get_delegation_token", owner, owner)))

    def renew(self, token: Secret) -> float:
        """Let a token live longer; until when, in seconds since 1970.

        Raises:
            BelvedereError: The metastore does not.
        """
        return float(self._send("renew_delegation_token", token.reveal())) / 1000

    def cancel(self, token: Secret) -> None:
        """End a token.

        Raises:
            BelvedereError: The metastore does not.
        """
        self._send("cancel_delegation_token", token.reveal())

    def _send(self, method: str, *arguments: str) -> Any:  # noqa: ANN401 - Thrift is untyped
        if method not in OF_LOGIN:
            raise PermissionError(f"{method} is not on the list of calls about tokens")
        if self._client is None:
            self.open()
        return self._ask(method, *arguments)


def seconds_until_renewal(expires: float, now: float) -> float:
    """How long to wait before a token is renewed.

    Args:
        expires: When it does, in seconds since 1970.
        now: In the same.
    """
    return min(_LONGEST, max(_SOONEST, (expires - now) * _SHARE))


@contextmanager
def lent(login: MetastoreLogin) -> Iterator[LentLogin]:
    """What executors log in with, as long as the context lasts: a token, or why there is none.

    That there is none is no end of a crawl: it has other sources, and says so of this one.
    """
    try:
        token = _fetch_token(login)
    except BelvedereError as error:
        yield LentLogin(None, error)
        return
    lent_login = LentLogin(token)
    with_token = replace(login, lent=lent_login)
    over = threading.Event()
    renewing = threading.Thread(
        target=_keep, args=(_renewal(with_token, token), over.wait), daemon=True, name="token"
    )
    renewing.start()
    try:
        yield lent_login
    finally:
        over.set()
        renewing.join(timeout=login.timeout)
        _cancel(with_token, token)


def _fetch_token(login: MetastoreLogin) -> Secret:
    """A token that executors can log in with.

    Raises:
        BelvedereError: There is none, or executors lack a package.
    """
    with closing(TokenClient(login)) as client:
        try:
            token = client.token()
        except LoginError:
            raise
        except (DeniedError, ReadError) as error:  # the metastore's own refusal
            hint = (
                "executors can log in without: set delegation_tokens: false, and put the keytab on "
                "each of them"
            )
            why = f"the metastore gives no delegation token: {error.message}"
            raise type(error)(why, hint=hint) from error
        if _SEALED in client.login:
            insist_on_cipher()
    return token


def _renewal(login: MetastoreLogin, token: Secret) -> Callable[[], float]:
    """What renews a token, logged in by itself: a ticket may be over by then."""

    def renew() -> float:
        with closing(TokenClient(login)) as client:
            return client.renew(token)

    return renew


def _keep(renew: Callable[[], float], over: Callable[[float], bool]) -> None:
    """Renew until it is over; one that cannot be renewed lives as long as it was given for."""
    seconds = 0.0
    while not over(seconds):
        try:
            seconds = seconds_until_renewal(renew(), time.time())
        except BelvedereError as error:
            log.warning("a delegation token was not renewed: %s", error.message)
            seconds = _LONGEST


def _cancel(login: MetastoreLogin, token: Secret) -> None:
    """End a token; one that stays ends by itself."""
    with suppress(BelvedereError), closing(TokenClient(login)) as client:
        client.cancel(token)
