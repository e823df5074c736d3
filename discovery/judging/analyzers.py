"""The analyzers: what each is told of a view, what its answer is worth, what it says of columns."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from discovery.checks.subject import Returned
from discovery.judging.analysis import Functions, returned, weighed
from discovery.judging.compiling import compiled, hive_entry, returned_by_hive
from discovery.judging.defining import defined, postgresql_entry, returned_by_postgresql
from discovery.judging.entries import Entry, KnownBase, StoredText, spark_entry
from discovery.judging.paths import HIVE_VIEWS
from discovery.judging.planning import flink_entry, planned, returned_by_position
from discovery.judging.resolving import resolved, returned_to_trino, trino_entry
from discovery.judging.translating import (
    analyzed_by_trino,
    coral_entry,
    translated,
    weighed_by_trino,
)
from discovery.judging.ways import CORAL
from discovery.model import FLINK, HIVE, POSTGRESQL, SPARK, TRINO
from discovery.ports import Verdict

EntryMaker = Callable[[StoredText, Sequence[KnownBase], Mapping[str, str]], Entry | None]
"""A view, what its text reads, what the engine calls its catalogs: what the analyzer is told."""
Weigher = Callable[[Verdict, Entry, Functions, bool], Verdict]
Comparer = Callable[[Verdict, Entry, str], Returned | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Analyzer:
    """A judge that is told what a text reads.

    Attributes:
        name: Its name in the registry.
        speaks_as: Its name among the judges; empty: the same.
        engine: For which it speaks.
        settings: Of the engine, with the values under which it judges.
        unless: Of the engine, with the value under which it does not; it does where neither is
            said.
        stacked: Whether it is told the texts of views below, too.
        entry_of: What it is told of a view; None: it cannot be told what the engine would see.
        weighed: What its answer says of the view, beside what is for want of our knowledge.
        compared: The columns that it finds beside those that are declared; None: it does not say.
    """

    name: str
    speaks_as: str = ""
    engine: str
    settings: tuple[tuple[str, str], ...] = ()
    unless: tuple[str, str] | None = None
    stacked: bool = False
    entry_of: EntryMaker
    weighed: Weigher
    compared: Comparer

    @property
    def named_settings(self) -> tuple[str, ...]:
        """The names of the settings that it goes by."""
        barring = () if self.unless is None else (self.unless,)
        return tuple(name for name, _ in (*self.settings, *barring))

    @property
    def judge(self) -> str:
        """Its name among the judges; a path whose text it gets names it."""
        return self.speaks_as or self.name

    def judges(self, settings: Mapping[str, str]) -> bool:
        """Whether it judges where the engine has these settings."""
        barring = self.unless
        wanted = all(settings.get(name) == value for name, value in self.settings)
        return wanted and (barring is None or settings.get(barring[0]) != barring[1])


ANALYZE_OPTION: Final = "analyze"
"""The setting of an engine: whether its analyzer judges."""
_OFF: Final = (ANALYZE_OPTION, "false")  # Flink's are 56 MB of jars more, so it has to be asked for
_TRANSLATES: Final = (HIVE_VIEWS, "true")
_ROWS: Final = (
    Analyzer(
        name=SPARK,
        engine=SPARK,
        unless=_OFF,
        entry_of=spark_entry,
        weighed=weighed,
        compared=returned,
    ),
    Analyzer(
        name=FLINK,
        engine=FLINK,
        settings=((ANALYZE_OPTION, "true"),),
        entry_of=flink_entry,
        weighed=planned,
        compared=returned_by_position,
    ),
    Analyzer(
        name=HIVE,
        engine=HIVE,
        unless=_OFF,
        stacked=True,
        entry_of=hive_entry,
        weighed=compiled,
        compared=returned_by_hive,
    ),
    Analyzer(
        name=TRINO,
        engine=TRINO,
        unless=_OFF,
        entry_of=trino_entry,
        weighed=resolved,
        compared=returned_to_trino,
    ),
    Analyzer(
        name=POSTGRESQL,
        engine=POSTGRESQL,
        unless=_OFF,
        entry_of=postgresql_entry,
        weighed=defined,
        compared=returned_by_postgresql,
    ),
    Analyzer(
        name=CORAL,
        engine=TRINO,
        settings=(_TRANSLATES,),
        unless=_OFF,
        stacked=True,
        entry_of=coral_entry,
        weighed=analyzed_by_trino,
        compared=translated,
    ),
    Analyzer(
        name="coral-parsed",
        speaks_as=CORAL,
        engine=TRINO,
        settings=(_TRANSLATES, _OFF),
        stacked=True,
        entry_of=coral_entry,
        weighed=weighed_by_trino,
        compared=translated,
    ),
)
ANALYZERS: Final[Mapping[str, Analyzer]] = {row.name: row for row in _ROWS}
"""By name."""


def analyzers_for(
    engines: Iterable[str], settings: Mapping[str, Mapping[str, str]]
) -> tuple[str, ...]:
    """The analyzers of an estate: those that speak for its engines as these are set up."""
    asked = frozenset(engines)
    return tuple(
        row.name
        for row in _ROWS
        if row.engine in asked and row.judges(settings.get(row.engine, {}))
    )


def compilers(engines: Iterable[str], settings: Mapping[str, Mapping[str, str]]) -> tuple[str, ...]:
    """The engines that compile the texts of views below where they stand in a text, as Hive does.

    A view of such an engine's own means what these texts give, whatever the views below declare:
    what the engine says of one that it has analyzed is so of what is below it, too.
    """
    judging = analyzers_for(engines, settings)
    return tuple(
        row.engine for row in _ROWS if row.name in judging and row.stacked and row.judge != CORAL
    )
