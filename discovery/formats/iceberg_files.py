"""What the metadata files of an Iceberg view are called, and where they lie."""

import hashlib
import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote
from uuid import uuid4

from discovery.locations import climbs
from discovery.model import Identifier

_ODD: Final = re.compile("[^A-Za-z0-9]")
_NUMBER: Final = re.compile(r"(\d+)-[^/]*\Z")
_LONGEST: Final = 255  # bytes of a step
_DIGEST: Final = 16
_HALF_ENCODED: Final = re.compile(r"%.?\Z")
METADATA_FOLDER: Final = "write.metadata.path"  # Iceberg's ViewProperties: another folder


def location(warehouse: str, place: Identifier) -> str:
    """Where the metadata files of a new view go: below the warehouse, as JdbcCatalog has it.

    What URIs and file systems read otherwise is percent-encoded, and stays so in the file's name.
    A name that climbs, once somebody decodes it, is spelled with underscores instead: no two files
    have one name, so it may be another view's folder, too.
    """
    return "/".join((warehouse.rstrip("/"), *map(step, (*place.namespace, place.name))))


def step(name: str) -> str:
    """A name as one step of a path, percent-encoded.

    One that file systems have no room for is cut, with a digest of the whole, as letters beyond
    ASCII take six or more: Linux and HDFS take 255 bytes.
    """
    encoded = quote(name, safe="")
    if climbs(encoded) or encoded == ".":
        return _ODD.sub("_", name)
    if len(encoded) <= _LONGEST:
        return encoded
    digest = hashlib.sha256(name.encode()).hexdigest()[:_DIGEST]
    return f"{_HALF_ENCODED.sub('', encoded[: _LONGEST - _DIGEST - 1])}-{digest}"


def metadata_file(folder: str, properties: Mapping[str, str], before: str = "") -> str:
    """A name for the next metadata file that nobody else takes.

    Args:
        folder: The location of the view.
        properties: Of the view.
        before: The file that it follows.
    """
    match = _NUMBER.search(before)
    number = int(match[1]) + 1 if match else 0
    place = properties.get(METADATA_FOLDER) or f"{folder.rstrip('/')}/metadata"
    return f"{place.rstrip('/')}/{number:05d}-{uuid4()}.metadata.json"
