"""Texts of strangers in Markdown: nothing in them is markup, neither Markdown's nor HTML's."""

import re
from html import unescape
from typing import Final

from discovery.display import on_one_line

_MARKS: Final = "\\`*_{}[]()#|~!"
_ESCAPED: Final = re.compile(rf"\\([{re.escape(_MARKS)}])|&(?:amp|lt|gt);")


def text(plain: str) -> str:
    """A text on one line, as it is read."""
    shown = on_one_line(plain).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    for mark in _MARKS:
        shown = shown.replace(mark, f"\\{mark}")
    return shown


def code(plain: str) -> str:
    """A name as code, in a cell of a table, too; as text where it has marks of its own."""
    if not plain or any(mark in plain for mark in "`<>&|\\"):
        return text(plain)
    return f"`{on_one_line(plain)}`"


def plain(shown: str) -> str:
    """A document with what `text` and `code` made, for a terminal: without their escapes."""
    return _ESCAPED.sub(lambda match: match[1] or unescape(match[0]), shown)
