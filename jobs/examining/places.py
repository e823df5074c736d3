"""What `doctor` looks at beside systems: places that commands write into or read from.

Imports neither Spark nor the configuration: a place elsewhere is the warehouse's own storage.
"""

import tempfile
from pathlib import Path
from typing import Final
from uuid import uuid4

from jobs.warehouse.storage import Storage

_PREFIX: Final = ".belvedere-doctor-"


def why_unwritable(folder: str) -> str:
    """Why this user can make no file in a folder of this machine; empty: he can.

    A folder that is not there would be made: then the lowest one above it is tried. A file is made
    there and removed again.
    """
    place = Path(folder)
    while not (place.exists() or place.is_symlink() or place == place.parent):
        place = place.parent
    try:
        with tempfile.NamedTemporaryFile(prefix=_PREFIX, dir=place) as file:
            file.write(b"x")
    except OSError as error:
        return f"{place}: {error.strerror or error}"
    return ""


def why_unwritable_elsewhere(folder: str, storage: Storage) -> str:
    """The same of a folder that only Spark reaches."""
    path = f"{folder}/{_PREFIX}{uuid4().hex}"
    try:
        storage.replace(path, b"x")
        storage.remove(path)
    except OSError as error:
        return str(error)
    return ""
