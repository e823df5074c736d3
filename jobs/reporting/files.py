"""The files of a report: written part by part, so that the driver never holds all of them."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final, Self, TextIO

from jobs.reporting.export_folder import ExportFolder
from reports import page
from reports.exports import folders
from reports.formats import FORMATS, ReportFormat
from reports.head import ReportHead
from reports.lines import Row
from reports.overview import Overviewed
from reports.sql_files import safe

OWNERS: Final = "owners"
_NOBODY: Final = "(nobody)"  # no owner's file: their brackets are encoded


class ReportFiles:
    """The files of a report in a folder, written while the parts come in.

    Args:
        folder: Where they go; what an earlier report left is replaced.
        formats: Names of formats, and `html` for the page.
        head: What is said of the run.
        parts: Number of parts that will come.
        part: Views in a part.
    """

    def __init__(
        self, folder: Path, formats: Sequence[str], head: ReportHead, *, parts: int, part: int
    ) -> None:
        self._folder, self._head = folder, head
        self._formats = [FORMATS[name] for name in formats if name in FORMATS]
        self._by_owner = "csv" in formats
        self._shown = "html" in formats
        self._folders = folders(formats)
        self._shape = (parts, part)

    def write(self, rendered: Iterable[Row]) -> None:
        """Write all files from the parts, which come in order.

        What an earlier report left is there until all is written, but for the files of owners and
        of exported folders, which grow where they are.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        paths = [self._folder / format_.file for format_ in self._formats]
        pages = [self._folder / page.FILE] if self._shown else []
        with ExitStack() as stack:
            stack.enter_context(remove_unfinished([*paths, *pages]))
            if self._shown:
                stack.callback(_clear_details, self._folder)
            shown = self._grow(rendered, paths)
            if shown is not None:
                shown.put_details()
            for path in (*paths, *pages):
                unfinished(path).replace(path)

    def _grow(self, rendered: Iterable[Row], paths: Sequence[Path]) -> "_PageWriter | None":
        with ExitStack() as stack:
            streams = [stack.enter_context(_open(path)) for path in paths]
            texts = [_Joined(*both) for both in zip(self._formats, streams, strict=True)]
            for joined in texts:
                joined.begin(self._head)
            shown = stack.enter_context(self._open_page(stack)) if self._shown else None
            names = (*self._folders, *([OWNERS] if self._by_owner else []))
            exported = {
                name: stack.enter_context(ExportFolder(self._folder / name)) for name in names
            }
            for row in rendered:
                for joined, text in zip(texts, row["texts"], strict=True):
                    joined.add(text)
                for owner in row["owners"]:
                    exported[OWNERS].add(self._owner_part(owner["owner"], owner["text"]))
                for file in row["files"]:
                    exported[file["folder"]].add(file)
                if shown is not None:
                    shown.add(row)
            for joined in texts:
                joined.end(self._head)
        return shown

    def _open_page(self, stack: ExitStack) -> "_PageWriter":
        stream = stack.enter_context(_open(self._folder / page.FILE))
        return _PageWriter(self._folder, stream, self._head, self._shape)

    def _owner_part(self, owner: str, text: str) -> dict[str, str]:
        """Some views of an owner, as a part of the owner's file."""
        path = f"{_file_name(owner)}.csv"
        line = json.dumps({"file": path, "owner": owner}) + "\n"
        head = FORMATS["csv"].begin(self._head)
        return {"path": path, "head": head, "text": text, "line": line}


class _Joined:
    """The texts of a format in its file."""

    def __init__(self, kind: ReportFormat, stream: TextIO) -> None:
        self._kind, self._stream, self._empty = kind, stream, True

    def begin(self, head: ReportHead) -> None:
        self._stream.write(self._kind.begin(head))

    def add(self, text: str) -> None:
        if text:
            self._stream.write(text if self._empty else self._kind.between + text)
            self._empty = False

    def end(self, head: ReportHead) -> None:
        self._stream.write(self._kind.end(head))


class _PageWriter:
    """The page, whole when it is left."""

    def __init__(
        self, folder: Path, stream: TextIO, head: ReportHead, shape: tuple[int, int]
    ) -> None:
        self._single, self._run_id = head.total <= page.SINGLE, head.run.run_id
        parts, part = shape
        before, self._after = page.frame(head, single=self._single, parts=parts, part=part)
        self._index, self._whole = page.Index(), Overviewed(head.engines or ())
        self._stream = stream
        self._stream.write(before)
        self._beside = folder / page.DETAILS
        self._details: list[Path] = []

    def __enter__(self) -> Self:
        if not self._single:
            self._beside.mkdir(exist_ok=True)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self._stream.write(self._index.inline())
            self._stream.write(page.inlined("overview", page.pictures(self._whole.overview())))
            self._stream.write(self._after)

    def add(self, row: Row) -> None:
        self._index.add(row["entries"])
        self._whole.add(row["tally"])
        if self._single:
            self._stream.write(page.inlined(f"part-{row['part']}", row["detail"]))
            return
        path = self._beside / f"{row['part']}.js"
        script = page.script_of(row["part"], row["detail"], self._run_id)
        unfinished(path).write_text(script, encoding="utf-8")
        self._details.append(path)

    def put_details(self) -> None:
        """Give the details their names, and remove those of an earlier page."""
        for path in self._details:
            unfinished(path).replace(path)
        clear(self._beside, "js", kept=self._details)


def clear(folder: Path, kind: str, kept: Sequence[Path] = ()) -> None:
    """Remove the files that an earlier report left in a subfolder, and nothing else."""
    for path in set(folder.glob(f"*.{kind}")).difference(kept):
        path.unlink()


def _clear_details(folder: Path) -> None:
    with suppress(OSError):
        clear(folder / page.DETAILS, "js.part")


@contextmanager
def remove_unfinished(paths: Iterable[Path]) -> Iterator[None]:
    """Remove what grew and has not got its name: of a disk that is full, it would stay full."""
    try:
        yield
    finally:
        for path in paths:
            with suppress(OSError):
                unfinished(path).unlink(missing_ok=True)


def _open(path: Path) -> TextIO:
    return unfinished(path).open("w", encoding="utf-8", newline="")


def unfinished(path: Path) -> Path:
    """Where a file grows: who reads the folder meanwhile sees the old one, or the whole new one."""
    return path.with_name(f".{path.name}.part")


def _file_name(owner: str) -> str:
    """A name that every file system takes, case or not; other owners have other names."""
    return safe(owner, kept=" @+=,") if owner else _NOBODY
