"""Where files that entries point to may lie: locations compared step by step, never as texts.

An entry of a catalog names a file, and whoever may write the entry chooses the name. So a file is
read only below a prefix: one that the configuration asks for or, if it asks for none, one that the
source itself states of its warehouse. Files of the machine are only ever read where the
configuration says so.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from discovery.errors import ConfigurationError, FileOutsideError

FILE: Final = "file"
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(.*)", re.DOTALL)
_ONE_STORE: Final = {"s3a": "s3", "s3n": "s3", "gcs": "gs", "abfss": "abfs", "wasbs": "wasb"}
"""Schemes that name the same objects: clients' differences, not places."""
SCHEMES: Final = frozenset({FILE, "hdfs", *_ONE_STORE, *_ONE_STORE.values()})
"""How URIs of files begin: of this machine, of HDFS, and of the stores of the clouds."""
_CONTAINERS: Final = frozenset({"abfs", "wasb"})  # `container@account`: no user stands there
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_STEPS: Final = re.compile(r"[/\\]")
_NO_STEP: Final = frozenset({"", "."})
_DECODINGS: Final = 5  # a name that is encoded deeper than this is nobody's


@dataclass(frozen=True, slots=True)
class Location:
    """A place of a file or folder, told apart from all others that are spelled otherwise.

    Attributes:
        scheme: In lower case, one for all spellings of a store; `file` where there is none.
        authority: Bucket, container or host; empty where there is none.
        steps: Of the path, as spelled.
    """

    scheme: str
    authority: str
    steps: tuple[str, ...]

    @property
    def path(self) -> str:
        """The path, absolute."""
        return "/" + "/".join(self.steps)

    def is_below(self, prefix: "Location") -> bool:
        """Whether it is the prefix or below it; `wh2` is not below `wh`."""
        same = (self.scheme, self.authority) == (prefix.scheme, prefix.authority)
        return same and self.steps[: len(prefix.steps)] == prefix.steps


def parse(text: str) -> Location:
    """The place that a text names.

    Raises:
        FileOutsideError: It names none for certain: a relative path, one that climbs (`..`, however
            it is encoded), a user or password, a file of another machine, a control character.
    """
    if _CONTROL.search(text):
        raise _refused(text, "has a control character")
    scheme, authority, rest = _split(text)
    if rest and not rest.startswith("/"):
        raise _refused(text, "is no absolute location")
    if "@" in authority and (scheme not in _CONTAINERS or ":" in authority.partition("@")[0]):
        raise _refused(text, "has a user in it")
    if scheme == FILE:
        if authority.lower() not in {"", "localhost"}:
            raise _refused(text, "names a file of another machine")
        authority = ""
    if climbs(rest):
        raise _refused(text, "climbs with '..'")
    steps = tuple(step for step in rest.split("/") if step not in _NO_STEP)
    return Location(scheme, authority.lower(), steps)


def _split(text: str) -> tuple[str, str, str]:
    """Scheme, authority and path of a location, the path as spelled."""
    match = _SCHEME.fullmatch(text)
    scheme, rest = (match[1].lower(), match[2]) if match else (FILE, text)
    authority = ""
    if match and rest.startswith("//"):
        authority, slash, rest = rest[2:].partition("/")
        rest = slash + rest
    return _ONE_STORE.get(scheme, scheme), authority, rest


def has_scheme(text: str) -> bool:
    """Whether a location says in which system it is."""
    return _SCHEME.fullmatch(text) is not None


def remainder(text: str, steps: int) -> str:
    """What a location's path has after so many steps, as spelled: `a//b` is another key than `a/b`.

    Args:
        text: A location that `parse` takes.
        steps: How many; at most those that it has.
    """
    parts = _split(text)[2].removeprefix("/").split("/")
    while steps and parts:
        steps -= parts.pop(0) not in _NO_STEP
    return "/".join(parts)


def climbs(path: str) -> bool:
    """Whether a path has a step `..` as it stands, or once it is decoded."""
    for _ in range(_DECODINGS):
        if ".." in _STEPS.split(path):
            return True
        path, before = unquote(path), path
        if path == before:
            return False
    return True


@dataclass(frozen=True, slots=True)
class Bounds:
    """Below which locations the files of a source may lie.

    Attributes:
        own: Those that the configuration names.
        closed: Whether only those count, whatever the source states.
    """

    own: tuple[Location, ...]
    closed: bool

    @classmethod
    def of(cls, locations: Iterable[str], *warehouses: str | None) -> "Bounds":
        """The bounds that a configuration states.

        Args:
            locations: The option of this name; if it says anything, only that counts.
            *warehouses: What else the configuration names as a warehouse.

        Raises:
            ConfigurationError: One of them is no location.
        """
        asked = tuple(locations)
        try:
            own = tuple(parse(location) for location in asked or warehouses if location)
        except FileOutsideError as error:
            hint = "write s3://bucket/folder, hdfs://host/folder or file:///folder"
            raise ConfigurationError(f"locations: {error.message}", hint=hint) from error
        return cls(own, bool(asked))

    def admit(self, text: str, stated: Iterable[str]) -> Location:
        """The place that an entry points to, if it may be read.

        Args:
            text: As the entry has it.
            stated: What the source says of where its views lie. It is the word of whoever may write
                there, so it never opens the files of this machine.

        Raises:
            FileOutsideError: It may not.
        """
        place = parse(text)
        declared = (
            ()
            if self.closed
            else (location for location in _parsed_only(stated) if location.scheme != FILE)
        )
        if not any(place.is_below(bound) for bound in (*self.own, *declared)):
            raise _refused(text, "is not below a location of the source")
        return place


def _parsed_only(stated: Iterable[str]) -> Iterable[Location]:
    """The locations among texts of a source; what is none opens nothing."""
    for text in stated:
        try:
            yield parse(text)
        except FileOutsideError:
            continue


def _refused(text: str, why: str) -> FileOutsideError:
    return FileOutsideError(f"{safe_location(text)}: {why}; it was not read")


def safe_location(text: str) -> str:
    """A location for a message: without control characters, user and password."""
    plain = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)
    return re.sub(r"(?<=//)[^/@]*:[^/@]*@", "***@", plain)
