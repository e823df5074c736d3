"""Where a source is, as reports may say it: a place, and never who connects or with what."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

_HOST: Final = re.compile(
    r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9.])?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*"
)
USUAL_PORTS: Final = {"http": 80, "https": 443}
"""By scheme, where a URL says none."""
_THIS_MACHINE: Final = "localhost"
_UNFIT: Final = re.compile(r"[\x00-\x1f\x7f@;=?#&]")  # what parts a path from more, or a user


@dataclass(frozen=True, slots=True)
class SourceAddress:
    """Where a source is.

    Attributes:
        system: What is there, as OpenLineage's schemes call it: `hive`, `postgres`, `mysql`,
            `glue`; `http` and `https` of a catalog behind REST; of any other its own scheme.
        host: Its name or address; empty of Glue.
        port: Its port; 0: it is not stated, and there is no usual one.
        path: Below that: a database, a catalog of a metastore, a path of a URL; may be empty.
        region: Of AWS, where it is in one.
        account: Of AWS; empty: it is not known.
        catalog: What is behind REST: `iceberg`, `paimon`; empty of all else.
    """

    system: str
    host: str = ""
    port: int = 0
    path: str = ""
    region: str = ""
    account: str = ""
    catalog: str = ""

    def to_json(self) -> dict[str, str | int]:
        """What of it is stated."""
        members = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in members.items() if value}

    def canonical(self) -> "SourceAddress":
        """As every spelling of it has it: this machine by one name, the usual port stated."""
        host = self.host.lower().removesuffix(".")
        with suppress(ValueError):  # it is a name
            number = ip_address(host)
            is_here = number.is_loopback or number.is_unspecified
            host = _THIS_MACHINE if is_here else str(number)
        port = self.port or USUAL_PORTS.get(self.system, 0)
        return replace(self, host=host, port=port, path=self.path.rstrip("/"))

    @classmethod
    def from_json(cls, members: Mapping[str, Any]) -> "SourceAddress":
        """What `to_json` made; members of a later version are left out."""
        return cls(**{name: members[name] for name in cls.__slots__ if name in members})


def address(
    system: str, host: str | None, port: int | None, path: str = ""
) -> SourceAddress | None:
    """An address of parts that are what they should be; None: one of them is not, or no host.

    A password that was taken for a part of a URL would be told, so a part with a character that has
    no business in it is told as nothing at all.
    """
    if not host or not _HOST.fullmatch(host) or _UNFIT.search(path):
        return None
    return SourceAddress(system, host.lower(), port or 0, path)


def address_of_catalog(url: str, catalog: str) -> SourceAddress | None:
    """Where a catalog's URL leads, without user, password, query and fragment.

    None: it has no host, or is none.

    Args:
        url: Of an HTTP server.
        catalog: What it serves.
    """
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        return None
    if "@" in parts.path + parts.query + parts.fragment:  # the rest of a password with a slash
        return None
    source_address = address(parts.scheme.lower(), parts.hostname, port, parts.path.rstrip("/"))
    return replace(source_address, catalog=catalog) if source_address else None
