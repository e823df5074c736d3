"""Judge `coral`: what Trino with Hive views enabled makes of a view of Hive or Spark.

Coral in the version that Trino 476 brings along, relocated by Trino's people; then Trino's own
analyzer, or its parser alone. Coral looks up tables, columns and its own list of functions, and
infers types.
"""

from collections.abc import Iterator
from typing import ClassVar, Final

from connectors.judges.entries import columns_told
from connectors.judges.host import Release
from connectors.judges.jars import SLF4J, Jar
from connectors.judges.trino import Trino
from connectors.judges.trino_analyzer import TrinoAnalyzer
from discovery.judging.entries import Entry
from discovery.judging.translating import shown_by_trino
from discovery.model import Identifier
from discovery.ports import Statement

_CORAL: Final = (
    Jar(
        "io.trino.coral:coral:2.2.49-1",
        "b17643b243bd497673af678e60e8cf8df1c7be2ca05703f09ecbb35099451812",
    ),
    Jar(
        "com.google.code.gson:gson:2.9.0",
        "c96d60551331a196dac54b745aa642cd078ef89b6f267146b705f2c2cbef052d",
    ),
    SLF4J,
)
_CATALOG: Final = "hive"  # Coral's texts name none
_NOWHERE: Final = Entry(place=Identifier(("default",), "view"), columns="[]")


class Coral(Trino):
    """Accepts what Coral translates into a text that Trino's parser accepts.

    A statement without an entry is a view in the database `default`, which reads nothing.
    """

    program = "Coral"
    part = "translator"
    jars: ClassVar[tuple[Jar, ...]] = (*Trino.jars, *_CORAL)
    newer = Release(Trino.newer.java, (*Trino.newer.jars, *_CORAL))
    start_within = 300.0  # seconds: its classes are many, and machines are busy

    @property
    def version(self) -> str:
        """Of Coral, and of Trino's parser."""
        return _release_text(super().version)

    def before(self, statement: Statement) -> tuple[str, ...]:
        """The entry, as `java/Coral.java` takes it."""
        return tuple(_entry_words(statement.entry or _NOWHERE))


def _entry_words(entry: Entry) -> Iterator[str]:
    yield from (*entry.place.namespace, entry.place.name)
    yield from columns_told(entry.columns)
    yield str(len(entry.bases))
    for base in entry.bases:
        yield from base.name
        yield base.text
        yield from columns_told(base.columns)


class CoralAnalyzer(TrinoAnalyzer):
    """Accepts what Coral translates into a text that Trino's analyzer takes for Coral's columns.

    Of a text that the analyzer refuses the verdict has what Coral has told, so that it can be left
    to the parser.
    """

    program = "CoralAnalyzer"
    part = "translator"
    jars: ClassVar[tuple[Jar, ...]] = (*TrinoAnalyzer.jars, *_CORAL[:-1])

    @property
    def version(self) -> str:
        """Of Coral, and of Trino's analyzer."""
        return _release_text(super().version)

    def before(self, statement: Statement) -> tuple[str, ...]:
        """The entry, as `java/CoralAnalyzer.java` takes it."""
        entry = statement.entry or _NOWHERE
        return (*_entry_words(entry), *_trino_words(entry))


def _release_text(trino: str) -> str:
    return f"{_CORAL[0].coordinate.rpartition(':')[2]}, Trino {trino}"


def _trino_words(entry: Entry) -> Iterator[str]:
    """The tables as Trino shows them; nothing where it has not all types."""
    shown = shown_by_trino(entry.bases)
    if shown is None:
        return
    yield str(len(shown))
    for base in shown:
        yield from (_CATALOG, *base.name)
        yield from columns_told(base.columns)
