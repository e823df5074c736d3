"""Which principals have a key in a keytab: what the library does not say where one is missing."""

import struct
from collections.abc import Iterator
from typing import Final

from connectors.clients.bounded_files import read_bounded
from discovery.errors import ConfigurationError

_BYTES: Final = 64 * 1024 * 1024
_VERSION: Final = b"\x05\x02"  # the only one that is written since MIT Kerberos 1.0
_SHORT: Final = struct.Struct(">H")
_LENGTH: Final = struct.Struct(">i")


def insist_on_key(path: str, principal: str | None) -> None:
    """Look whether a file is a keytab, with a key of a principal.

    Args:
        path: Of the file.
        principal: With or without its realm; None: any.

    Raises:
        ConfigurationError: It is not.
    """
    try:
        data = read_bounded(path, _BYTES)
    except OSError as error:
        hint = "where no delegation token is given, the file must be there on each executor"
        raise ConfigurationError(f"keytab {path!r}: {error.strerror}", hint=hint) from error
    try:
        owners = sorted(set(principals(data)))
    except (ValueError, struct.error) as error:
        hint = "ktutil, kadmin's ktadd or ktpass write one"
        raise ConfigurationError(f"keytab {path!r} is no keytab: {error}", hint=hint) from error
    names = {*owners, *(owner.partition("@")[0] for owner in owners)}
    if not owners or (principal and principal not in names):
        why = f"keytab {path!r} has no key of {principal or 'anybody'}"
        raise ConfigurationError(why, hint=f"it has keys of {', '.join(owners) or 'nobody'}")


def principals(data: bytes) -> Iterator[str]:
    """The principals of a keytab's entries (MIT Kerberos, `kt_file.c`, version 2).

    Raises:
        ValueError: It is none.
        struct.error: It ends in the middle.
    """
    if not data.startswith(_VERSION):
        raise ValueError("it does not begin as one")
    at = len(_VERSION)
    while at + _LENGTH.size <= len(data):
        (length,) = _LENGTH.unpack_from(data, at)
        at += _LENGTH.size
        if length > 0:  # a hole has a negative one
            yield _principal(data[at : at + length])
        at += abs(length)


def _principal(entry: bytes) -> str:
    (components,) = _SHORT.unpack_from(entry)
    at, texts = _SHORT.size, []
    for _ in range(components + 1):  # the realm, then the components
        (length,) = _SHORT.unpack_from(entry, at)
        at += _SHORT.size
        texts.append(entry[at : at + length].decode("utf-8", "replace"))
        at += length
    realm, *names = texts
    return f"{'/'.join(names)}@{realm}"
