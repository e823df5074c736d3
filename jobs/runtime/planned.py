"""The tables of a migration: plans, changes, applies, events, verified.

Runs on executors; imports neither pydantic nor the configuration.
"""

from typing import Final

import pyarrow as pa

_TEXTS: Final = pa.list_(pa.string())
_ORIGIN: Final = pa.struct([("source", pa.string()), ("key", pa.string()), ("at", pa.string())])


def _column(name: str, kind: pa.DataType, meaning: str) -> pa.Field:
    """A column with its meaning."""
    return pa.field(name, kind, metadata={"doc": meaning})


_PLACE: Final = [
    _column("target", pa.string(), "Name of the target; empty: the view goes nowhere."),
    _column("namespace", _TEXTS, "Levels at the target, outermost first."),
    _column("name", pa.string(), "Name at the target."),
    _column("key", pa.string(), "Namespace and name in one text, as in `outcomes`, unfolded."),
]
PLACE: Final = tuple(field.name for field in _PLACE)
_MODEL: Final = [
    _column("wave", pa.int32(), "Number of the wave, from 0; null if it is set aside."),
    _column(
        "origins",
        pa.list_(_ORIGIN),
        "The views that it is made of: source, key, and fingerprint at the time.",
    ),
    _column("code", pa.string(), "Why it is blocked or a conflict, as a code."),
    _column("reason", pa.string(), "Why, for people."),
    _column("losses", _TEXTS, "What of the view the target cannot hold."),
    _column("fingerprint", pa.string(), "Of the view as the target shall hold it."),
    _column("model", pa.string(), "That view, in canonical JSON."),
    _column("drafts", _TEXTS, "Dialects of which there is a draft with the target's catalogs."),
    _column("draft_fingerprint", pa.string(), "Of the view with the drafts."),
    _column("draft", pa.string(), "The view with the drafts, in canonical JSON."),
]
CANDIDATES: Final = pa.schema(
    [
        *_PLACE,
        pa.field("rank", pa.int32()),
        pa.field("source", pa.string()),
        pa.field("source_key", pa.string()),
        pa.field("at", pa.string()),
        pa.field("collisions", pa.string()),
        *[field for field in _MODEL if field.name != "origins"],
    ]
)
"""What the rules make of each view, before those that meet at a name are brought together."""

WANTED: Final = pa.schema([*_PLACE, *_MODEL])
"""One row for each name at a target."""

PRESENT: Final = pa.schema(
    [
        pa.field("target", pa.string()),
        pa.field("namespace", _TEXTS),
        pa.field("key", pa.string()),
        pa.field("kind", pa.string()),
        pa.field("message", pa.string()),
    ]
)
"""What a target lists; kind `failed`: it could not be listed."""

CHANGES: Final = pa.schema(
    [
        *_PLACE,
        _column(
            "action",
            pa.string(),
            "`create`, `replace`, `add-dialect`, `drop`: to be written; `keep`: nothing to do; "
            "`conflict`, `blocked`: set aside.",
        ),
        _column("change", pa.string(), "Name of the change; null where nothing is written."),
        *_MODEL,
        _column("expected", pa.string(), "Fingerprint of what is there; null: nothing."),
        _column("before", pa.string(), "The view that is there, in canonical JSON."),
    ]
)
PLANS: Final = pa.schema(
    [
        _column("plan", pa.string(), "Name of the plan."),
        _column("crawl", pa.string(), "The run whose views it is about."),
        _column("created", pa.timestamp("us", "UTC"), "When it was made."),
        _column("undoes", pa.string(), "The run of `apply` that it would undo; null for others."),
        _column("targets", pa.string(), "Routes, missing namespaces and counts, as JSON."),
    ]
)
APPLIES: Final = pa.schema(
    [
        _column("run", pa.string(), "Name of the execution of `apply` or `undo`."),
        _column("plan", pa.string(), "The plan that was applied."),
        _column("principal", pa.string(), "Who applied it."),
        _column("started", pa.timestamp("us", "UTC"), "When it began."),
    ]
)
APPLIED: Final = pa.schema(
    [
        _column("run", pa.string(), "Name of the execution."),
        _column("finished", pa.timestamp("us", "UTC"), "When it ended."),
        _column("exit_code", pa.int32(), "How it ended."),
    ]
)
EVENTS: Final = pa.schema(
    [
        _column("time", pa.timestamp("us", "UTC"), "When the target answered."),
        _column("principal", pa.string(), "Who applied the plan."),
        _column("run", pa.string(), "Name of the execution."),
        *_PLACE,
        _column("action", pa.string(), "What was to be written."),
        _column("before", pa.string(), "Fingerprint before; null: nothing was there."),
        _column("after", pa.string(), "Fingerprint afterwards; null: it was dropped."),
        _column(
            "result",
            pa.string(),
            "`done`; `recovered`: an attempt that was interrupted had written it; `failed`: the "
            "target holds what it held; `refused`: it had changed since the plan.",
        ),
        _column("code", pa.string(), "Code of the failure."),
        _column("message", pa.string(), "What was wrong and where."),
        _column("hint", pa.string(), "What would be right."),
        _column("remains", _TEXTS, "What of an older state stays: files, deleted rows."),
    ]
)
VERIFIED: Final = pa.schema(
    [
        *_PLACE,
        _column(
            "differences",
            _TEXTS,
            "Fields that read back otherwise, or why it could not be read back; empty if all are "
            "equal.",
        ),
    ]
)
DATASETS: Final = {
    "plans": PLANS,
    "changes": CHANGES,
    "applies": APPLIES,
    "applied": APPLIED,
    "events": EVENTS,
    "verified": VERIFIED,
}
WRITES: Final = ("create", "replace", "add-dialect", "drop")
"""Actions of a plan that write."""

DONE: Final = "done"
RECOVERED: Final = "recovered"
REFUSED: Final = "refused"
FAILED: Final = "failed"
"""Results of an event."""

WRITTEN: Final = f"result in ('{DONE}', '{RECOVERED}')"
"""For SQL: of an event, whether the view was written."""
