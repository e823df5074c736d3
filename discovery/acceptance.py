"""Accepted faults: what the owners of an estate know of, and live with until a day they have named.

A baseline is a file of JSON lines, one for each fault, sorted, so that two of them compare line by
line in a review. A gate does not count what stands in it; from the day after `until`, it does.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final, NamedTuple

from discovery.display import abridged, visible
from discovery.errors import ConfigurationError
from discovery.unambiguous import parse

_MEMBERS: Final = ("source", "object", "code", "reason", "owner", "until")
_SHOWN: Final = 20  # wrong lines: more of them say nothing new
_LONGEST_SHOWN: Final = 40  # characters of a text that is no day
_MAY_BE_EMPTY: Final = "object"
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


class Fault(NamedTuple):
    """A code that stands at an object.

    Attributes:
        source: Name of the source in the configuration; of what no source has any more, that of
            the target where it stands.
        object: Its key, as in the table `outcomes`; empty: the source itself.
        code: The code.
    """

    source: str
    object: str
    code: str

    def is_below(self, source: str, key: str) -> bool:
        """Whether it is at an object, or in a namespace or source, of which nothing is known.

        Args:
            source: The source.
            key: Of the object or namespace; empty: all of the source.
        """
        return self.source == source and (not key or f"{self.object}.".startswith(f"{key}."))

    def __str__(self) -> str:
        return f"{self.code} at {self.object or 'the source'} of {self.source}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """That a fault is known, and counts nowhere until a day has passed.

    Attributes:
        fault: The fault.
        reason: Why it is accepted.
        owner: Who answers for that.
        until: The last day on which it holds, in UTC.
        line: Where it stands in its file; 0: in none yet.
    """

    fault: Fault
    reason: str
    owner: str
    until: date
    line: int = field(default=0, compare=False)

    def to_json(self) -> str:
        """Its line."""
        members = {
            **self.fault._asdict(),
            "reason": self.reason,
            "owner": self.owner,
            "until": self.until.isoformat(),
        }
        return visible(json.dumps(members, ensure_ascii=False))


@dataclass(frozen=True, slots=True)
class Baseline:
    """What is accepted of an estate.

    Attributes:
        place: The file, for people; empty: there is none.
        acceptances: Sorted by their faults.
    """

    place: str = ""
    acceptances: tuple[Acceptance, ...] = ()

    @classmethod
    def parse(cls, place: str, text: str) -> "Baseline":
        """A baseline from the text of its file.

        Raises:
            ConfigurationError: With the lines that are wrong, as `file:line: why`.
        """
        by_fault: dict[Fault, Acceptance] = {}
        problems = []
        for number, line in enumerate(text.split("\n"), 1):
            if not line.strip():
                continue
            try:
                acceptance = _parse_line(line, number)
                if acceptance.fault in by_fault:
                    raise ValueError(
                        f"{acceptance.fault} stands in line {by_fault[acceptance.fault].line}, too"
                    )
                by_fault[acceptance.fault] = acceptance
            except ValueError as error:
                problems.append(f"{place}:{number}: {error}")
            if len(problems) == _SHOWN:
                problems.append(f"{place}: what follows has not been looked at")
                break
        if problems:
            hint = "`belvedere accept` writes such lines; each has " + ", ".join(_MEMBERS)
            raise ConfigurationError("\n".join(problems), hint=hint)
        return cls(place, _sorted(by_fault.values()))

    def to_text(self) -> str:
        """The text of its file: the same for the same acceptances."""
        return "".join(f"{acceptance.to_json()}\n" for acceptance in self.acceptances)

    def with_more(self, acceptances: Iterable[Acceptance]) -> "Baseline":
        """With more acceptances; one of a fault that is accepted already takes its place."""
        every = {acceptance.fault: acceptance for acceptance in (*self.acceptances, *acceptances)}
        return Baseline(self.place, _sorted(every.values()))

    def without(self, left_out: Iterable[Acceptance]) -> "Baseline":
        """Without some of them; one that was renewed since they were read stays."""
        gone = {acceptance.fault: acceptance.until for acceptance in left_out}
        left = (
            acceptance
            for acceptance in self.acceptances
            if gone.get(acceptance.fault) != acceptance.until
        )
        return Baseline(self.place, tuple(left))

    def valid(self, today: date) -> frozenset[Fault]:
        """The faults that count nowhere on a day."""
        return frozenset(
            acceptance.fault for acceptance in self.acceptances if acceptance.until >= today
        )

    def expired(self, today: date) -> list[Acceptance]:
        """Those that count again on a day."""
        return [acceptance for acceptance in self.acceptances if acceptance.until < today]

    def stale(self, today: date, met: Iterable[Fault]) -> list[Acceptance]:
        """Those that would still hold on a day, and of which no fault is left.

        Args:
            today: The day.
            met: The faults that there are.
        """
        faults = set(met)
        return [
            acceptance
            for acceptance in self.acceptances
            if acceptance.until >= today and acceptance.fault not in faults
        ]

    def unknown(self, stores: Iterable[str], codes: Iterable[str]) -> Iterator[str]:
        """What lines name that there is not, a sentence for each.

        Args:
            stores: Names of the sources and targets.
            codes: Those that have a page.
        """
        names, pages = set(stores), set(codes)
        for acceptance in self.acceptances:
            if acceptance.fault.source not in names:
                yield f"{self.at(acceptance)}: {acceptance.fault.source!r} is no source or target"
            if acceptance.fault.code not in pages:
                yield f"{self.at(acceptance)}: {acceptance.fault.code!r} is no code"

    def at(self, acceptance: Acceptance) -> str:
        """Where one of them stands, for people."""
        return f"{self.place}:{acceptance.line}"


def _sorted(every: Iterable[Acceptance]) -> tuple[Acceptance, ...]:
    return tuple(sorted(every, key=lambda acceptance: acceptance.fault))


def _parse_line(line: str, number: int) -> Acceptance:
    """The acceptance of a line.

    Raises:
        ValueError: It is none; says why.
    """
    try:
        members = parse(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"is no JSON: {error}") from error
    _check_members(members if isinstance(members, dict) else {})
    return Acceptance(
        fault=Fault(members["source"], members["object"], members["code"]),
        reason=members["reason"],
        owner=members["owner"],
        until=_parse_day(members["until"]),
        line=number,
    )


def _parse_day(text: str) -> date:
    try:
        return date.fromisoformat(text if _DAY.fullmatch(text) else "")
    except ValueError as error:
        stated = abridged(repr(text), _LONGEST_SHOWN)
        raise ValueError(f"until must be a day such as 2027-01-31, and is {stated}") from error


def _check_members(members: dict[str, Any]) -> None:
    for name in _MEMBERS:
        value = members.get(name)
        if not isinstance(value, str) or not (value.strip() or name == _MAY_BE_EMPTY):
            raise ValueError(f"{name} must be a text" if name in members else f"{name} is missing")
    if unknown := sorted(members.keys() - set(_MEMBERS)):
        raise ValueError(f"{unknown[0]} is unknown")
