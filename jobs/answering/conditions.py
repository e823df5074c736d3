"""What is to hold for a view that is looked for."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import ClassVar

from discovery.errors import ConfigurationError
from discovery.judging.matrix import Reading
from discovery.judging.standing import Standing
from jobs.answering.known_run import KnownRun, KnownView
from reports.codes import pages


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


def known_to(known: KnownRun, wanted: Conditions) -> Conditions:
    """The conditions in the words of the run: engines and dialects in any case.

    Raises:
        ConfigurationError: The run has no such source or engine, nothing has the dialect, or there
            is no such code; or nobody was asked, as it was not assessed. That no view is so would
            be an answer to another question.
    """
    views = known.views.values()
    if not known.assessed and (wanted.engine or wanted.status or wanted.wave):
        hint = "belvedere assess asks the engines and finds the order"
        raise ConfigurationError("the run was not assessed: no engine was asked", hint=hint)
    codes = {code for view in views for code in view.codes}  # of an earlier belvedere, too
    if wanted.code is not None and wanted.code.upper() not in pages().keys() | codes:
        raise ConfigurationError(f"there is no code {wanted.code}", hint="what_blocks names codes")
    sources = {*known.run.record.sources, *(view.source for view in views)}
    if wanted.source is not None and wanted.source not in sources:
        raise _unknown("source", wanted.source, sources)
    dialects = {dialect for view in views for dialect in view.dialects}
    return replace(
        wanted,
        engine=_spelled("engine", wanted.engine, known.engines),
        dialect=_spelled("dialect", wanted.dialect, dialects),
    )


def _spelled(kind: str, name: str | None, known: Collection[str]) -> str | None:
    """A name as the run has it."""
    if name is None or name in known:
        return name
    alike = [word for word in known if word.casefold() == name.casefold()]
    if len(alike) != 1:
        raise _unknown(kind, name, known)
    return alike[0]


def _unknown(kind: str, name: str, known: Collection[str]) -> ConfigurationError:
    names = ", ".join(sorted(known)) or "none"
    return ConfigurationError(f"the run has no {kind} {name}", hint=f"it has: {names}")
