"""A login by Kerberos: SASL's mechanism GSSAPI (RFC 4752) by the machine's own library.

MIT's libgssapi_krb5 through ctypes: the package `gssapi` has no wheel for Linux, and would ask
every user for a compiler. The library comes with every distribution; where it is not, its package
is named.
"""

import ctypes
import ctypes.util
import secrets
import struct
from collections.abc import Sequence
from contextlib import suppress
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_uint32, c_void_p
from functools import lru_cache
from typing import Any, Final

from connectors.clients.thrift import causes
from connectors.clients.thrift.sasl import BITS, Qop, strongest
from discovery.errors import ConfigurationError

_LIBRARIES: Final = ("libgssapi_krb5.so.2", "libgssapi_krb5.dylib")
_LARGEST: Final = 0xFFFFFF  # bytes of a frame that we take: three bytes have no more room


class _Buffer(ctypes.Structure):
    _fields_ = [("length", c_size_t), ("value", c_void_p)]


class _Oid(ctypes.Structure):
    _fields_ = [("length", c_uint32), ("elements", c_char_p)]


class _Pair(ctypes.Structure):
    _fields_ = [("key", c_char_p), ("value", c_char_p)]


class _Store(ctypes.Structure):
    _fields_ = [("count", c_uint32), ("elements", POINTER(_Pair))]


def _oid(dotted: bytes) -> _Oid:
    return _Oid(len(dotted), dotted)


_KERBEROS: Final = _oid(b"\x2a\x86\x48\x86\xf7\x12\x01\x02\x02")  # 1.2.840.113554.1.2.2
_PRINCIPAL: Final = _oid(b"\x2a\x86\x48\x86\xf7\x12\x01\x02\x02\x01")  # GSS_KRB5_NT_PRINCIPAL_NAME
_NO_CREDENTIALS: Final = c_void_p()
_INDEFINITE: Final = 0xFFFFFFFF
_INITIATE: Final = 1
_CONTINUE_NEEDED: Final = 1
_ERRORS: Final = 16  # bits to the left of which a major status has its errors
_OF_GSSAPI, _OF_MECHANISM = 1, 2
# mutual, replay, sequence, confidentiality, integrity: what Java's server asks of us for auth-conf
_FLAGS: Final = 2 | 4 | 8 | 16 | 32

_SIGNATURES: Final[dict[str, tuple[Any, ...]]] = {
    "gss_import_name": (POINTER(_Buffer), POINTER(_Oid), POINTER(c_void_p)),
    "gss_release_name": (POINTER(c_void_p),),
    "gss_acquire_cred_from": (
        *(c_void_p, c_uint32, c_void_p, c_int, POINTER(_Store), POINTER(c_void_p)),
        *(c_void_p, POINTER(c_uint32)),
    ),
    "gss_release_cred": (POINTER(c_void_p),),
    "gss_init_sec_context": (
        *(c_void_p, POINTER(c_void_p), c_void_p, POINTER(_Oid), c_uint32, c_uint32, c_void_p),
        *(POINTER(_Buffer), c_void_p, POINTER(_Buffer), c_void_p, c_void_p),
    ),
    "gss_inquire_context": (
        *(c_void_p, POINTER(c_void_p), c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p),
    ),
    "gss_display_name": (c_void_p, POINTER(_Buffer), c_void_p),
    "gss_delete_sec_context": (POINTER(c_void_p), c_void_p),
    "gss_wrap": (c_void_p, c_int, c_uint32, POINTER(_Buffer), c_void_p, POINTER(_Buffer)),
    "gss_unwrap": (c_void_p, POINTER(_Buffer), POINTER(_Buffer), POINTER(c_int), c_void_p),
    "gss_display_status": (*(c_uint32, c_int, POINTER(_Oid), POINTER(c_uint32), POINTER(_Buffer)),),
    "gss_release_buffer": (POINTER(_Buffer),),
}
"""Arguments of each function after the first, where it puts its minor status (RFC 2744)."""


@lru_cache(maxsize=1)
def _load_library() -> Any:  # noqa: ANN401 - ctypes
    """MIT's library.

    Raises:
        ConfigurationError: The machine has none.
    """
    for name in (*_LIBRARIES, ctypes.util.find_library("gssapi_krb5")):
        with suppress(OSError, AttributeError):
            library = ctypes.CDLL(name) if name else None
            for function, arguments in _SIGNATURES.items() if library else ():
                prepared = getattr(library, function)
                prepared.argtypes = (POINTER(c_uint32), *arguments)
                prepared.restype = c_uint32
            if library:
                return library
    hint = "install libgssapi-krb5-2 (Debian, Ubuntu) or krb5-libs (Red Hat, Alpine)"
    raise ConfigurationError("this machine has no library of MIT Kerberos", hint=hint)


def _call(function: str, *arguments: object) -> int:
    """Call a function of the library; its major status.

    Raises:
        BelvedereError: It failed; the message says what is meant.
    """
    minor = c_uint32()
    major: int = getattr(_load_library(), function)(byref(minor), *arguments)
    if major >> _ERRORS:
        message = f"{_status_text(major, _OF_GSSAPI)}: {_status_text(minor.value, _OF_MECHANISM)}"
        raise causes.of_kerberos(message).error()
    return major


def _status_text(code: int, kind: int) -> str:
    """The library's text for a status."""
    context, text = c_uint32(), _Buffer()
    _load_library().gss_display_status(
        byref(c_uint32()), code, kind, byref(_KERBEROS), byref(context), byref(text)
    )
    return _take_bytes(text).decode("utf-8", "replace")


def _input_buffer(data: bytes) -> tuple[_Buffer, Any]:
    """Bytes as the library takes them, and what must stay as long as it does."""
    held = ctypes.create_string_buffer(data, len(data))
    return _Buffer(len(data), ctypes.cast(held, c_void_p)), held


def _take_bytes(buffer: _Buffer) -> bytes:
    """The bytes that the library gave; given back to it."""
    data = ctypes.string_at(buffer.value, buffer.length) if buffer.value else b""
    _load_library().gss_release_buffer(byref(c_uint32()), byref(buffer))
    return data


def _import_name(principal: str) -> c_void_p:
    name = c_void_p()
    given, _held = _input_buffer(principal.encode())
    _call("gss_import_name", byref(given), byref(_PRINCIPAL), byref(name))
    return name


class KerberosContext:
    """A security context with one service.

    Args:
        service: The service's principal, such as `hive/host@REALM`.
        principal: Ours; None: that of the ticket, or the first in the keytab.
        keytab: File with our key; None: a ticket is there already.
        ticket_cache: Where the ticket is; None: where the library looks (`KRB5CCNAME`).

    Raises:
        BelvedereError: There is no ticket, and none is given to us.
    """

    def __init__(
        self,
        service: str,
        *,
        principal: str | None = None,
        keytab: str | None = None,
        ticket_cache: str | None = None,
    ) -> None:
        self._context, self._credentials = c_void_p(), c_void_p()
        self._target = _import_name(service)
        self.complete = False
        stored = {}
        if keytab:  # the ticket that it gets stays in memory
            stored = {b"client_keytab": keytab, b"ccache": f"MEMORY:{secrets.token_hex(8)}"}
        if ticket_cache:
            stored[b"ccache"] = ticket_cache
        if stored or principal:
            self._acquire(stored, principal)

    def _acquire(self, stored: dict[bytes, str], principal: str | None) -> None:
        pairs = (_Pair * len(stored))(
            *(_Pair(key, value.encode()) for key, value in stored.items())
        )
        store = _Store(len(stored), pairs)
        name = _import_name(principal) if principal else c_void_p()
        try:
            _call(
                "gss_acquire_cred_from",
                *(name, _INDEFINITE, None, _INITIATE, byref(store)),
                *(byref(self._credentials), None, None),
            )
        finally:
            if name.value:
                _load_library().gss_release_name(byref(c_uint32()), byref(name))

    def token(self, challenge: bytes) -> bytes:
        """Our next token; the first is the answer to nothing.

        Raises:
            BelvedereError: There is no ticket for the service, or it is not what it should be.
        """
        (given, _held), out = _input_buffer(challenge), _Buffer()
        major = _call(
            "gss_init_sec_context",
            *(self._credentials, byref(self._context), self._target, byref(_KERBEROS)),
            *(_FLAGS, 0, None, byref(given), None, byref(out), None, None),
        )
        self.complete = not major & _CONTINUE_NEEDED
        return _take_bytes(out)

    def initiator(self) -> str:
        """The principal that logs in."""
        name, text = c_void_p(), _Buffer()
        _call("gss_inquire_context", self._context, byref(name), *([None] * 6))
        try:
            _call("gss_display_name", name, byref(text), None)
        finally:
            _load_library().gss_release_name(byref(c_uint32()), byref(name))
        return _take_bytes(text).decode()

    def wrap(self, data: bytes, *, sealed: bool) -> bytes:
        """Data signed, and encrypted if they are to be sealed."""
        (given, _held), out = _input_buffer(data), _Buffer()
        _call("gss_wrap", self._context, int(sealed), 0, byref(given), None, byref(out))
        return _take_bytes(out)

    def unwrap(self, data: bytes, *, sealed: bool) -> bytes:
        """What was wrapped.

        Raises:
            LoginError: It was changed on its way, or is not sealed as it should be.
        """
        (given, _held), out, was_sealed = _input_buffer(data), _Buffer(), c_int()
        _call("gss_unwrap", self._context, byref(given), byref(out), byref(was_sealed), None)
        unwrapped = _take_bytes(out)
        if sealed and not was_sealed.value:
            raise causes.LoginError("the server sends in the clear what was to be encrypted")
        return unwrapped

    def close(self) -> None:
        """Give the library its objects back."""
        library, minor = _load_library(), c_uint32()
        if self._context.value:
            library.gss_delete_sec_context(byref(minor), byref(self._context), None)
        if self._credentials.value:
            library.gss_release_cred(byref(minor), byref(self._credentials))
        if self._target.value:
            library.gss_release_name(byref(minor), byref(self._target))
        self._context, self._credentials, self._target = c_void_p(), c_void_p(), c_void_p()


class Gssapi:
    """The mechanism GSSAPI.

    Args:
        context: With the metastore.
        wanted: Qualities of protection that may be agreed on.
    """

    name = "GSSAPI"

    def __init__(self, context: KerberosContext, wanted: Sequence[Qop]) -> None:
        self._context, self._wanted = context, wanted
        self.done, self.principal = False, ""
        self.qop: Qop = "auth"

    def first(self) -> bytes:
        """The ticket for the service."""
        return self._context.token(b"")

    def step(self, challenge: bytes) -> bytes:
        """Until the context is there, its tokens; then an answer to the server's offer.

        Raises:
            BelvedereError: The server is another, or offers nothing that we want.
        """
        if not self._context.complete:
            return self._context.token(challenge)
        offer = self._context.unwrap(challenge, sealed=False)
        if len(offer) != 4:
            raise causes.LoginError("the server's offer of qualities of protection is none")
        self.qop = strongest(offer[0], self._wanted)
        largest = 0 if self.qop == "auth" else _LARGEST
        answer = struct.pack(">I", BITS[self.qop] << 24 | largest)
        self.done, self.principal = True, self._context.initiator()
        return self._context.wrap(answer, sealed=False)

    def wrap(self, data: bytes) -> bytes:
        """Signed or encrypted, as was agreed on."""
        if self.qop == "auth":
            return data
        return self._context.wrap(data, sealed=self.qop == "auth-conf")

    def unwrap(self, data: bytes) -> bytes:
        """Checked or decrypted, as was agreed on."""
        if self.qop == "auth":
            return data
        return self._context.unwrap(data, sealed=self.qop == "auth-conf")

    def close(self) -> None:
        """Give the library its objects back."""
        self._context.close()
