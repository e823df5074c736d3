"""Source `archive`: raw objects from files, replayed without the system they came from.

Each object is `{"kind": "hive_table", "payload": {…}, "files": {"<uri>": "<base64>"}}` in JSON. The
payload of a `hive_table` has the field names of the Thrift IDL; `files` carries what the entry
points to, so a replay touches nothing else. A bare dump of a metastore's table is taken for what it
is, too.
"""

import base64
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Final

from pyarrow import fs

from connectors.clients import lines
from discovery.errors import BelvedereError, ListingError, ReadError
from discovery.formats import KINDS
from discovery.outcomes import Failure, Kind, Listed, RawObject, Stage
from discovery.patterns import Patterns
from discovery.ports import CrawlTask, Probe, ViewSource

_ONE_EACH: Final = (".json", ".json.gz")
_BY_LINE: Final = (".jsonl", ".jsonl.gz", ".txt.gz")  # Spark calls gzipped text .txt.gz
_BUFFER: Final = 1 << 16  # what is lost before the place where a gzip file is cut off


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Where the archive is.

    Attributes:
        path: A file, a folder that is searched with its subfolders, or a glob of files; local or a
            URI that pyarrow knows. `*.json` holds one object, `*.jsonl` one a line; both may be
            `.gz`.
        include: Globs over `namespace` and `namespace.name`; empty means everything.
        exclude: Globs of what is left out; wins over `include`.
        connections: How many files are read at a time, over all executors.
    """

    path: str = field(metadata={"path": True})
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    connections: int = 4


class Archive(ViewSource):
    """Files of raw objects as a source of views."""

    batch = 2_000

    def __init__(self, options: Options) -> None:
        self.connections = options.connections
        self._path = options.path
        self._patterns = Patterns(options.include, options.exclude)
        self._opened: tuple[str, _Stream] | None = None  # objects of a task follow each other

    def close(self) -> None:
        """Close the file that is being read."""
        self._opened = None

    def fold(self, name: str) -> str:
        """Names are taken as they were archived."""
        return name

    def probe(self) -> Probe:
        """Find the files."""
        return Probe(f"{len(self._paths())} files")

    def listing(self) -> Iterator[Listed | Failure]:
        """Every object of every file; what is no archived object is a Failure with its place."""
        for path in self._paths():
            number = 0
            try:
                for number, offset, text in self._stream(path).objects():
                    yield from self._listed(f"{offset} {path}", f"{path}:{number}", text)
            except (OSError, EOFError) as error:
                why = ReadError(f"{path}, after object {number}: {error}")
                yield Failure.of(Listed((), path, Kind.UNDECIDED), Stage.LIST, why)

    def load(self, task: CrawlTask) -> Iterator[RawObject | Failure]:
        """Read the objects of a task again, from where the listing saw them."""
        places = [(listed, *listed.handle.partition(" ")[::2]) for listed in task.objects]
        for listed, offset, path in sorted(places, key=lambda one: (one[2], int(one[1]))):
            text = self._text(path, int(offset))
            kind, payload, files = lines.parsed(text)
            contents = {uri: base64.b64decode(one) for uri, one in files.items()}
            if path.endswith(_BY_LINE) and b'"kind"' in text:  # kept to the letter
                yield RawObject(listed, kind, payload, contents, text=text.rstrip().decode())
            else:
                yield lines.raw_object(listed, kind, payload, contents)

    def _text(self, path: str, offset: int) -> bytes:
        if self._opened is None or self._opened[0] != path or self._opened[1].position > offset:
            self._opened = path, self._stream(path)
        return self._opened[1].object_at(offset)

    def _listed(self, handle: str, place: str, text: bytes) -> Iterator[Listed | Failure]:
        try:
            kind, payload, _ = lines.parsed(text)
        except BelvedereError as error:
            yield Failure.of(Listed((), place, Kind.UNDECIDED), Stage.READ, error)
            return
        namespace_field, name_field = KINDS[kind].place if kind in KINDS else ("", "name")
        found = payload.get(namespace_field) or ()
        namespace = tuple(map(str, found if isinstance(found, list | tuple) else (found,)))
        if not self._patterns.allows_namespace(namespace):
            return
        if not name_field:
            yield Listed(namespace, "", Kind.NAMESPACE, handle)
        elif self._patterns.allows(namespace, name := str(payload.get(name_field) or place)):
            yield Listed(namespace, name, Kind.UNDECIDED, handle)

    def _paths(self) -> list[str]:
        system, path = self._system()
        wildcard = re.search(r"[*?\[]", path)
        folder = path[: wildcard.start()].rpartition("/")[0] if wildcard else path
        found = system.get_file_info(folder)
        if found.type is fs.FileType.Directory:
            found = system.get_file_info(fs.FileSelector(folder, recursive=True))
        paths = [
            one.path
            for one in (found if isinstance(found, list) else [found])
            if one.type is fs.FileType.File
            and one.path.endswith((*_ONE_EACH, *_BY_LINE))
            and (wildcard is None or fnmatch(one.path, path))
        ]
        if not paths:
            known = ", ".join(f"*{suffix}" for suffix in (*_ONE_EACH, *_BY_LINE))
            hint = f"name a file, a folder or a glob of {known}"
            raise ListingError(f"{self._path}: no archive there", hint=hint)
        return sorted(paths)

    def _system(self) -> tuple[Any, str]:
        path = self._path
        system, inside = fs.FileSystem.from_uri(
            path if "://" in path else str(Path(path).resolve())
        )
        return system, inside

    def _stream(self, path: str) -> "_Stream":
        compression = "gzip" if path.endswith(".gz") else None
        opened = self._system()[0].open_input_stream(path, compression=compression)
        return _Stream(io.BufferedReader(opened, _BUFFER), by_line=path.endswith(_BY_LINE))


class _Stream:
    """A file of objects, read forward."""

    def __init__(self, file: io.BufferedReader, *, by_line: bool) -> None:
        self._file, self._by_line = file, by_line
        self.position = 0  # in the uncompressed bytes

    def objects(self) -> Iterator[tuple[int, int, bytes]]:
        """Each object with its number, counted from 1, and its place."""
        number = 0
        while text := self._next():
            number += 1
            if not text.isspace():
                yield number, self.position - len(text), text

    def object_at(self, offset: int) -> bytes:
        """The object that begins at a place which is not behind."""
        while self.position < offset:
            self.position += len(self._file.read(min(_BUFFER, offset - self.position)))
        return self._next()

    def _next(self) -> bytes:
        text = self._file.readline() if self._by_line else self._file.read()
        self.position += len(text)
        return text
