"""Folders of files that a report writes, and the next one replaces: views, dbt, owners."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Self, TextIO

INDEX: Final = "index.jsonl"
"""What is in a folder, a line for each file or part: what the next report removes, and no more."""
_ENDINGS: Final = (".sql", ".txt", ".yml", ".csv")


class ExportFolder:
    """A folder, whole when it is left.

    What an earlier report has written there is removed first: the files of its index, no others.

    Args:
        place: The folder.
    """

    def __init__(self, place: Path) -> None:
        self._place = place
        self._made: set[Path] = set()
        self._begun: set[str] = set()
        self._index: TextIO

    def __enter__(self) -> Self:
        _remove_indexed(self._place)
        self._place.mkdir(parents=True, exist_ok=True)
        self._index = (self._place / INDEX).open("w", encoding="utf-8", newline="")
        return self

    def __exit__(self, *_: object) -> None:
        self._index.close()

    def add(self, part: Mapping[str, str]) -> None:
        """Write a part of a file, after its line in the index, so that no file stays behind.

        One with a head is one of several, and the file begins with the head.
        """
        self._index.write(part["line"])
        path = self._place / part["path"]
        if path.parent not in self._made:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._made.add(path.parent)
        begun = part["path"] in self._begun
        if part["head"]:
            self._begun.add(part["path"])
        text = part["text"] if begun else part["head"] + part["text"]
        mode = "a" if begun else "w"
        with path.open(mode, encoding="utf-8", errors="surrogatepass", newline="") as stream:
            stream.write(text)


def _remove_indexed(place: Path) -> None:
    """Remove the files that an index names; one that leads out of the folder is none of ours."""
    try:
        lines = (place / INDEX).read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    home = place.resolve()
    for line in lines:
        try:
            path = place / json.loads(line)["file"]
        except (ValueError, KeyError, TypeError):  # the last line of a report that was killed
            continue
        if home in path.resolve().parents and path.name.endswith(_ENDINGS):
            path.unlink(missing_ok=True)
