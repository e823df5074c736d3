"""Writing into folders of this machine: where a disk was full, whole, and one at a time.

Imports nothing of ours, as every command needs it.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final
from uuid import uuid4

_WRITTEN: Final = "what was written then: "


@contextmanager
def place_errors(path: str | Path) -> Iterator[None]:
    """Have an error of reading or writing bytes say where it came, as one of opening does."""
    try:
        yield
    except OSError as error:
        if error.errno is not None and error.filename is None:
            error.filename = str(path)
        raise


@contextmanager
def note_written(place: str) -> Iterator[None]:
    """Have an error note where something was written: Java's of a full disk name no place."""
    try:
        yield
    except Exception as error:
        error.add_note(f"{_WRITTEN}{place}")
        raise


def noted_place(error: BaseException) -> str:
    """What was written when an error was raised, as `note_written` has it; empty: nothing."""
    notes = getattr(error, "__notes__", ())
    places = (note.removeprefix(_WRITTEN) for note in notes if note.startswith(_WRITTEN))
    return next(places, "")


def replace_file(path: str | Path, data: bytes, *, alone: bool = False) -> None:
    """Write a file into its folder, whole or not at all.

    Args:
        path: Of the file.
        data: What it is to hold.
        alone: Whether nobody else writes it meanwhile: what a writer that was killed has left
            there is written over then. It stays otherwise, under a name of its own.

    Raises:
        OSError: It cannot be written there.
    """
    path = Path(path)
    unseen = path.with_name(f".{path.name}.part" if alone else f".{uuid4().hex}")
    try:
        with place_errors(path), unseen.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        unseen.replace(path)
    finally:
        with suppress(OSError):
            unseen.unlink(missing_ok=True)


@contextmanager
def guard_folder(folder: str | Path) -> Iterator[None]:
    """One process of this machine at a time: its kernel lets go of a folder, come what may."""
    guard = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(guard, fcntl.LOCK_EX)
        yield
    finally:
        os.close(guard)
