"""Store `archive`: a folder of canonical JSON, one file per view, which the source `archive` reads.

`<path>/<level>/…/<name>.json` is a view, `<path>/<level>/…/this.namespace.json` its namespace. What
a file system cannot hold in a name, and the dot, is percent-encoded there: so no name of ours is
hidden, leads elsewhere, or is another's.
"""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypeVar
from uuid import uuid4

import orjson

from connectors.clients import lines
from discovery import wire
from discovery.errors import (
    BelvedereError,
    ConfigurationError,
    DecodeError,
    DeniedError,
    FileUnreadableError,
    ListingError,
    NamespaceError,
    NotHeldError,
    StoreError,
    UnreachableError,
)
from discovery.formats import canonical
from discovery.migration.changes import settle, touched
from discovery.migration.namespaces import NamespaceEdit
from discovery.model import Identifier, Schema, View
from discovery.namespaces import Levels, parents
from discovery.outcomes import Decoded, Kind, Listed, RawObject
from discovery.ports import Action, Applied, Change, Held, Probe, ViewStore

_SUFFIX: Final = ".json"
_NAMESPACE: Final = f"this.namespace{_SUFFIX}"  # no view's: dots in names are encoded
_ENCODED: Final = re.compile(r"[%./\x00-\x1f\x7f\ud800-\udfff]")
_ESCAPE: Final = re.compile(r"%([0-9A-F]{2})")
_UNFINISHED: Final = ".tmp"
_LEFT: Final = re.compile(rf"\.[0-9a-f]{{32}}{re.escape(_UNFINISHED)}")
_LONGEST: Final = 255  # bytes; NAME_MAX of Linux's file systems
_Decode = Callable[[RawObject], Decoded]
_Model = TypeVar("_Model", View, Schema)
_LONGEST_PATH: Final = 4_000  # bytes; PATH_MAX of Linux is 4,096, and temporary names need some


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Where the archive is.

    Attributes:
        path: A folder, local or shared by all executors, and no URI. It is made; the folder above
            it must be there.
        connections: How many write at a time, over all executors.
    """

    path: str = field(metadata={"path": True})
    connections: int = 4

    def __post_init__(self) -> None:
        if "://" in self.path:
            hint = "name a folder of a file system; mount it where it is elsewhere"
            raise ConfigurationError(f"path {self.path!r} is a URI", hint=hint)


class ArchiveStore(ViewStore):
    """A folder as a store of views: holds everything, loses nothing."""

    def __init__(self, options: Options) -> None:
        self.connections = options.connections
        self.lasting = (f"the folder {options.path}",)
        self._root = Path(options.path)

    def close(self) -> None:
        """Nothing stays open."""

    def probe(self) -> Probe:
        """Find the folder, or where it is to be made."""
        why = "" if self.may_create(()) else f"{self._root} cannot be written"
        version = f"a folder of canonical JSON, format {canonical.FORMAT_VERSION}"
        return Probe(version, (why,) if why else ())

    def listing(self) -> Iterator[Listed]:
        """Folders from the top down, each with its files; what has no name of ours is passed over.

        Raises:
            BelvedereError: A folder cannot be read.
        """
        if self._is_made():
            yield from self._list_below(self._root, ())

    def _list_below(self, folder: Path, levels: Levels) -> Iterator[Listed]:
        with _file_errors(folder, ListingError):
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
            folders = [entry for entry in entries if entry.is_dir(follow_symlinks=False)]
            files = [entry.name for entry in entries if levels and entry.is_file()]
        for name in files:
            if name.endswith(_SUFFIX) and (view := _decoded(name.removesuffix(_SUFFIX))):
                yield Listed(levels, view)
        for entry in folders:
            if level := _decoded(entry.name):
                yield Listed((*levels, level), "", Kind.NAMESPACE)
                yield from self._list_below(Path(entry.path), (*levels, level))

    def present(self, wanted: Sequence[Identifier]) -> Iterator[View]:
        """Those of the wanted views that have a file.

        Raises:
            BelvedereError: A file cannot be read, or holds something else; it is named.
        """
        for place in wanted if self._is_made() else ():
            view = self._read_view(place)
            if view is not None:
                yield view

    def hold(self, view: View) -> Held:
        """As it is: nothing is lost here.

        Raises:
            NotHeldError: A name is empty, or too long for a file.
        """
        self._path(view.identifier)
        return Held(view)

    def may_create(self, namespace: tuple[str, ...]) -> bool:
        """Whether the lowest folder that is there, of itself and those above, may be written."""
        self._is_made()
        folder = self._folder(namespace)
        with _file_errors(folder, StoreError):
            while not folder.is_dir():
                folder = folder.parent
        return os.access(folder, os.W_OK | os.X_OK)

    def lacking(self, namespaces: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        """Those that have no file of their own: a bare folder is nobody's namespace."""
        self._is_made()
        return tuple(levels for levels in namespaces if not self._has(levels))

    def _has(self, levels: Levels) -> bool:
        file = self._folder(levels) / _NAMESPACE
        with _file_errors(file, StoreError):
            return file.exists()

    def prepare(self, schemas: Sequence[Schema]) -> tuple[tuple[str, ...], ...]:
        """Make the folders that are missing, with those above; none, if one cannot be made."""
        made: list[Levels] = []
        try:
            if not self._is_made():
                with _file_errors(self._root, StoreError):
                    self._root.mkdir(exist_ok=True)
            for schema in sorted(schemas, key=lambda schema: len(schema.levels)):
                for above in parents(schema.levels):
                    self._make_namespace(
                        Schema(levels=above, owner=schema.owner, audit=schema.audit), made
                    )
                self._make_namespace(schema, made)
        except BelvedereError:
            self.remove(made)
            raise
        return tuple(made)

    def _make_namespace(self, schema: Schema, made: list[Levels]) -> None:
        """Make a namespace, if it is missing, and note that it was."""
        if not schema.levels:
            raise NamespaceError("a namespace has levels")
        file = self._folder(schema.levels) / _NAMESPACE
        with _file_errors(file, StoreError):
            if file.exists():
                return
            file.parent.mkdir(exist_ok=True)
        made.append(schema.levels)
        _write(file, "namespace", schema.levels, wire.schema_text(schema)[0])

    def namespaces(self, wanted: Sequence[tuple[str, ...]]) -> Iterator[Schema]:
        """Those that have a file of their own."""
        return (self._read_schema(levels) for levels in wanted if self._has(levels))

    def _read_schema(self, levels: Levels) -> Schema:
        file = self._folder(levels) / _NAMESPACE
        with _file_errors(file, StoreError):
            content = file.read_bytes()
        return _decoded_as(content, "namespace", Schema, canonical.decode_schema)

    def amend(self, edit: NamespaceEdit) -> bool:
        """Write the file of a namespace anew."""
        schema = self._read_schema(edit.levels) if self._has(edit.levels) else None
        if not edit.is_to_do(schema) or schema is None:
            return False
        text = wire.schema_text(edit.amended(schema))[0]
        _write(self._folder(edit.levels) / _NAMESPACE, "namespace", edit.levels, text)
        return True

    def remove(self, namespaces: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        """Remove the folders that hold nothing, innermost first; those that stay."""
        innermost_first = sorted(namespaces, key=len, reverse=True)
        return tuple(
            levels for levels in innermost_first if not self._remove_if_empty(self._folder(levels))
        )

    def _remove_if_empty(self, folder: Path) -> bool:
        with _file_errors(folder, StoreError):
            if not folder.exists():
                return True
            _remove_unfinished(folder)
            if any(path.name != _NAMESPACE for path in folder.iterdir()):
                return False
            (folder / _NAMESPACE).unlink(missing_ok=True)
            folder.rmdir()
        return True

    def recover(self, changes: Sequence[Change]) -> tuple[Identifier, ...]:
        """Remove the unfinished files of a killed writer; no view is half-way by them."""
        for levels in {change.view.identifier.namespace for change in changes}:
            with suppress(NotHeldError):
                _remove_unfinished(self._folder(levels))
        return ()

    def apply(self, changes: Sequence[Change]) -> Iterator[Applied]:
        """Write one file after the other, each whole or not at all."""
        for change in changes:
            try:
                yield self._apply(change)
            except BelvedereError as error:
                yield Applied.failed(change.view.identifier, error)

    def _apply(self, change: Change) -> Applied:
        """Read, decide, write.

        Raises:
            BelvedereError: A file cannot be read or written.
        """
        self._is_made()
        places = touched(change)
        answer = settle(change, *map(self._read_view, places))
        if answer is not None:
            return answer
        if change.action is not Action.DROP:
            view = replace(change.view, identifier=places[-1])
            text = wire.view_text(view)[0]
            _write(self._path(places[-1]), "view", places[-1].namespace, text)
        if change.action in {Action.DROP, Action.RENAME}:
            path = self._path(places[0])
            with _file_errors(path, StoreError):
                path.unlink()
        return Applied(places[0], change.action)

    def _read_view(self, place: Identifier) -> View | None:
        """The view that a file holds; None: there is no file.

        Raises:
            BelvedereError: It cannot be read, or does not hold that view; it is named.
        """
        try:
            path = self._path(place)
        except NotHeldError:
            return None
        with _file_errors(path, FileUnreadableError):
            try:
                text = path.read_bytes()
            except (FileNotFoundError, NotADirectoryError):
                return None
        try:
            view = _decoded_as(text, "view", View, canonical.decode_view)
            if view.identifier != place:
                raise DecodeError(f"it holds the view {view.identifier}")
        except BelvedereError as error:
            hint = "repair the file, or move it away"
            raise DecodeError(str(error), hint=hint, file=str(path)) from error
        return view

    def _is_made(self) -> bool:
        """Whether the folder is there.

        Raises:
            UnreachableError: It is no folder, or the one above it is not there either.
        """
        with _file_errors(self._root, UnreachableError):
            if self._root.is_dir():
                return True
            if not self._root.exists() and self._root.parent.is_dir():
                return False
        hint = "make the folder above it, or mount the file system that it is on"
        raise UnreachableError(
            "no folder, and none can be made there", hint=hint, file=str(self._root)
        )

    def _folder(self, levels: Levels) -> Path:
        return self._root.joinpath(*map(_encoded, levels))

    def _path(self, place: Identifier) -> Path:
        """The file of a view.

        Raises:
            NotHeldError: A name is empty, or too long for a file.
        """
        if not place.namespace:
            raise NotHeldError("it is in no namespace", view=str(place))
        path = self._folder(place.namespace) / _encoded(place.name, _SUFFIX)
        if (size := len(os.fsencode(path))) > _LONGEST_PATH:
            why = f"its path has {size} bytes, and {_LONGEST_PATH} are possible"
            raise NotHeldError(why, view=str(place))
        return path


def _encoded(name: str, suffix: str = "") -> str:
    """A name as that of a file or folder.

    Raises:
        NotHeldError: It is empty or too long.
    """
    file = _spelled(name) + suffix
    if not name:
        raise NotHeldError("an empty name is no file's")
    if (size := len(file.encode())) > _LONGEST:
        raise NotHeldError(f"{name!r} needs {size} bytes as a file, and {_LONGEST} are possible")
    return file


def _decoded(file: str) -> str:
    """The name that a file or folder stands for; empty: it is none of ours."""
    name = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), file)
    return name if _spelled(name) == file else ""


def _spelled(name: str) -> str:
    return _ENCODED.sub(lambda match: f"%{ord(match[0]):02X}", name)


def _decoded_as(text: bytes, wanted: str, model: type[_Model], decode: _Decode) -> _Model:
    """The view or namespace in a file.

    Raises:
        BelvedereError: There is none.
    """
    kind, payload, _ = lines.parse(text)
    decoded: object = None
    if kind == wanted:
        raw = RawObject(Listed((), ""), kind, payload)
        decoded = decode(raw).result
    if not isinstance(decoded, model):
        raise DecodeError(f"it is a {kind} and no {wanted}")
    return decoded


def _write(path: Path, kind: str, levels: Levels, text: str) -> None:
    """Write a raw object, indented, so that a change of it is a change of few lines.

    Raises:
        BelvedereError: It cannot; what was there is as it was.
    """
    data = {"kind": kind, "payload": canonical.payload(levels, text)}
    content = orjson.dumps(data, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    temporary = path.parent / f".{uuid4().hex}{_UNFINISHED}"
    with _file_errors(path, StoreError):
        try:
            temporary.write_bytes(content)
            temporary.replace(path)
        except FileNotFoundError as error:
            if path.parent.is_dir():  # another one has taken the file for a killed writer's
                raise
            hint = "Prepare the target first."
            raise NamespaceError("there is no such namespace", hint=hint, file=str(path)) from error
        except OSError:
            with suppress(OSError):
                temporary.unlink()
            raise


def _remove_unfinished(folder: Path) -> None:
    """Remove what writers that were killed have left in a folder, before they gave it its name.

    Raises:
        BelvedereError: It cannot.
    """
    with _file_errors(folder, StoreError):
        for path in folder.iterdir() if folder.is_dir() else ():
            if _LEFT.fullmatch(path.name):
                path.unlink(missing_ok=True)


@contextmanager
def _file_errors(path: Path, other: type[BelvedereError]) -> Iterator[None]:
    """Errors of the file system as ours."""
    try:
        yield
    except PermissionError as error:
        raise DeniedError("the right to read or write it is missing", file=str(path)) from error
    except OSError as error:
        raise other(error.strerror or str(error), file=str(path)) from error
