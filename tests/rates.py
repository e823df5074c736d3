"""How often the matrix is wrong about an engine: its cells beside what the live engine answered.

`python -m tests.rates` judges the corpus of `tests/estate_views.py` and writes the counts into
tests/golden/rates.json, which no later change may make worse (`tests/spark/test_rates.py`), and
which docs/judges.md shows (`python -m tests.docs.generate`).
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Final

from discovery.judging.matrix import Reading

RECORDED: Final = Path(__file__).parent / "golden" / "rates.json"
NO_GRADE: Final = "no judge"
"""As a grade: how the entry is stored, a check or what is below has decided."""
_READ: Final = frozenset({Reading.NATIVE, Reading.PORTABLE})
_REFUSED: Final = frozenset({Reading.REJECTED, Reading.BLOCKED, Reading.UNREACHABLE})


@dataclass(frozen=True, slots=True)
class Judged:
    """A cell of the matrix beside the engine's answer.

    Attributes:
        engine: The engine, with its settings.
        form: How the entry is stored.
        status: Of the cell.
        grade: Of the cell.
        reads: Whether the live engine gives columns back.
    """

    engine: str
    form: str
    status: str
    grade: str | None
    reads: bool


@dataclass(frozen=True, slots=True, order=True)
class Rate:
    """What cells of one engine, format and grade are worth, in numbers of views.

    Attributes:
        engine: The engine, with its settings.
        form: How the entries are stored.
        grade: That proved the cells; `NO_GRADE`: none did.
        accepted: That are called `native` or `portable`.
        false_accepts: Of these, those that the engine refuses.
        rejected: That are called `rejected`, `blocked` or `unreachable`.
        false_rejects: Of these, those that the engine reads.
        not_judged: Of which nothing is said.
    """

    engine: str
    form: str
    grade: str
    accepted: int = 0
    false_accepts: int = 0
    rejected: int = 0
    false_rejects: int = 0
    not_judged: int = 0


def rates(cells: Iterable[Judged]) -> tuple[Rate, ...]:
    """The rates of all cells, in the order of engine, format and grade."""
    tallies: dict[tuple[str, str, str], Counter[str]] = {}
    for cell in cells:
        place = cell.engine, cell.form, cell.grade or NO_GRADE
        tallies.setdefault(place, Counter()).update(_counted(cell))
    return tuple(sorted(_rate(*place, counts) for place, counts in tallies.items()))


def _rate(engine: str, form: str, grade: str, counts: Counter[str]) -> Rate:
    return Rate(
        engine,
        form,
        grade,
        accepted=counts["accepted"],
        false_accepts=counts["false_accepts"],
        rejected=counts["rejected"],
        false_rejects=counts["false_rejects"],
        not_judged=counts["not_judged"],
    )


def _counted(cell: Judged) -> Iterator[str]:
    if cell.status in _READ:
        yield "accepted"
        if not cell.reads:
            yield "false_accepts"
    elif cell.status in _REFUSED:
        yield "rejected"
        if cell.reads:
            yield "false_rejects"
    else:
        yield "not_judged"


def worse(measured: Sequence[Rate], limits: Sequence[Rate]) -> list[tuple[Rate, Rate]]:
    """The rates that are worse than the limit of their place, each with that limit.

    A place that has no limit may have no fault; what is not judged is limited for all grades of an
    engine and a format together, since it is of none.
    """
    of = {(limit.engine, limit.form, limit.grade): limit for limit in limits}
    pairs = [
        (rate, of.get((rate.engine, rate.form, rate.grade), _faultless(rate))) for rate in measured
    ]
    return [(rate, limit) for rate, limit in pairs if _is_worse(rate, limit)]


def _faultless(rate: Rate) -> Rate:
    return Rate(rate.engine, rate.form, rate.grade)


def _is_worse(rate: Rate, limit: Rate) -> bool:
    accepts = _share(rate.false_accepts, rate.accepted) > _share(
        limit.false_accepts, limit.accepted
    )
    rejects = _share(rate.false_rejects, rate.rejected) > _share(
        limit.false_rejects, limit.rejected
    )
    return accepts or rejects or rate.not_judged > limit.not_judged


def _share(part: int, total: int) -> float:
    return part / total if total else 0.0


def recorded() -> tuple[Rate, ...]:
    """The table that is the limit."""
    rows: list[dict[str, str | int]] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return tuple(Rate(**row) for row in rows)  # type: ignore[arg-type] # as written by `record`


def record(measured: Sequence[Rate]) -> None:
    """Make this the limit."""
    names = [field.name for field in fields(Rate)]
    rows = (dict(zip(names, astuple(rate), strict=True)) for rate in measured)
    lines = ",\n ".join(map(json.dumps, rows))
    RECORDED.write_text(f"[\n {lines}\n]\n", encoding="utf-8")


def table(measured: Sequence[Rate]) -> str:
    """The rates as a table of Markdown."""
    head = "| Engine | Entries | Grade | Accepted | wrongly | Rejected | wrongly | Not judged |"
    lines = [head, "|---|---|---|---|---|---|---|---|"]
    for rate in measured:
        engine, form, grade, accepted, bad, rejected, lost, silent = astuple(rate)
        numbers = f"{accepted} | {_said(bad, accepted)} | {rejected} | {_said(lost, rejected)}"
        lines.append(f"| `{engine}` | `{form}` | {grade} | {numbers} | {silent} |")
    return "\n".join([*lines, ""])


def _said(part: int, total: int) -> str:
    return f"{part} ({_share(part, total):.1%})" if part else "0"


def summed(measured: Sequence[Rate]) -> Mapping[str, Rate]:
    """The rates of each engine, of all formats and grades together."""
    sums: dict[str, Rate] = {}
    for rate in measured:
        before = sums.get(rate.engine, Rate(rate.engine, "all", "all"))
        numbers = zip(astuple(before)[3:], astuple(rate)[3:], strict=True)
        sums[rate.engine] = Rate(rate.engine, "all", "all", *(a + b for a, b in numbers))
    return sums
