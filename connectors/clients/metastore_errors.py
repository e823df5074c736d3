"""What the errors of Thrift and of a metastore mean to us."""

from typing import Final

from thrift.Thrift import TApplicationException, TException

from discovery.errors import BelvedereError, DeniedError, ReadError, UnreachableError

_DENIED: Final = ("permission denied", "accesscontrolexception", "not allowed", "not authorized")
_STUMBLED: Final = ("java.lang.NullPointerException", "the server closed the connection")


class OverError(UnreachableError):
    """The time for a task is over."""


def unreachable(message: str, error: BaseException | None) -> UnreachableError:
    """Our error with a hint of its own, where one is known."""
    hint = error.hint if isinstance(error, BelvedereError) else ""
    return UnreachableError(message, hint=hint)


def over_null(error: BelvedereError) -> bool:
    """Whether a server may have stumbled over a NULL: as it asked its database, or as it wrote."""
    return any(mark in error.message for mark in _STUMBLED)


class UnknownMethodError(ReadError):
    """The server is older or newer than the call."""


class NoSuchObjectError(ReadError):
    """The server has no such database or function."""


def our_error(method: str, error: TException) -> BelvedereError:
    """Our error for one of Thrift or of the metastore."""
    message = str(getattr(error, "message", None) or error)
    unknown = TApplicationException.UNKNOWN_METHOD
    if isinstance(error, TApplicationException) and error.type == unknown:
        return UnknownMethodError(f"{method}: {message}")
    if type(error).__name__ in {"NoSuchObjectException", "UnknownDBException"}:
        return NoSuchObjectError(f"{method}: {message}")
    if any(mark in message.lower() for mark in _DENIED):
        return DeniedError(f"{method}: {message}")
    return ReadError(f"{method}: {message}")
