"""Hive's semantic analyzer, from the jars that come with Spark, over what a view reads."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import ClassVar, Final

from connectors.judges.entries import columns_told
from connectors.judges.hive import Hive
from connectors.judges.host import Release
from connectors.judges.jars import Jar
from discovery.judging.entries import Entry
from discovery.model import Identifier
from discovery.ports import ANALYZE, Statement

_NOWHERE: Final = Entry(place=Identifier(("default",), "v"), columns='[["c", "int"]]')


class HiveAnalyzer(Hive):
    """Accepts what Hive compiles: names, types, and what it refuses of a query's shape.

    A statement without an entry is a view of one column that reads nothing.
    """

    program = "HiveAnalyzer"
    part = "analyzer"
    grade = ANALYZE
    jars = (
        Jar(  # its optimizer is Calcite, which Spark leaves out of its own
            "org.apache.hive:hive-exec:2.3.10",
            "dfee92fe36317d303286ed5df1ce1fb8cdf32ffc55f1df4fc7eb88713baab223",
        ),
        Jar(  # of which the settings of that are
            "net.hydromatic:eigenbase-properties:1.1.5",
            "9394a752411d9729a083cf578ed9666ec9a7f59c18c9ca889127480a44c7285c",
        ),
        Jar(  # Hive's registry of functions looks at a class of it, and Spark leaves it out
            "org.apache.hive:hive-llap-common:2.3.10",
            "34b9c057b4460b9930746ad663be14aee8a5b3676eeff62129301745072152d7",
        ),
    )
    others: ClassVar[Mapping[str, Release]] = MappingProxyType({})  # of Spark's jars
    opened = ("java.lang", "java.lang.reflect", "java.net", "java.util", "java.util.concurrent")
    start_within = 300.0  # seconds: its classes are many, and machines are busy

    def before(self, statement: Statement) -> tuple[str, ...]:
        """The entry, as `java/HiveAnalyzer.java` takes it."""
        return tuple(_entry_words(statement.entry or _NOWHERE))


def _entry_words(entry: Entry) -> Iterator[str]:
    yield from (*entry.place.namespace, entry.place.name)
    yield from columns_told(entry.columns)
    yield str(len(entry.bases))
    for base in entry.bases:
        yield from base.name
        yield from columns_told(base.columns)
        yield base.text
