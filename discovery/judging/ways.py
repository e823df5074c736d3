"""How an engine may come to a view where it is stored, and why it may not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from discovery.outcomes import Reason


class Way(StrEnum):
    """How an engine comes to a view."""

    PARSES = "parses a text of the entry"
    TRANSLATES = "translates a text of the entry"
    AS_TABLE = "sees a table that the database answers for"
    REFUSES = "refuses the entry"
    UNREACHABLE = "cannot reach the store"
    UNKNOWN = "is not known"


UNREACHABLE: Final = Reason(
    "OUT_OF_REACH",
    "The engine has no way to where the view is stored: no catalog or connector of it shows views "
    "of that store. Nothing is wrong with the view; move it to a store that the engine reads.",
)
ONLY_AS_TABLE: Final = Reason(
    "ONLY_AS_TABLE",
    "The view is in a database, which the engine reaches through JDBC alone: as a table, for which "
    "the database runs its own text. If the engine has such a catalog, name it under `catalogs`, "
    "and the verdict of the database's own parser counts.",
)
ENTRY_REFUSED: Final = Reason(
    "ENTRY_REFUSED",
    "The engine refuses the entry of the view, or misreads it, whatever its SQL: it is stored in "
    "the format of another engine. Load the view into a store that keeps a text per engine.",
)
HIVE_VIEWS_OFF: Final = Reason(
    "HIVE_VIEWS_OFF",
    'Trino refuses the views of Hive and Spark in a metastore ("Hive views are not supported") '
    "unless its connector says `hive.hive-views.enabled=true`; then it translates them with Coral. "
    "If yours does, say `engines: {trino: {hive_views: true}}`; with "
    "`hive.hive-views.legacy-translation`, `legacy` instead of `true`.",
)
NO_TEXT: Final = Reason(
    "NO_TEXT_FOR_ENGINE",
    "The view has texts for engines, none of them for this one, and it falls back to no other. "
    "Add a text in its dialect.",
)
REASONS: Final = (UNREACHABLE, ONLY_AS_TABLE, ENTRY_REFUSED, HIVE_VIEWS_OFF, NO_TEXT)

CORAL: Final = "coral"
"""As a judge: Coral, and Trino on what Coral has made of the text."""
HIVE_DIALECT: Final = "flink's hive dialect"
"""As a judge: the parser and planner of Flink's connector of Hive, which nobody has here."""
ANY: Final = "*"
"""As a dialect: the first text that the entry has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """How an engine comes to views of some formats; the first row that fits is meant.

    Attributes:
        engine: The engine.
        formats: How the entries are stored.
        way: How it comes to them.
        dialects: The texts that it takes, the first that is there; `ANY`: whichever is first.
        kinds: The kinds of sources that it is about; none: all.
        setting: Name and value of the engine's setting that it is about; None: whatever they are.
        under: That setting in the engine's own words, as cells show it: `with …`.
        judge: Whose parser gets the text, or what translates it first; empty: the engine's own.
        reason: Why it does not read them, where that is so: the code, or words.
        source: Who says so.
        proof: What a live engine answered; empty: none was asked.
    """

    engine: str
    formats: tuple[str, ...]
    way: Way
    dialects: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    setting: tuple[str, str] | None = None
    under: str = ""
    judge: str = ""
    reason: str = ""
    source: str
    proof: str = ""

    @property
    def parser(self) -> str:
        """The engine whose parser gets the text in the end."""
        return self.judge or self.engine

    @property
    def unjudged(self) -> str:
        """Why nobody judges what it reads, where the table says so; empty: it does not."""
        return ": ".join(filter(None, (self.under, self.reason)))

    def fits(self, form: str, kind: str, settings: Mapping[str, str]) -> bool:
        """Whether the row is about an entry of that format, in a source of that kind."""
        if form not in self.formats or (self.kinds and kind not in self.kinds):
            return False
        return self.setting is None or settings.get(self.setting[0]) == self.setting[1]

    def text(self, dialects: Sequence[str]) -> str | None:
        """The dialect of the text that it takes, of those that the view has; None: none."""
        for wanted in self.dialects:
            for dialect in dialects:
                if wanted == ANY or dialect.casefold() == wanted:
                    return dialect
        return None
