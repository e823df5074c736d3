"""What a plan makes of what a target answered when it was tried (`belvedere doctor --exercise`).

What the target refused bars the views that have it; what it gave back otherwise is a loss of them.
What it took beyond what is believed of it changes nothing: its store would not write that.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Self

from discovery.errors import NotHeldError
from discovery.exercises import STEPS, TRAITS, Agreement
from discovery.migration.candidates import Hold
from discovery.migration.plan import Planned, lose, set_aside
from discovery.migration.wanted import Barred
from discovery.model import View
from discovery.ports import Held

_HINT: Final = "leave it out by a rule, or try the target anew: `belvedere doctor --exercise`"


@dataclass(frozen=True, slots=True)
class Tried:
    """What a target answered, where that was otherwise than believed.

    Attributes:
        when: When it was tried, ISO-8601.
        server: Its product and version, in its own words.
        settings: Digest of what the configuration said of it.
        refused: What it refused, with its words.
        otherwise: What it gave back otherwise, with the fields.
    """

    when: str
    server: str
    settings: str
    refused: Mapping[str, str] = field(default_factory=dict)
    otherwise: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of_json(cls, data: Mapping[str, Any]) -> Self:
        """The answers of a target, as they are kept.

        Raises:
            ValueError, KeyError, TypeError, AttributeError: They are none.
        """
        answers = {
            agreement: {
                answer["what"]: str(answer["told"])
                for answer in data["answers"]
                if answer["found"] == agreement
            }
            for agreement in (Agreement.REFUSED, Agreement.OTHERWISE)
        }
        when, server, settings = data["date"], data["server"], data["settings"]
        datetime.fromisoformat(when)
        if not (isinstance(server, str) and isinstance(settings, str)):
            raise TypeError("server and settings are texts")
        return cls(when, server, settings, answers[Agreement.REFUSED], answers[Agreement.OTHERWISE])

    @property
    def summary(self) -> str:
        """For people, in the head of a plan."""
        odd = (*self.refused, *self.otherwise)
        outcome = f"{len(odd)} not as believed, which counts" if odd else "all as believed"
        return f"tried on {self.when[:10]}, {self.server}: {outcome}"

    def why_refused(self, what: str) -> str:
        """Why something is not written that the target refused."""
        return (
            f"the target refused {what} when it was tried, {self.when[:10]}: {self.refused[what]}"
        )

    def why_otherwise(self, what: str) -> str:
        """What is lost where the target gave something back otherwise."""
        answer = self.otherwise[what]
        return (
            f"the target gave {what} back otherwise when it was tried, {self.when[:10]}: {answer}"
        )

    def why_stale(self, server: str, settings: str) -> str:
        """Why these answers say nothing of a target; empty: they do.

        Args:
            server: What it says of itself now.
            settings: Digest of what the configuration says of it now.
        """
        if settings != self.settings:
            return "the configuration says other things of it now"
        return "" if server == self.server else f"it is {server} now, and was {self.server}"


def heed(hold: Hold, tried: Tried | None) -> Hold:
    """How a store will hold a view, in the light of what it answered."""
    if tried is None:
        return hold

    def hold_heeding(view: View) -> Held:
        kept = hold(view)
        for what in _answers_about(tried.refused, kept.view):
            raise NotHeldError(tried.why_refused(what), hint=_HINT, view=str(view.identifier))
        losses = map(tried.why_otherwise, _answers_about(tried.otherwise, kept.view))
        return Held(kept.view, (*kept.losses, *losses))

    return hold_heeding


def heed_step(planned: Planned, tried: Tried | None) -> Planned:
    """A change of a plan, in the light of whether the target refused changes of its kind."""
    what = STEPS.get(planned.action)
    if tried is None or what is None:
        return planned
    if what in tried.refused:
        error = NotHeldError(tried.why_refused(what), hint=_HINT)
        return set_aside(planned, Barred.by(error))
    return lose(planned, [tried.why_otherwise(what)]) if what in tried.otherwise else planned


def _answers_about(answered: Iterable[str], view: View) -> list[str]:
    """What of the answers is about a view."""
    return [what for what in answered if what in TRAITS and TRAITS[what](view)]
