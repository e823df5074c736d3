"""What the head of a report is made of: counted part by part, and added up on the driver.

Each part of the views is counted where it is rendered, each part of what was lost where it is read.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import Any, Final, NamedTuple

import orjson

from discovery.judging import reasons as classes
from discovery.judging import standing, ways
from discovery.judging.matrix import READS, Reading
from discovery.lineage.order import Why
from discovery.ports import PARSE
from reports.codes import pages
from reports.head import Cause, Counts
from reports.lines import Row, codes_at, masked, name_of
from reports.thresholds import SEVERITIES

BASES: Final = 20
"""Views that most others read, which a head names."""
_OWN: Final = frozenset(
    reason.code for reason in (*standing.REASONS, *ways.REASONS, *classes.REASONS)
) | {Why.BROKEN_BASE.value}
"""The codes of a standing that no other table has."""
_HELD: Final = (Reading.REJECTED, Reading.UNREACHABLE)

_ACCEPTED: Final = (
    *("source", "key", "entity", "outcome", "code", "standing", "reason", "aside", "findings"),
    *("plan", "notes"),
)
"""What acceptances are held against."""

Place = tuple[str, str]
"""Source and key."""
Words = tuple[str | int, ...]
"""What is counted, and the words that it is counted by."""


class Example(NamedTuple):
    """An object at which a code stands: of several, the first by these.

    Attributes:
        object: Its name.
        message: What is said of it; empty: nothing.
        hint: What would be right; empty: its page says it.
    """

    object: str
    message: str
    hint: str


class CauseTally(NamedTuple):
    """A code, and what it stands at.

    Attributes:
        sort: As a `Cause` has it.
        code: The code.
        number: Of objects.
        holds: Of views whose standing has it for its reason.
        engines: That it is about.
        example: The first of the objects.
    """

    sort: str
    code: str
    number: int
    holds: int
    engines: frozenset[str]
    example: Example

    def with_more(self, other: "CauseTally") -> "CauseTally":
        """It, and the same at other objects."""
        return self._replace(
            number=self.number + other.number,
            holds=self.holds + other.holds,
            engines=self.engines | other.engines,
            example=min(self.example, other.example),
        )


class Causes:
    """Counts codes by sort, and adds such counts up."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], CauseTally] = {}

    def add(self, tally: CauseTally) -> None:
        """Add what is known of a code."""
        key = tally.sort, tally.code
        earlier = self._found.get(key)
        self._found[key] = tally if earlier is None else earlier.with_more(tally)

    def add_json(self, rows: Iterable[Sequence[Any]]) -> None:
        """Add what `to_json` of others gave, as JSON gives it back."""
        for sort, code, number, holds, engines, example in rows:
            distinct = frozenset(engines)
            self.add(CauseTally(sort, code, number, holds, distinct, Example(*example)))

    def to_json(self) -> list[Sequence[Any]]:
        """What has been added, for JSON."""
        return [
            (*cause_tally[:4], sorted(cause_tally.engines), tuple(cause_tally.example))
            for cause_tally in self._found.values()
        ]

    def summed(self) -> tuple[Cause, ...]:
        """As a report shows them: those first that hold most views back."""
        documented, causes = pages(), []
        for cause_tally in self._found.values():
            page = documented.get(cause_tally.code)
            advice = page.advice or page.first if page else ""
            example = cause_tally.example
            causes.append(
                Cause(
                    code=cause_tally.code,
                    sort=cause_tally.sort,
                    number=cause_tally.number,
                    holds=cause_tally.holds,
                    engines=tuple(sorted(cause_tally.engines)),
                    example=example.object,
                    message=example.message,
                    fix=example.hint or advice,
                )
            )
        return tuple(
            sorted(causes, key=lambda cause: (-cause.holds, -cause.number, cause.code, cause.sort))
        )


class SetAside(NamedTuple):
    """A view that has no place in the order.

    Attributes:
        row: Its number.
        name: Source and key.
        why: Why, as a code.
        because: What that is about.
    """

    row: int
    name: str
    why: str
    because: tuple[str, ...]


class ReadView(NamedTuple):
    """A view that others read; those that most read are the first.

    Attributes:
        order: The number of its readers, less than zero.
        row: Its number.
        name: Source and key.
    """

    order: int
    row: int
    name: str


@dataclass(slots=True)
class ViewTally:
    """The counts of some views, or of all.

    Attributes:
        counts: Number by what is counted, and by the words that it is counted by.
        causes: The codes that stand at views.
        aside: The views that are set aside.
        unread: Name and row number of what could not be read.
        bases: The views that most others read.
        accepted: Those at whose places something is accepted, as far as that takes.
    """

    counts: Counter[Words] = field(default_factory=Counter)
    causes: Causes = field(default_factory=Causes)
    aside: list[SetAside] = field(default_factory=list)
    unread: dict[str, int] = field(default_factory=dict)
    bases: list[ReadView] = field(default_factory=list)
    accepted: list[Row] = field(default_factory=list)

    def add(self, text: str) -> None:
        """Add what `tally_views` has counted."""
        tally = orjson.loads(text)
        for *words, number in tally["counts"]:
            self.counts[tuple(words)] += number
        self.causes.add_json(tally["causes"])
        for row, name, why, because in tally["aside"]:
            self.aside.append(SetAside(row, name, why, tuple(because)))
        self.unread.update(tally["unread"])
        self.bases = nsmallest(BASES, [*self.bases, *(ReadView(*base) for base in tally["bases"])])
        self.accepted += tally["accepted"]

    def by(self, kind: str) -> dict[Any, int]:
        """Number by one word, in order."""
        return dict(self.each(kind))

    def by_two(self, kind: str) -> dict[str, Counts]:
        """Number by two words, in order."""
        numbers: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for outer, inner, number in self.each(kind):
            numbers[outer][inner] = number
        return {**numbers}

    def each(self, kind: str) -> list[tuple[Any, ...]]:
        """The words and, as the last, the number, of all that is counted so, in order."""
        return sorted((*words[1:], n) for words, n in self.counts.items() if words[0] == kind)


def tally_views(rows: Sequence[Row], accepted: AbstractSet[Place]) -> str:
    """What some views add to the head, as JSON.

    Args:
        rows: Of the report.
        accepted: The places of which something is accepted.
    """
    counts: Counter[Words] = Counter()
    causes = Causes()
    for row in rows:
        for count in _COUNTED:
            counts.update(count(row))
        for cause in _causes(row):
            causes.add(cause)
    aside = [
        SetAside(row["row"], _title(row), row["aside"], tuple(row["because"] or ()))
        for row in rows
        if row["aside"]
    ]
    bases = [ReadView(-row["readers"], row["row"], _title(row)) for row in rows if row["readers"]]
    unread = {_title(row): row["row"] for row in rows if row["outcome"] == "failure"}
    return orjson.dumps(
        {
            "counts": [(*words, number) for words, number in counts.items()],
            "causes": causes.to_json(),
            "aside": [tuple(set_aside) for set_aside in aside],
            "unread": unread,
            "bases": [tuple(read_view) for read_view in nsmallest(BASES, bases)],
            "accepted": list(_accepted(rows, accepted)),
        }
    ).decode()


def tally_losses(rows: Iterable[Row], accepted: AbstractSet[Place]) -> str:
    """What failures and what was skipped, of all entities, add to the head, as JSON."""
    causes = Causes()
    matches: list[Row] = []
    for row in map(masked, rows):
        name = f"{row['source']}/{name_of(row)}"
        example = Example(name, row["message"] or "", row["hint"] or "")
        causes.add(CauseTally(sort_of(row), row["code"], 1, 0, frozenset(), example))
        matches += _accepted([row], accepted)
    return orjson.dumps({"causes": causes.to_json(), "accepted": matches}).decode()


@dataclass(slots=True)
class LossTally:
    """What was lost or skipped.

    Attributes:
        causes: By code.
        accepted: Those at whose places something is accepted, as far as that takes.
    """

    causes: Causes = field(default_factory=Causes)
    accepted: list[Row] = field(default_factory=list)

    def add(self, text: str) -> None:
        """Add what `tally_losses` has counted."""
        tally = orjson.loads(text)
        self.causes.add_json(tally["causes"])
        self.accepted += tally["accepted"]

    def summed(self) -> tuple[Cause, ...]:
        """As a report shows them: what could not be listed first, then failures."""
        order = ("unlisted", "failure", "skipped")
        return tuple(
            sorted(
                self.causes.summed(),
                key=lambda cause: (order.index(cause.sort), -cause.number, cause.code),
            )
        )


def sort_of(row: Row) -> str:
    """What sort of loss it is: an object, or a place whose objects nobody knows."""
    if row["outcome"] == "failure" and row["entity"] != "object":
        return "unlisted"
    return str(row["outcome"])


def _accepted(rows: Iterable[Row], places: AbstractSet[Place]) -> Iterator[Row]:
    for row in rows:
        if (row["source"], row["key"]) in places:
            yield {name: row[name] for name in _ACCEPTED if name in row}


def _title(row: Row) -> str:
    return f"{row['source']}/{row['key']}"


def _of_views(row: Row) -> Iterator[Words]:
    standing = str(row["standing"])
    yield "sources", row["source"], standing
    yield "owners", row["owner"] or "", standing
    yield "outcomes", row["outcome"], row["format"] or ""
    if row["wave"] is not None:
        yield "waves", row["wave"]
    if row["use"] is not None:
        yield "use", row["use"]
    if row["aside"] is not None:
        yield "aside", row["aside"]


def _of_engines(row: Row) -> Iterator[Words]:
    for cell in row["engines"] or ():
        engine, status = cell["engine"], cell["status"]
        yield "engines", engine, status
        if cell["grade"] == PARSE and status in READS:
            yield "parsed", engine
        if status in _HELD and cell["reason"]:
            for reason in cell["reason"].split(", "):
                yield "rejections", engine, reason


def _of_judges(row: Row) -> Iterator[Words]:
    for verdict in row["verdicts"] or ():
        yield (
            "judges",
            verdict["engine"],
            verdict["version"] or "",
            verdict["grade"],
            verdict["verdict"],
        )


def _of_severities(row: Row) -> Iterator[Words]:
    severities = {finding["severity"] for finding in row["findings"] or ()}
    yield from (("severities", word) for word in SEVERITIES if word in severities)


_COUNTED: Final[Sequence[Callable[[Row], Iterator[Words]]]] = (
    _of_views,
    _of_engines,
    _of_judges,
    _of_severities,
)


def _causes(row: Row) -> Iterable[CauseTally]:
    """Every code of a view, each once."""
    causes = dict[tuple[str, str], CauseTally]()
    name = name_of(row)
    for sort, code, message, hint, engine in codes_at(row):
        if sort == "standing" and code not in _OWN:
            continue
        holds, engines = int(row["reason"] == code), frozenset(filter(None, [engine]))
        cause = CauseTally(sort, code, 1, holds, engines, Example(name, message, hint))
        if earlier := causes.get((sort, code)):
            cause = earlier.with_more(cause)._replace(number=1, holds=holds)
        causes[sort, code] = cause
    return causes.values()
