"""Connections to SQL databases, through SQLAlchemy."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from sqlalchemy import URL, Engine, create_engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.pool import NullPool

from connectors.clients.credentials import Secret
from discovery.errors import (
    BelvedereError,
    ConfigurationError,
    DeniedError,
    ReadError,
    UnreachableError,
)

APPLICATION: Final = "belvedere"
_DENIED: Final = ("28", "42501")  # SQLSTATE: invalid authorization, insufficient privilege
_GONE: Final = ("08", "57P", "53300")  # connection exception, shutdown, too many connections


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """How to reach a database.

    Attributes:
        url: `postgresql://host:port/database`, without user and password.
        user: Who connects.
        password: By reference.
    """

    url: str
    user: str | None = None
    password: Secret | None = None

    def __post_init__(self) -> None:
        try:
            literal = urlsplit(self.url).password
            make_url(self.url)
        except (ArgumentError, ValueError) as error:
            raise ConfigurationError(f"{self.url!r} is no URL of a database") from error
        if literal:
            hint = "take it out of the URL; write password: ${env:NAME}"
            raise ConfigurationError("a password in the URL", hint=hint)

    def complete_url(self, driver: str) -> URL:
        """The URL for SQLAlchemy, with user and password."""
        url = make_url(self.url).set(drivername=driver)
        if self.user is not None:
            url = url.set(username=self.user)
        return url.set(password=self.password.reveal()) if self.password else url


def postgresql(url: URL, *, options: str = "", timeout: float = 10.0) -> Engine:
    """An engine that opens a connection when asked and keeps none.

    Args:
        url: With user and password.
        options: For the server, such as `-c statement_timeout=30000`.
        timeout: Seconds for connecting.
    """
    arguments = {
        "application_name": APPLICATION,
        "connect_timeout": max(2, round(timeout)),
        "options": options,
    }
    return create_engine(url, poolclass=NullPool, connect_args=arguments, hide_parameters=True)


def meant(error: DBAPIError) -> BelvedereError:
    """Our error for one of the database: its own message, without statement and parameters."""
    cause = error.orig or error
    message = str(cause).strip().partition("\n")[0] or type(cause).__name__
    state = str(getattr(cause, "sqlstate", None) or "")
    if state.startswith(_DENIED):
        return DeniedError(message)
    lost = not state and isinstance(error, OperationalError)  # no server spoke
    if error.connection_invalidated or state.startswith(_GONE) or lost:
        return UnreachableError(message)
    return ReadError(message)
