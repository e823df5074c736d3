"""The jars of a judge: Maven coordinates pinned by checksum, and where they are on this machine."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from discovery.errors import JudgeUnavailableError


@dataclass(frozen=True, slots=True)
class Jar:
    """A jar.

    Attributes:
        coordinate: `group:artifact:version`, of Maven.
        sha256: Of the file, in hexadecimal.
    """

    coordinate: str
    sha256: str

    @property
    def file(self) -> str:
        """The name that Maven gives it."""
        _, artifact, version = self.coordinate.split(":")
        return f"{artifact}-{version}.jar"


GUAVA: Final = (
    Jar(
        "com.google.guava:guava:33.4.0-jre",
        "b918c98a7e44dbe94ebd9fe3e40cddaadb5a93e6a78eb6008b42df237241e538",
    ),
    Jar(
        "com.google.guava:failureaccess:1.0.2",
        "8a8f81cf9b359e3f6dfa691a1e776985c061ef2f223c9b2c80753e1b458e8064",
    ),
)
SLF4J: Final = Jar(
    "org.slf4j:slf4j-api:1.7.36",
    "d3ef575e3e4979678dc01bf1dcce51021493b4d11fb7f1be8ad982877c16a1c0",
)
COMMONS_MATH: Final = Jar(
    "org.apache.commons:commons-math3:3.6.1",
    "1e56d7b058d28b65abd256b8458e3885b674c1d588fa43cd7d1cbb9c7ef2b308",
)
"""What several judges stand on."""


def find_pinned_jars(folder: Path, jars: Sequence[Jar]) -> tuple[Path, ...]:
    """The files of a folder, each with the pinned content.

    Raises:
        JudgeUnavailableError: One is missing, or is another file.
    """
    paths = tuple(folder / jar.file for jar in jars)
    for jar, path in zip(jars, paths, strict=True):
        if not path.is_file():
            raise JudgeUnavailableError(f"no {jar.coordinate}", hint=f"put {jar.file} there")
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != jar.sha256:
                raise JudgeUnavailableError(
                    f"{path} is not the {jar.coordinate} that is known by its checksum",
                    hint="remove it, or put the right one there",
                )
    return paths
