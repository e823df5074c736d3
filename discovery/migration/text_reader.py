"""What reads and writes SQL for a plan, which can be stopped where a text is hostile."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from discovery.ports import Name

Respell = Callable[[str, str, Mapping[Name, Name]], str | None]
"""Text, dialect, and old names to new ones, to the text with these; None: nobody can.

`discovery.lineage.respelling.respelled`, or something that stops it.
"""
Names = Callable[[str, str], tuple[tuple[Name, ...], tuple[Name, ...]] | None]
"""Text and dialect to the tables and functions that it reads; None: nobody can tell.

`discovery.lineage.scopes.names`, or something that stops it.
"""


@dataclass(frozen=True, slots=True)
class TextReader:
    """What writes a text with other names, and what tells which it reads."""

    respell: Respell
    names: Names
