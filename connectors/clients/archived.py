"""The files of an archive, read forward and within bounds: each object with its place."""

import io
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Final, Self

from pyarrow import fs

from connectors.clients import lines
from connectors.clients.files_below import FilesBelow, find_files
from connectors.clients.lines import CrawlOrigin
from discovery.errors import BelvedereError, ListingError, ReadError, UnknownKindError
from discovery.patterns import steady

_ONE_EACH: Final = (".json", ".json.gz")
_BY_LINE: Final = (".jsonl", ".jsonl.gz", ".txt.gz")  # Spark calls gzipped text .txt.gz
_BUFFER: Final = 1 << 16  # what is lost before the place where a gzip file is cut off
LONGEST: Final = 128 * 1024 * 1024  # bytes of an object: 64 MiB of a metadata file in base64, more
_UNPACKED: Final = 1 << 30  # bytes; a small file may be packed as well as it likes
_PACKED: Final = 200  # times; JSON is packed ten- to thirtyfold, a bomb a thousandfold


@dataclass(frozen=True, slots=True, order=True)
class Spot:
    """Where an object is.

    Attributes:
        path: Of the file.
        offset: Of its first byte, unpacked.
        number: Of the object in the file, counted from 1; empty lines count. 0: the file.
    """

    path: str
    offset: int
    number: int

    def __str__(self) -> str:
        return f"{self.path}:{self.number}" if self.number else self.path

    def handle(self) -> str:
        """As a text."""
        return f"{self.offset} {self.number} {self.path}"

    @classmethod
    def parse(cls, handle: str) -> "Spot":
        """The inverse of `handle`."""
        offset, number, path = handle.split(" ", 2)
        return cls(path, int(offset), int(number))


@dataclass(frozen=True, slots=True)
class _Found:
    """The files of an archive.

    Attributes:
        paths: Of them, sorted.
        unread: Path to why, of what has the name of one and is none, and of folders that may not be
            looked into.
    """

    paths: tuple[str, ...]
    unread: Mapping[str, str]


class Folder:
    """The files of an archive.

    Args:
        path: Of a file, a folder, or a glob; local or a URI that pyarrow knows.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._opened: tuple[str, _Stream] | None = None  # objects of a task follow each other

    def __str__(self) -> str:
        return self._path

    def close(self) -> None:
        """Close the file that is being read."""
        if self._opened is not None:
            self._opened[1].close()
        self._opened = None

    def objects(self) -> Iterator[tuple[Spot, bytes | BelvedereError]]:
        """Every object of every file with its place, or why it or the rest cannot be read."""
        files = self._find_files()
        for path, why in files.unread.items():
            yield Spot(path, 0, 0), ReadError(f"it is not read: {why}")
        for path in files.paths:
            last = Spot(path, 0, 0)
            try:
                with self._open_stream(path) as stream:
                    for last, text in stream.objects():
                        yield last, text
                if path.endswith(_ONE_EACH) and not last.number:
                    yield last, ReadError("it holds no object: it was emptied, or cut off")
            except (OSError, EOFError, ReadError) as error:
                why = f"after object {last.number}, the rest is not read: {_error_text(error)}"
                yield Spot(path, 0, 0), ReadError(why)

    def origins(self, *, first: bool) -> Iterator[CrawlOrigin]:
        """Where objects were crawled, as far as they say it.

        Args:
            first: Only the first object of each file of lines; a folder of one object a file may
                have very many, and its first stands for all.
        """
        paths = self.paths()
        if first:
            paths = [path for path in paths if path.endswith(_BY_LINE)] or paths[:1]
        for path in paths:
            try:
                with self._open_stream(path) as stream:
                    for _, text in stream.objects():
                        crawl_origin = _origin(text)
                        if crawl_origin is not None:
                            yield crawl_origin
                        if first:
                            break
            except (OSError, EOFError, ReadError):  # the listing says it
                continue

    def object_at(self, place: Spot) -> bytes:
        """The object at a place.

        Raises:
            ReadError: The file cannot be read up to there.
        """
        try:
            if self._opened is None or not self._opened[1].is_before(place):
                self.close()
                self._opened = place.path, self._open_stream(place.path)
            return self._opened[1].object_at(place.offset)
        except (OSError, EOFError) as error:
            raise ReadError(_error_text(error)) from error

    def paths(self) -> list[str]:
        """The files, sorted.

        Raises:
            ListingError: There is none, or the place cannot be looked into.
        """
        return list(self._find_files().paths)

    def _find_files(self) -> "_Found":
        try:
            return self._look_for_files()
        except UnicodeDecodeError as error:
            why = f"the name of a file there is no UTF-8: {error.object!r}"
            raise ListingError(f"{self._path}: {why}") from error
        except (OSError, ValueError) as error:  # of pyarrow: no such host, no such kind of URI
            raise ListingError(f"{self._path}: {_error_text(error)}") from error

    def _look_for_files(self) -> "_Found":
        system, path = self._find_system()
        folder, varies = steady(path)

        def is_wanted(file: str) -> bool:
            return file.endswith((*_ONE_EACH, *_BY_LINE)) and (not varies or fnmatch(file, path))

        files = _files_at(system, folder, is_wanted)
        wanted = tuple(sorted(filter(is_wanted, files.sizes)))
        lost = {
            entry: why
            for entry, why in files.unread.items()
            if is_wanted(entry) or not Path(entry).suffix or Path(entry).is_dir()
        }
        if not wanted and not lost:
            patterns = ", ".join(f"*{suffix}" for suffix in (*_ONE_EACH, *_BY_LINE))
            hint = f"name a file, a folder or a glob of {patterns}"
            raise ListingError(f"{self._path}: no archive there", hint=hint)
        return _Found(wanted, lost)

    def _find_system(self) -> tuple[Any, str]:
        path = self._path
        system, inside = fs.FileSystem.from_uri(path if "://" in path else os.path.realpath(path))
        return system, inside

    def _open_stream(self, path: str) -> "_Stream":
        system = self._find_system()[0]
        if not path.endswith(".gz"):
            opened, limit = system.open_input_stream(path, compression=None), None
        else:
            size = system.get_file_info(path).size or 0
            if not size:
                raise ReadError("it is empty, which no gzipped file is: it was cut off")
            opened = system.open_input_stream(path, compression="gzip")
            limit = max(_UNPACKED, size * _PACKED)
        return _Stream(path, opened, limit)


class _Stream:
    """A file of objects, read forward.

    Args:
        path: Its name.
        opened: Its bytes, unpacked.
        limit: How many there may be; None: it was not packed.
    """

    def __init__(self, path: str, opened: Any, limit: int | None) -> None:  # noqa: ANN401 - pyarrow
        self._file, self._limit = io.BufferedReader(opened, _BUFFER), limit
        self._path, self._by_line = path, path.endswith(_BY_LINE)
        self._position = 0  # in the unpacked bytes

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def is_before(self, place: Spot) -> bool:
        """Whether the object at a place is still to come."""
        return self._path == place.path and self._position <= place.offset

    def objects(self) -> Iterator[tuple[Spot, bytes | BelvedereError]]:
        """Each object with its place; one that is too long is passed over.

        Raises:
            ReadError: More comes out of it than is packed into any file in good faith.
        """
        number = 0
        while text := self._read_next():
            number += 1
            place = Spot(self._path, self._position - len(text), number)
            if len(text) > LONGEST:
                self._pass_over(text)
                yield place, UnknownKindError(f"longer than {LONGEST >> 20} MiB")
            elif not text.isspace():
                yield place, text

    def object_at(self, offset: int) -> bytes:
        """The object that begins at a place which is not behind."""
        while self._position < offset:
            part = self._file.read(min(_BUFFER, offset - self._position))
            if not part:
                raise EOFError("the file has become shorter")
            self._position += len(part)
        return self._read_next()

    def _read_next(self) -> bytes:
        text = self._file.readline(LONGEST + 1) if self._by_line else self._file.read(LONGEST + 1)
        self._position += len(text)
        if self._limit is not None and self._position > self._limit:
            raise ReadError(f"it unpacks to more than {_PACKED} times its size")
        return text

    def _pass_over(self, text: bytes) -> None:
        """Go to the end of an object."""
        while text and not (self._by_line and text.endswith(b"\n")):
            text = self._read_next()


def _files_at(system: fs.FileSystem, place: str, is_wanted: Callable[[str], bool]) -> FilesBelow:
    """The file that stands there, or the files below a folder."""
    top = system.get_file_info(place)
    if top.type is fs.FileType.Directory:
        return find_files(system, place, is_wanted)
    return FilesBelow({top.path: top.size} if top.type is fs.FileType.File else {}, {})


def _origin(text: bytes | BelvedereError) -> CrawlOrigin | None:
    try:
        return None if isinstance(text, BelvedereError) else lines.origin(text)
    except BelvedereError:  # the listing says it
        return None


def _error_text(error: BaseException) -> str:
    """What is wrong with a file, in a line."""
    text = error.message if isinstance(error, BelvedereError) else str(error)
    return text.partition("\n")[0] or type(error).__name__
