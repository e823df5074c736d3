"""The table of folders: formats that are files for views or namespaces, not one file of a run."""

import json
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from reports import sql_files, to_dbt
from reports.lines import Row

_ASKED_BY: Final = {
    sql_files.FOLDER: frozenset({sql_files.SQL, "sarif"}),  # which points into it
    to_dbt.DBT: frozenset({to_dbt.DBT}),
}
NAMES: Final = (sql_files.SQL, to_dbt.DBT)
"""Of the formats."""


class FilePart(NamedTuple):
    """A file, or a part of one.

    Attributes:
        folder: One of `folders`.
        path: From the folder on.
        head: What the file begins with, if others have parts in it; else empty.
        text: The part, or all of it.
        line: Of the folder's index.
    """

    folder: str
    path: str
    head: str
    text: str
    line: str


def folders(formats: Collection[str]) -> tuple[str, ...]:
    """The folders that formats ask for: by their names, or as they point into one."""
    return tuple(name for name, asked in _ASKED_BY.items() if not asked.isdisjoint(formats))


def parts(row: Row, wanted: Collection[str]) -> Iterator[FilePart]:
    """What a view has in some of the folders."""
    names = {name: row[name] for name in ("source", "namespace", "name")}
    if sql_files.FOLDER in wanted:
        for path, text in sql_files.files(row):
            yield FilePart(sql_files.FOLDER, path, "", text, _line(path, names))
    if to_dbt.DBT in wanted:
        for path, head, text in to_dbt.properties(row):
            yield FilePart(to_dbt.DBT, path, head, text, _line(path, names))


def _line(path: str, names: dict[str, object]) -> str:
    return json.dumps({"file": path, **names}) + "\n"
