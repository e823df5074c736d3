"""The folder of views as files, which a report writes and the next one replaces."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Self

from reports.sql_files import FOLDER, INDEX


class SqlFolder:
    """The folder, whole when it is left.

    What an earlier report has written there is removed first: the files of its index, no others.

    Args:
        report: The folder of the report.
    """

    def __init__(self, report: Path) -> None:
        self._place = report / FOLDER
        self._made: set[Path] = set()

    def __enter__(self) -> Self:
        _remove_indexed(self._place)
        self._place.mkdir(parents=True, exist_ok=True)
        self._index = (self._place / INDEX).open("w", encoding="utf-8", newline="")
        return self

    def __exit__(self, *_: object) -> None:
        self._index.close()

    def add(self, files: Iterable[Mapping[str, str]]) -> None:
        """Write some files: each after its line in the index, so that none stays behind."""
        for one in files:
            self._index.write(one["line"])
            path = self._place / one["path"]
            if path.parent not in self._made:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._made.add(path.parent)
            path.write_text(one["text"], encoding="utf-8", errors="surrogatepass", newline="")


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
        if home in path.resolve().parents and path.name.endswith((".sql", ".txt")):
            path.unlink(missing_ok=True)
