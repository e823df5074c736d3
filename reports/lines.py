"""A view in a report, as a row of the warehouse's types; what all formats say of it alike."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import orjson

from discovery.ports import ASIDE
from discovery.secrets_in_texts import masked_json, may_hold_one

Row = Mapping[str, Any]
"""A view, or an object that could not be read, with all that is known of it; the columns are
described in docs/report.schema.json."""

_SAID: Final = (
    *("message", "hint", "notes", "verdicts", "findings", "differences", "drafts"),
    *("plan", "history"),
)
"""What quotes a view's text or properties."""

INNER: Final = frozenset(
    {
        "row",
        "reads",
        "readers",
        "unplanned",
        "sightings",
        "planned",
        "done",
        "model",
        "verdicts",
        "drafts",
        "references",
        "lineage",
        "history",
        "key",
        "seen",
        "addresses",
    }
)
"""What is in a row for the head, the page and events; not part of a line of JSON."""


def name_of(row: Row) -> str:
    """The name for display, with its namespace."""
    return ".".join((*row["namespace"], row["name"]))


class StatedCode(NamedTuple):
    """A code that stands at a view.

    Attributes:
        sort: Of what it is: `failure`, `set aside`, a severity, `note`, `planned` or `standing`.
        code: The code.
        message: What is said of it; empty: nothing, or the row was read without.
        hint: What would be right; empty: its page says it.
        engine: The engine that it is about, if it is about one.
    """

    sort: str
    code: str
    message: str = ""
    hint: str = ""
    engine: str | None = None


def codes_at(row: Row) -> Iterator[StatedCode]:
    """All that stands at a view with a code; its standing comes last, which follows from others."""
    if row["outcome"] == "failure":
        yield StatedCode("failure", row["code"], row.get("message") or "", row.get("hint") or "")
    if row["aside"]:
        yield StatedCode("set aside", row["aside"], ", ".join(row.get("because") or ()))
    for finding in row["findings"] or ():
        said = finding.get("message") or "", finding.get("hint") or ""
        yield StatedCode(finding["severity"], finding["code"], *said, finding["engine"])
    for note in row["notes"] or ():
        yield StatedCode("note", note["code"], note.get("message") or "")
    for change in set_aside_changes(row):
        yield StatedCode("planned", change["code"], change.get("reason") or "")
    if row["reason"] and not row["aside"]:
        yield StatedCode("standing", row["reason"])


def codes_of(row: Row) -> Iterable[str]:
    """The codes that stand at a view, each once: those that `belvedere accept` finds there."""
    every = (*(stated.code for stated in codes_at(row)), row["reason"])
    return dict.fromkeys(filter(None, every))


def set_aside_changes(row: Row) -> list[Mapping[str, Any]]:
    """What the latest plan says of the view and does not write, with a code."""
    return [change for change in row["plan"] or () if change["action"] in ASIDE and change["code"]]


def remarks(row: Row) -> list[str]:
    """What is to be known of the view, a text for each finding, failure or reason."""
    texts = [f"{finding['code']}: {finding['message']}" for finding in row["findings"] or ()]
    if row["outcome"] == "failure":
        texts.insert(0, f"{row['code']}: {row['message']}")
    if row["aside"]:
        texts.insert(0, f"{row['aside']}: {', '.join(row['because'] or ())}")
    texts += [
        f"{rejection['engine']} rejects the {rejection['dialect']} text{_where(rejection)}: "
        f"{rejection['message']}"
        for rejection in own_rejections(row)
    ]
    texts += [
        f"{change['code']}: {change['reason']} ({change['target']})"
        for change in set_aside_changes(row)
    ]
    if row["differences"]:
        texts.append(f"read back otherwise: {', '.join(row['differences'])}")
    return texts


def _where(verdict: Mapping[str, Any]) -> str:
    return f" at {verdict['line']}:{verdict['column']}" if verdict["line"] else ""


def own_rejections(row: Row) -> list[Mapping[str, Any]]:
    """What the parsers said that reject a text of their own dialect."""
    return [
        verdict
        for verdict in row["verdicts"] or ()
        if verdict["verdict"] == "rejected" and verdict["dialect"].casefold() == verdict["engine"]
    ]


def masked(row: Row) -> Row:
    """The row with `***` for what looks like a secret in the view, and in what is said of it."""
    changed: dict[str, Any] = {}
    if row.get("model") and may_hold_one(row["model"]):
        changed["model"] = orjson.dumps(masked_json(orjson.loads(row["model"]))).decode()
    for name in _SAID:
        if row.get(name) and may_hold_one(repr(row[name])):
            changed[name] = masked_json(row[name])
    return {**row, **changed} if changed else row
