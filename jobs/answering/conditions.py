"""What is to hold for a view that is looked for."""

from dataclasses import dataclass
from typing import ClassVar

from discovery.judging.matrix import Reading
from discovery.judging.standing import Standing
from jobs.answering.known_run import KnownView


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """What is to hold for a view.

    Attributes:
        source: Name of its source.
        owner: Who owns it; an empty text: nobody is known.
        standing: Whether it can move.
        engine: An engine, such as `trino`, that can do with it what `status` says, or anything.
        status: What some engine, or the one of `engine`, can do with it.
        code: A code that stands at it, such as `MISSING_BASE`.
        dialect: It has a text in this dialect.
        wave: Number of its wave, from 1.
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}  # a misspelled condition holds for nothing

    source: str | None = None
    owner: str | None = None
    standing: Standing | None = None
    engine: str | None = None
    status: Reading | None = None
    code: str | None = None
    dialect: str | None = None
    wave: int | None = None

    def hold_for(self, view: KnownView) -> bool:
        """Whether all of them hold for a view."""
        pairs = (
            (self.source, view.source),
            (self.owner, view.owner or ""),
            (self.standing, view.stands.standing),
            (self.wave, view.wave),
        )
        if any(wanted is not None and wanted != actual for wanted, actual in pairs):
            return False
        if self.code is not None and self.code.upper() not in view.codes:
            return False
        if self.dialect is not None and self.dialect not in view.dialects:
            return False
        return self._holds_for_cells(view)

    def _holds_for_cells(self, view: KnownView) -> bool:
        if self.engine is None and self.status is None:
            return True
        return any(
            self.engine in {None, cell.engine} and self.status in {None, cell.status}
            for cell in view.cells or ()
        )
