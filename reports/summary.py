"""What a report says of a run, counted from its rows."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from discovery.ports import OPINION

Row = Mapping[str, Any]


@dataclass(slots=True)
class Loss:
    """A sort of failure or skipped object: its code, how many, and an example."""

    outcome: str
    code: str
    number: int
    example: str
    message: str
    hint: str


@dataclass(slots=True)
class ViewLine:
    """A view in the table of all views."""

    source: str
    name: str
    format: str
    dialects: str
    columns: int
    security: str
    verdicts: dict[str, str] = field(default_factory=dict)  # engine to word
    loaded: str = ""


@dataclass(slots=True)
class Summary:
    """A run as a report shows it.

    Attributes:
        run: The row of `runs`, its counts read.
        formats: Number of views by format.
        verdicts: Number of views by engine and word, of the representations in any dialect.
        losses: What could not be carried over, by code, failures first.
        actions: Number of views by target and action.
        different: Views that read back otherwise than they were written.
        views: All views, by source and name.
    """

    run: dict[str, Any]
    formats: Counter[str] = field(default_factory=Counter)
    verdicts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    losses: list[Loss] = field(default_factory=list)
    actions: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    different: list[str] = field(default_factory=list)
    views: list[ViewLine] = field(default_factory=list)


def summarize(
    run: dict[str, Any],
    outcomes: Iterable[Row],
    verdicts: Iterable[Row],
    changes: Iterable[Row],
    verified: Iterable[Row],
) -> Summary:
    """Count the rows of a run."""
    summary = Summary(run)
    lines = _add_outcomes(summary, outcomes)
    for row in verdicts:
        summary.verdicts[row["engine"]][_word(row, "not judged")] += 1
        _judged(lines.get((row["source"], row["key"])), row)
    for row in changes:
        if row["target"]:
            summary.actions[row["target"]][row["action"]] += 1
        for origin in row["origins"] if row["target"] else ():
            if line := lines.get((origin["source"], origin["key"])):
                line.loaded = f"{row['target']}: {row['action']}"
    different = [row for row in verified if row["differences"]]
    summary.different = sorted(
        f"{_name(row)} in {row['target']}: {', '.join(row['differences'])}" for row in different
    )
    summary.views = [lines[key] for key in sorted(lines)]
    return summary


def _add_outcomes(summary: Summary, outcomes: Iterable[Row]) -> dict[tuple[str, str], ViewLine]:
    """Count views and losses; the line of each view by source and key."""
    lines: dict[tuple[str, str], ViewLine] = {}
    losses: dict[tuple[str, str], Loss] = {}
    for row in outcomes:
        if row["outcome"] == "view":
            summary.formats[row["format"]] += 1
            lines[row["source"], row["key"]] = _line(row)
        elif row["outcome"] in {"failure", "skipped"}:
            _add_loss(losses, row)
    summary.losses = sorted(losses.values(), key=lambda one: (one.outcome, -one.number, one.code))
    return lines


def _line(row: Row) -> ViewLine:
    return ViewLine(
        row["source"],
        _name(row),
        row["format"],
        ", ".join(row["dialects"]),
        row["columns"],
        row["security"] or "",
    )


def _judged(line: ViewLine | None, row: Row) -> None:
    """A view is accepted by an engine if one of its representations is; an opinion is none."""
    if line is not None and line.verdicts.get(row["engine"]) != "accepted":
        line.verdicts[row["engine"]] = _word(row, f"opinion: {row['verdict']}")


def _word(row: Row, of_opinions: str) -> str:
    return of_opinions if row["grade"] == OPINION else str(row["verdict"])


def _add_loss(losses: dict[tuple[str, str], Loss], row: Row) -> None:
    place = row["outcome"], row["code"]
    name = _name(row)
    if place not in losses:
        losses[place] = Loss(*place, 0, name, row["message"] or "", row["hint"] or "")
    loss = losses[place]
    loss.number += 1
    if name < loss.example:
        loss.example, loss.message, loss.hint = name, row["message"] or "", row["hint"] or ""


def _name(row: Row) -> str:
    return ".".join((*row["namespace"], row["name"])).rstrip(".") or row["source"]
