"""What is below a folder; of this machine, each file once, whatever links lead to it."""

import os
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pyarrow import fs

NO_FILE: Final = "it is no file, but a pipe, a socket or a device"
_LINKS: Final = 3
"""Links on one way behind which no folder is looked into again: with each, ways may double."""


@dataclass(frozen=True, slots=True)
class FilesBelow:
    """What a folder holds.

    Attributes:
        sizes: Path to bytes of each file; of paths that links make of one, the one without.
        unread: Path to why, of what is no file, and of folders that may not be looked into.
    """

    sizes: Mapping[str, int]
    unread: Mapping[str, str]


def _enters_each(_: str) -> bool:
    """That any folder may hold what is looked for."""
    return True


def find_files(
    system: fs.FileSystem,
    folder: str,
    is_wanted: Callable[[str], bool],
    may_hold: Callable[[str], bool] = _enters_each,
) -> FilesBelow:
    """The files below a folder; none, if there is no such folder.

    Of another machine there may be files among them that are not wanted.

    Args:
        system: Where it is.
        folder: The folder.
        is_wanted: Whether a path is one of those that are looked for.
        may_hold: Whether a folder in it may hold one; of this machine no other is looked into.

    Raises:
        OSError: The folder itself cannot be looked into.
        UnicodeDecodeError: A name in it is no UTF-8.
    """
    if isinstance(system, fs.LocalFileSystem) and Path(folder).is_dir():
        return _find_local_files(folder, is_wanted, may_hold)
    every = system.get_file_info(fs.FileSelector(folder, recursive=True, allow_not_found=True))
    return FilesBelow({file.path: file.size for file in every if file.type is fs.FileType.File}, {})


def _find_local_files(
    folder: str, is_wanted: Callable[[str], bool], may_hold: Callable[[str], bool]
) -> FilesBelow:
    """The files below a folder of this machine.

    Raises:
        OSError: The folder itself cannot be looked into.
        UnicodeDecodeError: A name in it is no UTF-8.
    """
    walk, top = _FolderWalk(is_wanted, may_hold), _FolderWay(folder, (os.path.realpath(folder),))
    walk.look_into(top)
    if error := walk.errors.get(folder):
        raise error
    while walk.folders or walk.linked:
        walk.look_into(walk.folders.pop() if walk.folders else walk.linked.pop(0))
    reasons = {path: error.strerror or str(error) for path, error in walk.errors.items()}
    return FilesBelow(walk.files_by_one_way(), {**walk.unread, **reasons})


@dataclass(frozen=True, slots=True)
class _FolderWay:
    """A way to a folder.

    Attributes:
        path: The folder, as the way leads to it.
        real: Paths without links of the folders on the way, this one the last.
        links: How many of them are reached by links.
    """

    path: str
    real: tuple[str, ...]
    links: int = 0

    def to(self, entry: os.DirEntry[str]) -> "_FolderWay":
        """The way on to a folder in this one."""
        is_link = entry.is_symlink()
        real = os.path.realpath(entry.path) if is_link else str(Path(self.real[-1], entry.name))
        return _FolderWay(entry.path, (*self.real, real), self.links + is_link)


@dataclass(slots=True)
class _FolderWalk:
    """A walk through folders; links to folders are followed behind all that is none."""

    is_wanted: Callable[[str], bool]
    may_hold: Callable[[str], bool]
    sizes: dict[str, int] = field(default_factory=dict)
    unread: dict[str, str] = field(default_factory=dict)
    errors: dict[str, OSError] = field(default_factory=dict)
    folders: list[_FolderWay] = field(default_factory=list)
    linked: list[_FolderWay] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    def look_into(self, way: _FolderWay) -> None:
        """Note all that is in a folder, unless the way leads round to it."""
        *above, real = way.real
        if real in above or (way.links > _LINKS and real in self.seen):
            return
        self.seen.add(real)
        try:
            with os.scandir(way.path) as scanned:
                entries = sorted(scanned, key=lambda entry: entry.name)
        except OSError as error:
            self.errors[way.path] = error
            return
        for entry in entries:
            os.fsencode(entry.path).decode()
            try:
                self._note(entry, way)
            except OSError as error:
                if entry.is_symlink() or not isinstance(error, FileNotFoundError):
                    self.errors[entry.path] = error

    def _note(self, entry: os.DirEntry[str], way: _FolderWay) -> None:
        """Note an entry of a folder.

        Raises:
            OSError: It is a link that leads nowhere, or was removed meanwhile.
        """
        status = entry.stat()
        if stat.S_ISDIR(status.st_mode):
            if self.may_hold(entry.path):
                (self.linked if entry.is_symlink() else self.folders).append(way.to(entry))
        elif not stat.S_ISREG(status.st_mode):
            self.unread[entry.path] = NO_FILE
        elif self.is_wanted(entry.path):
            self.sizes[entry.path] = status.st_size

    def files_by_one_way(self) -> dict[str, int]:
        """The files, each by the path without links, else the first of the shortest."""
        ways: dict[str, str] = {}
        for path in sorted(self.sizes, key=lambda path: (len(path), path)):
            real = os.path.realpath(path)
            if real == path or real not in ways:
                ways[real] = path
        return {path: self.sizes[path] for path in sorted(ways.values())}
