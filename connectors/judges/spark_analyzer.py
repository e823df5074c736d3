"""The analyzer of Spark, from the jars that run us, over what a view reads and no data."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import ClassVar, Final

from connectors.judges.host import Release
from connectors.judges.spark import Spark
from discovery.functions import Signature
from discovery.judging.entries import Entry
from discovery.model import Identifier, dotted
from discovery.ports import ANALYZE, Statement

_NO_COLUMNS: Final = '{"type":"struct","fields":[]}'
_NOWHERE: Final = Entry(place=Identifier(("default",), "view"), columns=_NO_COLUMNS)


class SparkAnalyzer(Spark):
    """Accepts what Spark gives columns back for: names, types and the columns that are declared.

    A statement without an entry is a query that reads nothing, in the database `default`.
    """

    program = "SparkAnalyzer"
    part = "analyzer"
    grade = ANALYZE
    others: ClassVar[Mapping[str, Release]] = MappingProxyType({})  # of what runs us
    start_within = 300.0  # seconds: its classes are many, and machines are busy

    def before(self, statement: Statement) -> tuple[str, ...]:
        """The entry, as `java/SparkAnalyzer.java` takes it."""
        return tuple(_entry_words(statement.entry or _NOWHERE))


def _entry_words(entry: Entry) -> Iterator[str]:
    yield "positions" if entry.by_position else "names"
    yield dotted(entry.place.namespace)
    yield entry.place.name
    yield entry.columns
    yield str(len(entry.properties))
    for pair in entry.properties:
        yield from pair
    yield str(len(entry.catalogs))
    yield from entry.catalogs
    yield str(len(entry.bases))
    for base in entry.bases:
        yield str(len(base.name))
        yield from base.name
        yield base.columns
    yield str(len(entry.functions))
    for function in entry.functions:
        takes, returns = function.signature or Signature((), "")
        yield from (*function.namespace, function.name, returns, str(len(takes)))
        for parameter in takes:
            yield from (parameter.name, parameter.type, "DEFAULT" if parameter.may_lack else "")
