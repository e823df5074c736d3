"""Whole files: those of this machine as they are, all others through pyiceberg's FileIO."""

import os
import stat
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Any, Final, TypeVar

from connectors.clients.credentials import Secret, revealed
from discovery.errors import BelvedereError, FileOutsideError, FileUnreadableError, StoreError
from discovery.locations import FILE, Bounds, Location, parse, safe_location
from discovery.rewriting import Rewriting

Answer = TypeVar("Answer")

MAX_BYTES: Final = 64 * 1024 * 1024
_AT_ONCE: Final = 8
_SOON: Final = 0.001  # seconds a file: a disk takes a tenth of it, a far store ten times it


def stated_warehouse(io: Mapping[str, str | Secret]) -> str | None:
    """The warehouse among the properties of a FileIO, where `engine-config` reads it, too."""
    warehouse = io.get("warehouse")
    return warehouse.reveal() if isinstance(warehouse, Secret) else warehouse


class FileAccess:
    """Reads and writes whole files.

    Args:
        properties: Of pyiceberg's FileIO: `s3.endpoint`, `s3.access-key-id`, …
        rewriting: Where files are read that are no longer where entries say.
    """

    def __init__(
        self, properties: Mapping[str, str | Secret], rewriting: Rewriting | None = None
    ) -> None:
        self._properties = revealed(properties)
        self._rewriting = rewriting or Rewriting()
        self._ios: dict[str, Any] = {}  # pyiceberg's FileIO, by scheme

    def read(self, uri: str) -> bytes:
        """The bytes of a file.

        Raises:
            FileUnreadableError: It is missing, refused, no file, or larger than 64 MiB.
        """
        return self._read(uri, None)

    def _read(self, uri: str, end: str | None) -> bytes:
        """As `read`; a file of this machine at the path where it ends, once that is known."""
        try:
            if end is not None:
                return _read_local(end)
            if uri.startswith("/") or uri[:5].lower() == "file:":
                return _read_local(os.path.realpath(parse(uri).path))
            file = self._load_io(uri).new_input(uri)
            _check_size(len(file))
            with file.open() as stream:
                return _read_all(stream)
        except FileUnreadableError:
            raise
        except Exception as error:
            raise FileUnreadableError(f"{type(error).__name__}: {error}") from error

    def _load_io(self, uri: str) -> Any:  # noqa: ANN401 - pyiceberg's FileIO
        from pyiceberg.io import load_file_io  # noqa: PLC0415 - 0.2 s that few metastores need

        scheme = uri.partition(":")[0]
        if scheme not in self._ios:
            self._ios[scheme] = load_file_io(self._properties, uri)
        return self._ios[scheme]

    def read_all(self, uris: Iterable[str]) -> dict[str, bytes | BelvedereError]:
        """The bytes of several files, or why one could not be read."""
        return self._read_each(uris, {})

    def _read_each(
        self, uris: Iterable[str], ends: Mapping[str, str]
    ) -> dict[str, bytes | BelvedereError]:
        def attempt(uri: str) -> bytes | BelvedereError:
            try:
                return self._read(uri, ends.get(uri))
            except FileUnreadableError as error:
                return error

        return of_each(list(dict.fromkeys(uris)), attempt)

    def read_below(
        self, stated: Mapping[str, Iterable[str]], bounds: Bounds
    ) -> dict[str, bytes | BelvedereError]:
        """As `read_all`, but nothing that lies elsewhere than the source's own files may.

        The rules for files that have moved count first, for what the source says of places, too:
        bounds are those of what is read.

        Args:
            stated: By URI, what the source says of where such a file may lie.
            bounds: What the configuration says of it.
        """
        refused: dict[str, bytes | BelvedereError] = {}
        read: dict[str, str] = {}
        ends: dict[str, str] = {}
        links = _Links(bounds.own)
        for uri, places in stated.items():
            place = self._rewriting.place(uri)
            try:
                moved = map(self._rewriting.place, places)
                end = links.end(bounds.admit(place, moved))
            except FileOutsideError as error:
                refused[uri] = error
                continue
            read[uri] = place
            if end is not None:
                ends[place] = end
        contents = self._read_each(read.values(), ends)
        return refused | {
            uri: _with_place(place, uri, contents[place]) for uri, place in read.items()
        }

    def lies_below(self, uri: str, bounds: Bounds, stated: Iterable[str] = ()) -> bool:
        """Whether a file that is there, or is to be written, lies where the configuration says.

        Args:
            uri: The file.
            bounds: What the configuration says.
            stated: What the source says of where such a file may lie.
        """
        try:
            _Links(bounds.own).end(bounds.admit(uri, stated))
        except FileOutsideError:
            return False
        return True

    def write_all(self, contents: Mapping[str, bytes]) -> dict[str, StoreError | None]:
        """Write several files; why one could not be written, and None for the others.

        Args:
            contents: By URI. A file that is there is overwritten: give each a name of its own.
        """
        return of_each(list(contents), lambda uri: self._try_put(uri, contents[uri]))

    def remove_all(self, uris: Iterable[str]) -> tuple[str, ...]:
        """Remove files; those that stay."""
        refusals = of_each(list(uris), lambda uri: self._try_put(uri, None))
        return tuple(uri for uri, refusal in refusals.items() if refusal)

    def _try_put(self, uri: str, content: bytes | None) -> StoreError | None:
        try:
            self._put(uri, content)
        except StoreError as error:
            return error
        return None

    def _put(self, uri: str, content: bytes | None) -> None:
        """Write a file; None removes it."""
        try:
            if content is None:
                self._load_io(uri).delete(uri)
                return
            with self._load_io(uri).new_output(uri).create(overwrite=True) as stream:
                stream.write(content)
        except Exception as error:
            hint = "give the io properties that may write there"
            raise StoreError(f"{uri}: {type(error).__name__}: {error}", hint=hint) from error


def _with_place(place: str, uri: str, content: bytes | BelvedereError) -> bytes | BelvedereError:
    """A content, or why it could not be read: with the place, where that is not what was named."""
    if isinstance(content, bytes) or place == uri:
        return content
    return FileUnreadableError(
        f"read at {safe_location(place)}: {content.message}", hint=content.hint
    )


class _Links:
    """Follows the links of files of this machine; looks at each folder once.

    Args:
        bounds: Below which of these locations a file must end.
    """

    def __init__(self, bounds: Sequence[Location]) -> None:
        self._bounds = [os.path.realpath(bound.path) for bound in bounds if bound.scheme == FILE]
        self._folders: dict[str, str] = {}

    def end(self, place: Location) -> str | None:
        """The path at which a file ends, without links; None: it is not of this machine.

        Raises:
            FileOutsideError: It ends below no bound.
        """
        if place.scheme != FILE:
            return None
        folder, name = os.path.split(place.path)
        if folder not in self._folders:
            self._folders[folder] = os.path.realpath(folder)
        path = os.path.join(self._folders[folder], name)  # noqa: PTH118 - the hot path
        if os.path.islink(path):  # noqa: PTH114 - as above
            path = os.path.realpath(path)
        if not any(_is_below(path, bound) for bound in self._bounds):
            why = "is a link that leads out of the locations of the source"
            raise FileOutsideError(f"{safe_location(place.path)}: {why}; it was not read")
        return path


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder if folder == "/" else f"{folder}/")


def _read_local(path: str) -> bytes:
    """A file of this machine; nothing that would wait or never end.

    Args:
        path: Without links: one that is there by now is not followed.

    Raises:
        FileUnreadableError: It is a pipe, a device or a folder, or too large.
        OSError: It is missing or refused.
    """
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    try:
        status = os.fstat(number)
        if not stat.S_ISREG(status.st_mode):
            raise FileUnreadableError("is no file")
        _check_size(status.st_size)
        with os.fdopen(number, "rb", closefd=False) as stream:
            return _read_all(stream)
    finally:
        os.close(number)


def _read_all(stream: Any) -> bytes:  # noqa: ANN401 - of Python or pyiceberg
    """All of a stream, unless it has grown beyond what its size was."""
    content: bytes = stream.read(MAX_BYTES + 1)
    _check_size(len(content))
    return content


def _check_size(size: int) -> None:
    if size > MAX_BYTES:
        raise FileUnreadableError(f"{size} bytes are more than {MAX_BYTES >> 20} MiB")


def of_each(uris: Sequence[str], do: Callable[[str], Answer]) -> dict[str, Answer]:
    """What became of each file, in their order.

    One after another as long as they come at once, as those of a disk do: eight threads take four
    times the processor for these. The rest side by side, as soon as they have to be waited for.
    """
    done: dict[str, Answer] = {}
    began = time.monotonic()
    for uri in uris:
        if done and time.monotonic() - began > len(done) * _SOON:
            break
        done[uri] = do(uri)
    left = uris[len(done) :]
    if not left:
        return done
    shares = [left[start::_AT_ONCE] for start in range(min(_AT_ONCE, len(left)))]
    with ThreadPoolExecutor(len(shares)) as threads:  # a future per file costs more than a file
        shared = threads.map(lambda share: [(uri, do(uri)) for uri in share], shares)
        answers = done | dict(chain.from_iterable(shared))
    return {uri: answers[uri] for uri in uris}
