"""The views as files, a text each: what a repository keeps, and what SARIF points into.

A file's place depends on its view alone: `views/<source>/<namespace>/<name>.<dialect>.sql`. Every
file system takes it: capitals and special characters are percent-encoded, so that names that differ
by case are apart where case does not count, and a long name is cut and gets a digest. An object
that could not be read has a `.txt` with the reason.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from reports.lines import Row

SQL: Final = "sql"
"""The name of the format."""

FOLDER: Final = "views"
_LONGEST: Final = 150  # characters of a name, with a digest 17 more, of the 255 of a file system
_LONGEST_DIALECT: Final = 40
_DEEPEST: Final = 1_000  # characters of all levels
_DEVICE: Final = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?=\.|$)")  # of Windows
_UNREAD: Final = "unread.txt"


class SqlFile(NamedTuple):
    """A file of the folder.

    Attributes:
        path: From the folder on.
        text: What is in it.
    """

    path: str
    text: str


def files(row: Row) -> Iterator[SqlFile]:
    """The texts of a view; of an object that could not be read, or has no text, why.

    Of two texts in one dialect, which no engine writes, the later one is kept.
    """
    if (texts := _texts(row)) is None:
        lines = (row["code"], row["message"], row["hint"])
        yield SqlFile(path_of(row, None), "".join(f"{line}\n" for line in lines if line))
        return
    for dialect, sql in texts.items():
        yield SqlFile(path_of(row, dialect), sql if sql.endswith("\n") else f"{sql}\n")


def path_of(row: Row, dialect: str | None) -> str:
    """Where a text of a view is; without a dialect, what is said in place of one."""
    ending = (
        _UNREAD if dialect is None else f"{safe(dialect, dots=False, longest=_LONGEST_DIALECT)}.sql"
    )
    return placed(row["source"], row["namespace"], f"{safe(row['name'])}.{ending}")


def placed(source: str, namespace: Sequence[str], file: str) -> str:
    """The path of a file of a namespace.

    Paths have a limit, too (4,096 bytes on Linux): below a namespace that is deeper than any that
    people make, a digest stands for its levels.
    """
    levels = "/".join(safe(level, dots=False) for level in namespace)
    if len(levels) > _DEEPEST:
        encoded = json.dumps(list(namespace)).encode()
        levels = f"%deep-{hashlib.sha256(encoded).hexdigest()[:32]}"  # no level encodes a `d`
    return "/".join(filter(None, (safe(source, dots=False), levels, file)))


def uri_of(row: Row, dialect: str | None) -> str:
    """The file as a URI, from the folder of the report on: its own % are encoded again."""
    return quote(f"{FOLDER}/{path_of(row, dialect)}")


def text_about(row: Row, dialect: str | None) -> tuple[str | None, str]:
    """The text of a view that something is about, and its dialect: its first, if in doubt.

    None, and an empty text: it has none.
    """
    texts = _texts(row) or {}
    chosen = dialect if dialect in texts else next(iter(texts), None)
    return chosen, texts.get(chosen or "", "")


def safe(name: str, *, dots: bool = True, kept: str = "", longest: int = _LONGEST) -> str:
    """A name that every file system takes, case or not; other names give others.

    Args:
        name: Whatever it is.
        dots: Whether dots stay, but one at the beginning.
        kept: Characters beside letters, digits, `_`, `-` and `~` that stay.
        longest: Characters before it is cut and gets a digest, which is 17 more.
    """
    text = "".join(_encoded(letter, kept, dots=dots) for letter in name)
    if text.startswith("."):
        text = f"%2E{text[1:]}"
    if _DEVICE.match(text):
        text = f"%{ord(text[0]):02X}{text[1:]}"
    if len(text) > longest:
        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        text = f"{text[:longest]}-{digest}"
    return text or "%"  # of an empty name; no other is a % alone


def _encoded(letter: str, kept: str, *, dots: bool) -> str:
    if "A" <= letter <= "Z" or (letter == "." and not dots):
        return f"%{ord(letter):02X}"
    return quote(letter, safe=kept, errors="surrogatepass")


def _texts(row: Row) -> dict[str, str] | None:
    """The texts of a view by dialect; None: it has none."""
    if not row["model"]:
        return None
    representations: list[dict[str, Any]] = json.loads(row["model"])["representations"]
    return {text["dialect"]: text["sql"] for text in representations} or None
