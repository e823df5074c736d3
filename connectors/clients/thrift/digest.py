"""A login by a delegation token: SASL's mechanism DIGEST-MD5 (RFC 2831) as Hadoop uses it.

User and password are the token's two halves in Base64, the service is `null/default`
(`SaslRpcServer.SASL_DEFAULT_REALM`, without a protocol). In Python alone, but for auth-conf: that
is RC4, which is in the package `cryptography` of the extra `kerberos`.
"""

import base64
import hashlib
import hmac
import re
import secrets
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from connectors.clients.credentials import Secret
from connectors.clients.thrift.causes import LoginError
from connectors.clients.thrift.sasl import BITS, ChangedFrameError, Qop, strongest
from discovery.errors import ConfigurationError
from discovery.packages import missing

_URI: Final = b"null/default"
_COUNT: Final = b"00000001"  # of uses of the server's nonce
_LARGEST: Final = b"16777215"
_TAIL: Final = struct.Struct(">HI")  # version 1, number of the frame
_MAC: Final = 10  # bytes of an HMAC-MD5 that are sent
_WAYS: Final = (b"client-to-server", b"server-to-client")
_SIGNING: Final = b"Digest session key to %s signing key magic constant"
_SEALING: Final = b"Digest H(A1) to %s sealing key magic constant"
_DIRECTIVE: Final = re.compile(rb'([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*))')

Cipher = Callable[[bytes], bytes]


def parts_of(token: str) -> tuple[bytes, bytes]:
    """Identifier and password of a token in the form of `Token.encodeToUrlString`.

    Raises:
        LoginError: It has another form.
    """
    try:
        data = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        identifier, rest = _counted(data)
        password, _ = _counted(rest)
    except (ValueError, IndexError) as error:
        raise LoginError("the metastore's delegation token is of an unknown form") from error
    return identifier, password


def _counted(data: bytes) -> tuple[bytes, bytes]:
    """Bytes after their number, and what follows (`WritableUtils.readVInt`)."""
    first = data[0] - 256 if data[0] > 127 else data[0]
    if first >= -112:
        begin, length = 1, first
    else:  # so many bytes have the number; below -120 it would be negative
        begin = 1 - first - 112
        length = int.from_bytes(data[1:begin], "big")
    if first < -120 or length < 0 or begin + length > len(data):
        raise ValueError("a length beyond the end")
    return data[begin : begin + length], data[begin + length :]


def insist_on_cipher() -> None:
    """Look whether what auth-conf needs is installed.

    Raises:
        ConfigurationError: It is not; says what to install.
    """
    _rc4(bytes(16))


def _rc4(key: bytes) -> Cipher:
    try:
        from cryptography.hazmat.decrepit.ciphers.algorithms import (  # noqa: PLC0415 - an extra
            ARC4,
        )
        from cryptography.hazmat.primitives.ciphers import (  # noqa: PLC0415 - an extra
            Cipher as Ciphers,
        )
    except ModuleNotFoundError as error:
        why = missing(error, "a delegation token with the quality of protection auth-conf")
        hint = f"{why.hint}; or leave auth-conf out of qop, if the metastore has others"
        raise ConfigurationError(why.message, hint=hint) from error
    return Ciphers(ARC4(key), None).encryptor().update


class DigestMd5:
    """The mechanism DIGEST-MD5.

    Args:
        token: What `get_delegation_token` answered.
        wanted: Qualities of protection that may be agreed on.
    """

    name = "DIGEST-MD5"
    principal = ""  # it stands in the identifier, in a form that is the server's own

    def __init__(self, token: Secret, wanted: Sequence[Qop]) -> None:
        identifier, password = parts_of(token.reveal())
        self._user, self._password = base64.b64encode(identifier), base64.b64encode(password)
        self._wanted = wanted
        self.done = False
        self.qop: Qop = "auth"
        self._expected = b""  # that the server knows the password, too
        self._signing: tuple[bytes, bytes] = (b"", b"")
        self._sealing: tuple[Cipher, Cipher] | None = None
        self._frames = [0, 0]  # sent, received

    def first(self) -> bytes:
        """Nothing: the server speaks first."""
        return b""

    def step(self, challenge: bytes) -> bytes:
        """The answer to the challenge, then to the server's own proof.

        Raises:
            BelvedereError: The server offers nothing that we want, or does not know the token.
        """
        directives = _directives(challenge)
        if self._expected:
            if not hmac.compare_digest(directives.get(b"rspauth", b""), self._expected):
                raise LoginError("the server does not know the delegation token's password")
            self.done = True
            return b""
        return self._answer(directives)

    def _answer(self, directives: Mapping[bytes, bytes]) -> bytes:
        offered = (word.strip().decode() for word in directives.get(b"qop", b"auth").split(b","))
        self.qop = strongest(sum(BITS.get(word, 0) for word in offered), self._wanted)
        realm, nonce = directives.get(b"realm", b""), directives.get(b"nonce", b"")
        own = base64.b64encode(secrets.token_bytes(24))
        hidden = _md5(b":".join((self._user, realm, self._password))).digest()
        key = _md5(b":".join((hidden, nonce, own)))

        def proof(method: bytes) -> bytes:
            what = method + b":" + _URI + (b"" if self.qop == "auth" else b":" + b"0" * 32)
            parts = (nonce, _COUNT, own, self.qop.encode(), _hex(_md5(what).digest()))
            return _hex(_md5(b":".join((_hex(key.digest()), *parts))).digest())

        self._expected = proof(b"")
        parts = {
            b"charset": b"utf-8",
            b"username": _quoted(self._user),
            b"realm": _quoted(realm),
            b"nonce": _quoted(nonce),
            b"nc": _COUNT,
            b"cnonce": _quoted(own),
            b"digest-uri": _quoted(_URI),
            b"maxbuf": _LARGEST,
            b"response": proof(b"AUTHENTICATE"),
            b"qop": self.qop.encode(),
        }
        if self.qop == "auth-conf":
            parts[b"cipher"] = self._make_ciphers(key.digest(), directives.get(b"cipher", b""))
        if self.qop != "auth":
            first, second = (_md5(key.digest() + _SIGNING % way).digest() for way in _WAYS)
            self._signing = first, second
        return b",".join(name + b"=" + value for name, value in parts.items())

    def _make_ciphers(self, key: bytes, offered: bytes) -> bytes:
        """Make the ciphers; the name of what was chosen."""
        if b"rc4" not in [cipher.strip() for cipher in offered.split(b",")]:
            ciphers = offered.decode("ascii", "replace")
            hint = "leave auth-conf out of qop, if the metastore has others"
            raise LoginError(
                f"the metastore encrypts by {ciphers or 'nothing'}, not by rc4", hint=hint
            )
        # H(A1) itself goes before the constant (RFC 2831, errata): no hexadecimal digits
        first, second = (_rc4(_md5(key + _SEALING % way).digest()) for way in _WAYS)
        self._sealing = first, second
        return b"rc4"

    def wrap(self, data: bytes) -> bytes:
        """Signed or encrypted, as was agreed on."""
        if self.qop == "auth":
            return data
        number = self._counted(0)
        signed = data + self._mac(0, number, data)
        sent = self._sealing[0](signed) if self._sealing else signed
        return sent + _TAIL.pack(1, number)

    def unwrap(self, data: bytes) -> bytes:
        """Checked or decrypted, as was agreed on.

        Raises:
            ChangedFrameError: It was changed on its way.
        """
        if self.qop == "auth":
            return data
        number = self._counted(1)
        body, tail = data[: -_TAIL.size], data[-_TAIL.size :]
        if self._sealing:
            body = self._sealing[1](body)
        message, mac = body[:-_MAC], body[-_MAC:]
        good = hmac.compare_digest(mac, self._mac(1, number, message))
        if tail != _TAIL.pack(1, number) or not good:
            raise ChangedFrameError("an answer is not as the server signed it")
        return message

    def _counted(self, way: int) -> int:
        """The number of the next frame of a way."""
        number, self._frames[way] = self._frames[way], self._frames[way] + 1
        return number

    def _mac(self, way: int, number: int, data: bytes) -> bytes:
        signed = struct.pack(">I", number) + data
        return hmac.new(self._signing[way], signed, "md5").digest()[:_MAC]

    def close(self) -> None:
        """It holds nothing."""


def _md5(data: bytes) -> "hashlib._Hash":
    return hashlib.md5(data, usedforsecurity=False)  # as the mechanism is; FIPS would refuse it


def _hex(data: bytes) -> bytes:
    return data.hex().encode()


def _quoted(value: bytes) -> bytes:
    return b'"' + re.sub(rb'(["\\])', rb"\\\1", value) + b'"'


def _directives(text: bytes) -> dict[bytes, bytes]:
    """The directives of a challenge by their names."""
    directives = {}
    for match in _DIRECTIVE.finditer(text):
        quoted = re.sub(rb"\\(.)", rb"\1", match[2]) if match[2] is not None else match[3]
        directives[match[1].lower()] = quoted
    return directives
