"""Files of logs, on this machine or where pyarrow's file systems read: found, and read by line.

Compressed ones are read as their writers have them: gzip and bzip2 of rotated logs, and what Spark
compresses its event logs with (`spark.eventLog.compression.codec`): zstd, which is standard, and
the block streams of lz4-java (`LZ4BlockOutputStream`: "LZ4Block", a token, both sizes and a check,
little-endian) and snappy-java (`SnappyOutputStream`: a header of 16 bytes, then each block behind
its size, big-endian). lzf is not read.
"""

import io
import os
import re
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fnmatch import translate
from pathlib import Path
from typing import Any, BinaryIO, Final

import pyarrow as pa
import pyarrow.fs

from connectors.clients.files_below import NO_FILE, find_files
from discovery.errors import ConfigurationError, FileUnreadableError
from discovery.patterns import steady

_STREAMS: Final = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd", ".zstd": "zstd"}
_BELOW: Final = r"(?:/.*)?\Z"
_UNFINISHED: Final = (".inprogress", ".compact")
"""What Spark adds to the name of a log that is written, or that it has made shorter."""
_LZ4: Final = struct.Struct("<8sBiii")
_LZ4_MAGIC: Final = b"LZ4Block"
_LZ4_RAW: Final = 0x10
_SNAPPY_HEAD: Final = 16
_SNAPPY_MAGIC: Final = b"\x82SNAPPY\x00"
_SIZE: Final = struct.Struct(">i")
_LARGEST: Final = 64 * 1024 * 1024  # bytes of a block; Spark's are 32 KiB
_BUFFER: Final = 1024 * 1024
LONGEST: Final = 64 * 1024 * 1024
"""Bytes of a line; of a longer one this much is read, and the rest passed over."""


def list_files(pattern: str) -> list[tuple[str, int]]:
    """The files that a path with wildcards names, or that are in folders that it names, with sizes.

    Of this machine each is one, whatever links lead to it: its queries would count twice. What has
    the name of one and is none, or leads nowhere, is among them: whoever reads it tells why.

    Raises:
        ConfigurationError: The place cannot be listed.
    """
    system, path = _find_system(pattern)
    folder, _ = steady(path)
    wanted = re.compile(_regular_expression(path))
    try:
        sizes = _sizes_below(system, folder, path, wanted)
    except (OSError, pa.ArrowException) as error:
        raise ConfigurationError(f"{pattern}: cannot be listed: {error}") from error
    start = pattern[: len(pattern) - len(path)] if pattern.endswith(path) else ""
    return [(start + file, size) for file, size in sorted(sizes.items()) if wanted.match(file)]


def _sizes_below(
    system: pa.fs.FileSystem, folder: str, pattern: str, wanted: re.Pattern[str]
) -> Mapping[str, int]:
    """Path to size of a file, or of the files below a folder; none, if there is no such folder.

    Raises:
        OSError: A folder that may hold one cannot be looked into.
    """
    root = system.get_file_info(folder)
    is_local = isinstance(system, pa.fs.LocalFileSystem)
    if root.type is pa.fs.FileType.File or (is_local and _is_no_folder(Path(folder))):
        return {folder: root.size or 0}
    above = _folders_above(pattern)

    def may_hold(path: str) -> bool:
        return any(folders.fullmatch(path) for folders in above) or wanted.match(path) is not None

    files = find_files(system, folder, lambda file: wanted.match(file) is not None, may_hold)
    for path, why in files.unread.items():
        if Path(path).is_dir() and may_hold(path):
            raise OSError(f"{path}: {why}")
    return {**dict.fromkeys(files.unread, 0), **files.sizes}


def _is_no_folder(path: Path) -> bool:
    """Whether there is something that is none, be it a link that leads nowhere."""
    return os.path.lexists(path) and not path.is_dir()


def _folders_above(pattern: str) -> list[re.Pattern[str]]:
    """Of each level of a path with wildcards, what the folders above what it names are called."""
    levels = pattern.rstrip("/").split("/")
    above = ("/".join(levels[: count + 1]) for count in range(len(levels)))
    return [re.compile(_regular_expression(part).removesuffix(_BELOW)) for part in above]


def _regular_expression(path: str) -> str:
    """A path with wildcards as a regular expression, of all below, too; `*` is within a level."""
    levels = []
    for level in path.rstrip("/").split("/"):
        if level == "**":
            levels.append(".*")
        else:
            levels.append(translate(level)[4:-3].replace(".*", "[^/]*"))  # of (?s:…)\Z
    return "/".join(levels).replace("/.*/", "/(?:.*/)?") + _BELOW


def plain_name(path: str) -> str:
    """A file's name without what compressing or writing it has added."""
    for end in (*_UNFINISHED, *_STREAMS, ".lz4", ".snappy", ".lzf"):
        path = path.removesuffix(end)
    return path


@contextmanager
def lines_of(path: str) -> Iterator[Iterator[tuple[int, bytes]]]:
    """The lines of a file, numbered from 1, without their ends.

    Raises:
        FileUnreadableError: It cannot be read, or not to its end; so does reading on.
    """
    system, place = _find_system(path)
    local = Path(place) if isinstance(system, pa.fs.LocalFileSystem) else None
    if local is not None and local.exists() and not local.is_file():
        raise FileUnreadableError(NO_FILE)  # who opens a pipe waits for its writer
    try:
        with system.open_input_stream(place, compression=None) as raw, _unpack(raw, path) as file:
            yield _read_lines(file)
    except (OSError, EOFError, pa.ArrowException, struct.error) as error:
        raise FileUnreadableError(f"{type(error).__name__}: {error}") from error


def _find_system(path: str) -> tuple[Any, str]:
    try:
        if "://" not in path:
            return pa.fs.LocalFileSystem(), path
        system, place = pa.fs.FileSystem.from_uri(path.replace("s3a://", "s3://", 1))
    except (pa.ArrowException, OSError, ValueError) as error:
        raise ConfigurationError(f"{path}: cannot be reached: {error}") from error
    return system, place


def _unpack(raw: Any, path: str) -> Any:  # noqa: ANN401 - of pyarrow
    name = path
    for end in _UNFINISHED:
        name = name.removesuffix(end)
    ending = name[name.rfind(".") :]
    if ending in _STREAMS:
        return io.BufferedReader(pa.CompressedInputStream(raw, _STREAMS[ending]), _BUFFER)
    if ending == ".lz4":
        return io.BufferedReader(_Blocks(_read_lz4_blocks(raw)), _BUFFER)
    if ending == ".snappy":
        return io.BufferedReader(_Blocks(_read_snappy_blocks(raw)), _BUFFER)
    if ending == ".lzf":
        raise OSError("is compressed with lzf, which is not read")
    return io.BufferedReader(raw, _BUFFER)


def _read_lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    number = 0
    while line := file.readline(LONGEST):
        number += 1
        rest = line
        while rest and not rest.endswith(b"\n") and len(rest) >= LONGEST:
            rest = file.readline(LONGEST)
        yield number, line.rstrip(b"\r\n")


class _Blocks(io.RawIOBase):
    """Blocks as one stream."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks, self._held = blocks, memoryview(b"")

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - whatever has a buffer
        """Fill a buffer; 0: there is no more."""
        while not self._held:
            block = next(self._blocks, None)
            if block is None:
                return 0
            self._held = memoryview(block)
        count = min(len(buffer), len(self._held))
        buffer[:count] = self._held[:count]
        self._held = self._held[count:]
        return count


def _read_lz4_blocks(raw: Any) -> Iterator[bytes]:  # noqa: ANN401 - of pyarrow
    codec = pa.Codec("lz4_raw")
    while head := raw.read(_LZ4.size):
        magic, token, packed, size, _ = _LZ4.unpack(head)
        if magic != _LZ4_MAGIC or not 0 <= packed <= _LARGEST or not 0 <= size <= _LARGEST:
            raise OSError("is no block of lz4-java")
        block = _read_exactly(raw, packed)
        if size:
            is_raw = token & 0xF0 == _LZ4_RAW
            yield block if is_raw else codec.decompress(block, size, asbytes=True)


def _read_snappy_blocks(raw: Any) -> Iterator[bytes]:  # noqa: ANN401 - of pyarrow
    codec = pa.Codec("snappy")
    while head := raw.read(_SIZE.size):
        if head == _SNAPPY_MAGIC[: _SIZE.size]:  # at the beginning, and where streams were joined
            _read_exactly(raw, _SNAPPY_HEAD - _SIZE.size)
            continue
        (packed,) = _SIZE.unpack(head)
        if not 0 <= packed <= _LARGEST:
            raise OSError("is no block of snappy-java")
        block = _read_exactly(raw, packed)
        yield codec.decompress(block, _snappy_size(block), asbytes=True)


def _snappy_size(block: bytes) -> int:
    """How long a block will be: a varint at its beginning (snappy's format_description.txt)."""
    size = 0
    for shift, byte in enumerate(block[:5]):
        size |= (byte & 0x7F) << (7 * shift)
        if byte < 0x80:
            break
    if size > _LARGEST:
        raise OSError("has a block that is too long")
    return size


def _read_exactly(raw: Any, size: int) -> bytes:  # noqa: ANN401 - of pyarrow
    block: bytes = raw.read(size)
    if len(block) < size:
        raise EOFError("ends within a block")
    return block
